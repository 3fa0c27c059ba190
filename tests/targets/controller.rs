//! The filter of the example `kalman` as a complete program for a microcontroller. `.ci/targets`
//! links it and checks its size. On other targets it does nothing.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![allow(unsafe_code, reason = "a program without an operating system starts somewhere")]

#[cfg(target_os = "none")]
mod controller {
    use core::hint::black_box;
    use core::panic::PanicInfo;

    #[panic_handler]
    fn stop(_: &PanicInfo<'_>) -> ! {
        loop {}
    }

    #[unsafe(no_mangle)]
    extern "C" fn _start() -> ! {
        let seen = [[1.0, 2.0, 3.0]; 2];
        loop {
            black_box(targets::follow(black_box(&seen)));
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
