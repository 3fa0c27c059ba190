//! Products whose memory or time must not exceed what their operands justify.

#[path = "common/memory.rs"]
mod memory;

use layout_core::engine::DynLayout;
use layout_kernels::simd::Level;
use layout_kernels::{GemmPlan, View, ViewMut, gemm, gemm_at};
use memory::peak_of;

fn layout(text: &str) -> DynLayout {
    DynLayout::parse(text).unwrap()
}

/// Upper bound for the allocations of a product: panels of a few blocks, and tables in proportion.
const MOST: isize = 64 << 20;

/// A is 8 bytes, broadcast along K: no table may have an entry per K iteration.
#[test]
fn a_nested_broadcast_needs_no_table_of_its_size() {
    let (a, b) = (layout("(1,(2,67108864)):(0,(1,0))"), layout("((2,67108864),1):((1,0),0)"));
    let c = layout("(1,1):(0,0)");
    let (peak, plan) = peak_of(|| GemmPlan::new::<f32, f32, _, _, _>(Level::detect(), &a, &b, &c));
    plan.unwrap();
    assert!(peak <= MOST, "the plan takes {peak} bytes");
    let data = [1.0f32, 0.0];
    let (a, b) = (View::new_in(&data, a).unwrap(), View::new_in(&data, b).unwrap());
    let mut sum = [0.0f32];
    let mut c = ViewMut::new_in(&mut sum, c).unwrap();
    let (peak, outcome) = peak_of(|| gemm(1.0, &a, &b, 0.0, &mut c));
    outcome.unwrap();
    assert!(peak <= MOST, "the product takes {peak} bytes");
}

/// A plan depends on layouts alone: its time and memory are proportional to their leaves.
#[test]
fn a_plan_of_many_columns_is_small() {
    for (b, c) in [
        ("(3,(4096,4096)):(0,(4097,1))", "(2,(4096,4096)):(33558528,(4097,1))"),
        ("(3,(1048576,1048576)):(0,(0,0))", "(2,(1048576,1048576)):(1,(3,3145728))"),
    ] {
        let (a, b, c) = (layout("(2,3):(3,1)"), layout(b), layout(c));
        let (peak, plan) =
            peak_of(|| GemmPlan::new::<f32, f32, _, _, _>(Level::detect(), &a, &b, &c));
        plan.unwrap();
        assert!(peak <= MOST, "{peak} bytes for {c}");
    }
}

/// A and B are both broadcast along K. No operand is re-read; the product returns immediately or is
/// refused.
#[test]
fn a_broadcast_of_both_operands_ends() {
    for (a, b) in [
        ("(2,2305843009213693952):(1,0)", "(2305843009213693952,2):(0,1)"),
        ("(2,(2,1152921504606846976)):(2,(1,0))", "((2,1152921504606846976),2):((1,0),2)"),
    ] {
        let data = [1.0f32, 0.0, 2.0, 0.0];
        let (a, b) = (View::new_in(&data, layout(a)), View::new_in(&data, layout(b)));
        let mut sums = [0.0f32; 4];
        let mut c = ViewMut::new_in(&mut sums, layout("(2,2):(2,1)")).unwrap();
        let _any = gemm(1.0, &a.unwrap(), &b.unwrap(), 0.0, &mut c);
    }
}

/// Bytes, with columns of B in three leaves. One such product took 33 s under a sanitizer, while
/// others of its size take milliseconds.
#[test]
fn bytes_with_nested_columns() {
    let (m, n, k) = (37, 570, 365);
    let a = layout("(37,365):(365,1)");
    let c = layout("(37,570):(570,1)");
    let a_data: Vec<u8> = (0..m * k).map(|i| (i * 7 % 5) as u8).collect();
    let b_data: Vec<i8> = (0..k * n).map(|i| (i * 11 % 7) as i8 - 3).collect();
    let av = View::new_in(&a_data, a).unwrap();
    for strides in ["((570,0),(190,95,1))", "((1,0),(365,1095,2190))", "((2,0),(69350,1,730))"] {
        let b = layout(&format!("((365,1),(3,2,95)):{strides}"));
        let bv = View::new_in(&b_data, b).unwrap();
        let (rows, columns) = (b.mode(0), b.mode(1));
        for level in Level::available() {
            let mut sums = vec![0i32; m * n];
            gemm_at(level, 1, &av, &bv, 0, &mut ViewMut::new_in(&mut sums, c).unwrap()).unwrap();
            for (i, sum) in sums.iter().enumerate().step_by(97) {
                let column = columns.offset_of_index(i % n);
                let product = |x: usize| {
                    let y = b_data[rows.offset_of_index(x) + column];
                    i32::from(a_data[i / n * k + x]) * i32::from(y)
                };
                assert_eq!(*sum, (0..k).map(product).sum::<i32>(), "{level}: {b} at {i}");
            }
        }
    }
}
