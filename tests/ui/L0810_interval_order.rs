use static_layout::layout;

type T0 = layout!(tensor<6x4x11x4x6xf32,
    #tt.metal_layout<collapse = [(4, 0)], undef, <4x3>>>);

fn main() {
    let _ = layout!(
        tensor<6x4x11x4x6xf32,
        #tt.metal_layout<collapse = [(4, 0)], undef, <4x3>>>
    );
}
