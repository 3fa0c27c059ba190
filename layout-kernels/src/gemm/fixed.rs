//! Products of static layouts: a constant plan, and loops over its register tiles.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::types::AnyLayout;

use crate::gemm::ahead::Ahead;
use crate::gemm::choice::{choose, holds};
use crate::gemm::finish::Finish;
use crate::gemm::float::{Float, sealed};
use crate::gemm::held;
use crate::gemm::inner::{self, Inner};
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;
use crate::gemm::place::read;
use crate::gemm::plan::{MAX_EXTENT, MAX_STACK, Plan, Tile, Tiles};
use crate::gemm::tile::{Scale, Tiled, tile};
use crate::gemm::tiny;
use crate::gemm::whole::{self, Whole};
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
    /// A lane for each element of C, in so many registers of so many lanes.
    Whole(usize, usize),
    /// Register tiles.
    Tiles(Plan),
    /// Register tiles of operands that are packed on the stack.
    #[cfg(feature = "std")]
    Stacked,
}

/// The product `P` of floats `T`.
pub struct InRegisters<T, P>(PhantomData<(T, P)>);

impl<T: Float, P: Product> Static<T, T, T> for InRegisters<T, P> {
    const EXISTS: bool = tiny::is_tiny::<P>() || has_kernel::<T, P>();

