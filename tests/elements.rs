//! Access to single elements of static, mixed and dynamic layouts: every way to access an element,
//! compared with the offsets of the dynamic layout.

use std::fmt::Debug;

use static_layout::kernels::{Level, axpby, transform, update, update_at};
use static_layout::{
    AnyLayout, ArrayTensor, AsView, DynLayout, IntTuple, StaticLayout, Tensor, View, ViewMut,
    layout,
};

/// `update` of static layouts at every level. Checks the whole memory around the destination.
fn check<S: StaticLayout, D: StaticLayout, T, U>(
    x: impl Fn(usize) -> T,
    y: impl Fn(usize) -> U,
    f: fn(T, U) -> U,
) where
    T: Copy + 'static,
    U: Copy + PartialEq + Debug + 'static,
{
    const GUARD: usize = 70;
    let source: Vec<T> = (0..S::COSIZE).map(x).collect();
    let memory: Vec<U> = (0..D::COSIZE + 2 * GUARD).map(y).collect();
    let mut expected = memory.clone();
    for (s, d) in S::LAYOUT.table().zip(D::LAYOUT.table()) {
        expected[GUARD + d] = f(source[s], expected[GUARD + d]);
    }
    for level in Level::available() {
        let mut result = memory.clone();
        let view = View::<T, S>::new(&source).unwrap();
        let slice = &mut result[GUARD..][..D::COSIZE];
        update_at(level, &view, &mut ViewMut::<U, D>::new(slice).unwrap(), f);
        assert!(result == expected, "{level}: {} to {}", S::LAYOUT, D::LAYOUT);
    }
    // And with dynamic layouts.
    let mut result = memory.clone();
    let view = View::new_in(&source[..], S::LAYOUT).unwrap();
    let slice = &mut result[GUARD..][..D::COSIZE];
    update(&view, &mut ViewMut::new_in(slice, D::LAYOUT).unwrap(), f).unwrap();
    assert!(result == expected, "{} to {}", S::LAYOUT, D::LAYOUT);
}

#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(128))]
struct Aligned(u8);

fn check_all<S: StaticLayout, D: StaticLayout>() {
    check::<S, D, _, _>(|i| i as f32, |i| 3.0 * i as f32, |x, y| x + 2.0 * y);
    check::<S, D, _, _>(|i| i as u8, |i| i as u8, |x, y| x.wrapping_mul(3).wrapping_sub(y));
    check::<S, D, _, _>(|i| i as i16, |i| i as f64, |x, y| f64::from(x) - y);
    check::<S, D, _, _>(|i| [i as u64, 1, 2], |i| i as u16, |x, y| y.wrapping_add(x[0] as u16));
    check::<S, D, _, _>(|i| Aligned(i as u8), |i| i, |x, y| usize::from(x.0) + y);
    check::<S, D, _, _>(|_| (), |i| i as u32, |(), y| y + 1);
    check::<S, D, _, _>(|i| i as u32, |_| (), |_, ()| ());
}

#[test]
fn functions_of_elements_between_static_layouts() {
    check_all::<layout!(1:0), layout!(1:1)>();
    check_all::<layout!((3, 3):(1, 3)), layout!((3, 3):(1, 3))>();
    check_all::<layout!((3, 3):(3, 1)), layout!((3, 3):(1, 3))>();
    check_all::<layout!((6, 6):(6, 1)), layout!((6, 6):(1, 6))>();
    check_all::<layout!((6, 6):(6, 1)), layout!((6, 6):(1, 7))>();
    check_all::<layout!((6, 3):(0, 1)), layout!((6, 3):(1, 6))>();
    check_all::<layout!((6, 3):(7, 2)), layout!((6, 3):(3, 20))>();
    check_all::<layout!((7, 1, 9):(9, 1, 1)), layout!((7, 1, 9):(1, 1, 7))>();
    check_all::<layout!((8, 8):(8, 1)), layout!((8, 8):(1, 8))>();
    check_all::<layout!((2, 5, 6):(30, 6, 1)), layout!((2, 5, 6):(1, 12, 2))>();
    check_all::<layout!((33, 21):(21, 1)), layout!((33, 21):(1, 34))>();
    check_all::<layout!(((4, 3), (2, 5)):((30, 5), (15, 1))), layout!((12, 10):(1, 12))>();
    check_all::<layout!((33, 21):(1, 33)), layout!(((11, 3), 21):((1, 300), 13))>();
    // No common refinement.
    check_all::<layout!(((2, 3), 4):((1, 2), 6)), layout!(((3, 2), 4):((4, 20), 1))>();
    // Above the size limit of constant loops.
    check_all::<layout!((150, 130):(130, 1)), layout!((150, 130):(1, 150))>();
    check_all::<layout!((150, 130):(1, 151)), layout!((150, 130):(1, 150))>();
}

