//! Printing for device notations: lists, and enums with names.

use core::fmt;

/// Items printed with a separator between them.
pub(super) struct Separated<'a, T>(pub(super) &'a [T], pub(super) &'static str);

impl<T: fmt::Display> fmt::Display for Separated<'_, T> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(i, item)| {
            f.write_str(if i > 0 { self.1 } else { "" })?;
            item.fmt(f)
        })
    }
}

/// An enum whose variants have names: `ALL`, `name`, `names`, `of_name` and `Display`.
macro_rules! named {
    (
        $(#[$attribute:meta])*
        pub enum $type:ident {
            $($(#[$variant_attribute:meta])* $variant:ident: $($name:literal)+,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $type {
            $($(#[$variant_attribute])* $variant,)+
        }

        impl $type {
            /// All variants.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// The printed name: the first of its [names](Self::names).
            #[inline(never)]
            pub const fn name(self) -> &'static str {
                self.names()[0]
            }

            /// The names that are parsed.
            pub const fn names(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($name),+],)+
                }
            }

            /// The variant with this name.
            #[inline]
            pub fn of_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.names().contains(&name))
            }
        }

        impl core::fmt::Display for $type {
            #[inline]
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(super) use named;
