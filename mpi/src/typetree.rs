//! `TypeTree`: the MPI type constructors for the datatype of a loop nest, chosen without calling MPI.

use std::fmt;

/// A loop of a datatype: number of iterations, and stride in elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Loop {
    pub(crate) extent: usize,
    pub(crate) stride: usize,
}

/// A datatype as a tree of MPI type constructors.
///
/// `Display` prints the outermost constructor first:
/// `hvector(4 of 2, 100 B) of vector(8 of 1, 3) of f32` means 4 blocks of 2, with a stride of 100
/// bytes between blocks. The stride of `vector` is in units of the extent of its child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TypeTree {
    Element,
    Contiguous { count: usize, of: Box<Self> },
    Vector { count: usize, block: usize, stride: usize, of: Box<Self> },
    Hvector { count: usize, block: usize, stride: usize, of: Box<Self> },
    Indexed { at: Vec<usize>, of: Box<Self> },
    Struct { parts: Vec<(usize, Self)> },
}

/// Maximum count or stride of MPI.
pub(crate) const MAX_COUNT: usize = i32::MAX as usize;

impl TypeTree {
    /// The elements of a loop nest, first loop fastest, with no count above `limit`.
    ///
    /// The law: [`offsets`](Self::offsets) lists the elements in loop order. The tree has the minimum
    /// number of the constructors contiguous, vector and hvector. Each constructor covers one loop,
    /// or two if the inner loop repeats the child without gaps: this loop becomes the block. Gapless
    /// loops are paired greedily with the next loop, from the innermost on, which gives the maximum
    /// number of pairs.
    pub(crate) fn of_loops(loops: &[Loop], element: usize, limit: usize) -> Self {
        if loops.iter().any(|inner| inner.extent == 0) {
            return Self::Contiguous { count: 0, of: Box::new(Self::Element) };
        }
        let loops = merge_loops(loops);
        let mut tree = Self::Element;
        let mut rest = &loops[..];
        while let [inner, outer @ ..] = rest {
            rest = outer;
            let child_extent = tree.extent(element);
            let gapless = inner.stride * element == child_extent;
            tree = match outer {
                [next, outer @ ..] if gapless && inner.extent.max(next.extent) <= limit => {
                    rest = outer;
                    tree.strided(next.extent, inner.extent, next.stride * element, element)
                }
                _ => tree.repeated(inner.extent, inner.stride * element, element, limit),
            };
        }
        tree
    }

    /// Each tree at its byte offset, in order. Equal trees share one `Indexed` constructor.
    pub(crate) fn of_parts(mut parts: Vec<(usize, Self)>) -> Self {
        if parts.len() == 1 && parts[0].0 == 0 {
            return parts.swap_remove(0).1;
        }
        if parts.windows(2).all(|pair| pair[0].1 == pair[1].1)
            && let Some((_, of)) = parts.first()
        {
            let of = Box::new(of.clone());
            return Self::Indexed { at: parts.into_iter().map(|(at, _)| at).collect(), of };
        }
        Self::Struct { parts }
    }

    /// Repeats the tree `count` times with a stride of `stride` bytes. A count above the limit
    /// becomes several loops and a remainder.
    fn repeated(self, count: usize, stride: usize, element: usize, limit: usize) -> Self {
        if count <= limit {
            return match stride == self.extent(element) {
                true => Self::Contiguous { count, of: Box::new(self) },
                false => self.strided(count, 1, stride, element),
            };
        }
        let (outer, rest) = (count / limit, count % limit);
        let inner = self.clone().repeated(limit, stride, element, limit);
        let repeated_chunks = inner.repeated(outer, stride * limit, element, limit);
        if rest == 0 {
            return repeated_chunks;
        }
        let rest = self.repeated(rest, stride, element, limit);
        Self::Struct { parts: vec![(0, repeated_chunks), (outer * limit * stride, rest)] }
    }

