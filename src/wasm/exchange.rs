//! The memory that JavaScript and the core share during one push.
//!
//! There is one per module, not one per reader: what a push leaves here is taken up before the next push of any reader,
//! so thousands of readers cost what their answers' bookkeeping costs.

use alloc::vec::Vec;
use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::fold::PatchBuffer;

#[derive(Default)]
pub(super) struct Exchange {
    pub input: Vec<u8>,
    pub patch: PatchBuffer,
    header: [u32; 6],
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Runs `work` with an empty patch and publishes what it leaves.
pub(super) fn exchange(work: impl FnOnce(&mut Exchange) -> (u32, u32)) {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.patch.clear();
        let (violations, ended) = work(exchange);
        let (ops, text) = (exchange.patch.ops(), exchange.patch.text());
        exchange.header = [
            ops.as_ptr() as usize as u32,
            ops.len() as u32,
            text.as_ptr() as usize as u32,
            text.len() as u32,
            violations,
            ended,
        ];
    });
}

/// Address of `length` bytes for JavaScript to write the next chunk to.
#[wasm_bindgen(js_name = inputBuffer)]
pub fn input_buffer(length: usize) -> usize {
    EXCHANGE.with_borrow_mut(|exchange| {
        if exchange.input.len() < length {
            exchange.input.resize(length, 0);
        }
        exchange.input.as_ptr() as usize
    })
}

/// Address of six words: address and length of the ops, address and length (in bytes) of the text, how many violations
/// the reader has found in all, and whether its answer can still change (0) or not (1).
#[wasm_bindgen(js_name = patchHeader)]
pub fn patch_header() -> usize {
    EXCHANGE.with_borrow(|exchange| exchange.header.as_ptr() as usize)
}
