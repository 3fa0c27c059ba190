//! Colours that are distinguishable with any colour vision and in print, with readable text on
//! them.

/// The kind of a colour scale: categorical or sequential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Adjacent colours differ as much as possible.
    Categories,
    /// From light to dark.
    Ramp,
}

/// The colours of a scale as red, green and blue, for light paper and for a dark screen. Black text
/// is readable on all light colours, white text on all dark colours: a contrast of at least 4.5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette {
    /// For white backgrounds.
    pub light: &'static [[u8; 3]],
    /// For black backgrounds.
    pub dark: &'static [[u8; 3]],
}

/// Paul Tol's light scheme, distinguishable with all kinds of colour vision, ordered so that
/// adjacent colours also differ in lightness; and darker versions of the same hues for white text.
const CATEGORICAL_PALETTE: Palette = Palette {
    light: &[
        [0x99, 0xdd, 0xff],
        [0xee, 0x88, 0x66],
        [0xee, 0xdd, 0x88],
        [0x77, 0xaa, 0xdd],
        [0xff, 0xaa, 0xbb],
        [0x44, 0xbb, 0x99],
        [0xdd, 0xdd, 0xdd],
        [0xbb, 0xcc, 0x33],
    ],
    dark: &[
        [0x1b, 0x6d, 0x94],
        [0xa2, 0x46, 0x22],
        [0x7d, 0x68, 0x14],
        [0x2c, 0x51, 0x8f],
        [0x9a, 0x40, 0x63],
        [0x10, 0x6d, 0x52],
        [0x5c, 0x5c, 0x66],
        [0x55, 0x58, 0x06],
    ],
};

/// A ramp from pale yellow over green to blue, each step darker than the one before.
const RAMP_PALETTE: Palette = Palette {
    light: &[
        [0xff, 0xfd, 0xe4],
        [0xf4, 0xf9, 0xd4],
        [0xe6, 0xf4, 0xc6],
        [0xd4, 0xed, 0xc0],
        [0xbf, 0xe5, 0xbe],
        [0xa8, 0xdb, 0xc0],
        [0x92, 0xd1, 0xc4],
        [0x7f, 0xc6, 0xca],
        [0x72, 0xba, 0xd1],
        [0x6b, 0xad, 0xd6],
        [0x69, 0x9f, 0xd8],
        [0x6c, 0x91, 0xd6],
    ],
    dark: &[
        [0x14, 0x1d, 0x36],
        [0x16, 0x27, 0x44],
        [0x17, 0x31, 0x50],
        [0x18, 0x3b, 0x5a],
        [0x19, 0x45, 0x62],
        [0x1a, 0x4f, 0x68],
        [0x1c, 0x59, 0x6c],
        [0x20, 0x63, 0x6e],
        [0x26, 0x6c, 0x6d],
        [0x2d, 0x74, 0x6a],
        [0x36, 0x7b, 0x65],
        [0x42, 0x81, 0x5e],
    ],
};

impl Scale {
    /// Its colours.
    pub const fn palette(self) -> Palette {
        match self {
            Self::Categories => CATEGORICAL_PALETTE,
            Self::Ramp => RAMP_PALETTE,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Categories => "categories",
            Self::Ramp => "ramp",
        }
    }
}

/// `#99ddff`
pub(crate) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG's relative luminance.
    fn luminance(color: [u8; 3]) -> f64 {
        let linear = |byte: u8| {
            let c = f64::from(byte) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2])
    }

    #[test]
    fn text_is_readable() {
        for palette in [CATEGORICAL_PALETTE, RAMP_PALETTE] {
            assert_eq!(palette.light.len(), palette.dark.len());
            for &color in palette.light {
                assert!((luminance(color) + 0.05) / 0.05 >= 4.5, "{color:?} below black");
            }
            for &color in palette.dark {
                assert!(1.05 / (luminance(color) + 0.05) >= 4.5, "{color:?} below white");
            }
        }
    }

    #[test]
    fn a_ramp_is_in_order() {
        assert!(RAMP_PALETTE.light.windows(2).all(|pair| luminance(pair[0]) > luminance(pair[1])));
        assert!(RAMP_PALETTE.dark.windows(2).all(|pair| luminance(pair[0]) < luminance(pair[1])));
    }
}
