//! Random layouts, shared by the tests.
#![allow(dead_code, reason = "each test uses a part of this")]

/// SplitMix64: a small random number generator whose only state is its seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A layout of at most `max_size` elements. Its strides are often compact.
pub(crate) fn layout_text(random: &mut Random, max_size: usize) -> String {
    let (mut extents, mut strides, mut size, mut step) = (Vec::new(), Vec::new(), 1, 1);
    for _ in 0..=random.below(4) {
        let extent = *random.pick(&[1, 2, 2, 3, 4, 4, 8, 8, 16, 32]);
        if size * extent > max_size {
            break;
        }
        let stride = match random.below(4) {
            0 => random.below(40),
            _ => step,
        };
        size *= extent;
        step = (stride.max(1)) * extent;
        extents.push(extent.to_string());
        strides.push(stride.to_string());
    }
    if extents.is_empty() {
        return "4:1".to_owned();
    }
    // The first mode is not always the contiguous one.
    if random.below(2) == 0 {
        extents.reverse();
        strides.reverse();
    }
    format!("({}):({})", extents.join(","), strides.join(","))
}
