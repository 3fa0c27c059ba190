//! The table of operations.

use crate::engine::{ComposedLayout, CoordinateLayout, DynLayout, Slicer};
use crate::error::{LayoutError, NotationError};
use crate::text::domain::{Domain, Strided, no_offsets, on_both, on_domain, on_start, on_strided};
use crate::text::list::List;
use crate::text::operations::{Operation, morello};
use crate::text::value::Kind::{
    Domain as Any, Function, Inner, IntTuple as Tuple, Integer, Layout, Morello, Slicer as At,
    Strided as Linear, Swizzle, Tiler as By,
};
use crate::text::value::Value;

/// All operations, in alphabetical order.
pub const OPERATIONS: &[Operation] = &[
    Operation::new(
        "append",
        &[Linear, Linear],
        |a| on_both!(a[0], a[1], (l, mode) => l.append(&mode)?),
    )
    .typed(&["Append"]),
    Operation::new("blocked_product", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.blocked_product(&a[1].layout()?)?.into())
    })
    .typed(&["BlockedProduct"]),
    Operation::new("cache_lines", &[Morello, Tuple, Integer, Tuple], morello::cache_lines)
        .or_less(),
    Operation::new("canonical", &[Morello, Tuple], morello::canonical),
    Operation::new("coalesce", &[Any, Tuple], |a| match a.get(1) {
        Some(profile) => {
            let profile = profile.int_tuple()?;
            on_domain!(a[0], l => l.coalesce_by(&profile)?)
        }
        None => on_domain!(a[0], l => l.coalesce()),
    })
    .or_less()
    .typed(&["Coalesce", "CoalesceBy"]),
    Operation::new("compatible", &[Tuple, Tuple], |a| {
        Ok(a[0].int_tuple()?.compatible(&a[1].int_tuple()?).into())
    }),
    Operation::new("complement", &[Layout, Tuple], |a| match a.get(1) {
        Some(cotarget) => Ok(a[0].layout()?.complement_shape(&cotarget.int_tuple()?)?.into()),
        None => Ok(a[0].layout()?.complement_in_cosize()?.into()),
    })
    .or_less()
    .typed(&["ComplementInCosize", "Complement"]),
    Operation::new("composition", &[Function, Inner], |a| a[0].composition(&a[1]))
        .typed(&["Composition"]),
    Operation::new("congruent", &[Tuple, Tuple], |a| {
        Ok(a[0].int_tuple()?.congruent(&a[1].int_tuple()?).into())
    }),
    Operation::new("contiguous_dims", &[Morello, Tuple, Tuple], morello::contiguous_dims),
    Operation::new("cosize", &[Linear], |a| Ok(a[0].strided()?.forwards()?.0.cosize().into())),
    Operation::new("crd2crd", &[Tuple, Tuple, Tuple], |a| {
        Ok(a[1].int_tuple()?.crd2crd(&a[0].int_tuple()?, &a[2].int_tuple()?)?.into())
    }),
    Operation::new("crd2idx", &[Tuple, Tuple], |a| {
        Ok(a[1].int_tuple()?.crd2idx(&a[0].int_tuple()?)?.into())
    }),
    Operation::new("depth", &[Any], |a| Ok(a[0].domain()?.facts().1.into())),
    Operation::new("dice", &[Linear, At], |a| {
        let at = a[1].coordinate()?;
        on_strided!(a[0], l => l.dice(&at)?)
    })
    .typed(&["Dice"]),
    Operation::new("domain_distribute", &[Tuple, Integer], |a| {
        Ok(DynLayout::domain_distribute(&a[0].int_tuple()?, a[1].integer()?)?.into())
    })
    .typed(&["DomainDistribute"]),
    Operation::new("domain_offset", &[Any, Tuple], |a| {
        let at = a[1].int_tuple()?;
        on_start!(a[0], l => l.domain_offset(&at)?)
    }),
    Operation::new("downcast", &[Layout, Integer], |a| {
        Ok(a[0].layout()?.downcast(a[1].integer()?)?.into())
    })
    .typed(&["Downcast"]),
    Operation::new("drop_dims", &[Morello, Tuple], morello::drop_dims),
    Operation::new("eval", &[Any, At], |a| evaluate(&a[0], &a[1].coordinate()?)),
    Operation::new("filter", &[Linear, Tuple], |a| match a.get(1) {
        Some(profile) => {
            let profile = profile.int_tuple()?;
            on_strided!(a[0], l => l.filter_by(&profile)?)
        }
        None => on_strided!(a[0], l => l.filter()),
    })
    .or_less()
    .typed(&["Filter", "FilterBy"]),
    Operation::new("filter_zeros", &[Linear], |a| on_strided!(a[0], l => l.filter_zeros()))
        .typed(&["FilterZeros"]),
    Operation::new("flat_divide", &[Any, By], |a| {
        let by = a[1].tiler()?;
        on_domain!(a[0], l => l.flat_divide_by(&by)?)
    })
    .typed(&["FlatDivide"]),
    Operation::new("flat_product", &[Layout, By], |a| {
        Ok(a[0].layout()?.flat_product_by(&a[1].tiler()?)?.into())
    })
    .typed(&["FlatProduct"]),
    Operation::new("flatten", &[Any], |a| on_domain!(a[0], l => l.flatten())).typed(&["Flatten"]),
    Operation::new("gaps", &[Linear], |a| List::gaps(a[0].strided()?.forwards()?).map(Value::List)),
    Operation::new("group", &[Any, Integer, Integer], |a| {
        let (begin, end) = (a[1].integer()?, a[2].integer()?);
        on_domain!(a[0], l => l.group(begin, end)?)
    })
    .typed(&["Group"]),
    Operation::new("identity", &[Tuple], |a| {
        Ok(CoordinateLayout::identity(&a[0].int_tuple()?)?.into())
    }),
    Operation::new("idx2crd", &[Tuple, Tuple], |a| {
        Ok(a[1].int_tuple()?.natural_coordinate(&a[0].int_tuple()?)?.into())
    }),
    Operation::new("image", &[Linear], |a| {
        List::image(a[0].strided()?.forwards()?).map(Value::List)
    }),
    Operation::new("is_bijective", &[Linear], |a| {
        Ok(a[0].strided()?.forwards()?.0.is_bijective().into())
    }),
    Operation::new("is_contiguous", &[Linear], |a| {
        Ok(a[0].strided()?.forwards()?.0.is_contiguous().into())
    }),
    Operation::new("is_injective", &[Linear], |a| {
        Ok(a[0].strided()?.forwards()?.0.is_injective()?.into())
    }),
    Operation::new("left_inverse", &[Layout], |a| Ok(a[0].layout()?.left_inverse()?.into()))
        .typed(&["LeftInverse"]),
    Operation::new("local_partition", &[Any, Layout, Integer], |a| {
        let (threads, index) = (a[1].layout()?, a[2].integer()?);
        on_start!(a[0], l => l.local_partition(&threads, index)?)
    }),
    Operation::new("local_tile", &[Any, By, At], |a| {
        let (by, at) = (a[1].tiler()?, a[2].coordinate()?);
        on_start!(a[0], l => l.local_tile(&by, &at)?)
    }),
    Operation::new("logical_divide", &[Any, By], |a| {
        let by = a[1].tiler()?;
        on_domain!(a[0], l => l.logical_divide_by(&by)?)
    })
    .typed(&["LogicalDivide"]),
    Operation::new("logical_product", &[Layout, By], |a| {
        Ok(a[0].layout()?.logical_product_by(&a[1].tiler()?)?.into())
    })
    .typed(&["LogicalProduct"]),
    Operation::new("make", &[Tuple], |a| Ok(DynLayout::make(&a[0].int_tuple()?)?.into()))
        .typed(&["Make"]),
    Operation::new("make_ordered", &[Tuple, Tuple], |a| {
        Ok(DynLayout::make_ordered(&a[0].int_tuple()?, &a[1].int_tuple()?)?.into())
    })
    .typed(&["MakeOrdered"]),
    Operation::new("max_common_layout", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.max_common_layout(&a[1].layout()?)?.into())
    })
    .typed(&["MaxCommonLayout"]),
    Operation::new("max_common_vector", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.max_common_vector(&a[1].layout()?).into())
    })
    .typed(&["MaxCommonVector"])
    .giving(Integer),
    Operation::new("nchwc", &[Tuple, Integer], morello::nchwc),
    Operation::new("nhwc", &[Tuple], morello::nhwc),
    Operation::new("nullspace", &[Linear], |a| on_strided!(a[0], l => l.nullspace()))
        .typed(&["Nullspace"]),
    Operation::new(
        "prepend",
        &[Linear, Linear],
        |a| on_both!(a[0], a[1], (l, mode) => l.prepend(&mode)?),
    )
    .typed(&["Prepend"]),
    Operation::new("raked_product", &[Layout, Layout], |a| {
        Ok(a[0].layout()?.raked_product(&a[1].layout()?)?.into())
    })
    .typed(&["RakedProduct"]),
    Operation::new("rank", &[Any], |a| Ok(a[0].domain()?.facts().0.into())),
    Operation::new("recast", &[Layout, Integer, Integer], |a| {
        Ok(a[0].layout()?.recast(a[1].integer()?, a[2].integer()?)?.into())
    })
    .typed(&["Recast"]),
    Operation::new("replace", &[Linear, Integer, Linear], |a| {
        let mode = a[1].integer()?;
        on_both!(a[0], a[2], (l, other) => l.replace(mode, &other)?)
    })
    .typed(&["Replace"]),
    Operation::new("right_inverse", &[Linear], |a| match a[0].strided()? {
        Strided::Plain(l) => Ok(l.right_inverse().into()),
        Strided::Coordinates(l) => Ok(l.right_inverse().ok_or_else(no_offsets)?.into()),
    })
    .typed(&["RightInverse"]),
    Operation::new("row_major", &[Tuple], |a| Ok(DynLayout::row_major(&a[0].int_tuple()?)?.into()))
        .typed(&["RowMajor"]),
    Operation::new("select", &[Any, Tuple], |a| {
        let modes = a[1].int_tuple()?;
        if modes.depth() > 1 {
            return Err(NotationError::NESTED_MODES.into());
        }
        on_domain!(a[0], l => l.select(modes.leaves())?)
    })
    .typed(&["Select"]),
    Operation::new("shape_div", &[Tuple, Tuple], |a| {
        Ok(a[0].int_tuple()?.shape_div(&a[1].int_tuple()?)?.into())
    })
    .typed(&["ShapeDiv"])
    .giving(Tuple),
    Operation::new("size", &[Any], |a| Ok(a[0].domain()?.facts().2.into())),
    Operation::new("slice", &[Any, At], |a| slice(&a[0], &a[1].coordinate()?)).typed(&["Slice"]),
    Operation::new("slice_and_offset", &[Any, At], |a| {
        let at = a[1].coordinate()?;
        on_start!(a[0], l => l.slice_and_offset(&at)?)
    }),
    Operation::new("swap_dims", &[Morello, Integer, Integer], morello::swap_dims),
    Operation::new("swizzle_apply", &[Swizzle, Integer], |a| {
        Ok(a[0].swizzle()?.apply(a[1].integer()?).into())
    }),
    Operation::new("swizzle_compose", &[Swizzle, Function], |a| a[0].composition(&a[1])),
    Operation::new("table", &[Any], |a| table(&a[0])),
    Operation::new("take", &[Any, Integer, Integer], |a| {
        let (begin, end) = (a[1].integer()?, a[2].integer()?);
        on_domain!(a[0], l => l.take(begin, end)?)
    })
    .typed(&["Take"]),
    Operation::new("tile_dims", &[Morello, Tuple, Tuple], morello::tile_dims),
    Operation::new("tile_to_shape", &[Any, Tuple, Tuple], |a| {
        let target = a[1].int_tuple()?;
        let order = a.get(2).map(Value::int_tuple).transpose()?;
        let filled = |block: DynLayout| match order {
            Some(order) => block.tile_to_shape_ordered(&target, &order),
            None => block.tile_to_shape(&target),
        };
        match &a[0] {
            // The offsets of all blocks are swizzled, as in CuTe.
            Value::Composed(block) => Ok(block.with_layout(&filled(block.layout())?)?.into()),
            block => Ok(filled(block.layout()?)?.into()),
        }
    })
    .or_less()
    .typed(&["TileToShape", "TileToShapeOrdered"]),
    Operation::new("tiled_divide", &[Any, By], |a| {
        let by = a[1].tiler()?;
        on_domain!(a[0], l => l.tiled_divide_by(&by)?)
    })
    .typed(&["TiledDivide"]),
    Operation::new("tiled_product", &[Layout, By], |a| {
        Ok(a[0].layout()?.tiled_product_by(&a[1].tiler()?)?.into())
    })
    .typed(&["TiledProduct"]),
    Operation::new("unflatten", &[Any, Tuple], |a| {
        let profile = a[1].int_tuple()?;
        on_domain!(a[0], l => l.unflatten(&profile)?)
    })
    .typed(&["Unflatten"]),
    Operation::new("upcast", &[Layout, Integer], |a| {
        Ok(a[0].layout()?.upcast(a[1].integer()?)?.into())
    })
    .typed(&["Upcast"]),
    Operation::new("weakly_congruent", &[Tuple, Tuple], |a| {
        Ok(a[0].int_tuple()?.weakly_congruent(&a[1].int_tuple()?).into())
    }),
    Operation::new("zip", &[Linear, Linear], |a| match a.get(1) {
        Some(other) => on_both!(a[0], other, (l, other) => l.zip_with(&other)?),
        None => on_strided!(a[0], l => l.zip()?),
    })
    .or_less()
    .typed(&["Zip", "ZipWith"]),
    Operation::new("zipped_divide", &[Any, By], |a| {
        let by = a[1].tiler()?;
        on_domain!(a[0], l => l.zipped_divide_by(&by)?)
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
        Domain::Plain(layout) => layout.offset_of(&at)?.into(),
        Domain::Composed(composed) => composed.offset_of(&at)?.into(),
        Domain::Coordinates(coordinates) => coordinates.coordinate_at(&at)?.into(),
    })
}

/// The modes that a coordinate keeps. What it fixes is an offset inside a swizzle; other layouts
/// go without.
fn slice(value: &Value, coordinate: &Slicer) -> Result<Value, LayoutError> {
    Ok(match value.domain()? {
        Domain::Plain(layout) => layout.slice(coordinate)?.into(),
        Domain::Composed(composed) => composed.slice(coordinate)?.into(),
        Domain::Coordinates(layout) => layout.slice(coordinate)?.into(),
    })
}

/// All values in the order of 1-D coordinates.
fn table(value: &Value) -> Result<Value, LayoutError> {
    let list = match value.domain()? {
        Domain::Plain(layout) => List::table(&ComposedLayout::from(layout)),
        Domain::Composed(composed) => List::table(composed),
        Domain::Coordinates(coordinates) => List::coordinates(coordinates),
    };
    list.map(Value::List)
}
