//! Tenstorrent layouts compared with the records of `tenstorrent.jsonl`, and queries about all
//! elements compared with an enumeration.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use static_layout::devices::tenstorrent::{
    AffineMap, DeviceCore, DeviceGrid, Interleaved, MemorySpace, MetalLayout, PagePlace, Tile,
    TtnnLayout, aligned_shape,
};
use static_layout::devices::{AnyPlacement, ElementType, Fill, Slot};
use static_layout::engine::MAX_SIZE;
use static_layout::{IntTuple, LayoutError, layout};

mod common;
use common::{number, records, say, text};

const M61: u128 = (1 << 61) - 1;

pub(crate) fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().expect("a list").iter().map(number).collect()
}

fn list(tuple: IntTuple) -> Value {
    tuple.leaves().into()
}

/// Maps the rule names of records to error codes.
fn code(rule: &str) -> &'static str {
    match rule {
        "E_EXTENT" => "L0801",
        "E_GRID_EXTENT" => "L0802",
        "E_RANK_LINEAR" => "L0803",
        "E_RANK_GRID" => "L0804",
        "E_ALIAS" => "L0805",
        "E_INTERVAL_RANGE" => "L0809",
        "E_INTERVAL_ORDER" => "L0810",
        "E_INTERVAL_OVERLAP" => "L0811",
        "E_RANK_MEMREF" => "L0812",
        "E_MEMREF_SHAPE" => "L0813",
        "E_TILE_RANK" => "L0814",
        "E_TILE_EXTENT" => "L0815",
        "E_OOB" => "L0820",
        "E_MEMSPACE" => "L0821",
        "E_GRID_DIVIDES" => "L0834",
        other => panic!("{other}"),
    }
}

/// The layout of a record, built from its parts.
fn layout_of(input: &Value) -> Result<MetalLayout, LayoutError> {
    let (shape, grid) = (numbers(&input["shape"]), numbers(&input["grid"]));
    let map = match input["collapse"].as_array() {
        Some(intervals) => {
            let end = |value: &Value| value.as_i64().expect("a number") as isize;
            let intervals: Vec<_> = intervals.iter().map(|i| (end(&i[0]), end(&i[1]))).collect();
            AffineMap::collapsed(&shape, &intervals, grid.len())?
        }
        None => {
            let rows: Vec<_> =
                input["linear"].as_array().expect("rows").iter().map(numbers).collect();
            let rows: Vec<_> = rows.iter().map(Vec::as_slice).collect();
            AffineMap::new(rows[0].len(), &rows)?
        }
    };
    let mut layout = MetalLayout::new(&shape, ElementType::F32, &map, &grid)?;
    if input["tile"].is_array() {
        let tile = numbers(&input["tile"]);
        let mut tile = Tile::new(tile[0], tile[1])?;
        if input["face"].is_array() {
            let face = numbers(&input["face"]);
            tile = tile.with_faces(face[0], face[1])?;
        }
        layout = layout.tiled(tile, ElementType::F32)?;
    }
    if input["memref"].is_array() {
        layout.check_memref(&numbers(&input["memref"]))?;
    }
    if let Some(fill) = input["oob"].as_str() {
        layout = layout.with_fill(Fill::of_name(fill).expect("a fill"));
    }
    if let Some(space) = input["memory_space"].as_str() {
        layout = layout.in_space(MemorySpace::of_name(space).expect("a memory"));
    }
    Ok(layout)
}

