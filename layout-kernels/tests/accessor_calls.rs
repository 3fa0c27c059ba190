//! Kernels call the accessors of user-implementable traits once per operand. Implementations that
//! return a different view each time are therefore harmless.

use std::cell::Cell;

use layout_core::engine::DynLayout;
use layout_kernels::{
    AsView, AsViewMut, Gemm, Par, Relayout, View, ViewMut, axpby, copy, copy_par, gemm, transform,
    update,
};

/// Returns a different view on each call, and counts the calls.
struct Changing<'a> {
    data: &'a mut [f32],
    layouts: &'a [DynLayout],
    asked: Cell<usize>,
}

impl<'a> Changing<'a> {
    fn new(data: &'a mut [f32], layouts: &'a [DynLayout]) -> Self {
        Self { data, layouts, asked: Cell::new(0) }
    }

    fn next(&self) -> DynLayout {
        let asked = self.asked.replace(self.asked.get() + 1);
        self.layouts[asked % self.layouts.len()]
    }
}

impl AsView<f32> for Changing<'_> {
    type Layout = DynLayout;
    fn as_view(&self) -> View<'_, f32, DynLayout> {
        View::new_in(self.data, self.next()).unwrap()
    }
}

impl AsViewMut<f32> for Changing<'_> {
    fn as_view_mut(&mut self) -> ViewMut<'_, f32, DynLayout> {
        let layout = self.next();
        ViewMut::new_in(self.data, layout).unwrap()
    }
}

/// Layouts of a 4 x 4 and a 1 x 1 matrix.
fn layouts() -> [DynLayout; 2] {
    ["((2,2),4):((8,4),1)", "(1,1):(1,1)"].map(|l| DynLayout::parse(l).unwrap())
}

/// Calls a kernel with two operands and returns how often each was queried.
fn asked(kernel: impl Fn(&Changing<'_>, &mut Changing<'_>)) -> [usize; 2] {
    let layouts = layouts();
    let (mut from, mut to) = ([1.0; 16], [2.0; 16]);
    let (from, mut to) = (Changing::new(&mut from, &layouts), Changing::new(&mut to, &layouts));
    kernel(&from, &mut to);
    [from.asked.get(), to.asked.get()]
}

#[test]
fn kernels_ask_once() {
    assert_eq!(asked(|s, d| copy(s, d).unwrap()), [1, 1]);
    assert_eq!(asked(|s, d| copy_par(Par::default(), s, d).unwrap()), [1, 1]);
    assert_eq!(asked(|s, d| transform(s, d, |x: f32| x).unwrap()), [1, 1]);
    assert_eq!(asked(|s, d| update(s, d, |x: f32, y: f32| x + y).unwrap()), [1, 1]);
    assert_eq!(asked(|s, d| axpby(2.0, s, 1.0, d).unwrap()), [1, 1]);
    assert_eq!(asked(|s, d| drop(Relayout::<f32>::between(s, d).unwrap())), [1, 1]);
}

#[test]
fn products_ask_once() {
    for alpha in [1.0, 0.0] {
        assert_eq!(asked(|a, c| gemm(alpha, a, &[1.0; 16].view(), 0.0, c).unwrap()), [1, 1]);
    }
    let then = |a: &Changing<'_>, c: &mut Changing<'_>| {
        Gemm::new(1.0, 1.0).then(|x, _| x + 1.0).run(a, &[1.0; 16].view(), c).unwrap();
    };
    assert_eq!(asked(then), [1, 1]);
}

/// An array seen as a square matrix.
trait Square {
    fn view(&self) -> View<'_, f32, DynLayout>;
}

impl Square for [f32; 16] {
    fn view(&self) -> View<'_, f32, DynLayout> {
        View::new_in(self, layouts()[0]).unwrap()
    }
}

/// A kept plan is run again and again with operands whose layouts differ from those it was built for.
#[test]
fn a_kept_plan_ends() {
    let layouts = layouts();
    let (mut from, mut to) = ([1.0; 16], [2.0; 16]);
    let source = Changing::new(&mut from, &layouts);
    let mut destination = Changing::new(&mut to, &layouts);
    let plan = Relayout::<f32>::between(&source, &mut destination).unwrap();
    plan.run(Par::default(), &source, &mut destination).unwrap();
    assert_eq!([source.asked.get(), destination.asked.get()], [2, 2]);
    // By the last call, both had one element.
    assert_eq!(to.iter().sum::<f32>(), 31.0);
}
