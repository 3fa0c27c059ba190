//! `Operand`: the operands of operations: layouts, tilers and integer tuples of every kind.

use crate::engine::{DynLayout, IntTuple, Tiler};
use crate::types::api::kind::{DynamicKind, Kind, MixedKind, StaticKind};
use crate::types::api::layout::Layout;
use crate::types::api::mixed::Mixed;
use crate::types::api::tiler::Tile;
use crate::types::core::modes::{LeafWriter, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::sealed::Sealed;
use crate::types::core::symbolic::Variables;
use crate::types::core::tree::{Tree, Zip};
use crate::types::ops::tiled::Keep;

/// An operand of an operation: a layout, a tiler, an integer or a tuple of these.
#[diagnostic::on_unimplemented(
    message = "this is not an operand of an operation on layouts",
    label = "neither a layout nor a tiler nor an integer tuple"
)]
pub trait Operand: Sealed + 'static {
    /// How much of it is known to the compiler.
    type Kind: Kind;
    /// The next free variable after naming its run-time leaves from `I` on.
    #[doc(hidden)]
    type NextSymbol<I: Nat>: Nat;
    /// Appends the values of the named leaves. There is room for the leaves of every operand that
    /// has a value.
    #[doc(hidden)]
    fn append_variables(&self, variables: &mut Variables);
}

/// The kind of an operand.
pub type KindOf<T> = <T as Operand>::Kind;
/// The kind of the result of an operation on both.
pub type Join<A, B> = <KindOf<A> as Kind>::Join<KindOf<B>>;

macro_rules! nothing_named {
    ($kind:ty: $([$($generics:tt)*] $operand:ty;)+) => {$(
        impl<$($generics)*> Operand for $operand {
            type Kind = $kind;
            type NextSymbol<I: Nat> = I;
            #[inline(always)]
            fn append_variables(&self, _: &mut Variables) {}
        }
    )+};
}
nothing_named! { StaticKind:
    [S: 'static, D: 'static] Layout<S, D>;
    [] Keep;
    [L: 'static] Tile<L>;
}
nothing_named! { DynamicKind:
    [] DynLayout;
    [] Tiler;
    [] IntTuple;
    [const N: usize] [usize; N];
}

#[diagnostic::do_not_recommend]
impl<T: Tree> Operand for T {
    type Kind = StaticKind;
    type NextSymbol<I: Nat> = I;
    #[inline(always)]
    fn append_variables(&self, _: &mut Variables) {}
}

impl<S: Tree, D: Tree> Operand for Mixed<S, D> {
    type Kind = MixedKind;
    type NextSymbol<I: Nat> = <Zip<S, D> as ModeTree>::NextSymbol<I>;
    fn append_variables(&self, variables: &mut Variables) {
        let Variables { leaves: [extents, strides], len } = variables;
        let mut leaves = LeafWriter::new([extents, strides], *len);
        Zip::<S, D>::write_leaves(self.values(), &mut leaves);
        *len = leaves.next();
    }
}

impl Operand for usize {
    type Kind = MixedKind;
    type NextSymbol<I: Nat> = I::Succ;
    fn append_variables(&self, variables: &mut Variables) {
        variables.leaves[0][variables.len] = *self;
        variables.len += 1;
    }
}

/// The kind that knows least.
macro_rules! join {
    ($t:ident) => { KindOf<$t> };
    ($t:ident $($rest:ident)+) => { <KindOf<$t> as Kind>::Join<join!($($rest)+)> };
}

/// The next free variable after all operands, the last one first.
macro_rules! next_symbol {
    ($first:ident;) => { $first };
    ($first:ident; $t:ident $($before:ident)*) => {
        <$t as Operand>::NextSymbol<next_symbol!($first; $($before)*)>
    };
}
pub(crate) use next_symbol;

macro_rules! tuple_operand {
    ($($t:ident $v:ident),+; $($last:ident)+) => {
        impl<$($t: Operand),+> Operand for ($($t,)+) {
            type Kind = join!($($t)+);
            type NextSymbol<I: Nat> = next_symbol!(I; $($last)+);
            fn append_variables(&self, variables: &mut Variables) {
                let ($($v,)+) = self;
                $($v.append_variables(variables);)+
            }
        }
    };
}
tuple_operand!(T0 t0; T0);
tuple_operand!(T0 t0, T1 t1; T1 T0);
tuple_operand!(T0 t0, T1 t1, T2 t2; T2 T1 T0);
tuple_operand!(T0 t0, T1 t1, T2 t2, T3 t3; T3 T2 T1 T0);
tuple_operand!(T0 t0, T1 t1, T2 t2, T3 t3, T4 t4; T4 T3 T2 T1 T0);
tuple_operand!(T0 t0, T1 t1, T2 t2, T3 t3, T4 t4, T5 t5; T5 T4 T3 T2 T1 T0);
tuple_operand!(T0 t0, T1 t1, T2 t2, T3 t3, T4 t4, T5 t5, T6 t6; T6 T5 T4 T3 T2 T1 T0);
tuple_operand!(T0 t0, T1 t1, T2 t2, T3 t3, T4 t4, T5 t5, T6 t6, T7 t7; T7 T6 T5 T4 T3 T2 T1 T0);
