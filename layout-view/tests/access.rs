//! Accesses by threads against a naive simulator, and cases with known results.

use std::collections::{BTreeMap, BTreeSet};

use layout_core::devices::ElementType;
use layout_core::engine::{ComposedLayout, DynLayout, Swizzle};
use layout_core::text::Value;
use layout_view::access::{
    Analysis, Memory, Numbers, Question, Remedy, Request, Threads, Width, Written, offsets_of,
};

mod common;
use common::{Random, layout_text};

fn value(text: &str) -> Value {
    Value::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn memory(name: &str) -> Memory {
    Memory::of_name(name).expect("it has this name")
}

#[track_caller]
fn analysis(
    layout: &str,
    accesses: &[Written<'_>],
    element: ElementType,
    vector: Width,
) -> Analysis {
    let memory = memory("gpu-shared");
    let question = Question { layout, accesses, element, memory, vector };
    question.analysis().unwrap_or_else(|wrong| panic!("{}: {}", wrong.text, wrong.error))
}

/// The degree of the only access, and the swizzle that removes its conflicts.
#[track_caller]
fn degree_and_swizzle(
    layout: &str,
    tv: &str,
    element: ElementType,
    vector: Width,
) -> (usize, Option<String>) {
    let analysis = analysis(layout, &[Written::ThreadValue(tv)], element, vector);
    let swizzle = match analysis.remedy() {
        Remedy::Removes(found) => Some(found.swizzle.to_string()),
        _ => None,
    };
    (analysis.accesses()[0].degree_of_worst(), swizzle)
}

const ONE: Width = Width::Elements(1);
const WIDEST: Width = Width::Bytes(16);

#[test]
fn a_column_of_a_tile_by_rows() {
    // 32 threads in one bank, and five bits that spread them.
    let column = "(32,32):(1,32)";
    assert_eq!(
        degree_and_swizzle("(32,32):(32,1)", column, ElementType::F32, ONE),
        (32, Some("Sw<5,0,5>".into()))
    );
    // A row of padding does the same.
    assert_eq!(degree_and_swizzle("(32,32):(33,1)", column, ElementType::F32, ONE), (1, None));
    // Two rows share the banks of 16 columns, so 16 different words remain per bank.
    assert_eq!(degree_and_swizzle("(32,16):(16,1)", "(32,16):(1,32)", ElementType::F32, ONE).0, 16);
    // A row is contiguous.
    assert_eq!(
        degree_and_swizzle("(32,32):(32,1)", "(32,32):(32,1)", ElementType::F32, ONE),
        (1, None)
    );
    // One swizzle for the writes by rows and the reads by columns of a transposition.
    let both = [Written::ThreadValue("(32,32):(32,1)"), Written::ThreadValue(column)];
    let both = analysis("(32,32):(32,1)", &both, ElementType::F32, ONE);
    let Remedy::Removes(found) = both.remedy() else { panic!("{}", both.remedy()) };
    assert_eq!(found.layout.to_string(), "Sw<5,0,5> o 0 o (32,32):(32,1)");
}

#[test]
fn rows_of_16_bytes_as_ldmatrix_reads_them() {
    // Eight rows of 16 bytes follow each other.
    assert_eq!(
        degree_and_swizzle("(8,8):(8,1)", "(8,8):(1,8)", ElementType::F16, WIDEST),
        (1, None)
    );
    // Rows of 128 bytes: all eight are in the same banks. CuTe's 128-byte swizzle spreads them.
    let tv = "(8,(8,8)):(1,(8,64))";
    assert_eq!(
        degree_and_swizzle("(8,64):(64,1)", tv, ElementType::F16, WIDEST),
        (8, Some("Sw<3,3,3>".into()))
    );
    assert_eq!(
        degree_and_swizzle("Sw<3,3,3> o 0 o (8,64):(64,1)", tv, ElementType::F16, WIDEST),
        (1, None)
    );
    // Rows of 64 and 32 bytes: CuTe's 64-byte and 32-byte swizzles.
    let tv = "(8,(8,4)):(1,(8,64))";
    assert_eq!(
        degree_and_swizzle("(8,32):(32,1)", tv, ElementType::F16, WIDEST),
        (4, Some("Sw<2,3,3>".into()))
    );
    let tv = "(8,(8,2)):(1,(8,64))";
    assert_eq!(
        degree_and_swizzle("(8,16):(16,1)", tv, ElementType::F16, WIDEST),
        (2, Some("Sw<1,3,3>".into()))
    );
}

#[test]
fn vectors_along_m_need_the_bits_above_the_row() {
    // A tile of 128 by 8 halves with M contiguous, read as 8 by 8 matrices of 16-byte columns: each
    // column is 256 bytes further, in the same banks.
    let tv = "(8,(8,16)):(128,(1,8))";
    assert_eq!(
        degree_and_swizzle("(128,8):(1,128)", tv, ElementType::F16, WIDEST),
        (8, Some("Sw<3,3,4>".into()))
    );
    assert_eq!(
        degree_and_swizzle("Sw<3,3,4> o 0 o (128,8):(1,128)", tv, ElementType::F16, WIDEST),
        (1, None)
    );
}

/// Rows of 256 bytes, read by 16 bytes: measured on a GPU as 32.06 passes of a load instead of 4.
#[test]
fn rows_of_256_bytes_take_eight_times_as_long() {
    let rows = [Written::ThreadValue("(32,64):(1,32)")];
    let one = analysis("(32,64):(64,1)", &rows, ElementType::F32, WIDEST);
    let (passes, least) = one.accesses()[0].passes();
    let instructions = one.accesses()[0].instructions().len();
    assert_eq!((passes / instructions, least / instructions), (32, 4));
}

#[test]
fn phases_follow_from_the_width_of_the_banks() {
    for (width, phases) in [(1, 1), (2, 2), (4, 4)] {
        let tv = format!("(32,{width}):({width},1)");
        let tile = format!("{}:1", 32 * width);
        let one = analysis(&tile, &[Written::ThreadValue(&tv)], ElementType::F32, Width::Longest);
        let access = &one.accesses()[0];
        assert_eq!(
            (access.vector(), access.phases().len(), access.degree_of_worst()),
            (width, phases, 1)
        );
    }
    // Small elements share a word: no conflict, one phase.
    let bytes = analysis("32:1", &[Written::ThreadValue("32:1")], ElementType::I8, ONE);
    assert_eq!((bytes.accesses()[0].phases().len(), bytes.accesses()[0].phases()[0].words), (1, 8));
}

#[test]
fn shared_word_is_read_once() {
    let one = analysis("(4,8):(0,0)", &[Written::ThreadValue("32:1")], ElementType::F32, ONE);
    assert_eq!((one.accesses()[0].degree_of_worst(), one.accesses()[0].phases()[0].words), (1, 1));
    assert!(matches!(one.remedy(), Remedy::NotNeeded));
}

#[test]
fn strided_loads_move_whole_sectors() {
    let question = |layout, tv: &'static str| {
        let memory = memory("gpu-global");
        let accesses = [Written::ThreadValue(tv)];
        let question = Question {
            layout,
            accesses: &accesses,
            element: ElementType::F32,
            memory,
            vector: ONE,
        };
        let analysis = question.analysis().expect("it is right");
        let one = analysis.accesses()[0].instructions()[0].clone();
        (one.lines, one.sectors, one.wanted, one.moved)
    };
    assert_eq!(question("32:1", "32:1"), (Some(1), Some(4), 128, Some(128)));
    assert_eq!(question("32:2", "32:1"), (Some(2), Some(8), 128, Some(256)));
    assert_eq!(question("32:32", "32:1"), (Some(32), Some(32), 128, Some(1024)));
    assert_eq!(question("32:0", "32:1"), (Some(1), Some(1), 4, Some(32)));
}

#[test]
fn cache_accesses_count_together() {
    let question = |name: &str, layout, tv| {
        let accesses = [Written::ThreadValue(tv)];
        let memory = memory(name);
        let question = Question {
            layout,
            accesses: &accesses,
            element: ElementType::F64,
            memory,
            vector: ONE,
        };
        question.analysis().expect("it is right")
    };
    // A column of 16 rows of 4096 bytes: 16 lines of one set, which holds 8.
    let column = question("l1", "(16,512):(512,1)", "16:1");
    assert_eq!(
        (column.accesses()[0].degree_of_worst(), column.accesses()[0].conflicted()),
        (16, 1)
    );
    assert!(matches!(column.remedy(), Remedy::Removes(found) if found.degree <= 8));
    // 8 lines fit.
    assert_eq!(question("l1", "(8,512):(512,1)", "8:1").accesses()[0].conflicted(), 0);
    // Four threads that walk four neighbouring rows use all of each line.
    let walk = question("cpu", "(4,8):(8,1)", "(4,8):(1,4)");
    assert_eq!(
        (walk.accesses()[0].instructions().len(), walk.accesses()[0].efficiency()),
        (1, Some(1.0))
    );
}

#[test]
fn arrangements_are_cutes_tiled_copies() {
    let tile: ComposedLayout = offsets_of(&value("(16,8):(8,1)")).expect("it is a layout");
    let layout = |text: &str| text.parse::<DynLayout>().expect("it is a layout");
    // 4 by 2 threads with 2 by 2 values each, twice along mode 0, and twice along mode 1.
    let threads = Threads::arranged(&layout("(4,2):(2,1)"), Some(&layout("(2,2):(2,1)")), &tile);
    let threads = threads.expect("they fit");
    assert_eq!((threads.threads(), threads.values()), (8, 16));
    let of = |thread| threads.of_thread(thread).map(|i| (i % 16, i / 16)).collect::<Vec<_>>();
    // Thread 3 is at (1,1) of the threads: its values start at row 2 and column 2.
    assert_eq!(of(3)[..4], [(2, 2), (2, 3), (3, 2), (3, 3)]);
    assert_eq!(of(3)[4..8], [(10, 2), (10, 3), (11, 2), (11, 3)]);
    assert_eq!(of(3)[8..10], [(2, 6), (2, 7)]);
    let mut all: Vec<_> = (0..8).flat_map(|thread| threads.of_thread(thread)).collect();
    all.sort_unstable();
    assert_eq!(all, (0..128).collect::<Vec<_>>(), "each element has one thread");
}

#[test]
fn lanes_of_triton_are_threads_and_registers_values() {
    let tile = offsets_of(&value("(4,2):(2,1)")).expect("it is a layout");
    let of = |text| Threads::thread_value(&value(text), &tile).expect("it fits");
    let triton =
        of("#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], block = []}>");
    assert_eq!((triton.threads(), triton.values()), (4, 2));
    let cute = of("(4,2):(1@0,1@1)");
    for thread in 0..4 {
        assert!(triton.of_thread(thread).eq(cute.of_thread(thread)), "{thread}");
    }
}

#[test]
fn invalid_accesses_are_errors() {
    let ask = |layout: &'static str, accesses: &[Written<'static>], vector| {
        let (element, memory) = (ElementType::F32, memory("gpu-shared"));
        let question = Question { layout, accesses, element, memory, vector };
        let wrong = question.analysis().map(|_| ()).expect_err("it is wrong");
        wrong.error.problems()[0].error.code()
    };
    let tv = |text| [Written::ThreadValue(text)];
    let threads = |text| [Written::Arranged(text, None)];
    assert_eq!(ask("(8,8):(8,1)", &tv("(32,4):(4,1)"), ONE), "L0902");
    assert_eq!(ask("(8,8):(8,1)", &tv("(8,8):(1,8)"), Width::Elements(16)), "L0904");
    assert_eq!(ask("(8,8):(1,8)", &tv("(8,8):(1,8)"), Width::Elements(4)), "L0903");
    assert_eq!(ask("(8,9):(9,1)", &tv("(8,8):(1,8)"), Width::Elements(8)), "L0905");
    assert_eq!(ask("(8,9):(9,1)", &tv("(8,8):(1,8)"), Width::Elements(2)), "L0903");
    assert_eq!(ask("(8,9):(9,1)", &tv("(8,9):(1,8)"), Width::Elements(3)), "L0904");
    assert_eq!(ask("(8,8):(8,1)", &tv("(8,8):(1,8)"), Width::Bytes(3)), "L0912");
    assert_eq!(ask("(8,8):(8,1)", &threads("(3,8):(8,1)"), ONE), "L0906");
    assert_eq!(ask("(8,8):(8,1)", &threads("(4,8):(16,1)"), ONE), "L0907");
    assert_eq!(ask("(4096,4096):(4096,1)", &tv("(4096,4096)"), ONE), "L0901");
    assert_eq!(ask("(8,8):(8,1)", &tv("(8,8"), ONE), "L0110");
    let numbers = Numbers { banks: Some(0), ..Numbers::default() };
    assert!(memory("cpu").with(&numbers).is_err());
}

