//! Arrays, bytes and files of other crates: views of them have the same elements, and whatever cannot
//! have a view reports why.
#![allow(unused_imports, dead_code, reason = "each feature uses its part")]

mod common;

use common::flat;
use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_kernels::{Tensor, View, ViewMut};

fn code<T>(result: Result<T, LayoutError>) -> &'static str {
    result.map(|_| ()).expect_err("an error").code()
}

#[cfg(feature = "ndarray-0_17")]
mod ndarray {
    use ::ndarray::{
        Array, Array0, Array3, ArrayD, ArrayView2, ArrayView3, ArrayViewD, ArrayViewMut2, Axis,
        IxDyn, s,
    };

    use super::*;

    fn cube() -> Array3<usize> {
        Array::from_shape_fn((2, 3, 4), |(i, j, k)| 100 * i + 10 * j + k)
    }

    #[test]
    fn every_order_of_axes_has_the_same_elements() {
        for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut array = cube().permuted_axes(axes);
            let view = View::try_from(&array).unwrap();
            for ((i, j, k), x) in array.indexed_iter() {
                assert_eq!(view.get((i, j, k)), Some(x));
            }
            assert_eq!(ArrayView3::try_from(view).unwrap(), array);
            let before = array.clone();
            let mut view = ViewMut::try_from(&mut array).unwrap();
            view.iter_mut().for_each(|x| *x += 1);
            assert_eq!(array, before + 1);
        }
    }

    #[test]
    fn what_is_not_side_by_side_says_so() {
        let array = cube();
        assert_eq!(code(View::try_from(array.slice(s![.., .., ..3]))), "L0514");
        assert_eq!(code(View::try_from(array.slice(s![.., ..;2, ..]))), "L0514");
        assert_eq!(code(View::try_from(array.slice(s![.., ..;-1, ..]))), "L0515");
        // A part without gaps, the other end of the array, and a single element.
        let part = View::try_from(array.slice(s![1, 1.., ..])).unwrap();
        assert_eq!((part[(0, 0)], part[(1, 3)], part.as_slice().len()), (110, 123, 8));
        assert_eq!(View::try_from(array.slice(s![1..2, 2..3, 3..4])).unwrap()[(0, 0, 0)], 123);
        // The elements in the gaps are borrowed by the other half.
        let mut array = cube();
        let (left, mut right) = array.view_mut().split_at(Axis(2), 2);
        assert_eq!(code(View::try_from(left.view())), "L0514");
        assert_eq!(code(ViewMut::try_from(right.view_mut())), "L0514");
    }

    #[test]
    fn parts_with_gaps_are_views_of_the_whole() {
        let array = cube();
        let whole = array.as_slice().unwrap();
        for part in [
            array.slice(s![.., .., ..3]),
            array.slice(s![.., ..;2, 1..]),
            array.slice(s![1.., 1..3, ..;3]),
            array.slice(s![..1, .., 3..]),
            array.view().reversed_axes(),
        ] {
            let view = View::part_of(whole, &part).unwrap();
            for ((i, j, k), x) in part.indexed_iter() {
                assert_eq!(view.get((i, j, k)), Some(x));
            }
            assert_eq!(
                view.layout().strides(),
                part.strides().iter().map(|&d| d as usize).collect::<Vec<_>>()
            );
            // Other ways to read the same part: as a copy, and as an array again.
            let copy = Tensor::try_from(part).unwrap();
            assert_eq!(ArrayView3::try_from(copy.view()).unwrap(), part);
            assert_eq!(ArrayView3::try_from(view).unwrap(), part);
        }
        // Parts outside of the slice: before it, after it, and across its end.
        let part = array.slice(s![.., .., ..3]);
        assert_eq!(code(View::part_of(&whole[1..], &part)), "L0501");
        assert_eq!(code(View::part_of(&whole[..22], &part)), "L0501");
        assert_eq!(View::part_of(&whole[..23], &part).unwrap().as_slice().len(), 23);
        assert_eq!(code(View::part_of(&cube().into_raw_vec_and_offset().0, &part)), "L0501");
        assert_eq!(code(View::part_of(whole, &array.slice(s![.., ..;-1, ..]))), "L0515");
        // Elements that are not aligned with those of the slice.
        let bytes = [[0u8; 2]; 4];
        let pairs: &[[u8; 2]] = &bytes;
        let shifted: &[u8] = bytes.as_flattened();
        let odd = ::ndarray::ArrayView1::from(&shifted[1..3]);
        assert_eq!(View::part_of(shifted, &odd).unwrap().as_slice().len(), 7);
        assert_eq!(
            View::part_of(pairs, &::ndarray::ArrayView1::from(&pairs[1..3])).unwrap()[1],
            [0; 2]
        );
        let nothing = [(); 6];
        let nothings = ::ndarray::ArrayView2::from_shape((2, 3), &nothing).unwrap();
        assert_eq!(View::part_of(&nothing, &nothings).unwrap().iter().count(), 6);
    }

    #[test]
    fn copies_keep_the_order_of_axes() {
        let array = cube();
        for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let array = array.view().permuted_axes(axes);
            let copy = Tensor::try_from(array).unwrap();
            assert_eq!(copy.layout(), View::try_from(array).unwrap().layout());
            assert_eq!(ArrayView3::try_from(copy.view()).unwrap(), array);
            let back = array.slice(s![..;-1, ..;-1, 1..]);
            let copy = Tensor::try_from(back).unwrap();
            assert_eq!(copy.as_slice().len(), back.len());
            assert_eq!(ArrayView3::try_from(copy.view()).unwrap(), back);
        }
        let empty = Array::<usize, _>::zeros((3, 0));
        assert_eq!(Tensor::try_from(empty.view()).unwrap().as_slice(), [0; 0]);
        let number = Array0::from_elem((), 7);
        assert_eq!(Tensor::try_from(number.view()).unwrap().as_slice(), [7]);
        let row = Array::from_vec(vec![1, 2, 3]);
        let broadcast = row.broadcast((2, 3)).unwrap();
        assert_eq!(Tensor::try_from(broadcast).unwrap().as_slice(), [1, 1, 2, 2, 3, 3]);
        let many = ArrayD::<u8>::zeros(IxDyn(&[1; 40]));
        assert_eq!(code(Tensor::try_from(many.view())), "L0202");
        let large = row.broadcast((usize::MAX / 16, 3)).unwrap();
        assert!(Tensor::try_from(large).is_err());
    }

    #[test]
    fn extents_of_one_and_none_and_broadcasts() {
        let array = Array::from_shape_fn((1, 3), |(_, j)| j);
        let reversed = View::try_from(array.slice(s![..;-1, ..])).unwrap();
        assert_eq!(reversed.as_slice(), [0, 1, 2]);
        let empty = Array::<usize, _>::zeros((3, 0));
        assert_eq!(View::try_from(&empty).unwrap().iter().count(), 0);
        assert_eq!(ArrayView2::try_from(View::try_from(&empty).unwrap()).unwrap(), empty);
        let number = Array0::from_elem((), 7);
        assert_eq!(View::try_from(&number).unwrap().as_slice(), [7]);
        let row = Array::from_vec(vec![1, 2, 3]);
        let broadcast = row.broadcast((2, 3)).unwrap();
        let view = View::try_from(broadcast).unwrap();
        assert_eq!((view.layout().to_string().as_str(), view[(1, 2)]), ("(2,3):(0,1)", 3));
        assert_eq!(ArrayView2::try_from(view).unwrap(), broadcast);
        let many = ArrayD::<u8>::zeros(IxDyn(&[1; 40]));
        assert_eq!(code(View::try_from(&many)), "L0202");
    }

    #[test]
    fn views_with_one_stride_each_are_arrays() {
        let data: Vec<usize> = (0..60).collect();
        // With gaps, which `ndarray` does not touch, and nested modes that merge to one stride.
        let view = |layout| View::new_in(&data, DynLayout::parse(layout).unwrap()).unwrap();
        let array = ArrayView2::try_from(view("(3,4):(10,2)")).unwrap();
        assert_eq!(array[[2, 3]], 26);
        let array = ArrayViewD::try_from(view("((2,3),4):((4,8),1)")).unwrap();
        assert_eq!((array.shape(), array[[5, 3]]), (&[6, 4][..], 23));
        assert_eq!(code(ArrayView2::try_from(view("((2,3),4):((12,4),1)"))), "L0352");
        assert_eq!(code(ArrayView2::try_from(view("(2,3,4):(12,4,1)"))), "L0516");
        let mut t = Tensor::<usize, _>::zeros_in(flat(&[3, 4], &[5, 1])).unwrap();
        ArrayViewMut2::try_from(t.view_mut()).unwrap().fill(1);
        assert_eq!(t.as_slice(), [1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1]);
    }
}

