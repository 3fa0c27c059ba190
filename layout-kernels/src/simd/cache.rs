//! Cache sizes, which determine the block sizes of kernels.

/// Sizes of the data caches in bytes, as far as one core can use them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Caches {
    /// L1 and L2, private to a core.
    pub(crate) l1: usize,
    pub(crate) l2: usize,
    /// Last-level cache, shared between cores.
    pub(crate) llc: usize,
}

impl Caches {
    /// A lower bound for most CPUs. Used if the caches cannot be queried.
    pub(crate) const DEFAULT: Self = Self { l1: 32 << 10, l2: 512 << 10, llc: 4 << 20 };

    /// An operand with more bytes comes from memory, even if the last-level cache, which many cores share,
    /// is larger.
    const MAX_SHARED_BYTES: usize = 16 << 20;

    /// Whether an operand of so many bytes comes from memory.
    pub(crate) fn do_not_hold(&self, bytes: usize) -> bool {
        bytes > Self::MAX_SHARED_BYTES.min(self.llc / 2)
    }

    /// The caches of this CPU, detected once and remembered.
    pub(crate) fn detect() -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
        {
            static CACHED: std::sync::OnceLock<Caches> = std::sync::OnceLock::new();
            *CACHED.get_or_init(query)
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
        {
            Self::DEFAULT
        }
    }
}

/// Reads the cache descriptions: CPUID leaf 4 on Intel, leaf 0x8000_001d on AMD.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
fn query() -> Caches {
    use super::level::query::cpuid;
    let mut caches = Caches { l1: 0, l2: 0, llc: 0 };
    let leaf = [4, 0x8000_001d].into_iter().find(|&leaf| {
        let max_leaf = cpuid(leaf & 0x8000_0000, 0).eax;
        max_leaf >= leaf && cpuid(leaf, 0).eax & 31 != 0
    });
    for index in 0..8 {
        let Some(leaf) = leaf else { break };
        let entry = cpuid(leaf, index);
        let (kind, level) = (entry.eax & 31, entry.eax >> 5 & 7);
        if kind == 0 {
            break;
        }
        // Kind 2 is an instruction cache.
        if kind == 2 {
            continue;
        }
        let field = |bits: u32| bits as usize + 1;
        let (ways, partitions) = (field(entry.ebx >> 22), field(entry.ebx >> 12 & 0x3ff));
        let (line, sets) = (field(entry.ebx & 0xfff), field(entry.ecx));
        let bytes = ways.saturating_mul(partitions).saturating_mul(line).saturating_mul(sets);
        match level {
            1 => caches.l1 = bytes,
            2 => caches.l2 = bytes,
            _ => caches.llc = bytes,
        }
    }
    // Virtual machines and emulators may hide their caches or report implausible sizes.
    let default = Caches::DEFAULT;
    Caches {
        l1: if caches.l1 < 8 << 10 { default.l1 } else { caches.l1 },
        l2: if caches.l2 < 64 << 10 { default.l2 } else { caches.l2 },
        llc: caches.llc.max(caches.l2).max(default.l2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_grow() {
        let caches = Caches::detect();
        assert!(caches.l1 >= 8 << 10, "{caches:?}");
        assert!(caches.l2 >= caches.l1 && caches.llc >= caches.l2, "{caches:?}");
    }
}
