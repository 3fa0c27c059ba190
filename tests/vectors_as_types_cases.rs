//! The public vectors as equalities between types. Generated; do not edit.
//!
//! ```text
//! BLESS=1 cargo test --test vectors_as_types
//! ```
#![cfg_attr(rustfmt, rustfmt_skip)]

use static_layout::typenum::{Unsigned, assert_type_eq};
use static_layout::{StaticLayout, layout};

fn refused<L: StaticLayout>(why: &str) {
    match L::CHECKED {
        Ok(layout) => panic!("expected no layout but got {layout}: {why}"),
        Err(error) => assert_eq!(error.to_string(), why),
    }
}

#[test]
fn append() {
    { type A = layout!(3:1); type B = layout!(4:3); assert_type_eq!(layout!(append(A, B)), layout!((3,4):(1,3))); }
    { type A = layout!((3,4):(1,3)); type B = layout!((3,4):(1,3)); assert_type_eq!(layout!(append(A, B)), layout!((3,4,(3,4)):(1,3,(1,3)))); }
    { type A = layout!((8,4,2):(1,32,8)); type B = layout!(((8,1),(2),(2)):((32,0),(16),(12))); assert_type_eq!(layout!(append(A, B)), layout!((8,4,2,((8,1),(2),(2))):(1,32,8,((32,0),(16),(12))))); }
}

#[test]
fn blocked_product() {
    { type A = layout!((2,5):(5,1)); type B = layout!((3,4):(1,3)); assert_type_eq!(layout!(blocked_product(A, B)), layout!(((2,3),(5,4)):((5,10),(1,30)))); }
    { type A = layout!((7,4):(4,0)); type B = layout!((10,2):(2,1)); assert_type_eq!(layout!(blocked_product(A, B)), layout!(((7,(2,5)),(4,2)):((4,(2,28)),(0,1)))); }
    { type A = layout!(((2,8),2):((16,1),8)); type B = layout!(((6),2,2):((4),2,1)); assert_type_eq!(layout!(blocked_product(A, B)), layout!((((2,8),(6)),(2,2),(1,2)):(((16,1),(128)),(8,64),(0,32)))); }
    { type A = layout!(12:1); type B = layout!((7,3):(3,1)); assert_type_eq!(layout!(blocked_product(A, B)), layout!(((12,7),(1,3)):((1,36),(0,12)))); }
    { type A = layout!((10,3):(0,1)); type B = layout!((6,3):(1,6)); assert_type_eq!(layout!(blocked_product(A, B)), layout!(((10,6),(3,3)):((0,3),(1,18)))); }
    { type A = layout!((1,6):(7,1)); type B = layout!((8,2):(1,8)); assert_type_eq!(layout!(blocked_product(A, B)), layout!(((1,8),(6,2)):((7,6),(1,48)))); }
    { type A = layout!(((2),(6,2)):((12),(2,1))); type B = layout!(((4,2),4):((2,1),8)); assert_type_eq!(layout!(blocked_product(A, B)), layout!((((2),(4,2)),((6,2),4)):(((12),(48,24)),((2,1),192)))); }
    { type A = layout!((4,2):(4,1)); type B = layout!((7,2,2):(1,7,14)); refused::<layout!(blocked_product(A, B))>("logical_product: the complement of A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 7"); }
}

#[test]
fn coalesce() {
    { type A = layout!((2,(1,6)):(1,(6,2))); assert_type_eq!(layout!(coalesce(A)), layout!(12:1)); }
    { type A = layout!((2,(1,6)):(1,(6,2))); assert_type_eq!(layout!(coalesce(A, (1,1))), layout!((2,6):(1,2))); }
    { type A = layout!(1:0); assert_type_eq!(layout!(coalesce(A)), layout!(1:0)); }
    { type A = layout!(1:1); assert_type_eq!(layout!(coalesce(A)), layout!(1:0)); }
    { type A = layout!((2,4):(1,2)); assert_type_eq!(layout!(coalesce(A)), layout!(8:1)); }
    { type A = layout!((2,4,6):(1,2,8)); assert_type_eq!(layout!(coalesce(A)), layout!(48:1)); }
    { type A = layout!((2,4,6):(1,6,2)); assert_type_eq!(layout!(coalesce(A)), layout!((2,4,6):(1,6,2))); }
    { type A = layout!((2,1,6):(1,7,2)); assert_type_eq!(layout!(coalesce(A)), layout!(12:1)); }
    { type A = layout!((2,1,6):(4,7,8)); assert_type_eq!(layout!(coalesce(A)), layout!(12:4)); }
    { type A = layout!((2,(4,6)):(1,(2,8))); assert_type_eq!(layout!(coalesce(A)), layout!(48:1)); }
    { type A = layout!((2,4):(4,1)); assert_type_eq!(layout!(coalesce(A)), layout!((2,4):(4,1))); }
    { type A = layout!((2,4,6):(24,6,1)); assert_type_eq!(layout!(coalesce(A)), layout!((2,4,6):(24,6,1))); }
    { type A = layout!((2,1,3):(2,4,4)); assert_type_eq!(layout!(coalesce(A)), layout!(6:2)); }
    { type A = layout!(((2,2),(2,2)):((1,4),(8,32))); assert_type_eq!(layout!(coalesce(A)), layout!((2,4,2):(1,4,32))); }
    { type A = layout!((2,1,6):(1,6,2)); assert_type_eq!(layout!(coalesce(A)), layout!(12:1)); }
    { type A = layout!((2,1,3):(3,0,1)); assert_type_eq!(layout!(coalesce(A)), layout!((2,3):(3,1))); }
    { type A = layout!((2,1,3):(3,3,1)); assert_type_eq!(layout!(coalesce(A)), layout!((2,3):(3,1))); }
    { type A = layout!((2,1,3):(2,0,4)); assert_type_eq!(layout!(coalesce(A)), layout!(6:2)); }
    { type A = layout!(((1,1),((2,16)),2,3):((3,0),((1,2)),32,64)); assert_type_eq!(layout!(coalesce(A)), layout!(192:1)); }
    { type A = layout!((1,5,1):(1,1,0)); assert_type_eq!(layout!(coalesce(A)), layout!(5:1)); }
    { type A = layout!((6,7,3):(21,3,1)); assert_type_eq!(layout!(coalesce(A)), layout!((6,7,3):(21,3,1))); }
    { type A = layout!(6:1); assert_type_eq!(layout!(coalesce(A)), layout!(6:1)); }
    { type A = layout!(8:1); assert_type_eq!(layout!(coalesce(A)), layout!(8:1)); }
    { type A = layout!((10,4,2):(8,2,1)); assert_type_eq!(layout!(coalesce(A, (1,1))), layout!((10,4,2):(8,2,1))); }
    { type A = layout!(2:1); assert_type_eq!(layout!(coalesce(A)), layout!(2:1)); }
    { type A = layout!((((10,6)),2):(((1,10)),60)); assert_type_eq!(layout!(coalesce(A, (1))), layout!((60,2):(1,60))); }
    { type A = layout!((3,3):(3,1)); assert_type_eq!(layout!(coalesce(A, (1,1))), layout!((3,3):(3,1))); }
}

