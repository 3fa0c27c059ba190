use static_layout::layout;

type T0 = layout!(spyre { size: [512], type: f16 });

fn main() {
    let _ = layout!(spyre { size: [512], type: f16 });
}
