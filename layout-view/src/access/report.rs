//! Prints an analysis as text and as JSON.

use std::fmt;
use std::ops::Range;

use serde_json::{Value as Json, json};

use crate::SCHEMA;

use super::phases::{Access, BankUse, Instruction, Phase};
use super::swizzle::{Remedy, Swizzled};
use super::{Analysis, Memory};

/// Maximum number of phases or instructions in JSON output.
const MAX_LISTED: usize = 64;
/// Maximum number of phases or instructions in text output.
const MAX_SHOWN: usize = 8;
/// Maximum number of elements listed per access.
const MAX_ELEMENTS: usize = 1 << 12;

impl Analysis {
    /// One JSON object. It lists at most 64 phases and instructions per access; the totals cover
    /// all of them.
    pub fn to_json(&self) -> Json {
        let request = self.request();
        json!({
            "schema": SCHEMA,
            "layout": request.layout.to_string(),
            "element": request.element.to_string(),
            "memory": memory(&request.memory),
            "accesses": self.accesses().iter().map(|one| self.access(one)).collect::<Vec<_>>(),
            "swizzle": remedy(self.remedy()),
        })
    }

    fn access(&self, access: &Access) -> Json {
        let threads = access.threads();
        let (wanted, moved) = access.bytes();
        let (passes, least) = access.passes();
        let has_banks = self.request().memory.banks.is_some();
        let if_banked = |number: usize| has_banks.then_some(number);
        let listed = threads.threads() * threads.values() <= MAX_ELEMENTS;
        let offset = |at| self.request().layout.offset_of_index(at);
        let elements = |thread| threads.of_thread(thread).map(offset).collect::<Vec<_>>();
        json!({
            "threads": threads.threads(),
            "values": threads.values(),
            "text": threads.text(),
            "vector": access.vector(),
            "vector_bits": access.access_bits(),
            "longest_vector": access.longest_vector(),
            "instructions": access.instructions().len(),
            "phases": access.phases().len(),
            "degree": if_banked(access.degree_of_worst()),
            "conflicted_phases": if_banked(access.conflicted()),
            "passes": if_banked(passes),
            "least_passes": if_banked(least),
            "bytes_wanted": wanted,
            "bytes_moved": moved,
            "efficiency": access.efficiency(),
            "lines": total(access, |one| one.lines),
            "sectors": total(access, |one| one.sectors),
            "offsets": listed.then(|| (0..threads.threads()).map(elements).collect::<Vec<_>>()),
            "instruction_list": access.instructions().iter().take(MAX_LISTED).map(instruction)
                .collect::<Vec<_>>(),
            "phase_list": access.phases().iter().take(MAX_LISTED)
                .map(|phase| self::phase(access, phase)).collect::<Vec<_>>(),
        })
    }
}

fn memory(memory: &Memory) -> Json {
    json!({
        "name": memory.name,
        "banks": memory.banks.map(|banks| banks.count),
        "bank_bytes": memory.banks.map(|banks| banks.bytes),
        "ways": memory.banks.map(|banks| banks.ways),
        "line": memory.line,
        "sector": memory.sector,
        "group": memory.group,
    })
}

fn instruction(one: &Instruction) -> Json {
    json!({
        "threads": range(&one.threads),
        "values": range(&one.values),
        "phases": range(&one.phases),
        "lines": one.lines,
        "sectors": one.sectors,
        "bytes_wanted": one.wanted,
        "bytes_moved": one.moved,
    })
}

fn phase(access: &Access, phase: &Phase) -> Json {
    let banks = access.banks(phase).into_iter().map(|BankUse { bank, words, threads }| {
        json!({ "bank": bank, "words": words, "threads": threads })
    });
    json!({
        "instruction": phase.instruction,
        "threads": range(&phase.threads),
        "words": phase.words,
        "degree": phase.degree,
        "least_degree": phase.least,
        "banks": banks.collect::<Vec<_>>(),
    })
}

