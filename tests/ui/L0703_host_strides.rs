use static_layout::layout;

type T0 = layout!(spyre { size: [512, 1, 256], stride: [256, 1], dtype: f16 });

fn main() {
    let _ = layout!(spyre { size: [512, 1, 256], stride: [256, 1], dtype: f16 });
}
