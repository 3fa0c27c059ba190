//! `Fill`: the value of padding.

use crate::devices::print::named;

named! {
    /// The value of slots that hold no element.
    ///
    /// It does not affect where elements are: two tensors that differ only in it have the same
    /// layout. A copy takes it as a parameter; the default is the value in the notation.
    ///
    /// ```
    /// use static_layout::devices::Fill;
    /// assert_eq!((Fill::of_name("neginf"), Fill::of_name("two")), (Some(Fill::NegInf), None));
    /// ```
    #[derive(Default)]
    pub enum Fill {
        /// Undefined: nothing is written.
        #[default]
        Undef: "undef",
        /// 0.
        Zero: "zero",
        /// 1.
        One: "one",
        /// Positive infinity, or the largest integer.
        Inf: "inf",
        /// Negative infinity, or the smallest integer.
        NegInf: "neginf",
    }
}
