//! Parses the fields of a Spyre layout. Each error points at the number that causes it.

use alloc::vec::Vec;

use crate::devices::ElementType;
use crate::devices::spyre::current::contiguous;
use crate::devices::spyre::relaxed::is_idle;
use crate::devices::spyre::{CurrentLayout, SpyreLayout};
use crate::engine::PhysDim;
use crate::error::{LayoutError, NotationError, SpyreError};
use crate::excerpt::Excerpt;
use crate::text::eval::each;
use crate::text::{
    Expr, Field, Node, ParseError, Problems, Span, Value, read_as, report, wrong_kind,
};

impl SpyreLayout {
    /// Reads a Spyre layout.
    ///
    /// `size` and `dtype` are required. `stride` defaults to a contiguous host. `device_size` and
    /// `dim_map` give the layout explicitly; the newer `stride_map` instead of `dim_map` depends on
    /// the stride. Without them it is a default layout, with the dimensions in the given `order`,
    /// and one element per stick if `sparse` is true.
    ///
    /// ```
    /// use static_layout::devices::spyre::SpyreLayout;
    /// let l = SpyreLayout::parse("spyre { size: [100, 200, 500], dtype: fp16 }")?;
    /// assert_eq!(
    ///     l.to_string(),
    ///     "spyre { size: [100, 200, 500], dtype: f16, device_size: [200, 8, 100, 64], dim_map: [1, 2, 0, 2] }"
    /// );
    /// assert_eq!(SpyreLayout::parse(&l.to_string())?, l);
    /// let newer = "spyre { size: [100, 200, 500], dtype: f16, device_size: [200, 8, 100, 64], \
    ///     stride_map: [500, 64, 100000, 1] }";
    /// assert_eq!(SpyreLayout::parse(newer)?, l);
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, |value| match value {
            Value::Spyre(layout) => Ok(**layout),
            other => Err(wrong_kind("a Spyre layout", other.describe())),
        })
    }
}

impl CurrentLayout {
    /// Reads a Spyre layout in the project's current form, with or without `current: true`.
    ///
    /// `parse(print(L)) == L`.
    ///
    /// ```
    /// use static_layout::devices::spyre::CurrentLayout;
    /// let l = CurrentLayout::parse("spyre { size: [512, 1], dtype: fp16, current: true }")?;
    /// assert_eq!(l.device_size(), &[1, 512, 64]);
    /// // The default is that of the specification, which has the same elements.
    /// let l = CurrentLayout::parse("spyre { size: [512, 1], dtype: fp16 }")?;
    /// assert_eq!(l.device_size(), &[8, 64]);
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, |value| match value {
            Value::CurrentSpyre(layout) => Ok((**layout).clone()),
            Value::Spyre(layout) => Self::of(layout),
            other => Err(wrong_kind("a Spyre layout", other.describe())),
        })
    }

    /// Converts a layout to the current form.
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new): with some host strides the steps are ambiguous.
    pub fn of(layout: &SpyreLayout) -> Result<Self, LayoutError> {
        let kept: Vec<_> = (0..).zip(layout.size()).filter(|(_, extent)| **extent > 1).collect();
        let dimension = |&d: &isize| usize::try_from(d).map_or(-1, |d| kept[d].0);
        let dim_map: Vec<isize> = layout.dim_map().iter().map(dimension).collect();
        let (size, stride) = (layout.size(), layout.stride());
        Self::of_dim_map(size, stride, layout.element(), layout.device_size(), &dim_map)
    }
}

/// The keyword of a Spyre layout, before its braces.
pub const SPYRE: &str = "spyre";

/// The fields, in the order in which they are printed.
const NAMES: [&str; 10] = [
    "size",
    "stride",
    "dtype",
    "device_size",
    "dim_map",
    "stride_map",
    "order",
    "sparse",
    "relaxed",
    "current",
];

