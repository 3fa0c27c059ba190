//! How an operation on types is named.
//!
//! The name of an operation stands for an associated type of its operands, and not for what that
//! expands to: what it expands to names an operand several times, so that the compiler would work
//! out `n` nested operations in time and memory exponential in `n`. As an argument of a trait an
//! operand is worked out once.

/// What the operation `O` gives for these operands, a tuple of types.
pub trait Operands<O> {
    /// The layout, [`Invalid`](super::Invalid) where there is none.
    type Layout;
}

/// Names operations: `Name<A: Bound, ..> = what it gives;`
macro_rules! operations {
    ($(
        $(#[$attribute:meta])*
        $name:ident<$($operand:ident: $bound:path),+> = $layout:ty;
    )+) => {
        /// What stands for each operation among the [`Operands`](crate::types::operation::Operands).
        #[doc(hidden)]
        pub(super) mod marks {$(
            #[derive(Debug)]
            pub enum $name {}
        )+}
        $(
            impl<$($operand: $bound),+> $crate::types::operation::Operands<marks::$name>
                for ($($operand,)+)
            {
                type Layout = $layout;
            }

            $(#[$attribute])*
            pub type $name<$($operand),+> =
                <($($operand,)+) as $crate::types::operation::Operands<marks::$name>>::Layout;
        )+
    };
}
pub(super) use operations;
