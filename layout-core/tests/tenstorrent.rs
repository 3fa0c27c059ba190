//! Metal layouts against an oracle that follows the definition, and reshards against all elements.

use std::collections::BTreeMap;

use layout_core::devices::tenstorrent::{AffineMap, MetalLayout, Tile};
use layout_core::devices::{ElementType, Placement};
use layout_core::error::LayoutError;
use proptest::prelude::*;

/// Height and width.
type Extents = (usize, usize);

/// What a layout is made of.
#[derive(Clone, Debug)]
struct Case {
    shape: Vec<usize>,
    rows: Vec<Vec<usize>>,
    grid: Vec<usize>,
    tile: Option<(Extents, Option<Extents>)>,
    /// How much more than the map reaches the grid cuts.
    room: Vec<usize>,
}

/// Dimensions joined into one to three results, perhaps with gaps, perhaps with more room than they
/// need, on a grid that need not divide them, perhaps in tiles, perhaps in faces.
fn case() -> impl Strategy<Value = Case> {
    let shape = prop::collection::vec(1..7usize, 1..5);
    let cuts = prop::collection::vec(any::<bool>(), 4);
    let bumps = prop::collection::vec(prop_oneof![3 => Just(0usize), 1 => 1..20usize], 5);
    let grid = prop::collection::vec(1..8usize, 4);
    let tile = prop_oneof![
        Just(None),
        Just(Some(((4, 4), None))),
        Just(Some(((4, 6), Some((2, 3))))),
        Just(Some(((1, 8), None))),
    ];
    let room = prop_oneof![2 => Just(vec![0; 4]), 1 => prop::collection::vec(0..9usize, 4)];
    (shape, cuts, bumps, grid, tile, room).prop_map(|(shape, cuts, bumps, grid, tile, room)| {
        let rank = shape.len();
        let (mut rows, mut row, mut step) = (Vec::new(), vec![0; rank], 1);
        for d in (0..rank).rev() {
            row[d] = step;
            step = step * shape[d] + bumps[d];
            if d == 0 || cuts[d - 1] {
                rows.insert(0, std::mem::replace(&mut row, vec![0; rank]));
                step = 1;
            }
        }
        let grid = grid[..rows.len()].to_vec();
        let tile = tile.filter(|_| rows.len() >= 2);
        let room = room[..rows.len()].to_vec();
        Case { shape, rows, grid, tile, room }
    })
}

impl Case {
    fn layout(&self) -> MetalLayout {
        let rows: Vec<_> = self.rows.iter().map(Vec::as_slice).collect();
        let map = AffineMap::new(self.shape.len(), &rows).unwrap();
        let l = MetalLayout::new(&self.shape, ElementType::F32, &map, &self.grid).unwrap();
        let l = l.with_physical(&self.physical()).unwrap();
        let Some(((height, width), face)) = self.tile else { return l };
        let tile = Tile::new(height, width).unwrap();
        let tile = face.map_or(tile, |(h, w)| tile.with_faces(h, w).unwrap());
        l.tiled(tile, ElementType::BfpBf8).unwrap()
    }

    fn physical(&self) -> Vec<usize> {
        let last = |row: &Vec<usize>| -> usize {
            row.iter().zip(&self.shape).map(|(r, s)| r * (s - 1)).sum()
        };
        self.rows.iter().zip(&self.room).map(|(row, room)| last(row) + 1 + room).collect()
    }

    fn shard(&self) -> Vec<usize> {
        self.physical().iter().zip(&self.grid).map(|(p, g)| p.div_ceil(*g)).collect()
    }

    /// The tile of the last two dimensions, 1 elsewhere.
    fn unit(&self) -> Vec<usize> {
        let mut unit = vec![1; self.grid.len()];
        if let Some(((height, width), _)) = self.tile {
            let n = unit.len();
            unit[n - 2] = height;
            unit[n - 1] = width;
        }
        unit
    }

    /// Core and offset of an element, by the definition.
    fn slot(&self, c: &[usize]) -> (Vec<usize>, usize) {
        let (shard, unit) = (self.shard(), self.unit());
        let p: Vec<usize> =
            self.rows.iter().map(|row| row.iter().zip(c).map(|(r, c)| r * c).sum()).collect();
        let core = p.iter().zip(&shard).map(|(p, s)| p / s).collect();
        let local: Vec<_> = p.iter().zip(&shard).map(|(p, s)| p % s).collect();
        let tiles = local.iter().zip(&unit).map(|(x, u)| x / u);
        let memref = shard.iter().zip(&unit).map(|(s, u)| s.div_ceil(*u));
        let tile = tiles.zip(memref).fold(0, |offset, (x, extent)| offset * extent + x);
        let inside = match self.tile {
            None => 0,
            Some(((height, width), face)) => {
                let n = local.len();
                let (r, c) = (local[n - 2] % height, local[n - 1] % width);
                let (h, w) = face.unwrap_or((height, width));
                ((r / h) * (width / w) + c / w) * h * w + (r % h) * w + c % w
            }
        };
        (core, tile * unit.iter().product::<usize>() + inside)
    }
}

fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |all, &extent| {
        let longer = |c: Vec<usize>| (0..extent).map(move |x| [c.as_slice(), &[x]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

proptest! {
    #[test]
    fn every_element_is_where_the_definition_says(case in case()) {
        let l = case.layout();
        prop_assert_eq!(l.physical(), case.physical());
        let shard = l.shard();
        prop_assert_eq!(shard.leaves(), case.shard());
        let (mut data, mut taken) = (BTreeMap::new(), BTreeMap::new());
        for c in coordinates(&case.shape) {
            let at = l.locate(&c).unwrap();
            let (core, offset) = case.slot(&c);
            prop_assert_eq!((at.core.leaves(), at.offset), (core.as_slice(), offset));
            prop_assert_eq!(l.core_number(&core).unwrap(), l.placement().slot(&c).unwrap().core);
            *data.entry(core.clone()).or_insert(0) += 1;
            prop_assert!(taken.insert((core, offset), c).is_none());
        }
        for number in 0..l.cores() {
            let core = l.core_at(number).unwrap();
            let facts = l.core(core.leaves()).unwrap();
            prop_assert_eq!(facts.data, data.get(core.leaves()).copied().unwrap_or(0));
            prop_assert_eq!(facts.data + facts.padding_tail + facts.padding_gap, l.storage());
            for offset in 0..l.storage() {
                let found = l.coordinate(core.leaves(), offset).unwrap();
                let wanted = taken.get(&(core.leaves().to_vec(), offset));
                prop_assert_eq!(found.map(|c| c.leaves().to_vec()), wanted.cloned());
            }
        }
        prop_assert_eq!(l.empty_cores(), l.cores() - data.len());
    }

    #[test]
    fn text_round_trips(case in case()) {
        let l = case.layout();
        prop_assert_eq!(MetalLayout::parse(&l.to_string()).unwrap(), l);
    }

    #[test]
    fn a_reshard_has_each_element_once(
        (from, to) in (case(), case()).prop_map(|(a, b)| {
            // The second map, for the shape of the first.
            let grid = a.grid.iter().zip(b.grid.iter().chain([&3, &2, &4, &1])).map(|(_, g)| *g);
            let to = Case { grid: grid.collect(), tile: None, ..a.clone() };
            (a, to)
        }),
    ) {
        check_reshard(&from.shape, &from.layout().placement(), &to.layout().placement())?;
    }

    #[test]
    fn a_reshard_between_maps(case in case(), grid in 1..7usize) {
        // From any layout to all dimensions joined on one column of cores, and back.
        let joined = AffineMap::collapsed(&case.shape, &[(0, case.shape.len() as isize)], 1);
        let column =
            MetalLayout::new(&case.shape, ElementType::F32, &joined.unwrap(), &[grid]).unwrap();
        check_reshard(&case.shape, &case.layout().placement(), &column.placement())?;
        check_reshard(&case.shape, &column.placement(), &case.layout().placement())?;
    }
}

fn check_reshard(shape: &[usize], from: &Placement, to: &Placement) -> Result<(), TestCaseError> {
    let plan = from.reshard(to).unwrap();
    let moves: Vec<_> = plan.moves().collect();
    let mut owner = BTreeMap::new();
    for (i, one) in moves.iter().enumerate() {
        one.region.for_each(|c| {
            let before = owner.insert(c.to_vec(), i);
            assert!(before.is_none(), "{c:?} in moves {before:?} and {i}");
        });
    }
    for c in coordinates(shape) {
        let one = moves[owner[&c]];
        let (source, destination) = (from.slot(&c).unwrap().core, to.slot(&c).unwrap().core);
        prop_assert_eq!((one.source, one.destination), (source, destination), "{:?}", c);
    }
    let transfers: Vec<_> = plan.transfers().collect();
    let all: usize = transfers.iter().map(|t| t.elements()).sum();
    prop_assert_eq!(all, from.elements());
    // Each core finds its part of the plan by itself, at both ends in the same order.
    for core in 0..from.cores() {
        let own: Vec<_> = plan.out_of(core).unwrap().transfers().collect();
        let wanted: Vec<_> = transfers.iter().filter(|t| t.source == core).cloned().collect();
        prop_assert_eq!(own, wanted);
    }
    for core in 0..to.cores() {
        let own: Vec<_> = plan.into_core(core).unwrap().transfers().collect();
        let wanted: Vec<_> = transfers.iter().filter(|t| t.destination == core).cloned().collect();
        prop_assert_eq!(own, wanted);
    }
    Ok(())
}

#[test]
fn a_block_cyclic_placement_is_resharded_as_well() -> Result<(), LayoutError> {
    // 50 elements, dealt to 3 cores 4 at a time: core = x / 4 % 3, and back into blocks of 10.
    let dealt = Placement::builder(&[50], 20, 3)?
        .dimension(50, &[1])?
        .piece(4)?
        .leaf(4, 1)?
        .piece(3)?
        .core_leaf(3, 1)?
        .piece(5)?
        .leaf(5, 4)?
        .build()?;
    let blocks = Placement::builder(&[50], 10, 5)?
        .dimension(50, &[1])?
        .piece(10)?
        .leaf(10, 1)?
        .piece(5)?
        .core_leaf(5, 1)?
        .build()?;
    check_reshard(&[50], &dealt, &blocks).unwrap();
    check_reshard(&[50], &blocks, &dealt).unwrap();
    assert_eq!(dealt.slot(&[13])?.core, 0);
    Ok(())
}

#[test]
fn large_layouts_are_not_enumerated() -> Result<(), LayoutError> {
    let text = "tensor<64x4096x4096xf32, #tt.metal_layout<collapse = [(0, -1)], undef, <8x8>>>";
    let l = MetalLayout::parse(text).unwrap();
    assert_eq!(l.core(&[7, 7])?.data, 64 * 4096 * 4096 / 64);
    let height = MetalLayout::parse(&text.replace("8x8", "64x1")).unwrap();
    let plan = l.placement().reshard(&height.placement())?;
    assert_eq!((plan.moves().count(), plan.moved()), (512, 64 * 4096 * 4096 / 8 * 7));
    Ok(())
}

#[test]
fn sizes_that_overflow_are_errors() {
    for text in [
        "tensor<4611686018427387904x4xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>>>",
        "tensor<4x4xf32, #tt.metal_layout<(d0, d1) -> (d0 * 9223372036854775807, d1), undef, <1x1>>>",
        "tensor<4x4xf32, #tt.metal_layout<(d0, d1) -> (d0 * 9223372036854775807 + d0, d1), undef, <1x1>>>",
        "tensor<4x4xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <4294967296x4294967296>>>",
        "tensor<4x4xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <9999999999999x1>, \
         !tt.tile<9999999999x99999999, f32>>>",
        "tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32, #tt.metal_layout<collapse = [(0, -1)], undef, <1x1>>>",
    ] {
        assert!(MetalLayout::parse(text).is_err(), "{text}");
    }
    // A tensor of no dimensions has one element.
    let one = "tensor<f32, #tt.metal_layout<() -> (0, 0), zero, <2x1>, \
               memref<1x1xf32, #tt.memory_space<dram>>>>";
    let l = MetalLayout::parse(one).unwrap();
    assert_eq!((l.to_string().as_str(), l.elements(), l.empty_cores()), (one, 1, 1));
}

/// A plan as a layer of messages executes it: a buffer per core, packed by the source, unpacked by
/// the destination.
#[test]
fn a_reshard_by_messages() -> Result<(), LayoutError> {
    let layout = |text: &str| MetalLayout::parse(text).unwrap().placement();
    let from = layout(
        "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, \
         !tt.tile<32x32, f32, face = 16x16>>>",
    );
    let to = layout("tensor<53x63xf32, #tt.metal_layout<collapse = [(0, 2)], undef, <7>>>");
    let filled = |p: &Placement| -> Result<Vec<Vec<usize>>, LayoutError> {
        let mut buffers = vec![vec![usize::MAX; p.storage()]; p.cores()];
        for (i, c) in coordinates(&[53, 63]).iter().enumerate() {
            let slot = p.slot(c)?;
            buffers[slot.core][slot.offset] = i;
        }
        Ok(buffers)
    };
    let (before, mut after) = (filled(&from)?, vec![vec![usize::MAX; to.storage()]; to.cores()]);
    for transfer in from.reshard(&to)?.transfers() {
        let (mut message, mut read) = (Vec::new(), 0);
        for one in &transfer.moves {
            one.region.for_each(|c| {
                message.push(before[transfer.source][from.slot(c).unwrap().offset]);
            });
        }
        assert_eq!(message.len(), transfer.elements());
        for one in &transfer.moves {
            one.region.for_each(|c| {
                after[transfer.destination][to.slot(c).unwrap().offset] = message[read];
                read += 1;
            });
        }
    }
    assert_eq!(after, filled(&to)?);
    Ok(())
}

proptest! {
    /// Text that is cut, doubled or changed in a place is read or refused, and what is read prints as
    /// what it is.
    #[test]
    fn broken_text_is_no_panic(
        case in case(),
        at in 0..400usize,
        len in 0..12usize,
        new in "[-0-9x(),<>+*= #!.a-f]{0,4}",
    ) {
        let mut text = case.layout().to_string();
        let (at, end) = (at.min(text.len()), (at + len).min(text.len()));
        text.replace_range(at..end, &new);
        if let Ok(l) = MetalLayout::parse(&text) {
            prop_assert_eq!(MetalLayout::parse(&l.to_string()).unwrap(), l);
        }
    }
}
