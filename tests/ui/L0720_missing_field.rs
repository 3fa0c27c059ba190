use static_layout::layout;

type T0 = layout!(spyre { size: [512], dtype: f16, device_size: [8, 64] });
type T1 = layout!(spyre { dtype: f16 });

fn main() {
    let _ = layout!(spyre { size: [512], dtype: f16, device_size: [8, 64] });
}
