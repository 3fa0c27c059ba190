//! tt-mlir's names for the memory of a buffer and the distribution of a tensor in it.

use crate::devices::print::named;
use crate::devices::tenstorrent::MemorySpace;

named! {
    /// How a tensor is distributed over the cores or the banks of a memory.
    ///
    /// The name only describes the purpose. The positions of the elements follow from the map, the
    /// grid and the memref.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MemoryLayout;
    /// assert_eq!(MemoryLayout::of_name("block_sharded"), Some(MemoryLayout::BlockSharded));
    /// assert!(MemoryLayout::BlockSharded.is_sharded() && !MemoryLayout::Interleaved.is_sharded());
    /// ```
    pub enum MemoryLayout {
        /// Unspecified; found in older texts.
        None: "none_layout",
        /// Pages are distributed round-robin over the banks of the memory.
        Interleaved: "interleaved",
        /// All pages are in one bank.
        SingleBank: "single_bank",
        /// Rows are divided over the cores.
        HeightSharded: "height_sharded",
        /// Columns are divided over the cores.
        WidthSharded: "width_sharded",
        /// Rows and columns are divided over a grid of cores.
        BlockSharded: "block_sharded",
        /// Boxes of any rank are distributed over the cores.
        NdSharded: "nd_sharded",
        /// Divided over a grid, in `#ttcore.metal_layout`.
        Sharded: "sharded",
    }
}

impl MemoryLayout {
    /// Whether each core has a shard.
    pub const fn is_sharded(self) -> bool {
        !matches!(self, Self::None | Self::Interleaved | Self::SingleBank)
    }
}

named! {
    /// The memory of a TTNN buffer.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::{BufferType, MemorySpace};
    /// assert_eq!(BufferType::of_name("system_memory"), Some(BufferType::SystemMemory));
    /// assert_eq!(BufferType::L1Small.space(), MemorySpace::L1);
    /// ```
    pub enum BufferType {
        /// DRAM of a device.
        Dram: "dram",
        /// SRAM of each core.
        L1: "l1",
        /// Memory of the host.
        SystemMemory: "system_memory",
        /// The part of the SRAM for small buffers.
        L1Small: "l1_small",
        /// The part of the DRAM for traces.
        Trace: "trace",
    }
}

impl BufferType {
    /// The memory that contains it.
    pub const fn space(self) -> MemorySpace {
        match self {
            Self::Dram | Self::Trace => MemorySpace::Dram,
            Self::L1 | Self::L1Small => MemorySpace::L1,
            Self::SystemMemory => MemorySpace::System,
        }
    }
}

named! {
    /// The order in which the cores of a grid receive shards.
    pub enum ShardOrientation {
        /// One row of cores after the other.
        RowMajor: "row_major",
        /// One column of cores after the other.
        ColMajor: "col_major",
    }
}

named! {
    /// Which core receives which shard of an N-dimensional sharding.
    pub enum ShardDistribution {
        /// Round-robin over the cores.
        RoundRobin: "round_robin_1d",
        /// Shard `(i, j)` on core `(i, j)`.
        Grid: "grid_2d",
    }
}
