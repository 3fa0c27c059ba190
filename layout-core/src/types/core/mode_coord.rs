//! `ModeCoord`: the coordinate that a closure receives.

use core::fmt::Debug;

use crate::engine::IntTuple;
use crate::types::core::sealed::Sealed;

/// A coordinate with one number for each mode.
pub trait ModeCoord: Sealed + Copy + Debug {
    /// The coordinate with these numbers, one for each mode.
    ///
    /// # Panics
    ///
    /// If the number of modes differs from that of the type.
    fn from_modes(modes: &[usize]) -> Self;

    /// The number of a mode.
    #[doc(hidden)]
    fn mode(&self, mode: usize) -> usize;

    /// Replaces the number of a mode.
    #[doc(hidden)]
    fn set_mode(&mut self, mode: usize, value: usize);
}

impl ModeCoord for usize {
    #[inline]
    fn from_modes(modes: &[usize]) -> Self {
        assert_eq!(modes.len(), 1, "a coordinate of an integer shape is one number");
        modes[0]
    }
    #[inline(always)]
    fn mode(&self, _: usize) -> usize {
        *self
    }
    #[inline(always)]
    fn set_mode(&mut self, _: usize, value: usize) {
        *self = value;
    }
}

macro_rules! mode_coord_tuple {
    ($($n:literal: $($t:ident $i:tt),+;)+) => {$(
        impl ModeCoord for ($($t,)+) {
            #[inline]
            fn from_modes(modes: &[usize]) -> Self {
                assert_eq!(modes.len(), $n, "a coordinate has one number for each mode");
                ($(modes[$i],)+)
            }
            #[inline(always)]
            fn mode(&self, mode: usize) -> usize {
                match mode {
                    $($i => self.$i,)+
                    _ => 0,
                }
            }
            #[inline(always)]
            fn set_mode(&mut self, mode: usize, value: usize) {
                match mode {
                    $($i => self.$i = value,)+
                    _ => {}
                }
            }
        }
    )+};
}
// Type aliases would do, but an identifier for each position keeps the macro short.
type U = usize;
mode_coord_tuple! {
    1: U 0;
    2: U 0, U 1;
    3: U 0, U 1, U 2;
    4: U 0, U 1, U 2, U 3;
    5: U 0, U 1, U 2, U 3, U 4;
    6: U 0, U 1, U 2, U 3, U 4, U 5;
    7: U 0, U 1, U 2, U 3, U 4, U 5, U 6;
    8: U 0, U 1, U 2, U 3, U 4, U 5, U 6, U 7;
}

/// An [`IntTuple`] is the coordinate of a layout whose rank is known at run time: an integer for one
/// mode, which is a coordinate of `8:1` and of `(8):(1)`, and a flat tuple otherwise.
impl ModeCoord for IntTuple {
    fn from_modes(modes: &[usize]) -> Self {
        if let [mode] = modes {
            return Self::leaf(*mode);
        }
        or_fail!(Self::flat(modes))
    }
    #[inline(always)]
    fn mode(&self, mode: usize) -> usize {
        self.at(mode)
    }
    #[inline(always)]
    fn set_mode(&mut self, mode: usize, value: usize) {
        self.set(mode, value);
    }
}
