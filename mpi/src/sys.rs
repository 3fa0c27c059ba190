//! The calls of MPI that the crate `mpi` has no safe function for: derived datatypes, several messages
//! at once, broadcasts that run behind a computation. All `unsafe` of this crate is here.
//!
//! What makes it sound:
//!
//! * An [`Element`] is a number of which every bit pattern is a value, and its datatype is that of MPI with
//!   the same representation. So whatever MPI writes into a slice of elements is a value.
//! * A [`CommittedType`] knows `reach`, the byte behind the last one that it leads to from its start,
//!   and only leads forwards. A slice is compared with it before MPI gets its pointer.
//! * Non-blocking calls are finished within the function that starts them, so that the slices
//!   are borrowed for as long as MPI uses them. The closure that runs between start and end cannot
//!   unwind past the waiting: a panic in it aborts the communicator.
//! * MPI is initialised: each function takes a communicator, which only `mpi::initialize` gives, or is
//!   called with one alive.

#![allow(unsafe_code)]

use std::ffi::c_void;
use std::fmt;
use std::io::Write;
use std::mem::MaybeUninit;
use std::os::raw::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mpi::datatype::Equivalence;
use mpi::ffi::{self, MPI_Aint, MPI_Comm, MPI_Datatype, MPI_Request};
use mpi::topology::Rank;
use mpi::traits::{AsRaw, Communicator};
use static_layout::FillValue;

use crate::error::Error;

/// Numbers that MPI has a datatype for.
pub trait Element:
    FillValue + Equivalence + PartialEq + fmt::Debug + Send + Sync + sealed::Sealed
{
    /// The name in messages and in printed datatypes.
    const NAME: &'static str;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($number:ident)*) => {$(
        impl sealed::Sealed for $number {}
        impl Element for $number {
            const NAME: &'static str = stringify!($number);
        }
    )*};
}
elements!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize f32 f64);

/// The datatype of an element, which belongs to MPI and is never freed.
fn raw_element<T: Element>() -> MPI_Datatype {
    T::equivalent_datatype().as_raw()
}

/// An error for everything but `MPI_SUCCESS`, which is 0 in the standard.
fn check(call: &'static str, code: c_int) -> Result<(), Error> {
    if code == 0 { Ok(()) } else { Err(Error::Mpi { call, code }) }
}

/// A count, for which MPI has an `int`. Plans keep counts below a limit that is at most this.
fn int(count: usize) -> c_int {
    c_int::try_from(count).expect("counts are cut to the limit of an int")
}

/// An address distance.
fn aint(bytes: usize) -> MPI_Aint {
    MPI_Aint::try_from(bytes).expect("distances within a slice fit isize")
}

/// A handle of a datatype that this program made, or of an element.
pub(crate) struct TypeHandle {
    raw: MPI_Datatype,
    derived: bool,
}

impl TypeHandle {
    pub(crate) fn element<T: Element>() -> Self {
        Self { raw: raw_element::<T>(), derived: false }
    }

    fn derive(
        call: &'static str,
        make: impl FnOnce(*mut MPI_Datatype) -> c_int,
    ) -> Result<Self, Error> {
        let mut raw = MaybeUninit::uninit();
        check(call, make(raw.as_mut_ptr()))?;
        // SAFETY: the call succeeded, so it has written the new handle.
        Ok(Self { raw: unsafe { raw.assume_init() }, derived: true })
    }

    pub(crate) fn contiguous(count: usize, of: &Self) -> Result<Self, Error> {
        let count = int(count);
        // SAFETY: `of` is a live datatype; the last argument is room for a handle.
        Self::derive("MPI_Type_contiguous", |new| unsafe {
            ffi::MPI_Type_contiguous(count, of.raw, new)
        })
    }

    /// The stride counts extents of `of`.
    pub(crate) fn vector(
        count: usize,
        block: usize,
        stride: usize,
        of: &Self,
    ) -> Result<Self, Error> {
        let (count, block, stride) = (int(count), int(block), int(stride));
        // SAFETY: as in `contiguous`.
        Self::derive("MPI_Type_vector", |new| unsafe {
            ffi::MPI_Type_vector(count, block, stride, of.raw, new)
        })
    }

    /// The stride counts bytes.
    pub(crate) fn hvector(
        count: usize,
        block: usize,
        stride: usize,
        of: &Self,
    ) -> Result<Self, Error> {
        let (count, block, stride) = (int(count), int(block), aint(stride));
        // SAFETY: as in `contiguous`.
        Self::derive("MPI_Type_create_hvector", |new| unsafe {
            ffi::MPI_Type_create_hvector(count, block, stride, of.raw, new)
        })
    }

    /// The same type at each of these bytes.
    pub(crate) fn indexed(at: &[usize], of: &Self) -> Result<Self, Error> {
        let at: Vec<MPI_Aint> = at.iter().map(|&at| aint(at)).collect();
        // SAFETY: as in `contiguous`, and `at` has as many entries as the count says.
        Self::derive("MPI_Type_create_hindexed_block", |new| unsafe {
            ffi::MPI_Type_create_hindexed_block(int(at.len()), 1, at.as_ptr(), of.raw, new)
        })
    }