/// All coordinates, last dimension fastest.
fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |all, &extent| {
        let longer = |c: Vec<usize>| (0..extent).map(move |x| [c.as_slice(), &[x]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

fn fnv(image: &[u32]) -> String {
    let bytes = image.iter().flat_map(|word| word.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn valid<'a>(records: &'a [Value], kind: &str) -> Vec<&'a Value> {
    let of_kind = records.iter().filter(|record| record["kind"] == kind);
    of_kind.filter(|record| record["expect"]["ok"] == true).collect()
}

#[test]
fn facts() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    let valid = valid(&records, "metal");
    for record in &valid {
        let (id, expect) = (&record["id"], &record["expect"]);
        let l = layout_of(&record["in"])?;
        assert_eq!(l.map().to_string(), text(&expect["linear_text"]), "{id}");
        assert_eq!(Value::from(l.physical()), expect["physical"], "{id}");
        assert_eq!(list(l.shard()), expect["shard"], "{id}");
        assert_eq!(list(l.memref()), expect["memref"], "{id}");
        assert_eq!(list(l.padded_shard()), expect["padded_shard"], "{id}");
        assert_eq!(l.cores(), number(&expect["num_cores"]), "{id}");
        assert_eq!(l.elements(), number(&expect["logical_elems"]), "{id}");
        assert_eq!(l.slots(), number(&expect["storage_elems"]), "{id}");
        assert_eq!(l.padding(), number(&expect["padding_elems"]), "{id}");
        if !expect["empty_cores"].is_null() {
            assert_eq!(l.empty_cores(), number(&expect["empty_cores"]), "{id}");
        }
        // The text of records omits faces, which MLIR cannot express.
        let printed = l.to_string().replace(", face = 16x16", "");
        assert_eq!(printed, text(&expect["text"]), "{id}");
        for core in expect["cores"].as_array().expect("cores") {
            let facts = l.core(&numbers(&core["core"]))?;
            assert_eq!(list(facts.extent), core["extent"], "{id}");
            assert_eq!(list(facts.pad), core["pad"], "{id}");
            if !core["data"].is_null() {
                let found = json!([facts.data, facts.padding_tail, facts.padding_gap]);
                let wanted = json!([core["data"], core["padding_tail"], core["padding_gap"]]);
                assert_eq!(found, wanted, "{id}");
            }
        }
        for point in expect["points"].as_array().expect("points") {
            let at = l.locate(&numbers(&point["logical"]))?;
            let found = json!([list(at.physical), list(at.core), list(at.local), at.offset]);
            let wanted = json!([point["physical"], point["core"], point["local"], point["offset"]]);
            assert_eq!(found, wanted, "{id}: {point}");
            let back = l.coordinate(at.core.leaves(), at.offset)?.expect("an element");
            assert_eq!(list(back), point["logical"], "{id}: {point}");
        }
        for slot in expect["inverse"].as_array().into_iter().flatten() {
            let found = l.coordinate(&numbers(&slot["core"]), number(&slot["offset"]))?;
            assert_eq!(found.map_or(Value::Null, list), slot["logical"], "{id}: {slot}");
        }
    }
    assert_eq!(valid.len(), 58, "records of kind metal");
    Ok(())
}

#[test]
fn images() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    let mut run = 0;
    for record in valid(&records, "metal") {
        let (id, expect) = (&record["id"], &record["expect"]);
        if expect["perm_hash"].is_null() {
            continue;
        }
        let l = layout_of(&record["in"])?;
        let mut image = vec![u32::MAX; l.slots()];
        let (mut hash, mut data) = (0u128, BTreeMap::new());
        for (i, c) in coordinates(l.shape()).iter().enumerate() {
            let Slot { core, offset } = l.placement().slot(c)?;
            let slot = core * l.storage() + offset;
            assert_eq!(image[slot], u32::MAX, "{id}: two elements in slot {slot}");
            image[slot] = i as u32;
            hash = (hash + (i as u128 + 1) * (slot as u128 + 1)) % M61;
            *data.entry(core).or_insert(0) += 1;
        }
        assert_eq!(hash, expect["perm_hash"].as_u64().map_or(0, u128::from), "{id}");
        if !expect["image_fnv"].is_null() {
            assert_eq!(fnv(&image), text(&expect["image_fnv"]), "{id}");
        }
        for core in 0..l.cores() {
            let facts = l.core(l.core_at(core)?.leaves())?;
            assert_eq!(facts.data, data.get(&core).copied().unwrap_or(0), "{id}: core {core}");
            let volume = facts.data + facts.padding_tail + facts.padding_gap;
            assert_eq!(volume, l.storage(), "{id}: core {core}");
        }
        assert_eq!(l.empty_cores(), l.cores() - data.len(), "{id}");
        run += 1;
    }
    assert!(run >= 40, "{run} records with a hash");
    Ok(())
}

#[test]
fn reshards() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    for record in valid(&records, "reshard") {
        let (id, input, expect) = (&record["id"], &record["in"], &record["expect"]);
        let end = |name: &str| {
            let mut end = input[name].clone();
            end["shape"] = input["shape"].clone();
            layout_of(&end).map(|l| l.placement())
        };
        let (from, to) = (end("from")?, end("to")?);
        let plan = from.reshard(&to)?;
        assert_eq!(plan.moved(), number(&expect["moved_elems"]), "{id}");
        assert_eq!(plan.transfers().count(), number(&expect["core_pairs"]), "{id}");
        let most = plan.transfers().map(|t| t.elements()).max();
        assert_eq!(most, Some(number(&expect["max_pair"])), "{id}");
        let hash = plan.transfers().fold(0, |hash, t| {
            let pair = (t.source * 10007 + t.destination + 1) as u128;
            (hash + pair * t.elements() as u128) % M61
        });
        assert_eq!(hash, expect["pair_hash"].as_u64().map_or(0, u128::from), "{id}");
        let mut seen = BTreeSet::new();
        for one in plan.moves() {
            one.region.for_each(|c| {
                assert!(seen.insert(c.to_vec()), "{id}: {c:?} twice");
                assert_eq!(from.slot(c).unwrap().core, one.source, "{id}: {c:?}");
                assert_eq!(to.slot(c).unwrap().core, one.destination, "{id}: {c:?}");
            });
        }
        assert_eq!(seen.len(), from.elements(), "{id}");
    }
    Ok(())
}

