//! Errors of compositions, complements, divides and products: what they say, and that what they
//! suggest would fit.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::text::eval;
use layout_core::types::Algebra;
use proptest::prelude::*;

mod common;
use common::{any_layout, compact};

/// The message and the help of an expression that has no result.
fn refusal(expression: &str) -> String {
    match eval(expression) {
        Ok(value) => panic!("{expression} is {value}"),
        Err(error) => format!("{:#}", error.problems()[0].error),
    }
}

#[test]
fn errors_name_the_operation_the_mode_and_the_numbers() {
    for (expression, message, help) in [
        (
            "composition((6,2):(1,7), 4:2)",
            "composition: A carries after 3 steps of B, and 3 does not divide its extent 4",
            "an extent of at most 3 would fit",
        ),
        (
            "composition((6,2):(1,7), (2,(2,4)):(0,(0,2)))",
            "composition: A carries after 3 steps of mode 1 of B, and 3 does not divide its extent 4",
            "an extent of at most 3 would fit",
        ),
        (
            "composition((2,3,2):(4,1,16), 8:1)",
            "composition: A carries after 3 steps of B, and 3 does not divide 4, what is left of its \
             extent 8",
            "",
        ),
        (
            "composition((8,(6,2)):(1,(8,56)), <_, 4:2>)",
            "composition: in mode 1, A carries after 3 steps of B, and 3 does not divide its extent 4",
            "an extent of at most 3 would fit",
        ),
        (
            "logical_divide((8,(6,2)):(1,(8,56)), <4, (2,4):(1,2)>)",
            "logical_divide: in mode 1, A carries after 3 steps of mode 1 of the tile, and 3 does \
             not divide its extent 4",
            "an extent of at most 3 would fit",
        ),
        (
            "logical_divide((6,2):(1,7), 4)",
            "logical_divide: A carries after 2 steps of the rest of the tiles, and 2 does not divide \
             its extent 3",
            "a tiler <..> divides mode by mode, and each mode by itself may fit",
        ),
        (
            "logical_divide((8,(6,2)):(1,(8,56)), <_, 4>)",
            "logical_divide: in mode 1, A carries after 2 steps of the rest of the tiles, and 2 does \
             not divide its extent 3",
            "a tile that divides the extents of this mode would fit",
        ),
        (
            "logical_divide((4,3):(3,1), 2:3)",
            "logical_divide: the steps of the tile and the rest of the tiles together reach \
             coordinate 7 in an extent of 4 of A",
            "a tiler <..> divides mode by mode, and each mode by itself may fit",
        ),
        (
            "composition((6,2):(1,7), (3,2):(2,3))",
            "composition: the steps of B together reach coordinate 7 in an extent of 6 of A",
            "steps that reach at most coordinate 5 would fit",
        ),
        (
            "logical_product(2:3, 4:1)",
            "logical_product: the complement of A carries after 3 steps of B, and 3 does not divide \
             its extent 4",
            "an extent of at most 3 would fit",
        ),
        (
            "logical_product((2,(4,2)):(9,(1,2)), 4:1)",
            "logical_product: stride 2 of mode 1 of A lies inside the 4 offsets that its smaller \
             strides cover",
            "a stride of at least 4 lies outside them",
        ),
        (
            "complement((4,4):(1,2), 24)",
            "complement: stride 2 of mode 1 of the layout lies inside the 4 offsets that its smaller \
             strides cover",
            "a stride of at least 4 lies outside them",
        ),
        (
            "tiled_divide((8,8), <_, (2,2):(1,1)>)",
            "logical_divide: in mode 1, stride 1 of mode 1 of the tile lies inside the 2 offsets that \
             its smaller strides cover",
            "a stride of at least 2 lies outside them",
        ),
        (
            "logical_divide((8,(4,2)), <4, <2,2,2>>)",
            "logical_divide: in mode 1, the tiler has 3 modes, more than the 2 of shape (4,2)",
            "a tiler of at most 2 modes would fit",
        ),
        (
            "flat_product((2,8), <4, _>)",
            "zipped_product: in mode 1, _ needs a mode that is already a pair, not 8",
            "write 1:0 instead of _ to keep that mode whole",
        ),
    ] {
        let refusal = refusal(expression);
        assert!(refusal.contains(message), "{expression}: {refusal}");
        assert!(refusal.contains(help), "{expression}: {refusal}");
    }
}

/// Leaves of an inverse whose size does not fit are named as the tuple that they are.
#[test]
fn sizes_that_do_not_fit_are_those_of_a_tuple() {
    let (large, part) = (1usize << (usize::BITS - 3), 1usize << (usize::BITS - 6));
    let refusal = refusal(&format!("left_inverse(((4,3)):(({large},8)))"));
    assert!(refusal.contains(&format!("the size of shape (8,{part},4) does not fit")), "{refusal}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_extent_that_is_suggested_fits(
        a in prop_oneof![any_layout(), compact()],
        extent in 2usize..40,
        stride in 1usize..20,
    ) {
        let compose = |extent| a.composition(&DynLayout::leaf(extent, stride));
        if let Err(LayoutError::CompositionCarry { extent: whole, rest, run, .. }) = compose(extent) {
            prop_assert_eq!(whole, extent);
            prop_assert!(rest % run != 0 && whole % rest == 0);
            if whole == rest {
                prop_assert!((1..=run).all(|n| compose(n).is_ok()));
            }
        }
    }
}
