//! `layout locate`: where an element is, and which element is somewhere.

use layout_core::devices::{Placement, Slot};
use layout_core::engine::IntTuple;
use layout_core::error::{LayoutError, NotationError, PlacementError};
use layout_core::text::{ParseError, Value};
use serde_json::{Value as Json, json};

use layout_view::devices::Devices;
use layout_view::facts::{signed, spyre, tenstorrent, tuple};
use layout_view::subject;

/// The answer to `EXPR @ (coord)`, an object, or to `EXPR # offset`, a coordinate or `"padding"`. With
/// devices, the answer has the core of a device too.
///
/// # Errors
///
/// Everything that is wrong with the text.
pub(crate) fn locate(text: &str, devices: Option<&Devices>) -> Result<String, ParseError> {
    let signs = subject::outside_brackets(text).filter(|&(_, c)| c == '@' || c == '#');
    let Some((at, sign)) = signs.last() else {
        let expected = "`@` and a coordinate, or `#` and an offset";
        let missing = Err(NotationError::Kind { expected, found: "none" }.into());
        return subject::within(text.len()..text.len(), missing);
    };
    let subject = subject::read(&text[..at])?;
    let behind = at + 1;
    let place = text[behind..].trim();
    let start = text.len() - text[behind..].trim_start().len();
    let asked = match place {
        // No tuple of the notation; the coordinate of a tensor without dimensions.
        "()" if rank(&subject) == Some(0) => IntTuple::leaf(0),
        _ => IntTuple::parse(place).map_err(|error| error.shifted(start))?,
    };
    let answer = match sign {
        '@' => element(&subject, &asked, devices),
        _ => owner(&subject, &asked),
    };
    subject::within(start..start + place.len(), answer).map(|answer| answer.to_string())
}

/// Where the element with a coordinate is.
fn element(subject: &Value, at: &IntTuple, devices: Option<&Devices>) -> Result<Json, LayoutError> {
    match subject {
        Value::Tenstorrent(tensor) => {
            tenstorrent::element(tensor, flat(at, tensor.layout().rank())?, devices)
        }
        _ if devices.is_some() => {
            let (expected, found) =
                ("a metal layout, whose cores are on devices", subject.describe());
            Err(NotationError::Kind { expected, found }.into())
        }
        Value::Composed(composed) => Ok(json!({
            "offset": composed.offset_of(at)?,
            "coordinate": tuple(&composed.shape().natural_coordinate(at)?),
        })),
        Value::Coordinates(layout) => Ok(json!({
            "offset": signed(&layout.coordinate_at(at)?),
            "coordinate": tuple(&layout.shape().natural_coordinate(at)?),
        })),
        Value::Linear(layout) => Ok(json!({
            "offset": tuple(&layout.value_at(at)?),
            "coordinate": tuple(&layout.shape().natural_coordinate(at)?),
        })),
        Value::Spyre(layout) => spyre::element(layout, flat(at, layout.size().len())?),
        Value::CurrentSpyre(layout) => {
            spyre::current_element(layout, flat(at, layout.size().len())?)
        }
        _ => {
            let layout = subject.layout()?;
            Ok(json!({
                "offset": layout.offset_of(at)?,
                "coordinate": tuple(&layout.shape().natural_coordinate(at)?),
            }))
        }
    }
}

/// The coordinate of the element with an offset, or `"padding"`. In a grid of cores an offset alone
/// counts through all buffers. Behind the coordinate of a core, `((1,0), 64)`, it counts in the
/// buffer of that core.
fn owner(subject: &Value, asked: &IntTuple) -> Result<Json, LayoutError> {
    if let (Value::Tenstorrent(tensor), [core @ .., offset]) = (subject, asked.leaves())
        && !asked.is_int()
    {
        let layout = tensor.layout();
        let slot = Slot { core: layout.core_number(core)?, offset: *offset };
        return owner_in(&layout.placement(), slot);
    }
    let offset = Value::from(*asked).integer()?;
    match subject {
        // Buffers one behind the other.
        Value::Tenstorrent(tensor) => {
            let placement = tensor.layout().placement();
            owner_in(&placement, placement.slot_at(offset)?)
        }
        Value::Composed(composed) => {
            let (swizzle, above) = (composed.swizzle(), composed.offset());
            // A swizzle leads back from where it leads to.
            let inner = swizzle.apply(offset).checked_sub(above);
            let found = inner.map(|inner| composed.layout().preimage(inner)).transpose()?;
            owner_or_padding(found.flatten(), offset, composed.cosize_bound())
        }
        Value::Linear(layout) => {
            let found = layout.preimage(offset).map(|index| layout.shape().idx2crd(index));
            owner_or_padding(found.transpose()?, offset, layout.cosize())
        }
        Value::Spyre(layout) => owner_in(&layout.placement(), Slot { core: 0, offset }),
        Value::CurrentSpyre(layout) => owner_in(&layout.try_placement()?, Slot { core: 0, offset }),
        _ => {
            let layout = subject.layout()?;
            owner_or_padding(layout.preimage(offset)?, offset, layout.cosize())
        }
    }
}

fn owner_or_padding(
    found: Option<IntTuple>,
    offset: usize,
    cosize: usize,
) -> Result<Json, LayoutError> {
    match found {
        Some(coordinate) => Ok(tuple(&coordinate)),
        None if offset < cosize => Ok(json!("padding")),
        None => {
            Err(PlacementError::NoSuchSlot { core: 0, offset, cores: 1, storage: cosize }.into())
        }
    }
}

/// How many dimensions a placed tensor has.
fn rank(subject: &Value) -> Option<usize> {
    match subject {
        Value::Spyre(layout) => Some(layout.size().len()),
        Value::CurrentSpyre(layout) => Some(layout.size().len()),
        Value::Tenstorrent(tensor) => Some(tensor.layout().rank()),
        _ => None,
    }
}

/// A coordinate of as many numbers as a placed tensor has dimensions. One without dimensions has
/// its element at 0.
fn flat(at: &IntTuple, rank: usize) -> Result<&[usize], LayoutError> {
    match at.leaves() {
        [0] if rank == 0 => Ok(&[]),
        numbers if at.depth() > 1 => {
            let shape = IntTuple::flat(numbers)?;
            Err(LayoutError::CoordinateProfile { coordinate: *at, shape })
        }
        numbers => Ok(numbers),
    }
}

/// The coordinate of the element in a slot, or `"padding"`.
fn owner_in(placement: &Placement, slot: Slot) -> Result<Json, LayoutError> {
    Ok(match placement.coordinate(slot)? {
        Some(_) if placement.rank() == 0 => json!([]),
        Some(coordinate) => json!(coordinate.leaves()),
        None => json!("padding"),
    })
}