#[cfg(feature = "nalgebra-0_35")]
mod nalgebra {
    use ::nalgebra::{Const, Dyn, Matrix3x4, MatrixView, MatrixViewMut, Vector4};

    use super::*;

    #[test]
    fn matrices_are_views_and_views_are_matrices() {
        let mut m = Matrix3x4::from_fn(|i, j| 10 * i + j);
        let v = View::try_from(&m).unwrap();
        assert_eq!((v.layout().to_string().as_str(), v[(2, 3)]), ("(3,4):(1,3)", 23));
        ViewMut::try_from(&mut m).unwrap().iter_mut().for_each(|x| *x += 1);
        assert_eq!(m[(2, 3)], 24);
        // Columns are contiguous in memory, rows are not.
        assert_eq!(View::try_from(m.columns(1, 2)).unwrap()[(0, 1)], 3);
        assert_eq!(code(View::try_from(m.rows(1, 2))), "L0514");
        let part = View::part_of(m.as_slice(), &m.rows(1, 2)).unwrap();
        assert_eq!((part.layout().to_string().as_str(), part[(1, 3)]), ("(2,4):(1,3)", 24));
        let copy = Tensor::try_from(&m.rows(1, 2)).unwrap();
        assert_eq!(copy.as_slice(), [11, 21, 12, 22, 13, 23, 14, 24]);
        assert_eq!(View::try_from(&Vector4::new(1, 2, 3, 4)).unwrap()[(3, 0)], 4);
        assert_eq!(View::try_from(m.columns(1, 0)).unwrap().iter().count(), 0);

        let data: Vec<usize> = (0..40).collect();
        let view = View::new_in(&data, flat(&[3, 4], &[2, 10])).unwrap();
        let matrix = MatrixView::<_, Const<3>, Const<4>, Dyn, Dyn>::try_from(view).unwrap();
        assert_eq!(matrix[(2, 3)], 34);
        let wrong = MatrixView::<_, Const<4>, Dyn, Dyn, Dyn>::try_from(view);
        assert_eq!(code(wrong), "L0517");
        let column = View::new_in(&data, DynLayout::leaf(5, 3)).unwrap();
        let column = MatrixView::<_, Dyn, Const<1>, Dyn, Dyn>::try_from(column).unwrap();
        assert_eq!((column.shape(), column[4]), ((5, 1), 12));
        let cube = View::new_in(&data, flat(&[2, 2, 2], &[1, 2, 4])).unwrap();
        assert_eq!(code(MatrixView::<_, Dyn, Dyn, Dyn, Dyn>::try_from(cube)), "L0516");
        let mut t = Tensor::<usize, _>::zeros_in(flat(&[3, 4], &[4, 1])).unwrap();
        MatrixViewMut::<_, Dyn, Dyn, Dyn, Dyn>::try_from(t.view_mut()).unwrap().copy_from(&m);
        assert_eq!(t.as_slice()[4..8], [11, 12, 13, 14]);
    }

