//! Contractions without general layouts: transpose, transpose, gemm, transpose (TTGT).

use static_layout::kernels::copy;
use static_layout::{DynLayout, IntTuple, View, ViewMut};

use versus::Random;

use crate::Data;
use crate::peers::{self, Element, Product, Strides};

/// `C = A * B`, summed over the letters that are not in C. All tensors are dense, first letter
/// fastest.
#[derive(Clone, Copy)]
pub(crate) struct Contraction {
    pub(crate) c: &'static str,
    pub(crate) a: &'static str,
    pub(crate) b: &'static str,
    /// Extents of the letters in alphabetical order.
    pub(crate) extents: &'static [usize],
}

impl Contraction {
    /// The contraction with a TCCG name such as `abcd-dbea-ec`.
    pub(crate) fn new(name: &'static str, extents: &'static [usize]) -> Self {
        let mut parts = name.split('-');
        let mut part = || parts.next().expect("three tensors");
        Self { c: part(), a: part(), b: part(), extents }
    }

    pub(crate) fn extent(&self, letter: char) -> usize {
        self.extents[letter as usize - 'a' as usize]
    }

    /// Number of elements of a tensor with these letters.
    pub(crate) fn size(&self, letters: &str) -> usize {
        letters.chars().map(|letter| self.extent(letter)).product()
    }

    /// The stride of a letter in a tensor.
    pub(crate) fn stride(&self, tensor: &str, letter: char) -> usize {
        self.size(tensor.split(letter).next().expect("a part"))
    }

    /// The layout of a tensor with one mode per group of letters.
    pub(crate) fn grouped(&self, tensor: &str, groups: &[&str]) -> DynLayout {
        let tuple = |number: &dyn Fn(char) -> usize| {
            let group = |group: &&str| {
                let leaves: Vec<usize> = group.chars().map(number).collect();
                IntTuple::flat(&leaves)
            };
            let groups: Result<Vec<_>, _> = groups.iter().map(group).collect();
            groups.and_then(|groups| IntTuple::tuple(&groups)).expect("a tuple")
        };
        let shape = tuple(&|letter| self.extent(letter));
        let stride = tuple(&|letter| self.stride(tensor, letter));
        DynLayout::new(&shape, &stride).expect("a layout")
    }

    /// The layout of a tensor with one mode per letter.
    pub(crate) fn layout(&self, tensor: &str) -> DynLayout {
        let shape: Vec<usize> = tensor.chars().map(|letter| self.extent(letter)).collect();
        IntTuple::flat(&shape).and_then(|shape| DynLayout::make(&shape)).expect("a layout")
    }

    /// Random letters in random order: 1 to 3 each for rows and columns, 1 or 2 for sums, and a batch
    /// letter in one of four contractions. `exponents` are the bounds of log10 of the multiplications.
    pub(crate) fn random(random: &mut Random, exponents: [f64; 2]) -> Self {
        let batch = usize::from(random.below(4) == 0);
        let counts = [1 + random.below(3), 1 + random.below(3), 1 + random.below(2), batch];
        let [least, most] = exponents;
        let work = 10f64.powf(least + (most - least) * random.below(260) as f64 / 260.0);
        let letters: usize = counts.iter().sum();
        let extents = loop {
            let extents: Vec<usize> = (0..letters)
                .map(|_| {
                    let factor = 2f64.powf((random.below(2001) as f64 - 1000.0) / 600.0);
                    let extent = (work.powf(1.0 / letters as f64) * factor) as usize;
                    if random.below(2) == 0 { extent.max(4) / 4 * 4 } else { extent.max(1) }
                })
                .collect();
            let product: f64 = extents.iter().map(|&extent| extent as f64).product();
            if (0.5..2.0).contains(&(product / work)) {
                break extents;
            }
        };
        let mut names = 'a'..;
        let [m, n, k, batch] = counts.map(|count| names.by_ref().take(count).collect::<String>());
        let mut tensor = |groups: [&str; 3]| -> &'static str {
            let mut letters: Vec<char> = groups.concat().chars().collect();
            random.shuffle(&mut letters);
            String::from_iter(letters).leak()
        };
        let c = tensor([&m, &n, &batch]);
        let (a, b) = (tensor([&m, &k, &batch]), tensor([&k, &n, &batch]));
        Self { c, a, b, extents: extents.leak() }
    }

    /// The letters of rows, columns and sums, each in the order of the given tensor.
    pub(crate) fn modes(&self, rows_of: &str, columns_of: &str, sums_of: &str) -> [String; 3] {
        let shared = |of: &str, x: &str, y: &str, without: &str| -> String {
            let is_shared = |letter: &char| {
                x.contains(*letter) && y.contains(*letter) && !without.contains(*letter)
            };
            of.chars().filter(is_shared).collect()
        };
        let Self { a, b, c, .. } = self;
        [shared(rows_of, c, a, b), shared(columns_of, c, b, a), shared(sums_of, a, b, c)]
    }

    /// The letters that are in all tensors.
    pub(crate) fn batch(&self) -> String {
        let is_shared = |letter: &char| self.a.contains(*letter) && self.b.contains(*letter);
        self.c.chars().filter(is_shared).collect()
    }
}

