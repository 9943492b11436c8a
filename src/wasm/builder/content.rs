//! One content of a message.

use alloc::string::String;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::payload;
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::builder::ContentBuilder;
use crate::wasm::framed::{Framed, framed, free};

/// A content being built.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawContentBuilder(ContentBuilder);

impl RawContentBuilder {
    pub(super) fn new(builder: ContentBuilder) -> Self {
        RawContentBuilder(builder)
    }
}

#[wasm_bindgen]
impl RawContentBuilder {
    /// JavaScript writes a piece of the text or refusal, and those that follow it directly: the lines of what they have in
    /// common.
    #[wasm_bindgen(js_name = pieceTemplate)]
    pub fn piece_template(&self, kind: &str) -> Framed {
        Ok(self.0.piece_template(kind)?)
    }

    /// The pieces that JavaScript has written since then, joined, and how many they are.
    #[wasm_bindgen(js_name = addWritten)]
    pub fn add_written(&self, pieces: &str, count: u32) -> Result<(), JsValue> {
        Ok(self.0.add_written(pieces, count)?)
    }

    #[wasm_bindgen(js_name = addDataDelta)]
    pub fn add_data_delta(&self, json: &str) -> Framed {
        framed(self.0.add_data_delta(free(json)?))
    }

    /// The whole value so far; its members in the order of the protocol, data as JSON.
    pub fn set(
        &self,
        r#type: &str,
        first: Option<String>,
        second: Option<String>,
        third: Option<String>,
        fourth: Option<String>,
    ) -> Framed {
        framed(self.0.set_payload(payload(r#type, [first, second, third, fourth])?))
    }

    #[wasm_bindgen(js_name = updateData)]
    pub fn update_data(&self, key: &str, json: &str) -> Framed {
        framed(self.0.update_data(key, free(json)?))
    }

    pub fn complete(&self) -> Framed {
        framed(self.0.complete())
    }

    /// The content as it stands, as JSON.
    #[wasm_bindgen(js_name = getContentData)]
    pub fn get_content_data(&self) -> String {
        self.0.get_content_data().to_json(Style::Wire)
    }
}
