//! Layouts, the basic operations of the algebra, and kernels: L0201 to L0299, L0301 to L0319 and
//! L0501 to L0512.

use crate::engine::{ComposedLayout, DynLayout, IntTuple, MAX_SIZE, Swizzle};
use crate::error::catalogue::{SWIZZLE, catalogue, pair};
use crate::error::{
    AccessError, AlgebraError, ArrayError, EinsumError, LinearError, MorelloError, NotationError,
    Operand, Place, PlacementError, SpyreError, TenstorrentError,
};

catalogue! {
    /// Why a layout, or the use of a layout, is not valid, with the numbers that do not fit.
    ///
    /// `Display` prints one line; the alternate form `{:#}` adds a line with [`help`](Self::help).
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let a = DynLayout::parse("(6,2):(1,7)").unwrap();
    /// let b = DynLayout::parse("4:2").unwrap();
    /// assert_eq!(
    ///     a.composition(&b).unwrap_err().to_string(),
    ///     "composition: A carries after 3 steps of B, and 3 does not divide its extent 4"
    /// );
    /// ```
    pub enum LayoutError;

    wraps {
        /// A text, or tokens of `layout!`, that is not valid notation.
        Notation(NotationError),
        /// A Morello layout that is not valid, or does not apply to its shape.
        Morello(MorelloError),
        /// A placement that is not valid, or a slot that it does not have.
        Placement(PlacementError),
        /// A Spyre layout that is not valid.
        Spyre(SpyreError),
        /// A Tenstorrent layout that is not valid, or a core that it does not have.
        Tenstorrent(TenstorrentError),
        /// An operation of the algebra that does not apply to its operands.
        Algebra(AlgebraError),
        /// An access by threads that cannot be analysed, or two layouts that cannot be compared.
        Access(AccessError),
        /// A linear layout that does not exist, or does not support the operation.
        Linear(LinearError),
        /// Letters of a contraction that do not fit together, or do not fit the tensors.
        Einsum(EinsumError),
        /// An array of another crate, or a file, that cannot be viewed as it is.
        Array(ArrayError),
    }

    "L0201": "a tuple without modes", EmptyTuple => {
        message: |m| m.str("a tuple needs at least one mode"),
        help: |m| m.str("write 1:0 for the layout of one element"),
        meaning: "A tuple has at least one mode. One element is 1:0.",
        example: "():()",
    }

    "L0202": "too many leaves", TooManyLeaves {
        /// The maximum.
        limit: usize,
    } => {
        message: |m| m.str("a layout may have at most ").num(*limit).str(" leaves"),
        meaning: "A layout has at most 32 numbers in its shape. Coalesce it, or divide only one \
            mode of it.",
        example: "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)",
    }

    "L0203": "a stride with a different number of modes than its shape", StrideRank {
        /// The shape, or the part of it that does not fit.
        shape: IntTuple,
        /// The stride, or the part of it that does not fit.
        stride: IntTuple,
    } => {
        message: |m| m.str("shape ").tuple(shape).str(" has ").num(shape.rank())
            .str(" modes but its stride ").tuple(stride).str(" has ").num(stride.rank()),
        help: |m| m.str("write one stride for each extent, nested in the same way"),
        meaning: "Shape and stride are congruent: one stride for each extent, with the same \
            parentheses.",
        example: "(4,8):(8,1,2)",
    }

    "L0204": "a shape and a stride that are nested differently", StrideNesting {
        /// The part of the shape.
        shape: IntTuple,
        /// The part of the stride.
        stride: IntTuple,
    } => {
        message: |m| m.str("shape ").tuple(shape).str(" and stride ").tuple(stride)
            .str(" are nested differently"),
        help: |m| m.str("write one stride for each extent, nested in the same way"),
        meaning: "Shape and stride are congruent: where one has a tuple, the other has a tuple of \
            the same rank.",
        example: "(4,8):8",
    }

    "L0205": "an extent of 0", ZeroExtent => {
        message: |m| m.str("an extent must be at least 1"),
        meaning: "A layout with an extent of 0 is empty. It has a size but no offsets. Operations \
            that need offsets reject it, and so do static layouts.",
        example: "complement((4,0):(1,4), 8)",
    }

    "L0206": concat!("a size of more than ", size_bits!(), " bits"), SizeOverflow {
        /// The shape whose size overflows.
        shape: IntTuple,
    } => {
        message: |m| m.str("the size of shape ").tuple(shape)
            .str(concat!(" does not fit in ", size_bits!(), " bits")),
        meaning: concat!("The product of all extents is at most 2^", size_bits!(), " - 1."),
        example: "(4294967296,4294967296):(1,1)",
    }

    "L0207": concat!("an offset of more than ", size_bits!(), " bits"), CosizeOverflow {
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| m.str("the largest offset of ").tuple(shape).str(":").tuple(stride)
            .str(concat!(" does not fit in ", size_bits!(), " bits")),
        meaning: concat!(
            "The largest offset, the sum of (extent - 1) * stride, is below 2^",
            size_bits!(),
            " - 1.",
        ),
        example: "(4,2):(1,9223372036854775807)",
    }

    "L0208": "an overflow inside an operation", IntegerOverflow {
        /// The operation.
        operation: &'static str,
    } => {
        message: |m| m.str(operation)
            .str(concat!(": a stride or an extent does not fit in ", size_bits!(), " bits")),
        meaning: concat!(
            "A stride or an extent on the way to the result does not fit in ",
            size_bits!(),
            " bits. An error is returned instead of a wrong result.",
        ),
        example: "downcast((4,8):(1,4), 4611686018427387904)",
    }

    "L0209": "a coordinate out of range", CoordinateOutOfRange {
        /// The coordinate.
        coordinate: usize,
        /// The exclusive upper bound.
        extent: usize,
    } => {
        message: |m| m.str("coordinate ").num(*coordinate).str(" is not below extent ")
            .num(*extent),
        meaning: "Coordinates count from 0 to the extent minus 1.",
        example: "eval((4,8):(8,1), (4,0))",
    }

    "L0210": "a coordinate that does not match the shape", CoordinateProfile {
        /// The coordinate, or the part of it that does not fit.
        coordinate: IntTuple,
        /// The shape, or the part of it that does not fit.
        shape: IntTuple,
    } => {
        message: |m| m.str("coordinate ").tuple(coordinate).str(" does not match the modes of shape ")
            .tuple(shape),
        meaning: "A coordinate is one integer for the whole shape, or a tuple of coordinates for \
            its modes.",
        example: "eval((4,8):(8,1), (1,2,3))",
    }

    "L0211": "a profile with more modes than the layout", ProfileRank {
        /// The profile.
        profile: IntTuple,
        /// The layout's shape.
        shape: IntTuple,
    } => {
        message: |m| m.str("profile ").tuple(profile).str(" has ").num(profile.rank())
            .str(" modes, more than the ").num(shape.rank()).str(" of shape ").tuple(shape),
        meaning: "An operation by profile applies to one mode for each leaf of the profile.",
        example: "coalesce((4,8):(8,1), (1,1,1))",
    }

    "L0212": "a run-time leaf in a static layout", RunTimeLeaf => {
        message: |m| m.str("a static layout has no run-time leaves"),
        help: |m| m.str("use Mixed, or the value of to_dyn()"),
        meaning: "Storage on the stack and constants need every number at compile time. Give the \
            leaf a number, or create the tensor from a layout value.",
        example: "type Rows = layout!((_, 4):(4, 1)); Tensor::<f32, Rows>::zeros()"
            => LayoutError::RunTimeLeaf,
    }

    "L0213": "tuples nested too deeply", TooDeep {
        /// The maximum depth.
        limit: usize,
    } => {
        message: |m| m.str("tuples may be nested at most ").num(*limit).str(" deep"),
        meaning: "Tuples nest at most 32 deep, or 8 deep if strides step in them. Flatten the \
            layout.",
        example: "4:1@0@0@0@0@0@0@0@0@0",
    }

    "L0214": "a tuple mode where an integer is needed", TupleMode {
        /// The mode.
        mode: usize,
        /// The tuple that was indexed.
        tuple: IntTuple,
    } => {
        message: |m| m.str("mode ").num(*mode).str(" of ").tuple(tuple)
            .str(" is not an integer"),
        help: |m| m.str("extent(").num(*mode)
            .str(") of a layout is the size of that mode, and mode(").num(*mode)
            .str(") of a tuple the mode itself"),
        meaning: "An index returns the integer of a mode. A mode that is a tuple has several.",
        example: "layout.shape()[1]" => LayoutError::TupleMode {
            mode: 1,
            tuple: IntTuple::leaf(4).pair(&IntTuple::leaf(3).pair(&IntTuple::leaf(2))),
        },
    }

    "L0301": "a composition where a mode crosses an extent of the left layout", CompositionCarry {
        /// The mode of B.
        place: Place,
        /// The extent of B.
        extent: usize,
        /// The rest of it after the steps that fit.
        rest: usize,
        /// Number of steps that A makes with one stride before one of its extents overflows.
        run: usize,
    } => {
        message: |m| {
            let m = m
                .operation(place.operation, place.by_mode)
                .left_operand(place)
                .str(" carries after ")
                .num(*run)
                .str(" steps of ")
                .operand(place)
                .str(", and ")
                .num(*run)
                .str(" does not divide ");
            if *rest == *extent {
                m.str("its extent ").num(*extent)
            } else {
                m.num(*rest).str(", what is left of its extent ").num(*extent)
            }
        },
        help: |m| {
            if matches!(place.operand, Operand::Rest) {
                m.other_tile(place)
            } else if *extent == *rest {
                m.str("an extent of at most ").num(*run).str(" would fit")
            } else {
                m.str("an extent of ").num(*extent / *rest * *run).str(" would fit")
            }
        },
        meaning: "A mode of the right layout steps through an extent of the left one until it \
            leaves it. The steps before that must divide the extent of the mode, or no layout \
            has these values. Take an extent that fits, or give the left layout extents that the \
            mode divides.",
        example: "(6,2):(1,7) o 4:2",
    }

    "L0302": "a composition where modes together cross an extent of the left layout",
    CompositionOverlap {
        /// The operand B.
        place: Place,
        /// The largest coordinate that the modes of B reach together.
        reach: usize,
        /// The extent of A.
        extent: usize,
    } => {
        message: |m| m.operation(place.operation, place.by_mode).str("the steps of ")
            .operand(place).str(" together reach coordinate ").num(*reach).str(" in an extent of ")
            .num(*extent).str(" of ").left_operand(place),
        help: |m| {
            if matches!(place.operand, Operand::TileAndRest) {
                m.other_tile(place)
            } else {
                m.str("steps that reach at most coordinate ").num(*extent - 1).str(" would fit")
            }
        },
        meaning: "Each mode of the right layout stays inside an extent of the left one, but their \
            sum does not, so the result is not a layout. CuTe returns a wrong layout here.",
        example: "(6,2):(1,7) o (3,2):(2,3)",
    }

    "L0303": "a complement of modes that overlap", ComplementOverlap {
        /// The mode of L.
        place: Place,
        /// The stride.
        stride: usize,
        /// The size that the smaller strides cover.
        covered: usize,
    } => {
        message: |m| {
            let m = m
                .operation(place.operation, place.by_mode)
                .str("stride ")
                .num(*stride)
                .str(" of ")
                .operand(place);
            m.str(" lies inside the ")
                .num(*covered)
                .str(" offsets that its smaller strides cover")
        },
        help: |m| m.str("a stride of at least ").num(*covered).str(" lies outside them"),
        meaning: "Sorted by stride, each stride must be at least what the modes before it cover. \
            Otherwise no layout is disjoint from this one and fills its gaps.",
        example: "complement((4,4):(1,2), 16)",
    }

    "L0304": "a tiler with more modes than the layout", TilerRank {
        /// The operation.
        operation: &'static str,
        /// The mode of the layout, for a tiler inside a tiler.
        mode: Option<usize>,
        /// The number of modes of the tiler.
        tiler: usize,
        /// The shape of the layout, or of its mode.
        shape: IntTuple,
    } => {
        message: |m| m.operation(operation, *mode).str("the tiler has ").num(*tiler)
            .str(" modes, more than the ").num(shape.rank()).str(" of shape ").tuple(shape),
        help: |m| {
            let m = m.str("a tiler of at most ").num(shape.rank());
            m.str(if shape.rank() == 1 { " mode would fit" } else { " modes would fit" })
        },
        meaning: "A tiler in < > applies mode by mode. Drop its last modes, or group the layout.",
        example: "logical_divide((4,8):(8,1), <2, 2, 2>)",
    }

    "L0305": "`_` in a zipped operation for a mode that is not a pair", KeepNeedsPair {
        /// The operation.
        operation: &'static str,
        /// The mode of the layout; `None` for the whole layout.
        mode: Option<usize>,
        /// The shape of the mode.
        shape: IntTuple,
    } => {
        message: |m| m.operation(operation, *mode)
            .str("_ needs a mode that is already a pair, not ").tuple(shape),
        help: |m| m.str("write 1:0 instead of _ to keep that mode whole"),
        meaning: "In a zipped operation `_` says that a mode is already a (tile,rest) pair, as in \
            CuTe. To leave a mode whole, use logical_divide, or take all of it as the tile.",
        example: "zipped_divide((4,8):(8,1), <_, 4>)",
    }

    "L0501": "a slice that is too short for its layout", SliceTooShort {
        /// The number of elements of the slice.
        elements: usize,
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| {
            let reach = match DynLayout::new(shape, stride) {
                Ok(layout) => layout.cosize(),
                Err(_) => MAX_SIZE,
            };
            m.str("the slice has ")
                .num(*elements)
                .str(" elements but layout ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(" needs ")
                .num(reach)
        },
        meaning: "A view has an element for every offset below the cosize of its layout.",
        example: "View::new(&[0.0; 24], layout!((4, 8):(8, 1)))"
            => LayoutError::SliceTooShort { elements: 24, shape: pair(4, 8), stride: pair(8, 1) },
    }

    "L0502": "a layout that repeats elements", NotInjective {
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| m.str("layout ").tuple(shape).str(":").tuple(stride)
            .str(" maps two coordinates to one offset; writing, and arrays of other crates, need distinct offsets"),
        help: |m| m
            .str("give every mode above extent 1 a nonzero stride that no other modes add up to"),
        meaning: "Two coordinates share an element, so the result of writing would depend on the \
            order. Reading a View through such a layout is allowed. Arrays of some other crates \
            refuse it even for reading.",
        example: "ViewMut::new(&mut [0.0; 8], layout!((4, 8):(0, 1)))"
            => LayoutError::NotInjective { shape: pair(4, 8), stride: pair(0, 1) },
    }

    "L0503": "a tensor larger than memory can be", StorageTooLarge {
        /// The size of one element in bytes.
        element_bytes: usize,
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| m.str("the elements of layout ").tuple(shape).str(":").tuple(stride)
            .str(", of ").num(*element_bytes)
            .str(" bytes each, take more memory than one allocation can have"),
        meaning: concat!(
            "The elements below the cosize take at most 2^",
            size_bits!(),
            " - 1 bytes.",
        ),
        example: "Tensor::<f64, _>::zeros_in(layout)"
            => LayoutError::StorageTooLarge {
                element_bytes: 8,
                shape: pair(1 << 31, 1 << 30),
                stride: pair(1 << 30, 1),
            },
    }

    "L0504": "a copy between different shapes", CopyShape {
        /// The shape of the source.
        source: IntTuple,
        /// The shape of the destination.
        destination: IntTuple,
    } => {
        message: |m| m.str("copy: source shape ").tuple(source).str(" is not destination shape ")
            .tuple(destination).str(": ").first_difference(source, destination),
        meaning: "Source and destination have the same modes by size, however each is nested.",
        example: "kernels::copy(&source, &mut destination)"
            => LayoutError::CopyShape { source: pair(64, 128), destination: pair(64, 120) },
    }

    "L0505": "a product or a transposition of something that is not a matrix", MatrixRank {
        /// The operation and its operand, such as `"gemm: A"`.
        operand: &'static str,
        /// Its shape.
        shape: IntTuple,
    } => {
        message: |m| m.str(operand).str(" has shape ").tuple(shape)
            .str(", but a matrix has 2 modes, not ").num(shape.rank()),
        meaning: "A matrix has two modes, which may be nested. Group the modes of a tensor first.",
        example: "kernels::gemm(1.0, &a, &b, 0.0, &mut c)"
            => LayoutError::MatrixRank { operand: "gemm: A", shape: IntTuple::leaf(64) },
    }

    "L0506": "inner dimensions of a product differ", GemmInner {
        /// The shape of A.
        a: IntTuple,
        /// The shape of B.
        b: IntTuple,
    } => {
        message: |m| m.str("gemm: A is ").tuple(a).str(" but B is ").tuple(b).str(": A has ")
            .num(mode_size(a, 1)).str(" columns, B has ").num(mode_size(b, 0)).str(" rows"),
        meaning: "A is (M,K), B is (K,N) and C is (M,N).",
        example: "kernels::gemm(1.0, &a, &b, 0.0, &mut c)"
            => LayoutError::GemmInner { a: pair(64, 32), b: pair(48, 64) },
    }

    "L0507": "a product where A and C have different rows", GemmRows {
        /// The shape of A.
        a: IntTuple,
        /// The shape of C.
        c: IntTuple,
    } => {
        message: |m| m.str("gemm: A is ").tuple(a).str(" but C is ").tuple(c).str(": A has ")
            .num(mode_size(a, 0)).str(" rows, C has ").num(mode_size(c, 0)).str(" rows"),
        meaning: "A is (M,K), B is (K,N) and C is (M,N).",
        example: "kernels::gemm(1.0, &a, &b, 0.0, &mut c)"
            => LayoutError::GemmRows { a: pair(64, 32), c: pair(48, 64) },
    }

    "L0508": "a product where B and C have different columns", GemmColumns {
        /// The shape of B.
        b: IntTuple,
        /// The shape of C.
        c: IntTuple,
    } => {
        message: |m| m.str("gemm: B is ").tuple(b).str(" but C is ").tuple(c).str(": B has ")
            .num(mode_size(b, 1)).str(" columns, C has ").num(mode_size(c, 1)).str(" columns"),
        meaning: "A is (M,K), B is (K,N) and C is (M,N).",
        example: "kernels::gemm(1.0, &a, &b, 0.0, &mut c)"
            => LayoutError::GemmColumns { b: pair(32, 64), c: pair(64, 48) },
    }

    "L0509": "a slice that is too short for its swizzled layout", SwizzledSliceTooShort {
        /// The number of elements of the slice.
        elements: usize,
        /// The swizzle.
        swizzle: Swizzle,
        /// The offset inside the swizzle.
        offset: usize,
        /// The shape of the layout inside.
        shape: IntTuple,
        /// The stride of the layout inside.
        stride: IntTuple,
    } => {
        message: |m| {
            let reach = match DynLayout::new(shape, stride) {
                Ok(layout) => match ComposedLayout::new(swizzle, *offset, &layout) {
                    Ok(composed) => composed.cosize_bound(),
                    Err(_) => MAX_SIZE,
                },
                Err(_) => MAX_SIZE,
            };
            m.str("the slice has ")
                .num(*elements)
                .str(" elements but layout ")
                .swizzle(swizzle)
                .str(" o ")
                .num(*offset)
                .str(" o ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(" needs ")
                .num(reach)
        },
        meaning: "A swizzle permutes offsets inside whole blocks: the slice needs an element for \
            each offset of the blocks that the layout touches.",
        example: "SwizzledView::new_in(&[0.0; 48], swizzled)"
            => LayoutError::SwizzledSliceTooShort {
                elements: 48,
                swizzle: SWIZZLE,
                offset: 0,
                shape: pair(8, 6),
                stride: pair(1, 8),
            },
    }

    "L0510": "a swizzled layout where a plain layout or a placement is needed", SwizzledPlace {
        /// The swizzle.
        swizzle: Swizzle,
        /// The shape of the layout inside.
        shape: IntTuple,
        /// The stride of the layout inside.
        stride: IntTuple,
    } => {
        message: |m| m.str("layout ").swizzle(swizzle).str(" o ").tuple(shape).str(":")
            .tuple(stride).str(" is swizzled, but a plain layout or a placement is needed here"),
        meaning: "kernels::copy takes swizzled layouts. Copy to a plain layout first.",
        example: "kernels::Relayout::between(&swizzled, &mut device)"
            => LayoutError::SwizzledPlace {
                swizzle: SWIZZLE,
                shape: pair(8, 8),
                stride: pair(8, 1),
            },
    }

    "L0511": "a tiled view of a shape that the tiles do not divide", TilesUneven {
        /// The shape.
        shape: IntTuple,
        /// The shape of its tiles and their grid.
        tiles: IntTuple,
    } => {
        message: |m| m.str("local_tile: tiles and their grid, ").tuple(tiles)
            .str(", do not cover shape ").tuple(shape).str(" evenly"),
        meaning: "A tile at the end would reach beyond the tensor, into elements that do not \
            belong to it. Tile the part that whole tiles cover, or use `local_tile` of the layout \
            and compare coordinates.",
        example: "a.view().local_tile(&layout!(<4, 5>), (0, 0))"
            => LayoutError::TilesUneven { shape: pair(7, 10), tiles: pair(4, 5).pair(&pair(2, 2)) },
    }

    "L0512": "a slice that is too long for a tensor", SliceTooLong {
        /// The number of elements.
        elements: usize,
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| m.num(*elements).str(" elements are more than the offsets of layout ")
            .tuple(shape).str(":").tuple(stride),
        meaning: "A tensor made of a slice or a vector has as many elements as its layout has \
            offsets. A view may use a longer slice.",
        example: "Tensor::<i32, layout!((2, 3))>::from_vec(vec![0; 8])"
            => LayoutError::SliceTooLong { elements: 8, shape: pair(2, 3), stride: pair(1, 2) },
    }
}

/// The size of mode `i` of a shape that belongs to a layout, so it fits.
#[inline(never)]
const fn mode_size(shape: &IntTuple, i: usize) -> usize {
    or_panic!(shape.mode(i).product())
}
