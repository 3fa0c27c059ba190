//! `catalogue!`: defines all parts of an error in one place.

use crate::engine::{IntTuple, Swizzle};
use crate::error::{
    AccessError, AlgebraError, ArrayError, EinsumError, LayoutError, LinearError, MorelloError,
    NotationError, PlacementError, SpyreError, TenstorrentError,
};

/// Defines an enum of errors from its entries:
///
/// ```text
/// "L0205": "an extent of 0", ZeroExtent {          // the code, a title without numbers, the variant
///     /* fields with their docs */
/// } => {
///     message: |m| m.str("an extent must be at least 1"),
///     help: |m| m.str("what would fit"),           // may be left out
///     meaning: "The rule, and what to do: sentences.",
///     example: "complement((4,0):(1,4), 8)",       // an expression that has the error
///     example: "View::new(..)" => Self::..,        // or what else causes it, and the error
/// }
/// ```
///
/// The entries are in the order of their codes. A message is one line: lower case, with numbers,
/// without a full stop. Message and help are built by `const fn`s, so a compile error and an `Err`
/// read the same. The fields of the variant are in scope as references.
macro_rules! catalogue {
    (
        $(#[$attribute:meta])*
        pub enum $error:ident;
        $(wraps { $( $(#[$wrap_doc:meta])* $wrap:ident($inner:ident), )+ })?
        $(
            $code:literal: $title:expr,
            $variant:ident $({ $( $(#[$field_doc:meta])* $field:ident: $type:ty, )+ })? => {
                message: |$m:ident| $message:expr,
                $(help: |$h:ident| $help:expr,)?
                meaning: $meaning:expr,
                example: $example:expr $(=> $cause:expr)?,
            }
        )+
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $error {
            $($( $(#[$wrap_doc])* $wrap($inner), )+)?
            $(
                #[doc = concat!($code, ": ", $title, ".")]
                $variant $({ $( $(#[$field_doc])* $field: $type, )+ })?,
            )+
        }

        $($(
            impl From<$inner> for $error {
                fn from(error: $inner) -> Self {
                    Self::$wrap(error)
                }
            }

            impl $inner {
                /// Converts to the error type of the whole catalogue.
                #[allow(dead_code)]
                pub(crate) const fn widen(self) -> $error {
                    $error::$wrap(self)
                }
            }
        )+)?

        /// The derived form. A derived function would be inlined, and so compiled in every crate that
        /// unwraps a `Result`.
        impl core::fmt::Debug for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $($( Self::$wrap(error) => f.debug_tuple(stringify!($wrap)).field(error).finish(), )+)?
                    $( Self::$variant $({ $($field),+ })? => f
                        .debug_struct(stringify!($variant))
                        $($( .field(stringify!($field), $field) )+)?
                        .finish(), )+
                }
            }
        }

        impl $error {
            /// The entries of these errors in the catalogue.
            pub(crate) const ENTRIES: &'static [$crate::error::Entry] = &[$(
                $crate::error::Entry {
                    code: $code,
                    title: $title,
                    meaning: $meaning,
                    example: catalogue!(@example $example $(, $cause)?),
                },
            )+];

            /// The error's stable name in documentation and tests, such as `L0203`.
            #[inline]
            pub const fn code(&self) -> &'static str {
                match self {
                    $($( Self::$wrap(error) => error.code(), )+)?
                    $( Self::$variant { .. } => $code, )+
                }
            }

            #[allow(unused_variables)]
            pub(crate) const fn write_message<'a>(
                &self,
                m: &'a mut $crate::const_text::ConstText,
            ) -> &'a mut $crate::const_text::ConstText {
                match self {
                    $($( Self::$wrap(error) => error.write_message(m), )+)?
                    $( Self::$variant $({ $($field),+ })? => {
                        let $m = m;
                        $message
                    } )+
                }
            }

            #[allow(unused_variables)]
            pub(crate) const fn write_help<'a>(
                &self,
                m: &'a mut $crate::const_text::ConstText,
            ) -> &'a mut $crate::const_text::ConstText {
                match self {
                    $($( Self::$wrap(error) => error.write_help(m), )+)?
                    $( Self::$variant $({ $($field),+ })? => catalogue!(@help m $(, $h => $help)?), )+
                }
            }
        }
    };
    (@example $expression:expr) => { $crate::error::Example::Expression($expression) };
    (@example $cause:expr, $error:expr) => {
        $crate::error::Example::Elsewhere($cause, $error.widen())
    };
    (@help $m:ident) => { $m };
    (@help $m:ident, $h:ident => $help:expr) => {{
        let $h = $m;
        $help
    }};
}
pub(crate) use catalogue;

/// The catalogue entry of an error: its rule, what to do, and an example.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The code, as returned by [`LayoutError::code`].
    pub code: &'static str,
    /// The error, in a few words without numbers.
    pub title: &'static str,
    /// The rule, and what to do: full sentences.
    pub meaning: &'static str,
    /// An example of the error.
    pub example: Example,
}

/// An example of an error.
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// An expression that has the error.
    Expression(&'static str),
    /// A cause elsewhere, in `layout!` or in a program, and the error.
    Elsewhere(&'static str, LayoutError),
}

/// All entries, in the order of their codes.
///
/// ```
/// use static_layout::error::entries;
/// assert!(entries().any(|entry| entry.code == "L0203"));
/// ```
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    const GROUPS: [&[Entry]; 11] = [
        NotationError::ENTRIES,
        LayoutError::ENTRIES,
        AlgebraError::ENTRIES,
        LinearError::ENTRIES,
        MorelloError::ENTRIES,
        ArrayError::ENTRIES,
        EinsumError::ENTRIES,
        PlacementError::ENTRIES,
        SpyreError::ENTRIES,
        TenstorrentError::ENTRIES,
        AccessError::ENTRIES,
    ];
    // A type may have codes of several areas. The area is the digit after `L0`.
    (b'1'..=b'9').flat_map(|area| {
        GROUPS.into_iter().flatten().filter(move |entry| entry.code.as_bytes()[2] == area)
    })
}

/// The entry of a code, which may be in lower case.
///
/// ```
/// use static_layout::error::entry;
/// assert_eq!(entry("l0210").unwrap().title, "a coordinate that does not match the shape");
/// assert!(entry("L9999").is_none());
/// ```
#[inline]
pub fn entry(code: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

/// A shape or a stride of two integers, for examples.
pub(crate) const fn pair(rows: usize, columns: usize) -> IntTuple {
    IntTuple::leaf(rows).pair(&IntTuple::leaf(columns))
}

/// A swizzle, for examples.
pub(crate) const SWIZZLE: Swizzle = or_panic!(Swizzle::new(3, 0, 3));