/// The largest number of different words in a bank, and the total number of different words,
/// computed from a table of the words of each bank.
fn naive(bits: usize, vector: usize, banks: (usize, usize), starts: &[usize]) -> (usize, usize) {
    let (count, bytes) = banks;
    let mut words: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &start in starts {
        for element in start..start + vector {
            for bit in element * bits..(element + 1) * bits {
                let word = bit / (8 * bytes);
                words.entry(word % count).or_default().insert(word);
            }
        }
    }
    let most = words.values().map(BTreeSet::len).max().unwrap_or(0);
    (words.values().map(BTreeSet::len).sum(), most)
}

#[test]
fn random_accesses_are_what_a_naive_simulator_says() {
    let mut random = Random(7);
    let mut conflicts = 0;
    for _ in 0..400 {
        let inside: DynLayout = layout_text(&mut random, 512).parse().expect("it is a layout");
        let width = inside.cosize().next_power_of_two().trailing_zeros() as usize;
        let bits = random.below(width / 2 + 1) as u32;
        let swizzle = Swizzle::new(bits, random.below(3) as u32, bits as i32).expect("it exists");
        let layout = ComposedLayout::new(&swizzle, 0, &inside).expect("it is small");
        let element =
            *random.pick(&[ElementType::F16, ElementType::F32, ElementType::F64, ElementType::I8]);
        let (count, bytes) = (1 << random.below(6), 1 << random.below(4));
        let group = 1 + random.below(40);
        let numbers = Numbers {
            banks: Some(count),
            bank_bytes: Some(bytes),
            line: Some(bytes * 8),
            sector: Some(bytes * 4),
            group: Some(group),
        };
        let memory = memory("gpu-shared").with(&numbers).expect("no zeros");
        // Arbitrary threads. Several threads may access one element.
        let (threads, values) = (1 + random.below(48), 1 + random.below(4));
        let stride = |random: &mut Random, extent: usize, size: usize| {
            if extent > 1 { random.below((size - 1) / (extent - 1) + 1) } else { 0 }
        };
        let of_threads = stride(&mut random, threads, layout.size());
        let rest = layout.size() - of_threads * (threads - 1);
        let of_values = stride(&mut random, values, rest);
        let tv = value(&format!("({threads},{values}):({of_threads},{of_values})"));
        let threads_of = Threads::thread_value(&tv, &layout).expect("they are inside");
        let request = Request { layout, element, memory, vector: Some(1) };
        let analysis = Analysis::new(&request, vec![threads_of]).expect("no overflow");
        let access = &analysis.accesses()[0];
        let offset = |thread: usize, value: usize| {
            layout.offset_of_index(thread * of_threads + value * of_values)
        };
        // Each thread of each value is in one phase, in order.
        let at_once = (count * bytes * 8 / element.bits()).max(1);
        let mut phases = access.phases().iter();
        for value in 0..values {
            for first in (0..threads).step_by(group) {
                let of_group = first..(first + group).min(threads);
                let mut lines = BTreeSet::new();
                for start in of_group.clone().step_by(at_once) {
                    let of_phase = start..(start + at_once).min(of_group.end);
                    let starts: Vec<_> =
                        of_phase.clone().map(|thread| offset(thread, value)).collect();
                    let (words, degree) = naive(element.bits(), 1, (count, bytes), &starts);
                    let phase = phases.next().expect("there is one more");
                    assert_eq!(
                        (&phase.threads, phase.words, phase.degree),
                        (&of_phase, words, degree),
                        "{tv} on {layout}"
                    );
                    let busiest = access.banks(phase).iter().map(|bank| bank.words.len()).max();
                    assert_eq!(busiest, Some(degree));
                    conflicts += usize::from(degree > 1);
                    let bytes_of = |start: usize| {
                        start * element.bits() / 8..=((start + 1) * element.bits() - 1) / 8
                    };
                    lines.extend(
                        starts.into_iter().flat_map(bytes_of).map(|byte| byte / (bytes * 8)),
                    );
                }
                let one = &access.instructions()[value * threads.div_ceil(group) + first / group];
                assert_eq!((&one.threads, one.lines), (&of_group, Some(lines.len())));
            }
        }
        assert_eq!(phases.next(), None);
    }
    assert!(conflicts > 400, "only {conflicts} conflicts");
}

