use static_layout::layout;

type T0 = layout!(tensor<64x64xf32,
    #tt.metal_layout<(d0, d1) -> (d0, d1), minusinf, <1x1>>>);

fn main() {
    let _ = layout!(
        tensor<64x64xf32,
        #tt.metal_layout<(d0, d1) -> (d0, d1), minusinf, <1x1>>>
    );
}
