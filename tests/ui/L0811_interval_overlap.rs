use static_layout::layout;

type T0 = layout!(tensor<9x5x3xf32,
    #tt.metal_layout<collapse = [(0, 2), (1, 3)], undef, <4x4>>>);

fn main() {
    let _ = layout!(
        tensor<9x5x3xf32,
        #tt.metal_layout<collapse = [(0, 2), (1, 3)], undef, <4x4>>>
    );
}
