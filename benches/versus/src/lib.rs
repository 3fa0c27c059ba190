//! Compares several variants of the same work, on a shared machine.
//!
//! All variants of a case run in one process, in rounds. A round runs each variant once, in a newly
//! shuffled order, for a time short enough to be rarely interrupted. Other load only ever adds time,
//! so a low percentile over many rounds is the result. Slow changes (clock rate, neighbours) affect
//! all variants alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Runs a variant on the data of its case, a given number of times.
type Run<'a, D> = Box<dyn FnMut(&mut D, usize) + 'a>;

/// A variant of the work of a case.
struct Variant<'a, D> {
    name: String,
    role: Role,
    run: Run<'a, D>,
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Ours,
    Peer,
    Limit,
}

/// One task, on data `D`, and its variants.
pub struct Case<'a, D> {
    name: String,
    unit: &'static str,
    data: D,
    variants: Vec<Variant<'a, D>>,
    limit_work: f64,
    work: f64,
}

impl<'a, D> Case<'a, D> {
    /// A case in which each call does `work`, in billions of the operations that `unit` counts per
    /// second.
    pub fn new(name: &str, unit: &'static str, work: f64, data: D) -> Self {
        Self { name: name.into(), unit, data, variants: Vec::new(), limit_work: work, work }
    }

    /// The data.
    pub fn data(&mut self) -> &mut D {
        &mut self.data
    }

    fn variant(&mut self, name: &str, role: Role, mut f: impl FnMut(&mut D) + 'a) {
        let run = Box::new(move |data: &mut D, times: usize| {
            for _ in 0..times {
                f(black_box(&mut *data));
            }
        });
        self.variants.push(Variant { name: name.into(), role, run });
    }

    /// Adds the code under test. Call this first.
    pub fn ours(&mut self, f: impl FnMut(&mut D) + 'a) {
        self.variant("ours", Role::Ours, f);
    }

    /// Adds a competitor that does the same work.
    pub fn peer(&mut self, name: &str, f: impl FnMut(&mut D) + 'a) {
        self.variant(name, Role::Peer, f);
    }

    /// Adds a limit of the machine. Each of its calls does `work`, in billions of the unit's
    /// operations.
    pub fn limit(&mut self, name: &str, work: f64, f: impl FnMut(&mut D) + 'a) {
        self.limit_work = work;
        self.variant(name, Role::Limit, f);
    }

    /// Runs each variant once on data reset by `prepare`, and passes the result to `check`.
    pub fn check(&mut self, mut prepare: impl FnMut(&mut D), mut check: impl FnMut(&D, &str)) {
        for variant in self.variants.iter_mut().filter(|variant| variant.role != Role::Limit) {
            prepare(&mut self.data);
            (variant.run)(&mut self.data, 1);
            check(&self.data, &variant.name);
        }
    }

    /// Measures the throughput of each variant, in rounds that take about `time` in total.
    pub fn measure(mut self, time: Duration) -> Measured {
        let counts: Vec<usize> = self
            .variants
            .iter_mut()
            .map(|variant| calibrate(&mut self.data, &mut variant.run))
            .collect();
        let mut seconds = vec![Vec::new(); self.variants.len()];
        let mut order: Vec<usize> = (0..self.variants.len()).collect();
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let start = Instant::now();
        while seconds[0].len() < MIN_ROUNDS
            || start.elapsed() < time && seconds[0].len() < MAX_ROUNDS
        {
            random.shuffle(&mut order);
            for &i in &order {
                let (run, count) = (&mut self.variants[i].run, counts[i]);
                if count > 1 {
                    // Brings data back into the caches that the previous variant has evicted.
                    run(&mut self.data, 1 + count / 8);
                }
                let run_start = Instant::now();
                run(&mut self.data, count);
                seconds[i].push(run_start.elapsed().as_secs_f64() / count as f64);
            }
        }
        let results = self.variants.iter().zip(&mut seconds).map(|(variant, seconds)| {
            seconds.sort_by(f64::total_cmp);
            let work = if variant.role == Role::Limit { self.limit_work } else { self.work };
            (variant.name.clone(), variant.role, work / seconds[seconds.len() / 20])
        });
        Measured { name: self.name.clone(), unit: self.unit, results: results.collect() }
    }
}

/// Duration of a timed run: long enough for the clock, short enough to be rarely interrupted.
const RUN: Duration = Duration::from_micros(25);
const MIN_ROUNDS: usize = 4;
const MAX_ROUNDS: usize = 4000;

/// Number of calls of a variant in a timed run.
fn calibrate<D>(data: &mut D, run: &mut Run<'_, D>) -> usize {
    let mut count = 1;
    loop {
        let start = Instant::now();
        run(data, count);
        if start.elapsed() >= RUN || count >= 1 << 20 {
            return count;
        }
        count *= 2;
    }
}

