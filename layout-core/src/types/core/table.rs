//! `decisions!` and `table!`: define an operation case by case, with each signature written once.

/// Defines the branches of decisions as a trait of [`True`](super::ternary::True),
/// [`False`](super::ternary::False) and [`Unknown`](super::ternary::Unknown): for each branch its
/// signature, and its value for each decision. If a branch has no value for `Unknown`, it requires
/// the decision, and the value is [`RunTimeLeaf`](super::invalid::RunTimeLeaf).
macro_rules! decisions {
    (
        $(#[$doc:meta])*
        trait $table:ident;
        $(
            $(#[$row:meta])*
            type $branch:ident $(<$($param:ident: $bound:ident),+>)?: $result:ident {
                True => $yes:ty, False => $no:ty $(, Unknown => $open:ty)? $(,)?
            }
        )+
    ) => {
        $(#[$doc])*
        pub trait $table {
            $($(#[$row])* type $branch $(<$($param: $bound),+>)?: $result;)+
        }
        impl $table for $crate::types::core::ternary::True {
            $(type $branch $(<$($param: $bound),+>)? = $yes;)+
        }
        impl $table for $crate::types::core::ternary::False {
            $(type $branch $(<$($param: $bound),+>)? = $no;)+
        }
        impl $table for $crate::types::core::ternary::Unknown {
            $(
                type $branch $(<$($param: $bound),+>)? = $crate::types::core::table::given_or!(
                    $($open)?,
                    $crate::types::core::invalid::Invalid<$crate::types::core::invalid::RunTimeLeaf>
                );
            )+
        }
    };
}

/// Defines a trait of all lists, or of all trees: for each associated type its signature, and its
/// value for each sort. After `for` are the leaves, if it is a trait of trees, and the non-empty
/// lists. If there is no value for [`Invalid`](super::invalid::Invalid), that stays as it is.
macro_rules! table {
    (
        $(#[$doc:meta])*
        trait $table:ident $(: $super:tt $(+ $more:tt)*)? for [$($generics:tt)*] $list:ty;
        $(
            $(#[$row:meta])*
            type $name:ident $(<$($param:ident: $bound:ident),+>)?: $result:ident {
                Nil => $nil:ty, Cons => $cons:ty $(, Invalid => $invalid:ty)? $(,)?
            }
        )+
    ) => {
        $(#[$doc])*
        pub trait $table $(: $super $(+ $more)*)? {
            $($(#[$row])* type $name $(<$($param: $bound),+>)?: $result;)+
        }
        impl $table for $crate::types::core::tree::Nil {
            $(type $name $(<$($param: $bound),+>)? = $nil;)+
        }
        impl<$($generics)*> $table for $list {
            $(type $name $(<$($param: $bound),+>)? = $cons;)+
        }
        impl<Why: $crate::types::core::invalid::Reason> $table
            for $crate::types::core::invalid::Invalid<Why>
        {
            $(
                type $name $(<$($param: $bound),+>)? =
                    $crate::types::core::table::given_or!($($invalid)?, Self);
            )+
        }
    };
    (
        $(#[$doc:meta])*
        trait $table:ident $(: $super:tt $(+ $more:tt)*)? for
            [$($leaf_generics:tt)*] $leaf:ty, [$($generics:tt)*] $list:ty;
        $(
            $(#[$row:meta])*
            type $name:ident $(<$($param:ident: $bound:ident),+>)?: $result:ident {
                Leaf => $leaf_value:ty,
                Nil => $nil:ty, Cons => $cons:ty $(, Invalid => $invalid:ty)? $(,)?
            }
        )+
    ) => {
        $crate::types::core::table::table! {
            $(#[$doc])*
            trait $table $(: $super $(+ $more)*)? for [$($generics)*] $list;
            $(
                $(#[$row])*
                type $name $(<$($param: $bound),+>)?: $result {
                    Nil => $nil, Cons => $cons $(, Invalid => $invalid)?
                }
            )+
        }
        impl<$($leaf_generics)*> $table for $leaf {
            $(type $name $(<$($param: $bound),+>)? = $leaf_value;)+
        }
    };
}

/// The first type if it is given, else the second.
macro_rules! given_or {
    ($given:ty, $other:ty) => {
        $given
    };
    (, $other:ty) => {
        $other
    };
}
pub(crate) use {decisions, given_or, table};
