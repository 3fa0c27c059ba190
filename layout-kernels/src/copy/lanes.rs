//! `Lanes`: a vector register as lanes of 16 bytes that are all shuffled alike.
//!
//! What is shuffled inside lanes is the same code for registers of one, two and four lanes, and a
//! shuffle inside lanes is what processors do fastest.

/// A register of [`COUNT`](Self::COUNT) lanes of 16 bytes.
///
/// # Safety
///
/// Every method needs the instructions of its type.
pub(super) trait Lanes: Copy {
    /// The number of lanes.
    const COUNT: usize;

    /// Whether [`load_pair`](Self::load_pair) is cheaper than two [`load`](Self::load)s.
    const PAIRS: bool;

    /// All lanes from `p`, one after the other.
    ///
    /// # Safety
    ///
    /// That many bytes can be read.
    unsafe fn load_all(p: *const u8) -> Self;

    /// A lane from each of `p`, `p + distance`, `p + 2 * distance` and so on.
    ///
    /// # Safety
    ///
    /// 16 bytes can be read from each.
    #[inline(always)]
    unsafe fn load(p: *const u8, distance: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::load_at(p, [0, distance, 2 * distance, 3 * distance]) }
    }

    /// A lane from `p + offsets[k]` for each lane `k`.
    ///
    /// # Safety
    ///
    /// 16 bytes can be read from each.
    unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self;

    /// `load(p, distance)` and `load(p + 16, distance)`.
    ///
    /// # Safety
    ///
    /// 32 bytes can be read from `p`, `p + distance` and so on.
    unsafe fn load_pair(p: *const u8, distance: usize) -> (Self, Self);

    /// In each lane, words of `W` bytes from the lower halves of both by turns.
    unsafe fn low<const W: usize>(self, other: Self) -> Self;

    /// In each lane, words of `W` bytes from the upper halves of both by turns.
    unsafe fn high<const W: usize>(self, other: Self) -> Self;

    /// Writes the lanes one after the other.
    ///
    /// # Safety
    ///
    /// That many bytes can be written at `p`.
    unsafe fn store(self, p: *mut u8);

    /// [`store`](Self::store) past the caches.
    ///
    /// # Safety
    ///
    /// As for `store`, and `p` is aligned to the register. What is stored so is seen by other
    /// threads only after [`fence`](Self::fence).
    unsafe fn stream(self, p: *mut u8);

    /// Makes what was streamed visible before what is stored later.
    unsafe fn fence();

    /// Runs `M` with the instructions of these registers, as a function of its own.
    ///
    /// # Safety
    ///
    /// That of [`Move::run`].
    unsafe fn apart<M: Move>(m: M);
}

/// A register of one lane that can also be moved in part.
pub(super) trait Lane: Lanes {
    /// The `n` bytes from `p`, `1 <= n <= 16`, in front of anything.
    ///
    /// # Safety
    ///
    /// They can be read.
    unsafe fn load_part(p: *const u8, n: usize) -> Self;

    /// Writes the first `n` bytes, `1 <= n <= 16`.
    ///
    /// # Safety
    ///
    /// They can be written at `p`.
    unsafe fn store_part(self, p: *mut u8, n: usize);
}

/// Something to do with the instructions of a register.
pub(super) trait Move {
    /// Does it. Always inlined.
    ///
    /// # Safety
    ///
    /// The instructions are there; whatever else it says.
    unsafe fn run(self);
}
