//! `Strip`: where the rows of a block lie.

/// A pointer to a block and the distance in bytes of its rows, which are contiguous.
#[derive(Clone, Copy)]
pub(super) struct Strip<P> {
    pub(super) start: P,
    pub(super) step: usize,
}

macro_rules! strip {
    ($pointer:ty) => {
        impl Strip<$pointer> {
            /// The place of a row and a byte in it; inside the memory if the block has them.
            #[inline(always)]
            pub(super) fn at(self, row: usize, byte: usize) -> $pointer {
                self.start.wrapping_add(row * self.step + byte)
            }

            #[inline(always)]
            pub(super) fn shifted(self, row: usize, byte: usize) -> Self {
                Self { start: self.at(row, byte), step: self.step }
            }
        }
    };
}
strip!(*const u8);
strip!(*mut u8);
