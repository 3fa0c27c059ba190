use static_layout::layout;

type T0 = layout!(tensor<8x300xf32,
    #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x0>>>);

fn main() {
    let _ = layout!(
        tensor<8x300xf32,
        #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x0>>>
    );
}
