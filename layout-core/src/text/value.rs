//! The values of the notation.

use alloc::boxed::Box;
use core::fmt;

use crate::devices::spyre::{CurrentLayout, SpyreLayout};
use crate::devices::tenstorrent::{MetalLayout, TensorType};
use crate::engine::{
    ComposedLayout, CoordinateLayout, DynLayout, IntTuple, LinearLayout, MAX_LEAVES, MorelloLayout,
    SignedTuple, Slicer, Swizzle, Tiler,
};
use crate::error::{LayoutError, NotationError};
use crate::text::list::List;
use crate::text::open::OpenLayout;

/// A value of the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Value {
    /// An integer that is not an extent yet.
    Integer(usize),
    /// A shape, a stride or a profile.
    IntTuple(IntTuple),
    /// A layout.
    Layout(DynLayout),
    /// `<8, 4>`: a tiler that applies mode by mode.
    Tiler(Tiler),
    /// `[0, 1 p(4)]` without a shape.
    Morello(MorelloLayout),
    /// `tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>>>`
    Tenstorrent(Box<TensorType>),
    /// `(3, _)`: a coordinate that keeps at least one mode.
    Slicer(Slicer),
    /// `Sw<3,0,3>`
    Swizzle(Swizzle),
    /// `Sw<3,0,3> o 0 o (8,8):(8,1)`
    Composed(ComposedLayout),
    /// `(-3,0)`: an integer or a tuple with something negative in it.
    Signed(SignedTuple),
    /// `(4,8):(1@0,1@1)`, `4:-1`: a layout with strides that are negative or have a direction.
    Coordinates(Box<CoordinateLayout>),
    /// `(12):(1) @ 36`: a layout and the value at which it starts.
    At(Box<(CoordinateLayout, SignedTuple)>),
    /// `(?,8):(8,1)`
    Open(Box<OpenLayout>),
    /// `true` or `false`
    Truth(bool),
    /// `[0, 2, 4]`
    List(List),
    /// `#ttg.linear<{register = [[1], [2]], lane = [[4]]}>`
    Linear(Box<LinearLayout>),
    /// `spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0, 0] }`
    Spyre(Box<SpyreLayout>),
    /// `spyre { size: [60], dtype: f16, device_size: [1, 2, 64], stride_map: [64, 30, 1], current: true }`
    CurrentSpyre(Box<CurrentLayout>),
}

/// The kind of an operation's parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A layout, or a shape, which stands for its compact column-major layout.
    Layout,
    /// An integer or a tuple of integers.
    IntTuple,
    /// A layout, or a tiler `<..>`. A shape applies mode by mode, as in CuTe.
    Tiler,
    /// A layout, possibly swizzled or of coordinates.
    Domain,
    /// A layout of any kind, including linear ones.
    Mapping,
    /// A function that is linear over bits: a linear layout, a layout, a swizzled layout or a
    /// swizzle.
    Linear,
    /// A layout whose strides may be negative or have a direction.
    Strided,
    /// A layout whose values are offsets, possibly swizzled.
    Offsets,
    /// A layout of any kind, or a tuple, in which `_` may stand for integers.
    Leaves,
    /// A shape, or a layout of any kind, which stands for its shape.
    Extents,
    /// A layout of any kind or a swizzle: a left operand of a composition.
    Function,
    /// A right operand of a composition: a layout or a tiler; after a swizzle also a swizzle.
    Inner,
    /// An integer.
    Integer,
    /// A coordinate; `_` keeps a mode.
    Slicer,
    /// A swizzle.
    Swizzle,
    /// A Morello layout without a shape.
    Morello,
}

impl Kind {
    /// Whether a layout is of this kind.
    pub const fn is_layout(self) -> bool {
        matches!(
            self,
            Self::Layout
                | Self::Tiler
                | Self::Domain
                | Self::Mapping
                | Self::Linear
                | Self::Strided
                | Self::Offsets
                | Self::Leaves
                | Self::Function
                | Self::Inner
        )
    }

    /// Whether the result of an operation is of this kind.
    pub const fn takes(self, given: Self) -> bool {
        match self {
            Self::Integer => matches!(given, Self::Integer),
            Self::IntTuple => matches!(given, Self::Integer | Self::IntTuple),
            Self::Extents => matches!(given, Self::Integer | Self::IntTuple) || given.is_layout(),
            _ => self.is_layout() && given.is_layout(),
        }
    }

