//! The notation of layouts, for strings at run time and for the tokens of `layout!`.
//!
//! | notation | meaning |
//! |---|---|
//! | `(4,8):(8,1)`, `8:2`, `(2,(2,2)):(4,(1,2))` | a layout: shape and stride |
//! | `(4,8)`, `8` | the compact column-major layout of a shape |
//! | `<3:4, 8:2>`, `<8, 4>`, `<_, 4:1>` | a tiler that applies mode by mode; `_` keeps a mode |
//! | `composition(A, B)`, `A o B`, `logical_divide(A, T)` and so on | an operation, see [`OPERATIONS`] |
//! | `Sw<3,0,3>`, `Sw<3,0,3> o 0 o (8,8):(8,1)` | a swizzle, a swizzled layout |
//! | `slice((4,12):(12,1), (3,_))` | coordinates of operations; `_` keeps a mode |
//! | `[1, 0, 1 p(4)] for (6, 8)` | a Morello layout for a shape |
//! | `spyre { size: [512], dtype: f16 }` | a [Spyre layout](crate::devices::spyre) |
//! | `tensor<8x300xf32, #tt.metal_layout<..>>` | a Tenstorrent layout, see [`tenstorrent`](crate::devices::tenstorrent) |
//! | `#ttg.linear<{register = [[1], [2]], lane = [[4]]}>` | a [linear layout](crate::engine::LinearLayout), as in Triton |
//!
//! The command `layout` and `layout_view::notation` of the crate `static-layout-view` also parse the
//! output of C++, MLIR, PyTorch and NumPy.
//!
//! `_4` is 4, as CuTe prints it. `(4)` is a tuple of one mode and differs from `4`; around a layout
//! parentheses only group. As the tiler of an operation, a bare tuple applies mode by mode, as in
//! CuTe. In `A o (8, 4)` it would read as a layout: write `<8, 4>` or give it strides.
//!
//! One grammar over [`Token`]s serves both strings, with byte ranges as [`Span`]s, and the macro.
//! Printing is `Display`, and `parse(print(x)) == x`.
//!
//! ```
//! use static_layout::engine::DynLayout;
//! let rows: DynLayout = "(6, 8):(8, 1)".parse()?;
//! assert_eq!(rows, DynLayout::parse("[0, 1] for (6, 8)")?);
//! let tiles = static_layout::text::eval("logical_divide((6,8):(8,1), <3, 4>)")?;
//! assert_eq!(tiles.to_string(), "((3,2),(4,2)):((8,24),(1,4))");
//! # Ok::<(), static_layout::text::ParseError>(())
//! ```

use core::ops::Range;
use core::str::FromStr;

use crate::devices::spyre::SpyreLayout;
use crate::devices::tenstorrent::MetalLayout;
use crate::engine::{
    CoordinateLayout, DynLayout, IntTuple, LinearLayout, MorelloLayout, PhysDim, Slicer, Tiler,
};
use crate::error::{LayoutError, NotationError};

mod ast;
mod culprit;
mod diagnostic;
pub(crate) mod domain;
pub(crate) mod eval;
mod lex;
mod linear;
pub(crate) mod list;
mod morello;
mod open;
pub(crate) mod operations;
pub(crate) mod parser;
pub(crate) mod token;
pub(crate) mod value;

pub use ast::{Expr, Field, Node, Part};
pub use diagnostic::{Application, Diagnostic, ParseError, Problems};
pub use eval::{
    check_congruent, check_kind, eval_expr, find_operation, outline, refuse_steps, report,
};
pub use lex::lex;
pub use list::List;
pub use morello::{KnownExtent, Places, check_extents, morello, not_an_extent, shape_parts};
pub use open::OpenLayout;
pub use operations::{OPERATIONS, Operation};
pub use parser::parse_tokens;
pub use token::{Span, Token, TokenKind};
#[doc(hidden)]
pub use token::{integer, length_of, split_digits};
pub use value::{Kind, Value};

