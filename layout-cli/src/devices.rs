//! Options for the devices that hold a grid of cores.

use clap::ArgMatches;
use layout_view::devices::Devices;

/// The devices that the options describe; `None` without `--chip`.
pub(crate) fn of(matches: &ArgMatches) -> Option<Devices> {
    let chip = matches.get_one::<Vec<usize>>("chip")?;
    let [rows, columns] = *chip.as_slice() else { return None };
    Some(Devices { chip: [rows, columns], mesh: matches.get_one("mesh").cloned() })
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
