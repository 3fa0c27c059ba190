use static_layout::layout;

type T0 = layout!(spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 8, 128, 64], stride_map: [512, 64, 131072, 1], current: false });

fn main() {
    let _ = layout!(spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 8, 128, 64], stride_map: [512, 64, 131072, 1], current: false });
}
