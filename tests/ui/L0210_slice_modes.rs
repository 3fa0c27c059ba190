//! A slice with other modes than a static layout.
use static_layout::{AnyLayout, layout};

fn main() {
    let rows = layout!((4, 8):(8, 1));
    rows.slice((.., (1, ..)));
}
