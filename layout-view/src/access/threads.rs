//! Which elements of a layout each thread accesses, and in which order.

use layout_core::engine::{ComposedLayout, DynLayout, IntTuple, Tiler, algebra};
use layout_core::error::{AccessError, LayoutError, NotationError};
use layout_core::text::Value;

/// The most accesses of elements that an analysis looks at.
pub const MOST_ACCESSES: usize = 1 << 16;

/// The 1-D coordinates of a layout that threads access: thread `t` has `values` of them in order.
///
/// ```
/// use layout_core::{engine::DynLayout, text::Value};
/// use layout_view::access::Threads;
/// let tile = DynLayout::parse("(8,8):(8,1)").unwrap().into();
/// // 8 threads with a row each, as CuTe's thread-value layouts say it.
/// let rows = Threads::thread_value(&Value::parse("(8,8):(1,8)").unwrap(), &tile)?;
/// assert_eq!(rows.of_thread(3).collect::<Vec<_>>(), [3, 11, 19, 27, 35, 43, 51, 59]);
/// // The same by an arrangement of the threads, each of which has one row of values.
/// let (threads, values) = (DynLayout::parse("(8,1):(1,0)").unwrap(), DynLayout::parse("(1,8):(0,1)").unwrap());
/// assert_eq!(Threads::arranged(&threads, Some(&values), &tile)?.of_thread(3).collect::<Vec<_>>(), rows.of_thread(3).collect::<Vec<_>>());
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threads {
    text: String,
    threads: usize,
    values: usize,
    // Value by value, thread by thread.
    coordinates: Vec<usize>,
}

impl Threads {
    /// By a thread-value layout, CuTe's convention: mode 0 is the thread, the other modes are its
    /// values. The layout gives 1-D coordinates, or coordinates where its strides have a direction,
    /// `(8,8):(1@0,1@1)`. A layout of one mode has one value for each thread.
    ///
    /// # Errors
    ///
    /// For a value that is no such layout, more than [`MOST_ACCESSES`] accesses, and a coordinate
    /// outside of the domain.
    pub fn thread_value(tv: &Value, domain: &ComposedLayout) -> Result<Self, LayoutError> {
        let shape = tv.extents()?;
        let size = shape.product()?;
        let threads = if shape.rank() > 1 { shape.mode(0).product()? } else { size };
        let values = size.checked_div(threads).unwrap_or(0);
        check_count(threads, values)?;
        let outer = domain.size();
        let coordinates = (0..size).map(|i| {
            let index = match tv {
                Value::Coordinates(layout) => {
                    let at = layout.coordinate_at_index(i as isize)?;
                    let at = at.int_tuple().ok_or(NotationError::Negative)?;
                    domain.shape().crd2idx(&at)?
                }
                Value::Composed(layout) => layout.offset_of_index(i),
                _ => tv.layout()?.offset_of_index(i),
            };
            if index >= outer {
                let (thread, value) = (i % threads, i / threads);
                let error = AccessError::OutsideOfDomain { thread, value, index, size: outer };
                return Err(error.into());
            }
            Ok(index)
        });
        let coordinates = coordinates.collect::<Result<_, LayoutError>>()?;
        Ok(Self { text: tv.to_string(), threads, values, coordinates })
    }

    /// By an arrangement of the threads over the modes of the domain, CuTe's `thr_layout` and
    /// `val_layout`: a coordinate has the number of its thread, and each thread has a tile of
    /// values there. Threads and values together are repeated over the domain; the elements of a
    /// thread are in the order of its values, then of the repetitions.
    ///
    /// # Errors
    ///
    /// For layouts that do not number their threads or values, for a tile that does not divide
    /// the domain, and more than [`MOST_ACCESSES`] accesses.
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
        check_count(threads.size(), arrangement.size())?;
        check_count(domain.size(), 1)?;
        // The threads' number is in mode 0, that of their values in mode 1: CuTe's make_tiled_copy.
        let tile = algebra::raked_product(threads, arrangement)?;
        let place = inverse_table(&tile);
        let shape = domain.shape();
        let sizes = mode_sizes(&shape)?;
        let of_tile = mode_sizes(&tile.shape())?;
        if of_tile.len() > sizes.len() {
            let (operation, mode) = ("threads", None);
            let error = LayoutError::TilerRank { operation, mode, tiler: of_tile.len(), shape };
            return Err(error);
        }
        for (mode, (&tile, &extent)) in of_tile.iter().zip(&sizes).enumerate() {
            if !extent.is_multiple_of(tile) {
                return Err(AccessError::ThreadTile { mode, tile, extent }.into());
            }
        }
        // The 1-D coordinates of the domain as tiles: ((tile..), (rest..)).
        let linear = DynLayout::make(&IntTuple::flat(&sizes)?)?;
        let tiles = of_tile.iter().map(|&size| Tiler::layout(&DynLayout::leaf(size, 1)));
        let tiles = Tiler::modes(&tiles.collect::<Vec<_>>())?;
        let tiles = algebra::zipped_divide(&linear, &tiles)?;
        let (within, rest) = (tiles.mode(0), tiles.mode(1));
        let repeats = rest.size();
        let mut coordinates = Vec::new();
        for repeat in 0..repeats {
            for &at in &place {
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

    /// How it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of threads.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// The values of each thread.
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

fn check_count(threads: usize, values: usize) -> Result<(), LayoutError> {
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
