use static_layout::layout;

type T0 = layout!(tensor<53x63xf32,
    #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64x62, undef, <2x2>>>);

fn main() {
    let _ = layout!(
        tensor<53x63xf32,
        #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64x62, undef, <2x2>>>
    );
}
