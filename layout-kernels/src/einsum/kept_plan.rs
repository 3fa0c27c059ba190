//! `EinsumPlan`: the plan of a contraction of run-time layouts, kept for many calls.

use core::fmt;

use layout_core::engine::{DynLayout, Subscripts};
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use crate::checks::value;
use crate::einsum::axes::Axis;
use crate::einsum::plan::Plan;

/// Reusable plan of an [`einsum`](crate::einsum()) of three layouts.
///
/// Guarantee: [`Einsum::run_planned`](crate::Einsum::run_planned) does what
/// [`Einsum::run`](crate::Einsum::run) does. A plan is worth keeping if a layout is not static and the
/// contraction is small: parsing the subscripts and turning letters into loops takes a few hundred
/// nanoseconds. With static layouts, `einsum!` of `static-layout` does both at compile time.
///
/// A plan is independent of element types, factors and threads. It takes about 12 KiB.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::{Einsum, EinsumPlan}};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// // 2 heads of 3 queries and 4 keys, of 8 features each.
/// let layouts = [layout("(3,2,8):(16,8,1)"), layout("(4,2,8):(16,8,1)"), layout("(2,3,4):(12,4,1)")];
/// let plan = EinsumPlan::new("qhd,khd->hqk", &layouts[0], &layouts[1], &layouts[2])?;
/// assert_eq!(
///     plan.to_string(),
///     "einsum qhd,khd->hqk: 2 products of 3 x 4 x 8\n\
///      batch 2: A +8, B +8, C +12\n\
///      m 3: A +16, C +4\n\
///      n 4: B +16, C +1\n\
///      k 8: A +1, B +1"
/// );
/// let queries = Tensor::full_in(layouts[0], 0.5f32)?;
/// let keys = Tensor::full_in(layouts[1], 1.0)?;
/// let mut scores = Tensor::zeros_in(layouts[2])?;
/// for _ in 0..3 {
///     Einsum::default().run_planned(&plan, &queries, &keys, &mut scores)?;
/// }
/// assert_eq!(scores.as_slice(), [4.0; 24]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct EinsumPlan {
    pub(super) subscripts: Subscripts,
    layouts: [DynLayout; 3],
    plan: Plan,
}

impl EinsumPlan {
    /// Plans contractions of tensors with these layouts.
    ///
    /// # Errors
    ///
    /// Same as [`einsum`](crate::einsum()).
    pub fn new<A, B, C>(subscripts: &str, a: &A, b: &B, c: &C) -> Result<Self, LayoutError>
    where
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        let mut planned = Self {
            subscripts: Subscripts::new(subscripts)?,
            layouts: [value(a)?, value(b)?, value(c)?],
            plan: Plan::empty(),
        };
        planned.plan.set(&planned.subscripts, planned.layouts.each_ref())?;
        Ok(planned)
    }

    /// The plan, if it is one for these layouts.
    pub(super) fn of(&self, layouts: [&DynLayout; 3]) -> Option<&Plan> {
        let is_same =
            self.layouts.iter().zip(layouts).all(|(planned, layout)| planned.same(layout));
        is_same.then_some(&self.plan)
    }
}

/// Prints the matrix products, and the loops along their modes with the strides in the tensors that have
/// them.
impl fmt::Display for EinsumPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (plan, [m, n, k]) = (&self.plan, self.plan.extents());
        write!(f, "einsum {}: ", self.subscripts.text().as_str())?;
        match plan.batches {
            1 => write!(f, "a product of {m} x {n} x {k}")?,
            products => write!(f, "{products} products of {m} x {n} x {k}")?,
        }
        for (letter, extent) in plan.incompatible() {
            let letter = char::from(*letter);
            write!(
                f,
                "\nfor each of {extent} coordinates of {letter}: its modes have no common refinement"
            )?;
        }
        for (name, axes) in plan.groups() {
            for Axis { extent, strides, .. } in axes {
                write!(f, "\n{name} {extent}:")?;
                let named = ["A", "B", "C"].into_iter().zip(strides);
                let strides = named.filter(|&(_, &stride)| stride != 0);
                for (i, (operand, stride)) in strides.enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    write!(f, "{comma} {operand} +{stride}")?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for EinsumPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