#[test]
fn complement() {
    { type A = layout!(4:1); assert_type_eq!(layout!(complement(A, 24)), layout!(6:4)); }
    { type A = layout!(6:4); assert_type_eq!(layout!(complement(A, 24)), layout!(4:1)); }
    { type A = layout!((4,6):(1,4)); assert_type_eq!(layout!(complement(A, 24)), layout!(1:0)); }
    { type A = layout!(4:2); assert_type_eq!(layout!(complement(A, 24)), layout!((2,3):(1,8))); }
    { type A = layout!((2,4):(1,6)); assert_type_eq!(layout!(complement(A, 24)), layout!(3:2)); }
    { type A = layout!((2,2):(1,6)); assert_type_eq!(layout!(complement(A, 24)), layout!((3,2):(2,12))); }
    { type A = layout!((2,2):(4,1)); assert_type_eq!(layout!(complement(A, 24)), layout!((2,3):(2,8))); }
    { type A = layout!(4:2); assert_type_eq!(layout!(complement(A, 8)), layout!(2:1)); }
    { type A = layout!(1:0); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!(1:1); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!(4:0); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!((2,4):(1,2)); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!((2,3):(1,2)); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!((2,4):(1,4)); assert_type_eq!(layout!(complement(A)), layout!(2:2)); }
    { type A = layout!((2,4,8):(8,1,64)); assert_type_eq!(layout!(complement(A)), layout!((2,4):(4,16))); }
    { type A = layout!(((2,2),(2,2)):((1,4),(8,32))); assert_type_eq!(layout!(complement(A)), layout!((2,2):(2,16))); }
    { type A = layout!((2,(3,4)):(3,(1,6))); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!((4,6):(1,6)); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!((4,10):(1,10)); assert_type_eq!(layout!(complement(A)), layout!(2:4)); }
    { type A = layout!(1:0); assert_type_eq!(layout!(complement(A, 1)), layout!(1:0)); }
    { type A = layout!(1:0); assert_type_eq!(layout!(complement(A, 2)), layout!(2:1)); }
    { type A = layout!(1:0); assert_type_eq!(layout!(complement(A, 5)), layout!(5:1)); }
    { type A = layout!(1:0); assert_type_eq!(layout!(complement(A, (2,2))), layout!(4:1)); }
    { type A = layout!(1:1); assert_type_eq!(layout!(complement(A, 1)), layout!(1:0)); }
    { type A = layout!(1:1); assert_type_eq!(layout!(complement(A, 2)), layout!(2:1)); }
    { type A = layout!(1:1); assert_type_eq!(layout!(complement(A, 5)), layout!(5:1)); }
    { type A = layout!(1:1); assert_type_eq!(layout!(complement(A, (2,2))), layout!(4:1)); }
    { type A = layout!(1:2); assert_type_eq!(layout!(complement(A, 1)), layout!(1:0)); }
    { type A = layout!(1:2); assert_type_eq!(layout!(complement(A, 2)), layout!(2:1)); }
    { type A = layout!(1:2); assert_type_eq!(layout!(complement(A, 8)), layout!(8:1)); }
    { type A = layout!(1:2); assert_type_eq!(layout!(complement(A, 5)), layout!(5:1)); }
    { type A = layout!(1:2); assert_type_eq!(layout!(complement(A, (2,2))), layout!(4:1)); }
    { type A = layout!(4:0); assert_type_eq!(layout!(complement(A, 1)), layout!(1:0)); }
    { type A = layout!(4:0); assert_type_eq!(layout!(complement(A, 2)), layout!(2:1)); }
    { type A = layout!(4:0); assert_type_eq!(layout!(complement(A, 8)), layout!(8:1)); }
    { type A = layout!(4:1); assert_type_eq!(layout!(complement(A, 1)), layout!(1:0)); }
    { type A = layout!(4:1); assert_type_eq!(layout!(complement(A, 2)), layout!(1:0)); }
    { type A = layout!(4:1); assert_type_eq!(layout!(complement(A, 8)), layout!(2:4)); }
    { type A = layout!(4:2); assert_type_eq!(layout!(complement(A, 1)), layout!(2:1)); }
    { type A = layout!(4:2); assert_type_eq!(layout!(complement(A, 7)), layout!(2:1)); }
    { type A = layout!(4:2); assert_type_eq!(layout!(complement(A, 16)), layout!((2,2):(1,8))); }
    { type A = layout!(4:2); assert_type_eq!(layout!(complement(A, 19)), layout!((2,3):(1,8))); }
    { type A = layout!(4:2); assert_type_eq!(layout!(complement(A, (2,2))), layout!(2:1)); }
    { type A = layout!(4:4); assert_type_eq!(layout!(complement(A, 1)), layout!(4:1)); }
    { type A = layout!(4:4); assert_type_eq!(layout!(complement(A, 13)), layout!(4:1)); }
    { type A = layout!(4:4); assert_type_eq!(layout!(complement(A, 17)), layout!((4,2):(1,16))); }
    { type A = layout!(4:4); assert_type_eq!(layout!(complement(A, (2,2))), layout!(4:1)); }
    { type A = layout!((2,4):(1,2)); assert_type_eq!(layout!(complement(A, 8)), layout!(1:0)); }
    { type A = layout!((2,3):(1,2)); assert_type_eq!(layout!(complement(A, 6)), layout!(1:0)); }
    { type A = layout!((2,4):(1,4)); assert_type_eq!(layout!(complement(A, 14)), layout!(2:2)); }
    { type A = layout!((2,4):(1,6)); assert_type_eq!(layout!(complement(A, 20)), layout!(3:2)); }
    { type A = layout!((2,4,8):(8,1,64)); assert_type_eq!(layout!(complement(A, 460)), layout!((2,4):(4,16))); }
    { type A = layout!((2,4,8):(8,1,0)); assert_type_eq!(layout!(complement(A, 12)), layout!(2:4)); }
    { type A = layout!((2,4,8):(8,1,0)); assert_type_eq!(layout!(complement(A, 460)), layout!((2,29):(4,16))); }
    { type A = layout!(((2,2),(2,2)):((1,4),(8,32))); assert_type_eq!(layout!(complement(A, 46)), layout!((2,2):(2,16))); }
    { type A = layout!(((2,2),(2,2)):((1,32),(8,4))); assert_type_eq!(layout!(complement(A, 46)), layout!((2,2):(2,16))); }
    { type A = layout!((4,6):(1,6)); assert_type_eq!(layout!(complement(A, 34)), layout!(1:0)); }
    { type A = layout!((4,2):(1,10)); assert_type_eq!(layout!(complement(A, 14)), layout!(2:4)); }
    { type A = layout!((4,2):(1,16)); assert_type_eq!(layout!(complement(A, 20)), layout!(4:4)); }
    { type A = layout!(12:1); assert_type_eq!(layout!(complement(A, 1)), layout!(1:0)); }
    { type A = layout!(12:1); assert_type_eq!(layout!(complement(A, 12)), layout!(1:0)); }
    { type A = layout!(12:1); assert_type_eq!(layout!(complement(A, 53)), layout!(5:12)); }
    { type A = layout!(12:1); assert_type_eq!(layout!(complement(A, 128)), layout!(11:12)); }
    { type A = layout!(12:2); assert_type_eq!(layout!(complement(A, 1)), layout!(2:1)); }
    { type A = layout!(12:2); assert_type_eq!(layout!(complement(A, 23)), layout!(2:1)); }
    { type A = layout!(12:2); assert_type_eq!(layout!(complement(A, 53)), layout!((2,3):(1,24))); }
    { type A = layout!(12:2); assert_type_eq!(layout!(complement(A, 128)), layout!((2,6):(1,24))); }
    { type A = layout!((3,6):(1,3)); assert_type_eq!(layout!(complement(A, 18)), layout!(1:0)); }
    { type A = layout!((3,6):(1,9)); assert_type_eq!(layout!(complement(A, 48)), layout!(3:3)); }
    { type A = layout!((3,6):(1,10)); assert_type_eq!(layout!(complement(A, 53)), layout!(3:3)); }
    { type A = layout!(64:1); assert_type_eq!(layout!(complement(A, (32,4,4))), layout!(8:64)); }
    { type A = layout!((4,1,4,2):(8,4,1,4)); assert_type_eq!(layout!(complement(A, 66)), layout!(3:32)); }
    { type A = layout!(7:0); assert_type_eq!(layout!(complement(A, 1)), layout!(1:0)); }
    { type A = layout!((8,1,2):(0,1,8)); assert_type_eq!(layout!(complement(A, 128)), layout!((8,8):(1,16))); }
    { type A = layout!(((1,9),5):((0,1),0)); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!(6:1); assert_type_eq!(layout!(complement(A)), layout!(1:0)); }
    { type A = layout!((5,1,2):(2,0,1)); assert_type_eq!(layout!(complement(A, 40)), layout!(4:10)); }
    { type A = layout!((2,1):(1,2)); assert_type_eq!(layout!(complement(A, 2)), layout!(1:0)); }
    { type A = layout!(((5,4)):((4,1))); assert_type_eq!(layout!(complement(A, 40)), layout!(2:20)); }
    { type A = layout!((4,8):(17,2)); assert_type_eq!(layout!(complement(A, 224)), layout!((2,4):(1,68))); }
    { type A = layout!((((2),4),6):(((1),8),96)); assert_type_eq!(layout!(complement(A, (8,4))), layout!((4,3):(2,32))); }
    { type A = layout!((8,2):(2,12)); refused::<layout!(complement(A, 43))>("complement: stride 12 of mode 1 of the layout lies inside the 16 offsets that its smaller strides cover"); }
    { type A = layout!(((2),8):((8),12)); refused::<layout!(complement(A, 93))>("complement: stride 12 of mode 1 of the layout lies inside the 16 offsets that its smaller strides cover"); }
    { type A = layout!(5:3); assert_type_eq!(layout!(complement(A, (8,2,4))), layout!((3,5):(1,15))); }
    { type A = layout!((2,12,2):(12,3,12)); refused::<layout!(complement(A, 240))>("complement: stride 12 of mode 0 of the layout lies inside the 36 offsets that its smaller strides cover"); }
    { type A = layout!(((9,3,1)):((1,11,0))); assert_type_eq!(layout!(complement(A, 98)), layout!(3:33)); }
    { type A = layout!((9):(2)); assert_type_eq!(layout!(complement(A, (4,4,8))), layout!((2,8):(1,18))); }
}

