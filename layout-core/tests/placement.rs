//! Placements against an oracle that follows the definition digit by digit.

use layout_core::devices::spyre::SpyreLayout;
use layout_core::devices::tenstorrent::MetalLayout;
use layout_core::devices::{ElementType, PaddingBoxes, Patches, Placement, Slot};
use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use proptest::prelude::*;

/// An index dimension: its extent, its pieces, and of each the leaves `(extent, padded size)`.
#[derive(Clone, Debug)]
struct Dimension {
    row: Vec<usize>,
    extent: usize,
    pieces: Vec<(usize, Vec<usize>)>,
}

#[derive(Clone, Debug)]
struct Case {
    shape: Vec<usize>,
    dimensions: Vec<Dimension>,
    grid: usize,
}

/// A tensor of two or three dimensions, the first ones collapsed into rows, perhaps with gaps; each
/// index dimension cut in padded pieces; the rows spread over a column of cores.
fn case() -> impl Strategy<Value = Case> {
    let shape = prop::collection::vec(1..6usize, 2..4);
    (shape, 0..3usize, 1..4usize, prop::collection::vec((1..5usize, 1..4usize, 0..3usize), 2))
        .prop_map(|(shape, bump, grid, cuts)| {
            let rank = shape.len();
            let mut row = vec![0; rank];
            let mut coefficient = 1;
            for d in (0..rank - 1).rev() {
                row[d] = coefficient;
                coefficient = coefficient * shape[d] + bump;
            }
            let mut column = vec![0; rank];
            column[rank - 1] = 1;
            let dimensions = [row, column]
                .into_iter()
                .zip(cuts)
                .map(|(row, (inner, tile, spare))| {
                    let last: usize = row.iter().zip(&shape).map(|(r, s)| r * (s - 1)).sum();
                    let extent = last + 1;
                    let outer = extent.div_ceil(inner);
                    let leaves = vec![tile, inner.div_ceil(tile) + spare];
                    Dimension { row, extent, pieces: vec![(inner, leaves), (outer, vec![outer])] }
                })
                .collect();
            Case { shape, dimensions, grid }
        })
}

impl Case {
    /// The strides: leaves of all dimensions, the innermost of the last dimension fastest.
    fn storage(&self) -> (Vec<Vec<Vec<usize>>>, usize) {
        let mut stride = 1;
        let mut strides: Vec<Vec<Vec<usize>>> = self
            .dimensions
            .iter()
            .rev()
            .map(|dimension| {
                let piece = |(_, leaves): &(usize, Vec<usize>)| {
                    leaves
                        .iter()
                        .map(|extent| {
                            let this = stride;
                            stride *= extent;
                            this
                        })
                        .collect()
                };
                dimension.pieces.iter().map(piece).collect()
            })
            .collect();
        strides.reverse();
        (strides, stride)
    }

    fn build(&self) -> Result<Placement, LayoutError> {
        let (strides, storage) = self.storage();
        let mut builder = Placement::builder(&self.shape, storage, self.grid)?;
        for (dimension, strides) in self.dimensions.iter().zip(&strides) {
            builder = builder.dimension(dimension.extent, &dimension.row)?;
            for ((extent, leaves), strides) in dimension.pieces.iter().zip(strides) {
                builder = builder.piece(*extent)?;
                for (extent, stride) in leaves.iter().zip(strides) {
                    builder = builder.leaf(*extent, *stride)?;
                }
            }
        }
        builder.build()
    }

    /// The offset by the definition.
    fn offset(&self, coordinate: &[usize]) -> usize {
        let (strides, _) = self.storage();
        let mut offset = 0;
        for (dimension, strides) in self.dimensions.iter().zip(&strides) {
            let mut x: usize = dimension.row.iter().zip(coordinate).map(|(r, c)| r * c).sum();
            for ((extent, leaves), strides) in dimension.pieces.iter().zip(strides) {
                let mut digit = x % extent;
                x /= extent;
                for (leaf, stride) in leaves.iter().zip(strides) {
                    offset += digit % leaf * stride;
                    digit /= leaf;
                }
            }
        }
        offset
    }
}

fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |all, &extent| {
        let one = |c: Vec<usize>| (0..extent).map(move |x| [c.as_slice(), &[x]].concat());
        all.into_iter().flat_map(one).collect()
    })
}

