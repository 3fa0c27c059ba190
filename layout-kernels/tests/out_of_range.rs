//! Panics for coordinates outside the shape name the mode, the coordinate and the layout.

use layout_core::engine::DynLayout;
use layout_core::types::{AnyLayout, Cons, Layout, Nil, Tile};
use layout_kernels::{Tensor, View};
use std::panic::{UnwindSafe, catch_unwind};
use typenum::consts::*;

type Pair<A, B> = Cons<A, Cons<B, Nil>>;
type Rows = Layout<Pair<U4, U8>, Pair<U8, U1>>;
type Nested = Layout<Pair<U4, Pair<U3, U2>>, Pair<U6, Pair<U1, U3>>>;

fn panics<T>(f: impl FnOnce() -> T + UnwindSafe, expected: &str) {
    let Err(payload) = catch_unwind(f) else { panic!("no panic: {expected}") };
    assert_eq!(payload.downcast_ref::<String>().map(String::as_str), Some(expected));
}

#[test]
fn offsets_and_indices() {
    let rows = "in layout (4,8):(8,1)";
    let by_value = Rows::default().to_dyn().unwrap();
    let (t, v) = (Tensor::<u8, Rows>::zeros(), Tensor::<u8, _>::zeros_in(by_value).unwrap());
    let expected = format!("coordinate 4 is not below extent 4 of mode 0, at (4,0) {rows}");
    panics(|| t[(4, 0)], &expected);
    panics(|| v[(4, 0)], &expected);
    panics(|| t.view()[(4, 0)], &expected);
    let expected = format!("coordinate 8 is not below extent 8 of mode 1, at (3,8) {rows}");
    panics(|| Rows::default().offset((3, 8)), &expected);
    panics(|| by_value.offset((3, 8)), &expected);
    panics(|| t[32], "coordinate 32 is not below extent 32, the size of layout (4,8):(8,1)");
}

#[test]
fn nested_modes_and_slices() {
    let nested = "in layout (4,(3,2)):(6,(1,3))";
    let expected = format!("coordinate 2 is not below extent 2 of mode 1, at (0,(1,2)) {nested}");
    panics(|| Nested::default().offset((0, (1, 2))), &expected);
    let expected = format!("coordinate 6 is not below extent 6 of mode 1, at (0,6) {nested}");
    panics(|| Nested::default().offset((0, 6)), &expected);
    let expected = format!("coordinate 7 is not below extent 6 of mode 1, at (_,7) {nested}");
    panics(|| Nested::default().slice((.., 7)), &expected);
    let data = [0u8; 24];
    let view = View::new_in(&data, Nested::default().to_dyn().unwrap()).unwrap();
    panics(|| view.slice((.., 7)), &expected);
}

#[test]
fn grids_of_tiles() {
    type TwoByFour = Tile<Cons<Layout<U2, U1>, Cons<Layout<U4, U1>, Nil>>>;
    let expected = "coordinate 2 is not below extent 2 of the grid of tiles of layout (4,8):(8,1)";
    panics(|| Rows::default().local_tile(&TwoByFour::default(), (1, 2)), expected);
    let t = Tensor::<u8, Rows>::zeros();
    panics(|| t.view().local_tile(&TwoByFour::default(), (2, 1)), expected);
}

#[test]
fn other_errors_stay() {
    let by_value = DynLayout::parse("(4,8):(8,1)").unwrap();
    panics(|| by_value.offset((1, 2, 3)), &by_value.try_offset((1, 2, 3)).unwrap_err().to_string());
}