/// The notation of a record. With `short`, derivable parts are omitted.
fn notation(input: &Value, short: bool) -> String {
    let by_x = |value: &Value| -> String {
        let extents: Vec<_> = value.as_array().expect("a list").iter().map(text).collect();
        extents.join("x")
    };
    let sum = |row: &Value| -> String {
        let terms = row.as_array().expect("a row").iter().enumerate();
        let terms: Vec<_> = terms
            .filter(|(_, c)| **c != 0)
            .map(|(d, c)| if *c == 1 { format!("d{d}") } else { format!("d{d} * {c}") })
            .collect();
        if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
    };
    let map = match input["linear"].as_array() {
        Some(rows) => {
            let rank = rows[0].as_array().expect("a row").len();
            let names: Vec<_> = (0..rank).map(|d| format!("d{d}")).collect();
            let sums: Vec<_> = rows.iter().map(sum).collect();
            format!("({}) -> ({})", names.join(", "), sums.join(", "))
        }
        None => {
            let ends = input["collapse"].as_array().expect("intervals").iter();
            let ends: Vec<_> = ends.map(|i| format!("({}, {})", i[0], i[1])).collect();
            format!("collapse = [{}]", ends.join(", "))
        }
    };
    let tile = input["tile"].is_array().then(|| {
        let face = input["face"].is_array().then(|| format!(", face = {}", by_x(&input["face"])));
        format!("!tt.tile<{}, f32{}>", by_x(&input["tile"]), face.unwrap_or_default())
    });
    let space = format!("#tt.memory_space<{}>", text(&input["memory_space"]));
    let buffer = if short || input["memref"].is_null() {
        tile.map_or(space.clone(), |tile| format!("{tile}, {space}"))
    } else {
        let element = tile.as_deref().unwrap_or("f32");
        format!("memref<{}x{element}, {space}>", by_x(&input["memref"]))
    };
    let (shape, grid, oob) = (by_x(&input["shape"]), by_x(&input["grid"]), text(&input["oob"]));
    format!("tensor<{shape}xf32, #tt.metal_layout<{map}, {oob}, <{grid}>, {buffer}>>")
}

#[test]
fn texts() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    for record in valid(&records, "metal") {
        let (id, input) = (&record["id"], &record["in"]);
        let from_parts = layout_of(input)?;
        let read = |text: &str| {
            let read = MetalLayout::parse(text);
            read.unwrap_or_else(|e| panic!("{id}: {text}: {e}"))
        };
        assert_eq!(read(&from_parts.to_string()), from_parts, "{id}");
        assert_eq!(read(&notation(input, false)), from_parts, "{id}");
        assert_eq!(read(&notation(input, true)), from_parts, "{id}");
        if input["text"].is_string() {
            assert_eq!(read(&text(&input["text"])), from_parts, "{id}");
        }
        let spread = from_parts.to_string().replace(", ", ",\n  ").replace("32x32", "32 x 32");
        assert_eq!(read(&spread.replace("tt.", "ttcore.")), from_parts, "{id}");
    }
    Ok(())
}

