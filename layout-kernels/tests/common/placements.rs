//! Random placements for tests.

use layout_core::devices::{Builder, Placement, Slot};
use layout_core::error::LayoutError;

use super::common::Random;

/// Runs a placement builder; panics on an error.
pub(crate) fn built(f: impl FnOnce() -> Result<Placement, LayoutError>) -> Placement {
    f().unwrap_or_else(|error| panic!("{error}"))
}

/// Sticks: all dimensions padded, the last one split into sticks, the others in random order.
pub(crate) fn sticks(random: &mut Random, shape: &[usize]) -> Placement {
    let stick = random.one_of(&[2, 4, 8, 16, 32]);
    let last = shape.len() - 1;
    let outer: Vec<usize> = shape.iter().map(|&e| e + random.below(3) * random.below(4)).collect();
    let count = shape[last].div_ceil(stick) + random.below(2);
    // Order of the digits outside the stick, innermost first: each dimension, and the sticks of the
    // last.
    let mut order: Vec<usize> = (0..shape.len()).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    let (mut strides, mut step) = (vec![0; shape.len()], stick);
    for d in order {
        strides[d] = step;
        step *= if d == last { count } else { outer[d] };
    }
    built(|| {
        let mut builder = Placement::builder(shape, step, 1)?;
        for d in 0..shape.len() {
            builder = builder.dimension(shape[d], &unit(shape.len(), d))?.piece(shape[d])?;
            builder = if d == last {
                builder.leaf(stick, 1)?.leaf(count, strides[d])?
            } else {
                builder.leaf(outer[d], strides[d])?
            };
        }
        builder.build()
    })
}

pub(crate) fn unit(rank: usize, d: usize) -> Vec<usize> {
    let mut row = vec![0; rank];
    row[d] = 1;
    row
}

/// Shards: all dimensions but the last are joined to rows, possibly with gaps. Rows and columns are
/// cut for a grid, and each shard is padded to tiles, possibly of four faces.
pub(crate) fn shards(random: &mut Random, shape: &[usize]) -> Placement {
    let (rank, grid) = (shape.len(), [1 + random.below(3), 1 + random.below(3)]);
    let tile = random.one_of(&[(1, 1), (2, 4), (4, 4), (8, 16), (32, 32)]);
    let faces = tile.0 > 1 && random.below(2) == 0;
    let bump = if random.below(3) == 0 { random.below(3) } else { 0 };
    let (mut row, mut coefficient) = (vec![0; rank], 1);
    for d in (0..rank - 1).rev() {
        row[d] = coefficient;
        coefficient = coefficient * shape[d] + bump;
    }
    let rows: usize = 1 + row.iter().zip(shape).map(|(r, s)| r * (s - 1)).sum::<usize>();
    let columns = shape[rank - 1];
    let shard = [rows.div_ceil(grid[0]), columns.div_ceil(grid[1])];
    let tiles = [shard[0].div_ceil(tile.0), shard[1].div_ceil(tile.1)];
    let volume = tile.0 * tile.1;
    let storage = tiles[0] * tiles[1] * volume;
    let in_tile = |builder: Builder, extent: usize, [inner, outer, plain]: [usize; 3]| {
        if faces {
            builder.leaf(extent / 2, inner)?.leaf(2, outer)
        } else {
            builder.leaf(extent, plain)
        }
    };
    built(|| {
        let builder = Placement::builder(shape, storage, grid[0] * grid[1])?;
        let builder = builder.dimension(rows, &row)?.piece(shard[0])?;
        in_tile(builder, tile.0, [tile.1 / 2, volume / 2, tile.1])?
            .leaf(tiles[0], tiles[1] * volume)?
            .piece(grid[0])?
            .core_leaf(grid[0], grid[1])
            .and_then(|b| b.dimension(columns, &unit(rank, rank - 1))?.piece(shard[1]))
            .and_then(|b| in_tile(b, tile.1, [1, volume / 4, 1])?.leaf(tiles[1], volume))
            .and_then(|b| b.piece(grid[1])?.core_leaf(grid[1], 1)?.build())
    })
}

pub(crate) fn shape(random: &mut Random) -> Vec<usize> {
    let choices: &[usize] = match random.below(3) {
        0 => return vec![random.one_of(&[1, 5, 33, 70]), random.one_of(&[1, 17, 40, 64, 100])],
        1 => &[1, 2, 3, 5, 8, 12, 20],
        _ => &[1, 2, 3, 4, 7],
    };
    (0..2 + random.below(3)).map(|_| random.one_of(choices)).collect()
}

pub(crate) fn placement(random: &mut Random, shape: &[usize]) -> Placement {
    match random.below(3) {
        0 => sticks(random, shape),
        1 => shards(random, shape),
        _ => Placement::of_layout(&random.layout(shape, false)).unwrap(),
    }
}

/// The slots of all elements, in the same element order for all placements of a tensor.
pub(crate) fn slots(p: &Placement) -> Vec<usize> {
    let shape = &p.shape().leaves().to_vec()[..p.rank()];
    let mut at = vec![0; shape.len()];
    let mut slots = Vec::with_capacity(p.elements());
    for _ in 0..p.elements() {
        let Slot { core, offset } = p.slot(&at).unwrap();
        slots.push(core * p.storage() + offset);
        for (c, extent) in at.iter_mut().zip(shape) {
            *c += 1;
            if *c < *extent {
                break;
            }
            *c = 0;
        }
    }
    slots
}
