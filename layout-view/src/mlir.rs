//! The tensor types in an MLIR file, with aliases resolved.

use std::collections::BTreeMap;
use std::ops::Range;

use layout_core::devices::tenstorrent::TensorType;
use layout_core::error::{LayoutError, NotationError, TenstorrentError};
use layout_core::excerpt::Excerpt;
use layout_core::text::{ParseError, Problems, length_of};

/// A tensor type in a file, and its positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MlirTensor {
    /// The type with aliases expanded.
    pub text: String,
    /// The line numbers where it occurs, from 1, without duplicates.
    pub lines: Vec<usize>,
    /// Number of occurrences.
    pub uses: usize,
    /// Its layout. Positions of errors are in the file: in the type, or in its alias.
    pub encoding: Result<MlirEncoding, ParseError>,
}

/// The meaning of a tensor's attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MlirEncoding {
    /// It defines where the elements are.
    Placed(TensorType),
    /// The tensor has no attribute.
    None,
    /// The attribute does not describe a layout.
    Other,
}

/// The distinct tensor types in an MLIR file, in the order of their first use.
///
/// Aliases, `#layout = ..` and `!tensor = ..`, are parsed where they are used. Comments and strings
/// are skipped. The rest of the file is not checked.
///
/// ```
/// use layout_view::mlir::{MlirEncoding, mlir_tensors};
/// let file = "
///   #l1 = #ttnn.buffer_type<l1>
///   #rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
///   func.func @main(%a: tensor<128x64xbf16, #rows>) -> tensor<256x64xbf16, #rows> { }";
/// let tensors = mlir_tensors(file);
/// assert!(matches!(&tensors[0].encoding, Ok(MlirEncoding::Placed(_))));
/// let error = tensors[1].encoding.as_ref().unwrap_err();
/// assert!(error.to_string().starts_with("memref extent 0 is 1 and must be 2"));
/// assert_eq!(&file[error.problems()[0].span.clone()], "1x2x");
/// ```
pub fn mlir_tensors(file: &str) -> Vec<MlirTensor> {
    let (aliases, attributes) = (BTreeMap::new(), Vec::new());
    let mut reader = Reader { file, aliases, attributes, budget: budget(file) };
    reader.read_aliases();
    let mut tensors: Vec<MlirTensor> = Vec::new();
    // Each source text is resolved once, and each type is listed once.
    let (mut by_source, mut by_type) = (BTreeMap::new(), BTreeMap::new());
    let (mut line, mut counted_to) = (1, 0);
    let (places, open) = reader.places();
    for place in places {
        line += lines_between(file, counted_to, place.start);
        counted_to = place.start;
        let source = file.get(place.clone()).unwrap_or_default();
        let found = match by_source.get(source) {
            Some(&found) => found,
            None => {
                let (text, encoding) = reader.tensor(place);
                let found = *by_type.entry(text.clone()).or_insert(tensors.len());
                if found == tensors.len() {
                    tensors.push(MlirTensor { text, lines: Vec::new(), uses: 0, encoding });
                }
                by_source.insert(source, found);
                found
            }
        };
        if let Some(tensor) = tensors.get_mut(found) {
            tensor.uses += 1;
            if tensor.lines.last() != Some(&line) {
                tensor.lines.push(line);
            }
        }
    }
    if let Some(place) = open {
        let text = file.get(place.clone()).unwrap_or_default().to_string();
        let lines = Vec::from([line + lines_between(file, counted_to, place.start)]);
        let error = NotationError::Unclosed { open: Excerpt::new("<") };
        let bracket = place.start + "tensor".len();
        let encoding = Err(problem(bracket..bracket + 1, error));
        tensors.push(MlirTensor { text, lines, uses: 1, encoding });
    }
    tensors
}

/// Number of line ends between two positions.
fn lines_between(file: &str, start: usize, end: usize) -> usize {
    file.get(start..end).unwrap_or_default().bytes().filter(|&byte| byte == b'\n').count()
}

/// Maximum length of a type after alias expansion.
const MAX_TYPE_BYTES: usize = 1 << 16;

/// Maximum number of bytes of all types of a file together, after alias expansion.
fn budget(file: &str) -> usize {
    file.len().saturating_mul(8).saturating_add(16 * MAX_TYPE_BYTES)
}

struct Reader<'f> {
    file: &'f str,
    // Maps an alias, with its `#` or `!`, to the range of its definition.
    aliases: BTreeMap<&'f str, Range<usize>>,
    // The ranges of attributes with an alias, in order. They contain the types of constants.
    attributes: Vec<Range<usize>>,
    budget: usize,
}

/// A text assembled from parts of the file.
#[derive(Default)]
struct Resolved {
    text: String,
    // The start of each part in the text, and its position in the file.
    parts: Vec<(usize, Range<usize>)>,
}

