//! `Datatype`: a layout as an MPI datatype.

use std::fmt;
use std::marker::PhantomData;

use mpi::topology::Rank;
use mpi::traits::Communicator;
use static_layout::{AnyLayout, DynLayout, LayoutError};

use crate::error::Error;
use crate::sys::{self, CommittedType, Content, Element, Message, TypeHandle};
use crate::typetree::{Loop, MAX_COUNT, TypeTree, WithElementName};

/// A layout as a committed MPI datatype. A message reads elements from memory, or writes them, in
/// coordinate order.
///
/// The law: element `i` of a message is at `layout.offset(i)`, where `i` counts the coordinates
/// colexicographically. So a message sent in one layout can be received in any other layout of the
/// same shape, and each coordinate keeps its element: a matrix sent as rows and received as columns
/// is still the same matrix. Modes may be nested. Layouts may have gaps, which are not written.
///
/// The datatype uses the minimum number of the constructors contiguous, vector and hvector, which
/// `Display` prints. A coalesced layout is a loop nest, and each constructor covers one or two loops.
/// The datatype is freed on drop.
///
/// A layout whose coordinates share an offset, such as a broadcast with stride 0, can be sent but not
/// received.
///
/// ```no_run
/// use static_layout::layout;
/// use static_layout_mpi::Datatype;
/// let universe = mpi::initialize().unwrap();
/// let rows = Datatype::<f32>::of(&layout!((4,8):(16,1)))?;
/// assert_eq!(rows.to_string(), "hvector(8 of 1, 4 B) of vector(4 of 1, 16) of f32");
/// let columns = Datatype::<f32>::of(&layout!((4,8):(1,16)))?;
/// assert_eq!(columns.to_string(), "vector(8 of 4, 16) of f32");
/// # Ok::<(), static_layout_mpi::Error>(())
/// ```
pub struct Datatype<T> {
    tree: TypeTree,
    committed: CommittedType,
    layout: DynLayout,
    element: PhantomData<fn() -> T>,
}

impl<T: Element> Datatype<T> {
    /// The datatype of a layout of elements `T`.
    ///
    /// MPI must be initialised.
    ///
    /// # Errors
    ///
    /// The errors of [`AnyLayout::to_dyn`], and [`Error::Mpi`].
    pub fn of<L: AnyLayout>(layout: &L) -> Result<Self, Error> {
        Self::with_limit(layout, MAX_COUNT)
    }

    /// [`of`](Self::of) with no count above `limit`. MPI counts end at 2^31 - 1; beyond that a loop
    /// is split into two loops and a remainder. A small limit allows testing this with small layouts.
    ///
    /// # Errors
    ///
    /// See [`of`](Self::of).
    pub fn with_limit<L: AnyLayout>(layout: &L, limit: usize) -> Result<Self, Error> {
        let layout = layout.to_dyn()?;
        let modes = layout.extents().iter().zip(layout.strides());
        let loops: Vec<Loop> = modes.map(|(&extent, &stride)| Loop { extent, stride }).collect();
        // Strides in bytes must not overflow, nor the message size of a layout that repeats elements.
        check_bytes::<T>(layout.size().max(layout.cosize()), "datatype")?;
        let tree = TypeTree::of_loops(&loops, size_of::<T>(), limit.clamp(2, MAX_COUNT));
        let committed = commit::<T>(&tree)?;
        Ok(Self { tree, committed, layout, element: PhantomData })
    }

    /// The layout.
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }

    /// Number of MPI type constructors used.
    pub fn constructors(&self) -> usize {
        self.tree.constructors()
    }

    /// Sends the elements of `data` that the layout addresses.
    pub(crate) fn send(
        &self,
        comm: &dyn Communicator,
        data: &[T],
        to: Rank,
        tag: i32,
    ) -> Result<(), Error> {
        let message = Message { rank: to, slice: 0, content: Content::Type(&self.committed) };
        sys::exchange(comm, tag, (&[data], &[message]), (&mut [], &[]), || {})
    }

    /// Receives into the elements of `data` that the layout addresses.
    pub(crate) fn receive(
        &self,
        comm: &dyn Communicator,
        data: &mut [T],
        from: Rank,
        tag: i32,
    ) -> Result<(), Error> {
        let message = Message { rank: from, slice: 0, content: Content::Type(&self.committed) };
        sys::exchange(comm, tag, (&[], &[]), (&mut [data], &[message]), || {})
    }
}

/// Builds the datatype, innermost constructor first, and commits it.
pub(crate) fn commit<T: Element>(tree: &TypeTree) -> Result<CommittedType, Error> {
    construct::<T>(tree)?.commit(tree.extent(size_of::<T>()))
}

fn construct<T: Element>(tree: &TypeTree) -> Result<TypeHandle, Error> {
    match tree {
        TypeTree::Element => Ok(TypeHandle::element::<T>()),
        TypeTree::Contiguous { count, of } => TypeHandle::contiguous(*count, &construct::<T>(of)?),
        TypeTree::Vector { count, block, stride, of } => {
            TypeHandle::vector(*count, *block, *stride, &construct::<T>(of)?)
        }
        TypeTree::Hvector { count, block, stride, of } => {
            TypeHandle::hvector(*count, *block, *stride, &construct::<T>(of)?)
        }
        TypeTree::Indexed { at, of } => TypeHandle::indexed(at, &construct::<T>(of)?),
        TypeTree::Struct { parts } => {
            let parts: Result<Vec<_>, Error> =
                parts.iter().map(|(at, part)| Ok((*at, construct::<T>(part)?))).collect();
            TypeHandle::structure(&parts?)
        }
    }
}

impl<T: Element> fmt::Display for Datatype<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        WithElementName(&self.tree, T::NAME).fmt(f)
    }
}

impl<T: Element> fmt::Debug for Datatype<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Datatype({self})")
    }
}

/// Checks that a number counts the bytes of `elements` elements of `T`.
pub(crate) fn check_bytes<T>(elements: usize, operation: &'static str) -> Result<(), Error> {
    match elements.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(LayoutError::IntegerOverflow { operation }.into()),
    }
}
