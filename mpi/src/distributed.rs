//! `DistributedTensor`: a tensor whose cores are held by MPI ranks.

use std::fmt;

use mpi::topology::Rank;
use mpi::traits::Communicator;
use static_layout::devices::{AnyPlacement, Placement};
use static_layout::error::PlacementError;
use static_layout::{AnyLayout, IntoResult, LayoutError, Tensor};

use crate::agree::{Facts, agree};
use crate::cores::Cores;
use crate::datatype::commit;
use crate::error::Error;
use crate::message::Method;
use crate::plan::{End, PeerTransfer, Placed, Plan};
use crate::sys::{self, CommittedType, Content, Element, Message, runs};
use crate::typetree::MAX_COUNT;

/// Tag of all messages. One tag is enough: each tensor has its own communicator, and messages between
/// two ranks keep their order.
const TAG: i32 = 0;

/// How the elements of a tensor are transferred, see [`DistributedTensor::reshard_with`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// Packed messages or derived datatypes.
    pub method: Method,
    /// Maximum number of elements of a packed message and maximum count of a datatype, at most
    /// 2^31 - 1. Larger transfers are split into several messages, in element order.
    pub limit: usize,
}

impl Default for Exchange {
    /// The faster method, with no limit except that of MPI.
    fn default() -> Self {
        Self { method: Method::Auto, limit: MAX_COUNT }
    }
}

/// A tensor distributed over ranks: each rank holds the buffers of its own [`Cores`], as defined by
/// the placement `P`.
///
/// All functions that move elements are collective. Each rank plans only its own part. Elements that
/// stay on their rank are copied locally. Padding is filled locally and never sent. Before any data
/// moves, one small all-reduce compares the arguments of all ranks. An error is the same on all
/// ranks.
///
/// ```no_run
/// use mpi::traits::Communicator;
/// use static_layout::layout;
/// use static_layout_mpi::{Cores, DistributedTensor};
/// type Rows = layout!(tensor<6x4xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <2x1>>>);
/// type Columns = layout!(tensor<6x4xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <1x2>>>);
/// let universe = mpi::initialize().unwrap();
/// let cores = Cores::row_major(&universe.world(), 2)?;
/// let rows = DistributedTensor::from_fn(&cores, Rows::default(), |at| (10 * at[0] + at[1]) as f32)?;
/// let columns = rows.reshard(Columns::default())?;
/// if let Some(first) = columns.core(0) {
///     assert_eq!(first[..4], [0.0, 1.0, 10.0, 11.0]);
/// }
/// # Ok::<(), static_layout_mpi::Error>(())
/// ```
pub struct DistributedTensor<'c, T, P> {
    pub(crate) cores: &'c Cores,
    pub(crate) placement: P,
    pub(crate) value: Placement,
    // The buffers of the own cores that the placement uses, concatenated.
    pub(crate) data: Vec<T>,
    padding: Option<T>,
}

impl<'c, T: Element, P: AnyPlacement + Copy> DistributedTensor<'c, T, P> {
    /// A tensor of zeros. Padding gets the fill value of the placement.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewCores`]; [`PlacementError::SharedSlot`]; [`PlacementError::TooManyBytes`]; the
    /// ranks disagree.
    pub fn zeros(cores: &'c Cores, placement: P) -> Result<Self, Error> {
        let new = Self::unchecked(cores, placement);
        agree(cores.communicator(), "zeros", new.as_ref().map(Self::facts).map_err(Clone::clone))?;
        let mut new = new?;
        // The buffers are already filled with the padding value: now overwrite the elements.
        if new.padding.is_some() {
            new.each_element(|element, _| *element = T::ZERO)?;
        }
        Ok(new)
    }

    /// A tensor with the value `f(coordinate)` at each coordinate. Each rank calls `f` for its own
    /// elements only.
    ///
    /// A panic in `f` prints a message and aborts all ranks, since the others would wait for this one
    /// forever.
    ///
    /// # Errors
    ///
    /// See [`zeros`](Self::zeros).
    pub fn from_fn(
        cores: &'c Cores,
        placement: P,
        mut f: impl FnMut(&[usize]) -> T,
    ) -> Result<Self, Error> {
        let new = Self::unchecked(cores, placement);
        agree(
            cores.communicator(),
            "from_fn",
            new.as_ref().map(Self::facts).map_err(Clone::clone),
        )?;
        let mut new = new?;
        sys::or_abort(cores.communicator(), "the closure of from_fn", || {
            new.each_element(|element, at| *element = f(at))
        })?;
        Ok(new)
    }

