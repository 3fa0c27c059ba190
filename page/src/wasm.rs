//! Functions called from JavaScript, which shares a buffer with [`call`](crate::call()).
//!
//! `reserve` allocates memory for a request, and JavaScript writes the request there. `call` replaces
//! it with the answer: `call` returns its address, `answer_len` its length in bytes.

use std::sync::{Mutex, PoisonError};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn with_buffer<T>(f: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    f(&mut BUFFER.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Allocates memory for a request of `len` bytes, and returns its address.
#[allow(unsafe_code, reason = "a name that JavaScript knows; no other symbol has it")]
#[unsafe(no_mangle)]
extern "C" fn reserve(len: usize) -> *const u8 {
    with_buffer(|buffer| {
        buffer.clear();
        buffer.resize(len, 0);
        buffer.as_ptr()
    })
}

/// Replaces the request with its answer, and returns the address of the answer.
#[allow(unsafe_code, reason = "a name that JavaScript knows; no other symbol has it")]
#[unsafe(no_mangle)]
extern "C" fn call() -> *const u8 {
    with_buffer(|buffer| {
        *buffer = crate::call(&String::from_utf8_lossy(buffer)).into_bytes();
        buffer.as_ptr()
    })
}

/// Length of the answer in bytes.
#[allow(unsafe_code, reason = "a name that JavaScript knows; no other symbol has it")]
#[unsafe(no_mangle)]
extern "C" fn answer_len() -> usize {
    with_buffer(|buffer| buffer.len())
}
