//! Construction of tensors and views: their contents, and the errors.

mod common;

use common::{Pair, flat};
use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Layout, Tile};
use layout_kernels::{ArrayTensor, AsView, AsViewMut, Tensor, View, ViewMut, copy};
use typenum::{U1, U2, U3, U4, U6, U10};

type Rows = Layout<Pair<U4, U6>, Pair<U6, U1>>;
type Columns = Layout<Pair<U4, U6>, Pair<U1, U4>>;
type Gaps = Layout<Pair<U2, U3>, Pair<U10, U2>>;

#[test]
fn from_fn_gives_each_coordinate_its_element() {
    let t = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    let expected: Vec<usize> = (0..4).flat_map(|i| (0..6).map(move |j| 10 * i + j)).collect();
    assert_eq!(t.as_slice(), expected);
    let d = Tensor::from_fn_in(flat(&[4, 6], &[6, 1]), |c| 10 * c.leaves()[0] + c.leaves()[1]);
    assert_eq!(d.unwrap().as_slice(), expected);
}

#[test]
fn holes_are_zero() {
    let t = Tensor::<u8, Gaps>::from_fn(|_| 1);
    let ones: Vec<usize> = (0..t.as_slice().len()).filter(|&i| t.as_slice()[i] == 1).collect();
    assert_eq!(ones, [0, 2, 4, 10, 12, 14]);
    assert_eq!(t.as_slice().len(), 15);
}

#[test]
fn full_fills_holes_too() {
    assert_eq!(Tensor::<u8, Gaps>::full(7).as_slice(), [7; 15]);
    assert_eq!(Tensor::<u8, Gaps>::zeros().as_slice(), [0; 15]);
}

#[test]
fn elements_have_coordinates() {
    let mut t = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    assert_eq!((t[(3, 2)], t[7], t.get((3, 2)), t.get((4, 0))), (32, 31, Some(&32), None));
    t[(3, 2)] = 5;
    *t.get_mut((0, 0)).unwrap() = 6;
    assert_eq!((t.as_slice()[20], t.as_slice()[0]), (5, 6));
    let view = t.view();
    assert_eq!((view[(3, 2)], view.get(24)), (5, None));
    let mut view = t.view_mut();
    view[3] += 1;
    assert_eq!((view[(3, 0)], view.get((3, 0))), (31, Some(&31)));
    assert_eq!(view.get_mut((0, 6)), None);
    let d = Tensor::from_fn_in(flat(&[4, 6], &[6, 1]), |c| c.leaves()[1]).unwrap();
    assert_eq!((d[(3, 2)], d.get((3, 2, 0)), d.get((0, 6))), (2, None, None));
}

#[test]
#[should_panic(expected = "coordinate 4 is not below extent 4")]
fn an_index_outside_the_shape_panics() {
    let _ = Tensor::<u8, Rows>::zeros()[(4, 0)];
}

#[test]
fn an_array_tensor_is_a_tensor_without_allocation() {
    let mut t = ArrayTensor::<u16, Gaps>::from_fn(|(i, j)| (10 * i + j) as u16);
    assert_eq!(size_of_val(&t), 15 * 2);
    let expected = Tensor::<u16, Gaps>::from_fn(|(i, j)| (10 * i + j) as u16);
    assert_eq!(t.as_slice(), expected.as_slice());
    t[(1, 2)] = 99;
    assert_eq!((t.get((1, 2)), t.get((2, 0)), t.clone()[(1, 2)]), (Some(&99), None, 99));
    let mut other = ArrayTensor::<u16, Gaps>::full(1);
    copy(&t, &mut other);
    assert_eq!((other[(1, 2)], other.as_slice()[1]), (99, 1));
    *other.get_mut((0, 0)).unwrap() = 5;
    assert_eq!(other.iter().copied().collect::<Vec<_>>(), [5, 10, 1, 11, 2, 99]);
    let text = format!("{other:?}");
    assert_eq!(text, "ArrayTensor { layout: (2,3):(10,2), elements: [5, 10, 1, 11, 2, 99] }");
}

#[test]
fn elements_come_in_colexicographic_order() {
    let t = Tensor::<usize, Rows>::from_fn(|(i, j)| i + 4 * j);
    assert_eq!(t.iter().copied().collect::<Vec<_>>(), (0..24).collect::<Vec<_>>());
    assert_eq!(t.iter().len(), 24);
}

#[test]
fn a_layout_with_an_empty_mode_has_no_elements() {
    let t = Tensor::<f32, _>::zeros_in(flat(&[3, 0], &[1, 3])).unwrap();
    assert_eq!((t.as_slice().len(), t.iter().len()), (0, 0));
}