fn remedy(remedy: &Remedy) -> Json {
    let swizzled = |result: &str, one: &Swizzled| {
        json!({
            "result": result,
            "swizzle": one.swizzle.to_string(),
            "layout": one.layout.to_string(),
            "degree": one.degree,
            "tried": one.tried,
            "cosize": one.cosize,
        })
    };
    match remedy {
        Remedy::NoBanks => json!({ "result": "no banks" }),
        Remedy::NotNeeded => json!({ "result": "not needed" }),
        Remedy::Removes(one) => swizzled("removes", one),
        Remedy::Reduces(one) => swizzled("reduces", one),
        Remedy::None { tried, degree } => {
            json!({ "result": "none", "tried": tried, "degree": degree })
        }
        Remedy::Unfinished { tried, of } => {
            json!({ "result": "unfinished", "tried": tried, "of": of })
        }
    }
}

/// `[start, end]` of a half-open range.
fn range(range: &Range<usize>) -> Json {
    json!([range.start, range.end])
}

/// The sum over all instructions; `None` without instructions, or if the memory has no such unit.
fn total(access: &Access, of: impl Fn(&Instruction) -> Option<usize>) -> Option<usize> {
    let all: Option<Vec<_>> = access.instructions().iter().map(of).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.iter().sum())
}

/// One fact per line, then the first phases with the threads on each bank.
impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let request = self.request();
        write_line(f, "layout", format_args!("{} of {}", request.layout, request.element))?;
        write_line(f, "memory", format_args!("{}", request.memory))?;
        for access in self.accesses() {
            writeln!(f)?;
            write_facts(f, access, request.element.bits())?;
        }
        writeln!(f)?;
        write_line(f, "swizzle", format_args!("{}", self.remedy()))?;
        for access in self.accesses() {
            write_tables(f, access)?;
        }
        Ok(())
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, name: &str, text: fmt::Arguments<'_>) -> fmt::Result {
    writeln!(f, "{name:<10}  {text}")
}

fn write_facts(f: &mut fmt::Formatter<'_>, access: &Access, bits: usize) -> fmt::Result {
    let threads = access.threads();
    write_line(f, "access", format_args!("{}", threads.text()))?;
    let (count, values) = (threads.threads(), threads.values());
    let (count, values) = (plural(count, "thread"), plural(values, "value"));
    write_line(f, "threads", format_args!("{count} with {values} each"))?;
    let size = |width: usize| format!("{}, {}", plural(width, "element"), bytes(width * bits));
    let (vector, longest) = (access.vector(), access.longest_vector());
    write_line(
        f,
        "vector",
        format_args!("{}; the longest legal vector has {}", size(vector), size(longest)),
    )?;
    let instructions = plural(access.instructions().len(), "instruction");
    if access.phases().is_empty() {
        write_line(f, "work", format_args!("{instructions}"))?;
    } else {
        let phases = plural(access.phases().len(), "phase");
        write_line(f, "work", format_args!("{instructions} in {phases}"))?;
        let (passes, least) = access.passes();
        let (worst, conflicted) = (access.degree_of_worst(), access.conflicted());
        if conflicted == 0 {
            write_line(f, "conflicts", format_args!("none: {}", plural(passes, "pass")))?;
        } else {
            let passes = plural(passes, "pass");
            let phases = match (conflicted, access.phases().len()) {
                (1, 1) => "the only phase".to_owned(),
                (all, of) if all == of => format!("all {of} phases"),
                (some, of) => format!("{some} of {of} phases"),
            };
            write_line(
                f,
                "conflicts",
                format_args!("{worst}-way, in {phases}: {passes}, {least} without conflicts"),
            )?;
        }
    }
    if let Some(lines) = total(access, |one| one.lines) {
        write_line(f, "lines", format_args!("{lines}"))?;
    }
    if let Some(sectors) = total(access, |one| one.sectors) {
        write_line(f, "sectors", format_args!("{sectors}"))?;
    }
    if let ((wanted, Some(moved)), Some(efficiency)) = (access.bytes(), access.efficiency()) {
        let percent = efficiency * 100.0;
        write_line(
            f,
            "efficiency",
            format_args!("{percent:.1} %: {wanted} bytes used, {moved} bytes moved"),
        )?;
    }
    Ok(())
}

