//! Products of any size and any layouts: blocks that fit the caches, packed into panels, made by
//! register tiles.
//!
//! The loops are those of Goto and van de Geijn, as in BLIS: a block of B of `KC` by `NC` is
//! packed for the last cache, a block of A of `MC` by `KC` for the second, and while a panel of
//! B stays in the first, the tile goes down the panels of A. An operand that lies in panels
//! already, packed by its layout or simply by being narrow, is used where it is.

use std::cell::RefCell;

use crate::buffer::Buffer;
use crate::gemm::float::Float;
use crate::gemm::micro::{Kernels, Micro, Panels, Target, VECTORS, kernels};
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;
use crate::gemm::pack::{consecutive, distance, panel};
use crate::gemm::tile::Scale;
use crate::simd::Level;

/// Steps along K of a block: a panel of B of 32 `f32` or 16 `f64` takes 32 KiB.
const KC: usize = 256;
/// Panels of A in a block; with 14 rows of `f32` a block takes 344 KiB.
const A_PANELS: usize = 24;
/// Bytes of a packed block of B.
const B_BYTES: usize = 2 << 20;
/// Bytes over which an operand may be spread along a block of K and still be used in place: beyond
/// it, its lines compete for the same places of the first cache.
const IN_PLACE_BYTES: usize = 32 << 10;

/// A cache line, to align what is packed.
type Line = [u64; 8];

thread_local! {
    // Kept between calls: asking for memory costs more than a small product.
    static SCRATCH: RefCell<Scratch> = const { RefCell::new(Scratch { lines: None, offsets: Vec::new() }) };
}

/// Memory for packed blocks, at most 3 MiB, and for the offsets along each mode.
struct Scratch {
    lines: Option<Buffer<Line>>,
    offsets: Vec<usize>,
}

/// `C = alpha * A * B + beta * C`.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the modes;
/// nothing else accesses C meanwhile.
pub(crate) unsafe fn run<T: Float>(
    level: Level,
    modes: &Modes,
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    let kernels = kernels::<T>(level);
    let turned = !modes.cn.runs(kernels.lanes) && modes.cm.runs(kernels.lanes);
    let transposed;
    let (modes, a, b) = if turned {
        transposed = modes.transposed();
        (&transposed, b, a)
    } else {
        (modes, a, b)
    };
    SCRATCH.with_borrow_mut(|scratch| {
        let Scratch { lines, offsets } = scratch;
        let blocks = Blocks::new::<T>(modes, &kernels);
        let bytes = (blocks.a_elements() + blocks.b_elements()) * size_of::<T>();
        let needed = bytes.div_ceil(size_of::<Line>()) + 1;
        if lines.as_ref().is_none_or(|lines| lines.len() < needed) {
            *lines = Buffer::filled(needed, [0; 8]);
        }
        let Some(lines) = lines else { unreachable!("some MiB fit an address space") };
        let packed_a = lines.as_mut_ptr().cast::<T>();
        // SAFETY: behind the block of A there are lines for a block of B.
        let packed_b = unsafe { packed_a.add(blocks.a_elements()) };
        let offsets = Offsets::new(modes, offsets);
        let product = Product { blocks, offsets, scale, a, b, c, packed_a, packed_b };
        // SAFETY: the caller's promise, and the packed blocks have their sizes.
        unsafe { product.run(&kernels) };
    });
}

/// The offsets along each mode.
struct Offsets<'a> {
    am: &'a [usize],
    ak: &'a [usize],
    bk: &'a [usize],
    bn: &'a [usize],
    cm: &'a [usize],
    cn: &'a [usize],
}

impl<'a> Offsets<'a> {
    fn new(modes: &Modes, table: &'a mut Vec<usize>) -> Self {
        let Modes { am, ak, bk, bn, cm, cn, m, n, k } = modes;
        table.clear();
        for mode in [am, ak, bk, bn, cm, cn] {
            append(mode, table);
        }
        let (am, rest) = table.split_at(*m);
        let (ak, rest) = rest.split_at(*k);
        let (bk, rest) = rest.split_at(*k);
        let (bn, rest) = rest.split_at(*n);
        let (cm, cn) = rest.split_at(*m);
        Self { am, ak, bk, bn, cm, cn }
    }
}

