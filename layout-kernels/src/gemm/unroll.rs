//! `unroll!`: loops over few numbers, written out.

/// Writes `$body` out for each number below `$limit` from a list of literals. With a limit that is a
/// `const` block nothing is compiled for others; otherwise it is for the optimiser to remove that.
macro_rules! unroll {
    ($i:ident < const $limit:block, $most:tt, $body:block) => {
        unroll!($most @const $i $limit, $body)
    };
    ($i:ident < $limit:expr, $most:tt, $body:block) => {
        unroll!($most @ $i $limit, $body)
    };
    (2 $($written:tt)*) => { unroll!($($written)* 0 1) };
    (3 $($written:tt)*) => { unroll!($($written)* 0 1 2) };
    (4 $($written:tt)*) => { unroll!($($written)* 0 1 2 3) };
    (8 $($written:tt)*) => { unroll!($($written)* 0 1 2 3 4 5 6 7) };
    (16 $($written:tt)*) => { unroll!($($written)* 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (@const $i:ident $limit:block, $body:block $($literal:literal)*) => {
        $(if const { $literal < $limit } {
            let $i: usize = $literal;
            $body
        })*
    };
    (@ $i:ident $limit:expr, $body:block $($literal:literal)*) => {
        $(if $literal < $limit {
            let $i: usize = $literal;
            $body
        })*
    };
}

pub(crate) use unroll;
