//! Tilers at the type level: one layout, or one tiler for each mode; and how they recurse into a
//! layout's modes.

use crate::engine::{DynLayout, Tiler};
use crate::error::LayoutError;
use crate::types::api::any::AnyLayout;
use crate::types::api::kind::{Kind, LayoutOf, MixedKind, StaticKind};
use crate::types::api::layout::Layout;
use crate::types::api::mixed::Mixed;
use crate::types::api::operand::{KindOf, Operand, next_symbol};
use crate::types::core::invalid::{Invalid, RunTimeLeaf};
use crate::types::core::modes::{ModeTree, checked};
use crate::types::core::nat::Nat;
use crate::types::core::sealed::Sealed;
use crate::types::core::tree::{Cons, Nil, Tree, Zip, list};
use crate::types::ops::by_mode::{AtMode, ByMode};
use crate::types::ops::place::First;
use crate::types::ops::tiled::{Keep, Tiling, TilingList, layout_tiling, list_tiling};

mod ghost {
    use core::convert::Infallible;
    use core::marker::PhantomData;

    /// The type behind the alias [`Tile`](crate::types::Tile).
    // Valid as a type and as a value, like `Layout`.
    #[derive(Default)]
    pub enum Tile<L> {
        #[default]
        Tile,
        #[doc(hidden)]
        Never(Infallible, PhantomData<fn() -> L>),
    }
}

/// The value namespace of [`Tile`].
mod value {
    pub use super::ghost::Tile::Tile;
}
pub use value::*;

/// A by-mode tiler, `<T0, T1>`: a [`Cons`] list of tilers. Both a type and its value.
///
/// ```
/// use static_layout::{LogicalDivide, StaticLayout, layout};
/// type Columns = layout!((8,8):(1,8));
/// type Tiles = LogicalDivide<Columns, layout!(<4:1, 4:1>)>;
/// assert_eq!(Tiles::default().to_string(), "((4,2),(4,2)):((1,4),(8,32))");
/// ```
pub type Tile<L> = ghost::Tile<L>;
impl<L> Sealed for Tile<L> {}

impl<L> Clone for Tile<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Tile<L> {}

impl<L: TilerList<Kind = StaticKind>> From<Tile<L>> for Tiler {
    /// # Panics
    ///
    /// In const evaluation, if a layout of the tiler does not exist.
    fn from(_: Tile<L>) -> Self {
        const {
            match L::TILER {
                Some(Ok(tiler)) => tiler,
                Some(Err(error)) => error.panic(),
                None => LayoutError::RunTimeLeaf.panic(),
            }
        }
    }
}

impl From<Keep> for Tiler {
    fn from(_: Keep) -> Self {
        Self::keep()
    }
}

/// The argument of a divide, a product or a composition: a layout, [`Keep`], or one tiler for each
/// mode.
///
/// A by-mode tiler is a [`Tile`], or, with run-time leaves in it, a tuple: `(layout!(8:1), Keep)`.
/// An engine's [`Tiler`] has everything at run time.
#[diagnostic::on_unimplemented(
    message = "a tiler is a layout, or a layout or `_` for each mode",
    label = "not a tiler"
)]
pub trait AnyTiler: Operand + Tiling {
    /// The tiler's value, or the error if it is not valid, if its type determines every number.
    const TILER: Option<Result<Tiler, LayoutError>>;
    /// The tiler as a value.
    ///
    /// # Errors
    ///
    /// If run-time leaves give a size or an offset that does not fit, or the tilers together have
    /// too many leaves.
    fn to_tiler(&self) -> Result<Tiler, LayoutError>;
    /// This tiler with the run-time leaves named, as variables from `I` on.
    #[doc(hidden)]
    type Symbols<I: Nat>: AnyTiler;
}

/// A tiler that is fully known to the compiler: a static layout, [`Keep`], or a [`Tile`] or a tuple
/// of these with one tiler for each mode.
#[diagnostic::on_unimplemented(
    message = "a static tiler is a static layout, or a static layout or `_` for each mode",
    label = "not a static tiler"
)]
pub trait StaticTiler: AnyTiler<Kind = StaticKind> {}
impl<T: AnyTiler<Kind = StaticKind>> StaticTiler for T {}

impl<S: Tree, D: Tree> AnyTiler for Layout<S, D> {
    const TILER: Option<Result<Tiler, LayoutError>> = Some(match checked::<Zip<S, D>>() {
        Ok(layout) => Ok(Tiler::layout(&layout)),
        Err(error) => Err(error),
    });
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        known::<Self>()
    }
    type Symbols<I: Nat> = Self;
}
impl<S: Tree, D: Tree> Tiling for Layout<S, D> {
    layout_tiling!(Zip<S, D>);
}

