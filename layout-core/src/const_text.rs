//! Text built in `const fn`s, so that an error reads the same at run time and at compile time.

use crate::engine::{DynLayout, IntTuple, Path, Slicer, Swizzle};

const CAPACITY: usize = 512;

/// A line of text of fixed capacity, built by `const fn`s.
///
/// Text beyond the capacity is cut and ends in `...`.
#[derive(Clone, Copy)]
pub struct ConstText {
    len: usize,
    bytes: [u8; CAPACITY],
}

impl ConstText {
    /// The empty text.
    pub const fn new() -> Self {
        Self { len: 0, bytes: [0; CAPACITY] }
    }

    // Not inlined: the texts of all errors are chains of these calls.

    /// Appends `text`.
    #[inline(never)]
    pub const fn str(&mut self, text: &str) -> &mut Self {
        let text = text.as_bytes();
        repeat!(i, 0..text.len(), {
            self.byte(text[i]);
        });
        self
    }

    /// Appends `n` in decimal.
    #[inline(never)]
    pub const fn num(&mut self, n: usize) -> &mut Self {
        if n >= 10 {
            self.num(n / 10);
        }
        self.byte(b'0' + (n % 10) as u8);
        self
    }

    /// Appends `n` in decimal, with its sign.
    #[inline(never)]
    pub const fn int(&mut self, n: isize) -> &mut Self {
        if n < 0 {
            self.byte(b'-');
        }
        self.num(n.unsigned_abs())
    }

    /// Appends an `IntTuple` in canonical notation, `(4,(2,2))`. `usize::MAX`, which exceeds every
    /// valid integer, stands for an integer known at run time and prints as `_`.
    #[inline(never)]
    pub const fn tuple(&mut self, t: &IntTuple) -> &mut Self {
        repeat!(i, 0..t.len(), {
            self.leaf(t, i, t.at(i) == usize::MAX);
        });
        self
    }

    /// Appends a layout in canonical notation, `(4,8):(8,1)`.
    pub const fn layout(&mut self, l: &DynLayout) -> &mut Self {
        self.tuple(&l.shape()).str(":").tuple(&l.stride())
    }

    /// Appends a coordinate in canonical notation, `(_,(3,_))`.
    pub const fn slicer(&mut self, c: &Slicer) -> &mut Self {
        let t = c.values();
        repeat!(i, 0..t.len(), {
            self.leaf(&t, i, c.is_kept(i));
        });
        self
    }

    /// Appends a swizzle in canonical notation, `Sw<3,0,-3>`.
    #[inline(never)]
    pub const fn swizzle(&mut self, s: &Swizzle) -> &mut Self {
        let m = self.str("Sw<").num(s.bits() as usize).str(",").num(s.base() as usize);
        m.str(",").int(s.shift() as isize).str(">")
    }

    /// Appends a unit step along a path, `1@0@1`.
    #[inline(never)]
    pub const fn path(&mut self, path: &Path) -> &mut Self {
        self.str("1");
        repeat_rev!(level, 0..path.depth(), {
            if let Some(mode) = path.mode(level) {
                self.str("@").num(mode);
            }
        });
        self
    }

    /// Appends where two shapes differ in rank or in the size of a mode:
    /// `mode 1 has size 128 against 120`.
    #[inline(never)]
    pub const fn first_difference(&mut self, a: &IntTuple, b: &IntTuple) -> &mut Self {
        if a.rank() != b.rank() {
            return self.str("rank ").num(a.rank()).str(" against ").num(b.rank());
        }
        repeat!(i, 0..a.rank(), {
            if let (Ok(x), Ok(y)) = (a.mode(i).product(), b.mode(i).product())
                && x != y
            {
                let this = self.str("mode ").num(i).str(" has size ").num(x);
                return this.str(" against ").num(y);
            }
        });
        self.str("the modes have the same sizes")
    }

    /// Appends leaf `i` of a tuple with the parentheses around it. Prints `_` instead of the integer
    /// if `hidden`.
    const fn leaf(&mut self, t: &IntTuple, i: usize, hidden: bool) {
        if i > 0 {
            self.byte(b',');
        }
        self.repeat(b'(', t.open(i));
        if hidden {
            self.byte(b'_');
        } else {
            self.num(t.at(i));
        }
        self.repeat(b')', t.close(i));
    }

    const fn repeat(&mut self, byte: u8, n: u8) {
        repeat!(_, 0..n, {
            self.byte(byte);
        });
    }

    const fn byte(&mut self, byte: u8) {
        if self.len < CAPACITY {
            self.bytes[self.len] = byte;
            self.len += 1;
        } else {
            self.bytes[CAPACITY - 3] = b'.';
            self.bytes[CAPACITY - 2] = b'.';
            self.bytes[CAPACITY - 1] = b'.';
        }
    }

    /// The text.
    #[inline(never)]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            // The cut may split a character. Everything before it is valid text.
            Err(_) => "(message too long)",
        }
    }
}

impl Default for ConstText {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_and_says_so() {
        let mut m = ConstText::new();
        for _ in 0..100 {
            m.num(1_000_000);
        }
        assert_eq!(m.as_str().len(), CAPACITY);
        assert!(m.as_str().ends_with("..."));
    }

    #[test]
    fn numbers_are_decimal() {
        assert_eq!(ConstText::new().num(0).str(" ").num(90_210).as_str(), "0 90210");
        assert_eq!(ConstText::new().num(usize::MAX).as_str(), usize::MAX.to_string());
    }
}