/// The value of `spyre { .. }`; `None` if errors were added to `problems`.
///
/// The value by the specification if that is valid and the current rules are not requested.
pub(crate) fn spyre<S: Span>(
    fields: &[Field<S>],
    whole: &S,
    problems: &mut Problems<S>,
) -> Option<Value> {
    let before = problems.len();
    let fields = Fields::of(fields, problems);
    let size = fields.numbers("size", problems);
    let stride = fields.numbers("stride", problems);
    let element = fields.get("dtype").and_then(|field| element(&field.value, problems));
    let mut device_size = fields.numbers("device_size", problems);
    let (mut dim_map, mut steps) =
        (fields.integers("dim_map", problems), fields.integers("stride_map", problems));
    let order = fields.order(size.as_deref().unwrap_or_default(), problems);
    let sparse = fields.truth("sparse", problems);
    let current = fields.truth("current", problems);
    let relaxed = fields.truth("relaxed", problems) == Some(true);
    fields.check_choice(whole, problems);
    if problems.len() > before {
        return None;
    }
    // The device dimensions that are kept, for the place of an error.
    let mut kept: Vec<usize> = (0..device_size.as_ref().map_or(0, Vec::len)).collect();
    if relaxed
        && let (Some(extents), Some(map)) = (&mut device_size, dim_map.as_mut().or(steps.as_mut()))
        && extents.len() == map.len()
    {
        kept.retain(|&p| !is_idle(extents, map, p));
        *extents = kept.iter().map(|&p| extents[p]).collect();
        *map = kept.iter().map(|&p| map[p]).collect();
    }
    let (order, ends) = order.map_or((None, false), |(order, ends)| (Some(order), ends));
    let (size, element) = (size?, element?);
    let sparse = ends || sparse == Some(true);
    let written = Written { size, stride, element, device_size, dim_map, steps, order, sparse };
    let layout = match current {
        Some(true) => written.today().map(Value::from),
        _ => written.specified().map(Value::from).or_else(|error| {
            let today = if current.is_none() && !relaxed { written.instead(&error) } else { None };
            today.map(Value::from).ok_or(error)
        }),
    };
    layout
        .map_err(|error| {
            problems.push(fields.place(&error, &kept).unwrap_or(whole).clone(), error);
        })
        .ok()
}

/// The parsed fields.
struct Written {
    size: Vec<usize>,
    stride: Option<Vec<usize>>,
    element: ElementType,
    device_size: Option<Vec<usize>>,
    dim_map: Option<Vec<isize>>,
    steps: Option<Vec<isize>>,
    order: Option<Vec<usize>>,
    sparse: bool,
}

impl Written {
    fn stride(&self) -> Vec<usize> {
        self.stride.clone().unwrap_or_else(|| contiguous(&self.size))
    }

    /// The layout by the specification.
    fn specified(&self) -> Result<SpyreLayout, LayoutError> {
        let (size, element, order) = (&self.size, self.element, self.order.as_deref());
        let layout = match (&self.device_size, &self.dim_map, &self.steps) {
            (Some(device_size), Some(dim_map), _) => {
                SpyreLayout::new(size, element, device_size, dim_map)
            }
            (Some(device_size), None, Some(steps)) => {
                SpyreLayout::from_stride_map(size, &self.stride(), element, device_size, steps)
            }
            _ if self.sparse => SpyreLayout::sparse(size, element, order),
            _ => SpyreLayout::dense(size, element, order),
        };
        match &self.stride {
            Some(stride) => layout?.with_stride(stride),
            None => layout,
        }
    }

    /// The layout by the current rules.
    fn today(&self) -> Result<CurrentLayout, LayoutError> {
        let (size, element, stride) = (&self.size, self.element, self.stride());
        match (&self.device_size, &self.dim_map, &self.steps) {
            (Some(device_size), Some(dim_map), _) => {
                CurrentLayout::of_dim_map(size, &stride, element, device_size, dim_map)
            }
            (Some(device_size), None, Some(steps)) => {
                CurrentLayout::new(size, &stride, element, device_size, steps)
            }
            _ => {
                let mut order: Vec<isize> = match &self.order {
                    // Parsed numbers are at most `isize::MAX`.
                    Some(order) => order.iter().map(|&d| d as isize).collect(),
                    None => (0..).take(size.len()).collect(),
                };
                order.extend(self.sparse.then_some(-1));
                CurrentLayout::default_of(size, &stride, element, &order)
            }
        }
    }

