//! OpenBLAS, loaded at run time if the machine has it.

use std::ffi::{CStr, c_char, c_int};

use libloading::Library;

type Gemm<T> = unsafe extern "C" fn(
    order: c_int,
    transpose_a: c_int,
    transpose_b: c_int,
    m: c_int,
    n: c_int,
    k: c_int,
    alpha: T,
    a: *const T,
    a_stride: c_int,
    b: *const T,
    b_stride: c_int,
    beta: T,
    c: *mut T,
    c_stride: c_int,
);

/// The functions of the library.
pub(crate) struct OpenBlas {
    pub(crate) sgemm: Gemm<f32>,
    pub(crate) dgemm: Gemm<f64>,
    set_threads: unsafe extern "C" fn(c_int),
    /// The version and configuration that it reports.
    pub(crate) description: String,
}

/// File names of the library, with and without the version of its interface.
const NAMES: [&str; 4] =
    ["libopenblas.so.0", "libopenblas.so", "libopenblas.0.dylib", "libopenblas.dylib"];

impl OpenBlas {
    /// Loads the library.
    pub(crate) fn load() -> Result<Self, libloading::Error> {
        // It selects AVX2 on AVX-512 processors that it does not know.
        #[cfg(target_arch = "x86_64")]
        if std::env::var_os("OPENBLAS_CORETYPE").is_none() && is_x86_feature_detected!("avx512f") {
            // SAFETY: no other threads exist yet.
            unsafe { std::env::set_var("OPENBLAS_CORETYPE", "SKYLAKEX") };
        }
        let mut found = Self::open(NAMES[0]);
        for name in &NAMES[1..] {
            found = found.or_else(|error| Self::open(name).map_err(|_| error));
        }
        found
    }

    fn open(name: &str) -> Result<Self, libloading::Error> {
        // SAFETY: the library's initialisers have no preconditions.
        let library = unsafe { Library::new(name) }?;
        // SAFETY: the function has this type in all versions.
        let sgemm = *unsafe { library.get::<Gemm<f32>>("cblas_sgemm") }?;
        // SAFETY: the function has this type in all versions.
        let dgemm = *unsafe { library.get::<Gemm<f64>>("cblas_dgemm") }?;
        // SAFETY: the function has this type in all versions.
        let config = *unsafe {
            library.get::<unsafe extern "C" fn() -> *const c_char>("openblas_get_config")
        }?;
        // SAFETY: the function has this type in all versions.
        let set_threads =
            *unsafe { library.get::<unsafe extern "C" fn(c_int)>("openblas_set_num_threads") }?;
        // SAFETY: the function has no preconditions.
        let config = unsafe { config() };
        // SAFETY: a NUL-terminated string owned by the library.
        let description = unsafe { CStr::from_ptr(config) }.to_string_lossy().into_owned();
        // The functions are used until the program ends, so the library is never unloaded.
        std::mem::forget(library);
        let library = Self { sgemm, dgemm, set_threads, description };
        library.use_threads(1);
        Ok(library)
    }

    /// Sets the number of threads for later calls.
    pub(crate) fn use_threads(&self, n: usize) {
        // SAFETY: no call is running: only the current thread calls the library.
        unsafe { (self.set_threads)(n as c_int) };
    }
}
