//! `layout!` of swizzled layouts: types and values equal what the engine computes.

use static_layout::engine::{ComposedLayout, Swizzle};
use static_layout::kernels::copy;
use static_layout::text::{Value, eval};
use static_layout::typenum::{U64, U1024};
use static_layout::{
    AnySwizzled, DynLayout, LayoutError, Swizzled, SwizzledTensor, SwizzledView, SwizzledViewMut,
    Tensor, layout,
};

type Rows = layout!((8,64):(64,1));
type T = layout!(Sw<3,4,3> o 0 o (8,64):(64,1));

/// The layout that the text describes, computed by the engine.
fn composed(text: &str) -> ComposedLayout {
    match eval(text) {
        Ok(Value::Composed(composed)) => composed,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_literal_is_the_type_and_the_value() {
    let value: T = layout!(Sw<3,4,3> o 0 o (8,64):(64,1));
    assert_eq!(value.to_composed(), composed("Sw<3,4,3> o 0 o (8,64):(64,1)"));
    assert_eq!(value.to_string(), "Sw<3,4,3> o 0 o (8,64):(64,1)");
    assert_eq!((value.size(), value.cosize_bound(), size_of::<T>()), (512, 512, 0));
    // Without an offset, with one, with a negative shift, after an operation, and of a shape alone.
    let all = [
        (layout!(Sw<2,0,3> o (4,8):(8,1)).to_composed(), "Sw<2,0,3> o (4,8):(8,1)"),
        (layout!(Sw<2,0,3> o 5 o (4,8):(8,1)).to_composed(), "Sw<2,0,3> o 5 o (4,8):(8,1)"),
        (layout!(Sw<1,2,-2> o 3 o (4,8)).to_composed(), "Sw<1,2,-2> o 3 o (4,8)"),
        (
            layout!(zipped_divide(Sw<2,0,3> o (4,8):(8,1), <2, 4>)).to_composed(),
            "zipped_divide(Sw<2,0,3> o (4,8):(8,1), <2, 4>)",
        ),
        (
            layout!(swizzle_compose(Sw<2,0,3>, (4,8):(8,1))).to_composed(),
            "swizzle_compose(Sw<2,0,3>, (4,8):(8,1))",
        ),
        (layout!(Sw<2,1,2> o Sw<0,1,2> o (4,8)).to_composed(), "Sw<2,1,2> o (4,8)"),
    ];
    for (value, text) in all {
        assert_eq!(value, composed(text), "{text}");
    }
    // A swizzle of no bits gives a plain layout.
    let plain: layout!((4,8):(8,1)) = layout!(Sw<0,0,3> o 0 o (4,8):(8,1));
    assert_eq!(plain.offset((1, 2)), 10);
}

#[test]
fn names_and_type_level_extents_stand_behind_it() {
    type Named = layout!(Sw<3,4,3> o 0 o Rows);
    let same: Swizzled<Rows, 3, 4, 3> = Named::default();
    assert_eq!(same, T::default());
    type Columns<N> = layout!(Sw<3,0,3> o 64 o (8, N):(1, 8));
    assert_eq!(Columns::<U1024>::COMPOSED, composed("Sw<3,0,3> o 64 o (8,1024):(1,8)"));
    type Halves = layout!(Sw<3,4,3> o 128 o logical_divide(Rows, <4, 32>));
    assert_eq!(Halves::COMPOSED, composed("Sw<3,4,3> o 128 o ((4,2),(32,2)):((64,256),(1,32))"));
    type Chain = layout!(Sw<3,4,3> o Rows o <4:1, 32:2>);
    assert_eq!(Chain::COMPOSED, composed("Sw<3,4,3> o (4,32):(64,2)"));
    type Behind = layout!(swizzle_compose(Sw<3, 4, 3>, Rows));
    assert_eq!(Behind::COMPOSED, T::COMPOSED);
}

/// Code that is generic over the extent.
fn bytes<N>() -> usize
where
    Swizzled<layout!((8, N):(64, 1)), 3, 4, 3>: AnySwizzled,
{
    Swizzled::<layout!((8, N):(64, 1)), 3, 4, 3>::STATIC.map_or(0, |c| c.cosize_bound())
}

#[test]
fn generic_code_takes_them() {
    assert_eq!(bytes::<U64>(), 512);
}

#[test]
fn run_time_values_make_a_value() -> Result<(), LayoutError> {
    let (n, m) = (8, 64);
    let swizzle = Swizzle::new(3, 4, 3)?;
    let value: ComposedLayout = layout!(Sw<3,4,3> o 0 o (n, 64):(m, 1))?;
    assert_eq!(value, T::COMPOSED);
    let rows = DynLayout::parse("(8,64):(64,1)").unwrap();
    assert_eq!(layout!(Sw<3,4,3> o 16 o rows)?.to_string(), "Sw<3,4,3> o 16 o (8,64):(64,1)");
    assert_eq!(layout!(Sw<3,4,3> o row_major((n, m)))?, swizzle.composition(&rows));
    assert_eq!(layout!(Sw<3,4,3> o rows o <4:1, 32:2>)?, composed("Sw<3,4,3> o (4,32):(64,2)"));
    let huge = usize::MAX / 2;
    assert!(layout!(Sw<3,4,3> o 0 o (n, 64):(huge, 1)).is_err());
    Ok(())
}

#[test]
fn tensors_and_views_of_the_type_are_copied() -> Result<(), LayoutError> {
    let rows = Tensor::<u32, Rows>::from_fn(|(i, j)| (64 * i + j) as u32);
    let mut banks = SwizzledTensor::<u32, T>::zeros();
    copy(&rows, &mut banks);
    for i in 0..8 {
        for j in 0..64 {
            // XORs bits 7 to 9 of the offset into bits 4 to 6.
            let offset = 64 * i + j;
            let swizzled = offset ^ ((offset >> 7 & 7) << 4);
            assert_eq!((banks[(i, j)], banks.as_slice()[swizzled]), (rows[(i, j)], rows[(i, j)]));
        }
    }
    let mut memory = vec![0; 512];
    copy(&banks, &mut SwizzledViewMut::<_, T>::new(&mut memory)?);
    assert_eq!(memory, banks.as_slice());
    let mut back = Tensor::<u32, layout!((8,64):(1,8))>::zeros();
    copy(&SwizzledView::<_, T>::new(&memory)?, &mut back);
    assert_eq!(back[(3, 5)], 3 * 64 + 5);
    assert!(SwizzledView::<_, T>::new(&memory[1..]).is_err());
    Ok(())
}
