//! Lowers the syntax tree to an expansion. Literal parts are evaluated here, parts known to the
//! compiler become type-level operations, parts known at run time become values.

use layout_core::error::{LayoutError, NotationError};
use layout_core::excerpt::Excerpt;
use layout_core::text::{
    Expr, Kind, Node, Problems, Value, check_congruent, check_kind, eval_expr, find_operation,
    outline, refuse_steps, report,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::compact::Compact;
use crate::tokens::{Place, Source};
use crate::tree::{Leaf, is_value_name};

/// Context of a lowering, and the problems found.
pub(crate) struct Lowering<'a> {
    pub(crate) krate: &'a TokenStream,
    pub(crate) source: &'a Source,
    pub(crate) problems: &'a mut Problems<Place>,
    /// The first run-time value. If there is one, the notation is a value and not a type.
    pub(crate) value: Option<(Place, String)>,
}

impl Lowering<'_> {
    /// Adds a problem and returns `None`.
    pub(crate) fn fail<T>(&mut self, place: &Place, error: impl Into<LayoutError>) -> Option<T> {
        self.problems.push(place.clone(), error);
        None
    }

    /// Expands a whole invocation.
    pub(crate) fn root(&mut self, expr: &Expr<Place>) -> Option<TokenStream> {
        let expr = expr.ungrouped();
        let before = self.problems.len();
        refuse_steps(expr, self.problems)?;
        self.refuse_zeros(expr, true);
        if self.problems.len() > before && matches!(expr.node, Node::Call(..) | Node::Compose(_)) {
            // The operation would report the same extents again.
            return None;
        }
        if expr.is_literal() {
            let value = eval_expr(expr, self.problems)?;
            let value = match value {
                Value::Integer(_) | Value::IntTuple(_) if expr.is_int_tuple() => {
                    Value::Layout(report(value.layout(), &expr.span, self.problems)?)
                }
                value => value,
            };
            // Some results of operations have no representation in a program.
            return match value {
                Value::Integer(_) | Value::IntTuple(_) => None,
                _ => self.value(&value),
            }
            .or_else(|| {
                let (expected, found) = ("a layout or a tiler", value.describe());
                self.fail(&expr.span, NotationError::Kind { expected, found })
            });
        }
        match &expr.node {
            Node::Compose(factors) if matches!(factors[0].node, Node::Swizzle(..)) => {
                return self.lower_swizzled(factors);
            }
            Node::Call(name, _, factors)
                if name == "swizzle_compose"
                    && matches!(factors[..], [Expr { node: Node::Swizzle(..), .. }, _]) =>
            {
                return self.lower_swizzled(factors);
            }
            _ => {}
        }
        if matches!(expr.node, Node::Call(..) | Node::Compose(_) | Node::Tiler(_)) {
            let value = self.find_in_operand(expr, |leaf| matches!(leaf, Leaf::Value(_)));
            let hole = self.find_in_operand(expr, |leaf| matches!(leaf, Leaf::Hole));
            match (value, hole, &expr.node) {
                (None, None, _) => {}
                (Some(_), Some(hole), _) => return self.fail(&hole, NotationError::HoleAndValue),
                (None, Some(_), Node::Tiler(_)) => return self.typed(expr, Kind::Tiler, "a tiler"),
                (None, Some(_), _) => return self.typed(expr, Kind::Layout, ""),
                (Some(_), None, Node::Tiler(parts)) => return self.run_time_tiler(parts),
                (Some(_), None, _) => return self.call(expr),
            }
        }
        match &expr.node {
            // A type alone is more likely the name of a layout than an extent.
            Node::Name(name, _) if !is_value_name(name) => {
                self.fail(&expr.span, NotationError::NameWithoutStride { name: Excerpt::new(name) })
            }
            Node::Pair(shape, stride) => self.pair(shape, stride),
            Node::Morello(parts, Some(shape)) => self.morello(parts, shape, &expr.span),
            Node::Tiler(_) => self.typed(expr, Kind::Tiler, "a tiler"),
            Node::Compose(_) | Node::Call(..) => {
                let layout = self.typed(expr, Kind::Layout, "")?;
                Some(self.path_of(&layout))
            }
            _ => self.shape(expr),
        }
    }

    /// Reports each extent of 0 in any shape: a static layout must not have an empty domain.
    fn refuse_zeros(&mut self, expr: &Expr<Place>, is_shape: bool) {
        match &expr.node {
            Node::Integer(0) if is_shape => {
                self.problems.push(expr.span.clone(), LayoutError::ZeroExtent);
            }
            Node::Tuple(parts) => {
                for part in parts {
                    self.refuse_zeros(part, is_shape || !expr.is_int_tuple());
                }
            }
            Node::Pair(shape, _) => self.refuse_zeros(shape, true),
            Node::Morello(_, Some(shape)) => self.refuse_zeros(shape, true),
            Node::Compose(parts) | Node::Call(_, _, parts) | Node::Tiler(parts) => {
                for part in parts {
                    self.refuse_zeros(part, false);
                }
            }
            _ => {}
        }
    }

    /// `shape:stride` with leaves that are not all integer literals.
    pub(crate) fn pair(
        &mut self,
        shape: &Expr<Place>,
        stride: &Expr<Place>,
    ) -> Option<TokenStream> {
        let trees = (self.tree(shape), self.tree(stride));
        let congruent = check_congruent(shape, stride, self.problems);
        let (extents, strides) = (trees.0?, trees.1?);
        congruent?;
        self.check_known((shape, &extents), Some((stride, &strides)))?;
        Some(match self.known(&[shape, stride])? {
            Known::Compiled => self.layout_of(&extents, &strides),
            Known::InType => self.mixed_type(&extents, &strides),
            Known::InValue => self.mixed_value(&extents, &strides),
        })
    }

    /// A shape with leaves that are not all integer literals, and its compact stride.
    pub(crate) fn shape(&mut self, expr: &Expr<Place>) -> Option<TokenStream> {
        let shape = self.tree(expr)?;
        self.check_known((expr, &shape), None)?;
        let known = self.known(&[expr])?;
        let Compact { shape, stride, bound } = self.compact(expr, &shape)?;
        Some(match known {
            Known::Compiled => self.layout_of(&shape, &stride),
            Known::InType => self.mixed_type(&shape, &stride),
            Known::InValue => {
                let (values, names): (Vec<_>, Vec<_>) = bound.into_iter().unzip();
                let layout = self.mixed_value(&shape, &stride);
                quote!(match (#(#values,)*) { (#(#names,)*) => #layout })
            }
        })
    }

    /// When all leaves of the expressions are known. `_` and run-time values exclude each other.
    pub(crate) fn known(&mut self, exprs: &[&Expr<Place>]) -> Option<Known> {
        let find = |wanted: fn(&Leaf) -> bool, this: &mut Self| {
            exprs.iter().find_map(|expr| this.find_leaf(expr, wanted))
        };
        let hole = find(|leaf| matches!(leaf, Leaf::Hole), self);
        let value = find(|leaf| matches!(leaf, Leaf::Value(_)), self);
        match (hole, value) {
            (None, None) => Some(Known::Compiled),
            (Some(_), None) => Some(Known::InType),
            (None, Some(_)) => Some(Known::InValue),
            (Some(hole), Some(_)) => self.fail(&hole, NotationError::HoleAndValue),
        }
    }

    pub(crate) fn find_leaf(
        &mut self,
        expr: &Expr<Place>,
        wanted: fn(&Leaf) -> bool,
    ) -> Option<Place> {
        match &expr.node {
            Node::Tuple(parts) => parts.iter().find_map(|part| self.find_leaf(part, wanted)),
            _ => self.leaf(expr).filter(wanted).map(|_| expr.span.clone()),
        }
    }

    /// The type of an operand of `operation`.
    pub(crate) fn typed(
        &mut self,
        expr: &Expr<Place>,
        kind: Kind,
        operation: &'static str,
    ) -> Option<TokenStream> {
        if kind == Kind::Slicer {
            return self.slicer(expr, operation);
        }
        let krate = self.krate;
        let expr = expr.ungrouped();
        if expr.is_literal() && !matches!(expr.node, Node::Tiler(_)) {
            let value = eval_expr(expr, self.problems)?;
            report(check_kind(&value, kind), &expr.span, self.problems)?;
            let value = match kind {
                Kind::Layout => Value::Layout(value.layout().ok()?),
                Kind::Tiler => Value::Tiler(value.tiler().ok()?),
                Kind::IntTuple | Kind::Integer => value,
                _ => return self.fail(&expr.span, NotationError::LiteralOnly { operation }),
            };
            return self.value(&value);
        }
        let run_time = NotationError::RunTimeArgument { operation };
        match &expr.node {
            Node::Hole | Node::Value(_) => self.fail(&expr.span, run_time),
            Node::Name(name, _) if is_value_name(name) => self.fail(&expr.span, run_time),
            Node::Name(_, tokens) => Some(self.source.rust(tokens.clone())),
            Node::Type(token) => Some(self.source.rust(*token..token + 1)),
            // A name in parentheses is the name of a layout, not a shape of rank 1.
            Node::Tuple(parts) if kind.is_layout() && is_name(parts) => {
                self.typed(&parts[0], kind, operation)
            }
            Node::Tuple(_) if kind == Kind::IntTuple => {
                let tree = self.tree(expr)?;
                Some(self.tuple_type(&tree))
            }
            Node::Pair(shape, stride) => self.pair(shape, stride),
            Node::Morello(parts, Some(shape)) => self.morello(parts, shape, &expr.span),
            Node::Morello(..) => self.fail(&expr.span, NotationError::ShapeNeeded),
            Node::Tuple(_) if kind == Kind::Layout => self.shape(expr),
            Node::Tuple(_) => {
                let shape = outline(expr)?;
                self.fail(&expr.span, NotationError::AmbiguousTiler { shape })
            }
            Node::Tiler(_) if kind != Kind::Tiler => {
                let (expected, found) = (kind.describe(), "a tiler");
                self.fail(&expr.span, NotationError::Kind { expected, found })
            }
            Node::Tiler(parts) => {
                let types: Vec<_> = parts
                    .iter()
                    .map(|part| match part.node {
                        Node::Hole => Some(quote!(#krate::__private::Keep)),
                        _ => self.typed(part, Kind::Tiler, operation),
                    })
                    .collect();
                let types: Vec<_> = types.into_iter().collect::<Option<_>>()?;
                if types.is_empty() {
                    return self.fail(&expr.span, LayoutError::EmptyTuple);
                }
                Some(match self.find_in_operand(expr, |leaf| matches!(leaf, Leaf::Hole)) {
                    Some(_) => quote!((#(#types,)*)),
                    None => self.by_mode(types),
                })
            }
            Node::Compose(factors) => {
                let name = "composition";
                let mut kinds = [Kind::Layout].into_iter().chain(std::iter::repeat(Kind::Tiler));
                let types: Vec<_> =
                    factors.iter().map(|factor| self.typed(factor, kinds.next()?, name)).collect();
                let types: Vec<_> = types.into_iter().collect::<Option<_>>()?;
                types.into_iter().reduce(|a, b| quote!(#krate::__private::Composition<#a, #b>))
            }
            Node::Call(name, place, args) => {
                let operation = find_operation(name, place, args.len(), self.problems);
                if let Some(operation) = operation
                    && operation.alias(args.len()).is_empty()
                {
                    let operation = operation.name;
                    return self.fail(&expr.span, NotationError::LiteralOnly { operation });
                }
                if let Some(operation) = operation
                    && !kind.takes(operation.gives)
                {
                    let (expected, found) = (kind.describe(), operation.gives.describe());
                    return self.fail(&expr.span, NotationError::Kind { expected, found });
                }
                let types: Vec<_> = args
                    .iter()
                    .enumerate()
                    .map(|(i, arg)| {
                        let kind = operation.map_or(Kind::Tiler, |operation| operation.params[i]);
                        let kind = kind.of_types();
                        self.typed(arg, kind, operation.map_or("", |operation| operation.name))
                    })
                    .collect();
                let (operation, types) =
                    (operation?, types.into_iter().collect::<Option<Vec<_>>>()?);
                let alias = Ident::new(operation.alias(types.len()), Span::call_site());
                Some(quote!(#krate::__private::#alias<#(#types),*>))
            }
            Node::At(..) | Node::List(_) => {
                let (expected, found) = (kind.describe(), expr.describe());
                self.fail(&expr.span, NotationError::Kind { expected, found })
            }
            // `?` occurs only in strings. The other cases were handled above.
            Node::Unknown
            | Node::Integer(_)
            | Node::Step(_)
            | Node::Swizzle(..)
            | Node::Spyre(_)
            | Node::Tenstorrent(_)
            | Node::Linear(_) => None,
        }
    }

    /// The type of a coordinate of `operation`.
    fn slicer(&mut self, expr: &Expr<Place>, operation: &'static str) -> Option<TokenStream> {
        let krate = self.krate;
        match &expr.node {
            Node::Hole => Some(quote!(#krate::__private::Keep)),
            Node::Integer(n) => Some(self.integer(*n)),
            Node::Tuple(parts) if parts.is_empty() => {
                self.fail(&expr.span, LayoutError::EmptyTuple)
            }
            Node::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.slicer(part, operation)).collect();
                Some(self.list(parts.into_iter().collect::<Option<_>>()?))
            }
            Node::Value(_) => self.fail(&expr.span, NotationError::RunTimeArgument { operation }),
            Node::Name(name, _) if is_value_name(name) => {
                self.fail(&expr.span, NotationError::RunTimeArgument { operation })
            }
            Node::Name(_, tokens) => Some(self.source.rust(tokens.clone())),
            Node::Type(token) => Some(self.source.rust(*token..token + 1)),
            _ => {
                let (expected, found) = (Kind::Slicer.describe(), expr.describe());
                self.fail(&expr.span, NotationError::Kind { expected, found })
            }
        }
    }
}

fn is_name(parts: &[Expr<Place>]) -> bool {
    match parts {
        [Expr { node: Node::Name(name, _), .. }] => !is_value_name(name),
        [Expr { node: Node::Tuple(parts), .. }] => is_name(parts),
        _ => false,
    }
}

/// When the last leaf of a layout becomes known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// At compile time.
    Compiled,
    /// At run time; the notation is a type.
    InType,
    /// At run time; the notation is a value.
    InValue,
}
