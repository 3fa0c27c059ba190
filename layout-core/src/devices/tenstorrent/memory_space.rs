//! The memories of a host and its devices.

use core::fmt;

/// The memory that a tensor is in: exactly one at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MemorySpace {
    /// Memory of the host that devices do not see.
    System,
    /// Memory of the host that devices see.
    Mmio,
    /// DRAM of a device.
    Dram,
    /// SRAM of each core.
    #[default]
    L1,
}

impl MemorySpace {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::System, Self::Mmio, Self::Dram, Self::L1];

    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Mmio => "mmio",
            Self::Dram => "dram",
            Self::L1 => "l1",
        }
    }

    /// The one that is written so.
    ///
    /// ```
    /// use layout_core::devices::tenstorrent::MemorySpace;
    /// assert_eq!(MemorySpace::of_name("dram"), Some(MemorySpace::Dram));
    /// assert_eq!(MemorySpace::of_name("l2"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|space| space.name() == name)
    }
}

impl fmt::Display for MemorySpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
