//! Slices seen through a layout behind a swizzle: `Swizzled`, `SwizzledView` and `SwizzledViewMut`.

use core::fmt;

use layout_core::devices::Placement;
use layout_core::engine::{ComposedLayout, DynLayout, Swizzle};
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, AtRunTime, Fallibility};

use crate::facts::{composed_in, must, value, writable};
use crate::place::{InSwizzle, Memory, MemoryMut, Place, sealed};
use crate::view::Held;

/// `Sw<B,M,S> o L` with a swizzle that is a type; `L` is static, mixed or dynamic.
///
/// ```
/// use layout_core::engine::DynLayout;
/// use layout_kernels::{AnySwizzled, Swizzled};
/// let rows = DynLayout::parse("(8,8):(8,1)").unwrap();
/// let swizzled = Swizzled::<_, 3, 0, 3>(rows);
/// assert_eq!(swizzled.to_string(), "Sw<3,0,3> o 0 o (8,8):(8,1)");
/// assert_eq!(swizzled.to_composed()?.offset_of_index(1), 9);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Swizzled<L, const B: u32, const M: u32, const S: i32>(pub L);

impl<L, const B: u32, const M: u32, const S: i32> Swizzled<L, B, M, S> {
    /// The swizzle. One that is none does not compile.
    pub const SWIZZLE: Swizzle = {
        let swizzle = Swizzle::new(B, M, S);
        must(&swizzle);
        match swizzle {
            Ok(swizzle) => swizzle,
            Err(error) => error.panic(),
        }
    };
}

mod closed {
    /// Implemented in this crate and nowhere else.
    pub trait Sealed {}
}

/// A layout behind a swizzle: a [`Swizzled`] type, or a [`ComposedLayout`] that is known when the
/// program runs.
pub trait AnySwizzled: Copy + closed::Sealed {
    /// What can still go wrong when the program runs.
    type Fallibility: Fallibility;
    /// The swizzle and the layout, when the type fixes every number.
    const STATIC: Option<ComposedLayout>;

    /// The swizzle and the layout as a value.
    ///
    /// # Errors
    ///
    /// What a mixed layout without a value says.
    fn to_composed(&self) -> Result<ComposedLayout, LayoutError>;
}

impl closed::Sealed for ComposedLayout {}

impl AnySwizzled for ComposedLayout {
    type Fallibility = AtRunTime;
    const STATIC: Option<ComposedLayout> = None;

    fn to_composed(&self) -> Result<ComposedLayout, LayoutError> {
        Ok(*self)
    }
}

impl<L, const B: u32, const M: u32, const S: i32> closed::Sealed for Swizzled<L, B, M, S> {}

impl<L: AnyLayout, const B: u32, const M: u32, const S: i32> AnySwizzled for Swizzled<L, B, M, S> {
    type Fallibility = L::Fallibility;
    const STATIC: Option<ComposedLayout> = match L::STATIC {
        Some(layout) => Some(Self::SWIZZLE.composition(&layout)),
        None => None,
    };

    fn to_composed(&self) -> Result<ComposedLayout, LayoutError> {
        Ok(const { Self::SWIZZLE }.composition(&value(&self.0)?))
    }
}

impl<L: AnyLayout, const B: u32, const M: u32, const S: i32> fmt::Display for Swizzled<L, B, M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_composed() {
            Ok(composed) => composed.fmt(f),
            Err(error) => write!(f, "no layout: {error}"),
        }
    }
}

impl<L: AnyLayout, const B: u32, const M: u32, const S: i32> fmt::Debug for Swizzled<L, B, M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A shared slice seen through a layout behind a swizzle.
///
/// [`copy`](crate::copy()) reads from it: `destination(c) = slice[Sw(offset + L(c))]`.
pub struct SwizzledView<'a, T, C> {
    // Invariant: `data.len() >= cosize_bound` of the layout.
    data: &'a [T],
    layout: C,
}