/// Each element is in one patch of the two, at its slots.
fn patches_cover(source: &Placement, destination: &Placement) -> Result<usize, TestCaseError> {
    let number = |p: &Placement, c: &[usize]| p.slot_number(c).unwrap();
    let shape = source.shape();
    let mut seen = vec![false; source.elements()];
    let mut count = 0;
    for patch in Patches::new(source, destination).unwrap() {
        let patch = patch.unwrap();
        count += 1;
        for turn in 0..patch.elements() {
            let mut at = patch.first().to_vec();
            let (mut s, mut d, mut rest) = (patch.source, patch.destination, turn);
            for step in patch.steps() {
                let digit = rest % step.extent;
                rest /= step.extent;
                at[step.dimension] += digit * step.coordinate;
                s += digit * step.source;
                d += digit * step.destination;
            }
            prop_assert_eq!((s, d), (number(source, &at), number(destination, &at)), "{:?}", at);
            let index = at.iter().zip(shape.leaves()).fold(0, |index, (c, e)| index * e + c);
            prop_assert!(!std::mem::replace(&mut seen[index], true), "{:?} twice", at);
        }
    }
    prop_assert!(seen.iter().all(|&seen| seen), "{:?} to {:?}", source, destination);
    Ok(count)
}

proptest! {
    #[test]
    fn patches_have_each_element_once(a in case(), mut b in case()) {
        // The second placement cuts the same tensor otherwise.
        let rank = a.shape.len();
        b.shape.clone_from(&a.shape);
        b.dimensions.clear();
        for d in 0..rank {
            let (mut row, extent) = (vec![0; rank], a.shape[d]);
            row[d] = 1;
            let (inner, tile) = (1 + (b.grid + d) % 3, 1 + (b.grid + 2 * d) % 4);
            let leaves = vec![tile, inner.div_ceil(tile)];
            let outer = extent.div_ceil(inner);
            b.dimensions.push(Dimension { row, extent, pieces: vec![(inner, leaves), (outer, vec![outer])] });
        }
        let (a, b) = (a.build().unwrap(), b.build().unwrap());
        patches_cover(&a, &b)?;
        patches_cover(&b, &a)?;
        patches_cover(&a, &a)?;
    }

    #[test]
    fn slots_follow_the_definition_and_lead_back(case in case()) {
        let p = case.build().unwrap();
        let mut owner = vec![None; p.slots()];
        for c in coordinates(&case.shape) {
            let slot = p.slot(&c).unwrap();
            prop_assert_eq!(slot, Slot { core: 0, offset: case.offset(&c) });
            prop_assert_eq!(owner[slot.offset].replace(c), None, "two elements in one slot");
        }
        prop_assert_eq!(p.is_injective(), Ok(true));
        prop_assert!(p.slot_at(p.slots()).is_err());
        for (number, owner) in owner.iter().enumerate() {
            let found = p.coordinate(p.slot_at(number).unwrap()).unwrap().map(|c| c.leaves().to_vec());
            prop_assert_eq!(&found, owner, "slot {}", number);
        }
        prop_assert_eq!(owner.iter().filter(|o| o.is_none()).count(), p.padding());
    }

    #[test]
    fn the_layout_form_has_the_same_slots(case in case()) {
        let p = case.build().unwrap();
        if let Ok(layout) = p.to_layout() {
            for c in coordinates(&case.shape) {
                let at = layout_core::engine::IntTuple::flat(&c).unwrap();
                prop_assert_eq!(layout.offset_of(&at).unwrap(), case.offset(&c), "{}", layout);
            }
        }
    }
}

