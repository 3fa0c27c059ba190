//! `LinearLayout`: a layout of power-of-two extents as a matrix of bits over F2.
//!
//! The value at an index is the XOR of the bases of its bits. Layouts whose sums never carry are
//! linear. Swizzles are linear, and so are compositions of linear functions. See Zhou et al.,
//! "Linear Layouts: Robust Code Generation of Efficient Tensor Computation Using F2" (2025), and
//! Triton's `LinearLayout.h`.

use core::fmt;

use crate::engine::int_tuple::{IntTuple, MAX_SIZE};
use crate::engine::layout::DynLayout;
use crate::error::{LayoutError, LinearError};
use crate::excerpt::Excerpt;

mod algebra;
mod back;
mod elimination;
mod from;

/// The maximum number of bits of an index or a value: the largest power of two that is a valid size
/// is 2^62, or 2^30 if `usize` has 32 bits.
pub(crate) const MAX_BITS: usize = usize::BITS as usize - 2;

/// The maximum number of dimensions of indices or values.
pub(crate) const MAX_DIMENSIONS: usize = 16;

/// Triton's names for the dimensions of an index; numbers beyond them.
const INPUTS: [&str; MAX_DIMENSIONS] = [
    "register", "lane", "warp", "block", "mode4", "mode5", "mode6", "mode7", "mode8", "mode9",
    "mode10", "mode11", "mode12", "mode13", "mode14", "mode15",
];

/// Triton's names for the dimensions of a value.
const OUTPUTS: [&str; MAX_DIMENSIONS] = [
    "dim0", "dim1", "dim2", "dim3", "dim4", "dim5", "dim6", "dim7", "dim8", "dim9", "dim10",
    "dim11", "dim12", "dim13", "dim14", "dim15",
];

/// A dimension of a [`LinearLayout`]: a name and a number of bits. Its size is `2^bits`.
///
/// ```
/// use static_layout::engine::LinearDimension;
/// let lane = LinearDimension::new("lane", 5);
/// assert_eq!((lane.name(), lane.bits(), lane.to_string()), ("lane", 5, "lane = 32".to_string()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinearDimension {
    name: Excerpt,
    bits: u32,
}

impl LinearDimension {
    /// The dimension of that name, of `2^bits` coordinates. A name longer than 38 bytes is cut.
    #[inline]
    pub const fn new(name: &str, bits: u32) -> Self {
        Self { name: Excerpt::new(name), bits }
    }

    /// The name.
    #[inline]
    pub const fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The number of bits of a coordinate.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    #[inline]
    const fn has_name_of(&self, other: &Self) -> bool {
        let (a, b) = (self.name().as_bytes(), other.name().as_bytes());
        let (mut same, mut i) = (a.len() == b.len(), 0);
        while same && i < a.len() {
            same = a[i] == b[i];
            i += 1;
        }
        same
    }
}

impl fmt::Display for LinearDimension {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, 1u128.checked_shl(self.bits).unwrap_or(0))
    }
}

debug_as_display!(LinearDimension);

/// The dimensions of an index or of a value, fastest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Dimensions {
    // Beyond `len`: no name and 0 bits.
    len: usize,
    list: [LinearDimension; MAX_DIMENSIONS],
}

impl Dimensions {
    const EMPTY: Self = Self { len: 0, list: [LinearDimension::new("", 0); MAX_DIMENSIONS] };

    #[inline]
    const fn new(list: &[LinearDimension]) -> Result<Self, LayoutError> {
        let mut dimensions = Self::EMPTY;
        repeat!(i, 0..list.len(), {
            dimensions = attempt!(dimensions.push(list[i]));
        });
        Ok(dimensions)
    }

    #[inline]
    const fn push(mut self, dimension: LinearDimension) -> Result<Self, LayoutError> {
        if self.len == MAX_DIMENSIONS {
            return Err(LinearError::TooManyDimensions { limit: MAX_DIMENSIONS }.widen());
        }
        let bits = self.bits() as u64 + dimension.bits as u64;
        refuse!(bits > MAX_BITS as u64, LinearError::TooManyBits { bits, limit: MAX_BITS });
        self.list[self.len] = dimension;
        self.len += 1;
        Ok(self)
    }

