//! Memory access: the banks, lines and sectors that threads touch, and a swizzle that removes bank
//! conflicts.
//!
//! The address of an element is its offset times its width in bits; the tensor starts at a multiple
//! of all widths. An instruction is one access by each thread of a group, such as a warp of 32. It
//! is served in phases: each phase takes as many threads as the banks can serve together. The
//! conflict degree of a phase is the number of different words in its busiest bank.
//!
//! ```
//! use layout_core::{devices::ElementType, engine::DynLayout, text::Value};
//! use layout_view::access::{Analysis, Memory, Remedy, Request, Threads};
//!
//! // 32 threads read a column of a 32 by 32 tile, stored by rows.
//! let tile = DynLayout::parse("(32,32):(32,1)")?.into();
//! let columns = Threads::thread_value(&Value::parse("(32,32):(1,32)")?, &tile)?;
//! let shared = Memory::of_name("gpu-shared").unwrap();
//! let request = Request { layout: tile, element: ElementType::F32, memory: shared, vector: Some(1) };
//! let analysis = Analysis::new(&request, vec![columns])?;
//! assert_eq!(analysis.accesses()[0].degree_of_worst(), 32);
//! let Remedy::Removes(found) = analysis.remedy() else { panic!("there is one") };
//! assert_eq!(found.layout.to_string(), "Sw<5,0,5> o 0 o (32,32):(32,1)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use layout_core::devices::ElementType;
use layout_core::engine::ComposedLayout;
use layout_core::error::{AccessError, LayoutError};
use layout_core::text::Value;

mod memory;
mod phases;
mod report;
mod swizzle;
mod text;
mod threads;

pub use memory::{Banks, Memory, Numbers};
pub use phases::{Access, BankUse, Instruction, Phase};
pub use swizzle::{Remedy, Swizzled};
pub use text::{Question, Width, Written, Wrong};
pub use threads::{MOST_ACCESSES, Threads};

/// A layout and the parameters of the accesses to it.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The layout of the elements.
    pub layout: ComposedLayout,
    /// The type of the elements.
    pub element: ElementType,
    /// The memory.
    pub memory: Memory,
    /// Elements per access of a thread. `None`: the longest legal vector.
    pub vector: Option<usize>,
}

/// The cost of accesses to a layout, and the swizzle that removes the conflicts of all of them.
#[derive(Clone, Debug)]
pub struct Analysis {
    request: Request,
    accesses: Vec<Access>,
    remedy: Remedy,
}

impl Analysis {
    /// Analyses several accesses to one layout, such as the row-wise writes and the column-wise
    /// reads of a transposition.
    ///
    /// # Errors
    ///
    /// If elements have no address, a vector does not fit, or addresses are not integers.
    pub fn new(request: &Request, accesses: Vec<Threads>) -> Result<Self, LayoutError> {
        let Request { layout, element, memory, vector } = *request;
        if element.is_block_float() {
            return Err(AccessError::NoAddress.into());
        }
        let bits = element.bits();
        // Factor 2: a swizzled offset may be up to twice as large as the largest plain one.
        if layout.cosize_bound().checked_mul(2 * bits).is_none() {
            let (shape, stride) = (layout.shape(), layout.layout().stride());
            return Err(LayoutError::CosizeOverflow { shape, stride });
        }
        let accesses = accesses.into_iter();
        let accesses = accesses.map(|threads| Access::new(&layout, bits, memory, threads, vector));
        let accesses = accesses.collect::<Result<Vec<_>, _>>()?;
        let remedy = swizzle::remedy(&layout, &memory, &accesses)?;
        Ok(Self { request: *request, accesses, remedy })
    }

    /// The request that was analysed.
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// The accesses, in the order given.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// What a swizzle can achieve.
    pub const fn remedy(&self) -> &Remedy {
        &self.remedy
    }
}

/// Converts a value to a layout of offsets, swizzled or not. A placement gives its layout.
///
/// # Errors
///
/// If the value has no such layout.
pub fn offsets_of(value: &Value) -> Result<ComposedLayout, LayoutError> {
    let placement = match value {
        Value::Spyre(layout) => layout.placement(),
        Value::CurrentSpyre(layout) => layout.try_placement()?,
        Value::Tenstorrent(tensor) => tensor.layout().placement(),
        Value::At(at) => {
            let (layout, offset) = (Value::from(at.0).layout()?, Value::from(at.1).integer()?);
            return ComposedLayout::new(&swizzle::IDENTITY, offset, &layout);
        }
        Value::Linear(layout) => return layout.to_composed(),
        _ => return value.composed(),
    };
    Ok(placement.to_layout()?.into())
}
