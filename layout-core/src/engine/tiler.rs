//! `Tiler`: the argument of a divide, a product or a composition: one layout, or one tiler per mode.

use core::fmt::{self, Write};

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::error::{LayoutError, Operand, Place};

/// A layout, `_`, or a tuple of tilers that applies mode by mode, such as `<8:1, _>`.
///
/// An integer `n` in a tiler is the layout `n:1`.
///
/// ```
/// use static_layout::engine::{DynLayout, Tiler};
/// const TILE: Tiler = Tiler::layout(&DynLayout::leaf(8, 1));
/// let by_mode = Tiler::modes(&[TILE, Tiler::keep()])?;
/// assert_eq!(by_mode.to_string(), "<8:1,_>");
/// let rows = DynLayout::parse("(32,4):(4,1)").unwrap();
/// assert_eq!(rows.logical_divide_by(&by_mode)?.to_string(), "((8,4),4):((4,32),1)");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tiler {
    // All layouts of the tiler, concatenated. The parentheses are those of the tiler's tuples and,
    // inside them, those of the layouts.
    leaves: DynLayout,
    // For each leaf, how many of the parentheses before it open a tuple of tilers.
    tuples: [u8; MAX_LEAVES],
    // For each leaf, whether it stands for `_`.
    kept: [bool; MAX_LEAVES],
}

impl Tiler {
    /// `_`: keeps the mode as it is.
    pub const fn keep() -> Self {
        let mut t = Self::layout(&DynLayout::UNIT);
        t.kept[0] = true;
        t
    }

    /// One layout as the tiler.
    pub const fn layout(layout: &DynLayout) -> Self {
        Self { leaves: *layout, tuples: [0; MAX_LEAVES], kept: [false; MAX_LEAVES] }
    }

    /// The tiler that applies `modes` one by one.
    ///
    /// # Errors
    ///
    /// [`LayoutError::EmptyTuple`], [`LayoutError::TooManyLeaves`], [`LayoutError::TooDeep`].
    pub const fn modes(modes: &[Self]) -> Result<Self, LayoutError> {
        refuse!(modes.is_empty(), LayoutError::EmptyTuple);
        let mut t = Self::NONE;
        repeat!(i, 0..modes.len(), {
            t = attempt!(t.push(&modes[i]));
        });
        let t = t.enclosed();
        attempt!(t.leaves.shape().check_depth());
        Ok(t)
    }

    /// No tilers: the start of a [`push`](Self::push) loop.
    pub(crate) const NONE: Self = Self::layout(&DynLayout::EMPTY);

    /// Appends the tilers of `other`, without parentheses around them.
    pub(crate) const fn push(mut self, other: &Self) -> Result<Self, LayoutError> {
        let start = self.leaves.len();
        self.leaves = attempt!(self.leaves.push(&other.leaves));
        repeat!(k, 0..other.leaves.len(), {
            self.tuples[start + k] = other.tuples[k];
            self.kept[start + k] = other.kept[k];
        });
        Ok(self)
    }

    /// Encloses the parts that were pushed in one tuple.
    pub(crate) const fn enclosed(mut self) -> Self {
        self.leaves = self.leaves.parenthesised();
        self.tuples[0] += 1;
        self
    }

    /// Whether this is `_`.
    pub const fn is_keep(&self) -> bool {
        self.tuples[0] == 0 && self.kept[0]
    }

    /// The layout; `None` for a tuple or `_`.
    pub const fn as_layout(&self) -> Option<DynLayout> {
        if self.tuples[0] == 0 && !self.kept[0] { Some(self.leaves) } else { None }
    }

    /// The number of modes of a tuple; 1 for a layout and for `_`.
    pub const fn rank(&self) -> usize {
        if self.tuples[0] == 0 { 1 } else { self.leaves.rank() }
    }

    /// Mode `i` of a tuple; mode 0 of a layout or of `_` is itself.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`rank`](Self::rank).
    pub const fn mode(&self, i: usize) -> Self {
        if self.tuples[0] == 0 {
            assert!(i == 0, "a tiler of one layout has one mode");
            return *self;
        }
        let (start, end) = self.leaves.shape().mode_range(i);
        let mut t = Self::layout(&self.leaves.mode(i));
        repeat!(k, start..end, {
            t.tuples[k - start] = self.tuples[k];
            t.kept[k - start] = self.kept[k];
        });
        if start == 0 {
            t.tuples[0] -= 1;
        }
        t
    }
}

