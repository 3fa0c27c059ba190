//! `SwizzledView` and `SwizzledViewMut`: slices seen through a swizzled layout.

use core::ops::Index;

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, AnySwizzled, AtCompileTime, Coordinate};

use super::Behind;
use crate::access::element_access;
use crate::checks::{check_injective, composed_in, const_unwrap};
use crate::place::{InSwizzle, Memory, MemoryMut, sealed};
use crate::view::LayoutRef;

/// A shared slice seen through a swizzled layout.
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
    /// use static_layout::engine::{DynLayout, Swizzle};
    /// use static_layout::{SwizzledView, Tensor, kernels::copy};
    /// let rows = DynLayout::parse("(4,4):(4,1)").unwrap();
    /// let banks: Vec<u32> = (0..16).collect();
    /// let swizzled = SwizzledView::new_in(&banks, Swizzle::new(2, 0, 2)?.composition(&rows))?;
    /// let mut plain = Tensor::zeros_in(rows)?;
    /// copy(&swizzled, &mut plain)?;
    /// assert_eq!(plain.as_slice(), [0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SwizzledSliceTooShort`] if the slice is shorter than the
    /// [bound](AnySwizzled::cosize_bound) of the layout.
    pub fn new_in(data: &'a [T], layout: C) -> Result<Self, LayoutError> {
        composed_in(&Behind(layout), &mut None, data.len())?;
        Ok(Self { data, layout })
    }

    /// The caller guarantees that the layout stays inside `data`.
    #[cfg(feature = "std")]
    pub(super) fn new_checked(data: &'a [T], layout: C) -> Self {
        Self { data, layout }
    }

    /// The element at a coordinate; `None` if the coordinate lies outside the shape.
    pub fn get(&self, coordinate: impl Coordinate<C::Inner>) -> Option<&'a T> {
        self.data.get(self.layout.try_offset(coordinate).ok()?)
    }

    /// The layout.
    pub fn layout(&self) -> C {
        self.layout
    }

    /// The slice in memory order.
    pub fn as_slice(&self) -> &'a [T] {
        self.data
    }
}

impl<'a, T, C: AnySwizzled<Fallibility = AtCompileTime> + Default> SwizzledView<'a, T, C> {
    /// The slice `data` seen through the static layout `C`.
    ///
    /// ```
    /// use static_layout::{SwizzledView, layout};
    /// type Banks = layout!(Sw<2,0,2> o 0 o (4,4):(4,1));
    /// let memory: [u32; 16] = std::array::from_fn(|offset| offset as u32);
    /// let banks = SwizzledView::<_, Banks>::new(&memory)?;
    /// assert_eq!((banks[(1, 2)], banks.get((1, 3)), banks.get((4, 0))), (7, Some(&6), None));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SwizzledSliceTooShort`] if the slice is shorter than the
    /// [bound](AnySwizzled::cosize_bound) of the layout.
    pub fn new(data: &'a [T]) -> Result<Self, LayoutError> {
        Self::new_in(data, C::default())
    }
}

/// A mutable slice seen through a swizzled layout that maps no two coordinates to one offset.
///
/// [`copy`](crate::copy()) writes to it: `slice[Sw(offset + L(c))] = source(c)`.
pub struct SwizzledViewMut<'a, T, C> {
    // Invariant: `data.len() >= cosize_bound` of the layout.
    data: &'a mut [T],
    layout: C,
}

