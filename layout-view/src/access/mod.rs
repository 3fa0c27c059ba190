//! Memory access: which banks, lines and sectors threads touch, and the swizzle that helps.
//!
//! The offset of an element times its bits is its address; the tensor starts at a multiple of all
//! widths. An instruction is one access of each thread of a group, such as a warp of 32. Its accesses
//! are served in phases: as many threads at once as the banks have bytes for. The conflict degree of
//! a phase is the number of different words in its busiest bank.
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

/// What is accessed, and how.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The layout of the elements.
    pub layout: ComposedLayout,
    /// The type of the elements.
    pub element: ElementType,
    /// The memory.
    pub memory: Memory,
    /// The elements of one access of a thread; the longest legal vector without it.
    pub vector: Option<usize>,
}

/// What accesses to a layout cost, and the swizzle that removes the conflicts of all of them.
#[derive(Clone, Debug)]
pub struct Analysis {
    request: Request,
    accesses: Vec<Access>,
    remedy: Remedy,
}

impl Analysis {
    /// The analysis of some accesses to one layout, such as the writes by rows and the reads by
    /// columns of a transposition.
    ///
    /// # Errors
    ///
    /// For elements without an address, a vector that does not fit, and addresses that are no numbers.
    pub fn new(request: &Request, accesses: Vec<Threads>) -> Result<Self, LayoutError> {
        let Request { layout, element, memory, vector } = *request;
        if element.is_block_float() {
            return Err(AccessError::NoAddress.into());
        }
        let bits = element.bits();
        // Twice, because a swizzled offset may exceed the others by as much.
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

    /// What was asked.
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// Each access, in the order in which they were given.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// What a swizzle can do.
    pub const fn remedy(&self) -> &Remedy {
        &self.remedy
    }
}

/// The layout of offsets that a text stands for, swizzled or not, or the one that a placement is.
///
/// # Errors
///
/// For values that have no such layout.
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