    /// nalgebra computes with strides of extents of 1, and ends a column by the stride of its rows.
    #[test]
    fn any_strides_stay_inside_the_view() {
        type Any<'a> = MatrixView<'a, usize, Dyn, Dyn, Dyn, Dyn>;
        let data: Vec<usize> = (0..12).collect();
        for text in ["(1,4):(0,1)", "(1,4):(1152921504606846976,1)", "(4,1):(1,0)", "(3,4):(1,0)"] {
            let view = View::new_in(&data[..4], DynLayout::parse(text).unwrap()).unwrap();
            let matrix = Any::try_from(view).unwrap();
            assert!(matrix.iter().eq(view.iter()), "{text}: {matrix}");
        }
        let repeated = View::new_in(&data[..3], flat(&[4, 3], &[0, 1])).unwrap();
        assert_eq!(code(Any::try_from(repeated)), "L0502");
        let mut row = [0; 6];
        let view = ViewMut::new_in(&mut row[..4], flat(&[1, 4], &[0, 1])).unwrap();
        let mut matrix = MatrixViewMut::<_, Dyn, Dyn, Dyn, Dyn>::try_from(view).unwrap();
        matrix.iter_mut().for_each(|x| *x += 1);
        assert_eq!(row, [1, 1, 1, 1, 0, 0]);
    }
}

#[cfg(feature = "faer-0_24")]
mod faer {
    use ::faer::{Mat, MatMut, MatRef};

    use super::*;