impl<S: Tree, D: Tree> AnyTiler for Mixed<S, D> {
    const TILER: Option<Result<Tiler, LayoutError>> = None;
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        Ok(Tiler::layout(&self.to_dyn()?))
    }
    type Symbols<I: Nat> = LayoutOf<MixedKind, <Zip<S, D> as ModeTree>::Symbols<I>>;
}
impl<S: Tree, D: Tree> Tiling for Mixed<S, D> {
    layout_tiling!(Zip<S, D>);
}

/// A tiler whose type carries no information.
macro_rules! dynamic_tiler {
    ($tiler:ty, |$self:ident| $value:expr) => {
        impl AnyTiler for $tiler {
            const TILER: Option<Result<Tiler, LayoutError>> = None;
            fn to_tiler(&$self) -> Result<Tiler, LayoutError> {
                Ok($value)
            }
            type Symbols<I: Nat> = Self;
        }
        impl Tiling for $tiler {
        type Apply<O: ByMode, A: ModeTree> = Invalid<RunTimeLeaf>;
        type Firsts<O: ByMode, M: ModeTree> = Invalid<RunTimeLeaf>;
        type Seconds<O: ByMode, M: ModeTree> = Invalid<RunTimeLeaf>;
        }
    };
}

dynamic_tiler!(DynLayout, |self| Tiler::layout(self));
dynamic_tiler!(Tiler, |self| *self);

impl AnyTiler for Keep {
    const TILER: Option<Result<Tiler, LayoutError>> = Some(Ok(Tiler::keep()));
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        Ok(Tiler::keep())
    }
    type Symbols<I: Nat> = Self;
}

impl<L: TilerList<Kind = StaticKind>> AnyTiler for Tile<L> {
    const TILER: Option<Result<Tiler, LayoutError>> = L::TILER;
    type Symbols<I: Nat> = Self;
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        known::<Self>()
    }
}

impl<L: TilerList<Kind = StaticKind>> Tiling for Tile<L> {
    list_tiling!(L);
}

macro_rules! tuple_tiler {
    ($($t:ident $v:ident [$($before:ident)*]),+) => {
        impl<$($t: AnyTiler),+> AnyTiler for ($($t,)+) {
            const TILER: Option<Result<Tiler, LayoutError>> =
                <list!($($t),+) as TilerList>::TILER;
            type Symbols<I: Nat> = ($($t::Symbols<next_symbol!(I; $($before)*)>,)+);
            fn to_tiler(&self) -> Result<Tiler, LayoutError> {
                let ($($v,)+) = self;
                Tiler::modes(&[$($v.to_tiler()?),+])
            }
        }
        impl<$($t: AnyTiler),+> Tiling for ($($t,)+) {
            list_tiling!(list!($($t),+));
        }
    };
}
tuple_tiler!(T0 t0 []);
tuple_tiler!(T0 t0 [], T1 t1 [T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0], T5 t5 [T4 T3 T2 T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0], T5 t5 [T4 T3 T2 T1 T0], T6 t6 [T5 T4 T3 T2 T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0], T5 t5 [T4 T3 T2 T1 T0], T6 t6 [T5 T4 T3 T2 T1 T0], T7 t7 [T6 T5 T4 T3 T2 T1 T0]);

/// The value of a tiler, from its type.
fn known<T: StaticTiler>() -> Result<Tiler, LayoutError> {
    match const { &T::TILER } {
        Some(tiler) => *tiler,
        None => Err(LayoutError::RunTimeLeaf),
    }
}

/// The tilers of a [`Tile`].
pub trait TilerList: Sealed + TilingList {
    /// How much of them is known to the compiler.
    type Kind: Kind;
    /// The by-mode tiler as a value, if the types determine every number.
    const TILER: Option<Result<Tiler, LayoutError>>;
    /// The same, not yet enclosed in a tuple.
    #[doc(hidden)]
    const PARTS: Option<Result<Tiler, LayoutError>>;
}

impl TilerList for Nil {
    type Kind = StaticKind;
    const TILER: Option<Result<Tiler, LayoutError>> = Some(Err(LayoutError::EmptyTuple));
    const PARTS: Option<Result<Tiler, LayoutError>> = Some(Ok(Tiler::NONE));
}

impl<H: AnyTiler, T: TilerList> TilerList for Cons<H, T> {
    type Kind = <KindOf<H> as Kind>::Join<T::Kind>;
    const TILER: Option<Result<Tiler, LayoutError>> = match Self::PARTS {
        Some(Ok(parts)) => Some(Ok(parts.enclosed())),
        none_or_error => none_or_error,
    };
    const PARTS: Option<Result<Tiler, LayoutError>> = match (H::TILER, T::PARTS) {
        (Some(Ok(head)), Some(Ok(tail))) => Some(match Tiler::NONE.push(&head) {
            Ok(head) => head.push(&tail),
            Err(error) => Err(error),
        }),
        (Some(Err(error)), Some(_)) | (Some(_), Some(Err(error))) => Some(Err(error)),
        (None, _) | (_, None) => None,
    };
}
