//! A `CopyPlan` as text: its loops, the kernel inside them, and how it uses the caches.

use core::fmt;

use super::plan::{Caching, CopyKernel, CopyPlan};
use super::refine::Loop;

/// Prints how a large copy uses the caches, a line for each loop, and the kernel inside the loops.
impl fmt::Display for CopyPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = "in blocks of about 16 KiB in the order of the source";
        let large = "if it does not fit in the last-level cache";
        match (self.caching(), self.is_in_order_of_source()) {
            (Caching::Direct, _) => {}
            (Caching::Blocked, false) => {
                f.write_str("in pieces of at most 256 KiB, for the caches\n")?;
            }
            (Caching::Blocked, true) => {
                writeln!(f, "in pieces of at most 256 KiB; {blocks} {large}")?;
            }
            (Caching::Streamed, false) => writeln!(
                f,
                "in pieces of at most 256 KiB, written with non-temporal stores {large}"
            )?,
            (Caching::Streamed, true) => {
                writeln!(f, "{blocks}, written with non-temporal stores {large}")?;
            }
        }
        if self.is_buffered() {
            f.write_str("through buffers in L1, if elements are numbers\n")?;
        }
        if self.permutes_bits() {
            f.write_str(
                "by permuting index bits in registers, if elements are numbers, with AVX2\n",
            )?;
        }
        for (depth, Loop { extent, source, destination }) in self.loops().iter().enumerate() {
            let indent = 2 * depth;
            writeln!(
                f,
                "{:indent$}for {extent}: source +{source}, destination +{destination}",
                ""
            )?;
        }
        let indent = 2 * self.loops().len();
        write!(f, "{:indent$}", "")?;
        match self.kernel() {
            CopyKernel::Nothing => f.write_str("nothing: a layout without elements"),
            CopyKernel::Run { elements } => write!(f, "run of {elements}, contiguous in both"),
            CopyKernel::Transpose { columns, rows } => {
                write!(f, "transpose {} x {}", columns.extent, rows.extent)?;
                if self.unit() > 1 {
                    write!(f, " words of {} elements", self.unit())?;
                }
                write!(
                    f,
                    ": source contiguous along {}, next row +{}; \
                     destination contiguous along {}, next row +{}",
                    columns.extent, rows.source, rows.extent, columns.destination
                )
            }
            CopyKernel::Strided(Loop { extent, source, destination }) => {
                write!(
                    f,
                    "element by element, {extent}: source +{source}, destination +{destination}"
                )
            }
            CopyKernel::Irregular => {
                f.write_str("index by index: no common refinement into at most 16 loops")
            }
        }
    }
}

impl fmt::Debug for CopyPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use layout_core::engine::{DynLayout, IntTuple, MAX_LEAVES};
    use layout_core::error::LayoutError;

    use super::*;
    use crate::copy::refine::MAX_LOOPS;

    fn plan(source: &str, destination: &str) -> CopyPlan {
        let layout = |text| DynLayout::parse(text).unwrap();
        CopyPlan::new::<f32>(&layout(source), &layout(destination)).unwrap()
    }

    #[test]
    fn what_is_contiguous_is_one_run() {
        for (s, d) in [
            ("(4,8):(8,1)", "(4,8):(8,1)"),
            ("((2,2),8):((8,16),1)", "(4,(2,4)):(8,(1,2))"),
            ("(1,32):(77,1)", "(1,(4,8)):(0,(1,4))"),
        ] {
            assert_eq!(plan(s, d).kernel(), CopyKernel::Run { elements: 32 }, "{s} to {d}");
            assert!(plan(s, d).loops().is_empty(), "{s} to {d}");
        }
        assert_eq!(plan("1:0", "1:9").kernel(), CopyKernel::Run { elements: 1 });
    }

    #[test]
    fn the_destination_is_written_in_order() {
        let text = plan("((8,4),(16,4)):((16,512),(1,128))", "(32,64):(64,1)").to_string();
        assert_eq!(
            text,
            "for 4: source +512, destination +512\n  \
             for 8: source +16, destination +64\n    \
             for 4: source +128, destination +16\n      \
             run of 16, contiguous in both"
        );
    }

    #[test]
    fn a_transposition_needs_both_contiguous_loops() {
        let text = plan("((8,4),(8,4)):((1,256),(8,64))", "(32,32):(32,1)").to_string();
        assert_eq!(
            text,
            "for 4: source +256, destination +256\n  \
             transpose 8 x 32: source contiguous along 8, next row +8; \
             destination contiguous along 32, next row +32"
        );
        // A source without stride 1 is not transposed.
        assert!(matches!(plan("(8,8):(2,16)", "(8,8):(8,1)").kernel(), CopyKernel::Strided(_)));
        // Elements that are contiguous in both memories form words.
        let text = plan("(2,8,8):(1,16,2)", "(2,8,8):(1,2,16)").to_string();
        assert_eq!(
            text,
            "transpose 8 x 8 words of 2 elements: source contiguous along 8, next row +16; \
             destination contiguous along 8, next row +16"
        );
    }

    #[test]
    fn a_broadcast_is_a_loop_that_the_source_does_not_move_in() {
        assert_eq!(
            plan("(3,8):(0,2)", "(3,8):(1,3)").to_string(),
            "for 8: source +2, destination +3\n  element by element, 3: source +0, destination +1"
        );
    }

    #[test]
    fn leaves_that_do_not_refine_are_walked() {
        let plan = plan("((2,3),4):((1,4),12)", "((3,2),4):((1,5),12)");
        assert_eq!(plan.kernel(), CopyKernel::Irregular);
        assert_eq!(plan.to_string(), "index by index: no common refinement into at most 16 loops");
    }

    #[test]
    fn shapes_must_agree() {
        let layout = |text| DynLayout::parse(text).unwrap();
        let error =
            CopyPlan::new::<f32>(&layout("(4,8):(8,1)"), &layout("(8,4):(4,1)")).unwrap_err();
        assert!(matches!(error, LayoutError::CopyShape { .. }));
    }

    #[test]
    fn more_loops_than_a_plan_holds_are_walked() {
        // Leaves of extent 2 in opposite orders cannot be merged.
        let plan_of = |leaves: usize| {
            let shape = IntTuple::flat(&[2; MAX_LEAVES][..leaves]).unwrap();
            let (rows, columns) = (DynLayout::row_major(&shape), DynLayout::make(&shape));
            CopyPlan::new::<f32>(&rows.unwrap(), &columns.unwrap()).unwrap()
        };
        assert_eq!(plan_of(MAX_LOOPS).loops().len(), MAX_LOOPS - 1);
        assert_eq!(plan_of(MAX_LOOPS + 1).kernel(), CopyKernel::Irregular);
    }
}
