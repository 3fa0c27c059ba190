//! The sizes of the caches, which decide how large the blocks of a kernel are.

/// The bytes of data caches that one core can count on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Caches {
    /// The first and second level, which a core has for itself.
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// The last level, which cores share.
    pub(crate) last: usize,
}

impl Caches {
    /// What most processors have at least; what there is when they cannot be asked.
    pub(crate) const USUAL: Self = Self { first: 32 << 10, second: 512 << 10, last: 4 << 20 };

    /// The caches of this processor; asked once and remembered.
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

/// Reads the list of caches: leaf 4 of Intel's processors, leaf 0x8000_001d of AMD's.
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
        // Kind 2 holds instructions.
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
    // What a machine that hides its caches, or emulates them, says cannot be right.
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
