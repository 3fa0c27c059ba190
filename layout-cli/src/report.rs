//! Reports the problems of an expression, with carets under the affected characters.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use layout_core::error::LayoutError;
use layout_core::text::{Diagnostic, ParseError};
use layout_view::assertions::Failure;

/// The problems of an expression, in the order of the text.
pub(crate) fn render(expression: &str, error: &ParseError, color: bool) -> String {
    let report = |problem: &Diagnostic<Range<usize>>| {
        let annotation = AnnotationKind::Primary.span(problem_span(problem));
        render_problem(
            &problem.error,
            Some(Snippet::source(expression).annotation(annotation)),
            color,
        )
    };
    let reports: Vec<String> = error.problems().iter().map(report).collect();
    reports.join("\n")
}

/// A problem in the lines of a file, starting at this line number.
pub(crate) fn render_in_file(
    (file, line): (&str, usize),
    lines: &str,
    problem: &Diagnostic<Range<usize>>,
    color: bool,
) -> String {
    let annotation = AnnotationKind::Primary.span(problem_span(problem));
    let snippet = Snippet::source(lines).path(file).line_start(line).annotation(annotation);
    render_problem(&problem.error, Some(snippet), color)
}

/// The characters of a problem. The renderer panics on a range that ends before it starts.
fn problem_span(problem: &Diagnostic<Range<usize>>) -> Range<usize> {
    let Range { start, end } = problem.span;
    start..end.max(start)
}

/// A failed assertion in a line of a file, with the values of its sides.
pub(crate) fn render_failure(
    (file, line): (&str, usize),
    text: &str,
    failure: &Failure,
    color: bool,
) -> String {
    let mut snippet = Snippet::source(text).path(file).line_start(line);
    for (span, value) in &failure.sides {
        let side = AnnotationKind::Primary.span(span.clone()).label(value.as_str());
        snippet = snippet.annotation(side);
    }
    let title = Level::ERROR.primary_title(failure.message.as_str());
    renderer(color).render(&[title.element(snippet)])
}

/// An error without a position.
pub(crate) fn render_error(error: &LayoutError, color: bool) -> String {
    render_problem(error, None, color)
}

fn render_problem(
    error: &LayoutError,
    snippet: Option<Snippet<'_, annotate_snippets::Annotation<'_>>>,
    color: bool,
) -> String {
    let (message, help) = (error.message(), error.help());
    let mut report =
        Level::ERROR.primary_title(message.as_str()).id(error.code()).elements(snippet);
    if !help.as_str().is_empty() {
        report = report.element(Level::HELP.message(help.as_str()));
    }
    renderer(color).render(&[report])
}

const fn renderer(color: bool) -> Renderer {
    if color { Renderer::styled() } else { Renderer::plain() }
}
