use static_layout::layout;

type T0 = layout!(tensor<2x0x6xf32,
    #tt.metal_layout<(d0, d1, d2) -> (d0 + d1 * 2, d2), undef, <1x1>>>);

fn main() {
    let _ = layout!(
        tensor<2x0x6xf32,
        #tt.metal_layout<(d0, d1, d2) -> (d0 + d1 * 2, d2), undef, <1x1>>>
    );
}
