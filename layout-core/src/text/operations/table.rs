//! The table of operations.

use crate::engine::{ComposedLayout, CoordinateLayout, DynLayout, Slicer};
use crate::error::{LayoutError, NotationError};
use crate::text::domain::Domain as Source;
use crate::text::list::List;
use crate::text::operations::Operation;
use crate::text::value::Kind::{
    Domain, Function, Inner, IntTuple as Tuple, Integer, Layout, Slicer as At, Swizzle, Tiler as By,
};
use crate::text::value::Value;

/// All operations, in alphabetical order.
pub const OPERATIONS: &[Operation] = &[
    Operation::new("append", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.append(&a[1].layout()?)?.into())
    }),
    Operation::new("blocked_product", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.blocked_product(&a[1].layout()?)?.into())
    }),
    Operation::new("coalesce", &[Domain, Tuple], |a| match a.get(1) {
        Some(profile) => {
            let profile = profile.int_tuple()?;
            a[0].domain()?.map(|l| l.coalesce_by(&profile))
        }
        None => a[0].domain()?.map(|l| Ok(l.coalesce())),
    })
    .or_less()
    .typed(&["Coalesce"]),
    Operation::new("compatible", &[Tuple, Tuple], |a| {
        Ok(a[0].int_tuple()?.compatible(&a[1].int_tuple()?).into())
    }),
    Operation::new("complement", &[Layout, Tuple], |a| match a.get(1) {
        Some(cotarget) => Ok(a[0].layout()?.complement_shape(&cotarget.int_tuple()?)?.into()),
        None => Ok(a[0].layout()?.complement_in_cosize()?.into()),
    })
    .or_less()
    .typed(&["ComplementInCosize", "Complement"]),
    Operation::new("composition", &[Function, Inner], |a| match &a[0] {
        Value::Swizzle(swizzle) => a[1].behind(swizzle),
        _ => {
            let by = a[1].tiler()?;
            a[0].domain()?.map(|l| l.composition_by(&by))
        }
    })
    .typed(&["Composition"]),
    Operation::new("congruent", &[Tuple, Tuple], |a| {
        Ok(a[0].int_tuple()?.congruent(&a[1].int_tuple()?).into())
    }),
    Operation::new("cosize", &[Layout], |a| Ok(a[0].layout()?.cosize().into())),
    Operation::new("crd2crd", &[Tuple, Tuple, Tuple], |a| {
        Ok(a[1].int_tuple()?.crd2crd(&a[0].int_tuple()?, &a[2].int_tuple()?)?.into())
    }),
    Operation::new("crd2idx", &[Tuple, Tuple], |a| {
        Ok(a[1].int_tuple()?.crd2idx(&a[0].int_tuple()?)?.into())
    }),
    Operation::new("depth", &[Domain], |a| Ok(a[0].domain()?.layout().depth().into())),
    Operation::new("dice", &[Layout, At], |a| Ok(a[0].layout()?.dice(&a[1].coordinate()?)?.into())),
    Operation::new("domain_distribute", &[Tuple, Integer], |a| {
        Ok(DynLayout::domain_distribute(&a[0].int_tuple()?, a[1].integer()?)?.into())
    }),
    Operation::new("domain_offset", &[Layout, Tuple], |a| {
        Ok(a[0].layout()?.domain_offset(&a[1].int_tuple()?)?.into())
    }),
    Operation::new("downcast", &[Layout, Integer], |a| {
        Ok(a[0].layout()?.downcast(a[1].integer()?)?.into())
    }),
    Operation::new("eval", &[Domain, At], |a| evaluate(&a[0], &a[1].coordinate()?)),
    Operation::new("filter", &[Layout, Tuple], |a| match a.get(1) {
        Some(profile) => Ok(a[0].layout()?.filter_by(&profile.int_tuple()?)?.into()),
        None => Ok(a[0].layout()?.filter().into()),
    })
    .or_less()
    .typed(&["Filter"]),
    Operation::new("filter_zeros", &[Layout], |a| Ok(a[0].layout()?.filter_zeros().into()))
        .typed(&["FilterZeros"]),
    Operation::new("flat_divide", &[Domain, By], |a| {
        let by = a[1].tiler()?;
        a[0].domain()?.map(|l| l.flat_divide_by(&by))
    })
    .typed(&["FlatDivide"]),
    Operation::new("flat_product", &[Layout, By], |a| {
        Ok(a[0].layout()?.flat_product_by(&a[1].tiler()?)?.into())
    })
    .typed(&["FlatProduct"]),
    Operation::new("flatten", &[Domain], |a| a[0].domain()?.map(|l| Ok(l.flatten())))
        .typed(&["Flatten"]),
    Operation::new("gaps", &[Layout], |a| List::gaps(&a[0].layout()?).map(Value::List)),
    Operation::new("group", &[Domain, Integer, Integer], |a| {
        let (begin, end) = (a[1].integer()?, a[2].integer()?);
        a[0].domain()?.map(|l| l.group(begin, end))
    }),
    Operation::new("identity", &[Tuple], |a| {
        CoordinateLayout::identity(&a[0].int_tuple()?).map(Value::Coordinates)
    }),
    Operation::new("idx2crd", &[Tuple, Tuple], |a| {
        Ok(a[1].int_tuple()?.natural_coordinate(&a[0].int_tuple()?)?.into())
    }),
    Operation::new("image", &[Layout], |a| List::image(&a[0].layout()?).map(Value::List)),
    Operation::new("is_bijective", &[Layout], |a| Ok(a[0].layout()?.is_bijective().into())),
    Operation::new("is_contiguous", &[Layout], |a| Ok(a[0].layout()?.is_contiguous().into())),
    Operation::new("is_injective", &[Layout], |a| Ok(a[0].layout()?.is_injective().into())),
    Operation::new("left_inverse", &[Layout], |a| Ok(a[0].layout()?.left_inverse()?.into()))
        .typed(&["LeftInverse"]),
    Operation::new("local_partition", &[Layout, Layout, Integer], |a| {
        Ok(a[0].layout()?.local_partition(&a[1].layout()?, a[2].integer()?)?.into())
    }),
    Operation::new("local_tile", &[Layout, By, At], |a| {
        Ok(a[0].layout()?.local_tile(&a[1].tiler()?, &a[2].coordinate()?)?.into())
    }),
    Operation::new("logical_divide", &[Domain, By], |a| {
        let by = a[1].tiler()?;
        a[0].domain()?.map(|l| l.logical_divide_by(&by))
    })
    .typed(&["LogicalDivide"]),
    Operation::new("logical_product", &[Layout, By], |a| {
        Ok(a[0].layout()?.logical_product_by(&a[1].tiler()?)?.into())
    })
    .typed(&["LogicalProduct"]),
    Operation::new("make", &[Tuple], |a| Ok(DynLayout::make(&a[0].int_tuple()?)?.into())),
    Operation::new("make_ordered", &[Tuple, Tuple], |a| {
        Ok(DynLayout::make_ordered(&a[0].int_tuple()?, &a[1].int_tuple()?)?.into())
    }),
    Operation::new("max_common_layout", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.max_common_layout(&a[1].layout()?)?.into())
    })
    .typed(&["MaxCommonLayout"]),
    Operation::new("max_common_vector", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.max_common_vector(&a[1].layout()?).into())
    })
    .typed(&["MaxCommonVector"])
    .giving(Integer),
    Operation::new("nullspace", &[Layout], |a| Ok(a[0].layout()?.nullspace().into()))
        .typed(&["Nullspace"]),
    Operation::new("prepend", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.prepend(&a[1].layout()?)?.into())
    }),
    Operation::new("raked_product", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.raked_product(&a[1].layout()?)?.into())
    }),
    Operation::new("rank", &[Domain], |a| Ok(a[0].domain()?.layout().rank().into())),
    Operation::new("recast", &[Layout, Integer, Integer], |a| {
        Ok(a[0].layout()?.recast(a[1].integer()?, a[2].integer()?)?.into())
    }),
    Operation::new("replace", &[Layout, Integer, Layout], |a| {
        Ok(a[0].layout()?.replace(a[1].integer()?, &a[2].layout()?)?.into())
    }),
    Operation::new("right_inverse", &[Layout], |a| Ok(a[0].layout()?.right_inverse().into()))
        .typed(&["RightInverse"]),
    Operation::new("row_major", &[Tuple], |a| Ok(DynLayout::row_major(&a[0].int_tuple()?)?.into())),
    Operation::new("select", &[Domain, Tuple], |a| {
        let modes = a[1].int_tuple()?;
        if modes.depth() > 1 {
            let (expected, found) = ("an integer or a flat tuple of them", "a nested tuple");
            return Err(NotationError::Kind { expected, found }.into());
        }
        a[0].domain()?.map(|l| l.select(modes.leaves()))
    }),
    Operation::new("shape_div", &[Tuple, Tuple], |a| {
        Ok(a[0].int_tuple()?.shape_div(&a[1].int_tuple()?)?.into())
    }),
    Operation::new("size", &[Domain], |a| Ok(a[0].domain()?.layout().size().into())),
    Operation::new("slice", &[Domain, At], |a| slice(&a[0], &a[1].coordinate()?)),
    Operation::new("slice_and_offset", &[Layout, At], |a| {
        Ok(a[0].layout()?.slice_and_offset(&a[1].coordinate()?)?.into())
    }),
    Operation::new("swizzle_apply", &[Swizzle, Integer], |a| {
        Ok(a[0].swizzle()?.apply(a[1].integer()?).into())
    }),
    Operation::new("swizzle_compose", &[Swizzle, Function], |a| a[1].behind(&a[0].swizzle()?)),
    Operation::new("table", &[Domain], |a| table(&a[0])),
    Operation::new("take", &[Domain, Integer, Integer], |a| {
        let (begin, end) = (a[1].integer()?, a[2].integer()?);
        a[0].domain()?.map(|l| l.take(begin, end))
    }),
    Operation::new("tile_to_shape", &[Layout, Tuple, Tuple], |a| match a.get(2) {
        Some(order) => Ok(a[0]
            .layout()?
            .tile_to_shape_ordered(&a[1].int_tuple()?, &order.int_tuple()?)?
            .into()),
        None => Ok(a[0].layout()?.tile_to_shape(&a[1].int_tuple()?)?.into()),
    })
    .or_less(),
    Operation::new("tiled_divide", &[Domain, By], |a| {
        let by = a[1].tiler()?;
        a[0].domain()?.map(|l| l.tiled_divide_by(&by))
    })
    .typed(&["TiledDivide"]),
    Operation::new("tiled_product", &[Layout, By], |a| {
        Ok(a[0].layout()?.tiled_product_by(&a[1].tiler()?)?.into())
    })
    .typed(&["TiledProduct"]),
    Operation::new("unflatten", &[Domain, Tuple], |a| {
        let profile = a[1].int_tuple()?;
        a[0].domain()?.map(|l| l.unflatten(&profile))
    }),
    Operation::new("upcast", &[Layout, Integer], |a| {
        Ok(a[0].layout()?.upcast(a[1].integer()?)?.into())
    }),
    Operation::new("weakly_congruent", &[Tuple, Tuple], |a| {
        Ok(a[0].int_tuple()?.weakly_congruent(&a[1].int_tuple()?).into())
    }),
    Operation::new("zip", &[Layout, Layout], |a| match a.get(1) {
        Some(other) => Ok(a[0].layout()?.zip_with(&other.layout()?)?.into()),
        None => Ok(a[0].layout()?.zip()?.into()),
    })
    .or_less(),
    Operation::new("zipped_divide", &[Domain, By], |a| {
        let by = a[1].tiler()?;
        a[0].domain()?.map(|l| l.zipped_divide_by(&by))
    })
    .typed(&["ZippedDivide"]),
    Operation::new("zipped_product", &[Layout, By], |a| {
        Ok(a[0].layout()?.zipped_product_by(&a[1].tiler()?)?.into())
    })
    .typed(&["ZippedProduct"]),
];

