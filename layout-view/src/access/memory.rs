//! Memories, and what one access instruction of a group of threads costs in each.

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
    /// Number of threads whose accesses form one instruction (a warp). `None`: all accesses count
    /// together, as in a cache.
    pub group: Option<usize>,
    /// Its banks.
    pub banks: Option<Banks>,
    /// The bytes of a cache line.
    pub line: Option<usize>,
    /// The bytes of a sector: the part of a line that can be moved on its own.
    pub sector: Option<usize>,
    /// The bytes of the widest access of one thread.
    pub widest: Option<usize>,
}

/// Banks: parts of a memory that work in parallel. Word `w` is in bank `w mod count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banks {
    /// Number of banks.
    pub count: usize,
    /// The bytes of a word of a bank.
    pub bytes: usize,
    /// How many different words of one bank are served without conflict: 1, or the ways of a cache.
    pub ways: usize,
}

/// Upper limit of each parameter of a memory.
const MAX_PARAMETER: usize = 1 << 20;

impl Memory {
    /// The named memories.
    ///
    /// * `gpu-shared`: 32 banks of 4 bytes, warps of 32 threads. Accesses of 4 bytes are served for
    ///   a whole warp together, accesses of 8 bytes for half a warp, accesses of 16 bytes for a
    ///   quarter. A word that several threads read is read once (broadcast).
    /// * `gpu-global`: lines of 128 bytes in sectors of 32 bytes, warps of 32 threads.
    /// * `cpu`: lines of 64 bytes. A line stays cached once it was read, so all accesses count
    ///   together.
    /// * `l1`: like `cpu`, with a cache of 32 KiB: 64 sets of 8 ways. A set is modelled as a bank
    ///   whose word is a line and that holds 8 lines without conflict.
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

    /// The memory with this name; `None` if there is no such memory.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|memory| memory.name == name)
    }

    /// This memory with the given parameters replaced. A bank count alone implies words of 4 bytes;
    /// a word size alone implies 32 banks. The result has no name.
    ///
    /// # Errors
    ///
    /// [`AccessError::ZeroMemory`] if a parameter is 0 or above 2^20.
    pub fn with(mut self, numbers: &Numbers) -> Result<Self, LayoutError> {
        let Numbers { banks, bank_bytes, line, sector, group } = *numbers;
        let parameters = [banks, bank_bytes, line, sector, group];
        if parameters.iter().flatten().any(|&number| number == 0 || number > MAX_PARAMETER) {
            return Err(AccessError::ZeroMemory.into());
        }
        if parameters.iter().any(Option::is_some) {
            self.name = "custom";
        }
        if banks.is_some() || bank_bytes.is_some() {
            let previous = self.banks.unwrap_or(Banks { count: 32, bytes: 4, ways: 1 });
            let (count, bytes) =
                (banks.unwrap_or(previous.count), bank_bytes.unwrap_or(previous.bytes));
            self.banks = Some(Banks { count, bytes, ..previous });
        }
        self.line = line.or(self.line);
        self.sector = sector.or(self.sector);
        self.group = group.or(self.group);
        Ok(self)
    }

    /// Bytes moved per transfer: a sector, or a whole line.
    pub(super) fn transfer_bytes(&self) -> Option<usize> {
        self.sector.or(self.line)
    }

    /// Number of threads of an instruction that the banks serve in one phase if each thread
    /// accesses `bits` bits: 32, 16 and 8 for accesses of 4, 8 and 16 bytes on a GPU.
    pub(super) fn threads_per_phase(&self, access_bits: usize, threads: usize) -> usize {
        match (self.banks, self.group) {
            (Some(banks), Some(_)) => {
                (banks.count * banks.bytes * 8 / access_bits.max(1)).clamp(1, threads.max(1))
            }
            _ => threads.max(1),
        }
    }
}

/// Parameters that override those of a named memory.
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