/// The first phases, or the first instructions if there are no banks.
fn write_tables(f: &mut fmt::Formatter<'_>, access: &Access) -> fmt::Result {
    if access.phases().is_empty() {
        return Ok(());
    }
    writeln!(f, "\nphase  threads  words  degree  threads on each bank")?;
    for (number, phase) in access.phases().iter().take(MAX_SHOWN).enumerate() {
        let Phase { threads, words, degree, .. } = phase;
        let threads = format!("{}..{}", threads.start, threads.end);
        let banks = runs(&access.banks(phase));
        writeln!(f, "{number:<5}  {threads:<7}  {words:<5}  {degree:<6}  {banks}")?;
    }
    if access.phases().len() > MAX_SHOWN {
        writeln!(f, "...")?;
    }
    Ok(())
}

/// `0: 0..8, 1..4: 8 10`: the threads on each bank. Adjacent banks with the same threads are
/// merged.
fn runs(banks: &[BankUse]) -> String {
    const MAX_RUNS: usize = 4;
    let mut parts = Vec::new();
    let groups = banks.chunk_by(|a, b| b.bank == a.bank + 1 && a.threads == b.threads);
    for run in groups.clone().take(MAX_RUNS) {
        let (first, last) = (run[0].bank, run[run.len() - 1].bank);
        let banks =
            if run.len() > 1 { format!("{first}..{}", last + 1) } else { first.to_string() };
        parts.push(format!("{banks}: {}", numbers(&run[0].threads)));
    }
    if groups.count() > MAX_RUNS {
        parts.push(format!(".. {} banks", banks.len()));
    }
    parts.join(", ")
}

/// `0..8 16`: sorted numbers with contiguous ranges merged, cut after a maximum number of entries.
fn numbers(sorted: &[usize]) -> String {
    const MAX_RUNS: usize = 6;
    let runs = sorted.chunk_by(|a, b| *b == a + 1);
    let mut parts: Vec<_> = runs
        .clone()
        .take(MAX_RUNS)
        .map(|run| match run {
            [one] => one.to_string(),
            run => format!("{}..{}", run[0], run[run.len() - 1] + 1),
        })
        .collect();
    if runs.count() > MAX_RUNS {
        parts.push("..".to_owned());
    }
    parts.join(" ")
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        let mut separator = ": ";
        let mut part = |f: &mut fmt::Formatter<'_>, text: String| {
            let separator = std::mem::replace(&mut separator, ", ");
            write!(f, "{separator}{text}")
        };
        if let Some(banks) = self.banks {
            let ways =
                if banks.ways > 1 { format!(" and {} ways", banks.ways) } else { String::new() };
            part(f, format!("{} banks of {} bytes{ways}", banks.count, banks.bytes))?;
        }
        if let Some(line) = self.line {
            part(f, format!("lines of {line} bytes"))?;
        }
        if let Some(sector) = self.sector {
            part(f, format!("sectors of {sector} bytes"))?;
        }
        match self.group {
            Some(group) => part(f, format!("groups of {group} threads")),
            None => part(f, "all accesses together".to_owned()),
        }
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBanks => write!(f, "the memory has no banks"),
            Self::NotNeeded => write!(f, "not needed: there is no conflict"),
            Self::Removes(Swizzled { swizzle, layout, tried, cosize, .. }) => {
                if swizzle.is_identity() {
                    return write!(f, "{layout} has no conflict: no swizzle is needed");
                }
                write!(
                    f,
                    "{layout} has no conflict; its offsets are below {cosize}, and {} smaller \
                     swizzles leave conflicts or break vectors",
                    tried - 1
                )
            }
            Self::Reduces(Swizzled { layout, degree, tried, .. }) => {
                write!(
                    f,
                    "none removes the conflicts (all {tried} were tried); {layout} leaves them \
                     {degree}-way"
                )
            }
            Self::None { tried, degree } => {
                write!(f, "none helps (all {tried} were tried): conflicts stay {degree}-way")
            }
            Self::Unfinished { tried, of } => {
                write!(f, "none among the {tried} smallest of {of}, where the search stopped")
            }
        }
    }
}

fn plural(count: usize, name: &str) -> String {
    let end = match (count, name.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        _ => "s",
    };
    format!("{count} {name}{end}")
}

fn bytes(bits: usize) -> String {
    if bits.is_multiple_of(8) { plural(bits / 8, "byte") } else { plural(bits, "bit") }
}
