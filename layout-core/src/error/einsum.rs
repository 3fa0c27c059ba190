//! The part of the catalogue about contractions: letters, ranks, extents.

use crate::engine::{IntTuple, SubscriptText};
use crate::error::LayoutError;
use crate::message::Message;

/// Why there is no such contraction. `at` is the byte of the text that it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EinsumError {
    /// Subscripts that are longer than any contraction needs.
    TooLong {
        /// The start of them.
        text: SubscriptText,
        /// How many bytes there may be.
        limit: usize,
    },
    /// A character that is no letter, `,`, `->` or space, or is in the wrong place.
    Character {
        /// The subscripts.
        text: SubscriptText,
        /// The character.
        at: usize,
    },
    /// Other than two operands.
    Operands {
        /// The subscripts.
        text: SubscriptText,
        /// The third operand's comma, or the `->` behind the first operand.
        at: usize,
    },
    /// No `->` with the letters of the result.
    NoResult {
        /// The subscripts.
        text: SubscriptText,
        /// Their end.
        at: usize,
    },
    /// A letter twice in the result.
    ResultTwice {
        /// The subscripts.
        text: SubscriptText,
        /// The second one.
        at: usize,
    },
    /// A letter in the result that no operand has.
    ResultLetter {
        /// The subscripts.
        text: SubscriptText,
        /// The letter.
        at: usize,
    },
    /// More letters in one operand than a layout has leaves.
    Letters {
        /// The subscripts.
        text: SubscriptText,
        /// The first letter that is too much.
        at: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A tensor with another number of modes than it has letters.
    Rank {
        /// The subscripts.
        text: SubscriptText,
        /// The first letter of the tensor.
        at: usize,
        /// `A`, `B` or `C`.
        operand: char,
        /// The number of letters.
        letters: usize,
        /// The shape of the tensor.
        shape: IntTuple,
    },
    /// A letter for modes of different sizes.
    Extent {
        /// The subscripts.
        text: SubscriptText,
        /// The letter, where it has the second size.
        at: usize,
        /// Two of `A`, `B` and `C`, or one twice.
        operands: [char; 2],
        /// The sizes.
        extents: [usize; 2],
    },
}

impl EinsumError {
    /// This, as an error of the catalogue.
    pub(crate) const fn widen(self) -> LayoutError {
        LayoutError::Einsum(self)
    }

    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "L0521",
            Self::Character { .. } => "L0522",
            Self::Operands { .. } => "L0523",
            Self::NoResult { .. } => "L0524",
            Self::ResultTwice { .. } => "L0525",
            Self::ResultLetter { .. } => "L0526",
            Self::Letters { .. } => "L0527",
            Self::Rank { .. } => "L0528",
            Self::Extent { .. } => "L0529",
        }
    }

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

    /// The byte of the subscripts that the error is about.
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

    pub(crate) const fn message<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        let m = m.str("einsum: ");
        match self {
            Self::TooLong { limit, .. } => {
                m.str("the subscripts are longer than ").num(*limit).str(" bytes")
            }
            Self::Character { text, at } => m
                .str("expected a letter, `,` or `->`, found `")
                .str(character(text.as_str(), *at))
                .str("`"),
            Self::Operands { text, at } if text.as_str().as_bytes()[*at] == b',' => {
                m.str("there are more than 2 operands")
            }
            Self::Operands { .. } => m.str("there is 1 operand, not 2"),
            Self::NoResult { .. } => m.str("expected `->` and the letters of the result"),
            Self::ResultTwice { text, at } => {
                m.str("letter ").str(character(text.as_str(), *at)).str(" is twice in C")
            }
            Self::ResultLetter { text, at } => m
                .str("letter ")
                .str(character(text.as_str(), *at))
                .str(" of C is in neither A nor B"),
            Self::Letters { limit, .. } => {
                m.str("a tensor may have at most ").num(*limit).str(" letters")
            }
            Self::Rank { operand, letters: 0, shape, .. } => m
                .str(name(*operand))
                .str(" has no letters, and its shape ")
                .tuple(shape)
                .str(" is not that of one element"),
            Self::Rank { operand, letters, shape, .. } => m
                .str(name(*operand))
                .str(" has ")
                .num(*letters)
                .str(if *letters == 1 { " letter" } else { " letters" })
                .str(" but its shape ")
                .tuple(shape)
                .str(" has ")
                .num(shape.rank())
                .str(if shape.rank() == 1 { " mode" } else { " modes" }),
            Self::Extent { text, at, operands: [first, second], extents } => m
                .str("letter ")
                .str(character(text.as_str(), *at))
                .str(" is ")
                .num(extents[0])
                .str(" in ")
                .str(name(*first))
                .str(" but ")
                .num(extents[1])
                .str(" in ")
                .str(name(*second)),
        }
    }

    /// The subscripts, and a mark under the letter.
    pub(crate) const fn help<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        let text = self.text();
        let m = match self {
            Self::NoResult { .. } | Self::Operands { .. } => m.str("write as in ij,jk->ik"),
            Self::ResultLetter { .. } => m.str("use a letter of A or B"),
            Self::Rank { .. } => m.str("write one letter for each mode"),
            Self::TooLong { .. } => return m,
            _ => m.str("in these subscripts"),
        };
        m.str("\n    ").str(text.as_str()).str("\n    ");
        let Some(at) = self.at() else { return m };
        let (bytes, mut i) = (text.as_str().as_bytes(), 0);
        while i < at {
            // One column for each character.
            if bytes[i] & 0xC0 != 0x80 {
                m.str(" ");
            }
            i += 1;
        }
        m.str("^")
    }
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
