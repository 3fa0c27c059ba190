//! The colours of cells, and the legend.

use layout_core::error::{LayoutError, NotationError};
use layout_core::text::Value;

use super::{Cell, ColorBy, Options, Picture, Scale, View};

/// What the colours mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legend {
    /// What is coloured, such as `bank`.
    pub title: String,
    /// Colours for different things, or for more and less.
    pub scale: Scale,
    /// The colours that occur, in order; none where nothing has a colour.
    pub entries: Vec<Entry>,
}

/// A colour of a legend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What has this colour.
    pub label: String,
    /// Its number in the palette.
    pub color: u8,
}

/// More different things than this are numbers on a ramp, where their order says something.
const CATEGORIES: usize = 8;

/// How many things a legend names for one colour.
const NAMED: usize = 3;

impl Picture {
    /// Gives each cell its colour, and the legend its entries.
    pub(super) fn paint(
        &mut self,
        by: ColorBy,
        value: &Value,
        options: &Options,
    ) -> Result<(), LayoutError> {
        let missing = |expected, found| Err(NotationError::Kind { expected, found }.into());
        let swizzle = match value {
            Value::Composed(layout) => Some(layout.swizzle()).filter(|swizzle| swizzle.bits() > 0),
            _ => None,
        };
        let (base, bits) = swizzle.map_or((0, 0), |s| {
            // The bits that change are the lower ones, or the upper ones for a negative shift.
            let lower = if s.shift() < 0 { s.base() + s.shift().unsigned_abs() } else { s.base() };
            (lower, s.bits())
        });
        let mask = (1usize << bits) - 1;
        let least = match by {
            ColorBy::Offset => self.cells().filter_map(|cell| cell.offset).min().unwrap_or(0),
            _ => 0,
        };
        let key: Box<dyn Fn(&Cell) -> Option<usize>> = match by {
            ColorBy::Auto | ColorBy::None => Box::new(|_| None),
            ColorBy::Offset => Box::new(move |cell| Some(cell.offset?.abs_diff(least))),
            ColorBy::Tile => Box::new(|cell| cell.tile),
            ColorBy::Core => Box::new(|cell| Some(cell.core)),
            ColorBy::Stick => Box::new(|cell| cell.stick),
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
            ColorBy::Swizzle if swizzle.is_none() => {
                return missing("a swizzled layout", value.describe());
            }
            ColorBy::Swizzle => {
                Box::new(move |cell| Some((cell.offset?.unsigned_abs() >> base) & mask))
            }
            ColorBy::Row => Box::new(|cell| cell.coordinate.as_ref()?.first().copied()),
        };
        // What is padding has no colour, but its memory has.
        let of_memory = matches!(by, ColorBy::Core | ColorBy::Tile) && self.view == View::Padded;
        let keys: Vec<Option<usize>> = self
            .cells()
            .map(|cell| key(cell).filter(|_| of_memory || !cell.is_padding()))
            .collect();
        drop(key);
        let most = keys.iter().flatten().copied().max().unwrap_or(0);
        let ordered = matches!(by, ColorBy::Offset | ColorBy::Bank | ColorBy::Row)
            || by == ColorBy::Swizzle && mask >= CATEGORIES;
        let is_ramp = ordered && (by == ColorBy::Offset || most >= CATEGORIES);
        let scale = if is_ramp { Scale::Ramp } else { Scale::Categories };
        let steps = scale.palette().light.len();
        let color = |key: usize| match scale {
            Scale::Ramp => (key as u128 * steps as u128 / (most as u128 + 1)) as u8,
            // Another order each time, so that a grid of 8 columns has no stripes.
            Scale::Categories => ((key % steps + key / steps * 3) % steps) as u8,
        };
        for (cell, key) in self.blocks.iter_mut().flat_map(|b| &mut b.cells).zip(&keys) {
            cell.color = key.map(color);
        }
        self.legend = Legend {
            title: self.legend_title(by, (base, bits), options),
            scale,
            entries: entries(&keys, &color, scale, least),
        };
        Ok(())
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.blocks.iter().flat_map(|block| &block.cells)
    }

    fn legend_title(&self, by: ColorBy, (base, bits): (u32, u32), options: &Options) -> String {
        let memory = &options.memory;
        match by {
            ColorBy::Swizzle if bits == 1 => format!("bit {base} of the offset"),
            ColorBy::Swizzle => format!("bits {base} to {} of the offset", base + bits - 1),
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
}

/// A line for each colour that occurs.
fn entries(
    keys: &[Option<usize>],
    color: &impl Fn(usize) -> u8,
    scale: Scale,
    least: isize,
) -> Vec<Entry> {
    let mut found: Vec<usize> = keys.iter().flatten().copied().collect();
    found.sort_unstable();
    found.dedup();
    let mut of_color: Vec<(u8, Vec<usize>)> = Vec::new();
    for key in found {
        let color = color(key);
        match of_color.iter_mut().find(|(one, _)| *one == color) {
            Some((_, keys)) => keys.push(key),
            None => of_color.push((color, vec![key])),
        }
    }
    let name = |key: usize| (least as i128 + key as i128).to_string();
    let label = |keys: &[usize]| match (keys, scale) {
        ([first, .., last], Scale::Ramp) => format!("{} to {}", name(*first), name(*last)),
        _ => {
            let names: Vec<_> = keys.iter().take(NAMED).map(|&key| name(key)).collect();
            let more = if keys.len() > NAMED { ", …" } else { "" };
            format!("{}{more}", names.join(", "))
        }
    };
    let entry = |(color, keys): (u8, Vec<usize>)| Entry { label: label(&keys), color };
    of_color.into_iter().map(entry).collect()
}
