//! `copy` from row-major tensors to sticks, tiles and shards, and back, compared with `memcpy`.
//!
//! `cargo bench --bench relayout` prints for each case the throughput relative to a `memcpy` of the
//! written bytes: time of the `memcpy` / time of the copy. Each is the 10th percentile of many short,
//! alternating runs. Every result is checked before it is timed. An argument selects the cases whose
//! names contain it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use static_layout::devices::{AnyPlacement, Builder, Fill, Placement};
use static_layout::kernels::{Level, Par, Relayout, copy};
use static_layout::{
    AtCompileTime, FillValue, LayoutError, PlacedTensor, StaticLayout, Tensor, layout,
};

/// Unwraps a result that is known to be `Ok`.
const fn ok<T: Copy>(result: Result<T, LayoutError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => error.panic(),
    }
}

/// One dimension of a Tenstorrent layout: `extent` cut into shards of `shard`, on `grid` cores with
/// stride `step`, in tiles of `tile` with a stride of `next` elements.
struct Side {
    extent: usize,
    shard: usize,
    grid: usize,
    step: usize,
    tile: usize,
    next: usize,
}

const fn side(b: Builder, row: &[usize], side: &Side, leaves: [(usize, usize); 2]) -> Builder {
    let b = ok(ok(b.dimension(side.extent, row)).piece(side.shard));
    let b = ok(ok(b.leaf(leaves[0].0, leaves[0].1)).leaf(leaves[1].0, leaves[1].1));
    let b = ok(b.leaf(side.shard.div_ceil(side.tile), side.next));
    ok(ok(b.piece(side.grid)).core_leaf(side.grid, side.step))
}

/// Rows and columns on a grid of cores. Each shard consists of tiles of 32 x 32, with four faces if
/// `faces`.
const fn tiles(rows: usize, columns: usize, grid: [usize; 2], faces: bool) -> Placement {
    let shard = [rows.div_ceil(grid[0]), columns.div_ceil(grid[1])];
    let across = shard[1].div_ceil(32);
    let storage = shard[0].div_ceil(32) * across * 1024;
    let b = ok(Placement::builder(&[rows, columns], storage, grid[0] * grid[1]));
    let [down, right] = if faces {
        [[(16, 16), (2, 512)], [(16, 1), (2, 256)]]
    } else {
        [[(32, 32), (1, 0)], [(32, 1), (1, 0)]]
    };
    let (step, next) = (grid[1], across * 1024);
    let of_rows = Side { extent: rows, shard: shard[0], grid: grid[0], step, tile: 32, next };
    let b = side(b, &[1, 0], &of_rows, down);
    let (grid, shard) = (grid[1], shard[1]);
    let of_columns = Side { extent: columns, shard, grid, step: 1, tile: 32, next: 1024 };
    ok(side(b, &[0, 1], &of_columns, right).build())
}

/// (100,200,500) 16-bit elements in sticks: device_size [256,8,128,64], dim_map [1,2,0,2].
const fn sticks() -> Placement {
    let b = ok(Placement::builder(&[100, 200, 500], 256 * 8 * 128 * 64, 1));
    let b = ok(ok(ok(b.dimension(100, &[1, 0, 0])).piece(100)).leaf(128, 64));
    let b = ok(ok(ok(b.dimension(200, &[0, 1, 0])).piece(200)).leaf(256, 8 * 128 * 64));
    let b = ok(ok(ok(b.dimension(500, &[0, 0, 1])).piece(500)).leaf(64, 1));
    ok(ok(b.leaf(8, 128 * 64)).build())
}

/// 2 x 3 x 64 x 128 on a grid of 2 x 2 x 4, in tiles.
const fn shards() -> Placement {
    let b = ok(Placement::builder(&[2, 3, 64, 128], 3 * 1024, 16));
    let b = ok(ok(ok(b.dimension(2, &[1, 0, 0, 0])).piece(2)).core_leaf(2, 8));
    let rows = Side { extent: 192, shard: 96, grid: 2, step: 4, tile: 32, next: 1024 };
    let b = side(b, &[0, 64, 1, 0], &rows, [(32, 32), (1, 0)]);
    let columns = Side { extent: 128, shard: 32, grid: 4, step: 1, tile: 32, next: 1024 };
    ok(side(b, &[0, 0, 0, 1], &columns, [(32, 1), (1, 0)]).build())
}

/// Defines a type for each placement.
macro_rules! placements {
    ($($name:ident = $value:expr;)*) => {$(
        #[derive(Clone, Copy, Default)]
        struct $name;

        impl AnyPlacement for $name {
            type Fallibility = AtCompileTime;
            const STATIC: Option<Placement> = Some($value);
            fn placement(&self) -> Placement {
                const { $value }
            }
        }
    )*};
}

placements! {
    Sticks = sticks();
    Tiles = tiles(4096, 4096, [1, 1], false);
    Faces = tiles(4096, 4096, [1, 1], true);
    Small = tiles(53, 63, [3, 2], false);
    Shards = shards();
    Rows8 = tiles(4096, 4096, [8, 1], false);
    Columns8 = tiles(4096, 4096, [1, 8], true);
}

