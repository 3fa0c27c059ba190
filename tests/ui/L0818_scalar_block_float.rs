use static_layout::layout;

type T0 = layout!(tensor<64x64xf32,
    #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xbfp_bf8>>>);

fn main() {
    let _ = layout!(
        tensor<64x64xf32,
        #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xbfp_bf8>>>
    );
}