    #[test]
    fn matrices_are_views_and_views_are_matrices() {
        let mut m = Mat::from_fn(64, 3, |i, j| (10 * i + j) as f64);
        let v = View::try_from(m.as_ref()).unwrap();
        assert_eq!((v.layout().to_string().as_str(), v[(63, 2)]), ("(64,3):(1,64)", 632.0));
        assert_eq!(View::try_from(m.transpose()).unwrap()[(2, 63)], 632.0);
        assert_eq!(code(View::try_from(m.reverse_rows())), "L0515");
        assert_eq!(code(View::try_from(m.get(1..3, ..))), "L0514");
        ViewMut::try_from(m.as_mut()).unwrap().iter_mut().for_each(|x| *x += 1.0);
        assert_eq!(m[(63, 2)], 633.0);
        // Columns start at aligned addresses, and the gaps between them are uninitialised.
        assert_eq!(code(View::try_from(Mat::<f32>::zeros(5, 3).as_ref())), "L0514");
        let part = m.get(1..3, ..);
        let copy = Tensor::try_from(part).unwrap();
        assert_eq!(copy.as_slice(), [11.0, 21.0, 12.0, 22.0, 13.0, 23.0]);
        assert_eq!(Tensor::try_from(part.reverse_rows().transpose()).unwrap()[(1, 0)], 22.0);
        let mut t = Tensor::<f64, _>::zeros_in(flat(&[64, 3], &[3, 1])).unwrap();
        MatMut::try_from(t.view_mut()).unwrap().copy_from(&m);
        assert_eq!(MatRef::try_from(t.view()).unwrap(), m);
        assert_eq!(t.as_slice()[63 * 3 + 2], 633.0);
    }
}

#[cfg(feature = "faer-0_24")]
#[test]
fn gaps_of_a_faer_matrix_are_filled() {
    use ::faer::Mat;
    for (rows, columns) in [(5, 3), (1, 4), (16, 2), (17, 1), (0, 3), (3, 0)] {
        let mut m = Mat::from_fn(rows, columns, |i, j| (1 + i + 100 * j) as f32);
        let expected = m.clone();
        let mut view = ViewMut::try_from(&mut m).unwrap();
        // Every element of the slice is initialised, including the gaps between columns.
        assert_eq!(view.as_slice().len(), view.layout().cosize());
        assert!(view.as_slice().iter().all(|&x| x >= 1.0));
        assert!(view.iter().eq(Tensor::try_from(expected.as_ref()).unwrap().iter()));
        view.iter_mut().for_each(|x| *x += 1.0);
        for j in 0..columns {
            for i in 0..rows {
                assert_eq!(m[(i, j)], expected[(i, j)] + 1.0);
            }
        }
    }
}

#[cfg(feature = "bytemuck-1")]
mod bytemuck {
    use super::*;

    #[test]
    fn bytes_are_checked() {
        let words: Vec<u32> = (0..12).collect();
        let bytes: &[u8] = ::bytemuck::cast_slice(&words);
        let rows = flat(&[3, 4], &[4, 1]);
        assert_eq!(View::<u32, _>::from_bytes_in(bytes, rows).unwrap()[(2, 3)], 11);
        assert_eq!(code(View::<u32, _>::from_bytes_in(&bytes[2..46], rows)), "L0518");
        assert_eq!(code(View::<u32, _>::from_bytes_in(&bytes[..47], rows)), "L0519");
        assert_eq!(code(View::<u32, _>::from_bytes_in(&bytes[..44], rows)), "L0501");
        // A single byte needs no alignment.
        assert_eq!(View::<u8, _>::from_bytes_in(&bytes[1..13], rows).unwrap()[(0, 3)], bytes[4]);
        let mut t = Tensor::<u16, _>::zeros_in(rows).unwrap();
        t.as_bytes_mut()[2] = 7;
        assert_eq!(t.as_slice()[1], u16::from_ne_bytes([7, 0]));
        let twice = flat(&[2, 2], &[0, 1]);
        assert_eq!(code(ViewMut::<u16, _>::from_bytes_in(t.as_bytes_mut(), twice)), "L0502");
    }
}

#[cfg(feature = "safetensors-0_8")]
mod safetensors {
    use ::safetensors::tensor::{Dtype, TensorView};
    use ::safetensors::{SafeTensors, serialize};
    use layout_core::devices::spyre::SpyreLayout;
    use layout_kernels::PlacedTensor;
    use layout_kernels::interop::safetensors::{Stored, read};

    use super::*;

