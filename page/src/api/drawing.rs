//! What the page draws: pictures of coordinates and of memory, and details of one element.

use layout_core::devices::ElementType;
use layout_core::engine::IntTuple;
use layout_core::error::LayoutError;
use layout_core::text::Value;
use layout_view::access::{Memory, Threads};
use layout_view::convert;
use layout_view::function::{Function, Point};
use layout_view::picture::{ColorBy, Limits, Options, Picture, View};
use serde_json::{Value as Json, json};

/// Shows a whole matrix of 512 x 512.
const LIMITS: Limits = Limits { rows: 512, columns: 512, blocks: 256, cells: 1 << 18 };

/// Maximum rows of a memory picture: enough for 512 x 512 elements of 32 bits, in lines of 128 bytes.
const MAX_MEMORY_ROWS: usize = 8192;

/// Options of a picture.
pub(super) struct PictureRequest {
    pub(super) view: Option<View>,
    pub(super) color_by: ColorBy,
    pub(super) element: Option<ElementType>,
    pub(super) memory: Memory,
    pub(super) threads: Option<Threads>,
}

/// The picture of a value. The default view shows the coordinates. For a Tenstorrent tensor it
/// includes the padding.
pub(super) fn picture(value: &Value, request: PictureRequest) -> Result<Picture, LayoutError> {
    let PictureRequest { view, color_by, element, memory, threads } = request;
    let view = view.or(match value {
        Value::Spyre(_) => Some(View::Logical),
        _ => None,
    });
    // Colouring by line needs a memory with lines.
    let memory = match (color_by, memory.line) {
        (ColorBy::Line, None) => Memory { line: Some(64), ..memory },
        _ => memory,
    };
    let limits = match view {
        Some(View::Memory) => Limits { rows: MAX_MEMORY_ROWS, ..LIMITS },
        _ => LIMITS,
    };
    let options = Options { view, color_by, element, memory, threads, limits };
    Picture::of(value, &options)
}

/// Details of the element at a coordinate (one integer per mode): its location, and the values of
/// other functions at the same 1-D coordinate.
pub(super) fn cell(
    value: &Value,
    others: &[Value],
    element: Option<ElementType>,
    memory: &Memory,
    at: &[usize],
) -> Result<Json, LayoutError> {
    let function = Function::of(value)?;
    let shape = function.shape();
    let rank = match &function {
        Function::Placed(placement) => placement.rank(),
        _ if shape.is_int() => 1,
        _ => shape.rank(),
    };
    // A tensor without dimensions has one element, but the notation has no empty tuple `()`.
    let coordinate = match (at, rank, shape.is_int()) {
        ([], 0, _) => IntTuple::leaf(0),
        (&[only], 1, true) => IntTuple::leaf(only),
        _ => IntTuple::flat(at)?,
    };
    let index = shape.crd2idx(&coordinate)?;
    let element = convert::element_of(value).or(element).unwrap_or(ElementType::F32);
    let point = function.at(index)?;
    let natural = if rank == 0 { "()".into() } else { function.coordinate(index)?.to_string() };
    let mut facts = json!({
        "at": at,
        "index": index,
        "coordinate": natural,
        "value": function.at(index)?.to_string(),
    });
    let offset = match point {
        Point::Coordinate(_) => None,
        Point::Integer(offset) => Some(offset),
        Point::Slot(core, offset) => {
            facts["core"] = core.into();
            Some(offset as isize)
        }
    };
    if let Some(offset) = offset {
        facts["offset"] = offset.into();
        if !element.is_block_float() {
            add_addresses(offset as i128 * element.bits() as i128, memory, &mut facts);
        }
    }
    let value_at = |other: &Value| -> Option<String> {
        let other = Function::of(other).ok()?;
        let inside = index < other.size();
        inside.then(|| other.at(index).ok().map(|point| point.to_string())).flatten()
    };
    facts["others"] = others.iter().map(value_at).collect::<Vec<_>>().into();
    Ok(facts)
}

/// Byte, line and bank of an address given in bits.
fn add_addresses(bits: i128, memory: &Memory, facts: &mut Json) {
    let byte = bits.div_euclid(8);
    facts["byte"] = (byte as i64).into();
    if let Some(line) = memory.line {
        facts["line"] = (byte.div_euclid(line as i128) as i64).into();
    }
    if let Some(banks) = memory.banks {
        let word = byte.div_euclid(banks.bytes as i128);
        facts["bank"] = (word.rem_euclid(banks.count as i128) as i64).into();
    }
}
