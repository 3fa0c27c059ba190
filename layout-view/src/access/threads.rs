//! Which elements of a layout each thread accesses, and in which order.

use layout_core::engine::{ComposedLayout, DynLayout, IntTuple, LinearDimension, Tiler, algebra};
use layout_core::error::{AccessError, LayoutError, NotationError};
use layout_core::text::{Kind, Value};

use crate::function::{Function, Point};

/// Maximum number of element accesses per analysis.
pub const MOST_ACCESSES: usize = 1 << 16;

/// The 1-D coordinates of a layout that threads access: each thread accesses `values` of them in
/// order.
///
/// ```
/// use layout_core::{engine::DynLayout, text::Value};
/// use layout_view::access::Threads;
/// let tile = DynLayout::parse("(8,8):(8,1)").unwrap().into();
/// // 8 threads with one row each, as a thread-value layout of CuTe.
/// let rows = Threads::thread_value(&Value::parse("(8,8):(1,8)").unwrap(), &tile)?;
/// assert_eq!(rows.of_thread(3).collect::<Vec<_>>(), [3, 11, 19, 27, 35, 43, 51, 59]);
/// // The same as an arrangement of threads with one row of values each.
/// let (threads, values) = (DynLayout::parse("(8,1):(1,0)").unwrap(), DynLayout::parse("(1,8):(0,1)").unwrap());
/// assert_eq!(Threads::arranged(&threads, Some(&values), &tile)?.of_thread(3).collect::<Vec<_>>(), rows.of_thread(3).collect::<Vec<_>>());
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threads {
    text: String,
    threads: usize,
    values: usize,
    // Indexed by value, then by thread.
    coordinates: Vec<usize>,
}

impl Threads {
    /// From a thread-value layout, CuTe's convention: mode 0 is the thread, the other modes are its
    /// values. The layout gives 1-D coordinates, or multi-dimensional coordinates if its strides
    /// are basis elements, `(8,8):(1@0,1@1)`. A layout of one mode has one value per thread.
    ///
    /// In a linear layout of Triton, `register` is the value; `lane`, `warp` and the other
    /// dimensions are the thread.
    ///
    /// # Errors
    ///
    /// If the value is not such a layout, there are more than [`MOST_ACCESSES`] accesses, or a
    /// coordinate is outside the domain.
    pub fn thread_value(tv: &Value, domain: &ComposedLayout) -> Result<Self, LayoutError> {
        let function = Function::of(tv)?;
        let (shape, size) = (function.shape(), function.size());
        let is_value = value_modes(tv, shape.rank());
        let (mut threads, mut values) = (1, 1);
        let mut modes = Vec::new();
        for (mode, &is_value) in is_value.iter().enumerate() {
            let extent = shape.mode(mode).product()?;
            modes.push((extent, is_value));
            // No overflow: both are factors of the size, or the size is 0.
            let count = if is_value { &mut values } else { &mut threads };
            *count = extent.saturating_mul(*count);
        }
        check_access_count(threads, values)?;
        let domain_size = domain.size();
        let mut coordinates = vec![0; size];
        for i in 0..size {
            let (thread, value) = thread_and_value(&modes, i);
            let index = match function.at(i)? {
                Point::Integer(index) => {
                    usize::try_from(index).map_err(|_| NotationError::Negative)?
                }
                Point::Coordinate(at) => domain.shape().crd2idx(&at.tuple()?)?,
                Point::Slot(..) => {
                    let (expected, found) = (Kind::Domain.describe(), tv.describe());
                    return Err(NotationError::Kind { expected, found }.into());
                }
            };
            if index >= domain_size {
                let error =
                    AccessError::OutsideOfDomain { thread, value, index, size: domain_size };
                return Err(error.into());
            }
            coordinates[value * threads + thread] = index;
        }
        Ok(Self { text: tv.to_string(), threads, values, coordinates })
    }

