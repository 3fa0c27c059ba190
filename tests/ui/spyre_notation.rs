use static_layout::layout;

// Several mistakes at once, each under its tokens.
type Several = layout!(spyre { size: [512, -1], dtype: 16, sparse: maybe });
type NoColon = layout!(spyre { size [512] });
type Value = layout!(spyre { size: [n], dtype: f16 });
// It is no operand of the algebra.
type Operand = layout!(composition(spyre { size: [512], dtype: f16 }, 4:1));

fn main() {}
