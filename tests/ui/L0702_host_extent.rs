use static_layout::layout;

type T0 = layout!(spyre { size: [0, 256], dtype: f16 });

fn main() {
    let _ = layout!(spyre { size: [0, 256], dtype: f16 });
}
