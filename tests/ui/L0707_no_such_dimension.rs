use static_layout::layout;

type T0 = layout!(spyre { size: [512, 1, 256], dtype: f16, device_size: [4, 512, 64], dim_map: [1, 0, 2] });
type T1 = layout!(spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0, -2] });
type T2 = layout!(spyre { size: [1], dtype: f16, device_size: [64], dim_map: [0] });

fn main() {
    let _ = layout!(spyre { size: [512, 1, 256], dtype: f16, device_size: [4, 512, 64], dim_map: [1, 0, 2] });
}
