//! Products of complex numbers: one product of real matrices, by the kernels of real numbers.
//!
//! A complex matrix is a real one with a mode more, of extent 2 and stride 1. With `c` for the component
//! of the sum over k and `d` for that of the result,
//!
//! ```text
//! C(d m, n) = sum over k and c of E(d m, c k) * O(c k, n)
//! E(m, k) = [re -im]      in rows d and columns c
//!           [im  re]
//! ```
//!
//! so that C and one operand O are read and written where they are, and only the other operand E is
//! packed, in blocks along K, each number as four. That is as many multiplications as complex products
//! have. E is the operand that has the consecutive mode of C: the result is then runs of real
//! numbers. `alpha` goes into E.

use core::ops::Neg;

use layout_core::engine::DynLayout;
#[cfg(feature = "std")]
use layout_core::error::LayoutError;
#[cfg(feature = "std")]
use layout_core::types::Algebra as _;
use num_complex::Complex;

use crate::gemm::exec;
use crate::gemm::exec::arguments::{Arguments, Finished};
use crate::gemm::exec::elements;
#[cfg(feature = "std")]
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::float::Float;
use crate::gemm::float::sealed::Sum;
use crate::gemm::inlined::{Never, Product};
use crate::gemm::multiply::{Multiply, sealed};
#[cfg(feature = "std")]
use crate::gemm::place::{read, write};
use crate::gemm::plan::Way;
#[cfg(feature = "std")]
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::{Kind, Scale};
use crate::par::Par;
use crate::simd::Level;

/// Bytes of E that are packed at a time, and the fewest steps along K: C is read and written again
/// for each block.
#[cfg(feature = "std")]
const PACKED_BYTES: usize = 8 << 20;
#[cfg(feature = "std")]
const FEWEST_STEPS: usize = 64;
/// Bytes of operands that are packed at once.
#[cfg(feature = "std")]
const SMALL_BYTES: usize = 1 << 20;
/// Rows of E that are packed together: as many streams are read.
#[cfg(feature = "std")]
const TOGETHER: usize = 16;
/// Products of fewer multiplications are made one element after the other.
#[cfg(feature = "std")]
const FEW: usize = 64;

macro_rules! complex {
    ($($t:ty),+) => {$(
        impl Sum for Complex<$t> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            const ONE: Self = Complex::new(1.0, 0.0);
            const ASSIGN: &'static Scale<Self> =
                &Scale { alpha: Self::ONE, beta: Self::ZERO, kind: Kind::Assign };

            #[inline(always)]
            fn times(self, n: usize) -> Self {
                self * n as $t
            }

            #[inline(always)]
            fn times_plus(self, x: Self, y: Self) -> Self {
                self * x + y
            }
        }

        impl sealed::Sealed<Complex<$t>> for Complex<$t> {}

        impl Multiply<Complex<$t>> for Complex<$t> {
            type Sum = Complex<$t>;
            type Static<P: Product> = Never;

            #[inline(always)]
            fn times(x: Self, y: Self) -> Self {
                x * y
            }

            fn way(level: Level, layouts: [&DynLayout; 3]) -> Way {
                way::<$t>(level, layouts)
            }

            fn peak(level: Level, turns: usize) -> usize {
                <$t as Multiply>::peak(level, turns)
            }

            unsafe fn at_once(strided: &Strided, matrices: &Matrices<'_>, par: Par) -> bool {
                // SAFETY: as required here.
                unsafe { run_strided::<$t>(strided, matrices, par) }
            }

            unsafe fn of_static(level: Level, arguments: &Arguments<'_, Self, Self, Self>) {
                // SAFETY: as required here.
                unsafe { exec::of_static(level, arguments) };
            }

            unsafe fn product(level: Level, arguments: &Arguments<'_, Self, Self, Self>) {
                // SAFETY: as required here.
                unsafe { run::<$t>(level, arguments) };
            }
        }
    )+};
}
complex!(f32, f64);

/// How the product of real matrices is made.
#[cfg(feature = "std")]
fn way<T: Float>(level: Level, layouts: [&DynLayout; 3]) -> Way {
    match Real::new(layouts) {
        Ok(real) => {
            let packed = real.packed(real.k.size());
            T::way(level, [&packed, &real.o, &real.c])
        }
        Err(_) => Way::Plain,
    }
}

#[cfg(not(feature = "std"))]
fn way<T: Float>(_: Level, _: [&DynLayout; 3]) -> Way {
    Way::Plain
}

