//! Copying between layouts: every coordinate's element goes to the same coordinate.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Check};

use crate::facts::{must, reaches, same_modes, value};
use crate::view::{AsView, AsViewMut};
use crate::walk::Walk;

/// What a kernel returns: plain `T` when the layouts of `A` and `B` are static, a `Result` when
/// one is not.
type Outcome<A, B, T> =
    <<<A as AnyLayout>::Check as Check>::And<<B as AnyLayout>::Check> as Check>::Outcome<T>;

/// Copies every element of `source` to the same coordinate of `destination`.
///
/// `destination(c) = source(c)` for each coordinate `c`. Both have the same rank and modes of the
/// same sizes. A mode may be nested differently in both; its elements then correspond in
/// colexicographic order. Elements of the destination's memory that no coordinate leads to keep
/// their value.
///
/// Between static layouts, everything was decided when the program was compiled: the function
/// returns nothing, and shapes that differ do not compile. When a layout is mixed or dynamic it
/// returns a `Result`.
///
/// ```
/// use layout_core::engine::DynLayout;
/// use layout_kernels::{Tensor, copy};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let rows = Tensor::from_fn_in(layout("(4,6):(6,1)"), |c| c.leaves()[0])?;
/// let mut packed = Tensor::zeros_in(layout("(4,(3,2)):(3,(1,12))"))?;
/// copy(&rows, &mut packed)?;
/// assert_eq!(packed.as_slice()[..12], [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`LayoutError::CopyShape`] when the shapes differ, unless both layouts are static: then it is
/// a compile error.
pub fn copy<T, S, D>(source: &S, destination: &mut D) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<T> + ?Sized,
{
    const {
        if let (Some(s), Some(d)) = (S::Layout::STATIC, D::Layout::STATIC) {
            must(agree(&s, &d));
        }
    }
    let (source, mut destination) = (source.as_view(), destination.as_view_mut());
    let (s, d) = (source.layout(), destination.layout());
    <<S::Layout as AnyLayout>::Check as Check>::And::<<D::Layout as AnyLayout>::Check>::outcome(
        copy_slices(&s, source.as_slice(), &d, destination.as_mut_slice()),
    )
}

/// Whether the shapes are such that a copy means something.
const fn agree(source: &DynLayout, destination: &DynLayout) -> Result<(), LayoutError> {
    if same_modes(source, destination) {
        return Ok(());
    }
    Err(LayoutError::CopyShape { source: source.shape(), destination: destination.shape() })
}

fn copy_slices<T: Copy>(
    source_layout: &impl AnyLayout,
    source: &[T],
    destination_layout: &impl AnyLayout,
    destination: &mut [T],
) -> Result<(), LayoutError> {
    let (s, d) = (value(source_layout)?, value(destination_layout)?);
    agree(&s, &d)?;
    reaches(&s, source.len())?;
    reaches(&d, destination.len())?;
    let (mut from, mut to) = (Walk::new(&s), Walk::new(&d));
    while let (Some((_, from)), Some((_, to))) = (from.step(), to.step()) {
        destination[to] = source[from];
    }
    Ok(())
}
