//! One message of a response.

use alloc::borrow::ToOwned;
use alloc::string::String;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::content::RawContentBuilder;
use super::convert::{error, missing, payload};
use crate::protocols::agent_api::builder::MessageBuilder;
use crate::protocols::agent_api::{RunStatus, Style};
use crate::wasm::framed::{Framed, all, framed, free};

/// A message being built.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawMessageBuilder(MessageBuilder);

impl RawMessageBuilder {
    pub(super) fn new(builder: MessageBuilder) -> Self {
        RawMessageBuilder(builder)
    }
}

#[wasm_bindgen]
impl RawMessageBuilder {
    /// The event that gives the message this status: its opening, or one of its ends.
    pub fn announce(&self, status: &str, code: Option<String>, message: Option<String>) -> Framed {
        let error = error(code, message);
        framed(match RunStatus::from(status) {
            RunStatus::InProgress => self.0.in_progress(),
            RunStatus::Completed => self.0.complete(),
            RunStatus::Failed => self.0.failed(error.ok_or_else(|| missing("error"))?),
            RunStatus::Canceled => self.0.canceled(),
            RunStatus::Rejected => self.0.rejected(error),
            _ => self.0.incomplete(),
        })
    }

    #[wasm_bindgen(js_name = createContentBuilder)]
    pub fn create_content_builder(
        &self,
        kind: &str,
        index: Option<u32>,
    ) -> Result<RawContentBuilder, JsValue> {
        let builder = match index {
            Some(index) => self.0.create_content_builder_at(kind, index)?,
            None => self.0.create_content_builder(kind)?,
        };
        Ok(RawContentBuilder::new(builder))
    }

    /// A content that is whole already; its members in the order of the protocol, data as JSON.
    #[wasm_bindgen(js_name = addContent)]
    pub fn add_content(
        &self,
        r#type: &str,
        first: Option<String>,
        second: Option<String>,
        third: Option<String>,
        fourth: Option<String>,
    ) -> Framed {
        framed(self.0.add_content(payload(r#type, [first, second, third, fourth])?))
    }

    #[wasm_bindgen(js_name = finishWith)]
    pub fn finish_with(&self, status: &str, code: Option<String>, message: Option<String>) -> String {
        all(&self.0.finish_with(RunStatus::from(status), error(code, message)))
    }

    #[wasm_bindgen(js_name = setUsage)]
    pub fn set_usage(&self, json: &str) -> Result<(), JsValue> {
        Ok(self.0.set_usage(free(json)?)?)
    }

    #[wasm_bindgen(js_name = setMetadata)]
    pub fn set_metadata(&self, json: &str) -> Result<(), JsValue> {
        Ok(self.0.set_metadata(free(json)?)?)
    }

    #[wasm_bindgen(js_name = setError)]
    pub fn set_error(&self, code: String, message: String) -> Result<(), JsValue> {
        Ok(self.0.set_error(code, message)?)
    }

    /// The message as it stands, as JSON.
    #[wasm_bindgen(js_name = getMessageData)]
    pub fn get_message_data(&self) -> String {
        self.0.get_message_data().to_json(Style::Wire)
    }

    pub fn id(&self) -> String {
        self.0.id().to_owned()
    }
}