    /// Whether `_` may stand for it.
    pub(crate) const fn may_keep(self) -> bool {
        matches!(self.of_types(), Self::Tiler)
    }

    /// The kind for the type-level operation: plain layouts where values may be swizzled.
    pub const fn of_types(self) -> Self {
        match self {
            Self::Domain
            | Self::Mapping
            | Self::Linear
            | Self::Strided
            | Self::Offsets
            | Self::Leaves
            | Self::Function => Self::Layout,
            Self::Extents => Self::IntTuple,
            Self::Inner => Self::Tiler,
            other => other,
        }
    }

    /// The expected kind, in a word or two and in full.
    const fn texts(self) -> [&'static str; 2] {
        match self {
            Self::Layout | Self::Domain | Self::Mapping | Self::Strided | Self::Offsets => {
                ["layout", "a layout"]
            }
            Self::Linear => ["linear layout", "a linear layout, a layout or a swizzle"],
            Self::Leaves => ["layout or tuple", "a layout or a tuple"],
            Self::Extents => ["shape or layout", "a shape or a layout"],
            Self::IntTuple => ["tuple", "an integer or a tuple of integers"],
            Self::Tiler => ["tiler", "a layout or a tiler"],
            Self::Inner => ["tiler or swizzle", "a layout, a tiler or a swizzle"],
            Self::Function => ["layout or swizzle", "a layout or a swizzle"],
            Self::Integer => ["integer", "an integer"],
            Self::Slicer => ["coordinate", "a coordinate"],
            Self::Swizzle => ["swizzle", "a swizzle"],
            Self::Morello => {
                ["Morello layout", "a Morello layout without a shape, such as [1, 0, 1 p(4)]"]
            }
        }
    }

    /// One word, for a list of operations.
    pub const fn short(self) -> &'static str {
        self.texts()[0]
    }

    /// The expected kind, with an article.
    pub const fn describe(self) -> &'static str {
        self.texts()[1]
    }
}