impl Resolved {
    /// The position in the file for a position in the text.
    fn place(&self, span: &Range<usize>) -> Range<usize> {
        let at = |offset: usize, is_end: bool| {
            let is_before = |start: usize| if is_end { start < offset } else { start <= offset };
            let number = self.parts.partition_point(|(start, _)| is_before(*start));
            let (start, part) = self.parts.get(number.saturating_sub(1))?;
            Some((part.start + offset.saturating_sub(*start)).min(part.end))
        };
        match (at(span.start, false), at(span.end, span.end > span.start)) {
            (Some(start), Some(end)) => start..end.max(start),
            _ => 0..0,
        }
    }
}

impl<'f> Reader<'f> {
    /// Finds all lines `#name = value` and `!name = value`.
    fn read_aliases(&mut self) {
        let (mut at, mut balanced) = (0, true);
        while at < self.file.len() {
            let rest = &self.file[at..];
            let line_end = rest.find('\n').map_or(self.file.len(), |end| at + end);
            let start = at + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
            at = line_end + 1;
            let Some((name, value)) = alias(self.file, start.min(line_end), line_end) else {
                continue;
            };
            let mut end = line_end;
            if balanced {
                match self.value_end(value) {
                    Some(found) => end = found,
                    // The file ends inside a bracket: the value is cut at its line end.
                    None => balanced = false,
                }
            }
            let trimmed = self.file[value..end].trim_end().len();
            let place = value..value + trimmed;
            if name.starts_with('#') {
                self.attributes.push(place.clone());
            }
            self.aliases.insert(name, place);
            at = at.max(end + 1);
        }
    }

    /// The end of the line in which all brackets opened from here on are closed.
    fn value_end(&self, start: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (at, symbol) in symbols(self.file, start) {
            match symbol {
                '<' | '(' | '[' | '{' => depth += 1,
                '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
                '\n' if depth == 0 => return Some(at),
                _ => {}
            }
        }
        (depth == 0).then_some(self.file.len())
    }

    /// The ranges of `tensor<..>`, and the line of the last one if it is not closed.
    fn places(&self) -> (Vec<Range<usize>>, Option<Range<usize>>) {
        let (mut places, mut open) = (Vec::new(), None);
        let mut depth = 0usize;
        for (at, symbol) in symbols(self.file, 0) {
            match symbol {
                '<' if open.is_none() => {
                    let before = &self.file[..at];
                    let named = before.strip_suffix("tensor").filter(|before| {
                        !before.ends_with(|c: char| {
                            c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '#' | '!')
                        })
                    });
                    if let Some(before) = named {
                        (open, depth) = (Some(before.len()), 1);
                    }
                }
                '<' | '(' | '[' | '{' => depth += 1,
                '>' | ')' | ']' | '}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0
                        && let Some(start) = open.take()
                        && !self.is_in_attribute(start)
                    {
                        places.push(start..at + 1);
                    }
                }
                _ => {}
            }
        }
        let open = open.map(|start| {
            let line = self.file[start..].lines().next().unwrap_or_default();
            start..start + line.len()
        });
        (places, open)
    }

    fn is_in_attribute(&self, at: usize) -> bool {
        let before = self.attributes.partition_point(|place| place.start <= at);
        self.attributes[..before].last().is_some_and(|place| at < place.end)
    }

    /// The type at a range: its text with aliases expanded, and its layout.
    fn tensor(&mut self, place: Range<usize>) -> (String, Result<MlirEncoding, ParseError>) {
        let mut resolved = Resolved::default();
        let (at, source) = (place.clone(), self.file.get(place.clone()).unwrap_or_default());
        if let Err(error) = self.resolve(place, &mut Vec::new(), &mut resolved) {
            return (source.to_string(), Err(problem(at, error)));
        }
        // A type may span several lines.
        let text = resolved.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(encoding) = encoding(&text) else { return (text, Ok(MlirEncoding::None)) };
        if !is_layout(encoding) {
            // An alias that the file does not define, and not an attribute of another dialect.
            let name = Excerpt::new(encoding.get(..name_len(encoding)).unwrap_or_default());
            let after_name = encoding.get(name_len(encoding)..).unwrap_or_default().trim_start();
            let result = match after_name {
                ">" if encoding.starts_with('#') => {
                    let error = TenstorrentError::UnknownAlias { name };
                    let start = resolved.text.rfind(name.as_str()).unwrap_or_default();
                    let span = start..start + name.as_str().len();
                    Err(problem(resolved.place(&span), error))
                }
                _ => Ok(MlirEncoding::Other),
            };
            return (text, result);
        }
        match TensorType::parse(&resolved.text) {
            Ok(tensor) => (tensor.to_string(), Ok(MlirEncoding::Placed(tensor))),
            Err(error) => {
                let mut problems = Problems::new();
                for problem in error.problems() {
                    problems.push(resolved.place(&problem.span), problem.error);
                }
                (text, Err(problems.into()))
            }
        }
    }

    /// Writes the text of a range with its aliases expanded.
    fn resolve(
        &mut self,
        place: Range<usize>,
        inside: &mut Vec<&'f str>,
        resolved: &mut Resolved,
    ) -> Result<(), LayoutError> {
        let (mut at, mut copied) = (place.start, place.start);
        while at < place.end {
            let rest = &self.file[at..place.end];
            if rest.starts_with("//") {
                self.copy(copied..at, resolved)?;
                at += rest.find('\n').unwrap_or(rest.len());
                copied = at;
                continue;
            }
            let len = if rest.starts_with(['#', '!']) { name_len(rest) } else { 0 };
            let name = &rest[..len];
            let alias = match rest[len..].chars().next() {
                Some('.' | '<') => None,
                _ => self.aliases.get(name).cloned(),
            };
            let Some(value) = alias else {
                at += len.max(rest.chars().next().map_or(1, char::len_utf8));
                continue;
            };
            self.copy(copied..at, resolved)?;
            if inside.contains(&name) || inside.len() > MAX_ALIASES {
                return Err(TenstorrentError::AliasCycle { name: Excerpt::new(name) }.into());
            }
            inside.push(name);
            self.resolve(map_without_keyword(self.file, value), inside, resolved)?;
            inside.pop();
            at += len;
            copied = at;
        }
        self.copy(copied..place.end, resolved)
    }

    fn copy(&mut self, part: Range<usize>, resolved: &mut Resolved) -> Result<(), LayoutError> {
        let text = self.file.get(part.clone()).unwrap_or_default();
        // Empty parts count too, to bound the work.
        self.budget = self.budget.saturating_sub(text.len() + 1);
        if self.budget == 0 || resolved.text.len() + text.len() > MAX_TYPE_BYTES {
            return Err(TenstorrentError::TypeTooLong { limit: MAX_TYPE_BYTES }.into());
        }
        if !text.is_empty() {
            resolved.parts.push((resolved.text.len(), part));
            resolved.text.push_str(text);
        }
        Ok(())
    }
}

