//! Text built in `const fn`: what an error says, the same at run time and in a compile error.

use crate::engine::{DynLayout, IntTuple, Path, Slicer, Swizzle};

const CAPACITY: usize = 512;

/// A line of text of fixed capacity, built by `const fn`s.
///
/// Text beyond the capacity is cut and ends in `...`.
#[derive(Clone, Copy)]
pub struct Message {
    len: usize,
    bytes: [u8; CAPACITY],
}

impl Message {
    /// The empty text.
    pub const fn new() -> Self {
        Self { len: 0, bytes: [0; CAPACITY] }
    }

    /// Appends `text`.
    pub const fn str(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut i = 0;
        while i < text.len() {
            self = self.byte(text[i]);
            i += 1;
        }
        self
    }

    /// Appends `n` in decimal.
    pub const fn num(self, n: usize) -> Self {
        let this = if n >= 10 { self.num(n / 10) } else { self };
        this.byte(b'0' + (n % 10) as u8)
    }

    /// Appends `n` in decimal, with its sign.
    pub const fn int(self, n: isize) -> Self {
        let m = if n < 0 { self.str("-") } else { self };
        m.num(n.unsigned_abs())
    }

    /// Appends an `IntTuple` in canonical notation, `(4,(2,2))`. `usize::MAX`, which no layout
    /// holds, stands for an integer known at run time and prints as `_`.
    pub const fn tuple(mut self, t: &IntTuple) -> Self {
        let mut i = 0;
        while i < t.len() {
            if i > 0 {
                self = self.byte(b',');
            }
            self = self.repeat(b'(', t.open(i));
            self = if t.at(i) == usize::MAX { self.byte(b'_') } else { self.num(t.at(i)) };
            self = self.repeat(b')', t.close(i));
            i += 1;
        }
        self
    }

    /// Appends a layout in canonical notation, `(4,8):(8,1)`.
    pub const fn layout(self, l: &DynLayout) -> Self {
        self.tuple(&l.shape()).str(":").tuple(&l.stride())
    }

    /// Appends a coordinate in canonical notation, `(_,(3,_))`.
    pub const fn slicer(mut self, c: &Slicer) -> Self {
        let t = c.values();
        let mut i = 0;
        while i < t.len() {
            if i > 0 {
                self = self.byte(b',');
            }
            self = self.repeat(b'(', t.open(i));
            self = if c.is_kept(i) { self.byte(b'_') } else { self.num(t.at(i)) };
            self = self.repeat(b')', t.close(i));
            i += 1;
        }
        self
    }

    /// Appends a swizzle in canonical notation, `Sw<3,0,-3>`.
    pub const fn swizzle(self, s: &Swizzle) -> Self {
        let m = self.str("Sw<").num(s.bits() as usize).str(",").num(s.base() as usize).str(",");
        let m = if s.shift() < 0 { m.str("-") } else { m };
        m.num(s.shift().unsigned_abs() as usize).str(">")
    }

    /// Appends a step of 1 in a place of a tree, `1@0@1`.
    pub const fn path(self, path: &Path) -> Self {
        let (mut this, mut level) = (self.str("1"), path.depth());
        while level > 0 {
            level -= 1;
            if let Some(mode) = path.mode(level) {
                this = this.str("@").num(mode);
            }
        }
        this
    }

    /// Appends where two shapes differ in rank or in the size of a mode, `mode 1 has size 128
    /// against 120`.
    pub const fn first_difference(self, a: &IntTuple, b: &IntTuple) -> Self {
        if a.rank() != b.rank() {
            return self.str("rank ").num(a.rank()).str(" against ").num(b.rank());
        }
        let mut i = 0;
        while i < a.rank() {
            if let (Ok(x), Ok(y)) = (a.mode(i).product(), b.mode(i).product())
                && x != y
            {
                let this = self.str("mode ").num(i).str(" has size ").num(x);
                return this.str(" against ").num(y);
            }
            i += 1;
        }
        self.str("the modes have the same sizes")
    }

    const fn repeat(mut self, byte: u8, n: u8) -> Self {
        let mut i = 0;
        while i < n {
            self = self.byte(byte);
            i += 1;
        }
        self
    }

    const fn byte(mut self, byte: u8) -> Self {
        if self.len < CAPACITY {
            self.bytes[self.len] = byte;
            self.len += 1;
        } else {
            self.bytes[CAPACITY - 3] = b'.';
            self.bytes[CAPACITY - 2] = b'.';
            self.bytes[CAPACITY - 1] = b'.';
        }
        self
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            // A character that the cut went through: everything before it is still text.
            Err(_) => "(message too long)",
        }
    }
}

impl Default for Message {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_and_says_so() {
        let mut m = Message::new();
        for _ in 0..100 {
            m = m.num(1_000_000);
        }
        assert_eq!(m.as_str().len(), CAPACITY);
        assert!(m.as_str().ends_with("..."));
    }

    #[test]
    fn numbers_are_decimal() {
        assert_eq!(Message::new().num(0).str(" ").num(90_210).as_str(), "0 90210");
        assert_eq!(Message::new().num(usize::MAX).as_str(), usize::MAX.to_string());
    }
}