#[test]
fn composition() {
    { type A = layout!((6,2):(8,2)); type B = layout!((4,3):(3,1)); assert_type_eq!(layout!(composition(A, B)), layout!(((2,2),3):((24,2),8))); }
    { type A = layout!(20:2); type B = layout!((5,4):(4,1)); assert_type_eq!(layout!(composition(A, B)), layout!((5,4):(8,2))); }
    { type A = layout!((10,2):(16,4)); type B = layout!((5,4):(1,5)); assert_type_eq!(layout!(composition(A, B)), layout!((5,(2,2)):(16,(80,4)))); }
    { type A = layout!((3,6,2,8):(5,17,103,211)); type B = layout!(16:9); assert_type_eq!(layout!(composition(A, B)), layout!((2,2,4):(51,103,211))); }
    { type A = layout!((6,2):(8,2)); type B = layout!(4:3); assert_type_eq!(layout!(composition(A, B)), layout!((2,2):(24,2))); }
    { type A = layout!((6,2):(8,2)); type B = layout!(3:1); assert_type_eq!(layout!(composition(A, B)), layout!(3:8)); }
    { type A = layout!((6,2):(8,2)); type B = layout!(6:2); assert_type_eq!(layout!(composition(A, B)), layout!((3,2):(16,2))); }
    { type A = layout!((6,2):(8,2)); type B = layout!(2:6); assert_type_eq!(layout!(composition(A, B)), layout!(2:2)); }
    { type A = layout!((6,2):(8,2)); type B = layout!(1:12); assert_type_eq!(layout!(composition(A, B)), layout!(1:0)); }
    { type A = layout!((3,6,2,8):(5,17,103,211)); type B = layout!(96:3); assert_type_eq!(layout!(composition(A, B)), layout!((6,2,8):(17,103,211))); }
    { type A = layout!((3,6,2,8):(5,17,103,211)); type B = layout!(48:6); assert_type_eq!(layout!(composition(A, B)), layout!((3,2,8):(34,103,211))); }
    { type A = layout!((3,6,2,8):(5,17,103,211)); type B = layout!(32:9); assert_type_eq!(layout!(composition(A, B)), layout!((2,2,8):(51,103,211))); }
    { type A = layout!((3,6,2,8):(5,17,103,211)); type B = layout!(4:72); assert_type_eq!(layout!(composition(A, B)), layout!(4:422)); }
    { type A = layout!((6,2):(8,2)); type B = layout!(2:1); assert_type_eq!(layout!(composition(A, B)), layout!(2:8)); }
    { type A = layout!((6,2):(8,2)); type B = layout!(6:1); assert_type_eq!(layout!(composition(A, B)), layout!(6:8)); }
    { type A = layout!((6,2):(8,2)); type B = layout!(12:1); assert_type_eq!(layout!(composition(A, B)), layout!((6,2):(8,2))); }
    { type A = layout!((3,6,2,8):(5,17,103,211)); type B = layout!(6:1); assert_type_eq!(layout!(composition(A, B)), layout!((3,2):(5,17))); }
    { type A = layout!((3,6,2,8):(5,17,103,211)); type B = layout!(9:1); assert_type_eq!(layout!(composition(A, B)), layout!((3,3):(5,17))); }
    { type A = layout!((12,(4,8)):(59,(13,1))); type B = layout!(<3:4, 8:2>); assert_type_eq!(layout!(composition(A, B)), layout!((3,(2,4)):(236,(26,1)))); }
    { type A = layout!((12,(4,8)):(59,(13,1))); assert_type_eq!(layout!(composition(A, (3,8))), layout!((3,(4,2)):(59,(13,1)))); }
    { type A = layout!((9,(4,8)):(59,(13,1))); type B = layout!(<3:3, (2,4):(1,8)>); assert_type_eq!(layout!(composition(A, B)), layout!((3,(2,4)):(177,(13,2)))); }
    { type A = layout!((2,3):(2,8)); type B = layout!(6:1); assert_type_eq!(layout!(composition(A, B)), layout!((2,3):(2,8))); }
    { type A = layout!((4,2,8):(3,12,97)); type B = layout!(3:3); assert_type_eq!(layout!(composition(A, B)), layout!(3:9)); }
    { type A = layout!((4,6,8,10):(2,3,5,7)); type B = layout!(6:12); assert_type_eq!(layout!(composition(A, B)), layout!((2,3):(9,5))); }
    { type A = layout!(7:11); type B = layout!((3,5):(6,3)); assert_type_eq!(layout!(composition(A, B)), layout!((3,5):(66,33))); }
    { type A = layout!((10,2):(16,4)); type B = layout!((3,4):(1,5)); assert_type_eq!(layout!(composition(A, B)), layout!((3,(2,2)):(16,(80,4)))); }
    { type A = layout!((32,128):(128,1)); type B = layout!((30,128):(1,32)); assert_type_eq!(layout!(composition(A, B)), layout!((30,128):(128,1))); }
    { type A = layout!((2,3):(1,2)); type B = layout!((2,3):(3,1)); assert_type_eq!(layout!(composition(A, B)), layout!((2,3):(3,1))); }
    { type A = layout!(1:0); type B = layout!(1:0); assert_type_eq!(layout!(composition(A, B)), layout!(1:0)); }
    { type A = layout!(1:0); type B = layout!(1:1); assert_type_eq!(layout!(composition(A, B)), layout!(1:0)); }
    { type A = layout!(1:1); type B = layout!(1:0); assert_type_eq!(layout!(composition(A, B)), layout!(1:0)); }
    { type A = layout!(1:1); type B = layout!(1:1); assert_type_eq!(layout!(composition(A, B)), layout!(1:0)); }
    { type A = layout!(4:1); type B = layout!(4:1); assert_type_eq!(layout!(composition(A, B)), layout!(4:1)); }
    { type A = layout!(4:2); type B = layout!(4:1); assert_type_eq!(layout!(composition(A, B)), layout!(4:2)); }
    { type A = layout!(4:1); type B = layout!(4:2); assert_type_eq!(layout!(composition(A, B)), layout!(4:2)); }
    { type A = layout!(4:0); type B = layout!(4:1); assert_type_eq!(layout!(composition(A, B)), layout!(4:0)); }
    { type A = layout!(4:1); type B = layout!(4:0); assert_type_eq!(layout!(composition(A, B)), layout!(4:0)); }
    { type A = layout!(1:0); type B = layout!(4:1); assert_type_eq!(layout!(composition(A, B)), layout!(4:0)); }
    { type A = layout!(4:1); type B = layout!(1:0); assert_type_eq!(layout!(composition(A, B)), layout!(1:0)); }
    { type A = layout!(4:1); type B = layout!(2:1); assert_type_eq!(layout!(composition(A, B)), layout!(2:1)); }
    { type A = layout!(4:2); type B = layout!(2:1); assert_type_eq!(layout!(composition(A, B)), layout!(2:2)); }
    { type A = layout!(4:1); type B = layout!(2:2); assert_type_eq!(layout!(composition(A, B)), layout!(2:2)); }
    { type A = layout!(4:2); type B = layout!(2:2); assert_type_eq!(layout!(composition(A, B)), layout!(2:4)); }
    { type A = layout!(12:1); type B = layout!((4,3):(1,4)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(1,4))); }
    { type A = layout!(12:2); type B = layout!((4,3):(1,4)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(2,8))); }
    { type A = layout!(12:1); type B = layout!((4,3):(3,1)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(3,1))); }
    { type A = layout!(12:2); type B = layout!((4,3):(3,1)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(6,2))); }
    { type A = layout!(12:1); type B = layout!((2,3):(2,4)); assert_type_eq!(layout!(composition(A, B)), layout!((2,3):(2,4))); }
    { type A = layout!((4,3):(1,4)); type B = layout!((4,3):(1,4)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(1,4))); }
    { type A = layout!((4,3):(1,4)); type B = layout!(12:1); assert_type_eq!(layout!(composition(A, B)), layout!(12:1)); }
    { type A = layout!((4,3):(1,4)); type B = layout!(6:2); assert_type_eq!(layout!(composition(A, B)), layout!(6:2)); }
    { type A = layout!((4,3):(1,4)); type B = layout!((6,2):(2,1)); assert_type_eq!(layout!(composition(A, B)), layout!((6,2):(2,1))); }
    { type A = layout!((4,3):(3,1)); type B = layout!((4,3):(1,4)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(3,1))); }
    { type A = layout!((4,3):(3,1)); type B = layout!(12:1); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(3,1))); }
    { type A = layout!((4,3):(3,1)); type B = layout!(6:2); assert_type_eq!(layout!(composition(A, B)), layout!((2,3):(6,1))); }
    { type A = layout!((4,3):(3,1)); type B = layout!((6,2):(2,1)); assert_type_eq!(layout!(composition(A, B)), layout!(((2,3),2):((6,1),3))); }
    { type A = layout!((8,8):(1,8)); type B = layout!(((2,2,2),(2,2,2)):((1,16,4),(8,2,32))); assert_type_eq!(layout!(composition(A, B)), layout!(((2,2,2),(2,2,2)):((1,16,4),(8,2,32)))); }
    { type A = layout!((8,8):(8,1)); type B = layout!(((2,2,2),(2,2,2)):((1,16,4),(8,2,32))); assert_type_eq!(layout!(composition(A, B)), layout!(((2,2,2),(2,2,2)):((8,2,32),(1,16,4)))); }
    { type A = layout!(((2,2,2),(2,2,2)):((1,16,4),(8,2,32))); type B = layout!(8:4); assert_type_eq!(layout!(composition(A, B)), layout!((4,2):(4,2))); }
    { type A = layout!((4,2):(1,16)); type B = layout!((4,2):(2,1)); assert_type_eq!(layout!(composition(A, B)), layout!(((2,2),2):((2,16),1))); }
    { type A = layout!((2,2):(2,1)); type B = layout!((2,2):(2,1)); assert_type_eq!(layout!(composition(A, B)), layout!((2,2):(1,2))); }
    { type A = layout!((4,8,2):(1,4,32)); type B = layout!((2,2,2):(2,8,1)); assert_type_eq!(layout!(composition(A, B)), layout!((2,2,2):(2,8,1))); }
    { type A = layout!((4,8,2):(2,8,1)); type B = layout!((2,2,2):(1,8,2)); assert_type_eq!(layout!(composition(A, B)), layout!((2,2,2):(2,16,4))); }
    { type A = layout!((4,8,2):(2,8,1)); type B = layout!((4,2,2):(2,8,1)); assert_type_eq!(layout!(composition(A, B)), layout!((4,2,2):(4,16,2))); }
    { type A = layout!((4,6,8):(1,4,7)); type B = layout!(6:1); assert_type_eq!(layout!(composition(A, B)), layout!(6:1)); }
    { type A = layout!((4):(1)); type B = layout!((4):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(1))); }
    { type A = layout!((4):(2)); type B = layout!((4):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(2))); }
    { type A = layout!((4):(0)); type B = layout!((4):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(0))); }
    { type A = layout!((4):(1)); type B = layout!((4):(0)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(0))); }
    { type A = layout!((4):(1)); type B = layout!((1):(0)); assert_type_eq!(layout!(composition(A, B)), layout!((1):(0))); }
    { type A = layout!((4):(1)); type B = layout!((2):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((2):(1))); }
    { type A = layout!((4):(2)); type B = layout!((2):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((2):(2))); }
    { type A = layout!((4):(1)); type B = layout!((2):(2)); assert_type_eq!(layout!(composition(A, B)), layout!((2):(2))); }
    { type A = layout!((4):(2)); type B = layout!((2):(2)); assert_type_eq!(layout!(composition(A, B)), layout!((2):(4))); }
    { type A = layout!((4,3):(1,4)); type B = layout!((12):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((12):(1))); }
    { type A = layout!((12):(1)); type B = layout!((4,3):(1,4)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(1,4))); }
    { type A = layout!((12):(2)); type B = layout!((4,3):(1,4)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(2,8))); }
    { type A = layout!((12):(1)); type B = layout!((4,3):(3,1)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(3,1))); }
    { type A = layout!((12):(2)); type B = layout!((4,3):(3,1)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(6,2))); }
    { type A = layout!((12):(1)); type B = layout!((2,3):(2,4)); assert_type_eq!(layout!(composition(A, B)), layout!((2,3):(2,4))); }
    { type A = layout!((4,3):(1,4)); type B = layout!((6):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((6):(1))); }
    { type A = layout!((4,3):(1,4)); type B = layout!((6):(2)); assert_type_eq!(layout!(composition(A, B)), layout!((6):(2))); }
    { type A = layout!((4,3):(1,4)); type B = layout!((4,3):(3,1)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3):(3,1))); }
    { type A = layout!((4,3):(3,1)); type B = layout!((12):(1)); assert_type_eq!(layout!(composition(A, B)), layout!(((4,3)):((3,1)))); }
    { type A = layout!((4,3):(3,1)); type B = layout!((6):(2)); assert_type_eq!(layout!(composition(A, B)), layout!(((2,3)):((6,1)))); }
    { type A = layout!(((4,2)):((1,16))); type B = layout!((4,2):(2,1)); assert_type_eq!(layout!(composition(A, B)), layout!(((2,2),2):((2,16),1))); }
    { type A = layout!(12:1); type B = layout!(4:1); assert_type_eq!(layout!(composition(A, B)), layout!(4:1)); }
    { type A = layout!((12,3):(1,24)); type B = layout!((4):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(1))); }
    { type A = layout!(16:2); type B = layout!(4:2); assert_type_eq!(layout!(composition(A, B)), layout!(4:4)); }
    { type A = layout!((128,24,5):(1,128,3072)); type B = layout!(64:2); assert_type_eq!(layout!(composition(A, B)), layout!(64:2)); }
    { type A = layout!((128,24,5):(1,128,3072)); type B = layout!(480:32); assert_type_eq!(layout!(composition(A, B)), layout!(480:32)); }
    { type A = layout!((1):(0)); type B = layout!((4):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(0))); }
    { type A = layout!((1):(1)); type B = layout!((4):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(1))); }
    { type A = layout!((4):(1)); type B = layout!((4):(2)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(2))); }
    { type A = layout!((4,3):(3,1)); type B = layout!((24):(1)); assert_type_eq!(layout!(composition(A, B)), layout!(((4,6)):((3,1)))); }
    { type A = layout!((4,3):(3,1)); type B = layout!((8):(1)); assert_type_eq!(layout!(composition(A, B)), layout!(((4,2)):((3,1)))); }
    { type A = layout!((4,3,1):(3,1,0)); type B = layout!((24):(1)); assert_type_eq!(layout!(composition(A, B)), layout!(((4,3,2)):((3,1,0)))); }
    { type A = layout!((4,3,1):(3,1,0)); type B = layout!((4):(1)); assert_type_eq!(layout!(composition(A, B)), layout!((4):(3))); }
    { type A = layout!((8,8):(8,1)); type B = layout!(2:3); assert_type_eq!(layout!(composition(A, B)), layout!(2:24)); }
    { type A = layout!((8,8):(8,1)); type B = layout!(3:3); assert_type_eq!(layout!(composition(A, B)), layout!(3:24)); }
    { type A = layout!(3:1); type B = layout!(4:1); assert_type_eq!(layout!(composition(A, B)), layout!(4:1)); }
    { type A = layout!((48,24,5):(1,128,3072)); type B = layout!(32:1); assert_type_eq!(layout!(composition(A, B)), layout!(32:1)); }
    { type A = layout!(((1),4):((7),3)); type B = layout!((4,2,1):(1,0,1)); assert_type_eq!(layout!(composition(A, B)), layout!((4,2,1):(3,0,0))); }
    { type A = layout!((1,6,3,2,4):(0,72,2160,3,18)); type B = layout!((((2,3,3,2,4))):(((1,2,6,18,36)))); assert_type_eq!(layout!(composition(A, B)), layout!((((2,3,3,2,4))):(((72,144,2160,3,18))))); }
    { type A = layout!(((16,2,2),(3,2)):((24,12,6),(2,1))); type B = layout!(<(2,2):(16,32), 6>); assert_type_eq!(layout!(composition(A, B)), layout!(((2,2),(3,2)):((12,6),(2,1)))); }
    { type A = layout!((8,8):(8,1)); type B = layout!(<4:2>); assert_type_eq!(layout!(composition(A, B)), layout!((4):(16))); }
    { type A = layout!((((1,8)),1,6,5):(((3,1)),0,0,48)); type B = layout!((5,8):(48,1)); assert_type_eq!(layout!(composition(A, B)), layout!((5,8):(48,1))); }
    { type A = layout!(((3,9),3,2):((54,6),2,1)); type B = layout!(3:27); assert_type_eq!(layout!(composition(A, B)), layout!(3:2)); }
    { type A = layout!(((2,4,2,3),4):((17,32,0,16),3)); type B = layout!((((4,3)),2):(((48,16)),1)); assert_type_eq!(layout!(composition(A, B)), layout!((((4,3)),2):(((3,16)),17))); }
    { type A = layout!((4,5):(25,1)); type B = layout!(<1, 5>); assert_type_eq!(layout!(composition(A, B)), layout!((1,5):(0,1))); }
    { type A = layout!(((3,7,4)):((3,6,16))); type B = layout!((3,4,7,3):(1,21,3,0)); assert_type_eq!(layout!(composition(A, B)), layout!((3,4,7,3):(3,16,6,0))); }
    { type A = layout!((1,2,10,12):(1,5,16,5)); type B = layout!(10:2); assert_type_eq!(layout!(composition(A, B)), layout!(10:16)); }
    { type A = layout!((6,6):(6,1)); type B = layout!(((6,6)):((1,6))); assert_type_eq!(layout!(composition(A, B)), layout!(((6,6)):((6,1)))); }
    { type A = layout!(7:1); type B = layout!(7:0); assert_type_eq!(layout!(composition(A, B)), layout!(7:0)); }
    { type A = layout!((16,9):(8,1)); type B = layout!((3,1):(48,1)); assert_type_eq!(layout!(composition(A, B)), layout!((3,1):(3,0))); }
    { type A = layout!(((1,2),4):((7,1),2)); type B = layout!(8:1); assert_type_eq!(layout!(composition(A, B)), layout!(8:1)); }
    { type A = layout!((2,((2,2,8))):(64,((8,128,1)))); type B = layout!((((2,2)),(8,2)):(((4,1)),(8,2))); assert_type_eq!(layout!(composition(A, B)), layout!((((2,2)),(8,2)):(((128,64)),(1,8)))); }
    { type A = layout!((3,1):(1,0)); type B = layout!((1,3):(1,1)); assert_type_eq!(layout!(composition(A, B)), layout!((1,3):(0,1))); }
    { type A = layout!((8,10,3):(20,1,480)); type B = layout!((3,8):(80,1)); assert_type_eq!(layout!(composition(A, B)), layout!((3,8):(480,20))); }
    { type A = layout!(((4,4),4,(2,2)):((17,6),0,(32,6))); type B = layout!(((2,4,4,4,2)):((64,1,16,4,128))); assert_type_eq!(layout!(composition(A, B)), layout!(((2,4,4,4,2)):((32,17,0,6,6)))); }
    { type A = layout!((10,(3,3),2):(12,(125,3),375)); type B = layout!((3,2,3):(30,90,10)); assert_type_eq!(layout!(composition(A, B)), layout!((3,2,3):(3,375,125))); }
    { type A = layout!(((2,7,3),(2),2):((252,3,21),(126),63)); type B = layout!(((1,2)):((42,84))); assert_type_eq!(layout!(composition(A, B)), layout!(((1,2)):((0,63)))); }
    { type A = layout!((2,((1,2)),((2,4)),3):(16,((1,4)),((8,1)),32)); type B = layout!((3,4,2,4):(32,8,1,2)); assert_type_eq!(layout!(composition(A, B)), layout!((3,4,2,4):(32,1,16,4))); }
    { type A = layout!(8:4); type B = layout!((4,1):(2,5)); assert_type_eq!(layout!(composition(A, B)), layout!((4,1):(8,0))); }
    { type A = layout!(2:1); type B = layout!(2:1); assert_type_eq!(layout!(composition(A, B)), layout!(2:1)); }
    { type A = layout!((2,4):(1,2)); type B = layout!(8:1); assert_type_eq!(layout!(composition(A, B)), layout!(8:1)); }
    { type A = layout!((10,4):(4,1)); type B = layout!((5,4):(2,10)); assert_type_eq!(layout!(composition(A, B)), layout!((5,4):(8,1))); }
    { type A = layout!(((1,4),3,9):((1,1),36,4)); type B = layout!((4,3,3,3):(1,36,4,12)); assert_type_eq!(layout!(composition(A, B)), layout!((4,3,3,3):(1,12,36,4))); }
    { type A = layout!((9,16):(1,9)); type B = layout!((144,3):(1,4)); assert_type_eq!(layout!(composition(A, B)), layout!((144,3):(1,4))); }
    { type A = layout!(((8,7)):((9,1))); type B = layout!(((7,1,8)):((8,1,1))); assert_type_eq!(layout!(composition(A, B)), layout!(((7,1,8)):((1,0,9)))); }
    { type A = layout!((7,(3,7)):(3,(1,25))); type B = layout!((3,7):(7,21)); assert_type_eq!(layout!(composition(A, B)), layout!((3,7):(1,25))); }
    { type A = layout!((12,(9,2)):(1,(12,108))); type B = layout!((1,24):(5,9)); assert_type_eq!(layout!(composition(A, B)), layout!((1,24):(0,9))); }
    { type A = layout!((1,1,8):(0,0,1)); type B = layout!(8:1); assert_type_eq!(layout!(composition(A, B)), layout!(8:1)); }
    { type A = layout!((3,8):(8,1)); type B = layout!(1:12); assert_type_eq!(layout!(composition(A, B)), layout!(1:0)); }
    { type A = layout!((4,6,8):(2,3,5)); type B = layout!(6:3); refused::<layout!(composition(A, B))>("composition: A carries after 2 steps of B, and 2 does not divide 3, what is left of its extent 6"); }
    { type A = layout!((4,6,8):(2,3,5)); type B = layout!(6:1); refused::<layout!(composition(A, B))>("composition: A carries after 4 steps of B, and 4 does not divide its extent 6"); }
    { type A = layout!((4,2,8):(3,12,97)); type B = layout!(4:3); refused::<layout!(composition(A, B))>("composition: A carries after 3 steps of B, and 3 does not divide its extent 4"); }
    { type A = layout!((4,2,8):(3,15,97)); type B = layout!(3:3); refused::<layout!(composition(A, B))>("composition: A carries after 2 steps of B, and 2 does not divide its extent 3"); }
    { type A = layout!((6,2):(1,7)); type B = layout!((3,2):(2,3)); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 7 in an extent of 6 of A"); }
    { type A = layout!((2,3):(4,1)); type B = layout!((3,4):(3,1)); refused::<layout!(composition(A, B))>("composition: A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 3"); }
    { type A = layout!((5,4,4):(1,20,5)); type B = layout!(4:4); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 7 in an extent of 5 of A"); }
    { type A = layout!((16,4,2):(16,2,1)); type B = layout!(4:12); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 20 in an extent of 16 of A"); }
    { type A = layout!((4,(4,8)):(24,(96,3))); type B = layout!(4:12); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 20 in an extent of 16 of A"); }
    { type A = layout!((10,6,2):(12,2,1)); type B = layout!(4:8); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 14 in an extent of 10 of A"); }
    { type A = layout!(((6,16)):((16,1))); type B = layout!(6:4); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 8 in an extent of 6 of A"); }
    { type A = layout!((4,16,2):(32,2,1)); type B = layout!((3,4):(4,3)); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 5 in an extent of 4 of A"); }
    { type A = layout!((16,4,2):(8,2,1)); type B = layout!((5,2,3):(2,8,2)); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 20 in an extent of 16 of A"); }
    { type A = layout!(((16,4),2):((8,2),1)); type B = layout!((3,4):(6,3)); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 21 in an extent of 16 of A"); }
    { type A = layout!((16,7):(7,1)); type B = layout!((3,6):(3,3)); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 21 in an extent of 16 of A"); }
    { type A = layout!((4,8,2):(2,8,1)); type B = layout!((3,3,6):(12,4,4)); refused::<layout!(composition(A, B))>("composition: the steps of B together reach coordinate 52 in an extent of 32 of A"); }
    { type A = layout!((2,10,2):(20,2,1)); type B = layout!(6:4); refused::<layout!(composition(A, B))>("composition: A carries after 5 steps of B, and 5 does not divide its extent 6"); }
    { type A = layout!((((2),(3)),8):(((48),(1)),6)); type B = layout!(3:3); refused::<layout!(composition(A, B))>("composition: A carries after 2 steps of B, and 2 does not divide its extent 3"); }
    { type A = layout!((7,3,3):(72,12,1)); type B = layout!(5:2); refused::<layout!(composition(A, B))>("composition: A carries after 4 steps of B, and 4 does not divide its extent 5"); }
    { type A = layout!((3,8,4):(1,12,3)); type B = layout!((3,4):(8,3)); refused::<layout!(composition(A, B))>("composition: A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 3"); }
    { type A = layout!((8,4,4):(28,1,7)); type B = layout!((5,6,4):(12,4,1)); refused::<layout!(composition(A, B))>("composition: A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 5"); }
    { type A = layout!((4,10,3):(35,3,1)); type B = layout!((5,2,4):(2,1,8)); refused::<layout!(composition(A, B))>("composition: A carries after 2 steps of mode 0 of B, and 2 does not divide its extent 5"); }
    { type A = layout!((2,2):(2,1)); type B = layout!(2:3); assert_type_eq!(layout!(composition(A, B)), layout!(2:3)); }
    { type A = layout!(((12,2,2,3)):((2,1,72,24))); type B = layout!(2:38); assert_type_eq!(layout!(composition(A, B)), layout!(2:77)); }
    { type A = layout!((2,8):(11,1)); type B = layout!(2:3); assert_type_eq!(layout!(composition(A, B)), layout!(2:12)); }
    { type A = layout!(((2,12)):((12,1))); type B = layout!((4,5):(3,2)); assert_type_eq!(layout!(composition(A, B)), layout!(((2,2),5):((13,3),1))); }
    { type A = layout!(((1,5,16)):((0,48,1))); type B = layout!((4,2):(6,1)); assert_type_eq!(layout!(composition(A, B)), layout!((4,2):(49,48))); }
    { type A = layout!((((7),(4)),4):(((16),(4)),1)); type B = layout!((2,4):(1,8)); assert_type_eq!(layout!(composition(A, B)), layout!((2,4):(16,20))); }
    { type A = layout!(((5,1),((1),5,1,(3,1))):((15,0),((0),3,0,(1,1)))); type B = layout!(5:4); refused::<layout!(composition(A, B))>("composition: A carries after 2 steps of B, and 2 does not divide its extent 5"); }
    { type A = layout!((7,6,2):(6,42,1)); type B = layout!((7,2):(6,44)); assert_type_eq!(layout!(composition(A, B)), layout!((7,2):(36,13))); }
    { type A = layout!((16,4,2):(8,2,1)); type B = layout!(5:16); refused::<layout!(composition(A, B))>("composition: A carries after 4 steps of B, and 4 does not divide its extent 5"); }
    { type A = layout!((3,1,6,4,3):(0,0,36,3,1)); type B = layout!((6,3,2,2,3,1):(3,72,18,36,1,5)); assert_type_eq!(layout!(composition(A, B)), layout!((6,3,2,2,3,1):(36,1,3,6,0,0))); }
}

#[test]
fn dice() {
    { type A = layout!((2,7,2):(3,8,1)); assert_type_eq!(layout!(dice(A, (1,1,_))), layout!((2,7):(3,8))); }
}

#[test]
fn domain_distribute() {
    { assert_type_eq!(layout!(domain_distribute(((64,3),(8,8)), 128)), layout!((64,2):(1,192))); }
    { assert_type_eq!(layout!(domain_distribute((192,(8,8)), 128)), layout!((64,2):(1,192))); }
    { assert_type_eq!(layout!(domain_distribute(((64,3),(8,8)), 1024)), layout!((64,16):(1,192))); }
    { assert_type_eq!(layout!(domain_distribute((192,(8,8)), 1024)), layout!((64,16):(1,192))); }
    { assert_type_eq!(layout!(domain_distribute(((64,3)), 128)), layout!(64:1)); }
    { assert_type_eq!(layout!(domain_distribute((2,(6,6,2)), 64)), layout!((4,2,2):(1,12,72))); }
}

#[test]
fn downcast() {
    { type A = layout!((((4),(16,2))):(((80),(1,320)))); assert_type_eq!(layout!(downcast(A, 3)), layout!((((4),(48,2))):(((240),(1,960))))); }
    { type A = layout!(((4,(6),2)):((1,(8),4))); assert_type_eq!(layout!(downcast(A, 4)), layout!(((16,(6),2)):((1,(32),16)))); }
    { type A = layout!((6,10,2):(20,1,10)); assert_type_eq!(layout!(downcast(A, 8)), layout!((6,80,2):(160,1,80))); }
    { type A = layout!((8,(2,1,1)):(2,(1,1,1))); refused::<layout!(downcast(A, 2))>("downcast: more than one stride of (2,(1,1,1)) is 1"); }
    { type A = layout!((1,8):(1,1)); refused::<layout!(downcast(A, 8))>("downcast: more than one stride of (1,1) is 1"); }
    { type A = layout!((12,10):(4,48)); refused::<layout!(downcast(A, 8))>("downcast: no stride of (4,48) is 1"); }
}

#[test]
fn filter() {
    { type A = layout!((4,2,4,3,1):(24,12,3,0,1)); assert_type_eq!(layout!(filter(A)), layout!((4,2,4):(24,12,3))); }
    { type A = layout!((4,1,(4,1,2)):(0,0,(0,4,0))); assert_type_eq!(layout!(filter(A)), layout!(1:0)); }
    { type A = layout!(((2,3),5,(2,2)):((4,0),24,(2,1))); assert_type_eq!(layout!(filter(A)), layout!((2,5,2,2):(4,24,2,1))); }
    { type A = layout!((4,((2,4,2,2))):(4,((6,4,8,12)))); assert_type_eq!(layout!(filter(A)), layout!((4,2,4,2,2):(4,6,4,8,12))); }
    { type A = layout!(((9,1)):((0,1))); assert_type_eq!(layout!(filter(A)), layout!(1:0)); }
}

#[test]
fn filter_zeros() {
    { type A = layout!((4,((3,16))):(0,((1,24)))); assert_type_eq!(layout!(filter_zeros(A)), layout!((1,((3,16))):(0,((1,24))))); }
}

#[test]
fn flat_divide() {
    { type A = layout!((9,(4,8)):(59,(13,1))); type B = layout!(<3:3, (2,4):(1,8)>); assert_type_eq!(layout!(flat_divide(A, B)), layout!((3,(2,4),3,(2,2)):(177,(13,2),59,(26,1)))); }
    { type A = layout!(((4,3),2):((1,4),12)); type B = layout!((24,4):(1,0)); assert_type_eq!(layout!(flat_divide(A, B)), layout!((24,4,1):(1,0,0))); }
    { type A = layout!(((9,8),2):((1,144),36)); type B = layout!((2,1):(36,5)); assert_type_eq!(layout!(flat_divide(A, B)), layout!((2,1,(9,4),2):(576,0,(1,144),36))); }
    { type A = layout!((4,8,10):(1,4,32)); type B = layout!(<4:1, 4, 10:1>); assert_type_eq!(layout!(flat_divide(A, B)), layout!((4,4,10,1,2,1):(1,4,32,0,16,0))); }
    { type A = layout!((1,(7,10),4):(7,(1,7),70)); type B = layout!(<1:0, 10, (2,2):(1,2)>); assert_type_eq!(layout!(flat_divide(A, B)), layout!((1,10,(2,2),1,7,1):(0,1,(70,140),0,10,0))); }
    { type A = layout!((2,6,3):(18,3,1)); type B = layout!(<1, 6, 1>); assert_type_eq!(layout!(flat_divide(A, B)), layout!((1,6,1,2,1,3):(0,3,0,18,0,1))); }
    { type A = layout!(((2,6,10),2):((240,2,12),120)); type B = layout!(2:1); assert_type_eq!(layout!(flat_divide(A, B)), layout!((2,120):(240,2))); }
}

#[test]
fn flat_product() {
    { type A = layout!((2,5):(5,1)); type B = layout!(<3:5, 4:6>); assert_type_eq!(layout!(flat_product(A, B)), layout!((2,5,3,4):(5,1,10,30))); }
    { type A = layout!((7,7):(1,14)); type B = layout!(<2, 2>); assert_type_eq!(layout!(flat_product(A, B)), layout!((7,7,2,2):(1,14,7,1))); }
    { type A = layout!(((10),(2)):((1),(10))); type B = layout!(2:1); assert_type_eq!(layout!(flat_product(A, B)), layout!(((10),(2),2):((1),(10),20))); }
    { type A = layout!(16:0); type B = layout!(8:1); assert_type_eq!(layout!(flat_product(A, B)), layout!((16,8):(0,1))); }
}

#[test]
fn flatten() {
    { type A = layout!(((2,3),5,7):((1,2),6,30)); assert_type_eq!(layout!(flatten(A)), layout!((2,3,5,7):(1,2,6,30))); }
    { type A = layout!(((2,3),(5,7)):((1,2),(6,30))); assert_type_eq!(layout!(flatten(A)), layout!((2,3,5,7):(1,2,6,30))); }
    { type A = layout!((2,2,2,((2,2))):(6,1,29,((12,2)))); assert_type_eq!(layout!(flatten(A)), layout!((2,2,2,2,2):(6,1,29,12,2))); }
    { type A = layout!((2,1,6):(6,1,0)); assert_type_eq!(layout!(flatten(A)), layout!((2,1,6):(6,1,0))); }
}

#[test]
fn group() {
    { type A = layout!((2,3,5,7):(1,2,6,30)); assert_type_eq!(layout!(group(A, 0, 2)), layout!(((2,3),5,7):((1,2),6,30))); }
    { type A = layout!(((2,3),5,7):((1,2),6,30)); assert_type_eq!(layout!(group(A, 1, 3)), layout!(((2,3),(5,7)):((1,2),(6,30)))); }
    { type A = layout!((16,7,2):(14,2,1)); assert_type_eq!(layout!(group(A, 0, 3)), layout!(((16,7,2)):((14,2,1)))); }
}

#[test]
fn left_inverse() {
    { type A = layout!(4:2); assert_type_eq!(layout!(left_inverse(A)), layout!((2,4):(0,1))); }
    { type A = layout!((4,2):(1,16)); assert_type_eq!(layout!(left_inverse(A)), layout!((16,2):(1,4))); }
    { type A = layout!(((2,2),(2,2)):((1,4),(8,32))); assert_type_eq!(layout!(left_inverse(A)), layout!((4,8,2):(1,2,8))); }
    { type A = layout!(1:0); assert_type_eq!(layout!(left_inverse(A)), layout!(1:0)); }
    { type A = layout!((1,1):(0,0)); assert_type_eq!(layout!(left_inverse(A)), layout!(1:0)); }
    { type A = layout!(1:1); assert_type_eq!(layout!(left_inverse(A)), layout!(1:0)); }
    { type A = layout!(4:1); assert_type_eq!(layout!(left_inverse(A)), layout!(4:1)); }
    { type A = layout!((8,4):(1,8)); assert_type_eq!(layout!(left_inverse(A)), layout!(32:1)); }
    { type A = layout!((8,4):(4,1)); assert_type_eq!(layout!(left_inverse(A)), layout!((4,8):(8,1))); }
    { type A = layout!((2,4,6):(1,2,8)); assert_type_eq!(layout!(left_inverse(A)), layout!(48:1)); }
    { type A = layout!((2,4,6):(4,1,8)); assert_type_eq!(layout!(left_inverse(A)), layout!((4,2,6):(2,1,8))); }
    { type A = layout!(((1,1)):((0,0))); assert_type_eq!(layout!(left_inverse(A)), layout!(1:0)); }
    { type A = layout!(((3,7)):((0,0))); assert_type_eq!(layout!(left_inverse(A)), layout!(21:0)); }
    { type A = layout!((4):(0)); assert_type_eq!(layout!(left_inverse(A)), layout!(4:0)); }
    { type A = layout!((4):(1)); assert_type_eq!(layout!(left_inverse(A)), layout!(4:1)); }
    { type A = layout!((4):(2)); assert_type_eq!(layout!(left_inverse(A)), layout!((2,4):(0,1))); }
    { type A = layout!((2,4):(0,2)); assert_type_eq!(layout!(left_inverse(A)), layout!((2,4):(0,2))); }
    { type A = layout!((2,4,4,6):(4,1,0,8)); assert_type_eq!(layout!(left_inverse(A)), layout!((4,2,6):(2,1,32))); }
    { type A = layout!((4,2):(1,5)); assert_type_eq!(layout!(left_inverse(A)), layout!((5,2):(1,4))); }
    { type A = layout!((128,128):(65536,1)); assert_type_eq!(layout!(left_inverse(A)), layout!((65536,128):(128,1))); }
    { type A = layout!((128,160):(65536,1)); assert_type_eq!(layout!(left_inverse(A)), layout!((65536,128):(128,1))); }
    { type A = layout!((128,3,160):(65536,512,1)); assert_type_eq!(layout!(left_inverse(A)), layout!((512,128,128):(384,128,1))); }
    { type A = layout!((128,64):(131072,2)); assert_type_eq!(layout!(left_inverse(A)), layout!((2,65536,128):(0,128,1))); }
    { type A = layout!((32,4,4,4):(262144,4,8388608,1)); assert_type_eq!(layout!(left_inverse(A)), layout!((4,65536,32,4):(512,32,1,128))); }
    { type A = layout!((2,2,2):(4,0,1)); assert_type_eq!(layout!(left_inverse(A)), layout!((4,2):(4,1))); }
    { type A = layout!((((((32,4),1),(32,2)),4),1,(2,2),2):(((((262144,4),0),(0,1)),8388608),0,(2,16),32)); assert_type_eq!(layout!(left_inverse(A)), layout!((2,2,4,16384,32,4):(4096,32768,32,65536,1,8192))); }
    { type A = layout!((6,1,(5,2)):(0,1,(6,30))); assert_type_eq!(layout!(left_inverse(A)), layout!((6,10):(0,6))); }
    { type A = layout!(((1,12),4):((0,1),12)); assert_type_eq!(layout!(left_inverse(A)), layout!(48:1)); }
    { type A = layout!((5,12,2):(2,0,1)); assert_type_eq!(layout!(left_inverse(A)), layout!((2,5):(60,1))); }
    { type A = layout!(((8),4):((1),8)); assert_type_eq!(layout!(left_inverse(A)), layout!(32:1)); }
    { type A = layout!(((2,7,10)):((1,40,4))); assert_type_eq!(layout!(left_inverse(A)), layout!((4,10,7):(1,14,2))); }
    { type A = layout!(((8,4),(3)):((1,24),(8))); assert_type_eq!(layout!(left_inverse(A)), layout!((8,3,4):(1,32,8))); }
    { type A = layout!(8:1); assert_type_eq!(layout!(left_inverse(A)), layout!(8:1)); }
    { type A = layout!((4,((12,3))):(25,((2,101)))); refused::<layout!(left_inverse(A))>("left_inverse: stride 25 is not a multiple of the next smaller stride 2"); }
    { type A = layout!((8,(9,2)):(82,(4,40))); refused::<layout!(left_inverse(A))>("left_inverse: stride 82 is not a multiple of the next smaller stride 40"); }
    { type A = layout!(((6,5,4)):((22,4,1))); refused::<layout!(left_inverse(A))>("left_inverse: stride 22 is not a multiple of the next smaller stride 4"); }
    { type A = layout!(((1,3,4,1,10,1)):((3,8,4,4,3,1))); refused::<layout!(left_inverse(A))>("left_inverse: stride 4 is not a multiple of the next smaller stride 3"); }
}

#[test]
fn logical_divide() {
    { type A = layout!((4,2,3):(2,1,8)); type B = layout!(4:2); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((2,2),(2,3)):((4,1),(2,8)))); }
    { type A = layout!((9,(4,8)):(59,(13,1))); type B = layout!(<3:3, (2,4):(1,8)>); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1))))); }
    { type A = layout!((12,32):(1,12)); type B = layout!((4,8):(1,4)); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((4,8),12):((1,4),32))); }
    { type A = layout!(1:0); type B = layout!(1:0); assert_type_eq!(layout!(logical_divide(A, B)), layout!((1,1):(0,0))); }
    { type A = layout!(1:0); type B = layout!(1:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((1,1):(0,0))); }
    { type A = layout!(1:1); type B = layout!(1:0); assert_type_eq!(layout!(logical_divide(A, B)), layout!((1,1):(0,0))); }
    { type A = layout!(1:1); type B = layout!(1:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((1,1):(0,0))); }
    { type A = layout!(6:1); type B = layout!(2:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((2,3):(1,2))); }
    { type A = layout!(6:1); type B = layout!(2:3); assert_type_eq!(layout!(logical_divide(A, B)), layout!((2,3):(3,1))); }
    { type A = layout!(6:1); type B = layout!((2,3):(3,1)); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((2,3),1):((3,1),0))); }
    { type A = layout!(6:2); type B = layout!(2:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((2,3):(2,4))); }
    { type A = layout!(6:2); type B = layout!(2:3); assert_type_eq!(layout!(logical_divide(A, B)), layout!((2,3):(6,2))); }
    { type A = layout!(6:2); type B = layout!((2,3):(3,1)); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((2,3),1):((6,2),0))); }
    { type A = layout!((6,6):(1,12)); type B = layout!((6,3):(3,1)); assert_type_eq!(layout!(logical_divide(A, B)), layout!((((2,3),3),2):(((3,12),1),36))); }
    { type A = layout!((6,6):(12,1)); type B = layout!((6,3):(3,1)); assert_type_eq!(layout!(logical_divide(A, B)), layout!((((2,3),3),2):(((36,1),12),3))); }
    { type A = layout!(32:1); type B = layout!(2:8); assert_type_eq!(layout!(logical_divide(A, B)), layout!((2,(8,2)):(8,(1,16)))); }
    { type A = layout!((4,1):(1,1)); type B = layout!(2:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((2,2):(1,2))); }
    { type A = layout!((4,1):(1,1)); type B = layout!(2:2); assert_type_eq!(layout!(logical_divide(A, B)), layout!((2,2):(2,1))); }
    { type A = layout!((8,8):(1,8)); type B = layout!(32:2); assert_type_eq!(layout!(logical_divide(A, B)), layout!((32,2):(2,1))); }
    { type A = layout!((8,8):(8,1)); type B = layout!(32:2); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((4,8),2):((16,1),8))); }
    { type A = layout!(2:1); type B = layout!(32:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((32,1):(1,0))); }
    { type A = layout!(48:1); type B = layout!(32:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((32,2):(1,32))); }
    { type A = layout!(96:1); type B = layout!(32:2); assert_type_eq!(layout!(logical_divide(A, B)), layout!((32,(2,2)):(2,(1,64)))); }
    { type A = layout!(32:1); type B = layout!(48:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((48,1):(1,0))); }
    { type A = layout!((32,4,4):(1,32,128)); type B = layout!(64:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((64,8):(1,64))); }
    { type A = layout!((128,4,3):(1,512,0)); type B = layout!(32:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((32,(4,4,3)):(1,(32,512,0)))); }
    { type A = layout!((128,4,3):(1,512,0)); type B = layout!(32:2); assert_type_eq!(layout!(logical_divide(A, B)), layout!((32,(2,(2,4,3))):(2,(1,(64,512,0))))); }
    { type A = layout!((16,4,3):(1,512,0)); type B = layout!(32:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((16,2),(2,3)):((1,512),(1024,0)))); }
    { type A = layout!((10,1,(8),5):(1,1,(10),80)); type B = layout!(<10, 1:0, 8:1>); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((10,1),(1,1),(8,1),5):((1,0),(0,0),(10,0),80))); }
    { type A = layout!(((2),7,8,2):((112),16,2,1)); type B = layout!(((2),((8,2),1)):((1),((14,112),0))); assert_type_eq!(layout!(logical_divide(A, B)), layout!((((2),((8,2),1)),7):(((112),((2,1),0)),16))); }
    { type A = layout!((((8,4)),16):(((48,1920)),3)); type B = layout!(<8, 16>); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((8,4),(16,1)):((48,1920),(3,0)))); }
    { type A = layout!((8,12):(1,8)); type B = layout!(<8:1>); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((8,1),12):((1,0),8))); }
    { type A = layout!(((2,1),(4,2)):((8,7),(2,1))); type B = layout!(<1>); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((1,2),(4,2)):((0,8),(2,1)))); }
    { type A = layout!((9,6,3,3):(1,9,54,162)); type B = layout!(<9:1, (2,4):(3,0), 3:1>); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((9,1),((2,4),3),(3,1),3):((1,0),((27,0),9),(54,0),162))); }
    { type A = layout!(((6,4),12):((48,12),1)); type B = layout!(<<3>, (2,6):(1,2)>); assert_type_eq!(layout!(logical_divide(A, B)), layout!((((3,2),4),((2,6),1)):(((48,144),12),((1,2),0)))); }
    { type A = layout!(((4,12),3,2):((72,1),12,36)); type B = layout!(<12:4>); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((12,4),3,2):((1,72),12,36))); }
    { type A = layout!((9,2,8,3):(6,1,54,2)); type B = layout!(<3, 2:1, _, _>); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((3,3),(2,1),8,3):((6,18),(1,0),54,2))); }
    { type A = layout!((1,10):(3,1)); type B = layout!(10:1); assert_type_eq!(layout!(logical_divide(A, B)), layout!((10,1):(1,0))); }
    { type A = layout!((16,2,8):(16,1,2)); type B = layout!(((16,16)):((16,1))); assert_type_eq!(layout!(logical_divide(A, B)), layout!((((16,16)),1):(((1,16)),0))); }
    { type A = layout!((3,2,2):(1,6,3)); type B = layout!((3,2):(1,3)); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((3,2),2):((1,6),3))); }
    { type A = layout!((3,4):(4,1)); type B = layout!(2:1); refused::<layout!(logical_divide(A, B))>("logical_divide: the steps of the tile and the rest of the tiles together reach coordinate 5 in an extent of 3 of A"); }
    { type A = layout!(((3,16,3)):((48,3,1))); type B = layout!((16,1,3):(3,5,48)); assert_type_eq!(layout!(logical_divide(A, B)), layout!(((16,1,3),3):((3,0,1),48))); }
}

