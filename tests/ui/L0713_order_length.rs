use static_layout::layout;

type T0 = layout!(spyre { size: [5, 100, 150], dtype: f16, order: [1, 0] });

fn main() {
    let _ = layout!(spyre { size: [5, 100, 150], dtype: f16, order: [1, 0] });
}
