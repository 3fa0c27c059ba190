//! `Vector`: one register of elements, the interface that kernel bodies are written against.
//!
//! A kernel body is generic over `Vector` and `#[inline(always)]`; a thin function with
//! `#[target_feature]` calls it for one [`Level`](super::Level), so that the body is compiled
//! with that level's instructions. Explicit vectors, and not arrays left to the compiler, because
//! LLVM's vectoriser reaches some register tiles by gather and scatter on the stack and is then a
//! hundred times slower.

/// A register of [`LANES`](Self::LANES) elements.
///
/// # Safety
///
/// Every method needs the instructions of its type: it may run only in code reached with the
/// matching [`Level`](super::Level) token.
pub trait Vector: Copy + 'static {
    /// What a lane holds.
    type Element: Copy;
    /// The number of lanes.
    const LANES: usize;
    /// Up to how many first lanes are moved without a mask, where their number is a constant. What
    /// a masked store wrote can be read only when it has reached the cache.
    const UNMASKED: usize = 0;
    /// Whether masks are registers of their own, so that what is masked costs as much as what is
    /// whole, and there are 32 registers.
    const MASKS: bool = false;
    /// `x` in every lane.
    unsafe fn splat(x: Self::Element) -> Self;

    /// The `LANES` elements from `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// They can be read.
    unsafe fn load(p: *const Self::Element) -> Self;

    /// The `n <= LANES` elements from `p`, and zeros; the memory behind them is not touched.
    ///
    /// # Safety
    ///
    /// They can be read.
    unsafe fn load_first(p: *const Self::Element, n: usize) -> Self;

    /// Writes the lanes to `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// `LANES` elements can be written.
    unsafe fn store(self, p: *mut Self::Element);

    /// Writes the first `n <= LANES` lanes; the memory behind them is not touched.
    ///
    /// # Safety
    ///
    /// `n` elements can be written.
    unsafe fn store_first(self, p: *mut Self::Element, n: usize);

    /// [`load_first`](Self::load_first) for a constant `n`, as several loads in place of a mask. What a
    /// masked store wrote can be read only when it has reached the cache.
    ///
    /// # Safety
    ///
    /// As [`load_first`](Self::load_first).
    #[inline(always)]
    unsafe fn load_parts(p: *const Self::Element, n: usize) -> Self {
        // SAFETY: as required here.
        unsafe { Self::load_first(p, n) }
    }

    /// [`store_first`](Self::store_first) for a constant `n`, as several stores in place of a mask.
    ///
    /// # Safety
    ///
    /// As [`store_first`](Self::store_first).
    #[inline(always)]
    unsafe fn store_parts(self, p: *mut Self::Element, n: usize) {
        // SAFETY: as required here.
        unsafe { self.store_first(p, n) };
    }

    /// `self * b + c`, rounded once where the type has FMA and twice elsewhere.
    unsafe fn mul_add(self, b: Self, c: Self) -> Self;

    /// `self * b`.
    unsafe fn mul(self, b: Self) -> Self;

    /// `self + b`.
    unsafe fn add(self, b: Self) -> Self;

    /// The sum of all lanes, by halves.
    unsafe fn sum(self) -> Self::Element;

    /// The sum of all lanes of each.
    #[inline(always)]
    unsafe fn sums(vectors: [Self; 4]) -> [Self::Element; 4] {
        let [a, b, c, d] = vectors;
        // SAFETY: as required here. Not a closure, which would not have the instructions.
        unsafe { [a.sum(), b.sum(), c.sum(), d.sum()] }
    }
}

/// The sum of all lanes of each, four at a time, and so where two or three are left.
///
/// # Safety
///
/// The instructions of `V` are there.
#[inline(always)]
pub(crate) unsafe fn sums<V: Vector<Element: Default>, const N: usize>(
    vectors: [V; N],
) -> [V::Element; N] {
    let mut all = [V::Element::default(); N];
    let (fours, rest) = vectors.as_chunks::<4>();
    let (all_fours, all_rest) = all.as_chunks_mut::<4>();
    for (sums, vectors) in all_fours.iter_mut().zip(fours) {
        // SAFETY: as required here.
        *sums = unsafe { V::sums(*vectors) };
    }
    if let [vector] = rest {
        // SAFETY: as required here.
        all_rest[0] = unsafe { vector.sum() };
    } else if !rest.is_empty() {
        // SAFETY: as required here.
        let zero = unsafe { V::splat(V::Element::default()) };
        let four = core::array::from_fn(|i| if i < rest.len() { rest[i] } else { zero });
        // SAFETY: as required here.
        let sums = unsafe { V::sums(four) };
        all_rest.copy_from_slice(&sums[..rest.len()]);
    }
    all
}

/// The vectors of one level for elements `T`.
pub trait Isa<T> {
    /// The widest register.
    type Full: Vector<Element = T>;
    /// Half of it, where the level has that, or the same.
    type Half: Vector<Element = T>;
    /// A quarter of it, where the level has that, or the half.
    type Quarter: Vector<Element = T>;
    /// How many registers a tile may plan with. Of 16, one is left for loads that run ahead, and
    /// one for products where there is no FMA: with all in use, sums go to the stack.
    const REGISTERS: usize;
    /// Whether [`pick`](Self::pick) and what follows it are instructions, and not only names.
    const PICKS: bool = false;

    /// Lane `places[i]` of a register in each lane `i`.
    ///
    /// # Safety
    ///
    /// The instructions are there, as [`PICKS`](Self::PICKS) says, and places are below `LANES`.
    unsafe fn pick(from: Self::Full, _places: &[u8; MAX_LANES]) -> Self::Full {
        from
    }

    /// Lane `places[i]` of two registers, one after the other, in each lane `i`.
    ///
    /// # Safety
    ///
    /// As [`pick`](Self::pick), for places below `2 * LANES`.
    unsafe fn pick_of_two(from: [Self::Full; 2], _places: &[u8; MAX_LANES]) -> Self::Full {
        from[0]
    }
}

/// The most lanes of a register.
pub(crate) const MAX_LANES: usize = 16;

/// The levels as types, each an [`Isa`] for every element.
pub(crate) mod isa {
    /// See [`Level::Avx512`](crate::simd::Level::Avx512).
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub struct Avx512;
    /// See [`Level::Avx2`](crate::simd::Level::Avx2).
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub struct Avx2;
    /// See [`Level::Portable`](crate::simd::Level::Portable) and
    /// [`Level::Baseline`](crate::simd::Level::Baseline).
    pub struct Portable;
}
