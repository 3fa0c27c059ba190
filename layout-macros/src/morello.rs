//! Morello layouts for a shape with run-time extents.

use layout_core::engine::{MAX_LEAVES, MAX_SIZE, MorelloLayout, PhysDim};
use layout_core::error::LayoutError;
use layout_core::text::{
    Expr, KnownExtent, Node, Part, Places, check_extents, morello, not_an_extent, outline,
    shape_parts,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::lower::{Known, Lowering};
use crate::tokens::Place;
use crate::tree::{Leaf, Tree};

/// A product of an integer and the quotients ("rests") of dimensions known at run time.
#[derive(Clone, PartialEq, Eq)]
struct Product {
    number: usize,
    rests: Vec<usize>,
}

/// Extent of a part: an integer, or the quotient of a dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Number(usize),
    Rest(usize),
}

impl Lowering<'_> {
    /// `[1, 0, 1 p(16)] for (64, n)`: a type for `_`, a `Result` of a value for `n`.
    ///
    /// The quotient of a run-time extent stays a separate mode, even if it could be coalesced. The
    /// type then guarantees that the inner sizes divide the extent.
    pub(crate) fn morello(
        &mut self,
        parts: &[Part<Place>],
        shape: &Expr<Place>,
        whole: &Place,
    ) -> Option<TokenStream> {
        let list = morello(parts, whole, self.problems);
        let extents: Option<Vec<_>> = shape_parts(shape, self.problems).and_then(|extents| {
            let extents: Vec<_> = extents.iter().map(|extent| self.extent(extent)).collect();
            extents.into_iter().collect()
        });
        let ((list, places), extents) = (list?, extents?);
        let known = extents.iter().map(|(leaf, _)| match leaf {
            Leaf::Static(n) => KnownExtent::Number(*n),
            Leaf::Type(_) => KnownExtent::Type,
            Leaf::Hole | Leaf::Value(_) => KnownExtent::RunTime,
        });
        let places = Places { parts: &places, extents: &extents, whole };
        check_extents(&list, &known.collect::<Vec<_>>(), &places, self.problems)?;
        let when = self.known(&[shape])?;
        if let Some((_, place)) = extents.iter().find(|(leaf, _)| matches!(leaf, Leaf::Type(_))) {
            return match when {
                Known::Compiled => Some(self.on_types(&list, extents.iter().map(|(leaf, _)| leaf))),
                // The quotient of a run-time extent is a value, and so cannot be combined with an
                // extent that is a type.
                _ => self.fail(place, not_an_extent("a type beside extents known at run time")),
            };
        }
        let known: Vec<_> = extents
            .iter()
            .map(|(leaf, _)| if let Leaf::Static(n) = leaf { Some(*n) } else { None })
            .collect();
        let modes = modes(&list, &known);
        self.check_size(&modes, shape)?;

        let rests: Vec<_> = extents
            .iter()
            .enumerate()
            .filter(|(_, (leaf, _))| !matches!(leaf, Leaf::Static(_)))
            .map(|(dimension, (leaf, _))| (dimension, leaf))
            .collect();
        let open = |tokens| if when == Known::InType { Leaf::Hole } else { Leaf::Value(tokens) };
        let tree = |leaf: &dyn Fn(&(Extent, Product)) -> Leaf| {
            let mode = |mode: &Vec<(Extent, Product)>| {
                let mut leaves = mode.iter().map(|part| Tree::Leaf(leaf(part)));
                match mode.len() {
                    1 => leaves.next().into_iter().collect(),
                    _ => vec![Tree::Tuple(leaves.collect())],
                }
            };
            Tree::Tuple(modes.iter().flat_map(mode).collect())
        };
        let shape = tree(&|(extent, _)| match extent {
            Extent::Number(n) => Leaf::Static(*n),
            Extent::Rest(dimension) => {
                let name = rest(*dimension);
                open(quote!(#name))
            }
        });
        let stride = tree(&|(_, stride)| match stride.rests.as_slice() {
            [] => Leaf::Static(stride.number),
            _ => open(self.product(stride)),
        });
        if when == Known::InType {
            return Some(self.mixed_type(&shape, &stride));
        }
        let krate = self.krate;
        let layout = self.mixed_value(&shape, &stride);
        let layout = quote!(#krate::__private::Ok::<_, #krate::LayoutError>(#layout));
        Some(rests.into_iter().rev().fold(layout, |inner, (dimension, leaf)| {
            let (name, size) = (rest(dimension), sizes(&list, dimension));
            let Leaf::Value(extent) = leaf else { return inner };
            quote! {
                match #krate::__private::rest_of(#dimension, #extent, #size) {
                    #krate::__private::Ok(#name) => #inner,
                    #krate::__private::Err(error) => #krate::__private::Err(error),
                }
            }
        }))
    }

    fn extent(&mut self, expr: &Expr<Place>) -> Option<(Leaf, Place)> {
        if let Node::Tuple(_) = expr.node {
            return self.fail(&expr.span, not_an_extent("a tuple of integers"));
        }
        Some((self.leaf(expr)?, expr.span.clone()))
    }

    /// `[1, 0, 1 p(4)] for (N, 8)`: the type level checks that the sizes divide the extents.
    fn on_types<'l>(
        &self,
        list: &MorelloLayout,
        extents: impl Iterator<Item = &'l Leaf>,
    ) -> TokenStream {
        let krate = self.krate;
        let list = self.shapeless(list);
        let shape = self.list(extents.map(|extent| self.type_of(extent)).collect());
        let layout = quote!(<#list as #krate::__private::ShapelessLayout>::For<#shape>);
        self.path_of(&layout)
    }

    /// Checks that the integer factors alone do not exceed the maximum layout size.
    fn check_size(&mut self, modes: &[Vec<(Extent, Product)>], shape: &Expr<Place>) -> Option<()> {
        let leaves = modes.iter().flatten();
        let mut numbers = leaves.clone().filter_map(|(extent, _)| match extent {
            Extent::Number(n) => Some(*n),
            Extent::Rest(_) => None,
        });
        if leaves.count() > MAX_LEAVES {
            return self.fail(&shape.span, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        let size = numbers.try_fold(1usize, |a, b| a.checked_mul(b).filter(|&n| n <= MAX_SIZE));
        match size {
            Some(_) => Some(()),
            None => {
                let error = LayoutError::SizeOverflow { shape: outline(shape)? };
                self.fail(&shape.span, error)
            }
        }
    }

    fn product(&self, product: &Product) -> TokenStream {
        let (krate, number) = (self.krate, product.number);
        product.rests.iter().fold(quote!(#number), |factors, dimension| {
            let rest = rest(*dimension);
            quote!(#krate::__private::product(#factors, #rest))
        })
    }
}

/// Name of the variable for the quotient of a dimension.
fn rest(dimension: usize) -> Ident {
    Ident::new(&format!("rest_{dimension}"), Span::mixed_site())
}

/// Product of the sizes of a dimension.
fn sizes(list: &MorelloLayout, dimension: usize) -> usize {
    let sizes = list.dims().iter().filter(|(of, _)| *of == dimension).map(|(_, kind)| match kind {
        PhysDim::Dynamic => 1,
        PhysDim::Packed(size) | PhysDim::OddEven(size) => *size,
    });
    sizes.fold(1, usize::saturating_mul)
}

/// The leaves of each mode, coalesced where both neighbours are integers. All sizes must divide.
fn modes(list: &MorelloLayout, shape: &[Option<usize>]) -> Vec<Vec<(Extent, Product)>> {
    let mut modes: Vec<Vec<(Extent, Product)>> = vec![Vec::new(); shape.len()];
    let mut left = shape.to_vec();
    let mut stride = Product { number: 1, rests: Vec::new() };
    for &(dimension, kind) in list.dims().iter().rev() {
        let rest = &mut left[dimension];
        let extent = match (kind, *rest) {
            (PhysDim::Dynamic, Some(n)) => {
                *rest = Some(1);
                Extent::Number(n)
            }
            (PhysDim::Dynamic, None) => Extent::Rest(dimension),
            (PhysDim::Packed(size) | PhysDim::OddEven(size), Some(n)) => {
                let size = size.min(n);
                *rest = Some(n / size);
                Extent::Number(size)
            }
            (PhysDim::Packed(size) | PhysDim::OddEven(size), None) => Extent::Number(size),
        };
        match (kind, extent) {
            // Digit x maps to x / 2 + x % 2 * size / 2.
            (PhysDim::OddEven(_), Extent::Number(size)) if size > 1 => {
                push(&mut modes[dimension], Extent::Number(2), stride.times(size / 2));
                push(&mut modes[dimension], Extent::Number(size / 2), stride.clone());
            }
            _ => push(&mut modes[dimension], extent, stride.clone()),
        }
        match extent {
            Extent::Number(n) => stride = stride.times(n),
            Extent::Rest(dimension) => stride.rests.push(dimension),
        }
    }
    for mode in &mut modes {
        if mode.is_empty() {
            mode.push((Extent::Number(1), Product { number: 0, rests: Vec::new() }));
        }
    }
    modes
}

impl Product {
    fn times(&self, n: usize) -> Self {
        Self { number: self.number.saturating_mul(n), rests: self.rests.clone() }
    }
}

fn push(mode: &mut Vec<(Extent, Product)>, extent: Extent, stride: Product) {
    if extent == Extent::Number(1) {
        return;
    }
    if let (Some((Extent::Number(inner), step)), Extent::Number(outer)) = (mode.last_mut(), extent)
        && step.times(*inner) == stride
    {
        *inner = inner.saturating_mul(outer);
        return;
    }
    mode.push((extent, stride));
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_core::engine::{DynLayout, IntTuple, algebra};

    /// A simple pseudo-random generator: the tests need variety, not quality.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % n
        }
    }

    /// The layout of the modes for given quotients.
    fn layout(modes: &[Vec<(Extent, Product)>], rests: &[usize]) -> DynLayout {
        let mode = |mode: &Vec<(Extent, Product)>| {
            let leaves = mode.iter().map(|(extent, stride)| {
                let extent = match extent {
                    Extent::Number(n) => *n,
                    Extent::Rest(dimension) => rests[*dimension],
                };
                let factors = stride.rests.iter().map(|dimension| rests[*dimension]);
                DynLayout::leaf(extent, stride.number * factors.product::<usize>())
            });
            match leaves.collect::<Vec<_>>().as_slice() {
                [leaf] => *leaf,
                leaves => DynLayout::tuple(leaves).unwrap(),
            }
        };
        DynLayout::tuple(&modes.iter().map(mode).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn open_extents_give_the_layout_of_the_engine() {
        let (mut random, mut run) = (Random(1), 0);
        while run < 2000 {
            let rank = 1 + random.below(3);
            let dims: Vec<_> = (0..rank + random.below(4))
                .map(|_| {
                    let kind = match random.below(4) {
                        0 => PhysDim::Packed(2 + random.below(5)),
                        1 => PhysDim::OddEven(2 * (1 + random.below(3))),
                        _ => PhysDim::Dynamic,
                    };
                    (random.below(rank), kind)
                })
                .collect();
            let Ok(list) = MorelloLayout::new(&dims) else { continue };
            // Open extents are multiples of the sizes.
            let rests: Vec<_> = (0..rank).map(|_| random.below(5)).collect();
            let open: Vec<_> =
                (0..rank).map(|d| list.takes_rest(d) && random.below(2) == 0).collect();
            let shape: Vec<_> = (0..rank)
                .map(|d| if open[d] { rests[d] * sizes(&list, d) } else { 1 + random.below(24) })
                .collect();
            let Ok(expected) = list.for_shape(&shape) else { continue };
            run += 1;
            let known: Vec<_> = (0..rank).map(|d| (!open[d]).then_some(shape[d])).collect();
            let found = layout(&modes(&list, &known), &rests);
            let profile = IntTuple::flat(&vec![1; rank]).unwrap();
            let shown = format!("{list} for {shape:?}, open {open:?}");
            if shape.contains(&0) {
                assert_eq!(found.size(), 0, "{shown}");
            } else {
                assert_eq!(algebra::coalesce_by(&found, &profile), Ok(expected), "{shown}");
            }
            if !open.contains(&true) {
                assert_eq!(found, expected, "{shown}");
            }
        }
    }
}
