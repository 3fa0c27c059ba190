//! The colours of cells, and the legend.

use std::ops::Range;

use layout_core::error::{LayoutError, NotationError};
use layout_core::text::Value;

use super::{Cell, ColorBy, Options, Picture, Scale, View};

/// What the colours mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legend {
    /// The coloured property, such as `bank`.
    pub title: String,
    /// Categorical or sequential scale.
    pub scale: Scale,
    /// The colours that occur, in order; empty if nothing has a colour.
    pub entries: Vec<Entry>,
}

impl Legend {
    /// The minimum and maximum of a sequential ramp, which is drawn as one bar.
    pub fn ends(&self) -> Option<(isize, isize)> {
        match (self.scale, self.entries.as_slice()) {
            (Scale::Ramp, [first, .., last]) => Some((first.least, last.greatest)),
            _ => None,
        }
    }
}

/// An entry of a legend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The label of this colour.
    pub label: String,
    /// The smallest number with this colour.
    pub least: isize,
    /// The largest number with this colour.
    pub greatest: isize,
    /// Its index in the palette.
    pub color: u8,
}

/// If there are more distinct keys than this and their order is meaningful, they are coloured by a
/// ramp.
const MAX_CATEGORIES: usize = 8;

/// Maximum number of keys that a legend names per colour.
const MAX_NAMED_KEYS: usize = 3;

/// The key that determines the colour of a cell; `None` for no colour.
type Key = Box<dyn Fn(&Cell) -> Option<usize>>;

impl Picture {
    /// Assigns a colour to each cell, and fills the legend.
    ///
    /// # Errors
    ///
    /// If the value or the options do not define the coloured property.
    pub(super) fn paint(
        &mut self,
        by: ColorBy,
        value: &Value,
        options: &Options,
    ) -> Result<(), LayoutError> {
        let least = match by {
            ColorBy::Offset => self.cells().filter_map(|cell| cell.offset).min().unwrap_or(0),
            _ => 0,
        };
        let bits = swizzled_bits(value);
        let key = key(by, least, bits.clone(), value, options)?;
        // Padding has no colour, but the memory it occupies does.
        let colors_padding =
            matches!(by, ColorBy::Core | ColorBy::Tile) && self.view == View::Padded;
        let keys = self.cells().map(|c| key(c).filter(|_| colors_padding || !c.is_padding()));
        let keys: Vec<Option<usize>> = keys.collect();
        let max_key = keys.iter().flatten().copied().max().unwrap_or(0);
        let scale = match by {
            ColorBy::Offset => Scale::Ramp,
            ColorBy::Bank | ColorBy::Row | ColorBy::Swizzle if max_key >= MAX_CATEGORIES => {
                Scale::Ramp
            }
            _ => Scale::Categories,
        };
        let steps = scale.palette().light.len();
        let color = |key: usize| match scale {
            Scale::Ramp => (key as u128 * steps as u128 / (max_key as u128 + 1)) as u8,
            // Shifts the order in each cycle, so that a grid of 8 columns has no stripes.
            Scale::Categories => ((key % steps + key / steps % steps * 3) % steps) as u8,
        };
        for (cell, key) in self.blocks.iter_mut().flat_map(|b| &mut b.cells).zip(&keys) {
            cell.color = key.map(color);
        }
        let entries = entries(keys, &color, scale, least);
        self.legend = Legend { title: legend_title(by, &bits, options), scale, entries };
        Ok(())
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.blocks.iter().flat_map(|block| &block.cells)
    }
}

/// The offset bits that the swizzle changes: the lower ones, or the upper ones if its shift is
/// negative. 0 without a swizzle.
fn swizzled_bits(value: &Value) -> Range<u32> {
    let Value::Composed(layout) = value else { return 0..0 };
    let swizzle = layout.swizzle();
    let shift_up = if swizzle.shift() < 0 { swizzle.shift().unsigned_abs() } else { 0 };
    let start = swizzle.base() + shift_up;
    start..start + swizzle.bits()
}