    /// `count` blocks of `block` trees each, with a stride of `stride` bytes between blocks.
    fn strided(self, count: usize, block: usize, stride: usize, element: usize) -> Self {
        let child_extent = self.extent(element);
        let of = Box::new(self);
        if stride.is_multiple_of(child_extent) && stride / child_extent <= MAX_COUNT {
            return Self::Vector { count, block, stride: stride / child_extent, of };
        }
        Self::Hvector { count, block, stride, of }
    }

    /// Bytes from the start to the end of the last element (the upper bound in MPI terms).
    pub(crate) fn extent(&self, element: usize) -> usize {
        let blocks =
            |count: usize, block, stride, child_extent| (count - 1) * stride + block * child_extent;
        match self {
            Self::Element => element,
            Self::Contiguous { count, of } => count * of.extent(element),
            Self::Vector { count, block, stride, of } => {
                let child_extent = of.extent(element);
                blocks(*count, block, stride * child_extent, child_extent)
            }
            Self::Hvector { count, block, stride, of } => {
                blocks(*count, block, *stride, of.extent(element))
            }
            Self::Indexed { at, of } => at.iter().max().map_or(0, |last| last + of.extent(element)),
            Self::Struct { parts } => {
                parts.iter().map(|(at, part)| at + part.extent(element)).max().unwrap_or(0)
            }
        }
    }

    /// Number of constructors in the tree.
    pub(crate) fn constructors(&self) -> usize {
        match self {
            Self::Element => 0,
            Self::Contiguous { of, .. }
            | Self::Vector { of, .. }
            | Self::Hvector { of, .. }
            | Self::Indexed { of, .. } => 1 + of.constructors(),
            Self::Struct { parts } => {
                1 + parts.iter().map(|(_, part)| part.constructors()).sum::<usize>()
            }
        }
    }

    /// Byte offsets of the elements, in the order in which MPI transfers them.
    #[cfg(test)]
    pub(crate) fn offsets(&self, element: usize) -> Vec<usize> {
        let repeat = |count: usize, block: usize, stride: usize, of: &Self| -> Vec<usize> {
            let (inner, child_extent) = (of.offsets(element), of.extent(element));
            (0..count)
                .flat_map(|i| (0..block).map(move |j| i * stride + j * child_extent))
                .flat_map(|at| inner.iter().map(move |x| at + x))
                .collect()
        };
        match self {
            Self::Element => vec![0],
            Self::Contiguous { count, of } => repeat(*count, 1, of.extent(element), of),
            Self::Vector { count, block, stride, of } => {
                repeat(*count, *block, stride * of.extent(element), of)
            }
            Self::Hvector { count, block, stride, of } => repeat(*count, *block, *stride, of),
            Self::Indexed { at, of } => {
                let inner = of.offsets(element);
                at.iter().flat_map(|at| inner.iter().map(move |x| at + x)).collect()
            }
            Self::Struct { parts } => parts
                .iter()
                .flat_map(|(at, part)| part.offsets(element).into_iter().map(move |x| at + x))
                .collect(),
        }
    }
}

/// Drops loops with one iteration, and merges each loop that continues the previous one.
fn merge_loops(loops: &[Loop]) -> Vec<Loop> {
    let mut merged: Vec<Loop> = Vec::with_capacity(loops.len());
    for &l in loops.iter().filter(|l| l.extent > 1) {
        match merged.last_mut() {
            Some(last) if last.extent * last.stride == l.stride => last.extent *= l.extent,
            _ => merged.push(l),
        }
    }
    merged
}

/// A tree with the name of its element type, for printing.
pub(crate) struct WithElementName<'a>(pub(crate) &'a TypeTree, pub(crate) &'static str);

