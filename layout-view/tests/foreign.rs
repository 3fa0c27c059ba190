//! Output of other tools is parsed as the layout that it describes.

use layout_core::engine::DynLayout;
use layout_core::text::Value;
use layout_view::notation::{eval, parse};

/// Foreign spellings, each with our notation.
const READ: &[(&str, &str)] = &[
    ("S<3,4,3> o 0 o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
    ("Swizzle<2,1,-3> o _0 o (_8,_64):(_64,_1)", "Sw<2,1,-3> o 0 o (8,64):(64,1)"),
    ("smem_ptr[16b](0x7f0020) o (4,8):(8,1)", "(4,8):(8,1)"),
    ("ptr[32b](0x...) o (4,8):(8,1)", "(4,8):(8,1)"),
    ("Sw<3,4,3>_smem_ptr[16b](0x7f000400) o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("Sw<2,4,3>_smem_ptr[32b](0x0) o (8,32):(32,1)", "Sw<2,2,3> o 0 o (8,32):(32,1)"),
    ("Sw<1,4,3>_smem_ptr[4b](0x0) o (8,64):(64,1)", "Sw<1,5,3> o 0 o (8,64):(64,1)"),
    (
        "tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)>",
        "Sw<3,3,3> o 0 o (8,64):(64,1)",
    ),
    ("raw_ptr(0x0736b0c0: f32, generic, align<4>) o (8,(2,5)):(5,(1,40))", "(8,(2,5)):(5,(1,40))"),
    ("subptr[4b](0x7f00.4) o (8,4):(4,1)", "(8,4):(4,1)"),
    ("ArithTuple(_0,_0) o (_4,_8):(_1@0,_1@1)", "(4,8):(1@0,1@1)"),
    ("ArithTuple(3,_4) o (4,8):(1@0,1@1)", "(4,8):(1@0,1@1) @ (3,4)"),
    ("counting_iter(5) o (4,8):(8,1)", "(4,8):(8,1) @ 5"),
    ("(_4,_8):(_1@0,_1@1)", "(4,8):(1@0,1@1)"),
    ("(_4,_8):(_-1,_4)", "(4,8):(-1,4)"),
    ("(?,?,?):(?,?,1)", "(?,?,?):(?,?,1)"),
    ("(?{i64},?{div=8}):(?{i64 div=8},1)", "(?,?):(?,1)"),
    ("size(!cute.layout<\"(4,8):(8,1)\">)", "32"),
    ("(8,8):(8,1) o !cute.layout<\"4:2\"> o 2:1", "2:16"),
    ("zipped_divide((8,8):(8,1), !cute.tile<\"[4:1;2:1]\">)", "((4,2),(2,4)):((8,1),(32,2))"),
    ("!cute.composed_layout<\"S<3,4,3> o 0 o (8,64):(64,1)\">", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
    (
        "!cute.memref<f16, smem, align<1024>, S<3,4,3>, \"(8,64):(64,1)\">",
        "Sw<3,3,3> o 0 o (8,64):(64,1)",
    ),
    ("!cute.memref<f32, gmem, align<16>, \"(?,8):(8,1)\">", "(?,8):(8,1)"),
    ("Layout<Shape<_4,_8>, Stride<_8,_1>>", "(4,8):(8,1)"),
    ("Layout<Shape<_4,Shape<_2,_3>>>{}", "(4,(2,3)):(1,(4,8))"),
    ("Layout<Shape<_4,int,_2>>", "(4,?,2):(1,4,?)"),
    ("Layout<_8, _2>", "8:2"),
    (
        "cute::Layout<cute::tuple<cute::C<4>, cute::tuple<cute::C<2>, cute::constant<int, 3>>>, \
         cute::tuple<cute::C<8>, cute::tuple<std::integral_constant<int, 1>, Int<2>>>>",
        "(4,(2,3)):(8,(1,2))",
    ),
    ("Layout<tuple<_4,_8>, tuple<ScaledBasis<_1,0>, ScaledBasis<C<2>,1>>>", "(4,8):(1@0,2@1)"),
    ("Layout<Shape<_4,_8>, Stride<E<1>,E<0>>>", "(4,8):(1@1,1@0)"),
    (
        "ComposedLayout<Swizzle<3,4,3>, _0, Layout<Shape<_8,_64>,Stride<_64,_1>>>",
        "Sw<3,4,3> o 0 o (8,64):(64,1)",
    ),
    // A layout as a tiler is not a mode-by-mode tiler.
    ("logical_divide(16:1, Layout<Shape<_2,_2>>)", "((2,2),4):((1,2),4)"),
    ("logical_divide((6,8):(8,1), Tile<_3,Layout<_4,_1>>)", "((3,2),(4,2)):((8,24),(1,4))"),
    ("strided<[8, 1], offset: 4>", "(?,?):(8,1) @ 4"),
    ("strided<[8, 1], offset: 4> for (4, 8)", "(4,8):(8,1) @ 4"),
    ("strided<[-8, 1]> for (4, 8)", "(4,8):(-8,1)"),
    ("memref<4x8xf32>", "(4,8):(8,1)"),
    ("memref<3x5x7xvector<4xf32>>", "(3,5,7):(35,7,1)"),
    ("memref<f32>", "1:0"),
    ("memref< 4 x 8 x f32 >", "(4,8):(8,1)"),
    ("memref<? x 8xf16>", "(?,8):(8,1)"),
    ("memref<4x?x!tt.ptr<f32>>", "(4,?):(?,1)"),
    ("memref<4x8xf32, strided<[1, 4]>, 3>", "(4,8):(1,4)"),
    ("memref<?x8xf32, strided<[?, 1], offset: ?>>", "(?,8):(?,1) @ ?"),
    ("memref<2x?x8xbf16>", "(2,?,8):(?,8,1)"),
    (
        "memref<64x64xf32, affine_map<(d0, d1) -> \
         (d0 floordiv 32, d1 floordiv 32, d0 mod 32, d1 mod 32)>>",
        "((32,2),(32,2)):((32,2048),(1,1024))",
    ),
    ("affine_map<(d0, d1) -> (d0 * 8 + d1)>", "(?,?):(8,1)"),
    ("affine_map<(i, j) -> (4 * j + i + 3)> for (4, 8)", "(4,8):(1,4) @ 3"),
    ("affine_map<(d0, d1) -> (d1, d0)> for (4, 8)", "(4,8):(1,4)"),
    ("affine_map<(d0) -> (-d0 + 7)> for (8)", "(8):(-1) @ 7"),
    ("affine_map<(i) -> (i floordiv 4 + i mod 4 - 3)> for (16)", "((4,4)):((1,1)) @ -3"),
    ("#map1 = affine_map<(d0, d1) -> (d1, d0)> for (2, 8)", "(2,8):(1,2)"),
    ("torch.Size([4, 8]), (8, 1)", "(4,8):(8,1)"),
    ("(torch.Size([4, 8]), (8, 1))", "(4,8):(8,1)"),
    ("torch.Size([4, 8]), (8, 1), torch.float32", "(4,8):(8,1)"),
    ("sizes=[4,8], strides=[8,1], storage_offset=3", "(4,8):(8,1) @ 3"),
    ("shape: (4, 8), strides: (64, 8), itemsize: 8", "(4,8):(8,1)"),
    ("shape=(4, 8) strides=(8, 1)", "(4,8):(8,1)"),
    ("((4, 8), (64, 8), dtype('float64'))", "(4,8):(8,1)"),
    ("torch.Size([4, 8]) (8, 1)", "(4,8):(8,1)"),
    ("sizes [6, 8], strides [8, 1]", "(6,8):(8,1)"),
    ("(4, 8), (8, 1)", "(4,8):(8,1)"),
    ("shape=(4, 8), strides=(32, 4), dtype=float32", "(4,8):(8,1)"),
    ("shape=(4,), strides=(8,), itemsize=4", "(4):(2)"),
    ("shape=(4, 8), strides=(8, 1), dtype=torch.float32", "(4,8):(8,1)"),
    (
        "{'shape': (4, 8), 'strides': (-32, 4), 'typestr': '<f4', 'data': (1, False), 'version': 3}",
        "(4,8):(-8,1)",
    ),
    ("{'shape': (4, 8), 'strides': None, 'typestr': '<f4'}", "(4,8):(8,1)"),
    (
        "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0]], block = []}>",
        "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0]], block = []}>",
    ),
    (
        "layout_of(#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0]]}>)",
        "((2,2),(4,2)):((1@1,8@0),(2@1,1@0))",
    ),
    ("{register: [[1], [2]], lane: [[4]]}", "#ttg.linear<{register = [[1], [2]], lane = [[4]]}>"),
    ("layout_of({register = [[1], [3]], lane = [[4]]})", "Sw<1,0,1> o 0 o (4,2):(1,4)"),
    (
        "#a = #ttg.linear<{register = [[1]], lane = []}>",
        "#ttg.linear<{register = [[1]], lane = []}>",
    ),
    ("static_layout::layout!((_, 8):(8, 1))", "(?,8):(8,1)"),
    ("layout!(slice((4,12):(12,1), (3,_)))", "(12):(1)"),
];

/// Invalid spellings, each with its error and the text that the error points at.
const REFUSED: &[(&str, &str, &str)] = &[
    ("Sw<3,4,3>_smem_ptr[16b](0x480) o (8,64):(64,1)", "L0133", "0x480"),
    ("Sw<3,0,3>_smem_ptr[16b](0x0) o (8,8):(8,1)", "L0132", "16b"),
    ("<3,4,3>_smem_ptr[16b](0x0) o (8,8):(8,1)", "L0107", "o"),
    ("smem_ptr[16b](0x0)", "L0107", ""),
    ("(?,8):(8,1) o 4:1", "L0141", "(?,8):(8,1)"),
    ("size(?)", "L0141", "?"),
    ("(?,8):(8,1,2)", "L0203", "(8,1,2)"),
    ("Layout<Shape<_4,_8u>, Stride<_8,_1>>", "L0105", "_8u"),
    ("Layout<Shape<_4,_8>, Stride<_8>>", "L0203", "Stride<_8>"),
    ("!cute.layout<\"(4,8):(8,1)>", "L0110", "\""),
    ("!cute.layout<(4,8)>", "L0107", ">"),
    ("memref<4x8xf32, strided<[1]>>", "L0134", "memref<4x8xf32, strided<[1]>>"),
    ("memref<99999999999999999999x8xf32>", "L0103", "99999999999999999999x8xf32"),
    ("memref<4611686018427387904x8x8xf32>", "L0103", "memref<4611686018427387904x8x8xf32>"),
    ("affine_map<(d0, d1) -> ((d0 + d1) mod 4)> for (4, 8)", "L0135", "(d0 + d1)"),
    ("affine_map<(d0, d1) -> (d0 * d1)> for (4, 8)", "L0135", "d0 *"),
    ("affine_map<(d0) -> (d0 ceildiv 4)> for (8)", "L0135", "d0 ceildiv"),
    ("affine_map<(d0)[s0] -> (d0 * s0)>", "L0107", "["),
    ("affine_map<(d0) -> (d0 + 9223372036854775807 + 1)> for (4)", "L0135", "1"),
    ("memref<4>", "L0107", ">"),
    ("memref<4y8xf32>", "L0107", "4y8xf32"),
    ("size(ArithTuple(3,4) o (4,8):(1@0,1@1))", "L0114", "(4,8):(1@0,1@1)"),
    (
        "affine_map<(d0) -> (d0 floordiv 32, d0 mod 32)> for (40)",
        "L0136",
        "affine_map<(d0) -> (d0 floordiv 32, d0 mod 32)> for (40)",
    ),
    ("affine_map<(d0, d1) -> (d1, d0)>", "L0137", "affine_map<(d0, d1) -> (d1, d0)>"),
    (
        "shape=(4, 8), strides=(30, 4), dtype=float32",
        "L0138",
        "shape=(4, 8), strides=(30, 4), dtype=float32",
    ),
    (
        "coalesce(#ttg.linear<{register = [[0, 1], [0, 3]]}>)",
        "L0139",
        "#ttg.linear<{register = [[0, 1], [0, 3]]}>",
    ),
    ("linear((4,4):(1,3))", "L0373", "linear((4,4):(1,3))"),
];

#[test]
fn foreign_spellings_are_read() {
    for (text, ours) in READ {
        let value = eval(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(value.to_string(), *ours, "{text}");
        let again = Value::parse(&value.to_string()).unwrap_or_else(|e| panic!("{ours}: {e}"));
        assert_eq!(again, value, "{text}");
    }
}

#[test]
fn unsupported_notation_is_an_error_at_its_position() {
    for (text, code, place) in REFUSED {
        let error = eval(text).expect_err(text);
        let first = &error.problems()[0];
        assert_eq!(first.error.code(), *code, "{text}: {error}");
        assert_eq!(&text[first.span.clone()], *place, "{text}: {error}");
    }
}

/// The layout of an affine map equals the map at every coordinate.
#[test]
fn maps_are_their_layouts() {
    let results: [&dyn Fn(usize, usize) -> (usize, usize); 4] = [
        &|i, j| (i / 4 * 3 + j % 2, i % 4 * 10 + j / 2),
        &|i, j| (j, i),
        &|i, j| (i / 2 % 3, i % 2 + j * 2),
        &|i, j| (i / 6, i % 6 / 3 + 7 * (j / 3)),
    ];
    let texts = [
        "(i floordiv 4 * 3 + j mod 2, (i mod 4) * 10 + j floordiv 2)",
        "(j, i)",
        "((i floordiv 2) mod 3, i mod 2 + j * 2)",
        "(i floordiv 6, i mod 6 floordiv 3 + 7 * (j floordiv 3))",
    ];
    for (result, text) in results.iter().zip(texts) {
        let layout = eval(&format!("affine_map<(i, j) -> {text}> for (12, 6)"))
            .and_then(|value| value.to_string().parse::<DynLayout>())
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let every = || (0..6).flat_map(|j| (0..12).map(move |i| (i, j)));
        let columns = 1 + every().map(|(i, j)| result(i, j).1).max().unwrap();
        for (index, (i, j)) in every().enumerate() {
            let (row, column) = result(i, j);
            let offset = layout.offset_of_index(index);
            assert_eq!(offset, row * columns + column, "{text} at ({i}, {j}): {layout}");
        }
    }
}

/// Any text gives a value or an error, without a panic, in linear time.
#[test]
fn hostile_texts_are_errors() {
    // A debug build takes one second for a megabyte.
    let megabyte = 1 << 20;
    let long = megabyte / 8;
    let names: Vec<_> = (0..long / 8).map(|i| format!("d{i}")).collect();
    let texts = [
        "(".repeat(megabyte),
        ")".repeat(megabyte),
        "((".repeat(megabyte / 2) + &"))".repeat(megabyte / 2),
        format!("({}4):(1)", "4,".repeat(long / 2)),
        format!("<{}4>", "4,".repeat(long / 2)),
        format!("sizes [{}4]", "4,".repeat(long / 2)),
        format!("memref<{}f32>", "?x".repeat(long / 2)),
        format!("affine_map<({}) -> ({})>", names.join(","), names.join("+")),
        "[".repeat(long),
        "<".repeat(long),
        "{".repeat(long),
        "\"".repeat(long),
        "?".repeat(long),
        "Layout<".repeat(long / 7),
        "Layout<".repeat(long / 7) + &">".repeat(long / 7),
        "!cute.layout<\"".repeat(long / 14),
        "memref<".repeat(long / 7),
        "memref<4x".repeat(long / 9),
        "tensor<".repeat(long / 7),
        "S<".repeat(long / 2),
        "_smem_ptr[16b](0x0) o ".repeat(long / 22),
        "Sw<1,2,3>_smem_ptr[16b](0x0) o ".repeat(long / 31),
        format!("affine_map<(d0) -> ({}d0", "(".repeat(long)),
        format!("{{register = [{}", "[".repeat(long)),
        "1@".repeat(long / 2),
        "_1@0".repeat(long / 4),
        "4:1 o ".repeat(long / 6),
        "1".repeat(40),
        format!("({}):(1)", "9".repeat(40)),
        format!("{}:1", "7".repeat(long)),
        format!("memref<{}xf32>", "9".repeat(40)),
        format!("affine_map<(d0) -> (d0 * {})> for (4)", "9".repeat(40)),
        format!("shape=({},), strides=(1,)", "9".repeat(40)),
        "\u{0}".repeat(8),
        "(4,8):(8,\u{ff11})".to_string(),
        "\u{1f9e8}\u{202e}(4,8)\u{feff}".to_string(),
        "(4,8)\u{a0}:(8,\u{2009}1)\u{301}".to_string(),
    ];
    for text in texts {
        let start: String = text.chars().take(40).collect();
        let began = std::time::Instant::now();
        let error = parse(&text).expect_err(&start);
        // Time is linear in the length of the text. Quadratic time would be minutes.
        assert!(began.elapsed().as_secs() < 20, "{start}: {:?}", began.elapsed());
        assert!(!error.problems().is_empty() && error.problems().len() <= 32, "{start}");
        assert!(error.to_string().len() < 8192, "{start}: {}", error.to_string().len());
    }
}
