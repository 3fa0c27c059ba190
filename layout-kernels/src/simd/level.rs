//! `Level`: the vector instructions that the CPU is proven to support.

use core::fmt;

/// What a query of the CPU returns. Where the CPU cannot be queried, there is no such value. Then
/// levels that need one cannot occur, and nothing is compiled for them.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
type Queried = ();
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
type Queried = core::convert::Infallible;

/// Proof that the CPU supports AVX-512 (F, BW, CD, DQ, VL), AVX2, FMA and F16C. Optionally also dot
/// products of narrow types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Avx512 {
    vnni: bool,
    bf16: bool,
    queried: Queried,
}

impl Avx512 {
    /// Whether AVX-512 VNNI is supported: dot products of bytes.
    pub const fn vnni(&self) -> bool {
        self.vnni
    }

    /// Whether AVX-512 BF16 is supported and should be used: dot products of pairs of `bf16`.
    pub const fn bf16(&self) -> bool {
        self.bf16
    }
}

/// Proof that the CPU supports AVX2, FMA and F16C.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Avx2(Queried);

/// Proof that the target is x86-64 with SSE2, which all but soft-float targets have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sse2(());

/// Proof that the target is little-endian 64-bit ARM with NEON, which all but soft-float targets have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Neon(());

/// The vector instructions that a kernel may use.
///
/// Variants carry a token that only [`detect`](Self::detect) and [`available`](Self::available)
/// create, after querying the CPU. So a `Level` proves that its instructions are supported. Kernels
/// that take one are safe to call, and need no compiler flag to be fast.
///
/// ```
/// use static_layout::kernels::Level;
/// let level = Level::detect();
/// assert!(Level::available().any(|each| each == level));
/// println!("kernels run with {level}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Level {
    /// AVX-512: 32 registers of 64 bytes, and mask registers.
    Avx512(Avx512),
    /// AVX2, FMA and F16C: 16 registers of 32 bytes.
    Avx2(Avx2),
    /// SSE2, the baseline of x86-64: 16 registers of 16 bytes, no FMA. Not used on soft-float
    /// targets.
    Baseline(Sse2),
    /// NEON, the baseline of little-endian 64-bit ARM: 32 registers of 16 bytes, with FMA.
    Neon(Neon),
    /// Plain Rust on small arrays, for all other architectures and for comparison.
    Portable,
}

impl Level {
    /// The best level of this CPU, detected once and cached.
    ///
    /// Without the `std` feature, CPU features cannot be queried. The result is then the baseline of
    /// the target, and kernels of other levels are not compiled.
    #[inline]
    pub fn detect() -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
        return query::level();
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
        Self::BASELINE
    }

    /// The baseline of the target: SSE2 on x86-64 and NEON on 64-bit ARM, except on targets without vector
    /// registers, such as those of operating-system kernels.
    const BASELINE: Self = if cfg!(all(target_arch = "x86_64", target_feature = "sse2")) {
        Self::Baseline(Sse2(()))
    } else if cfg!(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))
    {
        Self::Neon(Neon(()))
    } else {
        Self::Portable
    };

    /// All levels of this CPU, best first. Tests iterate over them.
    ///
    /// AVX-512 with dot products is followed by variants with all dot products of the CPU, and with
    /// none.
    pub fn available() -> impl Iterator<Item = Self> {
        let best = Self::detect();
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
        let below = match best {
            Self::Avx512(dots) => {
                let (all, none) = (query::dots(), Avx512 { vnni: false, bf16: false, ..dots });
                [
                    (all != dots).then_some(Self::Avx512(all)),
                    (none != dots && none != all).then_some(Self::Avx512(none)),
                    Some(Self::Avx2(Avx2(()))),
                ]
            }
            _ => [None; 3],
        };
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
        let below = [None; 3];
        // A portable baseline is the best level, too.
        let others =
            [Self::BASELINE, Self::Portable].into_iter().filter(move |&level| level != best);
        [best].into_iter().chain(below.into_iter().flatten()).chain(others)
    }

    /// Name of the level, as `Display` prints it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Avx512(Avx512 { vnni: false, bf16: false, .. }) => "AVX-512",
            Self::Avx512(Avx512 { vnni: true, bf16: false, .. }) => "AVX-512 with VNNI",
            Self::Avx512(Avx512 { vnni: false, bf16: true, .. }) => "AVX-512 with BF16",
            Self::Avx512(Avx512 { vnni: true, bf16: true, .. }) => "AVX-512 with VNNI and BF16",
            Self::Avx2(_) => "AVX2",
            Self::Baseline(_) => "SSE2",
            Self::Neon(_) => "NEON",
            Self::Portable => "portable",
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
pub(super) mod query {
    //! Queries of the CPU.

