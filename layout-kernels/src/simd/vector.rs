//! `Vector`: one register of elements. Kernel bodies are written against this interface.
//!
//! A kernel body is generic over `Vector` and `#[inline(always)]`. For each [`Level`](super::Level),
//! a thin function with `#[target_feature]` calls it, so that the body is compiled with that level's
//! instructions. Vectors are explicit, because auto-vectorisation of arrays is not reliable: LLVM
//! implements some register tiles by gather and scatter through the stack, which is a hundred times
//! slower.

use core::mem::MaybeUninit;

/// A register of [`LANES`](Self::LANES) elements.
///
/// # Safety
///
/// Every method needs the instructions of its type. It may run only in code reached with the matching
/// [`Level`](super::Level) token.
pub trait Vector: Copy + 'static {
    /// Type of a lane.
    type Element: Copy;
    /// Number of lanes.
    const LANES: usize;
    /// Up to this many leading lanes are moved without a mask if their number is a constant. A masked
    /// store has no store-to-load forwarding: a later load waits until the data is in the cache.
    const MAX_UNMASKED_LANES: usize = 0;
    /// Whether the register type uses mask registers (AVX-512). Masked operations then cost as much
    /// as unmasked ones.
    const HAS_MASK_REGISTERS: bool = false;
    /// Number of registers.
    const REGISTERS: usize = if Self::HAS_MASK_REGISTERS { 32 } else { 16 };
    /// Whether lanes can be [permuted](Self::permute).
    const HAS_PERMUTE: bool = false;

    /// Lane indices for [`permute`](Self::permute).
    ///
    /// # Safety
    ///
    /// [`HAS_PERMUTE`](Self::HAS_PERMUTE) holds.
    unsafe fn lane_indices(_lane_indices: &[u8; MAX_LANES]) -> Self {
        unreachable!("the level has no permutes")
    }

    /// Permutes lanes: lane `i` of the result is the lane of `self` with the index in lane `i` of
    /// `lane_indices`.
    ///
    /// # Safety
    ///
    /// [`HAS_PERMUTE`](Self::HAS_PERMUTE) holds, and all lane indices are below `LANES`.
    unsafe fn permute(self, _lane_indices: Self) -> Self {
        self
    }

    /// [`permute`](Self::permute) by constants. LLVM selects cheaper instructions for them, unless they were
    /// in a vector of floats.
    ///
    /// # Safety
    ///
    /// Same as [`permute`](Self::permute).
    unsafe fn permute_const(self, _lane_indices: &[u8; MAX_LANES]) -> Self {
        self
    }

    /// A vector with `x` in every lane.
    unsafe fn splat(x: Self::Element) -> Self;

    /// Loads `LANES` elements from `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// The elements can be read.
    unsafe fn load(p: *const Self::Element) -> Self;

    /// Loads `n <= LANES` elements from `p`; the other lanes are zero. Memory after the elements is
    /// not touched.
    ///
    /// # Safety
    ///
    /// The elements can be read.
    unsafe fn load_first(p: *const Self::Element, n: usize) -> Self;

    /// Stores all lanes to `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// `LANES` elements can be written.
    unsafe fn store(self, p: *mut Self::Element);

    /// Stores the first `n <= LANES` lanes. Memory after them is not touched.
    ///
    /// # Safety
    ///
    /// `n` elements can be written.
    unsafe fn store_first(self, p: *mut Self::Element, n: usize);

    /// Stores the lanes from `n <= LANES` on: lane `n` goes to `p`.
    ///
    /// # Safety
    ///
    /// `LANES - n` elements can be written.
    #[inline(always)]
    unsafe fn store_rest(self, p: *mut Self::Element, n: usize) {
        let mut lanes = MaybeUninit::<[Self::Element; MAX_LANES]>::uninit();
        let all = lanes.as_mut_ptr().cast::<Self::Element>();
        // SAFETY: guaranteed by the caller; `all` has room for all lanes.
        unsafe {
            self.store(all);
            all.add(n).copy_to_nonoverlapping(p, Self::LANES - n);
        }
    }

    /// [`load_first`](Self::load_first) for a constant `n`, with several loads instead of a mask.
    ///
    /// # Safety
    ///
    /// That of [`load_first`](Self::load_first).
    #[inline(always)]
    unsafe fn load_first_split(p: *const Self::Element, n: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load_first(p, n) }
    }

    /// [`store_first`](Self::store_first) for a constant `n`, with several stores instead of a mask.
    /// Unlike a masked store, these forward to later loads.
    ///
    /// # Safety
    ///
    /// That of [`store_first`](Self::store_first).
    #[inline(always)]
    unsafe fn store_first_split(self, p: *mut Self::Element, n: usize) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.store_first(p, n) };
    }

    /// `self * b + c`, rounded once if the type has FMA, twice otherwise.
    #[inline(always)]
    unsafe fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { self.mul(b).add(c) }
    }

    /// `self * b`.
    unsafe fn mul(self, b: Self) -> Self;

    /// `self + b`.
    unsafe fn add(self, b: Self) -> Self;

    /// Sum of all lanes. Added by halves, recursively.
    unsafe fn sum(self) -> Self::Element;

    /// Sums of all lanes of four vectors.
    #[inline(always)]
    unsafe fn sums(vectors: [Self; 4]) -> [Self::Element; 4] {
        let [a, b, c, d] = vectors;
        // SAFETY: guaranteed by the caller. Not a closure: a closure would not have the target
        // features.
        unsafe { [a.sum(), b.sum(), c.sum(), d.sum()] }
    }
}

