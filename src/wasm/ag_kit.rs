//! AG-Kit: building streams, requests.

use crate::protocols::ag_kit::builder::StreamBuilder;
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::wasm::exchange::grow_ahead;
use crate::wasm::framed::thrown;
use crate::wasm::framed::{Framed, all, framed, free};
use alloc::string::String;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Builds the stream of a turn.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct RawStreamBuilder(StreamBuilder);

#[wasm_bindgen]
impl RawStreamBuilder {
    #[wasm_bindgen(constructor)]
    pub fn new() -> RawStreamBuilder {
        grow_ahead();
        RawStreamBuilder::default()
    }

    /// Returns the common part of the lines of consecutive pieces of the text, or of the arguments
    /// of a call, which JavaScript then writes by itself.
    #[wasm_bindgen(js_name = pieceTemplate)]
    pub fn piece_template(&mut self, call: Option<String>) -> Framed {
        Ok(self.0.piece_template(call.as_deref())?)
    }

    #[wasm_bindgen(js_name = toolCallStart)]
    pub fn tool_call_start(&mut self, id: &str, name: &str) -> Framed {
        framed(self.0.tool_call_start(id, name))
    }

    #[wasm_bindgen(js_name = toolCallEnd)]
    pub fn tool_call_end(&mut self, id: &str) -> Framed {
        framed(self.0.tool_call_end(id))
    }

    #[wasm_bindgen(js_name = toolResult)]
    pub fn tool_result(&mut self, id: &str, result: &str) -> Framed {
        framed(self.0.tool_result(id, result))
    }

    pub fn interrupt(&mut self, id: &str, reason: Option<String>, payload: &str) -> Framed {
        framed(self.0.interrupt(id, reason.as_deref(), free(payload)?))
    }

    pub fn error(&mut self, message: &str) -> Framed {
        framed(self.0.error(message))
    }

    pub fn done(&mut self) -> Framed {
        framed(self.0.done())
    }

    #[wasm_bindgen(js_name = finishWith)]
    pub fn finish_with(&mut self, error: Option<String>) -> String {
        all(&self.0.finish_with(error.as_deref()))
    }

    #[wasm_bindgen(js_name = isEnded)]
    pub fn is_ended(&self) -> bool {
        self.0.is_ended()
    }
}

/// Converts a request to the form that the server accepts.
#[wasm_bindgen(js_name = writeSendMessageInput)]
pub fn write_send_message_input(json: &str) -> Result<String, JsValue> {
    let input =
        SendMessageInput::parse(json).map_err(|error| thrown("bad-request", &error.text()))?;
    Ok(input.to_json()?)
}
