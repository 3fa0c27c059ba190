//! Spyre layouts, `spyre { size: [512], dtype: f16 }`: L0701 to L0799.

use crate::devices::ElementType;
use crate::error::catalogue;
use crate::excerpt::Excerpt;

catalogue! {
    /// Why a Spyre layout is not valid.
    ///
    /// Host dimensions count from 0 without those of extent 1, except in errors about an extent.
    /// Device dimensions count from 0.
    pub enum SpyreError;

    "L0701": "an element type of unknown size", UnknownElement {
        /// Its name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str())
            .str("` is not an element type with a number of bits of its own"),
        help: |m| {
            let mut m = m.str("write one of");
            repeat!(i, 0..ElementType::ALL.len(), {
                if !ElementType::ALL[i].is_block_float() {
                    m = m.str(if i > 0 { ", " } else { " " }).str(ElementType::ALL[i].name());
                }
});
            m
        },
        meaning: "A stick is 128 bytes, so the number of bits of an element determines how many it \
            holds. Block floats share bits, so they are not allowed here.",
        example: "spyre { size: [512], dtype: f12 }",
    }

    "L0702": "a dimension of the host without elements", HostExtent {
        /// The dimension, counting those of extent 1.
        dimension: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" of the host has an extent of 0"),
        meaning: "Every extent of the host is at least 1.",
        example: "spyre { size: [0, 256], dtype: f16, device_size: [4, 1, 64], dim_map: [1, 0, \
            1] }",
    }

    "L0703": "strides that do not match the host's dimensions", HostStrides {
        /// The number of strides.
        strides: usize,
        /// The rank of the host, counting dimensions of extent 1.
        rank: usize,
    } => {
        message: |m| m.str("a stride of length ").num(*strides).str(" for a size of length ")
            .num(*rank),
        meaning: "There is one stride for each extent of size, including those of extent 1.",
        example: "spyre { size: [512, 1, 256], stride: [256, 1], dtype: f16 }",
    }

    "L0704": "a device without a stick", NoStick => {
        message: |m| m.str("device_size is empty, but its last entry must be the stick"),
        meaning: "The last dimension of the device is the stick, so there is at least one \
            dimension.",
        example: "spyre { size: [512], dtype: f16, device_size: [], dim_map: [] }",
    }

    "L0705": "a map whose length is not the rank of the device", MapLength {
        /// The number of entries.
        entries: usize,
        /// The rank of the device.
        device_rank: usize,
    } => {
        message: |m| m.str("a map of length ").num(*entries).str(" for a device_size of length ")
            .num(*device_rank),
        meaning: "dim_map gives, for each dimension of the device, the dimension of the host that \
            it is part of.",
        example: "spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0] }",
    }

    "L0706": "a dimension of the device without elements", DeviceExtent {
        /// The dimension of the device.
        position: usize,
    } => {
        message: |m| m.str("dimension ").num(*position).str(" of the device has an extent of 0"),
        meaning: "Every extent of the device is at least 1.",
        example: "spyre { size: [512], dtype: f16, device_size: [0, 64], dim_map: [0, 0] }",
    }

    "L0707": "a dimension that the host does not have", NoSuchDimension {
        /// The dimension of the device.
        position: usize,
        /// The entry.
        dimension: isize,
        /// The number of dimensions that count.
        rank: usize,
        /// The number of dimensions that do not count because their extent is 1.
        ones: usize,
    } => {
        message: |m| {
            let m = m
                .str("dimension ")
                .num(*position)
                .str(" of the device is part of dimension ")
                .int(*dimension)
                .str(" of the host, which has ")
                .num(*rank);
            if *ones == 0 { m } else { m.str(", not counting those of extent 1") }
        },
        help: |m| {
            if *ones > 0 {
                m.str("the map counts only dimensions of an extent above 1")
            } else if *rank > 0 {
                m.str("write a number below ").num(*rank).str(", or -1 for a synthetic stick")
            } else {
                m.str("write -1 for a synthetic stick")
            }
        },
        meaning: "The map counts the dimensions of the host in canonical form: those of extent \
            1 are left out. (512,1,256) has dimensions 0 and 1.",
        example: "spyre { size: [512, 1, 256], dtype: f16, device_size: [4, 512, 64], dim_map: \
            [2, 0, 2] }",
    }

    "L0708": "two synthetic dimensions", SecondSynthetic {
        /// The position of the first one in the device.
        first: usize,
        /// The position of the second one.
        second: usize,
    } => {
        message: |m| m.str("dimensions ").num(*first).str(" and ").num(*second)
            .str(" of the device are both synthetic"),
        help: |m| m.str("leave out the one of extent 1: it moves no element"),
        meaning: "A layout has at most one synthetic dimension. Newer versions of the compiler \
            also write one of extent 1. It can be left out: it moves no element.",
        example: "spyre { size: [512, 256], dtype: f16, device_size: [256, 1, 512, 64], \
            dim_map: [1, -1, 0, -1] }",
    }

    "L0709": "a synthetic dimension that is not the stick", SyntheticNotInner {
        /// Its position in the device.
        position: usize,
        /// The position of the stick.
        last: usize,
    } => {
        message: |m| m.str("the synthetic dimension is number ").num(*position)
            .str(" of the device, but the stick is number ").num(*last),
        meaning: "A synthetic dimension spreads a sparse tensor to one element per stick: it is \
            the stick itself, the last dimension of the device.",
        example: "spyre { size: [64], dtype: f16, device_size: [4, 64], dim_map: [-1, 0] }",
    }

    "L0710": "a dimension of the host that is not in the device", MissingDimension {
        /// The dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" of the host, of extent ")
            .num(*extent).str(", is not in the map"),
        help: |m| m.str("add ").num(*dimension).str(" to the map and ").num(*extent)
            .str(" to device_size"),
        meaning: "Every dimension with an extent above 1 is in the map at least once.",
        example: "spyre { size: [512, 256], dtype: f16, device_size: [4, 64], dim_map: [1, 1] }",
    }

    "L0711": "a last dimension that is not a stick", StickLength {
        /// Its extent.
        extent: usize,
        /// The number of elements of a stick.
        elements: usize,
        /// The element type.
        element: ElementType,
    } => {
        message: |m| m.str("the last extent of device_size is ").num(*extent)
            .str(" but a stick holds ").num(*elements).str(" elements of type ")
            .str(element.name()),
        help: |m| m.str("write ").num(*elements).str(" as the last extent"),
        meaning: "The last extent of device_size is the number of elements in a stick of 128 \
            bytes.",
        example: "spyre { size: [256], dtype: f16, device_size: [4, 65], dim_map: [0, 0] }",
    }

    "L0712": "a device without room for all elements", NoRoom {
        /// The dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
        /// The product of its extents in the device.
        room: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" of the host has an extent of ")
            .num(*extent).str(" but the device has room for ").num(*room),
        meaning: "For each dimension of the host, the extents of its parts on the device multiply \
            to at least its extent. The excess is padding.",
        example: "spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 7, 128, 64], \
            dim_map: [1, 2, 0, 2] }",
    }

    "L0713": "an order that does not have all dimensions", OrderLength {
        /// The number of its entries.
        entries: usize,
        /// The number of dimensions that count.
        rank: usize,
    } => {
        message: |m| m.str("an order of length ").num(*entries).str(" for a host of rank ")
            .num(*rank).str(", not counting dimensions of extent 1"),
        meaning: "An order has each dimension of the host with an extent above 1 once. The last \
            one is cut into sticks.",
        example: "spyre { size: [5, 100, 150], dtype: f16, order: [1, 0] }",
    }

    "L0714": "an order with a wrong entry", OrderEntry {
        /// Its position in the order.
        position: usize,
        /// The entry.
        dimension: usize,
        /// The number of dimensions that count.
        rank: usize,
    } => {
        message: |m| {
            let m = m.str("entry ").num(*position).str(" of the order, ").num(*dimension);
            if *dimension < *rank {
                m.str(", is already in it")
            } else {
                m.str(", is not below ")
                    .num(*rank)
                    .str(", the rank not counting dimensions of extent 1")
            }
        },
        meaning: "An order has each dimension of the host with an extent above 1 once, counted \
            from 0.",
        example: "spyre { size: [5, 100, 150], dtype: f16, order: [1, 0, 1] }",
    }

    "L0715": "a step that matches no dimension of the host", NoSuchStep {
        /// The dimension of the device.
        position: usize,
        /// The step in host memory.
        step: isize,
    } => {
        message: |m| m.str("no dimension of the host continues with a step of ").int(*step)
            .str(" in dimension ").num(*position).str(" of the device"),
        help: |m| m.str("the steps depend on the strides of the host: give them as `stride`"),
        meaning: "stride_map says how far each dimension of the device steps in the memory of the \
            host: the host's stride times the size of the inner parts. It depends on the strides \
            of the host, which are contiguous unless given; dim_map does not.",
        example: "spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 8, 128, 64], \
            stride_map: [512, 64, 131072, 1], current: false }",
    }

    "L0716": "a step that matches several dimensions of the host", AmbiguousStep {
        /// The dimension of the device.
        position: usize,
        /// The step in host memory.
        step: isize,
    } => {
        message: |m| m.str("the step of ").int(*step).str(" in dimension ").num(*position)
            .str(" of the device may be one of several dimensions of the host"),
        help: |m| m.str("write a dim_map instead"),
        meaning: "In the example one of the extents of 3 is padding, and the steps do not say \
            which. dim_map does.",
        example: "spyre { size: [3, 64], dtype: f16, device_size: [3, 3, 64], stride_map: [64, \
            64, 1] }",
    }

    "L0717": "columns that are not whole sticks", ArrangedColumns {
        /// The number of columns.
        columns: usize,
        /// The number of columns of a group.
        group: usize,
    } => {
        message: |m| m.num(*columns).str(" columns are not a multiple of ").num(*group),
        help: |m| {
            let below = *columns / *group * *group;
            let m = if below > 0 { m.num(below).str(" or ") } else { m };
            m.num(below.saturating_add(*group)).str(" would fit")
        },
        meaning: "The conversion moves the elements of two sticks of f32, or of one stick of dl16: \
            64 elements.",
        example: "ElementArrangement::Dl16ToF32.layout(100)"
            => SpyreError::ArrangedColumns { columns: 100, group: 64 },
    }

    "L0718": "a field that a Spyre layout does not have", UnknownField {
        /// Its name.
        name: Excerpt,
    } => {
        message: |m| m.str("a Spyre layout has no field `").str(name.as_str()).str("`"),
        help: |m| m
            .str("the fields are size, stride, dtype, device_size, dim_map, stride_map, order, sparse, relaxed and current"),
        meaning: "A layout has size and dtype; stride if the host is not contiguous; and either \
            device_size with dim_map or stride_map, or order and sparse for a default layout.",
        example: "spyre { size: [512], type: f16 }",
    }

    "L0719": "a field that is given twice", RepeatedField {
        /// Its name.
        name: &'static str,
    } => {
        message: |m| m.str("field `").str(name).str("` is given twice"),
        meaning: "Each field is written only once.",
        example: "spyre { size: [512], dtype: f16, size: [512] }",
    }

    "L0720": "a field that is missing", MissingField {
        /// Its name.
        name: &'static str,
    } => {
        message: |m| m.str("field `").str(name).str("` is missing"),
        meaning: "A layout needs size and dtype, and device_size needs a dim_map or a stride_map.",
        example: "spyre { size: [512], dtype: f16, device_size: [8, 64] }",
    }

    "L0721": "fields that exclude each other", ExclusiveFields {
        /// One of the fields.
        name: &'static str,
        /// The other field.
        other: &'static str,
    } => {
        message: |m| m.str("fields `").str(name).str("` and `").str(other)
            .str("` exclude each other"),
        meaning: "order and sparse choose a default layout; device_size says what the layout \
            is. dim_map and stride_map say the same thing.",
        example: "spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0, 0], \
            order: [0] }",
    }

    "L0722": "a layout that does not consist of sticks", NoSticks {
        /// The number of contiguous elements.
        run: usize,
        /// The number of elements of a stick.
        stick: usize,
        /// The next stride, or 0 after the last one.
        next: usize,
    } => {
        message: |m| {
            let m =
                m.num(*run).str(" contiguous elements are not a whole number of sticks of ").num(*stick);
            if *next == 0 { m } else { m.str(", and the next stride is ").num(*next) }
        },
        meaning: "The elements of stride 1 are a whole number of sticks of 128 bytes, or part \
            of one, and all other strides are multiples of a stick.",
        example: "layout convert --to spyre --dtype f16 '(100,96):(96,1)'"
            => SpyreError::NoSticks { run: 96, stick: 64, next: 96 },
    }

    "L0723": "a layout that is not row-major on a device", NotRowMajor {
        /// The dimension.
        dimension: usize,
        /// The extent of a part of it.
        extent: usize,
        /// The stride of that part.
        stride: usize,
        /// The number of elements that everything inside it takes.
        covered: usize,
    } => {
        message: |m| m.str("part ").num(*extent).str(":").num(*stride).str(" of dimension ")
            .num(*dimension).str(" is not row-major on a device: the parts inside it take ")
            .num(*covered),
        meaning: "Sorted by stride, the parts of all dimensions follow each other without gaps. \
            Padding is allowed only at the end of a dimension, as a multiple of the stride of its \
            outermost part.",
        example: "layout convert --to spyre --dtype f16 '(4,(64,8)):(100,(1,512))'"
            => SpyreError::NotRowMajor { dimension: 0, extent: 4, stride: 100, covered: 64 },
    }

    "L0724": "a dimension whose parts are out of order", PartsOutOfOrder {
        /// The dimension.
        dimension: usize,
        /// The stride.
        stride: usize,
        /// The stride of the previous part.
        before: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" has stride ").num(*stride)
            .str(" after stride ").num(*before),
        meaning: "The parts of a dimension are digits of one number, the most significant first \
            in the device.",
        example: "layout convert --to spyre --dtype f16 '(64,(4,8)):(1,(512,64))'"
            => SpyreError::PartsOutOfOrder { dimension: 1, stride: 64, before: 512 },
    }
}
