//! The operations on types, against what the engine computes. Generated; do not edit.
//!
//! ```text
//! BLESS=1 cargo test -p layout-core --test type_level_generated
//! ```
#![cfg_attr(rustfmt, rustfmt_skip)]

use layout_core::types::{
    Append, BlockedProduct, BroadcastTo, Coalesce, CoalesceBy, Complement, ComplementInCosize, Composition, Cons, Dice, DomainDistribute, Downcast, Filter, FilterBy, FilterZeros, FlatDivide, FlatProduct, Flatten, Group, Keep, Layout, LeftInverse, LocalPartition, LocalTile, LogicalDivide, LogicalProduct, Make, MakeOrdered, MaxCommonLayout, MaxCommonVector, Nil, Nullspace, Permute, Prepend, RakedProduct, Recast, Replace, RightInverse, RowMajor, Select, ShapeDiv, Slice, StaticLayout, Take, Tile, TileToShape, TileToShapeOrdered, TiledDivide, TiledProduct, Transposed, Unflatten, Upcast, Windows, Zip, ZipWith, ZippedDivide, ZippedProduct,
};
use typenum::{assert_type_eq, consts::*};

macro_rules! tree {
    (($($part:tt),+)) => { list!($($part),+) };
    ($leaf:ident) => { $leaf };
}
macro_rules! list {
    () => { Nil };
    ($head:tt $(, $tail:tt)*) => { Cons<tree!($head), list!($($tail),*)> };
}
macro_rules! layout {
    ($shape:tt : $stride:tt) => { Layout<tree!($shape), tree!($stride)> };
}
macro_rules! tile {
    ($($tiler:ty),+) => { Tile<tilers!($($tiler),+)> };
}
macro_rules! tilers {
    () => { Nil };
    ($head:ty $(, $tail:ty)*) => { Cons<$head, tilers!($($tail),*)> };
}

fn refused<L: StaticLayout>(why: &str) {
    match L::CHECKED {
        Ok(layout) => panic!("expected no layout but got {layout}: {why}"),
        Err(error) => assert_eq!(error.to_string(), why),
    }
}

#[test]
fn composition() {
    assert_type_eq!(Composition<layout!((U3):(U1)), layout!((U1,((U1,(U2,U6)),U5)):(U1,((U1,(U1,U2)),U12)))>, layout!((U1,((U1,(U2,U6)),U5)):(U0,((U0,(U1,U2)),U12))));
    assert_type_eq!(Composition<layout!(U2:U1), layout!((U5):(U1))>, layout!((U5):(U1)));
    assert_type_eq!(Composition<layout!((U1,U1):(U1,U1)), layout!((U2,(U2,U2)):(U1,(U11,U4)))>, layout!((U2,(U2,U2)):(U1,(U11,U4))));
    assert_type_eq!(Composition<layout!(((U1,U4),(U3),U5,U2):((U1,U1),(U4),U12,U60)), layout!((U2,(((U6,U4),U2),U1)):(U1,(((U2,U12),U48),U96)))>, layout!((U2,(((U6,U4),U2),U1)):(U1,(((U2,U12),U48),U0))));
    refused::<Composition<layout!((U8,U2,(U1,U2)):(U4,U1,(U2,U2))), layout!((U2,U5):(U5,U7))>>("composition: A carries after 2 steps of mode 1 of B, and 2 does not divide its extent 5");
    assert_type_eq!(Composition<layout!((U8,U2):(U2,U1)), layout!((U2,U4,U4):(U4,U1,U8))>, layout!((U2,U4,U4):(U8,U2,U1)));
    assert_type_eq!(Composition<layout!((U8,U8):(U1,U8)), layout!((U2,(U4,U2)):(U8,(U2,U1)))>, layout!((U2,(U4,U2)):(U8,(U2,U1))));
    assert_type_eq!(Composition<layout!((U6,U2,U1):(U1,U6,U12)), layout!((U1,U5,U3):(U15,U1,U5))>, layout!((U1,U5,U3):(U0,U1,U5)));
    assert_type_eq!(Composition<layout!(((U3,(U4,U2)),(U1,U1),U5):((U1,(U3,U12)),(U24,U24),U24)), layout!((U2,U5,U4):(U12,U24,U1))>, layout!((U2,U5,U4):(U12,U24,U1)));
    assert_type_eq!(Composition<layout!((U1,(U2,U8),U3):(U8,(U24,U1),U8)), layout!((U2,U2):(U2,U1))>, layout!((U2,U2):(U1,U24)));
    assert_type_eq!(Composition<layout!(U2:U1), layout!(U1:U1)>, layout!(U1:U0));
    assert_type_eq!(Composition<layout!((U8,(U2,U6)):(U1,(U24,U48))), layout!(U4:U9)>, layout!(U4:U25));
    refused::<Composition<layout!((U8,U8):(U6,U8)), layout!((U2,(U2,U5)):(U10,(U5,U1)))>>("composition: the steps of B together reach coordinate 11 in an extent of 8 of A");
    assert_type_eq!(Composition<layout!(((U3,((U3,U6))),U3):((U1,((U9,U7))),U3)), layout!(U2:U1)>, layout!(U2:U1));
    assert_type_eq!(Composition<layout!(U4:U1), layout!(U2:U1)>, layout!(U2:U1));
    refused::<Composition<layout!((U8,(U8,U1),((U6),U2),U3):(U4,(U3,U1),((U384),U192),U12)), layout!((U5,U2,U2):(U1,U10,U7))>>("composition: the steps of B together reach coordinate 13 in an extent of 8 of A");
    assert_type_eq!(Composition<layout!(U5:U1), layout!((U2,U3,(U3)):(U9,U3,(U1)))>, layout!((U2,U3,(U3)):(U9,U3,(U1))));
    refused::<Composition<layout!((U6,U1):(U1,U1)), layout!((U2,U5,U6):(U1,U72,U4))>>("composition: the steps of B together reach coordinate 9 in an extent of 6 of A");
    assert_type_eq!(Composition<layout!((U4,(U5,(U3)),U2):(U1,(U4,(U20)),U60)), layout!(U4:U1)>, layout!(U4:U1));
    assert_type_eq!(Composition<layout!((U8,(U6,U8),U4):(U4,(U11,U192),U1)), layout!((U1,U8):(U8,U1))>, layout!((U1,U8):(U0,U4)));
    assert_type_eq!(Composition<layout!(((U8,U2),U1,((U2)),U2):((U8,U1),U64,((U2)),U6)), layout!((U5):(U1))>, layout!((U5):(U8)));
    assert_type_eq!(Composition<layout!(((U1),U1,U4,U4):((U16),U16,U4,U1)), layout!(((U6,(U4,U4)),U4):((U64,(U4,U16)),U1))>, layout!(((U6,(U4,U4)),U4):((U16,(U1,U4)),U4)));
    assert_type_eq!(Composition<layout!((U2,U4):(U1,U2)), layout!((U4,U2,(U1,U2)):(U2,U8,(U8,U1)))>, layout!((U4,U2,(U1,U2)):(U2,U8,(U0,U1))));
    assert_type_eq!(Composition<layout!(((U2,U4),(U4,U1),U4,U3):((U1,U2),(U8,U32),U32,U128)), layout!((U4,U4,U8):(U32,U8,U7))>, layout!((U4,U4,U8):(U32,U8,U7)));
    refused::<Composition<layout!((U3,U1):(U1,U1)), layout!(((U5),(U1,U8),(U5,(U2))):((U1),(U1,U10),(U2,(U1))))>>("composition: A carries after 3 steps of mode 0 of B, and 3 does not divide its extent 5");
    assert_type_eq!(Composition<layout!(((U4,U6),U4,(U2,U4),U4):((U1,U4),U24,(U96,U192),U768)), layout!((U4):(U1))>, layout!((U4):(U1)));
    assert_type_eq!(Composition<layout!(((U8,(U6,U1))):((U1,(U8,U8)))), layout!((U6,(U4,U5)):(U5,(U6,U1)))>, layout!((U6,(U4,U5)):(U5,(U6,U1))));
    assert_type_eq!(Composition<layout!((U5,U5):(U0,U1)), layout!((U1):(U1))>, layout!((U1):(U0)));
    assert_type_eq!(Composition<layout!((U6,U2):(U1,U6)), layout!((U2,U3):(U9,U2))>, layout!((U2,U3):(U9,U2)));
    refused::<Composition<layout!((U3,(U1,(U4,U5)),U4):(U12,(U36,(U1,U288)),U72)), layout!((U3,U5):(U1,U3))>>("composition: A carries after 4 steps of mode 1 of B, and 4 does not divide its extent 5");
    refused::<Composition<layout!((U4,U5,(((U2,U4),U4)),U8):(U4,U0,(((U128,U11),U1)),U16)), layout!((U2,U8):(U16,U1))>>("composition: the steps of B together reach coordinate 5 in an extent of 5 of A");
    assert_type_eq!(Composition<layout!((U2,U8,U4,U2):(U1,U2,U16,U64)), layout!(((U4,(U2,(U2,U1)))):((U1,(U4,(U8,U16)))))>, layout!(((U4,(U2,(U2,U1)))):((U1,(U4,(U8,U0))))));
    assert_type_eq!(Composition<layout!((U3,(U3)):(U1,(U3))), layout!((U8,U4,U1):(U1,U24,U24))>, layout!((U8,U4,U1):(U1,U24,U0)));
    assert_type_eq!(Composition<layout!((U5):(U1)), layout!((U4,U8):(U1,U4))>, layout!((U4,U8):(U1,U4)));
    assert_type_eq!(Composition<layout!((U4):(U1)), layout!((U4,U8):(U1,U4))>, layout!((U4,U8):(U1,U4)));
    assert_type_eq!(Composition<layout!((U8,(U8,U2),U4):(U12,(U384,U96),U1)), layout!((U8,U8):(U1,U8))>, layout!((U8,U8):(U12,U384)));
    assert_type_eq!(Composition<layout!((U3,U1,U3,U6):(U3,U1,U1,U9)), layout!(((U2,U1)):((U1,U1)))>, layout!(((U2,U1)):((U3,U0))));
    refused::<Composition<layout!((U4,(U4,U3),U2,U1):(U24,(U6,U192),U1,U192)), layout!((U3,U4,(U5)):(U1,U3,(U12)))>>("composition: A carries after 2 steps of mode 2 of B, and 2 does not divide its extent 5");
    refused::<Composition<layout!((U4,U2):(U1,U12)), layout!((U4,U8):(U6,U2))>>("composition: the steps of B together reach coordinate 4 in an extent of 4 of A");
    assert_type_eq!(Composition<layout!((U1,U2,U8,U8):(U1,U1,U2,U16)), layout!((U2,U5,U3):(U1,U6,U2))>, layout!((U2,U5,U3):(U1,U6,U2)));
    assert_type_eq!(Composition<layout!((U1,U8,U2):(U1,U2,U1)), layout!((U1,U1,U2):(U4,U9,U12))>, layout!((U1,U1,U2):(U0,U0,U9)));
    refused::<Composition<layout!(((U4,U2),U2):((U7,U3),U8)), layout!((U5,U3):(U1,U10))>>("composition: A carries after 4 steps of mode 0 of B, and 4 does not divide its extent 5");
    assert_type_eq!(Composition<layout!((U6,U5):(U5,U1)), layout!((U8,U3,U3):(U3,U48,U1))>, layout!(((U2,U4),U3,U3):((U15,U1),U8,U5)));
    assert_type_eq!(Composition<layout!(((U4,U1),U2):((U1,U1),U4)), layout!(((U4,U4),U8,U4):((U384,U32),U1,U8))>, layout!(((U4,U4),U8,U4):((U384,U32),U1,U8)));
    refused::<Composition<layout!(((U3,U6),U4):((U1,U12),U3)), layout!((U4,((U8,U4),U1),U1):(U1,((U4,U32),U128),U128))>>("composition: A carries after 3 steps of mode 0 of B, and 3 does not divide its extent 4");
    refused::<Composition<layout!((U4,U2,U2):(U8,U2,U1)), layout!((U6,U2,U2):(U1,U6,U12))>>("composition: A carries after 4 steps of mode 0 of B, and 4 does not divide its extent 6");
    refused::<Composition<layout!((U2,U2):(U4,U1)), layout!((U5):(U1))>>("composition: A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 5");
    refused::<Composition<layout!(((U2,U6),U2,U5,U8):((U4,U1),U2,U12,U120)), layout!((U2,(U5,U6),U5):(U1,(U6,U900),U90))>>("composition: A carries after 2 steps of mode 1 of B, and 2 does not divide its extent 5");
    refused::<Composition<layout!((U6,U4):(U1,U12)), layout!((U1,(U2,U5)):(U1,(U1,U2)))>>("composition: A carries after 3 steps of mode 1 of B, and 3 does not divide its extent 5");
    assert_type_eq!(Composition<layout!((U8,U2):(U1,U8)), layout!((U4,U2,U6):(U3,U0,U8))>, layout!((U4,U2,U6):(U3,U0,U8)));
    assert_type_eq!(Composition<layout!((U1,U3,U3,U6):(U1,U1,U3,U9)), layout!((U5,U1,U8):(U24,U1,U1))>, layout!((U5,U1,U8):(U24,U0,U1)));
    assert_type_eq!(Composition<layout!((U5,(U6,U6),U4):(U0,(U20,U120),U5)), layout!((U4,(U3,U5)):(U5,(U20,U5)))>, layout!((U4,(U3,U5)):(U20,(U80,U20))));
    assert_type_eq!(Composition<layout!((U6,U1,U1):(U8,U4,U7)), layout!((U3):(U1))>, layout!((U3):(U8)));
    assert_type_eq!(Composition<layout!((U3,((U4,U4),U5)):(U1,((U3,U12),U48))), layout!((U2,((((U2),(U5,U4)),U4),U1)):(U12,((((U16),(U32,U1)),U4),U16)))>, layout!((U2,((((U2),(U5,U4)),U4),U1)):(U12,((((U16),(U32,U1)),U4),U0))));
    assert_type_eq!(Composition<layout!((U1,U1,U8):(U5,U1,U3)), layout!(((U1),(((U8),U3),U3)):((U1),(((U9),U3),U1)))>, layout!(((U1),(((U8),U3),U3)):((U0),(((U27),U9),U3))));
    assert_type_eq!(Composition<layout!(U3:U1), layout!(U3:U1)>, layout!(U3:U1));
    assert_type_eq!(Composition<layout!((U8):(U1)), layout!((U3,U6):(U1,U6))>, layout!((U3,U6):(U1,U6)));
    assert_type_eq!(Composition<layout!((U8,U5,U4,U5):(U4,U32,U1,U160)), layout!(U5:U1)>, layout!(U5:U4));
    refused::<Composition<layout!((U2,(U4,U3),U2,(U4)):(U1,(U4,U16),U2,(U48))), layout!((U5,U3,U2):(U1,U5,U15))>>("composition: A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 5");
    refused::<Composition<layout!(((U3,U4),U6,U5):((U1,U180),U3,U36)), layout!(((U2,U6),U4,(U4,U3)):((U24,U1),U144,(U6,U48)))>>("composition: A carries after 2 steps of mode 2 of B, and 2 does not divide its extent 3");
    assert_type_eq!(Composition<layout!((U3,(U6,((U6,U8),U1))):(U1,(U3,((U18,U108),U864)))), layout!((U2,U2,U3):(U1,U2,U4))>, layout!((U2,U2,U3):(U1,U2,U4)));
    refused::<Composition<layout!((U3,U6):(U6,U1)), layout!((U3,(U2,U6),U4):(U4,(U72,U12),U1))>>("composition: A carries after 3 steps of mode 2 of B, and 3 does not divide its extent 4");
    assert_type_eq!(Composition<layout!((U8,U6,U4):(U1,U8,U48)), layout!(U3:U1)>, layout!(U3:U1));
    assert_type_eq!(Composition<layout!((U2,(U4,U5),(U2,U6),U2):(U480,(U2,U96),(U48,U8),U1)), layout!((U8):(U1))>, layout!(((U2,U4)):((U480,U2))));
    assert_type_eq!(Composition<layout!((U1,U2):(U1,U1)), layout!(U8:U1)>, layout!(U8:U1));
    assert_type_eq!(Composition<layout!((U2,U3):(U3,U1)), layout!(U2:U1)>, layout!(U2:U3));
    assert_type_eq!(Composition<layout!(U5:U1), layout!((U6,U2):(U1,U6))>, layout!((U6,U2):(U1,U6)));
    refused::<Composition<layout!((U2,U2,U3):(U12,U3,U1)), layout!(U3:U1)>>("composition: A carries after 2 steps of B, and 2 does not divide its extent 3");
    assert_type_eq!(Composition<layout!(U2:U1), layout!((U5,U2):(U12,U1))>, layout!((U5,U2):(U12,U1)));
    assert_type_eq!(Composition<layout!(U8:U1), layout!((U4,U1,U4):(U4,U4,U1))>, layout!((U4,U1,U4):(U4,U0,U1)));
    assert_type_eq!(Composition<layout!((U2,U1):(U1,U1)), layout!((U4,U8):(U8,U1))>, layout!((U4,(U2,U4)):(U4,(U1,U1))));
    refused::<Composition<layout!((U3,U2,U3,U2):(U12,U1,U2,U6)), layout!((U2,U8):(U8,U1))>>("composition: A carries after 3 steps of mode 1 of B, and 3 does not divide its extent 8");
    assert_type_eq!(Composition<layout!(((U3,U8),U2,U1):((U6,U18),U1,U144)), layout!(U6:U1)>, layout!(U6:U6));
    assert_type_eq!(Composition<layout!(U4:U1), layout!((U2,(((U2),U2),U5),U2):(U20,(((U240),U120),U1),U10))>, layout!((U2,(((U2),U2),U5),U2):(U20,(((U240),U120),U1),U10)));
    assert_type_eq!(Composition<layout!(U6:U7), layout!(((U2,(U8,U3))):((U1,(U6,U2))))>, layout!(((U2,(U8,U3))):((U7,(U42,U14)))));
    assert_type_eq!(Composition<layout!(((U8,U6),U2,U6):((U12,U2),U1,U96)), layout!((U3):(U1))>, layout!((U3):(U12)));
    assert_type_eq!(Composition<layout!(((U3)):((U1))), layout!((U2,U4):(U4,U1))>, layout!((U2,U4):(U4,U1)));
    assert_type_eq!(Composition<layout!((U2):(U1)), layout!((U3):(U1))>, layout!((U3):(U1)));
    assert_type_eq!(Composition<layout!((U8,U8,U4):(U1,U32,U8)), layout!(U1:U1)>, layout!(U1:U0));
    assert_type_eq!(Composition<layout!((U6,U5,U5):(U1,U6,U30)), layout!((U5,U1,U6):(U1,U1,U5))>, layout!((U5,U1,U6):(U1,U0,U5)));
}

#[test]
fn composition_by_mode() {
    assert_type_eq!(Composition<layout!((U2,U4,U6):(U48,U1,U4)), tile!(layout!((U1,U4):(U1,U2)), layout!((U3,U3):(U2,U1)), Keep)>, layout!(((U1,U4),(U3,U3),U6):((U0,U96),(U2,U1),U4)));
    assert_type_eq!(Composition<layout!((U2,U4):(U4,U1)), tile!(Keep)>, layout!((U2):(U4)));
    assert_type_eq!(Composition<layout!((U4,U8):(U1,U4)), tile!(layout!(U8:U0), layout!(U1:U1))>, layout!((U8,U1):(U0,U0)));
    refused::<Composition<layout!((U5,(U2,(U1,(U4)))):(U8,(U7,(U4,(U1))))), tile!(layout!(U1:U4), layout!(U1:U2), layout!(U4:U2))>>("composition: the tiler has 3 modes, more than the 2 of shape (5,(2,(1,(4))))");
    refused::<Composition<layout!((U2,U2):(U2,U12)), tile!(Keep, layout!((U2,U2):(U1,U1)), layout!(U3:U8))>>("composition: the tiler has 3 modes, more than the 2 of shape (2,2)");
    assert_type_eq!(Composition<layout!(U2:U11), tile!(Keep)>, layout!((U2):(U11)));
    assert_type_eq!(Composition<layout!((U6,U6,U2):(U1,U6,U11)), tile!(layout!(U2:U3), layout!(U2:U1), Keep)>, layout!((U2,U2,U2):(U3,U6,U11)));
    assert_type_eq!(Composition<layout!((U4,U6):(U1,U4)), tile!(layout!(U4:U2), layout!(U2:U1))>, layout!((U4,U2):(U2,U4)));
    assert_type_eq!(Composition<layout!((U3,U4,U4):(U16,U1,U4)), tile!(layout!(U4:U1))>, layout!((U4):(U16)));
    assert_type_eq!(Composition<layout!(U1:U1), tile!(layout!(U4:U2))>, layout!((U4):(U2)));
    refused::<Composition<layout!((U6,(U3,U2)):(U36,(U6,U1))), tile!(Keep, layout!((U8,U2):(U1,U1)))>>("composition: in mode 1, A carries after 3 steps of mode 0 of B, and 3 does not divide its extent 8");
    assert_type_eq!(Composition<layout!((U5,(U1),U4):(U1,(U5),U5)), tile!(Keep, layout!(U8:U3), layout!(U2:U1))>, layout!((U5,U8,U2):(U1,U15,U5)));
    assert_type_eq!(Composition<layout!((U2,U2):(U1,U2)), tile!(layout!((U6,U3):(U2,U2)))>, layout!(((U6,U3)):((U2,U2))));
    assert_type_eq!(Composition<layout!((U8,U3):(U1,U8)), tile!(layout!(U4:U8))>, layout!((U4):(U8)));
    assert_type_eq!(Composition<layout!((U3,U4):(U1,U3)), tile!(Keep)>, layout!((U3):(U1)));
    assert_type_eq!(Composition<layout!((U4,U6,U3):(U1,U3,U24)), tile!(layout!(U4:U2), layout!((U4,U2):(U8,U4)))>, layout!((U4,(U4,U2)):(U2,(U24,U12))));
    assert_type_eq!(Composition<layout!((U2,U1):(U1,U1)), tile!(layout!(U1:U1), layout!((U6,U2):(U4,U1)))>, layout!((U1,(U6,U2)):(U0,(U4,U1))));
    assert_type_eq!(Composition<layout!((U4):(U1)), tile!(layout!((U8,U4):(U1,U2)))>, layout!(((U8,U4)):((U1,U2))));
    assert_type_eq!(Composition<layout!((U3,U4):(U10,U3)), tile!(layout!((U8,U3):(U0,U3)), Keep)>, layout!(((U8,U3),U4):((U0,U30),U3)));
    assert_type_eq!(Composition<layout!((U4,U4,U2):(U1,U4,U16)), tile!(Keep, layout!(U6:U2))>, layout!((U4,U6):(U1,U8)));
    assert_type_eq!(Composition<layout!((U2,U6):(U6,U1)), tile!(layout!(U2:U1))>, layout!((U2):(U6)));
    assert_type_eq!(Composition<layout!(U1:U1), tile!(layout!((U2,U3):(U1,U1)))>, layout!(((U2,U3)):((U1,U1))));
    assert_type_eq!(Composition<layout!((U4,U8,(U2,U4)):(U2,U64,(U1,U8))), tile!(layout!((U2,U2):(U2,U2)), Keep, layout!((U6,U2):(U2,U5)))>, layout!(((U2,U2),U8,(U6,U2)):((U4,U4),U64,(U8,U17))));
    assert_type_eq!(Composition<layout!((U2,U1,(U2,U5)):(U40,U4,(U1,U8))), tile!(layout!((U6,U2):(U0,U2)), layout!(U4:U1))>, layout!(((U6,U2),U4):((U0,U80),U4)));
    assert_type_eq!(Composition<layout!((U2,((U6,U1),U4)):(U24,((U1,U6),U6))), tile!(Keep, Keep)>, layout!((U2,((U6,U1),U4)):(U24,((U1,U6),U6))));
    assert_type_eq!(Composition<layout!((U5,U4):(U12,U1)), tile!(layout!((U2,U2):(U4,U2)), layout!(U1:U1))>, layout!(((U2,U2),U1):((U48,U24),U0)));
    assert_type_eq!(Composition<layout!(((U8,U6),U4):((U1,U8),U48)), tile!(layout!(U4:U1))>, layout!((U4):(U1)));
    refused::<Composition<layout!((U2,U4,U6):(U12,U72,U1)), tile!(layout!(U4:U4), layout!((U4,U2):(U6,U4)), layout!(U2:U6), layout!(U4:U8))>>("composition: the tiler has 4 modes, more than the 3 of shape (2,4,6)");
    refused::<Composition<layout!((U6,U6,U8):(U1,U48,U6)), tile!(layout!(U4:U3), layout!(U4:U8), layout!(U6:U1), layout!(U1:U1))>>("composition: the tiler has 4 modes, more than the 3 of shape (6,6,8)");
    refused::<Composition<layout!(((U5,(U4,U8)),(U5,U6)):((U1,(U200,U25)),(U5,U800))), tile!(layout!(U8:U1), layout!(U8:U0))>>("composition: in mode 0, A carries after 5 steps of B, and 5 does not divide its extent 8");
}

#[test]
fn complement() {
    assert_type_eq!(Complement<layout!((U2,U1,U5):(U1,U2,U2)), U1>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U6,U8,(U2,(U4))):(U64,U4,(U32,(U1)))), U5>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!(U8:U1), U360>, layout!(U45:U8));
    assert_type_eq!(Complement<layout!((U4,U5,U2):(U1,U4,U20)), U1>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U3,U6):(U1,U3)), U128>, layout!(U8:U18));
    assert_type_eq!(Complement<layout!((U4,U2):(U1,U4)), U24>, layout!(U3:U8));
    assert_type_eq!(Complement<layout!((U5,U5,U4):(U180,U1,U15)), U1000>, layout!((U3,U3,U2):(U5,U60,U900)));
    assert_type_eq!(Complement<layout!((U1,U5,U4):(U1,U8,U1)), U128>, layout!((U2,U4):(U4,U40)));
    assert_type_eq!(Complement<layout!((U3,(U8,U2),U3):(U1,(U3,U24),U48)), U48>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!(((U8,U5),U3):((U3,U24),U1)), U360>, layout!(U3:U120));
    assert_type_eq!(Complement<layout!((U8,U6):(U1,U8)), U96>, layout!(U2:U48));
    assert_type_eq!(Complement<layout!((U2,U2,U1):(U1,U6,U36)), U5>, layout!(U3:U2));
    assert_type_eq!(Complement<layout!(U8:U1), U24>, layout!(U3:U8));
    assert_type_eq!(Complement<layout!(((U5,U5)):((U1,U5))), U24>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!(U6:U1), U128>, layout!(U22:U6));
    assert_type_eq!(Complement<layout!((U8,U6):(U1,U8)), U5>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U4,(U4),U2):(U1,(U4),U16)), U1000>, layout!(U32:U32));
    assert_type_eq!(Complement<layout!(U4:U12), U5>, layout!(U12:U1));
    assert_type_eq!(Complement<layout!(((U4,U8),U4):((U288,U1),U24)), U5>, layout!((U3,U3):(U8,U96)));
    assert_type_eq!(Complement<layout!((U6,U1):(U1,U6)), U24>, layout!(U4:U6));
    assert_type_eq!(Complement<layout!(U2:U1), U1>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U4,U4,U2):(U1,U4,U16)), U1000>, layout!(U32:U32));
    assert_type_eq!(Complement<layout!((U5,U4):(U4,U1)), U128>, layout!(U7:U20));
    assert_type_eq!(Complement<layout!(((U3,U8),U4,U1):((U1,U12),U3,U96)), U48>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!(U4:U1), U360>, layout!(U90:U4));
    assert_type_eq!(Complement<layout!((U4,(U4,U1)):(U1,(U4,U16))), U48>, layout!(U3:U16));
    assert_type_eq!(Complement<layout!((U3,(U3,(U5,U2)),U4):(U240,(U10,(U1,U720)),U60)), U128>, layout!((U2,U2):(U5,U30)));
    assert_type_eq!(Complement<layout!(((U1,U4),(U3)):((U3,U3),(U1))), U96>, layout!(U8:U12));
    assert_type_eq!(Complement<layout!(U1:U1), U1>, layout!(U1:U0));
    refused::<Complement<layout!((U3,U4,(U4,U2)):(U32,U9,(U2,U1))), U128>>("complement: stride 32 of mode 0 of the layout lies inside the 36 offsets that its smaller strides cover");
    assert_type_eq!(Complement<layout!(U5:U1), U1>, layout!(U1:U0));
    refused::<Complement<layout!((U4,U8,U4):(U8,U5,U32)), U24>>("complement: stride 8 of mode 0 of the layout lies inside the 40 offsets that its smaller strides cover");
    refused::<Complement<layout!((U1,U4,(U2,U6)):(U8,U1,(U1,U8))), U48>>("complement: stride 1 of mode 2 of the layout lies inside the 4 offsets that its smaller strides cover");
    refused::<Complement<layout!(((U4,U2),(U5,U4)):((U12,U80),(U5,U0))), U96>>("complement: stride 12 of mode 0 of the layout lies inside the 25 offsets that its smaller strides cover");
    refused::<Complement<layout!((U2,((U4,U4),(U3,U2)),U5):(U480,((U7,U40),(U160,U20)),U4)), U1>>("complement: stride 7 of mode 1 of the layout lies inside the 20 offsets that its smaller strides cover");
    refused::<Complement<layout!((((U2,U2),U4),U3,U6):(((U2,U9),U0),U96,U3)), U96>>("complement: stride 3 of mode 2 of the layout lies inside the 4 offsets that its smaller strides cover");
    refused::<Complement<layout!(((U2,U3),U1,(U6,U2)):((U9,U2),U10,(U12,U6))), U48>>("complement: stride 9 of mode 0 of the layout lies inside the 12 offsets that its smaller strides cover");
    refused::<Complement<layout!((U4,((U2,(U3,U3)),U6)):(U54,((U1,(U6,U12)),U1))), U360>>("complement: stride 1 of mode 1 of the layout lies inside the 2 offsets that its smaller strides cover");
}

#[test]
fn complement_in_a_shape() {
    assert_type_eq!(Complement<layout!(((U2,(U4,U3))):((U12,(U3,U1)))), tree!((U4,U8))>, layout!(U2:U24));
    assert_type_eq!(Complement<layout!((U4,U1,(U8,(U5))):(U240,U1,(U15,(U3)))), tree!((U3,U8,(U8,U1)))>, layout!((U3,U2):(U1,U120)));
    assert_type_eq!(Complement<layout!(U3:U1), tree!((U1))>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U2,U1,U3):(U1,U2,U2)), tree!(U3)>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!(U1:U1), tree!((U8,U2))>, layout!(U16:U1));
    assert_type_eq!(Complement<layout!((U4):(U1)), tree!((((U4,U6),U8),U2))>, layout!(U96:U4));
    assert_type_eq!(Complement<layout!((U1,U3):(U1,U1)), tree!((U5,U4,U6))>, layout!(U48:U3));
    refused::<Complement<layout!((U2,(((U1),U6),U2),U5):(U5,(((U120),U1),U12),U24)), tree!((U4,U5))>>("complement: stride 5 of mode 0 of the layout lies inside the 6 offsets that its smaller strides cover");
    assert_type_eq!(Complement<layout!((U5,U4):(U1,U5)), tree!(((U4,U4),U1,U4))>, layout!(U4:U20));
    assert_type_eq!(Complement<layout!((U1,U2,U5):(U15,U45,U1)), tree!((U4,U4,(U2,U1)))>, layout!(U9:U5));
    assert_type_eq!(Complement<layout!((U3,U3):(U1,U3)), tree!((U4,U8))>, layout!(U4:U9));
    assert_type_eq!(Complement<layout!((U6,U6):(U1,U10)), tree!((U5))>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U4,U5,U1):(U1,U0,U20)), tree!((U5,U4))>, layout!(U8:U4));
    assert_type_eq!(Complement<layout!(((U2),U8,U2):((U48),U6,U1)), tree!(U3)>, layout!(U3:U2));
    assert_type_eq!(Complement<layout!((U4,U3,U2):(U18,U1,U9)), tree!((U2,U1))>, layout!(U3:U3));
    assert_type_eq!(Complement<layout!((U2,U5,U3):(U1,U2,U10)), tree!((U5,U4))>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U8,U8,(U4,U2)):(U1,U8,(U64,U256))), tree!((U4,(U1),U5))>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!(((U5,U2),U8,U2):((U8,U80),U1,U160)), tree!(U2)>, layout!(U2:U40));
    assert_type_eq!(Complement<layout!(U4:U9), tree!(U6)>, layout!(U9:U1));
    assert_type_eq!(Complement<layout!((((U8,U8),U4),U8):(((U1,U8),U64),U256)), tree!((U5,U4))>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U4,U4,U6):(U1,U4,U16)), tree!((U8,U5,U3))>, layout!(U2:U96));
    assert_type_eq!(Complement<layout!(U4:U1), tree!(U4)>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!(U6:U1), tree!(U6)>, layout!(U1:U0));
    assert_type_eq!(Complement<layout!((U3,U4,U6):(U1,U108,U6)), tree!((U4,U4))>, layout!((U2,U3):(U3,U36)));
    assert_type_eq!(Complement<layout!(((U2,U2)):((U1,U2))), tree!((U8,(U3,(U6,(U3)))))>, layout!(U108:U4));
    refused::<Complement<layout!((((U1,U2),U2),U4,U2):(((U10,U4),U3),U7,U1)), tree!((U4))>>("complement: stride 4 of mode 0 of the layout lies inside the 6 offsets that its smaller strides cover");
    refused::<Complement<layout!((U3,(U4,U3)):(U9,(U1,U4))), tree!((U3,U1,U5))>>("complement: stride 9 of mode 0 of the layout lies inside the 12 offsets that its smaller strides cover");
    refused::<Complement<layout!((U5,U1,U4):(U11,U1,U5)), tree!((U3,U1))>>("complement: stride 11 of mode 0 of the layout lies inside the 20 offsets that its smaller strides cover");
    refused::<Complement<layout!((U4,(U5,U8)):(U1,(U10,U5))), tree!(((U8,U2),U3))>>("complement: stride 10 of mode 1 of the layout lies inside the 40 offsets that its smaller strides cover");
    refused::<Complement<layout!((U5,(U6,U2),U8):(U6,(U0,U5),U60)), tree!((U1,U4,((U5,(U4,(U2,(U2)))))))>>("complement: stride 6 of mode 0 of the layout lies inside the 10 offsets that its smaller strides cover");
}

#[test]
fn complement_in_cosize() {
    assert_type_eq!(ComplementInCosize<layout!((U6,(U2,U4),U2):(U1,(U6,U12),U48))>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!(U2:U1)>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!((U5):(U1))>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!(U6:U1)>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!((U4,U1):(U1,U12))>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!(((U3,U6),U1):((U6,U1),U1))>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!((U1,U5):(U1,U1))>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!((U2,U3,U1):(U1,U2,U6))>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!((U5,U4,U5):(U1,U5,U20))>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!((U6):(U1))>, layout!(U1:U0));
    assert_type_eq!(ComplementInCosize<layout!((U5,U6):(U1,U5))>, layout!(U1:U0));
    refused::<ComplementInCosize<layout!((U5,U2,(U1,U4)):(U8,U20,(U1,U1)))>>("complement: stride 20 of mode 1 of the layout lies inside the 40 offsets that its smaller strides cover");
    assert_type_eq!(ComplementInCosize<layout!(((U3,(U6,U6)),U5,U4):((U1,(U3,U18)),U108,U540))>, layout!(U1:U0));
    refused::<ComplementInCosize<layout!((U8,U5):(U4,U1))>>("complement: stride 4 of mode 0 of the layout lies inside the 5 offsets that its smaller strides cover");
    refused::<ComplementInCosize<layout!((U4,(U5,U3),U8):(U5,(U1,U20),U7))>>("complement: stride 7 of mode 2 of the layout lies inside the 20 offsets that its smaller strides cover");
    refused::<ComplementInCosize<layout!((U1,(U2,U2),U2):(U8,(U4,U11),U4))>>("complement: stride 4 of mode 2 of the layout lies inside the 8 offsets that its smaller strides cover");
}

#[test]
fn coalesce() {
    assert_type_eq!(Coalesce<layout!((U2,U1,U2):(U1,U2,U2))>, layout!(U4:U1));
    assert_type_eq!(Coalesce<layout!((U1,U3):(U1,U1))>, layout!(U3:U1));
    assert_type_eq!(Coalesce<layout!(U5:U1)>, layout!(U5:U1));
    assert_type_eq!(Coalesce<layout!((U1,U4):(U4,U1))>, layout!(U4:U1));
    assert_type_eq!(Coalesce<layout!((U8,U2):(U1,U8))>, layout!(U16:U1));
    assert_type_eq!(Coalesce<layout!(U3:U1)>, layout!(U3:U1));
    assert_type_eq!(Coalesce<layout!((U4,U2,U5):(U12,U1,U8))>, layout!((U4,U2,U5):(U12,U1,U8)));
    assert_type_eq!(Coalesce<layout!((U3,U4):(U12,U1))>, layout!((U3,U4):(U12,U1)));
    assert_type_eq!(Coalesce<layout!((U5,(U4,U6),(U1,U1),U1):(U24,(U6,U1),(U120,U6),U24))>, layout!((U5,U4,U6):(U24,U6,U1)));
    assert_type_eq!(Coalesce<layout!((U2,U8,(U4,U2)):(U2,U4,(U32,U1)))>, layout!((U64,U2):(U2,U1)));
    assert_type_eq!(Coalesce<layout!((U4,U4):(U1,U4))>, layout!(U16:U1));
    assert_type_eq!(Coalesce<layout!((U2,U4):(U12,U1))>, layout!((U2,U4):(U12,U1)));
    assert_type_eq!(Coalesce<layout!((U1,(U4,U4),U1,U8):(U1,(U1,U4),U16,U16))>, layout!(U128:U1));
    assert_type_eq!(Coalesce<layout!((U8,U2,U1,U5):(U6,U8,U7,U11))>, layout!((U8,U2,U5):(U6,U8,U11)));
    assert_type_eq!(Coalesce<layout!(((U6,U2),(U4,U6)):((U1,U6),(U12,U48)))>, layout!(U288:U1));
    assert_type_eq!(Coalesce<layout!(((U4,U1),U5,U2,U1,((U4,U8),U3)):((U960,U3),U24,U12,U3,((U3,U120),U1)))>, layout!((U4,U5,U2,U4,U8,U3):(U960,U24,U12,U3,U120,U1)));
    assert_type_eq!(Coalesce<layout!((U6,U6,U2,U1,U5):(U12,U1,U6,U72,U11))>, layout!((U6,U12,U5):(U12,U1,U11)));
    assert_type_eq!(Coalesce<layout!((U3,(U1,U6),U4):(U2,(U1,U96),U12))>, layout!((U3,U6,U4):(U2,U96,U12)));
    assert_type_eq!(Coalesce<layout!((U1,U2,U8,U8,U6):(U1,U6,U12,U96,U1))>, layout!((U128,U6):(U6,U1)));
    assert_type_eq!(Coalesce<layout!((U6,U4,U1):(U4,U1,U1))>, layout!((U6,U4):(U4,U1)));
    assert_type_eq!(Coalesce<layout!((U4,U2,U5):(U10,U4,U2))>, layout!((U4,U2,U5):(U10,U4,U2)));
    assert_type_eq!(Coalesce<layout!(U4:U1)>, layout!(U4:U1));
    assert_type_eq!(Coalesce<layout!((U1,U8):(U1,U11))>, layout!(U8:U11));
    assert_type_eq!(Coalesce<layout!(((U2),U8):((U1),U2))>, layout!(U16:U1));
    assert_type_eq!(Coalesce<layout!(U2:U1)>, layout!(U2:U1));
    assert_type_eq!(Coalesce<layout!((U3,(U3,U2),(U2,U1),U6):(U1,(U3,U9),(U18,U36),U36))>, layout!(U216:U1));
    assert_type_eq!(Coalesce<layout!((U1,U2,U2):(U4,U1,U4))>, layout!((U2,U2):(U1,U4)));
    assert_type_eq!(Coalesce<layout!(U6:U1)>, layout!(U6:U1));
    assert_type_eq!(Coalesce<layout!((U4,U1):(U1,U1))>, layout!(U4:U1));
    assert_type_eq!(Coalesce<layout!((U5):(U1))>, layout!(U5:U1));
}

#[test]
fn flatten() {
    assert_type_eq!(Flatten<layout!((U3,U4,U2):(U8,U1,U4))>, layout!((U3,U4,U2):(U8,U1,U4)));
    assert_type_eq!(Flatten<layout!((U4,U6):(U1,U4))>, layout!((U4,U6):(U1,U4)));
    assert_type_eq!(Flatten<layout!(((U6),U5,(U5,U8)):((U40),U8,(U240,U1)))>, layout!((U6,U5,U5,U8):(U40,U8,U240,U1)));
    assert_type_eq!(Flatten<layout!(U5:U1)>, layout!(U5:U1));
    assert_type_eq!(Flatten<layout!((U4,U6):(U6,U1))>, layout!((U4,U6):(U6,U1)));
    assert_type_eq!(Flatten<layout!((U3,(U8,U5),U4):(U1,(U3,U24),U120))>, layout!((U3,U8,U5,U4):(U1,U3,U24,U120)));
    assert_type_eq!(Flatten<layout!(U4:U1)>, layout!(U4:U1));
    assert_type_eq!(Flatten<layout!((U5,U3):(U1,U5))>, layout!((U5,U3):(U1,U5)));
    assert_type_eq!(Flatten<layout!(U1:U1)>, layout!(U1:U1));
    assert_type_eq!(Flatten<layout!(((U2,U6),U8,U1,U2):((U12,U1),U3,U192,U1))>, layout!((U2,U6,U8,U1,U2):(U12,U1,U3,U192,U1)));
    assert_type_eq!(Flatten<layout!((U8,U1):(U1,U1))>, layout!((U8,U1):(U1,U1)));
    assert_type_eq!(Flatten<layout!((U5,U1,U4,(U4,(U2,U1))):(U2,U40,U40,(U10,(U1,U40))))>, layout!((U5,U1,U4,U4,U2,U1):(U2,U40,U40,U10,U1,U40)));
    assert_type_eq!(Flatten<layout!((U3,U3,U5):(U1,U3,U9))>, layout!((U3,U3,U5):(U1,U3,U9)));
    assert_type_eq!(Flatten<layout!((U4):(U1))>, layout!((U4):(U1)));
    assert_type_eq!(Flatten<layout!(U6:U1)>, layout!(U6:U1));
    assert_type_eq!(Flatten<layout!((U8,U3):(U3,U1))>, layout!((U8,U3):(U3,U1)));
}

#[test]
fn logical_divide() {
    assert_type_eq!(LogicalDivide<layout!((U3,U6):(U1,U3)), layout!((U3,U2):(U1,U15))>, layout!(((U3,U2),U5):((U1,U15),U3)));
    refused::<LogicalDivide<layout!((U2,U4):(U1,U3)), layout!((U3,U2):(U6,U3))>>("logical_divide: A carries after 2 steps of the rest of the tiles, and 2 does not divide its extent 3");
    refused::<LogicalDivide<layout!((U6):(U1)), layout!((U8,U4):(U3,U5))>>("logical_divide: stride 5 of mode 1 of the tile lies inside the 24 offsets that its smaller strides cover");
    assert_type_eq!(LogicalDivide<layout!((U2,U4,U4):(U1,U2,U8)), layout!((U1,U4):(U6,U4))>, layout!(((U1,U4),(U4,U2)):((U0,U4),(U1,U16))));
    assert_type_eq!(LogicalDivide<layout!((U2,U2):(U1,U2)), layout!(U1:U0)>, layout!((U1,U4):(U0,U1)));
    assert_type_eq!(LogicalDivide<layout!((U8,(U8,U4)):(U8,(U1,U64))), layout!(U1:U1)>, layout!((U1,(U8,U8,U4)):(U0,(U8,U1,U64))));
    assert_type_eq!(LogicalDivide<layout!(((U3),U2):((U1),U3)), layout!(U8:U0)>, layout!((U8,U6):(U0,U1)));
    assert_type_eq!(LogicalDivide<layout!((U2,U5,U1):(U10,U1,U5)), layout!((U1,U2):(U4,U10))>, layout!(((U1,U2),(U2,U5)):((U0,U5),(U10,U1))));
    refused::<LogicalDivide<layout!(((U3,(U4,U4)),U6):((U4,(U72,U1)),U12)), layout!(U4:U2)>>("logical_divide: the steps of the tile together reach coordinate 3 in an extent of 3 of A");
    assert_type_eq!(LogicalDivide<layout!((U4,(U2,U4)):(U1,(U4,U8))), layout!(U4:U4)>, layout!((U4,(U4,U2)):(U4,(U1,U16))));
    assert_type_eq!(LogicalDivide<layout!((U2):(U8)), layout!(U4:U1)>, layout!((U4,U1):(U8,U0)));
    assert_type_eq!(LogicalDivide<layout!(((U4),U2,U2):((U1),U4,U8)), layout!(U2:U8)>, layout!((U2,U8):(U8,U1)));
    assert_type_eq!(LogicalDivide<layout!(U6:U1), layout!(U1:U2)>, layout!((U1,U6):(U0,U1)));
    assert_type_eq!(LogicalDivide<layout!(((U1,U2),U5):((U1,U1),U11)), layout!(U4:U1)>, layout!(((U2,U2),U3):((U1,U11),U22)));
    assert_type_eq!(LogicalDivide<layout!((U5,U3,U3):(U1,U5,U15)), layout!(U4:U3)>, layout!((U4,(U3,U4)):(U3,(U1,U12))));
    refused::<LogicalDivide<layout!((U4,U6,U4):(U6,U1,U24)), layout!(U4:U8)>>("logical_divide: A carries after 3 steps of the tile, and 3 does not divide its extent 4");
    assert_type_eq!(LogicalDivide<layout!(U8:U1), layout!(U4:U8)>, layout!((U4,U8):(U8,U1)));
    assert_type_eq!(LogicalDivide<layout!((U6,U8,U2):(U1,U6,U48)), layout!((U4,U2):(U0,U85))>, layout!(((U4,U2),U85):((U0,U85),U1)));
    assert_type_eq!(LogicalDivide<layout!(U8:U1), layout!(U1:U1)>, layout!((U1,U8):(U0,U1)));
    assert_type_eq!(LogicalDivide<layout!(((U5)):((U1))), layout!(U2:U1)>, layout!((U2,U3):(U1,U2)));
    refused::<LogicalDivide<layout!((U2,U6):(U1,U6)), layout!(U3:U1)>>("logical_divide: A carries after 2 steps of the tile, and 2 does not divide its extent 3");
    assert_type_eq!(LogicalDivide<layout!(((U3,(U1,U2)),U1):((U6,(U2,U18)),U1)), layout!(U2:U1)>, layout!((U2,U3):(U6,U12)));
    assert_type_eq!(LogicalDivide<layout!(U2:U1), layout!(U4:U0)>, layout!((U4,U2):(U0,U1)));
    refused::<LogicalDivide<layout!(U8:U1), layout!((U8,U2):(U1,U5))>>("logical_divide: stride 5 of mode 1 of the tile lies inside the 8 offsets that its smaller strides cover");
    assert_type_eq!(LogicalDivide<layout!((U4,U1):(U1,U4)), layout!(U4:U1)>, layout!((U4,U1):(U1,U0)));
    assert_type_eq!(LogicalDivide<layout!(((U8),((U6,U2),U4)):((U24),((U1,U192),U6))), layout!(U1:U0)>, layout!((U1,(U8,U6,U2,U4)):(U0,(U24,U1,U192,U6))));
    assert_type_eq!(LogicalDivide<layout!((U1,U5,U5):(U5,U1,U5)), layout!(U4:U8)>, layout!((U4,U8):(U8,U1)));
    refused::<LogicalDivide<layout!((U4,U3):(U1,U4)), layout!((U4,U4):(U4,U7))>>("logical_divide: stride 7 of mode 1 of the tile lies inside the 16 offsets that its smaller strides cover");
    assert_type_eq!(LogicalDivide<layout!(((U3,U8),(U4,U2),U4):((U1,U7),(U192,U24),U48)), layout!(U8:U0)>, layout!((U8,(U3,U8,U4,U8)):(U0,(U1,U7,U192,U24))));
    assert_type_eq!(LogicalDivide<layout!((U3,U2):(U1,U3)), layout!(U6:U2)>, layout!((U6,U2):(U2,U1)));
    refused::<LogicalDivide<layout!((U1,U8,U2):(U2,U2,U1)), layout!(U3:U4)>>("logical_divide: A carries after 2 steps of the tile, and 2 does not divide its extent 3");
    assert_type_eq!(LogicalDivide<layout!((U4,U2):(U1,U4)), layout!(U4:U1)>, layout!((U4,U2):(U1,U4)));
    assert_type_eq!(LogicalDivide<layout!(U4:U1), layout!(U4:U2)>, layout!((U4,U2):(U2,U1)));
    assert_type_eq!(LogicalDivide<layout!(((U2,U8)):((U1,U2))), layout!(U4:U1)>, layout!((U4,U4):(U1,U4)));
    assert_type_eq!(LogicalDivide<layout!(U6:U1), layout!(U4:U2)>, layout!((U4,U2):(U2,U1)));
    assert_type_eq!(LogicalDivide<layout!((U1,U3,((U4,U5),U1)):(U1,U20,((U5,U1),U5))), layout!((U6,U2):(U1,U6))>, layout!((((U3,U2),U2),U5):(((U20,U5),U10),U1)));
    assert_type_eq!(LogicalDivide<layout!(U4:U1), layout!((U2,U2):(U2,U4))>, layout!(((U2,U2),U2):((U2,U4),U1)));
    assert_type_eq!(LogicalDivide<layout!(((U3,U8),U6):((U1,U3),U24)), layout!(U8:U0)>, layout!((U8,U144):(U0,U1)));
    assert_type_eq!(LogicalDivide<layout!(((U6),U4):((U1),U6)), layout!(U4:U0)>, layout!((U4,U24):(U0,U1)));
    assert_type_eq!(LogicalDivide<layout!((U5,U2):(U1,U5)), layout!(U8:U0)>, layout!((U8,U10):(U0,U1)));
    assert_type_eq!(LogicalDivide<layout!((U6,U2):(U1,U6)), layout!(U4:U2)>, layout!((U4,(U2,U2)):(U2,(U1,U8))));
    assert_type_eq!(LogicalDivide<layout!(U4:U1), layout!(U1:U8)>, layout!((U1,U4):(U0,U1)));
    assert_type_eq!(LogicalDivide<layout!((U4,U6,U2):(U1,U8,U4)), layout!(U2:U2)>, layout!((U2,(U2,(U6,U2))):(U2,(U1,(U8,U4)))));
    refused::<LogicalDivide<layout!((U8,U6,U8):(U1,U8,U48)), layout!((U8,U2):(U3,U9))>>("logical_divide: stride 9 of mode 1 of the tile lies inside the 24 offsets that its smaller strides cover");
    assert_type_eq!(LogicalDivide<layout!((U2,U3,U4):(U1,U2,U6)), layout!(U3:U4)>, layout!((U3,(U4,U2)):(U4,(U1,U12))));
    refused::<LogicalDivide<layout!((U2,U4):(U8,U2)), layout!(U6:U3)>>("logical_divide: A carries after 2 steps of the rest of the tiles, and 2 does not divide its extent 3");
    assert_type_eq!(LogicalDivide<layout!((U2,U8,U4):(U10,U2,U16)), layout!(U4:U1)>, layout!(((U2,U2),U16):((U10,U2),U4)));
    assert_type_eq!(LogicalDivide<layout!(((U2,U8)):((U1,U6))), layout!(U8:U2)>, layout!((U8,U2):(U6,U1)));
    assert_type_eq!(LogicalDivide<layout!((U6,(U1),(U2,U4)):(U2,(U12),(U1,U12))), layout!(U6:U0)>, layout!((U6,(U6,U2,U4)):(U0,(U2,U1,U12))));
    assert_type_eq!(LogicalDivide<layout!((U2):(U1)), layout!((U2,U3):(U1,U2))>, layout!(((U2,U3),U1):((U1,U2),U0)));
    refused::<LogicalDivide<layout!((U5,U2,(U3,U6)):(U6,U1,(U2,U30))), layout!(U4:U2)>>("logical_divide: A carries after 3 steps of the tile, and 3 does not divide its extent 4");
    refused::<LogicalDivide<layout!(((U3,(U4)),U4,U4):((U64,(U16)),U4,U1)), layout!((U2,U4):(U0,U189))>>("logical_divide: the steps of the tile together reach coordinate 5 in an extent of 4 of A");
}

#[test]
fn logical_divide_by_mode() {
    assert_type_eq!(LogicalDivide<layout!(((U4,U8),U4):((U1,U4),U6)), tile!(layout!(U4:U4))>, layout!(((U4,(U4,U2)),U4):((U4,(U1,U16)),U6)));
    assert_type_eq!(LogicalDivide<layout!(U3:U1), tile!(layout!(U4:U2))>, layout!(((U4,U2)):((U2,U1))));
    assert_type_eq!(LogicalDivide<layout!(U8:U1), tile!(layout!(U4:U2))>, layout!(((U4,U2)):((U2,U1))));
    assert_type_eq!(LogicalDivide<layout!((U5,U2):(U1,U5)), tile!(layout!(U6:U2))>, layout!(((U6,U2),U2):((U2,U1),U5)));
    assert_type_eq!(LogicalDivide<layout!(U2:U1), tile!(layout!(U4:U6))>, layout!(((U4,U6)):((U6,U1))));
    refused::<LogicalDivide<layout!((U8,U3,(U4,U8)):(U1,U8,(U192,U0))), tile!(layout!((U4,U4):(U8,U4)), layout!((U1,U3):(U1,U2)))>>("logical_divide: in mode 0, stride 8 of mode 0 of the tile lies inside the 16 offsets that its smaller strides cover");
    assert_type_eq!(LogicalDivide<layout!(U4:U1), tile!(layout!(U2:U3))>, layout!(((U2,U3)):((U3,U1))));
    assert_type_eq!(LogicalDivide<layout!(U4:U1), tile!(layout!(U4:U3))>, layout!(((U4,U3)):((U3,U1))));
    assert_type_eq!(LogicalDivide<layout!((U8):(U1)), tile!(layout!(U3:U1))>, layout!(((U3,U3)):((U1,U3))));
    assert_type_eq!(LogicalDivide<layout!((U6):(U1)), tile!(layout!(U4:U1))>, layout!(((U4,U2)):((U1,U4))));
    refused::<LogicalDivide<layout!((U2):(U1)), tile!(layout!((U2,U3):(U1,U1)), Keep)>>("logical_divide: the tiler has 2 modes, more than the 1 of shape (2)");
    assert_type_eq!(LogicalDivide<layout!((U4,U1):(U1,U4)), tile!(layout!(U3:U1))>, layout!(((U3,U2),U1):((U1,U3),U4)));
    assert_type_eq!(LogicalDivide<layout!((U2,U1,U1):(U1,U2,U11)), tile!(layout!(U1:U4))>, layout!(((U1,U2),U1,U1):((U0,U1),U2,U11)));
    assert_type_eq!(LogicalDivide<layout!((U2,((U6,(((U2),U2),U2))),(U4,U3)):(U96,((U9,(((U3),U48),U2))),(U5,U2))), tile!(layout!(U4:U2))>, layout!(((U4,U2),((U6,(((U2),U2),U2))),(U4,U3)):((U192,U96),((U9,(((U3),U48),U2))),(U5,U2))));
    assert_type_eq!(LogicalDivide<layout!((U8,U5,U8):(U1,U6,U40)), tile!(layout!((U3,U4):(U0,U7)), layout!((U8,U3):(U8,U2)), layout!(U6:U2))>, layout!((((U3,U4),U7),((U8,U3),U2),(U6,U2)):(((U0,U7),U1),((U48,U12),U6),(U80,U40))));
    assert_type_eq!(LogicalDivide<layout!((U1):(U1)), tile!(layout!(U8:U0))>, layout!(((U8,U1)):((U0,U0))));
    assert_type_eq!(LogicalDivide<layout!((U4,((U5),U5)):(U1,((U4),U20))), tile!(layout!(U4:U0), layout!(U3:U8))>, layout!(((U4,U4),(U3,(U8,U2))):((U0,U1),(U32,(U4,U96)))));
    assert_type_eq!(LogicalDivide<layout!(U8:U1), tile!(Keep)>, layout!((U8):(U1)));
    assert_type_eq!(LogicalDivide<layout!((U5,U2):(U1,U5)), tile!(layout!(U3:U3), layout!(U6:U0))>, layout!(((U3,U3),(U6,U2)):((U3,U1),(U0,U5))));
    assert_type_eq!(LogicalDivide<layout!(U3:U1), tile!(layout!(U1:U4))>, layout!(((U1,U3)):((U0,U1))));
    refused::<LogicalDivide<layout!(U6:U1), tile!(layout!((U2,U2):(U3,U4)))>>("logical_divide: in mode 0, stride 4 of mode 1 of the tile lies inside the 6 offsets that its smaller strides cover");
    assert_type_eq!(LogicalDivide<layout!(((U4,(U8,U5)),U6):((U1,(U4,U32)),U160)), tile!(layout!(U1:U1), layout!(U3:U4))>, layout!(((U1,U160),(U3,U4)):((U0,U1),(U640,U160))));
    assert_type_eq!(LogicalDivide<layout!(U8:U1), tile!(layout!(U3:U1))>, layout!(((U3,U3)):((U1,U3))));
    refused::<LogicalDivide<layout!(((U2,U8),U4,U2):((U64,U8),U2,U1)), tile!(layout!((U3,U3):(U6,U13)))>>("logical_divide: in mode 0, stride 13 of mode 1 of the tile lies inside the 18 offsets that its smaller strides cover");
    assert_type_eq!(LogicalDivide<layout!((U4,U2):(U3,U9)), tile!(layout!((U1,U2):(U2,U1)), layout!(U4:U2))>, layout!((((U1,U2),U2),(U4,U2)):(((U0,U3),U6),(U18,U9))));
    assert_type_eq!(LogicalDivide<layout!((U2,U5,U4):(U1,U2,U10)), tile!(layout!((U6,U2):(U0,U2)), layout!(U2:U0), Keep)>, layout!((((U6,U2),U2),(U2,U5),U4):(((U0,U2),U1),(U0,U2),U10)));
    refused::<LogicalDivide<layout!((U8,U5):(U1,U8)), tile!(layout!(U3:U6), layout!((U4,U2):(U1,U1)))>>("logical_divide: in mode 1, stride 1 of mode 1 of the tile lies inside the 4 offsets that its smaller strides cover");
    assert_type_eq!(LogicalDivide<layout!(U6:U4), tile!(layout!((U4,U3):(U1,U4)))>, layout!((((U4,U3),U1)):(((U4,U16),U0))));
    assert_type_eq!(LogicalDivide<layout!((U3,U2,U5):(U10,U2,U6)), tile!(layout!((U8,U2):(U2,U1)), layout!(U4:U1))>, layout!((((U8,U2),U1),(U4,U1),U5):(((U20,U10),U0),(U2,U0),U6)));
    refused::<LogicalDivide<layout!((U3,U2):(U4,U1)), tile!(layout!((U3,U2):(U2,U2)))>>("logical_divide: in mode 0, stride 2 of mode 1 of the tile lies inside the 6 offsets that its smaller strides cover");
}

#[test]
fn zipped_divide() {
    refused::<ZippedDivide<layout!((U6,U4,U8):(U3,U1,U8)), layout!(U8:U4)>>("logical_divide: A carries after 3 steps of the tile, and 3 does not divide 4, what is left of its extent 8");
    refused::<ZippedDivide<layout!(U8:U1), tile!(Keep)>>("zipped_divide: in mode 0, _ needs a mode that is already a pair, not 8");
    assert_type_eq!(ZippedDivide<layout!((U1,U3):(U8,U11)), tile!(layout!(U4:U6))>, layout!(((U4),(U6,U3)):((U48),(U8,U11))));
    refused::<ZippedDivide<layout!((U2,U4):(U4,U1)), tile!(Keep, layout!(U1:U4))>>("zipped_divide: in mode 0, _ needs a mode that is already a pair, not 2");
    assert_type_eq!(ZippedDivide<layout!((U6,U1):(U1,U6)), tile!(layout!(U6:U6))>, layout!(((U6),(U6,U1)):((U6),(U1,U6))));
    refused::<ZippedDivide<layout!((U4,U8):(U8,U1)), tile!(layout!(U8:U1), layout!((U2,U4):(U3,U3)))>>("logical_divide: in mode 1, stride 3 of mode 1 of the tile lies inside the 6 offsets that its smaller strides cover");
    refused::<ZippedDivide<layout!((U5,U2,U1):(U1,U5,U10)), tile!(layout!((U8,U2):(U1,U3)))>>("logical_divide: in mode 0, stride 3 of mode 1 of the tile lies inside the 8 offsets that its smaller strides cover");
    assert_type_eq!(ZippedDivide<layout!((U6,U1):(U1,U6)), layout!(U2:U0)>, layout!((U2,U6):(U0,U1)));
    assert_type_eq!(ZippedDivide<layout!((U2,U1):(U2,U10)), tile!(layout!(U4:U3), layout!(U6:U1))>, layout!(((U4,U6),(U3,U1)):((U6,U10),(U2,U0))));
    refused::<ZippedDivide<layout!((U2,U8,U1):(U1,U2,U16)), tile!(layout!(U4:U4), Keep)>>("zipped_divide: in mode 1, _ needs a mode that is already a pair, not 8");
    assert_type_eq!(ZippedDivide<layout!((U2,U2):(U1,U4)), layout!((U4,U2):(U0,U1))>, layout!(((U4,U2),U2):((U0,U1),U4)));
    refused::<ZippedDivide<layout!((U6,U4,U1):(U36,U1,U12)), tile!(Keep, layout!(U8:U1))>>("zipped_divide: in mode 0, _ needs a mode that is already a pair, not 6");
    refused::<ZippedDivide<layout!((U4,U2,U3):(U1,U12,U4)), tile!(layout!((U2,U4):(U2,U1)))>>("logical_divide: in mode 0, stride 2 of mode 0 of the tile lies inside the 4 offsets that its smaller strides cover");
    assert_type_eq!(ZippedDivide<layout!((U8,U8,U8):(U1,U8,U64)), tile!(layout!((U1,U4):(U4,U5)), layout!(U4:U4))>, layout!((((U1,U4),U4),(U5,U4,U8)):(((U0,U5),U32),(U1,U8,U64))));
    assert_type_eq!(ZippedDivide<layout!((U6):(U1)), tile!(layout!(U2:U3))>, layout!(((U2),(U3)):((U3),(U1))));
    refused::<ZippedDivide<layout!((U3,(U2,U4)):(U1,(U3,U6))), tile!(layout!(U6:U0), Keep, tile!(layout!(U8:U6)))>>("logical_divide: the tiler has 3 modes, more than the 2 of shape (3,(2,4))");
    refused::<ZippedDivide<layout!((U4,U5):(U1,U4)), tile!(layout!(U1:U3), Keep)>>("zipped_divide: in mode 1, _ needs a mode that is already a pair, not 5");
    assert_type_eq!(ZippedDivide<layout!((U3):(U12)), tile!(layout!(U2:U1))>, layout!(((U2),(U2)):((U12),(U24))));
    refused::<ZippedDivide<layout!((U6,U4,U3):(U1,U6,U24)), tile!(Keep)>>("zipped_divide: in mode 0, _ needs a mode that is already a pair, not 6");
    assert_type_eq!(ZippedDivide<layout!(((U2,(U4,U2)),(U4,(U2,U2)),U2):((U128,(U1,U32)),(U4,(U2,U64)),U16)), tile!(Keep)>, layout!(((U2),((U4,U2),(U4,(U2,U2)),U2)):((U128),((U1,U32),(U4,(U2,U64)),U16))));
    assert_type_eq!(ZippedDivide<layout!((U4,U5,U2):(U1,U4,U20)), layout!(U4:U4)>, layout!((U4,(U4,U3)):(U4,(U1,U16))));
    assert_type_eq!(ZippedDivide<layout!((U2,U6):(U1,U4)), tile!(layout!((U8,U2):(U2,U1)))>, layout!((((U8,U2)),(U1,U6)):(((U2,U1)),(U0,U4))));
    refused::<ZippedDivide<layout!((U5,(U3,U2),U3):(U3,(U1,U10),U11)), layout!(U2:U1)>>("logical_divide: A carries after 2 steps of the rest of the tiles, and 2 does not divide 5, what is left of its extent 45");
    assert_type_eq!(ZippedDivide<layout!((U2,U2):(U1,U2)), tile!(layout!((U1,U3):(U3,U2)), layout!(U6:U0))>, layout!((((U1,U3),U6),(U2,U2)):(((U0,U2),U0),(U1,U2))));
    assert_type_eq!(ZippedDivide<layout!((U2,(U2,U3)):(U6,(U3,U1))), layout!(U1:U1)>, layout!((U1,(U2,U2,U3)):(U0,(U6,U3,U1))));
    assert_type_eq!(ZippedDivide<layout!(U2:U1), layout!(U6:U3)>, layout!((U6,U3):(U3,U1)));
    assert_type_eq!(ZippedDivide<layout!(U6:U1), tile!(layout!((U4,U2):(U6,U1)))>, layout!((((U4,U2)),(U3)):(((U6,U1)),(U2))));
    assert_type_eq!(ZippedDivide<layout!((U4,U5):(U1,U4)), tile!(layout!((U4,U2):(U8,U2)))>, layout!((((U4,U2)),((U2,U2),U5)):(((U8,U2)),((U1,U4),U4))));
    assert_type_eq!(ZippedDivide<layout!((U6,U3,U5):(U1,U6,U18)), tile!(layout!(U2:U1), layout!(U3:U2), layout!(U6:U1))>, layout!(((U2,U3,U6),(U3,U2,U1)):((U1,U12,U18),(U2,U6,U0))));
    assert_type_eq!(ZippedDivide<layout!((U1,U5,U3):(U30,U1,U10)), tile!(layout!((U6,U2):(U4,U1)), layout!((U4,U4):(U0,U5)))>, layout!((((U6,U2),(U4,U4)),(U2,U5,U3)):(((U120,U30),(U0,U5)),(U60,U1,U10))));
    assert_type_eq!(ZippedDivide<layout!(U4:U3), layout!(U3:U8)>, layout!((U3,U8):(U24,U3)));
    assert_type_eq!(ZippedDivide<layout!(((U8,U8),U2):((U1,U16),U8)), tile!(Keep)>, layout!(((U8),(U8,U2)):((U1),(U16,U8))));
    assert_type_eq!(ZippedDivide<layout!((U4,U8):(U8,U4)), tile!(layout!((U2,U4):(U0,U3)))>, layout!((((U2,U4)),(U3,U8)):(((U0,U24)),(U8,U4))));
    assert_type_eq!(ZippedDivide<layout!((U4,U8,U8):(U64,U1,U8)), tile!(layout!((U2,U2):(U0,U1)))>, layout!((((U2,U2)),(U2,U8,U8)):(((U0,U64)),(U128,U1,U8))));
    assert_type_eq!(ZippedDivide<layout!(((U2,U4)):((U1,U2))), tile!(layout!(U4:U3))>, layout!(((U4),(U3)):((U3),(U1))));
    assert_type_eq!(ZippedDivide<layout!((U4,U2):(U1,U4)), tile!(layout!(U6:U0), layout!((U2,U4):(U4,U1)))>, layout!(((U6,(U2,U4)),(U4,U1)):((U0,(U16,U4)),(U1,U0))));
    assert_type_eq!(ZippedDivide<layout!((U2,(U5,U5),U5):(U15,(U30,U300),U1)), tile!(layout!((U4,U3):(U0,U2)))>, layout!((((U4,U3)),(U2,(U5,U5),U5)):(((U0,U30)),(U15,(U30,U300),U1))));
    assert_type_eq!(ZippedDivide<layout!((U4,((U2,U5),U3)):(U1,((U4,U8),U40))), tile!(layout!(U6:U1), tile!(tile!(layout!(U6:U1)), layout!(U4:U1)))>, layout!(((U6,((U6),U4)),(U1,((U1,U5),U1))):((U1,((U4),U40)),(U0,((U0,U8),U0)))));
    assert_type_eq!(ZippedDivide<layout!((U4):(U1)), tile!(layout!(U4:U6))>, layout!(((U4),(U6)):((U6),(U1))));
    assert_type_eq!(ZippedDivide<layout!(U5:U3), tile!(layout!(U6:U1))>, layout!(((U6),(U1)):((U3),(U0))));
    assert_type_eq!(ZippedDivide<layout!((U8,U8):(U8,U1)), tile!(layout!((U2,U2):(U1,U8)))>, layout!((((U2,U2)),(U4,U8)):(((U8,U64)),(U16,U1))));
    assert_type_eq!(ZippedDivide<layout!((U2,U3,U1):(U9,U1,U1)), tile!(layout!((U8,U4):(U0,U2)))>, layout!((((U8,U4)),(U2,U3,U1)):(((U0,U18)),(U9,U1,U1))));
}

#[test]
fn tiled_divide() {
    refused::<TiledDivide<layout!((U3,U6):(U6,U1)), layout!((U1,U2):(U1,U10))>>("logical_divide: A carries after 3 steps of the rest of the tiles, and 3 does not divide its extent 10");
    assert_type_eq!(TiledDivide<layout!(((U8,U2),U2):((U1,U8),U16)), tile!(layout!(U4:U2), layout!(U2:U3))>, layout!(((U4,U2),(U2,U2),U3):((U2,U48),(U1,U8),U16)));
    assert_type_eq!(TiledDivide<layout!((U4,U4):(U1,U4)), layout!(U8:U2)>, layout!((U8,U2):(U2,U1)));
    assert_type_eq!(TiledDivide<layout!(U5:U1), layout!(U3:U6)>, layout!((U3,U6):(U6,U1)));
    refused::<TiledDivide<layout!((U1,U3,U1):(U1,U1,U1)), layout!(U4:U1)>>("logical_divide: A carries after 3 steps of the tile, and 3 does not divide its extent 4");
    refused::<TiledDivide<layout!(U3:U1), tile!(layout!((U1,U2):(U1,U2)), layout!(U1:U1))>>("logical_divide: the tiler has 2 modes, more than the 1 of shape 3");
    assert_type_eq!(TiledDivide<layout!((U8):(U1)), layout!(U4:U1)>, layout!((U4,U2):(U1,U4)));
    refused::<TiledDivide<layout!(U2:U1), tile!(layout!((U4,U2):(U1,U2)))>>("logical_divide: in mode 0, stride 2 of mode 1 of the tile lies inside the 4 offsets that its smaller strides cover");
    refused::<TiledDivide<layout!(U6:U1), Keep>>("zipped_divide: _ needs a mode that is already a pair, not 6");
    assert_type_eq!(TiledDivide<layout!(U1:U2), tile!(layout!(U2:U6))>, layout!(((U2),(U6)):((U12),(U2))));
    refused::<TiledDivide<layout!((U4,(U4,U2)):(U1,(U8,U4))), tile!(layout!((U2,U4):(U2,U3)))>>("logical_divide: in mode 0, stride 3 of mode 1 of the tile lies inside the 4 offsets that its smaller strides cover");
    assert_type_eq!(TiledDivide<layout!((U4,U6,U5):(U1,U20,U4)), tile!(layout!(U2:U2), layout!((U4,U2):(U1,U5)), layout!(U2:U1))>, layout!(((U2,(U4,U2),U2),U2,U1,U3):((U2,(U20,U100),U4),U1,U0,U8)));
    refused::<TiledDivide<layout!(U6:U1), tile!(layout!((U4,U2):(U3,U3)))>>("logical_divide: in mode 0, stride 3 of mode 1 of the tile lies inside the 12 offsets that its smaller strides cover");
    assert_type_eq!(TiledDivide<layout!((U1,U2):(U1,U1)), Keep>, layout!((U1,U2):(U1,U1)));
    assert_type_eq!(TiledDivide<layout!(U5:U1), tile!(layout!(U4:U2))>, layout!(((U4),(U2)):((U2),(U1))));
    assert_type_eq!(TiledDivide<layout!((U5,U5):(U15,U1)), tile!(layout!(U4:U3))>, layout!(((U4),U3,U5):((U45),U15,U1)));
    assert_type_eq!(TiledDivide<layout!((U2,U2):(U1,U2)), tile!(layout!(U6:U6), layout!(U1:U1))>, layout!(((U6,U1),U6,U2):((U6,U0),U1,U2)));
    assert_type_eq!(TiledDivide<layout!((U2,U8):(U1,U2)), tile!(layout!(U1:U3))>, layout!(((U1),U2,U8):((U0),U1,U2)));
    assert_type_eq!(TiledDivide<layout!((U8,U6):(U1,U24)), Keep>, layout!((U8,U6):(U1,U24)));
    assert_type_eq!(TiledDivide<layout!((U2,U3):(U3,U1)), Keep>, layout!((U2,U3):(U3,U1)));
    refused::<TiledDivide<layout!(U4:U1), Keep>>("zipped_divide: _ needs a mode that is already a pair, not 4");
    assert_type_eq!(TiledDivide<layout!(U6:U1), tile!(layout!(U6:U1))>, layout!(((U6),(U1)):((U1),(U0))));
    assert_type_eq!(TiledDivide<layout!((U3,U8):(U8,U1)), layout!(U1:U2)>, layout!((U1,U3,U8):(U0,U8,U1)));
    assert_type_eq!(TiledDivide<layout!((U3):(U1)), tile!(layout!(U4:U3))>, layout!(((U4),(U3)):((U3),(U1))));
    assert_type_eq!(TiledDivide<layout!((U2,(U4),U2):(U1,(U4),U2)), tile!(layout!(U1:U3), tile!(layout!((U4,U4):(U8,U1))), layout!(U1:U2))>, layout!(((U1,((U4,U4)),U1),U2,(U2),U2):((U0,((U32,U4)),U0),U1,(U16),U2)));
    assert_type_eq!(TiledDivide<layout!((U4):(U1)), tile!(layout!((U4,U2):(U2,U1)))>, layout!((((U4,U2)),(U1)):(((U2,U1)),(U0))));
    assert_type_eq!(TiledDivide<layout!(U4:U11), layout!(U4:U2)>, layout!((U4,U2):(U22,U11)));
    assert_type_eq!(TiledDivide<layout!(((U1,U6),U3):((U18,U1),U6)), Keep>, layout!(((U1,U6),U3):((U18,U1),U6)));
}

#[test]
fn flat_divide() {
    refused::<FlatDivide<layout!((U1):(U1)), Keep>>("zipped_divide: _ needs a mode that is already a pair, not (1)");
    assert_type_eq!(FlatDivide<layout!(U4:U1), tile!(layout!(U1:U1))>, layout!(((U1),(U4)):((U0),(U1))));
    refused::<FlatDivide<layout!((U5,U4,U2):(U1,U5,U20)), tile!(Keep, layout!((U4,U2):(U1,U2)), layout!((U1,U2):(U3,U1)))>>("logical_divide: in mode 1, stride 2 of mode 1 of the tile lies inside the 4 offsets that its smaller strides cover");
    assert_type_eq!(FlatDivide<layout!((U2,(U2,U4)):(U24,(U1,U6))), tile!(layout!(U4:U6))>, layout!(((U4),U6,(U2,U4)):((U144),U24,(U1,U6))));
    assert_type_eq!(FlatDivide<layout!((U1,U3):(U1,U1)), tile!(layout!((U8,U2):(U2,U1)), layout!(U2:U8))>, layout!(((U8,U2),U2,U1,U8):((U2,U1),U8,U0,U1)));
    assert_type_eq!(FlatDivide<layout!((U2,U2):(U1,U2)), layout!(U3:U4)>, layout!((U3,U4):(U4,U1)));
    assert_type_eq!(FlatDivide<layout!((U5,U5):(U1,U5)), tile!(layout!(U8:U1))>, layout!(((U8),U1,U5):((U1),U0,U5)));
    refused::<FlatDivide<layout!(((U4,U6),U3,U3):((U486,U1),U18,U54)), tile!(layout!(U4:U6))>>("logical_divide: in mode 0, A carries after 4 steps of the rest of the tiles, and 4 does not divide its extent 6");
    refused::<FlatDivide<layout!((U4,U6,U8):(U1,U12,U144)), Keep>>("zipped_divide: _ needs a mode that is already a pair, not (4,6,8)");
    assert_type_eq!(FlatDivide<layout!((U1,U1):(U1,U1)), layout!((U3,U3):(U4,U1))>, layout!((U3,U3,U1):(U4,U1,U0)));
    refused::<FlatDivide<layout!((U4,U3,U4):(U4,U16,U1)), Keep>>("zipped_divide: _ needs a mode that is already a pair, not (4,3,4)");
    assert_type_eq!(FlatDivide<layout!((U5,U4):(U1,U5)), layout!(U6:U2)>, layout!((U6,U2,U2):(U2,U1,U12)));
    refused::<FlatDivide<layout!((((U8,U1),U4),U8,U5):(((U7,U160),U1),U160,U4)), Keep>>("zipped_divide: _ needs a mode that is already a pair, not (((8,1),4),8,5)");
    refused::<FlatDivide<layout!((U3,U6):(U6,U1)), tile!(layout!((U4,U2):(U1,U2)), layout!((U6,U2):(U6,U6)))>>("logical_divide: in mode 0, stride 2 of mode 1 of the tile lies inside the 4 offsets that its smaller strides cover");
    assert_type_eq!(FlatDivide<layout!(U8:U1), tile!(layout!(U2:U1))>, layout!(((U2),(U4)):((U1),(U2))));
    refused::<FlatDivide<layout!((U4,U8,U6):(U1,U4,U32)), tile!(Keep, Keep)>>("zipped_divide: in mode 0, _ needs a mode that is already a pair, not 4");
    assert_type_eq!(FlatDivide<layout!((U3,U4,(U6,(U4,U5))):(U1,U3,(U12,(U72,U288)))), tile!(layout!(U2:U1))>, layout!(((U2),U2,U4,(U6,(U4,U5))):((U1),U2,U3,(U12,(U72,U288)))));
    assert_type_eq!(FlatDivide<layout!(U2:U1), layout!(U3:U6)>, layout!((U3,U6):(U6,U1)));
    assert_type_eq!(FlatDivide<layout!((U4,U4,U1):(U4,U1,U12)), tile!(layout!(U2:U8), layout!((U6,U2):(U0,U3)), layout!((U3,U2):(U8,U1)))>, layout!((U2,(U6,U2),(U3,U2),U8,U3,U4):(U32,(U0,U3),(U96,U12),U4,U1,U24)));
    assert_type_eq!(FlatDivide<layout!((U6,U5):(U5,U1)), Keep>, layout!((U6,U5):(U5,U1)));
    assert_type_eq!(FlatDivide<layout!((U2):(U1)), tile!(layout!(U3:U0))>, layout!(((U3),(U2)):((U0),(U1))));
    assert_type_eq!(FlatDivide<layout!(U1:U1), tile!(layout!(U2:U3))>, layout!(((U2),(U3)):((U3),(U1))));
    assert_type_eq!(FlatDivide<layout!((U2,(U6)):(U6,(U1))), layout!(U6:U6)>, layout!((U6,U2,U3):(U3,U6,U1)));
    assert_type_eq!(FlatDivide<layout!((U2,U4):(U1,U2)), layout!(U1:U1)>, layout!((U1,U8):(U0,U1)));
    assert_type_eq!(FlatDivide<layout!((U6,(U4,U6),U2):(U12,(U72,U1),U6)), layout!(U6:U0)>, layout!((U6,U24,U12):(U0,U12,U1)));
    assert_type_eq!(FlatDivide<layout!((U5,U2):(U2,U1)), tile!(layout!(U2:U1))>, layout!(((U2),U3,U2):((U2),U4,U1)));
    assert_type_eq!(FlatDivide<layout!((U5,U1):(U4,U1)), tile!(layout!(U2:U1), layout!(U2:U2))>, layout!((U2,U2,U3,U2):(U4,U2,U8,U1)));
    assert_type_eq!(FlatDivide<layout!(U3:U1), layout!(U4:U1)>, layout!((U4,U1):(U1,U0)));
}

#[test]
fn zipped_product() {
    assert_type_eq!(ZippedProduct<layout!((U2,(((U8,U2)),(U3))):(U16,(((U7,U8)),(U32)))), tile!(layout!(U8:U2))>, layout!(((U2),(U8,(((U8,U2)),(U3)))):((U16),(U2,(((U7,U8)),(U32))))));
    refused::<ZippedProduct<layout!(U5:U1), Keep>>("zipped_product: _ needs a mode that is already a pair, not 5");
    refused::<ZippedProduct<layout!((U2,U2,U1):(U2,U1,U4)), Keep>>("zipped_product: _ needs a mode that is already a pair, not (2,2,1)");
    assert_type_eq!(ZippedProduct<layout!((((U1,U2),U4),U4,U8):(((U1,U1),U2),U8,U32)), layout!(U1:U2)>, layout!(((((U1,U2),U4),U4,U8),U1):((((U1,U1),U2),U8,U32),U0)));
    assert_type_eq!(ZippedProduct<layout!(U2:U1), tile!(layout!((U2,U2):(U6,U1)))>, layout!(((U2),((U2,U2))):((U1),((U12,U2)))));
    assert_type_eq!(ZippedProduct<layout!((U4,U2):(U1,U4)), tile!(layout!((U4,U3):(U3,U1)))>, layout!(((U4),((U4,U3),U2)):((U1),((U12,U4),U4))));
    assert_type_eq!(ZippedProduct<layout!((U5,(U4,U2)):(U1,(U5,U20))), Keep>, layout!((U5,(U4,U2)):(U1,(U5,U20))));
    assert_type_eq!(ZippedProduct<layout!((U2,U1,U1):(U1,U2,U2)), tile!(layout!(U6:U2))>, layout!(((U2),(U6,U1,U1)):((U1),(U4,U2,U2))));
    refused::<ZippedProduct<layout!((U4,U6,((U1,U1),U2)):(U6,U1,((U24,U1),U24))), tile!(layout!(U8:U1), layout!(U4:U6), layout!(U4:U2), layout!((U4,U3):(U1,U2)))>>("logical_product: the tiler has 4 modes, more than the 3 of shape (4,6,((1,1),2))");
    refused::<ZippedProduct<layout!((U1,U8,U4):(U1,U4,U1)), tile!(layout!(U2:U3), layout!(U2:U1), Keep)>>("zipped_product: in mode 2, _ needs a mode that is already a pair, not 4");
    assert_type_eq!(ZippedProduct<layout!((U1,U6):(U1,U1)), layout!(U1:U4)>, layout!(((U1,U6),U1):((U1,U1),U0)));
    assert_type_eq!(ZippedProduct<layout!(U2:U3), tile!(layout!(U1:U3))>, layout!(((U2),(U1)):((U3),(U0))));
    refused::<ZippedProduct<layout!((U8,U3,U3):(U1,U8,U72)), Keep>>("zipped_product: _ needs a mode that is already a pair, not (8,3,3)");
    refused::<ZippedProduct<layout!(U8:U1), Keep>>("zipped_product: _ needs a mode that is already a pair, not 8");
    assert_type_eq!(ZippedProduct<layout!(U2:U1), tile!(layout!(U3:U2))>, layout!(((U2),(U3)):((U1),(U4))));
    assert_type_eq!(ZippedProduct<layout!(((U2)):((U1))), tile!(layout!(U4:U1))>, layout!((((U2)),(U4)):(((U1)),(U2))));
    refused::<ZippedProduct<layout!((U2,U2,(U1,(U8))):(U1,U2,(U4,(U4)))), Keep>>("zipped_product: _ needs a mode that is already a pair, not (2,2,(1,(8)))");
    assert_type_eq!(ZippedProduct<layout!(U4:U1), tile!(layout!(U4:U6))>, layout!(((U4),(U4)):((U1),(U24))));
    refused::<ZippedProduct<layout!((U2,U5):(U1,U2)), tile!(layout!((U6,U3):(U1,U2)), Keep)>>("zipped_product: in mode 1, _ needs a mode that is already a pair, not 5");
    assert_type_eq!(ZippedProduct<layout!((U8):(U1)), layout!(U2:U3)>, layout!(((U8),U2):((U1),U24)));
    assert_type_eq!(ZippedProduct<layout!(((U1,U4),U2):((U24,U1),U4)), Keep>, layout!(((U1,U4),U2):((U24,U1),U4)));
    assert_type_eq!(ZippedProduct<layout!(((U1),U8):((U8),U1)), tile!(layout!(U4:U2), layout!(U2:U4))>, layout!((((U1),U8),(U4,U2)):(((U8),U1),(U2,U32))));
    assert_type_eq!(ZippedProduct<layout!(((U4,U6),U2):((U1,U4),U24)), Keep>, layout!(((U4,U6),U2):((U1,U4),U24)));
    assert_type_eq!(ZippedProduct<layout!((U6,U1,U4):(U4,U1,U1)), tile!(layout!(U2:U2), layout!(U8:U2))>, layout!(((U6,U1),(U2,U8,U4)):((U4,U1),(U2,U2,U1))));
    assert_type_eq!(ZippedProduct<layout!(U2:U1), layout!(U1:U2)>, layout!((U2,U1):(U1,U0)));
    assert_type_eq!(ZippedProduct<layout!((U4,U3):(U1,U4)), tile!(layout!((U8,U4):(U8,U2)))>, layout!(((U4),((U8,U4),U3)):((U1),((U32,U8),U4))));
    assert_type_eq!(ZippedProduct<layout!((U2):(U1)), tile!(layout!(U1:U2))>, layout!(((U2),(U1)):((U1),(U0))));
    assert_type_eq!(ZippedProduct<layout!((U1,U4):(U1,U2)), tile!(layout!((U2,U2):(U2,U1)), layout!(U4:U8))>, layout!(((U1,U4),((U2,U2),U4)):((U1,U2),((U2,U1),U32))));
}

#[test]
fn tiled_product() {
    refused::<TiledProduct<layout!((U6):(U1)), tile!(Keep)>>("zipped_product: in mode 0, _ needs a mode that is already a pair, not 6");
    assert_type_eq!(TiledProduct<layout!(U4:U1), tile!(layout!((U3,U2):(U8,U3)))>, layout!(((U4),((U3,U2))):((U1),((U32,U12)))));
    refused::<TiledProduct<layout!((U4):(U1)), tile!(Keep)>>("zipped_product: in mode 0, _ needs a mode that is already a pair, not 4");
    refused::<TiledProduct<layout!((U6,U5):(U5,U1)), tile!(Keep)>>("zipped_product: in mode 0, _ needs a mode that is already a pair, not 6");
    assert_type_eq!(TiledProduct<layout!((U2,U4):(U8,U1)), tile!(layout!(U8:U0))>, layout!(((U2),U8,U4):((U8),U0,U1)));
    assert_type_eq!(TiledProduct<layout!((U6,U1):(U1,U6)), layout!(U1:U1)>, layout!(((U6,U1),U1):((U1,U6),U0)));
    assert_type_eq!(TiledProduct<layout!((U4,U4):(U1,U12)), layout!(U3:U6)>, layout!(((U4,U4),U3):((U1,U12),U96)));
    refused::<TiledProduct<layout!(U4:U6), tile!(layout!(U8:U2))>>("logical_product: in mode 0, the complement of A carries after 3 steps of B, and 3 does not divide its extent 8");
    assert_type_eq!(TiledProduct<layout!(U2:U1), tile!(layout!(U4:U6))>, layout!(((U2),(U4)):((U1),(U12))));
    assert_type_eq!(TiledProduct<layout!((U3):(U1)), tile!(layout!(U4:U1))>, layout!(((U3),(U4)):((U1),(U3))));
    assert_type_eq!(TiledProduct<layout!((U2,U2,U6):(U1,U2,U4)), tile!(layout!((U1,U4):(U8,U2)))>, layout!(((U2),(U1,U4),U2,U6):((U1),(U0,U4),U2,U4)));
    assert_type_eq!(TiledProduct<layout!((U4,U4):(U4,U1)), layout!(U1:U6)>, layout!(((U4,U4),U1):((U4,U1),U0)));
    assert_type_eq!(TiledProduct<layout!((U4,U2):(U1,U4)), tile!(layout!((U6,U2):(U8,U1)))>, layout!(((U4),(U6,U2),U2):((U1),(U32,U4),U4)));
    assert_type_eq!(TiledProduct<layout!((U4,U6,U6):(U1,U4,U24)), tile!(layout!(U6:U1), layout!((U4,U3):(U6,U4)), layout!(U4:U1))>, layout!(((U4,U6,U6),U6,((U2,U2),U3),U4):((U1,U4,U24),U4,((U26,U72),U24),U1)));
    refused::<TiledProduct<layout!((U6):(U1)), tile!(Keep, layout!((U2,U4):(U2,U1)))>>("logical_product: the tiler has 2 modes, more than the 1 of shape (6)");
    assert_type_eq!(TiledProduct<layout!((U5,U4,U1):(U1,U5,U5)), layout!(U3:U2)>, layout!(((U5,U4,U1),U3):((U1,U5,U5),U40)));
    assert_type_eq!(TiledProduct<layout!(U5:U1), layout!(U4:U1)>, layout!((U5,U4):(U1,U5)));
    assert_type_eq!(TiledProduct<layout!((U8,U3):(U10,U1)), Keep>, layout!((U8,U3):(U10,U1)));
    assert_type_eq!(TiledProduct<layout!((U3,U1,(U1,U2)):(U1,U3,(U3,U3))), tile!(layout!((U8,U2):(U1,U1)), layout!(U2:U1))>, layout!(((U3,U1),(U8,U2),U2,(U1,U2)):((U1,U3),(U3,U3),U1,(U3,U3))));
    refused::<TiledProduct<layout!(U8:U1), Keep>>("zipped_product: _ needs a mode that is already a pair, not 8");
    refused::<TiledProduct<layout!(((U5,U4)):((U1,U10))), Keep>>("zipped_product: _ needs a mode that is already a pair, not ((5,4))");
    assert_type_eq!(TiledProduct<layout!((U4,(U2,U8),U3):(U8,(U32,U10),U64)), tile!(layout!(U6:U8))>, layout!(((U4),U6,(U2,U8),U3):((U8),U32,(U32,U10),U64)));
    refused::<TiledProduct<layout!(U1:U1), Keep>>("zipped_product: _ needs a mode that is already a pair, not 1");
    assert_type_eq!(TiledProduct<layout!((U8,(U2)):(U2,(U1))), tile!(layout!(U2:U2), tile!(layout!((U2,U2):(U1,U1))))>, layout!(((U8,(U2)),U2,((U2,U2))):((U2,(U1)),U16,((U2,U2)))));
    assert_type_eq!(TiledProduct<layout!((U8,U4):(U12,U1)), Keep>, layout!((U8,U4):(U12,U1)));
    assert_type_eq!(TiledProduct<layout!((U6,U5,U8):(U5,U1,U0)), layout!(U1:U1)>, layout!(((U6,U5,U8),U1):((U5,U1,U0),U0)));
    assert_type_eq!(TiledProduct<layout!(U5:U1), tile!(layout!(U2:U8))>, layout!(((U5),(U2)):((U1),(U40))));
    assert_type_eq!(TiledProduct<layout!((((U4,U4))):(((U1,U4)))), tile!(layout!(U4:U6))>, layout!(((((U4,U4))),(U4)):((((U1,U4))),(U96))));
}

#[test]
fn flat_product() {
    refused::<FlatProduct<layout!((U1,U2):(U2,U7)), tile!(layout!((U8,U3):(U6,U1)), layout!((U2,U4):(U1,U2)))>>("logical_product: in mode 1, the steps of B together reach coordinate 7 in an extent of 7 of the complement of A");
    assert_type_eq!(FlatProduct<layout!((U8,U3):(U1,U8)), tile!(layout!(U8:U8))>, layout!(((U8),U8,U3):((U1),U64,U8)));
    assert_type_eq!(FlatProduct<layout!(U8:U1), tile!(layout!((U2,U2):(U4,U8)))>, layout!(((U8),((U2,U2))):((U1),((U32,U64)))));
    assert_type_eq!(FlatProduct<layout!((U8,U1,U8):(U1,U64,U8)), layout!((U3,U2):(U1,U2))>, layout!((U8,U1,U8,U3,U2):(U1,U64,U8,U64,U128)));
    refused::<FlatProduct<layout!((U4,U2):(U2,U1)), tile!(layout!((U6,U3):(U2,U3)))>>("logical_product: in mode 0, the complement of A carries after 2 steps of mode 1 of B, and 2 does not divide its extent 3");
    assert_type_eq!(FlatProduct<layout!((U6,U5):(U1,U6)), layout!((U8,U2):(U1,U20))>, layout!((U6,U5,U8,U2):(U1,U6,U30,U600)));
    refused::<FlatProduct<layout!(((U6,U2),U1,U1):((U1,U6),U12,U12)), tile!(layout!((U3,U2):(U2,U2)), layout!((U2,U4):(U8,U1)), layout!(U6:U0), layout!((U4,U2):(U2,U1)))>>("logical_product: the tiler has 4 modes, more than the 3 of shape ((6,2),1,1)");
    assert_type_eq!(FlatProduct<layout!((U2,U1,U1):(U1,U1,U1)), layout!((U3,U4):(U2,U2))>, layout!((U2,U1,U1,U3,U4):(U1,U1,U1,U4,U4)));
    refused::<FlatProduct<layout!((U6,U3,U4):(U1,U6,U18)), tile!(layout!(U6:U1), layout!(U4:U4), layout!((U6,U2):(U4,U2)))>>("logical_product: in mode 1, the steps of B together reach coordinate 6 in an extent of 6 of the complement of A");
    refused::<FlatProduct<layout!(U4:U1), Keep>>("zipped_product: _ needs a mode that is already a pair, not 4");
    refused::<FlatProduct<layout!((U4,U6,U2):(U1,U4,U24)), Keep>>("zipped_product: _ needs a mode that is already a pair, not (4,6,2)");
    assert_type_eq!(FlatProduct<layout!(((U3,(U4,U5)),(U2,U2)):((U12,(U9,U9)),(U0,U120))), Keep>, layout!((U3,(U4,U5),U2,U2):(U12,(U9,U9),U0,U120)));
    assert_type_eq!(FlatProduct<layout!(U8:U1), tile!(layout!(U4:U1))>, layout!(((U8),(U4)):((U1),(U8))));
    assert_type_eq!(FlatProduct<layout!((U2,U2,U5):(U2,U1,U8)), tile!(layout!(U1:U4))>, layout!(((U2),U1,U2,U5):((U2),U0,U1,U8)));
    refused::<FlatProduct<layout!((U4):(U1)), Keep>>("zipped_product: _ needs a mode that is already a pair, not (4)");
    assert_type_eq!(FlatProduct<layout!((U2):(U1)), tile!(layout!(U8:U1))>, layout!(((U2),(U8)):((U1),(U2))));
    assert_type_eq!(FlatProduct<layout!((U3,U4):(U4,U1)), Keep>, layout!((U3,U4):(U4,U1)));
    refused::<FlatProduct<layout!((U4,U5,U1):(U5,U1,U5)), tile!(layout!(U2:U0), Keep)>>("zipped_product: in mode 1, _ needs a mode that is already a pair, not 5");
    assert_type_eq!(FlatProduct<layout!(U1:U1), tile!(layout!(U1:U1))>, layout!(((U1),(U1)):((U1),(U0))));
    assert_type_eq!(FlatProduct<layout!((U2,U6):(U1,U2)), tile!(layout!((U3,U2):(U4,U1)))>, layout!(((U2),(U3,U2),U6):((U1),(U8,U2),U2)));
    assert_type_eq!(FlatProduct<layout!((U6,U1):(U1,U6)), Keep>, layout!((U6,U1):(U1,U6)));
    assert_type_eq!(FlatProduct<layout!(((U4,U2),U2):((U1,U8),U4)), Keep>, layout!((U4,U2,U2):(U1,U8,U4)));
    assert_type_eq!(FlatProduct<layout!((U8):(U1)), tile!(layout!(U1:U2))>, layout!(((U8),(U1)):((U1),(U0))));
    assert_type_eq!(FlatProduct<layout!((U3):(U1)), layout!(U2:U2)>, layout!(((U3),U2):((U1),U6)));
    assert_type_eq!(FlatProduct<layout!((U4,(U4)):(U4,(U1))), tile!(layout!(U8:U1), layout!((U2,U2):(U0,U4)))>, layout!((U4,(U4),(U4,U2),(U2,U2)):(U4,(U1),(U1,U16),(U0,U16))));
    assert_type_eq!(FlatProduct<layout!(U2:U1), tile!(layout!((U4,U3):(U2,U2)))>, layout!(((U2),((U4,U3))):((U1),((U4,U4)))));
    assert_type_eq!(FlatProduct<layout!((U1,U1):(U1,U1)), tile!(layout!(U8:U1))>, layout!(((U1),U8,U1):((U1),U1,U1)));
    assert_type_eq!(FlatProduct<layout!((U1,(U4,U2)):(U1,(U6,U1))), tile!(layout!((U4,U2):(U2,U1)))>, layout!(((U1),(U4,U2),(U4,U2)):((U1),(U2,U1),(U6,U1))));
}

#[test]
fn local_tile() {
    refused::<LocalTile<layout!((U8,U1):(U1,U8)), tile!(layout!(U4:U1), Keep)>>("zipped_divide: in mode 1, _ needs a mode that is already a pair, not 1");
    refused::<LocalTile<layout!(U1:U1), tile!(Keep)>>("zipped_divide: in mode 0, _ needs a mode that is already a pair, not 1");
    refused::<LocalTile<layout!((U1,(U3,U2),U8):(U24,(U8,U24),U1)), tile!(layout!(U2:U6), layout!(U1:U1), layout!((U3,U4):(U8,U4)))>>("logical_divide: in mode 2, stride 8 of mode 0 of the tile lies inside the 16 offsets that its smaller strides cover");
    assert_type_eq!(LocalTile<layout!((U2,(U1)):(U1,(U10))), tile!(layout!((U1,U2):(U2,U1)))>, layout!((((U1,U2))):(((U0,U1)))));
    assert_type_eq!(LocalTile<layout!((U4,U4):(U4,U1)), tile!(layout!(U1:U4))>, layout!(((U1)):((U0))));
    assert_type_eq!(LocalTile<layout!(U6:U1), tile!(layout!(U1:U8))>, layout!(((U1)):((U0))));
    refused::<LocalTile<layout!((U6,U6):(U3,U6)), tile!(layout!((U6,U3):(U4,U3)), Keep)>>("logical_divide: in mode 0, stride 4 of mode 0 of the tile lies inside the 9 offsets that its smaller strides cover");
    assert_type_eq!(LocalTile<layout!((U8,U5):(U1,U8)), tile!(layout!(U8:U8))>, layout!(((U8)):((U8))));
    refused::<LocalTile<layout!((U4,U6):(U1,U4)), tile!(layout!((U4,U2):(U4,U3)), Keep)>>("logical_divide: in mode 0, stride 4 of mode 0 of the tile lies inside the 6 offsets that its smaller strides cover");
    assert_type_eq!(LocalTile<layout!(U3:U1), tile!(layout!((U2,U2):(U2,U1)))>, layout!((((U2,U2))):(((U2,U1)))));
    assert_type_eq!(LocalTile<layout!((U8,(U8,U5)):(U5,(U3,U64))), tile!(layout!(U1:U1), tile!(layout!(U2:U8)))>, layout!((U1,(U2)):(U0,(U24))));
    assert_type_eq!(LocalTile<layout!((U8,U8):(U1,U8)), tile!(layout!(U6:U8), layout!((U1,U2):(U2,U1)))>, layout!((U6,(U1,U2)):(U8,(U0,U8))));
    refused::<LocalTile<layout!(U8:U1), tile!(Keep, Keep)>>("logical_divide: the tiler has 2 modes, more than the 1 of shape 8");
    assert_type_eq!(LocalTile<layout!((U2):(U1)), tile!(layout!(U4:U6))>, layout!(((U4)):((U6))));
    assert_type_eq!(LocalTile<layout!((U4,U8):(U8,U1)), tile!(layout!(U6:U6), layout!((U6,U2):(U0,U5)))>, layout!((U6,(U6,U2)):(U48,(U0,U5))));
    assert_type_eq!(LocalTile<layout!(((U8,U1),U5):((U5,U40),U1)), tile!(tile!(layout!(U3:U1)), layout!(U8:U4))>, layout!(((U3),U8):((U5),U4)));
    assert_type_eq!(LocalTile<layout!(U5:U1), tile!(layout!(U8:U3))>, layout!(((U8)):((U3))));
    assert_type_eq!(LocalTile<layout!(((U2,U8),U4,U4):((U1,U2),U16,U64)), tile!(Keep)>, layout!(((U2)):((U1))));
    assert_type_eq!(LocalTile<layout!((U3,U3):(U9,U1)), tile!(layout!((U6,U4):(U0,U1)))>, layout!((((U6,U4))):(((U0,U9)))));
    assert_type_eq!(LocalTile<layout!((U4,U3):(U3,U1)), tile!(layout!((U8,U2):(U3,U1)))>, layout!((((U8,U2))):(((U9,U3)))));
    assert_type_eq!(LocalTile<layout!(U6:U1), tile!(layout!((U4,U2):(U8,U4)))>, layout!((((U4,U2))):(((U8,U4)))));
    assert_type_eq!(LocalTile<layout!((U2,U1,U8):(U1,U2,U2)), tile!(layout!(U4:U0))>, layout!(((U4)):((U0))));
}

#[test]
fn local_partition() {
    refused::<LocalPartition<layout!((U2,U4):(U4,U1)), layout!(U5:U1)>>("logical_divide: A carries after 2 steps of the tile, and 2 does not divide its extent 5");
    assert_type_eq!(LocalPartition<layout!((U5,U4):(U4,U1)), layout!((U6):(U1))>, layout!((U1,U4):(U0,U1)));
    refused::<LocalPartition<layout!((U4):(U6)), layout!((U4,U2):(U2,U1))>>("logical_divide: the tiler has 2 modes, more than the 1 of shape (4)");
    refused::<LocalPartition<layout!((U4,U2,U3):(U6,U5,U1)), layout!(U5:U1)>>("logical_divide: A carries after 4 steps of the tile, and 4 does not divide its extent 5");
    assert_type_eq!(LocalPartition<layout!((U2,U3,(((((U1,U6))),U2),U2)):(U1,U2,(((((U6,U6))),U36),U72))), layout!(U3:U1)>, layout!((U48):(U3)));
    assert_type_eq!(LocalPartition<layout!((U1,U5,U4):(U4,U8,U1)), layout!((U8):(U1))>, layout!((U1,U5,U4):(U0,U8,U1)));
    assert_type_eq!(LocalPartition<layout!((U5,U5,((U3,U5),U3)):(U1,U5,((U25,U75),U375))), layout!((U5,U6):(U6,U1))>, layout!((U1,U1,((U3,U5),U3)):(U0,U0,((U25,U75),U375))));
    assert_type_eq!(LocalPartition<layout!((U4,U8,U2):(U1,U4,U32)), layout!((U8,U2):(U1,U8))>, layout!((U1,U4,U2):(U0,U8,U32)));
    assert_type_eq!(LocalPartition<layout!((U4,U2):(U1,U4)), layout!(((U4,(U8))):((U1,(U4))))>, layout!((U1,U2):(U0,U4)));
    refused::<LocalPartition<layout!((U6):(U1)), layout!((U8,U4):(U1,U8))>>("logical_divide: the tiler has 2 modes, more than the 1 of shape (6)");
    assert_type_eq!(LocalPartition<layout!(U2:U1), layout!((U4):(U9))>, layout!(((U1)):((U0))));
    assert_type_eq!(LocalPartition<layout!(U6:U1), layout!(U1:U1)>, layout!((U6):(U1)));
    assert_type_eq!(LocalPartition<layout!(U6:U1), layout!(((U5,(U6))):((U1,(U15))))>, layout!(((U1)):((U0))));
    assert_type_eq!(LocalPartition<layout!((U2,U4,(U5)):(U1,U2,(U8))), layout!(U4:U1)>, layout!((U10):(U4)));
    assert_type_eq!(LocalPartition<layout!((U4,U3,U4):(U48,U8,U1)), layout!((U4,U6):(U6,U1))>, layout!((U1,U1,U4):(U0,U0,U1)));
    assert_type_eq!(LocalPartition<layout!((U5,U8):(U1,U5)), layout!((U4):(U1))>, layout!((U2,U8):(U4,U5)));
    assert_type_eq!(LocalPartition<layout!((U6,U4,U5):(U5,U1,U10)), layout!((U3,U5):(U10,U1))>, layout!((U2,U1,U5):(U15,U0,U10)));
    assert_type_eq!(LocalPartition<layout!((U2,U4):(U8,U4)), layout!((U2,U4):(U1,U2))>, layout!((U1,U1):(U0,U0)));
    assert_type_eq!(LocalPartition<layout!((U4,U1):(U1,U1)), layout!((U8,U2):(U1,U8))>, layout!((U1,U1):(U0,U0)));
    assert_type_eq!(LocalPartition<layout!(U2:U1), layout!(U1:U1)>, layout!((U2):(U1)));
}

#[test]
fn logical_product() {
    refused::<LogicalProduct<layout!((U6,U4):(U2,U6)), layout!((U3,(U3,(U8,U4))):(U864,(U1,(U36,U3))))>>("logical_product: stride 6 of mode 1 of A lies inside the 12 offsets that its smaller strides cover");
    refused::<LogicalProduct<layout!((U4,(U3,(U4,(U5,U5)))):(U900,(U1,(U15,(U180,U3))))), layout!(U4:U1)>>("logical_product: the complement of A carries after 3 steps of B, and 3 does not divide its extent 4");
    assert_type_eq!(LogicalProduct<layout!((U8,U4):(U1,U8)), layout!((U8,U4):(U1,U8))>, layout!(((U8,U4),(U8,U4)):((U1,U8),(U32,U256))));
    assert_type_eq!(LogicalProduct<layout!((U3,U1):(U1,U3)), layout!((U1,U2):(U1,U1))>, layout!(((U3,U1),(U1,U2)):((U1,U3),(U0,U3))));
    assert_type_eq!(LogicalProduct<layout!(U3:U1), layout!((U6):(U1))>, layout!((U3,(U6)):(U1,(U3))));
    refused::<LogicalProduct<layout!((((U6,U2))):(((U11,U3)))), layout!(U3:U11)>>("logical_product: the complement of A carries after 2 steps of B, and 2 does not divide its extent 3");
    assert_type_eq!(LogicalProduct<layout!(U3:U1), layout!(U2:U1)>, layout!((U3,U2):(U1,U3)));
    assert_type_eq!(LogicalProduct<layout!((U8):(U1)), layout!((U2):(U1))>, layout!(((U8),(U2)):((U1),(U8))));
    assert_type_eq!(LogicalProduct<layout!(U3:U1), layout!(U6:U1)>, layout!((U3,U6):(U1,U3)));
    assert_type_eq!(LogicalProduct<layout!(U2:U1), layout!((U4,U5):(U5,U1))>, layout!((U2,(U4,U5)):(U1,(U10,U2))));
    assert_type_eq!(LogicalProduct<layout!((U5,U2):(U1,U5)), layout!((U2,U2):(U1,U2))>, layout!(((U5,U2),(U2,U2)):((U1,U5),(U10,U20))));
    assert_type_eq!(LogicalProduct<layout!((U1,U2):(U2,U1)), layout!(((U3,U8)):((U1,U3)))>, layout!(((U1,U2),((U3,U8))):((U2,U1),((U2,U6)))));
    refused::<LogicalProduct<layout!((((U2,U2),U5)):(((U4,U10),U2))), layout!(U1:U1)>>("logical_product: stride 4 of mode 0 of A lies inside the 10 offsets that its smaller strides cover");
    assert_type_eq!(LogicalProduct<layout!((U2,U2):(U1,U2)), layout!((U8,U8):(U1,U16))>, layout!(((U2,U2),(U8,U8)):((U1,U2),(U4,U64))));
    refused::<LogicalProduct<layout!(((U4,U3),U2):((U8,U8),U4)), layout!((U2,U2):(U1,U2))>>("logical_product: stride 8 of mode 0 of A lies inside the 32 offsets that its smaller strides cover");
    assert_type_eq!(LogicalProduct<layout!(U4:U1), layout!((U6,(U6,U5)):(U0,(U2,U36)))>, layout!((U4,(U6,(U6,U5))):(U1,(U0,(U8,U144)))));
    refused::<LogicalProduct<layout!((U4,U1):(U3,U4)), layout!((U4):(U1))>>("logical_product: the complement of A carries after 3 steps of mode 0 of B, and 3 does not divide its extent 4");
    assert_type_eq!(LogicalProduct<layout!(U1:U1), layout!(U2:U1)>, layout!((U1,U2):(U1,U1)));
    assert_type_eq!(LogicalProduct<layout!(U8:U1), layout!((U5,(U3,U6)):(U54,(U18,U1)))>, layout!((U8,(U5,(U3,U6))):(U1,(U432,(U144,U8)))));
    assert_type_eq!(LogicalProduct<layout!((U8):(U1)), layout!(((U3,U2),U4):((U8,U1),U1))>, layout!(((U8),((U3,U2),U4)):((U1),((U64,U8),U8))));
    assert_type_eq!(LogicalProduct<layout!((U5,U4):(U4,U1)), layout!(U4:U1)>, layout!(((U5,U4),U4):((U4,U1),U20)));
    assert_type_eq!(LogicalProduct<layout!((U1,U4):(U1,U2)), layout!(U6:U1)>, layout!(((U1,U4),(U2,U3)):((U1,U2),(U1,U8))));
    assert_type_eq!(LogicalProduct<layout!(U5:U1), layout!(U4:U1)>, layout!((U5,U4):(U1,U5)));
    assert_type_eq!(LogicalProduct<layout!(U8:U1), layout!((U4):(U0))>, layout!((U8,(U4)):(U1,(U0))));
    assert_type_eq!(LogicalProduct<layout!(U4:U1), layout!(U2:U1)>, layout!((U4,U2):(U1,U4)));
    assert_type_eq!(LogicalProduct<layout!((U2,(U1,U6)):(U1,(U5,U2))), layout!((U6):(U1))>, layout!(((U2,(U1,U6)),(U6)):((U1,(U5,U2)),(U12))));
    assert_type_eq!(LogicalProduct<layout!(U1:U1), layout!(U6:U1)>, layout!((U1,U6):(U1,U1)));
    assert_type_eq!(LogicalProduct<layout!((U1):(U1)), layout!(((U2,U1),(U5,U4)):((U1,U2),(U2,U10)))>, layout!(((U1),((U2,U1),(U5,U4))):((U1),((U1,U0),(U2,U10)))));
    assert_type_eq!(LogicalProduct<layout!(((U6,U4)):((U1,U6))), layout!(U4:U1)>, layout!((((U6,U4)),U4):(((U1,U6)),U24)));
    refused::<LogicalProduct<layout!(((U2,U4),(U6,U4)):((U1,U4),(U48,U288))), layout!((U4,U4):(U1,U8))>>("logical_product: the complement of A carries after 3 steps of mode 1 of B, and 3 does not divide its extent 4");
    assert_type_eq!(LogicalProduct<layout!(U1:U1), layout!(((U2,U4)):((U4,U1)))>, layout!((U1,((U2,U4))):(U1,((U4,U1)))));
    assert_type_eq!(LogicalProduct<layout!((U2,U1):(U1,U2)), layout!((U4,U2):(U2,U1))>, layout!(((U2,U1),(U4,U2)):((U1,U2),(U4,U2))));
    assert_type_eq!(LogicalProduct<layout!(U3:U1), layout!(U3:U1)>, layout!((U3,U3):(U1,U3)));
    assert_type_eq!(LogicalProduct<layout!((U3,U4):(U1,U3)), layout!(U4:U1)>, layout!(((U3,U4),U4):((U1,U3),U12)));
    assert_type_eq!(LogicalProduct<layout!((U1,U5):(U10,U1)), layout!((U1,U2):(U1,U1))>, layout!(((U1,U5),(U1,U2)):((U10,U1),(U0,U5))));
    assert_type_eq!(LogicalProduct<layout!((U8,((U6,U3))):(U6,((U1,U48)))), layout!((U3,U3):(U1,U3))>, layout!(((U8,((U6,U3))),(U3,U3)):((U6,((U1,U48))),(U144,U432))));
    assert_type_eq!(LogicalProduct<layout!((U4,U4):(U1,U4)), layout!(U3:U1)>, layout!(((U4,U4),U3):((U1,U4),U16)));
    assert_type_eq!(LogicalProduct<layout!((U1,U4):(U1,U1)), layout!(U2:U11)>, layout!(((U1,U4),U2):((U1,U1),U44)));
    assert_type_eq!(LogicalProduct<layout!((U4,U5):(U5,U1)), layout!(U5:U1)>, layout!(((U4,U5),U5):((U5,U1),U20)));
    assert_type_eq!(LogicalProduct<layout!((U2,U3):(U3,U1)), layout!(U4:U12)>, layout!(((U2,U3),U4):((U3,U1),U72)));
    assert_type_eq!(LogicalProduct<layout!((U2,((U4,U2),U5)):(U1,((U2,U8),U16))), layout!((U3):(U1))>, layout!(((U2,((U4,U2),U5)),(U3)):((U1,((U2,U8),U16)),(U80))));
    assert_type_eq!(LogicalProduct<layout!(U6:U1), layout!(((U2,U8),(U1,U2)):((U4,U16),(U4,U1)))>, layout!((U6,((U2,U8),(U1,U2))):(U1,((U24,U96),(U0,U6)))));
    assert_type_eq!(LogicalProduct<layout!(U8:U1), layout!(U8:U1)>, layout!((U8,U8):(U1,U8)));
    refused::<LogicalProduct<layout!((U4,U3):(U2,U4)), layout!((U8,U6):(U1,U8))>>("logical_product: stride 4 of mode 1 of A lies inside the 8 offsets that its smaller strides cover");
    refused::<LogicalProduct<layout!(((U2,U2),U8):((U2,U1),U12)), layout!((U6,U5):(U5,U1))>>("logical_product: the complement of A carries after 3 steps of mode 1 of B, and 3 does not divide its extent 5");
    refused::<LogicalProduct<layout!((U3,(U4,U4)):(U9,(U12,U1))), layout!((U4):(U1))>>("logical_product: stride 12 of mode 1 of A lies inside the 27 offsets that its smaller strides cover");
}

#[test]
fn logical_product_by_mode() {
    assert_type_eq!(LogicalProduct<layout!((U4):(U1)), tile!(layout!(U2:U0))>, layout!(((U4,U2)):((U1,U0))));
    assert_type_eq!(LogicalProduct<layout!(U3:U9), tile!(layout!(U2:U0))>, layout!(((U3,U2)):((U9,U0))));
    refused::<LogicalProduct<layout!(U4:U1), tile!(layout!((U2,U3):(U2,U3)), Keep)>>("logical_product: the tiler has 2 modes, more than the 1 of shape 4");
    assert_type_eq!(LogicalProduct<layout!(U4:U1), tile!(Keep)>, layout!((U4):(U1)));
    refused::<LogicalProduct<layout!((U6,U8):(U1,U6)), tile!(Keep, layout!(U4:U8), Keep)>>("logical_product: the tiler has 3 modes, more than the 2 of shape (6,8)");
    assert_type_eq!(LogicalProduct<layout!((U4):(U1)), tile!(layout!((U2,U2):(U0,U4)))>, layout!(((U4,(U2,U2))):((U1,(U0,U16)))));
    assert_type_eq!(LogicalProduct<layout!((U2):(U1)), tile!(layout!(U3:U2))>, layout!(((U2,U3)):((U1,U4))));
    assert_type_eq!(LogicalProduct<layout!(((U1,U4),U3,U5):((U120,U10),U120,U1)), tile!(layout!(U2:U8), Keep, layout!(U8:U6))>, layout!((((U1,U4),U2),U3,(U5,U8)):(((U120,U10),U8),U120,(U1,U30))));
    refused::<LogicalProduct<layout!((U6,U4):(U1,U6)), tile!(layout!(U4:U2), layout!((U4,U2):(U2,U2)))>>("logical_product: in mode 1, the complement of A carries after 3 steps of mode 0 of B, and 3 does not divide its extent 4");
    assert_type_eq!(LogicalProduct<layout!((U4,U2):(U1,U4)), tile!(layout!(U2:U2))>, layout!(((U4,U2),U2):((U1,U8),U4)));
    assert_type_eq!(LogicalProduct<layout!((U3,U4):(U2,U3)), tile!(Keep, layout!(U2:U4))>, layout!((U3,(U4,U2)):(U2,(U3,U13))));
    assert_type_eq!(LogicalProduct<layout!((U8,U6):(U1,U24)), tile!(layout!((U1,U2):(U0,U4)))>, layout!(((U8,(U1,U2)),U6):((U1,(U0,U32)),U24)));
    assert_type_eq!(LogicalProduct<layout!(U6:U1), tile!(Keep)>, layout!((U6):(U1)));
    assert_type_eq!(LogicalProduct<layout!(((U2,U4),U2):((U1,U4),U2)), tile!(Keep, layout!(U2:U2))>, layout!(((U2,U4),(U2,U2)):((U1,U4),(U2,U4))));
    assert_type_eq!(LogicalProduct<layout!(U3:U1), tile!(Keep)>, layout!((U3):(U1)));
    assert_type_eq!(LogicalProduct<layout!((U4,U4):(U4,U4)), tile!(Keep)>, layout!((U4,U4):(U4,U4)));
    assert_type_eq!(LogicalProduct<layout!((U4,U2,U3):(U1,U4,U8)), tile!(layout!((U6,U3):(U1,U1)), layout!(U6:U8))>, layout!(((U4,(U6,U3)),(U2,U6),U3):((U1,(U4,U4)),(U4,U16),U8)));
    assert_type_eq!(LogicalProduct<layout!((U4,U4):(U1,U4)), tile!(layout!(U2:U4), layout!((U4,U2):(U2,U1)))>, layout!(((U4,U2),(U4,((U2,U2),U2))):((U1,U16),(U4,((U2,U16),U1)))));
    assert_type_eq!(LogicalProduct<layout!(U3:U1), tile!(layout!(U6:U3))>, layout!(((U3,U6)):((U1,U9))));
    refused::<LogicalProduct<layout!(((U1,U2),U4):((U1,U4),U1)), tile!(layout!((U4,U2):(U2,U2)), layout!(U3:U8))>>("logical_product: in mode 0, the steps of B together reach coordinate 4 in an extent of 4 of the complement of A");
}

#[test]
fn blocked_product() {
    assert_type_eq!(BlockedProduct<layout!(U2:U1), layout!((U4,(U1,U2),U2):(U1,(U4,U4),U8))>, layout!(((U2,U4),(U1,(U1,U2)),(U1,U2)):((U1,U2),(U0,(U0,U8)),(U0,U16))));
    assert_type_eq!(BlockedProduct<layout!(U3:U1), layout!(((U8,U6),U4):((U1,U8),U48))>, layout!(((U3,(U8,U6)),(U1,U4)):((U1,(U3,U24)),(U0,U144))));
    assert_type_eq!(BlockedProduct<layout!((U2):(U1)), layout!((U6,U4):(U12,U1))>, layout!(((U2,U6),(U1,U4)):((U1,U24),(U0,U2))));
    assert_type_eq!(BlockedProduct<layout!((U8,U6):(U6,U1)), layout!((U8,U2):(U1,U8))>, layout!(((U8,U8),(U6,U2)):((U6,U48),(U1,U384))));
    assert_type_eq!(BlockedProduct<layout!((U2,U2,U6):(U2,U1,U4)), layout!((U4,U2):(U1,U1))>, layout!(((U2,U4),(U2,U2),(U6,U1)):((U2,U24),(U1,U24),(U4,U0))));
    refused::<BlockedProduct<layout!((U3,U2):(U7,U3)), layout!((U1,U8,U8):(U64,U8,U1))>>("logical_product: the complement of A carries after 3 steps of mode 1 of B, and 3 does not divide 4, what is left of its extent 8");
    assert_type_eq!(BlockedProduct<layout!(U1:U1), layout!((U3,U2,U4):(U1,U3,U6))>, layout!(((U1,U3),(U1,U2),(U1,U4)):((U1,U1),(U0,U3),(U0,U6))));
    assert_type_eq!(BlockedProduct<layout!(U3:U1), layout!((U2,U5):(U5,U1))>, layout!(((U3,U2),(U1,U5)):((U1,U15),(U0,U3))));
    assert_type_eq!(BlockedProduct<layout!((U5,U2,U2):(U1,U5,U10)), layout!(((U1,U8),U8,U6):((U48,U48),U5,U1))>, layout!(((U5,(U1,U8)),(U2,U8),(U2,U6)):((U1,(U0,U960)),(U5,U100),(U10,U20))));
    assert_type_eq!(BlockedProduct<layout!((U2,U4):(U1,U4)), layout!((U2,U1):(U1,U1))>, layout!(((U2,U2),(U4,U1)):((U1,U2),(U4,U0))));
    assert_type_eq!(BlockedProduct<layout!((U2,U3):(U1,U2)), layout!((U2,U8):(U1,U2))>, layout!(((U2,U2),(U3,U8)):((U1,U6),(U2,U12))));
    refused::<BlockedProduct<layout!((U4,(U1,U8),U2):(U11,(U0,U4),U6)), layout!((U2,U4):(U1,U2))>>("logical_product: stride 6 of mode 2 of A lies inside the 32 offsets that its smaller strides cover");
    refused::<BlockedProduct<layout!((U2,U5,U4):(U20,U7,U5)), layout!(U2:U1)>>("logical_product: stride 7 of mode 1 of A lies inside the 20 offsets that its smaller strides cover");
    assert_type_eq!(BlockedProduct<layout!(((U5,U5),U2):((U10,U1),U5)), layout!(U4:U1)>, layout!((((U5,U5),U4),(U2,U1)):(((U10,U1),U50),(U5,U0))));
    assert_type_eq!(BlockedProduct<layout!((U2,U6):(U1,U2)), layout!((U8,U4,U1):(U1,U8,U32))>, layout!(((U2,U8),(U6,U4),(U1,U1)):((U1,U12),(U2,U96),(U0,U0))));
    assert_type_eq!(BlockedProduct<layout!(U4:U1), layout!((U2,((U2,(U2,U2)))):(U4,((U8,(U1,U2)))))>, layout!(((U4,U2),(U1,((U2,(U2,U2))))):((U1,U16),(U0,((U32,(U4,U8)))))));
    assert_type_eq!(BlockedProduct<layout!((U8):(U1)), layout!((U4):(U1))>, layout!(((U8,U4)):((U1,U8))));
    assert_type_eq!(BlockedProduct<layout!(U2:U1), layout!((U5,U4,U8):(U12,U1,U120))>, layout!(((U2,U5),(U1,U4),(U1,U8)):((U1,U24),(U0,U2),(U0,U240))));
    assert_type_eq!(BlockedProduct<layout!((U2,U1):(U1,U1)), layout!((U6):(U1))>, layout!(((U2,U6),(U1,U1)):((U1,U2),(U1,U0))));
    assert_type_eq!(BlockedProduct<layout!((U6,U4):(U1,U6)), layout!(((U1,U3),U3):((U1,U1),U3))>, layout!(((U6,(U1,U3)),(U4,U3)):((U1,(U0,U24)),(U6,U72))));
    assert_type_eq!(BlockedProduct<layout!(U6:U1), layout!((U4,U8):(U1,U4))>, layout!(((U6,U4),(U1,U8)):((U1,U6),(U0,U24))));
    assert_type_eq!(BlockedProduct<layout!((U1,U4):(U1,U1)), layout!(U5:U1)>, layout!(((U1,U5),(U4,U1)):((U1,U4),(U1,U0))));
    assert_type_eq!(BlockedProduct<layout!((U8,(U2,U1)):(U1,(U16,U96))), layout!((U2,U4):(U4,U2))>, layout!(((U8,U2),((U2,U1),U4)):((U1,U64),((U16,U96),U32))));
    assert_type_eq!(BlockedProduct<layout!((U1,U4):(U1,U1)), layout!((U4,U2,(U6,U4)):(U1,U4,(U8,U48)))>, layout!(((U1,U4),(U4,U2),(U1,(U6,U4))):((U1,U4),(U1,U16),(U0,(U32,U192)))));
    assert_type_eq!(BlockedProduct<layout!(U2:U1), layout!((U4,U1):(U1,U4))>, layout!(((U2,U4),(U1,U1)):((U1,U2),(U0,U0))));
    assert_type_eq!(BlockedProduct<layout!((U1,U4,(U2,U3)):(U3,U6,(U3,U1))), layout!((U1,U6):(U0,U1))>, layout!(((U1,U1),(U4,U6),((U2,U3),U1)):((U3,U0),(U6,U24),((U3,U1),U0))));
    refused::<BlockedProduct<layout!((U3,(U1,(U6,(U3)))):(U9,(U81,(U81,(U1))))), layout!((U2,(U3,U6),U6):(U1,(U216,U36),U2))>>("logical_product: the steps of B together reach coordinate 5 in an extent of 3 of the complement of A");
    assert_type_eq!(BlockedProduct<layout!(U3:U1), layout!((U8,U1):(U1,U1))>, layout!(((U3,U8),(U1,U1)):((U1,U3),(U0,U0))));
    refused::<BlockedProduct<layout!((U4,U4,U4):(U6,U4,U4)), layout!((U2,U4,U3):(U1,U2,U8))>>("logical_product: stride 4 of mode 2 of A lies inside the 16 offsets that its smaller strides cover");
    refused::<BlockedProduct<layout!((U3,U5):(U1,U9)), layout!(U5:U1)>>("logical_product: the complement of A carries after 3 steps of mode 0 of B, and 3 does not divide its extent 5");
    refused::<BlockedProduct<layout!((U4,U3):(U6,U6)), layout!(((U3,U4),(U2,U5),U2):((U1,U60),(U30,U3),U15))>>("logical_product: stride 6 of mode 1 of A lies inside the 24 offsets that its smaller strides cover");
    refused::<BlockedProduct<layout!(U4:U2), layout!((U5):(U1))>>("logical_product: the complement of A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 5");
}

#[test]
fn raked_product() {
    assert_type_eq!(RakedProduct<layout!((U4):(U1)), layout!((U8,U2,U5):(U1,U160,U16))>, layout!(((U8,U4),(U2,U1),(U5,U1)):((U4,U1),(U640,U0),(U64,U0))));
    assert_type_eq!(RakedProduct<layout!((U2,(U6,U5)):(U1,(U2,U12))), layout!((U2,U8):(U1,U2))>, layout!(((U2,U2),(U8,(U6,U5))):((U60,U1),(U120,(U2,U12)))));
    assert_type_eq!(RakedProduct<layout!((U1,U2):(U1,U1)), layout!((U5,(U3)):(U1,(U5)))>, layout!(((U5,U1),((U3),U2)):((U2,U1),((U10),U1))));
    refused::<RakedProduct<layout!((U2):(U6)), layout!((U2,U4):(U4,U1))>>("logical_product: the steps of B together reach coordinate 7 in an extent of 6 of the complement of A");
    assert_type_eq!(RakedProduct<layout!((U8,U2,U5):(U5,U40,U1)), layout!(((U2,U8),U4):((U4,U8),U1))>, layout!((((U2,U8),U8),(U4,U2),(U1,U5)):(((U320,U640),U5),(U80,U40),(U0,U1))));
    assert_type_eq!(RakedProduct<layout!(U4:U1), layout!(U6:U1)>, layout!(((U6,U4)):((U4,U1))));
    assert_type_eq!(RakedProduct<layout!((U3,U8):(U11,U1)), layout!((U5,U4):(U1,U5))>, layout!(((U5,U3),(U4,U8)):((U33,U11),(U165,U1))));
    assert_type_eq!(RakedProduct<layout!((U2,(U6,U2),U4):(U1,(U2,U12),U24)), layout!((U2,U8):(U8,U1))>, layout!(((U2,U2),(U8,(U6,U2)),(U1,U4)):((U768,U1),(U96,(U2,U12)),(U0,U24))));
    assert_type_eq!(RakedProduct<layout!((U4,U2,U1):(U2,U1,U2)), layout!((U3):(U1))>, layout!(((U3,U4),(U1,U2),(U1,U1)):((U8,U2),(U0,U1),(U0,U2))));
    assert_type_eq!(RakedProduct<layout!(U1:U1), layout!(U4:U1)>, layout!(((U4,U1)):((U1,U1))));
    refused::<RakedProduct<layout!((U2,(U4,U8),U1):(U3,(U2,U8),U3)), layout!((U8,U3):(U1,U8))>>("logical_product: stride 3 of mode 0 of A lies inside the 8 offsets that its smaller strides cover");
    assert_type_eq!(RakedProduct<layout!((U4):(U1)), layout!(U2:U1)>, layout!(((U2,(U4))):((U4,(U1)))));
    assert_type_eq!(RakedProduct<layout!(((U3,(U4)),U4):((U1,(U3)),U12)), layout!(U2:U1)>, layout!(((U2,(U3,(U4))),(U1,U4)):((U48,(U1,(U3))),(U0,U12))));
    assert_type_eq!(RakedProduct<layout!((U2):(U11)), layout!(U4:U1)>, layout!(((U4,(U2))):((U1,(U11)))));
    assert_type_eq!(RakedProduct<layout!(((U8),U1,U2):((U6),U48,U1)), layout!((U2):(U1))>, layout!(((U2,(U8)),(U1,U1),(U1,U2)):((U2,(U6)),(U0,U48),(U0,U1))));
    assert_type_eq!(RakedProduct<layout!(((U1),U3):((U1),U1)), layout!((U5):(U1))>, layout!(((U5,(U1)),(U1,U3)):((U3,(U1)),(U0,U1))));
    assert_type_eq!(RakedProduct<layout!((U6,U2):(U7,U1)), layout!((U1,(U1,U2),U2):(U6,(U1,U1),U6))>, layout!(((U1,U6),((U1,U2),U2),(U2,U1)):((U0,U7),((U0,U2),U1),(U84,U0))));
    assert_type_eq!(RakedProduct<layout!((U5,U4,U4):(U4,U1,U20)), layout!((U6,U4,U2):(U1,U12,U6))>, layout!(((U6,U5),(U4,U4),(U2,U4)):((U80,U4),(U960,U1),(U480,U20))));
    assert_type_eq!(RakedProduct<layout!((U1,U4):(U1,U1)), layout!((((U8,(U1,U5))),(U2,U3),U5):(((U1,(U8,U8))),(U40,U80),U240))>, layout!(((((U8,(U1,U5))),U1),((U2,U3),U4),(U5,U1)):((((U4,(U0,U32))),U1),((U160,U320),U1),(U960,U0))));
    refused::<RakedProduct<layout!((U4,U4,U2):(U2,U7,U2)), layout!((U1,U6,U5):(U1,U1,U6))>>("logical_product: stride 2 of mode 2 of A lies inside the 8 offsets that its smaller strides cover");
    assert_type_eq!(RakedProduct<layout!(U5:U1), layout!((U3,U1,U6):(U6,U1,U3))>, layout!(((U3,U5),(U1,U1),(U6,U1)):((U30,U1),(U0,U0),(U15,U0))));
    assert_type_eq!(RakedProduct<layout!((U4,(U4),U2):(U48,(U1),U8)), layout!(U4:U1)>, layout!((((U2,U2),U4),(U1,(U4)),(U1,U2)):(((U4,U16),U48),(U0,(U1)),(U0,U8))));
    assert_type_eq!(RakedProduct<layout!(((U2,U4),U2):((U8,U2),U1)), layout!(U2:U1)>, layout!(((U2,(U2,U4)),(U1,U2)):((U16,(U8,U2)),(U0,U1))));
    assert_type_eq!(RakedProduct<layout!(U2:U1), layout!((U4,U1,U8):(U1,U4,U4))>, layout!(((U4,U2),(U1,U1),(U8,U1)):((U2,U1),(U0,U0),(U8,U0))));
    assert_type_eq!(RakedProduct<layout!(U8:U1), layout!((U2,U4,U4):(U1,U8,U2))>, layout!(((U2,U8),(U4,U1),(U4,U1)):((U8,U1),(U64,U0),(U16,U0))));
    refused::<RakedProduct<layout!((U4,(U6,U8),U8):(U1,(U256,U32),U1)), layout!((U2,U4):(U4,U1))>>("logical_product: stride 1 of mode 2 of A lies inside the 4 offsets that its smaller strides cover");
    assert_type_eq!(RakedProduct<layout!((U6,U5):(U1,U6)), layout!((U2,U2,U2):(U1,U2,U4))>, layout!(((U2,U6),(U2,U5),(U2,U1)):((U30,U1),(U60,U6),(U120,U0))));
    refused::<RakedProduct<layout!(((U2),(U2,U4),U2):((U1),(U12,U4),U4)), layout!(U8:U1)>>("logical_product: stride 4 of mode 2 of A lies inside the 16 offsets that its smaller strides cover");
    assert_type_eq!(RakedProduct<layout!((((U2,U8),U6),U1):(((U18,U36),U1),U1)), layout!((U3,(U2,U1)):(U1,(U3,U6)))>, layout!(((U3,((U2,U8),U6)),((U2,U1),U1)):((U6,((U18,U36),U1)),((U288,U0),U1))));
    refused::<RakedProduct<layout!((U5,U4,U2):(U2,U10,U5)), layout!(U4:U1)>>("logical_product: stride 5 of mode 2 of A lies inside the 10 offsets that its smaller strides cover");
    refused::<RakedProduct<layout!((U4,U3,U1):(U1,U8,U24)), layout!((U5):(U1))>>("logical_product: the complement of A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 5");
    refused::<RakedProduct<layout!(U4:U4), layout!(U5:U1)>>("logical_product: the complement of A carries after 4 steps of B, and 4 does not divide its extent 5");
}

#[test]
fn tile_to_shape() {
    assert_type_eq!(TileToShape<layout!(U3:U1), tree!((U12,U4))>, layout!(((U3,U4),(U1,U4)):((U1,U3),(U0,U12))));
    assert_type_eq!(TileToShape<layout!(U8:U1), tree!((U32,U4))>, layout!(((U8,U4),(U1,U4)):((U1,U8),(U0,U32))));
    assert_type_eq!(TileToShape<layout!(U8:U1), tree!((U32,U1))>, layout!(((U8,U4),(U1,U1)):((U1,U8),(U0,U0))));
    refused::<TileToShape<layout!((U4,U4,U2):(U4,U1,U16)), tree!((U8,U4,U5,(U1,U1)))>>("tile_to_shape: in mode 2 the block size 2 does not divide the target size 5");
    refused::<TileToShape<layout!((U4,U5,U4):(U20,U4,U5)), tree!((U8,U5,U16,U2))>>("logical_product: stride 5 of mode 2 of A lies inside the 20 offsets that its smaller strides cover");
    assert_type_eq!(TileToShape<layout!((U2,(U2,U2)):(U4,(U1,U2))), tree!((U4,U8,U5))>, layout!(((U2,U2),((U2,U2),U2),(U1,U5)):((U4,U8),((U1,U2),U16),(U0,U32))));
    assert_type_eq!(TileToShape<layout!((U8,U1):(U1,U8)), tree!((U16,U2,U1))>, layout!(((U8,U2),(U1,U2),(U1,U1)):((U1,U8),(U8,U16),(U0,U0))));
    assert_type_eq!(TileToShape<layout!(U2:U1), tree!(U2)>, layout!(((U2,U1)):((U1,U0))));
    assert_type_eq!(TileToShape<layout!((U5):(U1)), tree!((U5))>, layout!(((U5,U1)):((U1,U0))));
    assert_type_eq!(TileToShape<layout!((U8,U2,U4):(U1,U32,U8)), tree!((U16,U8,U8,U2))>, layout!(((U8,U2),(U2,U4),(U4,U2),(U1,U2)):((U1,U64),(U32,U128),(U8,U512),(U0,U1024))));
    assert_type_eq!(TileToShape<layout!((U5,U2):(U2,U1)), tree!((U5,(U2,U3),U4))>, layout!(((U5,U1),(U2,U3),(U1,U4)):((U2,U0),(U1,U10),(U0,U30))));
    assert_type_eq!(TileToShape<layout!((U4,U5,U3):(U1,U4,U20)), tree!(((U4,U1),U20,U9,U1))>, layout!(((U4,U1),(U5,U4),(U3,U3),(U1,U1)):((U1,U0),(U4,U60),(U20,U240),(U0,U0))));
    assert_type_eq!(TileToShape<layout!((U8,U2):(U2,U1)), tree!((U16,U4))>, layout!(((U8,U2),(U2,U2)):((U2,U16),(U1,U32))));
    assert_type_eq!(TileToShape<layout!((U2,U2,U4):(U4,U8,U1)), tree!(((U2,U2),U2,U8,U3))>, layout!(((U2,U2),(U2,U1),(U4,U2),(U1,U3)):((U4,U16),(U8,U0),(U1,U32),(U0,U64))));
    assert_type_eq!(TileToShape<layout!(U1:U1), tree!((U3))>, layout!(((U1,(U3))):((U1,(U1)))));
    refused::<TileToShape<layout!((U2,(U4,U1),U6):(U72,(U6,U144),U1)), tree!((U4,U12,U12,U3))>>("logical_product: the complement of A carries after 2 steps of mode 1 of B, and 2 does not divide its extent 3");
    assert_type_eq!(TileToShape<layout!((U5,U4):(U1,U5)), tree!((U10,U12,U2))>, layout!(((U5,U2),(U4,U3),(U1,U2)):((U1,U20),(U5,U40),(U0,U120))));
    assert_type_eq!(TileToShape<layout!((U3,U3,U2):(U1,U3,U9)), tree!((U9,U9,U6,U3))>, layout!(((U3,U3),(U3,U3),(U2,U3),(U1,U3)):((U1,U18),(U3,U54),(U9,U162),(U0,U486))));
    refused::<TileToShape<layout!((((U2,U6),U1),U4,U2):(((U1,U2),U12),U12,U48)), tree!((U24,U8,U5))>>("tile_to_shape: in mode 2 the block size 2 does not divide the target size 5");
    refused::<TileToShape<layout!(((U2),U2,U8):((U2),U1,U12)), tree!((U8,U6,U16))>>("logical_product: the complement of A carries after 3 steps of mode 0 of B, and 3 does not divide its extent 4");
    assert_type_eq!(TileToShape<layout!((U5):(U1)), tree!((U5,U3))>, layout!(((U5,U1),(U1,U3)):((U1,U0),(U0,U5))));
    assert_type_eq!(TileToShape<layout!((U3,U1):(U1,U3)), tree!((U6,U2,U2))>, layout!(((U3,U2),(U1,U2),(U1,U2)):((U1,U3),(U3,U6),(U0,U12))));
    assert_type_eq!(TileToShape<layout!(U5:U11), tree!((U20,U2))>, layout!(((U5,U4),(U1,U2)):((U11,U1),(U0,U4))));
    assert_type_eq!(TileToShape<layout!((U4,U3):(U3,U1)), tree!((U8,U9,U1))>, layout!(((U4,U2),(U3,U3),(U1,U1)):((U3,U12),(U1,U24),(U0,U0))));
    refused::<TileToShape<layout!((U2,U4,U2):(U9,U2,U8)), tree!((U5,U16,(U2,U1),U3))>>("tile_to_shape: in mode 0 the block size 2 does not divide the target size 5");
    assert_type_eq!(TileToShape<layout!(((U4),U3,U4):((U1),U4,U12)), tree!((U4,U3,U8))>, layout!((((U4),U1),(U3,U1),(U4,U2)):(((U1),U0),(U4,U0),(U12,U48))));
    refused::<TileToShape<layout!((U4,U3):(U6,U4)), tree!(((U4,U4),U3,(U1,U2)))>>("logical_product: stride 6 of mode 0 of A lies inside the 12 offsets that its smaller strides cover");
    assert_type_eq!(TileToShape<layout!((U6,U1,U3):(U1,U6,U6)), tree!(((U6,U4),U4,(U3,U1)))>, layout!(((U6,U4),(U1,U4),(U3,U1)):((U1,U18),(U6,U72),(U6,U0))));
    assert_type_eq!(TileToShape<layout!((U4,U6):(U6,U1)), tree!((U8,U12,U5))>, layout!(((U4,U2),(U6,U2),(U1,U5)):((U6,U24),(U1,U48),(U0,U96))));
    assert_type_eq!(TileToShape<layout!(((U5,U2),U4):((U1,U5),U10)), tree!(((U10,U2),U4))>, layout!((((U5,U2),U2),(U4,U1)):(((U1,U5),U40),(U10,U0))));
    assert_type_eq!(TileToShape<layout!((U4,(U3,U6)):(U1,(U4,U12))), tree!((U16,U18,U5))>, layout!(((U4,U4),((U3,U6),U1),(U1,U5)):((U1,U72),((U4,U12),U0),(U0,U288))));
    refused::<TileToShape<layout!((U4,U6):(U6,U2)), tree!((U8,U12,U4))>>("logical_product: stride 6 of mode 0 of A lies inside the 12 offsets that its smaller strides cover");
    refused::<TileToShape<layout!((U2,U2):(U1,U4)), tree!((U2,U6,U2))>>("logical_product: the complement of A carries after 2 steps of mode 1 of B, and 2 does not divide its extent 3");
    refused::<TileToShape<layout!(((U4,U6),U6):((U144,U12),U1)), tree!((U48,U18))>>("logical_product: the complement of A carries after 2 steps of mode 1 of B, and 2 does not divide its extent 3");
}

#[test]
fn tile_to_shape_ordered() {
    refused::<TileToShapeOrdered<layout!((U2,U4,U4):(U1,U2,U8)), tree!((U8,U8,U16,U3)), tree!((U0,U2,U1,U2))>>("order (0,2,1,2) gives position 2 to two modes with more than one element");
    refused::<TileToShapeOrdered<layout!((U2,U4):(U1,U2)), tree!((U4,U8,U3)), tree!((U1,U1,U2))>>("order (1,1,2) gives position 1 to two modes with more than one element");
    refused::<TileToShapeOrdered<layout!((U5,U1,U8):(U24,U240,U1)), tree!((U10,(U1,U4),U24)), tree!((U0,U2,U0))>>("order (0,2,0) gives position 0 to two modes with more than one element");
    refused::<TileToShapeOrdered<layout!(((U4),U5,U5):((U12),U20,U1)), tree!(((U4,U1),U5,U5)), tree!((U0,U0,U0))>>("logical_product: stride 20 of mode 1 of A lies inside the 48 offsets that its smaller strides cover");
    refused::<TileToShapeOrdered<layout!((((U3,U2),U5),U5,(U6)):(((U10,U1),U30),U2,(U450))), tree!((U30,U5,U18,U4)), tree!((U2,U1,U2,U2))>>("order (2,1,2,2) gives position 2 to two modes with more than one element");
    refused::<TileToShapeOrdered<layout!((U4,U4):(U1,U4)), tree!((U5,U12)), tree!((U2,U2))>>("tile_to_shape: in mode 0 the block size 4 does not divide the target size 5");
    assert_type_eq!(TileToShapeOrdered<layout!((U2,(U4)):(U1,(U4))), tree!((U2,U4)), tree!((U0,U1))>, layout!(((U2,U1),((U4),U1)):((U1,U0),((U4),U0))));
    assert_type_eq!(TileToShapeOrdered<layout!(U8:U1), tree!((U32,U1)), tree!((U1,U1))>, layout!(((U8,U4),(U1,U1)):((U1,U8),(U0,U0))));
    assert_type_eq!(TileToShapeOrdered<layout!(U1:U1), tree!((U3)), tree!((U0))>, layout!(((U1,(U3))):((U1,(U1)))));
    assert_type_eq!(TileToShapeOrdered<layout!((U8,U3):(U3,U1)), tree!((U16,U3)), tree!((U0,U0))>, layout!(((U8,U2),(U3,U1)):((U3,U24),(U1,U0))));
    assert_type_eq!(TileToShapeOrdered<layout!(U4:U1), tree!((U4)), tree!((U2))>, layout!(((U4,(U1))):((U1,(U0)))));
    assert_type_eq!(TileToShapeOrdered<layout!(U4:U1), tree!((U4,U2)), tree!((U2,U0))>, layout!(((U4,U1),(U1,U2)):((U1,U0),(U0,U4))));
    assert_type_eq!(TileToShapeOrdered<layout!((U1,U2):(U1,U1)), tree!((U1,U6)), tree!((U1,U0))>, layout!(((U1,U1),(U2,U3)):((U1,U0),(U1,U2))));
    assert_type_eq!(TileToShapeOrdered<layout!(U2:U1), tree!(((U2,U3),U2)), tree!((U2,U1))>, layout!(((U2,U3),(U1,U2)):((U1,U4),(U0,U2))));
    assert_type_eq!(TileToShapeOrdered<layout!(((U2,U2),U2):((U1,U2),U4)), tree!((U12,U4)), tree!((U2,U0))>, layout!((((U2,U2),U3),(U2,U2)):(((U1,U2),U16),(U4,U8))));
    assert_type_eq!(TileToShapeOrdered<layout!((U5,U4):(U4,U1)), tree!((U10,(U4,U1),U3)), tree!((U0,U0,U1))>, layout!(((U5,U2),(U4,U1),(U1,U3)):((U4,U20),(U1,U0),(U0,U40))));
    assert_type_eq!(TileToShapeOrdered<layout!((U3,U1):(U1,U3)), tree!((U3,U2,U3)), tree!((U2,U0,U2))>, layout!(((U3,U1),(U1,U2),(U1,U3)):((U1,U0),(U3,U3),(U0,U6))));
    assert_type_eq!(TileToShapeOrdered<layout!((U2,U8):(U1,U2)), tree!((U4,U24,U1)), tree!((U0,U1,U1))>, layout!(((U2,U2),(U8,U3),(U1,U1)):((U1,U16),(U2,U32),(U0,U0))));
    assert_type_eq!(TileToShapeOrdered<layout!(U4:U1), tree!((U4,U2)), tree!((U0,U2))>, layout!(((U4,U1),(U1,U2)):((U1,U0),(U0,U4))));
    assert_type_eq!(TileToShapeOrdered<layout!((U4):(U10)), tree!((U4)), tree!((U0))>, layout!(((U4,U1)):((U10,U0))));
    assert_type_eq!(TileToShapeOrdered<layout!((U2,U4):(U5,U1)), tree!((U4,U12)), tree!((U0,U2))>, layout!(((U2,U2),(U4,U3)):((U5,U10),(U1,U20))));
    assert_type_eq!(TileToShapeOrdered<layout!((U6,U2,U5):(U10,U1,U2)), tree!(((U6,U1),U4,U10,U1)), tree!((U0,U1,U2,U1))>, layout!(((U6,U1),(U2,U2),(U5,U2),(U1,U1)):((U10,U0),(U1,U60),(U2,U120),(U0,U0))));
}

#[test]
fn right_inverse() {
    assert_type_eq!(RightInverse<layout!((U3,U2,U4):(U12,U3,U2))>, layout!(U1:U0));
    assert_type_eq!(RightInverse<layout!((U6,U4):(U1,U6))>, layout!(U24:U1));
    assert_type_eq!(RightInverse<layout!(((U6,U5),U8):((U5,U1),U30))>, layout!((U5,U6,U8):(U6,U1,U30)));
    assert_type_eq!(RightInverse<layout!((U2,U6):(U18,U1))>, layout!(U6:U2));
    assert_type_eq!(RightInverse<layout!((U8,U4,U8):(U1,U8,U32))>, layout!(U256:U1));
    assert_type_eq!(RightInverse<layout!(((U8,(U4,U6)),U3):((U72,(U1,U4)),U24))>, layout!((U72,U8):(U8,U1)));
    assert_type_eq!(RightInverse<layout!((U8,(U4,U4),U4,U2):(U1,(U8,U32),U128,U512))>, layout!(U1024:U1));
    assert_type_eq!(RightInverse<layout!(U2:U1)>, layout!(U2:U1));
    assert_type_eq!(RightInverse<layout!(((U2,U2),(U4,U8),U1,U5):((U0,U320),(U2,U40),U1,U8))>, layout!(U1:U0));
    assert_type_eq!(RightInverse<layout!(((U2,U3),U8):((U72,U24),U1))>, layout!(U8:U6));
    assert_type_eq!(RightInverse<layout!(((U5),U6,U4):((U1),U15,U270))>, layout!(U5:U1));
    assert_type_eq!(RightInverse<layout!((((U5,U2),U4),U2):(((U4,U40),U1),U20))>, layout!((U4,U5,U2,U2):(U10,U1,U40,U5)));
    assert_type_eq!(RightInverse<layout!((U5,U5):(U1,U15))>, layout!(U5:U1));
    assert_type_eq!(RightInverse<layout!(((((U2,U2),U8)),U1,U2,(U4,U6)):((((U768,U24),U48)),U10,U384,(U6,U1)))>, layout!((U6,U4,U32,U2):(U256,U64,U2,U1)));
    assert_type_eq!(RightInverse<layout!((U2,U2):(U2,U1))>, layout!((U2,U2):(U2,U1)));
    assert_type_eq!(RightInverse<layout!((U2,U6,U1):(U6,U1,U12))>, layout!((U6,U2):(U2,U1)));
    assert_type_eq!(RightInverse<layout!((U8,U6):(U1,U8))>, layout!(U48:U1));
    assert_type_eq!(RightInverse<layout!((U1,U1,U4,U8):(U32,U9,U8,U1))>, layout!((U8,U4):(U4,U1)));
    assert_type_eq!(RightInverse<layout!((U4,U1):(U7,U4))>, layout!(U1:U0));
    assert_type_eq!(RightInverse<layout!((U2,U6):(U6,U1))>, layout!((U6,U2):(U2,U1)));
    assert_type_eq!(RightInverse<layout!(U4:U6)>, layout!(U1:U0));
    assert_type_eq!(RightInverse<layout!((U3,U4):(U4,U1))>, layout!((U4,U3):(U3,U1)));
    assert_type_eq!(RightInverse<layout!((((U6,U4),U1)):(((U1,U2),U24)))>, layout!(U6:U1));
    assert_type_eq!(RightInverse<layout!((U1,U2,U3,(U2,U6)):(U1,U1,U2,(U6,U12)))>, layout!(U72:U1));
    assert_type_eq!(RightInverse<layout!((U4,U6,(U5,U4)):(U1,U80,(U16,U4)))>, layout!((U4,U4,U5,U6):(U1,U120,U24,U4)));
    assert_type_eq!(RightInverse<layout!((U2,(U2,U4),U2):(U4,(U1,U12),U11))>, layout!(U2:U2));
    assert_type_eq!(RightInverse<layout!(((U4,U2)):((U1,U2)))>, layout!(U4:U1));
    assert_type_eq!(RightInverse<layout!(((U2,U5)):((U1,U2)))>, layout!(U10:U1));
    assert_type_eq!(RightInverse<layout!(((U4,U8),(U5,U2)):((U8,U1),(U32,U160)))>, layout!((U8,U4,U10):(U4,U1,U32)));
    assert_type_eq!(RightInverse<layout!((U5,U4):(U8,U1))>, layout!(U4:U5));
    assert_type_eq!(RightInverse<layout!((U6,U2,(U1)):(U2,U1,(U1)))>, layout!((U2,U6):(U6,U1)));
    assert_type_eq!(RightInverse<layout!((((U4),(U4,U3)),U2):(((U3),(U36,U1)),U144))>, layout!((U3,U4):(U16,U1)));
}

#[test]
fn filter() {
    assert_type_eq!(FilterZeros<layout!(((U8,U4)):((U1,U1)))>, layout!(((U8,U4)):((U1,U1))));
    assert_type_eq!(Filter<layout!(((U8,U4)):((U1,U1)))>, layout!((U8,U4):(U1,U1)));
    assert_type_eq!(FilterZeros<layout!((U4,U1,U3,U3):(U2,U2,U2,U4))>, layout!((U4,U1,U3,U3):(U2,U2,U2,U4)));
    assert_type_eq!(Filter<layout!((U4,U1,U3,U3):(U2,U2,U2,U4))>, layout!((U4,U3,U3):(U2,U2,U4)));
    assert_type_eq!(FilterZeros<layout!((U3,U4):(U8,U4))>, layout!((U3,U4):(U8,U4)));
    assert_type_eq!(Filter<layout!((U3,U4):(U8,U4))>, layout!((U3,U4):(U8,U4)));
    assert_type_eq!(FilterZeros<layout!(U5:U2)>, layout!(U5:U2));
    assert_type_eq!(Filter<layout!(U5:U2)>, layout!(U5:U2));
    assert_type_eq!(FilterZeros<layout!(((U3,U1)):((U2,U0)))>, layout!(((U3,U1)):((U2,U0))));
    assert_type_eq!(Filter<layout!(((U3,U1)):((U2,U0)))>, layout!(U3:U2));
    assert_type_eq!(FilterZeros<layout!((U5,U3):(U4,U2))>, layout!((U5,U3):(U4,U2)));
    assert_type_eq!(Filter<layout!((U5,U3):(U4,U2))>, layout!((U5,U3):(U4,U2)));
    assert_type_eq!(FilterZeros<layout!((U2,U8):(U2,U0))>, layout!((U2,U1):(U2,U0)));
    assert_type_eq!(Filter<layout!((U2,U8):(U2,U0))>, layout!(U2:U2));
    assert_type_eq!(FilterZeros<layout!((U8,U8):(U8,U2))>, layout!((U8,U8):(U8,U2)));
    assert_type_eq!(Filter<layout!((U8,U8):(U8,U2))>, layout!((U8,U8):(U8,U2)));
    assert_type_eq!(FilterZeros<layout!(U4:U4)>, layout!(U4:U4));
    assert_type_eq!(Filter<layout!(U4:U4)>, layout!(U4:U4));
    assert_type_eq!(FilterZeros<layout!((U5,(U8,U8)):(U0,(U4,U8)))>, layout!((U1,(U8,U8)):(U0,(U4,U8))));
    assert_type_eq!(Filter<layout!((U5,(U8,U8)):(U0,(U4,U8)))>, layout!((U8,U8):(U4,U8)));
    assert_type_eq!(FilterZeros<layout!(((U2),U2,((U6,U4),U3)):((U0),U2,((U0,U0),U4)))>, layout!(((U1),U2,((U1,U1),U3)):((U0),U2,((U0,U0),U4))));
    assert_type_eq!(Filter<layout!(((U2),U2,((U6,U4),U3)):((U0),U2,((U0,U0),U4)))>, layout!(U6:U2));
    assert_type_eq!(FilterZeros<layout!((U2):(U2))>, layout!((U2):(U2)));
    assert_type_eq!(Filter<layout!((U2):(U2))>, layout!(U2:U2));
    assert_type_eq!(FilterZeros<layout!(((U4,U5),U2):((U4,U8),U2))>, layout!(((U4,U5),U2):((U4,U8),U2)));
    assert_type_eq!(Filter<layout!(((U4,U5),U2):((U4,U8),U2))>, layout!((U4,U5,U2):(U4,U8,U2)));
    assert_type_eq!(FilterZeros<layout!(((U2,U6),U4,U1,U2):((U8,U2),U1,U0,U0))>, layout!(((U2,U6),U4,U1,U1):((U8,U2),U1,U0,U0)));
    assert_type_eq!(Filter<layout!(((U2,U6),U4,U1,U2):((U8,U2),U1,U0,U0))>, layout!((U2,U6,U4):(U8,U2,U1)));
    assert_type_eq!(FilterZeros<layout!((U8,U4,(U6,U3),U6):(U2,U4,(U1,U0),U0))>, layout!((U8,U4,(U6,U1),U1):(U2,U4,(U1,U0),U0)));
    assert_type_eq!(Filter<layout!((U8,U4,(U6,U3),U6):(U2,U4,(U1,U0),U0))>, layout!((U8,U4,U6):(U2,U4,U1)));
    assert_type_eq!(FilterZeros<layout!((U2,U2,(U4,U5)):(U2,U2,(U2,U2)))>, layout!((U2,U2,(U4,U5)):(U2,U2,(U2,U2))));
    assert_type_eq!(Filter<layout!((U2,U2,(U4,U5)):(U2,U2,(U2,U2)))>, layout!((U2,U2,U4,U5):(U2,U2,U2,U2)));
}

#[test]
fn nullspace() {
    assert_type_eq!(Nullspace<layout!(((U1,(U2,U4)),U2):((U2,(U0,U4)),U2))>, layout!(U2:U1));
    assert_type_eq!(Nullspace<layout!((U8,U2):(U4,U8))>, layout!(U1:U0));
    assert_type_eq!(Nullspace<layout!((U3,U2):(U4,U0))>, layout!(U2:U3));
    assert_type_eq!(Nullspace<layout!((U4,U1):(U8,U8))>, layout!(U1:U0));
    assert_type_eq!(Nullspace<layout!(((U4,U1),U1):((U2,U8),U2))>, layout!(U1:U0));
    assert_type_eq!(Nullspace<layout!((U4):(U2))>, layout!(U1:U0));
    assert_type_eq!(Nullspace<layout!((U2):(U1))>, layout!(U1:U0));
    assert_type_eq!(Nullspace<layout!((U4,U8,U2,U4):(U4,U0,U4,U2))>, layout!(U8:U4));
    assert_type_eq!(Nullspace<layout!((U5,U4):(U1,U8))>, layout!(U1:U0));
    assert_type_eq!(Nullspace<layout!((U2,U3):(U0,U4))>, layout!(U2:U1));
    assert_type_eq!(Nullspace<layout!((U1,U8,U5,(U3,U2)):(U4,U0,U0,(U0,U2)))>, layout!((U8,U5,U3):(U1,U8,U40)));
    assert_type_eq!(Nullspace<layout!((U2,U8,(U8,(U5))):(U8,U2,(U4,(U8))))>, layout!(U1:U0));
    assert_type_eq!(Nullspace<layout!((U5,((U2,U3),U8),U4,U3):(U2,((U2,U8),U0),U2,U1))>, layout!(U8:U30));
    assert_type_eq!(Nullspace<layout!((U4,U8):(U2,U2))>, layout!(U1:U0));
    assert_type_eq!(Nullspace<layout!(U4:U0)>, layout!(U4:U1));
    assert_type_eq!(Nullspace<layout!(U5:U0)>, layout!(U5:U1));
    assert_type_eq!(Nullspace<layout!((U4,U3):(U0,U1))>, layout!(U4:U1));
    assert_type_eq!(Nullspace<layout!(((U5,(U8,U2)),(U1,U3),(U3,U2),U4):((U0,(U8,U8)),(U0,U0),(U2,U2),U2))>, layout!((U5,U1,U3):(U1,U0,U80)));
    assert_type_eq!(Nullspace<layout!((U6,U8,U8,U6):(U2,U2,U8,U0))>, layout!(U6:U384));
    assert_type_eq!(Nullspace<layout!((U6,U4,U6,U5):(U2,U4,U2,U8))>, layout!(U1:U0));
}

#[test]
fn left_inverse() {
    assert_type_eq!(LeftInverse<layout!((U6,U2):(U1,U4))>, layout!((U4,U2):(U1,U6)));
    refused::<LeftInverse<layout!((U6,U2,U1):(U1,U4,U7))>>("left_inverse: offset 9 does not fit in extent 2 of stride 4");
    assert_type_eq!(LeftInverse<layout!((U6,U2,U1):(U1,U4,U8))>, layout!((U4,U2):(U1,U6)));
    refused::<LeftInverse<layout!((U2,U6):(U4,U1))>>("left_inverse: offset 9 does not fit in extent 2 of stride 4");
    assert_type_eq!(LeftInverse<layout!((U2,U2):(U3,U3))>, layout!((U3,U2):(U0,U2)));
    assert_type_eq!(LeftInverse<layout!((U4,U2):(U2,U1))>, layout!((U2,U4):(U4,U1)));
    assert_type_eq!(LeftInverse<layout!((U4,U3,U6,U5):(U1,U4,U12,U72))>, layout!(U360:U1));
    assert_type_eq!(LeftInverse<layout!(U4:U1)>, layout!(U4:U1));
    assert_type_eq!(LeftInverse<layout!((((U3,U1),U2),(U5,U4)):(((U1,U3),U3),(U6,U30)))>, layout!(U120:U1));
    assert_type_eq!(LeftInverse<layout!(((U1,U3)):((U1,U1)))>, layout!(U3:U1));
    assert_type_eq!(LeftInverse<layout!((U6):(U1))>, layout!(U6:U1));
    assert_type_eq!(LeftInverse<layout!(((U4,U1),U1):((U2,U8),U2))>, layout!((U2,U4):(U0,U1)));
    assert_type_eq!(LeftInverse<layout!(U6:U0)>, layout!(U6:U0));
    refused::<LeftInverse<layout!((U5,U2,U2):(U2,U1,U11))>>("left_inverse: stride 11 is not a multiple of the next smaller stride 2");
    assert_type_eq!(LeftInverse<layout!((U3):(U0))>, layout!(U3:U0));
    assert_type_eq!(LeftInverse<layout!((U5,U6):(U1,U2))>, layout!((U2,U6):(U1,U5)));
    assert_type_eq!(LeftInverse<layout!((U5,U3,U4,U6):(U12,U1,U3,U60))>, layout!((U12,U5,U6):(U5,U1,U60)));
    assert_type_eq!(LeftInverse<layout!(((U3)):((U1)))>, layout!(U3:U1));
    assert_type_eq!(LeftInverse<layout!((U4,(U2,U6)):(U1,(U4,U8)))>, layout!(U48:U1));
    assert_type_eq!(LeftInverse<layout!((U1):(U1))>, layout!(U1:U0));
    refused::<LeftInverse<layout!((U4,U5,U3,U4):(U2,U0,U1,U0))>>("left_inverse: offset 8 does not fit in extent 4 of stride 2");
    assert_type_eq!(LeftInverse<layout!((U6,U4):(U8,U1))>, layout!((U8,U6):(U6,U1)));
    assert_type_eq!(LeftInverse<layout!(U2:U1)>, layout!(U2:U1));
    assert_type_eq!(LeftInverse<layout!((U3,U5):(U1,U10))>, layout!((U10,U5):(U1,U3)));
    refused::<LeftInverse<layout!((U6,U4,U6):(U6,U36,U10))>>("left_inverse: stride 10 is not a multiple of the next smaller stride 6");
    assert_type_eq!(LeftInverse<layout!((U3,U4):(U12,U1))>, layout!((U12,U3):(U3,U1)));
    assert_type_eq!(LeftInverse<layout!((U4,U6):(U1,U4))>, layout!(U24:U1));
    assert_type_eq!(LeftInverse<layout!(U1:U0)>, layout!(U1:U0));
    assert_type_eq!(LeftInverse<layout!((U5,U2,U3,U5):(U6,U3,U1,U30))>, layout!((U3,U2,U5,U5):(U10,U5,U1,U30)));
    refused::<LeftInverse<layout!((U4,U4,U6):(U24,U5,U11))>>("left_inverse: stride 11 is not a multiple of the next smaller stride 5");
    assert_type_eq!(LeftInverse<layout!((U3,U1):(U1,U3))>, layout!(U3:U1));
    refused::<LeftInverse<layout!((U2,U5,U5,U1):(U7,U10,U1,U5))>>("left_inverse: stride 10 is not a multiple of the next smaller stride 7");
    assert_type_eq!(LeftInverse<layout!(U8:U1)>, layout!(U8:U1));
    assert_type_eq!(LeftInverse<layout!((U5,U3,(U3,U1)):(U9,U1,(U45,U3)))>, layout!((U9,U5,U3):(U5,U1,U15)));
    assert_type_eq!(LeftInverse<layout!((U2,U6,((U4),(U5,U3)),U2):(U60,U960,((U120),(U1,U10)),U480))>, layout!((U10,U6,U2,U4,U2,U6):(U48,U240,U1,U12,U720,U2)));
    assert_type_eq!(LeftInverse<layout!((U3,U1,U2,U3):(U1,U8,U2,U2))>, layout!((U2,U3):(U1,U6)));
    refused::<LeftInverse<layout!((U6,U5,U2,U1):(U8,U2,U2,U4))>>("left_inverse: offset 50 does not fit in extent 6 of stride 8");
    assert_type_eq!(LeftInverse<layout!((U4,U3,U4):(U0,U2,U0))>, layout!((U2,U3):(U0,U4)));
    assert_type_eq!(LeftInverse<layout!((U2,U2,U4):(U2,U1,U4))>, layout!((U2,U2,U4):(U2,U1,U4)));
    refused::<LeftInverse<layout!(((U8,(U2,U2)),U4,U1,U4):((U8,(U2,U4)),U4,U1,U1))>>("left_inverse: offset 77 does not fit in extent 8 of stride 8");
    refused::<LeftInverse<layout!((U6,U5):(U4,U1))>>("left_inverse: offset 24 does not fit in extent 6 of stride 4");
    assert_type_eq!(LeftInverse<layout!((U4,(U1,U1),U1,U2):(U1,(U8,U1),U4,U4))>, layout!(U8:U1));
    assert_type_eq!(LeftInverse<layout!((U2,U3,(U1,U2)):(U1,U2,(U6,U6)))>, layout!(U12:U1));
    refused::<LeftInverse<layout!((U5,U3,U8,U4):(U1,U4,U2,U0))>>("left_inverse: offset 26 does not fit in extent 3 of stride 4");
    assert_type_eq!(LeftInverse<layout!((U6,U8,U5):(U1,U30,U6))>, layout!((U6,U5,U8):(U1,U48,U6)));
    assert_type_eq!(LeftInverse<layout!((U5,U4):(U4,U1))>, layout!((U4,U5):(U5,U1)));
    refused::<LeftInverse<layout!((U4,U5,(U5,U6),U5):(U0,U8,(U4,U0),U2))>>("left_inverse: offset 56 does not fit in extent 5 of stride 8");
    assert_type_eq!(LeftInverse<layout!(U5:U1)>, layout!(U5:U1));
    assert_type_eq!(LeftInverse<layout!(((U1,U5),U4,U5):((U2,U0),U4,U4))>, layout!((U4,U5):(U0,U20)));
    assert_type_eq!(LeftInverse<layout!(((U4,U3),U2):((U0,U8),U1))>, layout!((U8,U3):(U12,U4)));
    assert_type_eq!(LeftInverse<layout!((U8,U6):(U1,U1))>, layout!(U6:U8));
    assert_type_eq!(LeftInverse<layout!(((U3,U6),(U3,U4)):((U72,U3),(U1,U18)))>, layout!((U3,U6,U4,U3):(U18,U3,U54,U1)));
    assert_type_eq!(LeftInverse<layout!((U3,U8,U6):(U1,U3,U24))>, layout!(U144:U1));
    assert_type_eq!(LeftInverse<layout!((U4,U4,U2):(U1,U4,U16))>, layout!(U32:U1));
    assert_type_eq!(LeftInverse<layout!(((U5,U6),U8,U1,U4):((U24,U4),U120,U1,U1))>, layout!((U4,U6,U5,U8):(U240,U5,U1,U30)));
    assert_type_eq!(LeftInverse<layout!((U8,U4,(U6,(U3)),U6):(U2,U1,(U576,(U0)),U8))>, layout!((U2,U4,U72,U6):(U8,U1,U576,U32)));
    assert_type_eq!(LeftInverse<layout!((U3,U2):(U0,U2))>, layout!((U2,U2):(U0,U3)));
    assert_type_eq!(LeftInverse<layout!((U4,U4):(U4,U1))>, layout!((U4,U4):(U4,U1)));
    assert_type_eq!(LeftInverse<layout!((U4,U2):(U4,U1))>, layout!((U4,U4):(U4,U1)));
    assert_type_eq!(LeftInverse<layout!((((U4,U2),U2)):(((U24,U1),U4)))>, layout!((U4,U6,U4):(U4,U8,U1)));
    assert_type_eq!(LeftInverse<layout!((U6,U6):(U6,U1))>, layout!((U6,U6):(U6,U1)));
    assert_type_eq!(LeftInverse<layout!((U1,U8,U4,U4):(U32,U4,U1,U32))>, layout!((U4,U8,U4):(U8,U1,U32)));
    assert_type_eq!(LeftInverse<layout!((U4,U2,(U2,U6)):(U1,U4,(U8,U16)))>, layout!(U96:U1));
    assert_type_eq!(LeftInverse<layout!((((U5,U4),U1)):(((U0,U2),U4)))>, layout!((U2,U4):(U0,U5)));
    assert_type_eq!(LeftInverse<layout!((U1,U4):(U1,U1))>, layout!(U4:U1));
    assert_type_eq!(LeftInverse<layout!((U4,U2,U3,U5):(U1,U20,U40,U4))>, layout!((U4,U5,U6):(U1,U24,U4)));
    assert_type_eq!(LeftInverse<layout!(((U1),U8,U1):((U1),U6,U3))>, layout!((U6,U8):(U0,U1)));
    assert_type_eq!(LeftInverse<layout!((U6,U8):(U8,U1))>, layout!((U8,U6):(U6,U1)));
    assert_type_eq!(LeftInverse<layout!((U1,U3):(U1,U1))>, layout!(U3:U1));
    assert_type_eq!(LeftInverse<layout!((U5,U1,((U4,U3))):(U2,U2,((U0,U2))))>, layout!((U2,U3):(U0,U20)));
    assert_type_eq!(LeftInverse<layout!((U2,U1,U4):(U4,U0,U0))>, layout!((U4,U2):(U0,U1)));
    refused::<LeftInverse<layout!((U2,U5,U6):(U30,U1,U4))>>("left_inverse: stride 30 is not a multiple of the next smaller stride 4");
    assert_type_eq!(LeftInverse<layout!((U1,U5):(U0,U8))>, layout!((U8,U5):(U0,U1)));
    refused::<LeftInverse<layout!(((U6,U5),U6,U1):((U2,U2),U0,U2))>>("left_inverse: offset 18 does not fit in extent 6 of stride 2");
    refused::<LeftInverse<layout!((U5,U6,(U2,(U4,(U1,U3)))):(U6,U0,(U4,(U1,(U8,U2)))))>>("left_inverse: stride 6 is not a multiple of the next smaller stride 4");
    refused::<LeftInverse<layout!(((U4,U8),((U3,U2)),U2,U4):((U9,U192),((U7,U24)),U3,U48))>>("left_inverse: stride 7 is not a multiple of the next smaller stride 3");
    refused::<LeftInverse<layout!((U1,U8,U6,U2):(U3,U9,U0,U4))>>("left_inverse: stride 9 is not a multiple of the next smaller stride 4");
    refused::<LeftInverse<layout!((U4,(U1,(((U4,U3),(U4,(U4,(U5)))),(U8,U4)))):(U8,(U1,(((U8,U4),(U4,(U2,(U1)))),(U2,U0)))))>>("left_inverse: offset 92 does not fit in extent 4 of stride 8");
    refused::<LeftInverse<layout!((U2,U5,U2,U2):(U2,U4,U2,U0))>>("left_inverse: offset 20 does not fit in extent 10 of stride 2");
    refused::<LeftInverse<layout!(((U8),U6,U2):((U8),U2,U0))>>("left_inverse: offset 66 does not fit in extent 8 of stride 8");
}

#[test]
fn max_common() {
    assert_type_eq!(MaxCommonLayout<layout!((U3,U3):(U1,U0)), layout!((U2,U4,U2):(U1,U5,U2))>, layout!(U2:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U3,U3):(U1,U0)), layout!((U2,U4,U2):(U1,U5,U2))>, U0>, layout!(U2:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U3,U2,U2,U2):(U1,U6,U6,U12)), layout!((U3,U2,U2,U2):(U1,U3,U6,U12))>, layout!(U3:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U3,U2,U2,U2):(U1,U6,U6,U12)), layout!((U3,U2,U2,U2):(U1,U3,U6,U12))>, U0>, layout!(U3:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U2,(U5,U4),U2,U2):(U1,(U2,U10),U40,U80)), layout!((U2,U5,U4,U2,U2):(U1,U2,U10,U40,U80))>, layout!(U160:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U2,(U5,U4),U2,U2):(U1,(U2,U10),U40,U80)), layout!((U2,U5,U4,U2,U2):(U1,U2,U10,U40,U80))>, U0>, layout!(U160:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U2,(U4,(U2))):(U4,(U10,(U8)))), layout!((U2,U4,U2):(U4,U10,U8))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U2,(U4,(U2))):(U4,(U10,(U8)))), layout!((U2,U4,U2):(U4,U10,U8))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!(((U2),U2,U6,U1):((U1),U2,U4,U1)), layout!((U1):(U1))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!(((U2),U2,U6,U1):((U1),U2,U4,U1)), layout!((U1):(U1))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U4,U3,U16,U2):(U9,U16,U1,U8)), layout!((U4,U3,U8,U2):(U9,U16,U1,U8))>, layout!((U16,U3):(U12,U4)));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U4,U3,U16,U2):(U9,U16,U1,U8)), layout!((U4,U3,U8,U2):(U9,U16,U1,U8))>, U0>, layout!(U48:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U6,(U3,U6),U8):(U144,(U8,U24),U1)), layout!((U6,U3,U6,U8):(U144,U8,U24,U1))>, layout!((U8,U18,U6):(U108,U6,U1)));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U6,(U3,U6),U8):(U144,(U8,U24),U1)), layout!((U6,U3,U6,U8):(U144,U8,U24,U1))>, U0>, layout!(U864:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U8,U2,U2):(U10,U2,U1)), layout!((U8,U2,U2):(U10,U2,U1))>, layout!((U2,U2):(U16,U8)));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U8,U2,U2):(U10,U2,U1)), layout!((U8,U2,U2):(U10,U2,U1))>, U0>, layout!(U4:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U2,U6,U3,U3):(U1,U2,U12,U36)), layout!(((U2,U6),U3,U3):((U1,U2),U12,U36))>, layout!(U108:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U2,U6,U3,U3):(U1,U2,U12,U36)), layout!(((U2,U6),U3,U3):((U1,U2),U12,U36))>, U0>, layout!(U108:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U6,U6):(U12,U1)), layout!(U5:U1)>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U6,U6):(U12,U1)), layout!(U5:U1)>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U5,U6,U4):(U4,U20,U1)), layout!((U5,U4,U6,U4):(U4,U3,U20,U1))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U5,U6,U4):(U4,U20,U1)), layout!((U5,U4,U6,U4):(U4,U3,U20,U1))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U4,U2,(U4,U4)):(U1,U1,(U16,U9))), layout!((U4,U1,U1):(U1,U0,U4))>, layout!(U4:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U4,U2,(U4,U4)):(U1,U1,(U16,U9))), layout!((U4,U1,U1):(U1,U0,U4))>, U0>, layout!(U4:U0));
    assert_type_eq!(MaxCommonLayout<layout!(U3:U1), layout!((U3,U3):(U5,U1))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!(U3:U1), layout!((U3,U3):(U5,U1))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U5,U6,U12):(U36,U1,U6)), layout!((U5,U6,U6):(U36,U1,U6))>, layout!((U36,U5):(U5,U1)));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U5,U6,U12):(U36,U1,U6)), layout!((U5,U6,U6):(U36,U1,U6))>, U0>, layout!(U180:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U4,(U8,(U4)),U5,U1):(U1,(U4,(U32)),U128,U640)), layout!((U4,U8,U4,U10,U1):(U1,U4,U32,U128,U640))>, U0>, layout!(U640:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U3,U2):(U2,U1)), layout!((U3,U2):(U2,U3))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U3,U2):(U2,U1)), layout!((U3,U2):(U2,U3))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U4):(U2)), layout!(((U4)):((U1)))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U4):(U2)), layout!(((U4)):((U1)))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U4,U8,U4,U5):(U1,U4,U32,U128)), layout!((U4,(U8),U4,U5):(U1,(U4),U32,U128))>, layout!(U640:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U4,U8,U4,U5):(U1,U4,U32,U128)), layout!((U4,(U8),U4,U5):(U1,(U4),U32,U128))>, U0>, layout!(U640:U0));
    assert_type_eq!(MaxCommonLayout<layout!(((U2,U5),U8,U2,U6):((U480,U48),U1,U240,U8)), layout!((U2,U5,(((U1,U4),U2),U2)):(U80,U16,(((U2,U4),U1),U2)))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!(((U2,U5),U8,U2,U6):((U480,U48),U1,U240,U8)), layout!((U2,U5,(((U1,U4),U2),U2)):(U80,U16,(((U2,U4),U1),U2)))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U6,U1,U4,U6):(U6,U1,U36,U1)), layout!((U6,U1,U4,U6):(U6,U1,U36,U1))>, layout!((U6,U24):(U24,U1)));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U6,U1,U4,U6):(U6,U1,U36,U1)), layout!((U6,U1,U4,U6):(U6,U1,U36,U1))>, U0>, layout!(U144:U0));
    assert_type_eq!(MaxCommonLayout<layout!(((U2,U4),(U4,(U3,(U8,U4))),U2):((U24,U6),(U48,(U1,(U768,U192))),U3)), layout!((U1,U2,U6):(U1,U1,U2))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!(((U2,U4),(U4,(U3,(U8,U4))),U2):((U24,U6),(U48,(U1,(U768,U192))),U3)), layout!((U1,U2,U6):(U1,U1,U2))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U4,U5,U4):(U5,U1,U20)), layout!((U4,U5,U4):(U5,U1,U20))>, layout!((U5,U4,U4):(U4,U1,U20)));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U4,U5,U4):(U5,U1,U20)), layout!((U4,U5,U4):(U5,U1,U20))>, U0>, layout!(U80:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U2,U2,U1,U8):(U1,U2,U4,U4)), layout!((U2,U2,U1,U8):(U2,U2,U4,U4))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U2,U2,U1,U8):(U1,U2,U4,U4)), layout!((U2,U2,U1,U8):(U2,U2,U4,U4))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!(U6:U1), layout!((U6):(U1))>, layout!(U6:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!(U6:U1), layout!((U6):(U1))>, U0>, layout!(U6:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U5,(U2),U1):(U1,(U5),U1)), layout!(U2:U1)>, layout!(U2:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U5,(U2),U1):(U1,(U5),U1)), layout!(U2:U1)>, U0>, layout!(U2:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U1,U4,U2):(U1,U1,U8)), layout!((((U8)),(U6,U3)):(((U18)),(U9,U6)))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U1,U4,U2):(U1,U1,U8)), layout!((((U8)),(U6,U3)):(((U18)),(U9,U6)))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U9,U5,U2,U3,U1):(U0,U18,U3,U1,U6)), layout!((U3,U5,U2,(U3,U1)):(U0,U18,U3,(U1,U6)))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U9,U5,U2,U3,U1):(U0,U18,U3,U1,U6)), layout!((U3,U5,U2,(U3,U1)):(U0,U18,U3,(U1,U6)))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U4,U2,U4,U4):(U16,U2,U4,U1)), layout!((U4,(U2),U4,U2):(U16,(U2),U4,U1))>, layout!((U2,U8,U4):(U32,U4,U1)));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U4,U2,U4,U4):(U16,U2,U4,U1)), layout!((U4,(U2),U4,U2):(U16,(U2),U4,U1))>, U0>, layout!(U64:U0));
    assert_type_eq!(MaxCommonLayout<layout!((U2,U3,U5,U2):(U1,U2,U6,U30)), layout!((U2,U3,U5,U2):(U1,U2,U6,U30))>, layout!(U60:U1));
    assert_type_eq!(Layout<MaxCommonVector<layout!((U2,U3,U5,U2):(U1,U2,U6,U30)), layout!((U2,U3,U5,U2):(U1,U2,U6,U30))>, U0>, layout!(U60:U0));
    assert_type_eq!(MaxCommonLayout<layout!(((U8,U3)):((U1,U8))), layout!(((U3,U5),U5,U3):((U6,U15),U3,U1))>, layout!(U1:U0));
    assert_type_eq!(Layout<MaxCommonVector<layout!(((U8,U3)):((U1,U8))), layout!(((U3,U5),U5,U3):((U6,U15),U3,U1))>, U0>, layout!(U1:U0));
    assert_type_eq!(MaxCommonLayout<layout!(((U4,U4),(U5,(U1,U4))):((U4,U80),(U0,(U12,U2)))), layout!((U3,U4,U4,U5,U1,U4):(U5,U4,U80,U0,U12,U2))>, layout!(U1:U0));
}

#[test]
fn upcast() {
    refused::<Upcast<layout!((U3,U2):(U2,U3)), U6>>("upcast: the modes inside a new element of 6 together reach offset 7");
    assert_type_eq!(Upcast<layout!((U2,U2):(U2,U3)), U6>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Upcast<layout!((U4,U3):(U1,U2)), U4>, layout!((U1,U2):(U1,U1)));
    assert_type_eq!(Upcast<layout!((U2,U2):(U1,U2)), U4>, layout!((U1,U1):(U1,U1)));
    refused::<Upcast<layout!(U4:U8), U6>>("upcast: neither of stride 8 and factor 6 divides the other");
    assert_type_eq!(Upcast<layout!((U4):(U1)), U2>, layout!((U2):(U1)));
    refused::<Upcast<layout!((U5,U2):(U1,U5)), U4>>("upcast: neither of stride 5 and factor 4 divides the other");
    assert_type_eq!(Upcast<layout!(U3:U1), U6>, layout!(U1:U1));
    assert_type_eq!(Upcast<layout!((U4,U5):(U2,U6)), U6>, layout!((U2,U5):(U1,U1)));
    assert_type_eq!(Upcast<layout!(U4:U1), U6>, layout!(U1:U1));
    refused::<Upcast<layout!(U6:U1), U0>>("upcast: the factor must not be 0");
    refused::<Upcast<layout!((U2,U3):(U4,U9)), U2>>("upcast: neither of stride 9 and factor 2 divides the other");
    refused::<Upcast<layout!((U4,U8):(U1,U4)), U0>>("upcast: the factor must not be 0");
    refused::<Upcast<layout!((U2,U6):(U1,U2)), U3>>("upcast: neither of stride 2 and factor 3 divides the other");
    assert_type_eq!(Upcast<layout!((U4,U4,(U2)):(U4,U1,(U16))), U1>, layout!((U4,U4,(U2)):(U4,U1,(U16))));
    refused::<Upcast<layout!(((U3,U4),U5):((U1,U3),U12)), U2>>("upcast: neither of stride 3 and factor 2 divides the other");
    assert_type_eq!(Upcast<layout!((U2,U1,U4):(U1,U8,U2)), U1>, layout!((U2,U1,U4):(U1,U8,U2)));
    assert_type_eq!(Upcast<layout!((U8):(U1)), U1>, layout!((U8):(U1)));
    refused::<Upcast<layout!((U4,U6):(U1,U4)), U3>>("upcast: neither of stride 4 and factor 3 divides the other");
    refused::<Upcast<layout!((U4,U2,U1):(U2,U1,U1)), U0>>("upcast: the factor must not be 0");
    assert_type_eq!(Upcast<layout!(U4:U1), U2>, layout!(U2:U1));
    assert_type_eq!(Upcast<layout!((U8):(U1)), U3>, layout!((U3):(U1)));
    refused::<Upcast<layout!((U3,U8):(U5,U8)), U0>>("upcast: the factor must not be 0");
    assert_type_eq!(Upcast<layout!(U5:U5), U1>, layout!(U5:U5));
    refused::<Upcast<layout!((U2,U3):(U3,U1)), U0>>("upcast: the factor must not be 0");
    assert_type_eq!(Upcast<layout!(U2:U1), U6>, layout!(U1:U1));
    assert_type_eq!(Upcast<layout!(U2:U1), U1>, layout!(U2:U1));
    assert_type_eq!(Upcast<layout!(U8:U1), U5>, layout!(U2:U1));
    assert_type_eq!(Upcast<layout!(U2:U1), U2>, layout!(U1:U1));
    assert_type_eq!(Upcast<layout!(U3:U1), U1>, layout!(U3:U1));
    assert_type_eq!(Upcast<layout!((U3,U2):(U1,U3)), U6>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Upcast<layout!((U3,U2):(U1,U0)), U2>, layout!((U2,U2):(U1,U0)));
    assert_type_eq!(Upcast<layout!((U4,U4,U5):(U8,U1,U96)), U4>, layout!((U4,U1,U5):(U2,U1,U24)));
    assert_type_eq!(Upcast<layout!(U8:U1), U2>, layout!(U4:U1));
    assert_type_eq!(Upcast<layout!((U1):(U1)), U4>, layout!((U1):(U1)));
    assert_type_eq!(Upcast<layout!((U2,(U4,U1),U2):(U48,(U4,U1),U1)), U2>, layout!((U2,(U4,U1),U1):(U24,(U2,U1),U1)));
    assert_type_eq!(Upcast<layout!((U8,(U4,(U3,U1)),((U1,U3),U2)):(U216,(U27,(U1,U9)),((U3,U9),U108))), U1>, layout!((U8,(U4,(U3,U1)),((U1,U3),U2)):(U216,(U27,(U1,U9)),((U3,U9),U108))));
    assert_type_eq!(Upcast<layout!((U1,U2):(U1,U1)), U4>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Upcast<layout!(((U4,U4),U4):((U12,U1),U48)), U4>, layout!(((U4,U1),U4):((U3,U1),U12)));
    assert_type_eq!(Upcast<layout!((U2,U1):(U1,U2)), U1>, layout!((U2,U1):(U1,U2)));
    assert_type_eq!(Upcast<layout!((U2,U4,U5):(U15,U30,U1)), U3>, layout!((U2,U4,U2):(U5,U10,U1)));
    assert_type_eq!(Upcast<layout!((U6,U4):(U1,U6)), U3>, layout!((U2,U4):(U1,U2)));
    assert_type_eq!(Upcast<layout!(((U5,(U6,U1)),U5,U8):((U6,(U1,U6)),U30,U150)), U1>, layout!(((U5,(U6,U1)),U5,U8):((U6,(U1,U6)),U30,U150)));
    assert_type_eq!(Upcast<layout!(((U4,U4),U6,U3):((U432,U18),U1,U144)), U2>, layout!(((U4,U4),U3,U3):((U216,U9),U1,U72)));
    assert_type_eq!(Upcast<layout!((U3,U4):(U12,U0)), U1>, layout!((U3,U4):(U12,U0)));
    assert_type_eq!(Upcast<layout!(U8:U1), U4>, layout!(U2:U1));
    assert_type_eq!(Upcast<layout!((U4,U6):(U6,U12)), U3>, layout!((U4,U6):(U2,U4)));
    assert_type_eq!(Upcast<layout!(U2:U1), U4>, layout!(U1:U1));
    assert_type_eq!(Upcast<layout!((U5,U1):(U1,U1)), U3>, layout!((U2,U1):(U1,U1)));
    assert_type_eq!(Upcast<layout!((U2):(U1)), U2>, layout!((U1):(U1)));
    assert_type_eq!(Upcast<layout!((U8,U4):(U1,U16)), U1>, layout!((U8,U4):(U1,U16)));
    assert_type_eq!(Upcast<layout!((U2,U4,U4):(U32,U8,U1)), U1>, layout!((U2,U4,U4):(U32,U8,U1)));
}

#[test]
fn downcast() {
    assert_type_eq!(Downcast<layout!((U2,U4,U8):(U8,U1,U16)), U4>, layout!((U2,U16,U8):(U32,U1,U64)));
    assert_type_eq!(Downcast<layout!((U2,U6,U2):(U12,U1,U6)), U2>, layout!((U2,U12,U2):(U24,U1,U12)));
    assert_type_eq!(Downcast<layout!(U4:U1), U2>, layout!(U8:U1));
    assert_type_eq!(Downcast<layout!((U6,U6):(U6,U1)), U1>, layout!((U6,U6):(U6,U1)));
    refused::<Downcast<layout!((U2,U1,U4):(U2,U2,U2)), U1>>("downcast: no stride of (2,2,2) is 1");
    refused::<Downcast<layout!((U8,U8,U1):(U1,U8,U1)), U2>>("downcast: more than one stride of (1,8,1) is 1");
    assert_type_eq!(Downcast<layout!((U6,U2):(U1,U6)), U3>, layout!((U18,U2):(U1,U18)));
    assert_type_eq!(Downcast<layout!((U2,U3):(U1,U2)), U1>, layout!((U2,U3):(U1,U2)));
    assert_type_eq!(Downcast<layout!((U5,(U1)):(U1,(U5))), U1>, layout!((U5,(U1)):(U1,(U5))));
    assert_type_eq!(Downcast<layout!((U6,U1):(U1,U6)), U4>, layout!((U24,U1):(U1,U24)));
    assert_type_eq!(Downcast<layout!((U2):(U1)), U3>, layout!((U6):(U1)));
    assert_type_eq!(Downcast<layout!((U8,U8):(U10,U1)), U3>, layout!((U8,U24):(U30,U1)));
    refused::<Downcast<layout!((U1,(((U5),U4),((U4,U6),U4))):(U80,(((U16),U1),((U480,U80),U4)))), U0>>("downcast: the factor must not be 0");
    assert_type_eq!(Downcast<layout!((U2,U1):(U1,U7)), U3>, layout!((U6,U1):(U1,U21)));
    refused::<Downcast<layout!((U1,U4,U2):(U1,U1,U4)), U1>>("downcast: more than one stride of (1,1,4) is 1");
    refused::<Downcast<layout!((U3,U6,U2):(U7,U3,U18)), U1>>("downcast: no stride of (7,3,18) is 1");
    refused::<Downcast<layout!(((U3,U2),U3,U4):((U1,U36),U3,U9)), U0>>("downcast: the factor must not be 0");
    refused::<Downcast<layout!((U1,U4,U1):(U1,U1,U4)), U1>>("downcast: more than one stride of (1,1,4) is 1");
    refused::<Downcast<layout!((U6,U6,U3):(U6,U72,U1)), U0>>("downcast: the factor must not be 0");
    refused::<Downcast<layout!((U6,U3):(U1,U6)), U0>>("downcast: the factor must not be 0");
    refused::<Downcast<layout!((U1,U4):(U1,U1)), U3>>("downcast: more than one stride of (1,1) is 1");
    assert_type_eq!(Downcast<layout!((U2,U6):(U6,U1)), U2>, layout!((U2,U12):(U12,U1)));
    assert_type_eq!(Downcast<layout!((U4,U3):(U1,U4)), U4>, layout!((U16,U3):(U1,U16)));
    assert_type_eq!(Downcast<layout!((U5,U2,U6):(U1,U0,U2)), U3>, layout!((U15,U2,U6):(U1,U0,U6)));
    assert_type_eq!(Downcast<layout!((U5,U4):(U4,U1)), U4>, layout!((U5,U16):(U16,U1)));
    assert_type_eq!(Downcast<layout!(U8:U1), U1>, layout!(U8:U1));
    assert_type_eq!(Downcast<layout!((U4,U2,U5):(U1,U6,U4)), U4>, layout!((U16,U2,U5):(U1,U24,U16)));
    assert_type_eq!(Downcast<layout!((U3,U4):(U4,U1)), U1>, layout!((U3,U4):(U4,U1)));
    refused::<Downcast<layout!(((U2),U6,U3):((U0),U6,U1)), U0>>("downcast: the factor must not be 0");
    assert_type_eq!(Downcast<layout!(((U5,U3),U2,(U2)):((U18,U6),U90,(U1))), U3>, layout!(((U5,U3),U2,(U6)):((U54,U18),U270,(U1))));
    refused::<Downcast<layout!((U1,U6,(U4,(U6,U4))):(U576,U8,(U1,(U16,U4)))), U0>>("downcast: the factor must not be 0");
    assert_type_eq!(Downcast<layout!((U4,U4,U6):(U1,U4,U16)), U3>, layout!((U12,U4,U6):(U1,U12,U48)));
    assert_type_eq!(Downcast<layout!((U8,U3):(U1,U8)), U4>, layout!((U32,U3):(U1,U32)));
    assert_type_eq!(Downcast<layout!((U5,(U3),U2):(U6,(U1),U90)), U4>, layout!((U5,(U12),U2):(U24,(U1),U360)));
    assert_type_eq!(Downcast<layout!((U8,U4):(U1,U24)), U3>, layout!((U24,U4):(U1,U72)));
    assert_type_eq!(Downcast<layout!(U6:U1), U4>, layout!(U24:U1));
    assert_type_eq!(Downcast<layout!((((U5,U1),(U2)),U4):(((U4,U20),(U20)),U1)), U2>, layout!((((U5,U1),(U2)),U8):(((U8,U40),(U40)),U1)));
    assert_type_eq!(Downcast<layout!((U6):(U1)), U1>, layout!((U6):(U1)));
    assert_type_eq!(Downcast<layout!(((U1,(U1,U8)),U4):((U32,(U4,U4)),U1)), U4>, layout!(((U1,(U1,U8)),U16):((U128,(U16,U16)),U1)));
    assert_type_eq!(Downcast<layout!((U4,U5,U4):(U1,U4,U9)), U2>, layout!((U8,U5,U4):(U1,U8,U18)));
    assert_type_eq!(Downcast<layout!(((U4,((U4),U5)),U4):((U20,((U5),U1)),U80)), U3>, layout!(((U4,((U4),U15)),U4):((U60,((U15),U1)),U240)));
    assert_type_eq!(Downcast<layout!(U2:U1), U1>, layout!(U2:U1));
}

#[test]
fn recast() {
    assert_type_eq!(Recast<layout!(U2:U1), U64, U64>, layout!(U2:U1));
    assert_type_eq!(Recast<layout!(U2:U1), U8, U8>, layout!(U2:U1));
    refused::<Recast<layout!((U1,U2,U2):(U1,U1,U2)), U4, U6>>("upcast: neither of stride 2 and factor 3 divides the other");
    assert_type_eq!(Recast<layout!(U2:U1), U6, U4>, layout!(U3:U1));
    refused::<Recast<layout!((U4,(U4,(U2,(U4,U2)))):(U10,(U10,(U2,(U4,U1))))), U12, U8>>("downcast: more than one stride of (5,(5,(1,(2,1)))) is 1");
    refused::<Recast<layout!((U5,U4,U4):(U12,U60,U1)), U6, U16>>("upcast: neither of stride 12 and factor 8 divides the other");
    refused::<Recast<layout!((U1,U8):(U1,U1)), U6, U8>>("downcast: more than one stride of (1,1) is 1");
    assert_type_eq!(Recast<layout!(U6:U1), U8, U64>, layout!(U1:U1));
    assert_type_eq!(Recast<layout!((U5,U1):(U1,U5)), U8, U8>, layout!((U5,U1):(U1,U5)));
    assert_type_eq!(Recast<layout!((U1,U3):(U3,U1)), U32, U16>, layout!((U1,U6):(U6,U1)));
    assert_type_eq!(Recast<layout!((U5):(U1)), U12, U16>, layout!((U6):(U1)));
    assert_type_eq!(Recast<layout!((U2,U2):(U1,U2)), U32, U32>, layout!((U2,U2):(U1,U2)));
    refused::<Recast<layout!((U5,U1,U8):(U8,U7,U1)), U6, U16>>("upcast: neither of stride 7 and factor 8 divides the other");
    refused::<Recast<layout!((U4,U4):(U4,U7)), U8, U0>>("recast: the factor must not be 0");
    assert_type_eq!(Recast<layout!(U5:U1), U32, U8>, layout!(U20:U1));
    refused::<Recast<layout!((U1,U4):(U1,U1)), U0, U64>>("recast: the factor must not be 0");
    refused::<Recast<layout!((U4,U2,(U2,(U5,U2))):(U1,U0,(U8,(U32,U4)))), U32, U0>>("recast: the factor must not be 0");
    assert_type_eq!(Recast<layout!(U8:U1), U8, U6>, layout!(U12:U1));
    assert_type_eq!(Recast<layout!((U6):(U12)), U8, U8>, layout!((U6):(U12)));
    refused::<Recast<layout!((U4,U8,U5):(U80,U1,U8)), U8, U0>>("recast: the factor must not be 0");
    refused::<Recast<layout!((U5,U4):(U1,U12)), U4, U32>>("upcast: neither of stride 12 and factor 8 divides the other");
    assert_type_eq!(Recast<layout!((U2,(U6),U4):(U1,(U2),U12)), U64, U32>, layout!((U4,(U6),U4):(U1,(U4),U24)));
    assert_type_eq!(Recast<layout!((U4,U6):(U6,U2)), U6, U6>, layout!((U4,U6):(U6,U2)));
    refused::<Recast<layout!((U4,U1):(U1,U4)), U8, U6>>("upcast: neither of stride 4 and factor 3 divides the other");
    assert_type_eq!(Recast<layout!((U1,U3):(U1,U2)), U4, U32>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Recast<layout!(U3:U1), U32, U64>, layout!(U2:U1));
    assert_type_eq!(Recast<layout!(((U6,U6),U1):((U1,U6),U36)), U6, U12>, layout!(((U3,U6),U1):((U1,U3),U18)));
    assert_type_eq!(Recast<layout!(U1:U1), U12, U64>, layout!(U3:U1));
    assert_type_eq!(Recast<layout!((U2,U6,U3):(U9,U1,U12)), U32, U32>, layout!((U2,U6,U3):(U9,U1,U12)));
    assert_type_eq!(Recast<layout!(U5:U1), U8, U8>, layout!(U5:U1));
    refused::<Recast<layout!((U2,U6):(U1,U6)), U12, U16>>("upcast: neither of stride 6 and factor 4 divides the other");
    assert_type_eq!(Recast<layout!((U1,U8):(U1,U1)), U6, U6>, layout!((U1,U8):(U1,U1)));
    refused::<Recast<layout!((U1,U3,U2):(U1,U1,U3)), U32, U0>>("recast: the factor must not be 0");
    refused::<Recast<layout!(U6:U1), U0, U16>>("recast: the factor must not be 0");
    refused::<Recast<layout!(U8:U1), U6, U0>>("recast: the factor must not be 0");
    assert_type_eq!(Recast<layout!((U4,(U2,U8)):(U8,(U32,U1))), U4, U8>, layout!((U4,(U2,U4)):(U4,(U16,U1))));
    assert_type_eq!(Recast<layout!((U3,U5,U5):(U6,U15,U3)), U64, U6>, layout!((U3,U5,U160):(U64,U160,U1)));
    assert_type_eq!(Recast<layout!((U2,U3):(U6,U1)), U32, U64>, layout!((U2,U2):(U3,U1)));
    refused::<Recast<layout!((U2,U4):(U4,U12)), U64, U8>>("downcast: no stride of (4,12) is 1");
    assert_type_eq!(Recast<layout!((U4,U8):(U1,U4)), U32, U16>, layout!((U8,U8):(U1,U8)));
    assert_type_eq!(Recast<layout!((U2):(U1)), U32, U8>, layout!((U8):(U1)));
    assert_type_eq!(Recast<layout!((U4,U1,U4):(U4,U32,U1)), U32, U16>, layout!((U4,U1,U8):(U8,U64,U1)));
    assert_type_eq!(Recast<layout!(U2:U1), U12, U32>, layout!(U3:U1));
    assert_type_eq!(Recast<layout!((U4,U2):(U1,U4)), U32, U32>, layout!((U4,U2):(U1,U4)));
    assert_type_eq!(Recast<layout!((U3,U2):(U1,U3)), U32, U32>, layout!((U3,U2):(U1,U3)));
    assert_type_eq!(Recast<layout!((U4):(U1)), U4, U6>, layout!((U4):(U1)));
    assert_type_eq!(Recast<layout!((U5):(U1)), U8, U32>, layout!((U2):(U1)));
    assert_type_eq!(Recast<layout!((U6):(U1)), U64, U12>, layout!((U32):(U1)));
    assert_type_eq!(Recast<layout!((U2,U5):(U1,U2)), U16, U8>, layout!((U4,U5):(U1,U4)));
    assert_type_eq!(Recast<layout!(U4:U1), U6, U12>, layout!(U2:U1));
    assert_type_eq!(Recast<layout!((U2,U2):(U1,U6)), U64, U8>, layout!((U16,U2):(U1,U48)));
    assert_type_eq!(Recast<layout!((U1,U6):(U18,U1)), U32, U8>, layout!((U1,U24):(U72,U1)));
    assert_type_eq!(Recast<layout!((U2,(U2,(U4))):(U1,(U2,(U4)))), U4, U16>, layout!((U1,(U1,(U4))):(U1,(U1,(U1)))));
    assert_type_eq!(Recast<layout!((U5,U8,U8):(U1,U5,U40)), U64, U16>, layout!((U20,U8,U8):(U1,U20,U160)));
    assert_type_eq!(Recast<layout!((U2,U6):(U1,U2)), U4, U32>, layout!((U1,U2):(U1,U1)));
    assert_type_eq!(Recast<layout!((U6,U5,U1):(U0,U1,U12)), U8, U6>, layout!((U6,U8,U1):(U0,U1,U16)));
}

#[test]
fn domain_distribute() {
    assert_type_eq!(DomainDistribute<tree!(U2), U1>, layout!(U1:U0));
    refused::<DomainDistribute<tree!((((U4,U5),U2),U2,U4,U2)), U0>>("an extent must be at least 1");
    assert_type_eq!(DomainDistribute<tree!(U6), U1>, layout!(U1:U0));
    assert_type_eq!(DomainDistribute<tree!((U4,U1)), U12>, layout!(U4:U1));
    assert_type_eq!(DomainDistribute<tree!((U8,U3,U5,U4)), U96>, layout!((U24,U4):(U1,U120)));
    assert_type_eq!(DomainDistribute<tree!((U1,(U3,U6),U4)), U30>, layout!(U6:U1));
    assert_type_eq!(DomainDistribute<tree!(U2), U12>, layout!(U2:U1));
    assert_type_eq!(DomainDistribute<tree!(((U5),U4,U3,U1)), U1>, layout!(U1:U0));
    assert_type_eq!(DomainDistribute<tree!(((U2,U4),U1,U3,(U4))), U96>, layout!(U96:U1));
    assert_type_eq!(DomainDistribute<tree!(((U2,U5),((U6,U2),((U1,U2),U2)))), U24>, layout!((U2,U12):(U1,U10)));
    assert_type_eq!(DomainDistribute<tree!((U3,(U2))), U6>, layout!(U6:U1));
    assert_type_eq!(DomainDistribute<tree!((U5,U8,U5,U8)), U6>, layout!(U2:U5));
    assert_type_eq!(DomainDistribute<tree!(((U4),U4,U1)), U8>, layout!(U8:U1));
    assert_type_eq!(DomainDistribute<tree!((U2,(U4,U3),U4)), U12>, layout!((U4,U3):(U1,U8)));
    assert_type_eq!(DomainDistribute<tree!((U5,U4,U2,U2)), U4>, layout!(U4:U5));
    assert_type_eq!(DomainDistribute<tree!((U6,(((U1,U4),(U2)),U4),U4,U6)), U8>, layout!((U2,U4):(U1,U6)));
    assert_type_eq!(DomainDistribute<tree!((U8,U4,U8,U2)), U64>, layout!(U64:U1));
    assert_type_eq!(DomainDistribute<tree!((U4,(U4,U4),(U4,U4))), U12>, layout!(U4:U1));
    assert_type_eq!(DomainDistribute<tree!(((U2,U5),U2)), U2>, layout!(U2:U1));
    assert_type_eq!(DomainDistribute<tree!((U4)), U60>, layout!(U4:U1));
    assert_type_eq!(DomainDistribute<tree!((U6,U2,U6)), U4>, layout!((U2,U2):(U1,U6)));
    assert_type_eq!(DomainDistribute<tree!((U6,U1)), U4>, layout!(U2:U1));
    assert_type_eq!(DomainDistribute<tree!((U3,(U2,U4))), U60>, layout!(U12:U1));
    assert_type_eq!(DomainDistribute<tree!((U6,U2)), U6>, layout!(U6:U1));
    assert_type_eq!(DomainDistribute<tree!((U2,(U6,U4),U2)), U24>, layout!(U24:U1));
    assert_type_eq!(DomainDistribute<tree!((U4,U5,U5,U1)), U2>, layout!(U2:U1));
    assert_type_eq!(DomainDistribute<tree!((U6,U1)), U60>, layout!(U6:U1));
    assert_type_eq!(DomainDistribute<tree!((U8)), U96>, layout!(U8:U1));
    assert_type_eq!(DomainDistribute<tree!((U2,U4,U6,U4)), U12>, layout!((U4,U3):(U1,U8)));
    assert_type_eq!(DomainDistribute<tree!((U4,U2)), U3>, layout!(U1:U0));
    assert_type_eq!(DomainDistribute<tree!((U4,U5)), U60>, layout!(U20:U1));
}

#[test]
fn shape_div() {
    refused::<Layout<ShapeDiv<tree!(U8), tree!(U12)>, ShapeDiv<tree!(U8), tree!(U12)>>>("shape_div: neither of 8 and 12 divides the other");
    assert_type_eq!(Layout<ShapeDiv<tree!((U2,U2)), tree!(U4)>, ShapeDiv<tree!((U2,U2)), tree!(U4)>>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U8,U1)), tree!((U1,U1))>, ShapeDiv<tree!((U8,U1)), tree!((U1,U1))>>, layout!((U8,U1):(U8,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U1,U8)), tree!((U1,U1))>, ShapeDiv<tree!((U1,U8)), tree!((U1,U1))>>, layout!((U1,U8):(U1,U8)));
    refused::<Layout<ShapeDiv<tree!((U2,U8)), tree!(U6)>, ShapeDiv<tree!((U2,U8)), tree!(U6)>>>("shape_div: neither of 8 and 3 divides the other");
    assert_type_eq!(Layout<ShapeDiv<tree!(U2), tree!((U2,U1))>, ShapeDiv<tree!(U2), tree!((U2,U1))>>, layout!(U1:U1));
    refused::<Layout<ShapeDiv<tree!((U4,(U1,U6),U4)), tree!(U6)>, ShapeDiv<tree!((U4,(U1,U6),U4)), tree!(U6)>>>("shape_div: neither of 4 and 6 divides the other");
    assert_type_eq!(Layout<ShapeDiv<tree!(U4), tree!(U2)>, ShapeDiv<tree!(U4), tree!(U2)>>, layout!(U2:U2));
    refused::<Layout<ShapeDiv<tree!((U5,U4)), tree!(U6)>, ShapeDiv<tree!((U5,U4)), tree!(U6)>>>("shape_div: neither of 5 and 6 divides the other");
    refused::<Layout<ShapeDiv<tree!(((U1,U5),U3)), tree!(U6)>, ShapeDiv<tree!(((U1,U5),U3)), tree!(U6)>>>("shape_div: neither of 5 and 6 divides the other");
    assert_type_eq!(Layout<ShapeDiv<tree!(U4), tree!(U4)>, ShapeDiv<tree!(U4), tree!(U4)>>, layout!(U1:U1));
    assert_type_eq!(Layout<ShapeDiv<tree!((U4,U4,U2)), tree!(U4)>, ShapeDiv<tree!((U4,U4,U2)), tree!(U4)>>, layout!((U1,U4,U2):(U1,U4,U2)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U4,(U4),U8)), tree!(U4)>, ShapeDiv<tree!((U4,(U4),U8)), tree!(U4)>>, layout!((U1,(U4),U8):(U1,(U4),U8)));
    refused::<Layout<ShapeDiv<tree!(U5), tree!(U12)>, ShapeDiv<tree!(U5), tree!(U12)>>>("shape_div: neither of 5 and 12 divides the other");
    refused::<Layout<ShapeDiv<tree!((U5,U2,U6)), tree!((U3,U3,((U8,U8),U3)))>, ShapeDiv<tree!((U5,U2,U6)), tree!((U3,U3,((U8,U8),U3)))>>>("shape_div: neither of 5 and 3 divides the other");
    refused::<Layout<ShapeDiv<tree!((U8,U5,(U5,U2))), tree!((U2,U1,(U2,U2)))>, ShapeDiv<tree!((U8,U5,(U5,U2))), tree!((U2,U1,(U2,U2)))>>>("shape_div: neither of 5 and 2 divides the other");
    refused::<Layout<ShapeDiv<tree!((U5,U6)), tree!(U8)>, ShapeDiv<tree!((U5,U6)), tree!(U8)>>>("shape_div: neither of 5 and 8 divides the other");
    assert_type_eq!(Layout<ShapeDiv<tree!((U6,U2)), tree!((U6,U1))>, ShapeDiv<tree!((U6,U2)), tree!((U6,U1))>>, layout!((U1,U2):(U1,U2)));
    assert_type_eq!(Layout<ShapeDiv<tree!(U2), tree!((U5,(U6,U2)))>, ShapeDiv<tree!(U2), tree!((U5,(U6,U2)))>>, layout!(U1:U1));
    refused::<Layout<ShapeDiv<tree!((U8,U4)), tree!(U48)>, ShapeDiv<tree!((U8,U4)), tree!(U48)>>>("shape_div: neither of 4 and 6 divides the other");
    refused::<Layout<ShapeDiv<tree!(((U4,U4),U5)), tree!((U5,U2,(U3,U4)))>, ShapeDiv<tree!(((U4,U4),U5)), tree!((U5,U2,(U3,U4)))>>>("shape_div: ((4,4),5) has 2 modes but (5,2,(3,4)) has 3");
    assert_type_eq!(Layout<ShapeDiv<tree!((U3,U2)), tree!((U1,U1))>, ShapeDiv<tree!((U3,U2)), tree!((U1,U1))>>, layout!((U3,U2):(U3,U2)));
    refused::<Layout<ShapeDiv<tree!(((U8),U5)), tree!(((U8),U2))>, ShapeDiv<tree!(((U8),U5)), tree!(((U8),U2))>>>("shape_div: neither of 5 and 2 divides the other");
    refused::<Layout<ShapeDiv<tree!((U2,U8)), tree!((U2))>, ShapeDiv<tree!((U2,U8)), tree!((U2))>>>("shape_div: (2,8) has 2 modes but (2) has 1");
    assert_type_eq!(Layout<ShapeDiv<tree!((U4,((U6),U6),U1)), tree!((U4,((U1),U12),U2))>, ShapeDiv<tree!((U4,((U6),U6),U1)), tree!((U4,((U1),U12),U2))>>, layout!((U1,((U6),U1),U1):(U1,((U6),U1),U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U8)), tree!(U16)>, ShapeDiv<tree!((U8)), tree!(U16)>>, layout!((U1):(U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U6,U1)), tree!(U6)>, ShapeDiv<tree!((U6,U1)), tree!(U6)>>, layout!((U1,U1):(U1,U1)));
    refused::<Layout<ShapeDiv<tree!((U8,U2,U2)), tree!(U48)>, ShapeDiv<tree!((U8,U2,U2)), tree!(U48)>>>("shape_div: neither of 2 and 3 divides the other");
    refused::<Layout<ShapeDiv<tree!((U5)), tree!(U2)>, ShapeDiv<tree!((U5)), tree!(U2)>>>("shape_div: neither of 5 and 2 divides the other");
    assert_type_eq!(Layout<ShapeDiv<tree!((U8,U2)), tree!((U8,U1))>, ShapeDiv<tree!((U8,U2)), tree!((U8,U1))>>, layout!((U1,U2):(U1,U2)));
    refused::<Layout<ShapeDiv<tree!((U6,((U2,U2)))), tree!((U8,U6,U3))>, ShapeDiv<tree!((U6,((U2,U2)))), tree!((U8,U6,U3))>>>("shape_div: (6,((2,2))) has 2 modes but (8,6,3) has 3");
    assert_type_eq!(Layout<ShapeDiv<tree!(U2), tree!(U2)>, ShapeDiv<tree!(U2), tree!(U2)>>, layout!(U1:U1));
    assert_type_eq!(Layout<ShapeDiv<tree!(U1), tree!((U1,U1))>, ShapeDiv<tree!(U1), tree!((U1,U1))>>, layout!(U1:U1));
    assert_type_eq!(Layout<ShapeDiv<tree!((U5,U4)), tree!((U10,U8))>, ShapeDiv<tree!((U5,U4)), tree!((U10,U8))>>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U8,U4)), tree!(U2)>, ShapeDiv<tree!((U8,U4)), tree!(U2)>>, layout!((U4,U4):(U4,U4)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U2,U4)), tree!((U2,U1))>, ShapeDiv<tree!((U2,U4)), tree!((U2,U1))>>, layout!((U1,U4):(U1,U4)));
    assert_type_eq!(Layout<ShapeDiv<tree!(U4), tree!(U1)>, ShapeDiv<tree!(U4), tree!(U1)>>, layout!(U4:U4));
    assert_type_eq!(Layout<ShapeDiv<tree!(U1), tree!(U1)>, ShapeDiv<tree!(U1), tree!(U1)>>, layout!(U1:U1));
    assert_type_eq!(Layout<ShapeDiv<tree!((U4,U4,U4)), tree!((U4,U4,U2))>, ShapeDiv<tree!((U4,U4,U4)), tree!((U4,U4,U2))>>, layout!((U1,U1,U2):(U1,U1,U2)));
    assert_type_eq!(Layout<ShapeDiv<tree!(((U2,((U8,U8),U5)),U2)), tree!(U4)>, ShapeDiv<tree!(((U2,((U8,U8),U5)),U2)), tree!(U4)>>, layout!(((U1,((U4,U8),U5)),U2):((U1,((U4,U8),U5)),U2)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U5,U6)), tree!((U1,U2))>, ShapeDiv<tree!((U5,U6)), tree!((U1,U2))>>, layout!((U5,U3):(U5,U3)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U4,U8)), tree!((U1,U16))>, ShapeDiv<tree!((U4,U8)), tree!((U1,U16))>>, layout!((U4,U1):(U4,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U4,U6)), tree!(U8)>, ShapeDiv<tree!((U4,U6)), tree!(U8)>>, layout!((U1,U3):(U1,U3)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U4,U2,U3)), tree!((U2,U2,U3))>, ShapeDiv<tree!((U4,U2,U3)), tree!((U2,U2,U3))>>, layout!((U2,U1,U1):(U2,U1,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U8,U5)), tree!((U16,U10))>, ShapeDiv<tree!((U8,U5)), tree!((U16,U10))>>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U1,U2,U2)), tree!(U48)>, ShapeDiv<tree!((U1,U2,U2)), tree!(U48)>>, layout!((U1,U1,U1):(U1,U1,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!(U4), tree!(U8)>, ShapeDiv<tree!(U4), tree!(U8)>>, layout!(U1:U1));
    assert_type_eq!(Layout<ShapeDiv<tree!(((U8,U3),(U2,U2),U2)), tree!(((U8,U3),(U2,U1),U1))>, ShapeDiv<tree!(((U8,U3),(U2,U2),U2)), tree!(((U8,U3),(U2,U1),U1))>>, layout!(((U1,U1),(U1,U2),U2):((U1,U1),(U1,U2),U2)));
    assert_type_eq!(Layout<ShapeDiv<tree!(U4), tree!((U6,U2))>, ShapeDiv<tree!(U4), tree!((U6,U2))>>, layout!(U1:U1));
    assert_type_eq!(Layout<ShapeDiv<tree!((U4,U3)), tree!((U2,U6))>, ShapeDiv<tree!((U4,U3)), tree!((U2,U6))>>, layout!((U2,U1):(U2,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U1,U3)), tree!((U2,U3))>, ShapeDiv<tree!((U1,U3)), tree!((U2,U3))>>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!(((U4,U4),U5)), tree!(U2)>, ShapeDiv<tree!(((U4,U4),U5)), tree!(U2)>>, layout!(((U2,U4),U5):((U2,U4),U5)));
    assert_type_eq!(Layout<ShapeDiv<tree!(((U2,U6),(U2))), tree!(U4)>, ShapeDiv<tree!(((U2,U6),(U2))), tree!(U4)>>, layout!(((U1,U3),(U2)):((U1,U3),(U2))));
    assert_type_eq!(Layout<ShapeDiv<tree!((U2,(U4,U6))), tree!(U8)>, ShapeDiv<tree!((U2,(U4,U6))), tree!(U8)>>, layout!((U1,(U1,U6)):(U1,(U1,U6))));
    assert_type_eq!(Layout<ShapeDiv<tree!((U1,U4,U1)), tree!((U1,U4,U1))>, ShapeDiv<tree!((U1,U4,U1)), tree!((U1,U4,U1))>>, layout!((U1,U1,U1):(U1,U1,U1)));
    assert_type_eq!(Layout<ShapeDiv<tree!((U1,U3,U4)), tree!(U6)>, ShapeDiv<tree!((U1,U3,U4)), tree!(U6)>>, layout!((U1,U1,U2):(U1,U1,U2)));
}

#[test]
fn make() {
    assert_type_eq!(Make<tree!((U3,U2,(U2),((U4,U2))))>, layout!((U3,U2,(U2),((U4,U2))):(U1,U3,(U6),((U12,U48)))));
    assert_type_eq!(Make<tree!((U2,U8,U4))>, layout!((U2,U8,U4):(U1,U2,U16)));
    assert_type_eq!(Make<tree!(U5)>, layout!(U5:U1));
    assert_type_eq!(Make<tree!((U3,U1,U2,U1))>, layout!((U3,U1,U2,U1):(U1,U0,U3,U0)));
    assert_type_eq!(Make<tree!((U4,((U2,U5),U1)))>, layout!((U4,((U2,U5),U1)):(U1,((U4,U8),U0))));
    assert_type_eq!(Make<tree!(U1)>, layout!(U1:U0));
    assert_type_eq!(Make<tree!((U3))>, layout!((U3):(U1)));
    assert_type_eq!(Make<tree!((U3,U6,U8,U2))>, layout!((U3,U6,U8,U2):(U1,U3,U18,U144)));
    assert_type_eq!(Make<tree!(((U4,U4),(U6,U2)))>, layout!(((U4,U4),(U6,U2)):((U1,U4),(U16,U96))));
    assert_type_eq!(Make<tree!(((U8,(U2,U2)),U2))>, layout!(((U8,(U2,U2)),U2):((U1,(U8,U16)),U32)));
    assert_type_eq!(Make<tree!((U4,(U4,(U5,U2))))>, layout!((U4,(U4,(U5,U2))):(U1,(U4,(U16,U80)))));
    assert_type_eq!(Make<tree!((U8,U1,U8))>, layout!((U8,U1,U8):(U1,U0,U8)));
    assert_type_eq!(Make<tree!((U4,(U1,U6)))>, layout!((U4,(U1,U6)):(U1,(U0,U4))));
    assert_type_eq!(Make<tree!(U8)>, layout!(U8:U1));
    assert_type_eq!(Make<tree!((U2,U4))>, layout!((U2,U4):(U1,U2)));
    assert_type_eq!(Make<tree!((U2,(U8,(U8)),U5,U1))>, layout!((U2,(U8,(U8)),U5,U1):(U1,(U2,(U16)),U128,U0)));
}

#[test]
fn row_major() {
    assert_type_eq!(RowMajor<tree!((U5,U4))>, layout!((U5,U4):(U4,U1)));
    assert_type_eq!(RowMajor<tree!((U8,(U6,U1),U4,U2))>, layout!((U8,(U6,U1),U4,U2):(U48,(U8,U0),U2,U1)));
    assert_type_eq!(RowMajor<tree!((U6,U2))>, layout!((U6,U2):(U2,U1)));
    assert_type_eq!(RowMajor<tree!((((U2,(U2,U2)),U8)))>, layout!((((U2,(U2,U2)),U8)):(((U32,(U16,U8)),U1))));
    assert_type_eq!(RowMajor<tree!((U4,U5,U6))>, layout!((U4,U5,U6):(U30,U6,U1)));
    assert_type_eq!(RowMajor<tree!((U5,U1))>, layout!((U5,U1):(U1,U0)));
    assert_type_eq!(RowMajor<tree!((U3,U2,U6,U1))>, layout!((U3,U2,U6,U1):(U12,U6,U1,U0)));
    assert_type_eq!(RowMajor<tree!(U3)>, layout!(U3:U1));
    assert_type_eq!(RowMajor<tree!((U8,U6,U4))>, layout!((U8,U6,U4):(U24,U4,U1)));
    assert_type_eq!(RowMajor<tree!((((U8,U5),(U2,U2)),U5,U5))>, layout!((((U8,U5),(U2,U2)),U5,U5):(((U500,U100),(U50,U25)),U5,U1)));
    assert_type_eq!(RowMajor<tree!((U2,U4))>, layout!((U2,U4):(U4,U1)));
    assert_type_eq!(RowMajor<tree!(((U8),U6,U3,U2))>, layout!(((U8),U6,U3,U2):((U36),U6,U2,U1)));
    assert_type_eq!(RowMajor<tree!((U4,U4,U6))>, layout!((U4,U4,U6):(U24,U6,U1)));
    assert_type_eq!(RowMajor<tree!((U6,U3,U4))>, layout!((U6,U3,U4):(U12,U4,U1)));
    assert_type_eq!(RowMajor<tree!((U4,U8,(U2,U4),U2))>, layout!((U4,U8,(U2,U4),U2):(U128,U16,(U8,U2),U1)));
    assert_type_eq!(RowMajor<tree!((U3,U4,U4))>, layout!((U3,U4,U4):(U16,U4,U1)));
}

#[test]
fn make_ordered() {
    assert_type_eq!(MakeOrdered<tree!(U2), tree!(U0)>, layout!(U2:U1));
    assert_type_eq!(MakeOrdered<tree!((U5,(U8),U2,(U1,U6))), tree!(U0)>, layout!((U5,(U8),U2,(U1,U6)):(U1,(U5),U40,(U0,U80))));
    refused::<MakeOrdered<tree!(((U4,U4),U4,(U5,U2))), tree!((U0,U0,U0))>>("order (0,0,0) gives position 0 to two modes with more than one element");
    assert_type_eq!(MakeOrdered<tree!(((U4,U1),U2,U4,U8)), tree!(((U1,U3),U0,U4,U2))>, layout!(((U4,U1),U2,U4,U8):((U2,U0),U1,U64,U8)));
    assert_type_eq!(MakeOrdered<tree!((U1,U1,U2)), tree!(U2)>, layout!((U1,U1,U2):(U0,U0,U1)));
    assert_type_eq!(MakeOrdered<tree!((U1,(U1,U8),U8,U3)), tree!(U1)>, layout!((U1,(U1,U8),U8,U3):(U0,(U0,U1),U8,U64)));
    assert_type_eq!(MakeOrdered<tree!((U2,U5,U8,U4)), tree!((U3,U0,U1,U2))>, layout!((U2,U5,U8,U4):(U160,U1,U5,U40)));
    assert_type_eq!(MakeOrdered<tree!((U4,U4,U5)), tree!((U0,U1,U2))>, layout!((U4,U4,U5):(U1,U4,U16)));
    assert_type_eq!(MakeOrdered<tree!((U4,U3,U4)), tree!(U1)>, layout!((U4,U3,U4):(U1,U4,U12)));
    assert_type_eq!(MakeOrdered<tree!((U4,U6,U4,U3)), tree!(U1)>, layout!((U4,U6,U4,U3):(U1,U4,U24,U96)));
    refused::<MakeOrdered<tree!((U2,U5,U6)), tree!((U0,U0,U0))>>("order (0,0,0) gives position 0 to two modes with more than one element");
    assert_type_eq!(MakeOrdered<tree!((U1,(U1,(U4)),U8)), tree!((U0,(U1,U1),U2))>, layout!((U1,(U1,(U4)),U8):(U0,(U0,(U1)),U4)));
    assert_type_eq!(MakeOrdered<tree!((U3,U4)), tree!(U0)>, layout!((U3,U4):(U1,U3)));
    refused::<MakeOrdered<tree!((U1,((U1,U2),U4),(U1,U4))), tree!((U1,((U2,U2),U2),(U1,U2)))>>("order (1,((2,2),2),(1,2)) gives position 2 to two modes with more than one element");
    assert_type_eq!(MakeOrdered<tree!(U6), tree!(U0)>, layout!(U6:U1));
    assert_type_eq!(MakeOrdered<tree!((U4,U4)), tree!((U1,U0))>, layout!((U4,U4):(U4,U1)));
    assert_type_eq!(MakeOrdered<tree!((U8,U4,(U1,U8),U6)), tree!((U2,U0,(U4,U1),U3))>, layout!((U8,U4,(U1,U8),U6):(U32,U1,(U0,U4),U256)));
    assert_type_eq!(MakeOrdered<tree!((U1,U4)), tree!(U0)>, layout!((U1,U4):(U0,U1)));
    assert_type_eq!(MakeOrdered<tree!((U6,U1,(U4,U4))), tree!((U0,U1,(U3,U2)))>, layout!((U6,U1,(U4,U4)):(U1,U0,(U24,U6))));
    assert_type_eq!(MakeOrdered<tree!((U6,U2,U2,U6)), tree!((U1,U0,U2,U3))>, layout!((U6,U2,U2,U6):(U2,U1,U12,U24)));
    assert_type_eq!(MakeOrdered<tree!((U1,(U3,U1))), tree!((U1,(U2,U0)))>, layout!((U1,(U3,U1)):(U0,(U1,U0))));
    assert_type_eq!(MakeOrdered<tree!((U3,U5,U6)), tree!((U2,U0,U1))>, layout!((U3,U5,U6):(U30,U1,U5)));
    assert_type_eq!(MakeOrdered<tree!((U2,(U6,U8),U2)), tree!((U1,(U0,U3),U2))>, layout!((U2,(U6,U8),U2):(U6,(U1,U24),U12)));
    assert_type_eq!(MakeOrdered<tree!(U3), tree!(U0)>, layout!(U3:U1));
    assert_type_eq!(MakeOrdered<tree!(U4), tree!(U2)>, layout!(U4:U1));
    assert_type_eq!(MakeOrdered<tree!((U8,U8)), tree!((U0,U1))>, layout!((U8,U8):(U1,U8)));
    assert_type_eq!(MakeOrdered<tree!((U4,U4)), tree!((U0,U2))>, layout!((U4,U4):(U1,U4)));
    assert_type_eq!(MakeOrdered<tree!((((U8,U1),U6),U4)), tree!((U1,U2))>, layout!((((U8,U1),U6),U4):(((U1,U0),U8),U48)));
    assert_type_eq!(MakeOrdered<tree!((U2,(U1,U3))), tree!(U0)>, layout!((U2,(U1,U3)):(U1,(U0,U2))));
    assert_type_eq!(MakeOrdered<tree!(U3), tree!(U1)>, layout!(U3:U1));
    assert_type_eq!(MakeOrdered<tree!((U2,U8,U8)), tree!((U0,U2,U1))>, layout!((U2,U8,U8):(U1,U16,U2)));
    assert_type_eq!(MakeOrdered<tree!(U6), tree!(U2)>, layout!(U6:U1));
    assert_type_eq!(MakeOrdered<tree!((U4,U6,U1)), tree!((U0,U1,U2))>, layout!((U4,U6,U1):(U1,U4,U0)));
    assert_type_eq!(MakeOrdered<tree!((U1,U5,U8,U2)), tree!((U0,U1,U2,U3))>, layout!((U1,U5,U8,U2):(U0,U1,U5,U40)));
    refused::<MakeOrdered<tree!((U2,U5,U5)), tree!((U2,U2,U1))>>("order (2,2,1) gives position 2 to two modes with more than one element");
    assert_type_eq!(MakeOrdered<tree!((U1,U8,(U6,U2),(U4,U4))), tree!(U3)>, layout!((U1,U8,(U6,U2),(U4,U4)):(U0,U1,(U8,U48),(U96,U384))));
    assert_type_eq!(MakeOrdered<tree!((U4,U8)), tree!((U1,U0))>, layout!((U4,U8):(U8,U1)));
    assert_type_eq!(MakeOrdered<tree!((U4,(((U2)),U2),U8,U6)), tree!((U3,(((U0)),U1),U2,U4))>, layout!((U4,(((U2)),U2),U8,U6):(U32,(((U1)),U2),U4,U128)));
    assert_type_eq!(MakeOrdered<tree!(((U4,U5),U4)), tree!(((U1,U0),U2))>, layout!(((U4,U5),U4):((U5,U1),U20)));
    assert_type_eq!(MakeOrdered<tree!((U4,U3)), tree!(U1)>, layout!((U4,U3):(U1,U4)));
    assert_type_eq!(MakeOrdered<tree!((U1,U3)), tree!((U0,U1))>, layout!((U1,U3):(U0,U1)));
    assert_type_eq!(MakeOrdered<tree!((U4,U3,U3,U3)), tree!((U1,U3,U0,U2))>, layout!((U4,U3,U3,U3):(U3,U36,U1,U12)));
    assert_type_eq!(MakeOrdered<tree!((U2,U5,U2,U2)), tree!((U1,U3,U0,U2))>, layout!((U2,U5,U2,U2):(U2,U8,U1,U4)));
    assert_type_eq!(MakeOrdered<tree!((U5,U6,U3,U8)), tree!((U2,U1,U0,U3))>, layout!((U5,U6,U3,U8):(U18,U3,U1,U90)));
    refused::<MakeOrdered<tree!((U1,U4,U1,U4)), tree!((U0,U0,U2,U0))>>("order (0,0,2,0) gives position 0 to two modes with more than one element");
    refused::<MakeOrdered<tree!((U1,U2,U2)), tree!((U1,U2,U2))>>("order (1,2,2) gives position 2 to two modes with more than one element");
    refused::<MakeOrdered<tree!((U4,U2)), tree!((U1,U1))>>("order (1,1) gives position 1 to two modes with more than one element");
    refused::<MakeOrdered<tree!(((U2,U5),U2,U6,(U2,(U5)))), tree!(((U2,U1),U0,U1,(U2,(U2))))>>("order ((2,1),0,1,(2,(2))) gives position 1 to two modes with more than one element");
    refused::<MakeOrdered<tree!((U5,U3)), tree!((U1,U1))>>("order (1,1) gives position 1 to two modes with more than one element");
    refused::<MakeOrdered<tree!((U2,U2)), tree!((U2,U2))>>("order (2,2) gives position 2 to two modes with more than one element");
    refused::<MakeOrdered<tree!((U4,U4)), tree!((U1,U2,U1))>>("order (1,2,1) does not match the modes of shape (4,4)");
    refused::<MakeOrdered<tree!((U1,U5,U5)), tree!((U0,U0,U0))>>("order (0,0,0) gives position 0 to two modes with more than one element");
    refused::<MakeOrdered<tree!((U1,U4)), tree!((U2,U0,U2))>>("order (2,0,2) does not match the modes of shape (1,4)");
    refused::<MakeOrdered<tree!(((U2,U5),U3,U4,U2)), tree!(((U2,U1),U0,U0,U0))>>("order ((2,1),0,0,0) gives position 0 to two modes with more than one element");
    refused::<MakeOrdered<tree!((U1,U6,U4,U1)), tree!((U2,U1,U1))>>("order (2,1,1) does not match the modes of shape (1,6,4,1)");
    refused::<MakeOrdered<tree!((U1,U1)), tree!(((U1,U2),U1,U2))>>("order ((1,2),1,2) does not match the modes of shape (1,1)");
}

#[test]
fn coalesce_by() {
    assert_type_eq!(CoalesceBy<layout!((U4,(U8,U2)):(U4,(U5,U32))), tree!((U1,(U0,U1)))>, layout!((U4,(U8,U2)):(U4,(U5,U32))));
    assert_type_eq!(CoalesceBy<layout!((U4,U2,U3):(U24,U1,U4)), tree!(U1)>, layout!((U4,U2,U3):(U24,U1,U4)));
    assert_type_eq!(CoalesceBy<layout!(U4:U1), tree!(U0)>, layout!(U4:U1));
    assert_type_eq!(CoalesceBy<layout!((U4,U3):(U1,U4)), tree!((U1,U0))>, layout!((U4,U3):(U1,U4)));
    assert_type_eq!(CoalesceBy<layout!(U8:U1), tree!(U1)>, layout!(U8:U1));
    assert_type_eq!(CoalesceBy<layout!((U2,U4,U2,U3):(U24,U2,U1,U8)), tree!((U1,U1,U0,U1))>, layout!((U2,U4,U2,U3):(U24,U2,U1,U8)));
    assert_type_eq!(CoalesceBy<layout!((U3,U3,(U2,U3)):(U18,U6,(U3,U1))), tree!((U1,U2,(U0,U1)))>, layout!((U3,U3,(U2,U3)):(U18,U6,(U3,U1))));
    assert_type_eq!(CoalesceBy<layout!(((U6,(U5,U3)),U6,U4):((U72,(U8,U1)),U3,U18)), tree!(((U1,(U2,U2)),U2,U1))>, layout!(((U6,(U5,U3)),U6,U4):((U72,(U8,U1)),U3,U18)));
    assert_type_eq!(CoalesceBy<layout!((U5):(U4)), tree!((U0))>, layout!((U5):(U4)));
    assert_type_eq!(CoalesceBy<layout!((U1,(U3)):(U1,(U1))), tree!(U0)>, layout!(U3:U1));
    assert_type_eq!(CoalesceBy<layout!((U4,U2):(U1,U8)), tree!((U0,U2))>, layout!((U4,U2):(U1,U8)));
    refused::<CoalesceBy<layout!(U6:U1), tree!((U2,(U0,U2),U1))>>("profile (2,(0,2),1) has 3 modes, more than the 1 of shape 6");
    assert_type_eq!(CoalesceBy<layout!((U3,U5):(U1,U3)), tree!((U2,U0))>, layout!((U3,U5):(U1,U3)));
    assert_type_eq!(CoalesceBy<layout!((U4,U4):(U1,U4)), tree!((U0,U2))>, layout!((U4,U4):(U1,U4)));
    assert_type_eq!(CoalesceBy<layout!(U5:U1), tree!(U0)>, layout!(U5:U1));
    assert_type_eq!(CoalesceBy<layout!((U1,U1):(U1,U1)), tree!((U2,U1))>, layout!((U1,U1):(U0,U0)));
    assert_type_eq!(CoalesceBy<layout!((U6,U2,U1,U8):(U1,U6,U12,U12)), tree!(U2)>, layout!(U96:U1));
    assert_type_eq!(CoalesceBy<layout!((U2,U2,U8):(U6,U8,U4)), tree!((U0,U2,U2))>, layout!((U2,U2,U8):(U6,U8,U4)));
    assert_type_eq!(CoalesceBy<layout!((U3,U2):(U1,U3)), tree!((U2,U1))>, layout!((U3,U2):(U1,U3)));
    assert_type_eq!(CoalesceBy<layout!((U2):(U1)), tree!((U1))>, layout!((U2):(U1)));
    assert_type_eq!(CoalesceBy<layout!((U3,U4,(U4)):(U1,U3,(U12))), tree!((U0,U1,U1))>, layout!((U3,U4,U4):(U1,U3,U12)));
    assert_type_eq!(CoalesceBy<layout!((U1):(U1)), tree!((U1))>, layout!((U1):(U0)));
    assert_type_eq!(CoalesceBy<layout!((U2):(U1)), tree!((U0))>, layout!((U2):(U1)));
    assert_type_eq!(CoalesceBy<layout!(((U6,(U3,U3))):((U9,(U1,U162)))), tree!(((U0,(U1,U0))))>, layout!(((U6,(U3,U3))):((U9,(U1,U162)))));
    assert_type_eq!(CoalesceBy<layout!((U2,U2):(U1,U2)), tree!((U0,U2))>, layout!((U2,U2):(U1,U2)));
    assert_type_eq!(CoalesceBy<layout!((U8,U2,U5):(U5,U40,U1)), tree!((U1,U2,U0))>, layout!((U8,U2,U5):(U5,U40,U1)));
    refused::<CoalesceBy<layout!((U3,U5):(U5,U1)), tree!((U0,U2,U1))>>("profile (0,2,1) has 3 modes, more than the 2 of shape (3,5)");
    assert_type_eq!(CoalesceBy<layout!((U3,(U1,U3)):(U3,(U18,U1))), tree!((U2,(U1,U1)))>, layout!((U3,(U1,U3)):(U3,(U0,U1))));
    assert_type_eq!(CoalesceBy<layout!((U2,U5,U1,(U2,U4)):(U3,U6,U1,(U30,U120))), tree!((U1,U2,U0,U0))>, layout!((U2,U5,U1,(U2,U4)):(U3,U6,U0,(U30,U120))));
    assert_type_eq!(CoalesceBy<layout!((U4,U2,U6):(U1,U4,U8)), tree!((U0,U1,U0))>, layout!((U4,U2,U6):(U1,U4,U8)));
    assert_type_eq!(CoalesceBy<layout!((U2,U1):(U6,U1)), tree!((U0,U2))>, layout!((U2,U1):(U6,U0)));
    assert_type_eq!(CoalesceBy<layout!(((U4,U6),U8,U3):((U108,U6),U432,U1)), tree!(U2)>, layout!((U4,U6,U8,U3):(U108,U6,U432,U1)));
    assert_type_eq!(CoalesceBy<layout!((U1):(U1)), tree!(U0)>, layout!(U1:U0));
    assert_type_eq!(CoalesceBy<layout!((U5,U4,U8):(U1,U40,U5)), tree!((U2,U0,U0))>, layout!((U5,U4,U8):(U1,U40,U5)));
    refused::<CoalesceBy<layout!(((U6,U4),(U1,U4)):((U4,U0),(U8,U0))), tree!((U1,U2,U0))>>("profile (1,2,0) has 3 modes, more than the 2 of shape ((6,4),(1,4))");
    assert_type_eq!(CoalesceBy<layout!((U5,(U4,U5),U5,U1):(U1,(U25,U5),U100,U100)), tree!((U0,(U1,U0),U1,U0))>, layout!((U5,(U4,U5),U5,U1):(U1,(U25,U5),U100,U0)));
    assert_type_eq!(CoalesceBy<layout!((U5,U6,U5,U6):(U1,U5,U30,U150)), tree!((U0,U0,U0,U1))>, layout!((U5,U6,U5,U6):(U1,U5,U30,U150)));
    assert_type_eq!(CoalesceBy<layout!((U4,(U3,U5),U2):(U3,(U1,U24),U12)), tree!(U2)>, layout!((U4,U3,U5,U2):(U3,U1,U24,U12)));
    assert_type_eq!(CoalesceBy<layout!(U4:U1), tree!(U2)>, layout!(U4:U1));
    assert_type_eq!(CoalesceBy<layout!((U2,((U4),(U4,U1))):(U1,((U2),(U8,U32)))), tree!(U0)>, layout!(U32:U1));
    assert_type_eq!(CoalesceBy<layout!((U3,U1,U3,U5):(U1,U3,U3,U9)), tree!((U1,U2,U2,U1))>, layout!((U3,U1,U3,U5):(U1,U0,U3,U9)));
    assert_type_eq!(CoalesceBy<layout!((U2,U1):(U1,U2)), tree!((U0,U0))>, layout!((U2,U1):(U1,U0)));
    assert_type_eq!(CoalesceBy<layout!((U3,U5,U8,U2):(U2,U48,U6,U1)), tree!((U0,U2,U0,U1))>, layout!((U3,U5,U8,U2):(U2,U48,U6,U1)));
    refused::<CoalesceBy<layout!((U6):(U1)), tree!((U0,U1,U1))>>("profile (0,1,1) has 3 modes, more than the 1 of shape (6)");
    refused::<CoalesceBy<layout!((U4,U3,U1,U8):(U8,U1,U10,U3)), tree!((U0,(U1,U0),U0))>>("profile (1,0) has 2 modes, more than the 1 of shape 3");
    refused::<CoalesceBy<layout!((U3,U6):(U1,U3)), tree!((U0,U0,U2))>>("profile (0,0,2) has 3 modes, more than the 2 of shape (3,6)");
    refused::<CoalesceBy<layout!((((U6,U4)),U8,U6):(((U7,U8)),U8,U8)), tree!(((U1,U0)))>>("profile (1,0) has 2 modes, more than the 1 of shape ((6,4))");
    refused::<CoalesceBy<layout!((U4,U2,U1,U4):(U2,U1,U8,U8)), tree!(((U0,U1),U1,U0))>>("profile (0,1) has 2 modes, more than the 1 of shape 4");
}

#[test]
fn take() {
    refused::<Take<layout!((U3,U2,U4,U4):(U8,U1,U12,U24)), U4, U3>>("take: modes 4 to 3 are not a range of the 4 modes of shape (3,2,4,4)");
    assert_type_eq!(Take<layout!((U3,(U6),U6):(U1,(U18),U3)), U0, U1>, layout!((U3):(U1)));
    refused::<Take<layout!((U4,U1):(U1,U4)), U1, U0>>("take: modes 1 to 0 are not a range of the 2 modes of shape (4,1)");
    refused::<Take<layout!((U4,U8,U4):(U1,U16,U7)), U1, U0>>("take: modes 1 to 0 are not a range of the 3 modes of shape (4,8,4)");
    refused::<Take<layout!((U5):(U1)), U1, U0>>("take: modes 1 to 0 are not a range of the 1 modes of shape (5)");
    refused::<Take<layout!((U8,U6,U8):(U1,U64,U8)), U3, U0>>("take: modes 3 to 0 are not a range of the 3 modes of shape (8,6,8)");
    refused::<Take<layout!((U6,U4):(U1,U6)), U0, U0>>("take: modes 0 to 0 are not a range of the 2 modes of shape (6,4)");
    assert_type_eq!(Take<layout!((U4,U1):(U3,U1)), U0, U1>, layout!((U4):(U3)));
    refused::<Take<layout!((U5,U1,U1):(U1,U1,U9)), U2, U0>>("take: modes 2 to 0 are not a range of the 3 modes of shape (5,1,1)");
    assert_type_eq!(Take<layout!((U5,U8,U1,U8):(U64,U8,U320,U1)), U1, U2>, layout!((U8):(U8)));
    refused::<Take<layout!(U1:U12), U1, U0>>("take: modes 1 to 0 are not a range of the 1 modes of shape 1");
    refused::<Take<layout!((U5,U4,U4):(U4,U1,U20)), U3, U4>>("take: modes 3 to 4 are not a range of the 3 modes of shape (5,4,4)");
    refused::<Take<layout!((U2,U2):(U1,U2)), U1, U1>>("take: modes 1 to 1 are not a range of the 2 modes of shape (2,2)");
    assert_type_eq!(Take<layout!((U8,(U3)):(U3,(U1))), U1, U2>, layout!(((U3)):((U1))));
    assert_type_eq!(Take<layout!((U6,U1,U1,U5,U3):(U5,U5,U90,U1,U30)), U1, U5>, layout!((U1,U1,U5,U3):(U5,U90,U1,U30)));
    assert_type_eq!(Take<layout!((U8,U8,U3,(U4,U1)):(U24,U1,U8,(U192,U768))), U1, U4>, layout!((U8,U3,(U4,U1)):(U1,U8,(U192,U768))));
    assert_type_eq!(Take<layout!((U4,(U4,U2),((U8,U2),U3)):(U1,(U4,U16),((U32,U256),U512))), U1, U2>, layout!(((U4,U2)):((U4,U16))));
    assert_type_eq!(Take<layout!((U2,U8,U4):(U96,U1,U8)), U0, U1>, layout!((U2):(U96)));
    assert_type_eq!(Take<layout!((U4,U1,U8):(U1,U4,U4)), U2, U3>, layout!((U8):(U4)));
    assert_type_eq!(Take<layout!((U8,U4,U4,U3):(U3,U24,U96,U1)), U0, U1>, layout!((U8):(U3)));
    assert_type_eq!(Take<layout!((U3,U8,U3):(U24,U3,U1)), U0, U2>, layout!((U3,U8):(U24,U3)));
    assert_type_eq!(Take<layout!((U2,U4,U6,U1,U4):(U1,U2,U8,U48,U48)), U1, U3>, layout!((U4,U6):(U2,U8)));
    assert_type_eq!(Take<layout!(((U2,U8),U5,U6,U1,U8):((U1,U2),U16,U80,U480,U480)), U1, U3>, layout!((U5,U6):(U16,U80)));
    assert_type_eq!(Take<layout!((U6,U4,U3,U8,U1):(U32,U1,U3,U2,U1)), U1, U2>, layout!((U4):(U1)));
    assert_type_eq!(Take<layout!((U8,U5,U5):(U5,U1,U40)), U1, U3>, layout!((U5,U5):(U1,U40)));
    assert_type_eq!(Take<layout!(U1:U1), U0, U1>, layout!((U1):(U1)));
    assert_type_eq!(Take<layout!((U2,U3):(U1,U2)), U0, U1>, layout!((U2):(U1)));
    assert_type_eq!(Take<layout!((U3,U8):(U1,U10)), U1, U2>, layout!((U8):(U10)));
    assert_type_eq!(Take<layout!((U4,U6,U4,(U3),U2):(U3,U5,U3,(U1),U48)), U2, U3>, layout!((U4):(U3)));
    assert_type_eq!(Take<layout!(((U3),U4,U6,U8,U2):((U1),U3,U12,U72,U576)), U3, U4>, layout!((U8):(U72)));
    assert_type_eq!(Take<layout!(U4:U1), U0, U1>, layout!((U4):(U1)));
    assert_type_eq!(Take<layout!((U5,U4,U4):(U1,U5,U20)), U2, U3>, layout!((U4):(U20)));
    assert_type_eq!(Take<layout!((U2,U1,U4):(U1,U2,U2)), U0, U1>, layout!((U2):(U1)));
    assert_type_eq!(Take<layout!((U4,U2,U6,U3,U4):(U1,U4,U8,U48,U144)), U0, U5>, layout!((U4,U2,U6,U3,U4):(U1,U4,U8,U48,U144)));
}

#[test]
fn group() {
    refused::<Group<layout!((U3,U2,U4,U4):(U8,U1,U12,U24)), U4, U3>>("group: modes 4 to 3 are not a range of the 4 modes of shape (3,2,4,4)");
    assert_type_eq!(Group<layout!((U3,(U6),U6):(U1,(U18),U3)), U0, U1>, layout!(((U3),(U6),U6):((U1),(U18),U3)));
    refused::<Group<layout!((U4,U1):(U1,U4)), U1, U0>>("group: modes 1 to 0 are not a range of the 2 modes of shape (4,1)");
    refused::<Group<layout!((U4,U8,U4):(U1,U16,U7)), U1, U0>>("group: modes 1 to 0 are not a range of the 3 modes of shape (4,8,4)");
    refused::<Group<layout!((U5):(U1)), U1, U0>>("group: modes 1 to 0 are not a range of the 1 modes of shape (5)");
    refused::<Group<layout!((U8,U6,U8):(U1,U64,U8)), U3, U0>>("group: modes 3 to 0 are not a range of the 3 modes of shape (8,6,8)");
    assert_type_eq!(Group<layout!((U6,U4):(U1,U6)), U0, U0>, layout!((U6,U4):(U1,U6)));
    assert_type_eq!(Group<layout!((U4,U1):(U3,U1)), U0, U1>, layout!(((U4),U1):((U3),U1)));
    refused::<Group<layout!((U5,U1,U1):(U1,U1,U9)), U2, U0>>("group: modes 2 to 0 are not a range of the 3 modes of shape (5,1,1)");
    assert_type_eq!(Group<layout!((U5,U8,U1,U8):(U64,U8,U320,U1)), U1, U2>, layout!((U5,(U8),U1,U8):(U64,(U8),U320,U1)));
    refused::<Group<layout!(U1:U12), U1, U0>>("group: modes 1 to 0 are not a range of the 1 modes of shape 1");
    refused::<Group<layout!((U5,U4,U4):(U4,U1,U20)), U3, U4>>("group: modes 3 to 4 are not a range of the 3 modes of shape (5,4,4)");
    assert_type_eq!(Group<layout!((U2,U2):(U1,U2)), U1, U1>, layout!((U2,U2):(U1,U2)));
    assert_type_eq!(Group<layout!((U8,(U3)):(U3,(U1))), U1, U2>, layout!((U8,((U3))):(U3,((U1)))));
    assert_type_eq!(Group<layout!((U2,U2):(U1,U2)), U0, U0>, layout!((U2,U2):(U1,U2)));
    assert_type_eq!(Group<layout!((U6,U1,U1,U5,U3):(U5,U5,U90,U1,U30)), U1, U5>, layout!((U6,(U1,U1,U5,U3)):(U5,(U5,U90,U1,U30))));
    assert_type_eq!(Group<layout!((U4,U1,U5,U4,U2):(U1,U12,U288,U12,U144)), U3, U3>, layout!((U4,U1,U5,U4,U2):(U1,U12,U288,U12,U144)));
    assert_type_eq!(Group<layout!((U8,U8,U3,(U4,U1)):(U24,U1,U8,(U192,U768))), U1, U4>, layout!((U8,(U8,U3,(U4,U1))):(U24,(U1,U8,(U192,U768)))));
    assert_type_eq!(Group<layout!((U4,(U4,U2),((U8,U2),U3)):(U1,(U4,U16),((U32,U256),U512))), U1, U2>, layout!((U4,((U4,U2)),((U8,U2),U3)):(U1,((U4,U16)),((U32,U256),U512))));
    assert_type_eq!(Group<layout!(U2:U1), U0, U0>, layout!((U2):(U1)));
    assert_type_eq!(Group<layout!((U2,U8,U4):(U96,U1,U8)), U0, U1>, layout!(((U2),U8,U4):((U96),U1,U8)));
    assert_type_eq!(Group<layout!((U8,U3):(U1,U8)), U2, U2>, layout!((U8,U3):(U1,U8)));
    assert_type_eq!(Group<layout!((U2):(U1)), U1, U1>, layout!((U2):(U1)));
    assert_type_eq!(Group<layout!((U4,U1,U8):(U1,U4,U4)), U2, U3>, layout!((U4,U1,(U8)):(U1,U4,(U4))));
    assert_type_eq!(Group<layout!((U8,U4,U4,U3):(U3,U24,U96,U1)), U0, U1>, layout!(((U8),U4,U4,U3):((U3),U24,U96,U1)));
    assert_type_eq!(Group<layout!((U2,U3,U5,U1,(U4,U2)):(U4,U80,U16,U8,(U1,U9))), U5, U5>, layout!((U2,U3,U5,U1,(U4,U2)):(U4,U80,U16,U8,(U1,U9))));
    assert_type_eq!(Group<layout!((U3,U8,U3):(U24,U3,U1)), U0, U2>, layout!(((U3,U8),U3):((U24,U3),U1)));
    assert_type_eq!(Group<layout!((U2,U4,U6,U1,U4):(U1,U2,U8,U48,U48)), U1, U3>, layout!((U2,(U4,U6),U1,U4):(U1,(U2,U8),U48,U48)));
    assert_type_eq!(Group<layout!((U2,(U1)):(U1,(U6))), U0, U0>, layout!((U2,(U1)):(U1,(U6))));
    assert_type_eq!(Group<layout!(U4:U1), U1, U1>, layout!((U4):(U1)));
    assert_type_eq!(Group<layout!(((U2,U8),U5,U6,U1,U8):((U1,U2),U16,U80,U480,U480)), U1, U3>, layout!(((U2,U8),(U5,U6),U1,U8):((U1,U2),(U16,U80),U480,U480)));
    assert_type_eq!(Group<layout!((U6,U4,U3,U8,U1):(U32,U1,U3,U2,U1)), U1, U2>, layout!((U6,(U4),U3,U8,U1):(U32,(U1),U3,U2,U1)));
    assert_type_eq!(Group<layout!((U8,U5,U5):(U5,U1,U40)), U1, U3>, layout!((U8,(U5,U5)):(U5,(U1,U40))));
    assert_type_eq!(Group<layout!(U1:U1), U0, U1>, layout!(((U1)):((U1))));
    assert_type_eq!(Group<layout!((U2,U3):(U1,U2)), U0, U1>, layout!(((U2),U3):((U1),U2)));
    assert_type_eq!(Group<layout!((U3,U8):(U1,U10)), U1, U2>, layout!((U3,(U8)):(U1,(U10))));
    assert_type_eq!(Group<layout!((U4,U6,U4,(U3),U2):(U3,U5,U3,(U1),U48)), U2, U3>, layout!((U4,U6,(U4),(U3),U2):(U3,U5,(U3),(U1),U48)));
    assert_type_eq!(Group<layout!(((U3),U4,U6,U8,U2):((U1),U3,U12,U72,U576)), U3, U4>, layout!(((U3),U4,U6,(U8),U2):((U1),U3,U12,(U72),U576)));
}

#[test]
fn select() {
    refused::<Select<layout!((U4):(U1)), tree!((U0,U1))>>("select: mode 1 is not below 1, the rank of shape (4)");
    refused::<Select<layout!(U4:U1), tree!((U1,U1,U1))>>("select: mode 1 is not below 1, the rank of shape 4");
    refused::<Select<layout!((U4,U6,U5,U3):(U1,U12,U648,U72)), tree!((U4,U1))>>("select: mode 4 is not below 4, the rank of shape (4,6,5,3)");
    refused::<Select<layout!((U1,U5,U4):(U1,U36,U3)), tree!((U0,U1,U1,U3))>>("select: mode 3 is not below 3, the rank of shape (1,5,4)");
    refused::<Select<layout!((U8,U2):(U4,U1)), tree!((U2,U2,U1))>>("select: mode 2 is not below 2, the rank of shape (8,2)");
    refused::<Select<layout!((U4,U1):(U1,U12)), tree!((U2,U1,U2,U2))>>("select: mode 2 is not below 2, the rank of shape (4,1)");
    refused::<Select<layout!(((U2,U8),U6,U1,U3):((U144,U18),U10,U8,U6)), tree!((U4,U2,U1,U2))>>("select: mode 4 is not below 4, the rank of shape ((2,8),6,1,3)");
    refused::<Select<layout!((U4,U2,U6):(U1,U4,U8)), tree!((U3,U2,U3))>>("select: mode 3 is not below 3, the rank of shape (4,2,6)");
    assert_type_eq!(Select<layout!(((U6,U6),U5,U2):((U1,U6),U36,U180)), tree!((U2,U1))>, layout!((U2,U5):(U180,U36)));
    assert_type_eq!(Select<layout!(((U2,U1),U6,U5,U4):((U1,U10),U40,U11,U2)), tree!((U1,U0,U2,U3))>, layout!((U6,(U2,U1),U5,U4):(U40,(U1,U10),U11,U2)));
    assert_type_eq!(Select<layout!((U2,U4,(U4)):(U16,U1,(U4))), tree!((U0,U2,U1))>, layout!((U2,(U4),U4):(U16,(U4),U1)));
    assert_type_eq!(Select<layout!((U6,(U2,U4)):(U1,(U6,U12))), tree!((U0,U1))>, layout!((U6,(U2,U4)):(U1,(U6,U12))));
    assert_type_eq!(Select<layout!((U2,U1):(U1,U2)), tree!(U1)>, layout!((U1):(U2)));
    assert_type_eq!(Select<layout!((U6,U4,U6):(U18,U108,U1)), tree!(U2)>, layout!((U6):(U1)));
    assert_type_eq!(Select<layout!((U1,U4,U8,U4):(U1,U1,U16,U4)), tree!((U2))>, layout!((U8):(U16)));
    assert_type_eq!(Select<layout!((U2,U2,U5):(U1,U2,U4)), tree!((U0,U2,U0))>, layout!((U2,U5,U2):(U1,U4,U1)));
    assert_type_eq!(Select<layout!((U2,U1,U1,U5):(U1,U2,U2,U2)), tree!((U1,U2))>, layout!((U1,U1):(U2,U2)));
    assert_type_eq!(Select<layout!((U2):(U12)), tree!((U0))>, layout!((U2):(U12)));
    assert_type_eq!(Select<layout!((U2,U4):(U1,U2)), tree!((U1,U1,U0))>, layout!((U4,U4,U2):(U2,U2,U1)));
    assert_type_eq!(Select<layout!(U4:U1), tree!((U0,U0,U0))>, layout!((U4,U4,U4):(U1,U1,U1)));
    assert_type_eq!(Select<layout!(((U4,U1),U2,U6,U3):((U2,U8),U1,U24,U8)), tree!((U1,U0))>, layout!((U2,(U4,U1)):(U1,(U2,U8))));
    assert_type_eq!(Select<layout!((U6,(U4,U4),U4):(U1,(U864,U72),U6)), tree!(U2)>, layout!((U4):(U6)));
    assert_type_eq!(Select<layout!((U3,(U2,U1)):(U1,(U3,U1))), tree!((U0,U0,U1,U1))>, layout!((U3,U3,(U2,U1),(U2,U1)):(U1,U1,(U3,U1),(U3,U1))));
    assert_type_eq!(Select<layout!((U6,U2,U1,U3):(U1,U6,U12,U12)), tree!((U2,U1,U3,U3))>, layout!((U1,U2,U3,U3):(U12,U6,U12,U12)));
    assert_type_eq!(Select<layout!((U5,U8,U1):(U3,U1,U40)), tree!(U2)>, layout!((U1):(U40)));
    assert_type_eq!(Select<layout!((U6,U2,U8):(U32,U8,U1)), tree!((U0,U2))>, layout!((U6,U8):(U32,U1)));
    assert_type_eq!(Select<layout!((U8,U8,U5):(U8,U1,U64)), tree!((U1,U0))>, layout!((U8,U8):(U1,U8)));
    assert_type_eq!(Select<layout!(U8:U1), tree!((U0,U0))>, layout!((U8,U8):(U1,U1)));
    assert_type_eq!(Select<layout!((U4,U8):(U1,U4)), tree!(U1)>, layout!((U8):(U4)));
    assert_type_eq!(Select<layout!((U6,U2,U5):(U2,U1,U12)), tree!((U2,U1))>, layout!((U5,U2):(U12,U1)));
    assert_type_eq!(Select<layout!((U3,(U4,U3),U2,U5):(U4,(U1,U24),U12,U72)), tree!(U3)>, layout!((U5):(U72)));
    assert_type_eq!(Select<layout!((U1,U8):(U1,U2)), tree!((U1))>, layout!((U8):(U2)));
    assert_type_eq!(Select<layout!((U8,(U4,U8),U2):(U64,(U16,U1),U8)), tree!((U1,U0))>, layout!(((U4,U8),U8):((U16,U1),U64)));
    assert_type_eq!(Select<layout!((U2,U2):(U1,U2)), tree!(U0)>, layout!((U2):(U1)));
    assert_type_eq!(Select<layout!((U6,U8,U3):(U1,U6,U48)), tree!(U2)>, layout!((U3):(U48)));
    assert_type_eq!(Select<layout!(((U1),U2,U6):((U2),U11,U2)), tree!((U1,U2,U1))>, layout!((U2,U6,U2):(U11,U2,U11)));
    assert_type_eq!(Select<layout!((U3,U3,U4):(U1,U12,U3)), tree!((U1,U1,U1))>, layout!((U3,U3,U3):(U12,U12,U12)));
    assert_type_eq!(Select<layout!((U2,U2,U8):(U1,U2,U4)), tree!(U1)>, layout!((U2):(U2)));
}

#[test]
fn replace() {
    assert_type_eq!(Replace<layout!((U2,U4,U3):(U3,U6,U1)), U0, layout!(((U5,U3)):((U1,U5)))>, layout!((((U5,U3)),U4,U3):(((U1,U5)),U6,U1)));
    refused::<Replace<layout!((U5,(U8,U3)):(U16,(U1,U80))), U2, layout!((U6,U3):(U1,U8))>>("replace: mode 2 is not below 2, the rank of shape (5,(8,3))");
    refused::<Replace<layout!((U2,(U1,U1),U8):(U1,(U1,U1),U2)), U3, layout!(U3:U1)>>("replace: mode 3 is not below 3, the rank of shape (2,(1,1),8)");
    assert_type_eq!(Replace<layout!((U2,U8):(U8,U1)), U1, layout!((U2,U3):(U1,U2))>, layout!((U2,(U2,U3)):(U8,(U1,U2))));
    refused::<Replace<layout!((U8,U4):(U4,U1)), U2, layout!((U3,U8):(U8,U1))>>("replace: mode 2 is not below 2, the rank of shape (8,4)");
    assert_type_eq!(Replace<layout!((U8,U6):(U3,U1)), U0, layout!((U2):(U1))>, layout!(((U2),U6):((U1),U1)));
    assert_type_eq!(Replace<layout!((U8,U2):(U2,U1)), U1, layout!((U8,(U5)):(U1,(U16)))>, layout!((U8,(U8,(U5))):(U2,(U1,(U16)))));
    refused::<Replace<layout!((U4,U8):(U16,U1)), U2, layout!((U2):(U1))>>("replace: mode 2 is not below 2, the rank of shape (4,8)");
    assert_type_eq!(Replace<layout!((U4,(U3,U8),U3):(U3,(U1,U36),U12)), U0, layout!(((U4,(U2,U3)),((U1,U8))):((U8,(U1,U64)),((U192,U1))))>, layout!((((U4,(U2,U3)),((U1,U8))),(U3,U8),U3):(((U8,(U1,U64)),((U192,U1))),(U1,U36),U12)));
    assert_type_eq!(Replace<layout!((U2,U5):(U10,U1)), U0, layout!((U4,U2):(U1,U8))>, layout!(((U4,U2),U5):((U1,U8),U1)));
    assert_type_eq!(Replace<layout!((U1,U4):(U1,U1)), U0, layout!((U4,U4):(U4,U1))>, layout!(((U4,U4),U4):((U4,U1),U1)));
    refused::<Replace<layout!((U1,U1,U2):(U1,U1,U1)), U3, layout!((U2,U3):(U1,U2))>>("replace: mode 3 is not below 3, the rank of shape (1,1,2)");
    refused::<Replace<layout!((U3,U3,U3):(U1,U3,U9)), U3, layout!((U4,U4):(U1,U4))>>("replace: mode 3 is not below 3, the rank of shape (3,3,3)");
    assert_type_eq!(Replace<layout!(U3:U1), U0, layout!((U2,U4):(U4,U1))>, layout!((U2,U4):(U4,U1)));
    assert_type_eq!(Replace<layout!(U8:U2), U0, layout!((U4,U8):(U1,U4))>, layout!((U4,U8):(U1,U4)));
    assert_type_eq!(Replace<layout!((U4,U6):(U1,U4)), U0, layout!(U2:U1)>, layout!((U2,U6):(U1,U4)));
    assert_type_eq!(Replace<layout!((U5,U1):(U2,U1)), U1, layout!(((U4,(U1)),U3):((U9,(U9)),U1))>, layout!((U5,((U4,(U1)),U3)):(U2,((U9,(U9)),U1))));
    assert_type_eq!(Replace<layout!(U3:U1), U0, layout!(((U1,U3),U2):((U1,U2),U1))>, layout!(((U1,U3),U2):((U1,U2),U1)));
    assert_type_eq!(Replace<layout!(((U2,U1),U1,U8):((U1,U2),U2,U2)), U0, layout!((U8,U3):(U1,U8))>, layout!(((U8,U3),U1,U8):((U1,U8),U2,U2)));
    assert_type_eq!(Replace<layout!((U4,U1):(U1,U4)), U0, layout!((U4):(U1))>, layout!(((U4),U1):((U1),U4)));
    assert_type_eq!(Replace<layout!((U8,U2):(U2,U1)), U0, layout!(U8:U1)>, layout!((U8,U2):(U1,U1)));
    assert_type_eq!(Replace<layout!((U6,U4):(U1,U6)), U1, layout!(U5:U1)>, layout!((U6,U5):(U1,U1)));
    assert_type_eq!(Replace<layout!((U2,U2,U5):(U2,U1,U4)), U0, layout!((U5,(U2,U4)):(U4,(U40,U1)))>, layout!(((U5,(U2,U4)),U2,U5):((U4,(U40,U1)),U1,U4)));
    assert_type_eq!(Replace<layout!((U2,U6):(U6,U1)), U1, layout!((U3,U1):(U1,U1))>, layout!((U2,(U3,U1)):(U6,(U1,U1))));
    assert_type_eq!(Replace<layout!((U4,(U1,U6)):(U1,(U4,U4))), U1, layout!((U1,U4):(U8,U1))>, layout!((U4,(U1,U4)):(U1,(U8,U1))));
    assert_type_eq!(Replace<layout!((U1,U5,(U6,U2)):(U2,U2,(U10,U1))), U0, layout!((U4,U4):(U1,U4))>, layout!(((U4,U4),U5,(U6,U2)):((U1,U4),U2,(U10,U1))));
    assert_type_eq!(Replace<layout!((U2,U1):(U1,U2)), U1, layout!(U8:U1)>, layout!((U2,U8):(U1,U1)));
    assert_type_eq!(Replace<layout!((U3,(U4,U8)):(U1,(U3,U12))), U1, layout!((U6,U4):(U1,U6))>, layout!((U3,(U6,U4)):(U1,(U1,U6))));
    assert_type_eq!(Replace<layout!((U4,U1):(U12,U4)), U1, layout!(U8:U1)>, layout!((U4,U8):(U12,U1)));
    assert_type_eq!(Replace<layout!(((U6,(U1,U3)),U8,U8):((U7,(U1,U8)),U1,U144)), U1, layout!(((U4,(U3,U2))):((U1,(U4,U12))))>, layout!(((U6,(U1,U3)),((U4,(U3,U2))),U8):((U7,(U1,U8)),((U1,(U4,U12))),U144)));
}

#[test]
fn append() {
    assert_type_eq!(Append<layout!((U5,U6,(U6)):(U36,U6,(U1))), layout!((U2,U3):(U6,U1))>, layout!((U5,U6,(U6),(U2,U3)):(U36,U6,(U1),(U6,U1))));
    assert_type_eq!(Append<layout!((U1,(U2,U8)):(U8,(U24,U1))), layout!((U4,U2):(U6,U1))>, layout!((U1,(U2,U8),(U4,U2)):(U8,(U24,U1),(U6,U1))));
    assert_type_eq!(Append<layout!((U4,U2,U2):(U2,U8,U1)), layout!((U1,U4):(U1,U1))>, layout!((U4,U2,U2,(U1,U4)):(U2,U8,U1,(U1,U1))));
    assert_type_eq!(Append<layout!((U3,((U4,U2))):(U4,((U1,U24)))), layout!((U2,U2):(U12,U1))>, layout!((U3,((U4,U2)),(U2,U2)):(U4,((U1,U24)),(U12,U1))));
    assert_type_eq!(Append<layout!((U3,U2,U1):(U1,U3,U5)), layout!(U6:U1)>, layout!((U3,U2,U1,U6):(U1,U3,U5,U1)));
    assert_type_eq!(Append<layout!(U2:U1), layout!((U5,U5):(U12,U5))>, layout!((U2,(U5,U5)):(U1,(U12,U5))));
    assert_type_eq!(Append<layout!((U6,(U4),U1):(U7,(U1),U24)), layout!(((U5,U6),U3):((U1,U5),U30))>, layout!((U6,(U4),U1,((U5,U6),U3)):(U7,(U1),U24,((U1,U5),U30))));
    assert_type_eq!(Append<layout!((U3,U5,U2):(U2,U7,U1)), layout!((U1):(U1))>, layout!((U3,U5,U2,(U1)):(U2,U7,U1,(U1))));
    assert_type_eq!(Append<layout!((U4,U6):(U1,U4)), layout!((U1,U4):(U1,U1))>, layout!((U4,U6,(U1,U4)):(U1,U4,(U1,U1))));
    assert_type_eq!(Append<layout!((U4,U4,U5):(U20,U1,U4)), layout!((U2,U3):(U3,U1))>, layout!((U4,U4,U5,(U2,U3)):(U20,U1,U4,(U3,U1))));
    assert_type_eq!(Append<layout!((U5,U5,U6):(U1,U5,U25)), layout!((U3,U5):(U5,U1))>, layout!((U5,U5,U6,(U3,U5)):(U1,U5,U25,(U5,U1))));
    assert_type_eq!(Append<layout!(U6:U1), layout!((U4,(U8,U1)):(U1,(U4,U4)))>, layout!((U6,(U4,(U8,U1))):(U1,(U1,(U4,U4)))));
}

#[test]
fn prepend() {
    assert_type_eq!(Prepend<layout!((U5,U6,(U6)):(U36,U6,(U1))), layout!((U2,U3):(U6,U1))>, layout!(((U2,U3),U5,U6,(U6)):((U6,U1),U36,U6,(U1))));
    assert_type_eq!(Prepend<layout!((U1,(U2,U8)):(U8,(U24,U1))), layout!((U4,U2):(U6,U1))>, layout!(((U4,U2),U1,(U2,U8)):((U6,U1),U8,(U24,U1))));
    assert_type_eq!(Prepend<layout!((U4,U2,U2):(U2,U8,U1)), layout!((U1,U4):(U1,U1))>, layout!(((U1,U4),U4,U2,U2):((U1,U1),U2,U8,U1)));
    assert_type_eq!(Prepend<layout!((U3,((U4,U2))):(U4,((U1,U24)))), layout!((U2,U2):(U12,U1))>, layout!(((U2,U2),U3,((U4,U2))):((U12,U1),U4,((U1,U24)))));
    assert_type_eq!(Prepend<layout!((U3,U2,U1):(U1,U3,U5)), layout!(U6:U1)>, layout!((U6,U3,U2,U1):(U1,U1,U3,U5)));
    assert_type_eq!(Prepend<layout!(U2:U1), layout!((U5,U5):(U12,U5))>, layout!(((U5,U5),U2):((U12,U5),U1)));
    assert_type_eq!(Prepend<layout!((U6,(U4),U1):(U7,(U1),U24)), layout!(((U5,U6),U3):((U1,U5),U30))>, layout!((((U5,U6),U3),U6,(U4),U1):(((U1,U5),U30),U7,(U1),U24)));
    assert_type_eq!(Prepend<layout!((U3,U5,U2):(U2,U7,U1)), layout!((U1):(U1))>, layout!(((U1),U3,U5,U2):((U1),U2,U7,U1)));
    assert_type_eq!(Prepend<layout!((U4,U6):(U1,U4)), layout!((U1,U4):(U1,U1))>, layout!(((U1,U4),U4,U6):((U1,U1),U1,U4)));
    assert_type_eq!(Prepend<layout!((U4,U4,U5):(U20,U1,U4)), layout!((U2,U3):(U3,U1))>, layout!(((U2,U3),U4,U4,U5):((U3,U1),U20,U1,U4)));
    assert_type_eq!(Prepend<layout!((U5,U5,U6):(U1,U5,U25)), layout!((U3,U5):(U5,U1))>, layout!(((U3,U5),U5,U5,U6):((U5,U1),U1,U5,U25)));
    assert_type_eq!(Prepend<layout!(U6:U1), layout!((U4,(U8,U1)):(U1,(U4,U4)))>, layout!(((U4,(U8,U1)),U6):((U1,(U4,U4)),U1)));
}

#[test]
fn unflatten() {
    assert_type_eq!(Unflatten<layout!((U5,(U1,U4),U6,U5):(U1,(U5,U5),U20,U120)), tree!(((((U0),U0),(U0,U0)),U0))>, layout!(((((U5),U1),(U4,U6)),U5):((((U1),U5),(U5,U20)),U120)));
    refused::<Unflatten<layout!(U4:U1), tree!(((U8,U6),U4))>>("unflatten: profile ((8,6),4) has 3 leaves but shape 4 has 1");
    assert_type_eq!(Unflatten<layout!((U4,U4):(U1,U5)), tree!((U0,(U0)))>, layout!((U4,(U4)):(U1,(U5))));
    refused::<Unflatten<layout!((U6,U5,(U2,U8)):(U480,U48,(U24,U1))), tree!((U8,U2))>>("unflatten: profile (8,2) has 2 leaves but shape (6,5,(2,8)) has 4");
    assert_type_eq!(Unflatten<layout!((U2,U2):(U1,U2)), tree!((U0,(U0)))>, layout!((U2,(U2)):(U1,(U2))));
    refused::<Unflatten<layout!((U1):(U1)), tree!((U2,(U3,U2),U2))>>("unflatten: profile (2,(3,2),2) has 4 leaves but shape (1) has 1");
    refused::<Unflatten<layout!((U1,(U2,U4),U4,(U2,U8)):(U2,(U1,U128),U32,(U10,U4))), tree!((U3,(U6),U3,U4))>>("unflatten: profile (3,(6),3,4) has 4 leaves but shape (1,(2,4),4,(2,8)) has 6");
    assert_type_eq!(Unflatten<layout!((U2,(U8,U4),U4,U5):(U640,(U80,U1),U4,U16)), tree!(((U0),U0,(U0,U0),U0))>, layout!(((U2),U8,(U4,U4),U5):((U640),U80,(U1,U4),U16)));
    assert_type_eq!(Unflatten<layout!(U2:U1), tree!(((((U0)))))>, layout!(((((U2)))):((((U1))))));
    assert_type_eq!(Unflatten<layout!((U2,U8,U2):(U1,U2,U16)), tree!(((U0),(U0),(U0)))>, layout!(((U2),(U8),(U2)):((U1),(U2),(U16))));
    assert_type_eq!(Unflatten<layout!(U1:U1), tree!(U0)>, layout!(U1:U1));
    assert_type_eq!(Unflatten<layout!((U6,U4):(U1,U6)), tree!(((U0),U0))>, layout!(((U6),U4):((U1),U6)));
    assert_type_eq!(Unflatten<layout!((U4,U4,U3):(U1,U4,U16)), tree!(((U0,U0),U0))>, layout!(((U4,U4),U3):((U1,U4),U16)));
    assert_type_eq!(Unflatten<layout!((U1):(U1)), tree!(U0)>, layout!(U1:U1));
    assert_type_eq!(Unflatten<layout!((U4,(U2,U2),U4):(U2,(U1,U7),U4)), tree!(((U0,(((U0)))),((U0),U0)))>, layout!(((U4,(((U2)))),((U2),U4)):((U2,(((U1)))),((U7),U4))));
    assert_type_eq!(Unflatten<layout!((((U4),U1),U1,U4,U1):(((U1),U4),U4,U4,U16)), tree!((((U0,(U0)),(U0)),U0,U0))>, layout!((((U4,(U1)),(U1)),U4,U1):(((U1,(U4)),(U4)),U4,U16)));
    refused::<Unflatten<layout!((U4,U1,U4):(U1,U1,U4)), tree!(((U3,U1),U6,(U2),U5))>>("unflatten: profile ((3,1),6,(2),5) has 5 leaves but shape (4,1,4) has 3");
    assert_type_eq!(Unflatten<layout!((U6,U1):(U3,U1)), tree!((((U0)),U0))>, layout!((((U6)),U1):(((U3)),U1)));
    assert_type_eq!(Unflatten<layout!((U3):(U1)), tree!(U0)>, layout!(U3:U1));
    refused::<Unflatten<layout!((U5,U6,U8):(U48,U3,U4)), tree!((U3))>>("unflatten: profile (3) has 1 leaves but shape (5,6,8) has 3");
    assert_type_eq!(Unflatten<layout!((U8,(U5)):(U1,(U8))), tree!((U0,(U0)))>, layout!((U8,(U5)):(U1,(U8))));
    assert_type_eq!(Unflatten<layout!(((U8,U1),U3):((U1,U1),U8)), tree!(((U0,U0),(U0)))>, layout!(((U8,U1),(U3)):((U1,U1),(U8))));
    assert_type_eq!(Unflatten<layout!((U2,U8):(U1,U2)), tree!((U0,((((U0))))))>, layout!((U2,((((U8))))):(U1,((((U2)))))));
    assert_type_eq!(Unflatten<layout!((U2,U1,U2,U1):(U1,U2,U2,U4)), tree!(((U0),((U0),U0),U0))>, layout!(((U2),((U1),U2),U1):((U1),((U2),U2),U4)));
    refused::<Unflatten<layout!((U6,U3):(U3,U1)), tree!((U5,U6,U4,U4))>>("unflatten: profile (5,6,4,4) has 4 leaves but shape (6,3) has 2");
    assert_type_eq!(Unflatten<layout!(((U5)):((U1))), tree!(U0)>, layout!(U5:U1));
    assert_type_eq!(Unflatten<layout!((U2,((U8,U1),U8),U8):(U1,((U2,U16),U16),U128)), tree!(((U0),((U0,U0),U0),U0))>, layout!(((U2),((U8,U1),U8),U8):((U1),((U2,U16),U16),U128)));
    assert_type_eq!(Unflatten<layout!((U8,U3):(U1,U8)), tree!((U2,U2))>, layout!((U8,U3):(U1,U8)));
    refused::<Unflatten<layout!((U6,U3,U1):(U1,U6,U18)), tree!(((U6,((U2,U6),U4)),U6,U2))>>("unflatten: profile ((6,((2,6),4)),6,2) has 6 leaves but shape (6,3,1) has 3");
    assert_type_eq!(Unflatten<layout!(((U5,(U2,U4)),U2,U2):((U2,(U40,U10)),U80,U1)), tree!(((U0,U0),((U0,U0),U0)))>, layout!(((U5,U2),((U4,U2),U2)):((U2,U40),((U10,U80),U1))));
    assert_type_eq!(Unflatten<layout!((U5,U1):(U1,U5)), tree!((U0,U0))>, layout!((U5,U1):(U1,U5)));
    refused::<Unflatten<layout!(U5:U1), tree!(((U6,U6),U4,(U4,U4)))>>("unflatten: profile ((6,6),4,(4,4)) has 5 leaves but shape 5 has 1");
    assert_type_eq!(Unflatten<layout!((U4,((U4,U4)),U1):(U1,((U4,U16)),U64)), tree!(((U0,U0),(U0,U0)))>, layout!(((U4,U4),(U4,U1)):((U1,U4),(U16,U64))));
    assert_type_eq!(Unflatten<layout!((U2,(U3,U5),U8,U5):(U25,(U5,U5),U4,U1)), tree!(((((U0,U0),U0),((((U0))))),U0))>, layout!(((((U2,U3),U5),((((U8))))),U5):((((U25,U5),U5),((((U4))))),U1)));
    assert_type_eq!(Unflatten<layout!(U5:U1), tree!(U0)>, layout!(U5:U1));
    assert_type_eq!(Unflatten<layout!((((U1,U4)),(U4,U6),U3):(((U72,U7)),(U12,U1),U24)), tree!((((U0,((U0),(U0))),U0),U0))>, layout!((((U1,((U4),(U4))),U6),U3):(((U72,((U7),(U12))),U1),U24)));
    assert_type_eq!(Unflatten<layout!((U2,U2,U2):(U1,U2,U4)), tree!((U0,((((U0))),U0)))>, layout!((U2,((((U2))),U2)):(U1,((((U2))),U4))));
    refused::<Unflatten<layout!((U4,U8,U6,U8):(U1,U4,U32,U192)), tree!((U2,U4,U1))>>("unflatten: profile (2,4,1) has 3 leaves but shape (4,8,6,8) has 4");
    assert_type_eq!(Unflatten<layout!((U6,U4,U4,U8):(U128,U32,U8,U10)), tree!((((U0,(U0)),U0),(U0)))>, layout!((((U6,(U4)),U4),(U8)):(((U128,(U32)),U8),(U10))));
    assert_type_eq!(Unflatten<layout!(U2:U1), tree!((U0))>, layout!((U2):(U1)));
    assert_type_eq!(Unflatten<layout!(U5:U1), tree!((U0))>, layout!((U5):(U1)));
    assert_type_eq!(Unflatten<layout!((U3,U4,U5,U4):(U4,U60,U11,U1)), tree!(((U3,U5),U5,U5))>, layout!(((U3,U4),U5,U4):((U4,U60),U11,U1)));
    assert_type_eq!(Unflatten<layout!((U6,U8):(U1,U6)), tree!((U0,(((((((U0)))))))))>, layout!((U6,(((((((U8)))))))):(U1,(((((((U6))))))))));
    assert_type_eq!(Unflatten<layout!((U2,U6,U8,U4):(U6,U1,U48,U12)), tree!(((U0,(U0,(((U0))))),U0))>, layout!(((U2,(U6,(((U8))))),U4):((U6,(U1,(((U48))))),U12)));
    assert_type_eq!(Unflatten<layout!(((U4,U1),U2):((U2,U8),U1)), tree!(((U0,U0),U0))>, layout!(((U4,U1),U2):((U2,U8),U1)));
    assert_type_eq!(Unflatten<layout!((U1,U2):(U1,U1)), tree!((U0,U0))>, layout!((U1,U2):(U1,U1)));
    assert_type_eq!(Unflatten<layout!(U3:U1), tree!(U0)>, layout!(U3:U1));
    assert_type_eq!(Unflatten<layout!(((U4,U3),U4,U2,(U4,U6)):((U5,U48),U2,U10,(U10,U8))), tree!(((((U0)),U0),U0,(((U0),U0),U0)))>, layout!(((((U4)),U3),U4,(((U2),U4),U6)):((((U5)),U48),U2,(((U10),U10),U8))));
    assert_type_eq!(Unflatten<layout!((((U2,U4),U4),U3):(((U16,U4),U1),U32)), tree!((U0,(U0,U0),(U0)))>, layout!((U2,(U4,U4),(U3)):(U16,(U4,U1),(U32))));
    assert_type_eq!(Unflatten<layout!(U4:U1), tree!(U0)>, layout!(U4:U1));
}

#[test]
fn zip() {
    assert_type_eq!(Zip<layout!((((U8,U8)),(U2),((U6,(U4,U8)))):(((U1,U8)),(U1),((U1,(U48,U1)))))>, layout!((((U8,U8),U2,(U6,(U4,U8)))):(((U1,U8),U1,(U1,(U48,U1))))));
    assert_type_eq!(Zip<layout!((((U4))):(((U1))))>, layout!((((U4))):(((U1)))));
    refused::<Zip<layout!((((U2,(U2,U2)),(U2),(U4,U6)),(U4,U1,(U4,U8),U6),((U4),(U3,U1),(U1,U8)),(((U5,U8),(U5,U3)),U4,U8,U1)):(((U10,(U12,U1)),(U1),(U1,U6)),(U1,U1,(U16,U1),U1),((U1),(U3,U1),(U1,U2)),(((U1,U5),(U40,U200)),U1,U1,U1)))>>("zip: mode ((2,(2,2)),(2),(4,6)) has 3 modes but mode (4,1,(4,8),6) has 4");
    assert_type_eq!(Zip<layout!(((U4,((U4))),(U3,U6),(((U1,(U4,U8)),U4),U8)):((U1,((U8))),(U1,U1),(((U1,(U32,U4)),U1),U1)))>, layout!(((U4,U3,((U1,(U4,U8)),U4)),(((U4)),U6,U8)):((U1,U1,((U1,(U32,U4)),U1)),(((U8)),U1,U1))));
    refused::<Zip<layout!((((U4,U6),(U6),(U2,(U4,U1))),(U2,(U4,U5),(U4,U5)),((U4,U8),((((U4,U2),((U1,U2),U1)),U3)),U5,(U4,U3))):(((U6,U5),(U1),(U1,(U2,U1))),(U1,(U1,U4),(U4,U4)),((U1,U4),((((U6,U6),((U2,U1),U2)),U2)),U1,(U0,U8))))>>("zip: mode ((4,6),(6),(2,(4,1))) has 3 modes but mode ((4,8),((((4,2),((1,2),1)),3)),5,(4,3)) has 4");
    assert_type_eq!(Zip<layout!((((U3,U4),(U4),(U3,(U6,(U1,U4)))),((U2),U6,(U2)),((U4,U1),U5,U2),((U5),((U3,U1),(U6)),(U1))):(((U4,U1),(U1),(U1,(U12,(U3,U3)))),((U1),U1,(U1)),((U1,U4),U1,U1),((U1),((U1,U18),(U3)),(U1))))>, layout!((((U3,U4),(U2),(U4,U1),(U5)),((U4),U6,U5,((U3,U1),(U6))),((U3,(U6,(U1,U4))),(U2),U2,(U1))):(((U4,U1),(U1),(U1,U4),(U1)),((U1),U1,U1,((U1,U18),(U3))),((U1,(U12,(U3,U3))),(U1),U1,(U1)))));
    refused::<Zip<layout!((((U2),(U2,U8),(U2,U4)),((U2,U1),(U2,U4),U1,(U3)),((((U2,U1),U1)),U3,(U6,U2))):(((U1),(U1,U2),(U1,U2)),((U3,U1),(U1,U2),U1,(U1)),((((U6,U1),U12)),U1,(U2,U1))))>>("zip: mode ((2),(2,8),(2,4)) has 3 modes but mode ((2,1),(2,4),1,(3)) has 4");
    refused::<Zip<layout!(((U4,U4),U2,U1):((U4,U3),U1,U0))>>("zip: mode (4,4) has 2 modes but mode 2 is an integer");
    refused::<Zip<layout!((((U2,U2)),(U4),(U5,(U6,U1))):(((U1,U2)),(U1),(U1,(U11,U1))))>>("zip: mode ((2,2)) has 1 modes but mode (5,(6,1)) has 2");
    assert_type_eq!(Zip<layout!((U4,U5):(U12,U1))>, layout!(((U4,U5)):((U12,U1))));
    assert_type_eq!(Zip<layout!(U5:U1)>, layout!(U5:U1));
    assert_type_eq!(Zip<layout!((U2,U6):(U1,U2))>, layout!(((U2,U6)):((U1,U2))));
    refused::<Zip<layout!((((U4,U2)),U8,U5,U2):(((U32,U16)),U2,U128,U1))>>("zip: mode ((4,2)) has 1 modes but mode 8 is an integer");
    assert_type_eq!(Zip<layout!((((U8,U3),U8,((U5,U5),U2)),(U4,U2,(U8,U3)),((U4),U4,(U3,(U1)))):(((U1,U8),U1,((U1,U5),U25)),(U1,U1,(U1,U8)),((U1),U1,(U1,(U3)))))>, layout!((((U8,U3),U4,(U4)),(U8,U2,U4),(((U5,U5),U2),(U8,U3),(U3,(U1)))):(((U1,U8),U1,(U1)),(U1,U1,U1),(((U1,U5),U25),(U1,U8),(U1,(U3))))));
    assert_type_eq!(Zip<layout!((U4,U3,U6,(U2,U4)):(U144,U8,U24,(U1,U2)))>, layout!(((U4,U3,U6,(U2,U4))):((U144,U8,U24,(U1,U2)))));
    assert_type_eq!(Zip<layout!(((((U2,(U1,U8)),U1)),((U2,U4)),((U1)),(((U1,U3),U4))):((((U8,(U1,U1)),U1)),((U1,U2)),((U1)),(((U2,U4),U1))))>, layout!(((((U2,(U1,U8)),U1),(U2,U4),(U1),((U1,U3),U4))):((((U8,(U1,U1)),U1),(U1,U2),(U1),((U2,U4),U1)))));
    assert_type_eq!(Zip<layout!((U4,U3,U3):(U6,U24,U1))>, layout!(((U4,U3,U3)):((U6,U24,U1))));
    assert_type_eq!(Zip<layout!((U8,U4):(U4,U1))>, layout!(((U8,U4)):((U4,U1))));
    refused::<Zip<layout!(((U2,(U6,U2)),((U5,U3),(U5,U2),U4),((U4,U6),U1),((U2,U2),(U8,U8),U6)):((U1,(U1,U18)),((U1,U5),(U1,U5),U1),((U1,U4),U1),((U1,U2),(U1,U8),U1)))>>("zip: mode (2,(6,2)) has 2 modes but mode ((5,3),(5,2),4) has 3");
    refused::<Zip<layout!(((U2,U4,U4),((U4,U2),((U4,U6),U4),(U6,(U2,(U4,U8)))),((U3,U1),(U8,(U8))),(U5,U5,(U2))):((U1,U1,U1),((U1,U4),((U48,U1),U6),(U1,(U48,(U96,U6)))),((U1,U3),(U1,(U8))),(U1,U1,(U1))))>>("zip: mode (2,4,4) has 3 modes but mode ((3,1),(8,(8))) has 2");
    assert_type_eq!(Zip<layout!((U2,(U3,U5),U4):(U1,(U2,U6),U30))>, layout!(((U2,(U3,U5),U4)):((U1,(U2,U6),U30))));
    assert_type_eq!(Zip<layout!((((((U2,U3),U5)),(U2,U3))):(((((U15,U5),U4)),(U3,U12))))>, layout!((((((U2,U3),U5))),((U2,U3))):(((((U15,U5),U4))),((U3,U12)))));
    assert_type_eq!(Zip<layout!(((((U1,U4),U6),U5,(U1,U1))):((((U6,U6),U1),U1,(U1,U1))))>, layout!(((((U1,U4),U6)),(U5),((U1,U1))):((((U6,U6),U1)),(U1),((U1,U1)))));
    assert_type_eq!(Zip<layout!((U6,U5,U4):(U12,U72,U1))>, layout!(((U6,U5,U4)):((U12,U72,U1))));
    assert_type_eq!(Zip<layout!(((U8,(U6,U1),(U3,U4))):((U1,(U1,U6),(U1,U3))))>, layout!(((U8),((U6,U1)),((U3,U4))):((U1),((U1,U6)),((U1,U3)))));
    assert_type_eq!(Zip<layout!((U8,(U2,U5)):(U1,(U8,U16)))>, layout!(((U8,(U2,U5))):((U1,(U8,U16)))));
    assert_type_eq!(Zip<layout!((((U4,U4),((U6),U4),(U6,(U5,U4))),(U2,(U2,U1),U4),((U4),(U1,U4),(U1,U4))):(((U1,U4),((U1),U6),(U5,(U1,U30))),(U1,(U1,U6),U1),((U1),(U1,U1),(U1,U1))))>, layout!((((U4,U4),U2,(U4)),(((U6),U4),(U2,U1),(U1,U4)),((U6,(U5,U4)),U4,(U1,U4))):(((U1,U4),U1,(U1)),(((U1),U6),(U1,U6),(U1,U1)),((U5,(U1,U30)),U1,(U1,U1)))));
    assert_type_eq!(Zip<layout!((((U1,U2))):(((U2,U1))))>, layout!((((U1,U2))):(((U2,U1)))));
    assert_type_eq!(Zip<layout!((U4,U4,(((((U5),U4)),U3))):(U1,U4,(((((U16),U80)),U320))))>, layout!(((U4,U4,(((((U5),U4)),U3)))):((U1,U4,(((((U16),U80)),U320))))));
    assert_type_eq!(Zip<layout!((U4,U2):(U2,U1))>, layout!(((U4,U2)):((U2,U1))));
    assert_type_eq!(Zip<layout!((U3,U2):(U1,U6))>, layout!(((U3,U2)):((U1,U6))));
    refused::<Zip<layout!((((U2),(U8,U3)),((U6,U5))):(((U1),(U1,U8)),((U1,U6))))>>("zip: mode ((2),(8,3)) has 2 modes but mode ((6,5)) has 1");
    assert_type_eq!(Zip<layout!(((U3,U4)):((U1,U1)))>, layout!(((U3),(U4)):((U1),(U1))));
    assert_type_eq!(Zip<layout!((U3,(U4,U6)):(U6,(U18,U1)))>, layout!(((U3,(U4,U6))):((U6,(U18,U1)))));
    assert_type_eq!(Zip<layout!((U5,U5):(U1,U5))>, layout!(((U5,U5)):((U1,U5))));
    assert_type_eq!(Zip<layout!(U2:U1)>, layout!(U2:U1));
    assert_type_eq!(Zip<layout!((U3,U5,U8,U5):(U1,U3,U15,U120))>, layout!(((U3,U5,U8,U5)):((U1,U3,U15,U120))));
    refused::<Zip<layout!(((U3,(U4,U2),(U2,(U5,U2)),(U1)),(U2,(U6,U4),(U4)),(U4,U4,(U2,U2)),((U5,U3),U6,((U2,U2),U2))):((U1,(U2,U1),(U40,(U1,U10)),(U1)),(U1,(U1,U6),(U7)),(U1,U1,(U1,U2)),((U1,U5),U1,((U8,U1),U4))))>>("zip: mode (3,(4,2),(2,(5,2)),(1)) has 4 modes but mode (2,(6,4),(4)) has 3");
    assert_type_eq!(Zip<layout!(((U5),((U2,((U1,U4),(U8,(U3,U3)))))):((U1),((U1,((U2,U2),(U8,(U64,U192)))))))>, layout!(((U5,(U2,((U1,U4),(U8,(U3,U3)))))):((U1,(U1,((U2,U2),(U8,(U64,U192))))))));
    assert_type_eq!(Zip<layout!((U8,U4,U4,(U6,U2)):(U1,U8,U32,(U128,U768)))>, layout!(((U8,U4,U4,(U6,U2))):((U1,U8,U32,(U128,U768)))));
    refused::<Zip<layout!(((U4,U3),U2,U2):((U4,U16),U2,U1))>>("zip: mode (4,3) has 2 modes but mode 2 is an integer");
    assert_type_eq!(Zip<layout!((U1,U5,U2,U1):(U10,U1,U5,U5))>, layout!(((U1,U5,U2,U1)):((U10,U1,U5,U5))));
    refused::<Zip<layout!(((U5,U6),U1,U3,U5):((U90,U5),U30,U30,U1))>>("zip: mode (5,6) has 2 modes but mode 1 is an integer");
    assert_type_eq!(Zip<layout!((U4):(U1))>, layout!(((U4)):((U1))));
    assert_type_eq!(Zip<layout!(((U4,U2)):((U12,U1)))>, layout!(((U4),(U2)):((U12),(U1))));
    assert_type_eq!(Zip<layout!((U5,U4,U2,U2):(U6,U30,U1,U120))>, layout!(((U5,U4,U2,U2)):((U6,U30,U1,U120))));
    assert_type_eq!(Zip<layout!((((U4,U2)),((U4,U2)),(U6),((U6,(U6,U3)))):(((U1,U4)),((U2,U1)),(U1),((U1,(U6,U36)))))>, layout!((((U4,U2),(U4,U2),U6,(U6,(U6,U3)))):(((U1,U4),(U2,U1),U1,(U1,(U6,U36))))));
    assert_type_eq!(Zip<layout!((U5,(U3),U2,U4):(U6,(U1),U3,U30))>, layout!(((U5,(U3),U2,U4)):((U6,(U1),U3,U30))));
    assert_type_eq!(Zip<layout!((((U2,U4)),((U2,U2)),((U6,U4)),(U2)):(((U4,U1)),((U1,U2)),((U1,U12)),(U1)))>, layout!((((U2,U4),(U2,U2),(U6,U4),U2)):(((U4,U1),(U1,U2),(U1,U12),U1))));
    assert_type_eq!(Zip<layout!((U2,U5,U2,U3):(U18,U36,U1,U2))>, layout!(((U2,U5,U2,U3)):((U18,U36,U1,U2))));
    assert_type_eq!(Zip<layout!(((U4,U6,U6)):((U1,U1,U1)))>, layout!(((U4),(U6),(U6)):((U1),(U1),(U1))));
    assert_type_eq!(Zip<layout!((U1,U1):(U1,U1))>, layout!(((U1,U1)):((U1,U1))));
}

#[test]
fn zip_with() {
    assert_type_eq!(ZipWith<layout!((((U4),U5),(U1,U5)):(((U1),U4),(U5,U1))), layout!(((U6,U5),U2):((U5,U1),U1))>, layout!(((((U4),U5),(U6,U5)),((U1,U5),U2)):((((U1),U4),(U5,U1)),((U5,U1),U1))));
    assert_type_eq!(ZipWith<layout!(((U6,U6),U6):((U1,U6),U1)), layout!((U2,(U4,U5)):(U1,(U1,U4)))>, layout!((((U6,U6),U2),(U6,(U4,U5))):(((U1,U6),U1),(U1,(U1,U4)))));
    assert_type_eq!(ZipWith<layout!(((U6,U4),(U6)):((U4,U1),(U1))), layout!(((U2,U2),U2):((U2,U1),U1))>, layout!((((U6,U4),(U2,U2)),((U6),U2)):(((U4,U1),(U2,U1)),((U1),U1))));
    assert_type_eq!(ZipWith<layout!(((U6,U6),U3,(U8,(U2,(U3,U6)))):((U12,U1),U1,(U1,(U8,(U96,U16))))), layout!(((U1,U3),(U5,(U2)),U6):((U1,U1),(U1,(U5)),U1))>, layout!((((U6,U6),(U1,U3)),(U3,(U5,(U2))),((U8,(U2,(U3,U6))),U6)):(((U12,U1),(U1,U1)),(U1,(U1,(U5))),((U1,(U8,(U96,U16))),U1))));
    refused::<ZipWith<layout!((U5,U8,U6):(U288,U1,U16)), layout!(U1:U1)>>("zip: mode (5,8,6) has 3 modes but mode 1 is an integer");
    refused::<ZipWith<layout!(((U2),U6):((U6),U1)), layout!((U1,U2,U5):(U1,U1,U2))>>("zip: mode ((2),6) has 2 modes but mode (1,2,5) has 3");
    assert_type_eq!(ZipWith<layout!(((U4,U2),U8):((U2,U1),U1)), layout!((((U2,(U6,U4)),U1),(U4,U1)):(((U24,(U1,U5)),U1),(U1,U1)))>, layout!((((U4,U2),((U2,(U6,U4)),U1)),(U8,(U4,U1))):(((U2,U1),((U24,(U1,U5)),U1)),(U1,(U1,U1)))));
    refused::<ZipWith<layout!((U5,U4):(U1,U5)), layout!((U4,(U3),U8):(U216,(U24),U1))>>("zip: mode (5,4) has 2 modes but mode (4,(3),8) has 3");
    assert_type_eq!(ZipWith<layout!(U6:U1), layout!((U1,U4,U5):(U12,U1,U36))>, layout!(((U6,(U1,U4,U5))):((U1,(U12,U1,U36)))));
    refused::<ZipWith<layout!((U8,U5,(U3)):(U1,U144,(U16))), layout!((U8,U1):(U1,U1))>>("zip: mode (8,5,(3)) has 3 modes but mode (8,1) has 2");
    assert_type_eq!(ZipWith<layout!(U5:U1), layout!(((U2,U2),U2):((U1,U8),U4))>, layout!(((U5,((U2,U2),U2))):((U1,((U1,U8),U4)))));
    assert_type_eq!(ZipWith<layout!(((U1,U3),U6):((U3,U1),U1)), layout!(((U4,U2),(U6,(U8))):((U1,U4),(U8,(U1))))>, layout!((((U1,U3),(U4,U2)),(U6,(U6,(U8)))):(((U3,U1),(U1,U4)),(U1,(U8,(U1))))));
    assert_type_eq!(ZipWith<layout!(((U2,((U4,U2),U1)),(U5,(U3,U4))):((U8,((U1,U10),U16)),(U12,(U2,U9)))), layout!(((U8,U3),U2):((U1,U8),U1))>, layout!((((U2,((U4,U2),U1)),(U8,U3)),((U5,(U3,U4)),U2)):(((U8,((U1,U10),U16)),(U1,U8)),((U12,(U2,U9)),U1))));
    assert_type_eq!(ZipWith<layout!((U1,U1):(U2,U1)), layout!((U6,U5):(U5,U1))>, layout!(((U1,U6),(U1,U5)):((U2,U5),(U1,U1))));
    assert_type_eq!(ZipWith<layout!((U4,U1):(U1,U4)), layout!((U3,U2):(U6,U1))>, layout!(((U4,U3),(U1,U2)):((U1,U6),(U4,U1))));
    refused::<ZipWith<layout!((U1,U5):(U5,U1)), layout!((U8,((U3,U4),U1),(U1,U2)):(U192,((U8,U1),U1),(U48,U48)))>>("zip: mode (1,5) has 2 modes but mode (8,((3,4),1),(1,2)) has 3");
    refused::<ZipWith<layout!((U1,(U5,U8),U3):(U1,(U1,U5),U40)), layout!((U4,U5):(U5,U7))>>("zip: mode (1,(5,8),3) has 3 modes but mode (4,5) has 2");
    assert_type_eq!(ZipWith<layout!((U2,U4):(U1,U4)), layout!((U5,U1):(U1,U1))>, layout!(((U2,U5),(U4,U1)):((U1,U1),(U4,U1))));
    assert_type_eq!(ZipWith<layout!(U6:U1), layout!((U8,((U3,U8),U5)):(U1,((U8,U24),U192)))>, layout!(((U6,(U8,((U3,U8),U5)))):((U1,(U1,((U8,U24),U192))))));
    refused::<ZipWith<layout!((((U4,U3)),((((U1,(U4)),U5),U2),U1),(U8,U8)):(((U1,U4)),((((U1,(U20)),U1),U10),U5),(U1,U8))), layout!(((U6),U2):((U1),U1))>>("zip: mode (((4,3)),((((1,(4)),5),2),1),(8,8)) has 3 modes but mode ((6),2) has 2");
    refused::<ZipWith<layout!((U6,U2,U3):(U1,U6,U12)), layout!((U6):(U10))>>("zip: mode (6,2,3) has 3 modes but mode (6) has 1");
    assert_type_eq!(ZipWith<layout!((((U6,U8),U2),(U1)):(((U2,U12),U1),(U1))), layout!((U5,U2):(U1,U1))>, layout!(((((U6,U8),U2),U5),((U1),U2)):((((U2,U12),U1),U1),((U1),U1))));
    assert_type_eq!(ZipWith<layout!((U2,U4):(U1,U1)), layout!((U2,(U4,U2)):(U1,(U1,U0)))>, layout!(((U2,U2),(U4,(U4,U2))):((U1,U1),(U1,(U1,U0)))));
    assert_type_eq!(ZipWith<layout!((U1,U3):(U1,U1)), layout!((U5,U4):(U1,U5))>, layout!(((U1,U5),(U3,U4)):((U1,U1),(U1,U5))));
    assert_type_eq!(ZipWith<layout!((U4,(U2,U3),U2):(U1,(U4,U32),U16)), layout!((U3,(((U5,U3),U4)),U2):(U60,(((U3,U1),U15)),U540))>, layout!(((U4,U3),((U2,U3),(((U5,U3),U4))),(U2,U2)):((U1,U60),((U4,U32),(((U3,U1),U15))),(U16,U540))));
    assert_type_eq!(ZipWith<layout!(U4:U1), layout!(U2:U1)>, layout!(((U4,U2)):((U1,U1))));
    assert_type_eq!(ZipWith<layout!((U1,((U2,U4))):(U1,((U4,U1)))), layout!(((U2),(U1,U8)):((U1),(U16,U1)))>, layout!(((U1,(U2)),(((U2,U4)),(U1,U8))):((U1,(U1)),(((U4,U1)),(U16,U1)))));
    assert_type_eq!(ZipWith<layout!(((U1),(U3),U4):((U1),(U1),U1)), layout!((U6,U8,(U4)):(U1,U1,(U1)))>, layout!((((U1),U6),((U3),U8),(U4,(U4))):(((U1),U1),((U1),U1),(U1,(U1)))));
    assert_type_eq!(ZipWith<layout!((U1,((U1,(U3,U2)))):(U1,((U4,(U4,U1))))), layout!(((U1,U6),((U5,U3),U1)):((U1,U1),((U3,U45),U1)))>, layout!(((U1,(U1,U6)),(((U1,(U3,U2))),((U5,U3),U1))):((U1,(U1,U1)),(((U4,(U4,U1))),((U3,U45),U1)))));
    assert_type_eq!(ZipWith<layout!(((U1,U5),(U4,U3)):((U5,U1),(U1,U4))), layout!((((U4,U1)),(U5,U1)):(((U1,U8)),(U1,U5)))>, layout!((((U1,U5),((U4,U1))),((U4,U3),(U5,U1))):(((U5,U1),((U1,U8))),((U1,U4),(U1,U5)))));
    assert_type_eq!(ZipWith<layout!(U5:U1), layout!(U4:U8)>, layout!(((U5,U4)):((U1,U8))));
    assert_type_eq!(ZipWith<layout!(((U4,U4),((U1,(U1,U5)),U4)):((U1,U4),((U1,(U120,U2)),U10))), layout!(((U6,U1),(U8,U2)):((U1,U6),(U1,U8)))>, layout!((((U4,U4),(U6,U1)),(((U1,(U1,U5)),U4),(U8,U2))):(((U1,U4),(U1,U6)),(((U1,(U120,U2)),U10),(U1,U8)))));
}

#[test]
fn slice() {
    assert_type_eq!(Slice<layout!((U1,U2,U2):(U1,U1,U2)), tree!((U0,Keep,U1))>, layout!((U2):(U1)));
    assert_type_eq!(Slice<layout!((U4,U4,U2,U6):(U1,U4,U16,U32)), tree!((U1,Keep,Keep,U1))>, layout!((U4,U2):(U4,U16)));
    assert_type_eq!(Slice<layout!((U5,U2):(U1,U5)), tree!((Keep,Keep))>, layout!((U5,U2):(U1,U5)));
    refused::<Slice<layout!((U4,(U2,U4),U4):(U1,(U4,U8),U32)), tree!((U0,((Keep,U0),U1,Keep),U0))>>("coordinate ((_,0),1,_) does not match the modes of shape (2,4)");
    assert_type_eq!(Slice<layout!((U4,((U2,(U6,U2)))):(U192,((U48,(U1,U12))))), tree!((Keep,((U0,(Keep,Keep)))))>, layout!((U4,U6,U2):(U192,U1,U12)));
    assert_type_eq!(Slice<layout!((U5,(U8,U2)):(U1,(U10,U5))), tree!((U2,(U1,Keep)))>, layout!((U2):(U5)));
    assert_type_eq!(Slice<layout!((U2,(U3,U2)):(U1,(U2,U6))), tree!((Keep,(U2,Keep)))>, layout!((U2,U2):(U1,U6)));
    assert_type_eq!(Slice<layout!((U6,(U2,U2),U3):(U3,(U36,U18),U1)), tree!((U2,(U0,U1),Keep))>, layout!((U3):(U1)));
    assert_type_eq!(Slice<layout!(U8:U1), tree!(Keep)>, layout!(U8:U1));
    assert_type_eq!(Slice<layout!((U4,U3,(U1,U4)):(U12,U4,(U4,U1))), tree!((U1,U0,(Keep,U1)))>, layout!((U1):(U4)));
    refused::<Slice<layout!(U1:U1), tree!(U0)>>("slice: coordinate 0 keeps no mode");
    assert_type_eq!(Slice<layout!((U4,U5):(U1,U4)), tree!((Keep,Keep))>, layout!((U4,U5):(U1,U4)));
    refused::<Slice<layout!((U4,U1):(U1,U1)), tree!(U2)>>("slice: coordinate 2 keeps no mode");
    refused::<Slice<layout!((U1,(U4),U3):(U4,(U1),U4)), tree!((Keep,U0))>>("coordinate (_,0) does not match the modes of shape (1,(4),3)");
    assert_type_eq!(Slice<layout!((((U4,U4),U8),U2,U4):(((U32,U128),U4),U512,U1)), tree!((((Keep,Keep),U5),U0,Keep))>, layout!((U4,U4,U4):(U32,U128,U1)));
    refused::<Slice<layout!((U3,U5):(U10,U1)), tree!((U0,(Keep,U0)))>>("coordinate (_,0) does not match the modes of shape 5");
    assert_type_eq!(Slice<layout!(((U8,(U4,(U2,U1))),U1,U1):((U1,(U8,(U32,U64))),U64,U64)), tree!(((U5,Keep),U0,U0))>, layout!(((U4,(U2,U1))):((U8,(U32,U64)))));
    refused::<Slice<layout!((U3,U2,U6):(U4,U18,U1)), tree!((U0,U0,U0))>>("slice: coordinate (0,0,0) keeps no mode");
    assert_type_eq!(Slice<layout!((U1,U5,U5):(U25,U5,U1)), tree!((Keep,U0,U2))>, layout!((U1):(U25)));
    assert_type_eq!(Slice<layout!(((U6,U8)):((U1,U6))), tree!((Keep))>, layout!(((U6,U8)):((U1,U6))));
    refused::<Slice<layout!((U6,U8,U6,U1):(U48,U1,U8,U1)), tree!((U4,U8,Keep,U0))>>("coordinate 8 is not below extent 8");
    refused::<Slice<layout!((U5,U4,U4):(U144,U1,U12)), tree!((Keep,(Keep,U0),U2))>>("coordinate (_,0) does not match the modes of shape 4");
    assert_type_eq!(Slice<layout!((U5,U2,U4,U6):(U1,U5,U10,U40)), tree!((Keep,Keep,Keep,Keep))>, layout!((U5,U2,U4,U6):(U1,U5,U10,U40)));
    refused::<Slice<layout!(U4:U1), tree!(U4)>>("slice: coordinate 4 keeps no mode");
    refused::<Slice<layout!((U2,(U6,(U6,U4)),U2):(U1,(U2,(U12,U72)),U288)), tree!((Keep,(U5,(U0,Keep)),(Keep,U0)))>>("coordinate (_,0) does not match the modes of shape 2");
    assert_type_eq!(Slice<layout!((U4,U2,U4,U1):(U2,U1,U8,U10)), tree!(Keep)>, layout!((U4,U2,U4,U1):(U2,U1,U8,U10)));
    refused::<Slice<layout!((U6,U4,U2,U8):(U8,U1,U4,U48)), tree!(U384)>>("slice: coordinate 384 keeps no mode");
    assert_type_eq!(Slice<layout!((U4,U4):(U1,U4)), tree!((Keep,Keep))>, layout!((U4,U4):(U1,U4)));
    refused::<Slice<layout!((U5,U3,U5,U4):(U3,U1,U180,U45)), tree!((U5,U1,Keep,U1))>>("coordinate 5 is not below extent 5");
    refused::<Slice<layout!((U4,U6,U2):(U36,U6,U1)), tree!((Keep,U6,U1))>>("coordinate 6 is not below extent 6");
    assert_type_eq!(Slice<layout!((U2,U4):(U1,U2)), tree!((Keep,Keep))>, layout!((U2,U4):(U1,U2)));
    assert_type_eq!(Slice<layout!((((U5,U4),U5),U2,U1):(((U9,U5),U7),U4,U20)), tree!((((Keep,Keep),U4),U0,Keep))>, layout!((U5,U4,U1):(U9,U5,U20)));
    refused::<Slice<layout!(U6:U1), tree!(U1)>>("slice: coordinate 1 keeps no mode");
    assert_type_eq!(Slice<layout!((U4,U6,U5,U4):(U1,U4,U24,U120)), tree!((U1,Keep,U0,U0))>, layout!((U6):(U4)));
    refused::<Slice<layout!(U6:U1), tree!(U3)>>("slice: coordinate 3 keeps no mode");
    assert_type_eq!(Slice<layout!((U2,U2,U5):(U1,U2,U4)), tree!((U1,Keep,U0))>, layout!((U2):(U2)));
    assert_type_eq!(Slice<layout!(U2:U1), tree!(Keep)>, layout!(U2:U1));
    refused::<Slice<layout!((U2,U3):(U1,U2)), tree!((Keep,(Keep,U0)))>>("coordinate (_,0) does not match the modes of shape 3");
    refused::<Slice<layout!((U2,U2,U3):(U1,U2,U4)), tree!((U1,U0,U2))>>("slice: coordinate (1,0,2) keeps no mode");
    assert_type_eq!(Slice<layout!((U1,U1,U3):(U1,U1,U1)), tree!((Keep,U0,U1))>, layout!((U1):(U1)));
    refused::<Slice<layout!((U4,U2,U1,U2):(U1,U4,U4,U8)), tree!((U4,U0,U0,Keep))>>("coordinate 4 is not below extent 4");
    assert_type_eq!(Slice<layout!((U2,U2,U4,U6):(U1,U16,U4,U64)), tree!((Keep,U0,Keep,U2))>, layout!((U2,U4):(U1,U4)));
    refused::<Slice<layout!((U3,U1,U8):(U1,U3,U3)), tree!((Keep,U0))>>("coordinate (_,0) does not match the modes of shape (3,1,8)");
    assert_type_eq!(Slice<layout!(U4:U1), tree!(Keep)>, layout!(U4:U1));
    refused::<Slice<layout!((U2,(U4,U6)):(U1,(U2,U8))), tree!(U3)>>("slice: coordinate 3 keeps no mode");
    assert_type_eq!(Slice<layout!((U2,(U8,U4)):(U16,(U1,U32))), tree!((Keep,(Keep,U3)))>, layout!((U2,U8):(U16,U1)));
    assert_type_eq!(Slice<layout!(((U2,U2),(U5,U4),U3):((U6,U3),(U12,U60),U1)), tree!(((U1,U0),(U3,U2),Keep))>, layout!((U3):(U1)));
    assert_type_eq!(Slice<layout!((U2,U2):(U6,U1)), tree!((Keep,Keep))>, layout!((U2,U2):(U6,U1)));
    assert_type_eq!(Slice<layout!((U4):(U1)), tree!((Keep))>, layout!((U4):(U1)));
    assert_type_eq!(Slice<layout!((U5,U1,U4):(U3,U20,U8)), tree!((U0,U0,Keep))>, layout!((U4):(U8)));
    assert_type_eq!(Slice<layout!((U6,U3):(U3,U1)), tree!((Keep,Keep))>, layout!((U6,U3):(U3,U1)));
    assert_type_eq!(Slice<layout!((U1,U8,U2,U1):(U1,U1,U8,U1)), tree!((Keep,Keep,U1,Keep))>, layout!((U1,U8,U1):(U1,U1,U1)));
    assert_type_eq!(Slice<layout!((U4,U3):(U1,U4)), tree!((Keep,U0))>, layout!((U4):(U1)));
    assert_type_eq!(Slice<layout!((U3,U2,((U2,U4),U6)):(U1,U3,((U10,U72),U12))), tree!((U2,Keep,((Keep,U0),U3)))>, layout!((U2,U2):(U3,U10)));
    assert_type_eq!(Slice<layout!((U3,U4):(U1,U3)), tree!((Keep,Keep))>, layout!((U3,U4):(U1,U3)));
    assert_type_eq!(Slice<layout!(((U1,U6),(U2,U2)):((U24,U4),(U2,U1))), tree!(((U0,Keep),(Keep,U0)))>, layout!((U6,U2):(U4,U2)));
    assert_type_eq!(Slice<layout!((U8,U4,U2,U5):(U20,U5,U160,U1)), tree!((Keep,Keep,U1,U3))>, layout!((U8,U4):(U20,U5)));
    assert_type_eq!(Slice<layout!((U1,U5):(U5,U1)), tree!((U0,Keep))>, layout!((U5):(U1)));
    assert_type_eq!(Slice<layout!(((U2),U6):((U1),U2)), tree!((Keep,U5))>, layout!(((U2)):((U1))));
    assert_type_eq!(Slice<layout!((U2,U4):(U1,U4)), tree!(Keep)>, layout!((U2,U4):(U1,U4)));
}

#[test]
fn dice() {
    assert_type_eq!(Dice<layout!((U1,U2,U2):(U1,U1,U2)), tree!((U0,Keep,U1))>, layout!((U1,U2):(U1,U2)));
    assert_type_eq!(Dice<layout!((U4,U4,U2,U6):(U1,U4,U16,U32)), tree!((U1,Keep,Keep,U1))>, layout!((U4,U6):(U1,U32)));
    refused::<Dice<layout!((U5,U2):(U1,U5)), tree!((Keep,Keep))>>("dice: coordinate (_,_) keeps no mode");
    refused::<Dice<layout!((U4,(U2,U4),U4):(U1,(U4,U8),U32)), tree!((U0,((Keep,U0),U1,Keep),U0))>>("coordinate ((_,0),1,_) does not match the modes of shape (2,4)");
    assert_type_eq!(Dice<layout!((U4,((U2,(U6,U2)))):(U192,((U48,(U1,U12))))), tree!((Keep,((U0,(Keep,Keep)))))>, layout!((U2):(U48)));
    assert_type_eq!(Dice<layout!((U5,(U8,U2)):(U1,(U10,U5))), tree!((U2,(U1,Keep)))>, layout!((U5,U8):(U1,U10)));
    assert_type_eq!(Dice<layout!((U2,(U3,U2)):(U1,(U2,U6))), tree!((Keep,(U2,Keep)))>, layout!((U3):(U2)));
    assert_type_eq!(Dice<layout!((U6,(U2,U2),U3):(U3,(U36,U18),U1)), tree!((U2,(U0,U1),Keep))>, layout!((U6,U2,U2):(U3,U36,U18)));
    refused::<Dice<layout!(U8:U1), tree!(Keep)>>("dice: coordinate _ keeps no mode");
    assert_type_eq!(Dice<layout!((U4,U3,(U1,U4)):(U12,U4,(U4,U1))), tree!((U1,U0,(Keep,U1)))>, layout!((U4,U3,U4):(U12,U4,U1)));
    assert_type_eq!(Dice<layout!(U1:U1), tree!(U0)>, layout!(U1:U1));
    refused::<Dice<layout!((U4,U5):(U1,U4)), tree!((Keep,Keep))>>("dice: coordinate (_,_) keeps no mode");
    assert_type_eq!(Dice<layout!((U4,U1):(U1,U1)), tree!(U2)>, layout!((U4,U1):(U1,U1)));
    refused::<Dice<layout!((U1,(U4),U3):(U4,(U1),U4)), tree!((Keep,U0))>>("coordinate (_,0) does not match the modes of shape (1,(4),3)");
    assert_type_eq!(Dice<layout!((((U4,U4),U8),U2,U4):(((U32,U128),U4),U512,U1)), tree!((((Keep,Keep),U5),U0,Keep))>, layout!((U8,U2):(U4,U512)));
    refused::<Dice<layout!((U3,U5):(U10,U1)), tree!((U0,(Keep,U0)))>>("coordinate (_,0) does not match the modes of shape 5");
    assert_type_eq!(Dice<layout!(((U8,(U4,(U2,U1))),U1,U1):((U1,(U8,(U32,U64))),U64,U64)), tree!(((U5,Keep),U0,U0))>, layout!((U8,U1,U1):(U1,U64,U64)));
    assert_type_eq!(Dice<layout!((U3,U2,U6):(U4,U18,U1)), tree!((U0,U0,U0))>, layout!((U3,U2,U6):(U4,U18,U1)));
    assert_type_eq!(Dice<layout!((U1,U5,U5):(U25,U5,U1)), tree!((Keep,U0,U2))>, layout!((U5,U5):(U5,U1)));
    refused::<Dice<layout!(((U6,U8)):((U1,U6))), tree!((Keep))>>("dice: coordinate (_) keeps no mode");
    assert_type_eq!(Dice<layout!((U6,U8,U6,U1):(U48,U1,U8,U1)), tree!((U4,U8,Keep,U0))>, layout!((U6,U8,U1):(U48,U1,U1)));
    refused::<Dice<layout!((U5,U4,U4):(U144,U1,U12)), tree!((Keep,(Keep,U0),U2))>>("coordinate (_,0) does not match the modes of shape 4");
    refused::<Dice<layout!((U5,U2,U4,U6):(U1,U5,U10,U40)), tree!((Keep,Keep,Keep,Keep))>>("dice: coordinate (_,_,_,_) keeps no mode");
    assert_type_eq!(Dice<layout!(U4:U1), tree!(U4)>, layout!(U4:U1));
    refused::<Dice<layout!((U2,(U6,(U6,U4)),U2):(U1,(U2,(U12,U72)),U288)), tree!((Keep,(U5,(U0,Keep)),(Keep,U0)))>>("coordinate (_,0) does not match the modes of shape 2");
    refused::<Dice<layout!((U4,U2,U4,U1):(U2,U1,U8,U10)), tree!(Keep)>>("dice: coordinate _ keeps no mode");
    assert_type_eq!(Dice<layout!((U6,U4,U2,U8):(U8,U1,U4,U48)), tree!(U384)>, layout!((U6,U4,U2,U8):(U8,U1,U4,U48)));
    refused::<Dice<layout!((U4,U4):(U1,U4)), tree!((Keep,Keep))>>("dice: coordinate (_,_) keeps no mode");
    assert_type_eq!(Dice<layout!((U5,U3,U5,U4):(U3,U1,U180,U45)), tree!((U5,U1,Keep,U1))>, layout!((U5,U3,U4):(U3,U1,U45)));
    assert_type_eq!(Dice<layout!((U4,U6,U2):(U36,U6,U1)), tree!((Keep,U6,U1))>, layout!((U6,U2):(U6,U1)));
    assert_type_eq!(Dice<layout!((((U5,U4),U5),U2,U1):(((U9,U5),U7),U4,U20)), tree!((((Keep,Keep),U4),U0,Keep))>, layout!((U5,U2):(U7,U4)));
    assert_type_eq!(Dice<layout!(U6:U1), tree!(U1)>, layout!(U6:U1));
    assert_type_eq!(Dice<layout!((U4,U6,U5,U4):(U1,U4,U24,U120)), tree!((U1,Keep,U0,U0))>, layout!((U4,U5,U4):(U1,U24,U120)));
    assert_type_eq!(Dice<layout!(U6:U1), tree!(U3)>, layout!(U6:U1));
    assert_type_eq!(Dice<layout!((U2,U2,U5):(U1,U2,U4)), tree!((U1,Keep,U0))>, layout!((U2,U5):(U1,U4)));
    assert_type_eq!(Dice<layout!((U2,U2,U3):(U1,U2,U4)), tree!((U1,U0,U2))>, layout!((U2,U2,U3):(U1,U2,U4)));
}

#[test]
fn filter_by() {
    assert_type_eq!(FilterBy<layout!((U4,U4,U1):(U36,U3,U1)), tree!(U2)>, layout!((U4,U4):(U36,U3)));
    assert_type_eq!(FilterBy<layout!(((U2,(U4,(U8))),U4):((U4,(U1,(U8))),U64)), tree!(((U2,(U1,(U0))),U1))>, layout!(((U2,(U4,(U8))),U4):((U4,(U1,(U8))),U64)));
    assert_type_eq!(FilterBy<layout!((U4):(U1)), tree!(U0)>, layout!(U4:U1));
    assert_type_eq!(FilterBy<layout!((U4):(U1)), tree!(U1)>, layout!(U4:U1));
    assert_type_eq!(FilterBy<layout!((U5,U2,(U2,U8)):(U7,U6,(U0,U1))), tree!(U2)>, layout!((U5,U2,U8):(U7,U6,U1)));
    assert_type_eq!(FilterBy<layout!((U3,U1,((U2,U1),U1),U4):(U9,U24,((U4,U9),U1),U1)), tree!(U0)>, layout!((U3,U2,U4):(U9,U4,U1)));
    refused::<FilterBy<layout!(U2:U1), tree!((U0,U1,U1))>>("profile (0,1,1) has 3 modes, more than the 1 of shape 2");
    assert_type_eq!(FilterBy<layout!(U5:U1), tree!(U1)>, layout!(U5:U1));
    assert_type_eq!(FilterBy<layout!(U1:U1), tree!(U1)>, layout!(U1:U0));
    assert_type_eq!(FilterBy<layout!((U4,U4,U4):(U16,U4,U0)), tree!(U1)>, layout!((U4,U4):(U16,U4)));
    assert_type_eq!(FilterBy<layout!(U4:U1), tree!(U1)>, layout!(U4:U1));
    refused::<FilterBy<layout!((U5,U2,U4):(U1,U5,U10)), tree!(((U2,U1),U1,U0))>>("profile (2,1) has 2 modes, more than the 1 of shape 5");
    assert_type_eq!(FilterBy<layout!(U4:U1), tree!(U2)>, layout!(U4:U1));
    assert_type_eq!(FilterBy<layout!((U4,U4,U6,U1):(U1,U4,U16,U96)), tree!(U0)>, layout!(U96:U1));
    assert_type_eq!(FilterBy<layout!((U3,U4,U6,U3):(U1,U3,U12,U72)), tree!((U2,U2,U0,U2))>, layout!((U3,U4,U6,U3):(U1,U3,U12,U72)));
    assert_type_eq!(FilterBy<layout!((U6,(U6,U2)):(U6,(U1,U36))), tree!((U1,(U0,U2)))>, layout!((U6,(U6,U2)):(U6,(U1,U36))));
    assert_type_eq!(FilterBy<layout!((U4,U5):(U1,U8)), tree!((U2,U0))>, layout!((U4,U5):(U1,U8)));
    assert_type_eq!(FilterBy<layout!((U2,U4):(U5,U2)), tree!((U1,U1))>, layout!((U2,U4):(U5,U2)));
    assert_type_eq!(FilterBy<layout!(U6:U1), tree!(U0)>, layout!(U6:U1));
    assert_type_eq!(FilterBy<layout!((U4,U2):(U2,U1)), tree!(U1)>, layout!((U4,U2):(U2,U1)));
    assert_type_eq!(FilterBy<layout!((U2,U8,U6):(U8,U1,U7)), tree!((U2,U0,U2))>, layout!((U2,U8,U6):(U8,U1,U7)));
    assert_type_eq!(FilterBy<layout!((U2,U2,U1,U5):(U2,U1,U2,U4)), tree!((U0,U0,U1,U0))>, layout!((U2,U2,U1,U5):(U2,U1,U0,U4)));
    assert_type_eq!(FilterBy<layout!(((U2,U2),U3,U3,U2):((U18,U3),U6,U1,U36)), tree!(((U0,U2),U2,U0,U1))>, layout!(((U2,U2),U3,U3,U2):((U18,U3),U6,U1,U36)));
    refused::<FilterBy<layout!(U2:U0), tree!(((U0,U0),U2,U0))>>("profile ((0,0),2,0) has 3 modes, more than the 1 of shape 2");
    assert_type_eq!(FilterBy<layout!((U1,U2,U4):(U12,U24,U1)), tree!((U2,U0,U0))>, layout!((U1,U2,U4):(U0,U24,U1)));
    assert_type_eq!(FilterBy<layout!((U2,U2,U4,U2):(U16,U0,U3,U12)), tree!((U2,U1,U2,U2))>, layout!((U2,U1,U4,U2):(U16,U0,U3,U12)));
    assert_type_eq!(FilterBy<layout!((U2,(U1,(U4)),U3,U6):(U1,(U2,(U2)),U8,U24)), tree!((U2,U1,U2,U0))>, layout!((U2,U4,U3,U6):(U1,U2,U8,U24)));
    assert_type_eq!(FilterBy<layout!((U5,U1,(U5),U4):(U5,U25,(U1),U25)), tree!((U2,U0,(U1),U0))>, layout!((U5,U1,(U5),U4):(U5,U0,(U1),U25)));
    assert_type_eq!(FilterBy<layout!((U4):(U1)), tree!((U0))>, layout!((U4):(U1)));
    assert_type_eq!(FilterBy<layout!((U4,U5):(U1,U4)), tree!(U0)>, layout!(U20:U1));
    assert_type_eq!(FilterBy<layout!(U8:U1), tree!(U0)>, layout!(U8:U1));
    refused::<FilterBy<layout!((U5,U3,U6):(U1,U5,U15)), tree!(((U0,U0),U2,U2))>>("profile (0,0) has 2 modes, more than the 1 of shape 5");
    assert_type_eq!(FilterBy<layout!(((U2,U4)):((U4,U1))), tree!(((U0,U2)))>, layout!(((U2,U4)):((U4,U1))));
    assert_type_eq!(FilterBy<layout!((U3,U4,U2):(U8,U1,U4)), tree!(U1)>, layout!((U3,U8):(U8,U1)));
    assert_type_eq!(FilterBy<layout!((U8,U4,U1):(U1,U8,U32)), tree!((U2,U1,U1))>, layout!((U8,U4,U1):(U1,U8,U0)));
    assert_type_eq!(FilterBy<layout!(((U3,U3),U2,U6):((U2,U36),U1,U6)), tree!((U1,U2,U1))>, layout!(((U3,U3),U2,U6):((U2,U36),U1,U6)));
    assert_type_eq!(FilterBy<layout!((U2,U5):(U1,U6)), tree!((U2,U2))>, layout!((U2,U5):(U1,U6)));
    assert_type_eq!(FilterBy<layout!(U4:U1), tree!(U0)>, layout!(U4:U1));
    assert_type_eq!(FilterBy<layout!(U2:U1), tree!(U2)>, layout!(U2:U1));
    assert_type_eq!(FilterBy<layout!((U2,U5):(U1,U2)), tree!((U0,U0))>, layout!((U2,U5):(U1,U2)));
    assert_type_eq!(FilterBy<layout!((U1,U4):(U1,U1)), tree!(U2)>, layout!(U4:U1));
    assert_type_eq!(FilterBy<layout!(((U5,U2),U8,(U3)):((U18,U1),U90,(U6))), tree!(((U1,U0),U0,(U1)))>, layout!(((U5,U2),U8,(U3)):((U18,U1),U90,(U6))));
    assert_type_eq!(FilterBy<layout!((U1,U8,(U4,U1)):(U1,U1,(U8,U32))), tree!((U0,U1,(U0,U0)))>, layout!((U1,U8,(U4,U1)):(U0,U1,(U8,U0))));
    assert_type_eq!(FilterBy<layout!((U1,U3,(U2,U4)):(U4,U8,(U9,U10))), tree!(U0)>, layout!((U3,U2,U4):(U8,U9,U10)));
    refused::<FilterBy<layout!((U1,U2,(U5,((U1,U2),U4)),U1):(U40,U1,(U8,((U2,U2),U120)),U480)), tree!(((U0,U0),U1,U1))>>("profile (0,0) has 2 modes, more than the 1 of shape 1");
    refused::<FilterBy<layout!((U2,U6,(U1,(U2))):(U6,U1,(U12,(U12)))), tree!((U0,U2,(U0,((U1),U2))))>>("profile ((1),2) has 2 modes, more than the 1 of shape (2)");
    refused::<FilterBy<layout!((U2,U4,U1,U4):(U1,U6,U2,U4)), tree!(((U1,U2),U2,U2))>>("profile (1,2) has 2 modes, more than the 1 of shape 2");
    refused::<FilterBy<layout!((U2,U8):(U1,U2)), tree!(((U2,U2),U2,U0))>>("profile ((2,2),2,0) has 3 modes, more than the 2 of shape (2,8)");
}

#[test]
fn windows() {
    refused::<Windows<layout!((U3,U8):(U1,U3)), tree!(((U3,U1,U3,U1)))>>("windows: in mode 0, (3,1,3,1) is not an extent, a step and a dilation: one to three numbers of at least 1");
    refused::<Windows<layout!((U1,U4,U4):(U10,U1,U4)), tree!(((U2,U1,U2),(U1,U1,U2,U3)))>>("windows: in mode 0, a window of 2 elements with dilation 2 spans 3 and is longer than extent 1");
    refused::<Windows<layout!((U2,U1):(U1,U8)), tree!(((U2,U1,U2)))>>("windows: in mode 0, a window of 2 elements with dilation 2 spans 3 and is longer than extent 2");
    refused::<Windows<layout!(U3:U1), tree!(((U3,U2,U2)))>>("windows: in mode 0, a window of 3 elements with dilation 2 spans 5 and is longer than extent 3");
    assert_type_eq!(Windows<layout!((U3,U2,U5):(U30,U5,U1)), tree!(((U1)))>, layout!(((U1),(U3,U2,U5)):((U0),(U30,U5,U1))));
    assert_type_eq!(Windows<layout!(((U5,U4)):((U1,U5))), tree!((U2))>, layout!(((U2),(U19)):((U1),(U1))));
    refused::<Windows<layout!(((U8,U4),U3,U8):((U864,U216),U24,U1)), tree!(((U2,U2,U3,U1),(U3),(U1)))>>("windows: in mode 0, (2,2,3,1) is not an extent, a step and a dilation: one to three numbers of at least 1");
    refused::<Windows<layout!(U1:U1), tree!(((U3,U1)))>>("windows: in mode 0, a window of 3 elements is longer than extent 1");
    refused::<Windows<layout!((U5,U6,(U6,U8)):(U1,U5,(U30,U180))), tree!((U0))>>("windows: in mode 0, 0 is not an extent, a step and a dilation: one to three numbers of at least 1");
    refused::<Windows<layout!(U4:U1), tree!(((U3,U2,U2,U3)))>>("windows: in mode 0, (3,2,2,3) is not an extent, a step and a dilation: one to three numbers of at least 1");
    assert_type_eq!(Windows<layout!((U8,U3):(U1,U8)), tree!(((U1),(U2,U3)))>, layout!(((U1,U2),(U8,U1)):((U0,U8),(U1,U0))));
    refused::<Windows<layout!(((U4),U1,U6):((U1),U4,U4)), tree!(((U1,U2,U2),(U2,U2,U1),U3,(U2)))>>("windows: the tiler has 4 modes, more than the 3 of shape ((4),1,6)");
    assert_type_eq!(Windows<layout!((U2,U4,U1):(U1,U2,U8)), tree!(((U2,U3)))>, layout!(((U2),(U1,U4,U1)):((U1),(U0,U2,U8))));
    assert_type_eq!(Windows<layout!((U6,U2,U2):(U1,U6,U12)), tree!(((U3),(U2)))>, layout!(((U3,U2),(U4,U1,U2)):((U1,U6),(U1,U0,U12))));
    refused::<Windows<layout!((U2,U2,U4):(U8,U1,U2)), tree!((U3,(U3,U2),((U1,U3))))>>("windows: in mode 0, a window of 3 elements is longer than extent 2");
    refused::<Windows<layout!((U3,U8,U2):(U8,U4,U7)), tree!(((U2,U3,U2,U3)))>>("windows: in mode 0, (2,3,2,3) is not an extent, a step and a dilation: one to three numbers of at least 1");
    assert_type_eq!(Windows<layout!((U4,U2):(U1,U4)), tree!(((U2,U3)))>, layout!(((U2),(U1,U2)):((U1),(U0,U4))));
    assert_type_eq!(Windows<layout!(((U3,(U1,U3)),U1,(U6,U2)):((U1,(U108,U3)),U3,(U9,U54))), tree!(((U2,U3)))>, layout!(((U2),(U3,U1,(U6,U2))):((U1),(U3,U3,(U9,U54)))));
    refused::<Windows<layout!((U2,(U6,U3)):(U18,(U1,U6))), tree!((U3))>>("windows: in mode 0, a window of 3 elements is longer than extent 2");
    refused::<Windows<layout!(((U5,((U6),(U3))),U3):((U7,((U1),(U18))),U6)), tree!((U3))>>("windows: in mode 0, A carries after 5 steps of the rest of the tiles, and 5 does not divide its extent 88");
    refused::<Windows<layout!((U3,U4,U2):(U1,U6,U3)), tree!(((U1,U1),(U2,U2,U3),(U3,U2,U2)))>>("windows: in mode 2, a window of 3 elements with dilation 2 spans 5 and is longer than extent 2");
    refused::<Windows<layout!(U4:U1), tree!(((U2,U1,U3,U1)))>>("windows: in mode 0, (2,1,3,1) is not an extent, a step and a dilation: one to three numbers of at least 1");
    assert_type_eq!(Windows<layout!(U2:U1), tree!(((U2)))>, layout!(((U2),(U1)):((U1),(U0))));
    refused::<Windows<layout!((U1,U6):(U1,U1)), tree!(((U2,U1,U3,U2),(U2)))>>("windows: in mode 0, (2,1,3,2) is not an extent, a step and a dilation: one to three numbers of at least 1");
    assert_type_eq!(Windows<layout!((U4,U2,U4):(U32,U1,U4)), tree!(((U2)))>, layout!(((U2),(U3,U2,U4)):((U32),(U32,U1,U4))));
    refused::<Windows<layout!((U8,U4,U2):(U1,U5,U8)), tree!(((U2,U1),(U3,U2),U0))>>("windows: in mode 2, 0 is not an extent, a step and a dilation: one to three numbers of at least 1");
    refused::<Windows<layout!((U2,U2):(U1,U2)), tree!(((U1,U2,U3),(U3,U2,U2)))>>("windows: in mode 1, a window of 3 elements with dilation 2 spans 5 and is longer than extent 2");
    assert_type_eq!(Windows<layout!((U8):(U1)), tree!(U1)>, layout!((U1,U8):(U0,U1)));
    refused::<Windows<layout!(U4:U1), tree!(((U3,U1,U3)))>>("windows: in mode 0, a window of 3 elements with dilation 3 spans 7 and is longer than extent 4");
    assert_type_eq!(Windows<layout!((U5,U8,U3):(U72,U1,U8)), tree!(((U3,U3,U1),(U3,U2)))>, layout!(((U3,U3),(U1,U3,U3)):((U72,U1),(U0,U2,U8))));
    refused::<Windows<layout!(((((U5,U1)))):((((U1,U5))))), tree!((U0))>>("windows: in mode 0, 0 is not an extent, a step and a dilation: one to three numbers of at least 1");
    refused::<Windows<layout!(U2:U1), tree!(((U0,U2)))>>("windows: in mode 0, (0,2) is not an extent, a step and a dilation: one to three numbers of at least 1");
    assert_type_eq!(Windows<layout!((U6,U5):(U1,U18)), tree!(((U2,U2,U1)))>, layout!(((U2),(U3,U5)):((U1),(U2,U18))));
    refused::<Windows<layout!((U4,U6,(U6,(U2))):(U1,U4,(U10,(U8)))), tree!(((U1,U1,U3),((U3,U2))))>>("windows: in mode 1, ((3,2)) is not an extent, a step and a dilation: one to three numbers of at least 1");
    assert_type_eq!(Windows<layout!(U6:U1), tree!((U2))>, layout!(((U2),(U5)):((U1),(U1))));
    refused::<Windows<layout!((U2):(U1)), tree!(U4)>>("windows: a window of 4 elements is longer than extent 2");
    refused::<Windows<layout!((U1,U6):(U1,U1)), tree!(((U2,U1,U3),((U1,U2))))>>("windows: in mode 0, a window of 2 elements with dilation 3 spans 4 and is longer than extent 1");
    assert_type_eq!(Windows<layout!((U4,U6):(U6,U1)), tree!((U1))>, layout!(((U1),(U4,U6)):((U0),(U6,U1))));
    refused::<Windows<layout!(((U5,(U2,U4)),U4):((U1,(U5,U10)),U40)), tree!(((U0,U1),U2))>>("windows: in mode 0, (0,1) is not an extent, a step and a dilation: one to three numbers of at least 1");
    refused::<Windows<layout!(U2:U1), tree!(((U1,U3),U3))>>("windows: the tiler has 2 modes, more than the 1 of shape 2");
    refused::<Windows<layout!((U6,U1,U8):(U8,U8,U1)), tree!(((U1,U1,U3,U1),(U3,U1),(U3)))>>("windows: in mode 0, (1,1,3,1) is not an extent, a step and a dilation: one to three numbers of at least 1");
    assert_type_eq!(Windows<layout!((U3,U4,U4):(U1,U12,U3)), tree!(((U1,U3)))>, layout!(((U1),(U1,U4,U4)):((U0),(U0,U12,U3))));
    assert_type_eq!(Windows<layout!((U4,U4):(U4,U1)), tree!(((U2,U2,U3),(U3,U1)))>, layout!(((U2,U3),(U1,U2)):((U12,U1),(U0,U1))));
    assert_type_eq!(Windows<layout!((((U2,U1)),U8):(((U1,U2)),U4)), tree!(((U1,U3),(U3,U1)))>, layout!(((U1,U3),(U1,U6)):((U0,U4),(U0,U4))));
    assert_type_eq!(Windows<layout!((U5,(U8)):(U8,(U1))), tree!(((U3,U2)))>, layout!(((U3),(U2,(U8))):((U8),(U16,(U1)))));
    assert_type_eq!(Windows<layout!((U4,U2,U1):(U1,U4,U8)), tree!(((U1,U2,U3)))>, layout!(((U1),(U2,U2,U1)):((U0),(U2,U4,U8))));
    assert_type_eq!(Windows<layout!((U4,U8):(U16,U1)), tree!(U1)>, layout!((U1,(U4,U8)):(U0,(U16,U1))));
    refused::<Windows<layout!(((U6,U2),U4,U5):((U40,U1),U10,U2)), tree!((((U1,U2))))>>("windows: in mode 0, ((1,2)) is not an extent, a step and a dilation: one to three numbers of at least 1");
    refused::<Windows<layout!((U2,U1,U6):(U18,U6,U1)), tree!(((U1,U1),(U2)))>>("windows: in mode 1, a window of 2 elements is longer than extent 1");
    assert_type_eq!(Windows<layout!(((U5),U3):((U9),U1)), tree!(((U3),(U2)))>, layout!(((U3,U2),(U3,U2)):((U9,U1),(U9,U1))));
    assert_type_eq!(Windows<layout!((U6,U3,U3):(U3,U18,U1)), tree!((U1))>, layout!(((U1),(U6,U3,U3)):((U0),(U3,U18,U1))));
    refused::<Windows<layout!((U5,U2,U4):(U1,U5,U10)), tree!(((U1,U1),(U3)))>>("windows: in mode 1, a window of 3 elements is longer than extent 2");
    assert_type_eq!(Windows<layout!((U2,U4,(U8,U8)):(U64,U256,(U1,U8))), tree!(((U2)))>, layout!(((U2),(U1,U4,(U8,U8))):((U64),(U0,U256,(U1,U8)))));
    assert_type_eq!(Windows<layout!((U6,U8):(U1,U6)), tree!(((U2,U2,U1)))>, layout!(((U2),(U3,U8)):((U1),(U2,U6))));
    assert_type_eq!(Windows<layout!(U3:U1), tree!((U2))>, layout!(((U2),(U2)):((U1),(U1))));
    assert_type_eq!(Windows<layout!(((U1,((U4,U2))),U5):((U1,((U1,U4))),U8)), tree!(((U1),(U2,U2,U2)))>, layout!(((U1,U2),(U8,U2)):((U0,U16),(U1,U16))));
    assert_type_eq!(Windows<layout!(U3:U1), tree!(((U1,U2,U3)))>, layout!(((U1),(U2)):((U0),(U2))));
    assert_type_eq!(Windows<layout!((U4,U5):(U1,U4)), tree!(((U2,U2)))>, layout!(((U2),(U2,U5)):((U1),(U2,U4))));
    assert_type_eq!(Windows<layout!((U6,U6,U2):(U1,U24,U12)), tree!(((U2,U1,U1)))>, layout!(((U2),(U5,U6,U2)):((U1),(U1,U24,U12))));
    assert_type_eq!(Windows<layout!((U4,U3,U8):(U24,U96,U1)), tree!((U2))>, layout!(((U2),(U3,U3,U8)):((U24),(U24,U96,U1))));
    assert_type_eq!(Windows<layout!(U5:U1), tree!(((U2,U2)))>, layout!(((U2),(U2)):((U1),(U2))));
    assert_type_eq!(Windows<layout!(((U6,U5),U2):((U1,U6),U30)), tree!(((U3,U1,U1)))>, layout!(((U3),(U28,U2)):((U1),(U1,U30))));
    assert_type_eq!(Windows<layout!((U3,U6):(U1,U3)), tree!(((U2,U1)))>, layout!(((U2),(U2,U6)):((U1),(U1,U3))));
    assert_type_eq!(Windows<layout!((U5,U4):(U1,U5)), tree!(U2)>, layout!((U2,U19):(U1,U1)));
    assert_type_eq!(Windows<layout!(U4:U1), tree!(U2)>, layout!((U2,U3):(U1,U1)));
    assert_type_eq!(Windows<layout!(U1:U1), tree!(((U1,U2,U3)))>, layout!(((U1),(U1)):((U0),(U0))));
    assert_type_eq!(Windows<layout!((U5,(U1,(U1,(U1,U4)))):(U4,(U9,(U1,(U4,U1))))), tree!(((U2,U3),(U1,U1,U2)))>, layout!(((U2,U1),(U2,U4)):((U4,U0),(U12,U1))));
    assert_type_eq!(Windows<layout!(U4:U1), tree!(U3)>, layout!((U3,U2):(U1,U1)));
    assert_type_eq!(Windows<layout!((U2,U6):(U6,U1)), tree!(((U2),(U1,U1,U3)))>, layout!(((U2,U1),(U1,U6)):((U6,U0),(U0,U1))));
    assert_type_eq!(Windows<layout!((U6,U4):(U1,U18)), tree!(((U3,U3,U1),U3))>, layout!(((U3,U3),(U2,U2)):((U1,U18),(U3,U18))));
    assert_type_eq!(Windows<layout!((U5,(U3,U4),U2):(U72,(U2,U18),U1)), tree!((U2,(U3,U3),(U2,U1)))>, layout!(((U2,U3,U2),(U4,U4,U1)):((U72,U2,U1),(U72,U18,U0))));
    assert_type_eq!(Windows<layout!((U2,U4):(U4,U1)), tree!(U1)>, layout!((U1,(U2,U4)):(U0,(U4,U1))));
    assert_type_eq!(Windows<layout!((U8):(U1)), tree!(((U3,U2,U1)))>, layout!(((U3),(U3)):((U1),(U2))));
    assert_type_eq!(Windows<layout!((U6,U8,U1):(U1,U6,U12)), tree!(((U1,U2,U3),U3))>, layout!(((U1,U3),(U3,U6,U1)):((U0,U6),(U2,U6,U12))));
    assert_type_eq!(Windows<layout!((U5):(U1)), tree!((U3))>, layout!(((U3),(U3)):((U1),(U1))));
    assert_type_eq!(Windows<layout!((U6,U5):(U1,U18)), tree!(((U2,U1,U2)))>, layout!(((U2),(U4,U5)):((U2),(U1,U18))));
    assert_type_eq!(Windows<layout!(U3:U1), tree!((U1))>, layout!(((U1),(U3)):((U0),(U1))));
    assert_type_eq!(Windows<layout!((U5):(U1)), tree!(((U1,U3,U2)))>, layout!(((U1),(U2)):((U0),(U3))));
    assert_type_eq!(Windows<layout!((U8,(U2),U4):(U8,(U1),U2)), tree!(((U3,U3)))>, layout!(((U3),(U2,(U2),U4)):((U8),(U24,(U1),U2))));
    assert_type_eq!(Windows<layout!(U8:U1), tree!(((U1,U3)))>, layout!(((U1),(U3)):((U0),(U3))));
    assert_type_eq!(Windows<layout!((U4,U4,U6):(U1,U4,U16)), tree!(((U2,U3),(U1)))>, layout!(((U2,U1),(U1,U4,U6)):((U1,U0),(U0,U4,U16))));
    assert_type_eq!(Windows<layout!(U4:U1), tree!(((U1,U3,U3)))>, layout!(((U1),(U2)):((U0),(U3))));
    assert_type_eq!(Windows<layout!((U2):(U1)), tree!(((U1)))>, layout!(((U1),(U2)):((U0),(U1))));
    assert_type_eq!(Windows<layout!(U4:U1), tree!(((U2)))>, layout!(((U2),(U3)):((U1),(U1))));
    assert_type_eq!(Windows<layout!((U8,U6):(U7,U8)), tree!(((U2,U3)))>, layout!(((U2),(U3,U6)):((U7),(U21,U8))));
    assert_type_eq!(Windows<layout!(U8:U9), tree!(((U1)))>, layout!(((U1),(U8)):((U0),(U9))));
    assert_type_eq!(Windows<layout!(U8:U0), tree!(((U3,U1)))>, layout!(((U3),(U6)):((U0),(U0))));
    assert_type_eq!(Windows<layout!(U4:U1), tree!(((U2,U1)))>, layout!(((U2),(U3)):((U1),(U1))));
    assert_type_eq!(Windows<layout!((U2,U6):(U1,U2)), tree!(((U2,U3,U1)))>, layout!(((U2),(U1,U6)):((U1),(U0,U2))));
    assert_type_eq!(Windows<layout!((U4,U3):(U3,U1)), tree!(((U1,U1)))>, layout!(((U1),(U4,U3)):((U0),(U3,U1))));
}

#[test]
fn permute() {
    refused::<Permute<layout!((U4,U3):(U1,U4)), tree!(((U0,U1)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(Permute<layout!((U4,(U1,U2),U2):(U4,(U4,U2),U1)), tree!((U1,U0,U2))>, layout!(((U1,U2),U4,U2):((U4,U2),U4,U1)));
    assert_type_eq!(Permute<layout!((U4,U8):(U1,U4)), tree!((U1,U0))>, layout!((U8,U4):(U4,U1)));
    assert_type_eq!(Permute<layout!((U4,U6):(U18,U1)), tree!((U1,U0))>, layout!((U6,U4):(U1,U18)));
    assert_type_eq!(Permute<layout!((U1,U2):(U2,U1)), tree!((U0,U1))>, layout!((U1,U2):(U2,U1)));
    assert_type_eq!(Permute<layout!(U2:U1), tree!(U0)>, layout!((U2):(U1)));
    assert_type_eq!(Permute<layout!((U2,U2):(U1,U8)), tree!((U1,U0))>, layout!((U2,U2):(U8,U1)));
    assert_type_eq!(Permute<layout!((U5,U4,U8,U4):(U1,U5,U80,U20)), tree!((U2,U1,U3,U0))>, layout!((U8,U4,U4,U5):(U80,U5,U20,U1)));
    assert_type_eq!(Permute<layout!((U2,U2,U2):(U1,U2,U4)), tree!((U1,U2,U0))>, layout!((U2,U2,U2):(U2,U4,U1)));
    refused::<Permute<layout!((U2,U6,(U3,(U5,(U4,U2)))):(U1,U120,(U8,(U24,(U2,U720))))), tree!(((U2,U1,U0)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    refused::<Permute<layout!((U2,U1,U4,U8):(U8,U64,U16,U1)), tree!((U1,U2,U1,U0))>>("permute: (1,2,1,0) does not name each of the 4 modes of shape (2,1,4,8) once");
    refused::<Permute<layout!(((U4),U6,U3):((U1),U4,U24)), tree!(((U1,U2,U0)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    refused::<Permute<layout!((U5,U5,U1):(U1,U10,U1)), tree!((U1,U1,U2))>>("permute: (1,1,2) does not name each of the 3 modes of shape (5,5,1) once");
    refused::<Permute<layout!((U4):(U12)), tree!(((U0)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(Permute<layout!((U4):(U1)), tree!((U0))>, layout!((U4):(U1)));
    assert_type_eq!(Permute<layout!((U4,U5,U4,U2):(U1,U12,U240,U60)), tree!((U3,U1,U2,U0))>, layout!((U2,U5,U4,U4):(U60,U12,U240,U1)));
    assert_type_eq!(Permute<layout!((U3):(U1)), tree!(U0)>, layout!((U3):(U1)));
    assert_type_eq!(Permute<layout!(U3:U1), tree!((U0))>, layout!((U3):(U1)));
    assert_type_eq!(Permute<layout!((U4,U4,U1,U4):(U32,U1,U128,U8)), tree!((U2,U3,U0,U1))>, layout!((U1,U4,U4,U4):(U128,U8,U32,U1)));
    assert_type_eq!(Permute<layout!((U4,U6,U2):(U12,U11,U6)), tree!((U1,U2,U0))>, layout!((U6,U2,U4):(U11,U6,U12)));
    assert_type_eq!(Permute<layout!((U5,U6,U2,U6):(U1,U5,U30,U60)), tree!((U2,U3,U0,U1))>, layout!((U2,U6,U5,U6):(U30,U60,U1,U5)));
    assert_type_eq!(Permute<layout!((U3,U3,U6):(U1,U3,U9)), tree!((U1,U2,U0))>, layout!((U3,U6,U3):(U3,U9,U1)));
    refused::<Permute<layout!((U3,U4):(U2,U3)), tree!((U0,U1,U1))>>("permute: (0,1,1) does not name each of the 2 modes of shape (3,4) once");
    assert_type_eq!(Permute<layout!((U8,U5,U8):(U120,U1,U15)), tree!((U0,U1,U2))>, layout!((U8,U5,U8):(U120,U1,U15)));
    assert_type_eq!(Permute<layout!(U8:U1), tree!(U0)>, layout!((U8):(U1)));
    assert_type_eq!(Permute<layout!((U2,U1,(U2,(U8))):(U8,U32,(U16,(U1)))), tree!((U0,U2,U1))>, layout!((U2,(U2,(U8)),U1):(U8,(U16,(U1)),U32)));
    assert_type_eq!(Permute<layout!((U1,U4):(U4,U0)), tree!((U0,U1))>, layout!((U1,U4):(U4,U0)));
    refused::<Permute<layout!(U1:U1), tree!((U1))>>("permute: mode 1 is not below 1, the rank of shape 1");
    refused::<Permute<layout!((U5,U2,U4,U3):(U6,U30,U60,U1)), tree!((U0,U2,U1,U3,U2))>>("permute: (0,2,1,3,2) does not name each of the 4 modes of shape (5,2,4,3) once");
    refused::<Permute<layout!(((U2),U6):((U5),U2)), tree!((U3,U0))>>("permute: mode 3 is not below 2, the rank of shape ((2),6)");
    refused::<Permute<layout!((U6):(U1)), tree!((U3))>>("permute: mode 3 is not below 1, the rank of shape (6)");
    refused::<Permute<layout!((U2,U6):(U1,U2)), tree!((U1,U0,U2))>>("permute: mode 2 is not below 2, the rank of shape (2,6)");
    assert_type_eq!(Permute<layout!((U1,U4):(U1,U1)), tree!((U0,U1))>, layout!((U1,U4):(U1,U1)));
    refused::<Permute<layout!((U4,U6,(U2,(U3)),U4):(U1,U4,(U24,(U48)),U144)), tree!((U2,U1,U2,U0))>>("permute: (2,1,2,0) does not name each of the 4 modes of shape (4,6,(2,(3)),4) once");
    refused::<Permute<layout!(((U3,U2),U3):((U3,U9),U1)), tree!(((U1,U0)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(Permute<layout!((U8,U6,U4,U2):(U8,U64,U1,U384)), tree!((U3,U2,U0,U1))>, layout!((U2,U4,U8,U6):(U384,U1,U8,U64)));
    refused::<Permute<layout!(((U4,U4),U8):((U6,U8),U1)), tree!((U1,U1))>>("permute: (1,1) does not name each of the 2 modes of shape ((4,4),8) once");
    assert_type_eq!(Permute<layout!((U2,(U5,U6),U4):(U1,(U2,U10),U60)), tree!((U1,U0,U2))>, layout!(((U5,U6),U2,U4):((U2,U10),U1,U60)));
    assert_type_eq!(Permute<layout!(((U6)):((U1))), tree!(U0)>, layout!(((U6)):((U1))));
    assert_type_eq!(Permute<layout!((U4,U1,U8,U1):(U8,U32,U1,U8)), tree!((U3,U0,U2,U1))>, layout!((U1,U4,U8,U1):(U8,U8,U1,U32)));
    refused::<Permute<layout!(U2:U1), tree!(((U0)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(Permute<layout!((U1,U3,(U3,U4),U8):(U1,U1,(U3,U9),U36)), tree!((U3,U2,U0,U1))>, layout!((U8,(U3,U4),U1,U3):(U36,(U3,U9),U1,U1)));
    assert_type_eq!(Permute<layout!((U1,U1):(U1,U2)), tree!((U1,U0))>, layout!((U1,U1):(U2,U1)));
    assert_type_eq!(Permute<layout!((U2,U6,U1):(U6,U1,U1)), tree!((U0,U1,U2))>, layout!((U2,U6,U1):(U6,U1,U1)));
    assert_type_eq!(Permute<layout!((U4,U2):(U1,U4)), tree!((U0,U1))>, layout!((U4,U2):(U1,U4)));
    assert_type_eq!(Permute<layout!(((U4,U3),U5,U5,(U6)):((U6,U24),U360,U72,(U1))), tree!((U3,U0,U2,U1))>, layout!(((U6),(U4,U3),U5,U5):((U1),(U6,U24),U72,U360)));
}

#[test]
fn transposed() {
    refused::<Transposed<layout!((U3):(U1))>>("transposed: shape (3) has 1 mode, not 2");
    assert_type_eq!(Transposed<layout!((U3,U8):(U1,U3))>, layout!((U8,U3):(U3,U1)));
    assert_type_eq!(Transposed<layout!(((U5,U2),U4):((U8,U40),U1))>, layout!((U4,(U5,U2)):(U1,(U8,U40))));
    refused::<Transposed<layout!(((((U2,U2),U1),U1),((U4,U5),U8),U4):((((U32,U2),U12),U64),((U4,U512),U6),U8))>>("transposed: shape ((((2,2),1),1),((4,5),8),4) has 3 modes, not 2");
    refused::<Transposed<layout!(U4:U1)>>("transposed: shape 4 has 1 mode, not 2");
    assert_type_eq!(Transposed<layout!((U4,U2):(U1,U4))>, layout!((U2,U4):(U4,U1)));
    refused::<Transposed<layout!((U1,U2,U2):(U2,U1,U2))>>("transposed: shape (1,2,2) has 3 modes, not 2");
    refused::<Transposed<layout!((U2,U4,U3):(U12,U3,U1))>>("transposed: shape (2,4,3) has 3 modes, not 2");
    refused::<Transposed<layout!((U6):(U1))>>("transposed: shape (6) has 1 mode, not 2");
    assert_type_eq!(Transposed<layout!((U2,U2):(U1,U8))>, layout!((U2,U2):(U8,U1)));
    assert_type_eq!(Transposed<layout!(((U3,U8),U2):((U1,U3),U24))>, layout!((U2,(U3,U8)):(U24,(U1,U3))));
    assert_type_eq!(Transposed<layout!((U1,U3):(U10,U1))>, layout!((U3,U1):(U1,U10)));
    assert_type_eq!(Transposed<layout!((U1,U1):(U1,U1))>, layout!((U1,U1):(U1,U1)));
    assert_type_eq!(Transposed<layout!((U4,U8):(U1,U12))>, layout!((U8,U4):(U12,U1)));
    assert_type_eq!(Transposed<layout!(((U5,U3),U8):((U1,U5),U15))>, layout!((U8,(U5,U3)):(U15,(U1,U5))));
    assert_type_eq!(Transposed<layout!((U1,U5):(U1,U1))>, layout!((U5,U1):(U1,U1)));
    assert_type_eq!(Transposed<layout!((U2,U5):(U10,U1))>, layout!((U5,U2):(U1,U10)));
    assert_type_eq!(Transposed<layout!(((U5,U3),U2):((U2,U10),U1))>, layout!((U2,(U5,U3)):(U1,(U2,U10))));
    assert_type_eq!(Transposed<layout!((U3,U4):(U11,U2))>, layout!((U4,U3):(U2,U11)));
    assert_type_eq!(Transposed<layout!((U2,(U5,U2)):(U10,(U1,U5)))>, layout!(((U5,U2),U2):((U1,U5),U10)));
    assert_type_eq!(Transposed<layout!((U3,U8):(U24,U1))>, layout!((U8,U3):(U1,U24)));
    assert_type_eq!(Transposed<layout!(((U2),U2):((U10),U2))>, layout!((U2,(U2)):(U2,(U10))));
}

#[test]
fn broadcast_to() {
    assert_type_eq!(BroadcastTo<layout!((U5,U2,U8):(U6,U1,U60)), tree!((U4,U5,U2,U8))>, layout!((U4,U5,U2,U8):(U0,U6,U1,U60)));
    refused::<BroadcastTo<layout!(U1:U1), tree!(((U3,U1,U5)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(BroadcastTo<layout!((U4):(U1)), tree!((U4,U4))>, layout!((U4,U4):(U0,U1)));
    assert_type_eq!(BroadcastTo<layout!((U6,U6):(U18,U1)), tree!((U2,U6,U6))>, layout!((U2,U6,U6):(U0,U18,U1)));
    refused::<BroadcastTo<layout!(U2:U1), tree!((U2,U2,U4))>>("broadcast_to: in mode 2, size 2 is neither 1 nor the extent 4");
    assert_type_eq!(BroadcastTo<layout!((U5,(U2,(U6,(U4))),U6):(U288,(U144,(U24,(U6))),U11)), tree!((U1,U5,U48,U6))>, layout!((U1,U5,(U2,(U6,(U4))),U6):(U0,U288,(U144,(U24,(U6))),U11)));
    assert_type_eq!(BroadcastTo<layout!((U4):(U7)), tree!((U1,U1,U4))>, layout!((U1,U1,U4):(U0,U0,U7)));
    refused::<BroadcastTo<layout!((U1,U5,U4):(U10,U1,U5)), tree!(((U1,U3,U5,U3)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(BroadcastTo<layout!((U1,(U6)):(U6,(U1))), tree!((U2,U1,U4,U6))>, layout!((U2,U1,U4,(U6)):(U0,U0,U0,(U1))));
    assert_type_eq!(BroadcastTo<layout!((U3,U3,U4):(U1,U3,U9)), tree!((U3,U3,U4))>, layout!((U3,U3,U4):(U1,U3,U9)));
    assert_type_eq!(BroadcastTo<layout!((U2,U4):(U1,U2)), tree!((U1,U1,U2,U4))>, layout!((U1,U1,U2,U4):(U0,U0,U1,U2)));
    assert_type_eq!(BroadcastTo<layout!((U5,U8):(U11,U1)), tree!((U5,U8))>, layout!((U5,U8):(U11,U1)));
    assert_type_eq!(BroadcastTo<layout!((U5,U4,((U3),U4)):(U48,U1,((U16),U4))), tree!((U1,U2,U5,U4,U12))>, layout!((U1,U2,U5,U4,((U3),U4)):(U0,U0,U48,U1,((U16),U4))));
    assert_type_eq!(BroadcastTo<layout!((U2,((U2,U1),U4)):(U1,((U2,U4),U4))), tree!((U2,U2,U8))>, layout!((U2,U2,((U2,U1),U4)):(U0,U1,((U2,U4),U4))));
    assert_type_eq!(BroadcastTo<layout!((U6,U6,U2):(U2,U9,U2)), tree!((U4,U1,U6,U6,U2))>, layout!((U4,U1,U6,U6,U2):(U0,U0,U2,U9,U2)));
    assert_type_eq!(BroadcastTo<layout!((U2):(U1)), tree!(U2)>, layout!(U2:U1));
    refused::<BroadcastTo<layout!(U4:U1), tree!((U4,U1))>>("broadcast_to: in mode 1, size 4 is neither 1 nor the extent 1");
    assert_type_eq!(BroadcastTo<layout!((U1,U5):(U1,U3)), tree!((U3,U4,U5,U5))>, layout!((U3,U4,U5,U5):(U0,U0,U0,U3)));
    assert_type_eq!(BroadcastTo<layout!(((U2),U2,(U1,U3)):((U12),U10,(U9,U4))), tree!((U2,U2,U2,U3))>, layout!((U2,(U2),U2,(U1,U3)):(U0,(U12),U10,(U9,U4))));
    refused::<BroadcastTo<layout!(((U6,U4),(U3,U2)):((U11,U1),(U8,U4))), tree!((U3,U1,U24))>>("broadcast_to: in mode 1, size 24 is neither 1 nor the extent 1");
    assert_type_eq!(BroadcastTo<layout!((U2,U1,U4):(U4,U8,U1)), tree!((U2,U2,U3,U4))>, layout!((U2,U2,U3,U4):(U0,U4,U0,U1)));
    assert_type_eq!(BroadcastTo<layout!((U2,U3):(U1,U2)), tree!((U2,U4,U2,U3))>, layout!((U2,U4,U2,U3):(U0,U0,U1,U2)));
    assert_type_eq!(BroadcastTo<layout!((U2):(U1)), tree!((U1,U4,U2))>, layout!((U1,U4,U2):(U0,U0,U1)));
    assert_type_eq!(BroadcastTo<layout!(U2:U1), tree!((U1,U2))>, layout!((U1,U2):(U0,U1)));
    assert_type_eq!(BroadcastTo<layout!(U4:U1), tree!((U4,U4))>, layout!((U4,U4):(U0,U1)));
    refused::<BroadcastTo<layout!((U4,U4):(U4,U1)), tree!((U4,U2))>>("broadcast_to: in mode 1, size 4 is neither 1 nor the extent 2");
    assert_type_eq!(BroadcastTo<layout!(U2:U1), tree!((U2))>, layout!((U2):(U1)));
    refused::<BroadcastTo<layout!((U5,U4,U3):(U48,U1,U8)), tree!((U3,U3,U5,U2,U3))>>("broadcast_to: in mode 3, size 4 is neither 1 nor the extent 2");
    assert_type_eq!(BroadcastTo<layout!((U1,U5):(U1,U1)), tree!((U4,U4,U3,U5))>, layout!((U4,U4,U3,U5):(U0,U0,U0,U1)));
    refused::<BroadcastTo<layout!(U5:U1), tree!((U4,U3,U2))>>("broadcast_to: in mode 2, size 5 is neither 1 nor the extent 2");
    refused::<BroadcastTo<layout!((U6,U5):(U5,U1)), tree!((U1,U3,U4,U5))>>("broadcast_to: in mode 2, size 6 is neither 1 nor the extent 4");
    assert_type_eq!(BroadcastTo<layout!(U1:U1), tree!((U3))>, layout!((U3):(U0)));
    assert_type_eq!(BroadcastTo<layout!((U8,U6):(U1,U24)), tree!((U1,U3,U8,U6))>, layout!((U1,U3,U8,U6):(U0,U0,U1,U24)));
    refused::<BroadcastTo<layout!(U2:U1), tree!(((U4)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(BroadcastTo<layout!((U5,U2,U6):(U1,U5,U10)), tree!((U2,U5,U2,U6))>, layout!((U2,U5,U2,U6):(U0,U1,U5,U10)));
    assert_type_eq!(BroadcastTo<layout!((U6):(U1)), tree!((U4,U6))>, layout!((U4,U6):(U0,U1)));
    assert_type_eq!(BroadcastTo<layout!((((U1),(U4,U4)),(U6,U4)):(((U1),(U1,U4)),(U16,U96))), tree!((U3,U1,U16,U24))>, layout!((U3,U1,((U1),(U4,U4)),(U6,U4)):(U0,U0,((U1),(U1,U4)),(U16,U96))));
    refused::<BroadcastTo<layout!((U8,U3):(U1,U8)), tree!(((U8,U3)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(BroadcastTo<layout!(((U5,U2),U3):((U1,U5),U10)), tree!((U4,U1,U10,U3))>, layout!((U4,U1,(U5,U2),U3):(U0,U0,(U1,U5),U10)));
    assert_type_eq!(BroadcastTo<layout!((U3,U5,U1):(U1,U0,U3)), tree!((U4,U3,U5,U1))>, layout!((U4,U3,U5,U1):(U0,U1,U0,U0)));
    refused::<BroadcastTo<layout!((U2,U1,U2):(U2,U2,U1)), tree!(((U2,U3,U2)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    refused::<BroadcastTo<layout!((U2,U5,U4):(U180,U12,U1)), tree!((U1,U5,U4))>>("broadcast_to: in mode 0, size 2 is neither 1 nor the extent 1");
    refused::<BroadcastTo<layout!((U4,U3):(U1,U12)), tree!((U3,U4))>>("broadcast_to: in mode 0, size 4 is neither 1 nor the extent 3");
    assert_type_eq!(BroadcastTo<layout!((U3,U4,U3):(U4,U1,U12)), tree!((U3,U4,U3))>, layout!((U3,U4,U3):(U4,U1,U12)));
    assert_type_eq!(BroadcastTo<layout!(U5:U1), tree!((U4,U3,U5))>, layout!((U4,U3,U5):(U0,U0,U1)));
    assert_type_eq!(BroadcastTo<layout!((U5,U3,U6):(U5,U5,U15)), tree!((U1,U3,U5,U3,U6))>, layout!((U1,U3,U5,U3,U6):(U0,U0,U5,U5,U15)));
    assert_type_eq!(BroadcastTo<layout!((U4):(U1)), tree!(U4)>, layout!(U4:U1));
    assert_type_eq!(BroadcastTo<layout!(U8:U1), tree!((U2,U8))>, layout!((U2,U8):(U0,U1)));
    assert_type_eq!(BroadcastTo<layout!((U2,(U1,U8)):(U1,(U16,U2))), tree!((U1,U1,U2,U8))>, layout!((U1,U1,U2,(U1,U8)):(U0,U0,U1,(U16,U2))));
    assert_type_eq!(BroadcastTo<layout!((U6,U8,(U6,U2)):(U1,U6,(U48,U288))), tree!((U3,U1,U6,U8,U12))>, layout!((U3,U1,U6,U8,(U6,U2)):(U0,U0,U1,U6,(U48,U288))));
    refused::<BroadcastTo<layout!((U2,U4):(U1,U6)), tree!(((U1,U3,U2)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    assert_type_eq!(BroadcastTo<layout!(U5:U1), tree!((U1,U1,U5))>, layout!((U1,U1,U5):(U0,U0,U1)));
    assert_type_eq!(BroadcastTo<layout!((U6,U2):(U1,U6)), tree!((U6,U2))>, layout!((U6,U2):(U1,U6)));
    assert_type_eq!(BroadcastTo<layout!(((U4,U2),U3):((U1,U36),U12)), tree!((U2,U8,U3))>, layout!((U2,(U4,U2),U3):(U0,(U1,U36),U12)));
    assert_type_eq!(BroadcastTo<layout!((U4):(U1)), tree!((U4,U1,U4))>, layout!((U4,U1,U4):(U0,U0,U1)));
    refused::<BroadcastTo<layout!(((U4),U8):((U8),U3)), tree!((U4,U2,U4))>>("broadcast_to: in mode 1, size 4 is neither 1 nor the extent 2");
    refused::<BroadcastTo<layout!((U8,U5):(U4,U7)), tree!(((U2,U2,U8,U5)))>>("expected an integer or a flat tuple of them, found a nested tuple");
    refused::<BroadcastTo<layout!((U1,(U2,U4)):(U8,(U4,U2))), tree!((U1,U3,U1))>>("broadcast_to: in mode 2, size 8 is neither 1 nor the extent 1");
    refused::<BroadcastTo<layout!((U2,U5,U1):(U5,U1,U10)), tree!((U3,U1,U4,U5,U2))>>("broadcast_to: in mode 2, size 2 is neither 1 nor the extent 4");
    refused::<BroadcastTo<layout!((U6,U4,U2):(U8,U6,U4)), tree!((U4,U1,U4,U4,U2))>>("broadcast_to: in mode 2, size 6 is neither 1 nor the extent 4");
}
