use static_layout::Tenstorrent;
use static_layout::types::constant::{L1, Undef, F32};
use static_layout::devices::tenstorrent::Scalars;
use static_layout::types::{Cons, Nil};
use static_layout::typenum::{U0, U1, U2, U4, U10};

type Pair<A, B> = Cons<A, Cons<B, Nil>>;
type Map = Pair<Pair<U1, U0>, Pair<U2, U1>>;
// The tensor has a dimension more than the map.
type Wrong = Tenstorrent<Cons<U10, Pair<U4, U2>>, F32, Map, Pair<U2, U2>, Scalars<F32>, Undef, L1>;

const CORES: usize = Wrong::CORES;

fn main() {
    println!("{CORES}");
}
