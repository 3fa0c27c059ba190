//! The element types of device notations, and the number of bits they take.

use crate::devices::print::named;

named! {
    /// The type of the elements of a tensor. A layout depends only on its number of bits.
    ///
    /// Each type prints as one name. The names of other systems are parsed, too.
    ///
    /// ```
    /// use static_layout::devices::ElementType;
    /// assert_eq!(ElementType::of_name("fp16"), Some(ElementType::F16));
    /// assert_eq!(ElementType::F16.to_string(), "f16");
    /// assert_eq!(ElementType::of_name("fp9"), None);
    /// ```
    #[non_exhaustive]
    pub enum ElementType {
        /// IEEE 754 binary64.
        F64: "f64" "fp64" "float64" "double",
        /// IEEE 754 binary32.
        F32: "f32" "fp32" "float32" "float",
        /// IEEE 754 binary16.
        F16: "f16" "fp16" "float16" "half",
        /// The upper half of a binary32.
        Bf16: "bf16" "bfloat16",
        /// Spyre's 16-bit float: 6 bits of exponent, 9 of mantissa.
        Dl16: "dl16" "DL16" "SEN169_FP16",
        /// The 8-bit float with 4 bits of exponent.
        F8E4M3: "f8e4m3" "fp8e4m3" "float8_e4m3fn" "f8E4M3FN" "f8e4m3fn" "fp8_e4m3" "f8" "fp8" "SEN143_FP8",
        /// The 8-bit float with 5 bits of exponent.
        F8E5M2: "f8e5m2" "fp8e5m2" "float8_e5m2" "f8E5M2" "fp8_e5m2" "SEN152_FP8",
        /// A signed integer of 64 bits.
        I64: "i64" "int64" "si64",
        /// A signed integer of 32 bits.
        I32: "i32" "int32" "si32",
        /// A signed integer of 16 bits.
        I16: "i16" "int16" "si16",
        /// A signed integer of 8 bits.
        I8: "i8" "int8" "si8",
        /// A signed integer of 4 bits.
        I4: "i4" "int4" "si4",
        /// A signed integer of 2 bits.
        I2: "i2" "int2" "si2",
        /// An unsigned integer of 64 bits.
        U64: "u64" "uint64" "ui64",
        /// An unsigned integer of 32 bits.
        U32: "u32" "uint32" "ui32",
        /// An unsigned integer of 16 bits.
        U16: "u16" "uint16" "ui16",
        /// An unsigned integer of 8 bits.
        U8: "u8" "uint8" "ui8",
        /// An unsigned integer of 4 bits.
        U4: "u4" "uint4" "ui4",
        /// An unsigned integer of 2 bits.
        U2: "u2" "uint2" "ui2",
        /// A boolean, in a byte.
        Bool: "bool" "i1",
        /// A block float of 8 bits, with the exponent of a binary16.
        BfpF8: "bfp_f8",
        /// A block float of 8 bits, with the exponent of a binary32.
        BfpBf8: "bfp_bf8",
        /// A block float of 4 bits, with the exponent of a binary16.
        BfpF4: "bfp_f4",
        /// A block float of 4 bits, with the exponent of a binary32.
        BfpBf4: "bfp_bf4",
        /// A block float of 2 bits, with the exponent of a binary16.
        BfpF2: "bfp_f2",
        /// A block float of 2 bits, with the exponent of a binary32.
        BfpBf2: "bfp_bf2",
    }
}

/// The number of block floats that share an exponent, which takes a byte.
const BLOCK: usize = 16;

impl ElementType {
    /// The number of bits of an element in memory, without the exponent that block floats share.
    pub const fn bits(self) -> usize {
        match self {
            Self::F64 | Self::I64 | Self::U64 => 64,
            Self::F32 | Self::I32 | Self::U32 => 32,
            Self::F16 | Self::Bf16 | Self::Dl16 | Self::I16 | Self::U16 => 16,
            Self::F8E4M3 | Self::F8E5M2 | Self::I8 | Self::U8 | Self::Bool => 8,
            Self::BfpF8 | Self::BfpBf8 => 8,
            Self::I4 | Self::U4 | Self::BfpF4 | Self::BfpBf4 => 4,
            Self::I2 | Self::U2 | Self::BfpF2 | Self::BfpBf2 => 2,
        }
    }

    /// Whether 16 neighbours share an exponent. Such elements exist only in tiles and have no
    /// address of their own.
    pub const fn is_block_float(self) -> bool {
        matches!(
            self,
            Self::BfpF8 | Self::BfpBf8 | Self::BfpF4 | Self::BfpBf4 | Self::BfpF2 | Self::BfpBf2
        )
    }

    /// The number of bytes of `elements` elements that are stored together; `None` on overflow.
    ///
    /// ```
    /// use static_layout::devices::ElementType;
    /// assert_eq!(ElementType::F32.bytes(32 * 32), Some(4096));
    /// // 8 bits each, and 64 exponents.
    /// assert_eq!(ElementType::BfpBf8.bytes(32 * 32), Some(1088));
    /// ```
    #[inline]
    pub const fn bytes(self, elements: usize) -> Option<usize> {
        let bytes = match elements.checked_mul(self.bits()) {
            Some(bits) => bits.div_ceil(8),
            None => return None,
        };
        if self.is_block_float() {
            bytes.checked_add(elements.div_ceil(BLOCK))
        } else {
            Some(bytes)
        }
    }
}
