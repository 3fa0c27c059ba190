//! What JavaScript calls: a buffer that it shares with [`call`](crate::call()).
//!
//! `reserve` makes room for a request, which JavaScript writes there. `call` replaces it by the
//! answer, which begins at the address that it returns and has `answer_len` bytes.

use std::sync::{Mutex, PoisonError};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn with_buffer<T>(run: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    run(&mut BUFFER.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Makes room for a request of so many bytes, and returns where it is.
#[allow(unsafe_code, reason = "a name that JavaScript knows; no other symbol has it")]
#[unsafe(no_mangle)]
extern "C" fn reserve(len: usize) -> *const u8 {
    with_buffer(|buffer| {
        buffer.clear();
        buffer.resize(len, 0);
        buffer.as_ptr()
    })
}

/// Replaces the request by its answer, and returns where that is.
#[allow(unsafe_code, reason = "a name that JavaScript knows; no other symbol has it")]
#[unsafe(no_mangle)]
extern "C" fn call() -> *const u8 {
    with_buffer(|buffer| {
        *buffer = crate::call(&String::from_utf8_lossy(buffer)).into_bytes();
        buffer.as_ptr()
    })
}

/// The length of the answer in bytes.
#[allow(unsafe_code, reason = "a name that JavaScript knows; no other symbol has it")]
#[unsafe(no_mangle)]
extern "C" fn answer_len() -> usize {
    with_buffer(|buffer| buffer.len())
}
