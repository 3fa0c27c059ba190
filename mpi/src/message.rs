//! Messages of views: sent in one layout and received in another.

use mpi::topology::Rank;
use mpi::traits::{Communicator, Equivalence, Source};
use static_layout::{
    AnyLayout, AsView, AsViewMut, DynLayout, IntoResult, LayoutError, View, ViewMut, kernels,
};

use crate::datatype::{Datatype, check_bytes};
use crate::error::Error;
use crate::sys::{self, Element, runs};
use crate::typetree::MAX_COUNT;

/// How elements are transferred between memory and a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// The faster one, chosen by [`Method::of`].
    #[default]
    Auto,
    /// A derived datatype: MPI walks through the memory itself.
    Datatype,
    /// `kernels::copy` to or from a contiguous buffer, and a message of that buffer.
    Packed,
}

/// Length of a contiguous run in bytes from which on a derived datatype is faster than packing.
///
/// Measured with Open MPI 4.1 in shared memory by the example `method`, speed of a datatype relative
/// to a packed message: 0.04 to 0.9 with runs of 4 bytes, 0.8 to 2.6 with 16 bytes, 1.4 to 3 from 64
/// bytes on.
const LONG_RUN_BYTES: usize = 64;

impl Method {
    /// The method for a layout of elements of `element_bytes` bytes: a datatype if the layout has no
    /// gaps, or if neighbouring coordinates form contiguous runs of 64 bytes or more; packed
    /// otherwise.
    ///
    /// Packing reads and writes all elements once more, but with vector instructions and cache
    /// blocking. MPI walks through a datatype in message order, one run at a time.
    ///
    /// ```
    /// use static_layout::DynLayout;
    /// use static_layout_mpi::Method;
    /// let layout = |text| DynLayout::parse(text).unwrap();
    /// assert_eq!(Method::of(&layout("(16,8):(1,4096)"), 4), Method::Datatype);
    /// assert_eq!(Method::of(&layout("(64,64):(64,1)"), 4), Method::Packed);
    /// ```
    #[must_use]
    pub fn of(layout: &DynLayout, element_bytes: usize) -> Self {
        let leaves = layout.extents().iter().zip(layout.strides());
        let mut run = 1;
        for (&extent, &stride) in leaves.filter(|&(&extent, _)| extent > 1) {
            if stride != run {
                break;
            }
            run *= extent;
        }
        Self::of_run(run, layout.size(), element_bytes)
    }

    /// The method for contiguous runs of `run` elements in a message of `all` elements.
    pub(crate) fn of_run(run: usize, total: usize, element_bytes: usize) -> Self {
        let long = run == total || run * element_bytes >= LONG_RUN_BYTES;
        if long { Self::Datatype } else { Self::Packed }
    }

    fn resolved(self, layout: &DynLayout, element_bytes: usize) -> Self {
        if self == Self::Auto { Self::of(layout, element_bytes) } else { self }
    }
}

/// Sends the elements of a view in coordinate order. The peer can [`receive`] them in any layout of
/// the same shape.
///
/// # Errors
///
/// The errors of [`Datatype::of`], and [`Error::UnknownRank`].
pub fn send<T: Element, V: AsView<T>>(
    comm: &impl Communicator,
    view: &V,
    to: Rank,
    tag: i32,
    method: Method,
) -> Result<(), Error> {
    let view = view.as_view();
    let layout = view.layout().to_dyn()?;
    check_rank(comm, to)?;
    if method.resolved(&layout, size_of::<T>()) == Method::Datatype {
        return Datatype::<T>::of(&layout)?.send(comm, view.as_slice(), to, tag);
    }
    check_bytes::<T>(layout.size(), "send")?;
    let mut packed = vec![T::ZERO; layout.size()];
    let compact = DynLayout::make(&layout.shape())?;
    kernels::copy(&view, &mut ViewMut::new_in(&mut packed, compact)?).into_result()?;
    let messages: Vec<_> = runs(to, 0, (0, packed.len()), MAX_COUNT).collect();
    sys::exchange(comm, tag, (&[&packed], &messages), (&mut [], &[]), || {})
}

/// Receives what another rank [`send`]s into the layout of a view.
///
/// # Errors
///
/// [`Error::UnknownRank`]; [`LayoutError::NotInjective`]; [`Error::MessageSize`] if the message has a
/// different number of elements. The message is then discarded, and only this rank returns the error.
pub fn receive<T: Element, V: AsViewMut<T>>(
    comm: &impl Communicator,
    view: &mut V,
    from: Rank,
    tag: i32,
    method: Method,
) -> Result<(), Error> {
    let mut view = view.as_view_mut();
    let layout = view.layout().to_dyn()?;
    // `View` does not exclude that two elements share an offset.
    if !layout.is_injective()? {
        let (shape, stride) = (layout.shape(), layout.stride());
        return Err(LayoutError::NotInjective { shape, stride }.into());
    }
    let expected = layout.size();
    check_rank(comm, from)?;
    let status = comm.process_at_rank(from).probe_with_tag(tag);
    // Above the limit of an `int` MPI does not report the size, and the message is one of several.
    let bytes = usize::try_from(status.count(u8::equivalent_datatype()));
    if let Ok(bytes) = bytes
        && bytes != expected * size_of::<T>()
        && expected <= MAX_COUNT / size_of::<T>()
    {
        let mut discarded = vec![0u8; bytes];
        let messages: Vec<_> = runs(from, 0, (0, bytes), MAX_COUNT).collect();
        sys::exchange(comm, tag, (&[], &[]), (&mut [&mut discarded], &messages), || {})?;
        return Err(Error::MessageSize { expected, bytes });
    }
    if method.resolved(&layout, size_of::<T>()) == Method::Datatype {
        return Datatype::<T>::of(&layout)?.receive(comm, view.as_mut_slice(), from, tag);
    }
    let mut packed = vec![T::ZERO; expected];
    let messages: Vec<_> = runs(from, 0, (0, expected), MAX_COUNT).collect();
    sys::exchange(comm, tag, (&[], &[]), (&mut [&mut packed], &messages), || {})?;
    let compact = DynLayout::make(&layout.shape())?;
    Ok(kernels::copy(&View::new_in(&packed, compact)?, &mut view).into_result()?)
}

/// Checks that the communicator has this rank.
fn check_rank(comm: &impl Communicator, rank: Rank) -> Result<(), Error> {
    let ranks = comm.size();
    if (0..ranks).contains(&rank) { Ok(()) } else { Err(Error::UnknownRank { rank, ranks }) }
}
