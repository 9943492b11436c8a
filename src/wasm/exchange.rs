//! The memory that JavaScript and the core share during one push.
//!
//! There is one per module, not one per reader: the output of a push is consumed before the next
//! push of any reader, so thousands of readers only take the memory of their answers' state.

use crate::core::patch::{CONTRACT, PatchBuffer, WIDE, widen};
use crate::core::report::Report;
use crate::json::put;
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

/// The number of words of the header for the patch. [`REPORT`] is the number of words for the
/// report.
const PATCH: usize = 9;
/// The number of words for the patch that contain its addresses and lengths.
const LAID_OUT: usize = 5;
const REPORT: usize = 8;
/// The index of the word with the number of words that are findings.
const FINDINGS: usize = PATCH + 1;

/// The number of words of the header: the last one is [`CONTRACT`].
const HEADER: usize = PATCH + REPORT + 1;

/// The number of units of text that the buffer keeps room for.
const PIECE: usize = 64 * 1024;

/// The input chunk and the output patch of a push.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Exchange {
    input: Vec<u8>,
    patch: PatchBuffer,
    /// The patch's text as UTF-16, where it is not ASCII.
    text: Vec<u16>,
    /// The number of words after the patch's ops that are findings of a report.
    findings: usize,
    header: [u32; HEADER],
}

#[wasm_bindgen]
impl Exchange {
    /// Reserves memory for chunks of up to `length` bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(length: usize) -> Exchange {
        let mut exchange = Exchange { input: alloc::vec![0; length], ..Exchange::default() };
        exchange.header[HEADER - 1] = CONTRACT;
        exchange
    }

    /// Returns the address at which JavaScript writes the next chunk. It does not change.
    pub fn input(&self) -> usize {
        self.input.as_ptr() as usize
    }

    /// Returns the address of the header, which does not change. The header has the address and
    /// length of the ops; the address and length of the text, in bytes of ASCII or with [`WIDE`] in
    /// units of UTF-16; the address of the long texts, the total number of violations, whether the
    /// answer can still change (0) or not (1), the number of the protocol, and the number of input
    /// bytes that were read. After a call that makes a report it also has the reason of the end,
    /// the number of words after the ops that are findings, and the numbers of events, comments and
    /// bytes, low half first. The last word is the version of the contract ([`CONTRACT`]).
    pub fn header(&self) -> usize {
        self.header.as_ptr() as usize
    }
}

impl Exchange {
    /// Calls `work` with an empty patch.
    pub(super) fn begin<T>(&mut self, work: impl FnOnce(&mut PatchBuffer) -> T) -> T {
        self.clear();
        work(&mut self.patch)
    }

    fn clear(&mut self) {
        self.patch.clear();
        self.findings = 0;
    }

    /// Calls `work` with the bytes of the input between two positions and an empty patch. `work`
    /// returns the number of bytes that it has read.
    pub(super) fn run(
        &mut self,
        from: usize,
        to: usize,
        work: impl FnOnce(&[u8], &mut PatchBuffer) -> usize,
    ) {
        self.clear();
        let taken = work(self.input.get(from..to).unwrap_or_default(), &mut self.patch);
        self.header[PATCH - 1] = (from + taken) as u32;
    }

    /// Returns the first bytes of the input.
    pub(super) fn given(&self, length: usize) -> &[u8] {
        self.input.get(..length).unwrap_or_default()
    }

    /// Returns the buffer for a text that is returned instead of a patch;
    /// [`write_header`](Self::lay_out) is called after that.
    #[inline(never)]
    pub(super) fn empty_text(&mut self) -> &mut String {
        self.clear();
        self.patch.text_mut()
    }

    /// Writes the parts of a report that are not numbers after the patch's ops.
    pub(super) fn add_findings(&mut self, report: &Report, from: u64, to: u64) {
        self.findings = report.write_new_findings(from, to, &mut self.patch);
    }

    /// Writes to the header: the addresses of the patch, the number of violations so far, whether
    /// the answer has ended, and the number of its protocol.
    pub(super) fn publish(&mut self, violations: u64, ended: bool, protocol: u32) {
        self.write_header();
        let found = [violations.min(u32::MAX.into()) as u32, ended.into(), protocol];
        self.header[LAID_OUT..PATCH - 1].copy_from_slice(&found);
    }

    /// Writes the addresses of the patch and its texts to the header.
    #[inline(never)]
    pub(super) fn write_header(&mut self) {
        grow_ahead();
        let (ops, text) = (self.patch.ops(), self.patch.text());
        let (address, length) = if text.is_ascii() {
            (text.as_ptr() as usize, text.len() as u32)
        } else {
            self.text.clear();
            self.text.shrink_to(PIECE);
            widen(text, &mut self.text);
            (self.text.as_ptr() as usize, self.text.len() as u32 | WIDE)
        };
        let places = [
            ops.as_ptr() as usize as u32,
            (ops.len() - self.findings) as u32,
            address as u32,
            length,
            self.patch.long().as_ptr() as usize as u32,
        ];
        self.header[..LAID_OUT].copy_from_slice(&places);
        self.header[FINDINGS] = self.findings as u32;
    }

    /// Writes the numbers of a report to the header.
    pub(super) fn summarise(&mut self, report: &Report) {
        let halves = |number: u64| [number as u32, (number >> 32) as u32];
        let [events, comments, bytes] = [report.events, report.comments, report.bytes].map(halves);
        self.header[PATCH] = report.end_reason as u32;
        for (word, value) in
            self.header[FINDINGS + 1..].iter_mut().zip([events, comments, bytes].as_flattened())
        {
            *word = *value;
        }
    }
}

/// Grows the memory by an eighth if it has grown since the last call.
///
/// The allocator takes page by page, and the work of an engine at each growth increases with the
/// size of the memory: with tens of thousands of readers that took more time than reading. Memory
/// that was allocated once and freed stays with the allocator.
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

/// The version of the crate that the module was built from.
#[wasm_bindgen]
pub fn version(exchange: &mut Exchange) {
    put(exchange.empty_text(), env!("CARGO_PKG_VERSION"));
    exchange.write_header();
}
