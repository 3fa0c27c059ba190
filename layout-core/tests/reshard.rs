//! Reshards between thousands of cores: each finds its own part alone, in time and memory that go with
//! that part. The plans of small tensors are checked element by element in `tenstorrent.rs`.
//!
//! `cargo test --release -p layout-core --test reshard -- --nocapture` prints what it took.

use std::collections::BTreeSet;
use std::time::Instant;

use layout_core::devices::{Move, Placement};
use layout_core::error::LayoutError;

const SIDE: usize = 1 << 20;

/// A matrix of 2^40 elements in blocks on a grid.
fn blocks(rows: usize, columns: usize) -> Result<Placement, LayoutError> {
    let (m, n) = (SIDE / rows, SIDE / columns);
    Placement::builder(&[SIDE, SIDE], m * n, rows * columns)?
        .dimension(SIDE, &[1, 0])?
        .piece(m)?
        .leaf(m, n)?
        .piece(rows)?
        .core_leaf(rows, columns)?
        .dimension(SIDE, &[0, 1])?
        .piece(n)?
        .leaf(n, 1)?
        .piece(columns)?
        .core_leaf(columns, 1)?
        .build()
}

/// The same, block-cyclic on a grid, in square blocks of `block` rows.
fn cyclic(grid: usize, block: usize) -> Result<Placement, LayoutError> {
    let turns = SIDE.div_ceil(block * grid);
    let width = turns * block;
    Placement::builder(&[SIDE, SIDE], width * width, grid * grid)?
        .dimension(SIDE, &[1, 0])?
        .piece(block)?
        .leaf(block, width)?
        .piece(grid)?
        .core_leaf(grid, grid)?
        .piece(turns)?
        .leaf(turns, block * width)?
        .dimension(SIDE, &[0, 1])?
        .piece(block)?
        .leaf(block, 1)?
        .piece(grid)?
        .core_leaf(grid, 1)?
        .piece(turns)?
        .leaf(turns, block)?
        .build()
}

/// All columns after each other, cut into equal parts.
fn joined(cores: usize) -> Result<Placement, LayoutError> {
    let part = SIDE * SIDE / cores;
    Placement::builder(&[SIDE, SIDE], part, cores)?
        .dimension(SIDE * SIDE, &[1, SIDE])?
        .piece(part)?
        .leaf(part, 1)?
        .piece(cores)?
        .core_leaf(cores, 1)?
        .build()
}

/// How many boxes a core has at both ends, after a check of them.
fn plan(from: &Placement, to: &Placement, core: usize, name: &str) -> Result<usize, LayoutError> {
    let start = Instant::now();
    let plan = from.reshard(to)?;
    let out: Vec<_> = plan.out_of(core)?.transfers().collect();
    let into: Vec<_> = plan.into_core(core)?.transfers().collect();
    let seconds = start.elapsed().as_secs_f64();
    let boxes: usize = out.iter().chain(&into).map(|transfer| transfer.moves.len()).sum();
    let bytes = boxes * size_of::<Move>();
    println!("{name}: {boxes} boxes of {} bytes in {seconds:.4} s", size_of::<Move>());
    assert!(bytes < 100 << 20, "{name}: {bytes} bytes");

    let elements: usize = out.iter().map(|transfer| transfer.elements()).sum();
    assert_eq!(elements, SIDE * SIDE / from.cores(), "{name}: all that was there");
    let elements: usize = into.iter().map(|transfer| transfer.elements()).sum();
    assert_eq!(elements, SIDE * SIDE / to.cores(), "{name}: all that is to be there");
    let mut peers = BTreeSet::new();
    for transfer in out.iter().chain(&into) {
        for one in &transfer.moves {
            let corners = [one.region.start().to_vec(), {
                one.region.end().iter().map(|end| end - 1).collect::<Vec<_>>()
            }];
            for corner in corners {
                assert_eq!(from.slot(&corner)?.core, one.source, "{name}: {one}");
                assert_eq!(to.slot(&corner)?.core, one.destination, "{name}: {one}");
            }
        }
        peers.insert((transfer.source, transfer.destination));
    }
    // The other end of the first transfer has the same boxes in the same order.
    let first = &out[0];
    let other = plan.into_core(first.destination)?.transfers();
    assert_eq!(other.into_iter().find(|one| one.source == core).as_ref(), Some(first), "{name}");
    Ok(boxes)
}

#[test]
fn one_core_of_4096_plans_alone() -> Result<(), LayoutError> {
    let (square, rows, columns) = (blocks(64, 64)?, blocks(4096, 1)?, blocks(1, 4096)?);
    for core in [0, 1, 2049, 4095] {
        assert_eq!(plan(&rows, &columns, core, "rows to columns")?, 2 * 4096);
        assert_eq!(plan(&square, &rows, core, "64 x 64 to rows")?, 2 * 64);
        assert_eq!(plan(&rows, &square, core, "rows to 64 x 64")?, 2 * 64);
    }
    // Each core has 256 blocks, in the columns of which it meets 64 cores.
    assert_eq!(plan(&cyclic(64, 1024)?, &square, 77, "block-cyclic to 64 x 64")?, 512);
    assert_eq!(plan(&joined(4096)?, &square, 77, "joined to 64 x 64")?, 128);
    Ok(())
}
