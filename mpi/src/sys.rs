//! The MPI calls for which the crate `mpi` has no safe function: derived datatypes, several
//! concurrent messages, and broadcasts that overlap with a computation. All `unsafe` code of this
//! crate is in this module.
//!
//! Why it is sound:
//!
//! * An [`Element`] is a number type for which every bit pattern is valid. Its MPI datatype has the
//!   same representation. So anything MPI writes into a slice of elements is a valid value.
//! * A [`CommittedType`] only addresses bytes from its start up to `upper_bound` (exclusive), never
//!   before its start. The length of a slice is compared with `upper_bound` before MPI gets its
//!   pointer.
//! * Non-blocking calls finish within the function that starts them, so the slices are borrowed for
//!   as long as MPI uses them. The closure that runs in between cannot unwind past the wait: a panic
//!   in it aborts the communicator.
//! * MPI is initialised: each function takes a communicator, which only `mpi::initialize` creates, or
//!   is called while one is alive.

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

/// Number types that have an MPI datatype.
pub trait Element:
    FillValue + Equivalence + PartialEq + fmt::Debug + Send + Sync + sealed::Sealed
{
    /// Name of the type in messages and printed datatypes.
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

/// MPI datatype of an element type. It is predefined by MPI and never freed.
fn raw_element<T: Element>() -> MPI_Datatype {
    T::equivalent_datatype().as_raw()
}

/// Converts a return code to a result: any code except `MPI_SUCCESS` (0 in the standard) is an error.
fn check(call: &'static str, code: c_int) -> Result<(), Error> {
    if code == 0 { Ok(()) } else { Err(Error::Mpi { call, code }) }
}

/// Converts a count to `int`, the type of counts in MPI. Plans limit counts so that they fit.
fn int(count: usize) -> c_int {
    c_int::try_from(count).expect("counts are cut to the limit of an int")
}

/// Converts a byte offset or stride to `MPI_Aint`.
fn aint(bytes: usize) -> MPI_Aint {
    MPI_Aint::try_from(bytes).expect("distances within a slice fit isize")
}

/// Handle of a derived datatype, or of a predefined element type.
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
        // SAFETY: the call succeeded, so it has initialised the handle.
        Ok(Self { raw: unsafe { raw.assume_init() }, derived: true })
    }

    pub(crate) fn contiguous(count: usize, of: &Self) -> Result<Self, Error> {
        let count = int(count);
        // SAFETY: `of` is a live datatype; `new` points to memory for a handle.
        Self::derive("MPI_Type_contiguous", |new| unsafe {
            ffi::MPI_Type_contiguous(count, of.raw, new)
        })
    }

    /// `MPI_Type_vector`: the stride is in units of the extent of `of`.
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

    /// `MPI_Type_create_hvector`: the stride is in bytes.
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

    /// The same datatype at each of the byte offsets `at`.
    pub(crate) fn indexed(at: &[usize], of: &Self) -> Result<Self, Error> {
        let at: Vec<MPI_Aint> = at.iter().map(|&at| aint(at)).collect();
        // SAFETY: as in `contiguous`, and `at` has `at.len()` entries.
        Self::derive("MPI_Type_create_hindexed_block", |new| unsafe {
            ffi::MPI_Type_create_hindexed_block(int(at.len()), 1, at.as_ptr(), of.raw, new)
        })
    }

    /// Each datatype at its byte offset.
    pub(crate) fn structure(parts: &[(usize, Self)]) -> Result<Self, Error> {
        let at: Vec<MPI_Aint> = parts.iter().map(|(at, _)| aint(*at)).collect();
        let types: Vec<MPI_Datatype> = parts.iter().map(|(_, part)| part.raw).collect();
        let blocks = vec![1; parts.len()];
        // SAFETY: as in `contiguous`, and the three arrays have `parts.len()` entries.
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

    /// Commits the datatype for use in messages. `upper_bound` is the byte offset after the last byte
    /// that it addresses.
    pub(crate) fn commit(mut self, upper_bound: usize) -> Result<CommittedType, Error> {
        if self.derived {
            // SAFETY: the handle is a live derived datatype.
            check("MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&mut self.raw) })?;
        }
        Ok(CommittedType { handle: self, upper_bound })
    }
}

impl Drop for TypeHandle {
    fn drop(&mut self) {
        // `MPI_Finalize` has already freed all datatypes.
        if self.derived && !mpi::is_finalized() {
            // SAFETY: the handle is live, and is not used afterwards. MPI keeps the datatype alive
            // until pending messages and datatypes derived from it no longer need it.
            unsafe { ffi::MPI_Type_free(&mut self.raw) };
        }
    }
}

/// A committed datatype, usable in messages.
pub(crate) struct CommittedType {
    handle: TypeHandle,
    upper_bound: usize,
}

/// Content of a message: a contiguous run of a slice, or what a datatype addresses from the start of
/// the slice.
pub(crate) enum Content<'a> {
    Run { start: usize, len: usize },
    Type(&'a CommittedType),
}

/// A message to or from a rank: the index of a slice in the list of the call, and the content within it.
pub(crate) struct Message<'a> {
    pub(crate) rank: Rank,
    pub(crate) slice: usize,
    pub(crate) content: Content<'a>,
}

impl Message<'_> {
    /// Pointer, count and datatype for MPI. Panics unless they stay within the slice.
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
                assert!(
                    committed.upper_bound <= len * size_of::<T>(),
                    "a datatype within its slice"
                );
                (data, 1, committed.handle.raw)
            }
        }
    }
}

