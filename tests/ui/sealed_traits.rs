//! Traits that kernels rely on have no implementations elsewhere: each of these would make a view
//! that writes one element twice, or beyond its memory.
use static_layout::engine::{ComposedLayout, DynLayout, IntTuple, Slicer, Tiler};
use static_layout::{AnySwizzled, Coordinate};
use static_layout::types::{
    AtRunTime, Fallibility, CoordinateValue, DynamicKind, Operand, SliceCoordinate, SliceValue,
    TileCoordinate,
};
use static_layout::LayoutError;

#[derive(Clone, Copy, Debug)]
struct Mine;

impl std::fmt::Display for Mine {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

impl SliceValue for Mine {
    fn to_slicer(self) -> Result<Slicer, LayoutError> {
        Ok(Slicer::keep())
    }
}

impl SliceCoordinate<DynLayout> for Mine {
    type Slice = DynLayout;
    type Dice = DynLayout;
    fn slice(self, _: &DynLayout) -> Result<(DynLayout, usize), LayoutError> {
        DynLayout::parse("(2,2):(0,1)").map(|layout| (layout, 0)).map_err(|_| LayoutError::EmptyTuple)
    }
    fn dice(self, layout: &DynLayout) -> Result<DynLayout, LayoutError> {
        Ok(*layout)
    }
}

impl TileCoordinate<DynLayout, Tiler> for Mine {
    type Tile = DynLayout;
    fn tile(self, layout: &DynLayout, _: &Tiler) -> Result<(DynLayout, usize), LayoutError> {
        Ok((*layout, 1))
    }
}

impl CoordinateValue for Mine {
    fn to_tuple(self) -> Result<IntTuple, LayoutError> {
        Ok(IntTuple::leaf(usize::MAX))
    }
}

impl AnySwizzled for Mine {
    type Inner = DynLayout;
    type Fallibility = AtRunTime;
    const STATIC: Option<ComposedLayout> = None;
    fn inner(&self) -> DynLayout {
        DynLayout::parse("4:0").unwrap()
    }
    fn to_composed(&self) -> ComposedLayout {
        self.inner().into()
    }
    fn try_offset<C: Coordinate<DynLayout>>(&self, _: C) -> Result<usize, LayoutError> {
        Ok(usize::MAX)
    }
}

impl Operand for Mine {
    type Kind = DynamicKind;
}

impl Fallibility for Mine {
    type And<Other: Fallibility> = Other;
    type Outcome<T> = Result<T, LayoutError>;
    fn outcome<T>(_: Result<T, LayoutError>) -> Result<T, LayoutError> {
        Err(LayoutError::EmptyTuple)
    }
}

fn main() {}
