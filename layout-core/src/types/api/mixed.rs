//! `Mixed`: a layout with some run-time leaves.

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::engine::{DynLayout, IntTuple};
use crate::error::{AlgebraError, LayoutError};
use crate::fallibility::AtRunTime;
use crate::types::api::any::AnyLayout;
use crate::types::core::domain::{CoordinateIn, Domain};
use crate::types::core::modes::{LeafWriter, ModeTree, Part};
use crate::types::core::sealed::Sealed;
use crate::types::core::tree::{Tree, Zip};

/// A layout in which the leaves that are [`Dyn`](crate::types::Dyn) have run-time values, each
/// stored as a `usize`. The other leaves are in the type.
///
/// ```
/// use static_layout::{AnyLayout, layout};
/// type Rows = layout!((_,4):(4,1));
/// let rows = Rows::new(((100, ()), (((), ()), ())));
/// assert_eq!(rows.to_string(), "(100,4):(4,1)");
/// assert_eq!((rows.size(), rows.offset((2, 3))), (400, 11));
/// assert_eq!(size_of::<Rows>(), 8);
/// ```
pub struct Mixed<S: Tree, D: Tree> {
    values: MixedValues<S, D>,
}

impl<S: Tree, D: Tree> Sealed for Mixed<S, D> {}

/// The stored values of a [`Mixed`]: for each leaf a pair of its extent and its stride, with `()`
/// for a number in the type; for a tuple nested pairs `(first, (second, (third, ())))`.
pub type MixedValues<S, D> = <Zip<S, D> as Domain>::Values;

impl<S: Tree, D: Tree> Mixed<S, D> {
    /// The nesting, with leaves 0.
    const PROFILE: Result<IntTuple, LayoutError> = match Zip::<S, D>::PROFILE {
        Ok(profile) => match profile.check_depth() {
            Ok(()) => Ok(profile),
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };

    /// The layout with these run-time leaves; see [`MixedValues`]. Expansions of `layout!` call it.
    ///
    /// Sizes and offsets are checked when the layout is used.
    pub const fn new(values: MixedValues<S, D>) -> Self {
        Self { values }
    }

    pub(crate) const fn values(&self) -> &MixedValues<S, D> {
        &self.values
    }

    /// The layout with the run-time leaves of `layout`, which has the same nesting.
    pub(crate) fn with_leaves_of(layout: &DynLayout) -> Self {
        Self { values: Zip::<S, D>::fill(layout, &mut 0) }
    }
}

/// Converts a layout to the type if it has the same nesting and the same static leaves.
///
/// ```
/// use static_layout::layout;
/// use static_layout::engine::DynLayout;
/// type Rows = layout!((_,4):(_,1));
/// let rows = Rows::try_from(DynLayout::parse("(100,4):(8,1)").unwrap())?;
/// assert_eq!(rows.to_string(), "(100,4):(8,1)");
/// assert!(Rows::try_from(DynLayout::parse("(100,5):(8,1)").unwrap()).is_err());
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`AlgebraError::Structure`].
impl<S: Tree, D: Tree> TryFrom<DynLayout> for Mixed<S, D> {
    type Error = LayoutError;
    fn try_from(layout: DynLayout) -> Result<Self, LayoutError> {
        if let Ok(profile) = const { &Self::PROFILE }
            && profile.congruent(&layout.shape())
        {
            let mixed = Self::with_leaves_of(&layout);
            if mixed.to_dyn() == Ok(layout) {
                return Ok(mixed);
            }
        }
        let (shape, stride) = (layout.shape(), layout.stride());
        let operation = "Mixed::try_from";
        Err(LayoutError::Algebra(AlgebraError::Structure { operation, shape, stride }))
    }
}

impl<S: Tree, D: Tree> Clone for Mixed<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Tree, D: Tree> Copy for Mixed<S, D> {}
impl<S: Tree, D: Tree> PartialEq for Mixed<S, D> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}
impl<S: Tree, D: Tree> Eq for Mixed<S, D> {}
impl<S: Tree, D: Tree> Hash for Mixed<S, D> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl<S: Tree, D: Tree> fmt::Display for Mixed<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Zip::<S, D>::print(&self.values, Part::Shape, f)?;
        f.write_str(":")?;
        Zip::<S, D>::print(&self.values, Part::Stride, f)
    }
}

impl<S: Tree, D: Tree> fmt::Debug for Mixed<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<S: Tree, D: Tree> AnyLayout for Mixed<S, D> {
    const STATIC: Option<DynLayout> = None;
    type Fallibility = AtRunTime;
    type Total = AtRunTime;
    type Coord = <Zip<S, D> as Domain>::Coord;
    type Domain = Zip<S, D>;
    type Modes = Zip<S, D>;
    fn to_dyn(&self) -> Result<DynLayout, LayoutError> {
        self.to_dyn_in(&mut None).copied()
    }
    fn to_dyn_in<'a>(
        &'a self,
        slot: &'a mut Option<DynLayout>,
    ) -> Result<&'a DynLayout, LayoutError> {
        let layout = slot.insert(DynLayout::of_profile(match const { &Self::PROFILE } {
            Ok(profile) => profile,
            Err(error) => return Err(*error),
        }));
        Zip::<S, D>::write_leaves(&self.values, &mut LeafWriter::new(layout.leaves_mut(), 0));
        layout.check_numbers()?;
        Ok(layout)
    }
    #[inline(always)]
    fn as_matrix(&self) -> Option<([usize; 2], [usize; 2])> {
        let is_matrix = const {
            match &Self::PROFILE {
                Ok(profile) => profile.as_pair().is_some(),
                Err(_) => false,
            }
        };
        if !is_matrix {
            return None;
        }
        let (mut extents, mut strides) = ([0; 2], [0; 2]);
        let mut leaves = LeafWriter::new([&mut extents, &mut strides], 0);
        Zip::<S, D>::write_leaves(&self.values, &mut leaves);
        Some((extents, strides))
    }
    #[inline(always)]
    fn locate<C: CoordinateIn<Self::Domain>>(&self, coordinate: C) -> Option<usize> {
        coordinate.locate(&self.values)
    }
}
