//! The devices that a grid of cores is on.

use layout_core::devices::tenstorrent::{DeviceCore, DeviceGrid};
use layout_core::error::LayoutError;

/// Devices of so many rows and columns of cores, in a mesh or one after the other.
#[derive(Clone, Debug)]
pub struct Devices {
    /// Rows and columns of cores of one device.
    pub chip: [usize; 2],
    /// The devices in each dimension of the grid.
    pub mesh: Option<Vec<usize>>,
}

impl Devices {
    /// The core of a device that a core of the grid is. Without a mesh a grid of two dimensions that
    /// fits is on one device as it is, and others are there row-major, one device after the other.
    ///
    /// # Errors
    ///
    /// A grid that the devices do not divide, and a core outside of it.
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