#[test]
fn axpby_and_transform_of_tensors() {
    type Rows = layout!((6, 5):(5, 1));
    type Columns = layout!((6, 5):(1, 6));
    let x = ArrayTensor::<f64, Rows>::from_fn(|(i, j)| (10 * i + j) as f64);
    let mut y = Tensor::<f64, Columns>::from_fn(|(i, j)| (i + 100 * j) as f64);
    axpby(2.0, &x, 0.5, &mut y);
    for i in 0..6 {
        for j in 0..5 {
            assert_eq!(y[(i, j)], 2.0 * (10 * i + j) as f64 + 0.5 * (i + 100 * j) as f64);
        }
    }
    y.as_mut_slice().fill(f64::NAN);
    axpby(2.0, &x, 0.0, &mut y);
    assert_eq!(y[(5, 4)], 108.0);
    let mut z = ArrayTensor::<i32, Columns>::zeros();
    transform(&y, &mut z, |x| x as i32 + 1);
    assert_eq!(z[(3, 2)], 65);
}

/// Every way to access an element of a layout with two modes.
fn check_indices<L: AnyLayout>(layout: L)
where
    (usize, usize): static_layout::Coordinate<L> + static_layout::Coordinate<DynLayout>,
{
    let value = layout.to_dyn().unwrap();
    let (m, n) = (value.mode(0).size(), value.mode(1).size());
    let data: Vec<usize> = (0..value.cosize()).collect();
    let view = View::new_in(&data[..], layout).unwrap();
    let dynamic = View::new_in(&data[..], value).unwrap();
    let mut table = value.table();
    let mut elements = view.iter();
    for j in 0..n {
        for i in 0..m {
            let offset = table.next().unwrap();
            let tuple = IntTuple::flat(&[i, j]).unwrap();
            assert_eq!((view[(i, j)], dynamic[(i, j)]), (offset, offset), "{value} at ({i},{j})");
            assert_eq!((view[i + m * j], dynamic[i + m * j]), (offset, offset), "{value}");
            assert_eq!(dynamic.get(tuple), Some(&offset), "{value} at {tuple}");
            assert_eq!(elements.next(), Some(&offset), "{value} at ({i},{j})");
        }
    }
    assert_eq!((elements.next(), elements.len()), (None, 0));
    assert_eq!((view.get((m, 0)), view.get((0, n)), view.get(m * n)), (None, None, None));
    assert_eq!((dynamic.get((m, 0)), dynamic.get((0, n)), dynamic.get(m * n)), (None, None, None));
    assert_eq!(dynamic.get((0, 0, 0)), None);
    assert_eq!((dynamic.get((0,)), dynamic.get(((0,), 0))), (None, None));
}

#[test]
fn indices() {
    check_indices(layout!((4, 6):(6, 1)));
    check_indices(layout!((4, 6):(1, 4)));
    check_indices(layout!(((2, 2), 6):((1, 12), 2)));
    let (two, five) = (2, 5);
    check_indices(layout!((4, five):(five, 1)));
    check_indices(layout!(({ four() }, (3, two)):(1, (4, 20))));
    check_indices(DynLayout::parse("((2,3),(2,2)):((1,30),(3,9))").unwrap());
}

fn four() -> usize {
    4
}

