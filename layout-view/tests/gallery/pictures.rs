//! The contents of the gallery.

/// A section of the page.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// The header of the first column of the table, if there is a table.
    pub(crate) source: Option<&'static str>,
    pub(crate) pictures: &'static [Entry],
}

/// A picture of a section.
pub(crate) struct Entry {
    /// The name of the file.
    pub(crate) file: &'static str,
    /// The source of the figure.
    pub(crate) source: &'static str,
    /// What the picture shows.
    pub(crate) caption: &'static str,
    pub(crate) expression: &'static str,
    /// Options of `layout show` and their values.
    pub(crate) options: &'static [(&'static str, &'static str)],
}

const fn picture(
    file: &'static str,
    source: &'static str,
    caption: &'static str,
    expression: &'static str,
) -> Entry {
    Entry { file, source, caption, expression, options: &[] }
}

impl Entry {
    const fn with(self, options: &'static [(&'static str, &'static str)]) -> Self {
        Self { options, ..self }
    }
}

pub(crate) const SECTIONS: &[Section] = &[
    Section {
        title: "CuTe: layouts",
        text: "The layouts that `01_layout.md` of CuTe's documents prints as tables. Numbers are offsets. \
               A thick line is the edge of a tile: of all parts of a nested mode but the last.",
        source: Some("01_layout.md"),
        pictures: &[
            picture("cute-8", "Vector examples", "A contiguous vector", "8:1"),
            picture("cute-8-2", "Vector examples", "Every second element", "8:2"),
            picture(
                "cute-nested-vector",
                "Vector examples",
                "A vector of one nested mode",
                "((4,2)):((2,1))",
            ),
            picture("cute-column-major", "Matrix examples", "Column-major", "(4,2):(1,4)"),
            picture("cute-row-major", "Matrix examples", "Row-major", "(4,2):(2,1)"),
            picture(
                "cute-nested-rows",
                "Matrix examples",
                "Rows in two parts",
                "((2,2),2):((4,1),2)",
            ),
            picture(
                "cute-padded-rows",
                "Constructing a layout",
                "Rows with stride 12",
                "(2,4):(12,1)",
            ),
            picture(
                "cute-2x4",
                "Constructing a layout",
                "`layout_2x4`, printed by `print2D`",
                "(2,(2,2)):(4,(2,1))",
            ),
            picture(
                "cute-mappings",
                "Coordinate mapping, index mapping",
                "A coordinate has three forms: (1,5), (1,(1,2)) and 16 are one element, at 17",
                "(3,(2,3)):(3,(12,1))",
            ),
        ],
    },
    Section {
        title: "CuTe: the algebra",
        text: "The figures and worked examples of `02_layout_algebra.md`. Each picture is the result of the expression.",
        source: Some("02_layout_algebra.md"),
        pictures: &[
            picture(
                "cute-composition",
                "Composition, worked example",
                "`R(c) = A(B(c))`",
                "(6,2):(8,2) o (4,3):(3,1)",
            ),
            picture(
                "cute-reshape-vector",
                "Composition, reshape a vector",
                "A vector as a matrix by rows",
                "20:2 o (5,4):(4,1)",
            ),
            picture(
                "cute-reshape-matrix",
                "Composition, reshape a matrix",
                "A matrix as another matrix",
                "(10,2):(16,4) o (5,4):(1,5)",
            ),
            picture(
                "cute-by-mode",
                "composition1.png",
                "The matrix that is composed by mode",
                "(12,(4,8)):(59,(13,1))",
            ),
            picture(
                "cute-composition1",
                "composition1.png",
                "By mode: every fourth row, every second column",
                "(12,(4,8)):(59,(13,1)) o <3:4, 8:2>",
            ),
            picture(
                "cute-composition2",
                "composition2.png",
                "A shape as a tiler: the first 3 rows and 8 columns",
                "(12,(4,8)):(59,(13,1)) o <3:1, 8:1>",
            ),
            picture(
                "cute-complement",
                "complement1.png",
                "The repetition of a layout in 24 elements",
                "complement((2,2):(1,6), 24)",
            ),
            picture(
                "cute-complement1",
                "complement1.png",
                "The layout and its repetition: every offset below 24 once",
                "((2,2),(3,2)):((1,6),(2,12))",
            ),
            picture(
                "cute-divide1",
                "divide1.png",
                "A vector divided by every second element: tiles are columns",
                "logical_divide((4,2,3):(2,1,8), 4:2)",
            ),
            picture(
                "cute-divide2",
                "divide2.png",
                "A matrix divided by mode",
                "logical_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
            ),
            picture(
                "cute-divide3",
                "divide3.png",
                "The same, zipped: a column is a tile",
                "zipped_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
            )
            .with(&[("color-by", "offset")]),
            picture(
                "cute-product1",
                "product1.png",
                "Six copies of a tile",
                "logical_product((2,2):(4,1), 6:1)",
            ),
            picture(
                "cute-product1-strided",
                "product1.png",
                "A tile in a matrix of 4 by 2",
                "logical_product((2,2):(4,1), (4,2):(2,1))",
            ),
            picture(
                "cute-product2d",
                "product2d.png",
                "A product by mode",
                "logical_product((2,5):(5,1), <3:5, 4:6>)",
            ),
            picture(
                "cute-product-blocked",
                "productblocked2d.png",
                "Blocked: tiles stay whole",
                "blocked_product((2,5):(5,1), (3,4):(1,3))",
            ),
            picture(
                "cute-product-raked",
                "productraked2d.png",
                "Raked: tiles interleave",
                "raked_product((2,5):(5,1), (3,4):(1,3))",
            ),
        ],
    },
    Section {
        title: "CuTe: threads and values",
        text: "Accumulators of tensor cores: which thread has which element, and as which of its values. Colours are threads.",
        source: Some("0t_mma_atom.md"),
        pictures: &[
            picture(
                "mma-volta",
                "Volta, 8x8x4, accumulator",
                "A quadpair of 8 threads, 8 values each, of 32 bits",
                "(8,8):(8,1)",
            )
            .with(&[("tv", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))")]),
            picture(
                "mma-ampere",
                "Ampere, 16x8, accumulator",
                "A warp of 32 threads, 4 values each",
                "(16,8):(8,1)",
            )
            .with(&[("tv", "((4,8),(2,2)):((32,1),(16,8))")]),
            picture(
                "copy-tile",
                "A tiled copy",
                "32 threads by rows, a vector of 4 values each",
                "(8,16):(16,1)",
            )
            .with(&[("threads", "(8,4):(4,1)"), ("values", "(1,4)")]),
        ],
    },
    Section {
        title: "Swizzles",
        text: "A swizzle moves elements within a row so that the elements of a column are in different banks. \
               Colours are the bits of the offset that it changes: without a swizzle every column has one colour.",
        source: None,
        pictures: &[
            picture("swizzle-none", "", "Without a swizzle, by bank", "(8,8):(8,1)")
                .with(&[("color-by", "bank"), ("banks", "8")]),
            picture(
                "swizzle-3-0-3",
                "",
                "`Sw<3,0,3>`, every bit of the row moves one of the column",
                "Sw<3,0,3> o 0 o (8,8):(8,1)",
            ),
            picture(
                "swizzle-2-0-3",
                "",
                "`Sw<2,0,3>`, two of three bits",
                "Sw<2,0,3> o 0 o (8,8):(8,1)",
            ),
            picture(
                "swizzle-2-1-3",
                "",
                "`Sw<2,1,3>`, pairs stay together",
                "Sw<2,1,3> o 0 o (8,8):(8,1)",
            ),
            picture(
                "swizzle-negative",
                "",
                "`Sw<2,0,-3>`, the lower bits move the upper ones",
                "Sw<2,0,-3> o 0 o (8,8):(8,1)",
            ),
            picture(
                "swizzle-64-bytes",
                "",
                "64 bytes of halves, as tensor cores read them: runs of 8 stay together",
                "Sw<2,3,3> o 0 o (8,32):(32,1)",
            ),
        ],
    },
    Section {
        title: "Layouts of coordinates",
        text: "The value of an element may be a coordinate: identity layouts, and tensors of a TMA.",
        source: None,
        pictures: &[
            picture("identity", "", "Every coordinate is its own value", "identity((4,5))"),
            picture(
                "identity-tile",
                "",
                "A tile of an identity layout: what a partial tile has to check",
                "(2,4):(1@0,2@1)",
            ),
            picture("reversed", "", "Negative strides", "(4,6):(-6,-1)"),
        ],
    },
    Section {
        title: "MoYe",
        text: "The layouts that the documents of MoYe.jl print, which count from 1. Numbers here count from 0.",
        source: None,
        pictures: &[
            picture(
                "moye-complement",
                "",
                "`make_layout(4:2, complement(4:2, 24))`",
                "(4,(2,3)):(2,(1,8))",
            ),
            picture("moye-tile", "", "The tile of the products", "(2,2):(1,2)"),
            picture("moye-matrix", "", "The matrix of tiles", "(3,4):(4,1)"),
            picture(
                "moye-product",
                "",
                "`logical_product`",
                "logical_product((2,2):(1,2), (3,4):(4,1))",
            ),
            picture(
                "moye-blocked",
                "",
                "`blocked_product`",
                "blocked_product((2,2):(1,2), (3,4):(4,1))",
            ),
            picture("moye-raked", "", "`raked_product`", "raked_product((2,2):(1,2), (3,4):(4,1))"),
            picture(
                "moye-divide",
                "",
                "`logical_divide` of the raked product",
                "logical_divide(((3,2),(4,2)):((16,1),(4,2)), <2:3, 2:4>)",
            ),
            picture(
                "moye-zipped",
                "",
                "`zipped_divide` of the raked product",
                "zipped_divide(((3,2),(4,2)):((16,1),(4,2)), <2:3, 2:4>)",
            )
            .with(&[("color-by", "offset")]),
        ],
    },
    Section {
        title: "Morello",
        text: "Physical dimensions from the slowest to the fastest. `rowmajor.svg` and `packed.svg` of Morello's book are the first and the third.",
        source: None,
        pictures: &[
            picture("morello-row-major", "", "Row-major", "[0, 1] for (6, 8)"),
            picture("morello-column-major", "", "Column-major", "[1, 0] for (6, 8)"),
            picture("morello-packed", "", "Columns packed by 4", "[1, 0, 1 p(4)] for (6, 8)"),
            picture(
                "morello-odd-even",
                "",
                "Even and odd columns of 8 separated",
                "[0, 1, 1 oe(8)] for (4, 16)",
            ),
            picture(
                "morello-nhwc",
                "",
                "Images with channels last",
                "[0, 2, 3, 1] for (2, 4, 3, 2)",
            ),
            picture(
                "morello-nchwc",
                "",
                "Images with 4 channels packed together",
                "[0, 1, 2, 3, 1 p(4)] for (2, 8, 3, 2)",
            ),
        ],
    },
    Section {
        title: "IBM Spyre",
        text: "A row is a stick of 128 bytes, the unit in which the device reads and writes. A cell has the coordinate of its element. \
               Slots without an element are hatched.",
        source: None,
        pictures: &[
            picture(
                "spyre-vector",
                "",
                "The default layout of a vector",
                "spyre { size: [100], dtype: f32 }",
            ),
            picture(
                "spyre-matrix",
                "",
                "The default layout of a matrix: the first sticks of all rows, then the second ones",
                "spyre { size: [3, 40], dtype: f32 }",
            ),
            picture(
                "spyre-padded",
                "",
                "The same by coordinates, with its padding: numbers are offsets",
                "spyre { size: [3, 40], dtype: f32 }",
            )
            .with(&[("view", "padded")]),
            picture(
                "spyre-logical",
                "",
                "The same without its padding",
                "spyre { size: [3, 20], dtype: f64 }",
            )
            .with(&[("view", "logical")]),
            picture(
                "spyre-dim-map",
                "",
                "`dim_map: [1, 2, 0, 2]`: dimension 2 is tiled with dimension 0, dimension 1 is outermost",
                "spyre { size: [3, 2, 24], dtype: f64, device_size: [2, 2, 4, 16], dim_map: [1, 2, 0, 2] }",
            ),
            picture(
                "spyre-sparse",
                "",
                "Sparse: one element in each stick",
                "spyre { size: [2, 3], dtype: f64, sparse: true }",
            ),
        ],
    },
    Section {
        title: "Tenstorrent",
        text: "The buffers of all cores, side by side as the cores are in their grid. A heavy line is the edge of a core, a thick one that of a tile. \
               Numbers are offsets in the buffer of a core, headers are coordinates behind the affine map.",
        source: None,
        pictures: &[
            picture(
                "tenstorrent-grid",
                "",
                "A grid that does not divide the tensor: a row and a column of padding in the last cores",
                "tensor<13x15xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<7x8xf32, #tt.memory_space<l1>>>>",
            ),
            picture(
                "tenstorrent-tiles",
                "",
                "The same in tiles: shards are padded to whole tiles",
                "tensor<13x15xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<2x2x!tt.tile<4x4, f32>, #tt.memory_space<l1>>>>",
            ),
            picture(
                "tenstorrent-53x63",
                "",
                "The example of the documents: 53 by 63 on 3 by 2 cores in tiles of 32 by 32",
                "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<1x1x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<l1>>>>",
            ),
            picture(
                "tenstorrent-collapse",
                "",
                "Collapsed dimensions: two batches of 4 rows are 8 rows",
                "tensor<2x4x8xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), undef, <1x2>, memref<8x4xf32, #tt.memory_space<l1>>>>",
            ),
            picture(
                "tenstorrent-gap",
                "",
                "A larger stride moves the second batch to a tile of its own",
                "tensor<2x3x8xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), undef, <1x2>, memref<2x1x!tt.tile<4x4, f32>, #tt.memory_space<l1>>>>",
            ),
            picture(
                "tenstorrent-logical",
                "",
                "Without padding: the core and the offset of each element",
                "tensor<5x6xf32, #tt.metal_layout<collapse = [(0, -1)], zero, <2x2>>>",
            )
            .with(&[("view", "logical")]),
        ],
    },
    Section {
        title: "More modes, and memory",
        text: "Further modes are blocks. Any layout can be shown by its memory, a row for each cache line.",
        source: None,
        pictures: &[
            picture("blocks", "", "Three modes", "(3,4,2):(8,2,1)"),
            picture(
                "tiled-divide",
                "",
                "A matrix in tiles: one block for each column of tiles",
                "tiled_divide((6,8):(8,1), <3:1, 4:1>)",
            ),
            picture("memory", "", "Padded rows in lines of 64 bytes", "(6,13):(14,1)")
                .with(&[("view", "memory"), ("line", "64")]),
            picture("lines", "", "By cache line of 64 bytes", "(8,12):(12,1)")
                .with(&[("color-by", "line"), ("line", "64")]),
        ],
    },
];
