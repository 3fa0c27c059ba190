//! Swizzles: an XOR of offset bits, and layouts followed by a swizzle.

use core::fmt;

use crate::const_text::ConstText;
use crate::engine::int_tuple::{IntTuple, MAX_SIZE};
use crate::engine::layout::DynLayout;
use crate::engine::slicer::Slicer;
use crate::error::{AlgebraError, LayoutError};

/// `Sw<B,M,S>`: a permutation of offsets that XORs `B` bits into `B` other bits.
///
/// With `S >= 0`, bits `M+S .. M+S+B` are XORed into bits `M .. M+B`; with `S < 0`, bits
/// `M .. M+B` into bits `M-S .. M-S+B`. It is its own inverse.
///
/// ```
/// use static_layout::engine::Swizzle;
/// let swizzle = Swizzle::new(2, 0, 3)?;
/// assert_eq!(swizzle.to_string(), "Sw<2,0,3>");
/// assert_eq!(swizzle.apply(0b11_010), 0b11_001);
/// assert_eq!(swizzle.apply(0b11_001), 0b11_010);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u32,
    base: u32,
    shift: i32,
}

impl Swizzle {
    /// The swizzle `Sw<bits,base,shift>`.
    ///
    /// # Errors
    ///
    /// [`AlgebraError::SwizzleShift`] if `|shift| < bits`, so that source and target bits overlap;
    /// [`AlgebraError::SwizzleWidth`] if the bits exceed the bits of an offset.
    pub const fn new(bits: u32, base: u32, shift: i32) -> Result<Self, LayoutError> {
        refuse!(shift.unsigned_abs() < bits, AlgebraError::SwizzleShift { bits, shift });
        let width = bits as u64 + base as u64 + shift.unsigned_abs() as u64;
        refuse!(width >= usize::BITS as u64, AlgebraError::SwizzleWidth { width });
        Ok(Self { bits, base, shift })
    }

    /// The number of bits, `B`.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of lowest bits that are neither read nor changed, `M`.
    pub const fn base(&self) -> u32 {
        self.base
    }

    /// The distance from the target bits up to the source bits, `S`; negative if the source bits are
    /// below.
    pub const fn shift(&self) -> i32 {
        self.shift
    }

    /// Whether it is the identity: no bits.
    pub const fn is_identity(&self) -> bool {
        self.bits == 0
    }

    /// The bits that are XORed into others (CuTe's `yyy`).
    pub(crate) const fn source(&self) -> usize {
        let low = if self.shift > 0 { self.base + self.shift.unsigned_abs() } else { self.base };
        ((1 << self.bits) - 1) << low
    }

    /// The bits that change (CuTe's `zzz`).
    const fn target(&self) -> usize {
        self.moved(self.source())
    }

    pub(crate) const fn moved(&self, source: usize) -> usize {
        let distance = self.shift.unsigned_abs();
        if self.shift >= 0 { source >> distance } else { source << distance }
    }

    /// The offset with its bits swizzled.
    pub const fn apply(&self, offset: usize) -> usize {
        offset ^ self.moved(offset & self.source())
    }

    /// The single swizzle equal to `inner` followed by this one.
    ///
    /// ```
    /// use static_layout::engine::Swizzle;
    /// let merged = Swizzle::new(1, 1, 3)?.merge(&Swizzle::new(1, 0, 3)?)?;
    /// assert_eq!(merged.to_string(), "Sw<2,0,3>");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::SwizzlePair`] if no single swizzle is equal: different shifts, bits that are
    /// not adjacent, or bits that are both source and target.
    pub const fn merge(&self, inner: &Self) -> Result<Self, LayoutError> {
        let none = LayoutError::Algebra(AlgebraError::SwizzlePair { outer: *self, inner: *inner });
        if self.is_identity() {
            return Ok(*inner);
        }
        if inner.is_identity() {
            return Ok(*self);
        }
        let source = self.source() ^ inner.source();
        refuse!(self.shift != inner.shift || self.source() & inner.target() != 0, none);
        let (bits, low) = (source.count_ones(), source.trailing_zeros());
        if bits == 0 {
            return Self::new(0, self.base, self.shift);
        }
        refuse!(source >> low != (1 << bits) - 1 || bits > self.shift.unsigned_abs(), none);
        let base = if self.shift > 0 { low - self.shift.unsigned_abs() } else { low };
        Self::new(bits, base, self.shift)
    }