/// 10th percentile of each in nanoseconds, from alternating runs.
fn measure(one: &mut dyn FnMut(), other: &mut dyn FnMut()) -> [f64; 2] {
    let time = |f: &mut dyn FnMut(), iterations: u32| {
        let start = Instant::now();
        for _ in 0..iterations {
            f();
        }
        start.elapsed()
    };
    // A run takes at least about 50 microseconds.
    let mut iterations = 1;
    while time(one, iterations) < Duration::from_micros(50) && iterations < 1 << 16 {
        iterations *= 2;
    }
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) && a.len() < 3000 || a.len() < 10 {
        a.push(time(one, iterations).as_nanos() as f64 / f64::from(iterations));
        b.push(time(other, iterations).as_nanos() as f64 / f64::from(iterations));
    }
    [a, b].map(|mut all| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 10]
    })
}

/// Whether the command line selects this case.
fn selected(name: &str) -> bool {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    wanted.is_none_or(|wanted| name.contains(&wanted))
}

/// Times `run` against a `memcpy` of this many bytes.
fn report(name: &str, bytes: usize, mut run: impl FnMut()) {
    if !selected(name) {
        return;
    }
    let from = vec![1u8; bytes];
    let mut to = vec![0u8; bytes];
    run();
    let mut memcpy = || black_box(&mut to[..]).copy_from_slice(black_box(&from));
    memcpy();
    let [ours, memcpy] = measure(&mut run, &mut memcpy);
    println!(
        "{name:60} {:5.2}   {:8.1} us, memcpy {:8.1} us, {:5.1} GB/s written",
        memcpy / ours,
        ours / 1e3,
        memcpy / 1e3,
        bytes as f64 / ours
    );
}

/// Times a copy between two static operands, or between two dynamic ones.
macro_rules! timed {
    ($name:expr, $bytes:expr, $from:expr, $to:expr $(, $unwrap:ident)?) => {
        report($name, $bytes, || {
            copy(black_box(&$from), black_box(&mut $to))$(.$unwrap())?;
        })
    };
}

/// Copies to and from the placement, with and without fill, with static and with dynamic plans.
fn cases<T, L, P>(name: &str, number: impl Fn(usize) -> T)
where
    T: FillValue + Default + PartialEq + std::fmt::Debug + Send + Sync,
    L: StaticLayout,
    P: AnyPlacement<Fallibility = AtCompileTime> + Copy + Default,
{
    let mut n = 0;
    let host = Tensor::<T, L>::from_fn(|_| {
        n += 1;
        number(n)
    });
    let mut device = PlacedTensor::<T, P>::zeros();
    let mut back = Tensor::<T, L>::full(T::ZERO);
    check(&host, &mut device, &mut back);
    let placement = P::default().placement();
    let (elements, slots) = (placement.elements(), placement.slots());
    let size = size_of::<T>();
    device.set_fill(Fill::Undef);
    timed!(&format!("{name}, to the device"), elements * size, host, device);
    if slots > elements {
        device.set_fill(Fill::Zero);
        timed!(&format!("{name}, padding set to 0"), slots * size, host, device);
    }
    timed!(&format!("{name}, back"), elements * size, device, back);
    let mut dynamic = PlacedTensor::zeros_in(placement).expect("as above");
    dynamic.set_fill(Fill::Undef);
    timed!(&format!("{name}, to the device, at run time"), elements * size, host, dynamic, unwrap);
    let plan = Relayout::between(&host, &mut dynamic).expect("as above");
    report(&format!("{name}, to the device, by a plan"), elements * size, || {
        plan.run(Par::Sequential, black_box(&host), black_box(&mut dynamic)).expect("as above");
    });
}

/// Checks that a copy to the device and back restores the elements.
fn check<T, L, P>(host: &Tensor<T, L>, device: &mut PlacedTensor<T, P>, back: &mut Tensor<T, L>)
where
    T: FillValue + PartialEq + std::fmt::Debug,
    L: StaticLayout,
    P: AnyPlacement<Fallibility = AtCompileTime> + Copy + Default,
{
    copy(host, device);
    copy(device, back);
    assert!(host.as_slice() == back.as_slice(), "a wrong answer");
    let shape = P::default().placement().shape();
    for i in (0..L::SIZE).step_by(997) {
        let at = shape.idx2crd(i).expect("an index");
        let offset = L::LAYOUT.offset_of(&at).expect("a coordinate");
        assert_eq!(device.get(at.leaves()), host.as_slice().get(offset), "a wrong answer");
    }
}

fn main() {
    println!("ratio to memcpy of the bytes written, with {}", Level::detect());
    let half = |n: usize| n as u16;
    let float = |n: usize| n as f32;
    cases::<u16, layout!((100, 200, 500):(100000, 500, 1)), Sticks>(
        "(100,200,500) in sticks",
        half,
    );
    type Square = layout!((4096, 4096):(4096, 1));
    cases::<f32, Square, Tiles>("4096x4096 f32 in tiles", float);
    cases::<f32, Square, Faces>("4096x4096 f32 in tiles of faces", float);
    cases::<u16, Square, Tiles>("4096x4096 16 bits in tiles", half);
    cases::<u16, Square, Faces>("4096x4096 16 bits in tiles of faces", half);
    cases::<f32, layout!((53, 63):(63, 1)), Small>("53x63 on 3x2", float);
    type Four = layout!((2, 3, 64, 128):(24576, 8192, 128, 1));
    cases::<f32, Four, Shards>("2x3x64x128 on 2x2x4", float);

    let rows = PlacedTensor::<f32, Rows8>::zeros();
    let mut columns = PlacedTensor::<f32, Columns8>::zeros();
    timed!("4096x4096 f32 from 8x1 to 1x8", 4 * 4096 * 4096, rows, columns);
}
