//! The structure of a layout: operations on the nesting, the order and the number of modes.

#[cfg(feature = "text")]
use super::facts::{flatten, slice};
#[cfg(feature = "text")]
use super::forms::forms;
#[cfg(feature = "text")]
use crate::text::domain::on_start;
#[cfg(feature = "types")]
use {
    super::rows::aliases,
    crate::types::ModesOf,
    crate::types::core::flat::Flattened,
    crate::types::ops::coalesce::{Coalesced, CoalescedBy},
    crate::types::ops::permute::{BroadcastToOf, Permuted, TransposedOf},
    crate::types::ops::range::{Grouped, Taken},
    crate::types::ops::select::{Appended, Prepended, Replaced, Selected},
    crate::types::ops::slicer::{Diced, Sliced, StaticSlicer},
    crate::types::ops::unflatten::Unflattened,
    crate::types::ops::windows::WindowsOf,
    crate::types::ops::zip::{ZipOf, ZipWithOf},
};

macro_rules! structures {
    ($then:ident) => {
        $then! {

                /// The same function with the fewest modes.
                ///
                /// `coalesce(A)(i) = A(i)`.
                ///
                /// ```
                /// use static_layout::{layout, ops::Coalesce, prelude::*};
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// type A = layout!((2,(1,6)):(1,(6,2)));
                /// assert_type_eq!(Coalesce<A>, layout!(12:1));
                /// assert!((0..12).all(|i| A::default().offset(i) == Coalesce::<A>::default().offset(i)));
                /// ```
                fn coalesce(a: A as Domain) -> Coalesce {
                    type = Coalesced<A>;
                    value = Ok(a.coalesce());
                }

                /// The same function with the fewest modes at each leaf of a profile.
                ///
                /// The integers of the profile are ignored. Modes at different leaves of the profile
                /// are not merged, and modes beyond it stay as they are. `coalesce(A, P)(i) = A(i)`.
                ///
                /// ```
                /// use static_layout::{layout, prelude::*};
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// type A = layout!((2,(1,6)):(1,(6,2)));
                /// assert_type_eq!(layout!(coalesce(A, (1,1))), layout!((2,6):(1,2)));
                /// ```
                fn coalesce_by as coalesce(a: A as Domain, profile: P as IntTuple) -> CoalesceBy {
                    type = CoalescedBy<A, P>;
                    value = a.coalesce_by(profile);
                }

                /// All leaves as modes.
                ///
                /// `flatten(A)(i) = A(i)`. In the notation a tuple stays a tuple: `flatten((1,(_,3)))` is `(1,_,3)`.
                ///
                /// ```
                /// use static_layout::{layout, ops::Flatten, prelude::*};
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// type A = layout!((2,(3,4)):(12,(1,3)));
                /// assert_type_eq!(Flatten<A>, layout!((2,3,4):(12,1,3)));
                /// assert_eq!(A::default().offset((1, (2, 3))), Flatten::<A>::default().offset((1, 2, 3)));
                /// ```
                fn flatten(a: A as Leaves) -> Flatten {
                    type = Flattened<A>;
                    value = Ok(a.flatten());
                    text = |a| flatten(&a[0]);
                }

                /// The leaves under the parentheses of a profile.
                ///
                /// The integers of the profile are ignored. `unflatten(A, P)(i) = A(i)`.
                ///
                /// ```
                /// use static_layout::layout;
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// assert_type_eq!(layout!(unflatten((2,3,5), (0,(0,0)))), layout!((2,(3,5)):(1,(2,6))));
                /// ```
                fn unflatten(a: A as Domain, profile: P as IntTuple) -> Unflatten {
                    type = Unflattened<A, P>;
                    value = a.unflatten(profile);
                }

                /// The modes of a half-open range.
                ///
                /// ```
                /// use static_layout::{layout, ops::Take};
                /// use static_layout::typenum::{U1, U3, assert_type_eq};
                ///
                /// assert_type_eq!(Take<layout!((2,3,5)), U1, U3>, layout!((3,5):(2,6)));
                /// ```
                fn take(a: A as Domain, begin: B as Integer, end: E as Integer) -> Take {
                    type = Taken<A, B, E>;
                    value = a.take(begin, end);
                }

                /// The modes of a half-open range as one mode.
                ///
                /// `group(A)(i) = A(i)`.
                ///
                /// ```
                /// use static_layout::{layout, ops::Group};
                /// use static_layout::typenum::{U0, U2, assert_type_eq};
                ///
                /// assert_type_eq!(Group<layout!((2,3,5)), U0, U2>, layout!(((2,3),5):((1,2),6)));
                /// ```
                fn group(a: A as Domain, begin: B as Integer, end: E as Integer) -> Group {
                    type = Grouped<A, B, E>;
                    value = a.group(begin, end);
                }

                /// The modes with these indices, in this order.
                ///
                /// The argument is an integer or a flat tuple of integers; the result is always a
                /// tuple.
                ///
                /// ```
                /// use static_layout::layout;
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// type A = layout!((2,3,5));
                /// assert_type_eq!(layout!(select(A, (2,0))), layout!((5,2):(6,1)));
                /// assert_type_eq!(layout!(select(A, 1)), layout!((3):(2)));
                /// ```
                #[doc(alias = "squeeze")]
fn select(a: A as Domain, modes: I as IntTuple) -> Select {
                    type = Selected<A, I>;
                    value = a.select(attempt!(modes.flat_leaves()));
                }

                /// The modes in another order, each once.
///
/// `permute(A, P)(c_P0, c_P1, ..) = A(c_0, c_1, ..)`: [`Select`] of a permutation.
///
/// ```
/// use static_layout::{layout, prelude::*};
/// use static_layout::typenum::assert_type_eq;
///
/// type A = layout!((2,3,5):(15,5,1));
/// type P = layout!(permute(A, (2,0,1)));
/// assert_type_eq!(P, layout!((5,2,3):(1,15,5)));
/// assert_eq!(P::default().offset((4, 1, 2)), A::default().offset((1, 2, 4)));
/// ```
fn permute(a: A as Domain, modes: P as IntTuple) -> Permute {
    type = Permuted<A, P>;
    value = a.permute(modes);
}

/// The transposed matrix: its two modes exchanged.
///
/// `transposed(A)(j, i) = A(i, j)`.
///
/// ```
/// use static_layout::{layout, ops::Transposed, prelude::*};
/// use static_layout::typenum::assert_type_eq;
///
/// type A = layout!((4,8):(8,1));
/// assert_type_eq!(Transposed<A>, layout!((8,4):(1,8)));
/// assert_eq!(Transposed::<A>::default().offset((5, 2)), A::default().offset((2, 5)));
/// ```
fn transposed(a: A as Domain) -> Transposed {
    type = TransposedOf<A>;
    value = a.transposed();
}

/// The layout repeated to the modes of a shape, by numpy's rule.
///
/// Modes are aligned at the last one. A mode of one element, or one that the layout does not have,
/// repeats with stride 0. Each other mode must have the size in the shape:
/// `broadcast_to(A, S)(.., c) = A(c)`, with 0 for the coordinate in a mode of one element.
///
/// ```
/// use static_layout::{layout, prelude::*};
/// use static_layout::typenum::assert_type_eq;
///
/// type Column = layout!((4,1):(1,0));
/// type B = layout!(broadcast_to(Column, (2,4,3)));
/// assert_type_eq!(B, layout!((2,4,3):(0,1,0)));
/// assert_eq!(B::default().offset((1, 3, 2)), Column::default().offset((3, 0)));
/// ```
fn broadcast_to(a: A as Domain, shape: S as IntTuple) -> BroadcastTo {
    type = BroadcastToOf<A, S>;
    value = a.broadcast_to(shape);
}

/// Some modes backwards, and the offset of the first element.
///
/// The strides of a layout in memory are not negative, so this exists only in the notation, not as a
/// type: `flip((4,8):(8,1), 1)` is `(4,8):(8,-1) @ 7`.
text flip(Strided, IntTuple) {
    |a| Ok(a[0].strided()?.coordinates().flip(&a[1].int_tuple()?)?.into())
}

/// The modes of a layout, and another layout after them as one mode.
                ///
                /// ```
                /// use static_layout::{layout, ops::Append};
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// assert_type_eq!(Append<layout!(3:1), layout!(4:3)>, layout!((3,4):(1,3)));
                /// ```
                #[doc(alias = "unsqueeze")]
fn append(a: A as Domain, b: B as Strided) -> Append {
                    type = Appended<A, B>;
                    value = a.append(b);
                }

                /// The modes of a layout, and another layout before them as one mode.
                ///
                /// ```
                /// use static_layout::{layout, ops::Prepend};
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// assert_type_eq!(Prepend<layout!(3:1), layout!(4:3)>, layout!((4,3):(3,1)));
                /// ```
                #[doc(alias = "unsqueeze")]
fn prepend(a: A as Domain, b: B as Strided) -> Prepend {
                    type = Prepended<A, B>;
                    value = a.prepend(b);
                }

                /// The modes of a layout, one of them replaced by another layout.
                ///
                /// ```
                /// use static_layout::{layout, ops::Replace};
                /// use static_layout::typenum::{U0, assert_type_eq};
                ///
                /// assert_type_eq!(Replace<layout!((3,2)), U0, layout!(6:0)>, layout!((6,2):(0,3)));
                /// ```
                fn replace(a: A as Domain, n: N as Integer, b: B as Strided) -> Replace {
                    type = Replaced<A, N, B>;
                    value = a.replace(n, b);
                }

                /// The two top levels transposed: mode `j` has the modes `j` of all modes.
                ///
                /// Integer modes become one mode.
                ///
                /// ```
                /// use static_layout::{layout, ops::Zip};
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// type A = layout!(((2,3),(5,7)));
                /// assert_type_eq!(Zip<A>, layout!(((2,5),(3,7)):((1,6),(2,30))));
                /// ```
                fn zip(a: A as Domain) -> Zip {
                    type = ZipOf<A>;
                    value = a.zip();
                }

                /// The modes of two layouts in pairs: `((A_0,B_0), (A_1,B_1), ..)`.
                ///
                /// ```
                /// use static_layout::{layout, ops::ZipWith};
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// type Pairs = ZipWith<layout!((2,3):(1,2)), layout!((5,7):(6,30))>;
                /// assert_type_eq!(Pairs, layout!(((2,5),(3,7)):((1,6),(2,30))));
                /// ```
                fn zip_with as zip(a: A as Domain, b: B as Strided) -> ZipWith {
                    type = ZipWithOf<A, B>;
                    value = a.zip_with(b);
                }

                /// Windows over the modes, which may overlap, and their positions.
        ///
        /// `windows(A, W)((t..), (o..)) = A(o_0 * s_0 + t_0 * d_0, ..)`. `W` has `k`, `(k, s)` or
        /// `(k, s, d)` for each mode: the extent of the window, the step between windows, and the
        /// step inside a window. The windows are mode 0, their positions and the modes beyond `W`
        /// are mode 1: `((window..), (positions.., further modes..))`. If steps equal extents, these
        /// are the tiles of [`ZippedDivide`](crate::operations::ZippedDivide). An integer `W` makes
        /// windows over the whole of `A` as one mode.
        ///
        /// In the notation `W` may be in angle brackets like a tiler:
        /// `windows(A, <(3,1,1), (3,2,1)>)`.
        ///
        /// A mode `n:D` gives `k:d*D` and `m:s*D` with `m = (n - d*(k-1) - 1)/s + 1`. A nested mode
        /// is composed with `(k,m):(d,s)`, and refused if the composition is.
        ///
        /// The input of a convolution is a layout of windows (im2col): mode 0 is a patch, mode 1
        /// runs over the pixels of the result.
        ///
        /// ```
        /// use static_layout::{kernels, layout, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// assert_type_eq!(layout!(windows(8:1, 3)), layout!((3,6):(1,1)));
        /// assert_type_eq!(layout!(windows((6,8):(8,1), (3, (3, 2)))), layout!(((3,3),(4,3)):((8,1),(8,2))));
        ///
        /// // An image of 6 by 8 pixels with 4 channels, and 5 filters of 3 by 3 pixels.
        /// type Image = layout!((6,8,4):(32,4,1));
        /// type Filters = layout!((5,(3,3,4)):(36,(12,4,1)));
        /// let image = Tensor::<f32, Image>::from_fn(|(y, x, c)| (y * x + c) as f32);
        /// let filters = Tensor::<f32, Filters>::from_fn(|(f, at)| (f + at) as f32);
        ///
        /// // Their convolution is a matrix product.
        /// let patches = image.view().with_layout(layout!(windows(Image, (3,3,4))));
        /// let mut result = Tensor::<f32, layout!((5,(4,6,1)):(1,(30,5,0)))>::zeros();
        /// kernels::gemm(1.0, &filters, &patches, 0.0, &mut result);
        ///
        /// let mut sum = 0.0;
        /// for (y, x, c) in (0..3).flat_map(|y| (0..3).flat_map(move |x| (0..4).map(move |c| (y, x, c)))) {
        ///     sum += filters[(2, (y, x, c))] * image[(1 + y, 5 + x, c)];
        /// }
        /// assert_eq!(result[(2, (1, 5, 0))], sum);
        /// ```
        fn windows(a: A as Domain, windows: W as IntTuple) -> Windows {
            type = WindowsOf<A, W>;
            value = a.windows(windows);
        }

        /// The modes that a coordinate keeps, those inside a tuple as modes of the result.
                ///
                /// `slice(A, C)(k) + A(C with _ = 0) = A(C with _ = k)`. As a type, `C` is a
                /// [`StaticSlicer`](crate::types::StaticSlicer): integers, and
                /// [`Keep`](crate::types::Keep) for `_`. An integer may be
                /// [`Dyn`](crate::types::Dyn), since only the offset depends on it;
                /// [`AnyLayout::slice`](crate::types::AnyLayout::slice) returns the offset.
                ///
                /// ```
                /// use static_layout::{layout, prelude::*};
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// type A = layout!((2,(3,4)):(12,(1,3)));
                /// type S = layout!(slice(A, (_, (1, _))));
                /// assert_type_eq!(S, layout!((2,4):(12,3)));
                ///
                /// let offset = A::default().offset((0, (1, 0)));
                /// assert_eq!(S::default().offset((1, 2)) + offset, A::default().offset((1, (1, 2))));
                /// ```
                #[doc(alias = "squeeze")]
type slice(a: A as Domain, at: C as Slicer) -> Slice {
                    type = Sliced<A, C>;
                    text = |a| slice(&a[0], &a[1].coordinate()?);
                }

                /// The modes that a coordinate fixes with an integer: what [`Slice`] leaves out.
                ///
                /// ```
                /// use static_layout::layout;
                /// use static_layout::typenum::assert_type_eq;
                ///
                /// assert_type_eq!(layout!(dice((2,(3,4)):(12,(1,3)), (_, (1, _)))), layout!((3):(1)));
                /// ```
                type dice(a: A as Domain, at: C as Slicer) -> Dice {
                    type = Diced<A, C>;
                    value = a.dice(at);
                }

                /// The modes that a coordinate keeps, and the offset of the others.
                text slice_and_offset(Domain, Slicer) {
                    |a| {
                        let at = a[1].coordinate()?;
                        on_start!(a[0], l => l.slice_and_offset(&at)?)
                    }
                }

                /// The layout with a coordinate as its first, and the offset of that.
                text domain_offset(Domain, IntTuple) {
                    |a| {
                        let at = a[1].int_tuple()?;
                        on_start!(a[0], l => l.domain_offset(&at)?)
                    }
                }

                    }
    };
}
#[cfg(feature = "types")]
structures!(aliases);
#[cfg(feature = "text")]
structures!(forms);
#[cfg(feature = "types")]
pub(crate) use structures;

/// [`Slice`], and the offset of its first element as a typenum integer: the offset of `C` with 0 for
/// `_`.
///
/// If there is no slice, the layout has the reason.
/// [`AnyLayout::slice`](crate::types::AnyLayout::slice) takes the coordinate as a value.
///
/// ```
/// use static_layout::{layout, ops::SliceAndOffset};
/// use static_layout::types::{Cons, Keep, Nil};
/// use static_layout::typenum::{U3, U36, assert_type_eq};
///
/// type Row = SliceAndOffset<layout!((4,12):(12,1)), Cons<U3, Cons<Keep, Nil>>>;
/// assert_type_eq!(Row, (layout!((12):(1)), U36));
/// ```
#[cfg(feature = "types")]
pub type SliceAndOffset<A, C> = (Slice<A, C>, <C as StaticSlicer>::Offset<ModesOf<A>>);
