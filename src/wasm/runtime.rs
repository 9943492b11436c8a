//! What the standard library would bring: memory, and an end for what cannot happen.

use core::arch::wasm32;
use core::panic::PanicInfo;

use dlmalloc::GlobalDlmalloc;

#[global_allocator]
static ALLOCATOR: GlobalDlmalloc = GlobalDlmalloc;

/// A trap, which JavaScript sees as a `WebAssembly.RuntimeError`. The message would cost more than all the reading.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