#[test]
fn the_layout_form_of_collapsed_rows_on_cores() {
    // 2x3x4 with the first two dimensions joined to 6 rows, on 2 cores of 3 rows.
    let p = Placement::builder(&[2, 3, 4], 12, 2)
        .and_then(|b| b.dimension(6, &[3, 1, 0])?.piece(3)?.leaf(3, 4)?.piece(2)?.core_leaf(2, 1))
        .and_then(|b| b.dimension(4, &[0, 0, 1])?.piece(4)?.leaf(4, 1)?.build())
        .unwrap();
    assert_eq!(p.to_layout().unwrap().to_string(), "(2,3,4):(12,4,1)");
    assert_eq!(p.padded_layout().unwrap_err().code(), "L0611");
    // Pieces of 3 in the room of 4 are a mode, of 3 in 2 times 2 they are none.
    let on = |leaves: &[(usize, usize)]| {
        let builder = Placement::builder(&[6], 4, 2)?.dimension(6, &[1])?.piece(3)?;
        let builder =
            leaves.iter().try_fold(builder, |b, &(extent, stride)| b.leaf(extent, stride));
        builder?.piece(2)?.core_leaf(2, 1)?.build()
    };
    let padded = on(&[(4, 1)]).unwrap();
    assert_eq!(padded.to_layout().unwrap().to_string(), "((3,2)):((1,4))");
    assert_eq!(padded.padded_layout().unwrap_err().code(), "L0610");
    assert_eq!(on(&[(2, 1), (2, 2)]).unwrap().to_layout().unwrap_err().code(), "L0610");
    let padded = Placement::builder(&[5, 4], 8, 2)
        .and_then(|b| b.dimension(5, &[1, 0])?.piece(3)?.leaf(2, 4)?.leaf(2, 0)?.build());
    assert_eq!(padded.unwrap_err().code(), "L0606");
    let cut = Placement::builder(&[5], 8, 1)
        .and_then(|b| b.dimension(5, &[1])?.piece(5)?.leaf(2, 1)?.leaf(3, 3)?.build())
        .unwrap();
    assert_eq!(cut.to_layout().unwrap_err().code(), "L0613");
    assert_eq!(cut.padded_layout().unwrap().to_string(), "((2,3)):((1,3))");
}

#[test]
fn a_layout_is_a_placement() {
    for text in ["(4,8):(8,1)", "(6,(4,2)):(4,(1,24))", "7:3", "((2,2),(3,2)):((1,12),(2,6))"] {
        let layout = DynLayout::parse(text).unwrap();
        let p = Placement::of_layout(&layout).unwrap();
        let back = p.to_layout().unwrap();
        for i in 0..layout.size() {
            let at = p.shape().idx2crd(i).unwrap();
            assert_eq!(p.slot(at.leaves()).unwrap().offset, layout.offset_of_index(i), "{text}");
            assert_eq!(back.offset_of(&at).unwrap(), layout.offset_of_index(i), "{text}");
        }
    }
}

#[test]
fn full_pieces_are_one_patch() {
    let rows = |shape: &str| {
        let layout = DynLayout::row_major(&layout_core::engine::IntTuple::parse(shape).unwrap());
        Placement::of_layout(&layout.unwrap()).unwrap()
    };
    // (100,200,500) in sticks of 64: the full ones, and the last one of each.
    let sticks = Placement::builder(&[100, 200, 500], 256 * 8 * 128 * 64, 1)
        .and_then(|b| b.dimension(100, &[1, 0, 0])?.piece(100)?.leaf(128, 64))
        .and_then(|b| b.dimension(200, &[0, 1, 0])?.piece(200)?.leaf(256, 8 * 128 * 64))
        .and_then(|b| b.dimension(500, &[0, 0, 1])?.piece(500)?.leaf(64, 1)?.leaf(8, 128 * 64))
        .and_then(|b| b.build())
        .unwrap();
    assert_eq!(patches_cover(&rows("(100,200,500)"), &sticks).unwrap(), 2);
    // 2x3x64x128 on 2x2x4, tiled: a boundary runs through the joined dimensions.
    let shard = Placement::builder(&[2, 3, 64, 128], 3072, 16)
        .and_then(|b| {
            b.dimension(2, &[1, 0, 0, 0])?.piece(1)?.leaf(1, 0)?.piece(2)?.core_leaf(2, 8)
        })
        .and_then(|b| b.dimension(192, &[0, 64, 1, 0])?.piece(96)?.leaf(32, 32)?.leaf(3, 1024))
        .and_then(|b| b.piece(2)?.core_leaf(2, 4)?.dimension(128, &[0, 0, 0, 1])?.piece(32))
        .and_then(|b| b.leaf(32, 1)?.piece(4)?.core_leaf(4, 1)?.build())
        .unwrap();
    assert_eq!(patches_cover(&rows("(2,3,64,128)"), &shard).unwrap(), 4);
}

