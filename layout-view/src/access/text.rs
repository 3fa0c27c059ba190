//! An analysis of layouts given as text.

use layout_core::devices::ElementType;
use layout_core::engine::ComposedLayout;
use layout_core::error::{AccessError, LayoutError};
use layout_core::text::{ParseError, Value};

use crate::subject;

use super::{Analysis, Memory, Request, Threads, offsets_of};

/// A request for an analysis, written in the notation.
///
/// ```
/// use layout_core::devices::ElementType;
/// use layout_view::access::{Memory, Question, Width, Written};
/// // Rows of 8 halves, 16 bytes, as `ldmatrix` reads them: no conflict in 128 bytes a row.
/// let question = Question {
///     layout: "(8,8):(8,1)",
///     accesses: &[Written::ThreadValue("(8,8):(1,8)")],
///     element: ElementType::F16,
///     memory: Memory::of_name("gpu-shared").unwrap(),
///     vector: Width::Bytes(16),
/// };
/// assert_eq!(question.analysis().unwrap().accesses()[0].degree_of_worst(), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The layout of the elements.
    pub layout: &'a str,
    /// The accesses.
    pub accesses: &'a [Written<'a>],
    /// The type of the elements.
    pub element: ElementType,
    /// The memory.
    pub memory: Memory,
    /// Width of one access of a thread.
    pub vector: Width,
}

/// How the threads of an access are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written<'a> {
    /// [`Threads::thread_value`]
    ThreadValue(&'a str),
    /// [`Threads::arranged`]: the thread layout, and the value layout.
    Arranged(&'a str, Option<&'a str>),
}

/// The width of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// A number of elements.
    Elements(usize),
    /// A number of bytes.
    Bytes(usize),
    /// The longest legal vector.
    Longest,
}

/// The problems of one of the texts.
#[derive(Clone, Debug)]
pub struct Wrong<'a> {
    /// The text.
    pub text: &'a str,
    /// Its problems, with positions in the text.
    pub error: ParseError,
}

impl Width {
    /// The width in elements of a type; `None` for the longest legal vector.
    ///
    /// # Errors
    ///
    /// [`AccessError::PartialElement`] if the bytes are not a whole number of elements.
    pub fn elements(self, element: ElementType) -> Result<Option<usize>, LayoutError> {
        match self {
            Self::Elements(elements) => Ok(Some(elements)),
            Self::Longest => Ok(None),
            Self::Bytes(bytes) => {
                let (bits, element_bits) = (bytes.saturating_mul(8), element.bits());
                if !bits.is_multiple_of(element_bits) {
                    return Err(AccessError::PartialElement { bytes, bits: element_bits }.into());
                }
                Ok(Some(bits / element_bits))
            }
        }
    }
}

impl<'a> Question<'a> {
    /// Runs the analysis.
    ///
    /// # Errors
    ///
    /// The problems of the first invalid text.
    pub fn analysis(&self) -> Result<Analysis, Wrong<'a>> {
        let layout = convert_text(self.layout, offsets_of)?;
        let accesses = self.accesses.iter().map(|access| access.threads(&layout));
        let accesses = accesses.collect::<Result<Vec<_>, _>>()?;
        let vector = self.vector.elements(self.element);
        let analysis = vector.and_then(|vector| {
            let (element, memory) = (self.element, self.memory);
            Analysis::new(&Request { layout, element, memory, vector }, accesses)
        });
        let text = self.layout;
        subject::at(text, analysis).map_err(|error| Wrong { text, error })
    }
}

impl<'a> Written<'a> {
    /// The threads over a layout.
    ///
    /// # Errors
    ///
    /// All problems of the texts, or threads that do not fit the layout.
    pub fn threads(&self, domain: &ComposedLayout) -> Result<Threads, Wrong<'a>> {
        match *self {
            Self::ThreadValue(text) => {
                convert_text(text, |value| Threads::thread_value(value, domain))
            }
            Self::Arranged(text, values) => {
                let values =
                    values.map(|values| convert_text(values, Value::layout)).transpose()?;
                convert_text(text, |value| {
                    Threads::arranged(&value.layout()?, values.as_ref(), domain)
                })
            }
        }
    }
}

/// The value of a text, converted to another type.
fn convert_text<T>(
    text: &str,
    convert: impl FnOnce(&Value) -> Result<T, LayoutError>,
) -> Result<T, Wrong<'_>> {
    let value = crate::notation::layout(text).and_then(|value| subject::at(text, convert(&value)));
    value.map_err(|error| Wrong { text, error })
}
