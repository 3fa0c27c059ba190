//! Numbers that exceed the target's word size: an error that names the limit, never a truncated
//! number.

use static_layout::devices::spyre::SpyreLayout;
use static_layout::devices::tenstorrent::MetalLayout;
use static_layout::engine::{CoordinateLayout, MAX_SIZE, MorelloLayout};
use static_layout::text::eval;
use static_layout::{Algebra, DynLayout, StaticLayout, layout};

/// The part of an error message that names the limit.
fn limit() -> String {
    format!("{} bits", usize::BITS - 1)
}

/// Asserts that `result` is an error that names the limit.
fn refused<T: core::fmt::Debug>(text: &str, result: Result<T, impl ToString>) {
    let message = result.expect_err(text).to_string();
    assert!(message.contains(&limit()), "{text}: {message}");
}

#[test]
fn the_largest_numbers_are_sizes() {
    let l = DynLayout::parse(&format!("{MAX_SIZE}:1")).unwrap();
    assert_eq!((l.size(), l.cosize()), (MAX_SIZE, MAX_SIZE));
    let far = DynLayout::parse(&format!("2:{}", MAX_SIZE - 1)).unwrap();
    assert_eq!((far.offset_of_index(1), far.cosize()), (MAX_SIZE - 1, MAX_SIZE));
    let back = CoordinateLayout::parse(&format!("2:-{}", MAX_SIZE - 1)).unwrap();
    assert_eq!(back.to_string(), format!("2:-{}", MAX_SIZE - 1));
}

#[test]
fn texts() {
    let (over, half) = (MAX_SIZE as u128 + 1, MAX_SIZE / 2 + 1);
    for text in [
        format!("{over}"),
        format!("{over}:1"),
        format!("1:{over}"),
        "18446744073709551616".into(),
        "4294967296:9223372036854775808".into(),
        format!("({half},2)"),
        format!("({half},2):(1,1)"),
        format!("2:{MAX_SIZE}"),
        format!("(4,2):(1,{MAX_SIZE})"),
        format!("3:-{MAX_SIZE}"),
        format!("(2,2):({half}@0,{half}@0)"),
        format!("(2:{half}) o (4:1)"),
        format!("logical_product({half}:1, 2:1)"),
        format!("logical_product(2:1, 2:{half})"),
        format!("blocked_product({half}:1, 2:1)"),
        format!("downcast((4,8):(1,4), {half})"),
        format!("make(({half},4))"),
        format!("row_major(({half},4))"),
        format!("tile_to_shape(2:1, ({half},2))"),
        format!("[0, 1] for ({half}, 4)"),
        format!("spyre {{ size: [{half}, 4], dtype: f16 }}"),
        format!("tensor<{half}x4xf32, #tt.metal_layout<collapse = [], undef, <1x1>>>"),
        format!("tensor<4x4xf32, #tt.metal_layout<collapse = [], undef, <{half}x4>>>"),
        format!("tensor<4x4xf32, #tt.metal_layout<(i, j) -> (i * {MAX_SIZE}, j), undef, <1x1>>>"),
    ] {
        refused(&text, eval(&text));
    }
}

#[test]
fn values() {
    let half = MAX_SIZE / 2 + 1;
    let (wide, far) = (DynLayout::leaf(half, 1), DynLayout::leaf(2, half));
    refused("a product", wide.logical_product(&DynLayout::leaf(4, 1)));
    refused("a composition", far.composition(&DynLayout::leaf(4, 1)));
    let rows = MorelloLayout::row_major(2).unwrap();
    refused("rows", rows.for_shape(&[half, 4]));
    let text = format!("spyre {{ size: [{}], dtype: f16 }}", half / 4);
    assert_eq!(SpyreLayout::parse(&text).unwrap().elements(), half / 4);
    let text = format!("tensor<{half}x1xf32, #tt.metal_layout<collapse = [], undef, <1x1>>>");
    assert_eq!(MetalLayout::parse(&text).unwrap().elements(), half);
}

/// `layout!` reads numbers of 63 bits on most hosts. A number that exceeds the target's limit is an
/// error when used, and is never truncated.
#[test]
fn types() {
    fn check<L: StaticLayout>(bits: u32, text: &str) {
        match bits < usize::BITS {
            true => assert_eq!(L::CHECKED, Ok(DynLayout::parse(text).unwrap())),
            false => refused(text, L::CHECKED),
        }
    }
    macro_rules! check {
        ($($bits:literal { $($layout:tt)+ })*) => {
            $(check::<layout!($($layout)+)>($bits, stringify!($($layout)+));)*
        };
    }
    check! {
        31 { 2147483647:1 }
        32 { 2147483648:1 }
        33 { 4294967296:1 }
        33 { 4294967297:1 }
        33 { (65536, 65536):(1, 65536) }
        31 { (32768, 32768):(1, 32768) }
        33 { 2:4294967296 }
        33 { logical_product(65536:1, 65536:1) }
        63 { 4611686018427387904:1 }
    }
}
