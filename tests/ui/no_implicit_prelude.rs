#![no_implicit_prelude]

mod core {}
use ::static_layout::layout;

type T0 = layout!((4, 8):(8, 1, 2));

fn main() {
    let _: T0 = layout!((4, 8u8):(8, 1));
}
