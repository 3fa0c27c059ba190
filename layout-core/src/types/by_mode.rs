//! The operations that take a tiler: `composition`, `logical_divide` and `logical_product`.

use super::complement::ComplementOf;
use super::compose::{Composed, ComposedInside, ComposedList};
use super::flat::FlatList;
use super::modes::{ModeList, ModeTree};
use super::nat::{Nat, NatMul};
use super::tiler::TiledTree;
use super::tree::{Cons, Nil};

/// An operation that works on the whole of a layout, or mode by mode.
pub trait ByMode: 'static {
    /// Its name in error messages.
    const NAME: &'static str;
    /// The name of its zipped form, if it has one.
    const ZIPPED: &'static str = "";
    /// The operation on the modes `A` with one layout, whose modes are `B`.
    type With<A: ModeTree, B: ModeTree>: ModeTree;
    /// What becomes of the modes that the tiler has nothing for.
    type Beyond<A: ModeList>: ModeList;
    /// The result `M`, if nothing that was left out of the modes `A` is invalid.
    type Guard<A: ModeTree, M: ModeTree>: ModeTree;
}

/// `composition`.
#[derive(Debug)]
pub enum Compose {}

impl ByMode for Compose {
    const NAME: &'static str = "composition";
    type With<A: ModeTree, B: ModeTree> = Composed<A, B>;
    // As CuTe does.
    type Beyond<A: ModeList> = Nil;
    type Guard<A: ModeTree, M: ModeTree> = <A as TiledTree>::Guard<M>;
}

/// `logical_divide`.
#[derive(Debug)]
pub enum Divide {}

/// The modes `A` divided by the layout with the modes `B`: `A o (B, complement(B, size(A)))`.
pub(crate) type Divided<A, B> =
    ComposedInside<A, B, <ComplementOf<B, <A as ModeTree>::Size> as FlatList>::After<B>>;

impl ByMode for Divide {
    const NAME: &'static str = "logical_divide";
    const ZIPPED: &'static str = "zipped_divide";
    type With<A: ModeTree, B: ModeTree> = Divided<A, B>;
    type Beyond<A: ModeList> = A;
    type Guard<A: ModeTree, M: ModeTree> = M;
}

/// `logical_product`.
#[derive(Debug)]
pub enum Product {}

/// What fills the cotarget of `A`'s product with `B`.
type Copies<A, B> =
    ComplementOf<A, NatMul<<A as ModeTree>::Size, <<B as ModeTree>::LastOffset as Nat>::Succ>>;

impl ByMode for Product {
    const NAME: &'static str = "logical_product";
    const ZIPPED: &'static str = "zipped_product";
    type With<A: ModeTree, B: ModeTree> = Cons<A, Cons<ComposedList<Copies<A, B>, B>, Nil>>;
    type Beyond<A: ModeList> = A;
    type Guard<A: ModeTree, M: ModeTree> = M;
}