#[test]
fn mistakes() {
    let records = records("tenstorrent.jsonl");
    let invalid = records
        .iter()
        .filter(|record| record["kind"] == "metal" && record["expect"]["ok"] == false);
    let mut run = 0;
    for record in invalid {
        let (id, rule) = (&record["id"], text(&record["expect"]["error"]));
        let text = notation(&record["in"], false);
        let error = MetalLayout::parse(&text).expect_err(&text);
        let found = error.problems()[0].error.code();
        // A grid of -1 cores is a syntax error, and a tile of three extents has an error code of its
        // own.
        let wanted = match rule.as_str() {
            "E_GRID_EXTENT" if text.contains("x-") => "L0106",
            "E_TILE_EXTENT" if text.contains("32x32x1") => "L0816",
            rule => code(rule),
        };
        assert_eq!(found, wanted, "{id}: {text}: {error}");
        run += 1;
    }
    assert_eq!(run, 15, "records of kind metal with a mistake");
}

/// Compares the constants of a static layout with those of the same text at run time.
macro_rules! same {
    ($($text:tt)+) => {{
        type L = layout!($($text)+);
        let value: L = layout!($($text)+);
        const PHYSICAL: &[usize] = L::LAYOUT.physical();
        let read = MetalLayout::parse(&value.to_string()).unwrap();
        assert_eq!((L::LAYOUT, value.to_dyn(), size_of::<L>()), (read, read, 0));
        assert_eq!(PHYSICAL, read.physical());
        assert_eq!((L::SIZE, L::CORES, L::STORAGE), (read.elements(), read.cores(), read.storage()));
        assert_eq!((L::PADDING, L::EMPTY_CORES), (read.padding(), read.empty_cores()));
        assert_eq!((<L as AnyPlacement>::STATIC, value.fill()), (Some(read.placement()), read.fill()));
        value.to_string()
    }};
}