    /// Each type at its byte.
    pub(crate) fn structure(parts: &[(usize, Self)]) -> Result<Self, Error> {
        let at: Vec<MPI_Aint> = parts.iter().map(|(at, _)| aint(*at)).collect();
        let types: Vec<MPI_Datatype> = parts.iter().map(|(_, part)| part.raw).collect();
        let blocks = vec![1; parts.len()];
        // SAFETY: as in `contiguous`, and the three arrays have as many entries as the count says.
        Self::derive("MPI_Type_create_struct", |new| unsafe {
            ffi::MPI_Type_create_struct(
                int(parts.len()),
                blocks.as_ptr(),
                at.as_ptr(),
                types.as_ptr(),
                new,
            )
        })
    }

    /// Ready for messages. `reach` is behind the last byte that the type leads to.
    pub(crate) fn commit(mut self, reach: usize) -> Result<CommittedType, Error> {
        if self.derived {
            // SAFETY: the handle is a live derived datatype.
            check("MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&mut self.raw) })?;
        }
        Ok(CommittedType { handle: self, reach })
    }
}

impl Drop for TypeHandle {
    fn drop(&mut self) {
        // After `MPI_Finalize` all types are gone.
        if self.derived && !mpi::is_finalized() {
            // SAFETY: the handle is live, and nobody uses it afterwards. MPI keeps a type until messages
            // with it, and types made of it, are done.
            unsafe { ffi::MPI_Type_free(&mut self.raw) };
        }
    }
}

/// A datatype that messages can have.
pub(crate) struct CommittedType {
    handle: TypeHandle,
    reach: usize,
}

/// What a message has: neighbours in a slice, or what a datatype leads to from the start of it.
pub(crate) enum Content<'a> {
    Run { start: usize, len: usize },
    Type(&'a CommittedType),
}

/// A message to or from a rank: in which of the slices of the call, and what of it.
pub(crate) struct Message<'a> {
    pub(crate) rank: Rank,
    pub(crate) slice: usize,
    pub(crate) content: Content<'a>,
}

impl Message<'_> {
    /// The pointer, count and datatype, after a check that they stay within its slice.
    fn arguments<T: Element>(
        &self,
        slices: &[(*const T, usize)],
    ) -> (*const T, c_int, MPI_Datatype) {
        let (data, len) = slices[self.slice];
        match self.content {
            Content::Run { start, len: run } => {
                assert!(start <= len && run <= len - start, "a run within its slice");
                (data.wrapping_add(start), int(run), raw_element::<T>())
            }
            Content::Type(committed) => {
                assert!(committed.reach <= len * size_of::<T>(), "a datatype within its slice");
                (data, 1, committed.handle.raw)
            }
        }
    }
}

/// The messages for neighbours in a slice: several when there are more than `limit` elements.
pub(crate) fn runs(
    rank: Rank,
    slice: usize,
    (start, len): (usize, usize),
    limit: usize,
) -> impl Iterator<Item = Message<'static>> {
    let pieces = (0..len).step_by(limit);
    pieces.map(move |at| {
        let content = Content::Run { start: start + at, len: limit.min(len - at) };
        Message { rank, slice, content }
    })
}

/// Aborts all ranks with a message when `f` panics: the others wait for messages that never come.
pub(crate) fn or_abort<R>(comm: &dyn Communicator, what: &str, f: impl FnOnce() -> R) -> R {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => value,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            let text = text.unwrap_or_default();
            stop_all(comm, format_args!("{what} panicked: {text}"))
        }
    }
}

/// The value, or an end of the program on all ranks: the others are under way and would wait.
pub(crate) fn ok_or_abort<R>(comm: &dyn Communicator, what: &str, result: Result<R, Error>) -> R {
    result.unwrap_or_else(|error| stop_all(comm, format_args!("{what} failed: {error}")))
}

/// Aborts all ranks, and says why. One write: what other ranks and `mpirun` print does not come in between.
fn stop_all(comm: &dyn Communicator, why: fmt::Arguments<'_>) -> ! {
    let message = format!("rank {}: {why}; all ranks stop\n", comm.rank());
    // The ranks stop whether or not somebody reads this.
    let _ = std::io::stderr().write_all(message.as_bytes());
    comm.abort(101)
}

/// Waits for all of them.
fn wait_all(requests: &mut [MPI_Request]) -> Result<(), Error> {
    // SAFETY: the requests are live or null, and as many as the count says; no status is asked for.
    check("MPI_Waitall", unsafe {
        let ignore = ffi::RSMPI_STATUSES_IGNORE;
        ffi::MPI_Waitall(int(requests.len()), requests.as_mut_ptr(), ignore)
    })
}

