//! Constant plans, for static layouts.
//!
//! A static copy is a constant plan, run by the shared code of this crate. Only a copy of a few words
//! is a list of moves instead, which the compiler fully unrolls into the caller.

use core::marker::PhantomData;
use core::ptr;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use super::bit_permutation::BitPermutation;
use super::exec::{Step, exec_of, exec_step, is_plain_data};
use super::fixed::Fixed;
use super::plan::{Caching, CopyKernel, CopyPlan};
use super::refine::{Loop, nth_inner};
use crate::checks::const_unwrap;
use crate::place::Place;
use crate::simd::Level;
use crate::transpose::{Block, HAS_REGISTERS, StridedRows, transpose_small};

/// Limits of a fully unrolled copy: moves, bytes per move if there are several, and total bytes.
const MAX_MOVES: usize = 64;
const MAX_MOVE_BYTES: usize = 128;
const MAX_TOTAL_BYTES: usize = 1 << 10;

/// Maximum 4-byte words of a small block; half as many if words have 8 bytes.
const MAX_BLOCK_WORDS: usize = 128;

/// A small copy: all its loops, and the bytes of a move in the innermost loop.
pub(super) struct Moves {
    loops: [Loop; 4],
    bytes: usize,
}

impl Moves {
    /// The moves of a plan. `None` if there are too many.
    const fn of(plan: &CopyPlan) -> Option<Self> {
        let size = plan.element_bytes();
        let (bytes, inner) = match plan.kernel() {
            CopyKernel::Nothing | CopyKernel::Irregular => return None,
            CopyKernel::Run { elements } => (elements.saturating_mul(size), [Loop::ONCE; 2]),
            CopyKernel::Transpose { columns, rows } => (plan.word(), [columns, rows]),
            CopyKernel::Strided(inner) => (size, [Loop::ONCE, inner]),
        };
        let outer = plan.loops();
        if outer.len() > 2 || size == 0 || !matches!(plan.caching(), Caching::Direct) {
            return None;
        }
        let loops = [nth_inner(outer, 1), nth_inner(outer, 0), inner[0], inner[1]];
        let (mut count, mut k) = (1usize, 0);
        while k < loops.len() {
            count = count.saturating_mul(loops[k].extent);
            k += 1;
        }
        let few = count <= MAX_MOVES && bytes <= MAX_MOVE_BYTES && count * bytes <= MAX_TOTAL_BYTES;
        if count == 1 || few { Some(Self { loops, bytes }) } else { None }
    }
}

/// Whether a plan is a single small block that 16-byte tiles cover exactly.
const fn is_small_block(plan: &CopyPlan) -> bool {
    let CopyKernel::Transpose { columns, rows } = plan.kernel() else { return false };
    let (word, all) = (plan.word(), rows.extent.saturating_mul(columns.extent));
    plan.loops().is_empty()
        && (word == 4 && all <= MAX_BLOCK_WORDS || word == 8 && all <= MAX_BLOCK_WORDS / 2)
        && (rows.extent * word).is_multiple_of(16)
        && (columns.extent * word).is_multiple_of(16)
}

/// A plan known at compile time.
pub(super) trait ConstantPlan {
    /// Element type of the copy.
    type Element;
    const PLAN: CopyPlan;
    /// The moves, if the copy is small.
    const MOVES: Option<Moves> = Moves::of(&Self::PLAN);
    /// The step, if the plan is a single step.
    const STEP: Option<Step> = Step::all_of(&Self::PLAN);
    /// The bit permutation, if the plan is one and runs in one pass.
    const BIT_PERMUTATION: Option<BitPermutation> = match Self::PLAN.caching() {
        Caching::Direct if Self::PLAN.permutes_bits() => BitPermutation::of(&Self::PLAN),
        _ => None,
    };
}

/// Runs a constant plan that is not [`CopyKernel::Irregular`].
///
/// # Safety
///
/// Same conditions as [`exec`](super::exec::exec), for elements of type `T`.
#[inline(always)]
pub(super) unsafe fn run<T: Copy + 'static, P: ConstantPlan<Element = T>>(
    level: Level,
    source: *const T,
    destination: *mut T,
) {
    if const { HAS_REGISTERS && is_small_block(&P::PLAN) } && is_plain_data::<T>() {
        let CopyKernel::Transpose { columns, rows } = (const { P::PLAN.kernel() }) else { return };
        let word = const { P::PLAN.word() };
        let block = Block {
            source: StridedRows {
                start: source.cast(),
                stride_bytes: rows.source * size_of::<T>(),
            },
            destination: StridedRows {
                start: destination.cast(),
                stride_bytes: columns.destination * size_of::<T>(),
            },
            rows: rows.extent,
            columns: columns.extent,
            word,
            total_bytes: 0,
        };
        // SAFETY: guaranteed by the caller; the plan is one block that 16-byte tiles cover exactly.
        return unsafe {
            match word {
                4 => transpose_small::<4>(16, block),
                _ => transpose_small::<8>(16, block),
            }
        };
    }
    let Some(moves) = (const { &P::MOVES }) else {
        if is_plain_data::<T>()
            && let Some(permutation) = const { &P::BIT_PERMUTATION }
            // SAFETY: guaranteed by the caller; elements are plain data.
            && unsafe { permutation.run(level, source.cast(), destination.cast()) }
        {
            return;
        }
        // SAFETY: guaranteed by the caller, see `# Safety`.
        return unsafe {
            match const { &P::STEP } {
                Some(step) => {
                    exec_step(level, step, is_plain_data::<T>(), source.cast(), destination.cast());
                }
                None => exec_of(level, const { &P::PLAN }, source, destination),
            }
        };
    };
    let [l0, l1, l2, l3] = moves.loops;
    for i in 0..l0.extent {
        for j in 0..l1.extent {
            for k in 0..l2.extent {
                for l in 0..l3.extent {
                    let s = i * l0.source + j * l1.source + k * l2.source + l * l3.source;
                    let d = i * l0.destination
                        + j * l1.destination
                        + k * l2.destination
                        + l * l3.destination;
                    let (from, to) = (source.wrapping_add(s), destination.wrapping_add(d));
                    // SAFETY: elements at offsets of the plan.
                    unsafe { ptr::copy_nonoverlapping(from.cast(), to.cast::<u8>(), moves.bytes) };
                }
            }
        }
    }
}

