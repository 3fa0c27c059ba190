//! Macros that implement [`Vector`](super::vector::Vector) and [`Isa`](super::vector::Isa) for registers
//! with intrinsics.

/// Implements `Vector` with the given intrinsics. Registers without `fma` round products.
macro_rules! vector {
    ($vis:vis $name:ident: [$element:ty; $lanes:literal] in $register:ty,
     $splat:ident, $mul:ident, $add:ident, $(fma $fma:ident,)? $(sums $sums:ident,)?
     $(unmasked $unmasked:literal,)? $(registers $registers:literal,)?
     $(halves $half:ident, $widen:ident, $upper:ident, $insert:ident, $lower:ident,)?
     $(rest $mask:ident, $store_mask:ident,)?
     $(permute $indices:ident, $from_bits:ident, $bits:ident, $permute:ident,)?
     sum |$sum_v:ident| $sum:expr,
     load_first |$p:ident, $n:ident| $load_first:expr,
     store_first |$to:ident, $count:ident, $v:ident| $store_first:expr $(,)?) => {
        #[derive(Clone, Copy)]
        $vis struct $name(pub(crate) $register);

        // Safety of all methods: the caller guarantees the instructions, and that the elements can be
        // read or written.
        impl Vector for $name {
            type Element = $element;
            const LANES: usize = $lanes;
            $(const MAX_UNMASKED_LANES: usize = $unmasked;)?
            const HAS_MASK_REGISTERS: bool = size_of::<$register>() == 64;
            $(const REGISTERS: usize = $registers;)?

            #[inline(always)]
            unsafe fn splat(x: $element) -> Self {
                // SAFETY: guaranteed by the caller.
                Self(unsafe { $splat(x) })
            }

            #[inline(always)]
            unsafe fn load(p: *const $element) -> Self {
                // SAFETY: guaranteed by the caller.
                Self(unsafe { p.cast::<$register>().read_unaligned() })
            }

            #[inline(always)]
            unsafe fn load_first($p: *const $element, $n: usize) -> Self {
                // SAFETY: guaranteed by the caller.
                Self(unsafe { $load_first })
            }

            #[inline(always)]
            unsafe fn store(self, p: *mut $element) {
                // SAFETY: guaranteed by the caller.
                unsafe { p.cast::<$register>().write_unaligned(self.0) };
            }

            #[inline(always)]
            unsafe fn store_first(self, $to: *mut $element, $count: usize) {
                let $v = self.0;
                // SAFETY: guaranteed by the caller.
                unsafe { $store_first };
            }

            $(
                #[inline(always)]
                unsafe fn load_first_split(p: *const $element, n: usize) -> Self {
                    // SAFETY: guaranteed by the caller.
                    unsafe {
                        if n <= $half::LANES {
                            return Self($widen($half::load_first_split(p, n).0));
                        }
                        let lower = $widen($half::load(p).0);
                        let upper = $half::load_first_split(p.wrapping_add($half::LANES), n - $half::LANES);
                        Self($insert::<1>(lower, upper.0))
                    }
                }

                #[inline(always)]
                unsafe fn store_first_split(self, p: *mut $element, n: usize) {
                    // SAFETY: guaranteed by the caller.
                    unsafe {
                        let lower = $half($lower(self.0));
                        if n <= $half::LANES {
                            return lower.store_first_split(p, n);
                        }
                        lower.store(p);
                        let upper = $half($upper::<1>(self.0));
                        upper.store_first_split(p.wrapping_add($half::LANES), n - $half::LANES);
                    }
                }
            )?

            $(
                #[inline(always)]
                unsafe fn store_rest(self, p: *mut $element, n: usize) {
                    // SAFETY: guaranteed by the caller.
                    unsafe { $store_mask(p.wrapping_sub(n), !$mask(n), self.0) };
                }
            )?

            $(
                const HAS_PERMUTE: bool = true;

                #[inline(always)]
                unsafe fn lane_indices(lane_indices: &[u8; MAX_LANES]) -> Self {
                    // SAFETY: guaranteed by the caller.
                    Self(unsafe { $from_bits($indices(lane_indices)) })
                }

                #[inline(always)]
                unsafe fn permute(self, lane_indices: Self) -> Self {
                    // SAFETY: guaranteed by the caller.
                    Self(unsafe { $permute($bits(lane_indices.0), self.0) })
                }

                #[inline(always)]
                unsafe fn permute_const(self, lane_indices: &[u8; MAX_LANES]) -> Self {
                    // SAFETY: guaranteed by the caller.
                    Self(unsafe { $permute($indices(lane_indices), self.0) })
                }
            )?

            $(
                #[inline(always)]
                unsafe fn mul_add(self, b: Self, c: Self) -> Self {
                    // SAFETY: guaranteed by the caller.
                    Self(unsafe { $fma(self.0, b.0, c.0) })
                }
            )?

            #[inline(always)]
            unsafe fn mul(self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                Self(unsafe { $mul(self.0, b.0) })
            }

            #[inline(always)]
            unsafe fn add(self, b: Self) -> Self {
                // SAFETY: guaranteed by the caller.
                Self(unsafe { $add(self.0, b.0) })
            }

            #[inline(always)]
            unsafe fn sum(self) -> $element {
                let $sum_v = self.0;
                // SAFETY: guaranteed by the caller.
                unsafe { $sum }
            }

            $(
                #[inline(always)]
                unsafe fn sums(vectors: [Self; 4]) -> [$element; 4] {
                    // SAFETY: guaranteed by the caller.
                    unsafe { $sums(vectors.map(|vector| vector.0)) }
                }
            )?
        }
    };
}

/// Implements `Isa` with the given registers, for a level and an element type.
macro_rules! isa {
    ($level:ident, $element:ty: $full:ident, $half:ident, $quarter:ident, $registers:literal
     $(, $indices:ident: $permute2:ident)?) => {
        impl Isa<$element> for $crate::simd::vector::isa::$level {
            type Full = $full;
            type Half = $half;
            type Quarter = $quarter;
            const REGISTERS: usize = $registers;
            $(
                const HAS_PERMUTE2: bool = true;

                #[inline(always)]
                unsafe fn permute2(from: [$full; 2], lane_indices: &[u8; MAX_LANES]) -> $full {
                    // SAFETY: the caller guarantees AVX-512.
                    let indices = unsafe { $indices(lane_indices) };
                    // SAFETY: the caller guarantees AVX-512.
                    $full(unsafe { $permute2(from[0].0, indices, from[1].0) })
                }
            )?
        }
    };
}

pub(super) use {isa, vector};
