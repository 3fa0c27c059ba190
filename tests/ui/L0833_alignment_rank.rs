use static_layout::layout;

type T0 = layout!(tensor<1x1x53x64xf32,
    #ttcore.metal_layout<logical_shape = 53x63, dim_alignments = 32, collapsed_intervals = dense<>, l1>>);

fn main() {
    let _ = layout!(
        tensor<1x1x53x64xf32,
        #ttcore.metal_layout<logical_shape = 53x63, dim_alignments = 32, collapsed_intervals = dense<>, l1>>
    );
}
