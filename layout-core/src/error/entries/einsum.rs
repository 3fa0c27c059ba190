//! Entries about contractions.

use crate::engine::SubscriptText;
use crate::error::EinsumError;
use crate::error::entries::{Entry, pair};

const fn text(text: &str) -> SubscriptText {
    SubscriptText::new(text)
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry::elsewhere(
        "subscripts that are longer than any contraction needs",
        "kernels::einsum(subscripts, &a, &b, &mut c) with a long text",
        EinsumError::TooLong { text: text("iiii,iiii->i"), limit: 126 }.widen(),
        "A tensor has at most 32 letters, so that 126 bytes hold all contractions.",
    ),
    Entry::elsewhere(
        "a character in subscripts that means nothing",
        "kernels::einsum(\"ij,j%->i\", &a, &b, &mut c)",
        EinsumError::Character { text: text("ij,j%->i"), at: 4 }.widen(),
        "Letters are a to z and A to Z. A comma separates the operands, and -> comes before the \
         letters of the result.",
    ),
    Entry::elsewhere(
        "subscripts of one operand, or of three",
        "kernels::einsum(\"ij,jk,kl->il\", &a, &b, &mut c)",
        EinsumError::Operands { text: text("ij,jk,kl->il"), at: 5 }.widen(),
        "A contraction has two operands. Contract three one after the other.",
    ),
    Entry::elsewhere(
        "subscripts without a result",
        "kernels::einsum(\"ij,jk\", &a, &b, &mut c)",
        EinsumError::NoResult { text: text("ij,jk"), at: 5 }.widen(),
        "The letters of the result are always written; no letters are the sum over everything.",
    ),
    Entry::elsewhere(
        "a letter that is twice in the result",
        "kernels::einsum(\"ij,jk->ii\", &a, &b, &mut c)",
        EinsumError::ResultTwice { text: text("ij,jk->ii"), at: 8 }.widen(),
        "Elements beside the diagonal would not be written. Make a view of the diagonal instead.",
    ),
    Entry::elsewhere(
        "a letter of the result that no operand has",
        "kernels::einsum(\"ij,jk->il\", &a, &b, &mut c)",
        EinsumError::ResultLetter { text: text("ij,jk->il"), at: 8 }.widen(),
        "Each mode of the result is a mode of an operand. Give an operand a mode with stride 0 to \
         repeat what it has.",
    ),
    Entry::elsewhere(
        "a tensor with more letters than a layout has leaves",
        "kernels::einsum(subscripts, &a, &b, &mut c) with 33 letters for A",
        EinsumError::Letters { text: text("iiii,iiii->i"), at: 3, limit: 32 }.widen(),
        "Each letter names a mode, and a layout has at most 32 leaves.",
    ),
    Entry::elsewhere(
        "a tensor with another number of modes than letters",
        "kernels::einsum(\"ijk,jk->i\", &matrix, &b, &mut c)",
        EinsumError::Rank {
            text: text("ijk,jk->i"),
            at: 0,
            operand: 'A',
            letters: 3,
            shape: pair(4, 8),
        }
        .widen(),
        "A letter names one mode, which may be nested. A tensor without letters has one element.",
    ),
    Entry::elsewhere(
        "a letter for modes of different sizes",
        "kernels::einsum(\"ij,jk->ik\", &a, &b, &mut c)",
        EinsumError::Extent {
            text: text("ij,jk->ik"),
            at: 3,
            operands: ['A', 'B'],
            extents: [8, 9],
        }
        .widen(),
        "All modes with the same letter have the same size, however each is nested.",
    ),
];
