//! Measures several ways to do the same thing against each other, on a machine that is shared.
//!
//! All ways of a case run in one process, in rounds. A round runs each way once, in an order that
//! is shuffled anew, for a time that is short enough to be left alone most of the time. What else
//! the machine does only ever adds time, so that a low percentile of many rounds is what a way
//! takes, and what changes slowly (clock rate, neighbours) changes for all ways alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// What a way does to the data of its case, as often as it is told.
type Run<'a, D> = Box<dyn FnMut(&mut D, usize) + 'a>;

/// One way to do what a case asks for.
struct Way<'a, D> {
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

/// One thing to do, on data `D`, and the ways to do it.
pub struct Case<'a, D> {
    name: String,
    unit: &'static str,
    data: D,
    ways: Vec<Way<'a, D>>,
    limit_work: f64,
    work: f64,
}

impl<'a, D> Case<'a, D> {
    /// A case in which each call does `work` billions of what `unit` counts in a second.
    pub fn new(name: &str, unit: &'static str, work: f64, data: D) -> Self {
        Self { name: name.into(), unit, data, ways: Vec::new(), limit_work: work, work }
    }

    /// The data.
    pub fn data(&mut self) -> &mut D {
        &mut self.data
    }

    fn way(&mut self, name: &str, role: Role, mut f: impl FnMut(&mut D) + 'a) {
        let run = Box::new(move |data: &mut D, times: usize| {
            for _ in 0..times {
                f(black_box(&mut *data));
            }
        });
        self.ways.push(Way { name: name.into(), role, run });
    }

    /// What is measured; comes first.
    pub fn ours(&mut self, f: impl FnMut(&mut D) + 'a) {
        self.way("ours", Role::Ours, f);
    }

    /// Something else that does the same.
    pub fn peer(&mut self, name: &str, f: impl FnMut(&mut D) + 'a) {
        self.way(name, Role::Peer, f);
    }

    /// What the machine does at most: each call does `work` billions of the unit.
    pub fn limit(&mut self, name: &str, work: f64, f: impl FnMut(&mut D) + 'a) {
        self.limit_work = work;
        self.way(name, Role::Limit, f);
    }

    /// Runs each way once on data that `prepare` has made ready, and shows it to `check`.
    pub fn check(&mut self, mut prepare: impl FnMut(&mut D), mut check: impl FnMut(&D, &str)) {
        for way in self.ways.iter_mut().filter(|way| way.role != Role::Limit) {
            prepare(&mut self.data);
            (way.run)(&mut self.data, 1);
            check(&self.data, &way.name);
        }
    }

    /// The throughput of each way, from rounds that take about as long as `time` together.
    pub fn measure(mut self, time: Duration) -> Measured {
        let counts: Vec<usize> =
            self.ways.iter_mut().map(|way| calibrate(&mut self.data, &mut way.run)).collect();
        let mut seconds = vec![Vec::new(); self.ways.len()];
        let mut order: Vec<usize> = (0..self.ways.len()).collect();
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let start = Instant::now();
        while seconds[0].len() < LEAST_ROUNDS
            || start.elapsed() < time && seconds[0].len() < MOST_ROUNDS
        {
            random.shuffle(&mut order);
            for &i in &order {
                let (run, count) = (&mut self.ways[i].run, counts[i]);
                if count > 1 {
                    // Brings what the way before has displaced back into the caches.
                    run(&mut self.data, 1 + count / 8);
                }
                let turn = Instant::now();
                run(&mut self.data, count);
                seconds[i].push(turn.elapsed().as_secs_f64() / count as f64);
            }
        }
        let results = self.ways.iter().zip(&mut seconds).map(|(way, seconds)| {
            seconds.sort_by(f64::total_cmp);
            let work = if way.role == Role::Limit { self.limit_work } else { self.work };
            (way.name.clone(), way.role, work / seconds[seconds.len() / 20])
        });
        Measured { name: self.name.clone(), unit: self.unit, results: results.collect() }
    }
}

/// A turn is long enough for the clock and short enough to be left alone.
const TURN: Duration = Duration::from_micros(25);
const LEAST_ROUNDS: usize = 4;
const MOST_ROUNDS: usize = 4000;

/// How often a way runs in a turn.
fn calibrate<D>(data: &mut D, run: &mut Run<'_, D>) -> usize {
    let mut count = 1;
    loop {
        let start = Instant::now();
        run(data, count);
        if start.elapsed() >= TURN || count >= 1 << 20 {
            return count;
        }
        count *= 2;
    }
}

/// What a case measured: a throughput for each way.
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

    /// The line that says how we do against the best of the others, if there are any.
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

    /// The throughput of the way with this name.
    pub fn rate(&self, way: &str) -> Option<f64> {
        self.results.iter().find(|(name, ..)| name == way).map(|(_, _, rate)| *rate)
    }

    /// Ours over the best of the others.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.best(Role::Ours)?.1 / self.best(Role::Peer)?.1)
    }

    /// The line that says how near we come to what the machine can do.
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

    /// All ways, best first.
    pub fn all(&self) -> String {
        let mut results: Vec<_> = self.results.iter().collect();
        results.sort_by(|a, b| b.2.total_cmp(&a.2));
        let list: Vec<String> =
            results.iter().map(|(name, _, rate)| format!("{name} {}", Rate(*rate))).collect();
        format!("# {} {}: {}", self.name, self.unit, list.join(", "))
    }
}

/// A throughput with three digits or more.
struct Rate(f64);

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = if self.0 < 10.0 { 2 } else { 1 };
        write!(f, "{:.*}", digits, self.0)
    }
}

/// Numbers that look random and are the same in every run.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    /// Puts items in a random order.
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
    /// What the command line says: substrings of names of cases, `--list`, `--seconds N` for a
    /// case. `None` when it asks for help, or for something else.
    pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Option<Self> {
        let mut options =
            Self { substrings: Vec::new(), list: false, time: Duration::from_millis(1500) };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                // Cargo says so.
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

/// Runs cases and keeps what they measured.
pub struct Bench {
    options: Options,
    limits: Vec<String>,
    ratios: Vec<f64>,
}

impl Bench {
    /// Nothing measured so far.
    pub fn new(options: Options) -> Self {
        Self { options, limits: Vec::new(), ratios: Vec::new() }
    }

    /// Whether this case is asked for; a list of cases names it instead.
    pub fn wants(&self, name: &str) -> bool {
        let substrings = &self.options.substrings;
        let asked = substrings.is_empty() || substrings.iter().any(|s| name.contains(s.as_str()));
        if asked && self.options.list {
            println!("{name}");
        }
        asked && !self.options.list
    }

    /// Measures a case whose answers are checked, and prints what came out.
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

    /// The limits, and a last line.
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
