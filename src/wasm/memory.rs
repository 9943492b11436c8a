//! Growth of the memory.

/// Grows the memory by an eighth if it has grown since the last call.
///
/// The allocator takes page by page, and the work of an engine at each growth increases with the size of the memory:
/// with tens of thousands of readers that took more time than reading. Memory that was allocated once and freed stays
/// with the allocator.
#[cfg(all(target_family = "wasm", not(feature = "std")))]
pub(super) fn grow_ahead() {
    use alloc::vec::Vec;
    use core::arch::wasm32::memory_size;
    use core::hint::black_box;
    use core::sync::atomic::{AtomicUsize, Ordering};

    /// The number of pages at the last call.
    static PAGES: AtomicUsize = AtomicUsize::new(0);
    const PAGE: usize = 65536;

    let pages = memory_size::<0>();
    if pages != PAGES.load(Ordering::Relaxed) {
        let mut ahead: Vec<u8> = Vec::new();
        // A failure is ignored: the next allocation that needs the memory reports it.
        let _ = ahead.try_reserve_exact(pages * (PAGE / 8));
        drop(black_box(ahead));
        PAGES.store(memory_size::<0>(), Ordering::Relaxed);
    }
}

/// The standard library grows the memory itself.
#[cfg(not(all(target_family = "wasm", not(feature = "std"))))]
pub(super) fn grow_ahead() {}
