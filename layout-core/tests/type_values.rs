//! Layouts as types: the type and its value, mixed layouts, and types that stand for constants.

use layout_core::devices::tenstorrent::MemorySpace;
use layout_core::devices::{ElementType, Fill};
use layout_core::engine::DynLayout;
use layout_core::types::constant;
use layout_core::types::{AnyLayout, Cons, Constant, Dyn, Layout, Mixed, Nil, StaticLayout, Tree};
use typenum::{U0, U1, U2, U4, U8, U32, U1073741824};

type Pair<A, B> = Cons<A, Cons<B, Nil>>;
type Rows = Layout<Pair<U4, U8>, Pair<U8, U1>>;
type Nested = Layout<Pair<U2, Pair<U2, U2>>, Pair<U4, Pair<U1, U2>>>;

const fn assert_marker<T: Copy + Default + Eq + core::hash::Hash + Send + Sync + 'static>() {}
const _: () = {
    assert_marker::<Rows>();
    assert!(size_of::<Rows>() == 0 && Rows::SIZE == 32 && Rows::COSIZE == 32 && Rows::RANK == 2);
};

struct Field {
    layout: Rows,
}

#[test]
fn one_path_is_type_and_value() {
    let field = Field { layout: Layout::<Pair<U4, U8>, Pair<U8, U1>> };
    const ITEM: Rows = Layout::<Pair<U4, U8>, Pair<U8, U1>>;
    assert_eq!(field.layout, ITEM);
    assert_eq!(
        format!("{ITEM} {ITEM:?} {}", Nested::default()),
        "(4,8):(8,1) (4,8):(8,1) (2,(2,2)):(4,(1,2))"
    );
}

#[test]
fn invalid_layouts_give_a_reason() {
    fn why<L: StaticLayout>() -> String {
        L::CHECKED.unwrap_err().to_string()
    }
    assert_eq!(
        why::<Layout<Pair<U4, U8>, Cons<U1, Cons<U4, Cons<U32, Nil>>>>>(),
        "shape (4,8) has 2 modes but its stride (1,4,32) has 3"
    );
    assert_eq!(
        why::<Layout<Pair<U4, Pair<U2, U2>>, Pair<U4, U1>>>(),
        "shape (2,2) and stride 1 are nested differently"
    );
    assert_eq!(why::<Layout<Pair<U4, U0>, Pair<U4, U1>>>(), "an extent must be at least 1");
    assert_eq!(why::<Layout<Nil, Nil>>(), "a tuple needs at least one mode");
    assert_eq!(
        why::<Layout<Pair<Dyn, U4>, Pair<U4, U1>>>(),
        "a static layout has no run-time leaves"
    );
    assert_eq!(
        why::<Layout<Pair<U1073741824, Pair<U1073741824, U8>>, Pair<U1, Pair<U1, U1>>>>(),
        format!(
            "the size of shape (1073741824,(1073741824,8)) does not fit in {} bits",
            usize::BITS - 1
        )
    );
}

#[test]
fn a_mixed_layout_holds_its_run_time_leaves() {
    type Columns = Mixed<Pair<Dyn, U4>, Pair<U1, Dyn>>;
    let l = Columns::new(((6, ()), (((), 10), ())));
    assert_eq!(size_of::<Columns>(), size_of::<[usize; 2]>());
    assert_eq!(format!("{l} {l:?}"), "(6,4):(1,10) (6,4):(1,10)");
    assert_eq!((l.size(), l.cosize(), l.offset((5, 3)), l.offset(23)), (24, 36, 35, 35));
    assert_ne!(l, Columns::new(((6, ()), (((), 11), ()))));
    let error = l.try_offset((6, 0)).unwrap_err();
    assert_eq!(error.to_string(), "coordinate 6 is not below extent 6");
    let overflow = Columns::new(((usize::MAX, ()), (((), 10), ())));
    assert!(overflow.to_dyn().is_err() && overflow.try_offset((3, 3)).is_ok());
    assert!(overflow.try_offset(3).is_err());
    let empty = Columns::new(((0, ()), (((), 10), ())));
    assert_eq!((empty.size(), empty.cosize()), (0, 0));
    assert!(empty.try_offset(0).is_err() && empty.try_offset((0, 0)).is_err());
}

fn is_the_same<S: Tree, D: Tree>(text: &str) -> bool {
    let layout = DynLayout::parse(text).unwrap();
    let mixed = Mixed::<S, D>::try_from(layout).unwrap();
    assert_eq!(AnyLayout::as_matrix(&mixed), layout.as_matrix(), "{text}");
    layout.as_matrix().is_some()
}

#[test]
fn as_a_matrix_it_is_the_same() {
    assert!(is_the_same::<Pair<Dyn, U4>, Pair<U4, U1>>("(7,4):(4,1)"));
    assert!(is_the_same::<Pair<Dyn, Dyn>, Pair<U1, Dyn>>("(3,5):(1,9)"));
    assert!(!is_the_same::<Pair<Pair<U4, Dyn>, Dyn>, Pair<Pair<U1, Dyn>, U4>>(
        "((4,2),3):((1,12),4)"
    ));
    assert!(!is_the_same::<Dyn, U1>("5:1"));
}

fn count<T: Copy + PartialEq>(all: &[T], types: &[T]) {
    assert!(all.iter().all(|value| types.contains(value)) && all.len() == types.len());
}

#[test]
fn each_element_has_a_type() {
    macro_rules! values {
        ($($name:ident)+) => { [$(<constant::$name as Constant<_>>::VALUE),+] };
    }
    count(
        &ElementType::ALL,
        &values!(F64 F32 F16 Bf16 Dl16 F8E4M3 F8E5M2 I64 I32 I16 I8 I4 I2 U64 U32 U16 U8 U4 U2 Bool
            BfpF8 BfpBf8 BfpF4 BfpBf4 BfpF2 BfpBf2),
    );
    count(&Fill::ALL, &values!(Undef Zero One Inf NegInf));
    count(&MemorySpace::ALL, &values!(System Mmio Dram L1));
}