#[test]
fn types() {
    let text = same!(tensor<2x3x64x128xf32, #tt.metal_layout<
        (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), undef, <2x4>,
        memref<192x32xf32, #tt.memory_space<l1>>>>);
    assert_eq!(
        text,
        "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), \
         undef, <2x4>, memref<192x32xf32, #tt.memory_space<l1>>>>"
    );
    let text = same!(tensor<2x3x64x128xf32, #tt.metal_layout<collapse = [(1, -1)], neginf, <2x2x4>,
        memref<1x3x1x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<dram>>>>);
    assert_eq!(
        text,
        "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3), neginf, \
         <2x2x4>, memref<1x3x1x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<dram>>>>"
    );
    same!(tensor<53x63xbf16, #ttcore.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>,
        !tt.tile<32x32, bf16, face = 16x16>>>);
    same!(tensor<5x3x2x2x7x32x32xf32, #tt.metal_layout<(d0, d1, d2, d3, d4, d5, d6)
        -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 * 32 + d5, d4, d5, d6), undef, <3x2x2x2>,
        memref<4480x4x16x16xf32, #tt.memory_space<l1>>>>);
    let text = same!(tensor<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<logical_shape = 53x63,
        dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, undef, l1, sharded>>);
    assert_eq!(
        text,
        "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64x64, undef, <2x2>, \
         memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>"
    );
    same!(tensor<12x12x16xbf16, #tt.metal_layout<collapse = [(0, -1)], undef, shard = 80x16, !tt.tile<32x32, bf16>>>);
    same!(tensor<5x8xsi32, #tt.metal_layout<(i, j) -> (i, j), one, <4x1>, #tt.memory_space<system>>>);
    same!(tensor<128xui8, #tt.metal_layout<collapse = [(0, -1)], inf, <1x4>, memref<1x32xui8, #tt.memory_space<mmio>>>>);
}

#[test]
fn device_grids() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    for record in valid(&records, "device_grid") {
        let (id, input, expect) = (&record["id"], &record["in"], &record["expect"]);
        let grid = numbers(&input["virtual_grid"]);
        let [rows, columns] = *numbers(&input["chip_grid"]) else { panic!("{id}: a chip") };
        let devices = match input["mesh"].is_array() {
            true => DeviceGrid::mesh(&grid, [rows, columns], &numbers(&input["mesh"]))?,
            false => DeviceGrid::flattened(&grid, [rows, columns])?,
        };
        assert_eq!(devices.chips(), number(&expect["chips_used"]), "{id}");
        for point in expect["points"].as_array().expect("points") {
            let DeviceCore { chip, y, x } = devices.physical(&numbers(&point["virtual"]))?;
            assert_eq!(json!([chip, y, x]), point["physical"], "{id}: {point}");
        }
        check_device_grid(&devices);
    }
    let devices = [
        DeviceGrid::transposed(&[7, 8], [8, 7])?,
        DeviceGrid::skewed(&[8, 8], [8, 8])?,
        DeviceGrid::skewed(&[3, 5], [8, 7])?,
        DeviceGrid::flattened(&[3, 5, 20], [8, 8])?,
        DeviceGrid::mesh(&[2, 3, 9, 5], [8, 8], &[2, 3, 2, 1])?,
    ];
    devices.iter().for_each(check_device_grid);
    let skewed = devices[1].physical(&[3, 6])?;
    assert_eq!((skewed.y, skewed.x), (3, 1));
    for error in [
        DeviceGrid::mesh(&[8, 16], [8, 8], &[1, 1]),
        DeviceGrid::mesh(&[3, 8, 8], [8, 8], &[2]),
        DeviceGrid::transposed(&[8, 4], [8, 4]),
        DeviceGrid::skewed(&[9, 8], [8, 8]),
    ] {
        assert_eq!(error.unwrap_err().code(), "L0830");
    }
    assert_eq!(DeviceGrid::mesh(&[8], [8, 8], &[]).unwrap_err().code(), "L0829");
    assert_eq!(DeviceGrid::skewed(&[8, 8, 8], [8, 8]).unwrap_err().code(), "L0829");
    assert!(DeviceGrid::flattened(&[8], [0, 8]).is_err());
    Ok(())
}

/// Each core is on a device, and no two share a place.
fn check_device_grid(devices: &DeviceGrid) {
    let cores: Vec<_> = coordinates(devices.grid());
    let places: BTreeSet<_> = cores.iter().map(|c| devices.physical(c).unwrap()).collect();
    assert_eq!(places.len(), cores.len(), "{devices:?}");
    let chips: BTreeSet<_> = places.iter().map(|place| place.chip).collect();
    assert_eq!(chips.len(), devices.chips(), "{devices:?}");
}

#[test]
fn ttnn() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    let mut run = 0;
    for record in records.iter().filter(|record| record["kind"] == "ttnn") {
        let (id, input, expect) = (&record["id"], &record["in"], &record["expect"]);
        let pair = |name: &str| -> [usize; 2] {
            numbers(&input[name]).try_into().unwrap_or_else(|_| panic!("{id}: {name}"))
        };
        let (shape, [height, width]) = (numbers(&input["shape"]), pair("tile_shape"));
        let (shard, tile) = (pair("shard_shape"), Tile::new(height, width)?);
        let l = match input["stride"].is_array() {
            true => TtnnLayout::with_stride(&shape, &numbers(&input["stride"]), shard, tile),
            false => TtnnLayout::new(&shape, shard, tile),
        };
        run += 1;
        if expect["ok"] == false {
            let wanted = match text(&expect["error"]).as_str() {
                "E_STRIDE_RANK" => "L0824",
                "E_STRIDE_INNER" => "L0825",
                "E_STRIDE_ROW" => "L0826",
                "E_STRIDE_OVERLAP" => "L0827",
                "E_SHARD" => "L0828",
                rule => code(rule),
            };
            assert_eq!(l.unwrap_err().code(), wanted, "{id}");
            continue;
        }
        let l = l?;
        let found = json!([
            l.stride(),
            l.rows(),
            l.width(),
            l.grid_shape(),
            l.physical_shard_shape(),
            l.strategy().name()
        ]);
        let names = ["stride", "rows", "width", "grid_shape", "physical_shard_shape", "strategy"];
        assert_eq!(found, Value::from(names.map(|name| expect[name].clone()).to_vec()), "{id}");
        for point in expect["points"].as_array().expect("points") {
            let at = l.locate(&numbers(&point["logical"]))?;
            let found = json!([list(at.physical), list(at.core), list(at.local)]);
            let wanted = json!([point["row_col"], point["core"], point["local"]]);
            assert_eq!(found, wanted, "{id}: {point}");
        }
        let metal = l.to_metal_layout(ElementType::F32)?;
        assert_eq!(MetalLayout::parse(&metal.to_string()), Ok(metal), "{id}");
        // Computed by hand: in tiles, row-major.
        let [_, padded] = l.physical_shard_shape();
        for c in coordinates(&shape) {
            let at = l.locate(&c)?;
            let (r, k) = (at.local.leaves()[0], at.local.leaves()[1]);
            let tiles = r / height * (padded / width) + k / width;
            let offset = tiles * height * width + r % height * width + k % width;
            assert_eq!(at.offset, offset, "{id}: {c:?}");
            let core = at.core.leaves()[0] * l.grid_shape()[1] + at.core.leaves()[1];
            assert_eq!(l.placement().slot(&c)?, Slot { core, offset }, "{id}: {c:?}");
            assert_eq!(metal.placement().slot(&c)?, Slot { core, offset }, "{id}: {c:?}");
        }
    }
    assert_eq!(run, 5, "records of kind ttnn");
    let vector = TtnnLayout::new(&[40], [1, 16], Tile::new(1, 16)?)?;
    assert_eq!((vector.rows(), vector.width(), vector.grid_shape()), (1, 40, [1, 3]));
    assert!(TtnnLayout::new(&[], [1, 16], Tile::new(1, 16)?).is_err());
    Ok(())
}

#[test]
fn bytes_of_tiles() {
    let records = records("tenstorrent.jsonl");
    for record in valid(&records, "tile_bytes") {
        for (name, bytes) in record["expect"].as_object().expect("bytes by name") {
            if name != "ok" {
                let element = ElementType::of_name(name).expect("an element");
                assert_eq!(element.bytes(32 * 32), Some(number(bytes)), "{name}");
            }
        }
    }
}

#[test]
fn interleaved() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    for record in valid(&records, "interleaved") {
        let (id, input, expect) = (&record["id"], &record["in"], &record["expect"]);
        let tile = input["tile"].is_array().then(|| numbers(&input["tile"]));
        let tile = tile.map(|tile| Tile::new(tile[0], tile[1])).transpose()?;
        let l = Interleaved::new(&numbers(&input["shape"]), tile, number(&input["banks"]))?;
        let PagePlace { page, bank, slot, offset } = l.locate(&numbers(&input["element"]))?;
        let names = ["pages", "page", "bank", "slot", "elem_in_page"];
        let wanted = names.map(|name| number(&expect[name]));
        assert_eq!([l.pages(), page, bank, slot, offset], wanted, "{id}");
    }
    // Each element has its own place, and all pages are used.
    for (shape, tile) in [
        (&[3, 5, 7][..], Some(Tile::new(2, 4)?)),
        (&[9], Some(Tile::new(2, 4)?)),
        (&[2, 3, 4], None),
    ] {
        let l = Interleaved::new(shape, tile, 4)?;
        let all = coordinates(shape);
        let places: BTreeSet<_> = all
            .iter()
            .map(|c| l.locate(c).map(|at| (at.bank, at.slot, at.offset)))
            .collect::<Result<_, _>>()?;
        let pages: BTreeSet<_> = places.iter().map(|at| (at.0, at.1)).collect();
        assert_eq!((places.len(), pages.len()), (all.len(), l.pages()), "{shape:?}");
    }
    assert_eq!(Interleaved::new(&[2, 0], None, 4).unwrap_err().code(), "L0205");
    assert!(Interleaved::new(&[4, 4], None, 0).is_err() && Interleaved::new(&[], None, 1).is_err());
    assert!(Interleaved::new(&[MAX_SIZE, 2], None, 1).is_err());
    assert!(Interleaved::new(&[MAX_SIZE, 2, 0], None, 1).is_err());
    Ok(())
}

#[test]
fn aligned_shapes() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    for record in valid(&records, "ttmetal_physical") {
        let (shape, alignment) =
            (numbers(&record["in"]["shape"]), numbers(&record["in"]["alignment"]));
        let found = aligned_shape(&shape, &alignment)?;
        assert_eq!(Value::from(found.to_vec()), record["expect"]["physical"], "{}", record["id"]);
    }
    assert!(aligned_shape(&[MAX_SIZE, 4], &[32, 32]).is_err());
    Ok(())
}

