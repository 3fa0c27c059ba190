//! `Excerpt`: a short piece of the user's own text, quoted in an error.

use core::fmt;

const CAPACITY: usize = 38;

/// A short text held without allocation: what an error found in place of the expected token.
///
/// Longer text is cut and ends in `...`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Excerpt {
    len: u8,
    bytes: [u8; CAPACITY],
}

impl Excerpt {
    /// The text, or the start of it.
    #[inline(never)]
    pub const fn new(text: &str) -> Self {
        let text = text.as_bytes();
        let mut word = Self { len: 0, bytes: [0; CAPACITY] };
        let (mut end, cut) =
            if text.len() > CAPACITY { (CAPACITY - 3, true) } else { (text.len(), false) };
        // Back up to the start of a character.
        while cut && text[end] & 0xC0 == 0x80 {
            end -= 1;
        }
        let mut i = 0;
        while i < end {
            word.bytes[i] = text[i];
            i += 1;
        }
        if cut {
            while i < end + 3 {
                word.bytes[i] = b'.';
                i += 1;
            }
        }
        word.len = i as u8;
        word
    }

    /// The text.
    #[inline(never)]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len as usize).0) {
            Ok(text) => text,
            // `new` stores whole characters only.
            Err(_) => "",
        }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(Excerpt::new("composition").as_str(), "composition");
        let text = "\u{2218}".repeat(20);
        for start in 0..3 {
            let text = ["", "a", "ab"][start].to_string() + &text;
            let word = Excerpt::new(&text);
            assert!(word.as_str().len() > CAPACITY - 3 && word.as_str().ends_with("..."));
            assert!(text.starts_with(word.as_str().trim_end_matches('.')));
        }
    }
}