/// Marks the slots of all boxes, each once, and compares with what each slot says.
fn check_boxes(placement: &Placement, most: usize) {
    let mut padding = vec![false; placement.slots()];
    let mut count = 0;
    for each in PaddingBoxes::new(placement).expect("no gaps") {
        count += 1;
        let mut slots = vec![each.first];
        for &(extent, stride) in each.steps() {
            slots = slots.iter().flat_map(|&x| (0..extent).map(move |i| x + i * stride)).collect();
        }
        for slot in slots {
            assert!(!padding[slot], "slot {slot} twice in {placement:?}");
            padding[slot] = true;
        }
    }
    for (number, found) in padding.into_iter().enumerate() {
        let slot = placement.slot_at(number).unwrap();
        assert_eq!(found, placement.is_padding(slot).unwrap(), "{slot:?} in {placement:?}");
    }
    assert!(count <= most, "{count} boxes in {placement:?}");
}

#[test]
fn boxes_are_the_padding() {
    let metal =
        |text: &str, most| check_boxes(&MetalLayout::parse(text).unwrap().placement(), most);
    let map = "(d0, d1) -> (d0, d1)";
    metal(
        &format!(
            "tensor<53x63xf32, #tt.metal_layout<{map}, undef, <3x2>, \
        memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>"
        ),
        8,
    );
    metal(
        &format!(
            "tensor<100x70xf32, #tt.metal_layout<{map}, zero, <1x1>, \
        memref<4x3x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>"
        ),
        3,
    );
    metal(
        "tensor<5x3x7x9xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 21 + d1 * 7 + d2, d3), \
        zero, <4x2>>>",
        6,
    );
    metal(&format!("tensor<64x64xf32, #tt.metal_layout<{map}, zero, <2x2>>>"), 0);
    for text in [
        "spyre { size: [5, 6, 150], dtype: f16 }",
        "spyre { size: [10, 20, 50], dtype: f16, device_size: [26, 1, 12, 64], dim_map: [1, 2, 0, 2] }",
        "spyre { size: [40], dtype: f32, device_size: [2, 32], dim_map: [0, 0] }",
    ] {
        check_boxes(&SpyreLayout::parse(text).unwrap().placement(), 4);
    }
}

#[test]
fn odd_digits() {
    // Pieces and leaves that nothing divides: 77 of 3 * 4 * 7 numbers, 3 in 2 * 2 leaves.
    let p = Placement::builder(&[77, 5], 4 * 4 * 7 * 6, 1).unwrap();
    let p = p.dimension(77, &[1, 0]).unwrap().piece(3).unwrap().leaf(2, 2).unwrap();
    let p = p.leaf(2, 1).unwrap().piece(4).unwrap().leaf(4, 24).unwrap();
    let p = p.piece(7).unwrap().leaf(7, 96).unwrap();
    let p = p.dimension(5, &[0, 1]).unwrap().piece(5).unwrap().leaf(3, 4).unwrap();
    let p = p.leaf(2, 12).unwrap().build().unwrap();
    check_boxes(&p, 20);
    // A gap between rows is in no box.
    let p = Placement::builder(&[2, 3], 8, 1).unwrap().dimension(2, &[1, 0]).unwrap();
    let p = p.piece(2).unwrap().leaf(2, 4).unwrap().dimension(3, &[0, 1]).unwrap();
    let p = p.piece(3).unwrap().leaf(3, 1).unwrap().build().unwrap();
    assert!(PaddingBoxes::new(&p).is_none());
}

/// A slot is an element's or padding, never both.
#[test]
fn padded_leaves_do_not_repeat_slots() {
    let rows = |extent, leaf: [usize; 2]| {
        let p =
            Placement::builder(&[extent, 2], 60, 1).unwrap().dimension(extent, &[1, 0]).unwrap();
        let p = p.piece(extent).unwrap().leaf(2, leaf[0]).unwrap().leaf(2, leaf[1]).unwrap();
        let p = p.dimension(2, &[0, 1]).unwrap().piece(2).unwrap().leaf(2, 8).unwrap();
        p.build()
    };
    assert_eq!(rows(2, [1, 1]).unwrap_err().code(), "L0618");
    assert_eq!(rows(3, [1, 0]).unwrap_err().code(), "L0618");
    // Elements may share a slot, and padding may have slots of its own.
    assert_eq!(rows(4, [1, 1]).unwrap().is_injective(), Ok(false));
    assert_eq!(rows(3, [1, 2]).unwrap().is_injective(), Ok(true));
}

#[test]
fn each_name_is_of_one_element_type() {
    for element in ElementType::ALL {
        for name in element.names() {
            assert_eq!(ElementType::of_name(name), Some(element), "{name}");
        }
    }
}
