//! Macros that turn the rows of the list into types and methods. The macros for the notation are in
//! `forms`.
//!
//! Each macro takes all rows of a part of the list, and passes each row to a helper macro.

/// The bound of an operand's type, by the kind in the row.
pub(crate) mod class {
    pub(crate) use crate::types::{
        AnyIntTuple as Extents, AnyIntTuple as IntTuple, AnyLayout as Domain,
        AnyLayout as Function, AnyLayout as Layout, AnyLayout as Leaves, AnyLayout as Mapping,
        AnyLayout as Offsets, AnyLayout as Strided, AnyTiler as Inner, AnyTiler as Tiler,
        Number as Integer, StaticSlicer as Slicer,
    };
}

/// Converts an operand to the form that an operation on modes takes.
macro_rules! on_modes {
    (Tiler $t:ty) => { $t };
    (Inner $t:ty) => { $t };
    (Integer $t:ty) => { <$t as $crate::types::Number>::Nat };
    (Slicer $t:ty) => { $t };
    (IntTuple $t:ty) => { <$t as $crate::types::AnyIntTuple>::Tree };
    (Extents $t:ty) => { <$t as $crate::types::AnyIntTuple>::Tree };
    ($layout:ident $t:ty) => { $crate::types::ModesOf<$t> };
}

/// The same with the run-time leaves named, as variables from `$from` on.
macro_rules! symbols {
    (Tiler $t:ty, $from:ty) => { <$t as $crate::types::AnyTiler>::Symbols<$from> };
    (Inner $t:ty, $from:ty) => { <$t as $crate::types::AnyTiler>::Symbols<$from> };
    (Integer $t:ty, $from:ty) => { <$t as $crate::types::Number>::Nat };
    (IntTuple $t:ty, $from:ty) => { <$t as $crate::types::AnyIntTuple>::Symbols<$from> };
    (Extents $t:ty, $from:ty) => { <$t as $crate::types::AnyIntTuple>::Symbols<$from> };
    ($layout:ident $t:ty, $from:ty) => {
        <$crate::types::ModesOf<$t> as $crate::types::ModeTree>::Symbols<$from>
    };
}

/// The value of an argument of a method.
macro_rules! value_of {
    (Tiler $argument:expr) => {
        &$argument.to_tiler()?
    };
    (Inner $argument:expr) => {
        &$argument.to_tiler()?
    };
    (Integer $argument:expr) => {
        $argument.to_tuple()?.at(0)
    };
    (IntTuple $argument:expr) => {
        &$argument.to_tuple()?
    };
    (Extents $argument:expr) => {
        &$argument.to_tuple()?
    };
    ($layout:ident $argument:expr) => {
        &$argument.to_dyn()?
    };
}

/// The kind of the result, from the kinds of all operands; coordinates are static.
macro_rules! kind {
    ($first:ty) => { $crate::types::KindOf<$first> };
    ($first:ty, Slicer $c:ident) => { $crate::types::KindOf<$first> };
    // In this order, so that a static number does not change the kind of a generic layout.
    ($first:ty, Integer $n:ident $(, $class:ident $t:ident)*) => {
        <<$n as $crate::types::Number>::Results as $crate::types::Kind>::Join<
            $crate::operations::rows::kind!($first $(, $class $t)*),
        >
    };
    ($first:ty, $class:ident $t:ident) => { $crate::types::Join<$first, $t> };
    ($first:ty, $class0:ident $t0:ident, $class1:ident $t1:ident) => {
        $crate::types::Join<$first, ($t0, $t1)>
    };
}

/// The type of a method's argument: numbers by value, everything else by reference.
macro_rules! argument {
    (Integer $t:ident) => {
        $t
    };
    ($class:ident $t:ident) => {
        &$t
    };
}

/// The modes of the operation `$alias` with the run-time leaves of all operands named.
macro_rules! named {
    ($alias:ident, $class:ident) => {
        modes::$alias<$crate::operations::rows::symbols!($class Self, typenum::UTerm)>
    };
    ($alias:ident, $class:ident, $class0:ident $t0:ident) => {
        modes::$alias<
            $crate::operations::rows::symbols!($class Self, typenum::UTerm),
            $crate::operations::rows::symbols!($class0 $t0, <Self as $crate::types::Operand>::NextSymbol<typenum::UTerm>),
        >
    };
    ($alias:ident, $class:ident, $class0:ident $t0:ident, $class1:ident $t1:ident) => {
        modes::$alias<
            $crate::operations::rows::symbols!($class Self, typenum::UTerm),
            $crate::operations::rows::symbols!($class0 $t0, <Self as $crate::types::Operand>::NextSymbol<typenum::UTerm>),
            $crate::operations::rows::symbols!(
                $class1 $t1,
                <$t0 as $crate::types::Operand>::NextSymbol<
                    <Self as $crate::types::Operand>::NextSymbol<typenum::UTerm>,
                >
            ),
        >
    };
}