#[test]
fn logical_product() {
    { type A = layout!((2,2):(4,1)); type B = layout!(6:1); assert_type_eq!(layout!(logical_product(A, B)), layout!(((2,2),(2,3)):((4,1),(2,8)))); }
    { type A = layout!((2,2):(4,1)); type B = layout!((4,2):(2,1)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((2,2),(4,2)):((4,1),(8,2)))); }
    { type A = layout!((2,5):(5,1)); type B = layout!(<3:5, 4:6>); assert_type_eq!(layout!(logical_product(A, B)), layout!(((2,3),(5,4)):((5,10),(1,30)))); }
    { type A = layout!((32,8):(1,32)); type B = layout!((4,1):(1,0)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((32,8),(4,1)):((1,32),(256,0)))); }
    { type A = layout!(1:0); type B = layout!(1:0); assert_type_eq!(layout!(logical_product(A, B)), layout!((1,1):(0,0))); }
    { type A = layout!(1:1); type B = layout!(1:0); assert_type_eq!(layout!(logical_product(A, B)), layout!((1,1):(1,0))); }
    { type A = layout!(1:0); type B = layout!(1:1); assert_type_eq!(layout!(logical_product(A, B)), layout!((1,1):(0,0))); }
    { type A = layout!(1:1); type B = layout!(1:1); assert_type_eq!(layout!(logical_product(A, B)), layout!((1,1):(1,0))); }
    { type A = layout!(3:1); type B = layout!(4:0); assert_type_eq!(layout!(logical_product(A, B)), layout!((3,4):(1,0))); }
    { type A = layout!(3:0); type B = layout!(4:1); assert_type_eq!(layout!(logical_product(A, B)), layout!((3,4):(0,1))); }
    { type A = layout!(3:0); type B = layout!(4:0); assert_type_eq!(layout!(logical_product(A, B)), layout!((3,4):(0,0))); }
    { type A = layout!(3:2); type B = layout!(4:1); assert_type_eq!(layout!(logical_product(A, B)), layout!((3,(2,2)):(2,(1,6)))); }
    { type A = layout!((3):(1)); type B = layout!((2,4):(1,2)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((3),(2,4)):((1),(3,6)))); }
    { type A = layout!((2,4):(1,2)); type B = layout!((3):(1)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((2,4),(3)):((1,2),(8)))); }
    { type A = layout!((8,(2,2)):(1,(8,16))); type B = layout!((4):(2)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((8,(2,2)),(4)):((1,(8,16)),(64)))); }
    { type A = layout!((2,2):(1,2)); type B = layout!((3,3):(3,1)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((2,2),(3,3)):((1,2),(12,4)))); }
    { type A = layout!((3):(32)); type B = layout!((32):(1)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((3),(32)):((32),(1)))); }
    { type A = layout!((3):(2)); type B = layout!((4):(1)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((3),((2,2))):((2),((1,6))))); }
    { type A = layout!((3):(32)); type B = layout!((128):(1)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((3),((32,4))):((32),((1,96))))); }
    { type A = layout!((3):(32)); type B = layout!((8,8):(1,8)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((3),(8,(4,2))):((32),(1,(8,96))))); }
    { type A = layout!((3):(32)); type B = layout!((8,8):(8,1)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((3),((4,2),8)):((32),((8,96),1)))); }
    { type A = layout!(((4,2)):((1,16))); type B = layout!((4,4):(1,4)); assert_type_eq!(layout!(logical_product(A, B)), layout!((((4,2)),(4,4)):(((1,16)),(4,32)))); }
    { type A = layout!(((4,2)):((1,16))); type B = layout!((4,2):(2,1)); assert_type_eq!(layout!(logical_product(A, B)), layout!((((4,2)),((2,2),2)):(((1,16)),((8,32),4)))); }
    { type A = layout!(((2,2),(2,2)):((1,4),(8,32))); type B = layout!((2,2):(1,2)); assert_type_eq!(layout!(logical_product(A, B)), layout!((((2,2),(2,2)),(2,2)):(((1,4),(8,32)),(2,16)))); }
    { type A = layout!(((2,2),(2,2)):((1,4),(8,32))); type B = layout!((2,2):(2,1)); assert_type_eq!(layout!(logical_product(A, B)), layout!((((2,2),(2,2)),(2,2)):(((1,4),(8,32)),(16,2)))); }
    { type A = layout!(((4,6)):((1,6))); type B = layout!((3):(1)); assert_type_eq!(layout!(logical_product(A, B)), layout!((((4,6)),(3)):(((1,6)),(36)))); }
    { type A = layout!(((10,2),2):((2,1),20)); type B = layout!(<_, 5>); assert_type_eq!(layout!(logical_product(A, B)), layout!(((10,2),(2,5)):((2,1),(20,1)))); }
    { type A = layout!((8,5):(1,8)); type B = layout!(<8:1>); assert_type_eq!(layout!(logical_product(A, B)), layout!(((8,8),5):((1,8),8))); }
    { type A = layout!((3,2,2):(1,12,6)); type B = layout!(<5, 2, 6>); assert_type_eq!(layout!(logical_product(A, B)), layout!(((3,5),(2,2),(2,6)):((1,3),(12,1),(6,1)))); }
    { type A = layout!((2,8):(8,0)); type B = layout!((4,1,2):(1,7,4)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((2,8),(4,1,2)):((8,0),(1,0,4)))); }
    { type A = layout!((3,5):(0,1)); type B = layout!((7,2):(1,7)); assert_type_eq!(layout!(logical_product(A, B)), layout!(((3,5),(7,2)):((0,1),(5,35)))); }
    { type A = layout!((2,3):(1,0)); type B = layout!(16:1); assert_type_eq!(layout!(logical_product(A, B)), layout!(((2,3),16):((1,0),2))); }
    { type A = layout!(2:1); type B = layout!((3,2):(1,3)); assert_type_eq!(layout!(logical_product(A, B)), layout!((2,(3,2)):(1,(2,6)))); }
    { type A = layout!((3,2,9):(1,3,6)); type B = layout!(<6, 8:4, 6:1>); refused::<layout!(logical_product(A, B))>("logical_product: in mode 1, the complement of A carries after 3 steps of B, and 3 does not divide its extent 8"); }
}