impl From<DynLayout> for Tiler {
    fn from(layout: DynLayout) -> Self {
        Self::layout(&layout)
    }
}

impl fmt::Display for Tiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_keep() {
            return f.write_char('_');
        }
        if let Some(layout) = self.as_layout() {
            return write!(f, "{layout}");
        }
        f.write_char('<')?;
        for i in 0..self.rank() {
            if i > 0 {
                f.write_char(',')?;
            }
            write!(f, "{}", self.mode(i))?;
        }
        f.write_char('>')
    }
}

debug_as_display!(Tiler);

/// The operations that apply a tuple of tilers mode by mode.
#[derive(Clone, Copy)]
pub(crate) enum ByMode {
    /// Modes beyond the tiler are dropped, as in CuTe.
    Composition,
    /// Modes beyond the tiler are kept.
    LogicalDivide,
    /// Modes beyond the tiler are kept.
    LogicalProduct,
}

impl ByMode {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Composition => "composition",
            Self::LogicalDivide => "logical_divide",
            Self::LogicalProduct => "logical_product",
        }
    }

    /// Whether modes beyond the tiler are in the result.
    pub(crate) const fn keeps_modes(self) -> bool {
        !matches!(self, Self::Composition)
    }

    /// Checks that a tuple has at most as many modes as the layout.
    pub(crate) const fn check_rank(
        self,
        tiler: &Tiler,
        shape: &IntTuple,
        mode: Option<usize>,
    ) -> Result<(), LayoutError> {
        if tiler.rank() > shape.rank() {
            let (operation, tiler, shape) = (self.name(), tiler.rank(), *shape);
            return Err(LayoutError::TilerRank { operation, mode, tiler, shape });
        }
        Ok(())
    }

    pub(crate) const fn apply(
        self,
        layout: &DynLayout,
        tiler: &Tiler,
    ) -> Result<DynLayout, LayoutError> {
        self.apply_at(layout, tiler, None)
    }

    /// The operation on a mode of a layout.
    const fn apply_at(
        self,
        layout: &DynLayout,
        tiler: &Tiler,
        mode: Option<usize>,
    ) -> Result<DynLayout, LayoutError> {
        if tiler.is_keep() {
            return Ok(*layout);
        }
        if let Some(tile) = tiler.as_layout() {
            return match self {
                Self::Composition => {
                    let place = Place::new(self.name(), mode, Operand::Right);
                    layout.composition_at(&tile, place)
                }
                Self::LogicalDivide => layout.logical_divide_at(&tile, mode),
                Self::LogicalProduct => layout.logical_product_at(&tile, mode),
            };
        }
        attempt!(self.check_rank(tiler, &layout.shape(), mode));
        let (rank, modes) = (tiler.rank(), layout.rank());
        let mut result = DynLayout::EMPTY;
        let mut i = 0;
        while i < rank {
            let part = self.apply_at(&layout.mode(i), &tiler.mode(i), outer_mode(mode, i));
            result = attempt!(result.push(&attempt!(part)));
            i += 1;
        }
        while i < modes && self.keeps_modes() {
            result = attempt!(result.push(&layout.mode(i)));
            i += 1;
        }
        result.parenthesised().checked()
    }
}

/// The mode of the whole layout that contains mode `i` of its mode `mode`.
pub(crate) const fn outer_mode(mode: Option<usize>, i: usize) -> Option<usize> {
    match mode {
        Some(_) => mode,
        None => Some(i),
    }
}

impl DynLayout {
    /// [`composition`](crate::engine::algebra::composition) with a tiler. A tuple applies mode by
    /// mode; further modes of the layout are dropped, as in CuTe.
    ///
    /// # Errors
    ///
    /// The errors of `composition`, and [`LayoutError::TilerRank`].
    pub const fn composition_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        ByMode::Composition.apply(self, tiler)
    }
}