#[test]
fn tensors_are_injective_and_fit() {
    let broadcast = flat(&[4, 8], &[0, 1]);
    let error = Tensor::<f32, _>::zeros_in(broadcast).unwrap_err();
    assert!(matches!(error, LayoutError::NotInjective { .. }));
    assert_eq!(
        error.to_string(),
        "layout (4,8):(0,1) maps two coordinates to one offset; writing, and arrays of other crates, need distinct offsets"
    );
    let error = Tensor::<f32, _>::zeros_in(flat(&[1 << 40, 1 << 21], &[1, 1 << 40])).unwrap_err();
    assert!(matches!(error, LayoutError::StorageTooLarge { element_bytes: 4, .. }));
    // Zero-sized elements need no allocation.
    let huge = Tensor::full_in(flat(&[1 << 40, 1 << 21], &[1, 1 << 40]), ()).unwrap();
    assert_eq!(huge.as_slice().len(), 1 << 61);
}

#[test]
fn views_stay_inside_their_slice() {
    let layout = flat(&[4, 32], &[32, 1]);
    let data = [0f32; 128];
    assert!(View::new_in(&data, layout).is_ok());
    let error = View::new_in(&data[..100], layout).unwrap_err();
    assert_eq!(error.to_string(), "the slice has 100 elements but layout (4,32):(32,1) needs 128");
    assert_eq!(ViewMut::new_in(&mut [0f32; 100], layout).unwrap_err(), error);
    assert!(View::<f32, Rows>::new(&data[..24]).is_ok());
    assert!(View::<f32, Rows>::new(&data[..23]).is_err());
    assert!(ViewMut::<f32, Rows>::new(&mut [0.0; 23]).is_err());
    let view = View::<f32, Rows>::from_array(&[1.0; 24]);
    assert_eq!(view.iter().sum::<f32>(), 24.0);
    // An empty layout needs no elements.
    assert!(View::<f32, _>::new_in(&[], flat(&[3, 0], &[1, 3])).is_ok());
}

#[test]
fn mutable_views_are_injective() {
    let broadcast = flat(&[4, 8], &[0, 1]);
    assert!(View::new_in(&[0; 8], broadcast).is_ok());
    assert!(matches!(
        ViewMut::new_in(&mut [0; 8], broadcast),
        Err(LayoutError::NotInjective { .. })
    ));
}

#[test]
fn whatever_gives_a_view_can_be_copied() {
    let source = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    let mut t = Tensor::<usize, Columns>::zeros();
    copy(&source, &mut t);
    assert_eq!(t.iter().collect::<Vec<_>>(), source.iter().collect::<Vec<_>>());

    let mut array = [0; 24];
    copy(&source.view(), &mut ViewMut::<_, Columns>::from_array(&mut array));
    assert_eq!(array, t.as_slice());

    let mut dynamic = Tensor::zeros_in(flat(&[4, 6], &[1, 4])).unwrap();
    copy(&&source, &mut &mut dynamic).unwrap();
    assert_eq!(dynamic.as_slice(), t.as_slice());
    assert_eq!(dynamic.as_view_mut().as_slice(), t.as_view().as_slice());
}

#[test]
fn a_copy_leaves_holes_alone() {
    let mut t = Tensor::<u8, Gaps>::full(9);
    copy(&View::new_in(&[1], flat(&[2, 3], &[0, 0])).unwrap(), &mut t).unwrap();
    assert_eq!(t.as_slice(), [1, 9, 1, 9, 1, 9, 9, 9, 9, 9, 1, 9, 1, 9, 1]);
}

#[test]
fn shapes_agree_mode_by_mode() {
    let tensor = |layout: DynLayout| Tensor::<f32, _>::zeros_in(layout).unwrap();
    let a = tensor(flat(&[64, 128], &[128, 1]));
    let error = copy(&a, &mut tensor(flat(&[64, 120], &[120, 1]))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "copy: source shape (64,128) is not destination shape (64,120): mode 1 has size 128 against 120"
    );
    let error = copy(&a, &mut tensor(flat(&[64, 64, 2], &[128, 2, 1]))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "copy: source shape (64,128) is not destination shape (64,64,2): rank 2 against 3"
    );
}

#[test]
fn debug_prints_the_layout_and_few_elements() {
    let t = Tensor::<u8, _>::from_fn_in(flat(&[2, 2], &[2, 1]), |c| c.leaves()[1] as u8).unwrap();
    assert_eq!(format!("{t:?}"), "Tensor { layout: (2,2):(2,1), elements: [0, 0, 1, 1] }");
    let t = Tensor::<u8, _>::zeros_in(flat(&[9, 9], &[9, 1])).unwrap();
    assert_eq!(format!("{:?}", t.view()), "View { layout: (9,9):(9,1), .. }");
}

/// Checks `part(c) == whole(at(c))` for every coordinate of `part`, as linear indices.
fn same<L: AnyLayout, M: AnyLayout>(
    part: View<'_, usize, L>,
    whole: View<'_, usize, M>,
    at: impl Fn(usize) -> usize,
) {
    let expected: Vec<usize> =
        (0..part.layout().size()).map(|i| *whole.get(at(i)).unwrap()).collect();
    assert_eq!(part.iter().copied().collect::<Vec<_>>(), expected);
}

