use static_layout::layout;

type T0 = layout!(tensor<8x300xf32,
    #tt.metal_layout<(d0, d0) -> (d0, d0), undef, <1x2>>>);

fn main() {
    let _ = layout!(
        tensor<8x300xf32,
        #tt.metal_layout<(d0, d0) -> (d0, d0), undef, <1x2>>>
    );
}
