//! The table of operations of the notation, for the macro, for run time and for commands.

use core::cmp::Ordering;

use crate::error::LayoutError;
use crate::operations::FORMS;
use crate::text::value::{Kind, Value};

/// An operation of the notation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// CuTe's name; Morello's for operations on Morello layouts without a shape.
    pub name: &'static str,
    /// The kinds of its parameters. Those from [`least`](Self::least) on are optional.
    pub params: &'static [Kind],
    /// The minimum number of arguments.
    pub least: usize,
    /// The kind of its result, if it has an alias.
    pub gives: Kind,
    /// One-line summary.
    pub summary: &'static str,
    // One form for each number of arguments, from `least` on.
    forms: &'static [Form],
}

/// An operation with one number of arguments: a row of the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) name: &'static str,
    pub(crate) params: &'static [Kind],
    /// The alias of the type-level operation; empty if there is no alias.
    pub(crate) alias: &'static str,
    /// The method; empty if there is no method.
    pub(crate) method: &'static str,
    pub(crate) gives: Kind,
    pub(crate) summary: &'static str,
    /// Computes the result. The arguments have the right number and kinds.
    pub(crate) run: fn(&[Value]) -> Result<Value, LayoutError>,
}

/// All operations, in alphabetical order.
pub static OPERATIONS: &[Operation] = &grouped::<{ names(&SORTED) }>();

static SORTED: [Form; rows()] = sorted();

/// Number of rows of the list.
const fn rows() -> usize {
    let mut count = 0;
    repeat!(part, 0..FORMS.len(), {
        count += FORMS[part].len();
    });
    count
}

/// All rows, by name and then by number of arguments.
const fn sorted() -> [Form; rows()] {
    let mut sorted = [FORMS[0][0]; rows()];
    let mut len = 0;
    repeat!(part, 0..FORMS.len(), {
        repeat!(row, 0..FORMS[part].len(), {
            let form = FORMS[part][row];
            let mut at = len;
            while at > 0 && is_before(&form, &sorted[at - 1]) {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = form;
            len += 1;
        });
    });
    sorted
}

/// Whether the row `a` sorts before `b`.
const fn is_before(a: &Form, b: &Form) -> bool {
    match compare(a.name, b.name) {
        Ordering::Less => true,
        Ordering::Equal => a.params.len() < b.params.len(),
        Ordering::Greater => false,
    }
}

const fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() {
        if a[i] != b[i] {
            return if a[i] < b[i] { Ordering::Less } else { Ordering::Greater };
        }
        i += 1;
    }
    if a.len() < b.len() {
        Ordering::Less
    } else if a.len() > b.len() {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}

/// Number of rows from `start` on that have the same name as the row at `start`.
const fn same_name(forms: &[Form], start: usize) -> usize {
    let mut end = start + 1;
    while end < forms.len()
        && matches!(compare(forms[start].name, forms[end].name), Ordering::Equal)
    {
        end += 1;
    }
    end - start
}

const fn names(forms: &[Form]) -> usize {
    let (mut count, mut start) = (0, 0);
    while start < forms.len() {
        start += same_name(forms, start);
        count += 1;
    }
    count
}

const fn grouped<const N: usize>() -> [Operation; N] {
    let forms: &'static [Form] = &SORTED;
    let mut operations = [Operation::of(forms); N];
    let mut start = 0;
    repeat!(i, 0..N, {
        let len = same_name(forms, start);
        operations[i] = Operation::of(forms.split_at(start).1.split_at(len).0);
        start += len;
    });
    operations
}

impl Operation {
    /// The operation with these forms, one for each number of arguments.
    const fn of(forms: &'static [Form]) -> Self {
        let (first, last) = (&forms[0], &forms[forms.len() - 1]);
        Self {
            name: first.name,
            params: last.params,
            least: first.params.len(),
            gives: first.gives,
            summary: first.summary,
            forms,
        }
    }

    fn form(&self, arguments: usize) -> Option<&'static Form> {
        self.forms.iter().find(|form| form.params.len() == arguments)
    }

    /// The alias of the type-level operation for this number of arguments; empty if there is none.
    pub fn alias(&self, arguments: usize) -> &'static str {
        self.form(arguments).map_or("", |form| form.alias)
    }

    /// The one-line summary for this number of arguments; empty if the operation does not take this
    /// number.
    pub fn summary_for(&self, arguments: usize) -> &'static str {
        self.form(arguments).map_or("", |form| form.summary.trim_start())
    }

    /// The method for this number of arguments; empty if there is none.
    pub fn method(&self, arguments: usize) -> &'static str {
        self.form(arguments).map_or("", |form| form.method)
    }

    /// The operation of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        OPERATIONS.iter().find(|operation| operation.name == name)
    }

    /// The operation whose name is a typo away from `name`; empty if there is no such operation.
    pub fn similar(name: &str) -> &'static str {
        let near = OPERATIONS.iter().map(|operation| (distance(name, operation.name), operation));
        match near.min_by_key(|(distance, _)| *distance) {
            Some((distance, operation)) if distance <= 1 + operation.name.len() / 5 => {
                operation.name
            }
            _ => "",
        }
    }

    /// The result for `args`, whose number and kinds fit.
    ///
    /// # Errors
    ///
    /// The errors of the operation on [`DynLayout`](crate::engine::DynLayout).
    ///
    /// # Panics
    ///
    /// If the number of arguments is wrong.
    pub fn run(&self, args: &[Value]) -> Result<Value, LayoutError> {
        match self.form(args.len()) {
            Some(form) => (form.run)(args),
            None => wrong_count(),
        }
    }
}

