//! Entries about Spyre layouts.

use crate::error::SpyreError;
use crate::error::entries::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "L0701",
        "an element type of unknown size",
        "spyre { size: [512], dtype: f12 }",
        "A stick is 128 bytes, so that the number of bits of an element says how many it holds. Block \
         floats share bits, and are none of the types here.",
    ),
    Entry::new(
        "L0702",
        "a dimension of the host without elements",
        "spyre { size: [0, 256], dtype: f16, device_size: [4, 1, 64], dim_map: [1, 0, 1] }",
        "Every extent of the host is 1 at least.",
    ),
    Entry::new(
        "L0703",
        "strides that are not those of the host's dimensions",
        "spyre { size: [512, 1, 256], stride: [256, 1], dtype: f16 }",
        "There is one stride for each extent of size, those of extent 1 included.",
    ),
    Entry::new(
        "L0704",
        "a device without a stick",
        "spyre { size: [512], dtype: f16, device_size: [], dim_map: [] }",
        "The last dimension of the device is the stick, so that there is one dimension at least.",
    ),
    Entry::new(
        "L0705",
        "a map with other than one entry for each dimension of the device",
        "spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0] }",
        "dim_map says for each dimension of the device of which dimension of the host it is a part.",
    ),
    Entry::new(
        "L0706",
        "a dimension of the device without elements",
        "spyre { size: [512], dtype: f16, device_size: [0, 64], dim_map: [0, 0] }",
        "Every extent of the device is 1 at least.",
    ),
    Entry::new(
        "L0707",
        "a dimension that the host does not have",
        "spyre { size: [512, 1, 256], dtype: f16, device_size: [4, 512, 64], dim_map: [2, 0, 2] }",
        "The map counts the dimensions of the host in canonical form: those of extent 1 are left \
         out. (512,1,256) has dimensions 0 and 1.",
    ),
    Entry::new(
        "L0708",
        "two synthetic dimensions",
        "spyre { size: [512, 256], dtype: f16, device_size: [256, 1, 512, 64], \
         dim_map: [1, -1, 0, -1] }",
        "A layout has one synthetic dimension at most. Newer versions of the compiler also write \
         one of extent 1, which can be left out: it moves no element.",
    ),
    Entry::new(
        "L0709",
        "a synthetic dimension that is not the stick",
        "spyre { size: [64], dtype: f16, device_size: [4, 64], dim_map: [-1, 0] }",
        "A synthetic dimension spreads a sparse tensor to one element per stick: it is the stick \
         itself, the last dimension of the device.",
    ),
    Entry::new(
        "L0710",
        "a dimension of the host that is not in the device",
        "spyre { size: [512, 256], dtype: f16, device_size: [4, 64], dim_map: [1, 1] }",
        "Every dimension of an extent above 1 is in the map once at least.",
    ),
    Entry::new(
        "L0711",
        "a last dimension that is not a stick",
        "spyre { size: [256], dtype: f16, device_size: [4, 65], dim_map: [0, 0] }",
        "The last extent of device_size is the number of elements in a stick of 128 bytes.",
    ),
    Entry::new(
        "L0712",
        "a device without room for all elements",
        "spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 7, 128, 64], \
         dim_map: [1, 2, 0, 2] }",
        "The extents of the device that are parts of a dimension of the host multiply to its extent \
         or to more. What is over is padding.",
    ),
    Entry::new(
        "L0713",
        "an order of other than all dimensions",
        "spyre { size: [5, 100, 150], dtype: f16, order: [1, 0] }",
        "An order has each dimension of the host of an extent above 1 once. The last one is cut \
         into sticks.",
    ),
    Entry::new(
        "L0714",
        "an order with an entry that is not in its place",
        "spyre { size: [5, 100, 150], dtype: f16, order: [1, 0, 1] }",
        "An order has each dimension of the host of an extent above 1 once, counted from 0.",
    ),
    Entry::new(
        "L0715",
        "a step that no dimension of the host makes",
        "spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 8, 128, 64], \
         stride_map: [512, 64, 131072, 1] }",
        "stride_map says how far each dimension of the device steps in the memory of the host: the \
         host's stride times the room of the parts further in. It depends on the strides of the \
         host, which are contiguous unless given; dim_map does not.",
    ),
    Entry::new(
        "L0716",
        "a step that several dimensions of the host make",
        "spyre { size: [3, 64], dtype: f16, device_size: [3, 3, 64], stride_map: [64, 64, 1] }",
        "Here one of the extents of 3 is padding, and the steps do not say which. dim_map does.",
    ),
    Entry::elsewhere(
        "columns that are not whole sticks",
        "ElementArrangement::Dl16ToF32.layout(100)",
        SpyreError::ArrangedColumns { columns: 100, group: 64 }.widen(),
        "The conversion moves the elements of two sticks of f32, or of one of dl16: 64 elements.",
    ),
    Entry::new(
        "L0718",
        "a field that a Spyre layout does not have",
        "spyre { size: [512], type: f16 }",
        "A layout has size and dtype; stride if the host is not contiguous; and either device_size \
         with dim_map or stride_map, or order and sparse for a default layout.",
    ),
    Entry::new(
        "L0719",
        "a field that is given twice",
        "spyre { size: [512], dtype: f16, size: [512] }",
        "Each field is written once.",
    ),
    Entry::new(
        "L0720",
        "a field that is missing",
        "spyre { size: [512], dtype: f16, device_size: [8, 64] }",
        "A layout needs size and dtype, and device_size needs a dim_map or a stride_map.",
    ),
    Entry::new(
        "L0721",
        "fields that exclude each other",
        "spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0, 0], order: [0] }",
        "order and sparse choose a default layout; device_size says what the layout is. dim_map and \
         stride_map say the same thing.",
    ),
    Entry::elsewhere(
        "a layout without sticks",
        "layout convert --to spyre --dtype f16 '(100,96):(96,1)'",
        SpyreError::NoSticks { run: 96, stick: 64, next: 96 }.widen(),
        "The elements of stride 1 are a whole number of sticks of 128 bytes, or part of one, and all \
         other strides are multiples of a stick.",
    ),
    Entry::elsewhere(
        "a layout that is not row-major in a device",
        "layout convert --to spyre --dtype f16 '(4,(64,8)):(100,(1,512))'",
        SpyreError::NotRowMajor { dimension: 0, extent: 4, stride: 100, covered: 64 }.widen(),
        "The parts of all dimensions, by their strides, follow each other without gaps. Padding is \
         only behind the end of a dimension, as a multiple of the stride of its outermost part.",
    ),
    Entry::elsewhere(
        "a dimension whose parts are in another order",
        "layout convert --to spyre --dtype f16 '(64,(4,8)):(1,(512,64))'",
        SpyreError::PartsOutOfOrder { dimension: 1, stride: 64, before: 512 }.widen(),
        "The parts of a dimension are digits of one number, the most significant first in the device.",
    ),
];
