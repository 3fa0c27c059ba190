//! `Sw<B,M,S> o offset o L`, where `L` does not consist of integer literals alone.

use layout_core::engine::Swizzle;
use layout_core::error::NotationError;
use layout_core::text::{Expr, Kind, Node, Value, eval_expr};
use proc_macro2::TokenStream;
use quote::quote;

use crate::lower::Lowering;
use crate::tokens::Place;
use crate::tree::Leaf;

impl Lowering<'_> {
    /// A type and a value for a layout known at compile time. A `Result` of a value for a layout
    /// known at run time.
    pub(crate) fn lower_swizzled(&mut self, factors: &[Expr<Place>]) -> Option<TokenStream> {
        let [first, rest @ ..] = factors else { return None };
        let Value::Swizzle(swizzle) = eval_expr(first, self.problems)? else { return None };
        let (offset, layout) = match rest {
            [Expr { node: Node::Integer(offset), .. }, rest @ ..] if !rest.is_empty() => {
                (*offset, rest)
            }
            rest => (0, rest),
        };
        let layout = match layout {
            [layout] => layout.clone(),
            layout => {
                let span = layout.first()?.span.clone();
                Expr { node: Node::Compose(layout.to_vec()), span }
            }
        };
        if let Some(hole) = self.find_in_operand(&layout, |leaf| matches!(leaf, Leaf::Hole)) {
            return self.fail(&hole, NotationError::HoleBehindSwizzle);
        }
        if self.find_in_operand(&layout, |leaf| matches!(leaf, Leaf::Value(_))).is_some() {
            return self.composed(&swizzle, offset, &layout);
        }
        let layout = self.typed(&layout, Kind::Layout, "composition")?;
        Some(self.swizzled(&swizzle, offset, &self.path_of(&layout)))
    }

    /// A `Result` of a `ComposedLayout`.
    fn composed(
        &mut self,
        swizzle: &Swizzle,
        offset: usize,
        layout: &Expr<Place>,
    ) -> Option<TokenStream> {
        let krate = self.krate;
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        let layout = self.operand(layout, Kind::Layout, "composition")?;
        Some(self.with(vec![layout], |names| {
            quote!(#krate::__private::swizzled((#bits, #base, #shift), #offset, #(&#names),*))
        }))
    }
}
