//! Macros that turn the rows of the list into the notation's table of operations.

/// Defines a [`Form`](crate::text::operations::Form) for each row.
macro_rules! forms {
    ($(
        #[doc = $summary:expr]
        $(#[$doc:meta])*
        $what:ident $name:ident $(as $text:ident)? ($($params:tt)*) $(-> $alias:ident)? {
            $($body:tt)*
        }
    )+) => {
        pub(super) const FORMS: &[$crate::text::operations::Form] = &[$(
            $crate::operations::forms::form! {
                $what [$summary] [$($text)? $name] ($($params)*) [$($alias)?] { $($body)* }
            }
        ),+];
    };
}

macro_rules! form {
    (
        text [$summary:expr] [$name:ident] ($($class:ident),*) [] { $run:expr }
    ) => {
        $crate::text::operations::Form {
            name: stringify!($name),
            params: &[$($crate::text::Kind::$class),*],
            alias: "",
            method: "",
            gives: $crate::text::Kind::Layout,
            summary: $summary,
            run: $run,
        }
    };
    (
        $what:ident [$summary:expr] [$name:ident $($method:ident)?]
        ($($arg:ident: $t:ident as $class:ident),+) [$alias:ident]
        { type $(($gives:ident))? = $modes:ty; $($body:tt)* }
    ) => {
        $crate::text::operations::Form {
            name: stringify!($name),
            params: &[$($crate::text::Kind::$class),+],
            alias: stringify!($alias),
            method: $crate::operations::forms::method_name!($what $name $($method)?),
            gives: $crate::operations::forms::gives!($($gives)?),
            summary: $summary,
            run: $crate::operations::forms::run!([$($arg $class),+] $($body)*),
        }
    };
}

macro_rules! method_name {
    (type $name:ident) => {
        ""
    };
    (fn $name:ident) => {
        stringify!($name)
    };
    (fn $name:ident $method:ident) => {
        stringify!($method)
    };
}

macro_rules! gives {
    () => {
        $crate::text::Kind::Layout
    };
    ($gives:ident) => {
        $crate::text::Kind::$gives
    };
}

/// The value in the notation, as a function of the arguments.
macro_rules! run {
    ($params:tt text = $run:expr;) => { $run };
    ($params:tt value = $value:expr; $(law($($law:tt)*) = $holds:expr;)? text = $run:expr;) => {
        $run
    };
    ([$($arg:ident $class:ident),+] value = $value:expr; $(law($($law:tt)*) = $holds:expr;)?) => {
        |args| {
            let [$($arg),+] = args else { $crate::text::operations::wrong_count() };
            $crate::operations::forms::run_on!([$($arg $class),+] $value)
        }
    };
}

/// The value for every kind of layout that the first operand may be.
macro_rules! run_on {
    ([$a:ident Domain, $b:ident Strided] $value:expr) => {
        $crate::text::domain::on_both!($a, $b, ($a, $b) => { let $b = &$b; $crate::text::operations::done($value)? })
    };
    ([$a:ident Domain, $n:ident Integer, $b:ident Strided] $value:expr) => {{
        $crate::operations::forms::read!($n Integer);
        $crate::text::domain::on_both!($a, $b, ($a, $b) => { let $b = &$b; $crate::text::operations::done($value)? })
    }};
    ([$a:ident Domain $(, $arg:ident $class:ident)*] $value:expr) => {{
        $($crate::operations::forms::read!($arg $class);)*
        $crate::text::domain::on_domain!($a, $a => $crate::text::operations::done($value)?)
    }};
    // Results that are integers, and do not depend on the swizzle's offsets.
    ([$a:ident Offsets $(, $arg:ident $class:ident)*] $value:expr) => {{
        $($crate::operations::forms::read!($arg $class);)*
        Ok(match $a {
            $crate::text::value::Value::Composed($a) => {
                $crate::text::operations::done($value)?.into()
            }
            $a => {
                let $a = $a.layout()?;
                $crate::text::operations::done($value)?.into()
            }
        })
    }};
    ([$($arg:ident $class:ident),*] $value:expr) => {{
        $($crate::operations::forms::read!($arg $class);)*
        Ok($crate::text::operations::done($value)?.into())
    }};
}

/// Converts an argument by its kind.
macro_rules! read {
    ($arg:ident Layout) => {
        let $arg = &$arg.layout()?;
    };
    ($arg:ident Tiler) => {
        let $arg = &$arg.tiler()?;
    };
    ($arg:ident IntTuple) => {
        let $arg = &$arg.int_tuple()?;
    };
    ($arg:ident Extents) => {
        let $arg = &$arg.extents()?;
    };
    ($arg:ident Integer) => {
        let $arg = $arg.integer()?;
    };
    ($arg:ident Slicer) => {
        let $arg = &$arg.coordinate()?;
    };
}

pub(super) use {form, forms, gives, method_name, read, run, run_on};
