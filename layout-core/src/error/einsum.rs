//! Contractions, their letters, ranks and extents: L0521 to L0599.

use crate::const_text::ConstText;
use crate::engine::{IntTuple, SubscriptText};
use crate::error::catalogue::{catalogue, pair};

const fn text(text: &str) -> SubscriptText {
    SubscriptText::new(text)
}

catalogue! {
    /// Why a contraction is not valid. `at` is the byte position in the text.
    pub enum EinsumError;

    "L0521": "subscripts that are too long", TooLong {
        /// The start of the subscripts.
        text: SubscriptText,
        /// The maximum number of bytes.
        limit: usize,
    } => {
        message: |m| m.str("einsum: the subscripts are longer than ").num(*limit).str(" bytes"),
        meaning: "A tensor has at most 32 letters, so every contraction fits in 126 bytes.",
        example: "kernels::einsum(subscripts, &a, &b, &mut c) with a long text"
            => EinsumError::TooLong { text: text("iiii,iiii->i"), limit: 126 },
    }

    "L0522": "an unexpected character in subscripts", Character {
        /// The subscripts.
        text: SubscriptText,
        /// The position of the character.
        at: usize,
    } => {
        message: |m| m.str("einsum: expected a letter, `,` or `->`, found `")
            .str(character(text.as_str(), *at)).str("`"),
        help: |m| mark(m.str("in these subscripts"), text, *at),
        meaning: "Letters are a to z and A to Z. A comma separates the operands, and -> comes \
            before the letters of the result.",
        example: "kernels::einsum(\"ij,j%->i\", &a, &b, &mut c)"
            => EinsumError::Character { text: text("ij,j%->i"), at: 4 },
    }

    "L0523": "subscripts of one operand, or of more than two", Operands {
        /// The subscripts.
        text: SubscriptText,
        /// The position of the third operand's comma, or of the `->` after the first operand.
        at: usize,
    } => {
        message: |m| if text.as_str().as_bytes()[*at] == b',' {
            m.str("einsum: there are more than 2 operands")
        } else {
            m.str("einsum: there is 1 operand, not 2")
        },
        help: |m| mark(m.str("write them like ij,jk->ik"), text, *at),
        meaning: "A contraction has two operands. Contract three one after the other.",
        example: "kernels::einsum(\"ij,jk,kl->il\", &a, &b, &mut c)"
            => EinsumError::Operands { text: text("ij,jk,kl->il"), at: 5 },
    }

    "L0524": "subscripts without a result", NoResult {
        /// The subscripts.
        text: SubscriptText,
        /// The end of the subscripts.
        at: usize,
    } => {
        message: |m| m.str("einsum: expected `->` and the letters of the result"),
        help: |m| mark(m.str("write them like ij,jk->ik"), text, *at),
        meaning: "The letters of the result must be written; no letters mean the sum over \
            everything.",
        example: "kernels::einsum(\"ij,jk\", &a, &b, &mut c)"
            => EinsumError::NoResult { text: text("ij,jk"), at: 5 },
    }

    "L0525": "a letter that occurs twice in the result", ResultTwice {
        /// The subscripts.
        text: SubscriptText,
        /// The position of the second occurrence.
        at: usize,
    } => {
        message: |m| m.str("einsum: letter ").str(character(text.as_str(), *at)).str(" occurs twice in C"),
        help: |m| mark(m.str("in these subscripts"), text, *at),
        meaning: "Elements off the diagonal would not be written. Make a view of the diagonal \
            instead.",
        example: "kernels::einsum(\"ij,jk->ii\", &a, &b, &mut c)"
            => EinsumError::ResultTwice { text: text("ij,jk->ii"), at: 8 },
    }

    "L0526": "a letter of the result that no operand has", ResultLetter {
        /// The subscripts.
        text: SubscriptText,
        /// The position of the letter.
        at: usize,
    } => {
        message: |m| m.str("einsum: letter ").str(character(text.as_str(), *at))
            .str(" of C is in neither A nor B"),
        help: |m| mark(m.str("use a letter of A or B"), text, *at),
        meaning: "Each mode of the result is a mode of an operand. To repeat the elements of an \
            operand, give it a mode with stride 0.",
        example: "kernels::einsum(\"ij,jk->il\", &a, &b, &mut c)"
            => EinsumError::ResultLetter { text: text("ij,jk->il"), at: 8 },
    }

    "L0527": "a tensor with more letters than a layout has leaves", Letters {
        /// The subscripts.
        text: SubscriptText,
        /// The position of the first excess letter.
        at: usize,
        /// The maximum number.
        limit: usize,
    } => {
        message: |m| m.str("einsum: a tensor may have at most ").num(*limit).str(" letters"),
        help: |m| mark(m.str("in these subscripts"), text, *at),
        meaning: "Each letter names a mode, and a layout has at most 32 leaves.",
        example: "kernels::einsum(subscripts, &a, &b, &mut c) with 33 letters for A"
            => EinsumError::Letters { text: text("iiii,iiii->i"), at: 3, limit: 32 },
    }

    "L0528": "a tensor with a different number of modes than letters", Rank {
        /// The subscripts.
        text: SubscriptText,
        /// The position of the first letter of the tensor.
        at: usize,
        /// `A`, `B` or `C`.
        operand: char,
        /// The number of letters.
        letters: usize,
        /// The shape of the tensor.
        shape: IntTuple,
    } => {
        message: |m| {
            let m = m.str("einsum: ").str(name(*operand));
            if *letters == 0 {
                m.str(" has no letters, and its shape ").tuple(shape)
                    .str(" is not that of one element")
            } else {
                m.str(" has ").num(*letters).str(if *letters == 1 { " letter" } else { " letters" })
                    .str(" but its shape ").tuple(shape).str(" has ").num(shape.rank())
                    .str(if shape.rank() == 1 { " mode" } else { " modes" })
            }
        },
        help: |m| mark(m.str("write one letter for each mode"), text, *at),
        meaning: "A letter names one mode, which may be nested. A tensor without letters has \
            one element.",
        example: "kernels::einsum(\"ijk,jk->i\", &matrix, &b, &mut c)"
            => EinsumError::Rank {
                text: text("ijk,jk->i"),
                at: 0,
                operand: 'A',
                letters: 3,
                shape: pair(4, 8),
            },
    }

    "L0529": "a letter for modes of different sizes", Extent {
        /// The subscripts.
        text: SubscriptText,
        /// The position of the letter where it has the second size.
        at: usize,
        /// Two of `A`, `B` and `C`; the same twice for one operand.
        operands: [char; 2],
        /// The sizes.
        extents: [usize; 2],
    } => {
        message: |m| m.str("einsum: letter ").str(character(text.as_str(), *at)).str(" is ")
            .num(extents[0]).str(" in ").str(name(operands[0])).str(" but ")
            .num(extents[1]).str(" in ").str(name(operands[1])),
        help: |m| mark(m.str("in these subscripts"), text, *at),
        meaning: "All modes with the same letter have the same size, however each is nested.",
        example: "kernels::einsum(\"ij,jk->ik\", &a, &b, &mut c)"
            => EinsumError::Extent {
                text: text("ij,jk->ik"),
                at: 3,
                operands: ['A', 'B'],
                extents: [8, 9],
            },
    }
}

