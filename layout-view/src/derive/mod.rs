//! Derivations: an expression evaluated inside out, in steps that are checked point by point.
//!
//! A step has a layout that the engine computed, a sentence, and a law that is checked for up to
//! [`MOST_POINTS`] points. The steps of an operation use other operations of the engine; the last
//! step is the engine's result for the whole. If an operation fails, the steps lead up to the
//! numbers that do not fit.
//!
//! ```
//! use layout_view::derive::Derivation;
//! let derivation = Derivation::of("logical_divide(24:1, 4:2)");
//! let steps = derivation.parts[0].steps.iter();
//! let layouts = steps.filter_map(|step| step.value.as_ref().map(ToString::to_string));
//! let expected = ["(2,3):(1,8)", "(4,(2,3)):(2,(1,8))"];
//! assert!(expected.iter().all(|text| layouts.clone().any(|layout| layout == *text)));
//! assert!(derivation.holds());
//! ```

use std::fmt;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::text::{Application, ParseError, Value};

use crate::notation::trace;

mod coalesce;
mod complement;
mod compose;
mod divide;
mod facts;
mod inverse;
mod laws;
mod operation;
mod report;

/// Maximum number of points for which a law is checked.
pub const MOST_POINTS: usize = 1 << 12;

/// The derivation of the value of an expression.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The expression.
    pub text: String,
    /// Its operations, inside out.
    pub parts: Vec<Part>,
    /// Its value, or its error.
    pub value: Result<Value, ParseError>,
}

/// One operation, step by step.
#[derive(Clone, Debug)]
pub struct Part {
    /// The operation, its arguments, its position, and its result.
    pub application: Application,
    /// The steps. The value of the last step is the result.
    pub steps: Vec<Step>,
}

/// A step of a derivation.
#[derive(Clone, Debug)]
pub struct Step {
    /// Nesting depth: a deeper step belongs to a part of the step before it.
    pub depth: usize,
    /// The rule: the name of the operation that the step belongs to.
    pub rule: &'static str,
    /// An explanation with numbers.
    pub sentence: String,
    /// The value after the step.
    pub value: Option<Value>,
    /// The law that was checked.
    pub check: Option<Check>,
}

/// A law, checked point by point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The law.
    pub law: String,
    /// Number of points checked.
    pub points: usize,
    /// Number of points in total.
    pub of: usize,
    /// The first point where it fails.
    pub failure: Option<String>,
}

impl Check {
    /// Checks the first points of a law. `fails` describes the violation at a point.
    pub(crate) fn each(
        law: impl Into<String>,
        of: usize,
        mut fails: impl FnMut(usize) -> Option<String>,
    ) -> Self {
        let points = of.min(MOST_POINTS);
        let failure = (0..points).find_map(&mut fails);
        Self { law: law.into(), points, of, failure }
    }

    /// A law about a set of points as a whole.
    pub(crate) fn whole(law: impl Into<String>, points: usize, holds: bool) -> Self {
        let failure = (!holds).then(|| "it does not hold".to_owned());
        Self { law: law.into(), points, of: points, failure }
    }

    /// Whether it holds at all points checked.
    pub const fn holds(&self) -> bool {
        self.failure.is_none()
    }

    /// `L(i) = M(i)` for the coordinates of the first layout.
    pub(crate) fn same(law: &str, l: &DynLayout, m: &DynLayout) -> Self {
        Self::each(law, l.size(), |i| mismatch(i, l.offset_of_index(i), m.offset_of_index(i)))
    }
}

/// The violation, if two numbers that should be equal differ.
pub(crate) fn mismatch<T: PartialEq + fmt::Display>(i: usize, left: T, right: T) -> Option<String> {
    (left != right).then(|| format!("at {i}: {left} and {right}"))
}

impl Derivation {
    /// The derivation of an expression. It ends at the first error.
    pub fn of(text: &str) -> Self {
        let (applications, value) = trace(text);
        let parts = applications.into_iter().map(|application| {
            let steps = operation::steps(&application);
            Part { application, steps }
        });
        Self { text: text.to_owned(), parts: parts.collect(), value }
    }

    /// Whether every law holds.
    pub fn holds(&self) -> bool {
        let mut steps = self.parts.iter().flat_map(|part| &part.steps);
        steps.all(|step| step.check.as_ref().is_none_or(Check::holds))
    }
}

/// Collects steps.
#[derive(Default)]
pub(crate) struct Steps {
    steps: Vec<Step>,
    depth: usize,
}

/// An error of the engine. It ends the steps; a step before it explains it.
pub(crate) type Derived<T = DynLayout> = Result<T, LayoutError>;

impl Steps {
    /// A step with a value.
    pub(crate) fn step(
        &mut self,
        rule: &'static str,
        sentence: impl Into<String>,
        value: impl Into<Value>,
    ) -> &mut Step {
        self.push(rule, sentence.into(), Some(value.into()))
    }

    /// A step without a value.
    pub(crate) fn note(&mut self, rule: &'static str, sentence: impl Into<String>) -> &mut Step {
        self.push(rule, sentence.into(), None)
    }

    fn push(&mut self, rule: &'static str, sentence: String, value: Option<Value>) -> &mut Step {
        let at = self.steps.len();
        self.steps.push(Step { depth: self.depth, rule, sentence, value, check: None });
        &mut self.steps[at]
    }

    /// Steps of a part, one level deeper.
    pub(crate) fn nested<T>(&mut self, of: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let result = of(self);
        self.depth -= 1;
        result
    }

    /// If the result is an error, adds a step with a sentence about it.
    pub(crate) fn explain_error<T>(
        &mut self,
        rule: &'static str,
        result: Derived<T>,
        sentence: impl FnOnce(&LayoutError) -> String,
    ) -> Derived<T> {
        if let Err(error) = &result {
            self.note(rule, sentence(error));
        }
        result
    }
}

impl Step {
    pub(crate) fn check(&mut self, check: Check) {
        self.check = Some(check);
    }
}

/// The modes of a layout as `s:d`.
pub(crate) fn leaves(layout: &DynLayout) -> impl Iterator<Item = DynLayout> + '_ {
    let numbers = layout.extents().iter().zip(layout.strides());
    // Its numbers already fit in the layout.
    numbers.map(|(&extent, &stride)| DynLayout::leaf(extent, stride))
}

/// A layout of some modes: `1:0` for no modes, the mode itself for one.
pub(crate) fn of_modes(modes: &[DynLayout]) -> Derived {
    match modes {
        [] => Ok(DynLayout::UNIT),
        [one] => Ok(*one),
        modes => DynLayout::tuple(modes),
    }
}
