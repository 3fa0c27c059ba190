//! What is wrong with an expression, with carets under the characters it is about.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use layout_core::text::ParseError;

/// The problems of an expression, in the order of the text.
pub(crate) fn render(expression: &str, error: &ParseError, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let reports: Vec<String> = error
        .problems()
        .iter()
        .map(|problem| {
            let (message, help) = (problem.error.message(), problem.error.help());
            let place = AnnotationKind::Primary.span(problem.span.clone());
            let report = Level::ERROR
                .primary_title(message.as_str())
                .id(problem.error.code())
                .element(Snippet::source(expression).annotation(place));
            renderer.render(&[match help.as_str() {
                "" => report,
                help => report.element(Level::HELP.message(help)),
            }])
        })
        .collect();
    reports.join("\n")
}
