//! Runs tests on several ranks: the test restarts itself under `mpirun`, with a time limit.

#![allow(dead_code, reason = "each test uses a part")]

use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use mpi::topology::SimpleCommunicator;
use static_layout::devices::Placement;

/// Numbers of ranks that every test runs with.
pub(crate) const RANKS: [usize; 5] = [1, 2, 3, 4, 6];

/// Environment variable set in the processes that `mpirun` starts.
const CHILD: &str = "STATIC_LAYOUT_MPI_CHILD";

/// Time limit in seconds, after which a test counts as hanging and fails.
const SECONDS: &str = "120";

/// Runs `body` once for each number of ranks in `ranks`. `name` is the name of the calling test.
pub(crate) fn on_ranks(name: &str, ranks: &[usize], body: impl FnOnce(&SimpleCommunicator)) {
    if std::env::var(CHILD).is_ok_and(|child| child == name) {
        let universe = mpi::initialize().expect("MPI is initialised once");
        let world = universe.world();
        body(&world);
        return;
    }
    for &count in ranks {
        let output = start(name, count);
        let output_text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name} on {count} ranks:\n{output_text}");
        assert!(output_text.contains("1 passed"), "{name} ran on {count} ranks:\n{output_text}");
    }
}

/// Runs `body` on `ranks` ranks. It must fail, and the output must contain all `texts`.
pub(crate) fn fails_on_ranks(
    name: &str,
    ranks: usize,
    texts: &[&str],
    body: impl FnOnce(&SimpleCommunicator),
) {
    if std::env::var(CHILD).is_ok() {
        return on_ranks(name, &[], body);
    }
    let output = start(name, ranks);
    let output_text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{name} ends with an error:\n{output_text}");
    assert!(!output_text.contains("mpirun has exceeded"), "{name} hangs:\n{output_text}");
    for text in texts {
        assert!(output_text.contains(text), "{name} says {text}:\n{output_text}");
    }
}

fn start(name: &str, ranks: usize) -> Output {
    let executable = std::env::current_exe().expect("a path");
    // A separate temporary folder for each run: when an `mpirun` ends, it removes the folder that
    // another one may be using.
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    let run_number = STARTED.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("ranks-{}-{run_number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let output = Command::new("mpirun")
        .args(["--allow-run-as-root", "--oversubscribe", "--timeout", SECONDS])
        .args(["-n", &ranks.to_string()])
        .arg(executable)
        .args([name, "--exact", "--nocapture", "--test-threads", "1"])
        .env(CHILD, name)
        .env("TMPDIR", &folder)
        .output()
        .expect("mpirun is installed");
    // Leftover files are not needed.
    let _ = std::fs::remove_dir_all(&folder);
    output
}

/// Pseudo-random generator with the same sequence on all ranks.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number in `from..=to`.
    pub(crate) fn number(&mut self, from: usize, to: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from + (self.0 >> 11) as usize % (to - from + 1)
    }

    pub(crate) fn shuffled(&mut self, len: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..len).collect();
        for i in (1..len).rev() {
            order.swap(i, self.number(0, i));
        }
        order
    }

    /// A random placement of a tensor of this shape on at most `max_cores` cores: blocks, distributed
    /// cyclically, padded, with a random stride order, and sometimes with the first two dimensions
    /// joined.
    pub(crate) fn placement(&mut self, shape: &[usize], max_cores: usize) -> Placement {
        let rank = shape.len();
        // Rows of the linear map, and their extents.
        let mut rows: Vec<(usize, Vec<usize>)> = (0..rank)
            .map(|d| (shape[d], (0..rank).map(|e| usize::from(d == e)).collect()))
            .collect();
        if rank > 1 && self.number(0, 2) == 0 {
            let mut row = vec![0; rank];
            (row[0], row[1]) = (shape[1], 1);
            rows.splice(0..2, [(shape[0] * shape[1], row)]);
        }
        let mut cores = 1;
        // For each dimension: elements per block, padding after them, cores, blocks per core.
        let partitions: Vec<[usize; 4]> = rows
            .iter()
            .map(|(extent, _)| {
                let block = self.number(1, *extent);
                let grid = self.number(1, (max_cores / cores).min(3));
                cores *= grid;
                let cycles = extent.div_ceil(block * grid);
                [block, self.number(0, 1), grid, cycles]
            })
            .collect();
        // Assign strides to all leaves in a random order.
        let mut strides = vec![[0; 2]; partitions.len()];
        let mut storage = 1;
        for i in self.shuffled(2 * partitions.len()) {
            let [block, padding, _, cycles] = partitions[i / 2];
            strides[i / 2][i % 2] = storage;
            storage *= if i % 2 == 0 { block + padding } else { cycles };
        }
        storage += self.number(0, 2);
        let mut builder = Placement::builder(shape, storage, cores).expect("a placement");
        let mut weight = cores;
        for (((extent, row), [block, padding, grid, cycles]), [inner, outer]) in
            rows.iter().zip(partitions).zip(strides)
        {
            weight /= grid;
            builder = builder
                .dimension(*extent, row)
                .and_then(|b| b.piece(block))
                .and_then(|b| b.leaf(block + padding, inner))
                .and_then(|b| b.piece(grid))
                .and_then(|b| b.core_leaf(grid, weight))
                .and_then(|b| b.piece(cycles))
                .and_then(|b| b.leaf(cycles, outer))
                .expect("parts within the whole");
        }
        builder.build().expect("room for all")
    }

    pub(crate) fn shape(&mut self) -> Vec<usize> {
        let rank = self.number(1, 3);
        (0..rank).map(|_| self.number(1, 9)).collect()
    }
}