    #[test]
    fn files_are_read_wherever_they_are() {
        let numbers: Vec<f32> = (0..60).map(|x| x as f32).collect();
        let bytes: &[u8] = ::bytemuck::cast_slice(&numbers);
        // At every byte position of a buffer; seven of eight are not aligned for `f32`.
        let mut room = vec![0; bytes.len() + 8];
        for start in 0..8 {
            room[start..][..bytes.len()].copy_from_slice(bytes);
            let data = &room[start..][..bytes.len()];
            let tensor = TensorView::new(Dtype::F32, vec![3, 4, 5], data).unwrap();
            let view = View::<f32, _>::try_from(&tensor);
            if data.as_ptr().addr().is_multiple_of(4) {
                assert_eq!(view.unwrap()[(1, 2, 3)], 33.0);
            } else {
                assert_eq!(code(view), "L0518");
            }
            let own = Tensor::<f32, DynLayout>::try_from(&tensor).unwrap();
            assert_eq!(own.as_slice(), numbers);
            let mut turned = Tensor::<f32, _>::zeros_in(flat(&[3, 4, 5], &[1, 3, 12])).unwrap();
            read(&tensor, &mut turned).unwrap();
            assert_eq!(turned.as_slice()[1 + 6 + 36], 33.0);
            let device = SpyreLayout::parse("spyre { size: [3, 4, 5], dtype: f32 }").unwrap();
            let mut sticks = PlacedTensor::<f32, _>::zeros_in(device).unwrap();
            read(&tensor, &mut sticks).unwrap();
            assert_eq!(sticks.get(&[1, 2, 3]), Some(&33.0));
            let mut other = Tensor::<f32, _>::zeros_in(flat(&[3, 4, 6], &[24, 6, 1])).unwrap();
            assert_eq!(code(read(&tensor, &mut other)), "L0504");
            assert_eq!(code(View::<f64, _>::try_from(&tensor)), "L0520");
        }
    }

    #[test]
    fn repeated_elements_have_to_fit_in_memory() {
        let one = [1i16];
        let many = DynLayout::strided(&[1 << (usize::BITS - 2)], &[0]).unwrap();
        let view = View::new_in(&one, many).unwrap();
        assert_eq!(code(Stored::new(&view)), "L0503");
    }

    #[test]
    fn what_is_written_is_row_major() {
        // Nested, with gaps, broadcast, without elements, and already in order.
        let data: Vec<i16> = (0..200).collect();
        for layout in
            ["(4,(3,2)):(3,(1,12))", "(4,3):(7,2)", "(4,3):(0,1)", "(2,3,4):(12,4,1)", "5:3"]
        {
            let layout = DynLayout::parse(layout).unwrap();
            let view = View::new_in(&data, layout).unwrap();
            let file = serialize([("x", Stored::new(&view).unwrap())], None).unwrap();
            let tensors = SafeTensors::deserialize(&file).unwrap();
            let x = tensors.tensor("x").unwrap();
            let extents: Vec<_> = (0..layout.rank()).map(|mode| layout.mode(mode).size()).collect();
            assert_eq!((x.shape(), x.dtype()), (&extents[..], Dtype::I16));
            let back = Tensor::<i16, DynLayout>::try_from(&x).unwrap();
            // In coordinate order both are equal.
            assert!(back.iter().eq(view.iter()), "{layout}");
        }
        let empty = View::new_in(&data[..0], flat(&[3, 0], &[1, 1])).unwrap();
        let file = serialize([("x", Stored::new(&empty).unwrap())], None).unwrap();
        assert_eq!(SafeTensors::deserialize(&file).unwrap().tensor("x").unwrap().shape(), [3, 0]);
    }
}

#[cfg(feature = "npyz-0_9")]
mod npyz {
    use ::npyz::{NpyFile, Order, WriteOptions, WriterBuilder};
    use layout_kernels::interop::npyz::{read, write};

    use super::*;

    #[test]
    fn files_in_both_orders() {
        let data: Vec<f64> = (0..100).map(f64::from).collect();
        for layout in ["(4,(3,2)):(3,(1,12))", "(4,3):(7,2)", "(2,3,4):(12,4,1)", "5:3"] {
            let view = View::new_in(&data, DynLayout::parse(layout).unwrap()).unwrap();
            let mut file = Vec::new();
            write(WriteOptions::new().writer(&mut file), &view).unwrap();
            let back = read::<f64, _>(NpyFile::new(&file[..]).unwrap()).unwrap();
            assert!(back.iter().eq(view.iter()), "{layout}");
        }
        let mut file = Vec::new();
        let options = WriteOptions::<f64>::new().order(Order::Fortran).default_dtype();
        let mut writer = options.shape(&[4, 3]).writer(&mut file).begin_nd().unwrap();
        writer.extend(data[..12].iter().copied()).unwrap();
        writer.finish().unwrap();
        let columns = read::<f64, _>(NpyFile::new(&file[..]).unwrap()).unwrap();
        assert_eq!((columns.layout().to_string().as_str(), columns[(1, 2)]), ("(4,3):(1,4)", 9.0));
        // A different element type, and a truncated file.
        let error = read::<i32, _>(NpyFile::new(&file[..]).unwrap()).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
        let short = &file[..file.len() - 4];
        assert!(read::<f64, _>(NpyFile::new(short).unwrap()).is_err());
    }
}