/// The operations as types: an alias for each row that has a type.
macro_rules! aliases {
    ($(
        $(#[$doc:meta])*
        $what:ident $name:ident $(as $text:ident)? ($($params:tt)*) $(-> $alias:ident)? {
            $($body:tt)*
        }
    )+) => {
        /// Marker types of the operations, for [`Operands`](crate::operations::Operands).
        pub(crate) mod marks {
            $($crate::operations::rows::mark! { $what $($alias)? { $($body)* } })+
        }

        /// The results as modes. Operands have the form of
        /// [`on_modes`](crate::operations::rows::on_modes).
        pub(crate) mod modes {
            #[allow(clippy::wildcard_imports)]
            use super::*;
            $($crate::operations::rows::modes! { $what ($($params)*) $($alias)? { $($body)* } })+
        }

        $($crate::operations::rows::alias! {
            $what [$(#[$doc])*] ($($params)*) $($alias)? { $($body)* }
        })+
    };
}

macro_rules! mark {
    (text $body:tt) => {};
    ($what:ident $alias:ident { type ($gives:ident) $($rest:tt)* }) => {};
    ($what:ident $alias:ident $body:tt) => {
        #[derive(Debug)]
        pub enum $alias {}
    };
}

macro_rules! modes {
    (text $($row:tt)*) => {};
    (
        $what:ident ($($arg:ident: $t:ident as $class:ident),+) $alias:ident
        { type $(($gives:ident))? = $modes:ty; $($rest:tt)* }
    ) => {
        pub(crate) type $alias<$($t),+> = $modes;
    };
}

macro_rules! alias {
    (text $($row:tt)*) => {};
    // The result is not a layout, so it is never an operand.
    (
        type $docs:tt ($($arg:ident: $t:ident as $class:ident),+) $alias:ident
        { type ($gives:ident) = $modes:ty; $($rest:tt)* }
    ) => {
        $crate::operations::rows::documented! { $docs
            pub type $alias<$($t),+> =
                modes::$alias<$($crate::operations::rows::on_modes!($class $t)),+>;
        }
    };
    (
        $what:ident $docs:tt
        ($first_arg:ident: $first:ident as $first_class:ident $(, $arg:ident: $t:ident as $class:ident)*)
        $alias:ident { type = $modes:ty; $($rest:tt)* }
    ) => {
        impl<
            $first: $crate::operations::rows::class::$first_class
            $(, $t: $crate::operations::rows::class::$class)*
        > $crate::operations::Operands<marks::$alias> for ($first, $($t),*)
        {
            type Layout = $crate::types::LayoutOf<
                $crate::operations::rows::kind!($first $(, $class $t)*),
                modes::$alias<
                    $crate::operations::rows::on_modes!($first_class $first)
                    $(, $crate::operations::rows::on_modes!($class $t))*
                >,
            >;
        }

        $crate::operations::rows::documented! { $docs
            pub type $alias<$first $(, $t)*> =
                <($first, $($t),*) as $crate::operations::Operands<marks::$alias>>::Layout;
        }
    };
}

macro_rules! documented {
    ([$(#[$doc:meta])*] $item:item) => {
        $(#[$doc])*
        $item
    };
}

/// The operations as methods of a trait: one for each `fn` row.
macro_rules! methods {
    ($(
        #[doc = $summary:expr]
        $(#[$doc:meta])*
        $what:ident $name:ident $(as $text:ident)? ($($params:tt)*) $(-> $alias:ident)? {
            $($body:tt)*
        }
    )+) => {
        $($crate::operations::rows::method! {
            $what $name [$summary] ($($params)*) $($alias)? { $($body)* }
        })+
    };
}

macro_rules! method {
    // An operation without errors of its own is total.
    (
        fn $name:ident $docs:tt $params:tt $alias:ident {
            type = $modes:ty;
            value = Ok($total:expr);
            $($rest:tt)*
        }
    ) => {
        $crate::operations::rows::method_of! {
            Total $name $docs $params $alias { Ok($total) } $($rest)*
        }
    };
    (
        fn $name:ident $docs:tt $params:tt $alias:ident {
            type = $modes:ty;
            value = $value:expr;
            $($rest:tt)*
        }
    ) => {
        $crate::operations::rows::method_of! {
            Fallibility $name $docs $params $alias { $value } $($rest)*
        }
    };
    ($other:ident $($row:tt)*) => {};
}

macro_rules! method_of {
    (
        $check:ident $name:ident [$summary:expr]
        ($first:ident: $first_type:ident as $first_class:ident $(, $arg:ident: $t:ident as $class:ident)*)
        $alias:ident { $value:expr }
        $(law($result:ident, $by_value:ident) = $law:expr;)?
        $(text = $text:expr;)?
    ) => {
        #[doc = $summary]
        ///
        #[doc = concat!("Its type is [`", stringify!($alias), "`](type@", stringify!($alias), ").")]
        fn $name<$($t: $crate::operations::rows::class::$class),*>(
            &self,
            $($arg: $crate::operations::rows::argument!($class $t)),*
        ) -> <<
            $crate::operations::rows::kind!(Self $(, $class $t)*) as Kind
        >::$check as Fallibility>::Outcome<$alias<Self, $($t),*>>
        where
            Self: Sized,
        {
            type Result<T = DynLayout> = core::result::Result<T, LayoutError>;
            const { exists::<$crate::operations::rows::kind!(Self $(, $class $t)*), modes::$alias<
                $crate::operations::rows::on_modes!($first_class Self)
                $(, $crate::operations::rows::on_modes!($class $t))*
            >>() };
            let result = <$crate::operations::rows::kind!(Self $(, $class $t)*) as Kind>::result::<
                modes::$alias<
                    $crate::operations::rows::on_modes!($first_class Self)
                    $(, $crate::operations::rows::on_modes!($class $t))*
                >,
                $crate::operations::rows::named!($alias, $first_class $(, $class $t)*),
            >(
                stringify!($name),
                |variables| {
                    self.append_variables(variables);
                    $($arg.append_variables(variables);)*
                },
                || -> Result {
                    let $first = $crate::operations::rows::value_of!($first_class self);
                    $(let $arg = $crate::operations::rows::value_of!($class $arg);)*
                    $value
                },
                $crate::operations::rows::law!(
                    [
                        $first = $crate::operations::rows::value_of!($first_class self)
                        $(, $arg = $crate::operations::rows::value_of!($class $arg))*
                    ]
                    $($result $by_value $law)?
                ),
            );
            <<$crate::operations::rows::kind!(Self $(, $class $t)*) as Kind>::$check as Fallibility>::outcome(
                result,
            )
        }
    };
}

macro_rules! law {
    ([$($arg:ident = $argument:expr),+]) => { agree };
    ([$($arg:ident = $argument:expr),+] $result:ident $by_value:ident $law:expr) => {
        |$result: &DynLayout, $by_value: &DynLayout| {
            let holds = || -> Result<bool> {
                $(#[allow(unused_variables)] let $arg = $argument;)+
                Ok($law)
            };
            holds().unwrap_or(false)
        }
    };
}

/// The operations on values as `const fn`s: one for each `fn` row.
macro_rules! const_functions {
    ($(
        #[doc = $summary:expr]
        $(#[$doc:meta])*
        $what:ident $name:ident $(as $text:ident)? ($($params:tt)*) $(-> $alias:ident)? {
            $($body:tt)*
        }
    )+) => {
        $($crate::operations::rows::const_function! {
            $what $name [$summary] ($($params)*) { $($body)* }
        })+
    };
}

macro_rules! const_function {
    (
        fn $name:ident [$summary:expr]
        ($first:ident: $first_type:ident as $first_class:ident $(, $arg:ident: $t:ident as $class:ident)*)
        { type = $modes:ty; value = Ok($total:expr); $($rest:tt)* }
    ) => {
        #[doc = $summary]
        #[inline]
        pub const fn $name(
            $first: &DynLayout,
            $($arg: $crate::operations::rows::const_argument!($class)),*
        ) -> DynLayout {
            $total
        }
    };
    (
        fn $name:ident [$summary:expr]
        ($first:ident: $first_type:ident as $first_class:ident $(, $arg:ident: $t:ident as $class:ident)*)
        { type = $modes:ty; value = $value:expr; $($rest:tt)* }
    ) => {
        #[doc = $summary]
        ///
        /// # Errors
        ///
        /// If there is no result.
        #[inline]
        pub const fn $name(
            $first: &DynLayout,
            $($arg: $crate::operations::rows::const_argument!($class)),*
        ) -> Result<DynLayout, LayoutError> {
            $value
        }
    };
    ($other:ident $($row:tt)*) => {};
}

macro_rules! const_argument {
    (Tiler) => {
        &Tiler
    };
    (Inner) => {
        &Tiler
    };
    (Integer) => {
        usize
    };
    (IntTuple) => {
        &IntTuple
    };
    (Extents) => {
        &IntTuple
    };
    ($layout:ident) => {
        &DynLayout
    };
}

pub(crate) use {
    alias, aliases, argument, const_argument, const_function, const_functions, documented, kind,
    law, mark, method, method_of, methods, modes, named, on_modes, symbols, value_of,
};
