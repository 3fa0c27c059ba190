//! Operands without runs: B is packed on the stack, and C is made there.

use core::mem::MaybeUninit;

use crate::gemm::fixed::finish::Finish;
use crate::gemm::fixed::plan::{MAX_EXTENT, MAX_STACK};
use crate::gemm::fixed::{Planned, Product, tiles};
use crate::gemm::float::Float;
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;
use crate::gemm::place::read;
use crate::gemm::scale::Scale;
use crate::gemm::{AsIs, Epilogue};
use crate::simd::vector::Isa;

/// The offsets of the modes that are copied to and from the stack.
pub(crate) struct Offsets {
    bk: [usize; MAX_EXTENT],
    bn: [usize; MAX_EXTENT],
    cm: [usize; MAX_EXTENT],
    cn: [usize; MAX_EXTENT],
}

impl Offsets {
    /// The offsets, or nothing of use for a plan that copies nothing.
    pub(crate) const fn new(modes: &Modes, direct: bool) -> Self {
        let modes = if direct { &Modes::UNIT } else { modes };
        Self {
            bk: offsets(&modes.bk),
            bn: offsets(&modes.bn),
            cm: offsets(&modes.cm),
            cn: offsets(&modes.cn),
        }
    }
}

/// `C = alpha * A * B + beta * C`, with B packed, or C made, on the stack first; and whether all
/// elements are finished as well.
///
/// # Safety
///
/// As [`kernel`](super::kernel), for the product as the plan sees it: transposed.
#[inline(always)]
pub(crate) unsafe fn run<T: Float, I: Isa<T>, P: Product, F: Epilogue<T>>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
) -> bool {
    let plan = const { &Planned::<T, I, P>::EXPECTED };
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
            tiles::all::<T, I, P, AsIs>(&Scale::new(T::ONE, T::ZERO), a, b, to, &finish);
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
    unsafe { tiles::all::<T, I, P, F>(scale, a, b, c, finish) }
}

/// The offsets of a mode that is not longer than [`MAX_EXTENT`].
const fn offsets(mode: &Mode) -> [usize; MAX_EXTENT] {
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