impl<'a, T, C: AnySwizzled> SwizzledViewMut<'a, T, C> {
    /// The mutable slice `data` seen through `layout`.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Swizzle};
    /// use static_layout::{SwizzledViewMut, Tensor, kernels::copy};
    /// let layout = |text| DynLayout::parse(text).unwrap();
    /// let columns = Tensor::from_fn_in(layout("(4,4):(1,4)"), |c| 4 * c.leaves()[0] + c.leaves()[1])?;
    /// let mut banks = [0; 16];
    /// let swizzled = Swizzle::new(2, 0, 2)?.composition(&layout("(4,4):(4,1)"));
    /// copy(&columns, &mut SwizzledViewMut::new_in(&mut banks, swizzled)?)?;
    /// assert_eq!(banks, [0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SwizzledSliceTooShort`] if the slice is shorter than the
    /// [bound](AnySwizzled::cosize_bound) of the layout, [`LayoutError::NotInjective`] if the inner
    /// layout maps two coordinates to one offset.
    pub fn new_in(data: &'a mut [T], layout: C) -> Result<Self, LayoutError> {
        // A swizzle is a permutation, so checking the inner layout is enough.
        let known = const { matches!(&C::STATIC, Some(c) if check_injective(&c.layout()).is_ok()) };
        if !known {
            check_injective(&layout.to_composed().layout())?;
        }
        composed_in(&Behind(layout), &mut None, data.len())?;
        Ok(Self { data, layout })
    }

    /// The caller guarantees that the layout stays inside `data` and is injective.
    #[cfg(feature = "std")]
    pub(super) fn new_checked(data: &'a mut [T], layout: C) -> Self {
        Self { data, layout }
    }

    /// The layout.
    pub fn layout(&self) -> C {
        self.layout
    }
}

impl<'a, T, C: AnySwizzled<Fallibility = AtCompileTime> + Default> SwizzledViewMut<'a, T, C> {
    /// The mutable slice `data` seen through the static layout `C`. A layout that maps two
    /// coordinates to one offset is a compile error.
    ///
    /// # Errors
    ///
    /// [`LayoutError::SwizzledSliceTooShort`] if the slice is shorter than the
    /// [bound](AnySwizzled::cosize_bound) of the layout.
    pub fn new(data: &'a mut [T]) -> Result<Self, LayoutError> {
        const {
            if let Some(composed) = C::STATIC {
                const_unwrap(&check_injective(&composed.layout()));
            }
        };
        Self::new_in(data, C::default())
    }
}

/// `view[coordinate]`. Panics if the coordinate lies outside the shape, as slice indexing does.
impl<T, C: AnySwizzled, I: Coordinate<C::Inner>> Index<I> for SwizzledView<'_, T, C> {
    type Output = T;
    #[track_caller]
    fn index(&self, coordinate: I) -> &T {
        &self.data[offset(&self.layout, coordinate)]
    }
}

element_access! {
    SwizzledViewMut<'_, T, C>, [T, C], [T, C: AnySwizzled], C::Inner, offset
}

/// The offset of a coordinate. Panics if it lies outside the shape.
#[track_caller]
pub(super) fn offset<C: AnySwizzled>(layout: &C, coordinate: impl Coordinate<C::Inner>) -> usize {
    match layout.try_offset(coordinate) {
        Ok(offset) => offset,
        Err(error) => {
            // Panics with a message that names the layout.
            layout.inner().offset(coordinate);
            error.fail()
        }
    }
}

impl<T, C: AnySwizzled> sealed::Read<T, InSwizzle> for SwizzledView<'_, T, C> {
    type Place = Behind<C>;

    fn read(&self) -> (LayoutRef<'_, Behind<C>>, Memory<'_, T>) {
        (LayoutRef::Owned(Behind(self.layout)), Memory::Contiguous(self.data))
    }
}

impl<T, C: AnySwizzled> sealed::Read<T, InSwizzle> for SwizzledViewMut<'_, T, C> {
    type Place = Behind<C>;

    fn read(&self) -> (LayoutRef<'_, Behind<C>>, Memory<'_, T>) {
        (LayoutRef::Owned(Behind(self.layout)), Memory::Contiguous(self.data))
    }
}

impl<T, C: AnySwizzled> sealed::Write<T, InSwizzle> for SwizzledViewMut<'_, T, C> {
    type Place = Behind<C>;

    fn write(&mut self) -> (LayoutRef<'_, Behind<C>>, MemoryMut<'_, T>, Option<T>) {
        (LayoutRef::Owned(Behind(self.layout)), MemoryMut::Contiguous(self.data), None)
    }
}
