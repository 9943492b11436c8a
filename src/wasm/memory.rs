//! How the memory grows.

/// Makes the memory larger by an eighth if it has grown since the last time.
///
/// The allocator takes page by page, and engines do work at each growth that takes the longer the more there is: with tens
/// of thousands of readers that took more time than reading. What was taken once and given back stays with the allocator.
#[cfg(all(target_family = "wasm", not(feature = "std")))]
pub(super) fn grow_ahead() {
    use alloc::vec::Vec;
    use core::arch::wasm32::memory_size;
    use core::hint::black_box;
    use core::sync::atomic::{AtomicUsize, Ordering};

    /// How many pages there were the last time.
    static PAGES: AtomicUsize = AtomicUsize::new(0);
    const PAGE: usize = 65536;

    let pages = memory_size::<0>();
    if pages != PAGES.load(Ordering::Relaxed) {
        let mut ahead: Vec<u8> = Vec::new();
        // If there is no more, whoever needs it will find out.
        let _ = ahead.try_reserve_exact(pages * (PAGE / 8));
        drop(black_box(ahead));
        PAGES.store(memory_size::<0>(), Ordering::Relaxed);
    }
}

/// The standard library's affair.
#[cfg(not(all(target_family = "wasm", not(feature = "std"))))]
pub(super) fn grow_ahead() {}
