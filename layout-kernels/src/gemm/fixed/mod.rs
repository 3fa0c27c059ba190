//! Products of static layouts: a constant plan, and loops over its register tiles.

mod ahead;
mod choice;
mod finish;
mod held;
mod inner;
mod meet;
pub(crate) mod pack;
mod picks;
pub(crate) mod plan;
pub(crate) mod stack;
pub(crate) mod stacked;
mod tables;
mod tile;
mod tiles;
mod tiny;
mod turned;
mod whole;

use core::marker::PhantomData;

use choice::{choose, holds};
use finish::Finish;
use inner::Inner;
use layout_core::types::AnyLayout;
use plan::Plan;
use stack::Offsets;
use tables::Tiles;
use turned::Turned;
use whole::Whole;

use crate::gemm::float::{Float, sealed};
use crate::gemm::modes::Modes;
use crate::gemm::scale::{Kind, Scale};
use crate::gemm::{AsIs, Epilogue};
use crate::simd::Level;
use crate::simd::vector::{Isa, Vector};

/// A product of static layouts, as a type.
pub(crate) struct Fixed<A, B, C>(PhantomData<(A, B, C)>);

impl<A: AnyLayout, B: AnyLayout, C: AnyLayout> Fixed<A, B, C> {
    /// The modes, when all three layouts are static.
    ///
    /// Shapes that make no product have none: `gemm` itself reports them, once.
    pub(crate) const MODES: Option<Modes> = match (A::STATIC, B::STATIC, C::STATIC) {
        (Some(a), Some(b), Some(c)) => match Modes::new(&a, &b, &c) {
            Ok(modes) => Some(modes),
            Err(_) => None,
        },
        _ => None,
    };
}

/// What a kernel needs to know of a product.
pub trait Product {
    const MODES: Option<Modes>;
}

impl<A: AnyLayout, B: AnyLayout, C: AnyLayout> Product for Fixed<A, B, C> {
    const MODES: Option<Modes> = Self::MODES;
}

/// How a product of static layouts is made, when it is made in registers.
pub trait Static<X, Y, T> {
    /// Whether it is.
    const EXISTS: bool;

    /// How, at a level.
    fn kernel(level: Level) -> Option<Kernel>;

    /// See [`run`].
    ///
    /// # Safety
    ///
    /// As [`run`], for a product that exists.
    unsafe fn run<const ANY: bool>(
        level: impl FnOnce() -> Level,
        scale: &Scale<T>,
        a: *const X,
        b: *const Y,
        c: *mut T,
    );

    /// [`run`](Self::run), and whether all elements are finished by `then` as well: what has them in
    /// registers does that before they are stored.
    ///
    /// # Safety
    ///
    /// As there.
    #[inline(always)]
    unsafe fn run_then<const ANY: bool>(
        level: impl FnOnce() -> Level,
        scale: &Scale<T>,
        a: *const X,
        b: *const Y,
        c: *mut T,
        then: &impl Epilogue<T>,
    ) -> bool {
        // SAFETY: the caller's promise.
        unsafe { Self::run::<ANY>(level, scale, a, b, c) };
        keeps(then)
    }
}

/// Whether elements stay as they are.
const fn keeps<T, F: Epilogue<T>>(_: &F) -> bool {
    F::KEEPS
}

/// What makes a product of static layouts in registers.
#[derive(Clone, Copy)]
pub enum Kernel {
    /// A few multiplications in the caller.
    Written,
    /// Products of rows and columns, with so many lanes along K.
    Inner(usize),
    /// A lane for each element of C, in so many registers, and blocks of so many of them.
    Whole { block: usize, registers: usize, lanes: usize },
    /// A lane for each of so many columns of C, or rows.
    Turned(usize),
    /// Register tiles.
    Tiles(Plan),
    /// Register tiles of operands that are packed on the stack.
    Stacked,
}

/// The product `P` of floats `T`.
pub struct InRegisters<T, P>(PhantomData<(T, P)>);

impl<T: Float, P: Product> Static<T, T, T> for InRegisters<T, P> {
    const EXISTS: bool = tiny::is_tiny::<T, P>() || has_kernel::<T, P>();

