use static_layout::layout;

type T0 = layout!(tensor<64x64xf32,
    #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, !tt.tile<0x32, f32>>>);

fn main() {
    let _ = layout!(
        tensor<64x64xf32,
        #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, !tt.tile<0x32, f32>>>
    );
}
