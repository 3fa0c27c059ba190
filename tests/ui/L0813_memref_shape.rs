use static_layout::layout;

type T0 = layout!(tensor<53x63xf32,
    #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<2x1x!tt.tile<32 x 32, bfp_bf8>>>>);

fn main() {
    let _ = layout!(
        tensor<53x63xf32,
        #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<2x1x!tt.tile<32 x 32, bfp_bf8>>>>
    );
}
