//! Errors in a piece of notation and their places. All errors are collected, not only the first.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::error::LayoutError;
use crate::text::operations::Operation;
use crate::text::value::Value;

/// The maximum number of problems reported for one piece of notation.
const MAX_PROBLEMS: usize = 32;

/// One problem and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic<S> {
    /// The place: a byte range in a text.
    pub span: S,
    /// The error.
    pub error: LayoutError,
}

/// An operation that an expression applies.
#[derive(Clone, Debug)]
pub struct Application<S = Range<usize>> {
    /// The operation.
    pub operation: &'static Operation,
    /// Its place in the text.
    pub place: S,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// Its result, or the error of applying it.
    pub result: Result<Value, LayoutError>,
}

/// Collects problems, up to 32, and the applied operations if tracing is on.
#[derive(Clone, Debug)]
pub struct Problems<S> {
    found: Vec<Diagnostic<S>>,
    trace: Option<Vec<Application<S>>>,
}

impl<S> Problems<S> {
    /// No problems, tracing off.
    pub const fn new() -> Self {
        Self { found: Vec::new(), trace: None }
    }

    /// No problems, tracing on.
    pub const fn traced() -> Self {
        Self { found: Vec::new(), trace: Some(Vec::new()) }
    }

    /// Records an operation, if tracing is on.
    pub(crate) fn applied(&mut self, application: impl FnOnce() -> Application<S>) {
        if let Some(trace) = &mut self.trace {
            trace.push(application());
        }
    }

    /// The recorded operations, innermost first.
    pub fn take_trace(&mut self) -> Vec<Application<S>> {
        self.trace.take().unwrap_or_default()
    }

    /// Adds a problem.
    pub fn push(&mut self, span: S, error: impl Into<LayoutError>) {
        self.push_error(span, error.into());
    }

    #[cold]
    #[inline(never)]
    fn push_error(&mut self, span: S, error: LayoutError) {
        if self.found.len() < MAX_PROBLEMS {
            self.found.push(Diagnostic { span, error });
        }
    }

    /// Number of problems.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The problems in the order in which they were found.
    pub fn into_vec(self) -> Vec<Diagnostic<S>> {
        self.found
    }
}

impl<S> Default for Problems<S> {
    fn default() -> Self {
        Self::new()
    }
}

/// The error of parsing a text: at least one problem, each with its byte range.
///
/// `Display` prints one line per problem; the alternate form `{:#}` adds the help.
///
/// ```
/// use static_layout::engine::DynLayout;
/// let error = DynLayout::parse("(4,8u32):(8,-)").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "integer `8u32` has a suffix (at 3..7)\n\
///      expected a number after the sign, found `)` (at 13..14)"
/// );
/// assert_eq!(error.problems()[0].error.code(), "L0105");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError {
    problems: Vec<Diagnostic<Range<usize>>>,
}

impl ParseError {
    /// The problems in the order of the text.
    pub fn problems(&self) -> &[Diagnostic<Range<usize>>] {
        &self.problems
    }

    /// Shifts all byte ranges by `by`, for a text that starts `by` bytes further on.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        for Diagnostic { span, .. } in &mut self.problems {
            *span = span.start + by..span.end + by;
        }
        self
    }
}

impl From<Problems<Range<usize>>> for ParseError {
    #[inline(never)]
    fn from(problems: Problems<Range<usize>>) -> Self {
        let mut problems = problems.into_vec();
        // Insertion sort: at most `MAX_PROBLEMS` problems, mostly in order.
        for end in 1..problems.len() {
            let mut at = end;
            while at > 0 && problems[at - 1].span.start > problems[at].span.start {
                problems.swap(at - 1, at);
                at -= 1;
            }
        }
        Self { problems }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Diagnostic { span, error }) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error} (at {}..{})", span.start, span.end)?;
            let help = error.help();
            if f.alternate() && !help.as_str().is_empty() {
                write!(f, "\n  help: {}", help.as_str())?;
            }
        }
        Ok(())
    }
}

debug_as_display!(ParseError);

impl core::error::Error for ParseError {}
