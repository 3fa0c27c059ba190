//! `layout locate`: the position of an element, and the element at a position.

use std::io;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use layout_core::devices::{Placement, Slot};
use layout_core::engine::IntTuple;
use layout_core::error::{LayoutError, NotationError, PlacementError};
use layout_core::text::{ParseError, Value};
use serde_json::{Value as Json, json};

use layout_view::devices::Devices;
use layout_view::facts::{signed, spyre, tenstorrent, tuple};
use layout_view::{SCHEMA, notation, subject};

use crate::answer::Handlers;
use crate::{command, devices};

const EXAMPLES: &str = "\
Examples:
  layout locate '(6,(4,2)):(4,(1,24)) @ (5,7)'
  layout locate '(6,(4,2)):(4,(1,24)) # 47'
  layout locate 'spyre { size: [100, 200, 500], dtype: f16 } @ (99,199,499)'
  layout locate 'tensor<5x6xf32, #tt.metal_layout<collapse = [(0, -1)], zero, <2x2>>> # ((1,1), 2)'
  layout locate --chip 8x8 --mesh 1x2 'tensor<64x64xf32, #tt.metal_layout<collapse = [], undef, <8x16>>> @ (9,60)'";

pub(crate) fn command() -> Command {
    Command::new("locate")
        .about("Show where an element is, or which element is at an offset")
        .long_about(
            "Show where an element is: `LAYOUT @ coordinate` prints a JSON object. Or which element \
             is at an offset: `LAYOUT # offset` prints its coordinate, or \
             \"padding\". In a grid of cores, offsets count through the buffers of all, or are \
             written after the coordinate of a core: `TENSOR # ((1,0), 64)`.",
        )
        .after_help(EXAMPLES)
        .arg(
            command::expression()
                .help("`LAYOUT @ coordinate`, `LAYOUT # offset`, or `-` for one per line"),
        )
        .arg(command::json())
        .arg(
            Arg::new("chip")
                .long("chip")
                .value_name("ROWSxCOLUMNS")
                .value_parser(devices::pair)
                .help(
                    "The cores of a device: adds `device_core`, its chip, row and column",
                ),
        )
        .arg(
            Arg::new("mesh")
                .long("mesh")
                .value_name("EXTENTS")
                .requires("chip")
                .value_parser(devices::extents)
                .help("The devices in each dimension of the grid, such as 1x2"),
        )
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    let devices = devices::of(matches);
    let plain = |text: &str| locate(text, devices.as_ref());
    let json = |text: &str| locate(text, devices.as_ref()).map(with_schema);
    Handlers { plain, line: plain, json }.run(matches)
}

/// Any answer as one JSON object.
fn with_schema(answer: Json) -> Json {
    match answer {
        Json::Object(mut facts) => {
            let mut object = serde_json::Map::from_iter([("schema".to_owned(), json!(SCHEMA))]);
            object.append(&mut facts);
            Json::Object(object)
        }
        Json::String(_) => json!({ "schema": SCHEMA, "padding": true }),
        coordinate => json!({ "schema": SCHEMA, "padding": false, "coordinate": coordinate }),
    }
}

/// The answer to `EXPR @ (coord)`, an object, or to `EXPR # offset`, a coordinate or `"padding"`.
/// With devices, the answer also names the core within its device.
///
/// # Errors
///
/// All problems of the text.
fn locate(text: &str, devices: Option<&Devices>) -> Result<Json, ParseError> {
    let signs = subject::outside_brackets(text).filter(|&(_, c)| c == '@' || c == '#');
    let Some((at, sign)) = signs.last() else {
        let expected = "`@` and a coordinate, or `#` and an offset";
        let missing = Err(NotationError::Kind { expected, found: "none" }.into());
        return subject::within(text.len()..text.len(), missing);
    };
    let subject = notation::layout(&text[..at])?;
    let after_sign = at + 1;
    let argument = text[after_sign..].trim();
    let start = text.len() - text[after_sign..].trim_start().len();
    let query = match argument {
        // Not a tuple of the notation: the coordinate of a tensor without dimensions.
        "()" if rank(&subject) == Some(0) => IntTuple::leaf(0),
        _ => IntTuple::parse(argument).map_err(|error| error.shifted(start))?,
    };
    let answer = match sign {
        '@' => position_of(&subject, &query, devices),
        _ => element_at(&subject, &query),
    };
    subject::within(start..start + argument.len(), answer)
}