#[test]
fn what_a_dynamic_index_says() {
    let view = View::new_in(&[0; 24], DynLayout::parse("((2,3),4):((1,2),6)").unwrap()).unwrap();
    let why = |result: Result<usize, _>| {
        Result::<usize, static_layout::LayoutError>::unwrap_err(result).to_string()
    };
    let layout = view.layout();
    assert_eq!(why(layout.try_offset((6, 0))), "coordinate 6 is not below extent 6");
    assert_eq!(why(layout.try_offset(((1, 3), 0))), "coordinate 3 is not below extent 3");
    assert_eq!(why(layout.try_offset((1, 4))), "coordinate 4 is not below extent 4");
    assert_eq!(why(layout.try_offset(24)), "coordinate 24 is not below extent 24");
    assert!(why(layout.try_offset((1, 1, 1))).contains("(1,1,1)"));
    assert!(layout.try_offset(((1, 1), (1,))).is_err());
    assert_eq!(layout.try_offset(((1, 2), 3)), Ok(23));
}

#[test]
fn slices_of_all_kinds() {
    let data: Vec<usize> = (0..120).collect();
    let n = four();
    let fixed = View::<_, layout!((4, (5, 3), 2):(30, (6, 2), 1))>::new(&data[..]).unwrap();
    let mixed = View::new_in(&data[..], layout!((n, (5, 3), 2):(30, (6, 2), 1))).unwrap();
    let free = View::new_in(&data[..], fixed.layout().to_dyn().unwrap()).unwrap();
    macro_rules! same {
        ($coordinate:expr, $text:literal) => {{
            let (a, b, c) =
                (fixed.slice($coordinate), mixed.slice($coordinate), free.slice($coordinate));
            let text = |layout: DynLayout| layout.to_string();
            assert_eq!(text(a.layout().to_dyn().unwrap()), $text);
            assert_eq!(text(b.layout().to_dyn().unwrap()), $text);
            assert_eq!(text(c.layout()), $text);
            assert!(a.iter().eq(b.iter()) && a.iter().eq(c.iter()));
            assert_eq!(a.as_slice(), c.as_slice());
        }};
    }
    same!((1, .., ..), "((5,3),2):((6,2),1)");
    same!((1, .., 1), "((5,3)):((6,2))");
    same!((.., (.., 2), 1), "(4,5):(30,6)");
    same!((.., 7, ..), "(4,2):(30,1)");
    same!((3, (4, ..), 1), "(3):(2)");
    same!(.., "(4,(5,3),2):(30,(6,2),1)");
    assert!(free.try_slice((4, .., ..)).is_err() && mixed.try_slice((4, .., ..)).is_err());
    assert!(free.try_slice((.., 15, ..)).is_err() && free.try_slice((1, ..)).is_err());
    assert!(free.try_slice((1, 2, 0)).is_err() && free.try_slice((.., (1, .., 0), 0)).is_err());
}

#[test]
fn from_fn_of_all_kinds() {
    type Nested = layout!(((2, 3), (2, 2)):((1, 24), (2, 6)));
    let fixed = Tensor::<usize, Nested>::from_fn(|(i, j)| 10 * i + j);
    let n = four() / 2;
    let mixed =
        Tensor::from_fn_in(layout!(((n, 3), (2, 2)):((1, 24), (2, 6))), |(i, j)| 10 * i + j)
            .unwrap();
    let free = Tensor::from_fn_in(Nested::LAYOUT, |c: IntTuple| {
        assert_eq!(c.len(), 2);
        10 * c.leaves()[0] + c.leaves()[1]
    })
    .unwrap();
    assert_eq!(fixed.as_slice(), mixed.as_slice());
    assert_eq!(fixed.as_slice(), free.as_slice());
    assert_eq!(fixed[((1, 2), (0, 1))], 52);
    assert!(
        fixed
            .as_view()
            .iter()
            .eq((0..4).flat_map(|j| (0..6).map(move |i| 10 * i + j)).collect::<Vec<_>>().iter())
    );
}
