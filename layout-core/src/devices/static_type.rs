//! Common parts of device layouts as types.

/// Defines a zero-sized type with these parameters, which is also its only value, as `Layout` is. If
/// the parameters are valid (`$static`), the type has the constant `LAYOUT`, and this implements the
/// methods that use it.
macro_rules! static_type {
    (
        $(#[$attribute:meta])*
        pub type $name:ident<$($parameter:ident $(= $default:ty)?),+>: $static:ident of $layout:ident;
    ) => {
        mod ghost {
            /// The type behind the alias of this name.
            #[derive(Default)]
            pub enum $name<$($parameter),+> {
                /// The layout.
                #[default]
                $name,
                #[doc(hidden)]
                #[allow(clippy::type_complexity, reason = "all of them")]
                Never(
                    core::convert::Infallible,
                    core::marker::PhantomData<fn() -> ($($parameter),+)>,
                ),
            }
        }

        /// The value namespace of the alias.
        mod value {
            pub use super::ghost::$name::$name;
        }
        pub use value::*;

        $(#[$attribute])*
        pub type $name<$($parameter $(= $default)?),+> = ghost::$name<$($parameter),+>;

        #[doc = concat!("A [`", stringify!($name), "`] with valid parameters.")]
        pub trait $static: 'static {
            /// The layout, or the error if it is not valid.
            const CHECKED: Result<$layout, LayoutError>;
        }

        impl<$($parameter),+> Clone for $name<$($parameter),+> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<$($parameter),+> Copy for $name<$($parameter),+> {}

        impl<$($parameter),+> PartialEq for $name<$($parameter),+> {
            fn eq(&self, _: &Self) -> bool {
                true
            }
        }
        impl<$($parameter),+> Eq for $name<$($parameter),+> {}

        impl<$($parameter),+> core::fmt::Display for $name<$($parameter),+>
        where
            Self: $static,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                Self::LAYOUT.fmt(f)
            }
        }

        impl<$($parameter),+> core::fmt::Debug for $name<$($parameter),+>
        where
            Self: $static,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                Self::LAYOUT.fmt(f)
            }
        }

        impl<$($parameter),+> AnyPlacement for $name<$($parameter),+>
        where
            Self: $static,
        {
            const STATIC: Option<Placement> = Some(Self::LAYOUT.placement());
            type Fallibility = AtCompileTime;

            fn placement(&self) -> Placement {
                const { Self::LAYOUT.placement() }
            }

            fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
                AnyPlacement::slot_number(const { &Self::LAYOUT }, coordinate)
            }

            fn fill(&self) -> Fill {
                AnyPlacement::fill(const { &Self::LAYOUT })
            }
        }
    };
}
pub(super) use static_type;
