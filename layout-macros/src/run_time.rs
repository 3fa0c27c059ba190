//! Operations on run-time values: method calls that return a `Result`.

use layout_core::error::{LayoutError, NotationError};
use layout_core::text::{Expr, Kind, Node, Operation, find_operation};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::lower::Lowering;
use crate::tokens::Place;
use crate::tree::{Leaf, is_value_name};

/// An operand of an operation.
pub(crate) enum Operand {
    /// The value itself.
    Value(TokenStream),
    /// A layout, or a `Result` of a layout.
    Result(TokenStream),
}

impl Lowering<'_> {
    /// The first leaf in an operand or a nested operand that is `wanted`. A `_` that selects a whole
    /// mode is not a leaf.
    pub(crate) fn find_in_operand(
        &mut self,
        expr: &Expr<Place>,
        wanted: fn(&Leaf) -> bool,
    ) -> Option<Place> {
        let expr = expr.ungrouped();
        match &expr.node {
            Node::Hole => None,
            Node::Pair(shape, stride) => {
                let shape = self.find_leaf(shape, wanted);
                shape.or_else(|| self.find_leaf(stride, wanted))
            }
            Node::Morello(_, Some(shape)) => self.find_leaf(shape, wanted),
            Node::Tiler(parts) | Node::Compose(parts) => {
                parts.iter().find_map(|part| self.find_in_operand(part, wanted))
            }
            Node::Call(name, _, args) => {
                let operation = Operation::find(name);
                let params = operation.map(|operation| operation.params).unwrap_or_default();
                args.iter().enumerate().find_map(|(i, arg)| match params.get(i) {
                    // Here `_` keeps a mode. Names are checked later.
                    Some(Kind::Slicer) => None,
                    _ => self.find_in_operand(arg, wanted),
                })
            }
            Node::Tuple(_) | Node::Name(..) | Node::Value(_) => self.find_leaf(expr, wanted),
            _ => None,
        }
    }

    /// An operation with a run-time operand: a `Result`.
    pub(crate) fn call(&mut self, expr: &Expr<Place>) -> Option<TokenStream> {
        let krate = self.krate;
        match &expr.node {
            Node::Compose(factors) => {
                let name = "composition";
                let mut kinds = [Kind::Layout].into_iter().chain(std::iter::repeat(Kind::Tiler));
                let factors: Vec<_> = factors
                    .iter()
                    .map(|factor| self.operand(factor, kinds.next()?, name))
                    .collect();
                let factors: Vec<_> = factors.into_iter().collect::<Option<_>>()?;
                let all = factors.into_iter().reduce(|a, b| {
                    let of_both = self.with(
                        vec![a, b],
                        |names| quote!(#krate::Algebra::composition(#(&#names),*)),
                    );
                    Operand::Result(of_both)
                });
                match all? {
                    Operand::Value(value) | Operand::Result(value) => Some(value),
                }
            }
            Node::Call(name, place, args) => {
                let operation = find_operation(name, place, args.len(), self.problems)?;
                let method = operation.method(args.len());
                if method.is_empty() {
                    let value =
                        self.find_in_operand(expr, |leaf| matches!(leaf, Leaf::Value(_)))?;
                    let operation = operation.name;
                    return self.fail(&value, NotationError::RunTimeArgument { operation });
                }
                let method = Ident::new(method, Span::call_site());
                let operands: Vec<_> = args
                    .iter()
                    .enumerate()
                    .map(|(i, arg)| {
                        self.operand(arg, operation.params[i].of_types(), operation.name)
                    })
                    .collect();
                let operands = operands.into_iter().collect::<Option<Vec<_>>>()?;
                let of = match operation.params[0] {
                    Kind::IntTuple => quote!(ShapeAlgebra),
                    _ => quote!(Algebra),
                };
                Some(self.with(operands, |names| {
                    // Integers are passed by value, everything else by reference.
                    let arguments =
                        names.iter().zip(operation.params).map(|(name, kind)| match kind {
                            Kind::Integer => quote!(#name),
                            _ => quote!(&#name),
                        });
                    quote!(#krate::#of::#method(#(#arguments),*))
                }))
            }
            _ => None,
        }
    }

    /// The value of an operand of `operation`.
    pub(crate) fn operand(
        &mut self,
        expr: &Expr<Place>,
        kind: Kind,
        operation: &'static str,
    ) -> Option<Operand> {
        let krate = self.krate;
        let expr = expr.ungrouped();
        let value = self.find_in_operand(expr, |leaf| matches!(leaf, Leaf::Value(_)));
        let value = match (value, kind) {
            (None, Kind::IntTuple) => return Some(Operand::Value(self.int_tuple(expr)?)),
            (None, _) => {
                let known = self.typed(expr, kind, operation)?;
                let known = quote!(<#known as #krate::__private::Default>::default());
                return Some(Operand::Value(known));
            }
            (Some(value), _) => value,
        };
        let run_time = NotationError::RunTimeArgument { operation };
        Some(match &expr.node {
            _ if kind == Kind::Integer => self.fail(&value, run_time)?,
            _ if kind == Kind::IntTuple => Operand::Value(self.int_tuple(expr)?),
            Node::Name(name, tokens) if is_value_name(name) => {
                let value = self.source.rust(tokens.clone());
                Operand::Value(quote!(#krate::__private::to_operand(#value)))
            }
            Node::Value(token) => {
                let value = self.source.rust(*token..token + 1);
                Operand::Value(
                    quote!(#krate::__private::to_operand::<#krate::__private::usize>(#value)),
                )
            }
            Node::Pair(shape, stride) => Operand::Value(self.pair(shape, stride)?),
            Node::Morello(parts, Some(shape)) => {
                Operand::Result(self.morello(parts, shape, &expr.span)?)
            }
            Node::Tuple(_) if kind == Kind::Layout => Operand::Value(self.shape(expr)?),
            Node::Tiler(parts) if kind == Kind::Tiler => self.tiles(parts, operation)?,
            Node::Call(..) | Node::Compose(_) => Operand::Result(self.call(expr)?),
            // The compile-time path reports the error.
            _ => {
                self.typed(expr, kind, operation)?;
                return None;
            }
        })
    }

    /// A tiler that applies mode by mode.
    fn tiles(&mut self, parts: &[Expr<Place>], operation: &'static str) -> Option<Operand> {
        let krate = self.krate;
        let parts: Vec<_> = parts
            .iter()
            .map(|part| match part.node {
                Node::Hole => Some(Operand::Value(quote!(#krate::__private::Keep))),
                _ => self.operand(part, Kind::Tiler, operation),
            })
            .collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        let values: Option<Vec<_>> = parts
            .iter()
            .map(|part| if let Operand::Value(value) = part { Some(value) } else { None })
            .collect();
        Some(match values {
            Some(values) => Operand::Value(quote!((#(#values,)*))),
            None => Operand::Result(self.with(parts, |names| quote!((#(#names,)*)))),
        })
    }

    /// A tiler with a run-time leaf, as the whole notation.
    pub(crate) fn run_time_tiler(&mut self, parts: &[Expr<Place>]) -> Option<TokenStream> {
        match self.tiles(parts, "a tiler")? {
            Operand::Value(value) | Operand::Result(value) => Some(value),
        }
    }

    /// A shape or another tuple of integers as a value: a Rust tuple.
    fn int_tuple(&mut self, expr: &Expr<Place>) -> Option<TokenStream> {
        let krate = self.krate;
        match &expr.node {
            Node::Tuple(parts) if parts.is_empty() => {
                self.fail(&expr.span, LayoutError::EmptyTuple)
            }
            Node::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.int_tuple(part)).collect();
                let parts: Vec<_> = parts.into_iter().collect::<Option<_>>()?;
                Some(quote!((#(#parts,)*)))
            }
            _ => Some(match self.leaf(expr)? {
                Leaf::Value(value) => value,
                leaf => {
                    let number = self.type_of(&leaf);
                    quote!(<#number as #krate::__private::Default>::default())
                }
            }),
        }
    }

    /// Evaluates `body` with the operands bound to names, or returns the first error of an operand.
    pub(crate) fn with(
        &self,
        operands: Vec<Operand>,
        body: impl FnOnce(&[Ident]) -> TokenStream,
    ) -> TokenStream {
        let krate = self.krate;
        let names: Vec<_> = (0..operands.len())
            .map(|i| Ident::new(&format!("operand_{i}"), Span::mixed_site()))
            .collect();
        let error = Ident::new("operand_error", Span::mixed_site());
        let body = body(&names);
        let body = quote!(#krate::__private::into_result(#body));
        operands.iter().zip(&names).rev().fold(body, |body, (operand, name)| match operand {
            Operand::Value(value) => quote!(match #value { #name => #body }),
            Operand::Result(result) => quote! {
                match #krate::__private::into_result(#result) {
                    #krate::__private::Ok(#name) => #body,
                    #krate::__private::Err(#error) => #krate::__private::Err(#error),
                }
            },
        })
    }
}
