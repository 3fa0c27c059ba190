//! The memories of a host and its devices.

use crate::devices::print::named;

named! {
    /// The memory that a tensor is in: exactly one at a time.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MemorySpace;
    /// assert_eq!(MemorySpace::of_name("dram"), Some(MemorySpace::Dram));
    /// assert_eq!(MemorySpace::of_name("l2"), None);
    /// ```
    #[derive(Default)]
    pub enum MemorySpace {
        /// Memory of the host that devices do not see.
        System: "system",
        /// Memory of the host that devices see.
        Mmio: "mmio",
        /// DRAM of a device.
        Dram: "dram",
        /// SRAM of each core.
        #[default]
        L1: "l1",
    }
}
