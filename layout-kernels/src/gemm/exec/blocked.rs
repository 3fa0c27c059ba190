//! Products of any size and any layouts: blocks that fit the caches, packed into panels, made by
//! register tiles.
//!
//! The loops are those of Goto and van de Geijn, as in BLIS, with A and B exchanged: a block of A
//! of `mc` by `kc` is packed for the last cache, a block of B of `kc` by `nc` for the second, and a
//! panel of A stays in the first while it meets all panels of B. Tiles then follow each other
//! along the rows of C, where its elements are neighbours; along its columns each tile would begin
//! in other pages. Small operands, and rows of A that are consecutive along K, are used where they
//! are.

use layout_core::engine::DynLayout;

use crate::gemm::exec::macro_kernel::{Product, Slab};
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::blocks::Blocks;
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::plan::grid::{Grid, pieces};
use crate::gemm::problem::operands::Operands;
use crate::gemm::problem::pieces::{Pieces, Window};
use crate::gemm::problem::steps::Steps;
use crate::gemm::scale::AnyScale;
use crate::par::Par;
use crate::simd::cache::Caches;

/// A product in blocks: its axes as it is made, and its plan.
pub(crate) struct Blocked {
    operands: Operands,
    pub(crate) plan: Blocks,
}

impl Blocked {
    /// For layouts that make a product that is not empty, of operands that start at `a` and `b`, by tiles
    /// of these shapes, as it is and transposed.
    pub(crate) fn new(
        layouts: [&DynLayout; 3],
        [a, b]: [*const u8; 2],
        [shapes, transposed]: [&Shapes; 2],
    ) -> Self {
        let mut operands = Operands::new(layouts);
        let plan = if operands.turns(shapes.lanes) {
            operands = operands.transposed();
            operands.order();
            Blocks::new(&operands, transposed, true, a)
        } else {
            operands.order();
            Blocks::new(&operands, shapes, false, b)
        };
        Self { operands, plan }
    }

    /// How often each product is added.
    pub(crate) fn times(&self) -> usize {
        self.operands.times
    }

    /// `C = alpha * A * B + beta * C`, where there is something to add. The first steps along K meet C by
    /// the scale of the matrices, and the others by `later`.
    ///
    /// # Safety
    ///
    /// As [`exec::run`](crate::gemm::exec::run).
    pub(crate) unsafe fn run(
        &self,
        matrices: &Matrices<'_>,
        later: AnyScale<'_>,
        [kernels, transposed]: [&Kernels; 2],
        par: Par,
    ) {
        let Self { operands, plan } = self;
        let (matrices, kernels) = match plan.transposed {
            true => (&matrices.transposed(), transposed),
            false => (matrices, kernels),
        };
        // SAFETY: as required here, perhaps for the transposed product.
        unsafe { Parts { matrices, later, kernels, operands, plan }.run(par) };
    }
}

/// A product that may be made in parts.
pub(crate) struct Parts<'a> {
    pub(crate) matrices: &'a Matrices<'a>,
    pub(crate) later: AnyScale<'a>,
    pub(crate) kernels: &'a Kernels,
    pub(crate) operands: &'a Operands,
    pub(crate) plan: &'a Blocks,
}

impl Parts<'_> {
    /// All parts.
    ///
    /// # Safety
    ///
    /// As [`Blocked::run`].
    unsafe fn run(&self, par: Par) {
        let caches = Caches::detect();
        let (operands, blocking) = (self.operands, self.plan.blocking);
        let Shapes { word, lanes, .. } = self.kernels.shapes;
        let (n, k) = (operands.n.size(), operands.k.size());
        let near = caches.second / (blocking.rows * blocking.row_bytes(word));
        let (all_m, along_k) = (operands.m.all(), blocking.along_k(&operands.k.all()));
        let along_m = blocking.along_m(&all_m);
        let [mc, kc] = [&along_m, &along_k].map(|extents| extents.iter().product::<usize>());
        // All of A is used in place if a block has one distance along M and K.
        let stays = blocking.packing.a_stays
            && operands.m.known(0).is_linear()
            && (kc == k || operands.k.axes.len() == 1);
        let a_bytes = if stays { 0 } else { blocking.a_bytes(mc, word) };
        let mut of_m = Window::default();
        with_scratch(0, a_bytes, |packed_a| {
            let product = Product { parts: self, blocking: &blocking, packed_a };
            let mut blocks_m = Pieces::new(&all_m, &along_m);
            while let Some((block, ..)) = blocks_m.next() {
                of_m.set(&operands.m, block);
                let ((_, am), (_, cm)) = (of_m.along(0), of_m.along(1));
                let cuts = blocking.cut_rows(&am, &cm);
                let work = am.size.saturating_mul(n).saturating_mul(k);
                let grid = Grid::new([cuts.count(), n], lanes, pieces(work, par.threads()), near);
                let meet = |slab: &Slab<'_>, i: usize| {
                    let (tiles, (part, parts)) = grid.piece(i);
                    let part = operands.n.part(part, parts, lanes);
                    // SAFETY: as required here; pieces are different parts of C, and this block of A is
                    // packed, or stays where it is.
                    unsafe { product.run(slab, tiles, &part) };
                };
                if stays {
                    // No thread packs for others, so that none waits before the next steps.
                    par.each(grid.pieces(), |i| {
                        product.slabs(&of_m, cuts, &along_k, &|slab| meet(slab, i));
                    });
                } else {
                    product.slabs(&of_m, cuts, &along_k, &|slab| {
                        let packers = grid.pieces();
                        par.each(packers, |i| {
                            let end = |i| cuts.count() * i / packers;
                            // SAFETY: as required here; each packs panels of its own.
                            unsafe { product.pack_a(slab, end(i)..end(i + 1)) };
                        });
                        par.each(grid.pieces(), |i| meet(slab, i));
                    });
                }
            }
        });
    }
}

impl Product<'_> {
    /// Calls a function with the slab of each block along K of these extents, in their order.
    fn slabs(&self, of_m: &Window, cuts: Cuts, along_k: &[usize], meet: &dyn Fn(&Slab<'_>)) {
        let Parts { operands, kernels, later, .. } = *self.parts;
        let Matrices { scale, a, b, c, finish, .. } = *self.parts.matrices;
        let Shapes { element, sum, a_words, depth, .. } = kernels.shapes;
        let ((to_a, am), (to_c, cm)) = (of_m.along(0), of_m.along(1));
        let (all_k, mut of_k) = (operands.k.all(), Window::default());
        let mut blocks_k = Pieces::new(&all_k, along_k);
        while let Some((block, first, last)) = blocks_k.next() {
            of_k.set(&operands.k, block);
            let ((more_a, ak), (to_b, bk)) = (of_k.along(0), of_k.along(1));
            meet(&Slab {
                am,
                ak,
                bk,
                cm,
                // Wrapping, but the first elements of the blocks.
                a: a.wrapping_add((to_a + more_a).wrapping_mul(element)),
                b: b.wrapping_add(to_b.wrapping_mul(element)),
                c: c.wrapping_add(to_c.wrapping_mul(sum)),
                places: of_m.places(),
                a_steps: Steps::new(&ak, a_words, depth).filter(|_| self.blocking.packing.a_stays),
                cuts,
                scale: if first { scale } else { later },
                finish: finish.filter(|_| last),
            });
        }
    }
}