/// `C = alpha * A * B + beta * C`, for each product of a batch.
///
/// # Safety
///
/// As [`exec::run`](crate::gemm::exec::run).
unsafe fn run<T: Float + Neg<Output = T>>(
    #[cfg_attr(not(feature = "std"), expect(unused, reason = "elements need no instructions"))]
    level: Level,
    arguments: &Arguments<'_, Complex<T>, Complex<T>, Complex<T>>,
) where
    Complex<T>: Multiply<Complex<T>, Sum = Complex<T>> + Sum,
{
    let Arguments { layouts, scale, finish, .. } = *arguments;
    #[cfg(feature = "std")]
    let real = Real::new(layouts).ok().filter(|real| {
        let work = real.m.size() * real.k.size() * real.n;
        scale.alpha != Sum::ZERO && work >= FEW
    });
    for index in 0..arguments.products() {
        let elements = arguments.of_product(index);
        // SAFETY: as required here, for one product.
        unsafe {
            #[cfg(feature = "std")]
            match &real {
                Some(real) => real.run(level, layouts, scale, elements, arguments.par),
                None => elements::run(layouts, scale, elements, Multiply::times),
            }
            #[cfg(not(feature = "std"))]
            elements::run(layouts, scale, elements, Multiply::times);
        }
        if let Some(finish) = finish {
            Finished::whole(layouts[2], elements.2.cast(), |part| finish(index, part));
        }
    }
}

/// A product of small matrices with one distance along each mode, all at once; says whether it did. Of
/// layouts nothing is asked, which would take longer than such a product.
///
/// # Safety
///
/// As [`exec::at_once`](crate::gemm::exec::at_once).
#[cfg(feature = "std")]
unsafe fn run_strided<T: Float + Neg<Output = T>>(
    strided: &Strided,
    matrices: &Matrices<'_>,
    par: Par,
) -> bool
where
    Complex<T>: Sum,
{
    let Matrices { level, scale, a, b, c, finish } = *matrices;
    let (a, b) = (a.cast::<Complex<T>>(), b.cast::<Complex<T>>());
    // SAFETY: the matrices are of these elements.
    let scale = unsafe { scale.of::<Complex<T>>() };
    let (along_m, along_n) = (strided.runs_along_m(), strided.runs_along_n());
    let of_b = along_n && (!along_m || strided.n < strided.m);
    let (s, e, o) = if of_b { (strided.transposed(), b, a) } else { (*strided, a, b) };
    // Where steps along K are neighbours, so are all components.
    let in_place = s.bk == 1 || s.k == 1;
    let packed_e = 4 * s.m * s.k;
    let packed_o = if in_place { 0 } else { 2 * s.k * s.n };
    let bytes = (packed_e + packed_o).saturating_mul(size_of::<T>());
    if !(along_m || along_n) || scale.beta.im != T::ZERO || bytes > SMALL_BYTES {
        return false;
    }
    let rows = 2 * s.m;
    let real = Strided {
        m: rows,
        n: s.n,
        k: 2 * s.k,
        am: 1,
        ak: rows,
        bk: 1,
        bn: if in_place { 2 * s.bn } else { 2 * s.k },
        cm: 1,
        cn: 2 * s.cn,
    };
    with_scratch(2, bytes, |room| {
        let (e_room, unit) = (room.cast::<T>(), scale.alpha == Sum::ONE);
        for k in 0..s.k {
            for m in 0..s.m {
                // SAFETY: an element of E.
                let x = unsafe { read(e, m * s.am + k * s.ak) };
                let x = if unit { x } else { scale.alpha.times_plus(x, Sum::ZERO) };
                // SAFETY: the memory has a place for each number of E, as four.
                unsafe { write_four(e_room, 2 * rows * k + 2 * m, rows, x) };
            }
        }
        let mut o_start = o.cast::<T>();
        if !in_place {
            let o_room = e_room.wrapping_add(packed_e).cast::<Complex<T>>();
            for k in 0..s.k {
                for n in 0..s.n {
                    // SAFETY: an element of O, and its place behind those of E.
                    unsafe { write(o_room, n * s.k + k, read(o, k * s.bk + n * s.bn)) };
                }
            }
            o_start = o_room.cast::<T>().cast_const();
        }
        let scale = &Scale::new(T::ONE, scale.beta.re);
        let (a, b, c) = (e_room.cast_const(), o_start, c.cast::<T>());
        let matrices = Matrices::new(level, scale, (a, b, c), None);
        // SAFETY: the packed operands are as large; C is two real numbers for each complex one.
        unsafe {
            if !T::at_once(&real, &matrices, par) {
                let matrix = |m, n, down, across| {
                    // Parts of what was packed, or of layouts that there are.
                    DynLayout::strided(&[m, n], &[down, across]).unwrap_or(DynLayout::UNIT)
                };
                let layouts = [
                    &matrix(real.m, real.k, real.am, real.ak),
                    &matrix(real.k, real.n, real.bk, real.bn),
                    &matrix(real.m, real.n, real.cm, real.cn),
                ];
                T::product(
                    level,
                    &Arguments { layouts, batch: &[], scale, a, b, c, par, finish: None },
                );
            }
        }
    });
    if let Some(finish) = finish {
        let (m, n) = (Mode::leaf(strided.m, strided.cm), Mode::leaf(strided.n, strided.cn));
        finish(&Finished::all([&m, &n], c, &|i| m.offset(i), &|i| n.offset(i)));
    }
    true
}