    use core::sync::atomic::{AtomicU8, Ordering};
    use std::is_x86_feature_detected as has;

    use super::{Avx2, Avx512, Level};

    /// Code of the CPU's level, 0 if not yet detected. The result never changes, so relaxed ordering is
    /// enough and a race only detects twice.
    static CACHED: AtomicU8 = AtomicU8::new(0);

    /// The best level, detected once and cached.
    #[inline]
    pub(super) fn level() -> Level {
        let code = CACHED.load(Ordering::Relaxed);
        // A single test on the path of the fastest level: no other code has this bit.
        if code & 4 != 0 {
            let (vnni, bf16) = (code & 1 != 0, code & 2 != 0);
            return Level::Avx512(Avx512 { vnni, bf16, queried: () });
        }
        match code {
            1 => Level::BASELINE,
            2 => Level::Avx2(Avx2(())),
            _ => detect(),
        }
    }

    /// Queries CPU features and caches the result. Never inlined: it would be part of every function
    /// that runs a kernel.
    #[cold]
    #[inline(never)]
    fn detect() -> Level {
        let avx2 = has!("avx2") && has!("fma") && has!("f16c");
        let avx512 = has!("avx512f")
            && has!("avx512bw")
            && has!("avx512cd")
            && has!("avx512dq")
            && has!("avx512vl");
        let (level, code) = if avx2 && avx512 {
            // On Intel CPUs, the throughput of BF16 dot products is at best half of that on other
            // CPUs, no more than that of f32 products. (Emerald Rapids: 88 GFLOP/s, against 180
            // through f32.)
            let Avx512 { vnni, bf16, queried } = dots();
            let bf16 = bf16 && !is_intel();
            let code = 4 + u8::from(vnni) + 2 * u8::from(bf16);
            (Level::Avx512(Avx512 { vnni, bf16, queried }), code)
        } else if avx2 {
            (Level::Avx2(Avx2(())), 2)
        } else {
            (Level::BASELINE, 1)
        };
        CACHED.store(code, Ordering::Relaxed);
        level
    }

    /// All dot-product extensions of a CPU that is known to have AVX-512.
    pub(super) fn dots() -> Avx512 {
        Avx512 { vnni: has!("avx512vnni"), bf16: has!("avx512bf16"), queried: () }
    }

    /// Executes CPUID for a leaf and a subleaf.
    #[allow(unused_unsafe, reason = "a safe function in newer versions of Rust")]
    pub(in crate::simd) fn cpuid(leaf: u32, index: u32) -> core::arch::x86_64::CpuidResult {
        // SAFETY: every CPU with SSE2 has the instruction.
        unsafe { core::arch::x86_64::__cpuid_count(leaf, index) }
    }

    fn is_intel() -> bool {
        let id = cpuid(0, 0);
        [id.ebx, id.edx, id.ecx].map(u32::to_le_bytes).as_flattened() == b"GenuineIntel"
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_level_comes_first() {
        let levels: Vec<Level> = Level::available().collect();
        assert_eq!(levels.first(), Some(&Level::detect()));
        assert_eq!(levels.last(), Some(&Level::Portable));
        let names: std::collections::HashSet<&str> = levels.iter().map(Level::name).collect();
        assert_eq!(names.len(), levels.len());
    }
}