    /// The layout followed by this swizzle: `(Sw o L)(c) = Sw(L(c))`.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Swizzle};
    /// let rows = DynLayout::parse("(4,4):(4,1)").unwrap();
    /// let swizzled = Swizzle::new(2, 0, 2)?.composition(&rows);
    /// assert_eq!(swizzled.to_string(), "Sw<2,0,2> o 0 o (4,4):(4,1)");
    /// assert!(swizzled.table().eq([0, 5, 10, 15, 1, 4, 11, 14, 2, 7, 8, 13, 3, 6, 9, 12]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    #[doc(alias = "swizzle_compose")]
    pub const fn composition(&self, layout: &DynLayout) -> ComposedLayout {
        ComposedLayout { swizzle: *self, offset: 0, layout: *layout }
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ConstText::new().swizzle(self).as_str())
    }
}

debug_as_display!(Swizzle);

/// `Sw<B,M,S> o offset o L`: a layout whose offsets are first moved by a constant and then swizzled.
///
/// For operations on the domain, take the layout inside with [`layout`](Self::layout), and put the
/// result back with [`with_layout`](Self::with_layout).
///
/// ```
/// use static_layout::engine::{DynLayout, Swizzle, Tiler};
/// let rows = DynLayout::parse("(8,8):(8,1)").unwrap();
/// let swizzled = Swizzle::new(3, 0, 3)?.composition(&rows);
/// let tiler = Tiler::parse("<4, 4>").unwrap();
/// let tiles = swizzled.with_layout(&swizzled.layout().zipped_divide_by(&tiler)?)?;
/// assert_eq!(tiles.to_string(), "Sw<3,0,3> o 0 o ((4,4),(2,2)):((8,1),(32,4))");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ComposedLayout {
    swizzle: Swizzle,
    offset: usize,
    layout: DynLayout,
}

impl ComposedLayout {
    /// The layout `swizzle o offset o layout`.
    ///
    /// # Errors
    ///
    /// An overflow if the offsets plus `offset` do not fit.
    pub const fn new(
        swizzle: &Swizzle,
        offset: usize,
        layout: &DynLayout,
    ) -> Result<Self, LayoutError> {
        if offset > MAX_SIZE - layout.cosize() {
            let (shape, stride) = (layout.shape(), layout.stride());
            return Err(LayoutError::CosizeOverflow { shape, stride });
        }
        Ok(Self { swizzle: *swizzle, offset, layout: *layout })
    }

    /// The swizzle.
    pub const fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// The constant that is added to the offsets of the layout inside.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The layout inside, which gives the domain.
    pub const fn layout(&self) -> DynLayout {
        self.layout
    }

    /// A copy with another layout inside.
    ///
    /// # Errors
    ///
    /// An overflow if its offsets do not fit.
    #[inline(never)]
    pub const fn with_layout(&self, layout: &DynLayout) -> Result<Self, LayoutError> {
        Self::new(&self.swizzle, self.offset, layout)
    }

    /// A copy with `offset` added to the offset inside.
    #[cfg(feature = "text")]
    pub(crate) const fn moved(&self, offset: usize) -> Result<Self, LayoutError> {
        match self.offset.checked_add(offset) {
            Some(offset) => Ok(Self { offset, ..*self }),
            None => Err(LayoutError::IntegerOverflow { operation: "offset" }),
        }
    }

    /// The plain layout; `None` if something is moved or swizzled.
    pub const fn as_layout(&self) -> Option<DynLayout> {
        if self.swizzle.is_identity() && self.offset == 0 { Some(self.layout) } else { None }
    }

    /// The shape.
    pub const fn shape(&self) -> IntTuple {
        self.layout.shape()
    }

    /// The number of coordinates.
    pub const fn size(&self) -> usize {
        self.layout.size()
    }

    /// An upper bound on every offset (exclusive): the whole blocks of swizzled bits that the layout
    /// inside reaches. Exact without a swizzle.
    ///
    /// CuTe's `cosize` is the cosize of the layout inside, which swizzled offsets can exceed.
    pub const fn cosize_bound(&self) -> usize {
        let cosize = self.layout.cosize();
        if cosize == 0 || self.swizzle.is_identity() {
            return if cosize == 0 { 0 } else { cosize + self.offset };
        }
        let target = self.swizzle.target();
        let block = (1 << (usize::BITS - target.leading_zeros())) - 1;
        let last = (self.offset + cosize - 1) | block;
        if last < MAX_SIZE { last + 1 } else { MAX_SIZE }
    }

    /// The offset of a coordinate: `Sw(offset + L(c))`.
    ///
    /// # Errors
    ///
    /// The errors of [`DynLayout::offset_of`].
    pub const fn offset_of(&self, coordinate: &IntTuple) -> Result<usize, LayoutError> {
        let inside = attempt!(self.layout.offset_of(coordinate));
        Ok(self.swizzle.apply(self.offset + inside))
    }

