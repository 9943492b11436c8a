//! The memory that JavaScript and the core share during one push.
//!
//! There is one per module, not one per reader: what a push leaves here is taken up before the next push of any reader,
//! so thousands of readers cost what their answers' bookkeeping costs.

use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::fold::PatchBuffer;

/// A chunk on its way in, and the patch on its way out.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Exchange {
    input: Vec<u8>,
    patch: PatchBuffer,
    header: [u32; 7],
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

    /// Address of seven words: address and length of the ops, address and length (in bytes) of the text, address of the
    /// long texts, how many violations the reader has found in all, and whether its answer can still change (0) or not
    /// (1). It stays.
    pub fn header(&self) -> usize {
        self.header.as_ptr() as usize
    }
}

impl Exchange {
    /// Begins with what `work` puts into an empty patch.
    pub(super) fn begin<T>(&mut self, work: impl FnOnce(&mut PatchBuffer) -> T) -> T {
        self.patch.clear();
        let result = work(&mut self.patch);
        self.publish(0, false);
        result
    }

    /// Gives `work` the first `length` bytes of the input and an empty patch.
    pub(super) fn run(&mut self, length: usize, work: impl FnOnce(&[u8], &mut PatchBuffer)) {
        self.patch.clear();
        work(&self.input[..length.min(self.input.len())], &mut self.patch);
    }

    /// Says where the patch is, how many violations there were in all, and whether the answer has ended.
    pub(super) fn publish(&mut self, violations: u64, ended: bool) {
        let (ops, text) = (self.patch.ops(), self.patch.text());
        self.header = [
            ops.as_ptr() as usize as u32,
            ops.len() as u32,
            text.as_ptr() as usize as u32,
            text.len() as u32,
            self.patch.long().as_ptr() as usize as u32,
            violations.min(u32::MAX.into()) as u32,
            ended.into(),
        ];
    }
}
