//! The bytes that are held at a time, counted by the allocator.

use peak_alloc::PeakAlloc;

// It counts for the whole process: a target runs in one of its own, as with libFuzzer and nextest.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Bytes that may be held in any case.
pub const BASE: usize = 512 << 10;

/// Does some work, and returns its result and the maximum number of bytes that it held.
pub fn held<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let done = work();
    (done, ALLOCATOR.peak_usage().saturating_sub(before))
}
