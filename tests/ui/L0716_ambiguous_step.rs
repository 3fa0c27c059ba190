use static_layout::layout;

type T0 = layout!(spyre { size: [3, 64], dtype: f16, device_size: [3, 3, 64], stride_map: [64, 64, 1] });

fn main() {
    let _ = layout!(spyre { size: [3, 64], dtype: f16, device_size: [3, 3, 64], stride_map: [64, 64, 1] });
}