    fn kernel(level: Level) -> Option<Kernel> {
        if tiny::is_tiny::<P>() {
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
        if const { tiny::is_tiny::<P>() } {
            // SAFETY: the caller's promise.
            unsafe { tiny::run::<T, P>(scale, a, b, c) };
            keeps(then)
        } else {
            // SAFETY: the caller's promise.
            unsafe { run::<T, P, ANY>(level(), scale, a, b, c, then) }
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
        Some(_) if Inner::<T, I, P>::PAYS => Some(Kernel::Inner(I::Full::LANES)),
        Some(_) if Whole::<T, I, P>::FITS => {
            Some(Kernel::Whole(Whole::<T, I, P>::C, I::Full::LANES))
        }
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

/// The offsets of the modes that are copied to and from the stack.
struct Offsets {
    bk: [usize; MAX_EXTENT],
    bn: [usize; MAX_EXTENT],
    cm: [usize; MAX_EXTENT],
    cn: [usize; MAX_EXTENT],
}

impl Offsets {
    /// The offsets, or nothing of use for a plan that copies nothing.
    const fn new(modes: &Modes, direct: bool) -> Self {
        let modes = if direct { &Modes::UNIT } else { modes };
        Self {
            bk: offsets(&modes.bk),
            bn: offsets(&modes.bn),
            cm: offsets(&modes.cm),
            cn: offsets(&modes.cn),
        }
    }
}

/// A tile of a plan: the full one, or at the end of m, or of n.
struct TileOf<T, I, P, const M_END: bool, const N_END: bool>(PhantomData<(T, I, P)>);

impl<T: Float, I: Isa<T>, P: Product, const M_END: bool, const N_END: bool> Tiled
    for TileOf<T, I, P, M_END, N_END>
{
    const TILE: &'static Tile = &Tile::new(&Planned::<T, I, P>::EXPECTED, M_END, N_END);
}

/// All tiles of a row of tiles, from the top of C to its end.
///
/// # Safety
///
/// As [`kernel`], with `b` and `c` at the first column of the tiles.
#[inline(always)]
unsafe fn column<T, I, P, V, W, F, const N_END: bool>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
    ahead: &mut Ahead,
) where
    T: Float,
    I: Isa<T>,
    P: Product,
    V: Vector<Element = T>,
    W: Vector<Element = T>,
    F: Epilogue<T>,
{
    let tiles = const { Planned::<T, I, P>::TILES };
    if const { Planned::<T, I, P>::HOLDS } {
        type End<T, I, P, const N_END: bool> = TileOf<T, I, P, true, N_END>;
        // SAFETY: the caller's promise.
        return unsafe {
            held::column::<T, I, V, F, TileOf<T, I, P, false, N_END>, End<T, I, P, N_END>>(
                scale, tiles, a, b, c, finish, ahead,
            )
        };
    }
    let mut i = 0;
    while const { Planned::<T, I, P>::TILES.m_blocks > 0 } && i < tiles.m_blocks {
        // SAFETY: the places of the first elements of tile `i`.
        let (a, c) = unsafe { at(a, tiles.am.at(i), c, tiles.cm.at(i)) };
        let finish = finish.below(i * const { Planned::<T, I, P>::EXPECTED.rows });
        // SAFETY: a tile of the product, by the caller's promise.
        unsafe {
            tile::<T, V, W, F, TileOf<T, I, P, false, N_END>>(scale, a, b, c, &finish, ahead);
        };
        i += 1;
    }
    if const { Planned::<T, I, P>::TILES.m_rest > 0 } {
        // SAFETY: the places of the first elements of the tile at the end.
        let (a, c) = unsafe { at(a, tiles.am.at(i), c, tiles.cm.at(i)) };
        let finish = finish.below(i * const { Planned::<T, I, P>::EXPECTED.rows });
        // SAFETY: a tile of the product, by the caller's promise.
        unsafe {
            tile::<T, V, W, F, TileOf<T, I, P, true, N_END>>(scale, a, b, c, &finish, ahead);
        };
    }
}

/// All tiles.
///
/// # Safety
///
/// As [`kernel`], for the product as the plan sees it: transposed, copied to the stack.
#[inline(always)]
unsafe fn tiles<T, I, P, V, F>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
) where
    F: Epilogue<T>,
    T: Float,
    I: Isa<T>,
    P: Product,
    V: Vector<Element = T>,
{
    let tiles = const { Planned::<T, I, P>::TILES };
    let mut ahead = Ahead::new(a, b, c.cast_const());
    let mut j = 0;
    while const { Planned::<T, I, P>::TILES.n_blocks > 0 } && j < tiles.n_blocks {
        // SAFETY: the places of the first elements of this column of tiles.
        let (b, c) = unsafe { at(b, tiles.bn.at(j), c, tiles.cn.at(j)) };
        let finish = finish.right_of(
            j * const { Planned::<T, I, P>::EXPECTED.vectors * Planned::<T, I, P>::EXPECTED.lanes },
        );
        // SAFETY: tiles of the product, by the caller's promise.
        unsafe { column::<T, I, P, V, V, F, false>(scale, a, b, c, &finish, &mut ahead) };
        j += 1;
    }
    if const { Planned::<T, I, P>::TILES.n_rest > 0 } {
        // SAFETY: the places of the first elements of this column of tiles.
        let (b, c) = unsafe { at(b, tiles.bn.at(j), c, tiles.cn.at(j)) };
        let finish = finish.right_of(
            j * const { Planned::<T, I, P>::EXPECTED.vectors * Planned::<T, I, P>::EXPECTED.lanes },
        );
        // The narrowest vector that holds what is left.
        if const { Planned::<T, I, P>::last() <= I::Quarter::LANES } {
            // SAFETY: tiles of the product, by the caller's promise.
            unsafe {
                column::<T, I, P, V, I::Quarter, F, true>(scale, a, b, c, &finish, &mut ahead)
            };
        } else if const { Planned::<T, I, P>::last() <= I::Half::LANES } {
            // SAFETY: tiles of the product, by the caller's promise.
            unsafe { column::<T, I, P, V, I::Half, F, true>(scale, a, b, c, &finish, &mut ahead) };
        } else {
            // SAFETY: tiles of the product, by the caller's promise.
            unsafe { column::<T, I, P, V, V, F, true>(scale, a, b, c, &finish, &mut ahead) };
        }
    }
}

/// [`tiles`] with the vectors of the plan's width.
///
/// # Safety
///
/// As [`tiles`].
#[inline(always)]
unsafe fn widths<T, I, P, F>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
) where
    F: Epilogue<T>,
    T: Float,
    I: Isa<T>,
    P: Product,
{
    // Conditions that are constants by themselves, here and for tiles at the ends: the other
    // branches are not even compiled.
    if const { Planned::<T, I, P>::EXPECTED.lanes == I::Full::LANES } {
        // SAFETY: the caller's promise.
        unsafe { tiles::<T, I, P, I::Full, F>(scale, a, b, c, finish) };
    } else if const { Planned::<T, I, P>::EXPECTED.lanes == I::Half::LANES } {
        // SAFETY: the caller's promise.
        unsafe { tiles::<T, I, P, I::Half, F>(scale, a, b, c, finish) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { tiles::<T, I, P, I::Quarter, F>(scale, a, b, c, finish) };
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
    scale: &Scale<T>,
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
    if const { Inner::<T, I, P>::PAYS } {
        // SAFETY: the caller's promise.
        unsafe { inner::run::<T, I, P>(scale, a, b, c) };
        return F::KEEPS;
    }
    if const { Whole::<T, I, P>::FITS } {
        // SAFETY: the caller's promise.
        unsafe { whole::run::<T, I, P>(scale, a, b, c) };
        return F::KEEPS;
    }
    let plan = const { &Planned::<T, I, P>::EXPECTED };
    let (a, b) = if plan.transposed { (b, a) } else { (a, b) };
    let finish = Finish::new(then, plan.transposed);
    if const { Planned::<T, I, P>::DIRECT } {
        // SAFETY: the caller's promise.
        unsafe { widths::<T, I, P, F>(scale, a, b, c, &finish) };
        return true;
    }
    let modes = const { Planned::<T, I, P>::MODES };
    let tables = const { Planned::<T, I, P>::OFFSETS };
    let width = modes.n.next_multiple_of(plan.lanes);
    let mut packed = MaybeUninit::<[T; MAX_STACK]>::uninit();
    let mut b = b;
    if const { Planned::<T, I, P>::EXPECTED.pack_b } {
        let to = packed.as_mut_ptr().cast::<T>();
        // SAFETY: B can be read at the offsets of its modes, and the plan says that `k` rows of
        // `width` elements fit `MAX_STACK`.
        unsafe {
            T::pack(b, tables.bn.split_at(modes.n).0, tables.bk.split_at(modes.k).0, to, width)
        };
        b = to;
    }
    if const { Planned::<T, I, P>::EXPECTED.buffer_c } {
        let mut product = MaybeUninit::<[T; MAX_STACK]>::uninit();
        let to = product.as_mut_ptr().cast::<T>();
        // SAFETY: the plan says that `m` rows of `width` elements fit `MAX_STACK`; C is not read.
        unsafe {
            let finish = Finish::new(&AsIs, false);
            widths::<T, I, P, AsIs>(&Scale::new(T::ONE, T::ZERO), a, b, to, &finish);
        };
        // SAFETY: all rows of the product are written now; C is the caller's promise.
        unsafe {
            T::unpack(
                scale,
                to,
                width,
                c,
                tables.cm.split_at(modes.m).0,
                tables.cn.split_at(modes.n).0,
            )
        };
        return F::KEEPS;
    }
    // SAFETY: the caller's promise, and B is packed as the plan's modes say.
    unsafe { widths::<T, I, P, F>(scale, a, b, c, &finish) };
    true
}

/// A place of an operand and one of C, moved.
///
/// # Safety
///
/// Both stay within what they point into.
#[inline(always)]
unsafe fn at<T>(p: *const T, i: usize, c: *mut T, j: usize) -> (*const T, *mut T) {
    // SAFETY: the caller's promise.
    let p = unsafe { p.add(i) };
    // SAFETY: the caller's promise.
    let c = unsafe { c.add(j) };
    (p, c)
}

/// The offsets of a mode that is not longer than [`MAX_EXTENT`].
pub(crate) const fn offsets(mode: &Mode) -> [usize; MAX_EXTENT] {
    let (mut table, mut i) = ([0; MAX_EXTENT], 0);
    while i < mode.size() && i < MAX_EXTENT {
        table[i] = mode.offset(i);
        i += 1;
    }
    table
}

/// `C = alpha * product + beta * C` for a product in rows of `width` elements.
///
/// # Safety
///
/// The product can be read, and C read and written at the sum of any two offsets.
pub(crate) unsafe fn unpack<T: Float>(
    scale: &Scale<T>,
    product: *const T,
    width: usize,
    c: *mut T,
    rows: &[usize],
    columns: &[usize],
) {
    for (row, &start) in rows.iter().enumerate() {
        for (column, &offset) in columns.iter().enumerate() {
            // SAFETY: `column < width`, in a row of the product.
            let sum = unsafe { read(product, row * width + column) };
            // SAFETY: an offset of C.
            let place = unsafe { c.add(start + offset) };
            // SAFETY: as above.
            unsafe { scale.store(sum, place) };
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<T: Float, P: Product, F: Epilogue<T>>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // SAFETY: the caller's promise; this function has the instructions.
    unsafe { kernel::<T, <T as sealed::Element>::Avx512, P, F>(scale, a, b, c, then) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<T: Float, P: Product, F: Epilogue<T>>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // SAFETY: the caller's promise; this function has the instructions.
    unsafe { kernel::<T, <T as sealed::Element>::Avx2, P, F>(scale, a, b, c, then) }
}

#[cfg(target_arch = "x86_64")]
unsafe fn sse2<T: Float, P: Product, F: Epilogue<T>>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // SAFETY: the caller's promise; SSE2 is part of x86-64.
    unsafe { kernel::<T, <T as sealed::Element>::Sse2, P, F>(scale, a, b, c, then) }
}

unsafe fn portable<T: Float, P: Product, F: Epilogue<T>>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &F,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { kernel::<T, <T as sealed::Element>::Portable, P, F>(scale, a, b, c, then) }
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
pub(crate) unsafe fn run<T: Float, P: Product, const ANY: bool>(
    level: Level,
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    then: &impl Epilogue<T>,
) -> bool {
    match level {
        // SAFETY: the token proves the instructions; the rest is the caller's promise.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => unsafe { avx512::<T, P, _>(scale, a, b, c, then) },
        // SAFETY: the token proves the instructions; the rest is the caller's promise.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => unsafe { avx2::<T, P, _>(scale, a, b, c, then) },
        // SAFETY: SSE2 is part of x86-64; the rest is the caller's promise.
        #[cfg(target_arch = "x86_64")]
        Level::Baseline(_) => unsafe { sse2::<T, P, _>(scale, a, b, c, then) },
        // SAFETY: the caller's promise.
        _ if const { ANY || cfg!(not(target_arch = "x86_64")) } => unsafe {
            portable::<T, P, _>(scale, a, b, c, then)
        },
        // Never reached, since `ANY` is false only for levels that `Level::detect` has found.
        _ => true,
    }
}
