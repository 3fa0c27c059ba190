//! `Algebra`: the operations as methods of layouts of any kind.

use typenum::UTerm;

use super::aliases::{
    Append, BlockedProduct, Coalesce, CoalesceBy, Complement, ComplementInCosize, Composition,
    Downcast, Filter, FilterBy, FilterZeros, FlatDivide, FlatProduct, Flatten, Group, LeftInverse,
    LogicalDivide, LogicalProduct, MaxCommonLayout, Nullspace, Prepend, RakedProduct, Recast,
    Replace, RightInverse, Select, Take, TileToShape, TileToShapeOrdered, TiledDivide,
    TiledProduct, Unflatten, Upcast, Zip, ZipWith, ZippedDivide, ZippedProduct,
};
use super::any::AnyLayout;
use super::arranged::{Blocked, Raked, TiledToShape, TiledToShapeOrdered};
use super::by_mode::{Compose, Divide, Product};
use super::coalesce::{Coalesced, CoalescedBy};
use super::common::CommonLayout;
use super::complement::{Complemented, ComplementedInside};
use super::evaluate::{agree, exists};
use super::filter::{Filtered, FilteredBy, NullspaceModes, ZerosFiltered};
use super::flat::Flattened;
use super::int_tuple::AnyIntTuple;
use super::inverse::RightInverseModes;
use super::kind::{Kind, ModesOf};
use super::left_inverse::LeftInverseModes;
use super::modes::ModeTree;
use super::nat::Nat;
use super::operand::{Join, KindOf, Operand};
use super::outcome::Check;
use super::range::{Grouped, Taken};
use super::recast::{DowncastModes, RecastModes, UpcastModes};
use super::select::{Appended, Prepended, Replaced, Selected};
use super::tiler::AnyTiler;
use super::unflatten::Unflattened;
use super::zip::{ZipOf, ZipWithOf};
use super::zipped::{Flat, Tiled, Zipped};
use crate::engine::{DynLayout, IntTuple};
use crate::error::{LayoutError, NotationError};

/// `T` when an operation on operands of the kind `K` cannot fail when the program runs, and
/// `Result<T, LayoutError>` otherwise.
pub type Outcome<K, T> = <<K as Kind>::Check as Check>::Outcome<T>;

/// How an argument goes into an operation, by the trait that it has.
macro_rules! argument {
    // On types: an operation works on modes, tilers and trees.
    (AnyTiler, type $t:ty) => { $t };
    (AnyLayout, type $t:ty) => { ModesOf<$t> };
    (Nat, type $t:ty) => { $t };
    (AnyIntTuple, type $t:ty) => { <$t as AnyIntTuple>::Tree };
    // The same with run-time leaves named.
    (AnyTiler, symbols $t:ty, $from:ty) => { <$t as AnyTiler>::Symbols<$from> };
    (AnyLayout, symbols $t:ty, $from:ty) => { <ModesOf<$t> as ModeTree>::Symbols<$from> };
    (Nat, symbols $t:ty, $from:ty) => { $t };
    (AnyIntTuple, symbols $t:ty, $from:ty) => { <$t as AnyIntTuple>::Symbols<$from> };
    (AnyTiler, value $argument:expr) => { $argument.to_tiler()? };
    (AnyLayout, value $argument:expr) => { $argument.to_dyn()? };
    (Nat, value $argument:expr) => { $argument.to_tuple()?.at(0) };
    (AnyIntTuple, value $argument:expr) => { $argument.to_tuple()? };
}

/// The kind of an operation on all operands; type-level integers are static.
macro_rules! kind {
    ($layout:ty; $(Nat $n:ident),*) => { KindOf<$layout> };
    ($layout:ty; Nat $n:ident, $class:ident $t:ident) => { Join<$layout, $t> };
    ($layout:ty; $class:ident $t:ident) => { Join<$layout, $t> };
    ($layout:ty; $class0:ident $t0:ident, $class1:ident $t1:ident) => { Join<$layout, ($t0, $t1)> };
}

