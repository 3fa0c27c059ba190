use static_layout::layout;

type T0 = layout!(coalesce((4, 8), <1, 1>));

fn main() {
    let _ = layout!(coalesce((4, 8), <1, 1>));
    let _ = layout!(complement(4:1, 8:1));
    let _ = layout!(size((4, 8)));
    let _ = layout!(slice_and_offset((4, 12):(12, 1), (3, _)));
    let _ = layout!((4:1, 8):(1, 4));
}

type Rows = layout!((4, 8):(8, 1));
type T1 = layout!(max_common_vector(Rows, Rows));
type T2 = layout!(complement(Rows, coalesce(Rows)));