/// All swizzles of some bits by their definition, each with its remaining conflict degree.
#[test]
fn the_swizzle_is_the_smallest_that_there_is() {
    let mut random = Random(11);
    let (mut removed, mut none) = (0, 0);
    for _ in 0..30 {
        let inside: DynLayout = layout_text(&mut random, 128).parse().expect("it is a layout");
        let element = *random.pick(&[ElementType::F16, ElementType::F32]);
        let numbers = Numbers { banks: Some(8), group: Some(8), ..Numbers::default() };
        let memory = memory("gpu-shared").with(&numbers).expect("no zeros");
        let size = inside.size();
        let threads = size.min(8);
        let step = (size / threads).max(1);
        // Threads far apart, so that there are conflicts.
        let tv = value(&format!("({threads},{step}):({step},1)"));
        let layout = ComposedLayout::from(inside);
        let accesses = Threads::thread_value(&tv, &layout).expect("they are inside");
        let starts = |value: usize| {
            (0..threads).map(move |thread| inside.offset_of_index(thread * step + value))
        };
        let request = Request { layout, element, memory, vector: Some(1) };
        let analysis = Analysis::new(&request, vec![accesses]).expect("no overflow");
        let degree = |swizzle: &Swizzle| {
            let at_once = (8 * 4 * 8 / element.bits()).min(threads);
            let mut worst = 0;
            for value in 0..step {
                let all: Vec<_> = starts(value).map(|start| swizzle.apply(start)).collect();
                for phase in all.chunks(at_once) {
                    let (words, degree) = naive(element.bits(), 1, (8, 4), phase);
                    if degree > words.div_ceil(8) {
                        worst = worst.max(degree);
                    }
                }
            }
            worst
        };
        let identity = Swizzle::new(0, 0, 0).expect("it exists");
        let today = degree(&identity);
        let width = usize::BITS - (inside.cosize() - 1).leading_zeros();
        // Ordered by number of bits, then by most unchanged low bits, then by shortest shift.
        let mut all = Vec::new();
        for (bits, base) in (1..=width).flat_map(|bits| (0..=width).map(move |base| (bits, base))) {
            for shift in -(width as i32)..=width as i32 {
                let fits = bits + base + shift.unsigned_abs() <= width;
                let swizzle = Swizzle::new(bits, base, shift).ok().filter(|_| fits);
                all.extend(
                    swizzle.map(|swizzle| ((bits, width - base, shift.abs(), shift < 0), swizzle)),
                );
            }
        }
        all.sort_by_key(|(key, _)| *key);
        let smallest = all.iter().find(|(_, swizzle)| degree(swizzle) == 0);
        let least =
            all.iter().map(|(_, swizzle)| degree(swizzle)).min().unwrap_or(today).min(today);
        match (analysis.remedy(), smallest) {
            (Remedy::NotNeeded, _) => assert_eq!(today, 0, "{tv} on {layout}"),
            (Remedy::Removes(found), Some((_, swizzle))) => {
                assert_eq!(found.swizzle, *swizzle, "{tv} on {layout}");
                removed += 1;
            }
            (Remedy::Reduces(found), None) => {
                assert_eq!(
                    (found.degree, degree(&found.swizzle)),
                    (least, least),
                    "{tv} on {layout}"
                );
                none += 1;
            }
            (Remedy::None { degree, .. }, None) => {
                assert_eq!((*degree, today), (least, least), "{tv} on {layout}");
                none += 1;
            }
            (remedy, smallest) => panic!("{tv} on {layout}: {remedy}, and {smallest:?}"),
        }
    }
    assert!(removed > 5 && none > 1, "{removed} were removed, {none} not");
}

#[test]
fn json_has_the_numbers() {
    let one = analysis(
        "(32,32):(32,1)",
        &[Written::ThreadValue("(32,32):(1,32)")],
        ElementType::F32,
        ONE,
    );
    let json = one.to_json();
    assert_eq!((&json["schema"], &json["memory"]["banks"]), (&1.into(), &32.into()));
    let access = &json["accesses"][0];
    assert_eq!(
        (&access["degree"], &access["phases"], &access["passes"]),
        (&32.into(), &32.into(), &1024.into())
    );
    assert_eq!(access["phase_list"][0]["banks"][0]["threads"].as_array().map(Vec::len), Some(32));
    assert_eq!(
        (&json["swizzle"]["result"], &json["swizzle"]["swizzle"]),
        (&"removes".into(), &"Sw<5,0,5>".into())
    );
}
