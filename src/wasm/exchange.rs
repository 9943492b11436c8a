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
    header: [u32; 6],
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

    /// Address of six words: address and length of the ops, address and length (in bytes) of the text, how many
    /// violations the reader has found in all, and whether its answer can still change (0) or not (1). It stays.
    pub fn header(&self) -> usize {
        self.header.as_ptr() as usize
    }
}

impl Exchange {
    /// Runs `work`, which is given the first `length` bytes of the input and an empty patch, and publishes what it
    /// leaves: the number of violations, and whether the answer has ended.
    pub(super) fn run(&mut self, length: usize, work: impl FnOnce(&[u8], &mut PatchBuffer) -> (u32, u32)) {
        let Exchange { input, patch, header } = self;
        patch.clear();
        let (violations, ended) = work(&input[..length.min(input.len())], patch);
        let (ops, text) = (patch.ops(), patch.text());
        *header = [
            ops.as_ptr() as usize as u32,
            ops.len() as u32,
            text.as_ptr() as usize as u32,
            text.len() as u32,
            violations,
            ended,
        ];
    }
}
