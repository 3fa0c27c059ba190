//! `DistributedTensor`: a tensor whose cores are ranks.

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
use crate::plan::{End, Parcel, Placed, Plan};
use crate::sys::{self, CommittedType, Content, Element, Message, runs};
use crate::typetree::LARGEST_COUNT;

/// The tag of all messages: each tensor has its own communicator, and messages between two ranks keep
/// their order.
const TAG: i32 = 0;

/// How a tensor is moved: [`DistributedTensor::reshard_with`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// Packed, or by derived datatypes.
    pub method: Method,
    /// The most elements of a packed message, and the largest count of a datatype: at most
    /// 2^31 - 1. What has more is sent as several messages, in the order of the elements.
    pub limit: usize,
}

impl Default for Exchange {
    /// The faster method, and no other limit than that of MPI.
    fn default() -> Self {
        Self { method: Method::Auto, limit: LARGEST_COUNT }
    }
}

/// A tensor spread over ranks: each holds the buffers of its own [`Cores`], as the placement `P` says.
///
/// All functions that move elements are collective. Each rank plans its own part alone; elements that
/// stay on their rank are copied there, and padding is filled there and never sent. Before
/// anything moves, one small all-reduce compares what all ranks ask for, and an error is the same
/// one on all of them.
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
    // Of the own cores below the number of cores of the placement, one behind the other.
    pub(crate) data: Vec<T>,
    padding: Option<T>,
}

impl<'c, T: Element, P: AnyPlacement + Copy> DistributedTensor<'c, T, P> {
    /// A tensor full of zeros. Padding is filled as the notation says.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewCores`]; [`PlacementError::SharedSlot`], [`PlacementError::TooManyBytes`]; when
    /// ranks disagree.
    pub fn zeros(cores: &'c Cores, placement: P) -> Result<Self, Error> {
        let new = Self::unchecked(cores, placement);
        agree(cores.communicator(), "zeros", new.as_ref().map(Self::facts).map_err(Clone::clone))?;
        let mut new = new?;
        // Padding first, then elements.
        if new.padding.is_some() {
            new.each_element(|element, _| *element = T::ZERO)?;
        }
        Ok(new)
    }

    /// A tensor with `f` of each coordinate, which each rank calls for its own elements.
    ///
    /// A panic in `f` stops the program on all ranks with a message: the others would wait for this one.
    ///
    /// # Errors
    ///
    /// As [`zeros`](Self::zeros).
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

