//! Linear layouts in the notation: conversions, products, inverses, ranks.

use super::forms::forms;
use crate::text::value::Value;

forms! {

/// The layout, swizzled layout or swizzle as a matrix of bits.
text linear(Linear) { |a| Ok(a[0].linear()?.into()) }

/// The swizzled layout, or layout of coordinates, that a linear layout is.
text layout_of(Linear) { |a| Value::from(a[0].linear()?).to_cute() }

/// Copies of one linear layout at the positions of another.
text linear_product(Linear, Linear) {
    |a| Ok(a[0].linear()?.product(&a[1].linear()?)?.into())
}

/// The rank of the matrix of a linear layout: it has two to the power of that values.
text linear_rank(Linear) { |a| Ok((a[0].linear()?.image_bits() as usize).into()) }

/// The linear layout from values back to indices.
text inverse(Linear) { |a| Ok(a[0].linear()?.inverse()?.into()) }

}
