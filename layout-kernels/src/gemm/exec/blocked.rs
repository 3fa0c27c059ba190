//! Products of any size and any layouts: blocks that fit the caches, packed into panels, made by
//! register tiles.
//!
//! The loops are those of Goto and van de Geijn, as in BLIS, with A and B exchanged: a block of A
//! of `mc` by `kc` is packed for the last cache, a block of B of `kc` by `nc` for the second, and a
//! panel of A stays in the first while it meets all panels of B. Tiles then follow each other
//! along the rows of C, where its elements are neighbours; along its columns each tile would begin
//! in other pages. Small operands, and such that lie in panels already, are used where they are.

use layout_core::engine::DynLayout;

use crate::gemm::exec::arguments::Finish;
use crate::gemm::exec::macro_kernel::{Product, Slab};
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::blocks::Blocks;
use crate::gemm::plan::grid::{Grid, pieces};
use crate::gemm::problem::operands::Operands;
use crate::gemm::problem::pieces::{Pieces, Window};
use crate::gemm::problem::steps::Steps;
use crate::gemm::scale::Scale;
use crate::par::Par;
use crate::simd::Level;
use crate::simd::cache::Caches;

/// A product in blocks: its axes as it is made, and its plan.
pub(crate) struct Blocked {
    operands: Operands,
    pub(crate) plan: Blocks,
}

impl Blocked {
    /// For layouts that make a product that is not empty, of operands that start at `a` and `b`.
    pub(crate) fn new<X, Y, T>(
        layouts: [&DynLayout; 3],
        (a, b): (*const X, *const Y),
        kernels: &Kernels<X, Y, T>,
        transposed: impl FnOnce() -> &'static Kernels<Y, X, T>,
    ) -> Self {
        let mut operands = Operands::new(layouts);
        let plan = if operands.turns(kernels.shapes.lanes) {
            operands = operands.transposed();
            operands.order();
            Blocks::new::<Y, X>(&operands, &transposed().shapes, true, a.cast())
        } else {
            operands.order();
            Blocks::new::<X, Y>(&operands, &kernels.shapes, false, b.cast())
        };
        Self { operands, plan }
    }

    /// `C = alpha * A * B + beta * C`, where there is something to add.
    ///
    /// # Safety
    ///
    /// As [`exec::run`](crate::gemm::exec::run).
    pub(crate) unsafe fn run<X, Y, T: Sum>(
        &self,
        matrices: &Matrices<'_, X, Y, T>,
        kernels: impl FnOnce() -> &'static Kernels<X, Y, T>,
        transposed: impl FnOnce() -> &'static Kernels<Y, X, T>,
        par: Par,
    ) where
        X: Copy + Send + Sync + 'static,
        Y: Copy + Send + Sync + 'static,
    {
        let &Matrices { level, scale, a, b, c, finish } = matrices;
        let Self { operands, plan } = self;
        let scale = &Scale::new(scale.alpha.times(operands.times), scale.beta);
        // SAFETY: as required here, perhaps for the transposed product.
        unsafe {
            if plan.transposed {
                let kernels = transposed();
                Parts { level, kernels, operands, plan, scale, a: b, b: a, c, finish }.run(par);
            } else {
                let kernels = kernels();
                Parts { level, kernels, operands, plan, scale, a, b, c, finish }.run(par);
            }
        }
    }
}

/// A product that may be made in parts.
pub(crate) struct Parts<'a, X: 'static, Y: 'static, T: 'static> {
    pub(crate) level: Level,
    pub(crate) kernels: &'a Kernels<X, Y, T>,
    pub(crate) operands: &'a Operands,
    pub(crate) plan: &'a Blocks,
    pub(crate) scale: &'a Scale<T>,
    pub(crate) a: *const X,
    pub(crate) b: *const Y,
    pub(crate) c: *mut T,
    pub(crate) finish: Option<Finish<'a, T>>,
}

// SAFETY: A and B are only read, and parts of C are apart, so that threads may share all of it.
unsafe impl<X: Sync, Y: Sync, T: Send + Sync> Sync for Parts<'_, X, Y, T> {}

impl<X, Y, T: Sum> Parts<'_, X, Y, T>
where
    X: Copy + Send + Sync,
    Y: Copy + Send + Sync,
{
    /// All parts.
    ///
    /// # Safety
    ///
    /// As [`Blocked::run`].
    unsafe fn run(&self, par: Par) {
        let caches = Caches::detect();
        let (operands, kernels) = (self.operands, self.kernels);
        let blocking = self.plan.blocking;
        let Shapes { word, lanes, a_words, depth, .. } = kernels.shapes;
        let rows = blocking.rows;
        let (n, near) = (operands.n.size(), caches.second / (rows * blocking.row_bytes(word)));
        let (all_m, all_k) = (operands.m.all(), operands.k.all());
        let (along_m, along_k) = (blocking.along_m(&all_m), blocking.along_k(&all_k));
        let later = self.scale.later();
        let [mc, kc] = [&along_m, &along_k].map(|extents| extents.iter().product::<usize>());
        // All of A is used in place if a block has one distance along M and K.
        let stays = blocking.a_stays
            && operands.m.known(0).is_linear()
            && (kc == operands.k.size() || operands.k.axes.len() == 1);
        let a_bytes = if stays { 0 } else { blocking.a_bytes(mc, word) };
        let (mut of_m, mut of_k) = (Window::default(), Window::default());
        with_scratch(0, a_bytes, |packed_a| {
            let product = Product { parts: self, blocking: &blocking, packed_a };
            let mut blocks_m = Pieces::new(&all_m, &along_m);
            while let Some((block, ..)) = blocks_m.next() {
                of_m.set(&operands.m, block);
                let ((to_a, am), (to_c, cm)) = (of_m.along(0), of_m.along(1));
                let cuts = blocking.cut_rows(&am, &cm);
                let work = am.size.saturating_mul(n).saturating_mul(operands.k.size());
                let grid = Grid::new([cuts.count(), n], lanes, pieces(work, par.threads()), near);
                let mut blocks_k = Pieces::new(&all_k, &along_k);
                while let Some((block, first, last)) = blocks_k.next() {
                    of_k.set(&operands.k, block);
                    let ((more_a, ak), (to_b, bk)) = (of_k.along(0), of_k.along(1));
                    let slab = Slab {
                        am,
                        ak,
                        bk,
                        cm,
                        // Wrapping, but the first elements of the blocks.
                        a: self.a.wrapping_add(to_a + more_a),
                        b: self.b.wrapping_add(to_b),
                        c: self.c.wrapping_add(to_c),
                        places: of_m.places(),
                        a_steps: Steps::new(&ak, a_words, depth).filter(|_| blocking.a_stays),
                        cuts,
                        scale: if first { self.scale } else { &later },
                        finish: self.finish.filter(|_| last),
                    };
                    if !stays {
                        let packers = grid.pieces();
                        par.each(packers, |i| {
                            let end = |i| cuts.count() * i / packers;
                            // SAFETY: as required here; each packs panels of its own.
                            unsafe { product.pack_a(&slab, end(i)..end(i + 1)) };
                        });
                    }
                    par.each(grid.pieces(), |i| {
                        let (tiles, (part, parts)) = grid.piece(i);
                        let part = operands.n.part(part, parts, lanes);
                        // SAFETY: as required here; pieces are different parts of C, and this block
                        // of A is packed, or stays where it is.
                        unsafe { product.run(&slab, tiles, &part) };
                    });
                }
            }
        });
    }
}
