//! The memory that JavaScript and the core share during one push.
//!
//! There is one per module, not one per reader: what a push leaves here is taken up before the next push of any reader,
//! so thousands of readers cost what their answers' bookkeeping costs.

use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use super::memory::grow_ahead;
use crate::core::patch::PatchBuffer;

/// A chunk on its way in, and the patch on its way out.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Exchange {
    input: Vec<u8>,
    patch: PatchBuffer,
    header: [u32; 9],
}

#[wasm_bindgen]
impl Exchange {
    /// Room for chunks of up to `length` bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(length: usize) -> Exchange {
        Exchange { input: alloc::vec![0; length], ..Exchange::default() }
    }

    /// Address of the bytes that JavaScript writes the next chunk to. It stays.
    pub fn input(&self) -> usize {
        self.input.as_ptr() as usize
    }

    /// Address of nine words: address and length of the ops, address and length (in bytes) of the text, address of the
    /// long texts, how many violations the reader has found in all, whether its answer can still change (0) or not (1),
    /// the number of the protocol, and how many bytes of the input have been read. It stays.
    pub fn header(&self) -> usize {
        self.header.as_ptr() as usize
    }
}

impl Exchange {
    /// Gives `work` an empty patch.
    pub(super) fn begin<T>(&mut self, work: impl FnOnce(&mut PatchBuffer) -> T) -> T {
        self.patch.clear();
        work(&mut self.patch)
    }

    /// Gives `work` the bytes of the input between two places and an empty patch. It returns how many it has read.
    pub(super) fn run(
        &mut self,
        from: usize,
        to: usize,
        work: impl FnOnce(&[u8], &mut PatchBuffer) -> usize,
    ) {
        self.patch.clear();
        let taken = work(self.input.get(from..to).unwrap_or_default(), &mut self.patch);
        self.header[8] = (from + taken) as u32;
    }

    /// Says where the patch is, how many violations there were in all, whether the answer has ended, and of which
    /// protocol it is.
    pub(super) fn publish(&mut self, violations: u64, ended: bool, protocol: u32) {
        grow_ahead();
        let (ops, text) = (self.patch.ops(), self.patch.text());
        let taken = self.header[8];
        self.header = [
            ops.as_ptr() as usize as u32,
            ops.len() as u32,
            text.as_ptr() as usize as u32,
            text.len() as u32,
            self.patch.long().as_ptr() as usize as u32,
            violations.min(u32::MAX.into()) as u32,
            ended.into(),
            protocol,
            taken,
        ];
    }
}