    /// Distributes the elements that `root` holds in `layout`. On other ranks `data` is not read.
    ///
    /// # Errors
    ///
    /// See [`zeros`](Self::zeros); the shapes differ; `data` of `root` is too short.
    pub fn scatter<L: AnyLayout>(
        cores: &'c Cores,
        placement: P,
        root: Rank,
        layout: L,
        data: &[T],
    ) -> Result<Self, Error> {
        let is_root = cores.rank() == root;
        let new = Self::unchecked(cores, placement).and_then(|new| {
            let whole = Placement::of_layout(&layout.to_dyn()?)?;
            let (elements, shape) = (data.len(), layout.shape());
            if is_root && elements < whole.storage() {
                let stride = layout.stride();
                return Err(LayoutError::SliceTooShort { elements, shape, stride }.into());
            }
            Ok((new, whole))
        });
        let planned = new.and_then(|(mut new, whole)| {
            let from = Placed { placement: &whole, ranks: &[root], own: cores_if(is_root) };
            let plan = Plan::of(from, new.placed(), cores.rank())?;
            let mut facts = new.facts();
            facts.push(("layout", layout.to_string()));
            facts.push(("root", root.to_string()));
            new.fill();
            Ok((new, plan, facts))
        });
        let facts = planned.as_ref().map(|(_, _, facts)| facts.clone()).map_err(Clone::clone);
        agree(cores.communicator(), "scatter", facts)?;
        let (mut new, plan, _) = planned?;
        execute(cores, &plan, data, &mut new.data, Exchange::default());
        Ok(new)
    }

    /// Gathers all elements on `root`, in `layout`. `None` on other ranks.
    ///
    /// # Errors
    ///
    /// If the shapes differ, two elements share an offset in `layout`, or the ranks disagree.
    pub fn gather<L: AnyLayout>(
        &self,
        root: Rank,
        layout: L,
    ) -> Result<Option<Tensor<T, L>>, Error> {
        let is_root = self.cores.rank() == root;
        let planned = || -> Result<_, Error> {
            let whole = Placement::of_layout(&layout.to_dyn()?)?;
            check_injective(&whole)?;
            let to = Placed { placement: &whole, ranks: &[root], own: cores_if(is_root) };
            let plan = Plan::of(self.placed(), to, self.cores.rank())?;
            let gathered =
                if is_root { Some(Tensor::full_in(layout, T::ZERO).into_result()?) } else { None };
            let mut facts = self.facts();
            facts.push(("layout", layout.to_string()));
            facts.push(("root", root.to_string()));
            Ok((plan, gathered, facts))
        };
        let planned = planned();
        let facts = planned.as_ref().map(|(_, _, facts)| facts.clone()).map_err(Clone::clone);
        agree(self.cores.communicator(), "gather", facts)?;
        let (plan, mut gathered, _) = planned?;
        let into = gathered.as_mut().map_or(&mut [][..], |tensor| tensor.as_mut_slice());
        execute(self.cores, &plan, &self.data, into, Exchange::default());
        Ok(gathered)
    }