impl EinsumError {
    /// The subscripts.
    pub const fn text(&self) -> SubscriptText {
        match self {
            Self::TooLong { text, .. }
            | Self::Character { text, .. }
            | Self::Operands { text, .. }
            | Self::NoResult { text, .. }
            | Self::ResultTwice { text, .. }
            | Self::ResultLetter { text, .. }
            | Self::Letters { text, .. }
            | Self::Rank { text, .. }
            | Self::Extent { text, .. } => *text,
        }
    }

    /// The byte position in the subscripts that the error is about.
    pub const fn at(&self) -> Option<usize> {
        match self {
            Self::TooLong { .. } => None,
            Self::Character { at, .. }
            | Self::Operands { at, .. }
            | Self::NoResult { at, .. }
            | Self::ResultTwice { at, .. }
            | Self::ResultLetter { at, .. }
            | Self::Letters { at, .. }
            | Self::Rank { at, .. }
            | Self::Extent { at, .. } => Some(*at),
        }
    }
}

/// Appends the subscripts, and a mark under the byte `at`.
const fn mark<'a>(m: &'a mut ConstText, text: &SubscriptText, at: usize) -> &'a mut ConstText {
    m.str("\n    ").str(text.as_str()).str("\n    ");
    let bytes = text.as_str().as_bytes();
    repeat!(i, 0..at, {
        // One column for each character.
        if bytes[i] & 0xC0 != 0x80 {
            m.str(" ");
        }
    });
    m.str("^")
}

/// The character that begins at a byte.
const fn character(text: &str, at: usize) -> &str {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] & 0xC0 == 0x80 {
        end += 1;
    }
    let Some((text, _)) = text.split_at_checked(end) else { return "" };
    match text.split_at_checked(at) {
        Some((_, character)) => character,
        None => "",
    }
}

const fn name(operand: char) -> &'static str {
    match operand {
        'A' => "A",
        'B' => "B",
        _ => "C",
    }
}
