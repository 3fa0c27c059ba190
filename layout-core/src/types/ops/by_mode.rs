//! The operations that take a tiler: `composition`, `logical_divide` and `logical_product`.

use core::marker::PhantomData;

use crate::error::{Operand, Place};
use crate::types::core::flat::FlatList;
use crate::types::core::guard::GuardTree;
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::complement::{ComplementAt, ComplementWithoutEnd};
use crate::types::ops::compose::{Composed, ComposedInside, ComposedWithoutEnd};
use crate::types::ops::place::{After, Ordinal, StaticPlace};

/// An operation that works on a whole layout, or mode by mode.
pub trait ByMode: 'static {
    /// Its name in error messages.
    const NAME: &'static str;
    /// The name of its zipped form, if it has one.
    const ZIPPED: &'static str = "";
    /// The mode of the layout that it is working on; `None` for the whole layout.
    const MODE: Option<usize> = None;
    /// The operation on the modes `A` with one layout with the modes `B`. `P` is the position for
    /// errors.
    type With<P: ByMode, A: ModeTree, B: ModeTree>: ModeTree;
    /// The operation at the next mode.
    type Next: ByMode;
    /// The operation on the layout that contains these modes.
    type Outer: ByMode;
    /// The result for the modes beyond the tiler.
    type Beyond<A: ModeList>: ModeList;
    /// The result `M`, if nothing that was left out of the modes `A` is invalid.
    type Guard<A: ModeTree, M: ModeTree>: ModeTree;
}

/// The operation `O` at mode `J`. For a mode inside a mode, the outer mode is reported.
#[derive(Debug)]
pub struct AtMode<O, J>(PhantomData<(O, J)>);

impl<O: ByMode, J: Ordinal> ByMode for AtMode<O, J> {
    const NAME: &'static str = O::NAME;
    const ZIPPED: &'static str = O::ZIPPED;
    const MODE: Option<usize> = match O::MODE {
        Some(mode) => Some(mode),
        None => Some(J::ORDINAL),
    };
    type With<P: ByMode, A: ModeTree, B: ModeTree> = O::With<P, A, B>;
    type Next = AtMode<O, After<J>>;
    type Outer = O;
    type Beyond<A: ModeList> = O::Beyond<A>;
    type Guard<A: ModeTree, M: ModeTree> = O::Guard<A, M>;
}

/// `composition`.
#[derive(Debug)]
pub enum Compose {}

impl ByMode for Compose {
    const NAME: &'static str = "composition";
    type With<P: ByMode, A: ModeTree, B: ModeTree> = Composed<A, B, Right<P>>;
    type Next = Self;
    type Outer = Self;
    // As in CuTe.
    type Beyond<A: ModeList> = Nil;
    type Guard<A: ModeTree, M: ModeTree> = <A as GuardTree>::Guard<M>;
}

/// `logical_divide`.
#[derive(Debug)]
pub enum Divide {}

/// The modes `A` divided by the layout with the modes `B`: `A o (B, complement(B, size(A)))`.
type Divided<P, A, B> = ComposedInside<
    A,
    B,
    <ComplementAt<B, <A as ModeTree>::Size, Tile<P>> as FlatList>::After<B>,
    Tile<P>,
    TileAndRest<P>,
>;

impl ByMode for Divide {
    const NAME: &'static str = "logical_divide";
    const ZIPPED: &'static str = "zipped_divide";
    type With<P: ByMode, A: ModeTree, B: ModeTree> = Divided<P, A, B>;
    type Next = Self;
    type Outer = Self;
    type Beyond<A: ModeList> = A;
    type Guard<A: ModeTree, M: ModeTree> = M;
}

/// `logical_product`.
#[derive(Debug)]
pub enum Product {}

/// The second mode of `A`'s product with `B`.
pub(crate) type ProductCopies<P, A, B> =
    ComposedWithoutEnd<ComplementWithoutEnd<A, Block<P>>, B, Copies<P>>;

impl ByMode for Product {
    const NAME: &'static str = "logical_product";
    const ZIPPED: &'static str = "zipped_product";
    type With<P: ByMode, A: ModeTree, B: ModeTree> = Cons<A, Cons<ProductCopies<P, A, B>, Nil>>;
    type Next = Self;
    type Outer = Self;
    type Beyond<A: ModeList> = A;
    type Guard<A: ModeTree, M: ModeTree> = M;
}

macro_rules! operands {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<O>(PhantomData<O>);
        impl<O: ByMode> StaticPlace for $name<O> {
            const PLACE: Place = Place::new(O::NAME, O::MODE, Operand::$name);
        }
    )+};
}
operands! {
    /// A of the product `O`.
    Block;
    /// B of the product `O`.
    Copies;
    /// B of the composition `O`.
    Right;
    /// The tile of the divide `O`.
    Tile;
    /// The tile of the divide `O` and its complement, as a pair.
    TileAndRest;
}
