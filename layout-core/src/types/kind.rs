//! `Kind`: static, mixed or dynamic, and how the kinds of operands make the kind of a result.

use super::any::{AnyLayout, AtCompileTime, AtRunTime, Check};
use super::layout::Layout;
use super::mixed::Mixed;
use super::modes::ModeTree;
use super::sealed::Sealed;
use super::tiler::AnyTiler;
use crate::engine::DynLayout;

/// What the compiler knows of a layout or of a tiler: everything ([`StaticKind`]), the nesting and
/// some of the numbers ([`MixedKind`]), or nothing ([`DynamicKind`]).
///
/// The result of an operation is of the kind that knows least among its operands.
pub trait Kind: Sealed + 'static {
    /// Whether an operation on operands of this kind can fail when the program runs.
    type Check: Check;
    /// The kind that knows least of `Self` and `K`.
    type Join<K: Kind>: Kind;
    /// [`Join`](Self::Join) with [`MixedKind`].
    #[doc(hidden)]
    type JoinMixed: Kind;
    /// The layout of this kind with the modes `M`.
    #[doc(hidden)]
    type Of<M: ModeTree>: AnyLayout<Kind = Self>;
}

/// The kind of [`Layout`]: every number is in the type.
#[derive(Debug)]
pub enum StaticKind {}

/// The kind of [`Mixed`]: the nesting is in the type, and so are some of the numbers.
#[derive(Debug)]
pub enum MixedKind {}

/// The kind of [`DynLayout`]: everything is a value.
#[derive(Debug)]
pub enum DynamicKind {}

impl Sealed for StaticKind {}
impl Sealed for MixedKind {}
impl Sealed for DynamicKind {}

impl Kind for StaticKind {
    type Check = AtCompileTime;
    type Join<K: Kind> = K;
    type JoinMixed = MixedKind;
    type Of<M: ModeTree> = Layout<M::Shape, M::Stride>;
}

impl Kind for MixedKind {
    type Check = AtRunTime;
    type Join<K: Kind> = K::JoinMixed;
    type JoinMixed = MixedKind;
    type Of<M: ModeTree> = Mixed<M::Shape, M::Stride>;
}

impl Kind for DynamicKind {
    type Check = AtRunTime;
    type Join<K: Kind> = Self;
    type JoinMixed = Self;
    type Of<M: ModeTree> = DynLayout;
}

/// The kind of a layout or a tiler.
pub type KindOf<T> = <T as AnyTiler>::Kind;
/// The kind of an operation on both.
pub type Join<A, B> = <KindOf<A> as Kind>::Join<KindOf<B>>;
/// The layout of the kind `K` with the modes `M`.
pub(crate) type LayoutOf<K, M> = <K as Kind>::Of<M>;
/// The modes of a layout: extents and strides paired at the leaves.
pub(crate) type ModesOf<L> = <L as AnyLayout>::Modes;
