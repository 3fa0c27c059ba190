//! Blocks of all shapes, compared with a naive transposition at every level, with guard bytes around
//! them.

use super::*;

/// A pseudo-random byte for each position.
fn byte(i: usize) -> u8 {
    (i as u32).wrapping_mul(0x9e37_79b1).to_le_bytes()[3]
}

fn check<const W: usize>(rows: usize, columns: usize, gaps: [usize; 2]) {
    let (s, d) = (columns + gaps[0], rows + gaps[1]);
    // Guards of 128 bytes on both sides.
    let source: Vec<u8> = (0..rows * s * W).map(byte).collect();
    let mut expected = vec![7; columns * d * W + 256];
    for row in 0..rows {
        for column in 0..columns {
            let (from, to) = ((row * s + column) * W, 128 + (column * d + row) * W);
            expected[to..to + W].copy_from_slice(&source[from..from + W]);
        }
    }
    for level in Level::available() {
        let mut memory = vec![7; expected.len()];
        let first = Block {
            source: StridedRows { start: source.as_ptr(), stride_bytes: s * W },
            destination: StridedRows { start: memory[128..].as_mut_ptr(), stride_bytes: d * W },
            rows,
            columns,
            word: W,
            total_bytes: 0,
        };
        // SAFETY: both memories contain the block.
        unsafe { transpose(level, &Batch::one(first)) };
        assert!(
            memory == expected,
            "{level}: {rows} x {columns} words of {W} bytes, gaps {gaps:?}"
        );
    }
}

#[test]
fn all_small_blocks() {
    fn words<const W: usize>() {
        let most = if W == 1 { 70 } else { 36 };
        for rows in 0..most {
            for columns in 0..most {
                let gaps = [[0, 0], [3, 0], [0, 5], [2, 1]][(rows + columns) % 4];
                check::<W>(rows, columns, gaps);
            }
        }
    }
    words::<1>();
    words::<2>();
    words::<4>();
    words::<8>();
    words::<16>();
}

#[test]
fn few_rows_and_few_columns() {
    fn words<const W: usize>() {
        for few in 2..=17 {
            for many in [64, 65, 97, 130] {
                for gaps in [[0, 0], [3, 0], [0, 5]] {
                    check::<W>(few, many, gaps);
                    check::<W>(many, few, gaps);
                }
            }
        }
    }
    words::<1>();
    words::<2>();
    words::<4>();
    words::<8>();
    words::<16>();
}

#[test]
fn words_that_are_no_numbers() {
    check::<3>(5, 7, [1, 2]);
    check::<12>(9, 4, [0, 2]);
    check::<32>(9, 4, [0, 2]);
}
