//! Instructions, their phases, and the cost of each.

use std::ops::Range;

use layout_core::engine::ComposedLayout;
use layout_core::error::{AccessError, LayoutError};

use super::memory::{Banks, Memory};
use super::threads::Threads;

/// The accesses of threads to the elements of a layout, split into instructions of a memory.
///
/// An instruction is one vector of each thread of a group. A phase is the part of an instruction
/// that the banks serve together.
#[derive(Clone, Debug)]
pub struct Access {
    threads: Threads,
    memory: Memory,
    /// The bits of an element.
    bits: usize,
    vector: usize,
    longest_vector: usize,
    // The offset of the first element of each vector, indexed by vector, then by thread.
    starts: Vec<usize>,
    instructions: Vec<Instruction>,
    phases: Vec<Phase>,
}

/// One vector of each thread of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its threads.
    pub threads: Range<usize>,
    /// The values that it accesses. In a cache, this covers all vectors of a thread.
    pub values: Range<usize>,
    /// Its phases, as a range of indices into [`Access::phases`].
    pub phases: Range<usize>,
    /// The bytes that the threads request; bytes requested several times count once.
    pub wanted: usize,
    /// The cache lines that it touches, if the memory has lines.
    pub lines: Option<usize>,
    /// The sectors that it touches, if the memory has sectors.
    pub sectors: Option<usize>,
    /// The bytes that are moved for it: whole sectors, or whole lines.
    pub moved: Option<usize>,
}

/// The accesses of an instruction that the banks serve together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// The index of its instruction.
    pub instruction: usize,
    /// Its threads.
    pub threads: Range<usize>,
    /// Number of different words that it needs.
    pub words: usize,
    /// Number of different words that the busiest bank serves in sequence: the conflict degree. 1
    /// means no conflict.
    pub degree: usize,
    /// The smallest degree that any arrangement of these words can have.
    pub least: usize,
}

/// The load of a bank in a phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BankUse {
    /// The index of the bank.
    pub bank: usize,
    /// The different words that it has to serve.
    pub words: Vec<usize>,
    /// The threads that request one of these words.
    pub threads: Vec<usize>,
}

impl Access {
    pub(super) fn new(
        layout: &ComposedLayout,
        bits: usize,
        memory: Memory,
        threads: Threads,
        vector: Option<usize>,
    ) -> Result<Self, LayoutError> {
        let offset = |thread, value| layout.offset_of_index(threads.at(thread, value));
        let (count, values) = (threads.threads(), threads.values());
        let widest = memory.widest.map(|bytes| bytes * 8);
        let legal = |width: usize| {
            widest.is_none_or(|widest| width * bits <= widest || width == 1)
                && values.is_multiple_of(width)
                && find_broken_vector(width, count, values, &offset).is_none()
        };
        let mut longest_vector = 1;
        while values > 0 && legal(2 * longest_vector) {
            longest_vector *= 2;
        }
        if let Some(width) = vector {
            if !width.is_power_of_two() || !values.is_multiple_of(width) {
                return Err(AccessError::VectorWidth { width, values }.into());
            }
            let bits = width.saturating_mul(bits);
            if let Some(limit) = widest.filter(|&limit| bits > limit && width > 1) {
                return Err(AccessError::WideVector { bits, limit }.into());
            }
            if let Some(error) = find_broken_vector(width, count, values, &offset) {
                return Err(error.into());
            }
        }
        let vector = vector.unwrap_or(longest_vector);
        let first_values = (0..values).step_by(vector.max(1));
        let starts = first_values.flat_map(|value| (0..count).map(move |thread| (thread, value)));
        let starts = starts.map(|(thread, value)| offset(thread, value)).collect();
        let (instructions, phases) = (Vec::new(), Vec::new());
        let mut access =
            Self { threads, memory, bits, vector, longest_vector, starts, instructions, phases };
        access.schedule();
        Ok(access)
    }