    /// Dimensions with these bits and the default names.
    #[inline]
    const fn named(names: &[&str; MAX_DIMENSIONS], bits: &[u32]) -> Result<Self, LayoutError> {
        let mut dimensions = Self::EMPTY;
        repeat!(i, 0..bits.len(), {
            let name = names[if i < MAX_DIMENSIONS { i } else { 0 }];
            dimensions = attempt!(dimensions.push(LinearDimension::new(name, bits[i])));
        });
        Ok(dimensions)
    }

    #[inline]
    const fn as_slice(&self) -> &[LinearDimension] {
        self.list.split_at(self.len).0
    }

    /// The total number of bits.
    const fn bits(&self) -> u32 {
        self.first_bit(self.len)
    }

    /// Number of bits of the dimensions before this one.
    const fn first_bit(&self, dimension: usize) -> u32 {
        let mut bits = 0;
        repeat!(i, 0..dimension, {
            bits += self.list[i].bits;
        });
        bits
    }

    /// The sizes of the dimensions as a tuple; 1 without a dimension.
    #[inline]
    const fn shape(&self) -> IntTuple {
        let mut shape = IntTuple::EMPTY;
        repeat!(i, 0..self.len, {
            // There are fewer dimensions than leaves.
            shape.extend_leaf(1 << self.list[i].bits);
        });
        if self.len == 0 { IntTuple::leaf(1) } else { shape.parenthesised() }
    }

    /// The position of the dimension with this name; the number of dimensions if there is none.
    #[inline]
    const fn position(&self, named: &LinearDimension) -> usize {
        let mut i = 0;
        while i < self.len && !self.list[i].has_name_of(named) {
            i += 1;
        }
        i
    }
}

/// A linear function from bits to bits: a layout of power-of-two extents, swizzled or not.
///
/// `L(i ^ j) = L(i) ^ L(j)`, so the value at an index is the XOR of the *bases* of its bits, the
/// columns of a matrix over F2. Indices and values have named dimensions. Their bits count from the
/// first dimension on, as in the colexicographic order of a shape. The default dimensions are
/// Triton's: `register`, `lane`, `warp` and `block` for an index, and `dim0`, `dim1` and so on for a
/// value.
///
/// It prints in Triton's form. The sizes of the value's dimensions are added if the bases do not
/// determine them; by default each dimension is as small as the bases allow.
///
/// ```
/// use static_layout::engine::{DynLayout, LinearLayout, Swizzle};
/// let rows = DynLayout::parse("(4,4):(4,1)").unwrap();
/// let swizzled = Swizzle::new(2, 0, 2)?.composition(&rows);
/// let linear = LinearLayout::of_composed(&swizzled)?;
/// assert_eq!(linear.to_string(), "#ttg.linear<{register = [[5], [10]], lane = [[1], [2]]}>");
/// assert!((0..16).all(|i| linear.value_of_index(i) == swizzled.offset_of_index(i)));
///
/// let inverse = linear.inverse()?;
/// assert!((0..16).all(|i| inverse.value_of_index(linear.value_of_index(i)) == i));
/// assert_eq!(linear.to_composed()?.to_string(), "Sw<2,0,2> o 0 o (4,4):(4,1)");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinearLayout {
    inputs: Dimensions,
    outputs: Dimensions,
    // The value of each bit of an index, packed into one number; 0 beyond the last bit.
    bases: [usize; MAX_BITS],
}

