use static_layout::typenum::{U0, U4, U65, U256};
use static_layout::types::{Cons, Nil, constant::F16};
use static_layout::Spyre;

type List<A> = Cons<A, Nil>;
type Pair<A, B> = Cons<A, Cons<B, Nil>>;
type Stick = Spyre<List<U256>, F16, Pair<U4, U65>, Pair<U0, U0>>;

const BYTES: usize = Stick::BYTES;

fn main() {
    let _ = BYTES;
}
