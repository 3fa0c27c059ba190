//! The devices that hold a grid of cores.

use layout_core::devices::tenstorrent::{DeviceCore, DeviceGrid};
use layout_core::error::LayoutError;

/// Identical devices, each with `chip` rows and columns of cores, in a mesh or in sequence.
#[derive(Clone, Debug)]
pub struct Devices {
    /// Rows and columns of cores per device.
    pub chip: [usize; 2],
    /// Number of devices in each dimension of the grid.
    pub mesh: Option<Vec<usize>>,
}

impl Devices {
    /// The device and the core on it for a core of the grid. Without a mesh, a two-dimensional grid
    /// that fits on one device is placed there unchanged; other grids are flattened row-major over
    /// the devices in sequence.
    ///
    /// # Errors
    ///
    /// If the devices do not divide the grid, or the core is outside it.
    pub fn core(&self, grid: &[usize], core: &[usize]) -> Result<DeviceCore, LayoutError> {
        let devices = match &self.mesh {
            Some(mesh) => DeviceGrid::mesh(grid, self.chip, mesh),
            None => match DeviceGrid::mesh(grid, self.chip, &[]) {
                Ok(devices) if grid.len() == 2 => Ok(devices),
                _ => DeviceGrid::flattened(grid, self.chip),
            },
        };
        devices?.physical(core)
    }
}
