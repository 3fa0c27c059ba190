//! Vectors as NEON registers of 64-bit ARM: 16 bytes.

use core::arch::aarch64::*;
#[cfg(feature = "half")]
use core::arch::asm;
use core::mem::transmute;

#[cfg(feature = "half")]
use half::{bf16, f16};

#[cfg(feature = "num-complex-0_4")]
use super::interleaved::Interleaved;
use super::portable::{Array4, load_first, store_first};
use super::registers::{isa, vector};
use super::vector::{Isa, Vector};
use super::widen::{Narrow, Widen};

/// `a * b + c`, rounded once.
#[inline]
#[target_feature(enable = "neon")]
fn fma_4x32(a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
    vfmaq_f32(c, a, b)
}

/// `a * b + c`, rounded once.
#[inline]
#[target_feature(enable = "neon")]
fn fma_2x64(a: float64x2_t, b: float64x2_t, c: float64x2_t) -> float64x2_t {
    vfmaq_f64(c, a, b)
}

/// `a * b + c`.
#[inline]
#[target_feature(enable = "neon")]
fn mul_add_4x32(a: int32x4_t, b: int32x4_t, c: int32x4_t) -> int32x4_t {
    vmlaq_s32(c, a, b)
}

vector! {
    pub F32x4: [f32; 4] in float32x4_t,
    vdupq_n_f32, vmulq_f32, vaddq_f32, fma fma_4x32,
    unmasked 3, registers 32,
    sum |v| Array4(transmute::<float32x4_t, [f32; 4]>(v)).sum(),
    load_first |p, n| transmute::<[f32; 4], float32x4_t>(load_first(p, n)),
    store_first |p, n, v| store_first(transmute::<float32x4_t, [f32; 4]>(v), p, n),
}

vector! {
    pub F64x2: [f64; 2] in float64x2_t,
    vdupq_n_f64, vmulq_f64, vaddq_f64, fma fma_2x64,
    unmasked 1, registers 32,
    sum |v| vaddvq_f64(v),
    load_first |p, n| match n {
        0 => vdupq_n_f64(0.0),
        1 => vcombine_f64(vld1_f64(p), vdup_n_f64(0.0)),
        _ => vld1q_f64(p),
    },
    store_first |p, n, v| match n {
        0 => {}
        1 => vst1_f64(p, vget_low_f64(v)),
        _ => vst1q_f64(p, v),
    },
}

vector! {
    pub(crate) I32x4: [i32; 4] in int32x4_t,
    vdupq_n_s32, vmulq_s32, vaddq_s32, fma mul_add_4x32,
    registers 32,
    sum |v| vaddvq_s32(v),
    load_first |p, n| transmute::<[i32; 4], int32x4_t>(load_first(p, n)),
    store_first |p, n, v| store_first(transmute::<int32x4_t, [i32; 4]>(v), p, n),
}

isa!(Neon, f32: F32x4, F32x4, F32x4, 32);
isa!(Neon, f64: F64x2, F64x2, F64x2, 32);

// Lane by lane: LLVM widens four numbers at a time.
impl<E: Narrow<Wide = i32>> Widen<E> for I32x4 {
    #[inline(always)]
    unsafe fn widen(p: *const E) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load(<Array4<i32> as Widen<E>>::widen(p).0.as_ptr()) }
    }
}

#[cfg(feature = "half")]
impl Widen<bf16> for F32x4 {
    #[inline(always)]
    unsafe fn widen(p: *const bf16) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load(<Array4<f32> as Widen<bf16>>::widen(p).0.as_ptr()) }
    }
}

#[cfg(feature = "half")]
impl Widen<f16> for F32x4 {
    // The intrinsic of this instruction is not stable.
    #[inline(always)]
    unsafe fn widen(p: *const f16) -> Self {
        let wide: float32x4_t;
        // SAFETY: guaranteed by the caller: four numbers. The instruction has no other effect.
        unsafe {
            let narrow = vld1_u16(p.cast());
            asm!(
                "fcvtl {wide:v}.4s, {narrow:v}.4h",
                narrow = in(vreg) narrow,
                wide = lateout(vreg) wide,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        Self(wide)
    }
}

#[cfg(feature = "num-complex-0_4")]
impl Interleaved for F32x4 {
    #[inline(always)]
    unsafe fn pairs(re: f32, im: f32) -> Self {
        // SAFETY: both types are 16 bytes of plain data.
        Self(unsafe { transmute::<[f32; 4], float32x4_t>([re, im, re, im]) })
    }

    #[inline(always)]
    unsafe fn real_parts(self) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { vtrn1q_f32(self.0, self.0) })
    }

    #[inline(always)]
    unsafe fn imaginary_parts(self) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { vtrn2q_f32(self.0, self.0) })
    }

    #[inline(always)]
    unsafe fn times_i(self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let Self(negated) = Self(vnegq_f32(self.0)).imaginary_parts();
            Self(vtrn1q_f32(negated, self.0))
        }
    }

    #[inline(always)]
    unsafe fn sum_of_pairs(self) -> [f32; 2] {
        // SAFETY: guaranteed by the caller; both types are 8 bytes of plain data.
        unsafe {
            transmute::<float32x2_t, [f32; 2]>(vadd_f32(
                vget_low_f32(self.0),
                vget_high_f32(self.0),
            ))
        }
    }
}

#[cfg(feature = "num-complex-0_4")]
impl Interleaved for F64x2 {
    #[inline(always)]
    unsafe fn pairs(re: f64, im: f64) -> Self {
        // SAFETY: both types are 16 bytes of plain data.
        Self(unsafe { transmute::<[f64; 2], float64x2_t>([re, im]) })
    }

    #[inline(always)]
    unsafe fn real_parts(self) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { vdupq_laneq_f64::<0>(self.0) })
    }

    #[inline(always)]
    unsafe fn imaginary_parts(self) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { vdupq_laneq_f64::<1>(self.0) })
    }

    #[inline(always)]
    unsafe fn times_i(self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let [re, im] = self.sum_of_pairs();
            Self::pairs(-im, re)
        }
    }

    #[inline(always)]
    unsafe fn sum_of_pairs(self) -> [f64; 2] {
        // SAFETY: both types are 16 bytes of plain data.
        unsafe { transmute::<float64x2_t, [f64; 2]>(self.0) }
    }
}
