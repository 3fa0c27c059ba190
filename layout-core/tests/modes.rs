//! Modes by number: `extent`, `shape()[i]` and layouts of extents and strides.

use layout_core::engine::{DynLayout, IntTuple};
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Mixed};

fn layout(text: &str) -> DynLayout {
    DynLayout::parse(text).unwrap()
}

/// The message of the panic of `f`.
fn panic_of<T>(f: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    match std::panic::catch_unwind(f) {
        Ok(_) => panic!("a panic"),
        Err(payload) => payload.downcast_ref::<String>().expect("a message").clone(),
    }
}

#[test]
fn extents_are_the_sizes_of_modes() {
    for text in ["7:2", "(7):(2)", "(4,(3,(2,5))):(30,(1,(3,6)))", "((2,3),4,1):((1,2),6,0)"] {
        let l = layout(text);
        let sizes: Vec<usize> = (0..l.rank()).map(|i| l.mode(i).size()).collect();
        assert_eq!((0..l.rank()).map(|i| l.extent(i)).collect::<Vec<_>>(), sizes, "{text}");
        let message = panic_of(|| l.extent(l.rank()));
        assert!(message.contains(&format!("the rank of shape {}", l.shape())), "{message}");
    }
    let none = DynLayout::strided(&[0, usize::MAX >> 1], &[0, 0]).unwrap();
    assert_eq!((none.extent(0), none.extent(1), none.size()), (0, usize::MAX >> 1, 0));
}

#[test]
fn an_index_is_the_integer_of_a_mode() {
    let l = layout("(4,(3,2),(5)):(30,(1,3),(6))");
    assert_eq!((l.shape()[0], l.stride()[0]), (4, 30));
    assert_eq!(IntTuple::leaf(9)[0], 9);
    for mode in [1, 2] {
        let message = panic_of(|| l.shape()[mode]);
        assert!(
            message.contains(&format!("mode {mode} of (4,(3,2),(5)) is not an int")),
            "{message}"
        );
    }
    assert!(panic_of(|| l.shape()[3]).contains("mode 3 is not below 3"));
    assert!(
        panic_of(|| IntTuple::leaf(9)[1]).contains("mode 1 is not below 1, the rank of shape 9")
    );
}

#[test]
fn layouts_of_all_kinds_have_extents() {
    use layout_core::types::{Cons, Dyn, Layout, Nil};
    use typenum::consts::*;
    type Pair<A, B> = Cons<A, Cons<B, Nil>>;
    let fixed = Layout::<Pair<U4, Pair<U3, U2>>, Pair<U6, Pair<U1, U3>>>::default();
    type Strides = Pair<Dyn, Pair<U1, U3>>;
    let mixed: Mixed<Pair<U4, Pair<Dyn, U2>>, Strides> =
        fixed.to_dyn().unwrap().try_into().unwrap();
    assert_eq!((fixed.extent(0), fixed.extent(1)), (4, 6));
    assert_eq!((mixed.extent(0), mixed.extent(1)), (4, 6));
    assert!(panic_of(|| fixed.extent(2)).contains("extent: mode 2 is not below 2"));
}

#[test]
fn strided_layouts() {
    assert_eq!(DynLayout::strided(&[4, 8], &[10, 1]).unwrap(), layout("(4,8):(10,1)"));
    assert_eq!(DynLayout::strided(&[4], &[3]).unwrap(), layout("(4):(3)"));
    assert_eq!(DynLayout::strided(&[], &[]), Err(LayoutError::EmptyTuple));
    assert!(matches!(DynLayout::strided(&[4, 8], &[1]), Err(LayoutError::StrideRank { .. })));
    assert!(DynLayout::strided(&[2; 33], &[0; 33]).is_err());
    assert!(DynLayout::strided(&[3, 3], &[usize::MAX / 2, 1]).is_err());
}