    /// The offset of a 1-D coordinate below [`size`](Self::size).
    pub const fn offset_of_index(&self, index: usize) -> usize {
        self.swizzle.apply(self.offset + self.layout.offset_of_index(index))
    }

    /// The offsets of all 1-D coordinates, in their order.
    pub fn table(&self) -> impl ExactSizeIterator<Item = usize> + DoubleEndedIterator {
        let this = *self;
        self.layout.table().map(move |offset| this.swizzle.apply(this.offset + offset))
    }

    /// The modes that a coordinate keeps with `_`. The fixed modes go into the offset inside the
    /// swizzle: `slice(C, c)(k) = C(c with _ = k)`.
    ///
    /// ```
    /// use static_layout::engine::{Slicer, DynLayout, Swizzle};
    /// let rows = DynLayout::parse("(4,4):(4,1)").unwrap();
    /// let swizzled = Swizzle::new(2, 0, 2)?.composition(&rows);
    /// let row = swizzled.slice(&Slicer::parse("(1,_)").unwrap())?;
    /// assert_eq!(row.to_string(), "Sw<2,0,2> o 4 o (4):(1)");
    /// assert!(row.table().eq([5, 4, 7, 6]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`algebra::slice`](crate::engine::algebra::slice).
    pub const fn slice(&self, coordinate: &Slicer) -> Result<Self, LayoutError> {
        let (layout, offset) = attempt!(self.layout.slice_and_offset(coordinate));
        Self::new(&self.swizzle, self.offset + offset, &layout)
    }

    /// An equivalent plain layout and offset, `C(c) = offset + L(c)`. It exists if the layout inside
    /// does not step through source and target bits that depend on each other.
    ///
    /// `None` if there is no such layout, and if modes or the offset share bits.
    ///
    /// ```
    /// use static_layout::engine::{Slicer, DynLayout, Swizzle};
    /// let rows = DynLayout::parse("(4,4):(4,1)").unwrap();
    /// let swizzled = Swizzle::new(2, 0, 2)?.composition(&rows);
    /// let column = swizzled.slice(&Slicer::parse("(_,0)").unwrap())?;
    /// let (plain, offset) = column.decay().unwrap();
    /// assert_eq!((plain.to_string(), offset), ("(4):(5)".to_string(), 0));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    #[inline]
    pub const fn decay(&self) -> Option<(DynLayout, usize)> {
        let (source, target) = (self.swizzle.source(), self.swizzle.target());
        let mut plain = self.layout;
        // The bits that change with the coordinate. No two modes share a bit, and none shares one
        // with the offset. So nothing carries, and each bit is a function of one mode.
        let mut moving = self.offset;
        repeat!(i, 0..self.layout.len(), {
            let (extent, stride) = (self.layout.extent_at(i), self.layout.stride_at(i));
            if extent > 1 && stride > 0 {
                let reach = (extent - 1) * stride;
                let span =
                    (usize::MAX >> reach.leading_zeros()) & (usize::MAX << stride.trailing_zeros());
                if span & moving != 0 {
                    return None;
                }
                moving |= span;
                // Inside the source bits each step also adds its copy in the target bits. If the
                // target bit is already set, the XOR would subtract the copy instead.
                if span & source != 0 {
                    let copy = self.swizzle.moved(span);
                    if span & !source != 0 || copy & self.offset != 0 {
                        return None;
                    }
                    plain.set(i, extent, stride + self.swizzle.moved(stride));
                }
            }
        });
        // A moving bit must not be a target bit that the offset or another mode flips.
        let moving = moving & !self.offset;
        let flipped = self.swizzle.moved((moving | self.offset) & source);
        if moving & target & flipped != 0 {
            return None;
        }
        match plain.checked() {
            Ok(plain) => Some((plain, self.swizzle.apply(self.offset))),
            Err(_) => None,
        }
    }
}

impl From<DynLayout> for ComposedLayout {
    fn from(layout: DynLayout) -> Self {
        let swizzle = Swizzle { bits: 0, base: 0, shift: 0 };
        Self { swizzle, offset: 0, layout }
    }
}

impl fmt::Display for ComposedLayout {
    /// Prints only the layout if nothing is swizzled or moved, as in CuTe.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_layout() {
            Some(layout) => write!(f, "{layout}"),
            None => write!(f, "{} o {} o {}", self.swizzle, self.offset, self.layout),
        }
    }
}

debug_as_display!(ComposedLayout);
