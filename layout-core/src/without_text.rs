//! `parse` without the feature `text`: a compile error that names the feature, rather than "no such
//! function".

use core::str::FromStr;

use crate::devices::spyre::SpyreLayout;
use crate::devices::tenstorrent::MetalLayout;
use crate::engine::{
    CoordinateLayout, DynLayout, IntTuple, LinearLayout, MorelloLayout, Slicer, Tiler,
};

/// Marks notation that is parsed at run time.
pub struct TextAtRunTime<'a>(&'a str);

/// Implemented only with the feature `text`.
#[diagnostic::on_unimplemented(
    message = "notation at run time needs the feature `text` of static-layout",
    label = "this reads text at run time",
    note = "write `static-layout = {{ version = \"0.1\", features = [\"text\"] }}` in Cargo.toml, or the layout in `layout!`"
)]
pub trait Enabled {}

macro_rules! without_text {
    ($($type:ty)+) => {$(
        impl $type {
            /// Needs the feature `text`.
            pub fn parse(_: &str) -> Result<Self, core::convert::Infallible>
            where
                for<'a> TextAtRunTime<'a>: Enabled,
            {
                unreachable!("nothing has this bound")
            }
        }

        impl FromStr for $type
        where
            for<'a> TextAtRunTime<'a>: Enabled,
        {
            type Err = core::convert::Infallible;

            fn from_str(_: &str) -> Result<Self, Self::Err> {
                unreachable!("nothing has this bound")
            }
        }
    )+};
}
read_from_text!(without_text);
