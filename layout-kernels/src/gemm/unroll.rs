//! `unroll!`: loops over few numbers, written out.

/// Writes `$body` out for each number below `$limit` from a list of literals. With a limit that is a
/// `const` block nothing is compiled for others; otherwise it is for the optimiser to remove that.
macro_rules! unroll {
    ($i:ident < const $limit:block, 2, $body:block) => {
        unroll!(@const $i $limit, $body 0 1)
    };
    ($i:ident < const $limit:block, 3, $body:block) => {
        unroll!(@const $i $limit, $body 0 1 2)
    };
    ($i:ident < const $limit:block, 4, $body:block) => {
        unroll!(@const $i $limit, $body 0 1 2 3)
    };
    ($i:ident < const $limit:block, 8, $body:block) => {
        unroll!(@const $i $limit, $body 0 1 2 3 4 5 6 7)
    };
    ($i:ident < const $limit:block, 16, $body:block) => {
        unroll!(@const $i $limit, $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@const $i:ident $limit:block, $body:block $($literal:literal)*) => {
        $(if const { $literal < $limit } {
            let $i: usize = $literal;
            $body
        })*
    };
    ($i:ident < $limit:expr, 2, $body:block) => {
        unroll!(@ $i $limit, $body 0 1)
    };
    ($i:ident < $limit:expr, 3, $body:block) => {
        unroll!(@ $i $limit, $body 0 1 2)
    };
    ($i:ident < $limit:expr, 4, $body:block) => {
        unroll!(@ $i $limit, $body 0 1 2 3)
    };
    ($i:ident < $limit:expr, 8, $body:block) => {
        unroll!(@ $i $limit, $body 0 1 2 3 4 5 6 7)
    };
    ($i:ident < $limit:expr, 16, $body:block) => {
        unroll!(@ $i $limit, $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $i:ident $limit:expr, $body:block $($literal:literal)*) => {
        $(if $literal < $limit {
            let $i: usize = $literal;
            $body
        })*
    };
}

pub(crate) use unroll;