/// The current attribute, in the type of a tensor on the device.
fn attribute(input: &Value, alignments: &Value, device: &Value) -> String {
    let join =
        |value: &Value| numbers(value).iter().map(usize::to_string).collect::<Vec<_>>().join("x");
    let rank = numbers(&input["logical_shape"]).len();
    let intervals = match &input["collapsed_intervals"] {
        Value::Null => json!([[0, rank - 1], [rank - 1, rank]]),
        given => given.clone(),
    };
    let count = intervals.as_array().expect("a list").len();
    let list = if count == 0 { String::new() } else { intervals.to_string() };
    format!(
        "tensor<{}x!ttcore.tile<{}, f32>, #ttcore.metal_layout<logical_shape = {}, dim_alignments = {}, \
         collapsed_intervals = dense<{list}> : tensor<{count}x2xi64>, l1, sharded>>",
        join(device),
        join(&input["tile"]),
        join(&input["logical_shape"]),
        join(alignments),
    )
}

#[test]
fn todays_attribute() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    let mut run = 0;
    for record in records.iter().filter(|record| record["kind"] == "current_metal") {
        let (id, input, expect) = (&record["id"], &record["in"], &record["expect"]);
        run += 1;
        if expect["ok"] == false {
            // One tile per core, more than the tensor has.
            let device = json!([numbers(&input["grid"]), vec![1, 1]].concat());
            let error = MetalLayout::parse(&attribute(input, &json!([32, 32]), &device));
            let wanted = code(&text(&expect["error"]));
            assert_eq!(error.unwrap_err().problems()[0].error.code(), wanted, "{id}");
            continue;
        }
        let text = attribute(input, &expect["dim_alignments"], &expect["device_shape"]);
        let l = MetalLayout::parse(&text).unwrap_or_else(|e| panic!("{id}: {text}: {e}"));
        assert_eq!(json!(l.physical()), expect["physical_shape"], "{id}: {l}");
        assert_eq!(MetalLayout::parse(&l.to_string()), Ok(l), "{id}");
        assert_eq!(l.slots(), number(&expect["host_volume"]), "{id}");
        let shape = numbers(&input["logical_shape"]);
        let (intervals, alignments) = (
            expect["normalized_intervals"].as_array().unwrap(),
            numbers(&expect["dim_alignments"]),
        );
        let tile = numbers(&input["tile"]);
        let mut cores = BTreeSet::new();
        for c in coordinates(&shape).into_iter().step_by(17) {
            // Computed by hand: joined from the last dimension on, rounded up each time.
            let at = l.locate(&c)?;
            let mut offset = 0;
            for (i, interval) in intervals.iter().enumerate() {
                let (mut x, mut room) = (0, 1);
                for d in (number(&interval[0])..number(&interval[1])).rev() {
                    x += c[d] * room;
                    room = (room * shape[d]).next_multiple_of(alignments[d]);
                }
                let shard = l.physical()[i] / l.grid()[i];
                assert_eq!(at.core.leaves()[i], x / shard, "{id}: {c:?}");
                assert_eq!(at.local.leaves()[i], x % shard, "{id}: {c:?}");
                let tile = if i + 2 < intervals.len() { 1 } else { tile[i + 2 - intervals.len()] };
                offset = offset * (shard / tile) + x % shard / tile;
            }
            let [.., row, column] = *at.local.leaves() else { panic!("{id}") };
            offset = (offset * tile[0] + row % tile[0]) * tile[1] + column % tile[1];
            assert_eq!(at.offset, offset, "{id}: {c:?}");
            assert_eq!(l.coordinate(at.core.leaves(), offset)?.unwrap().leaves(), c, "{id}");
            cores.insert(at.core.leaves().to_vec());
        }
        if l.cores() < 17 {
            assert_eq!(l.cores() - l.empty_cores(), cores.len(), "{id}");
        }
    }
    assert_eq!(run, 6, "records of kind current_metal");
    for (rest, wanted) in [
        ("dim_alignments = 32, collapsed_intervals = dense<>, l1>>", "L0833"),
        ("dim_alignments = 32x0, collapsed_intervals = dense<>, l1>>", "L0205"),
        ("dim_alignments = 32x32, collapsed_intervals = dense<[[0, 3]]>, l1>>", "L0809"),
        ("dim_alignments = 32x32, collapsed_intervals = dense<[[0, 2]]>, l1>>", "L0804"),
        ("dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<1x2xi64>, l1>>", "L0107"),
        ("dim_alignments = 32x32, collapsed_intervals = dense<>, l1, height_sharded>>", "L0835"),
        (
            "dim_alignments = 32x32, collapsed_intervals = dense<>, l1, index_map = map(1)>>",
            "L0107",
        ),
    ] {
        let text =
            format!("tensor<1x1x64x64xf32, #ttcore.metal_layout<logical_shape = 53x63, {rest}");
        let error = MetalLayout::parse(&text).unwrap_err();
        assert_eq!(error.problems()[0].error.code(), wanted, "{text}: {error}");
    }
    Ok(())
}

