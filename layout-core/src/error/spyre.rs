//! The part of the catalogue about Spyre layouts: `spyre { size: [512], dtype: f16 }`.

use crate::devices::ElementType;
use crate::error::LayoutError;
use crate::message::Message;
use crate::word::Word;

/// Why there is no such Spyre layout.
///
/// Dimensions of the host count from 0, those of extent 1 left out except where an extent is about;
/// dimensions of the device count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SpyreError {
    /// An element type of which it is not known how many bits it takes, or where elements share some.
    UnknownElement {
        /// Its name.
        name: Word,
    },
    /// A dimension of the host without elements.
    HostExtent {
        /// The dimension, those of extent 1 counted too.
        dimension: usize,
    },
    /// Other than one stride for each dimension of the host.
    HostStrides {
        /// How many strides there are.
        strides: usize,
        /// How many dimensions the host has, those of extent 1 counted too.
        rank: usize,
    },
    /// A device without dimensions, so that there is no stick.
    NoStick,
    /// Other than one entry of the map for each dimension of the device.
    MapLength {
        /// How many entries there are.
        entries: usize,
        /// How many dimensions the device has.
        device_rank: usize,
    },
    /// A dimension of the device without elements.
    DeviceExtent {
        /// The dimension of the device.
        position: usize,
    },
    /// An entry of the map that is no dimension of the host.
    NoSuchDimension {
        /// The dimension of the device.
        position: usize,
        /// The entry.
        dimension: isize,
        /// How many dimensions count.
        rank: usize,
        /// How many do not count because their extent is 1.
        ones: usize,
    },
    /// A second synthetic dimension.
    SecondSynthetic {
        /// Where the first one is in the device.
        first: usize,
        /// Where the second one is.
        second: usize,
    },
    /// A synthetic dimension that is not the stick.
    SyntheticNotInner {
        /// Where it is in the device.
        position: usize,
        /// Where the stick is.
        last: usize,
    },
    /// A dimension of the host that is nowhere in the device.
    MissingDimension {
        /// The dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
    },
    /// A last dimension of the device that is not as long as a stick.
    StickLength {
        /// Its extent.
        extent: usize,
        /// How many elements a stick holds.
        elements: usize,
        /// Of which type.
        element: ElementType,
    },
    /// A dimension of the host with more elements than the device has room for.
    NoRoom {
        /// The dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
        /// The product of its extents in the device.
        room: usize,
    },
    /// An order with other than one entry for each dimension of the host.
    OrderLength {
        /// How many entries it has.
        entries: usize,
        /// How many dimensions count.
        rank: usize,
    },
    /// An entry of an order that is no dimension of the host, or is in it already.
    OrderEntry {
        /// Where it is in the order.
        position: usize,
        /// The entry.
        dimension: usize,
        /// How many dimensions count.
        rank: usize,
    },
    /// A step of a `stride_map` that no dimension of the host makes there.
    NoSuchStep {
        /// The dimension of the device.
        position: usize,
        /// The step in the memory of the host.
        step: isize,
    },
    /// A step of a `stride_map` that may belong to several dimensions of the host.
    AmbiguousStep {
        /// The dimension of the device.
        position: usize,
        /// The step in the memory of the host.
        step: isize,
    },
    /// Columns that are no whole groups of sticks of an element arrangement.
    ArrangedColumns {
        /// How many there are.
        columns: usize,
        /// How many make a group.
        group: usize,
    },
    /// A layout whose elements of stride 1 are no sticks.
    NoSticks {
        /// How many there are.
        run: usize,
        /// How many elements a stick holds.
        stick: usize,
        /// The next stride, 0 without one.
        next: usize,
    },
    /// A layout that leaves gaps, or overlaps, where a row-major device does not.
    NotRowMajor {
        /// The dimension.
        dimension: usize,
        /// The extent of a part of it.
        extent: usize,
        /// The stride of that part.
        stride: usize,
        /// How many elements everything inside of it takes.
        covered: usize,
    },
    /// A dimension of a layout that goes on with a smaller stride, or with none.
    PartsOutOfOrder {
        /// The dimension.
        dimension: usize,
        /// The stride.
        stride: usize,
        /// The stride of the part before.
        before: usize,
    },
    /// A field that a Spyre layout does not have.
    UnknownField {
        /// Its name.
        name: Word,
    },
    /// A field that was given already.
    RepeatedField {
        /// Its name.
        name: &'static str,
    },
    /// A field that is needed and not there.
    MissingField {
        /// Its name.
        name: &'static str,
    },
    /// Two fields that say the same thing in different ways.
    ExclusiveFields {
        /// One of them.
        name: &'static str,
        /// The other.
        other: &'static str,
    },
}

