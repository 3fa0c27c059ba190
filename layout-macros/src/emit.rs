//! Emits the paths that an invocation expands to.

use core::fmt::Debug;

use layout_core::engine::{DynLayout, MorelloLayout, PhysDim, Swizzle, Tiler};
use layout_core::text::Value;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::lower::Lowering;
use crate::tree::{Leaf, Tree};

/// The end of the contiguous range of integers that have a typenum name. A name compiles faster than
/// the digits.
const LAST_NAMED: usize = 1024;

impl Lowering<'_> {
    /// A typenum integer.
    pub(crate) fn integer(&self, n: usize) -> TokenStream {
        let krate = self.krate;
        let typenum = quote!(#krate::__private::typenum);
        if n <= LAST_NAMED {
            let name = Ident::new(&format!("U{n}"), Span::call_site());
            return quote!(#typenum::consts::#name);
        }
        (0..usize::BITS - n.leading_zeros()).rev().fold(quote!(#typenum::UTerm), |higher, bit| {
            let bit = if n >> bit & 1 == 1 { quote!(B1) } else { quote!(B0) };
            quote!(#typenum::UInt<#higher, #typenum::#bit>)
        })
    }

    /// The type of a leaf.
    pub(crate) fn type_of(&self, leaf: &Leaf) -> TokenStream {
        let krate = self.krate;
        match leaf {
            Leaf::Static(n) => self.integer(*n),
            Leaf::Type(tokens) => tokens.clone(),
            Leaf::Hole | Leaf::Value(_) => quote!(#krate::__private::Dyn),
        }
    }

    /// The type of a shape or stride.
    pub(crate) fn tree_type(&self, tree: &Tree) -> TokenStream {
        match tree {
            Tree::Leaf(leaf) => self.type_of(leaf),
            Tree::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.tree_type(part));
                self.list(parts.collect())
            }
        }
    }

    /// The type of a shape as an argument. A shape with `_` is a Rust tuple.
    pub(crate) fn tuple_type(&self, tree: &Tree) -> TokenStream {
        if !tree.leaves().iter().any(|leaf| matches!(leaf, Leaf::Hole)) {
            return self.tree_type(tree);
        }
        match tree {
            Tree::Leaf(Leaf::Hole) => {
                let krate = self.krate;
                quote!(#krate::__private::usize)
            }
            Tree::Leaf(leaf) => self.type_of(leaf),
            Tree::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.tuple_type(part));
                quote!((#(#parts,)*))
            }
        }
    }

    /// A type-level list.
    pub(crate) fn list(&self, items: Vec<TokenStream>) -> TokenStream {
        let krate = self.krate;
        let nil = quote!(#krate::__private::Nil);
        items
            .into_iter()
            .rev()
            .fold(nil, |rest, item| quote!(#krate::__private::Cons<#item, #rest>))
    }

    /// A type-level list of typenum integers.
    pub(crate) fn numbers(&self, numbers: &[usize]) -> TokenStream {
        self.list(numbers.iter().map(|&n| self.integer(n)).collect())
    }

    /// The type for an enum value, named like the variant.
    pub(crate) fn constant(&self, value: impl Debug) -> TokenStream {
        let krate = self.krate;
        let name = Ident::new(&format!("{value:?}"), Span::call_site());
        quote!(#krate::__private::constant::#name)
    }

    /// `Layout::<S, D>`: both a type and a value.
    pub(crate) fn layout(&self, layout: &DynLayout) -> TokenStream {
        self.layout_of(&Tree::from(&layout.shape()), &Tree::from(&layout.stride()))
    }

    /// `Layout::<S, D>` for trees without run-time leaves.
    pub(crate) fn layout_of(&self, shape: &Tree, stride: &Tree) -> TokenStream {
        let (krate, shape, stride) = (self.krate, self.tree_type(shape), self.tree_type(stride));
        quote!(#krate::Layout::<#shape, #stride>)
    }

    /// `Mixed::<S, D>`: a type.
    pub(crate) fn mixed_type(&self, shape: &Tree, stride: &Tree) -> TokenStream {
        let (krate, shape, stride) = (self.krate, self.tree_type(shape), self.tree_type(stride));
        quote!(#krate::Mixed::<#shape, #stride>)
    }

    /// `Mixed::<S, D>::new(values)`: a value.
    pub(crate) fn mixed_value(&self, shape: &Tree, stride: &Tree) -> TokenStream {
        let (ty, values) = (self.mixed_type(shape, stride), values(shape, stride));
        quote!(#ty::new(#values))
    }

    /// The type of a tiler.
    pub(crate) fn tiler(&self, tiler: &Tiler) -> TokenStream {
        let krate = self.krate;
        if tiler.is_keep() {
            return quote!(#krate::__private::Keep);
        }
        match tiler.as_layout() {
            Some(layout) => self.layout(&layout),
            None => self.by_mode((0..tiler.rank()).map(|i| self.tiler(&tiler.mode(i))).collect()),
        }
    }

    /// The type of a tiler that applies `modes` one by one.
    pub(crate) fn by_mode(&self, modes: Vec<TokenStream>) -> TokenStream {
        let krate = self.krate;
        let modes = self.list(modes);
        quote!(#krate::__private::Tile::<#modes>)
    }

    /// `Layout::<S, D>` for a projection. A projection is only a type, so it is split into `S` and
    /// `D` to form a path that is also a value.
    pub(crate) fn path_of(&self, layout: &TokenStream) -> TokenStream {
        let krate = self.krate;
        quote! {
            #krate::Layout::<
                <#layout as #krate::StaticLayout>::Shape,
                <#layout as #krate::StaticLayout>::Stride,
            >
        }
    }

    /// `Swizzled::<L, B, M, S, OFFSET>`: both a type and a value.
    pub(crate) fn swizzled(
        &self,
        swizzle: &Swizzle,
        offset: usize,
        layout: &TokenStream,
    ) -> TokenStream {
        let krate = self.krate;
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        quote!(#krate::Swizzled::<#layout, #bits, #base, { #shift }, #offset>)
    }

    /// A Morello layout without a shape: both a type and a value.
    pub(crate) fn shapeless(&self, list: &MorelloLayout) -> TokenStream {
        let krate = self.krate;
        let parts = list.dims().iter().map(|&(dimension, kind)| {
            let place = (0..dimension).fold(
                quote!(#krate::__private::Dimension0),
                |place, _| quote!(#krate::__private::Next<#place>),
            );
            let (kind, size) = match kind {
                PhysDim::Dynamic => (quote!(RestPart), None),
                PhysDim::Packed(size) => (quote!(PackedPart), Some(size)),
                PhysDim::OddEven(size) => (quote!(OddEvenPart), Some(size)),
            };
            let size = size.map(|size| self.integer(size)).map(|size| quote!(<#size>));
            quote!(#krate::__private::PartOf<#place, #krate::__private::#kind #size>)
        });
        let parts = self.list(parts.collect());
        quote!(#krate::__private::Morello::<#parts>)
    }

    /// The type of a value. For a layout, both a type and a value.
    pub(crate) fn value(&self, value: &Value) -> Option<TokenStream> {
        Some(match value {
            Value::Integer(n) => self.integer(*n),
            Value::IntTuple(tuple) => self.tree_type(&Tree::from(tuple)),
            Value::Layout(layout) => self.layout(layout),
            Value::Tiler(tiler) => self.tiler(tiler),
            Value::Composed(composed) => {
                let inner = self.layout(&composed.layout());
                self.swizzled(&composed.swizzle(), composed.offset(), &inner)
            }
            Value::Morello(list) => self.shapeless(list),
            Value::Spyre(layout) => self.spyre(layout),
            Value::Tenstorrent(tensor) => self.tenstorrent(tensor.layout()),
            _ => return None,
        })
    }
}

/// Arguments of `Mixed::new`: extent and stride of each leaf, `()` where the type determines them.
fn values(shape: &Tree, stride: &Tree) -> TokenStream {
    match (shape, stride) {
        (Tree::Tuple(extents), Tree::Tuple(strides)) => {
            extents.iter().zip(strides).rev().fold(quote!(()), |rest, (extent, stride)| {
                let first = values(extent, stride);
                quote!((#first, #rest))
            })
        }
        (extent, stride) => {
            let (extent, stride) = (leaf_value(extent), leaf_value(stride));
            quote!((#extent, #stride))
        }
    }
}

fn leaf_value(tree: &Tree) -> TokenStream {
    match tree {
        Tree::Leaf(Leaf::Value(tokens)) => tokens.clone(),
        _ => quote!(()),
    }
}
