//! Random layouts of every kind, as text.

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }

    fn between(&mut self, min_value: usize, max_value: usize) -> usize {
        min_value + self.below(max_value - min_value + 1)
    }

    /// A shape with some nested modes, and a congruent stride.
    fn shape_and_stride(&mut self, leaf: &mut dyn FnMut(&mut Self) -> String) -> (String, String) {
        let modes = self.between(1, 4);
        let (mut shape, mut stride) = (Vec::new(), Vec::new());
        for _ in 0..modes {
            let (s, d) = self.mode(2, leaf);
            shape.push(s);
            stride.push(d);
        }
        (format!("({})", shape.join(",")), format!("({})", stride.join(",")))
    }

    fn mode(
        &mut self,
        depth: usize,
        leaf: &mut dyn FnMut(&mut Self) -> String,
    ) -> (String, String) {
        if depth == 0 || self.below(2) == 0 {
            return (self.between(1, 4).to_string(), leaf(self));
        }
        let parts: Vec<_> = (0..self.between(1, 3)).map(|_| self.mode(depth - 1, leaf)).collect();
        let (shape, stride): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        (format!("({})", shape.join(",")), format!("({})", stride.join(",")))
    }

    /// A plain layout.
    pub(crate) fn layout(&mut self) -> String {
        let (shape, stride) = self.shape_and_stride(&mut |r| r.below(40).to_string());
        format!("{shape}:{stride}")
    }

    /// A swizzled layout.
    pub(crate) fn swizzled(&mut self) -> String {
        let bits = self.between(0, 3);
        let (base, shift) = (self.between(0, 3), self.between(bits, 4));
        let sign = if self.below(4) == 0 { "-" } else { "" };
        let offset = self.below(8);
        format!("Sw<{bits},{base},{sign}{shift}> o {offset} o {}", self.layout())
    }

    /// A layout of coordinates.
    pub(crate) fn coordinates(&mut self) -> String {
        let (shape, stride) = self.shape_and_stride(&mut |r| {
            let mode = ["0", "1", "2", "0@1", "1@1"][r.below(5)];
            format!("{}@{mode}", r.below(5))
        });
        format!("{shape}:{stride}")
    }

    /// A layout of positive and negative integers.
    pub(crate) fn integers(&mut self) -> String {
        let (shape, stride) = self.shape_and_stride(&mut |r| {
            format!("{}{}", if r.below(2) == 0 { "-" } else { "" }, r.between(1, 9))
        });
        format!("{shape}:{stride}")
    }

    /// A Morello layout with a compatible shape.
    pub(crate) fn morello(&mut self) -> String {
        let pack = self.between(2, 4);
        let (rows, columns) = (self.between(1, 6), pack * self.between(1, 3));
        match self.below(3) {
            0 => format!("[1, 0] for ({rows}, {columns})"),
            1 => format!("[1, 0, 1 p({pack})] for ({rows}, {columns})"),
            _ => format!("[0, 1 oe({})] for ({rows}, {})", 2 * pack, 2 * columns),
        }
    }

    /// A Spyre layout by the default rules.
    pub(crate) fn spyre(&mut self) -> String {
        let rank = self.between(1, 3);
        let size: Vec<_> = (0..rank).map(|_| self.between(1, 40).to_string()).collect();
        let size: Vec<_> =
            if rank == 3 { vec!["2".into(), size[1].clone(), "5".into()] } else { size };
        let dtype = ["f64", "f32", "f16"][self.below(3)];
        let sparse = if self.below(4) == 0 { ", sparse: true" } else { "" };
        let current = if self.below(3) == 0 { ", current: true" } else { "" };
        format!("spyre {{ size: [{}], dtype: {dtype}{sparse}{current} }}", size.join(", "))
    }

    /// A Tenstorrent tensor.
    pub(crate) fn tenstorrent(&mut self) -> String {
        let (rows, columns) = (self.between(1, 20), self.between(1, 20));
        let grid = format!("{}x{}", self.between(1, 3), self.between(1, 3));
        match self.below(3) {
            0 => format!(
                "tensor<{rows}x{columns}xf32, #tt.metal_layout<collapse = [], undef, <{grid}>>>"
            ),
            1 => format!(
                "tensor<2x{rows}x{columns}xf32, #tt.metal_layout<collapse = [(0, -1)], zero, <{grid}>>>"
            ),
            _ => format!(
                "tensor<{rows}x{columns}xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, \
                 memref<{}x{}x!tt.tile<8x4, f32>, #tt.memory_space<l1>>>>",
                rows.div_ceil(8),
                columns.div_ceil(2).div_ceil(4)
            ),
        }
    }
}
