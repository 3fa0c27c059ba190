//! Entries about tensors, views and kernels.

use crate::engine::{IntTuple, Swizzle};
use crate::error::LayoutError;
use crate::error::entries::{Entry, pair};

const SWIZZLE: Swizzle = match Swizzle::new(3, 0, 3) {
    Ok(swizzle) => swizzle,
    Err(error) => error.panic(),
};

pub(super) const ENTRIES: &[Entry] = &[
    Entry::elsewhere(
        "a slice that is shorter than its layout reaches",
        "View::new(&[0.0; 24], layout!((4, 8):(8, 1)))",
        LayoutError::SliceTooShort { elements: 24, shape: pair(4, 8), stride: pair(8, 1) },
        "A view has an element for every offset below the cosize of its layout.",
    ),
    Entry::elsewhere(
        "writing through a layout that repeats elements",
        "ViewMut::new(&mut [0.0; 8], layout!((4, 8):(0, 1)))",
        LayoutError::NotInjective { shape: pair(4, 8), stride: pair(0, 1) },
        "Two coordinates share an element, so that what was written would depend on the order. \
         Reading through such a layout is fine.",
    ),
    Entry::elsewhere(
        "a tensor larger than memory can be",
        "Tensor::<f64, _>::zeros_in(layout)",
        LayoutError::StorageTooLarge {
            element_bytes: 8,
            shape: pair(1 << 31, 1 << 30),
            stride: pair(1 << 30, 1),
        },
        concat!("The elements below the cosize take at most 2^", size_bits!(), " - 1 bytes."),
    ),
    Entry::elsewhere(
        "a copy between different shapes",
        "kernels::copy(&source, &mut destination)",
        LayoutError::CopyShape { source: pair(64, 128), destination: pair(64, 120) },
        "Source and destination have the same modes by size, however each is nested.",
    ),
    Entry::elsewhere(
        "a product or a transposition of something that is no matrix",
        "kernels::gemm(1.0, &a, &b, 0.0, &mut c)",
        LayoutError::MatrixRank { operand: "gemm: A", shape: IntTuple::leaf(64) },
        "A matrix has two modes, which may be nested. Group the modes of a tensor first.",
    ),
    Entry::elsewhere(
        "a product where columns of A do not meet rows of B",
        "kernels::gemm(1.0, &a, &b, 0.0, &mut c)",
        LayoutError::GemmInner { a: pair(64, 32), b: pair(48, 64) },
        "A is (M,K), B is (K,N) and C is (M,N).",
    ),
    Entry::elsewhere(
        "a product where A and C have different rows",
        "kernels::gemm(1.0, &a, &b, 0.0, &mut c)",
        LayoutError::GemmRows { a: pair(64, 32), c: pair(48, 64) },
        "A is (M,K), B is (K,N) and C is (M,N).",
    ),
    Entry::elsewhere(
        "a product where B and C have different columns",
        "kernels::gemm(1.0, &a, &b, 0.0, &mut c)",
        LayoutError::GemmColumns { b: pair(32, 64), c: pair(64, 48) },
        "A is (M,K), B is (K,N) and C is (M,N).",
    ),
    Entry::elsewhere(
        "a slice that is shorter than its swizzled layout reaches",
        "SwizzledView::new_in(&[0.0; 48], swizzled)",
        LayoutError::SwizzledSliceTooShort {
            elements: 48,
            swizzle: SWIZZLE,
            offset: 0,
            shape: pair(8, 6),
            stride: pair(1, 8),
        },
        "A swizzle exchanges offsets inside whole blocks: the slice has an element for each offset \
         of the blocks that the layout reaches.",
    ),
    Entry::elsewhere(
        "a swizzled layout where only a plain one or a placement can be",
        "kernels::Relayout::between(&swizzled, &mut device)",
        LayoutError::SwizzledPlace { swizzle: SWIZZLE, shape: pair(8, 8), stride: pair(8, 1) },
        "kernels::copy takes swizzled layouts. Copy to a plain layout first.",
    ),
    Entry::elsewhere(
        "a view of a tile of a shape that the tiles do not fill",
        "a.view().local_tile(&layout!(<4, 5>), (0, 0))",
        LayoutError::TilesUneven { shape: pair(7, 10), tiles: pair(4, 5).pair(&pair(2, 2)) },
        "A tile at the end would reach beyond the tensor, into elements that are not its own. Tile the \
         part that the tiles fill, or work with `local_tile` of the layout and compare coordinates.",
    ),
];
