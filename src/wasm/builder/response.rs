//! The response: the beginning and the end of every stream.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{error, message, missing, options};
use super::message::RawMessageBuilder;
use crate::protocols::agent_api::builder::ResponseBuilder;
use crate::protocols::agent_api::{RunStatus, Style};
use crate::wasm::framed::{Framed, all, framed, free};
use crate::wasm::memory::grow_ahead;

/// A response being built.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawResponseBuilder(ResponseBuilder);

#[wasm_bindgen]
impl RawResponseBuilder {
    /// `options` is JSON: `sessionId`, `responseId`, `style`, `numbering`, `partOrder`, `nullOutput`, `completedOnly`,
    /// `ids`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<RawResponseBuilder, JsValue> {
        grow_ahead();
        Ok(RawResponseBuilder(ResponseBuilder::new(self::options(options)?)))
    }

    /// The event that gives the response this status. What an error has as its code is the reason of an incomplete end.
    pub fn announce(&self, status: &str, code: Option<String>, message: Option<String>) -> Framed {
        framed(match RunStatus::from(status) {
            RunStatus::Created => self.0.created(),
            RunStatus::Queued => self.0.queued(),
            RunStatus::InProgress => self.0.in_progress(),
            RunStatus::Completed => self.0.completed(),
            RunStatus::Failed => self.0.failed(error(code, message).ok_or_else(|| missing("error"))?),
            RunStatus::Canceled => self.0.canceled(),
            RunStatus::Rejected => self.0.rejected(error(code, message)),
            _ => self.0.incomplete(code.as_deref()),
        })
    }

    #[wasm_bindgen(js_name = finishWith)]
    pub fn finish_with(&self, status: &str, code: Option<String>, message: Option<String>) -> String {
        all(&self.0.finish_with(RunStatus::from(status), error(code, message)))
    }

    pub fn reset(&self) -> Result<(), JsValue> {
        Ok(self.0.reset()?)
    }

    #[wasm_bindgen(js_name = createMessageBuilder)]
    pub fn create_message_builder(&self, role: &str, kind: &str) -> Result<RawMessageBuilder, JsValue> {
        Ok(RawMessageBuilder::new(self.0.create_message_builder(role, kind)?))
    }

    #[wasm_bindgen(js_name = addMessage)]
    pub fn add_message(&self, json: &str) -> Framed {
        Ok(all(&self.0.add_message(message(json)?)?))
    }

    #[wasm_bindgen(js_name = updateMessage)]
    pub fn update_message(&self, json: &str) -> Framed {
        Ok(all(&self.0.update_message(message(json)?)?))
    }

    #[wasm_bindgen(js_name = setUsage)]
    pub fn set_usage(&self, json: &str) -> Result<(), JsValue> {
        Ok(self.0.set_usage(free(json)?)?)
    }

    #[wasm_bindgen(js_name = generateStreamingResponse)]
    pub fn generate_streaming_response(&self, tokens: Vec<String>, role: &str) -> Framed {
        Ok(all(&self.0.generate_streaming_response(tokens, role)?))
    }

    /// The response as it stands, as JSON.
    #[wasm_bindgen(js_name = getResponseData)]
    pub fn get_response_data(&self) -> String {
        self.0.get_response_data().to_json(Style::Wire)
    }

    pub fn id(&self) -> String {
        self.0.id()
    }

    #[wasm_bindgen(js_name = isEnded)]
    pub fn is_ended(&self) -> bool {
        self.0.is_ended()
    }
}