impl<'a, T, C: AnySwizzled> SwizzledView<'a, T, C> {
    /// The slice `data` seen through `layout`.
    ///
    /// ```
    /// use layout_core::engine::{DynLayout, Swizzle};
    /// use layout_kernels::{SwizzledView, Tensor, copy};
    /// let rows = DynLayout::parse("(4,4):(4,1)").unwrap();
    /// let banks: Vec<u32> = (0..16).collect();
    /// let swizzled = SwizzledView::new_in(&banks, Swizzle::new(2, 0, 2)?.composition(&rows))?;
    /// let mut plain = Tensor::zeros_in(rows)?;
    /// copy(&swizzled, &mut plain)?;
    /// assert_eq!(plain.as_slice(), [0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12]);
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SwizzledSliceTooShort`] when the slice has no element for each offset below
    /// the [bound](ComposedLayout::cosize_bound).
    pub fn new_in(data: &'a [T], layout: C) -> Result<Self, LayoutError> {
        composed_in(&Behind(layout), &mut None, data.len())?;
        Ok(Self { data, layout })
    }

    /// The layout.
    pub fn layout(&self) -> C {
        self.layout
    }

    /// The slice, in the order of memory.
    pub fn as_slice(&self) -> &'a [T] {
        self.data
    }
}

/// An exclusive slice seen through a layout behind a swizzle, in which no two coordinates share an
/// offset.
///
/// [`copy`](crate::copy()) writes to it: `slice[Sw(offset + L(c))] = source(c)`.
pub struct SwizzledViewMut<'a, T, C> {
    // Invariant: `data.len() >= cosize_bound` of the layout.
    data: &'a mut [T],
    layout: C,
}

impl<'a, T, C: AnySwizzled> SwizzledViewMut<'a, T, C> {
    /// The slice `data` seen through `layout`, to be written.
    ///
    /// ```
    /// use layout_core::engine::{DynLayout, Swizzle};
    /// use layout_kernels::{SwizzledViewMut, Tensor, copy};
    /// let layout = |text| DynLayout::parse(text).unwrap();
    /// let columns = Tensor::from_fn_in(layout("(4,4):(1,4)"), |c| 4 * c.leaves()[0] + c.leaves()[1])?;
    /// let mut banks = [0; 16];
    /// let swizzled = Swizzle::new(2, 0, 2)?.composition(&layout("(4,4):(4,1)"));
    /// copy(&columns, &mut SwizzledViewMut::new_in(&mut banks, swizzled)?)?;
    /// assert_eq!(banks, [0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12]);
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SwizzledSliceTooShort`] when the slice has no element for each offset below
    /// the [bound](ComposedLayout::cosize_bound), [`LayoutError::NotInjective`] when the layout
    /// inside maps two coordinates to one offset.
    pub fn new_in(data: &'a mut [T], layout: C) -> Result<Self, LayoutError> {
        // A swizzle is a permutation, so that it is enough to ask the layout inside.
        let known = const { matches!(&C::STATIC, Some(c) if writable(&c.layout()).is_ok()) };
        if !known {
            writable(&layout.to_composed()?.layout())?;
        }
        composed_in(&Behind(layout), &mut None, data.len())?;
        Ok(Self { data, layout })
    }

    /// The layout.
    pub fn layout(&self) -> C {
        self.layout
    }

    /// The slice, in the order of memory.
    pub fn as_slice(&self) -> &[T] {
        self.data
    }

    /// The slice, in the order of memory.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.data
    }
}

/// A layout behind a swizzle as a [`Place`].
#[derive(Clone, Copy)]
pub struct Behind<C>(C);

impl<C: AnySwizzled> Behind<C> {
    fn error(&self) -> LayoutError {
        match self.0.to_composed() {
            Ok(composed) => {
                let (swizzle, layout) = (composed.swizzle(), composed.layout());
                let (shape, stride) = (layout.shape(), layout.stride());
                LayoutError::SwizzledPlace { swizzle, shape, stride }
            }
            Err(error) => error,
        }
    }
}

impl<C> sealed::Sealed for Behind<C> {}

impl<C: AnySwizzled> Place for Behind<C> {
    type Fallibility = C::Fallibility;
    const IS_LAYOUT: bool = false;
    const IS_SWIZZLED: bool = true;
    const LAYOUT: Option<DynLayout> = match &C::STATIC {
        Some(composed) => Some(composed.layout()),
        None => None,
    };
    const COMPOSED: Option<ComposedLayout> = C::STATIC;
    const PLACEMENT: Option<Result<Placement, LayoutError>> = None;

    fn layout_in<'a>(&'a self, _: &'a mut Option<DynLayout>) -> Result<&'a DynLayout, LayoutError> {
        Err(self.error())
    }

    fn to_placement(&self) -> Result<Placement, LayoutError> {
        Err(self.error())
    }

    fn to_composed(&self) -> Result<ComposedLayout, LayoutError> {
        self.0.to_composed()
    }
}

impl<T, C: AnySwizzled> sealed::Read<T, InSwizzle> for SwizzledView<'_, T, C> {
    type Place = Behind<C>;

    fn read(&self) -> (Held<'_, Behind<C>>, Memory<'_, T>) {
        (Held::Made(Behind(self.layout)), Memory::All(self.data))
    }
}

impl<T, C: AnySwizzled> sealed::Read<T, InSwizzle> for SwizzledViewMut<'_, T, C> {
    type Place = Behind<C>;

    fn read(&self) -> (Held<'_, Behind<C>>, Memory<'_, T>) {
        (Held::Made(Behind(self.layout)), Memory::All(self.data))
    }
}

impl<T, C: AnySwizzled> sealed::Write<T, InSwizzle> for SwizzledViewMut<'_, T, C> {
    type Place = Behind<C>;

    fn write(&mut self) -> (Held<'_, Behind<C>>, MemoryMut<'_, T>, Option<T>) {
        (Held::Made(Behind(self.layout)), MemoryMut::All(self.data), None)
    }
}
