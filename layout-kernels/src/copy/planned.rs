//! A plan as a constant, for static layouts, or as a value.

use core::marker::PhantomData;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use super::fixed::Fixed;
use super::plan::{CopyKernel, CopyPlan, Reach};
use crate::facts::must;
use crate::place::Place;

/// A plan: a constant or a value.
///
/// What is known of a constant is said in constants, because code behind `if` of a constant that
/// is false is not compiled: each static copy of a program costs the code of its own kernel only.
pub(super) trait Planned: Copy {
    /// Whether the compiler knows the plan, and it is small.
    const CONSTANT: bool;
    /// Whether its kernel may be [`CopyKernel::Run`].
    const RUNS: bool;
    /// Whether its kernel may be [`CopyKernel::Transpose`].
    const TRANSPOSES: bool;
    /// Whether its kernel may be [`CopyKernel::Strided`].
    const STRIDES: bool;
    /// The bytes that move as one; of a value that is not known, and 0.
    const WORD: usize;
    fn plan(&self) -> &CopyPlan;
}

impl Planned for &CopyPlan {
    const CONSTANT: bool = false;
    const RUNS: bool = true;
    const TRANSPOSES: bool = true;
    const STRIDES: bool = true;
    const WORD: usize = 0;
    #[inline(always)]
    fn plan(&self) -> &CopyPlan {
        self
    }
}

/// A plan that is a constant.
pub(super) trait ConstantPlan: Copy {
    /// What is copied.
    type Element;
    const PLAN: CopyPlan;
}

impl<P: ConstantPlan> Planned for P {
    const CONSTANT: bool = matches!(P::PLAN.reach(), Reach::Near);
    const RUNS: bool = matches!(P::PLAN.kernel(), CopyKernel::Run { .. });
    const TRANSPOSES: bool = matches!(P::PLAN.kernel(), CopyKernel::Transpose { .. });
    const STRIDES: bool = matches!(P::PLAN.kernel(), CopyKernel::Strided(_));
    const WORD: usize = size_of::<P::Element>() * P::PLAN.unit();
    #[inline(always)]
    fn plan(&self) -> &CopyPlan {
        const { &P::PLAN }
    }
}

/// The plan of a copy of `T` between two static layouts, as a constant.
pub(super) struct Constant<T, S, D>(PhantomData<(T, S, D)>);

impl<T, S: Place, D: Place> Constant<T, S, D> {
    /// The layouts, when both are static. There is a value in any case, because the compiler
    /// evaluates it also for calls with other layouts, which do not come here.
    const LAYOUTS: Option<(DynLayout, DynLayout)> = match (S::LAYOUT, D::LAYOUT) {
        (Some(source), Some(destination)) => Some((source, destination)),
        _ => None,
    };

    const CHECKED: Result<CopyPlan, LayoutError> = match Self::LAYOUTS {
        Some((source, destination)) => CopyPlan::new::<T>(&source, &destination),
        None => match &Fixed::<T, S, D>::COUNT {
            Ok(_) => Ok(CopyPlan::NOTHING),
            Err(error) => Err(*error),
        },
    };

    /// Evaluated first in each public function, so that the compiler shows the line that calls it.
    pub(super) const AGREE: () = must(&Self::CHECKED);

    /// Whether one is a layout behind a swizzle. The other one is no placement then.
    pub(super) const IS_SWIZZLED: bool = {
        let swizzled = S::IS_SWIZZLED || D::IS_SWIZZLED;
        let layouts = (S::IS_LAYOUT || S::IS_SWIZZLED) && (D::IS_LAYOUT || D::IS_SWIZZLED);
        assert!(
            layouts || !swizzled,
            "a copy between a swizzled layout and a placement goes by way of a plain layout"
        );
        swizzled
    };

    /// The plan, when both layouts are static.
    pub(super) const KNOWN: Option<CopyPlan> =
        if Self::LAYOUTS.is_some() { Some(Self::PLAN) } else { None };

    /// Whether both layouts are static.
    pub(super) const EXISTS: bool = Self::LAYOUTS.is_some();

    /// The layouts, when the plan is irregular.
    pub(super) const IRREGULAR: Option<(DynLayout, DynLayout)> = match Self::PLAN.kernel() {
        CopyKernel::Irregular => Self::LAYOUTS,
        _ => None,
    };

    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T, S, D> Clone for Constant<T, S, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, S, D> Copy for Constant<T, S, D> {}

impl<T, S: Place, D: Place> ConstantPlan for Constant<T, S, D> {
    type Element = T;
    // Silent about errors, which `AGREE` has reported.
    const PLAN: CopyPlan = match Self::CHECKED {
        Ok(plan) => plan,
        Err(_) => CopyPlan::NOTHING,
    };
}
