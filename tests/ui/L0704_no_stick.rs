use static_layout::layout;

type T0 = layout!(spyre { size: [512], dtype: f16, device_size: [], dim_map: [] });

fn main() {
    let _ = layout!(spyre { size: [512], dtype: f16, device_size: [], dim_map: [] });
}
