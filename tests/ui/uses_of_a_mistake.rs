//! A type or a value with a mistake in it may be used in any way: only the mistake is reported.

use static_layout::{
    AnyLayout, Composition, LayoutError, LogicalDivide, StaticLayout, Tensor, assert_valid, kernels,
    layout, typenum,
};

type Wrong = layout!((4, 8):(8, 1, 2));
const CONSTANT: layout!((4, 8)) = layout!((4, 0):(1, 4));

struct Holder<L = layout!((4, 8):(8))> {
    tensor: Tensor<f32, L>,
    layout: Wrong,
}

trait Own {}
impl Own for layout!((4, -8)) {}

assert_valid!(Wrong);
typenum::assert_type_eq!(Composition<Wrong, layout!(4:1)>, layout!(4:8));

fn element(tensor: &Tensor<f32, Wrong>) -> f32 {
    tensor[(1, 2)]
}

fn generic<L: StaticLayout>() -> usize {
    L::SIZE
}

fn run_time(n: usize) -> Result<layout!([0, 1] for (_, 8)), LayoutError> {
    layout!([0, 1, 0] for (n, 8))
}

fn main() -> Result<(), LayoutError> {
    let a = Tensor::<f32, Wrong>::from_fn(|(i, j)| (i * 64 + j) as f32);
    let mut b = Tensor::<f32, layout!((4, 8u8):(8, 1))>::zeros();
    kernels::copy(&a, &mut b);
    let _ = element(&a) + b[(0, 0)];
    let _ = layout!((4, 8):(4.5, 1)).offset((1, 2)) + <Wrong as StaticLayout>::SIZE;
    let _: [usize; <layout!(0) as StaticLayout>::SIZE] = [0; 4];
    let _ = generic::<layout!(())>() + generic::<LogicalDivide<Wrong, layout!(<2, 0x2>)>>();
    let _ = Tensor::<f32, _>::full_in(layout!([2, 1] for (6, 8)), 1.0);
    println!("{} {CONSTANT}", layout!([0, 0, 1] for ({ 2 + 2 }, 8))?);
    run_time(4).map(|_| ())
}
