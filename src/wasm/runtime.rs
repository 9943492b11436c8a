//! What the standard library would bring: an allocator and a panic handler.

use core::arch::wasm32;
use core::panic::PanicInfo;

use rlsf::{GlobalTlsf, GlobalTlsfOptions};

/// Blocks grow where they stand, if there is room, and what the memory grows by is joined to what there was: the answer's
/// lists grow all the time.
#[derive(Debug)]
struct Growing;

impl GlobalTlsfOptions for Growing {
    const ENABLE_REALLOCATION: bool = true;
    const COALESCE_POOLS: bool = true;
}

#[global_allocator]
static ALLOCATOR: GlobalTlsf<Growing> = GlobalTlsf::new();

/// A trap, which JavaScript sees as a `WebAssembly.RuntimeError`. Messages would make the module larger than all of the reading code.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