/// One tensor as a matrix: used in place, or copied.
#[derive(PartialEq)]
struct Matrix {
    strides: [usize; 2],
    /// The layouts of the tensor and its copy, with the same modes.
    copy: Option<[DynLayout; 2]>,
}

impl Matrix {
    fn new(contraction: &Contraction, tensor: &str, rows: &str, columns: &str) -> Self {
        let batch = contraction.batch();
        let by_columns = format!("{rows}{columns}{batch}");
        let by_rows = format!("{columns}{rows}{batch}");
        // A copy keeps the fastest letter in the fastest mode.
        let first = tensor.chars().next().expect("a letter");
        let is_by_rows = by_rows == tensor || by_columns != tensor && columns.contains(first);
        let (matrix, strides) = match is_by_rows {
            true => (by_rows, [contraction.size(columns), 1]),
            false => (by_columns, [1, contraction.size(rows)]),
        };
        let copy = (matrix != tensor).then(|| {
            let letters: Vec<String> = tensor.chars().map(String::from).collect();
            let groups: Vec<&str> = letters.iter().map(String::as_str).collect();
            [contraction.grouped(tensor, &groups), contraction.grouped(&matrix, &groups)]
        });
        Self { strides, copy }
    }

    fn strides(&self) -> Strides {
        Strides { row: self.strides[0], column: self.strides[1] }
    }
}

/// A variant: which tensors are transposed, and into which letter order.
#[derive(PartialEq)]
pub(crate) struct Ttgt {
    a: Matrix,
    b: Matrix,
    c: Matrix,
    extents: [usize; 3],
    products: usize,
}

impl Ttgt {
    /// All distinct variants: rows, columns and sums in the order of either tensor that has them.
    pub(crate) fn all(contraction: &Contraction) -> Vec<Self> {
        let Contraction { a, b, c, .. } = *contraction;
        let mut variants = Vec::new();
        for (rows_of, columns_of, sums_of) in
            [(c, c, a), (c, c, b), (a, c, a), (a, c, b), (c, b, a), (c, b, b), (a, b, a), (a, b, b)]
        {
            let [m, n, k] = &contraction.modes(rows_of, columns_of, sums_of);
            let variant = Self {
                a: Matrix::new(contraction, a, m, k),
                b: Matrix::new(contraction, b, k, n),
                c: Matrix::new(contraction, c, m, n),
                extents: [m, n, k].map(|letters| contraction.size(letters)),
                products: contraction.size(&contraction.batch()),
            };
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        variants
    }

    /// The name, with the tensors that are transposed.
    pub(crate) fn name(&self) -> String {
        let mut name = String::from("TTGT");
        for (matrix, tensor) in [(&self.a, " A"), (&self.b, " B"), (&self.c, " C")] {
            if matrix.copy.is_some() {
                name += tensor;
            }
        }
        name
    }

    pub(crate) fn run<T: Element>(&self, data: &mut Data<T>) {
        let transpose = |from: &[T], to: &mut [T], [source, destination]: [DynLayout; 2]| {
            let source = View::new_in(from, source).expect("a view");
            let mut destination = ViewMut::new_in(to, destination).expect("a view");
            copy(&source, &mut destination).expect("a copy");
        };
        let [m, n, k] = self.extents;
        let (a, b, c) = (self.a.strides(), self.b.strides(), self.c.strides());
        let product = Product { m, n, k, a, b, c, add: false, threads: 1 };
        let a = match self.a.copy {
            Some(layouts) => {
                transpose(data.a.as_slice(), data.a_matrix.as_mut_slice(), layouts);
                data.a_matrix.as_slice()
            }
            None => data.a.as_slice(),
        };
        let b = match self.b.copy {
            Some(layouts) => {
                transpose(data.b.as_slice(), data.b_matrix.as_mut_slice(), layouts);
                data.b_matrix.as_slice()
            }
            None => data.b.as_slice(),
        };
        let multiply = |c: &mut [T]| {
            for i in 0..self.products {
                peers::gemm(&product, &a[i * m * k..], &b[i * k * n..], &mut c[i * m * n..]);
            }
        };
        match self.c.copy {
            Some([tensor, matrix]) => {
                multiply(data.c_matrix.as_mut_slice());
                transpose(data.c_matrix.as_slice(), data.c.as_mut_slice(), [matrix, tensor]);
            }
            None => multiply(data.c.as_mut_slice()),
        }
    }
}
