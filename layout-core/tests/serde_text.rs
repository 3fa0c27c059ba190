//! Layouts as their text.
#![cfg(feature = "serde-1")]

use std::fmt::Debug;

use layout_core::devices::spyre::SpyreLayout;
use layout_core::engine::{ComposedLayout, DynLayout, IntTuple, MorelloLayout, Slicer, Tiler};
use layout_core::types::{Cons, Dyn, Layout, Mixed, Nil};
use serde::{Serialize, de::DeserializeOwned};
use typenum::{U1, U4, U8};

type Pair<A, B> = Cons<A, Cons<B, Nil>>;
type Rows = Layout<Pair<U4, U8>, Pair<U8, U1>>;
type AnyRows = Mixed<Pair<Dyn, U8>, Pair<U8, U1>>;

fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &str) {
    let json = format!("\"{text}\"");
    let value: T = serde_json::from_str(&json).expect(text);
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
}

#[test]
fn values_are_their_text() {
    same::<DynLayout>("(4,(2,3)):(6,(1,2))");
    same::<IntTuple>("(4,(2,3))");
    same::<Tiler>("<4:1,2:1>");
    same::<Slicer>("(_,3)");
    same::<MorelloLayout>("[1, 0, 1 p(4)]");
    same::<ComposedLayout>("Sw<3,0,3> o 0 o (8,8):(8,1)");
    let spyre = SpyreLayout::parse("spyre { size: [100, 200], dtype: f16 }").unwrap();
    let json = serde_json::to_string(&spyre).unwrap();
    assert_eq!(serde_json::from_str::<SpyreLayout>(&json).unwrap(), spyre);
    same::<Rows>("(4,8):(8,1)");
    same::<AnyRows>("(100,8):(8,1)");
}

#[test]
fn invalid_values_are_errors() {
    let error = |json: &str| serde_json::from_str::<DynLayout>(json).unwrap_err().to_string();
    assert!(error("\"(4,8):(8,1,2)\"").contains("shape (4,8) has 2 modes"));
    assert!(error("7").contains("expected the text of a layout"));
    let other = serde_json::from_str::<Rows>("\"(4,8):(1,4)\"").unwrap_err().to_string();
    assert!(other.contains("the layout is (4,8):(1,4), not (4,8):(8,1)"), "{other}");
    assert!(serde_json::from_str::<AnyRows>("\"(100,7):(7,1)\"").is_err());
}