impl fmt::Display for WithElementName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |of| WithElementName(of, self.1);
        match self.0 {
            TypeTree::Element => f.write_str(self.1),
            TypeTree::Contiguous { count, of } => {
                write!(f, "contiguous({count}) of {}", named(of))
            }
            TypeTree::Vector { count, block, stride, of } => {
                write!(f, "vector({count} of {block}, {stride}) of {}", named(of))
            }
            TypeTree::Hvector { count, block, stride, of } => {
                write!(f, "hvector({count} of {block}, {stride} B) of {}", named(of))
            }
            TypeTree::Indexed { at, of } => {
                write!(f, "indexed({} places) of {}", at.len(), named(of))
            }
            TypeTree::Struct { parts } => {
                f.write_str("struct(")?;
                for (i, (at, part)) in parts.iter().enumerate() {
                    write!(f, "{}{at} B: {}", if i > 0 { "; " } else { "" }, named(part))?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops_of(loops: &[(usize, usize)]) -> Vec<Loop> {
        loops.iter().map(|&(extent, stride)| Loop { extent, stride }).collect()
    }

    fn naive(loops: &[(usize, usize)], element: usize) -> Vec<usize> {
        loops.iter().fold(vec![0], |inner, &(extent, stride)| {
            (0..extent).flat_map(|i| inner.iter().map(move |x| x + i * stride * element)).collect()
        })
    }

    /// A tree has the element order of its loops for any limit of counts. Without a limit it has the
    /// expected number of constructors.
    #[test]
    fn trees_have_the_order_of_their_loops() {
        for (loops, constructors) in [
            (&[][..], 0),
            (&[(1, 7)], 0),
            (&[(8, 1)], 1),
            (&[(4, 1), (8, 4)], 1),
            (&[(4, 1), (8, 16)], 1),
            (&[(4, 16), (8, 1)], 2),
            (&[(4, 2), (3, 7), (2, 21)], 2),
            (&[(2, 1), (3, 4), (5, 10), (2, 100)], 2),
            (&[(3, 0), (4, 1)], 2),
            (&[(4, 1), (3, 0), (2, 9)], 2),
            (&[(0, 1), (3, 5)], 1),
            (&[(100, 3)], 1),
            (&[(17, 1), (23, 20)], 1),
        ] {
            for limit in [MAX_COUNT, 7, 3, 2] {
                let tree = TypeTree::of_loops(&loops_of(loops), 4, limit);
                assert_eq!(tree.offsets(4), naive(loops, 4), "{loops:?} below {limit}: {tree:?}");
                assert!(counts_below(&tree, limit), "{loops:?} below {limit}: {tree:?}");
            }
            let tree = TypeTree::of_loops(&loops_of(loops), 4, MAX_COUNT);
            assert_eq!(tree.constructors(), constructors, "{loops:?}: {tree:?}");
        }
    }

    fn counts_below(tree: &TypeTree, limit: usize) -> bool {
        match tree {
            TypeTree::Element => true,
            TypeTree::Contiguous { count, of } => *count <= limit && counts_below(of, limit),
            TypeTree::Vector { count, block, of, .. }
            | TypeTree::Hvector { count, block, of, .. } => {
                count.max(block) <= &limit && counts_below(of, limit)
            }
            TypeTree::Indexed { of, .. } => counts_below(of, limit),
            TypeTree::Struct { parts } => parts.iter().all(|(_, part)| counts_below(part, limit)),
        }
    }

    #[test]
    fn trees_are_printed() {
        let print = |loops: &[(usize, usize)]| {
            let tree = TypeTree::of_loops(&loops_of(loops), 4, MAX_COUNT);
            WithElementName(&tree, "f32").to_string()
        };
        assert_eq!(print(&[(8, 1)]), "contiguous(8) of f32");
        assert_eq!(print(&[(4, 1), (8, 16)]), "vector(8 of 4, 16) of f32");
        assert_eq!(print(&[(4, 16), (8, 1)]), "hvector(8 of 1, 4 B) of vector(4 of 1, 16) of f32");
        let places = TypeTree::of_parts(vec![(0, TypeTree::Element), (12, TypeTree::Element)]);
        assert_eq!(WithElementName(&places, "u8").to_string(), "indexed(2 places) of u8");
    }
}