impl Value {
    /// The kind of this value, with an article.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Integer(_) => "an integer",
            Self::IntTuple(_) => "a tuple of integers",
            Self::Layout(_) => "a layout",
            Self::Tiler(_) => "a tiler",
            Self::Morello(_) => "a Morello layout without a shape",
            Self::Tenstorrent(_) => "a metal layout",
            Self::Slicer(_) => "a coordinate with `_`",
            Self::Swizzle(_) => "a swizzle",
            Self::Composed(_) => "a swizzled layout",
            Self::Signed(c) if c.as_integer().is_some() => "a negative integer",
            Self::Signed(_) => "a coordinate with a negative integer",
            Self::Coordinates(l) if l.has_integers() => "a layout with negative strides",
            Self::Coordinates(_) => "a layout of coordinates",
            Self::At(_) => "a layout with an offset",
            Self::Open(_) => "a layout with run-time leaves",
            Self::Truth(_) => "a truth value",
            Self::List(_) => "a list",
            Self::Linear(_) => "a linear layout",
            Self::Spyre(_) => "a Spyre layout",
            Self::CurrentSpyre(_) => "a Spyre layout by the current rules",
        }
    }

    #[inline(never)]
    pub(crate) fn is_not(&self, kind: Kind) -> LayoutError {
        let (mut expected, found) = (kind.describe(), self.describe());
        if let (Kind::Layout | Kind::Offsets | Kind::Tiler, Self::Coordinates(_)) = (kind, self) {
            expected = "a layout of offsets, with strides that are not negative";
        }
        match self {
            Self::Signed(_) => LayoutError::Notation(NotationError::Negative),
            Self::Open(_) => LayoutError::Notation(NotationError::RunTimeLeaf),
            Self::Morello(_) => LayoutError::Notation(NotationError::ShapeNeeded),
            _ => LayoutError::Notation(NotationError::Kind { expected, found }),
        }
    }

    /// Converts to a layout: a shape stands for its compact column-major layout.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else, and
    /// [`LayoutError::SizeOverflow`].
    #[inline(never)]
    pub fn layout(&self) -> Result<DynLayout, LayoutError> {
        match self {
            Self::Layout(layout) => Ok(*layout),
            Self::Integer(_) | Self::IntTuple(_) => DynLayout::make(&self.int_tuple()?),
            Self::Linear(_) => self.to_cute()?.layout(),
            _ => Err(self.is_not(Kind::Layout)),
        }
    }

    /// Converts to an integer or a tuple of integers.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else.
    #[inline(never)]
    pub fn int_tuple(&self) -> Result<IntTuple, LayoutError> {
        match self {
            Self::Integer(n) => Ok(IntTuple::leaf(*n)),
            Self::IntTuple(t) => Ok(*t),
            _ => Err(self.is_not(Kind::IntTuple)),
        }
    }

    /// Converts to a shape. A layout stands for its shape.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else.
    #[inline(never)]
    pub fn extents(&self) -> Result<IntTuple, LayoutError> {
        match self {
            Self::Integer(_) | Self::IntTuple(_) => self.int_tuple(),
            Self::Layout(layout) => Ok(layout.shape()),
            Self::Composed(layout) => Ok(layout.shape()),
            Self::Coordinates(layout) => Ok(layout.shape()),
            _ => Err(self.is_not(Kind::Extents)),
        }
    }

    /// Converts to a layout of offsets, possibly swizzled.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else.
    #[inline(never)]
    pub fn composed(&self) -> Result<ComposedLayout, LayoutError> {
        match self {
            Self::Composed(layout) => Ok(*layout),
            Self::Layout(_) | Self::Integer(_) | Self::IntTuple(_) => Ok(self.layout()?.into()),
            Self::Linear(_) => self.to_cute()?.composed(),
            _ => Err(self.is_not(Kind::Offsets)),
        }
    }

    /// Converts to a tiler: a layout is one, the integer `n` is `n:1`, and a shape applies mode by
    /// mode.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else.
    #[inline(never)]
    pub fn tiler(&self) -> Result<Tiler, LayoutError> {
        match self {
            Self::Tiler(tiler) => Ok(*tiler),
            Self::Layout(layout) => Ok(Tiler::layout(layout)),
            Self::Integer(_) | Self::IntTuple(_) => by_mode(&self.int_tuple()?),
            _ => Err(self.is_not(Kind::Tiler)),
        }
    }

    /// Converts to an integer.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else.
    #[inline(never)]
    pub fn integer(&self) -> Result<usize, LayoutError> {
        match self {
            Self::Integer(n) => Ok(*n),
            _ => Err(self.is_not(Kind::Integer)),
        }
    }

    /// Converts to a coordinate: an integer or a tuple.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else.
    #[inline(never)]
    pub fn coordinate(&self) -> Result<Slicer, LayoutError> {
        match self {
            Self::Slicer(coordinate) => Ok(*coordinate),
            Self::Integer(_) | Self::IntTuple(_) => Ok(Slicer::at(&self.int_tuple()?)),
            _ => Err(self.is_not(Kind::Slicer)),
        }
    }

    /// Converts to a Morello layout without a shape.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] for something else.
    pub fn morello(&self) -> Result<MorelloLayout, LayoutError> {
        match self {
            Self::Morello(list) => Ok(*list),
            _ => Err(self.is_not(Kind::Morello)),
        }
    }

    /// Converts to a linear layout.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] for something else, and an error if a layout is not linear.
    #[inline(never)]
    pub fn linear(&self) -> Result<LinearLayout, LayoutError> {
        match self {
            Self::Linear(layout) => Ok(**layout),
            Self::Swizzle(swizzle) => LinearLayout::of_swizzle(swizzle, 0),
            Self::Composed(layout) => LinearLayout::of_composed(layout),
            Self::Coordinates(layout) => LinearLayout::of_coordinates(layout),
            Self::Layout(_) | Self::Integer(_) | Self::IntTuple(_) => {
                LinearLayout::of(&self.layout()?)
            }
            _ => Err(self.is_not(Kind::Linear)),
        }
    }

    /// The equivalent CuTe layout of a linear layout: swizzled if its values are integers, otherwise
    /// a layout of coordinates.
    ///
    /// # Errors
    ///
    /// If a linear layout has no such equivalent.
    #[inline(never)]
    pub fn to_cute(&self) -> Result<Self, LayoutError> {
        match self {
            Self::Linear(linear) if linear.outputs().len() > 1 => {
                linear.to_coordinates().map(Self::from)
            }
            Self::Linear(linear) => linear.to_composed().map(Self::from),
            _ => Ok(self.clone()),
        }
    }

    /// Converts to a swizzle.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else.
    pub fn swizzle(&self) -> Result<Swizzle, LayoutError> {
        match self {
            Self::Swizzle(swizzle) => Ok(*swizzle),
            _ => Err(self.is_not(Kind::Swizzle)),
        }
    }
}

