//! Layouts as functions: composition, complements, inverses, filters, recast.

#[cfg(feature = "text")]
use super::forms::forms;
#[cfg(feature = "text")]
use crate::text::domain::{Domain, on_inside};
#[cfg(feature = "text")]
use crate::text::value::Value;
#[cfg(feature = "types")]
use {
    super::rows::aliases,
    crate::types::ops::by_mode::Compose,
    crate::types::ops::complement::{Complemented, ComplementedInside},
    crate::types::ops::filter::{Filtered, FilteredBy, NullspaceModes, ZerosFiltered},
    crate::types::ops::inverse::RightInverseModes,
    crate::types::ops::left_inverse::LeftInverseModes,
    crate::types::ops::max_common::{CommonLayout, CommonVector},
    crate::types::ops::recast::{DowncastModes, RecastModes, UpcastModes},
    crate::types::ops::tiled::Tiling,
};

macro_rules! functions {
    ($then:ident) => {
        $then! {

        /// One layout after another, with the shape of the second refined.
        ///
        /// `composition(A, B)(c) = A(B(c))`. `B` is a layout or a [tiler](crate::types::StaticTiler), which
        /// applies mode by mode.
        ///
        /// ```
        /// use static_layout::{layout, ops::Composition, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type A = layout!(20:2);
        /// type B = layout!((5,4):(4,1));
        /// assert_type_eq!(Composition<A, B>, layout!((5,4):(8,2)));
        ///
        /// let (a, b, a_of_b) = (A::default(), B::default(), layout!(A o B));
        /// assert!((0..20).all(|c| a_of_b.offset(c) == a.offset(b.offset(c))));
        /// ```
        fn composition(a: A as Function, b: B as Inner) -> Composition {
            type = <B as Tiling>::Apply<Compose, A>;
            value = a.composition_by(b);
            text = |a| a[0].composition(&a[1]);
        }

        /// The gaps of a layout below its cosize: the complement without a cotarget.
        ///
        /// ```
        /// use static_layout::{layout, ops::ComplementInCosize};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// assert_type_eq!(ComplementInCosize<layout!(4:2)>, layout!(2:1));
        /// ```
        fn complement_in_cosize as complement(a: A as Domain) -> ComplementInCosize {
            type = ComplementedInside<A>;
            value = a.complement_in_cosize();
            text = |a| on_inside!(a[0], l => l.complement_in_cosize()?);
        }

        /// The offsets below `N` that a layout does not reach.
        ///
        /// It is ordered and disjoint from `A`. If each stride of `A` is a multiple of the size that
        /// smaller strides cover, both together cover the first `N` offsets. Other gaps are rounded
        /// down: `complement((2,2):(1,3), 6)` is `1:0`, without offset 2.
        ///
        /// For a shape `N` the last mode repeats as often as each mode of the shape needs.
        ///
        /// ```
        /// use static_layout::{layout, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type A = layout!(4:1);
        /// assert_type_eq!(layout!(complement(A, 24)), layout!(6:4));
        /// assert_type_eq!(layout!(complement(A, (6,2))), layout!(4:4));
        ///
        /// // Together they have each of the 24 offsets once.
        /// let both = layout!(append(A, complement(A, 24)));
        /// assert!((0..24).all(|i| both.offset(i) == i));
        /// ```
        fn complement(a: A as Domain, cotarget: N as Extents) -> Complement {
            type = Complemented<A, N>;
            value = a.complement_shape(cotarget);
            text = |a| {
                let cotarget = a[1].extents()?;
                on_inside!(a[0], l => l.complement_shape(&cotarget)?)
            };
        }

        /// The coordinate of each offset: `A(right_inverse(A)(i)) = i`.
        ///
        /// It goes through the mode of stride 1, then through the mode whose stride is the size
        /// covered so far, and so on, as far as the strides are known. Of equal strides it takes the
        /// first, even if another one leads further: `right_inverse((2,6):(1,1))` is `2:1`.
        ///
        /// ```
        /// use static_layout::{layout, ops::RightInverse, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type A = layout!((4,8):(8,1));
        /// type R = RightInverse<A>;
        /// assert_type_eq!(R, layout!((8,4):(4,1)));
        /// assert!((0..32).all(|i| A::default().offset(R::default().offset(i)) == i));
        /// ```
        fn right_inverse(a: A as Mapping) -> RightInverse {
            type = RightInverseModes<A>;
            value = Ok(a.right_inverse());
            law(result, _by_value) = is_identity(a, result);
            text = |a| Ok(match &a[0] {
                Value::Linear(l) => l.right_inverse().into(),
                other => match other.domain()? {
                    Domain::Plain(l) => l.right_inverse().into(),
                    Domain::Coordinates(l) => l.right_inverse()?.into(),
                    Domain::Composed(l) => l.right_inverse()?.into(),
                },
            });
        }

        /// A coordinate of every offset: `A(left_inverse(A)(A(i))) = A(i)`.
        ///
        /// It is unique if `A` is injective. Between the offsets of `A` its values are unspecified.
        ///
        /// ```
        /// use static_layout::{layout, ops::LeftInverse, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type Padded = layout!((4,8):(1,5));
        /// type L = LeftInverse<Padded>;
        /// assert_type_eq!(L, layout!((5,8):(1,4)));
        /// assert!((0..32).all(|i| L::default().offset(Padded::default().offset(i)) == i));
        /// ```
        fn left_inverse(a: A as Mapping) -> LeftInverse {
            type = LeftInverseModes<A>;
            value = a.left_inverse();
            text = |a| Ok(match &a[0] {
                Value::Linear(l) => l.left_inverse().into(),
                other => match other.domain()? {
                    Domain::Plain(l) => l.left_inverse()?.into(),
                    Domain::Coordinates(l) => l.left_inverse()?.into(),
                    Domain::Composed(l) => l.left_inverse()?.into(),
                },
            });
        }

        /// Extent 1 wherever the stride is 0: the same offsets, each mode in its place.
        ///
        /// ```
        /// use static_layout::{layout, ops::FilterZeros};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// assert_type_eq!(FilterZeros<layout!((4,3):(0,1))>, layout!((1,3):(0,1)));
        /// ```
        fn filter_zeros(a: A as Domain) -> FilterZeros {
            type = ZerosFiltered<A>;
            value = Ok(a.filter_zeros());
            law(result, by_value) = agree(&result.filter_zeros(), by_value);
        }

        /// The same offsets, each once, with the fewest modes.
        ///
        /// `filter(A) = coalesce(filter_zeros(A))`, as far as the strides are known.
        ///
        /// ```
        /// use static_layout::{layout, ops::Filter};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// assert_type_eq!(Filter<layout!((4,3):(0,1))>, layout!(3:1));
        /// ```
        fn filter(a: A as Domain) -> Filter {
            type = Filtered<A>;
            value = Ok(a.filter());
            law(result, by_value) = agree(&result.filter(), by_value);
        }

        /// The same offsets without repetitions, at each leaf of a profile.
        ///
        /// The integers of the profile are ignored. Modes beyond it stay as they are.
        ///
        /// ```
        /// use static_layout::layout;
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// assert_type_eq!(layout!(filter(((2,4),3):((1,0),2), (1,1))), layout!((2,3):(1,2)));
        /// ```
        fn filter_by as filter(a: A as Domain, profile: P as IntTuple) -> FilterBy {
            type = FilteredBy<A, P>;
            value = a.filter_by(profile);
            law(result, by_value) = agree(&result.filter_by(profile)?, by_value);
        }

        /// The coordinates that do not move the offset: `A(nullspace(A)(i)) = 0`.
        ///
        /// Its size is `size(A) / size(filter(A))`, as far as the strides are known.
        ///
        /// ```
        /// use static_layout::{layout, ops::Nullspace, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type A = layout!((7,5):(3,0));
        /// type N = Nullspace<A>;
        /// assert_type_eq!(N, layout!(5:7));
        /// assert!((0..5).all(|i| A::default().offset(N::default().offset(i)) == 0));
        /// ```
        fn nullspace(a: A as Mapping) -> Nullspace {
            type = NullspaceModes<A>;
            value = Ok(a.nullspace());
            law(result, _by_value) = a.composition(result).is_ok_and(|still| still.cosize() == 1);
            text = |a| match &a[0] {
                Value::Linear(l) => Ok(l.nullspace().into()),
                other => on_inside!(other, l => l.nullspace()),
            };
        }

        /// The largest layout of coordinates that two layouts have in common.
        ///
        /// `A(R(i)) = B(R(i)) = i`. The coordinates are those of `B`. The last mode of `A` is
        /// unbounded, as in [`Composition`].
        ///
        /// ```
        /// use static_layout::{layout, ops::MaxCommonLayout, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type A = layout!((4,2):(2,1));
        /// type R = MaxCommonLayout<A, A>;
        /// assert_type_eq!(R, layout!((2,4):(4,1)));
        /// assert!((0..8).all(|i| A::default().offset(R::default().offset(i)) == i));
        /// ```
        fn max_common_layout(a: A as Offsets, b: B as Offsets) -> MaxCommonLayout {
            type = CommonLayout<A, B>;
            value = a.max_common_layout(b);
            law(result, _by_value) = is_identity(a, result) && is_identity(b, result);
            text = |a| Ok(a[0].composed()?.max_common_layout(&a[1].composed()?)?.into());
        }

        /// The longest vector that can be copied between two layouts, a number of elements.
        ///
        /// The largest `N` such that `A` and `B` have the offsets `0..N` at the same coordinates, at
        /// least 1. These coordinates must form a layout: whole modes of `right_inverse(B)` and
        /// steps of the next one, in which no mode of `A` overflows.
        ///
        /// ```
        /// use static_layout::{layout, ops::MaxCommonVector};
        /// use static_layout::typenum::{U4, assert_type_eq};
        ///
        /// assert_type_eq!(MaxCommonVector<layout!((4,2):(1,4)), layout!((4,2):(1,8))>, U4);
        /// ```
        type max_common_vector(a: A as Offsets, b: B as Offsets) -> MaxCommonVector {
            type(Integer) = CommonVector<A, B>;
            text = |a| Ok(a[0].composed()?.max_common_vector(&a[1].composed()?).into());
        }

        /// The layout in larger elements, of `N` old elements each.
        ///
        /// `upcast(A, N)` has the offsets of `A` divided by `N`, rounded down. A mode that steps
        /// inside a new element shrinks to the number of new elements that it reaches.
        ///
        /// ```
        /// use static_layout::{layout, ops::Upcast, prelude::*};
        /// use static_layout::typenum::{U3, assert_type_eq};
        ///
        /// type A = layout!((12,10):(1,12));
        /// type B = Upcast<A, U3>;
        /// assert_type_eq!(B, layout!((4,10):(1,4)));
        /// assert_eq!(A::default().offset((6, 2)) / 3, B::default().offset((2, 2)));
        /// ```
        fn upcast(a: A as Offsets, n: N as Integer) -> Upcast {
            type = UpcastModes<A, N>;
            value = a.upcast(n);
        }

        /// The layout in smaller elements, `N` of them per old element.
        ///
        /// The mode of stride 1 gets longer, the strides of the others grow: an offset `o` of `A`
        /// becomes the offsets `N * o .. N * (o + 1)`.
        ///
        /// ```
        /// use static_layout::{layout, ops::Downcast, prelude::*};
        /// use static_layout::typenum::{U4, assert_type_eq};
        ///
        /// type A = layout!((6,10):(10,1));
        /// type B = Downcast<A, U4>;
        /// assert_type_eq!(B, layout!((6,40):(40,1)));
        /// assert_eq!(A::default().offset((2, 3)) * 4, B::default().offset((2, 12)));
        /// ```
        fn downcast(a: A as Offsets, n: N as Integer) -> Downcast {
            type = DowncastModes<A, N>;
            value = a.downcast(n);
        }

        /// The layout in elements with another number of bits.
        ///
        /// An [`Upcast`], a [`Downcast`], or one after the other.
        ///
        /// ```
        /// use static_layout::{layout, ops::Recast};
        /// use static_layout::typenum::{U8, U32, assert_type_eq};
        ///
        /// type Bytes = layout!((12,4):(1,12));
        /// assert_type_eq!(Recast<Bytes, U8, U32>, layout!((3,4):(1,3)));
        /// ```
        fn recast(a: A as Offsets, old: O as Integer, new: N as Integer) -> Recast {
            type = RecastModes<A, O, N>;
            value = a.recast(old, new);
        }

            }
    };
}
#[cfg(feature = "types")]
functions!(aliases);
#[cfg(feature = "text")]
functions!(forms);
#[cfg(feature = "types")]
pub(crate) use functions;