/// Sums of all lanes of `N` vectors, four at a time. A remainder of two or three is padded to four
/// with zero vectors.
///
/// # Safety
///
/// The CPU supports the instructions of `V`.
#[inline(always)]
pub(crate) unsafe fn sums<V: Vector<Element: Default>, const N: usize>(
    vectors: [V; N],
) -> [V::Element; N] {
    let (mut all, mut i) = ([V::Element::default(); N], 0);
    // No iterators over both: calls of their functions would move the vectors to the stack.
    while i < N {
        // SAFETY: guaranteed by the caller.
        unsafe {
            if N - i == 1 {
                all[i] = vectors[i].sum();
                return all;
            }
            let mut four = [V::splat(V::Element::default()); 4];
            for (j, vector) in four.iter_mut().enumerate().take(N - i) {
                *vector = vectors[i + j];
            }
            for (j, sum) in V::sums(four).into_iter().enumerate().take(N - i) {
                all[i + j] = sum;
            }
        }
        i += 4;
    }
    all
}

/// Vector types of one level for elements `T`.
pub trait Isa<T> {
    /// The widest register.
    type Full: Vector<Element = T>;
    /// Half of the widest register, or the same if the level has no such type.
    type Half: Vector<Element = T>;
    /// A quarter of the widest register, or `Half` if the level has no such type.
    type Quarter: Vector<Element = T>;
    /// Registers that a tile may use. With 16 registers, one is left free for early loads, and one
    /// more for products if there is no FMA. If tiles used all of them, accumulators would spill to
    /// the stack.
    const REGISTERS: usize;
    /// Whether lanes of two registers can be [permuted](Self::permute2) together.
    const HAS_PERMUTE2: bool = false;
    /// Permutes the lanes of two registers: lane `i` of the result is lane `lane_indices[i]` of
    /// `from[0]` followed by `from[1]`.
    ///
    /// # Safety
    ///
    /// [`HAS_PERMUTE2`](Self::HAS_PERMUTE2) holds, the CPU supports the instructions, and all lane indices are
    /// below `2 * LANES`.
    unsafe fn permute2(from: [Self::Full; 2], _lane_indices: &[u8; MAX_LANES]) -> Self::Full {
        from[0]
    }
}

/// Maximum number of lanes of a register.
pub(crate) const MAX_LANES: usize = 16;

/// The levels as types. Each is an [`Isa`] for the element types that have vectors.
pub(crate) mod isa {
    /// See [`Level::Avx512`](crate::simd::Level::Avx512).
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub struct Avx512;
    /// See [`Level::Avx2`](crate::simd::Level::Avx2).
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub struct Avx2;
    /// See [`Level::Neon`](crate::simd::Level::Neon).
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    pub struct Neon;
    /// See [`Level::Portable`](crate::simd::Level::Portable) and
    /// [`Level::Baseline`](crate::simd::Level::Baseline).
    pub struct Portable;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Level;

    fn rest<V: Vector<Element: PartialEq + core::fmt::Debug + From<u8>>>(level: Level) {
        let numbers: Vec<V::Element> = (1..=16u8).map(V::Element::from).collect();
        for n in 0..=V::LANES {
            let mut written = [0u8; 20].map(V::Element::from);
            let (mut expected, rest) = (written, V::LANES - n);
            expected[1..1 + rest].copy_from_slice(&numbers[n..V::LANES]);
            // SAFETY: the level is available, and the lanes are in the arrays.
            unsafe { V::load(numbers.as_ptr()).store_rest(written.as_mut_ptr().add(1), n) };
            assert_eq!(written, expected, "{level}: {n} lanes");
        }
    }

    #[test]
    fn the_rest_of_a_vector_is_stored() {
        for level in Level::available() {
            match level {
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx512(_) => {
                    rest::<<isa::Avx512 as Isa<f32>>::Full>(level);
                    rest::<<isa::Avx512 as Isa<f64>>::Full>(level);
                }
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx2(_) => {
                    rest::<<isa::Avx2 as Isa<f32>>::Full>(level);
                    rest::<<isa::Avx2 as Isa<f64>>::Full>(level);
                }
                #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
                Level::Neon(_) => {
                    rest::<<isa::Neon as Isa<f32>>::Full>(level);
                    rest::<<isa::Neon as Isa<f64>>::Full>(level);
                }
                _ => {
                    rest::<<isa::Portable as Isa<f32>>::Full>(level);
                    rest::<<isa::Portable as Isa<f64>>::Full>(level);
                }
            }
        }
    }
}