#[test]
fn make() {
    { assert_type_eq!(layout!(make(8)), layout!(8:1)); }
    { assert_type_eq!(layout!(make((2,4))), layout!((2,4):(1,2))); }
    { assert_type_eq!(layout!(make((2,(2,2)))), layout!((2,(2,2)):(1,(2,4)))); }
    { assert_type_eq!(layout!(make((4,(3,6)))), layout!((4,(3,6)):(1,(4,12)))); }
    { assert_type_eq!(layout!(make(4)), layout!(4:1)); }
    { assert_type_eq!(layout!(make(((8,3),(1,3,1)))), layout!(((8,3),(1,3,1)):((1,8),(0,24,0)))); }
    { assert_type_eq!(layout!(make((9,7))), layout!((9,7):(1,9))); }
}

#[test]
fn make_ordered() {
    { assert_type_eq!(layout!(make_ordered((12,4,3), (2,1,0))), layout!((12,4,3):(12,3,1))); }
    { assert_type_eq!(layout!(make_ordered((9,2), (1,0))), layout!((9,2):(2,1))); }
}

#[test]
fn max_common_layout() {
    { type A = layout!(((5,8),2):((1,5),40)); type B = layout!(((5,8),2):((1,5),40)); assert_type_eq!(layout!(max_common_layout(A, B)), layout!(80:1)); }
    { type A = layout!((4,2):(2,1)); type B = layout!((4,2):(2,1)); assert_type_eq!(layout!(max_common_layout(A, B)), layout!((2,4):(4,1))); }
}

