//! The part of the catalogue about the notation: text that does not say what a layout is.

use crate::engine::IntTuple;
use crate::message::Message;
use crate::word::Word;

/// What is wrong with a text, or with the tokens of `layout!`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NotationError {
    /// Nothing but blanks.
    Empty,
    /// A character that the notation does not use.
    Character {
        /// The character.
        character: Word,
    },
    /// An integer above [`MAX_SIZE`](crate::engine::MAX_SIZE).
    IntegerTooLarge {
        /// The integer as written.
        text: Word,
    },
    /// A decimal fraction, a hexadecimal number, a string.
    NotAnInteger {
        /// The literal as written.
        text: Word,
    },
    /// An integer with a type, as `8u32`.
    IntegerSuffix {
        /// The integer as written.
        text: Word,
        /// Its digits.
        digits: Word,
    },
    /// A negative extent, size or coordinate.
    Negative,
    /// A stride that is negative or has a direction, in a layout of memory.
    SignedStride,
    /// Something else where the grammar has one choice.
    Expected {
        /// What the grammar has there.
        expected: &'static str,
        /// What was there; empty at the end of the text.
        found: Word,
    },
    /// More tokens after a whole layout.
    Trailing {
        /// The first of them.
        found: Word,
    },
    /// More parentheses inside each other than the parser follows.
    TooDeep {
        /// The most there may be.
        limit: usize,
    },
    /// A parenthesis without its partner.
    Unclosed {
        /// The opening one.
        open: Word,
    },
    /// A closing parenthesis that closes nothing.
    Unopened {
        /// The closing one.
        close: Word,
    },
    /// A name before `(` that is no operation.
    UnknownOperation {
        /// The name.
        name: Word,
        /// The operation with the most similar name, or nothing.
        similar: &'static str,
    },
    /// Too few or too many arguments.
    ArgumentCount {
        /// The operation.
        operation: &'static str,
        /// The fewest it takes.
        least: usize,
        /// The most it takes.
        most: usize,
        /// The number there was.
        found: usize,
    },
    /// A layout where there must be an integer, or the like.
    Kind {
        /// What there must be.
        expected: &'static str,
        /// What there was.
        found: &'static str,
    },
    /// A bare shape as a tiler, which could be read in two ways.
    AmbiguousTiler {
        /// The shape.
        shape: IntTuple,
    },
    /// A run-time value where an operation in `layout!` needs what is known to the compiler.
    RunTimeArgument {
        /// The operation.
        operation: &'static str,
    },
    /// An operation that only exists for layouts that are written out, with the name of one.
    LiteralOnly {
        /// The operation.
        operation: &'static str,
    },
    /// `_` and run-time values in one layout.
    HoleAndValue,
    /// Strides left out where they would be products of type-level integers.
    StridesNeeded,
    /// A name, or `{..}`, in a text, where nothing has a name.
    NameInText {
        /// The name.
        name: Word,
    },
    /// `_` where there must be a number.
    HoleInText,
    /// Two types that `layout!` cannot tell from integers, or a type where there is no layout.
    NameWithoutStride {
        /// The name.
        name: Word,
    },
    /// An unknown kind of physical dimension.
    PhysicalKind {
        /// The kind as written.
        found: Word,
    },
    /// A dimension and its kind without a space, as `2p(4)`.
    SpaceNeeded {
        /// Both as written.
        text: Word,
        /// The dimension.
        dimension: Word,
        /// The kind.
        kind: Word,
    },
    /// A Morello layout without `for (shape)` where it must be a layout.
    ShapeNeeded,
    /// A list that nobody could read.
    ListTooLong {
        /// The operation.
        operation: &'static str,
        /// The most numbers it could have.
        length: usize,
        /// The most there may be.
        limit: usize,
    },
    /// A line of input that is not UTF-8.
    NotText {
        /// The number of bytes before the first that is not.
        at: usize,
    },
    /// A line of input that no expression needs.
    LineTooLong {
        /// The most bytes there may be.
        limit: usize,
    },
}

