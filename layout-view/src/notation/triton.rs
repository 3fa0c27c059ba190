//! Linear layouts in Gluon's form, and as Triton pretty-prints them.
//!
//! ```text
//! gluon   := ('DistributedLinearLayout' | 'SharedLinearLayout') '(' name '=' list (',' ..)* ')'
//! printed := ('-'? name '=' integer '->' '(' list ')' | '-'? name 'is a size 1 dimension')*
//!            ('where out dims are' ':' '[' name '(' 'size' integer ')' (',' ..)* ']')?
//! ```

use super::{Read, Reader};
use layout_core::error::NotationError;
use layout_core::excerpt::Excerpt;
use layout_core::text::TokenKind;

/// The bases of each dimension, and the sizes of the output dimensions.
#[derive(Default)]
struct ParsedLinear {
    inputs: Vec<(String, Vec<Vec<usize>>)>,
    outputs: Option<Vec<(String, usize)>>,
}

impl Reader<'_> {
    /// `None` if the text is not one that Triton prints.
    pub(super) fn triton(&mut self) -> Option<Read> {
        let read = match self.kind(0)? {
            TokenKind::Symbol('-') if self.word(1).is_some() => (self.is_symbol(2, '=')
                || self.is_name(2, "is"))
            .then_some(Self::printed as fn(&mut _) -> _)?,
            TokenKind::Name(name)
                if self.is_symbol(1, '(')
                    && matches!(&**name, "DistributedLinearLayout" | "SharedLinearLayout") =>
            {
                Self::gluon
            }
            _ => return None,
        };
        let start = self.at;
        Some(read(self).map(|parsed| {
            let span = self.range_since(start);
            self.write(&parsed.attribute(), &span);
        }))
    }

    /// `DistributedLinearLayout(reg_bases=[[1]], lane_bases=[[2]], shape=[4])`
    fn gluon(&mut self) -> Read<ParsedLinear> {
        self.at += 1;
        let mut parsed = ParsedLinear::default();
        self.list(')', "`,` or `)`", |reader| {
            let name = reader.name("a dimension, such as register")?;
            reader.expect_symbol('=', "`=`")?;
            match &*name {
                "shape" if reader.is_symbol(0, '[') => {
                    let sizes = reader.sizes(']', "a size")?.into_iter().enumerate();
                    let sizes = sizes.map(|(i, size)| (format!("dim{i}"), size));
                    parsed.outputs = Some(sizes.collect());
                }
                "alignment" => drop(reader.size("a number of bytes")?),
                _ => {
                    let short = name.strip_suffix("_bases").unwrap_or(&name);
                    let name = if short == "reg" { "register" } else { short };
                    parsed.inputs.push((name.to_owned(), reader.bases()?));
                }
            }
            Some(())
        })?;
        Some(parsed)
    }

    fn bases(&mut self) -> Read<Vec<Vec<usize>>> {
        if !self.is_symbol(0, '[') {
            return self.fail_expected("a list of bases");
        }
        self.list(']', "`,` or `]`", |reader| match reader.is_symbol(0, '[') {
            true => reader.sizes(']', "a coordinate"),
            false => reader.fail_expected("a basis, such as [0, 1]"),
        })
    }

    /// `- register=1 -> (0, 1)` and so on, `where out dims are: [dim0 (size 2)]`
    fn printed(&mut self) -> Read<ParsedLinear> {
        let mut parsed = ParsedLinear::default();
        while self.kind(0).is_some() && !self.is_name(0, "where") {
            self.skip_symbol('-');
            let name = self.name("a dimension, such as register")?;
            let known = parsed.inputs.iter().position(|(known, _)| *known == name);
            let at = known.unwrap_or(parsed.inputs.len());
            if known.is_none() {
                parsed.inputs.push((name, Vec::new()));
            }
            if self.is_name(0, "is") {
                self.words(&["is", "a", "size"], "a size 1 dimension")?;
                self.size("1")?;
                self.words(&["dimension"], "a size 1 dimension")?;
                continue;
            }
            self.expect_symbol('=', "`=`")?;
            let (span, bases) = (self.span(), parsed.inputs[at].1.len());
            let bit = u32::try_from(bases).ok().and_then(|bit| 1usize.checked_shl(bit));
            if bit != Some(self.size("a power of two")?) {
                let (expected, found) = ("the next power of two", Excerpt::new("another number"));
                return self.fail(span, NotationError::Expected { expected, found });
            }
            self.expect_symbol('-', "`->`")?;
            self.expect_symbol('>', "`->`")?;
            if !self.is_symbol(0, '(') {
                return self.fail_expected("a value, such as (0, 1)");
            }
            let basis = self.sizes(')', "a coordinate")?;
            parsed.inputs[at].1.push(basis);
        }
        if self.is_name(0, "where") {
            self.words(&["where", "out", "dims", "are"], "where out dims are")?;
            self.expect_symbol(':', "`:`")?;
            if !self.is_symbol(0, '[') {
                return self.fail_expected("the dimensions of a value in brackets");
            }
            parsed.outputs = Some(self.list(']', "`,` or `]`", |reader| {
                let name = reader.name("a dimension, such as dim0")?;
                reader.expect_symbol('(', "`(`")?;
                reader.words(&["size"], "size")?;
                let size = reader.size("the size of a dimension")?;
                reader.expect_symbol(')', "`)`")?;
                Some((name, size))
            })?);
        }
        Some(parsed)
    }

    fn name(&mut self, expected: &'static str) -> Read<String> {
        let Some(name) = self.word(0) else { return self.fail_expected(expected) };
        self.at += 1;
        Some(name.to_owned())
    }

    fn words(&mut self, words: &[&str], expected: &'static str) -> Read {
        for word in words {
            if !self.is_name(0, word) {
                return self.fail_expected(expected);
            }
            self.at += 1;
        }
        Some(())
    }

    fn sizes(&mut self, close: char, expected: &'static str) -> Read<Vec<usize>> {
        let separator = if close == ')' { "`,` or `)`" } else { "`,` or `]`" };
        self.list(close, separator, |reader| reader.size(expected))
    }

    fn size(&mut self, expected: &'static str) -> Read<usize> {
        if self.is_symbol(0, '-') {
            return self.fail(self.span(), NotationError::Negative);
        }
        self.number(expected).map(isize::unsigned_abs)
    }
}

impl ParsedLinear {
    /// `#ttg.linear<{register = [[1]], lane = [[2]]}, out = {dim0 = 4}>`
    fn attribute(&self) -> String {
        let inputs = self.inputs.iter().map(|(name, bases)| format!("{name} = {bases:?}"));
        let inputs = inputs.collect::<Vec<_>>().join(", ");
        let Some(outputs) = &self.outputs else { return format!("#ttg.linear<{{{inputs}}}>") };
        let outputs = outputs.iter().map(|(name, size)| format!("{name} = {size}"));
        let outputs = outputs.collect::<Vec<_>>().join(", ");
        format!("#ttg.linear<{{{inputs}}}, out = {{{outputs}}}>")
    }
}
