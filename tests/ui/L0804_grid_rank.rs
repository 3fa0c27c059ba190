use static_layout::layout;

type T0 = layout!(tensor<8x96x32xf32,
    #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), undef, <2x1x2>>>);

fn main() {
    let _ = layout!(
        tensor<8x96x32xf32,
        #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), undef, <2x1x2>>>
    );
}
