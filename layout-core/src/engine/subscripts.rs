//! `Subscripts`: the letters of a contraction, `ij,jk->ik`.

use core::fmt;

use crate::engine::MAX_LEAVES;
use crate::error::{EinsumError, LayoutError};

const CAPACITY: usize = 126;

/// The text of subscripts, held without allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SubscriptText {
    len: u8,
    bytes: [u8; CAPACITY],
}

impl SubscriptText {
    /// The text, cut to the characters that fit.
    #[inline(never)]
    pub const fn new(text: &str) -> Self {
        let text = text.as_bytes();
        let mut end = if text.len() > CAPACITY { CAPACITY } else { text.len() };
        // Back up to the start of a character.
        while end < text.len() && text[end] & 0xC0 == 0x80 {
            end -= 1;
        }
        let mut bytes = [0; CAPACITY];
        bytes.split_at_mut(end).0.copy_from_slice(text.split_at(end).0);
        Self { len: end as u8, bytes }
    }

    /// The text.
    #[inline(never)]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len as usize).0) {
            Ok(text) => text,
            // `new` cuts between characters.
            Err(_) => "",
        }
    }
}

impl fmt::Debug for SubscriptText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// The letters of a contraction of two operands: `ij,jk->ik` is `C(i,k) = sum of A(i,j) * B(j,k)`.
///
/// Each letter names a mode. A letter that C does not have is summed over; a letter that occurs
/// twice in one operand takes its diagonal. Letters are `a` to `z` and `A` to `Z`, spaces are
/// ignored.
///
/// ```
/// use static_layout::engine::Subscripts;
/// let matrices = Subscripts::new("ij,jk->ik")?;
/// assert_eq!((matrices.letter(1, 0), matrices.place(1, 0)), (b'j', 3));
/// let error = Subscripts::new("ij,jk->il").unwrap_err();
/// assert_eq!(error.to_string(), "einsum: letter l of C is in neither A nor B");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subscripts {
    text: SubscriptText,
    // For A, B and C: their letters, and the positions of these in the text.
    letters: [[u8; MAX_LEAVES]; 3],
    places: [[u8; MAX_LEAVES]; 3],
    len: [u8; 3],
    // The start of each operand's letters.
    start: [u8; 3],
}

impl Subscripts {
    /// Parses subscripts.
    ///
    /// # Errors
    ///
    /// [`EinsumError`]: the text is too long, has other characters, not two operands or no result,
    /// or the result repeats a letter or has one that no operand has.
    #[inline(never)]
    pub const fn new(subscripts: &str) -> Result<Self, LayoutError> {
        let bytes = subscripts.as_bytes();
        refuse!(
            bytes.len() > CAPACITY,
            EinsumError::TooLong { text: SubscriptText::new(subscripts), limit: CAPACITY }
        );
        let (text, none) = (SubscriptText::new(subscripts), [[0; MAX_LEAVES]; 3]);
        let mut read = Self { text, letters: none, places: none, len: [0; 3], start: [0; 3] };
        match read.read(bytes) {
            Ok(()) => Ok(read),
            Err(error) => Err(error),
        }
    }

    /// Reads the letters of the operands.
    const fn read(&mut self, bytes: &[u8]) -> Result<(), LayoutError> {
        let (mut operand, mut at) = (0, 0);
        while at < bytes.len() {
            let count = self.len[operand] as usize;
            match bytes[at] {
                b' ' => {}
                letter if letter.is_ascii_alphabetic() => {
                    refuse!(
                        count == MAX_LEAVES,
                        EinsumError::Letters { text: self.text, at, limit: MAX_LEAVES }
                    );
                    self.letters[operand][count] = letter;
                    self.places[operand][count] = at as u8;
                    self.len[operand] += 1;
                }
                b',' if operand < 2 => {
                    refuse!(operand == 1, EinsumError::Operands { text: self.text, at });
                    operand = 1;
                    self.start[operand] = at as u8 + 1;
                }
                b'-' if operand < 2 && at + 1 < bytes.len() && bytes[at + 1] == b'>' => {
                    refuse!(operand == 0, EinsumError::Operands { text: self.text, at });
                    operand = 2;
                    at += 1;
                    self.start[operand] = at as u8 + 1;
                }
                _ => return Err(EinsumError::Character { text: self.text, at }.widen()),
            }
            at += 1;
        }
        refuse!(operand < 2, EinsumError::NoResult { text: self.text, at: bytes.len() });
        self.check_result()
    }

    /// Checks that each letter of C occurs once in C, and in A or B.
    const fn check_result(&self) -> Result<(), LayoutError> {
        repeat!(i, 0..self.len(2), {
            let (letter, at) = (self.letter(2, i), self.place(2, i));
            refuse!(self.find(2, letter, 0) < i, EinsumError::ResultTwice { text: self.text, at });
            refuse!(
                !self.has(0, letter) && !self.has(1, letter),
                EinsumError::ResultLetter { text: self.text, at }
            );
        });
        Ok(())
    }

    /// The text.
    pub const fn text(&self) -> SubscriptText {
        self.text
    }

    /// Number of letters of A (0), B (1) or C (2).
    #[inline]
    pub const fn len(&self, operand: usize) -> usize {
        self.len[operand] as usize
    }

    /// Whether A (0), B (1) or C (2) has no letters: it is a scalar.
    pub const fn is_empty(&self, operand: usize) -> bool {
        self.len[operand] == 0
    }

    /// Letter `i` of A (0), B (1) or C (2).
    #[inline]
    pub const fn letter(&self, operand: usize, i: usize) -> u8 {
        self.letters[operand][i]
    }

    /// The position of that letter in the text.
    pub const fn place(&self, operand: usize, i: usize) -> usize {
        self.places[operand][i] as usize
    }

    /// The position of the first letter of an operand in the text.
    pub const fn start(&self, operand: usize) -> usize {
        if self.is_empty(operand) { self.start[operand] as usize } else { self.place(operand, 0) }
    }

    /// Whether an operand has this letter.
    #[inline]
    pub const fn has(&self, operand: usize, letter: u8) -> bool {
        self.find(operand, letter, 0) < self.len(operand)
    }

    /// The first mode of an operand, from `from` on, with this letter; the number of its letters if
    /// there is none.
    #[inline]
    pub const fn find(&self, operand: usize, letter: u8, from: usize) -> usize {
        let (letters, len, mut i) = (&self.letters[operand], self.len(operand), from);
        while i < len && letters[i] != letter {
            i += 1;
        }
        i
    }
}