fn key(
    by: ColorBy,
    least: isize,
    bits: Range<u32>,
    value: &Value,
    options: &Options,
) -> Result<Key, LayoutError> {
    let missing = |expected, found| Err(NotationError::Kind { expected, found }.into());
    Ok(match by {
        ColorBy::Auto | ColorBy::None => Box::new(|_| None),
        ColorBy::Offset => Box::new(move |cell| Some(cell.offset?.abs_diff(least))),
        ColorBy::Tile => Box::new(|cell| cell.tile),
        ColorBy::Core => Box::new(|cell| Some(cell.core)),
        ColorBy::Stick => Box::new(|cell| cell.stick),
        ColorBy::Row => Box::new(|cell| cell.coordinate.as_ref()?.first().copied()),
        ColorBy::Bank if options.memory.banks.is_none() => {
            return missing("a memory with banks", options.memory.name);
        }
        ColorBy::Bank => Box::new(|cell| cell.bank),
        ColorBy::Line if options.memory.line.is_none() => {
            return missing("a memory with cache lines", options.memory.name);
        }
        ColorBy::Line => Box::new(|cell| cell.line),
        ColorBy::Thread if options.threads.is_none() => {
            return missing("threads that access the elements", "none");
        }
        ColorBy::Thread => Box::new(|cell| cell.thread.map(|(thread, _)| thread)),
        ColorBy::Swizzle if bits.is_empty() => {
            return missing("a swizzled layout", value.describe());
        }
        ColorBy::Swizzle => {
            let mask = usize::MAX.checked_shl(bits.end - bits.start).map_or(usize::MAX, |m| !m);
            let shifted = move |offset: usize| offset.checked_shr(bits.start).unwrap_or(0);
            Box::new(move |cell| Some(shifted(cell.offset?.unsigned_abs()) & mask))
        }
    })
}

fn legend_title(by: ColorBy, bits: &Range<u32>, options: &Options) -> String {
    let memory = &options.memory;
    match by {
        ColorBy::Swizzle if bits.len() == 1 => format!("bit {} of the offset", bits.start),
        ColorBy::Swizzle => format!("bits {} to {} of the offset", bits.start, bits.end - 1),
        ColorBy::Bank => match memory.banks {
            Some(banks) => format!("bank, {} of {} bytes", banks.count, banks.bytes),
            None => "bank".to_owned(),
        },
        ColorBy::Line => format!("cache line of {} bytes", memory.line.unwrap_or(0)),
        ColorBy::Stick => "stick of 128 bytes".to_owned(),
        ColorBy::Row => "coordinate in dimension 0".to_owned(),
        ColorBy::Auto | ColorBy::None => String::new(),
        _ => by.name().to_owned(),
    }
}

/// One entry for each colour that occurs.
fn entries(
    keys: Vec<Option<usize>>,
    color: &impl Fn(usize) -> u8,
    scale: Scale,
    least: isize,
) -> Vec<Entry> {
    let mut found: Vec<usize> = keys.into_iter().flatten().collect();
    found.sort_unstable();
    found.dedup();
    let mut keys_by_color: Vec<(u8, Vec<usize>)> = Vec::new();
    for key in found {
        let color = color(key);
        match keys_by_color.iter_mut().find(|(one, _)| *one == color) {
            Some((_, keys)) => keys.push(key),
            None => keys_by_color.push((color, vec![key])),
        }
    }
    // Keys are differences of offsets, so the sum is an offset.
    let number = |key: usize| least.saturating_add_unsigned(key);
    let label = |keys: &[usize]| match (keys, scale) {
        ([first, .., last], Scale::Ramp) => format!("{} to {}", number(*first), number(*last)),
        _ => {
            let names: Vec<_> =
                keys.iter().take(MAX_NAMED_KEYS).map(|&k| number(k).to_string()).collect();
            let more = if keys.len() > MAX_NAMED_KEYS { ", …" } else { "" };
            format!("{}{more}", names.join(", "))
        }
    };
    let entry = |(color, keys): (u8, Vec<usize>)| {
        let end = |key: Option<&usize>| key.map_or(0, |&key| number(key));
        let (least, greatest) = (end(keys.first()), end(keys.last()));
        Entry { label: label(&keys), least, greatest, color }
    };
    keys_by_color.into_iter().map(entry).collect()
}
