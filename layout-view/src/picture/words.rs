//! Text helpers for pictures.

use super::Cell;

/// `T3 V1`
pub(super) fn second_line(cell: &Cell) -> Option<String> {
    cell.thread.map(|(thread, value)| format!("T{thread} V{value}"))
}

/// Wraps the words of a text at a maximum number of characters; cuts long words. A space at the end
/// of a line takes no room.
pub(super) fn wrapped(text: &str, max_chars: usize) -> Vec<String> {
    let max_chars = max_chars.max(1);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        let used = lines.last().map_or(max_chars, |line| line.chars().count());
        if used + length > max_chars {
            lines.push(String::new());
        }
        for (i, c) in word.chars().enumerate() {
            if i > 0 && i % max_chars == 0 && i < length {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
        }
    }
    lines
}

/// Escapes a text for XML and HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML allows no other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_all_words_and_a_width() {
        for text in ["", "(4,8):(8,1)", "a b c", "tensor<36x40xf32, #tt.metal_layout<(d0, d1)>>"] {
            for max_chars in 1..50 {
                let lines = wrapped(text, max_chars);
                assert!(lines.iter().all(|line| line.trim_end().len() <= max_chars), "{lines:?}");
                assert_eq!(lines.concat(), text);
            }
        }
    }

    #[test]
    fn texts_have_no_markup() {
        assert_eq!(escaped("<a & \"b\"\u{1b}>"), "&lt;a &amp; &quot;b&quot;\u{fffd}&gt;");
    }
}