#[test]
fn more_room_than_the_map_reaches() -> Result<(), LayoutError> {
    let padded = |physical: &str| {
        let text = format!(
            "tensor<5x6xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), physical = {physical}, zero, <4x2>>>"
        );
        MetalLayout::parse(&text)
    };
    let l = padded("12x6").unwrap();
    assert_eq!((l.shard().leaves(), l.empty_cores(), l.padding()), (&[3, 3][..], 4, 42));
    assert_eq!(l.locate(&[4, 5])?.core.leaves(), &[1, 1]);
    assert_eq!(l.core(&[3, 0])?.data, 0);
    let shards = |shard: &str| {
        let text = format!(
            "tensor<5x6xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, shard = {shard}, !tt.tile<2x2, f32>>>"
        );
        MetalLayout::parse(&text)
    };
    let l = shards("3x4").unwrap();
    assert_eq!(
        (l.grid(), l.physical(), l.shard().leaves()),
        (&[2, 2][..], &[6, 8][..], &[3, 4][..])
    );
    assert_eq!((l.memref().leaves(), l.core(&[1, 1])?.data), (&[2, 2][..], 4));
    assert_eq!(MetalLayout::parse(&l.to_string()), Ok(l));
    let code = |shard| shards(shard).unwrap_err().problems()[0].error.code();
    assert_eq!((code("0x4"), code("3"), code("3x4x1")), ("L0205", "L0804", "L0804"));
    // Padding that follows from the map is not printed.
    assert!(!padded("5x6").unwrap().to_string().contains("physical"));
    let code = |physical| padded(physical).unwrap_err().problems()[0].error.code();
    assert_eq!((code("4x6"), code("12x6x1"), code("12")), ("L0832", "L0831", "L0831"));
    Ok(())
}