#[test]
fn max_common_vector() {
    { type A = layout!((2,3):(1,2)); type B = layout!((2,3):(1,2)); assert_eq!(<static_layout::ops::MaxCommonVector<A, B>>::USIZE, 6); }
    { type A = layout!(((4,8,2)):((16,1,8))); type B = layout!(((4,8,2)):((16,1,8))); assert_eq!(<static_layout::ops::MaxCommonVector<A, B>>::USIZE, 64); }
    { type A = layout!((16,7):(7,1)); type B = layout!((2,((3,4,2)),2):(1,((2,6,24)),48)); assert_eq!(<static_layout::ops::MaxCommonVector<A, B>>::USIZE, 1); }
    { type A = layout!(((1,4,4)):((1,4,1))); type B = layout!(((1,4,4)):((1,1,4))); assert_eq!(<static_layout::ops::MaxCommonVector<A, B>>::USIZE, 1); }
}

#[test]
fn nullspace() {
    { type A = layout!((2,2,2):(0,0,0)); assert_type_eq!(layout!(nullspace(A)), layout!((2,2,2):(1,2,4))); }
    { type A = layout!((7,5,16):(0,0,0)); assert_type_eq!(layout!(nullspace(A)), layout!((7,5,16):(1,7,35))); }
    { type A = layout!((2,2,2):(1,0,2)); assert_type_eq!(layout!(nullspace(A)), layout!(2:2)); }
    { type A = layout!((7,5,16):(3,1,0)); assert_type_eq!(layout!(nullspace(A)), layout!(16:35)); }
    { type A = layout!((3,8):(5,0)); assert_type_eq!(layout!(nullspace(A)), layout!(8:3)); }
    { type A = layout!((8,12):(0,1)); assert_type_eq!(layout!(nullspace(A)), layout!(8:1)); }
}