/// Appends the offsets of a mode.
fn append(mode: &Mode, table: &mut Vec<usize>) {
    let start = table.len();
    table.push(0);
    for (&extent, &stride) in mode.extents().iter().zip(mode.strides()) {
        let below = table.len() - start;
        if below == 1 {
            table.extend((1..extent).map(|i| i * stride));
            continue;
        }
        // Each leaf repeats what the leaves before it made.
        for i in 1..extent {
            for j in start..start + below {
                table.push(table[j] + i * stride);
            }
        }
    }
}

/// How a product is cut.
struct Blocks {
    m: usize,
    n: usize,
    k: usize,
    /// Rows and vectors of a tile, and the columns that these are.
    rows: usize,
    vectors: usize,
    lanes: usize,
    width: usize,
    /// The sizes of blocks; `mc` and `nc` are multiples of `rows` and `width`.
    mc: usize,
    nc: usize,
    kc: usize,
}

impl Blocks {
    fn new<T: 'static>(modes: &Modes, kernels: &Kernels<T>) -> Self {
        let Modes { m, n, k, .. } = *modes;
        let lanes = kernels.lanes;
        let vectors = if n <= lanes { 1 } else { VECTORS };
        let width = lanes * vectors;
        let rows = rows(&modes.am, m, kernels.max_rows());
        // Blocks along K of about the same depth.
        let kc = k.div_ceil(k.div_ceil(KC));
        let nc = (B_BYTES / size_of::<T>() / kc / width).max(1) * width;
        Self {
            m,
            n,
            k,
            rows,
            vectors,
            lanes,
            width,
            mc: (A_PANELS * rows).min(m.next_multiple_of(rows)),
            nc: nc.min(n.next_multiple_of(width)),
            kc,
        }
    }

    fn a_elements(&self) -> usize {
        // Whole lines, so that B starts at one.
        (self.mc * self.kc).next_multiple_of(64)
    }

    fn b_elements(&self) -> usize {
        self.nc * self.kc
    }
}

/// Rows of a tile: an even number that wastes little of the last panel, and that divides the panels
/// in which A lies already.
fn rows(am: &Mode, m: usize, most: usize) -> usize {
    let (extents, strides) = (am.extents(), am.strides());
    if extents.len() > 1
        && strides[0] == 1
        && let Some(rows) = (4..=most).rev().step_by(2).find(|&r| extents[0].is_multiple_of(r))
    {
        return rows;
    }
    m.div_ceil(m.div_ceil(most)).next_multiple_of(2)
}

/// One product.
struct Product<'a, T> {
    blocks: Blocks,
    offsets: Offsets<'a>,
    scale: &'a Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    packed_a: *mut T,
    packed_b: *mut T,
}

