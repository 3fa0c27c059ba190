use static_layout::layout;

type T0 = layout!(Sw<3, 4, 3> o 0 o (_, 64):(64, 1));

fn main() {}