/// The value of `text`.
///
/// A shape alone is its compact column-major layout, `8` and `(4,8)`.
///
/// ```
/// use static_layout::text::eval;
/// assert_eq!(eval("complement(4:2, 24)")?.to_string(), "(2,3):(1,8)");
/// assert_eq!(eval("[1, 0, 1 p(4)] for (6, 8)")?.to_string(), "(6,(4,2)):(4,(1,24))");
/// assert_eq!(eval("(4,8)")?.to_string(), "(4,8):(1,4)");
/// # Ok::<(), static_layout::text::ParseError>(())
/// ```
///
/// # Errors
///
/// Everything that is wrong with the text, each with its byte range.
pub fn eval(text: &str) -> Result<Value, ParseError> {
    read(text, whole_value)
}

/// The value of a whole text as [`eval`], where a shape alone is its compact column-major layout.
pub fn whole_value<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<Value> {
    match value(expr, problems)? {
        shape @ (Value::Integer(_) | Value::IntTuple(_)) if expr.is_int_tuple() => {
            report(shape.layout(), &expr.span, problems).map(Value::Layout)
        }
        value => Some(value),
    }
}

/// The value of a whole text as for [`Value::parse`]. A list of numbers alone is a list, although it
/// could also be a Morello layout. An expression that contains `_` is a coordinate.
pub fn value<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<Value> {
    if let Node::Morello(parts, None) = &expr.node {
        let numbers = parts.iter().map(|part| match part.kind {
            PhysDim::Dynamic => Some(part.dimension as isize),
            _ => None,
        });
        if let Some(numbers) = numbers.collect() {
            return Some(Value::List(List::integers(numbers)));
        }
    }
    if expr.is_int_tuple() && eval::has_hole(expr) {
        return eval::coordinate(expr, problems).map(Value::Slicer);
    }
    eval_expr(expr, problems)
}

type Bytes = Range<usize>;

/// The tree of a whole text; `None` if errors were added to `problems`.
fn tree(text: &str, problems: &mut Problems<Bytes>) -> Option<Expr<Bytes>> {
    let tokens = lex(text, problems);
    if !problems.is_empty() {
        return None;
    }
    parse_tokens(&tokens, text.len()..text.len(), problems)
}

fn read<T>(
    text: &str,
    meaning: impl FnOnce(&Expr<Bytes>, &mut Problems<Bytes>) -> Option<T>,
) -> Result<T, ParseError> {
    let mut problems = Problems::new();
    match tree(text, &mut problems).and_then(|expr| meaning(&expr, &mut problems)) {
        Some(value) if problems.is_empty() => Ok(value),
        _ => Err(problems.into()),
    }
}

/// Parses a whole text by one rule of the grammar.
pub(crate) fn read_with<T>(
    text: &str,
    rule: impl FnOnce(&mut parser::Parser<'_, Bytes>) -> parser::Parse<T>,
) -> Result<T, ParseError> {
    let mut problems = Problems::new();
    let tokens = lex(text, &mut problems);
    let mut read = None;
    if problems.is_empty() {
        read = parser::parse_with(&tokens, text.len()..text.len(), &mut problems, rule);
    }
    read.filter(|_| problems.is_empty()).ok_or_else(|| problems.into())
}

pub(crate) fn read_as<T>(
    text: &str,
    convert: impl FnOnce(&Value) -> Result<T, LayoutError>,
) -> Result<T, ParseError> {
    read(text, |expr, problems| {
        let value = unsigned(expr, problems)?;
        report(convert(&value), &expr.span, problems)
    })
}

/// The error for a value of the wrong kind.
pub(crate) const fn wrong_kind(expected: &'static str, found: &'static str) -> LayoutError {
    LayoutError::Notation(NotationError::Kind { expected, found })
}

/// The value of an expression in which negative strides and strides with a direction are errors.
#[inline(never)]
fn unsigned(expr: &Expr<Bytes>, problems: &mut Problems<Bytes>) -> Option<Value> {
    let value = eval_expr(expr, problems)?;
    if let Value::Coordinates(_) | Value::Signed(_) = value {
        refuse_steps(expr, problems)?;
    }
    Some(value)
}

impl Value {
    /// Reads any value as it is printed: like [`eval`], but a shape stays a shape.
    ///
    /// `parse(print(v)) == v`.
    ///
    /// ```
    /// use static_layout::text::Value;
    /// assert_eq!(Value::parse("size((4,8))")?, Value::parse("32")?);
    /// assert_eq!(Value::parse("[0, 2, 4]")?, Value::parse("table(3:2)")?);
    /// assert_eq!(Value::parse("4:1 @ 8")?.to_string(), "4:1 @ 8");
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read(text, value)
    }
}