/// The value at a coordinate; with `_` in it, the slice there.
fn evaluate(value: &Value, coordinate: &Slicer) -> Result<Value, LayoutError> {
    if coordinate.keeps() {
        return slice(value, coordinate);
    }
    let at = coordinate.values();
    Ok(match value.domain()? {
        Source::Plain(layout) => layout.offset_of(&at)?.into(),
        Source::Composed(composed) => composed.offset_of(&at)?.into(),
        Source::Coordinates(coordinates) => coordinates.coordinate_at(&at)?.into(),
    })
}

/// The modes that a coordinate keeps. What it fixes is an offset inside a swizzle; a plain layout
/// goes without.
fn slice(value: &Value, coordinate: &Slicer) -> Result<Value, LayoutError> {
    match value.domain()? {
        Source::Composed(composed) => Ok(composed.slice(coordinate)?.into()),
        domain => domain.map(|layout| layout.slice(coordinate)),
    }
}

/// All values in the order of 1-D coordinates.
fn table(value: &Value) -> Result<Value, LayoutError> {
    let list = match value.domain()? {
        Source::Plain(layout) => List::table(&ComposedLayout::from(layout)),
        Source::Composed(composed) => List::table(&composed),
        Source::Coordinates(coordinates) => List::coordinates(&coordinates),
    };
    list.map(Value::List)
}
