//! `Datatype`: a layout as a datatype of MPI.

use std::fmt;
use std::marker::PhantomData;

use mpi::topology::Rank;
use mpi::traits::Communicator;
use static_layout::{AnyLayout, DynLayout, LayoutError};

use crate::error::Error;
use crate::sys::{self, CommittedType, Content, Element, Message, TypeHandle};
use crate::typetree::{LARGEST_COUNT, Named, Turn, TypeTree};

/// A layout as a committed datatype: what a message takes from memory, or puts into it, in the order of
/// the coordinates.
///
/// The law: element `i` of a message is the one at `layout.offset(i)`, where `i` counts the coordinates
/// colexicographically. So what is sent as one layout can be received as any other layout of the same
/// shape, and each coordinate keeps its element: sent as rows and received as columns, a matrix is
/// still the same matrix. Modes may be nested, and there may be gaps; nothing is written to them.
///
/// It is made by the fewest of the constructors contiguous, vector and hvector, which `Display` prints:
/// a coalesced layout is a nest of loops, and each constructor makes one or two of them. It is freed when it
/// is dropped.
///
/// A layout in which coordinates share an offset, as a broadcast with stride 0, can be sent and
/// not received.
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
    /// MPI has to be initialised.
    ///
    /// # Errors
    ///
    /// What [`AnyLayout::to_dyn`] refuses, and [`Error::Mpi`].
    pub fn of<L: AnyLayout>(layout: &L) -> Result<Self, Error> {
        Self::with_limit(layout, LARGEST_COUNT)
    }

    /// [`of`](Self::of) with no count above `limit`. Counts of MPI end at 2^31 - 1, where a loop becomes
    /// two, and a rest; with a small limit that can be tried on small layouts.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of).
    pub fn with_limit<L: AnyLayout>(layout: &L, limit: usize) -> Result<Self, Error> {
        let layout = layout.to_dyn()?;
        let modes = layout.extents().iter().zip(layout.strides());
        let loops: Vec<Turn> = modes.map(|(&extent, &stride)| Turn { extent, stride }).collect();
        // Strides in bytes, and the bytes of a message that repeats elements.
        bytes_of::<T>(layout.size().max(layout.cosize()), "datatype")?;
        let tree = TypeTree::of_loops(&loops, size_of::<T>(), limit.clamp(2, LARGEST_COUNT));
        let committed = commit::<T>(&tree)?;
        Ok(Self { tree, committed, layout, element: PhantomData })
    }

    /// The layout.
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }

    /// How many constructors of MPI made it.
    pub fn constructors(&self) -> usize {
        self.tree.constructors()
    }

    /// Sends what the layout has of `data`.
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

    /// Receives into `data`.
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

/// The constructors, innermost first.
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
        Named(&self.tree, T::NAME).fmt(f)
    }
}

impl<T: Element> fmt::Debug for Datatype<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Datatype({self})")
    }
}

/// Number of bytes of `elements` elements of `T`.
///
/// # Errors
///
/// [`LayoutError::IntegerOverflow`] if that is more than any memory has.
pub(crate) fn bytes_of<T>(elements: usize, operation: &'static str) -> Result<usize, Error> {
    match elements.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(bytes),
        _ => Err(LayoutError::IntegerOverflow { operation }.into()),
    }
}
