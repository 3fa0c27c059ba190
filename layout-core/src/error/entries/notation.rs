//! Entries about text that does not say what a layout is.

use crate::error::entries::Entry;
use crate::error::{LayoutError, NotationError};
use crate::word::Word;

const fn notation(error: NotationError) -> LayoutError {
    LayoutError::Notation(error)
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "L0101",
        "nothing to read",
        "",
        "A layout is a shape and a stride, such as (4,8):(8,1). A shape alone is its compact \
         column-major layout.",
    ),
    Entry::new(
        "L0102",
        "a character that the notation does not use",
        "(4,8):(8,1)$",
        "The notation has letters, digits, the parentheses ( ) [ ] < >, and , : - + @ _ o.",
    ),
    Entry::new(
        "L0103",
        concat!("an integer of more than ", size_bits!(), " bits"),
        "9223372036854775808:1",
        concat!(
            "No size, stride or offset exceeds 2^",
            size_bits!(),
            " - 1, which no memory does either."
        ),
    ),
    Entry::new(
        "L0104",
        "a literal that is no decimal integer",
        "(4.8):(1)",
        "Extents and strides are decimal integers, 32 or 1_024. A point where a comma was meant \
         makes a fraction.",
    ),
    Entry::new(
        "L0105",
        "an integer with a type",
        "8u32:1",
        "Numbers of layouts have no types. Leave the suffix away.",
    ),
    Entry::new(
        "L0106",
        "a negative extent, size or coordinate",
        "(4,-8):(8,1)",
        "Only strides and offsets may be negative: a mode that runs backwards is (4):(-1).",
    ),
    Entry::new(
        "L0107",
        "something missing",
        "(4,8):",
        "The message says what the notation has at this place, and what is there instead.",
    ),
    Entry::new(
        "L0108",
        "more behind a whole layout",
        "(4,8):(8,1) 2",
        "One expression is one layout. Two combine as A o B, or in an operation.",
    ),
    Entry::new(
        "L0109",
        "too many open parentheses",
        "(((((((((((((((((((((((((((((((((4)))))))))))))))))))))))))))))))))",
        "Expressions nest at most 32 deep, as layouts do. Name a part of it with let in a program, \
         or evaluate it first.",
    ),
    Entry::new(
        "L0110",
        "an open parenthesis",
        "(4,8:1",
        "Each ( [ { and < has its partner. Close it where its list ends.",
    ),
    Entry::new(
        "L0111",
        "a closing parenthesis that closes nothing",
        "(4,8)):(8,1)",
        "Each ) ] and } has its partner. Remove this one, or open it before.",
    ),
    Entry::new(
        "L0112",
        "an unknown operation",
        "coalese((4,8):(8,1))",
        "Operations have the names of CuTe in snake_case. `layout eval --help` lists them.",
    ),
    Entry::new(
        "L0113",
        "a wrong number of arguments",
        "composition((4,8):(8,1))",
        "`layout eval --help` lists what each operation takes.",
    ),
    Entry::new(
        "L0114",
        "something of another kind than the operation takes",
        "complement((4,8):(8,1), 8:1)",
        "An operation takes layouts, tilers, shapes, coordinates, integers or swizzles. A shape \
         stands for a layout where one is wanted, and a layout never for a shape.",
    ),
    Entry::new(
        "L0115",
        "a shape that may be a layout or a tiler",
        "(8,8):(8,1) o (4,4)",
        "In CuTe a shape composes mode by mode, and alone it is a layout. Write <4, 4> for the one \
         and (4,4):(1,4) for the other.",
    ),
    Entry::elsewhere(
        "a run-time value where a type is needed",
        "layout!(upcast((n, 8):(8, 1), m))",
        notation(NotationError::RunTimeArgument { operation: "upcast" }),
        "Numbers of modes, factors and the coordinates of a slice decide about the structure of a \
         result, so that in layout! they are part of its type. A DynLayout has methods that take them \
         as values; slice and dice of all layouts do, with `..` for `_`.",
    ),
    Entry::elsewhere(
        "a type and a value in one layout",
        "layout!((_, n):(1, 4))",
        notation(NotationError::HoleAndValue),
        "`_` leaves a number to run time and makes a type; a value makes a layout. A layout has one \
         or the other.",
    ),
    Entry::elsewhere(
        "strides that would be products of types and values",
        "layout!((N, n, 4))",
        notation(NotationError::StridesNeeded),
        "A shape without strides is column-major, with strides that are products of extents. Write \
         them where some extents are types and others values.",
    ),
    Entry::new(
        "L0119",
        "a name where nothing has a name",
        "(n,8):(8,1)",
        "Names, types and {expressions} are for layout! in a program. In a text write the number.",
    ),
    Entry::new(
        "L0120",
        "`_` where there must be a number",
        "(_,8):(8,1)",
        "In layout! `_` is a number known at run time. In an expression it keeps a mode, of a tiler \
         as <_, 4> or of a coordinate as (_,3).",
    ),
    Entry::elsewhere(
        "a type that is no layout by itself",
        "layout!(N)",
        notation(NotationError::NameWithoutStride { name: Word::new("N") }),
        "N:1 is a mode of a type-level extent. The name of a layout is a type already.",
    ),
    Entry::new(
        "L0122",
        "an unknown kind of physical dimension",
        "[0, 1 q(4)] for (4, 8)",
        "A dimension of a Morello layout takes the rest, as in `0`, is packed by p(n), or odd-even \
         by oe(n).",
    ),
    Entry::new(
        "L0123",
        "a dimension and its kind in one word",
        "[0, 1p(4)] for (4, 8)",
        "Rust reads `1p` as one number. Put a space between the dimension and its kind: 1 p(4).",
    ),
    Entry::new(
        "L0124",
        "a Morello layout without a shape",
        "flatten([1, 0])",
        "The list says in which order dimensions are laid out, and has strides for a shape: \
         [1, 0] for (4, 8).",
    ),
    Entry::elsewhere(
        "an operation that has no type",
        "layout!(gaps(Rows))",
        notation(NotationError::LiteralOnly { operation: "gaps" }),
        "The operation is evaluated in layout! when its layouts are written out. For a named layout \
         call the method, in a const if need be.",
    ),
    Entry::new(
        "L0126",
        "a list that nobody can read",
        "table(2097152)",
        "Lists have at most 1048576 items. Slice the layout first, or evaluate it at coordinates.",
    ),
    Entry::elsewhere(
        "a line that is not UTF-8",
        "printf '\\xff\\n' | layout eval -",
        notation(NotationError::NotText { at: 0 }),
        "Expressions are text in UTF-8, which ASCII is.",
    ),
    Entry::elsewhere(
        "a line that no expression needs",
        "a line of 100000 bytes for `layout eval -`",
        notation(NotationError::LineTooLong { limit: 65536 }),
        "Lines have at most 65536 bytes, so that memory stays bounded. The line is skipped.",
    ),
    Entry::elsewhere(
        "a negative stride in memory",
        "layout!((4, 8):(-8, 1))",
        notation(NotationError::SignedStride),
        "Offsets in memory are counted from its start, so that strides are not negative. Strides \
         such as -1 and 2@1 are for values that are no places in memory: `layout eval` computes \
         with them, and so does CoordinateLayout.",
    ),
];
