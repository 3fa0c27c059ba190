//! The devices that a grid of cores is on, as options of the command.

use clap::ArgMatches;
use layout_core::devices::tenstorrent::{DeviceCore, DeviceGrid};
use layout_core::error::LayoutError;

/// Devices of so many rows and columns of cores, in a mesh or one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Devices {
    chip: [usize; 2],
    mesh: Option<Vec<usize>>,
}

impl Devices {
    /// What the options say; nothing without `--chip`.
    pub(crate) fn of(matches: &ArgMatches) -> Option<Self> {
        let chip = matches.get_one::<Vec<usize>>("chip")?;
        let [rows, columns] = *chip.as_slice() else { return None };
        Some(Self { chip: [rows, columns], mesh: matches.get_one("mesh").cloned() })
    }

    /// The core of a device that a core of the grid is. Without a mesh a grid of two dimensions that
    /// fits is on one device as it is, and others are there row-major, one device after the other.
    pub(crate) fn core(&self, grid: &[usize], core: &[usize]) -> Result<DeviceCore, LayoutError> {
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

/// `8x8`
pub(crate) fn extents(text: &str) -> Result<Vec<usize>, String> {
    let extents = text.split('x').map(|extent| extent.trim().parse::<usize>());
    extents.collect::<Result<_, _>>().map_err(|_| "expected extents, such as 8x8".to_owned())
}

/// `8x8`, two extents.
pub(crate) fn pair(text: &str) -> Result<Vec<usize>, String> {
    let extents = extents(text)?;
    match extents.len() {
        2 => Ok(extents),
        _ => Err("expected rows and columns, such as 8x8".to_owned()),
    }
}
