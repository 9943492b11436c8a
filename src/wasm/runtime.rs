//! What the standard library would bring: an allocator and a panic handler.

use core::arch::wasm32;
use core::panic::PanicInfo;

use dlmalloc::GlobalDlmalloc;

#[global_allocator]
static ALLOCATOR: GlobalDlmalloc = GlobalDlmalloc;

/// A trap, which JavaScript sees as a `WebAssembly.RuntimeError`. Messages would make the module larger than all of the reading code.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
