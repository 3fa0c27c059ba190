//! `Kind`: static, mixed or dynamic; and the kind of a result, from the kinds of the operands.

use crate::engine::DynLayout;
use crate::error::LayoutError;
use crate::fallibility::{AtCompileTime, AtRunTime, Fallibility};
use crate::types::api::any::AnyLayout;
use crate::types::api::evaluate::mixed;
use crate::types::api::layout::Layout;
use crate::types::api::mixed::Mixed;
use crate::types::core::modes::ModeTree;
use crate::types::core::sealed::Sealed;
use crate::types::core::symbolic::Variables;

/// How much the compiler knows of a layout or a tiler: everything ([`StaticKind`]), the nesting and
/// some of the numbers ([`MixedKind`]), or nothing ([`DynamicKind`]).
///
/// The result of an operation has the kind of its least static operand.
pub trait Kind: Sealed + 'static {
    /// How much is in the type.
    #[doc(hidden)]
    const KNOWN: Known;
    /// Whether an operation on operands of this kind can fail at run time.
    type Fallibility: Fallibility;
    /// The same for an operation that is defined for every layout: by value it cannot fail.
    type Total: Fallibility;
    /// The one of `Self` and `K` that knows less.
    type Join<K: Kind>: Kind;
    /// [`Join`](Self::Join) with [`MixedKind`].
    #[doc(hidden)]
    type JoinMixed: Kind;
    /// The layout of this kind with the modes `M`.
    #[doc(hidden)]
    type Of<M: ModeTree>: AnyLayout<Kind = Self, Fallibility = Self::Fallibility, Total = Self::Total>;
    /// The layout of this kind with the modes `M`, filled from `layout`, which has these modes.
    #[doc(hidden)]
    fn of_value<M: ModeTree>(layout: &DynLayout) -> Self::Of<M>;
    /// The result of `operation`, with the modes `M`. `X` are the same modes with the run-time
    /// leaves named, which `append_variables` writes. `by_value` computes the engine's result; a mixed result
    /// must `agree` with it. The caller has checked that a layout with the modes `M` exists.
    #[doc(hidden)]
    fn result<M: ModeTree, X: ModeTree>(
        operation: &'static str,
        append_variables: impl FnOnce(&mut Variables),
        by_value: impl FnOnce() -> Result<DynLayout, LayoutError>,
        agree: impl FnOnce(&DynLayout, &DynLayout) -> bool,
    ) -> Result<Self::Of<M>, LayoutError>;
}

/// How much is in the type of a layout.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    /// Every number.
    Everything,
    /// The nesting, and some of the numbers.
    Nesting,
    /// Nothing.
    Nothing,
}

/// The kind of [`Layout`]: every number is in the type.
#[derive(Debug)]
pub enum StaticKind {}

/// The kind of [`Mixed`]: the nesting and some of the numbers are in the type.
#[derive(Debug)]
pub enum MixedKind {}

/// The kind of [`DynLayout`]: everything is a value.
#[derive(Debug)]
pub enum DynamicKind {}

impl Sealed for StaticKind {}
impl Sealed for MixedKind {}
impl Sealed for DynamicKind {}

impl Kind for StaticKind {
    const KNOWN: Known = Known::Everything;
    type Fallibility = AtCompileTime;
    type Total = AtCompileTime;
    type Join<K: Kind> = K;
    type JoinMixed = MixedKind;
    type Of<M: ModeTree> = Layout<M::Shape, M::Stride>;
    #[inline(always)]
    fn of_value<M: ModeTree>(_: &DynLayout) -> Self::Of<M> {
        Layout::default()
    }
    #[inline(always)]
    fn result<M: ModeTree, X: ModeTree>(
        _: &'static str,
        _: impl FnOnce(&mut Variables),
        _: impl FnOnce() -> Result<DynLayout, LayoutError>,
        _: impl FnOnce(&DynLayout, &DynLayout) -> bool,
    ) -> Result<Self::Of<M>, LayoutError> {
        Ok(Layout::default())
    }
}

impl Kind for MixedKind {
    const KNOWN: Known = Known::Nesting;
    type Fallibility = AtRunTime;
    type Total = AtRunTime;
    type Join<K: Kind> = K::JoinMixed;
    type JoinMixed = MixedKind;
    type Of<M: ModeTree> = Mixed<M::Shape, M::Stride>;
    fn of_value<M: ModeTree>(layout: &DynLayout) -> Self::Of<M> {
        Mixed::with_leaves_of(layout)
    }
    fn result<M: ModeTree, X: ModeTree>(
        operation: &'static str,
        append_variables: impl FnOnce(&mut Variables),
        by_value: impl FnOnce() -> Result<DynLayout, LayoutError>,
        agree: impl FnOnce(&DynLayout, &DynLayout) -> bool,
    ) -> Result<Self::Of<M>, LayoutError> {
        // First, because it checks the operands.
        let by_value = by_value()?;
        let mut variables = Variables::NONE;
        append_variables(&mut variables);
        mixed::<M, X>(operation, &variables, &by_value, agree)
    }
}

impl Kind for DynamicKind {
    const KNOWN: Known = Known::Nothing;
    type Fallibility = AtRunTime;
    type Total = AtCompileTime;
    type Join<K: Kind> = Self;
    type JoinMixed = Self;
    type Of<M: ModeTree> = DynLayout;
    fn of_value<M: ModeTree>(layout: &DynLayout) -> DynLayout {
        *layout
    }
    #[inline(always)]
    fn result<M: ModeTree, X: ModeTree>(
        _: &'static str,
        _: impl FnOnce(&mut Variables),
        by_value: impl FnOnce() -> Result<DynLayout, LayoutError>,
        _: impl FnOnce(&DynLayout, &DynLayout) -> bool,
    ) -> Result<DynLayout, LayoutError> {
        by_value()
    }
}

/// The layout of the kind `K` with the modes `M`.
pub(crate) type LayoutOf<K, M> = <K as Kind>::Of<M>;
/// The modes of a layout: extents and strides paired at the leaves.
pub(crate) type ModesOf<L> = <L as AnyLayout>::Modes;
