//! Memory for packed blocks and boxes, which each thread keeps.

use std::cell::Cell;

use crate::buffer::Buffer;

/// A cache line. Buffers have whole lines.
type Line = [u64; 8];

type Kept = Cell<Option<Buffer<Line>>>;

thread_local! {
    // Buffers for packed blocks of A, packed blocks of B, boxes, and dense copies: usually some MiB. Kept
    // between calls, because an allocation costs more than a small product.
    static SCRATCH: [Kept; 4] = const { [const { Cell::new(None) }; 4] };
}

/// A larger buffer is not kept.
const MAX_KEPT_BYTES: usize = 256 << 20;

/// Calls `f` with `bytes` of writable memory: for packed blocks of A if `which` is 0, of B if 1, for
/// boxes of all operands if 2, and for dense copies if 3.
pub(crate) fn with_scratch(which: usize, bytes: usize, f: impl FnOnce(*mut u8)) {
    let needed = bytes.div_ceil(size_of::<Line>());
    // Taken, not borrowed: code that runs meanwhile may compute a product too.
    let kept = SCRATCH.with(|kept| kept[which].take()).filter(|lines| lines.len() >= needed);
    let mut lines = kept.unwrap_or_else(|| Buffer::filled(needed, [0; 8]));
    f(lines.as_mut_ptr().cast());
    if bytes <= MAX_KEPT_BYTES {
        SCRATCH.with(|kept| kept[which].set(Some(lines)));
    }
}
