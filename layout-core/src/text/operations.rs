//! The operations that can be written: one table for the macro, for run time and for commands.

use crate::error::LayoutError;
use crate::text::value::{Kind, Value};

/// An operation that notation can name.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// CuTe's name.
    pub name: &'static str,
    /// What it takes. The ones from [`least`](Self::least) on may be left out.
    pub params: &'static [Kind],
    /// The fewest arguments.
    pub least: usize,
    /// The alias of the type-level operation, for each number of arguments from `least` on; empty
    /// where there is none.
    pub aliases: &'static [&'static str],
    // The result for arguments of the right number and kinds.
    run: fn(&[Value]) -> Result<Value, LayoutError>,
}

use Kind::{Cotarget, IntTuple as Profile, Layout, Tiler as By};

/// All operations, in alphabetical order.
pub const OPERATIONS: &[Operation] = &[
    Operation {
        name: "coalesce",
        params: &[Layout, Profile],
        least: 1,
        aliases: &["Coalesce", ""],
        run: |a| match a.get(1) {
            Some(profile) => Ok(a[0].layout()?.coalesce_by(&profile.int_tuple()?)?.into()),
            None => Ok(a[0].layout()?.coalesce().into()),
        },
    },
    Operation {
        name: "complement",
        params: &[Layout, Cotarget],
        least: 1,
        aliases: &["ComplementInCosize", "Complement"],
        run: |a| match a.get(1) {
            Some(cotarget) => Ok(a[0].layout()?.complement_shape(&cotarget.int_tuple()?)?.into()),
            None => Ok(a[0].layout()?.complement_in_cosize()?.into()),
        },
    },
    Operation {
        name: "composition",
        params: &[Layout, By],
        least: 2,
        aliases: &["Composition"],
        run: |a| Ok(a[0].layout()?.composition_by(&a[1].tiler()?)?.into()),
    },
    Operation {
        name: "flatten",
        params: &[Layout],
        least: 1,
        aliases: &["Flatten"],
        run: |a| Ok(a[0].layout()?.flatten().into()),
    },
    Operation {
        name: "logical_divide",
        params: &[Layout, By],
        least: 2,
        aliases: &["LogicalDivide"],
        run: |a| Ok(a[0].layout()?.logical_divide_by(&a[1].tiler()?)?.into()),
    },
    Operation {
        name: "logical_product",
        params: &[Layout, By],
        least: 2,
        aliases: &["LogicalProduct"],
        run: |a| Ok(a[0].layout()?.logical_product_by(&a[1].tiler()?)?.into()),
    },
    Operation {
        name: "right_inverse",
        params: &[Layout],
        least: 1,
        aliases: &["RightInverse"],
        run: |a| Ok(a[0].layout()?.right_inverse().into()),
    },
    Operation {
        name: "zipped_divide",
        params: &[Layout, By],
        least: 2,
        aliases: &["ZippedDivide"],
        run: |a| Ok(a[0].layout()?.zipped_divide_by(&a[1].tiler()?)?.into()),
    },
];

impl Operation {
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
    fn the_table_is_sorted_and_complete() {
        assert!(OPERATIONS.is_sorted_by_key(|operation| operation.name));
        for operation in OPERATIONS {
            assert_eq!(operation.aliases.len(), operation.params.len() - operation.least + 1);
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