    /// The same tensor in another placement on the same cores. Only elements that change ranks are sent.
    ///
    /// # Errors
    ///
    /// See [`zeros`](Self::zeros); also [`PlacementError::ReshardShape`].
    pub fn reshard<Q: AnyPlacement + Copy>(
        &self,
        placement: Q,
    ) -> Result<DistributedTensor<'c, T, Q>, Error> {
        self.reshard_with(self.cores, placement, Exchange::default())
    }

    /// The same tensor in another placement on other cores, with an explicit transfer method. The
    /// communicator of `cores` must have the same ranks in the same order.
    ///
    /// # Errors
    ///
    /// See [`reshard`](Self::reshard).
    pub fn reshard_with<'d, Q: AnyPlacement + Copy>(
        &self,
        cores: &'d Cores,
        placement: Q,
        exchange: Exchange,
    ) -> Result<DistributedTensor<'d, T, Q>, Error> {
        let mut new = DistributedTensor::unchecked(cores, placement);
        self.move_to(new.as_mut().map_err(|error| error.clone()), exchange)?;
        new
    }

    /// [`reshard_with`](Self::reshard_with) into an existing tensor, which is overwritten. This
    /// avoids the allocation, which takes longer than filling the memory.
    ///
    /// # Errors
    ///
    /// [`PlacementError::ReshardShape`], or the ranks disagree.
    pub fn reshard_into<Q: AnyPlacement + Copy>(
        &self,
        to: &mut DistributedTensor<'_, T, Q>,
        exchange: Exchange,
    ) -> Result<(), Error> {
        self.move_to(Ok(to), exchange)
    }

    fn move_to<Q: AnyPlacement + Copy>(
        &self,
        to: Result<&mut DistributedTensor<'_, T, Q>, Error>,
        exchange: Exchange,
    ) -> Result<(), Error> {
        let planned = to.and_then(|to| {
            let plan = Plan::of(self.placed(), to.placed(), self.cores.rank())?;
            let mut facts = self.facts();
            facts.push(("placement afterwards", format!("{:?}", to.value)));
            facts.push(("ranks of the cores", format!("{:?}", to.cores.ranks())));
            facts.push(("exchange", format!("{exchange:?}")));
            Ok((to, plan, facts))
        });
        let facts = planned.as_ref().map(|(_, _, facts)| facts.clone()).map_err(Clone::clone);
        agree(self.cores.communicator(), "reshard", facts)?;
        let (to, plan, _) = planned?;
        to.fill();
        execute(self.cores, &plan, &self.data, &mut to.data, exchange);
        Ok(())
    }

    /// Allocates the tensor, before the ranks have been compared.
    fn unchecked(cores: &'c Cores, placement: P) -> Result<Self, Error> {
        let value = placement.placement();
        cores.check_fits(&value)?;
        check_injective(&value)?;
        let own = cores.own().iter().filter(|&&core| core < value.cores()).count();
        let (element_bytes, storage) = (size_of::<T>(), value.storage());
        let bytes = own.checked_mul(storage).and_then(|slots| slots.checked_mul(element_bytes));
        if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
            let cores = value.cores();
            let error = PlacementError::TooManyBytes { element_bytes, storage, cores };
            return Err(LayoutError::Placement(error).into());
        }
        let padding = T::fill_value(placement.fill());
        let data = vec![padding.unwrap_or(T::ZERO); own * storage];
        Ok(Self { cores, placement, value, data, padding })
    }

    /// What all ranks must agree on.
    pub(crate) fn facts(&self) -> Facts {
        vec![("element type", T::NAME.to_owned()), ("placement", format!("{:?}", self.value))]
    }

    /// Fills the whole buffers with the padding value if the placement has padding. Elements are
    /// written afterwards.
    fn fill(&mut self) {
        if let Some(padding) = self.padding
            && self.value.padding() > 0
        {
            self.data.fill(padding);
        }
    }

    fn placed(&self) -> Placed<'_> {
        Placed { placement: &self.value, ranks: self.cores.ranks(), own: self.cores.own() }
    }

    /// Calls `visit` with each element on this rank and its coordinate.
    fn each_element(&mut self, mut visit: impl FnMut(&mut T, &[usize])) -> Result<(), LayoutError> {
        let storage = self.value.storage();
        let own = self.cores.own().iter().filter(|&&core| core < self.value.cores());
        for (&core, data) in own.zip(self.data.chunks_exact_mut(storage)) {
            for region in self.value.regions_of(core)? {
                let mut all = Ok(());
                region.for_each(|at| match self.value.slot(at) {
                    Ok(slot) => visit(&mut data[slot.offset], at),
                    Err(error) => all = Err(error),
                });
                all?;
            }
        }
        Ok(())
    }

    /// The element at a coordinate. `None` if it is on another rank or outside the shape.
    pub fn get(&self, coordinate: &[usize]) -> Option<&T> {
        let slot = self.value.slot(coordinate).ok()?;
        self.core(slot.core)?.get(slot.offset)
    }

    /// The buffer of a core, including padding. `None` if the core is on another rank.
    pub fn core(&self, core: usize) -> Option<&[T]> {
        let number = self.cores.own().binary_search(&core).ok()?;
        self.data.chunks_exact(self.value.storage()).nth(number)
    }

    /// Mutable buffer of a core, including padding. `None` if the core is on another rank.
    pub fn core_mut(&mut self, core: usize) -> Option<&mut [T]> {
        let number = self.cores.own().binary_search(&core).ok()?;
        self.data.chunks_exact_mut(self.value.storage()).nth(number)
    }

    /// The placement.
    pub fn placement(&self) -> P {
        self.placement
    }

    /// The cores.
    pub fn cores(&self) -> &'c Cores {
        self.cores
    }
}

/// The own cores for a placement with one core: core 0 if `is_root`, otherwise none.
fn cores_if(is_root: bool) -> &'static [usize] {
    if is_root { &[0] } else { &[] }
}

fn check_injective(placement: &Placement) -> Result<(), LayoutError> {
    if placement.is_injective()? {
        return Ok(());
    }
    Err(LayoutError::Placement(PlacementError::SharedSlot { elements: placement.elements() }))
}

/// How one end of a peer transfer is stored: in a packed buffer, or in place through a
/// datatype.
enum TransferMethod {
    Packed { start: usize },
    Type(CommittedType),
}