/// The results of a case: a throughput for each variant.
pub struct Measured {
    name: String,
    unit: &'static str,
    results: Vec<(String, Role, f64)>,
}

impl Measured {
    fn best(&self, role: Role) -> Option<(&str, f64)> {
        let of_role = self.results.iter().filter(|result| result.1 == role);
        of_role.max_by(|a, b| a.2.total_cmp(&b.2)).map(|(name, _, rate)| (name.as_str(), *rate))
    }

    /// The line that compares ours with the best peer; `None` without peers.
    pub fn versus(&self) -> Option<String> {
        let (Some((_, ours)), Some((name, best))) = (self.best(Role::Ours), self.best(Role::Peer))
        else {
            return None;
        };
        let (case, unit) = (&self.name, self.unit);
        Some(format!(
            "VERSUS\t{case} {unit}\t{}\t{name}\t{}\t{:.2}",
            Rate(ours),
            Rate(best),
            ours / best
        ))
    }

    /// The throughput of the variant with this name.
    pub fn rate(&self, variant: &str) -> Option<f64> {
        self.results.iter().find(|(name, ..)| name == variant).map(|(_, _, rate)| *rate)
    }

    /// Our throughput divided by that of the best peer.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.best(Role::Ours)?.1 / self.best(Role::Peer)?.1)
    }

    /// The line that compares ours with the limit of the machine; `None` without a limit.
    pub fn limit(&self) -> Option<String> {
        let (Some((_, ours)), Some((name, limit))) =
            (self.best(Role::Ours), self.best(Role::Limit))
        else {
            return None;
        };
        let (case, unit) = (&self.name, self.unit);
        Some(format!(
            "LIMIT\t{case} {unit}\t{}\t{name}\t{}\t{:.2}",
            Rate(ours),
            Rate(limit),
            ours / limit
        ))
    }

    /// A line with all variants, best first.
    pub fn all(&self) -> String {
        let mut results: Vec<_> = self.results.iter().collect();
        results.sort_by(|a, b| b.2.total_cmp(&a.2));
        let list: Vec<String> =
            results.iter().map(|(name, _, rate)| format!("{name} {}", Rate(*rate))).collect();
        format!("# {} {}: {}", self.name, self.unit, list.join(", "))
    }
}

/// Prints a throughput with three or more digits.
struct Rate(f64);

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = if self.0 < 10.0 { 2 } else { 1 };
        write!(f, "{:.*}", digits, self.0)
    }
}

/// Deterministic pseudo-random numbers.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Which cases to run, and for how long.
pub struct Options {
    substrings: Vec<String>,
    list: bool,
    time: Duration,
}

impl Options {
    /// Parses the command line: substrings of case names, `--list`, `--seconds N` per case. `None`
    /// for a request for help and for anything else.
    pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Option<Self> {
        let mut options =
            Self { substrings: Vec::new(), list: false, time: Duration::from_millis(1500) };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                // Passed by cargo.
                "--bench" => {}
                "--list" => options.list = true,
                "--seconds" => {
                    let seconds = arguments.next()?.parse().ok()?;
                    options.time = Duration::try_from_secs_f64(seconds).ok()?;
                }
                _ if argument.starts_with('-') => return None,
                _ => options.substrings.push(argument),
            }
        }
        Some(options)
    }
}

/// Runs cases and collects their results.
pub struct Bench {
    options: Options,
    limits: Vec<String>,
    ratios: Vec<f64>,
}

impl Bench {
    /// A bench without results.
    pub fn new(options: Options) -> Self {
        Self { options, limits: Vec::new(), ratios: Vec::new() }
    }

    /// Whether this case is selected. With `--list`, prints its name and returns `false`.
    pub fn wants(&self, name: &str) -> bool {
        let substrings = &self.options.substrings;
        let asked = substrings.is_empty() || substrings.iter().any(|s| name.contains(s.as_str()));
        if asked && self.options.list {
            println!("{name}");
        }
        asked && !self.options.list
    }

    /// Measures a case whose answers have been checked, and prints its results.
    pub fn run<D>(&mut self, case: Case<'_, D>) -> Measured {
        let measured = case.measure(self.options.time);
        println!("{}", measured.all());
        if let Some(line) = measured.versus() {
            println!("{line}");
        }
        self.limits.extend(measured.limit());
        self.ratios.extend(measured.ratio());
        measured
    }

    /// Prints the limits and a summary line.
    pub fn finish(self) {
        for line in &self.limits {
            println!("{line}");
        }
        let n = self.ratios.len();
        if n > 0 {
            let ahead = self.ratios.iter().filter(|&&ratio| ratio >= 1.0).count();
            let mean = (self.ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n as f64).exp();
            println!("# {n} cases, ahead in {ahead}, geometric mean of the ratios {mean:.2}");
        }
    }
}
