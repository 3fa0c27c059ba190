use static_layout::layout;

type T0 = layout!(spyre { size: [512, 256], dtype: f16, device_size: [4, 64], dim_map: [1, 1] });

fn main() {
    let _ = layout!(spyre { size: [512, 256], dtype: f16, device_size: [4, 64], dim_map: [1, 1] });
}
