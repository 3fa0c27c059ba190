use static_layout::layout;

type T0 = layout!(tensor<3x2x1x1x!ttcore.tile<32x32, f32>,
    #ttcore.metal_layout<logical_shape = 53x63, dim_alignments = 32x32, collapsed_intervals = dense<>, l1>>);

fn main() {
    let _ = layout!(
        tensor<3x2x1x1x!ttcore.tile<32x32, f32>,
        #ttcore.metal_layout<logical_shape = 53x63, dim_alignments = 32x32, collapsed_intervals = dense<>, l1>>
    );
}