#[test]
fn a_slice_has_the_elements_of_its_coordinates() {
    let a = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    let d =
        Tensor::from_fn_in(flat(&[4, 6], &[6, 1]), |c| 10 * c.leaves()[0] + c.leaves()[1]).unwrap();
    for row in 0..4 {
        same(a.view().slice((row, ..)), a.view(), |j| row + 4 * j);
        same(d.view().slice((row, ..)), a.view(), |j| row + 4 * j);
    }
    for column in 0..6 {
        same(a.view().slice((.., column)), a.view(), |i| i + 4 * column);
        same(d.view().slice((.., column)), a.view(), |i| i + 4 * column);
    }
    assert!(a.view().try_slice((4, ..)).is_err());
    assert!(d.view().try_slice((.., 6)).is_err());
    assert!(d.view().try_slice((.., 1, 2)).is_err());
}

#[test]
fn a_slice_without_elements_may_lie_beyond_the_memory() {
    let empty = Tensor::<u8, _>::zeros_in(flat(&[0, 6], &[1, 10])).unwrap();
    let column = empty.view().slice((.., 5));
    assert_eq!((column.iter().len(), column.as_slice().len()), (0, 0));
}

#[test]
fn what_is_written_to_a_slice_is_in_the_tensor() {
    let mut a = Tensor::<usize, Gaps>::full(1);
    let mut view = a.view_mut();
    view.slice_mut((1, ..))[2] = 5;
    view.try_slice_mut((.., 1)).unwrap()[0] = 6;
    view.transposed_mut()[(0, 1)] = 7;
    assert_eq!((a[(1, 2)], a[(0, 1)], a[(1, 0)]), (5, 6, 7));
    assert_eq!(a.iter().filter(|&&x| x == 1).count(), 3);
}

#[test]
fn a_transposed_view_has_rows_for_columns() {
    let a = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    let d = View::new_in(a.as_slice(), flat(&[4, 6], &[6, 1])).unwrap();
    same(a.view().transposed(), a.view(), |i| i / 6 + 4 * (i % 6));
    same(d.transposed().unwrap(), a.view(), |i| i / 6 + 4 * (i % 6));
    let cube = View::new_in(a.as_slice(), flat(&[2, 2, 6], &[12, 6, 1])).unwrap();
    let refused = cube.transposed().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "transposed: the layout has shape (2,2,6), but a matrix has 2 modes, not 3"
    );
}

#[test]
fn another_layout_stays_inside_that_of_the_view() {
    let a = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    same(a.view().with_layout(Layout::<U10, U2>), a.view(), |i| 2 * i / 6 + 4 * (2 * i % 6));
    // The slice has 24 elements, but the row only 6.
    let row = View::<_, Layout<U6, U1>>::new(a.as_slice()).unwrap();
    assert!(row.with_layout(flat(&[6], &[1])).is_ok());
    assert!(matches!(
        row.with_layout(flat(&[7], &[1])).unwrap_err(),
        LayoutError::SliceTooShort { elements: 6, .. }
    ));
    let mut b = Tensor::zeros_in(flat(&[4, 6], &[6, 1])).unwrap();
    assert!(matches!(
        b.view_mut().with_layout_mut(flat(&[4, 6], &[1, 1])).unwrap_err(),
        LayoutError::NotInjective { .. }
    ));
    b.view_mut().with_layout_mut(Layout::<U10, U2>).unwrap()[9] = 3;
    assert_eq!(b[(3, 0)], 3);
}

#[test]
fn a_tile_is_a_part_of_the_tensor() {
    type Tiler = Tile<Pair<Layout<U2, U1>, Layout<U3, U1>>>;
    let mut a = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    for (down, right) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        same(a.view().local_tile(&Tiler::default(), (down, right)), a.view(), |i| {
            2 * down + i % 2 + 4 * (3 * right + i / 2)
        });
    }
    a.view_mut().local_tile_mut(&Tiler::default(), (1, 1))[(1, 2)] = 0;
    assert_eq!((a[(3, 5)], a[(2, 5)]), (0, 25));
}

#[test]
fn tiles_fill_the_shape() {
    type Tiler = Tile<Pair<Layout<U2, U1>, Layout<U4, U1>>>;
    let d = Tensor::from_fn_in(flat(&[4, 8], &[8, 1]), |c| c.leaves()[1]).unwrap();
    let tile = d.view().local_tile(&Tiler::default(), (1, 1)).unwrap();
    assert_eq!((tile[(1, 3)], tile.layout().to_string().as_str()), (7, "(2,4):(8,1)"));
    // The second tile would have columns 4 to 7 of 6; columns 6 and 7 would lie in the next row.
    let mut d = Tensor::from_fn_in(flat(&[4, 6], &[6, 1]), |c| c.leaves()[1]).unwrap();
    let refused = d.view().local_tile(&Tiler::default(), (0, 1)).unwrap_err();
    let message =
        "local_tile: tiles and their grid, ((2,4),(2,2)), do not cover shape (4,6) evenly";
    assert_eq!(refused.to_string(), message);
    assert!(d.view_mut().local_tile_mut(&Tiler::default(), (0, 0)).is_err());
}
