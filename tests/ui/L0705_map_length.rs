use static_layout::layout;

type T0 = layout!(spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0] });

fn main() {
    let _ = layout!(spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0] });
}