/// The operation `Modes` with the run-time leaves of all operands named.
macro_rules! named {
    ($layout:ty;) => { Modes<argument!(AnyLayout, symbols $layout, UTerm)> };
    ($layout:ty; $class:ident $t:ident) => {
        Modes<
            argument!(AnyLayout, symbols $layout, UTerm),
            argument!($class, symbols $t, <$layout as Operand>::NextSymbol<UTerm>),
        >
    };
    ($layout:ty; $class0:ident $t0:ident, $class1:ident $t1:ident) => {
        Modes<
            argument!(AnyLayout, symbols $layout, UTerm),
            argument!($class0, symbols $t0, <$layout as Operand>::NextSymbol<UTerm>),
            argument!(
                $class1,
                symbols $t1,
                <$t0 as Operand>::NextSymbol<<$layout as Operand>::NextSymbol<UTerm>>
            ),
        >
    };
}

/// Each operation: its arguments, the alias of its result, the same on modes, and the engine's
/// method. A law says what makes a result right that the engine would have made larger.
macro_rules! algebra {
    (
        $(#[$trait_doc:meta])*
        trait $trait:ident;
        $(
            $(#[$doc:meta])*
            fn $name:ident($($arg:ident: $t:ident as $class:ident),*) -> $alias:ident:
                type<$($p:ident),+> = $modes:ty,
                |$($x:ident),+| $engine:expr
                $(, law |$($y:ident),+ => $z:ident, $v:ident| $law:expr)?;
        )+
    ) => {
        $(#[$trait_doc])*
        pub trait $trait: AnyLayout {$(
            $(#[$doc])*
            fn $name<$($t: $class),*>(
                &self,
                $($arg: &$t),*
            ) -> Outcome<kind!(Self; $($class $t),*), $alias<Self, $($t),*>> {
                type Modes<$($p),+> = $modes;
                type Result = core::result::Result<DynLayout, LayoutError>;
                const { exists::<kind!(Self; $($class $t),*), Modes<
                    ModesOf<Self>, $(argument!($class, type $t)),*
                >>() };
                let result = <kind!(Self; $($class $t),*) as Kind>::result::<
                    Modes<ModesOf<Self>, $(argument!($class, type $t)),*>,
                    named!(Self; $($class $t),*),
                >(
                    stringify!($name),
                    |variables| {
                        self.spill(variables);
                        $($arg.spill(variables);)*
                    },
                    || -> Result {
                        let ($($x,)+) =
                            (&self.to_dyn()?, $(&argument!($class, value $arg)),*);
                        $engine
                    },
                    algebra!(
                        @agree [self.to_dyn()? $(, argument!($class, value $arg))*]
                        $(|$($y),+ => $z, $v| $law)?
                    ),
                );
                <<kind!(Self; $($class $t),*) as Kind>::Check as Check>::outcome(result)
            }
        )+}
    };
    (@agree [$($operand:expr),+]) => { agree };
    (@agree [$($operand:expr),+] |$($y:ident),+ => $result:ident, $by_value:ident| $law:expr) => {
        |$result: &DynLayout, $by_value: &DynLayout| {
            let holds = || -> core::result::Result<bool, LayoutError> {
                let ($($y,)+) = ($(&$operand,)+);
                Ok($law)
            };
            holds().unwrap_or(false)
        }
    };
}

algebra! {
    /// The operations of the algebra, on layouts of any kind.
    ///
    /// Each has the name and the law of the alias of its result's type. The result is of the kind
    /// that knows least among the operands. It is plain when all of them are static, for then
    /// whatever could fail is a compile error, and a `Result` otherwise.
    ///
    /// ```
    /// use layout_core::types::{Algebra, AnyLayout, Cons, Dyn, Layout, Mixed, Nil, Tile};
    /// use typenum::{U1, U64, U128};
    /// type Rows = Mixed<Cons<Dyn, Cons<Dyn, Nil>>, Cons<Dyn, Cons<U1, Nil>>>;
    /// type Tiles = Tile<Cons<Layout<U128, U1>, Cons<Layout<U64, U1>, Nil>>>;
    /// let (m, k) = (512, 256);
    /// let rows = Rows::new(((m, k), ((k, ()), ())));
    /// let tiles = rows.zipped_divide(&Tiles::default())?;
    /// assert_eq!(tiles.to_string(), "((128,64),(4,4)):((256,1),(32768,64))");
    /// // The extents of a tile are in the type, and so is the stride of its rows.
    /// let (tile, offset) = tiles.slice((.., (1, 2)));
    /// assert_eq!((tile.to_string().as_str(), offset), ("((128,64)):((256,1))", 32896));
    /// assert_eq!(size_of_val(&tile), 8);
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// Generic code computes with any layouts:
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// use layout_core::error::LayoutError;
    /// use layout_core::types::{Algebra, AnyLayout, Check, Coalesce, Layout};
    /// use typenum::{U1, U8};
    /// fn merged<L: AnyLayout>(layout: &L) -> Result<Coalesce<L>, LayoutError> {
    ///     L::Check::into_result(layout.coalesce())
    /// }
    /// assert_eq!(merged(&Layout::<U8, U1>)?, Layout::<U8, U1>);
    /// assert_eq!(merged(&DynLayout::parse("(2,(1,6)):(1,(6,2))").unwrap())?.to_string(), "12:1");
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The engine's where it refuses the values. For mixed operands also
    /// [`AlgebraError::Structure`](crate::error::AlgebraError::Structure), when there is such a
    /// layout, but not with the modes that the types promise. Then [`to_dyn`](AnyLayout::to_dyn)
    /// helps: the algebra on a [`DynLayout`] goes by value.
    ///
    /// Where the types do not even fix a structure, the call is a compile error.
    trait Algebra;

    /// [`Coalesce`](type@Coalesce): the same function with the fewest modes.
    fn coalesce() -> Coalesce: type<A> = Coalesced<A>, |a| Ok(a.coalesce());

    /// [`Flatten`](type@Flatten): all leaves as modes.
    fn flatten() -> Flatten: type<A> = Flattened<A>, |a| Ok(a.flatten());

    /// [`CoalesceBy`](type@CoalesceBy): coalesced at each leaf of a profile.
    fn coalesce_by(profile: P as AnyIntTuple) -> CoalesceBy:
        type<A, P> = CoalescedBy<A, P>, |a, profile| a.coalesce_by(profile);

    /// [`Unflatten`](type@Unflatten): the leaves under the parentheses of a profile.
    fn unflatten(profile: P as AnyIntTuple) -> Unflatten:
        type<A, P> = Unflattened<A, P>, |a, profile| a.unflatten(profile);

    /// [`Take`](type@Take): the modes from `begin` to before `end`, typenum integers.
    fn take(begin: B as Nat, end: E as Nat) -> Take:
        type<A, B, E> = Taken<A, B, E>, |a, begin, end| a.take(*begin, *end);

    /// [`Group`](type@Group): the modes from `begin` to before `end`, typenum integers, as one mode.
    fn group(begin: B as Nat, end: E as Nat) -> Group:
        type<A, B, E> = Grouped<A, B, E>, |a, begin, end| a.group(*begin, *end);

    /// [`Select`](type@Select): the modes with these numbers, in this order.
    fn select(modes: I as AnyIntTuple) -> Select:
        type<A, I> = Selected<A, I>, |a, modes| select(a, modes);

    /// [`Append`](type@Append): this layout's modes, and `b` as one mode after them.
    fn append(b: B as AnyLayout) -> Append: type<A, B> = Appended<A, B>, |a, b| a.append(b);

    /// [`Prepend`](type@Prepend): this layout's modes, and `b` as one mode before them.
    fn prepend(b: B as AnyLayout) -> Prepend: type<A, B> = Prepended<A, B>, |a, b| a.prepend(b);

    /// [`Replace`](type@Replace): `b` in the place of mode `n`, a typenum integer.
    fn replace(n: N as Nat, b: B as AnyLayout) -> Replace:
        type<A, N, B> = Replaced<A, N, B>, |a, n, b| a.replace(*n, b);

    /// [`Zip`](type@Zip): the two top levels transposed.
    fn zip() -> Zip: type<A> = ZipOf<A>, |a| a.zip();

    /// [`ZipWith`](type@ZipWith): the modes of both in pairs.
    fn zip_with(b: B as AnyLayout) -> ZipWith: type<A, B> = ZipWithOf<A, B>, |a, b| a.zip_with(b);

    /// [`Composition`](type@Composition): `composition(A, B)(c) = A(B(c))`.
    fn composition(b: B as AnyTiler) -> Composition:
        type<A, B> = <B as AnyTiler>::Apply<Compose, A>, |a, b| a.composition_by(b);

    /// [`Complement`](type@Complement): what this layout leaves out of a cotarget.
    fn complement(cotarget: N as AnyIntTuple) -> Complement:
        type<A, N> = Complemented<A, N>, |a, cotarget| complement(a, cotarget);

    /// [`ComplementInCosize`](type@ComplementInCosize): what this layout leaves out of its cosize.
    fn complement_in_cosize() -> ComplementInCosize:
        type<A> = ComplementedInside<A>, |a| a.complement_in_cosize();

    /// [`LogicalDivide`](type@LogicalDivide): a mode through a tile and one over the tiles.
    fn logical_divide(tiler: T as AnyTiler) -> LogicalDivide:
        type<A, T> = <T as AnyTiler>::Apply<Divide, A>, |a, tiler| a.logical_divide_by(tiler);

    /// [`ZippedDivide`](type@ZippedDivide): `((tile..), (rest.., further modes..))`.
    fn zipped_divide(tiler: T as AnyTiler) -> ZippedDivide:
        type<A, T> = Zipped<Divide, A, T>, |a, tiler| a.zipped_divide_by(tiler);

    /// [`TiledDivide`](type@TiledDivide): `((tile..), rest.., further modes..)`.
    fn tiled_divide(tiler: T as AnyTiler) -> TiledDivide:
        type<A, T> = Tiled<Divide, A, T>, |a, tiler| a.tiled_divide_by(tiler);

    /// [`FlatDivide`](type@FlatDivide): `(tile.., rest.., further modes..)`.
    fn flat_divide(tiler: T as AnyTiler) -> FlatDivide:
        type<A, T> = Flat<Divide, A, T>, |a, tiler| a.flat_divide_by(tiler);

    /// [`LogicalProduct`](type@LogicalProduct): copies of this layout, laid out as `b`.
    fn logical_product(b: B as AnyTiler) -> LogicalProduct:
        type<A, B> = <B as AnyTiler>::Apply<Product, A>, |a, b| a.logical_product_by(b);

    /// [`ZippedProduct`](type@ZippedProduct): `((block..), (copies.., further modes..))`.
    fn zipped_product(b: B as AnyTiler) -> ZippedProduct:
        type<A, B> = Zipped<Product, A, B>, |a, b| a.zipped_product_by(b);

    /// [`TiledProduct`](type@TiledProduct): `((block..), copies.., further modes..)`.
    fn tiled_product(b: B as AnyTiler) -> TiledProduct:
        type<A, B> = Tiled<Product, A, B>, |a, b| a.tiled_product_by(b);

    /// [`FlatProduct`](type@FlatProduct): `(block.., copies.., further modes..)`.
    fn flat_product(b: B as AnyTiler) -> FlatProduct:
        type<A, B> = Flat<Product, A, B>, |a, b| a.flat_product_by(b);

    /// [`BlockedProduct`](type@BlockedProduct): `((A_0,B_0), (A_1,B_1), ..)`.
    fn blocked_product(b: B as AnyLayout) -> BlockedProduct:
        type<A, B> = Blocked<A, B>, |a, b| a.blocked_product(b);

    /// [`RakedProduct`](type@RakedProduct): `((B_0,A_0), (B_1,A_1), ..)`.
    fn raked_product(b: B as AnyLayout) -> RakedProduct:
        type<A, B> = Raked<A, B>, |a, b| a.raked_product(b);

    /// [`TileToShape`](type@TileToShape): this block repeated until it has a shape.
    fn tile_to_shape(target: S as AnyIntTuple) -> TileToShape:
        type<A, S> = TiledToShape<A, S>, |a, target| a.tile_to_shape(target);

    /// [`TileToShapeOrdered`](type@TileToShapeOrdered): the same, repeated in an order of modes.
    fn tile_to_shape_ordered(target: S as AnyIntTuple, order: O as AnyIntTuple) -> TileToShapeOrdered:
        type<A, S, O> = TiledToShapeOrdered<A, S, O>,
        |a, target, order| a.tile_to_shape_ordered(target, order);

    /// [`Filter`](type@Filter): without what is known not to move.
    fn filter() -> Filter: type<A> = Filtered<A>, |a| Ok(a.filter()),
        law |_a => result, by_value| agree(&result.filter(), by_value);

    /// [`FilterBy`](type@FilterBy): filtered at each leaf of a profile.
    fn filter_by(profile: P as AnyIntTuple) -> FilterBy:
        type<A, P> = FilteredBy<A, P>, |a, profile| a.filter_by(profile),
        law |_a, profile => result, by_value| agree(&result.filter_by(profile)?, by_value);

    /// [`FilterZeros`](type@FilterZeros): extent 1 wherever the stride is known to be 0.
    fn filter_zeros() -> FilterZeros: type<A> = ZerosFiltered<A>, |a| Ok(a.filter_zeros()),
        law |_a => result, by_value| agree(&result.filter_zeros(), by_value);

    /// [`Nullspace`](type@Nullspace): the coordinates that are known not to move the offset.
    fn nullspace() -> Nullspace: type<A> = NullspaceModes<A>, |a| Ok(a.nullspace()),
        law |a => result, _by_value| a.composition(result).is_ok_and(|still| still.cosize() == 1);

    /// [`RightInverse`](type@RightInverse): `A(right_inverse(A)(i)) = i`, as far as strides are
    /// known.
    fn right_inverse() -> RightInverse: type<A> = RightInverseModes<A>, |a| Ok(a.right_inverse()),
        law |a => inverse, _by_value| is_identity(a, inverse);

    /// [`LeftInverse`](type@LeftInverse): `left_inverse(A)(A(i)) = i` for an injective layout.
    fn left_inverse() -> LeftInverse: type<A> = LeftInverseModes<A>, |a| a.left_inverse();

    /// [`Upcast`](type@Upcast): elements of `n` old ones, `n` a typenum integer.
    fn upcast(n: N as Nat) -> Upcast: type<A, N> = UpcastModes<A, N>, |a, n| a.upcast(*n);

    /// [`Downcast`](type@Downcast): elements of which an old one has `n`, a typenum integer.
    fn downcast(n: N as Nat) -> Downcast: type<A, N> = DowncastModes<A, N>, |a, n| a.downcast(*n);

    /// [`Recast`](type@Recast): elements of `old` bits as elements of `new` bits, both typenum
    /// integers.
    fn recast(old: O as Nat, new: N as Nat) -> Recast:
        type<A, O, N> = RecastModes<A, O, N>, |a, old, new| a.recast(*old, *new);

    /// [`MaxCommonLayout`](type@MaxCommonLayout): `A(R(i)) = B(R(i)) = i`, as far as strides are
    /// known.
    fn max_common_layout(b: B as AnyLayout) -> MaxCommonLayout:
        type<A, B> = CommonLayout<A, B>, |a, b| a.max_common_layout(b),
        law |a, b => common, _by_value| is_identity(a, common) && is_identity(b, common);
}

/// Whether `A(R(i)) = i` for all `i` in the domain of R.
#[inline]
fn is_identity(a: &DynLayout, r: &DynLayout) -> bool {
    let identity = DynLayout::leaf_unchecked(r.size(), 1);
    a.composition(r).is_ok_and(|composition| agree(&composition, &identity))
}

impl<L: AnyLayout> Algebra for L {}

/// The modes with these numbers.
#[inline]
fn select(a: &DynLayout, modes: &IntTuple) -> Result<DynLayout, LayoutError> {
    if modes.depth() > 1 {
        let (expected, found) = ("an integer or a flat tuple of them", "a nested tuple");
        return Err(LayoutError::Notation(NotationError::Kind { expected, found }));
    }
    a.select(modes.leaves())
}

/// The complement in an integer or in a shape.
#[inline]
fn complement(a: &DynLayout, cotarget: &IntTuple) -> Result<DynLayout, LayoutError> {
    if cotarget.is_int() { a.complement(cotarget.at(0)) } else { a.complement_shape(cotarget) }
}