/// The position of the element with a coordinate.
fn position_of(
    subject: &Value,
    at: &IntTuple,
    devices: Option<&Devices>,
) -> Result<Json, LayoutError> {
    match subject {
        Value::Tenstorrent(tensor) => {
            tenstorrent::element(tensor, flat_coordinate(at, tensor.layout().rank())?, devices)
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
        Value::Spyre(layout) => spyre::element(layout, flat_coordinate(at, layout.size().len())?),
        Value::CurrentSpyre(layout) => {
            spyre::current_element(layout, flat_coordinate(at, layout.size().len())?)
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

/// The coordinate of the element with an offset, or `"padding"`. In a grid of cores, a plain offset
/// counts through all buffers in order. After the coordinate of a core, `((1,0), 64)`, it counts in
/// the buffer of that core.
fn element_at(subject: &Value, query: &IntTuple) -> Result<Json, LayoutError> {
    if let (Value::Tenstorrent(tensor), [core @ .., offset]) = (subject, query.leaves())
        && !query.is_int()
    {
        let layout = tensor.layout();
        let slot = Slot { core: layout.core_number(core)?, offset: *offset };
        return element_in_slot(&layout.placement(), slot);
    }
    let offset = Value::from(*query).integer()?;
    match subject {
        // The buffers of the cores in sequence.
        Value::Tenstorrent(tensor) => {
            let placement = tensor.layout().placement();
            element_in_slot(&placement, placement.slot_at(offset)?)
        }
        Value::Composed(composed) => {
            let (swizzle, base) = (composed.swizzle(), composed.offset());
            // A swizzle is its own inverse.
            let inner = swizzle.apply(offset).checked_sub(base);
            let found = inner.map(|inner| composed.layout().preimage(inner)).transpose()?;
            coordinate_or_padding(found.flatten(), offset, composed.cosize_bound())
        }
        Value::Linear(layout) => {
            let found = layout.preimage(offset).map(|index| layout.shape().idx2crd(index));
            coordinate_or_padding(found.transpose()?, offset, layout.cosize())
        }
        Value::Spyre(layout) => element_in_slot(&layout.placement(), Slot { core: 0, offset }),
        Value::CurrentSpyre(layout) => {
            element_in_slot(&layout.try_placement()?, Slot { core: 0, offset })
        }
        _ => {
            let layout = subject.layout()?;
            coordinate_or_padding(layout.preimage(offset)?, offset, layout.cosize())
        }
    }
}

fn coordinate_or_padding(
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

/// Number of dimensions of a placed tensor.
fn rank(subject: &Value) -> Option<usize> {
    match subject {
        Value::Spyre(layout) => Some(layout.size().len()),
        Value::CurrentSpyre(layout) => Some(layout.size().len()),
        Value::Tenstorrent(tensor) => Some(tensor.layout().rank()),
        _ => None,
    }
}

/// A coordinate with one number per dimension of a placed tensor. A tensor without dimensions has
/// its element at 0.
fn flat_coordinate(at: &IntTuple, rank: usize) -> Result<&[usize], LayoutError> {
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
fn element_in_slot(placement: &Placement, slot: Slot) -> Result<Json, LayoutError> {
    Ok(match placement.coordinate(slot)? {
        Some(_) if placement.rank() == 0 => json!([]),
        Some(coordinate) => json!(coordinate.leaves()),
        None => json!("padding"),
    })
}