    /// From an arrangement of the threads over the modes of the domain, CuTe's `thr_layout` and
    /// `val_layout`: the thread layout maps a coordinate to its thread, and each thread has a tile
    /// of values there. Threads and values together are repeated over the domain; the elements of a
    /// thread are ordered by value, then by repetition.
    ///
    /// # Errors
    ///
    /// If a layout does not number its threads or values, the tile does not divide the domain, or
    /// there are more than [`MOST_ACCESSES`] accesses.
    pub fn arranged(
        threads: &DynLayout,
        values: Option<&DynLayout>,
        domain: &ComposedLayout,
    ) -> Result<Self, LayoutError> {
        let one_value = DynLayout::UNIT;
        let arrangement = values.unwrap_or(&one_value);
        for layout in [threads, arrangement] {
            if !layout.is_bijective() {
                let (shape, stride) = (layout.shape(), layout.stride());
                return Err(AccessError::ThreadNumbers { shape, stride }.into());
            }
        }
        check_access_count(threads.size(), arrangement.size())?;
        check_access_count(domain.size(), 1)?;
        // Mode 0 is the thread index, mode 1 the value index, as in CuTe's make_tiled_copy.
        let tile = algebra::raked_product(threads, arrangement)?;
        let tile_coordinates = inverse_table(&tile);
        let shape = domain.shape();
        let sizes = mode_sizes(&shape)?;
        let tile_sizes = mode_sizes(&tile.shape())?;
        if tile_sizes.len() > sizes.len() {
            let (operation, mode) = ("threads", None);
            let error = LayoutError::TilerRank { operation, mode, tiler: tile_sizes.len(), shape };
            return Err(error);
        }
        for (mode, (&tile, &extent)) in tile_sizes.iter().zip(&sizes).enumerate() {
            if !extent.is_multiple_of(tile) {
                return Err(AccessError::ThreadTile { mode, tile, extent }.into());
            }
        }
        // The 1-D coordinates of the domain as tiles: ((tile..), (rest..)).
        let linear = DynLayout::make(&IntTuple::flat(&sizes)?)?;
        let tiles = tile_sizes.iter().map(|&size| Tiler::layout(&DynLayout::leaf(size, 1)));
        let tiles = Tiler::modes(&tiles.collect::<Vec<_>>())?;
        let tiles = algebra::zipped_divide(&linear, &tiles)?;
        let (within, rest) = (tiles.mode(0), tiles.mode(1));
        let repeats = rest.size();
        let mut coordinates = Vec::new();
        for repeat in 0..repeats {
            for &at in &tile_coordinates {
                coordinates.push(within.offset_of_index(at) + rest.offset_of_index(repeat));
            }
        }
        let text = match values {
            Some(values) => format!("threads {threads}, values {values}"),
            None => format!("threads {threads}"),
        };
        let values = arrangement.size() * repeats;
        Ok(Self { text, threads: threads.size(), values, coordinates })
    }

    /// The text that it was made from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Number of threads.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Number of values per thread.
    pub const fn values(&self) -> usize {
        self.values
    }

    /// The 1-D coordinate of a value of a thread.
    pub(super) fn at(&self, thread: usize, value: usize) -> usize {
        self.coordinates[value * self.threads + thread]
    }

    /// The 1-D coordinates of a thread, in the order of its values.
    pub fn of_thread(&self, thread: usize) -> impl Iterator<Item = usize> + '_ {
        self.coordinates.iter().skip(thread).step_by(self.threads.max(1)).copied()
    }
}

/// Which modes of a thread-value layout are values.
fn value_modes(tv: &Value, rank: usize) -> Vec<bool> {
    if let Value::Linear(layout) = tv {
        let names = layout.inputs().iter().map(LinearDimension::name);
        if names.clone().any(|name| name == "register") {
            return names.map(|name| name == "register").collect();
        }
    }
    (0..rank).map(|mode| mode > 0).collect()
}

/// Splits a 1-D coordinate over thread and value modes into thread and value.
fn thread_and_value(modes: &[(usize, bool)], mut index: usize) -> (usize, usize) {
    let (mut at, mut step) = ([0, 0], [1, 1]);
    for &(extent, is_value) in modes {
        let side = usize::from(is_value);
        at[side] += index % extent * step[side];
        step[side] *= extent;
        index /= extent;
    }
    (at[0], at[1])
}

fn check_access_count(threads: usize, values: usize) -> Result<(), LayoutError> {
    let limit = MOST_ACCESSES;
    if threads.checked_mul(values).is_none_or(|count| count > limit) {
        return Err(AccessError::TooManyAccesses { threads, values, limit }.into());
    }
    Ok(())
}

fn mode_sizes(shape: &IntTuple) -> Result<Vec<usize>, LayoutError> {
    (0..shape.rank()).map(|mode| shape.mode(mode).product()).collect()
}

/// The 1-D coordinate of each offset of a bijective layout.
fn inverse_table(layout: &DynLayout) -> Vec<usize> {
    let mut coordinates = vec![0; layout.size()];
    for (coordinate, offset) in layout.table().enumerate() {
        coordinates[offset] = coordinate;
    }
    coordinates
}