impl<T: Float> Product<'_, T> {
    /// # Safety
    ///
    /// As [`run`], and the packed blocks can be written and have their sizes.
    unsafe fn run(&self, kernels: &Kernels<T>) {
        let Blocks { m, n, k, rows, vectors, mc, nc, kc, .. } = self.blocks;
        let micro = kernels.tile(rows, vectors);
        let later = Scale::new(self.scale.alpha, T::ONE);
        for jc in (0..n).step_by(nc) {
            for pc in (0..k).step_by(kc) {
                let scale = if pc == 0 { self.scale } else { &later };
                let depth = pc..(pc + kc).min(k);
                let columns = jc..(jc + nc).min(n);
                // SAFETY: the caller's promise.
                let b_step = unsafe { self.pack_b(columns.clone(), depth.clone()) };
                for ic in (0..m).step_by(mc) {
                    let block = Block {
                        rows: ic..(ic + mc).min(m),
                        columns: columns.clone(),
                        depth: depth.clone(),
                        scale,
                        b_step,
                    };
                    // SAFETY: the caller's promise, and this block of B is packed.
                    unsafe { self.block(&block, micro) };
                }
            }
        }
    }

    /// Packs a block of B, unless it can be used in place; then this returns the distance of its
    /// steps.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn pack_b(&self, columns: Range, depth: Range) -> Option<usize> {
        let Blocks { m, rows, lanes, width, .. } = self.blocks;
        let (bn, bk) = (&self.offsets.bn[columns], &self.offsets.bk[depth]);
        let whole = bn.len().is_multiple_of(width) && bn.chunks(lanes).all(consecutive);
        let step = distance(bk).filter(|&step| {
            let near = step * bk.len() * size_of::<T>() <= IN_PLACE_BYTES;
            whole && (near || m <= 2 * rows)
        });
        if step.is_none() {
            for (i, columns) in bn.chunks(width).enumerate() {
                // SAFETY: the block has room for this panel.
                let to = unsafe { self.packed_b.add(i * width * bk.len()) };
                // SAFETY: these are offsets of B, and the panel has `width` for each step.
                unsafe { panel(self.b, columns, bk, to, width) };
            }
        }
        step
    }

    /// The product of a block of A with a block of B that is packed.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and the block of B is packed unless it has a step.
    unsafe fn block(&self, block: &Block<'_, T>, micro: Micro<T>) {
        let Blocks { n, rows, lanes, width, .. } = self.blocks;
        let (am, ak) =
            (&self.offsets.am[block.rows.clone()], &self.offsets.ak[block.depth.clone()]);
        let (bn, bk) =
            (&self.offsets.bn[block.columns.clone()], &self.offsets.bk[block.depth.clone()]);
        let (cm, cn) =
            (&self.offsets.cm[block.rows.clone()], &self.offsets.cn[block.columns.clone()]);
        let depth = ak.len();
        let a_step = distance(ak).filter(|&step| {
            let near = step * depth * size_of::<T>() <= IN_PLACE_BYTES;
            (near || n <= 2 * width)
                && am.len().is_multiple_of(rows)
                && am.chunks(rows).all(consecutive)
        });
        if a_step.is_none() {
            for (i, rows_of_panel) in am.chunks(rows).enumerate() {
                // SAFETY: the block has room for this panel.
                let to = unsafe { self.packed_a.add(i * rows * depth) };
                // SAFETY: these are offsets of A, and the panel has `rows` for each step.
                unsafe { panel(self.a, rows_of_panel, ak, to, rows) };
            }
        }
        for (j, columns) in cn.chunks(width).enumerate() {
            let (b, b_step) = match block.b_step {
                Some(step) => {
                    let at = |vector: usize| {
                        let column = j * width + vector * lanes;
                        // A tile of one vector has no second one.
                        let offset = bn.get(column).unwrap_or(&bn[0]);
                        self.b.wrapping_add(bk[0] + offset)
                    };
                    ([at(0), at(1)], step)
                }
                None => {
                    let first = self.packed_b.wrapping_add(j * width * depth).cast_const();
                    ([first, first.wrapping_add(lanes)], width)
                }
            };
            let direct = columns.chunks(lanes).all(consecutive);
            for (i, rows_of_tile) in cm.chunks(rows).enumerate() {
                let (a, a_step) = match a_step {
                    Some(step) => (self.a.wrapping_add(am[i * rows] + ak[0]), step),
                    None => (self.packed_a.wrapping_add(i * rows * depth).cast_const(), rows),
                };
                let panels = Panels { depth, a, a_step, b, b_step };
                let target =
                    Target { scale: block.scale, c: self.c, rows: rows_of_tile, columns, direct };
                // SAFETY: the panels are packed with `rows` and `width` elements for each step, or
                // lie so in the operand; the offsets are those of C.
                unsafe { micro(&panels, &target) };
            }
        }
    }
}

type Range = core::ops::Range<usize>;

/// A block of each operand.
struct Block<'a, T> {
    rows: Range,
    columns: Range,
    depth: Range,
    scale: &'a Scale<T>,
    b_step: Option<usize>,
}