impl CoordinateLayout {
    /// Reads a layout whose strides may be negative or have a direction, `(4,8):(-1,4)` or
    /// `(4,8):(1@0,1@1)`.
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let l = CoordinateLayout::parse("(4, (2, 3)):(1@0, (1@0@1, 2@1@1-1@0))")?;
    /// assert_eq!(l.to_string(), "(4,(2,3)):(1@0,(1@0@1,-1@0+2@1@1))");
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read(text, |expr, problems| {
            let value = eval_expr(expr, problems)?;
            let value = report(value.to_cute(), &expr.span, problems)?;
            let strided = report(value.strided(), &expr.span, problems)?;
            Some(strided.coordinates())
        })
    }
}

impl DynLayout {
    /// Reads a layout: anything of the [notation](crate::text) that stands for one.
    ///
    /// `parse(print(L)) == L`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let l = DynLayout::parse("(2, (2, 2)):(4, (1, 2))")?;
    /// assert_eq!(l.to_string(), "(2,(2,2)):(4,(1,2))");
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, Value::layout)
    }
}

impl LinearLayout {
    /// Reads a linear layout: what Triton prints, or a layout or swizzle that is linear.
    ///
    /// `parse(print(L)) == L`.
    ///
    /// ```
    /// use static_layout::engine::LinearLayout;
    /// let text = "#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 1]]}>";
    /// assert_eq!(LinearLayout::parse(text)?.to_string(), text);
    /// assert_eq!(LinearLayout::parse("Sw<1,0,1>")?, LinearLayout::parse("{register = [[1], [3]]}")?);
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read(text, |expr, problems| {
            let value = eval_expr(expr, problems)?;
            report(value.linear(), &expr.span, problems)
        })
    }
}

impl IntTuple {
    /// Reads an integer or a tuple.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// assert_eq!(IntTuple::parse("(3, (6, 2), 8)")?.to_string(), "(3,(6,2),8)");
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, Value::int_tuple)
    }
}

impl Tiler {
    /// Reads a tiler, `<8, 4>`, `<_, 4:1>`; a layout is one too.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    ///
    /// ```
    /// use static_layout::engine::Tiler;
    /// assert_eq!(Tiler::parse("<_, 4, 8:2>")?.to_string(), "<_,4:1,8:2>");
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read(text, |expr, problems| match expr.node {
            Node::Hole => Some(Self::keep()),
            _ => {
                let value = eval_expr(expr, problems)?;
                report(value.tiler(), &expr.span, problems)
            }
        })
    }
}

impl Slicer {
    /// Reads a coordinate, an integer or a tuple with `_` for the modes to keep.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    ///
    /// ```
    /// use static_layout::engine::Slicer;
    /// assert_eq!(Slicer::parse("(_, (3, _))")?.to_string(), "(_,(3,_))");
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read(text, eval::coordinate)
    }
}

impl MorelloLayout {
    /// Reads a Morello layout without a shape, `[1, 0, 1 p(4)]`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// let list = MorelloLayout::parse("[1, 0, 1 p(4)]")?;
    /// assert_eq!(list.for_shape(&[6, 8]).unwrap().to_string(), "(6,(4,2)):(4,(1,24))");
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, |value| match value {
            Value::Morello(list) => Ok(*list),
            other => Err(wrong_kind("a Morello layout without a shape", other.describe())),
        })
    }
}

macro_rules! from_str {
    ($($type:ty)+) => {$(
        impl FromStr for $type {
            type Err = ParseError;
            fn from_str(text: &str) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }
    )+};
}
from_str!(Value);
read_from_text!(from_str);