impl TransferMethod {
    /// The method of each peer transfer, and the total number of packed elements.
    fn of<T: Element>(
        peer_transfers: &[PeerTransfer],
        end: End,
        exchange: Exchange,
    ) -> Result<(Vec<Self>, usize), Error> {
        let limit = exchange.limit.clamp(2, MAX_COUNT);
        let mut packed = 0;
        let methods = peer_transfers.iter().map(|peer_transfer| {
            let elements = peer_transfer.elements();
            let method = match exchange.method {
                // Several messages: both ends must split at the same elements.
                Method::Auto if elements > limit => Method::Packed,
                // Otherwise each end can choose independently: the message has the same elements in
                // both cases.
                Method::Auto => {
                    Method::of_run(peer_transfer.shortest_run(end), elements, size_of::<T>())
                }
                method => method,
            };
            if method == Method::Packed {
                packed += elements;
                return Ok(Self::Packed { start: packed - elements });
            }
            Ok(Self::Type(commit::<T>(&peer_transfer.tree(end, size_of::<T>(), limit))?))
        });
        let methods: Result<Vec<_>, Error> = methods.collect();
        Ok((methods?, packed))
    }

    /// The messages of all peer transfers, each by its method.
    fn all_messages<'a>(
        peer_transfers: &[PeerTransfer],
        methods: &'a [Self],
        limit: usize,
    ) -> Vec<Message<'a>> {
        let pairs = peer_transfers.iter().zip(methods);
        pairs.flat_map(|(peer_transfer, method)| method.messages(peer_transfer, limit)).collect()
    }

    fn messages(&self, peer_transfer: &PeerTransfer, limit: usize) -> Vec<Message<'_>> {
        let rank = peer_transfer.rank;
        match self {
            Self::Type(committed) => {
                vec![Message { rank, slice: 0, content: Content::Type(committed) }]
            }
            Self::Packed { start } => {
                runs(rank, 1, (*start, peer_transfer.elements()), limit).collect()
            }
        }
    }
}

/// Executes the plan of this rank. All ranks have agreed at this point. If one returned an error, the
/// others would wait forever, so an error aborts all ranks.
fn execute<T: Element>(cores: &Cores, plan: &Plan, from: &[T], into: &mut [T], exchange: Exchange) {
    let comm = cores.communicator();
    sys::ok_or_abort(comm, "an exchange", try_execute(cores, plan, from, into, exchange));
}

fn try_execute<T: Element>(
    cores: &Cores,
    plan: &Plan,
    from: &[T],
    into: &mut [T],
    exchange: Exchange,
) -> Result<(), Error> {
    let limit = exchange.limit.clamp(2, MAX_COUNT);
    let (send_methods, packed) = TransferMethod::of::<T>(&plan.sends, End::Source, exchange)?;
    let (receive_methods, unpacked) =
        TransferMethod::of::<T>(&plan.receives, End::Destination, exchange)?;
    let (mut send_buffer, mut receive_buffer) = (vec![T::ZERO; packed], vec![T::ZERO; unpacked]);
    for (peer_transfer, method) in plan.sends.iter().zip(&send_methods) {
        if let TransferMethod::Packed { start } = *method {
            peer_transfer.pack(from, &mut send_buffer[start..start + peer_transfer.elements()])?;
        }
    }
    let sends = TransferMethod::all_messages(&plan.sends, &send_methods, limit);
    let receives = TransferMethod::all_messages(&plan.receives, &receive_methods, limit);
    let comm: &dyn Communicator = cores.communicator();
    let writes_in_place =
        receive_methods.iter().any(|method| matches!(method, TransferMethod::Type(_)));
    if writes_in_place {
        // MPI writes directly into `into`, so the local copy cannot overlap with the exchange.
        plan.copy_local(from, into)?;
        sys::exchange(
            comm,
            TAG,
            (&[from, &send_buffer], &sends),
            (&mut [into, &mut receive_buffer], &receives),
            || {},
        )?;
    } else {
        let mut copied = Ok(());
        sys::exchange(
            comm,
            TAG,
            (&[from, &send_buffer], &sends),
            (&mut [&mut [], &mut receive_buffer], &receives),
            || copied = plan.copy_local(from, into),
        )?;
        copied?;
    }
    for (peer_transfer, method) in plan.receives.iter().zip(&receive_methods) {
        if let TransferMethod::Packed { start } = *method {
            peer_transfer.unpack(&receive_buffer[start..start + peer_transfer.elements()], into)?;
        }
    }
    Ok(())
}

impl<T: Element, P: AnyPlacement> fmt::Debug for DistributedTensor<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DistributedTensor")
            .field("placement", &self.value)
            .field("cores", self.cores)
            .finish_non_exhaustive()
    }
}
