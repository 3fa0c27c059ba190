//! `AnyIntTuple`: integers and shapes as arguments of operations.

use typenum::{B0, B1, UInt, UTerm};

use super::algebra::Outcome;
use super::aliases::{DomainDistribute, Make, MakeOrdered, RowMajor};
use super::compact::{ColumnMajor, RowMajorOf};
use super::distribute::Distributed;
use super::evaluate::{agree, exists};
use super::kind::{Kind, LayoutOf};
use super::make_ordered::OrderedOf;
use super::modes::ModeTree;
use super::nat::Nat;
use super::operand::{Join, KindOf, Operand, next_symbol};
use super::outcome::Check;
use super::reason::{Invalid, Reason, RunTimeLeaf};
use super::symbolic::{Dyn, Expression, Extent, Symbolic, Variables};
use super::tree::{Cons, Nil, Tree, TreeList, list};
use crate::engine::{DynLayout, IntTuple};
use crate::error::LayoutError;

/// An integer or a tuple of integer tuples as an argument: a shape, a coordinate, a factor.
///
/// A typenum integer or a [`Cons`] list of them is static. A `usize` is a number that is known at
/// run time. A tuple of both is mixed, `(n, U4::new())`. An engine's [`IntTuple`] has the nesting at
/// run time, too.
///
/// ```
/// use layout_core::types::{Algebra, Complement, Layout, Mixed};
/// use typenum::{U1, U4, U24};
/// let four = Layout::<U4, U1>;
/// assert_eq!(four.complement(&U24::new()).to_string(), "6:4");
/// let filled: Mixed<_, U4> = four.complement(&24)?;
/// assert_eq!(filled.to_string(), "6:4");
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "an integer tuple is needed here",
    label = "not a typenum integer, a `usize`, an `IntTuple` or a tuple of these"
)]
pub trait AnyIntTuple: Operand {
    /// The tuple as a type, its run-time integers [`Dyn`].
    type Tree: Tree;
    /// The same with the run-time integers named, as variables from `I` on.
    #[doc(hidden)]
    type Symbols<I: Nat>: Tree;
    /// The tuple as a value.
    ///
    /// # Errors
    ///
    /// When it has no integers, or more than an [`IntTuple`] holds.
    fn to_tuple(&self) -> Result<IntTuple, LayoutError>;

    /// [`Make`](type@Make): the compact column-major layout of this shape.
    ///
    /// ```
    /// use layout_core::types::{AnyIntTuple, AnyLayout};
    /// use typenum::U8;
    /// let columns = (100, U8::new()).make()?;
    /// assert_eq!((columns.to_string().as_str(), size_of_val(&columns)), ("(100,8):(1,100)", 16));
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For numbers known at run time, [`LayoutError::SizeOverflow`].
    fn make(&self) -> Outcome<KindOf<Self>, Make<Self>>
    where
        Self: Sized,
    {
        made::<KindOf<Self>, ColumnMajor<Self::Tree>, ColumnMajor<Self::Symbols<UTerm>>>(
            "make",
            |variables| self.spill(variables),
            || DynLayout::make(&self.to_tuple()?),
        )
    }

    /// [`RowMajor`](type@RowMajor): the compact row-major layout of this shape.
    ///
    /// ```
    /// use layout_core::types::{AnyIntTuple, AnyLayout};
    /// use typenum::U8;
    /// let rows = (100, U8::new()).row_major()?;
    /// assert_eq!((rows.to_string().as_str(), size_of_val(&rows)), ("(100,8):(8,1)", 8));
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For numbers known at run time, [`LayoutError::SizeOverflow`].
    fn row_major(&self) -> Outcome<KindOf<Self>, RowMajor<Self>>
    where
        Self: Sized,
    {
        made::<KindOf<Self>, RowMajorOf<Self::Tree>, RowMajorOf<Self::Symbols<UTerm>>>(
            "row_major",
            |variables| self.spill(variables),
            || DynLayout::row_major(&self.to_tuple()?),
        )
    }