    /// Splits the accesses into instructions and phases.
    fn schedule(&mut self) {
        let (threads, vectors) = (self.threads.threads(), self.vectors());
        let group = self.memory.group.unwrap_or(threads).min(threads).max(1);
        let threads_per_phase = self.memory.threads_per_phase(self.access_bits(), group);
        // Without groups of threads all accesses form one instruction.
        let step = if self.memory.group.is_some() { 1 } else { vectors.max(1) };
        for first in (0..vectors).step_by(step) {
            for start in (0..threads).step_by(group) {
                let group_threads = start..(start + group).min(threads);
                let (instruction, first_phase) = (self.instructions.len(), self.phases.len());
                if let Some(banks) = self.memory.banks {
                    for start in group_threads.clone().step_by(threads_per_phase) {
                        let threads = start..(start + threads_per_phase).min(group_threads.end);
                        let starts = self.start_offsets(first..first + step, threads.clone());
                        let (words, degree) = self.degree(banks, starts);
                        let least = words.div_ceil(banks.count);
                        self.phases.push(Phase { instruction, threads, words, degree, least });
                    }
                }
                let (values, phases) = (
                    first * self.vector..(first + step) * self.vector,
                    first_phase..self.phases.len(),
                );
                let (wanted, lines, sectors, moved) = self.traffic(&values, &group_threads);
                self.instructions.push(Instruction {
                    threads: group_threads,
                    values,
                    phases,
                    wanted,
                    lines,
                    sectors,
                    moved,
                });
            }
        }
    }

