//! Operations on types of 32 modes at the default recursion limit (this file does not raise it),
//! compared with the engine.

use static_layout::ops::{ComplementInCosize, Filter, Flatten, Nullspace};
use static_layout::typenum::{U2, U3, U32};
use static_layout::{
    Algebra, Coalesce, Composition, DynLayout, Layout, LogicalDivide, Make, RightInverse, RowMajor,
    StaticLayout, layout,
};

type Twos = layout!((
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2
));
/// The odd bits first, so that no two modes merge.
type OddEven = layout!((
    2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2
):(
    2,8,32,128,512,2048,8192,32768,131072,524288,
    2097152,8388608,33554432,134217728,536870912,2147483648,
    1,4,16,64,256,1024,4096,16384,65536,262144,
    1048576,4194304,16777216,67108864,268435456,1073741824
));
/// The highest bit first.
type Reversed = RowMajor<<Twos as StaticLayout>::Shape>;
/// Extents of three and two, with gaps.
type Gaps = layout!((
    3,2,3,2,3,2,3,2,3,2,3,2,3,2,3,2,3,2,3,2,3,2,3,2,1,1,1,1,1,1,1,1
):(
    2,8,32,128,512,2048,8192,32768,131072,524288,2097152,8388608,
    33554432,134217728,536870912,2147483648,8589934592,34359738368,137438953472,
    549755813888,2199023255552,8796093022208,35184372088832,140737488355328,
    0,0,0,0,0,0,0,0
));

/// 20 modes with strides up to 2^39, the maximum for a complement.
type Spread = layout!((2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):(
    2,8,32,128,512,2048,8192,32768,131072,524288,2097152,8388608,33554432,134217728,536870912,
    2147483648,8589934592,34359738368,137438953472,549755813888
));

fn of<L: StaticLayout>() -> DynLayout {
    L::LAYOUT
}

#[test]
fn thirty_two_modes_are_composed() {
    let (bits, back, gaps) = (of::<OddEven>(), of::<Reversed>(), of::<Gaps>());
    assert_eq!((bits.rank(), back.rank(), gaps.rank()), (32, 32, 32));
    assert_eq!(of::<Composition<OddEven, Reversed>>(), bits.composition(&back).unwrap());
    assert_eq!(of::<Composition<Reversed, OddEven>>(), back.composition(&bits).unwrap());
    assert_eq!(of::<Composition<Gaps, Layout<U2, U3>>>().to_string(), "2:8");
}

#[test]
fn thirty_two_modes_are_inverted_merged_and_made() {
    let (bits, back, gaps) = (of::<OddEven>(), of::<Reversed>(), of::<Gaps>());
    assert_eq!(of::<RightInverse<OddEven>>(), bits.right_inverse());
    assert_eq!(of::<RightInverse<Reversed>>(), back.right_inverse());
    assert_eq!(of::<Coalesce<Gaps>>(), gaps.coalesce());
    assert_eq!(of::<Coalesce<Twos>>().to_string(), "4294967296:1");
    assert_eq!(of::<Filter<Gaps>>(), gaps.filter());
    assert_eq!(of::<Nullspace<Gaps>>(), gaps.nullspace());
    assert_eq!(of::<Flatten<OddEven>>(), bits);
    assert_eq!(of::<Make<<Twos as StaticLayout>::Shape>>().cosize(), 1 << 32);
    assert_eq!(of::<LogicalDivide<OddEven, Layout<U32, U2>>>().size(), 1 << 32);
}

#[test]
fn twenty_modes_have_a_complement() {
    let spread = of::<Spread>();
    assert_eq!(of::<ComplementInCosize<Spread>>(), spread.complement(&spread.cosize()).unwrap());
}
