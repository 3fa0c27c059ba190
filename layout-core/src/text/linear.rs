//! Linear layouts as Triton writes them: a basis for each bit of a register, lane, warp or block.
//!
//! ```text
//! linear := '#' ('ttg' | 'triton_gpu') '.' ('linear' | 'shared_linear') '<' bases (',' option)* '>'
//!         | bases
//! bases  := '{' name ('=' | ':') list (',' ..)* '}'
//! option := 'out' '=' '{' name '=' integer (',' ..)* '}' | 'alignment' '=' integer
//! ```
//!
//! The first form is MLIR's, and the one we print. `out` is our extension: the sizes of the value's
//! dimensions, if the bases do not determine them.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::engine::{LinearDimension, LinearLayout};
use crate::error::{LayoutError, LinearError, NotationError};
use crate::text::ast::Node;
use crate::text::parser::{Parse, Parser};
use crate::text::token::{Span, TokenKind};

/// The maximum length of the name of a dimension.
const MAX_NAME_LENGTH: usize = 38;

/// The maximum number of dimensions that are parsed.
const MAX_DIMENSIONS: usize = 64;

/// The parsed parts of a linear layout.
#[derive(Default)]
struct Written {
    inputs: Vec<(String, Vec<Vec<usize>>)>,
    outputs: Option<Vec<(String, usize)>>,
}

impl<S: Span> Parser<'_, S> {
    /// Whether a linear layout begins here.
    pub(crate) fn at_linear(&self) -> bool {
        let kind = |ahead: usize| Some(&self.tokens.get(self.at + ahead)?.kind);
        let is = |ahead, symbol| kind(ahead) == Some(&TokenKind::Symbol(symbol));
        match kind(1) {
            Some(TokenKind::Name(name)) if is(0, '#') => {
                matches!(name.as_str(), "ttg" | "triton_gpu") && is(2, '.')
            }
            Some(TokenKind::Name(_)) if is(0, '{') => is(2, '=') || is(2, ':'),
            _ => false,
        }
    }

    pub(crate) fn linear(&mut self) -> Parse<Node<S>> {
        let start = self.place();
        let mut written = Written::default();
        match self.at_symbol('#') {
            true => self.linear_attribute(&mut written)?,
            false => self.bases(&mut written)?,
        }
        match written.layout() {
            Ok(layout) => Ok(Node::Linear(Box::new(layout))),
            Err(error) => {
                let place = start.to(&self.previous());
                self.fail(place, error)
            }
        }
    }

    /// `#ttg.linear<{register = [[1]]}, out = {dim0 = 4}>`
    fn linear_attribute(&mut self, written: &mut Written) -> Parse<()> {
        self.at += 3;
        if !self.skip_name("linear") {
            self.name("shared_linear", "linear or shared_linear")?;
        }
        self.symbol('<', "`<`")?;
        if !self.at_symbol('{') {
            return self.expected("bases in braces");
        }
        self.bases(written)?;
        while self.skip(',') {
            if self.skip_name("alignment") {
                self.symbol('=', "`=`")?;
                self.size("a number of bytes")?;
                continue;
            }
            self.name("out", "out or alignment")?;
            self.symbol('=', "`=`")?;
            if !self.at_symbol('{') {
                return self.expected("the dimensions of a value in braces");
            }
            let outputs = self.list('}', "a dimension", |parser| {
                let name = parser.dimension()?;
                parser.symbol('=', "`=`")?;
                Ok((name, parser.size("the size of a dimension")?))
            })?;
            written.outputs = Some(outputs);
        }
        self.symbol('>', "`,` or `>`")
    }

    /// `{register = [[0, 1], [8, 0]], lane = []}`
    fn bases(&mut self, written: &mut Written) -> Parse<()> {
        written.inputs = self.list('}', "a dimension", |parser| {
            let name = parser.dimension()?;
            if !parser.skip('=') {
                parser.symbol(':', "`=`")?;
            }
            Ok((name, parser.bases_of_dimension()?))
        })?;
        Ok(())
    }

    /// `[[0, 1], [8, 0]]`
    fn bases_of_dimension(&mut self) -> Parse<Vec<Vec<usize>>> {
        if !self.at_symbol('[') {
            return self.expected("a list of bases");
        }
        self.list(']', "a basis", |parser| {
            if !parser.at_symbol('[') {
                return parser.expected("a basis, such as [0, 1]");
            }
            parser.list(']', "a coordinate", |parser| parser.size("a coordinate"))
        })
    }

    fn dimension(&mut self) -> Parse<String> {
        let Some(TokenKind::Name(name)) = self.kind() else {
            return self.expected("a dimension, such as register");
        };
        if name.len() > MAX_NAME_LENGTH {
            return self.expected("a name of at most 38 letters");
        }
        self.at += 1;
        Ok(name.clone())
    }
}

impl Written {
    /// The usual name of a dimension of a value.
    fn output(i: usize) -> String {
        alloc::format!("dim{i}")
    }

    fn layout(&self) -> Result<LinearLayout, LayoutError> {
        let bases = || self.inputs.iter().flat_map(|(_, bases)| bases);
        let dimensions = match &self.outputs {
            Some(outputs) => outputs.len(),
            None => bases().next().map_or(1, Vec::len),
        };
        if dimensions.max(self.inputs.len()) > MAX_DIMENSIONS {
            return Err(LinearError::TooManyDimensions { limit: 16 }.widen());
        }
        if let Some(other) = bases().find(|basis| basis.len() != dimensions) {
            return Err(LinearError::BasisRank { dimensions, found: other.len() }.into());
        }
        // Number of bits of each component of a value.
        let mut outputs = Vec::with_capacity(dimensions);
        for i in 0..dimensions {
            let largest = bases().fold(0, |used, basis| used | basis[i]);
            let reached = usize::BITS - largest.leading_zeros();
            outputs.push(match &self.outputs {
                None => LinearDimension::new(&Self::output(i), reached),
                Some(sizes) => {
                    let (name, size) = (&sizes[i].0, sizes[i].1);
                    refuse!(!size.is_power_of_two(), NotationError::PowerOfTwo { extent: size });
                    if let Some(basis) = bases().map(|basis| basis[i]).find(|&n| n >= size) {
                        return Err(LinearError::BasisRange { basis, size }.into());
                    }
                    LinearDimension::new(name, size.trailing_zeros())
                }
            });
        }
        let inputs = self.inputs.iter().map(|(name, bases)| {
            LinearDimension::new(name, u32::try_from(bases.len()).unwrap_or(u32::MAX))
        });
        let inputs: Vec<_> = inputs.collect();
        // Checks that all bits fit, so that the components of a value can be packed into one
        // integer.
        let width: u64 = outputs.iter().map(|dimension| u64::from(dimension.bits())).sum();
        if width >= u64::from(usize::BITS) {
            return LinearLayout::new(&inputs, &outputs, &[]);
        }
        let flat = bases().map(|basis| {
            let parts = basis.iter().zip(&outputs);
            parts.rev().fold(0, |value, (&part, dimension)| value << dimension.bits() | part)
        });
        LinearLayout::new(&inputs, &outputs, &flat.collect::<Vec<_>>())
    }
}