impl LinearLayout {
    /// The layout with these bases: the value of each bit of an index, as a 1-D coordinate.
    ///
    /// ```
    /// use static_layout::engine::{LinearDimension as Dim, LinearLayout};
    /// let l = LinearLayout::new(&[Dim::new("lane", 2)], &[Dim::new("dim0", 2)], &[1, 3])?;
    /// assert_eq!(l.to_string(), "#ttg.linear<{lane = [[1], [3]]}>");
    /// assert_eq!((0..4).map(|i| l.value_of_index(i)).collect::<Vec<_>>(), [0, 1, 3, 2]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LinearError::TooManyDimensions`], [`LinearError::TooManyBits`]; [`LinearError::BasisCount`]
    /// if there is not one basis per index bit; [`LinearError::BasisRange`] for a basis outside the
    /// values; [`LinearError::SameName`].
    #[inline]
    pub const fn new(
        inputs: &[LinearDimension],
        outputs: &[LinearDimension],
        bases: &[usize],
    ) -> Result<Self, LayoutError> {
        let inputs = attempt!(Dimensions::new(inputs));
        let outputs = attempt!(Dimensions::new(outputs));
        attempt!(check_names(&inputs));
        attempt!(check_names(&outputs));
        let bits = inputs.bits();
        refuse!(bases.len() != bits as usize, LinearError::BasisCount { bases: bases.len(), bits });
        let mut l = Self { inputs, outputs, bases: [0; MAX_BITS] };
        repeat!(i, 0..bases.len(), {
            if bases[i] >> outputs.bits() != 0 {
                return Err(
                    LinearError::BasisRange { basis: bases[i], size: l.value_size() }.widen()
                );
            }
            l.bases[i] = bases[i];
        });
        Ok(l)
    }

    /// The identity on `2^bits` indices.
    ///
    /// # Errors
    ///
    /// [`LinearError::TooManyBits`].
    #[inline]
    pub const fn identity(bits: u32) -> Result<Self, LayoutError> {
        let inputs = attempt!(Dimensions::named(&INPUTS, &[bits]));
        let outputs = attempt!(Dimensions::named(&OUTPUTS, &[bits]));
        let mut l = Self { inputs, outputs, bases: [0; MAX_BITS] };
        repeat!(i, 0..bits as usize, {
            l.bases[i] = 1 << i;
        });
        Ok(l)
    }

    /// The dimensions of an index.
    #[inline]
    pub const fn inputs(&self) -> &[LinearDimension] {
        self.inputs.as_slice()
    }

    /// The dimensions of a value.
    #[inline]
    pub const fn outputs(&self) -> &[LinearDimension] {
        self.outputs.as_slice()
    }

    /// The number of bits of an index: the columns of the matrix.
    pub const fn input_bits(&self) -> u32 {
        self.inputs.bits()
    }

    /// The number of bits of a value: the rows of the matrix.
    pub const fn output_bits(&self) -> u32 {
        self.outputs.bits()
    }

    /// The bases: the value of each bit of an index, as a 1-D coordinate.
    #[inline]
    pub const fn bases(&self) -> &[usize] {
        self.bases.split_at(self.input_bits() as usize).0
    }

    /// The sizes of the dimensions of an index, which are not nested; 1 without a dimension.
    #[inline]
    pub const fn shape(&self) -> IntTuple {
        self.inputs.shape()
    }

    /// The sizes of the dimensions of a value.
    #[inline]
    pub const fn value_shape(&self) -> IntTuple {
        self.outputs.shape()
    }

    /// The number of indices.
    pub const fn size(&self) -> usize {
        1 << self.input_bits()
    }

    /// The number of possible values, `2^output_bits`.
    pub const fn value_size(&self) -> usize {
        1 << self.output_bits()
    }

