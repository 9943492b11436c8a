//! One message of a response.

use alloc::borrow::ToOwned;
use alloc::string::String;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::content::RawContentBuilder;
use super::convert::error;
use crate::agent_api::builder::MessageBuilder;
use crate::agent_api::{ErrorInfo, Payload, RunStatus, Style};
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
    #[wasm_bindgen(js_name = inProgress)]
    pub fn in_progress(&self) -> Framed {
        framed(self.0.in_progress())
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

    #[wasm_bindgen(js_name = addText)]
    pub fn add_text(&self, text: String) -> Framed {
        framed(self.0.add_content(Payload::Text { text: Some(text) }))
    }

    #[wasm_bindgen(js_name = addRefusal)]
    pub fn add_refusal(&self, text: String) -> Framed {
        framed(self.0.add_content(Payload::Refusal { refusal: Some(text) }))
    }

    #[wasm_bindgen(js_name = addImage)]
    pub fn add_image(&self, url: String) -> Framed {
        framed(self.0.add_content(Payload::Image { image_url: Some(url) }))
    }

    #[wasm_bindgen(js_name = addVideo)]
    pub fn add_video(&self, url: String) -> Framed {
        framed(self.0.add_content(Payload::Video { video_url: Some(url) }))
    }

    #[wasm_bindgen(js_name = addAudio)]
    pub fn add_audio(&self, data: String, format: Option<String>) -> Framed {
        framed(self.0.add_content(Payload::Audio { data: Some(data), format }))
    }

    #[wasm_bindgen(js_name = addFile)]
    pub fn add_file(
        &self,
        file_url: Option<String>,
        file_id: Option<String>,
        filename: Option<String>,
        file_data: Option<String>,
    ) -> Framed {
        framed(self.0.add_content(Payload::File { file_url, file_id, filename, file_data }))
    }

    #[wasm_bindgen(js_name = addData)]
    pub fn add_data(&self, json: &str) -> Framed {
        framed(self.0.add_content(Payload::Data { data: Some(free(json)?) }))
    }

    pub fn complete(&self) -> Framed {
        framed(self.0.complete())
    }

    pub fn failed(&self, code: String, message: String) -> Framed {
        framed(self.0.failed(ErrorInfo::new(code, message)))
    }

    pub fn canceled(&self) -> Framed {
        framed(self.0.canceled())
    }

    pub fn rejected(&self, code: Option<String>, message: Option<String>) -> Framed {
        framed(self.0.rejected(error(code, message)))
    }

    pub fn incomplete(&self) -> Framed {
        framed(self.0.incomplete())
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
