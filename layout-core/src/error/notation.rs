//! Invalid notation: L0101 to L0199.

use crate::const_text::ConstText;
use crate::engine::IntTuple;
use crate::error::catalogue::catalogue;
use crate::excerpt::Excerpt;

catalogue! {
    /// An error in a text, or in the tokens of `layout!`.
    pub enum NotationError;

    "L0101": "nothing to read", Empty => {
        message: |m| m.str("there is no layout here"),
        help: |m| m.str("write a shape and its stride, such as (4,8):(8,1)"),
        meaning: "A layout is a shape and a stride, such as (4,8):(8,1). A shape alone is its \
            compact column-major layout.",
        example: "",
    }

    "L0102": "a character that the notation does not use", Character {
        /// The character.
        character: Excerpt,
    } => {
        message: |m| m.str("`").str(character.as_str())
            .str("` is not part of the layout notation"),
        meaning: "The notation has letters, digits, the parentheses ( ) [ ] < >, and , : - + @ \
            _ o.",
        example: "(4,8):(8,1)$",
    }

    "L0103": concat!("an integer of more than ", size_bits!(), " bits"), IntegerTooLarge {
        /// The integer as written.
        text: Excerpt,
    } => {
        message: |m| m.str("integer ").str(text.as_str())
            .str(concat!(" does not fit in ", size_bits!(), " bits")),
        meaning: concat!(
            "No size, stride or offset exceeds 2^",
            size_bits!(),
            " - 1: no memory is larger.",
        ),
        example: "9223372036854775808:1",
    }

    "L0104": "a literal that is not a decimal integer", NotAnInteger {
        /// The literal as written.
        text: Excerpt,
    } => {
        message: |m| m.str("`").str(text.as_str()).str("` is not a decimal integer"),
        help: |m| m.str("write decimal digits; modes are separated by `,`"),
        meaning: "Extents and strides are decimal integers, such as 32 or 1_024. A point instead \
            of a comma makes a fraction.",
        example: "(4.8):(1)",
    }

    "L0105": "an integer with a type suffix", IntegerSuffix {
        /// The integer as written.
        text: Excerpt,
        /// Its digits.
        digits: Excerpt,
    } => {
        message: |m| m.str("integer `").str(text.as_str()).str("` has a suffix"),
        help: |m| m.str("write ").str(digits.as_str()),
        meaning: "Integers in layouts have no types. Remove the suffix.",
        example: "8u32:1",
    }

    "L0106": "a negative extent, size or coordinate", Negative => {
        message: |m| m.str("extents, sizes and coordinates are not negative"),
        meaning: "Only strides and offsets may be negative: a mode that runs backwards is \
            (4):(-1).",
        example: "(4,-8):(8,1)",
    }

    "L0107": "a missing part", Expected {
        /// The expected syntax.
        expected: &'static str,
        /// The text found instead; empty at the end of the text.
        found: Excerpt,
    } => {
        message: |m| {
            let m = m.str("expected ").str(expected).str(", found ");
            quoted_or_end(m, found)
        },
        help: |m| {
            if is_operator(found) {
                m.str("put a Rust expression in braces, {n + 1}")
            } else {
                m
            }
        },
        meaning: "The message says what the notation expects here, and what was found instead.",
        example: "(4,8):",
    }

    "L0108": "unexpected text after the layout", Trailing {
        /// The first token found instead.
        found: Excerpt,
    } => {
        message: |m| m.str("unexpected `").str(found.as_str()).str("` after the layout"),
        help: |m| {
            if is_operator(found) {
                m.str("put a Rust expression in braces, {n + 1}")
            } else {
                m.str("a layout is shape:stride; two layouts combine as `A o B` or in an operation")
            }
        },
        meaning: "One expression is one layout. Combine two as A o B, or in an operation.",
        example: "(4,8):(8,1) 2",
    }

    "L0109": "too many open parentheses", TooDeep {
        /// The maximum.
        limit: usize,
    } => {
        message: |m| m.str("more than ").num(*limit).str(" parentheses are open here"),
        meaning: "Expressions nest at most 32 deep, as layouts do. In a program, name a part with \
            let; otherwise evaluate a part first.",
        example: "(((((((((((((((((((((((((((((((((4)))))))))))))))))))))))))))))))))",
    }

    "L0110": "an unclosed parenthesis", Unclosed {
        /// The opening parenthesis.
        open: Excerpt,
    } => {
        message: |m| m.str("`").str(open.as_str()).str("` is not closed"),
        meaning: "Each ( [ { and < needs a closing partner. Close it where its list ends.",
        example: "(4,8:1",
    }

    "L0111": "a closing parenthesis without an opening one", Unopened {
        /// The closing parenthesis.
        close: Excerpt,
    } => {
        message: |m| m.str("`").str(close.as_str()).str("` closes nothing"),
        meaning: "Each ) ] and } needs an opening partner. Remove this one, or open it earlier.",
        example: "(4,8)):(8,1)",
    }

    "L0112": "an unknown operation", UnknownOperation {
        /// The name.
        name: Excerpt,
        /// The operation with the most similar name; empty if there is none.
        similar: &'static str,
    } => {
        message: |m| m.str("there is no operation `").str(name.as_str()).str("`"),
        help: |m| {
            if !similar.is_empty() {
                m.str("did you mean `").str(similar).str("`?")
            } else {
                m.str("the documentation of layout! lists the operations")
            }
        },
        meaning: "Operations have the names of CuTe in snake_case. `layout eval --help` lists \
            them.",
        example: "coalese((4,8):(8,1))",
    }

    "L0113": "a wrong number of arguments", ArgumentCount {
        /// The operation.
        operation: &'static str,
        /// The minimum number of arguments.
        least: usize,
        /// The maximum number of arguments.
        most: usize,
        /// The number of arguments given.
        found: usize,
    } => {
        message: |m| {
            let m = m.str("`").str(operation).str("` takes ").num(*least);
            let m = if *most > *least { m.str(" or ").num(*most) } else { m };
            let m = m.str(if *most == 1 { " argument" } else { " arguments" });
            m.str(", found ").num(*found)
        },
        meaning: "`layout eval --help` lists what each operation takes.",
        example: "composition((4,8):(8,1))",
    }

    "L0114": "an argument of the wrong kind", Kind {
        /// The expected kind.
        expected: &'static str,
        /// The kind found.
        found: &'static str,
    } => {
        message: |m| m.str("expected ").str(expected).str(", found ").str(found),
        meaning: "An operation takes layouts, tilers, shapes, coordinates, integers or swizzles. A \
            shape can stand for a layout, but a layout cannot stand for a shape.",
        example: "crd2idx(8:1, (4,8))",
    }

    "L0115": "a shape that could be a layout or a tiler", AmbiguousTiler {
        /// The shape.
        shape: IntTuple,
    } => {
        message: |m| m.str("as a tiler, ").tuple(shape)
            .str(" could be a layout or a tuple that applies mode by mode"),
        help: |m| {
            // A tuple without its parentheses, in angle brackets.
            let mut text = ConstText::new();
            text.tuple(shape);
            m.str("write <..> to apply it mode by mode, or give it strides, as in ")
                .str(text.as_str())
                .str(":(..)")
        },
        meaning: "In CuTe a shape used as a tiler applies mode by mode, and a shape alone is a \
            layout. Write <4, 4> for the first and (4,4):(1,4) for the second.",
        example: "(8,8):(8,1) o (4,4)",
    }

    "L0116": "a run-time value where a type is needed", RunTimeArgument {
        /// The operation.
        operation: &'static str,
    } => {
        message: |m| m.str(operation)
            .str(" in layout! needs compile-time numbers here, not run-time values"),
        help: |m| m.str("call the method of a run-time layout instead, or write the number here"),
        meaning: "Indices of modes, factors and the coordinates of a slice determine the structure \
            of a result, so in layout! they are part of its type. A DynLayout has methods that \
            take them as values. slice and dice of all layouts take values too, with `..` for `_`.",
        example: "layout!(upcast((n, 8):(8, 1), m))"
            => NotationError::RunTimeArgument { operation: "upcast" },
    }

    "L0117": "a type and a value in one layout", HoleAndValue => {
        message: |m| m
            .str("`_` makes a type and a run-time value makes a value: one layout cannot have both"),
        help: |m| m.str("write `_` for every run-time leaf, or a value for each"),
        meaning: "`_` leaves a number to run time and makes a type; a value makes a layout. A \
            layout has one or the other.",
        example: "layout!((_, n):(1, 4))" => NotationError::HoleAndValue,
    }

    "L0118": "strides that would be products of types and values", StridesNeeded => {
        message: |m| m
            .str("the strides of this shape are products of types and of run-time values"),
        help: |m| m.str("write the strides after `:`"),
        meaning: "A shape without strides is column-major, with strides that are products of \
            extents. Write them where some extents are types and others values.",
        example: "layout!((N, n, 4))" => NotationError::StridesNeeded,
    }

    "L0119": "a name in an expression without names", NameInText {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` has no value here"),
        help: |m| m.str(match name.as_str().as_bytes() {
            b"memref" | b"strided" | b"affine_map" | b"Layout" | b"ComposedLayout" => {
                "layout_view::notation, in static-layout-view, reads what other tools print"
            }
            _ => "names, types and {expressions} belong in layout!",
        }),
        meaning: "Names, types and {expressions} are for layout! in a program. In a text, write \
            the number. The command layout, and layout_view::notation of the crate \
            static-layout-view, read what other tools print.",
        example: "(n,8):(8,1)",
    }

    "L0120": "`_` where a number is needed", HoleInText => {
        message: |m| m.str("`_` has no value here"),
        help: |m| m
            .str("write a number; `_` belongs in layout!, in a tiler <_, 4> and in a coordinate of an operation"),
        meaning: "In layout! `_` is a number known at run time. In an expression it keeps a \
            mode, of a tiler as <_, 4> or of a coordinate as (_,3).",
        example: "(_,8):(8,1)",
    }

    "L0121": "a type that is not a layout by itself", NameWithoutStride {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` alone is a name, not notation"),
        help: |m| m
            .str("a type-level extent needs a stride, N:1; a layout type is used by its name"),
        meaning: "N:1 is a mode whose extent is the type N. The name of a layout is already a \
            type.",
        example: "layout!(N)" => NotationError::NameWithoutStride { name: Excerpt::new("N") },
    }

    "L0122": "an unknown kind of physical dimension", PhysicalKind {
        /// The kind as written.
        found: Excerpt,
    } => {
        message: |m| {
            let m = m.str("expected `p(n)`, `oe(n)` or the next dimension, found ");
            quoted_or_end(m, found)
        },
        meaning: "A dimension of a Morello layout takes the rest, as in `0`, is packed by p(n), \
            or odd-even by oe(n).",
        example: "[0, 1 q(4)] for (4, 8)",
    }

    "L0123": "a dimension and its kind in one word", SpaceNeeded {
        /// Dimension and kind as written.
        text: Excerpt,
        /// The dimension.
        dimension: Excerpt,
        /// The kind.
        kind: Excerpt,
    } => {
        message: |m| m.str("`").str(text.as_str())
            .str("` is one token, not a dimension and its kind"),
        help: |m| m.str("put a space between them: ").str(dimension.as_str()).str(" ")
            .str(kind.as_str()).str("(n)"),
        meaning: "Rust reads `1p` as one number. Put a space between the dimension and its \
            kind: 1 p(4).",
        example: "[0, 1p(4)] for (4, 8)",
    }

    "L0124": "a Morello layout without a shape", ShapeNeeded => {
        message: |m| m.str("a Morello layout has no strides without a shape"),
        help: |m| m.str("add the shape, as in [1, 0, 1 p(4)] for (6, 8)"),
        meaning: "The list says in which order dimensions are laid out, and has strides for a \
            shape: [1, 0] for (4, 8).",
        example: "flatten([1, 0])",
    }

    "L0125": "an operation that needs layouts written out", LiteralOnly {
        /// The operation.
        operation: &'static str,
    } => {
        message: |m| m.str("this form of `").str(operation)
            .str("` needs layouts that are written out, not their names"),
        meaning: "The operation is evaluated in layout! when its layouts are written out. For a \
            named layout call the method, in a const if need be.",
        example: "layout!(gaps(Rows))" => NotationError::LiteralOnly { operation: "gaps" },
    }

    "L0126": "a list that is too long", ListTooLong {
        /// The operation.
        operation: &'static str,
        /// The maximum length of the list.
        length: usize,
        /// The limit.
        limit: usize,
    } => {
        message: |m| m.str("`").str(operation).str("` would list ").num(*length)
            .str(" offsets, more than the limit of ").num(*limit),
        meaning: "Lists have at most 1048576 items. Slice the layout first, or evaluate it at \
            coordinates.",
        example: "table(2097152)",
    }

    "L0127": "a line that is not UTF-8", NotText {
        /// The number of bytes before the first invalid one.
        at: usize,
    } => {
        message: |m| m.str("the line is not UTF-8 from byte ").num(*at).str(" on"),
        meaning: "Expressions are text in UTF-8. ASCII is a subset of it.",
        example: "printf '\\xff\\n' | layout eval -" => NotationError::NotText { at: 0 },
    }

    "L0128": "a line that is too long", LineTooLong {
        /// The maximum number of bytes.
        limit: usize,
    } => {
        message: |m| m.str("the line has more than ").num(*limit).str(" bytes"),
        meaning: "Lines have at most 65536 bytes, so that memory stays bounded. The line is \
            skipped.",
        example: "a line of 100000 bytes for `layout eval -`"
            => NotationError::LineTooLong { limit: 65536 },
    }

    "L0129": "a negative stride in memory", SignedStride => {
        message: |m| m.str("a stride in memory cannot be negative or have a direction"),
        help: |m| m.str("CoordinateLayout and `layout eval` support strides such as -1 and 2@1"),
        meaning: "Offsets in memory are counted from its start, so strides are not negative. \
            Strides such as -1 and 2@1 are for values that are not memory offsets: `layout eval` \
            and CoordinateLayout compute with them.",
        example: "layout!((4, 8):(-8, 1))" => NotationError::SignedStride,
    }

    "L0130": "a run-time leaf in a swizzled layout", HoleBehindSwizzle => {
        message: |m| m.str("`_` in a swizzled layout: there is no such type"),
        help: |m| m
            .str("write numbers or types for a type, or values for a ComposedLayout: \
                layout!(Sw<3,4,3> o 0 o (n, 64):(64, 1))?"),
        meaning: "A swizzled layout is a type only if the compiler knows all of its numbers. With \
            run-time values it is a `ComposedLayout`, which needs no type of its own.",
        example: "layout!(Sw<3, 4, 3> o (_, 64):(64, 1))" => NotationError::HoleBehindSwizzle,
    }

    "L0131": "a value where a type is needed", ValueInType {
        /// The value.
        value: Excerpt,
    } => {
        message: |m| m.str("a type cannot contain the value ").str(value.as_str()),
        help: |m| m.str("in a type, write _ for a number that is known at run time, and U<N> for a \
            const generic N; a name of a type starts in upper case"),
        meaning: "Names in lower case and what is in braces are values, which a type cannot have. \
            The type of layout!((n, 4)) is layout!((_, 4)). The integer type of a const generic N \
            is U<N>.",
        example: "fn rows(n: usize) -> layout!((n, 4)) { layout!((n, 4)) }"
            => NotationError::ValueInType { value: Excerpt::new("n") },
    }

    "L0132": "a swizzle of addresses that is not a swizzle of elements", PointerBits {
        /// The number of bits of an element.
        bits: u32,
        /// The lowest bit that changes, in bytes.
        base: u32,
    } => {
        message: |m| m.str("a swizzle of addresses that begins at bit ").num(*base as usize)
            .str(" splits elements of ").num(*bits as usize).str(" bits"),
        meaning: "CuTe swizzles the bits of an address. This is a swizzle of elements only if \
            their size in bits is a power of two and the swizzle keeps the bits of an element \
            together: Sw<3,4,3> of addresses is Sw<3,3,3> of elements of 16 bits.",
        example: "Sw<3,0,3>_smem_ptr[16b](0x0) o (8,8):(8,1)",
    }

    "L0133": "a swizzled tensor that does not begin at a whole block", PointerAddress {
        /// The address.
        address: Excerpt,
        /// The number of bytes of a block of the swizzle.
        block: u64,
    } => {
        message: |m| m.str("address ").str(address.as_str()).str(" is not a multiple of ")
            .num(*block as usize).str(", the block size of the swizzle"),
        meaning: "CuTe swizzles the bits of an address, so the address of a tensor is part of its \
            layout. It is a swizzle of the offsets only if the address is a multiple of \
            2^(B+M+|S|) bytes.",
        example: "Sw<3,4,3>_smem_ptr[16b](0x80) o (8,64):(64,1)",
    }

    "L0134": "strides that do not match the dimensions", StridesRank {
        /// The number of dimensions.
        dimensions: usize,
        /// The number of strides.
        strides: usize,
    } => {
        message: |m| m.num(*strides).str(" strides for ").num(*dimensions).str(" dimensions"),
        meaning: "A buffer has one stride for each dimension.",
        example: "memref<4x8xf32, strided<[1]>>",
    }

    "L0135": "a term of an affine map that is not a digit of a dimension", MapTerm => {
        message: |m| m.str("not a layout: the term is not a multiple of a digit of one dimension"),
        meaning: "A layout adds multiples of digits: d0, d0 floordiv 32, d0 mod 32, or d0 floordiv \
            4 mod 8, times a number. A product of dimensions, or a digit of a sum, has no such \
            form.",
        example: "affine_map<(d0, d1) -> ((d0 + d1) mod 4)> for (4, 8)",
    }

    "L0136": "digits of an affine map that do not divide a dimension", MapDigit {
        /// The dimension.
        dimension: usize,
        /// The position at which the digit starts.
        low: isize,
        /// The position at which the next digit starts, or the extent.
        high: isize,
    } => {
        message: |m| m.str("not a layout: ").num(*high as usize).str(" of d").num(*dimension)
            .str(" is not a multiple of ").num(*low as usize),
        meaning: "The digits of a dimension are modes if each begins at a multiple of the one \
            before, and the extent is a multiple of the last.",
        example: "affine_map<(d0) -> (d0 floordiv 32, d0 mod 32)> for (40)",
    }

    "L0137": "an affine map of several results without a shape", MapShape {
        /// The dimension.
        dimension: usize,
    } => {
        message: |m| m.str("the extent of d").num(*dimension)
            .str(" is needed: the results are dimensions of a buffer"),
        help: |m| m.str("write the shape after it: affine_map<..> for (4, 8)"),
        meaning: "The results of a map are the dimensions of a row-major buffer. Their extents \
            follow from the shape.",
        example: "affine_map<(d0, d1) -> (d1, d0)>",
    }

    "L0138": "a byte stride that is not a whole number of elements", ByteStride {
        /// The stride.
        stride: isize,
        /// The number of bytes of an element.
        bytes: isize,
    } => {
        message: |m| m.str("a stride of ").num(stride.unsigned_abs())
            .str(" bytes is not a multiple of the element size ").num(bytes.unsigned_abs()),
        meaning: "NumPy counts strides in bytes. A layout counts them in elements. Views of parts \
            of elements have no layout.",
        example: "shape=(4, 8), strides=(30, 4), dtype=float32",
    }

    "L0139": "bases of a linear layout that share a bit", SharedBit {
        /// The bit.
        bit: u32,
    } => {
        message: |m| m.str("not a layout: two bases share bit ").num(*bit as usize),
        meaning: "A linear layout is the XOR of its bases. This equals a sum, and so is a layout, \
            only if no two bases share a bit of a dimension.",
        example: "coalesce(#ttg.linear<{register = [[0, 1], [0, 3]]}>)",
    }

    "L0140": "a linear layout whose extents are not powers of two", PowerOfTwo {
        /// The extent.
        extent: usize,
    } => {
        message: |m| m.str("extent ").num(*extent).str(" is not a power of two"),
        meaning: "A linear layout maps bits to bits. Its extents, and the sizes of its values, are \
            powers of two.",
        example: "linear((3,4):(4,1))",
    }

    "L0141": "a layout with run-time leaves", RunTimeLeaf => {
        message: |m| m.str("`?` is known only at run time"),
        help: |m| m.str("write its number; `layout convert --to rust` gives the type, with _"),
        meaning: "CuTe prints ? for a number that its compiler does not know. Nothing can be \
            computed from it here: write the number instead.",
        example: "coalesce((?,8):(8,1))",
    }
}

impl NotationError {
    /// The error for `select` by a tuple inside a tuple.
    pub(crate) const NESTED_MODES: Self =
        Self::Kind { expected: "an integer or a flat tuple of them", found: "a nested tuple" };
}

/// Whether this is an operator of Rust expressions, not of the notation.
const fn is_operator(found: &Excerpt) -> bool {
    matches!(
        found.as_str().as_bytes(),
        b"+" | b"-" | b"*" | b"/" | b"%" | b"." | b"&" | b"|" | b"?" | b"as"
    )
}

const fn quoted_or_end<'a>(m: &'a mut ConstText, found: &Excerpt) -> &'a mut ConstText {
    if found.as_str().is_empty() {
        m.str("the end")
    } else {
        m.str("`").str(found.as_str()).str("`")
    }
}
