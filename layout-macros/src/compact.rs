//! Compact column-major strides for a shape without strides. Leaves known later enter the products
//! symbolically.

use layout_core::error::NotationError;
use layout_core::text::Expr;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::lower::Lowering;
use crate::tokens::Place;
use crate::tree::{Leaf, Tree};

/// A shape and its compact stride. Run-time extents are bound to names first, because the stride uses
/// them again.
pub(crate) struct Compact {
    pub(crate) shape: Tree,
    pub(crate) stride: Tree,
    /// The expressions of the run-time extents, with the names they are bound to.
    pub(crate) bound: Vec<(TokenStream, Ident)>,
}

impl Lowering<'_> {
    /// Computes the compact stride of `shape`, which was read from `expr`.
    pub(crate) fn compact(&mut self, expr: &Expr<Place>, shape: &Tree) -> Option<Compact> {
        let krate = self.krate;
        let mut bound = Vec::new();
        let shape = shape.map(&mut |leaf| match leaf {
            Leaf::Value(tokens) => {
                let name = Ident::new(&format!("extent_{}", bound.len()), Span::mixed_site());
                bound.push((tokens.clone(), name.clone()));
                Leaf::Value(quote!(#name))
            }
            leaf => leaf.clone(),
        });
        let (mut step, mut mixed) = (Leaf::Static(1), false);
        let stride = shape.map(&mut |extent| {
            if let Leaf::Static(1) = extent {
                return Leaf::Static(0);
            }
            let stride = match (&step, extent) {
                (Leaf::Value(_), _) => step.clone(),
                // Only the compiler knows whether the extent is 1.
                (_, Leaf::Type(extent)) => {
                    let step = self.type_of(&step);
                    Leaf::Type(quote!(#krate::__private::CompactStride::<#extent, #step>))
                }
                _ => step.clone(),
            };
            step = match (&step, extent) {
                (Leaf::Static(a), Leaf::Static(b)) => Leaf::Static(a.saturating_mul(*b)),
                (Leaf::Static(1), b) => b.clone(),
                (Leaf::Hole, _) | (_, Leaf::Hole) => Leaf::Hole,
                (Leaf::Type(_), Leaf::Value(_)) | (Leaf::Value(_), Leaf::Type(_)) => {
                    mixed = true;
                    Leaf::Hole
                }
                (Leaf::Type(_), _) | (_, Leaf::Type(_)) => {
                    let (a, b) = (self.type_of(&step), self.type_of(extent));
                    Leaf::Type(quote!(#krate::__private::NatMul::<#a, #b>))
                }
                (a, b) => {
                    let (a, b) = (value_of(a), value_of(b));
                    Leaf::Value(quote!(#krate::__private::product(#a, #b)))
                }
            };
            stride
        });
        if mixed {
            return self.fail(&expr.span, NotationError::StridesNeeded);
        }
        Some(Compact { shape, stride, bound })
    }
}

fn value_of(leaf: &Leaf) -> TokenStream {
    match leaf {
        Leaf::Static(n) => quote!(#n),
        Leaf::Type(tokens) | Leaf::Value(tokens) => tokens.clone(),
        Leaf::Hole => TokenStream::new(),
    }
}
