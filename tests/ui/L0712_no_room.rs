use static_layout::layout;

type T0 = layout!(spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 7, 128, 64], dim_map: [1, 2, 0, 2] });

fn main() {
    let _ = layout!(spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 7, 128, 64], dim_map: [1, 2, 0, 2] });
}
