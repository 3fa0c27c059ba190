use static_layout::layout;

type T0 = layout!(spyre { size: [256], dtype: f16, device_size: [4, 65], dim_map: [0, 0] });

fn main() {
    let _ = layout!(spyre { size: [256], dtype: f16, device_size: [4, 65], dim_map: [0, 0] });
}