    /// A tensor of the elements that `root` has in `layout`; `data` of other ranks is not read.
    ///
    /// # Errors
    ///
    /// As [`zeros`](Self::zeros); when the shapes differ, or `data` of `root` is too short.
    pub fn scatter<L: AnyLayout>(
        cores: &'c Cores,
        placement: P,
        root: Rank,
        layout: L,
        data: &[T],
    ) -> Result<Self, Error> {
        let here = cores.rank() == root;
        let new = Self::unchecked(cores, placement).and_then(|new| {
            let whole = Placement::of_layout(&layout.to_dyn()?)?;
            let (elements, shape) = (data.len(), layout.shape());
            if here && elements < whole.storage() {
                let stride = layout.stride();
                return Err(LayoutError::SliceTooShort { elements, shape, stride }.into());
            }
            Ok((new, whole))
        });
        let planned = new.and_then(|(mut new, whole)| {
            let from = Placed { placement: &whole, ranks: &[root], own: own_if(here) };
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

    /// All elements on `root`, in `layout`; nothing on other ranks.
    ///
    /// # Errors
    ///
    /// When the shapes differ, or two elements would share an offset; when ranks disagree.
    pub fn gather<L: AnyLayout>(
        &self,
        root: Rank,
        layout: L,
    ) -> Result<Option<Tensor<T, L>>, Error> {
        let here = self.cores.rank() == root;
        let planned = || -> Result<_, Error> {
            let whole = Placement::of_layout(&layout.to_dyn()?)?;
            injective(&whole)?;
            let to = Placed { placement: &whole, ranks: &[root], own: own_if(here) };
            let plan = Plan::of(self.placed(), to, self.cores.rank())?;
            let room =
                if here { Some(Tensor::full_in(layout, T::ZERO).into_result()?) } else { None };
            let mut facts = self.facts();
            facts.push(("layout", layout.to_string()));
            facts.push(("root", root.to_string()));
            Ok((plan, room, facts))
        };
        let planned = planned();
        let facts = planned.as_ref().map(|(_, _, facts)| facts.clone()).map_err(Clone::clone);
        agree(self.cores.communicator(), "gather", facts)?;
        let (plan, mut room, _) = planned?;
        let into = room.as_mut().map_or(&mut [][..], |tensor| tensor.as_mut_slice());
        execute(self.cores, &plan, &self.data, into, Exchange::default());
        Ok(room)
    }

    /// The same tensor in another placement, on the same cores. Only what moves is sent.
    ///
    /// # Errors
    ///
    /// As [`zeros`](Self::zeros), and [`PlacementError::ReshardShape`].
    pub fn reshard<Q: AnyPlacement + Copy>(
        &self,
        placement: Q,
    ) -> Result<DistributedTensor<'c, T, Q>, Error> {
        self.reshard_with(self.cores, placement, Exchange::default())
    }

    /// The same tensor in another placement on other cores, which were made of a communicator with the same
    /// ranks in the same order, by a method of choice.
    ///
    /// # Errors
    ///
    /// As [`reshard`](Self::reshard).
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

    /// [`reshard_with`](Self::reshard_with) into a tensor that is there already, whatever it holds: without
    /// new memory, which takes longer to get than to fill.
    ///
    /// # Errors
    ///
    /// [`PlacementError::ReshardShape`]; when ranks disagree.
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

    /// The tensor before anything is known of the other ranks.
    fn unchecked(cores: &'c Cores, placement: P) -> Result<Self, Error> {
        let value = placement.placement();
        cores.hold(&value)?;
        injective(&value)?;
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

    /// What all ranks have to agree about.
    pub(crate) fn facts(&self) -> Facts {
        vec![("element type", T::NAME.to_owned()), ("placement", format!("{:?}", self.value))]
    }

    /// Fills everything, where there is padding; elements come afterwards.
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

    /// The element at a coordinate; nothing when it is on another rank or outside the shape.
    pub fn get(&self, coordinate: &[usize]) -> Option<&T> {
        let slot = self.value.slot(coordinate).ok()?;
        self.core(slot.core)?.get(slot.offset)
    }

    /// The buffer of a core, with its padding; nothing when it is on another rank.
    pub fn core(&self, core: usize) -> Option<&[T]> {
        let number = self.cores.own().binary_search(&core).ok()?;
        self.data.chunks_exact(self.value.storage()).nth(number)
    }

    /// The buffer of a core, with its padding; nothing when it is on another rank.
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

/// The cores of a rank that holds a whole tensor, or of another one.
fn own_if(here: bool) -> &'static [usize] {
    if here { &[0] } else { &[] }
}

fn injective(placement: &Placement) -> Result<(), LayoutError> {
    if placement.is_injective()? {
        return Ok(());
    }
    Err(LayoutError::Placement(PlacementError::SharedSlot { elements: placement.elements() }))
}

/// How one end of a parcel is in memory while it is under way.
enum Way {
    Packed { start: usize },
    Type(CommittedType),
}

impl Way {
    /// The ways of all parcels, and how many elements are packed.
    fn of<T: Element>(
        parcels: &[Parcel],
        end: End,
        exchange: Exchange,
    ) -> Result<(Vec<Self>, usize), Error> {
        let limit = exchange.limit.clamp(2, LARGEST_COUNT);
        let mut packed = 0;
        let ways = parcels.iter().map(|parcel| {
            let elements = parcel.elements();
            let method = match exchange.method {
                // Several messages: both ends have to cut at the same elements.
                Method::Auto if elements > limit => Method::Packed,
                // Each end for itself: the elements of a message are the same ones.
                Method::Auto => Method::of_run(parcel.shortest_run(end), elements, size_of::<T>()),
                method => method,
            };
            if method == Method::Packed {
                packed += elements;
                return Ok(Self::Packed { start: packed - elements });
            }
            Ok(Self::Type(commit::<T>(&parcel.tree(end, size_of::<T>(), limit))?))
        });
        let ways: Result<Vec<_>, Error> = ways.collect();
        Ok((ways?, packed))
    }

    fn messages(&self, parcel: &Parcel, limit: usize) -> Vec<Message<'_>> {
        let rank = parcel.rank;
        match self {
            Self::Type(committed) => {
                vec![Message { rank, slice: 0, content: Content::Type(committed) }]
            }
            Self::Packed { start } => runs(rank, 1, (*start, parcel.elements()), limit).collect(),
        }
    }
}

/// Runs the plan of this rank. All ranks have agreed by now, so that an error of one would leave the others
/// waiting: it stops the program on all of them.
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
    let limit = exchange.limit.clamp(2, LARGEST_COUNT);
    let (out, packed) = Way::of::<T>(&plan.sends, End::Source, exchange)?;
    let (back, unpacked) = Way::of::<T>(&plan.receives, End::Destination, exchange)?;
    let (mut outbox, mut inbox) = (vec![T::ZERO; packed], vec![T::ZERO; unpacked]);
    for (parcel, way) in plan.sends.iter().zip(&out) {
        if let Way::Packed { start } = *way {
            parcel.pack(from, &mut outbox[start..start + parcel.elements()])?;
        }
    }
    let sends: Vec<Message<'_>> =
        plan.sends.iter().zip(&out).flat_map(|(parcel, way)| way.messages(parcel, limit)).collect();
    let receives: Vec<Message<'_>> = plan
        .receives
        .iter()
        .zip(&back)
        .flat_map(|(parcel, way)| way.messages(parcel, limit))
        .collect();
    let comm: &dyn Communicator = cores.communicator();
    let by_type = back.iter().any(|way| matches!(way, Way::Type(_)));
    if by_type {
        // MPI writes to the buffers, so that nobody else has them.
        plan.stay(from, into)?;
        sys::exchange(
            comm,
            TAG,
            (&[from, &outbox], &sends),
            (&mut [into, &mut inbox], &receives),
            || {},
        )?;
    } else {
        let mut stayed = Ok(());
        sys::exchange(
            comm,
            TAG,
            (&[from, &outbox], &sends),
            (&mut [&mut [], &mut inbox], &receives),
            || stayed = plan.stay(from, into),
        )?;
        stayed?;
    }
    for (parcel, way) in plan.receives.iter().zip(&back) {
        if let Way::Packed { start } = *way {
            parcel.unpack(&inbox[start..start + parcel.elements()], into)?;
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