    /// The start offsets of the vectors of a range of threads.
    pub(super) fn start_offsets(
        &self,
        vectors: Range<usize>,
        threads: Range<usize>,
    ) -> impl Iterator<Item = usize> + '_ {
        let count = self.threads.threads();
        vectors.flat_map(move |v| self.starts[v * count..][threads.clone()].iter().copied())
    }

    /// The vectors and threads of a phase.
    pub(super) fn vectors_and_threads(&self, phase: &Phase) -> (Range<usize>, Range<usize>) {
        let values = &self.instructions[phase.instruction].values;
        (values.start / self.vector..values.end / self.vector, phase.threads.clone())
    }

    /// Number of words that vectors at these offsets need, and number of words in the busiest bank.
    pub(super) fn degree(
        &self,
        banks: Banks,
        starts: impl Iterator<Item = usize>,
    ) -> (usize, usize) {
        let words = self.words(banks.bytes, starts);
        let mut banks: Vec<_> = words.iter().map(|word| word % banks.count).collect();
        banks.sort_unstable();
        let busiest = banks.chunk_by(|a, b| a == b).map(<[_]>::len).max();
        (words.len(), busiest.unwrap_or(0))
    }

    /// The different units of `bytes` bytes that vectors at these offsets touch, sorted.
    fn words(&self, bytes: usize, starts: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut words: Vec<_> = starts.flat_map(|start| self.word_range(bytes, start)).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The units of `bytes` bytes that the vector at an offset touches.
    fn word_range(&self, bytes: usize, start: usize) -> Range<usize> {
        let (first, unit) = (start * self.bits, bytes * 8);
        first / unit..(first + self.access_bits() - 1) / unit + 1
    }

    fn traffic(
        &self,
        values: &Range<usize>,
        threads: &Range<usize>,
    ) -> (usize, Option<usize>, Option<usize>, Option<usize>) {
        let starts = || {
            let vectors = values.start / self.vector..values.end / self.vector;
            self.start_offsets(vectors, threads.clone())
        };
        let count = |bytes: Option<usize>| bytes.map(|bytes| self.words(bytes, starts()).len());
        let mut unique_starts: Vec<_> = starts().collect();
        unique_starts.sort_unstable();
        unique_starts.dedup();
        let wanted = (unique_starts.len() * self.access_bits()).div_ceil(8);
        let (lines, sectors) = (count(self.memory.line), count(self.memory.sector));
        let unit = self.memory.transfer_bytes();
        let moved = unit.and_then(|bytes| Some(sectors.or(lines)? * bytes));
        (wanted, lines, sectors, moved)
    }

    /// The load of each bank in a phase, in the order of the banks.
    pub fn banks(&self, phase: &Phase) -> Vec<BankUse> {
        let Some(banks) = self.memory.banks else { return Vec::new() };
        let (vectors, threads) = self.vectors_and_threads(phase);
        let mut bank_accesses = Vec::new();
        for thread in threads {
            for start in self.start_offsets(vectors.clone(), thread..thread + 1) {
                let words = self.word_range(banks.bytes, start);
                bank_accesses.extend(words.map(|word| (word % banks.count, word, thread)));
            }
        }
        bank_accesses.sort_unstable();
        let bank_uses = bank_accesses.chunk_by(|a, b| a.0 == b.0).map(|bank_accesses| {
            let mut words: Vec<_> = bank_accesses.iter().map(|access| access.1).collect();
            let mut threads: Vec<_> = bank_accesses.iter().map(|access| access.2).collect();
            words.dedup();
            threads.sort_unstable();
            threads.dedup();
            BankUse { bank: bank_accesses[0].0, words, threads }
        });
        bank_uses.collect()
    }

    /// The threads and their elements.
    pub const fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Elements per access of a thread.
    pub const fn vector(&self) -> usize {
        self.vector
    }

    /// The longest legal vector in elements, a power of two: the elements of each access are
    /// contiguous in memory, and each access is aligned to its width.
    pub const fn longest_vector(&self) -> usize {
        self.longest_vector
    }

    /// Bits per access of a thread.
    pub const fn access_bits(&self) -> usize {
        self.vector * self.bits
    }

    /// Number of accesses of a thread.
    pub(super) const fn vectors(&self) -> usize {
        self.threads.values().div_ceil(self.vector)
    }

    /// The instructions, ordered by vector, then by group.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// The phases of all instructions; empty for a memory without banks.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The largest conflict degree of all phases; 0 without phases.
    pub fn degree_of_worst(&self) -> usize {
        self.phases.iter().map(|phase| phase.degree).max().unwrap_or(0)
    }

    /// Number of phases whose conflict another arrangement of their words would avoid.
    pub fn conflicted(&self) -> usize {
        let Some(banks) = self.memory.banks else { return 0 };
        self.phases.iter().filter(|phase| phase.degree > phase.least.max(banks.ways)).count()
    }

    /// Sum over all phases of the words that the busiest bank serves in sequence, and the minimum
    /// of that sum.
    pub fn passes(&self) -> (usize, usize) {
        let sum = |of: fn(&Phase) -> usize| self.phases.iter().map(of).sum();
        (sum(|phase| phase.degree), sum(|phase| phase.least))
    }

    /// Bytes requested (counted once per instruction) and bytes moved.
    pub fn bytes(&self) -> (usize, Option<usize>) {
        let wanted = self.instructions.iter().map(|one| one.wanted).sum();
        (wanted, self.instructions.iter().map(|one| one.moved).sum())
    }

    /// The requested fraction of the moved bytes.
    pub fn efficiency(&self) -> Option<f64> {
        let (wanted, moved) = self.bytes();
        moved.filter(|&moved| moved > 0).map(|moved| wanted as f64 / moved as f64)
    }
}

/// The first value that breaks contiguity or alignment of a vector of this width.
fn find_broken_vector(
    width: usize,
    threads: usize,
    values: usize,
    offset: &impl Fn(usize, usize) -> usize,
) -> Option<AccessError> {
    for first in (0..values).step_by(width) {
        for thread in 0..threads {
            let start = offset(thread, first);
            let aligned = start / width * width;
            for value in first..first + width {
                let (offset, expected) = (offset(thread, value), aligned + value - first);
                if offset != expected {
                    return Some(AccessError::BrokenVector {
                        width,
                        thread,
                        value,
                        offset,
                        expected,
                    });
                }
            }
        }
    }
    None
}
