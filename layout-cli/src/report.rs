//! What is wrong with an expression, with carets under the characters it is about.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use layout_core::error::LayoutError;
use layout_core::text::{Diagnostic, ParseError};

/// The problems of an expression, in the order of the text.
pub(crate) fn render(expression: &str, error: &ParseError, color: bool) -> String {
    let report = |problem: &Diagnostic<Range<usize>>| {
        let place = AnnotationKind::Primary.span(problem.span.clone());
        one(&problem.error, Some(Snippet::source(expression).annotation(place)), color)
    };
    let reports: Vec<String> = error.problems().iter().map(report).collect();
    reports.join("\n")
}

/// A problem in the lines of a file from this number on.
pub(crate) fn render_in_file(
    (file, line): (&str, usize),
    lines: &str,
    problem: &Diagnostic<Range<usize>>,
    color: bool,
) -> String {
    let place = AnnotationKind::Primary.span(problem.span.clone());
    let snippet = Snippet::source(lines).path(file).line_start(line).annotation(place);
    one(&problem.error, Some(snippet), color)
}

/// An error without a place.
pub(crate) fn render_error(error: &LayoutError, color: bool) -> String {
    one(error, None, color)
}

fn one(
    error: &LayoutError,
    place: Option<Snippet<'_, annotate_snippets::Annotation<'_>>>,
    color: bool,
) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let (message, help) = (error.message(), error.help());
    let mut report = Level::ERROR.primary_title(message.as_str()).id(error.code()).elements(place);
    if !help.as_str().is_empty() {
        report = report.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[report])
}
