//! Random ids from the JavaScript host.

use alloc::string::String;

use uuid::Builder;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::id::IdSource;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn get_random_values(bytes: &mut [u8]);
}

/// A source of version 4 UUIDs, the ids of the real servers.
pub(super) struct HostIds;

impl IdSource for HostIds {
    fn next_id(&mut self, prefix: &str) -> String {
        let mut bytes = [0; 16];
        get_random_values(&mut bytes);
        let id = Builder::from_random_bytes(bytes).into_uuid().hyphenated();
        [prefix, id.encode_lower(&mut [0; 36])].concat()
    }
}
