//! What tensors and mutable views have in common, written once: access to their elements.

/// Access to the slice `data` of a type, and to its elements through the field `layout`.
///
/// The arguments are the type; its generic parameters for access to the slice; the same with the bounds
/// for access by coordinates; the layout of the coordinates; and the function from a coordinate to an
/// offset. That function panics if the coordinate lies outside the shape.
macro_rules! element_access {
    ($type:ty, [$($any:tt)*], [$($generics:tt)*], $layout:ty, $offset:path) => {
        impl<$($any)*> $type {
            /// All elements in memory order, including those that no coordinate maps to.
            pub fn as_slice(&self) -> &[T] {
                &self.data
            }

            /// All elements in memory order, including those that no coordinate maps to.
            pub fn as_mut_slice(&mut self) -> &mut [T] {
                &mut self.data
            }
        }

        impl<$($generics)*> $type {
            /// The element at a coordinate; `None` if the coordinate lies outside the shape.
            pub fn get(&self, coordinate: impl Coordinate<$layout>) -> Option<&T> {
                self.data.get(self.layout.try_offset(coordinate).ok()?)
            }

            /// The element at a coordinate; `None` if the coordinate lies outside the shape.
            pub fn get_mut(&mut self, coordinate: impl Coordinate<$layout>) -> Option<&mut T> {
                self.data.get_mut(self.layout.try_offset(coordinate).ok()?)
            }
        }

        /// `self[coordinate]`. Panics if the coordinate lies outside the shape, as slice indexing does.
        impl<$($generics)*, I: Coordinate<$layout>> core::ops::Index<I> for $type {
            type Output = T;
            #[inline]
            #[track_caller]
            fn index(&self, coordinate: I) -> &T {
                &self.data[$offset(&self.layout, coordinate)]
            }
        }

        impl<$($generics)*, I: Coordinate<$layout>> core::ops::IndexMut<I> for $type {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, coordinate: I) -> &mut T {
                &mut self.data[$offset(&self.layout, coordinate)]
            }
        }
    };
}

/// [`element_access`], views and iterators of a tensor that owns its elements.
macro_rules! tensor_access {
    ($tensor:ident<T, L>, [$($any:tt)*], [$($generics:tt)*]) => {
        $crate::access::element_access! {
            $tensor<T, L>, [$($any)*], [$($generics)*], L, AnyLayout::offset
        }

        impl<$($generics)*> $tensor<T, L> {
            /// The tensor as a view.
            pub fn view(&self) -> View<'_, T, L> {
                View::new_checked(&self.data, self.layout)
            }

            /// The tensor as a mutable view.
            pub fn view_mut(&mut self) -> ViewMut<'_, T, L> {
                ViewMut::new_checked(&mut self.data, self.layout)
            }

            /// Iterator over the elements in coordinate order, leftmost mode fastest.
            ///
            /// # Panics
            ///
            /// Never for the layouts of this library; see [`View::iter`].
            #[inline]
            pub fn iter(&self) -> Iter<'_, T, L> {
                self.view().iter()
            }

            /// Mutable iterator over the elements in coordinate order, leftmost mode fastest.
            ///
            /// ```
            #[doc = concat!("use static_layout::{", stringify!($tensor), ", layout};")]
            #[doc = concat!("let mut t = ", stringify!($tensor), "::<f32, layout!((2,3):(3,1))>::zeros();")]
            /// t.iter_mut().zip(1u8..).for_each(|(x, i)| *x = f32::from(i));
            /// assert_eq!(t.as_slice(), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
            /// ```
            ///
            /// # Panics
            ///
            /// As [`iter`](Self::iter).
            #[inline]
            pub fn iter_mut(&mut self) -> IterMut<'_, T, L> {
                IterMut::new(&mut self.data, &self.layout)
            }

            /// The layout.
            pub fn layout(&self) -> L {
                self.layout
            }
        }

        impl<$($generics)*> AsView<T> for $tensor<T, L> {
            type Layout = L;
            fn as_view(&self) -> View<'_, T, L> {
                self.view()
            }

            #[inline(always)]
            fn parts(&self, _: Token) -> (&[T], LayoutRef<'_, L>) {
                (&self.data, LayoutRef::Borrowed(&self.layout))
            }
        }

        impl<$($generics)*> AsViewMut<T> for $tensor<T, L> {
            fn as_view_mut(&mut self) -> ViewMut<'_, T, L> {
                self.view_mut()
            }

            #[inline(always)]
            fn parts_mut(&mut self, _: Token) -> (&mut [T], LayoutRef<'_, L>) {
                (&mut self.data, LayoutRef::Borrowed(&self.layout))
            }
        }

        impl<$($generics)*> core::fmt::Debug for $tensor<T, L>
        where
            T: core::fmt::Debug,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                debug(stringify!($tensor), self.view(), f)
            }
        }
    };
}

pub(crate) use {element_access, tensor_access};