#[test]
fn prepend() {
    { type A = layout!(3:1); type B = layout!(4:3); assert_type_eq!(layout!(prepend(A, B)), layout!((4,3):(3,1))); }
    { type A = layout!(((16),(3),1):((1),(16),0)); type B = layout!(2:0); assert_type_eq!(layout!(prepend(A, B)), layout!((2,(16),(3),1):(0,(1),(16),0))); }
}

#[test]
fn raked_product() {
    { type A = layout!((2,5):(5,1)); type B = layout!((3,4):(1,3)); assert_type_eq!(layout!(raked_product(A, B)), layout!(((3,2),(4,5)):((10,5),(30,1)))); }
    { type A = layout!(((2,4,3)):((12,3,1))); type B = layout!((8,2):(1,8)); assert_type_eq!(layout!(raked_product(A, B)), layout!(((8,(2,4,3)),(2,1)):((24,(12,3,1)),(192,0)))); }
    { type A = layout!((8,2):(1,8)); type B = layout!((4,(4,2)):(8,(2,1))); assert_type_eq!(layout!(raked_product(A, B)), layout!(((4,8),((4,2),2)):((128,1),((32,16),8)))); }
    { type A = layout!((7,2):(1,7)); type B = layout!((5,4):(4,1)); assert_type_eq!(layout!(raked_product(A, B)), layout!(((5,7),(4,2)):((56,1),(14,7)))); }
    { type A = layout!((8,3):(1,8)); type B = layout!((8,4):(1,8)); assert_type_eq!(layout!(raked_product(A, B)), layout!(((8,8),(4,3)):((24,1),(192,8)))); }
    { type A = layout!((8,4):(4,1)); type B = layout!((9,3):(2,18)); assert_type_eq!(layout!(raked_product(A, B)), layout!(((9,8),(3,4)):((64,4),(576,1)))); }
    { type A = layout!((3,3,2):(6,2,1)); type B = layout!((8,4):(4,1)); assert_type_eq!(layout!(raked_product(A, B)), layout!(((8,3),(4,3),(1,2)):((72,6),(18,2),(0,1)))); }
}

#[test]
fn recast() {
    { type A = layout!(((12,4,2,1)):((1,12,48,0))); assert_type_eq!(layout!(recast(A, 8, 32)), layout!(((3,4,2,1)):((1,3,12,0)))); }
    { type A = layout!((4,(1,5,2),3):(1,(0,4,20),40)); assert_type_eq!(layout!(recast(A, 32, 8)), layout!((16,(1,5,2),3):(1,(0,16,80),160))); }
    { type A = layout!((((7),2)):(((1),7))); refused::<layout!(recast(A, 32, 64))>("upcast: neither of stride 7 and factor 2 divides the other"); }
    { type A = layout!((4,(3,1)):(3,(1,3))); refused::<layout!(recast(A, 32, 64))>("upcast: neither of stride 3 and factor 2 divides the other"); }
}

#[test]
fn replace() {
    { type A = layout!((3,4,(3,4)):(1,3,(1,3))); type C = layout!(4:3); assert_type_eq!(layout!(replace(A, 2, C)), layout!((3,4,4):(1,3,3))); }
    { type A = layout!(((2,3),((3,3))):((27,9),((3,1)))); type C = layout!((8,4):(4,1)); assert_type_eq!(layout!(replace(A, 0, C)), layout!(((8,4),((3,3))):((4,1),((3,1))))); }
}

#[test]
fn right_inverse() {
    { type A = layout!((2,4,6):(4,1,8)); assert_type_eq!(layout!(right_inverse(A)), layout!((4,2,6):(2,1,8))); }
    { type A = layout!(1:0); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((1,1):(0,0)); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((3,7):(0,0)); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!(1:1); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!(4:0); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!(4:1); assert_type_eq!(layout!(right_inverse(A)), layout!(4:1)); }
    { type A = layout!(4:2); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((2,4):(0,2)); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((8,4):(1,8)); assert_type_eq!(layout!(right_inverse(A)), layout!(32:1)); }
    { type A = layout!((8,4):(4,1)); assert_type_eq!(layout!(right_inverse(A)), layout!((4,8):(8,1))); }
    { type A = layout!((2,4,6):(1,2,8)); assert_type_eq!(layout!(right_inverse(A)), layout!(48:1)); }
    { type A = layout!((4,2):(1,16)); assert_type_eq!(layout!(right_inverse(A)), layout!(4:1)); }
    { type A = layout!(((1,1)):((0,0))); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!(((3,7)):((0,0))); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((4):(0)); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((4):(1)); assert_type_eq!(layout!(right_inverse(A)), layout!(4:1)); }
    { type A = layout!((4):(2)); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((2,4,4,6):(4,1,0,8)); assert_type_eq!(layout!(right_inverse(A)), layout!((4,2,6):(2,1,32))); }
    { type A = layout!((4,2):(1,5)); assert_type_eq!(layout!(right_inverse(A)), layout!(4:1)); }
    { type A = layout!((128,128):(65536,1)); assert_type_eq!(layout!(right_inverse(A)), layout!(128:128)); }
    { type A = layout!((128,160):(65536,1)); assert_type_eq!(layout!(right_inverse(A)), layout!(160:128)); }
    { type A = layout!((128,3,160):(65536,512,1)); assert_type_eq!(layout!(right_inverse(A)), layout!(160:384)); }
    { type A = layout!((128,64):(131072,2)); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((32,4,4,4):(262144,4,8388608,1)); assert_type_eq!(layout!(right_inverse(A)), layout!((4,4):(512,32))); }
    { type A = layout!((2,2,2):(4,0,1)); assert_type_eq!(layout!(right_inverse(A)), layout!(2:4)); }
    { type A = layout!((((((32,4),1),(32,2)),4),1,(2,2),2):(((((262144,4),0),(0,1)),8388608),0,(2,16),32)); assert_type_eq!(layout!(right_inverse(A)), layout!((2,2,4,4):(4096,32768,32,65536))); }
    { type A = layout!((4,2):(1,4)); assert_type_eq!(layout!(right_inverse(A)), layout!(8:1)); }
    { type A = layout!((2,4):(4,1)); assert_type_eq!(layout!(right_inverse(A)), layout!((4,2):(2,1))); }
    { type A = layout!((2,1):(0,7)); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!((9,1):(1,0)); assert_type_eq!(layout!(right_inverse(A)), layout!(9:1)); }
    { type A = layout!((6,12,(1,2)):(5,0,(1,4))); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!(16:1); assert_type_eq!(layout!(right_inverse(A)), layout!(16:1)); }
    { type A = layout!((4,5,4):(1,4,20)); assert_type_eq!(layout!(right_inverse(A)), layout!(80:1)); }
    { type A = layout!((3,7,6):(7,0,21)); assert_type_eq!(layout!(right_inverse(A)), layout!(1:0)); }
    { type A = layout!(5:1); assert_type_eq!(layout!(right_inverse(A)), layout!(5:1)); }
    { type A = layout!((8,(2,2),4):(16,(8,4),1)); assert_type_eq!(layout!(right_inverse(A)), layout!((4,2,2,8):(32,16,8,1))); }
}