    /// The value at a 1-D index, as a 1-D coordinate: the XOR of the bases of its bits. Bits beyond
    /// the bits of an index are ignored.
    #[inline]
    pub const fn value_of_index(&self, index: usize) -> usize {
        let (mut value, mut rest) = (0, index & (self.size() - 1));
        while rest != 0 {
            value ^= self.bases[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        value
    }

    /// The value at a coordinate of [`shape`](Self::shape): a coordinate of
    /// [`value_shape`](Self::value_shape), or an integer if values have one dimension.
    ///
    /// ```
    /// use static_layout::engine::{IntTuple, LinearLayout};
    /// let text = "#ttg.linear<{register = [[0, 1], [1, 1]], lane = [[2, 2]]}>";
    /// let l = LinearLayout::parse(text).unwrap();
    /// assert_eq!(l.value_at(&IntTuple::flat(&[3, 1])?)?.to_string(), "(3,2)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the coordinate does not fit the nesting of the shape, or lies outside it.
    #[inline]
    pub const fn value_at(&self, coordinate: &IntTuple) -> Result<IntTuple, LayoutError> {
        let index = attempt!(attempt!(DynLayout::make(&self.shape())).offset_of(coordinate));
        Ok(self.value_coordinate(self.value_of_index(index)))
    }

    /// A 1-D value as a coordinate; an integer if values have one dimension.
    #[inline]
    pub(crate) const fn value_coordinate(&self, value: usize) -> IntTuple {
        let (mut coordinate, mut rest) = (IntTuple::EMPTY, value);
        repeat!(i, 0..self.outputs.len, {
            let bits = self.outputs.list[i].bits;
            coordinate.extend_leaf(rest & ((1 << bits) - 1));
            rest >>= bits;
        });
        match self.outputs.len {
            0 => IntTuple::leaf(0),
            1 => coordinate,
            _ => coordinate.parenthesised(),
        }
    }

    /// The values of all 1-D indices, in their order, as 1-D coordinates.
    pub fn table(&self) -> impl ExactSizeIterator<Item = usize> + DoubleEndedIterator {
        let this = *self;
        (0..self.size()).map(move |index| this.value_of_index(index))
    }
}

#[inline]
const fn check_names(dimensions: &Dimensions) -> Result<(), LayoutError> {
    repeat!(i, 0..dimensions.len, {
        if dimensions.position(&dimensions.list[i]) < i {
            return Err(LinearError::SameName { name: dimensions.list[i].name }.widen());
        }
    });
    Ok(())
}

const _: () = assert!(MAX_SIZE >> MAX_BITS == 1, "every value is a size");

impl fmt::Display for LinearLayout {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("#ttg.linear<{")?;
        let mut bit = 0;
        for (i, dimension) in self.inputs().iter().enumerate() {
            write!(f, "{}{} = [", if i > 0 { ", " } else { "" }, dimension.name)?;
            for k in 0..dimension.bits {
                let value = self.value_coordinate(self.bases[bit]);
                // Without dimensions, a value is the integer 0, and a basis has no numbers.
                let basis = &value.leaves()[..self.outputs.len];
                write!(f, "{}{basis:?}", if k > 0 { ", " } else { "" })?;
                bit += 1;
            }
            f.write_str("]")?;
        }
        f.write_str("}")?;
        if !self.has_usual_outputs() {
            f.write_str(", out = {")?;
            for (i, dimension) in self.outputs().iter().enumerate() {
                write!(f, "{}{dimension}", if i > 0 { ", " } else { "" })?;
            }
            f.write_str("}")?;
        }
        f.write_str(">")
    }
}

impl LinearLayout {
    /// Whether the bases alone determine the dimensions of the values: default names, at least one
    /// dimension, and each as small as the bases allow.
    #[inline]
    const fn has_usual_outputs(&self) -> bool {
        let mut used = 0;
        repeat!(i, 0..self.input_bits() as usize, {
            used |= self.bases[i];
        });
        let ranks_agree = self.outputs.len == 1 || self.outputs.len > 1 && self.input_bits() > 0;
        let mut usual = ranks_agree;
        repeat!(i, 0..self.outputs.len, {
            let dimension = self.outputs.list[i];
            let name = LinearDimension::new(OUTPUTS[i], 0);
            let last = self.outputs.first_bit(i) + dimension.bits;
            let reached = dimension.bits == 0 || used >> (last - 1) & 1 == 1;
            usual = usual && reached && name.has_name_of(&dimension);
        });
        usual
    }
}

debug_as_display!(LinearLayout);
