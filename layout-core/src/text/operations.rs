//! The operations that can be written: one table for the macro, for run time and for commands.

use crate::error::LayoutError;
use crate::text::value::{Kind, Value};

mod morello;
mod table;

/// An operation that notation can name.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// CuTe's name, or Morello's for what has no shape.
    pub name: &'static str,
    /// What it takes. The ones from [`least`](Self::least) on may be left out.
    pub params: &'static [Kind],
    /// The fewest arguments.
    pub least: usize,
    // The alias of the type-level operation, for each number of arguments from `least` on; empty
    // where there is none.
    aliases: &'static [&'static str],
    /// What its result is, where it has an alias.
    pub gives: Kind,
    // The result for arguments of the right number and kinds.
    run: Run,
}

type Run = fn(&[Value]) -> Result<Value, LayoutError>;

pub use table::OPERATIONS;

impl Operation {
    const fn new(name: &'static str, params: &'static [Kind], run: Run) -> Self {
        Self { name, params, least: params.len(), aliases: &[], gives: Kind::Layout, run }
    }

    /// The same, with the last parameter optional.
    const fn or_less(self) -> Self {
        Self { least: self.least - 1, ..self }
    }

    /// The same, with an operation on types for each number of arguments.
    const fn typed(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// The same, with a result that is no layout.
    const fn giving(self, gives: Kind) -> Self {
        Self { gives, ..self }
    }

    /// The alias of the type-level operation for this number of arguments; empty if there is none.
    pub fn alias(&self, arguments: usize) -> &'static str {
        let alias = arguments.checked_sub(self.least).and_then(|i| self.aliases.get(i));
        alias.copied().unwrap_or_default()
    }

    /// The operation of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        OPERATIONS.iter().find(|operation| operation.name == name)
    }

    /// The operation whose name is a typing mistake away from `name`, or nothing.
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
    /// Those of the operation on [`DynLayout`](crate::engine::DynLayout).
    ///
    /// # Panics
    ///
    /// With fewer arguments than [`least`](Self::least).
    pub fn run(&self, args: &[Value]) -> Result<Value, LayoutError> {
        (self.run)(args)
    }
}

/// How many letters to insert, delete or replace to get from one name to the other. Names longer
/// than any operation are far from all of them.
#[inline(never)]
fn distance(a: &str, b: &str) -> usize {
    const LONGEST: usize = 32;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let mut row = [0; LONGEST + 1];
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
    fn the_table_is_sorted() {
        assert!(OPERATIONS.is_sorted_by_key(|operation| operation.name));
        for operation in OPERATIONS {
            assert!(operation.aliases.len() <= operation.params.len() - operation.least + 1);
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
            ("transpose", ""),
            ("x", ""),
        ] {
            assert_eq!(Operation::similar(name), meant, "{name}");
        }
    }
}
