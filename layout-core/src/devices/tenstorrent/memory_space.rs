//! The memories of a host and its devices.

use crate::devices::print::named;

named! {
    /// The memory of a tensor.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MemorySpace;
    /// assert_eq!(MemorySpace::of_name("dram"), Some(MemorySpace::Dram));
    /// assert_eq!(MemorySpace::of_name("l2"), None);
    /// ```
    #[derive(Default)]
    pub enum MemorySpace {
        /// Host memory that devices cannot access.
        System: "system",
        /// Host memory that devices can access.
        Mmio: "mmio",
        /// DRAM of a device.
        Dram: "dram",
        /// SRAM of each core.
        #[default]
        L1: "l1",
    }
}
