use static_layout::layout;

type T0 = layout!(tensor<4x7x11x10xf32,
    #tt.metal_layout<collapse = [(0, 7)], undef, <4x3>>>);

fn main() {
    let _ = layout!(
        tensor<4x7x11x10xf32,
        #tt.metal_layout<collapse = [(0, 7)], undef, <4x3>>>
    );
}
