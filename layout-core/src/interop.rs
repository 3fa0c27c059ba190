//! `serde`: layouts, shapes, tilers and placements are serialised as text.

use core::fmt;
use core::marker::PhantomData;

use alloc::format;
use alloc::string::String;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::devices::spyre::SpyreLayout;
use crate::devices::tenstorrent::MetalLayout;
use crate::engine::{ComposedLayout, DynLayout, IntTuple, MorelloLayout, Slicer, Tiler};
use crate::error::LayoutError;
use crate::text::{self, ParseError, Value};
use crate::types::{Layout, Mixed, Tree};

/// A type that is serialised as text and parsed from it.
trait Text: Sized {
    /// The name of the type in an error.
    const WHAT: &'static str;
    /// Parses the text; the error is a message.
    fn read(text: &str) -> Result<Self, String>;
}

struct Reader<T>(PhantomData<T>);

impl<T: Text> Visitor<'_> for Reader<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text of {}", T::WHAT)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::read(text).map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($t:ty $([$($p:ident: $bound:ident),+])? => $what:literal, |$text:ident| $read:expr;)+) => {$(
        impl$(<$($p: $bound),+>)? Serialize for $t {
            fn serialize<S_: Serializer>(&self, serializer: S_) -> Result<S_::Ok, S_::Error> {
                serializer.collect_str(self)
            }
        }

        impl$(<$($p: $bound),+>)? Text for $t {
            const WHAT: &'static str = $what;
            fn read($text: &str) -> Result<Self, String> {
                $read
            }
        }

        impl<'de, $($($p: $bound),+)?> Deserialize<'de> for $t {
            fn deserialize<D_: Deserializer<'de>>(deserializer: D_) -> Result<Self, D_::Error> {
                deserializer.deserialize_str(Reader(PhantomData))
            }
        }
    )+};
}

as_text! {
    DynLayout => "a layout", |text| parsed(text);
    IntTuple => "a shape", |text| parsed(text);
    Tiler => "a tiler", |text| parsed(text);
    Slicer => "a coordinate", |text| parsed(text);
    MorelloLayout => "a Morello layout without a shape", |text| parsed(text);
    SpyreLayout => "a Spyre layout", |text| parsed(text);
    MetalLayout => "a Tenstorrent layout", |text| parsed(text);
    ComposedLayout => "a swizzled layout", |text| {
        match text::eval(text).map_err(|error| format!("{error}"))? {
            Value::Composed(layout) => Ok(layout),
            other => Err(format!("{other} is not a swizzled layout")),
        }
    };
    Layout<S, D> [S: Tree, D: Tree] => "the layout of this type", |text| typed(text);
    Mixed<S, D> [S: Tree, D: Tree] => "a layout of this type", |text| typed(text);
}

fn parsed<T: core::str::FromStr<Err = ParseError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: ParseError| format!("{error}"))
}

fn typed<T: TryFrom<DynLayout, Error = LayoutError>>(text: &str) -> Result<T, String> {
    T::try_from(parsed(text)?).map_err(|error| format!("{error}"))
}
