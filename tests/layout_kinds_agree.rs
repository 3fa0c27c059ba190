//! One name, one contract: the same expression on a static, a mixed and a dynamic layout gives the
//! same answer.

use static_layout::typenum::{U0, U1, U2, U3, U8};
use static_layout::types::Tree;
use static_layout::{IntTuple, Tiler, prelude::*};

/// Queries are inherent methods: no trait needs to be in scope.
mod questions {
    use static_layout::{DynLayout, IntTuple, layout};

    macro_rules! ask {
        ($($layout:expr),+) => {[$({
            let l = $layout;
            let numbers = (l.rank(), l.depth(), l.size(), l.cosize());
            let offsets = (l.offset(13), l.offset((1, 4)), l.offset((1, (0, 2))));
            (l.shape(), l.stride(), numbers, offsets)
        }),+]};
    }

    #[test]
    fn have_one_answer() {
        let (m, n) = (3, 4);
        let mixed = layout!((m, (2, n)):(8, (n, 1)));
        let dynamic = DynLayout::parse("(3,(2,4)):(8,(4,1))").unwrap();
        let answers = ask!(layout!((3, (2, 4)):(8, (4, 1))), mixed, dynamic);
        let tuple = |text| IntTuple::parse(text).unwrap();
        let (shape, stride) = (tuple("(3,(2,4))"), tuple("(8,(4,1))"));
        assert_eq!(answers[0], (shape, stride, (2, 2, 24, 24), (10, 10, 10)));
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    }
}

/// The result of an operation as text. Depending on the kind of layout it is a layout or a `Result`.
trait Answer {
    fn answer(self) -> String;
}
impl<L: AnyLayout> Answer for Result<L, LayoutError> {
    fn answer(self) -> String {
        self.map_or_else(|error| error.to_string(), |layout| layout.to_string())
    }
}
macro_rules! plain {
    ($([$($generics:tt)*] $layout:ty;)+) => {$(
        impl<$($generics)*> Answer for $layout {
            fn answer(self) -> String {
                self.to_string()
            }
        }
    )+};
}
plain! {
    [S: Tree, D: Tree] Layout<S, D>;
    [] DynLayout;
}

macro_rules! same {
    ($($l:ident => $call:expr;)+) => {$(
        {
            let (m, n) = (3, 4);
            let of_static = { let $l = layout!((3, (2, 4)):(8, (4, 1))); $call.answer() };
            let of_mixed = { let $l = layout!((m, (2, n)):(8, (n, 1))); $call.answer() };
            let of_dynamic = {
                let $l = DynLayout::parse("(3,(2,4)):(8,(4,1))").unwrap();
                $call.answer()
            };
            let value = DynLayout::parse(&of_static).expect(stringify!($call));
            assert_eq!(of_dynamic, of_static, "{}", stringify!($call));
            // Mixed types keep modes that the dynamic result merges. The function is the same.
            let of_mixed = DynLayout::parse(&of_mixed).expect(stringify!($call));
            let offsets = |l: &DynLayout| (0..l.size()).map(|i| l.offset(i)).collect::<Vec<_>>();
            assert_eq!(offsets(&of_mixed), offsets(&value), "{}", stringify!($call));
        }
    )+};
}

#[test]
fn operations_have_one_answer() {
    same! {
        l => l.coalesce();
        l => l.coalesce_by(&(1, 1));
        l => l.flatten();
        l => l.unflatten(&((0, 0), 0));
        l => l.take(U1::new(), U2::new());
        l => l.take(1, 2);
        l => l.group(U0::new(), U2::new());
        l => l.group(0, 2);
        l => l.select(&(U1::new(), U0::new()));
        l => l.select(&[1, 0]);
        l => l.permute(&[1, 0]);
        l => l.transposed();
        l => l.append(&layout!(2:24));
        l => l.prepend(&layout!(2:24));
        l => l.replace(U0::new(), &layout!(2:24));
        l => l.replace(0, &layout!(2:24));
        l => l.zip_with(&layout!((5, 7):(1, 1)));
        l => l.filter();
        l => l.filter_zeros();
        l => l.composition(&layout!(3:1));
        l => l.composition(&Tiler::parse("<3:1>").unwrap());
        l => l.logical_divide(&layout!(<3>));
        l => l.logical_divide(&DynLayout::leaf(3, 1));
        l => l.zipped_divide(&layout!(<3>));
        l => l.broadcast_to(&(U2::new(), U3::new(), U8::new()));
        l => l.broadcast_to(&[2, 3, 8]);
        l => l.windows(&(U2::new(),));
        l => l.windows(&IntTuple::parse("(2,(2,2))").unwrap());
        l => l.windows(&IntTuple::parse("(2)").unwrap());
        l => l.upcast(U1::new());
        l => l.upcast(4);
    }
}