impl NotationError {
    /// `select` by a tuple inside a tuple.
    pub(crate) const NESTED_MODES: Self =
        Self::Kind { expected: "an integer or a flat tuple of them", found: "a nested tuple" };

    #[inline]
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "L0101",
            Self::Character { .. } => "L0102",
            Self::IntegerTooLarge { .. } => "L0103",
            Self::NotAnInteger { .. } => "L0104",
            Self::IntegerSuffix { .. } => "L0105",
            Self::Negative => "L0106",
            Self::Expected { .. } => "L0107",
            Self::Trailing { .. } => "L0108",
            Self::TooDeep { .. } => "L0109",
            Self::Unclosed { .. } => "L0110",
            Self::Unopened { .. } => "L0111",
            Self::UnknownOperation { .. } => "L0112",
            Self::ArgumentCount { .. } => "L0113",
            Self::Kind { .. } => "L0114",
            Self::AmbiguousTiler { .. } => "L0115",
            Self::RunTimeArgument { .. } => "L0116",
            Self::HoleAndValue => "L0117",
            Self::StridesNeeded => "L0118",
            Self::NameInText { .. } => "L0119",
            Self::HoleInText => "L0120",
            Self::NameWithoutStride { .. } => "L0121",
            Self::PhysicalKind { .. } => "L0122",
            Self::SpaceNeeded { .. } => "L0123",
            Self::ShapeNeeded => "L0124",
            Self::LiteralOnly { .. } => "L0125",
            Self::ListTooLong { .. } => "L0126",
            Self::NotText { .. } => "L0127",
            Self::LineTooLong { .. } => "L0128",
            Self::SignedStride => "L0129",
        }
    }

    pub(crate) const fn message<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::Empty => m.str("there is no layout here"),
            Self::Character { character } => {
                m.str("`").str(character.as_str()).str("` has no place in the notation of layouts")
            }
            Self::IntegerTooLarge { text } => m.str("integer ").str(text.as_str()).str(concat!(
                " does not fit in ",
                size_bits!(),
                " bits"
            )),
            Self::NotAnInteger { text } => {
                m.str("`").str(text.as_str()).str("` is not a decimal integer")
            }
            Self::IntegerSuffix { text, .. } => {
                m.str("integer `").str(text.as_str()).str("` has a suffix")
            }
            Self::Negative => m.str("extents, sizes and coordinates are not negative"),
            Self::SignedStride => m.str("a stride in memory is not negative and has no direction"),
            Self::Expected { expected, found } => {
                let m = m.str("expected ").str(expected).str(", found ");
                quoted_or_end(m, found)
            }
            Self::Trailing { found } => {
                m.str("unexpected `").str(found.as_str()).str("` after the layout")
            }
            Self::TooDeep { limit } => {
                m.str("more than ").num(*limit).str(" parentheses are open here")
            }
            Self::Unclosed { open } => m.str("`").str(open.as_str()).str("` is not closed"),
            Self::Unopened { close } => m.str("`").str(close.as_str()).str("` closes nothing"),
            Self::UnknownOperation { name, .. } => {
                m.str("there is no operation `").str(name.as_str()).str("`")
            }
            Self::ArgumentCount { operation, least, most, found } => {
                let m = m.str("`").str(operation).str("` takes ").num(*least);
                let m = if *most > *least { m.str(" or ").num(*most) } else { m };
                let m = m.str(if *most == 1 { " argument" } else { " arguments" });
                m.str(", and there ").str(if *found == 1 { "is " } else { "are " }).num(*found)
            }
            Self::Kind { expected, found } => {
                m.str("expected ").str(expected).str(", found ").str(found)
            }
            Self::AmbiguousTiler { shape } => m
                .str("as a tiler, ")
                .tuple(shape)
                .str(" may be a layout or a tuple that applies mode by mode"),
            Self::RunTimeArgument { operation } => m.str(operation).str(
                " in layout! needs numbers that are known to the compiler here, not at run time",
            ),
            Self::LiteralOnly { operation } => m
                .str("this form of `")
                .str(operation)
                .str("` needs layouts that are written out, not their names"),
            Self::HoleAndValue => {
                m.str("`_` makes a type and a run-time value makes a value: not both in one layout")
            }
            Self::StridesNeeded => {
                m.str("the strides of this shape are products of types and of run-time values")
            }
            Self::NameInText { name } => m.str("`").str(name.as_str()).str("` has no value here"),
            Self::HoleInText => m.str("`_` has no value here"),
            Self::NameWithoutStride { name } => {
                m.str("`").str(name.as_str()).str("` alone is a name, not notation")
            }
            Self::PhysicalKind { found } => {
                let m = m.str("expected `p(n)`, `oe(n)` or the next dimension, found ");
                quoted_or_end(m, found)
            }
            Self::SpaceNeeded { text, .. } => {
                m.str("`").str(text.as_str()).str("` is one token, not a dimension and its kind")
            }
            Self::ShapeNeeded => m.str("a Morello layout has no strides before it meets a shape"),
            Self::ListTooLong { operation, length, limit } => m
                .str("`")
                .str(operation)
                .str("` of ")
                .num(*length)
                .str(" offsets is more than the ")
                .num(*limit)
                .str(" of the longest list"),
            Self::NotText { at } => m.str("the line is not UTF-8 from byte ").num(*at).str(" on"),
            Self::LineTooLong { limit } => {
                m.str("the line has more than ").num(*limit).str(" bytes")
            }
        }
    }

    pub(crate) const fn help<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::Empty => m.str("write a shape and its stride, such as (4,8):(8,1)"),
            Self::NotAnInteger { .. } => m.str("write decimal digits; modes are separated by `,`"),
            Self::SignedStride => {
                m.str("CoordinateLayout, and `layout eval`, have strides such as -1 and 2@1")
            }
            Self::IntegerSuffix { digits, .. } => m.str("write ").str(digits.as_str()),
            Self::Expected { found, .. } | Self::Trailing { found } if is_operator(found) => {
                m.str("put a Rust expression in braces, {n + 1}")
            }
            Self::Trailing { .. } => {
                m.str("a layout is shape:stride; two layouts combine as `A o B` or in an operation")
            }
            Self::UnknownOperation { similar, .. } if !similar.is_empty() => {
                m.str("did you mean `").str(similar).str("`?")
            }
            Self::UnknownOperation { .. } => {
                m.str("the documentation of layout! lists the operations")
            }
            Self::AmbiguousTiler { shape } => {
                // A tuple without its parentheses, in angle brackets.
                let mut text = Message::new();
                text.tuple(shape);
                m.str("write <..> to apply it mode by mode, or give it strides, as in ")
                    .str(text.as_str())
                    .str(":(..)")
            }
            Self::RunTimeArgument { .. } => {
                m.str("call the method of a run-time layout instead, or write the number here")
            }
            Self::HoleAndValue => m.str("write `_` for every run-time leaf, or a value for each"),
            Self::StridesNeeded => m.str("write the strides after `:`"),
            Self::NameInText { .. } => m.str("names, types and {expressions} belong in layout!"),
            Self::HoleInText => {
                m.str("write a number; `_` belongs in layout!, in a tiler <_, 4> and in a coordinate of an operation")
            }
            Self::NameWithoutStride { .. } => {
                m.str("a type-level extent needs a stride, N:1; a layout type is used by its name")
            }
            Self::SpaceNeeded { dimension, kind, .. } => m
                .str("put a space between them: ")
                .str(dimension.as_str())
                .str(" ")
                .str(kind.as_str())
                .str("(n)"),
            Self::ShapeNeeded => m.str("add the shape, as in [1, 0, 1 p(4)] for (6, 8)"),
            _ => m,
        }
    }
}

/// Whether this is a part of Rust expressions and not of the notation.
const fn is_operator(found: &Word) -> bool {
    matches!(
        found.as_str().as_bytes(),
        b"+" | b"-" | b"*" | b"/" | b"%" | b"." | b"&" | b"|" | b"?" | b"as"
    )
}

const fn quoted_or_end<'a>(m: &'a mut Message, found: &Word) -> &'a mut Message {
    if found.as_str().is_empty() {
        m.str("the end")
    } else {
        m.str("`").str(found.as_str()).str("`")
    }
}
