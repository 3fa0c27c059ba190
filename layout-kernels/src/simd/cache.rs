//! Cache sizes, which determine the block sizes of kernels.

/// Sizes of the data caches in bytes, as far as one core can use them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Caches {
    /// L1 and L2, private to a core.
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// Last-level cache, shared between cores.
    pub(crate) last: usize,
}

impl Caches {
    /// A lower bound for most CPUs. Used if the caches cannot be queried.
    pub(crate) const USUAL: Self = Self { first: 32 << 10, second: 512 << 10, last: 4 << 20 };

    /// The caches of this CPU, detected once and remembered.
    pub(crate) fn detect() -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
        {
            static KNOWN: std::sync::OnceLock<Caches> = std::sync::OnceLock::new();
            *KNOWN.get_or_init(ask)
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", feature = "std")))]
        {
            Self::USUAL
        }
    }
}

/// Reads the cache descriptions: CPUID leaf 4 on Intel, leaf 0x8000_001d on AMD.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
fn ask() -> Caches {
    use super::level::cpuid;
    let mut caches = Caches { first: 0, second: 0, last: 0 };
    let leaf = [4, 0x8000_001d].into_iter().find(|&leaf| {
        let most = cpuid(leaf & 0x8000_0000, 0).eax;
        most >= leaf && cpuid(leaf, 0).eax & 31 != 0
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
        let (ways, parts) = (field(entry.ebx >> 22), field(entry.ebx >> 12 & 0x3ff));
        let (line, sets) = (field(entry.ebx & 0xfff), field(entry.ecx));
        let bytes = ways.saturating_mul(parts).saturating_mul(line).saturating_mul(sets);
        match level {
            1 => caches.first = bytes,
            2 => caches.second = bytes,
            _ => caches.last = bytes,
        }
    }
    // Virtual machines and emulators may hide their caches or report implausible sizes.
    let usual = Caches::USUAL;
    Caches {
        first: if caches.first < 8 << 10 { usual.first } else { caches.first },
        second: if caches.second < 64 << 10 { usual.second } else { caches.second },
        last: caches.last.max(caches.second).max(usual.second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_grow() {
        let caches = Caches::detect();
        assert!(caches.first >= 8 << 10, "{caches:?}");
        assert!(caches.second >= caches.first && caches.last >= caches.second, "{caches:?}");
    }
}