/// Records of a visualiser of TTNN layouts. It pads rows to whole shards and, given a grid, rounds
/// the rows of a shard down.
#[test]
fn visualizer() -> Result<(), LayoutError> {
    let records = records("tenstorrent.jsonl");
    let mut run = 0;
    for record in valid(&records, "visualizer") {
        let (id, input, expect) = (&record["id"], &record["in"], &record["expect"]);
        let pair = |value: &Value| -> [usize; 2] { numbers(value).try_into().expect("a pair") };
        let (shape, strides) = (numbers(&input["shape"]), numbers(&expect["strides"]));
        let [height, width] = pair(&input["tile"]);
        let tile = Tile::new(height, width)?;
        // The first stride is the total size.
        let on = |shard| TtnnLayout::with_stride(&shape, &strides[1..], shard, tile);
        let l = match input["grid"].is_array() {
            true => on([height, width])?.on_grid(pair(&input["grid"]))?,
            false => on(pair(&expect["shard"]))?,
        };
        assert_eq!(json!(l.grid_shape()), expect["grid"], "{id}");
        assert_eq!(json!(l.physical_shard_shape()), expect["physical_shard"], "{id}");
        let physical = [l.rows().next_multiple_of(height), l.width().next_multiple_of(width)];
        let [rows, columns] = pair(&expect["shard"]);
        let [grid_rows, _] = l.grid_shape();
        if rows * grid_rows < l.rows() {
            say(&format!("{id}: {rows} rows on {grid_rows} cores are less than {}", l.rows()));
        } else {
            assert_eq!(l.shard_shape(), [rows, columns], "{id}");
        }
        assert_eq!(json!(physical), expect["physical_shape"], "{id}");
        run += 1;
    }
    assert_eq!(run, 4, "records of kind visualizer");
    Ok(())
}
