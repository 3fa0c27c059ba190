use static_layout::layout;

type T0 = layout!(spyre { size: [512], dtype: f16, size: [512] });

fn main() {
    let _ = layout!(spyre { size: [512], dtype: f16, size: [512] });
}
