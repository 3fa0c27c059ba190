use static_layout::layout;

type T0 = layout!(tensor<64x256x1024xf32,
    #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x4>>>);

fn main() {
    let _ = layout!(
        tensor<64x256x1024xf32,
        #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x4>>>
    );
}