#[cfg(not(feature = "std"))]
unsafe fn run_strided<T>(_: &Strided, _: &Matrices<'_>, _: Par) -> bool {
    false
}

/// Writes `re im` of a number, and `-im re` so many places behind.
///
/// # Safety
///
/// These places can be written.
#[cfg(feature = "std")]
#[inline(always)]
unsafe fn write_four<T: Float + Neg<Output = T>>(
    to: *mut T,
    at: usize,
    next: usize,
    x: Complex<T>,
) {
    // SAFETY: as required here.
    unsafe {
        write(to, at, x.re);
        write(to, at + 1, x.im);
        write(to, at + next, -x.im);
        write(to, at + next + 1, x.re);
    }
}

/// The product of real matrices.
#[cfg(feature = "std")]
struct Real {
    /// Whether B is packed, and everything is transposed.
    of_b: bool,
    /// The modes of the operand that is packed, and the extent that it does not have.
    m: Mode,
    k: Mode,
    n: usize,
    /// The other operand, (K, N), and C, (M, N), as real matrices.
    o: DynLayout,
    c: DynLayout,
    /// The stride of a step along K in the other operand, if there is one.
    step: Option<usize>,
}

#[cfg(feature = "std")]
impl Real {
    fn new([a, b, c]: [&DynLayout; 3]) -> Result<Self, LayoutError> {
        let runs = |i: usize| {
            let mode = Mode::of(c, i);
            mode.size() <= 1 || mode.strides().first() == Some(&1)
        };
        // The smaller one, where C has runs along both modes, or along none.
        let of_b = match (runs(0), runs(1)) {
            (true, false) => false,
            (false, true) => true,
            _ => b.size() < a.size(),
        };
        let [(m, k), (o_k, o_n)] = match of_b {
            false => [(Mode::of(a, 0), Mode::of(a, 1)), (Mode::of(b, 0), Mode::of(b, 1))],
            true => [(Mode::of(b, 1), Mode::of(b, 0)), (Mode::of(a, 1), Mode::of(a, 0))],
        };
        let [c_m, c_n] = [Mode::of(c, of_b as usize), Mode::of(c, !of_b as usize)];
        let step = match o_k.strides() {
            [] => Some(0),
            [step] => Some(*step),
            _ => None,
        };
        let o = DynLayout::tuple(&[with_components(&o_k)?, real(&o_n)?])?;
        let c = DynLayout::tuple(&[with_components(&c_m)?, real(&c_n)?])?;
        // Sizes of a packed block are numbers, too.
        DynLayout::strided(&[4, m.size(), k.size()], &[1, 4, m.size().saturating_mul(4)])?;
        Ok(Self { of_b, m, k, n: o_n.size(), o, c, step })
    }

    /// The layout of some packed steps: real columns, one below the other.
    fn packed(&self, steps: usize) -> DynLayout {
        let rows = 2 * self.m.size();
        DynLayout::strided(&[rows, 2 * steps], &[1, rows]).unwrap_or(DynLayout::UNIT)
    }

