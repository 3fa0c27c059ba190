use static_layout::layout;

type T0 = layout!(tensor<4x10x7x12xf32,
    #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 70 + d1 + d2, d3), undef, <3x4>>>);

fn main() {
    let _ = layout!(
        tensor<4x10x7x12xf32,
        #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 70 + d1 + d2, d3), undef, <3x4>>>
    );
}