/// The constant plan of a copy of `T` between two static layouts.
pub(super) struct Constant<T, S, D>(PhantomData<(T, S, D)>);

impl<T, S: Place, D: Place> Constant<T, S, D> {
    /// The layouts, if both are static. An `Option`, because the compiler also evaluates this for
    /// calls with other layouts, which never use it.
    const LAYOUTS: Option<(DynLayout, DynLayout)> = match (S::LAYOUT, D::LAYOUT) {
        (Some(source), Some(destination)) => Some((source, destination)),
        _ => None,
    };

    const RESULT: Result<CopyPlan, LayoutError> = match (&S::LAYOUT, &D::LAYOUT) {
        (Some(source), Some(destination)) => CopyPlan::new::<T>(source, destination),
        _ => match Fixed::<T, S, D>::result() {
            Ok(_) => Ok(CopyPlan::nothing()),
            Err(error) => Err(error),
        },
    };

    /// Evaluated first in each public function, so that a compile error shows the line of the call.
    pub(super) const CHECK_SHAPES: () = const_unwrap(&Self::RESULT);

    /// Whether one side is a layout behind a swizzle. The other side must not be a placement then.
    pub(super) const IS_SWIZZLED: bool = {
        let swizzled = S::IS_SWIZZLED || D::IS_SWIZZLED;
        let layouts = (S::IS_LAYOUT || S::IS_SWIZZLED) && (D::IS_LAYOUT || D::IS_SWIZZLED);
        assert!(
            layouts || !swizzled,
            "a copy between a swizzled layout and a placement goes by way of a plain layout"
        );
        swizzled
    };

    /// Whether both layouts are static.
    pub(super) const IS_STATIC: bool = S::LAYOUT.is_some() && D::LAYOUT.is_some();

    /// The plan, if both layouts are static.
    pub(super) const STATIC_PLAN: Option<CopyPlan> =
        if Self::IS_STATIC { Some(Self::PLAN) } else { None };

    /// The layouts, if the plan is irregular.
    pub(super) const IRREGULAR: Option<(DynLayout, DynLayout)> = match Self::PLAN.kernel() {
        CopyKernel::Irregular => Self::LAYOUTS,
        _ => None,
    };
}

impl<T, S: Place, D: Place> ConstantPlan for Constant<T, S, D> {
    type Element = T;
    // Ignores errors, which `CHECK_SHAPES` has reported.
    const PLAN: CopyPlan = match Self::RESULT {
        Ok(plan) => plan,
        Err(_) => CopyPlan::nothing(),
    };
}

#[cfg(test)]
mod tests {
    use layout_core::types::{Cons, Layout, Nil, StaticLayout};
    use typenum::consts::*;

    use super::*;

    type Two<A, B> = Cons<A, Cons<B, Nil>>;
    type Three<A, B, C> = Cons<A, Two<B, C>>;

    /// Checks that the plan of static layouts equals the plan of the same layouts parsed from text.
    fn agrees<S: StaticLayout, D: StaticLayout>(source: &str, destination: &str) {
        let layout = |text| DynLayout::parse(text).unwrap();
        let (s, d) = (layout(source), layout(destination));
        assert_eq!((S::LAYOUT, D::LAYOUT), (s, d));
        assert_eq!(Constant::<u8, S, D>::PLAN, CopyPlan::new::<u8>(&s, &d).unwrap());
        assert_eq!(Constant::<f64, S, D>::PLAN, CopyPlan::new::<f64>(&s, &d).unwrap());
        let text = Constant::<f32, S, D>::PLAN.to_string();
        assert_eq!(text, CopyPlan::new::<f32>(&s, &d).unwrap().to_string());
    }

    #[test]
    fn static_plans_are_dynamic_plans() {
        type Rows = Layout<Two<U1000, U512>, Two<U512, U1>>;
        type Columns = Layout<Two<U1000, U512>, Two<U1, U1000>>;
        agrees::<Rows, Columns>("(1000,512):(512,1)", "(1000,512):(1,1000)");
        agrees::<Rows, Rows>("(1000,512):(512,1)", "(1000,512):(512,1)");
        type Planes = Layout<Three<U3, U8, U5>, Three<U40, U5, U1>>;
        type Pixels = Layout<Three<U3, U8, U5>, Three<U1, U15, U3>>;
        agrees::<Planes, Pixels>("(3,8,5):(40,5,1)", "(3,8,5):(1,15,3)");
        agrees::<Pixels, Planes>("(3,8,5):(1,15,3)", "(3,8,5):(40,5,1)");
        type Tile = Layout<Two<U6, Two<U4, U2>>, Two<U4, Two<U1, U24>>>;
        type Flat = Layout<Two<U6, U8>, Two<U8, U1>>;
        agrees::<Tile, Flat>("(6,(4,2)):(4,(1,24))", "(6,8):(8,1)");
        type Every = Layout<Two<U6, U8>, Two<U2, U16>>;
        agrees::<Every, Flat>("(6,8):(2,16)", "(6,8):(8,1)");
    }
}