#[test]
fn row_major() {
    { assert_type_eq!(layout!(row_major((2,4))), layout!((2,4):(4,1))); }
    { assert_type_eq!(layout!(row_major((2,(2,2)))), layout!((2,(2,2)):(4,(2,1)))); }
    { assert_type_eq!(layout!(row_major(((10,4,2),6))), layout!(((10,4,2),6):((48,12,6),1))); }
    { assert_type_eq!(layout!(row_major((3,4,1,3,3,2))), layout!((3,4,1,3,3,2):(72,18,0,6,2,1))); }
    { assert_type_eq!(layout!(row_major(((9,5,5)))), layout!(((9,5,5)):((25,5,1)))); }
}

#[test]
fn select() {
    { type A = layout!((2,3,5,7):(1,2,6,30)); assert_type_eq!(layout!(select(A, (1,3))), layout!((3,7):(2,30))); }
    { type A = layout!((2,3,5,7):(1,2,6,30)); assert_type_eq!(layout!(select(A, (0,1,3))), layout!((2,3,7):(1,2,30))); }
    { type A = layout!((2,3,5,7):(1,2,6,30)); assert_type_eq!(layout!(select(A, (2))), layout!((5):(6))); }
    { type A = layout!(((2,2),1):((4,8),1)); assert_type_eq!(layout!(select(A, (1))), layout!((1):(1))); }
}

#[test]
fn slice() {
    { type A = layout!((2,(4,3),9):(108,(1,36),4)); assert_type_eq!(layout!(slice(A, (_,(_,0),_))), layout!((2,4,9):(108,1,4))); }
    { type A = layout!((7,4,7):(1,7,28)); assert_type_eq!(layout!(slice(A, (3,_,_))), layout!((4,7):(7,28))); }
}

#[test]
fn take() {
    { type A = layout!((2,3,5,7):(1,2,6,30)); assert_type_eq!(layout!(take(A, 1, 3)), layout!((3,5):(2,6))); }
    { type A = layout!((2,3,5,7):(1,2,6,30)); assert_type_eq!(layout!(take(A, 1, 4)), layout!((3,5,7):(2,6,30))); }
    { type A = layout!(((2,1,3,1),10):((16,7,12,7),8)); assert_type_eq!(layout!(take(A, 1, 2)), layout!((10):(8))); }
}

#[test]
fn tile_to_shape() {
    { type A = layout!(((4,6)):((6,1))); assert_type_eq!(layout!(tile_to_shape(A, (72))), layout!((((4,6),3)):(((6,1),24)))); }
    { type A = layout!((8,4):(4,1)); assert_type_eq!(layout!(tile_to_shape(A, (32,8))), layout!(((8,4),(4,2)):((4,32),(1,128)))); }
    { type A = layout!((16,2):(1,16)); assert_type_eq!(layout!(tile_to_shape(A, (32,4), (0,1))), layout!(((16,2),(2,2)):((1,32),(16,64)))); }
    { type A = layout!((9,2):(1,9)); refused::<layout!(tile_to_shape(A, (9,3), (1,0)))>("tile_to_shape: in mode 1 the block size 2 does not divide the target size 3"); }
}

#[test]
fn tiled_divide() {
    { type A = layout!((9,(4,8)):(59,(13,1))); type B = layout!(<3:3, (2,4):(1,8)>); assert_type_eq!(layout!(tiled_divide(A, B)), layout!(((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1)))); }
    { type A = layout!(((7,2),(4,3)):((24,4),(1,8))); type B = layout!(<7, _>); assert_type_eq!(layout!(tiled_divide(A, B)), layout!(((7,4),2,3):((24,1),4,8))); }
    { type A = layout!(((12,3),(4,3)):((432,144),(36,3))); type B = layout!(<12:1, 1>); assert_type_eq!(layout!(tiled_divide(A, B)), layout!(((12,1),3,(4,3)):((432,0),144,(36,3)))); }
    { type A = layout!((8,12,(2,2)):(48,4,(2,1))); type B = layout!(<8>); assert_type_eq!(layout!(tiled_divide(A, B)), layout!(((8),1,12,(2,2)):((48),0,4,(2,1)))); }
    { type A = layout!((4,1):(4,1)); type B = layout!(3:1); assert_type_eq!(layout!(tiled_divide(A, B)), layout!((3,2):(4,12))); }
    { type A = layout!((((4,7)),((4,2))):(((1,32)),((8,4)))); type B = layout!(<1, (2,4):(4,1)>); assert_type_eq!(layout!(tiled_divide(A, B)), layout!(((1,(2,4)),(4,7),1):((0,(4,8)),(1,32),0))); }
    { type A = layout!((3,4):(4,1)); type B = layout!(<3:1, 4:1>); assert_type_eq!(layout!(tiled_divide(A, B)), layout!(((3,4),1,1):((4,1),0,0))); }
    { type A = layout!((9,1,2):(2,0,1)); type B = layout!(<1, 1, 2:1>); assert_type_eq!(layout!(tiled_divide(A, B)), layout!(((1,1,2),9,1,1):((0,0,1),2,0,0))); }
}

#[test]
fn tiled_product() {
    { type A = layout!((2,5):(5,1)); type B = layout!(<3:5, 4:6>); assert_type_eq!(layout!(tiled_product(A, B)), layout!(((2,5),3,4):((5,1),10,30))); }
    { type A = layout!(((4),(3,4)):((1),(4,12))); type B = layout!(<8:1, _>); assert_type_eq!(layout!(tiled_product(A, B)), layout!((((4),3),8,4):(((1),4),4,12))); }
    { type A = layout!((12,2):(2,1)); type B = layout!(((3,5)):((5,0))); assert_type_eq!(layout!(tiled_product(A, B)), layout!(((12,2),((3,5))):((2,1),((120,0))))); }
    { type A = layout!(9:1); type B = layout!((16):(1)); assert_type_eq!(layout!(tiled_product(A, B)), layout!((9,(16)):(1,(9)))); }
    { type A = layout!(7:1); type B = layout!(10:0); assert_type_eq!(layout!(tiled_product(A, B)), layout!((7,10):(1,0))); }
    { type A = layout!(((2,1),4):((4,0),1)); type B = layout!(<6>); refused::<layout!(tiled_product(A, B))>("logical_product: in mode 0, the complement of A carries after 4 steps of B, and 4 does not divide its extent 6"); }
}

#[test]
fn upcast() {
    { type A = layout!(((8,(2,2,4,2))):((32,(16,8,2,1)))); assert_type_eq!(layout!(upcast(A, 4)), layout!(((8,(2,2,2,1))):((8,(4,2,1,1))))); }
    { type A = layout!((12,(10,2)):(1,(12,120))); assert_type_eq!(layout!(upcast(A, 3)), layout!((4,(10,2)):(1,(4,40)))); }
    { type A = layout!((1,6):(0,1)); assert_type_eq!(layout!(upcast(A, 16)), layout!((1,1):(0,1))); }
    { type A = layout!((6,9,3):(27,3,1)); refused::<layout!(upcast(A, 8))>("upcast: neither of stride 27 and factor 8 divides the other"); }
    { type A = layout!(((12,(1,1,8)),2):((1,(0,0,12)),96)); refused::<layout!(upcast(A, 16))>("upcast: neither of stride 12 and factor 16 divides the other"); }
    { type A = layout!((3,5,2,4):(1,3,15,30)); refused::<layout!(upcast(A, 16))>("upcast: neither of stride 3 and factor 16 divides the other"); }
}

#[test]
fn zipped_divide() {
    { type A = layout!((9,(4,8)):(59,(13,1))); type B = layout!(<3:3, (2,4):(1,8)>); assert_type_eq!(layout!(zipped_divide(A, B)), layout!(((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1))))); }
    { type A = layout!((12,32):(1,12)); assert_type_eq!(layout!(zipped_divide(A, (4,8))), layout!(((4,8),(3,4)):((1,12),(4,96)))); }
    { type A = layout!((12,(4,8)):(7,(1,30))); assert_type_eq!(layout!(zipped_divide(A, 12)), layout!((12,(4,8)):(7,(1,30)))); }
    { type A = layout!(((7,16,3),1):((48,3,1),1)); type B = layout!(<16:7>); assert_type_eq!(layout!(zipped_divide(A, B)), layout!(((16),((7,3),1)):((3),((48,1),1)))); }
    { type A = layout!((7,1,6,10):(1,1,7,210)); type B = layout!(<1>); assert_type_eq!(layout!(zipped_divide(A, B)), layout!(((1),(7,1,6,10)):((0),(1,1,7,210)))); }
    { type A = layout!((2,4):(1,4)); type B = layout!(<1>); assert_type_eq!(layout!(zipped_divide(A, B)), layout!(((1),(2,4)):((0),(1,4)))); }
    { type A = layout!(((4,8,2,3)):((120,3,480,1))); type B = layout!(((3,8),(2)):((1,4),(32))); assert_type_eq!(layout!(zipped_divide(A, B)), layout!((((3,8),(2)),3):(((120,3),(480)),1))); }
    { type A = layout!(((4,2,12),2):((1,4,8),96)); type B = layout!((1,192):(0,1)); assert_type_eq!(layout!(zipped_divide(A, B)), layout!(((1,192),1):((0,1),0))); }
    { type A = layout!((3,3,4,6):(72,6,18,1)); type B = layout!(<3:1, 3, 4, ((1,6)):((1,1))>); assert_type_eq!(layout!(zipped_divide(A, B)), layout!(((3,3,4,((1,6))),(1,1,1,1)):((72,6,18,((0,1))),(0,0,0,0)))); }
    { type A = layout!((6,3,4):(12,4,1)); type B = layout!(2:0); assert_type_eq!(layout!(zipped_divide(A, B)), layout!((2,(6,3,4)):(0,(12,4,1)))); }
    { type A = layout!((3,3,5,5):(30,900,180,2)); type B = layout!((((3,4))):(((3,45)))); assert_type_eq!(layout!(zipped_divide(A, B)), layout!(((((3,4))),(3,5,2)):((((900,2))),(30,180,8)))); }
    { type A = layout!((12,(4,8)):(7,(1,30))); refused::<layout!(zipped_divide(A, 128))>("logical_divide: A carries after 12 steps of the tile, and 12 does not divide its extent 128"); }
}

#[test]
fn zipped_product() {
    { type A = layout!((2,5):(5,1)); type B = layout!(<3:5, 4:6>); assert_type_eq!(layout!(zipped_product(A, B)), layout!(((2,5),(3,4)):((5,1),(10,30)))); }
    { type A = layout!(((1,7,2)):((1,2,1))); type B = layout!((2,5):(1,2)); assert_type_eq!(layout!(zipped_product(A, B)), layout!((((1,7,2)),(2,5)):(((1,2,1)),(14,28)))); }
    { type A = layout!(((1,7),2):((3,1),7)); type B = layout!(12:0); assert_type_eq!(layout!(zipped_product(A, B)), layout!((((1,7),2),12):(((3,1),7),0))); }
    { type A = layout!(((4),5,1):((5),1,0)); type B = layout!((4,4):(1,0)); assert_type_eq!(layout!(zipped_product(A, B)), layout!((((4),5,1),(4,4)):(((5),1,0),(20,0)))); }
    { type A = layout!((4,16):(16,1)); type B = layout!(<8:1, 5:1>); assert_type_eq!(layout!(zipped_product(A, B)), layout!(((4,16),(8,5)):((16,1),(1,16)))); }
    { type A = layout!((2,(8,2)):(2,(4,1))); type B = layout!(<6>); assert_type_eq!(layout!(zipped_product(A, B)), layout!(((2),((2,3),(8,2))):((2),((1,4),(4,1))))); }
    { type A = layout!(((3),(4,2)):((1),(36,9))); type B = layout!(<5:1, 2>); assert_type_eq!(layout!(zipped_product(A, B)), layout!((((3),(4,2)),(5,2)):(((1),(36,9)),(3,1)))); }
}