    /// The layout by the current rules, if the specification refuses the text by a rule that has
    /// changed.
    fn instead(&self, error: &LayoutError) -> Option<CurrentLayout> {
        let LayoutError::Spyre(error) = error else { return None };
        let has_changed = match error {
            SpyreError::NoSuchStep { .. }
            | SpyreError::MissingDimension { .. }
            | SpyreError::HostExtent { .. }
            | SpyreError::DeviceExtent { .. }
            | SpyreError::SecondSynthetic { .. }
            | SpyreError::SyntheticNotInner { .. } => self.steps.is_some(),
            // Current maps contain all dimensions, including those of extent 1, and one of them
            // twice.
            SpyreError::NoSuchDimension { .. } => self.dim_map.as_ref().is_some_and(|map| {
                map.len() > self.size.len()
                    && (0..).take(self.size.len()).all(|d: isize| map.contains(&d))
            }),
            SpyreError::OrderLength { .. } | SpyreError::OrderEntry { .. } => true,
            _ => false,
        };
        if has_changed { self.today().ok() } else { None }
    }
}

/// For each name, the field with that name.
struct Fields<'a, S>([Option<&'a Field<S>>; NAMES.len()]);

impl<'a, S: Span> Fields<'a, S> {
    fn of(fields: &'a [Field<S>], problems: &mut Problems<S>) -> Self {
        let mut found = [None; NAMES.len()];
        for field in fields {
            let number = NAMES.iter().position(|name| *name == field.name);
            let error = match number.map(|number| (NAMES[number], &mut found[number])) {
                Some((_, place @ None)) => {
                    *place = Some(field);
                    continue;
                }
                Some((name, Some(_))) => SpyreError::RepeatedField { name },
                None => SpyreError::UnknownField { name: Excerpt::new(&field.name) },
            };
            problems.push(field.place.clone(), error);
        }
        Self(found)
    }

    #[inline(never)]
    fn get(&self, name: &str) -> Option<&'a Field<S>> {
        let number = NAMES.iter().position(|other| *other == name)?;
        self.0[number]
    }

    /// Checks that the fields belong to exactly one form of the notation.
    fn check_choice(&self, whole: &S, problems: &mut Problems<S>) {
        let has = |name| self.get(name).is_some();
        let mut needed =
            [("size", true), ("dtype", true), ("device_size", false), ("dim_map", false)];
        needed[2].1 = has("dim_map") || has("stride_map") || has("relaxed");
        needed[3].1 = has("device_size") && !has("stride_map");
        for (name, is_needed) in needed {
            if is_needed && !has(name) {
                problems.push(whole.clone(), SpyreError::MissingField { name });
            }
        }
        for (name, other) in
            [("stride_map", "dim_map"), ("order", "device_size"), ("sparse", "device_size")]
        {
            if let (Some(field), true) = (self.get(name), has(other)) {
                let error = SpyreError::ExclusiveFields { name, other };
                problems.push(field.place.clone(), error);
            }
        }
    }

    /// A list of nonnegative integers.
    #[inline(never)]
    fn numbers(&self, name: &str, problems: &mut Problems<S>) -> Option<Vec<usize>> {
        numbers(&items(&self.get(name)?.value, problems)?, problems)
    }

    /// An order of dimensions, and whether it ends in -1.
    fn order(&self, size: &[usize], problems: &mut Problems<S>) -> Option<(Vec<usize>, bool)> {
        let mut items = items(&self.get("order")?.value, problems)?;
        let rank = size.iter().filter(|extent| **extent != 1).count();
        let ends = items.last().is_some_and(|(n, _)| *n == -1)
            && (items.len() == rank + 1 || items.len() == size.len() + 1);
        items.truncate(items.len() - usize::from(ends));
        Some((numbers(&items, problems)?, ends))
    }

    /// A list of integers.
    #[inline(never)]
    fn integers(&self, name: &str, problems: &mut Problems<S>) -> Option<Vec<isize>> {
        let items = items(&self.get(name)?.value, problems)?;
        Some(items.into_iter().map(|(n, _)| n).collect())
    }

    #[inline(never)]
    fn truth(&self, name: &str, problems: &mut Problems<S>) -> Option<bool> {
        let value = &self.get(name)?.value;
        let truth = match &value.node {
            Node::Name(name, _) if name == "true" => Ok(true),
            Node::Name(name, _) if name == "false" => Ok(false),
            _ => Err(wrong_kind("`true` or `false`", value.describe())),
        };
        report(truth, &value.span, problems)
    }

    /// The place of the field, or of the number in it, that an error is about. `kept` are the device
    /// dimensions that the error counts.
    fn place(&self, error: &LayoutError, kept: &[usize]) -> Option<&'a S> {
        let LayoutError::Spyre(error) = error else { return None };
        let (names, entry): (&[&str], _) = match error {
            SpyreError::UnknownElement { .. } => (&["dtype"], None),
            SpyreError::HostExtent { dimension } => (&["size"], Some(*dimension)),
            SpyreError::HostStrides { .. } => (&["stride"], None),
            SpyreError::NoStick => (&["device_size"], None),
            SpyreError::MapLength { .. } | SpyreError::MissingDimension { .. } => {
                (&["dim_map", "stride_map"], None)
            }
            SpyreError::DeviceExtent { position } => {
                (&["device_size"], kept.get(*position).copied())
            }
            SpyreError::NoSuchDimension { position, .. }
            | SpyreError::SyntheticNotInner { position, .. }
            | SpyreError::SecondSynthetic { second: position, .. }
            | SpyreError::NoSuchStep { position, .. }
            | SpyreError::AmbiguousStep { position, .. } => {
                (&["dim_map", "stride_map"], kept.get(*position).copied())
            }
            SpyreError::StickLength { .. } => (&["device_size"], Some(usize::MAX)),
            SpyreError::NoRoom { .. } => (&["device_size"], None),
            SpyreError::OrderLength { .. } => (&["order"], None),
            SpyreError::OrderEntry { position, .. } => (&["order"], Some(*position)),
            _ => return None,
        };
        let value = &names.iter().find_map(|name| self.get(name))?.value;
        let places = places(value);
        match entry {
            Some(usize::MAX) => places.last().copied(),
            Some(entry) => places.get(entry).copied(),
            None => None,
        }
        .or(Some(&value.span))
    }
}