    fn kernel(level: Level) -> Option<Kernel> {
        if tiny::is_tiny::<T, P>() {
            return Some(Kernel::Written);
        }
        let kernel = match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => Planned::<T, <T as sealed::Element>::Avx512, P>::KERNEL,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => Planned::<T, <T as sealed::Element>::Avx2, P>::KERNEL,
            #[cfg(target_arch = "x86_64")]
            Level::Baseline(_) => Planned::<T, <T as sealed::Element>::Sse2, P>::KERNEL,
            _ => Planned::<T, <T as sealed::Element>::Portable, P>::KERNEL,
        };
        kernel.filter(|_| has_kernel::<T, P>())
    }

    #[inline(always)]
    unsafe fn run<const ANY: bool>(
        level: impl FnOnce() -> Level,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) {
        // SAFETY: the caller's promise.
        unsafe { Self::run_then::<ANY>(level, scale, a, b, c, &AsIs) };
    }

    #[inline(always)]
    unsafe fn run_then<const ANY: bool>(
        level: impl FnOnce() -> Level,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
        then: &impl Epilogue<T>,
    ) -> bool {
        let run = const { if tiny::is_tiny::<T, P>() { None } else { Some(run::<T, P, _, ANY>) } };
        match run {
            // SAFETY: the caller's promise.
            Some(run) => unsafe { run(level(), scale, a, b, c, then) },
            None => {
                // SAFETY: the caller's promise.
                unsafe { tiny::run::<T, P>(scale, a, b, c) };
                keeps(then)
            }
        }
    }
}

/// The plan of the product `P` with the vectors `I` of elements `T`.
pub(crate) struct Planned<T, I, P>(PhantomData<(T, I, P)>);

impl<T: Float, I: Isa<T>, P: Product> Planned<T, I, P> {
    pub(crate) const PLAN: Option<Plan> = match P::MODES {
        Some(modes) => choose::<T, I>(&modes),
        None => None,
    };

    /// What [`kernel`] does.
    const KERNEL: Option<Kernel> = match Self::PLAN {
        Some(_) if Turned::<T, I, P>::FITS => Some(Kernel::Turned(I::Full::LANES)),
        Some(_) if Whole::<T, I, P>::FITS => Some(Kernel::Whole {
            block: Whole::<T, I, P>::BLOCK,
            registers: Whole::<T, I, P>::REGISTERS,
            lanes: I::Full::LANES,
        }),
        Some(_) if Inner::<T, I, P>::PAYS => Some(Kernel::Inner(Inner::<T, I, P>::LANES)),
        Some(plan) => Some(Kernel::Tiles(plan)),
        None => None,
    };

    /// The plan, or that of a product of two numbers: code for products without a plan is not
    /// reached, but its constants must exist.
    const EXPECTED: Plan = match Self::PLAN {
        Some(plan) => plan,
        None => Plan::UNIT,
    };
    /// Whether tiles hold B.
    const HOLDS: bool = holds::<T, I>(&Self::EXPECTED);
    const DIRECT: bool = !Self::EXPECTED.pack_b && !Self::EXPECTED.buffer_c;
    const MODES: &'static Modes = &match P::MODES {
        Some(modes) if Self::EXPECTED.transposed => modes.transposed(),
        Some(modes) => modes,
        None => Modes::UNIT,
    };
    const OFFSETS: &'static Offsets = &Offsets::new(Self::MODES, Self::DIRECT);
    const TILES: &'static Tiles = &Tiles::new(&Self::EXPECTED);

    /// Lanes in use of the vector at the end of n that is not full; 0 when all are.
    const fn last() -> usize {
        Self::EXPECTED.modes.n % Self::EXPECTED.lanes
    }
}

