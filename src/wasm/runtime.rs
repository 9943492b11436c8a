//! The parts of the standard library that the module needs: an allocator and a panic handler.

use core::arch::wasm32;
use core::panic::PanicInfo;

use rlsf::{GlobalTlsf, GlobalTlsfOptions};

/// Blocks grow in place if there is room, and new memory is joined to the existing pool: the
/// answer's lists grow all the time.
#[derive(Debug)]
struct AllocatorOptions;

impl GlobalTlsfOptions for AllocatorOptions {
    const ENABLE_REALLOCATION: bool = true;
    const COALESCE_POOLS: bool = true;
}

#[global_allocator]
static ALLOCATOR: GlobalTlsf<AllocatorOptions> = GlobalTlsf::new();

/// Traps, which JavaScript receives as a `WebAssembly.RuntimeError`. Messages would make the module
/// larger than all of the reading code.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
