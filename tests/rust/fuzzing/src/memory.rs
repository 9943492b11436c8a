//! The allocated bytes, counted by the allocator.

use peak_alloc::PeakAlloc;

// It counts for the whole process: a target runs in a separate process, as with libFuzzer and
// nextest.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Bytes that may be allocated for any input.
pub const BASE: usize = 512 << 10;

/// Calls `work`, and returns its result and the maximum number of allocated bytes.
pub fn held<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let done = work();
    (done, ALLOCATOR.peak_usage().saturating_sub(before))
}
