//! Layouts as datatypes: sending in one layout and receiving in another of the same shape gives the
//! result of `copy`.

mod common;

use common::{RANKS, Random, on_ranks};
use mpi::traits::Communicator;
use static_layout::kernels::copy;
use static_layout::{DynLayout, IntTuple, Tensor, View, ViewMut, layout};
use static_layout_mpi::{Datatype, Error, Method, receive, send};

/// A random layout of this shape: leaves in a random order, with gaps, and nested if an extent can be
/// split.
fn random_layout(random: &mut Random, shape: &[usize]) -> DynLayout {
    // Leaves of each mode, innermost first.
    let leaves: Vec<Vec<usize>> = shape
        .iter()
        .map(|&extent| {
            let divisors: Vec<usize> = (1..=extent).filter(|d| extent % d == 0).collect();
            let inner = divisors[random.number(0, divisors.len() - 1)];
            if random.number(0, 1) == 0 { vec![extent] } else { vec![inner, extent / inner] }
        })
        .collect();
    let flat: Vec<usize> = leaves.iter().flatten().copied().collect();
    let (mut strides, mut next) = (vec![0; flat.len()], random.number(1, 2));
    for i in random.shuffled(flat.len()) {
        strides[i] = next;
        next = next * flat[i] + random.number(0, 1) * random.number(0, 3);
    }
    let mut strides = strides.into_iter();
    let modes: Vec<DynLayout> = leaves
        .iter()
        .map(|leaves| {
            let parts: Vec<DynLayout> =
                leaves.iter().zip(&mut strides).map(|(&e, s)| DynLayout::leaf(e, s)).collect();
            if parts.len() == 1 { parts[0] } else { DynLayout::tuple(&parts).unwrap() }
        })
        .collect();
    DynLayout::tuple(&modes).unwrap()
}

#[test]
fn layouts_are_sent_as_other_layouts() {
    on_ranks("layouts_are_sent_as_other_layouts", &RANKS, |world| {
        let (me, size) = (world.rank(), world.size());
        let mut random = Random::new(3);
        let methods = [Method::Auto, Method::Datatype, Method::Packed];
        for case in 0..300 {
            let shape: Vec<usize> =
                (0..random.number(1, 3)).map(|_| random.number(1, 12)).collect();
            let [from, to] = [0, 1].map(|_| random_layout(&mut random, &shape));
            let [out, back] = [0, 1].map(|_| methods[random.number(0, 2)]);
            let what = format!("case {case}: {from} as {to}, {out:?} and {back:?}");
            let source =
                Tensor::from_fn_in(from, |c| 1 + from.offset_of_index_of(&c) as i32).unwrap();
            let mut wanted = Tensor::full_in(to, -1).unwrap();
            copy(&source, &mut wanted).unwrap();
            // Send around a ring. A single rank would wait for itself.
            let mut found = Tensor::full_in(to, -1).unwrap();
            let (next, before) = ((me + 1) % size, (me + size - 1) % size);
            if size == 1 {
                let alone = Datatype::<i32>::of(&from).unwrap();
                assert!(alone.constructors() <= from.len().max(1), "{what}: {alone}");
                continue;
            }
            if me % 2 == 0 {
                send(world, &source, next, 1, out).unwrap();
            }
            receive(world, &mut found, before, 1, back).unwrap();
            if me % 2 == 1 {
                send(world, &source, next, 1, out).unwrap();
            }
            assert_eq!(found.as_slice(), wanted.as_slice(), "{what}");
        }
    });
}

trait OffsetOf {
    fn offset_of_index_of(&self, c: &IntTuple) -> usize;
}

impl OffsetOf for DynLayout {
    fn offset_of_index_of(&self, c: &IntTuple) -> usize {
        (0..self.rank()).map(|d| self.mode(d).offset_of_index(c.leaves()[d])).sum()
    }
}

#[test]
fn what_cannot_be_received_is_refused() {
    on_ranks("what_cannot_be_received_is_refused", &[2], |world| {
        let me = world.rank();
        // Sends a broadcast (stride 0) as a static layout: each of 3 numbers 4 times.
        let numbers = [1.0f32, 2.0, 3.0];
        if me == 0 {
            let wide = View::<f32, layout!((3, 4):(1, 0))>::new(&numbers).unwrap();
            send(world, &wide, 1, 2, Method::Datatype).unwrap();
            send(world, &wide, 1, 2, Method::Packed).unwrap();
            send(world, &wide, 1, 3, Method::Auto).unwrap();
            send(world, &wide, 1, 3, Method::Auto).unwrap();
        } else {
            let mut rows = Tensor::<f32, layout!((3, 4):(4, 1))>::zeros();
            for method in [Method::Packed, Method::Datatype] {
                receive(world, &mut rows, 0, 2, method).unwrap();
                let wanted = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0];
                assert_eq!(rows.as_slice(), wanted);
            }
            // A message of the wrong size is discarded.
            let mut short = Tensor::<f32, layout!((3, 3):(3, 1))>::zeros();
            let error = receive(world, &mut short, 0, 3, Method::Auto).unwrap_err();
            assert_eq!(error, Error::MessageSize { expected: 9, bytes: 48 });
            receive(world, &mut rows, 0, 3, Method::Auto).unwrap();
        }
        // Messages whose size in bytes overflows, and ranks that do not exist.
        let many = DynLayout::strided(&[1 << (usize::BITS - 2)], &[0]).unwrap();
        let many = View::new_in(&numbers, many).unwrap();
        for method in [Method::Datatype, Method::Packed] {
            assert!(matches!(send(world, &many, me, 4, method), Err(Error::Layout(_))));
        }
        let mut one = [0.0f32];
        let mut one = ViewMut::<f32, layout!(1:1)>::new(&mut one).unwrap();
        for rank in [-1, 2] {
            let unknown = Error::UnknownRank { rank, ranks: 2 };
            assert_eq!(send(world, &one, rank, 5, Method::Auto), Err(unknown));
            let unknown = Error::UnknownRank { rank, ranks: 2 };
            assert_eq!(receive(world, &mut one, rank, 5, Method::Auto), Err(unknown));
        }
        // Large counts are split, for any limit.
        let columns = layout!((7, 5):(1, 9));
        let whole = Datatype::<f64>::of(&columns).unwrap();
        assert_eq!(whole.to_string(), "vector(5 of 7, 9) of f64");
        let cut = Datatype::<f64>::with_limit(&columns, 3).unwrap();
        assert!(cut.to_string().starts_with("struct("), "{cut}");
    });
}