/// The places of the items of a list.
fn places<S>(list: &Expr<S>) -> Vec<&S> {
    match &list.node {
        Node::Morello(parts, None) => parts.iter().map(|part| &part.span).collect(),
        Node::List(items) => items.iter().map(|item| &item.span).collect(),
        _ => Vec::new(),
    }
}

/// Converts the items of a list to numbers. A negative one is an error.
fn numbers<S: Span>(items: &[(isize, &S)], problems: &mut Problems<S>) -> Option<Vec<usize>> {
    each(items, |&(n, place)| {
        let number = usize::try_from(n).map_err(|_| NotationError::Negative.into());
        report(number, place, problems)
    })
}

/// The integers of a list, each with its place.
fn items<'a, S: Span>(
    list: &'a Expr<S>,
    problems: &mut Problems<S>,
) -> Option<Vec<(isize, &'a S)>> {
    let wrong = |expr: &Expr<S>, expected, problems: &mut Problems<S>| {
        problems.push(expr.span.clone(), wrong_kind(expected, expr.describe()));
    };
    let mut numbers = Vec::new();
    match &list.node {
        Node::Morello(parts, None) if parts.iter().all(|part| part.kind == PhysDim::Dynamic) => {
            numbers.extend(parts.iter().map(|part| (part.dimension as isize, &part.span)));
        }
        Node::List(items) => {
            let before = problems.len();
            for item in items {
                match &item.node {
                    Node::Integer(n) => numbers.push((*n as isize, &item.span)),
                    Node::Step(step) if step.as_integer().is_some() => {
                        numbers.extend(step.as_integer().map(|n| (n, &item.span)));
                    }
                    _ => wrong(item, "an integer", problems),
                }
            }
            if problems.len() > before {
                return None;
            }
        }
        _ => {
            wrong(list, "a list of integers", problems);
            return None;
        }
    }
    Some(numbers)
}

fn element<S: Span>(name: &Expr<S>, problems: &mut Problems<S>) -> Option<ElementType> {
    let element = match &name.node {
        Node::Name(name, _) => ElementType::of_name(name)
            .ok_or(SpyreError::UnknownElement { name: Excerpt::new(name) }.into()),
        _ => Err(wrong_kind("the name of an element type", name.describe())),
    };
    report(element, &name.span, problems)
}