    /// [`MakeOrdered`](type@MakeOrdered): the compact layout of this shape, in an order of modes.
    ///
    /// # Errors
    ///
    /// For numbers known at run time, those of [`DynLayout::make_ordered`].
    fn make_ordered<O: AnyIntTuple>(
        &self,
        order: &O,
    ) -> Outcome<Join<Self, O>, MakeOrdered<Self, O>>
    where
        Self: Sized,
    {
        made::<
            Join<Self, O>,
            OrderedOf<Self::Tree, O::Tree>,
            OrderedOf<Self::Symbols<UTerm>, O::Symbols<Self::NextSymbol<UTerm>>>,
        >(
            "make_ordered",
            |variables| {
                self.spill(variables);
                order.spill(variables);
            },
            || DynLayout::make_ordered(&self.to_tuple()?, &order.to_tuple()?),
        )
    }

    /// [`DomainDistribute`](type@DomainDistribute): `n` elements, a typenum integer, spread over
    /// this shape.
    ///
    /// # Errors
    ///
    /// For numbers known at run time, those of [`DynLayout::domain_distribute`].
    fn domain_distribute<N: Nat>(&self, n: &N) -> Outcome<KindOf<Self>, DomainDistribute<Self, N>>
    where
        Self: Sized,
    {
        made::<KindOf<Self>, Distributed<Self::Tree, N>, Distributed<Self::Symbols<UTerm>, N>>(
            "domain_distribute",
            |variables| self.spill(variables),
            || DynLayout::domain_distribute(&self.to_tuple()?, n.to_tuple()?.at(0)),
        )
    }
}

/// The layout with the modes `M`; `X` has the run-time leaves named that `spill` writes.
fn made<K: Kind, M: ModeTree, X: ModeTree>(
    operation: &'static str,
    spill: impl FnOnce(&mut Variables),
    by_value: impl FnOnce() -> Result<DynLayout, LayoutError>,
) -> Outcome<K, LayoutOf<K, M>> {
    const { exists::<K, M>() };
    K::Check::outcome(K::result::<M, X>(operation, spill, by_value, agree))
}

macro_rules! static_tuple {
    ($([$($generics:tt)*] $tree:ty;)+) => {$(
        impl<$($generics)*> AnyIntTuple for $tree {
            type Tree = Self;
            type Symbols<I: Nat> = Self;
            fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
                <Self as Tree>::TUPLE
            }
        }
    )+};
}
static_tuple! {
    [] UTerm;
    [U: Nat] UInt<U, B0>;
    [U: Nat] UInt<U, B1>;
    [] Dyn;
    [E: Expression] Symbolic<E>;
    [] Nil;
    [H: Tree, T: TreeList] Cons<H, T>;
    [R: Reason] Invalid<R>;
}

impl AnyIntTuple for usize {
    type Tree = Dyn;
    type Symbols<I: Nat> = Symbolic<Extent<I>>;
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        Ok(IntTuple::leaf(*self))
    }
}

impl AnyIntTuple for IntTuple {
    type Tree = Invalid<RunTimeLeaf>;
    type Symbols<I: Nat> = Invalid<RunTimeLeaf>;
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        Ok(*self)
    }
}

macro_rules! tuple_of_tuples {
    ($($t:ident $v:ident [$($before:ident)*]),+) => {
        impl<$($t: AnyIntTuple),+> AnyIntTuple for ($($t,)+) {
            type Tree = list!($($t::Tree),+);
            type Symbols<I: Nat> = list!($($t::Symbols<next_symbol!(I; $($before)*)>),+);
            fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
                let ($($v,)+) = self;
                IntTuple::tuple(&[$($v.to_tuple()?),+])
            }
        }
    };
}
tuple_of_tuples!(T0 t0 []);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0]);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0]);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0]);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0]);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0], T5 t5 [T4 T3 T2 T1 T0]);