/// Maximum nesting depth of aliases.
const MAX_ALIASES: usize = 32;

/// The name and the start of the value of `#name = value`.
fn alias(file: &str, start: usize, end: usize) -> Option<(&str, usize)> {
    let line = &file[start..end];
    if !line.starts_with(['#', '!']) {
        return None;
    }
    let len = name_len(line);
    let after_name = line[len..].trim_start();
    let value = after_name.strip_prefix('=').filter(|value| !value.starts_with('='))?;
    (len > 1).then(|| (&line[..len], end - value.trim_start().len()))
}

/// The length of `#name`.
fn name_len(text: &str) -> usize {
    let rest = text.get(1..).unwrap_or_default();
    1 + length_of(rest, |c| c == '_' || c == '$' || c == '-' || c.is_ascii_alphanumeric())
}

/// The map in `affine_map<..>`; attributes contain it without that keyword.
fn map_without_keyword(file: &str, value: Range<usize>) -> Range<usize> {
    let text = &file[value.clone()];
    match text.strip_prefix("affine_map<").and_then(|rest| rest.strip_suffix('>')) {
        Some(map) => value.end - 1 - map.len()..value.end - 1,
        None => value,
    }
}

/// The text after the comma of `tensor<2x4xf32, #layout>`, including the closing bracket.
fn encoding(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, symbol) in symbols(text, 0) {
        match symbol {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => return Some(text[at + 1..].trim_start()),
            _ => {}
        }
    }
    None
}

/// Whether an attribute defines where elements are.
fn is_layout(encoding: &str) -> bool {
    const NAMES: [&str; 5] = [
        "#tt.layout<",
        "#tt.metal_layout<",
        "#ttcore.metal_layout<",
        "#ttnn.ttnn_layout<",
        "#ttnn.ttnn_nd_layout<",
    ];
    NAMES.iter().any(|name| encoding.starts_with(name))
}

fn problem(place: Range<usize>, error: impl Into<LayoutError>) -> ParseError {
    let mut problems = Problems::new();
    problems.push(place, error);
    problems.into()
}

/// Brackets, commas and line ends from a position on, outside comments and strings. `->` does not
/// count as a bracket.
fn symbols(text: &str, start: usize) -> impl Iterator<Item = (usize, char)> + '_ {
    let bytes = text.as_bytes();
    let mut at = start;
    std::iter::from_fn(move || {
        loop {
            let &byte = bytes.get(at)?;
            let position = at;
            at += 1;
            match byte {
                b'/' if bytes.get(at) == Some(&b'/') => {
                    while at < bytes.len() && bytes[at] != b'\n' {
                        at += 1;
                    }
                }
                b'"' => {
                    // A string ends within its line.
                    while at < bytes.len() && bytes[at] != b'"' && bytes[at] != b'\n' {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                    }
                    at += usize::from(bytes.get(at) == Some(&b'"'));
                }
                b'-' if bytes.get(at) == Some(&b'>') => at += 1,
                b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b'\n' => {
                    return Some((position, char::from(byte)));
                }
                _ => {}
            }
        }
    })
}
