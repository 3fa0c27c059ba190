use static_layout::layout;

type T0 = layout!(tensor<64x64xf32,
    #tt.metal_layout<collapse = [(0, 2)], undef, <4>, !tt.tile<32x32, f32>>>);

fn main() {
    let _ = layout!(
        tensor<64x64xf32,
        #tt.metal_layout<collapse = [(0, 2)], undef, <4>, !tt.tile<32x32, f32>>>
    );
}