/// `C = alpha * A * B + beta * C`, for a product that has a plan; and whether all elements are
/// finished by `then` as well.
///
/// # Safety
///
/// The instructions of `I` are there. Elements of A and B can be read, and of C read and written,
/// at every offset of the layouts of `P`; nothing else accesses C meanwhile.
#[inline(always)]
unsafe fn kernel<T, I, P, F>(
    alpha: T,
    beta: T,
    kind: Kind,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool
where
    T: Float,
    I: Isa<T>,
    P: Product,
    F: Epilogue<T>,
{
    let scale = &Scale { alpha, beta, kind };
    if let Some(make) = const { in_lanes::<T, I, P>() } {
        // SAFETY: the caller's promise.
        unsafe { make(scale, a, b, c) };
        return F::KEEPS;
    }
    let Some(make) = (const { in_tiles::<T, I, P, F>() }) else { return F::KEEPS };
    let transposed = const { Planned::<T, I, P>::EXPECTED.transposed };
    let (a, b) = if transposed { (b, a) } else { (a, b) };
    // SAFETY: the caller's promise.
    unsafe { make(scale, a, b, c, &Finish::new(then, transposed)) }
}

/// A way to make a product, which is a constant and no branch: of branches, compilers evaluate the
/// constants of all, and of all that they call, which takes longer than to compile one.
type InLanes<T> = unsafe fn(&Scale<T>, *const T, *const T, *mut T);
/// As above, and whether all elements are finished as well.
type InTiles<T, F> = unsafe fn(&Scale<T>, *const T, *const T, *mut T, &Finish<'_, F>) -> bool;

/// How a product is made that has its elements of C, or of K, in lanes.
const fn in_lanes<T: Float, I: Isa<T>, P: Product>() -> Option<InLanes<T>> {
    if Turned::<T, I, P>::FITS {
        Some(turned::run::<T, I, P>)
    } else if Whole::<T, I, P>::FITS {
        Some(whole::run::<T, I, P>)
    } else if Inner::<T, I, P>::PAYS {
        Some(inner::run::<T, I, P>)
    } else {
        None
    }
}

/// How all others are made.
const fn in_tiles<T: Float, I: Isa<T>, P: Product, F: Epilogue<T>>() -> Option<InTiles<T, F>> {
    if in_lanes::<T, I, P>().is_some() {
        None
    } else if Planned::<T, I, P>::DIRECT {
        Some(tiles::all::<T, I, P, F>)
    } else {
        Some(stack::run::<T, I, P, F>)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<T: Float, P: Product, F: Epilogue<T>>(
    alpha: T,
    beta: T,
    kind: Kind,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // SAFETY: the caller's promise; this function has the instructions.
    unsafe { kernel::<T, <T as sealed::Element>::Avx512, P, F>(alpha, beta, kind, a, b, c, then) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<T: Float, P: Product, F: Epilogue<T>>(
    alpha: T,
    beta: T,
    kind: Kind,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // SAFETY: the caller's promise; this function has the instructions.
    unsafe { kernel::<T, <T as sealed::Element>::Avx2, P, F>(alpha, beta, kind, a, b, c, then) }
}

#[cfg(target_arch = "x86_64")]
unsafe fn sse2<T: Float, P: Product, F: Epilogue<T>>(
    alpha: T,
    beta: T,
    kind: Kind,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // SAFETY: the caller's promise; SSE2 is part of x86-64.
    unsafe { kernel::<T, <T as sealed::Element>::Sse2, P, F>(alpha, beta, kind, a, b, c, then) }
}

unsafe fn portable<T: Float, P: Product, F: Epilogue<T>>(
    alpha: T,
    beta: T,
    kind: Kind,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { kernel::<T, <T as sealed::Element>::Portable, P, F>(alpha, beta, kind, a, b, c, then) }
}

/// Whether [`run`] can make the product at every level.
pub(crate) const fn has_kernel<T: Float, P: Product>() -> bool {
    let all = Planned::<T, <T as sealed::Element>::Portable, P>::PLAN.is_some();
    #[cfg(target_arch = "x86_64")]
    let all = all
        && Planned::<T, <T as sealed::Element>::Avx512, P>::PLAN.is_some()
        && Planned::<T, <T as sealed::Element>::Avx2, P>::PLAN.is_some()
        && Planned::<T, <T as sealed::Element>::Sse2, P>::PLAN.is_some();
    all
}

/// `C = alpha * A * B + beta * C` with a constant plan, at any level or, when not `ANY`, at one
/// that [`Level::detect`] can answer; and whether all elements are finished by `then` as well.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the layouts of
/// `P`; nothing else accesses C meanwhile.
#[inline(always)]
pub(crate) unsafe fn run<T: Float, P: Product, F: Epilogue<T>, const ANY: bool>(
    level: Level,
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // One by one, and so in registers.
    let Scale { alpha, beta, kind } = *scale;
    match level {
        // SAFETY: the token proves the instructions; the rest is the caller's promise.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => unsafe { avx512::<T, P, _>(alpha, beta, kind, a, b, c, then) },
        // SAFETY: the token proves the instructions; the rest is the caller's promise.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => unsafe { avx2::<T, P, _>(alpha, beta, kind, a, b, c, then) },
        // SAFETY: SSE2 is part of x86-64; the rest is the caller's promise.
        #[cfg(target_arch = "x86_64")]
        Level::Baseline(_) => unsafe { sse2::<T, P, _>(alpha, beta, kind, a, b, c, then) },
        // Never reached otherwise, since `ANY` is false only for levels that `Level::detect` has
        // found.
        _ => {
            let reached = const {
                let reached = ANY || cfg!(not(target_arch = "x86_64"));
                if reached { Some(portable::<T, P, F>) } else { None }
            };
            match reached {
                // SAFETY: the caller's promise.
                Some(made) => unsafe { made(alpha, beta, kind, a, b, c, then) },
                None => true,
            }
        }
    }
}
