//! Maps the virtual grid of a layout to the cores of devices.

use crate::devices::MAX_DIMENSIONS;
use crate::devices::numbers::{array, product, times, zero_in};
use crate::error::{LayoutError, TenstorrentError};

/// A core of a device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeviceCore {
    /// The index of the device.
    pub chip: usize,
    /// Its row on the device.
    pub y: usize,
    /// Its column on the device.
    pub x: usize,
}

/// The map from a virtual grid to the cores of devices. Each device has a grid of `[rows, columns]`.
///
/// No two cores of the virtual grid share a core of a device. A map that would leave the devices is
/// an error.
///
/// ```
/// use static_layout::devices::tenstorrent::{DeviceCore, DeviceGrid};
/// // Width sharding: 64 columns of shards on a device of 8x8 cores.
/// let flat = DeviceGrid::flattened(&[1, 64], [8, 8])?;
/// assert_eq!(flat.physical(&[0, 13])?, DeviceCore { chip: 0, y: 1, x: 5 });
/// // 8x16 on two devices beside each other.
/// let pair = DeviceGrid::mesh(&[8, 16], [8, 8], &[1, 2])?;
/// assert_eq!(pair.physical(&[3, 13])?, DeviceCore { chip: 1, y: 3, x: 5 });
/// assert_eq!((flat.chips(), pair.chips()), (1, 2));
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DeviceGrid {
    grid: [usize; MAX_DIMENSIONS],
    rank: usize,
    chip: [usize; 2],
    map: Map,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Map {
    // The number of devices in each dimension of the grid.
    Mesh([usize; MAX_DIMENSIONS]),
    Flattened,
    Transposed,
    Skewed,
}

impl DeviceGrid {
    /// A mesh of devices: each of the last two dimensions of the grid runs over the rows and columns
    /// of `mesh[i]` devices; an index of any other dimension selects a device. Devices are numbered
    /// row-major in the mesh. Dimensions that `mesh` omits are 1.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::GridExtent`], [`TenstorrentError::DeviceRank`],
    /// [`TenstorrentError::OutsideDevices`].
    #[inline]
    pub const fn mesh(
        grid: &[usize],
        chip: [usize; 2],
        mesh: &[usize],
    ) -> Result<Self, LayoutError> {
        let rank = grid.len();
        if rank < 2 || rank > MAX_DIMENSIONS || mesh.len() > rank {
            return Err(TenstorrentError::DeviceRank { rank, mesh: mesh.len() }.widen());
        }
        let all = array(mesh, 1);
        attempt!(check_product(mesh));
        let this = attempt!(Self::new(grid, chip, Map::Mesh(all)));
        repeat!(dimension, 0..rank, {
            let on_chip = if dimension + 2 < rank { 1 } else { chip[dimension + 2 - rank] };
            let room = all[dimension].saturating_mul(on_chip);
            if grid[dimension] > room {
                let extent = grid[dimension];
                return Err(TenstorrentError::OutsideDevices { dimension, extent, room }.widen());
            }
        });
        Ok(this)
    }

    /// The cores of the grid, in row-major order, on the cores of consecutive devices, in row-major
    /// order.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::GridExtent`], [`TenstorrentError::DeviceRank`].
    #[inline]
    pub const fn flattened(grid: &[usize], chip: [usize; 2]) -> Result<Self, LayoutError> {
        Self::new(grid, chip, Map::Flattened)
    }

    /// The grid on one device, with rows and columns exchanged: `(0, d1, d0)`.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::GridExtent`], [`TenstorrentError::DeviceRank`],
    /// [`TenstorrentError::OutsideDevices`].
    #[inline]
    pub const fn transposed(grid: &[usize], chip: [usize; 2]) -> Result<Self, LayoutError> {
        attempt!(Self::check_flat(grid, [chip[1], chip[0]]));
        Self::new(grid, chip, Map::Transposed)
    }

    /// The grid on one device, each row rotated by one more column:
    /// `(0, d0, (d0 + d1) mod columns)`.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::GridExtent`], [`TenstorrentError::DeviceRank`],
    /// [`TenstorrentError::OutsideDevices`].
    #[inline]
    pub const fn skewed(grid: &[usize], chip: [usize; 2]) -> Result<Self, LayoutError> {
        attempt!(Self::check_flat(grid, chip));
        Self::new(grid, chip, Map::Skewed)
    }

    #[inline]
    const fn check_flat(grid: &[usize], room: [usize; 2]) -> Result<(), LayoutError> {
        refuse!(grid.len() != 2, TenstorrentError::DeviceRank { rank: grid.len(), mesh: 2 });
        repeat!(dimension, 0..2, {
            let (extent, room) = (grid[dimension], room[dimension]);
            refuse!(extent > room, TenstorrentError::OutsideDevices { dimension, extent, room });
        });
        Ok(())
    }

    #[inline]
    const fn new(grid: &[usize], chip: [usize; 2], map: Map) -> Result<Self, LayoutError> {
        if grid.len() > MAX_DIMENSIONS {
            return Err(TenstorrentError::DeviceRank { rank: grid.len(), mesh: 0 }.widen());
        }
        if let Some(dimension) = zero_in(grid) {
            return Err(TenstorrentError::GridExtent { dimension }.widen());
        }
        attempt!(check_product(grid));
        attempt!(check_product(&chip));
        refuse!(zero_in(&chip).is_some(), LayoutError::ZeroExtent);
        Ok(Self { grid: array(grid, 1), rank: grid.len(), chip, map })
    }

    /// The extents of the virtual grid.
    #[inline]
    pub const fn grid(&self) -> &[usize] {
        self.grid.split_at(self.rank).0
    }

    /// The device core of a core of the virtual grid.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::CoreRank`], [`TenstorrentError::OutsideGrid`].
    #[inline]
    pub const fn physical(&self, core: &[usize]) -> Result<DeviceCore, LayoutError> {
        let (rank, number) = (self.rank, attempt!(core_number(core, self.grid())));
        let [rows, columns] = self.chip;
        Ok(match &self.map {
            Map::Mesh(mesh) => {
                let (mut chip, mut dimension) = (0, 0);
                while dimension + 2 < rank {
                    chip = chip * mesh[dimension] + core[dimension];
                    dimension += 1;
                }
                let (y, x) = (core[rank - 2], core[rank - 1]);
                chip = (chip * mesh[rank - 2] + y / rows) * mesh[rank - 1] + x / columns;
                DeviceCore { chip, y: y % rows, x: x % columns }
            }
            Map::Flattened => DeviceCore {
                chip: number / (rows * columns),
                y: number / columns % rows,
                x: number % columns,
            },
            Map::Transposed => DeviceCore { chip: 0, y: core[1], x: core[0] },
            Map::Skewed => DeviceCore { chip: 0, y: core[0], x: (core[0] + core[1]) % columns },
        })
    }

    /// Number of devices that have a core of the virtual grid.
    #[inline]
    pub const fn chips(&self) -> usize {
        let [rows, columns] = self.chip;
        let cores = product(self.grid());
        match self.map {
            Map::Mesh(_) => {
                let (high, wide) = (self.grid[self.rank - 2], self.grid[self.rank - 1]);
                cores / (high * wide) * high.div_ceil(rows) * wide.div_ceil(columns)
            }
            Map::Flattened => cores.div_ceil(rows * columns),
            Map::Transposed | Map::Skewed => 1,
        }
    }
}

/// The index of a core: row-major in a grid.
#[inline]
pub(super) const fn core_number(core: &[usize], grid: &[usize]) -> Result<usize, LayoutError> {
    if core.len() != grid.len() {
        return Err(TenstorrentError::CoreRank { core: core.len(), grid: grid.len() }.widen());
    }
    let mut number = 0;
    repeat!(dimension, 0..core.len(), {
        let (index, extent) = (core[dimension], grid[dimension]);
        refuse!(index >= extent, TenstorrentError::OutsideGrid { dimension, index, extent });
        number = number * extent + index;
    });
    Ok(number)
}

#[inline]
const fn check_product(numbers: &[usize]) -> Result<(), LayoutError> {
    let mut product = 1;
    repeat!(i, 0..numbers.len(), {
        product = attempt!(times(product, numbers[i], "device_grid"));
    });
    Ok(())
}