/// Messages for a contiguous run of a slice, with at most `limit` elements each.
pub(crate) fn runs(
    rank: Rank,
    slice: usize,
    (start, len): (usize, usize),
    limit: usize,
) -> impl Iterator<Item = Message<'static>> {
    let starts = (0..len).step_by(limit);
    starts.map(move |at| {
        let content = Content::Run { start: start + at, len: limit.min(len - at) };
        Message { rank, slice, content }
    })
}

/// Runs `f`. If it panics, prints a message and aborts all ranks, which would wait for messages that
/// never come.
pub(crate) fn or_abort<R>(comm: &dyn Communicator, what: &str, f: impl FnOnce() -> R) -> R {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => value,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            let text = text.unwrap_or_default();
            abort_all(comm, format_args!("{what} panicked: {text}"))
        }
    }
}

/// The value of `result`. An error aborts all ranks, which would otherwise wait forever.
pub(crate) fn ok_or_abort<R>(comm: &dyn Communicator, what: &str, result: Result<R, Error>) -> R {
    result.unwrap_or_else(|error| abort_all(comm, format_args!("{what} failed: {error}")))
}

/// Prints the reason and aborts all ranks. Uses a single write, so that the output of other ranks and
/// `mpirun` is not interleaved with it.
fn abort_all(comm: &dyn Communicator, why: fmt::Arguments<'_>) -> ! {
    let message = format!("rank {}: {why}; all ranks stop\n", comm.rank());
    // The abort must happen even if the write fails.
    let _ = std::io::stderr().write_all(message.as_bytes());
    comm.abort(101)
}

/// Waits for all requests.
fn wait_all(requests: &mut [MPI_Request]) -> Result<(), Error> {
    // SAFETY: each request is live or null, and the count is the length of the slice; statuses are
    // ignored.
    check("MPI_Waitall", unsafe {
        let ignore = ffi::RSMPI_STATUSES_IGNORE;
        ffi::MPI_Waitall(int(requests.len()), requests.as_mut_ptr(), ignore)
    })
}

/// Sends and receives all messages, and runs `meanwhile` while they are in flight.
///
/// Messages between two ranks arrive in list order. If two receives write the same memory, either
/// value may remain.
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
        // SAFETY: MPI writes only to memory that `arguments` has checked to be inside `into`, which
        // is borrowed until `wait_all` below has returned. The pointer comes from `as_mut_ptr`.
        let code = unsafe {
            let pointer = pointer.cast_mut().cast::<c_void>();
            ffi::MPI_Irecv(pointer, count, datatype, message.rank, tag, raw, request.as_mut_ptr())
        };
        abort_on_error(comm, "MPI_Irecv", code);
        // SAFETY: the call succeeded, so it has initialised the request.
        requests.push(unsafe { request.assume_init() });
    }
    for message in sends {
        let (pointer, count, datatype) = message.arguments(&from);
        let mut request = MaybeUninit::uninit();
        // SAFETY: MPI reads only memory that `arguments` has checked to be inside `from`, which is
        // borrowed until `wait_all` below has returned.
        let code = unsafe {
            let pointer = pointer.cast::<c_void>();
            ffi::MPI_Isend(pointer, count, datatype, message.rank, tag, raw, request.as_mut_ptr())
        };
        abort_on_error(comm, "MPI_Isend", code);
        // SAFETY: the call succeeded, so it has initialised the request.
        requests.push(unsafe { request.assume_init() });
    }
    or_abort(comm, "a copy between messages", meanwhile);
    wait_all(&mut requests)
}

/// Aborts all ranks if a call failed. Returning is not possible: earlier requests still use borrowed
/// memory.
fn abort_on_error(comm: &dyn Communicator, call: &str, code: c_int) {
    if code != 0 {
        abort_all(comm, format_args!("{call} failed with error {code}"));
    }
}

/// A broadcast of a slice from `root`, on a row or column communicator of a grid.
pub(crate) struct Broadcast<'a, T> {
    pub(crate) comm: &'a dyn Communicator,
    pub(crate) root: Rank,
    pub(crate) data: &'a mut [T],
}

/// Lets MPI make progress on pending messages. MPI does so only while it is called.
pub(crate) struct Progress<'a> {
    requests: &'a mut [MPI_Request],
}

impl Progress<'_> {
    pub(crate) fn poll(&mut self) {
        let mut done = 0;
        // SAFETY: as in `wait_all`. `MPI_Testall` sets finished requests to null, which `wait_all`
        // skips.
        unsafe {
            let ignore = ffi::RSMPI_STATUSES_IGNORE;
            let count = int(self.requests.len());
            ffi::MPI_Testall(count, self.requests.as_mut_ptr(), &mut done, ignore);
        }
    }
}

/// Starts all broadcasts in pieces of at most `limit` elements, runs `meanwhile`, and waits for the
/// broadcasts.
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
            // SAFETY: MPI reads or writes `part.len()` elements from the start of `part`, which is
            // borrowed by `broadcasts` until `wait_all` below has returned.
            let code = unsafe {
                let (data, count) = (part.as_mut_ptr().cast::<c_void>(), int(part.len()));
                let (datatype, comm) = (raw_element::<T>(), comm.as_raw());
                ffi::MPI_Ibcast(data, count, datatype, *root, comm, request.as_mut_ptr())
            };
            abort_on_error(*comm, "MPI_Ibcast", code);
            // SAFETY: the call succeeded, so it has initialised the request.
            requests.push(unsafe { request.assume_init() });
        }
    }
    or_abort(any, "a product between broadcasts", || {
        meanwhile(&mut Progress { requests: &mut requests });
    });
    wait_all(&mut requests)
}
