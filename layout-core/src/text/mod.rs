//! The notation of layouts, for strings at run time and for the tokens of `layout!`.
//!
//! | notation | what it is |
//! |---|---|
//! | `(4,8):(8,1)`, `8:2`, `(2,(2,2)):(4,(1,2))` | a layout: shape and stride |
//! | `(4,8)`, `8` | the compact column-major layout of a shape |
//! | `<3:4, 8:2>`, `<8, 4>`, `<_, 4:1>` | a tiler that applies mode by mode; `_` keeps a mode |
//! | `composition(A, B)`, `A o B`, `logical_divide(A, T)` and so on | an operation, see [`OPERATIONS`] |
//! | `Sw<3,0,3>`, `Sw<3,0,3> o 0 o (8,8):(8,1)` | a swizzle, a swizzled layout |
//! | `slice((4,12):(12,1), (3,_))` | coordinates of operations; `_` keeps a mode |
//! | `[1, 0, 1 p(4)] for (6, 8)` | a Morello layout for a shape |
//!
//! `_4` is 4, as CuTe prints it. `(4)` is a tuple of one mode and differs from `4`; around a layout
//! parentheses only group. As the tiler of an operation, a bare tuple applies mode by mode, as in
//! CuTe. In `A o (8, 4)` it would read as a layout: write `<8, 4>` or give it strides.
//!
//! One grammar over [`Token`]s serves strings, with byte ranges for [`Span`]s, and the macro.
//! Printing is `Display`, and `parse(print(x)) == x`.
//!
//! ```
//! use layout_core::engine::DynLayout;
//! let rows: DynLayout = "(6, 8):(8, 1)".parse()?;
//! assert_eq!(rows, DynLayout::parse("[0, 1] for (6, 8)")?);
//! let tiles = layout_core::text::eval("logical_divide((6,8):(8,1), <3, 4>)")?;
//! assert_eq!(tiles.to_string(), "((3,2),(4,2)):((8,24),(1,4))");
//! # Ok::<(), layout_core::text::ParseError>(())
//! ```

use core::ops::Range;
use core::str::FromStr;

use crate::engine::{DynLayout, IntTuple, MorelloLayout, Slicer, Tiler};
use crate::error::{LayoutError, NotationError};

mod ast;
mod diagnostic;
mod domain;
mod eval;
mod lex;
mod list;
mod operations;
mod parser;
mod token;
mod value;

pub use ast::{Expr, Node, Part};
pub use diagnostic::{Diagnostic, ParseError, Problems};
pub use eval::{
    Places, check_congruent, check_extents, check_kind, eval_expr, find_operation, morello,
    not_an_extent, outline, report, shape_parts,
};
pub use list::List;
pub use operations::{OPERATIONS, Operation};
pub use parser::parse_tokens;
pub use token::{Span, Token, TokenKind};
pub use value::{Kind, Value};

/// What `text` stands for.
///
/// A shape alone is its compact column-major layout, `8` and `(4,8)`.
///
/// ```
/// use layout_core::text::eval;
/// assert_eq!(eval("complement(4:2, 24)")?.to_string(), "(2,3):(1,8)");
/// assert_eq!(eval("[1, 0, 1 p(4)] for (6, 8)")?.to_string(), "(6,(4,2)):(4,(1,24))");
/// assert_eq!(eval("(4,8)")?.to_string(), "(4,8):(1,4)");
/// # Ok::<(), layout_core::text::ParseError>(())
/// ```
///
/// # Errors
///
/// Everything that is wrong with the text, each with its byte range.
pub fn eval(text: &str) -> Result<Value, ParseError> {
    read(text, |expr, problems| {
        let value = eval_expr(expr, problems)?;
        if !expr.is_int_tuple() {
            return Some(value);
        }
        report(value.layout(), &expr.span, problems).map(Value::Layout)
    })
}

type Bytes = Range<usize>;

fn read<T>(
    text: &str,
    meaning: impl FnOnce(&Expr<Bytes>, &mut Problems<Bytes>) -> Option<T>,
) -> Result<T, ParseError> {
    let mut problems = Problems::new();
    let tokens = lex::lex(text, &mut problems);
    let expr = if problems.is_empty() {
        parse_tokens(&tokens, text.len()..text.len(), &mut problems)
    } else {
        None
    };
    match expr.and_then(|expr| meaning(&expr, &mut problems)) {
        Some(value) if problems.is_empty() => Ok(value),
        _ => Err(problems.into()),
    }
}

fn read_as<T>(
    text: &str,
    convert: impl FnOnce(&Value) -> Result<T, LayoutError>,
) -> Result<T, ParseError> {
    read(text, |expr, problems| {
        let value = eval_expr(expr, problems)?;
        report(convert(&value), &expr.span, problems)
    })
}

impl DynLayout {
    /// Reads a layout: anything of the [notation](crate::text) that stands for one.
    ///
    /// `parse(print(L)) == L`.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let l = DynLayout::parse("(2, (2, 2)):(4, (1, 2))")?;
    /// assert_eq!(l.to_string(), "(2,(2,2)):(4,(1,2))");
    /// # Ok::<(), layout_core::text::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, Value::layout)
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
    /// use layout_core::engine::IntTuple;
    /// assert_eq!(IntTuple::parse("(3, (6, 2), 8)")?.to_string(), "(3,(6,2),8)");
    /// # Ok::<(), layout_core::text::ParseError>(())
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
    /// use layout_core::engine::Tiler;
    /// assert_eq!(Tiler::parse("<_, 4, 8:2>")?.to_string(), "<_,4:1,8:2>");
    /// # Ok::<(), layout_core::text::ParseError>(())
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
    /// use layout_core::engine::Slicer;
    /// assert_eq!(Slicer::parse("(_, (3, _))")?.to_string(), "(_,(3,_))");
    /// # Ok::<(), layout_core::text::ParseError>(())
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
    /// use layout_core::engine::MorelloLayout;
    /// let list = MorelloLayout::parse("[1, 0, 1 p(4)]")?;
    /// assert_eq!(list.for_shape(&[6, 8]).unwrap().to_string(), "(6,(4,2)):(4,(1,24))");
    /// # Ok::<(), layout_core::text::ParseError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, |value| match value {
            Value::Morello(list) => Ok(*list),
            other => {
                let expected = "a Morello layout without a shape";
                Err(NotationError::Kind { expected, found: other.describe() }.into())
            }
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
from_str!(Slicer DynLayout IntTuple Tiler MorelloLayout);