/// Panics: the caller should have checked the number of arguments.
pub(crate) fn wrong_count() -> ! {
    panic!("an operation with the wrong number of arguments")
}

/// Fixes the error type of an engine operation to [`LayoutError`].
pub(crate) fn done<T>(result: Result<T, LayoutError>) -> Result<T, LayoutError> {
    result
}

/// Edit distance: how many letters to insert, delete or replace. Names longer than any operation get
/// a large distance.
#[inline(never)]
fn distance(a: &str, b: &str) -> usize {
    const MAX_LENGTH: usize = 32;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() > MAX_LENGTH || b.len() > MAX_LENGTH {
        return usize::MAX;
    }
    let mut row = [0; MAX_LENGTH + 1];
    for (j, cell) in row.iter_mut().enumerate() {
        *cell = j;
    }
    for (i, letter) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let replace = diagonal + usize::from(!letter.eq_ignore_ascii_case(&b[j]));
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_each_row_once() {
        assert!(OPERATIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
        let forms = OPERATIONS.iter().map(|operation| operation.forms.len()).sum::<usize>();
        assert_eq!(forms, SORTED.len());
        for operation in OPERATIONS {
            for (i, form) in operation.forms.iter().enumerate() {
                assert_eq!(form.name, operation.name);
                assert_eq!(form.params.len(), operation.least + i, "{}", form.name);
                assert_eq!(form.params, &operation.params[..form.params.len()], "{}", form.name);
                assert!(form.summary.ends_with(['.', ':']), "{}: {}", form.name, form.summary);
            }
        }
    }

    /// An alias is the method's name in CamelCase.
    #[test]
    fn aliases_and_methods_have_one_name() {
        for form in &SORTED {
            let camel_case = form.method.split('_').map(|word| {
                let (first, rest) = word.split_at(1.min(word.len()));
                first.to_uppercase() + rest
            });
            if !form.method.is_empty() {
                assert_eq!(form.alias, camel_case.collect::<String>());
            }
        }
    }

    #[test]
    fn typing_mistakes_are_near() {
        for (name, meant) in [
            ("composiion", "composition"),
            ("coalese", "coalesce"),
            ("LogicalDivide", "logical_divide"),
            ("logicaldivide", "logical_divide"),
            ("zip_divide", "zipped_divide"),
            ("transpose", "transposed"),
            ("x", ""),
        ] {
            assert_eq!(Operation::similar(name), meant, "{name}");
        }
    }
}
