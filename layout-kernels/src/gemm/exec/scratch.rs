//! Memory for packed blocks, which each thread keeps.

use std::cell::Cell;

use crate::buffer::Buffer;

/// A cache line, to align what is packed.
type Line = [u64; 8];

type Kept = Cell<Option<Buffer<Line>>>;

thread_local! {
    // Memory for packed blocks of A and of B, at most some MiB. Kept between calls: asking for it
    // costs more than a small product.
    static SCRATCH: [Kept; 3] = const { [const { Cell::new(None) }; 3] };
}

/// Calls `f` with memory for a packed block, which it may write: of A for `which = 0`, of B for 1,
/// and boxes of all operands for 2.
pub(crate) fn with_scratch(which: usize, bytes: usize, f: impl FnOnce(*mut u8)) {
    let needed = bytes.div_ceil(size_of::<Line>());
    // Taken and not borrowed: what runs meanwhile may make a product too.
    let kept = SCRATCH.with(|kept| kept[which].take()).filter(|lines| lines.len() >= needed);
    let Some(mut lines) = kept.or_else(|| Buffer::filled(needed, [0; 8])) else {
        unreachable!("some MiB fit an address space")
    };
    f(lines.as_mut_ptr().cast());
    SCRATCH.with(|kept| kept[which].set(Some(lines)));
}