/// A shape as a tiler: an integer is a layout of stride 1, a tuple applies mode by mode.
fn by_mode(shape: &IntTuple) -> Result<Tiler, LayoutError> {
    if shape.is_int() {
        let layout = DynLayout::new(shape, &IntTuple::leaf(1))?;
        return Ok(Tiler::layout(&layout));
    }
    let mut modes = [Tiler::keep(); MAX_LEAVES];
    let modes = modes.get_mut(..shape.rank()).unwrap_or_default();
    for (i, mode) in modes.iter_mut().enumerate() {
        *mode = by_mode(&shape.mode(i))?;
    }
    Tiler::modes(modes)
}

macro_rules! from {
    ($($type:ty: |$value:ident| $variant:expr;)+) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $variant
            }
        }
    )+};
}
from! {
    usize: |n| Self::Integer(n);
    bool: |truth| Self::Truth(truth);
    DynLayout: |layout| Self::Layout(layout);
    LinearLayout: |layout| Self::Linear(Box::new(layout));
    SpyreLayout: |layout| Self::Spyre(Box::new(layout));
    CurrentLayout: |layout| Self::CurrentSpyre(Box::new(layout));
    MetalLayout: |layout| Self::Tenstorrent(Box::new(layout.into()));
    (CoordinateLayout, SignedTuple): |at| Self::At(Box::new(at));
}

impl From<IntTuple> for Value {
    fn from(tuple: IntTuple) -> Self {
        if tuple.is_int() { Self::Integer(tuple.leaves()[0]) } else { Self::IntTuple(tuple) }
    }
}

impl From<Slicer> for Value {
    fn from(coordinate: Slicer) -> Self {
        if coordinate.keeps() { Self::Slicer(coordinate) } else { coordinate.values().into() }
    }
}

impl From<ComposedLayout> for Value {
    #[inline(never)]
    fn from(composed: ComposedLayout) -> Self {
        composed.as_layout().map_or(Self::Composed(composed), Self::Layout)
    }
}

impl From<CoordinateLayout> for Value {
    #[inline(never)]
    fn from(layout: CoordinateLayout) -> Self {
        layout.as_layout().map_or_else(|| Self::Coordinates(Box::new(layout)), Self::Layout)
    }
}

impl From<SignedTuple> for Value {
    fn from(coordinate: SignedTuple) -> Self {
        coordinate.int_tuple().map_or(Self::Signed(coordinate), Self::from)
    }
}

impl From<(DynLayout, usize)> for Value {
    fn from((layout, offset): (DynLayout, usize)) -> Self {
        (CoordinateLayout::from(layout), SignedTuple::from(IntTuple::leaf(offset))).into()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(n) => n.fmt(f),
            Self::IntTuple(t) => t.fmt(f),
            Self::Layout(l) => l.fmt(f),
            Self::Tiler(t) => t.fmt(f),
            Self::Morello(m) => m.fmt(f),
            Self::Tenstorrent(m) => m.fmt(f),
            Self::Slicer(c) => c.fmt(f),
            Self::Swizzle(s) => s.fmt(f),
            Self::Composed(c) => c.fmt(f),
            Self::Coordinates(c) => c.fmt(f),
            Self::Signed(c) => c.fmt(f),
            Self::At(at) => write!(f, "{} @ {}", at.0, at.1),
            Self::Open(layout) => layout.fmt(f),
            Self::Truth(truth) => truth.fmt(f),
            Self::List(list) => list.fmt(f),
            Self::Linear(layout) => layout.fmt(f),
            Self::Spyre(layout) => layout.fmt(f),
            Self::CurrentSpyre(layout) => layout.fmt(f),
        }
    }
}