impl SpyreError {
    /// This, as an error of the catalogue.
    pub(crate) const fn widen(self) -> LayoutError {
        LayoutError::Spyre(self)
    }

    #[inline]
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::UnknownElement { .. } => "L0701",
            Self::HostExtent { .. } => "L0702",
            Self::HostStrides { .. } => "L0703",
            Self::NoStick => "L0704",
            Self::MapLength { .. } => "L0705",
            Self::DeviceExtent { .. } => "L0706",
            Self::NoSuchDimension { .. } => "L0707",
            Self::SecondSynthetic { .. } => "L0708",
            Self::SyntheticNotInner { .. } => "L0709",
            Self::MissingDimension { .. } => "L0710",
            Self::StickLength { .. } => "L0711",
            Self::NoRoom { .. } => "L0712",
            Self::OrderLength { .. } => "L0713",
            Self::OrderEntry { .. } => "L0714",
            Self::NoSuchStep { .. } => "L0715",
            Self::AmbiguousStep { .. } => "L0716",
            Self::ArrangedColumns { .. } => "L0717",
            Self::UnknownField { .. } => "L0718",
            Self::RepeatedField { .. } => "L0719",
            Self::MissingField { .. } => "L0720",
            Self::ExclusiveFields { .. } => "L0721",
            Self::NoSticks { .. } => "L0722",
            Self::NotRowMajor { .. } => "L0723",
            Self::PartsOutOfOrder { .. } => "L0724",
        }
    }

    pub(crate) const fn message<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::UnknownElement { name } => m
                .str("`")
                .str(name.as_str())
                .str("` is no element type with a number of bits of its own"),
            Self::HostExtent { dimension } => {
                m.str("dimension ").num(*dimension).str(" of the host has an extent of 0")
            }
            Self::HostStrides { strides, rank } => {
                m.str("a stride of length ").num(*strides).str(" for a size of length ").num(*rank)
            }
            Self::NoStick => m.str("device_size is empty, and its last entry is the stick"),
            Self::MapLength { entries, device_rank } => m
                .str("a map of length ")
                .num(*entries)
                .str(" for a device_size of length ")
                .num(*device_rank),
            Self::DeviceExtent { position } => {
                m.str("dimension ").num(*position).str(" of the device has an extent of 0")
            }
            Self::NoSuchDimension { position, dimension, rank, ones } => {
                let m = m
                    .str("dimension ")
                    .num(*position)
                    .str(" of the device is part of dimension ")
                    .int(*dimension)
                    .str(" of the host, which has ")
                    .num(*rank);
                if *ones == 0 { m } else { m.str(" without those of extent 1") }
            }
            Self::SecondSynthetic { first, second } => m
                .str("dimensions ")
                .num(*first)
                .str(" and ")
                .num(*second)
                .str(" of the device are both synthetic"),
            Self::SyntheticNotInner { position, last } => m
                .str("the synthetic dimension is number ")
                .num(*position)
                .str(" of the device, and the stick is number ")
                .num(*last),
            Self::MissingDimension { dimension, extent } => m
                .str("dimension ")
                .num(*dimension)
                .str(" of the host, of extent ")
                .num(*extent)
                .str(", is not in the map"),
            Self::StickLength { extent, elements, element } => m
                .str("the last extent of device_size is ")
                .num(*extent)
                .str(" and a stick holds ")
                .num(*elements)
                .str(" elements of type ")
                .str(element.name()),
            Self::NoRoom { dimension, extent, room } => m
                .str("dimension ")
                .num(*dimension)
                .str(" of the host has an extent of ")
                .num(*extent)
                .str(" and the device has room for ")
                .num(*room),
            Self::OrderLength { entries, rank } => m
                .str("an order of length ")
                .num(*entries)
                .str(" for a host of rank ")
                .num(*rank)
                .str(", dimensions of extent 1 left out"),
            Self::OrderEntry { position, dimension, rank } => {
                let m = m.str("entry ").num(*position).str(" of the order, ").num(*dimension);
                if *dimension < *rank {
                    m.str(", is in it already")
                } else {
                    m.str(", is not below ")
                        .num(*rank)
                        .str(", the rank without dimensions of extent 1")
                }
            }
            Self::NoSuchStep { position, step } => m
                .str("no dimension of the host goes on with a step of ")
                .int(*step)
                .str(" in dimension ")
                .num(*position)
                .str(" of the device"),
            Self::AmbiguousStep { position, step } => m
                .str("the step of ")
                .int(*step)
                .str(" in dimension ")
                .num(*position)
                .str(" of the device may be one of several dimensions of the host"),
            Self::ArrangedColumns { columns, group } => {
                m.num(*columns).str(" columns are no multiple of ").num(*group)
            }
            Self::UnknownField { name } => {
                m.str("a Spyre layout has no field `").str(name.as_str()).str("`")
            }
            Self::RepeatedField { name } => m.str("field `").str(name).str("` is given twice"),
            Self::MissingField { name } => m.str("field `").str(name).str("` is missing"),
            Self::NoSticks { run, stick, next } => {
                let m =
                    m.num(*run).str(" elements next to each other are no sticks of ").num(*stick);
                if *next == 0 { m } else { m.str(", and the next stride is ").num(*next) }
            }
            Self::NotRowMajor { dimension, extent, stride, covered } => m
                .str("part ")
                .num(*extent)
                .str(":")
                .num(*stride)
                .str(" of dimension ")
                .num(*dimension)
                .str(" is not row-major in a device: what is inside of it takes ")
                .num(*covered),
            Self::PartsOutOfOrder { dimension, stride, before } => m
                .str("dimension ")
                .num(*dimension)
                .str(" goes on with stride ")
                .num(*stride)
                .str(" behind stride ")
                .num(*before),
            Self::ExclusiveFields { name, other } => {
                m.str("fields `").str(name).str("` and `").str(other).str("` exclude each other")
            }
        }
    }

    pub(crate) const fn help<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::UnknownElement { .. } => {
                let (mut m, mut i) = (m.str("write one of"), 0);
                while i < ElementType::ALL.len() {
                    if !ElementType::ALL[i].is_block_float() {
                        m = m.str(if i > 0 { ", " } else { " " }).str(ElementType::ALL[i].name());
                    }
                    i += 1;
                }
                m
            }
            Self::NoSuchDimension { ones, .. } if *ones > 0 => {
                m.str("the map counts only dimensions of an extent above 1")
            }
            Self::NoSuchDimension { rank, .. } if *rank > 0 => {
                m.str("write a number below ").num(*rank).str(", or -1 for a synthetic stick")
            }
            Self::NoSuchDimension { .. } => m.str("write -1 for a synthetic stick"),
            Self::SecondSynthetic { .. } => {
                m.str("leave the one of extent 1 out, that moves no element")
            }
            Self::MissingDimension { dimension, extent } => m
                .str("add ")
                .num(*dimension)
                .str(" to the map and ")
                .num(*extent)
                .str(" to device_size"),
            Self::StickLength { elements, .. } => {
                m.str("write ").num(*elements).str(" as the last extent")
            }
            Self::AmbiguousStep { .. } => m.str("write a dim_map instead"),
            Self::NoSuchStep { .. } => {
                m.str("the steps depend on the strides of the host: give them as `stride`")
            }
            Self::ArrangedColumns { columns, group } => {
                let below = *columns / *group * *group;
                let m = if below > 0 { m.num(below).str(" or ") } else { m };
                m.num(below.saturating_add(*group)).str(" would fit")
            }
            Self::UnknownField { .. } => m.str(
                "the fields are size, stride, dtype, device_size, dim_map, stride_map, order, sparse and \
                 relaxed",
            ),
            _ => m,
        }
    }
}
