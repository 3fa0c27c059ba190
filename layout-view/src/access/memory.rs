//! Memories: what one instruction of several threads costs in each.

use layout_core::error::{AccessError, LayoutError};

/// How a memory serves the accesses of several threads.
///
/// ```
/// use layout_view::access::Memory;
/// let shared = Memory::of_name("gpu-shared").unwrap();
/// let banks = shared.banks.unwrap();
/// assert_eq!((banks.count, banks.bytes, shared.group), (32, 4, Some(32)));
/// assert!(Memory::of_name("tape").is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Its name.
    pub name: &'static str,
    /// The threads whose accesses are one instruction: a warp. Without it there is time for all
    /// accesses, as in a cache: all of them count together.
    pub group: Option<usize>,
    /// Its banks.
    pub banks: Option<Banks>,
    /// The bytes of a cache line.
    pub line: Option<usize>,
    /// The bytes of a sector: the part of a line that is moved alone.
    pub sector: Option<usize>,
    /// The bytes of the widest access of one thread.
    pub widest: Option<usize>,
}

/// Parts of a memory that work at the same time: word `w` is in bank `w mod count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banks {
    /// How many there are.
    pub count: usize,
    /// The bytes of a word of a bank.
    pub bytes: usize,
    /// How many different words of one bank are served without loss: 1, or the ways of a cache.
    pub ways: usize,
}

/// The most that a number of a memory may be.
const MAX_NUMBER: usize = 1 << 20;

impl Memory {
    /// The memories that have a name.
    ///
    /// * `gpu-shared`: 32 banks of 4 bytes, warps of 32 threads. Accesses of 4 bytes are served for a
    ///   whole warp at once, those of 8 bytes for half of it, those of 16 bytes for a quarter. A word
    ///   that several threads read is read once.
    /// * `gpu-global`: lines of 128 bytes in sectors of 32 bytes, warps of 32 threads.
    /// * `cpu`: lines of 64 bytes. A line that was read stays, so that all accesses count together.
    /// * `l1`: the same, and a cache of 32 KiB: 64 sets of 8 ways. A set is a bank whose word is a
    ///   line, and 8 lines of a set stay.
    pub const ALL: [Self; 4] = [
        Self {
            name: "gpu-shared",
            group: Some(32),
            banks: Some(Banks { count: 32, bytes: 4, ways: 1 }),
            line: None,
            sector: None,
            widest: Some(16),
        },
        Self {
            name: "gpu-global",
            group: Some(32),
            banks: None,
            line: Some(128),
            sector: Some(32),
            widest: Some(16),
        },
        Self { name: "cpu", group: None, banks: None, line: Some(64), sector: None, widest: None },
        Self {
            name: "l1",
            group: None,
            banks: Some(Banks { count: 64, bytes: 64, ways: 8 }),
            line: Some(64),
            sector: None,
            widest: None,
        },
    ];

    /// The memory of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|memory| memory.name == name)
    }

    /// This memory with other numbers, where they are given. Banks alone are of 4 bytes, and bytes
    /// alone of 32 banks. It has no name then.
    ///
    /// # Errors
    ///
    /// [`AccessError::ZeroMemory`] for a number that is 0 or above 2^20.
    pub fn with(mut self, numbers: &Numbers) -> Result<Self, LayoutError> {
        let Numbers { banks, bank_bytes, line, sector, group } = *numbers;
        let given = [banks, bank_bytes, line, sector, group];
        if given.iter().flatten().any(|&number| number == 0 || number > MAX_NUMBER) {
            return Err(AccessError::ZeroMemory.into());
        }
        if given.iter().any(Option::is_some) {
            self.name = "custom";
        }
        if banks.is_some() || bank_bytes.is_some() {
            let old = self.banks.unwrap_or(Banks { count: 32, bytes: 4, ways: 1 });
            let (count, bytes) = (banks.unwrap_or(old.count), bank_bytes.unwrap_or(old.bytes));
            self.banks = Some(Banks { count, bytes, ..old });
        }
        self.line = line.or(self.line);
        self.sector = sector.or(self.sector);
        self.group = group.or(self.group);
        Ok(self)
    }

    /// The bytes that are moved at once: a sector, or a whole line.
    pub(super) fn moved_at_once(&self) -> Option<usize> {
        self.sector.or(self.line)
    }

    /// How many threads of an instruction the banks serve at once, when each accesses so many bits:
    /// 32, 16 and 8 for the 4, 8 and 16 bytes of a GPU.
    pub(super) fn threads_at_once(&self, access_bits: usize, threads: usize) -> usize {
        match (self.banks, self.group) {
            (Some(banks), Some(_)) => {
                (banks.count * banks.bytes * 8 / access_bits.max(1)).clamp(1, threads.max(1))
            }
            _ => threads.max(1),
        }
    }
}

/// Numbers of a memory that differ from those of its name.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Numbers {
    /// The number of banks.
    pub banks: Option<usize>,
    /// The bytes of a word of a bank.
    pub bank_bytes: Option<usize>,
    /// The bytes of a cache line.
    pub line: Option<usize>,
    /// The bytes of a sector.
    pub sector: Option<usize>,
    /// The threads of an instruction.
    pub group: Option<usize>,
}