    /// # Safety
    ///
    /// As [`run`], for one product of these layouts.
    unsafe fn run<T: Float + Neg<Output = T>>(
        &self,
        level: Level,
        layouts: [&DynLayout; 3],
        scale: &Scale<Complex<T>>,
        (a, b, c): (*const Complex<T>, *const Complex<T>, *mut Complex<T>),
        par: Par,
    ) where
        Complex<T>: Multiply<Complex<T>, Sum = Complex<T>> + Sum,
    {
        let mut beta = scale.beta.re;
        if scale.beta.im != T::ZERO {
            // SAFETY: as required here; with `alpha = 0` nothing is read of A and B.
            unsafe {
                let scale = &Scale::new(Sum::ZERO, scale.beta);
                elements::run(layouts, scale, (a, b, c), Multiply::times);
            }
            beta = T::ONE;
        }
        let (e, o) = if self.of_b { (b, a) } else { (a, b) };
        let (m, k) = (self.m.size(), self.k.size());
        let column = 4 * m * size_of::<T>();
        let most = match self.step {
            Some(_) => (PACKED_BYTES / column).max(FEWEST_STEPS).min(k),
            None => k,
        };
        with_scratch(2, most * column, |packed| {
            let packed = packed.cast::<T>();
            for first in (0..k).step_by(most) {
                let steps = most.min(k - first);
                // SAFETY: the memory has room for so many steps, and E has these.
                unsafe { self.pack(e, scale.alpha, first, steps, packed) };
                let o_part = match self.step {
                    Some(_) if steps < k => self.o_steps(steps),
                    _ => self.o,
                };
                let arguments = Arguments {
                    layouts: [&self.packed(steps), &o_part, &self.c],
                    batch: &[],
                    scale: &Scale::new(T::ONE, if first == 0 { beta } else { T::ONE }),
                    a: packed.cast_const(),
                    // Wrapping, but an element of O.
                    b: o.wrapping_add(first * self.step.unwrap_or(0)).cast::<T>(),
                    c: c.cast::<T>(),
                    par,
                    finish: None,
                };
                // SAFETY: a complex number is two real ones, next to each other: each offset of the real
                // layouts is one of the complex ones twice, or one more.
                unsafe { T::product(level, &arguments) };
            }
        });
    }

    /// The other operand with fewer steps.
    fn o_steps(&self, steps: usize) -> DynLayout {
        let stride = 2 * self.step.unwrap_or(0);
        // Both are parts of a layout that there is.
        DynLayout::strided(&[2, steps], &[1, stride])
            .and_then(|k| DynLayout::tuple(&[k.coalesce(), self.o.mode(1)]))
            .unwrap_or(self.o)
    }

    /// Packs some steps of E: for each number `x` and the step's two columns, `re im` and `-im re`.
    ///
    /// # Safety
    ///
    /// E can be read at the offsets of its modes, and so many steps be written.
    unsafe fn pack<T: Float + Neg<Output = T>>(
        &self,
        e: *const Complex<T>,
        alpha: Complex<T>,
        first: usize,
        steps: usize,
        to: *mut T,
    ) where
        Complex<T>: Sum,
    {
        let m = self.m.size();
        let unit = alpha == Sum::ONE;
        for top in (0..m).step_by(TOGETHER) {
            let rows = TOGETHER.min(m - top);
            let mut offsets = [0; TOGETHER];
            for (i, offset) in offsets[..rows].iter_mut().enumerate() {
                *offset = self.m.offset(top + i);
            }
            for k in 0..steps {
                let step = self.k.offset(first + k);
                let column = 4 * m * k + 2 * top;
                for (i, &offset) in offsets[..rows].iter().enumerate() {
                    // SAFETY: an offset of E.
                    let x = unsafe { read(e, offset + step) };
                    let x = if unit { x } else { alpha.times_plus(x, Sum::ZERO) };
                    // SAFETY: rows of the two columns of this step.
                    unsafe { write_four(to, column + 2 * i, 2 * m, x) };
                }
            }
        }
    }
}

/// A mode of complex numbers as one of their components, which count fastest.
#[cfg(feature = "std")]
fn with_components(mode: &Mode) -> Result<DynLayout, LayoutError> {
    Ok(DynLayout::tuple(&[DynLayout::leaf(2, 1), real(mode)?])?.coalesce())
}

/// A mode of complex numbers with the distances of real ones.
#[cfg(feature = "std")]
fn real(mode: &Mode) -> Result<DynLayout, LayoutError> {
    let strides = mode.strides().iter().map(|stride| stride.saturating_mul(2));
    let mut doubled = [0; layout_core::engine::MAX_LEAVES];
    doubled.iter_mut().zip(strides).for_each(|(place, stride)| *place = stride);
    match mode.extents() {
        [] => Ok(DynLayout::leaf(1, 0)),
        extents => Ok(DynLayout::strided(extents, &doubled[..extents.len()])?.coalesce()),
    }
}