/// Sends and receives all of these, and runs `meanwhile` while they are under way.
///
/// Messages between two ranks arrive in the order of the lists. What is received at one place twice is
/// either of the two.
pub(crate) fn exchange<T: Element>(
    comm: &dyn Communicator,
    tag: c_int,
    (from, sends): (&[&[T]], &[Message<'_>]),
    (into, receives): (&mut [&mut [T]], &[Message<'_>]),
    meanwhile: impl FnOnce(),
) -> Result<(), Error> {
    let raw: MPI_Comm = comm.as_raw();
    let mut requests = Vec::with_capacity(sends.len() + receives.len());
    let from: Vec<_> = from.iter().map(|slice| (slice.as_ptr(), slice.len())).collect();
    let into: Vec<_> =
        into.iter_mut().map(|slice| (slice.as_mut_ptr().cast_const(), slice.len())).collect();
    for message in receives {
        let (pointer, count, datatype) = message.arguments(&into);
        let mut request = MaybeUninit::uninit();
        // SAFETY: MPI writes only what `arguments` has checked to be inside of `into`, which is borrowed
        // until `wait_all` below has returned. The pointer comes from `as_mut_ptr`.
        let code = unsafe {
            let pointer = pointer.cast_mut().cast::<c_void>();
            ffi::MPI_Irecv(pointer, count, datatype, message.rank, tag, raw, request.as_mut_ptr())
        };
        started(comm, "MPI_Irecv", code);
        // SAFETY: the call succeeded, so it has written the request.
        requests.push(unsafe { request.assume_init() });
    }
    for message in sends {
        let (pointer, count, datatype) = message.arguments(&from);
        let mut request = MaybeUninit::uninit();
        // SAFETY: MPI reads only what `arguments` has checked to be inside of `from`, which is borrowed
        // until `wait_all` below has returned.
        let code = unsafe {
            let pointer = pointer.cast::<c_void>();
            ffi::MPI_Isend(pointer, count, datatype, message.rank, tag, raw, request.as_mut_ptr())
        };
        started(comm, "MPI_Isend", code);
        // SAFETY: the call succeeded, so it has written the request.
        requests.push(unsafe { request.assume_init() });
    }
    or_abort(comm, "a copy between messages", meanwhile);
    wait_all(&mut requests)
}

/// A call in the middle of others that failed: those before hold borrowed memory, so that nobody can
/// return from here.
fn started(comm: &dyn Communicator, call: &str, code: c_int) {
    if code != 0 {
        stop_all(comm, format_args!("{call} failed with error {code}"));
    }
}

/// A broadcast of a slice from `root`, on one of the communicators of a grid.
pub(crate) struct Broadcast<'a, T> {
    pub(crate) comm: &'a dyn Communicator,
    pub(crate) root: Rank,
    pub(crate) data: &'a mut [T],
}

/// Makes progress with messages that are under way; MPI does so only when it is called.
pub(crate) struct Progress<'a> {
    requests: &'a mut [MPI_Request],
}

impl Progress<'_> {
    pub(crate) fn poke(&mut self) {
        let mut done = 0;
        // SAFETY: as in `wait_all`. Finished requests become null, which `wait_all` skips.
        unsafe {
            let ignore = ffi::RSMPI_STATUSES_IGNORE;
            let count = int(self.requests.len());
            ffi::MPI_Testall(count, self.requests.as_mut_ptr(), &mut done, ignore);
        }
    }
}

/// Starts all of these, in pieces of at most `limit` elements, runs `meanwhile`, and waits for them.
pub(crate) fn broadcast_all<T: Element>(
    broadcasts: &mut [Broadcast<'_, T>],
    limit: usize,
    meanwhile: impl FnOnce(&mut Progress<'_>),
) -> Result<(), Error> {
    let Some(first) = broadcasts.first() else {
        meanwhile(&mut Progress { requests: &mut [] });
        return Ok(());
    };
    let any = first.comm;
    let mut requests = Vec::new();
    for Broadcast { comm, root, data } in &mut *broadcasts {
        for part in data.chunks_mut(limit) {
            let mut request = MaybeUninit::uninit();
            // SAFETY: MPI reads or writes `part.len()` elements from the start of `part`. It is borrowed
            // by `broadcasts` until `wait_all` below has returned.
            let code = unsafe {
                let (data, count) = (part.as_mut_ptr().cast::<c_void>(), int(part.len()));
                let (datatype, comm) = (raw_element::<T>(), comm.as_raw());
                ffi::MPI_Ibcast(data, count, datatype, *root, comm, request.as_mut_ptr())
            };
            started(*comm, "MPI_Ibcast", code);
            // SAFETY: the call succeeded, so it has written the request.
            requests.push(unsafe { request.assume_init() });
        }
    }
    or_abort(any, "a product between broadcasts", || {
        meanwhile(&mut Progress { requests: &mut requests });
    });
    wait_all(&mut requests)
}
