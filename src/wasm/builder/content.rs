//! One content of a message.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::agent_api::Style;
use crate::agent_api::builder::{ContentBuilder, FileFields};
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
    #[wasm_bindgen(js_name = addTextDelta)]
    pub fn add_text_delta(&self, text: &str) -> Framed {
        framed(self.0.add_text_delta(text))
    }

    #[wasm_bindgen(js_name = addRefusalDelta)]
    pub fn add_refusal_delta(&self, text: &str) -> Framed {
        framed(self.0.add_refusal_delta(text))
    }

    #[wasm_bindgen(js_name = addDataDelta)]
    pub fn add_data_delta(&self, json: &str) -> Framed {
        framed(self.0.add_data_delta(free(json)?))
    }

    #[wasm_bindgen(js_name = setText)]
    pub fn set_text(&self, text: String) -> Framed {
        framed(self.0.set_text(text))
    }

    #[wasm_bindgen(js_name = setRefusal)]
    pub fn set_refusal(&self, text: String) -> Framed {
        framed(self.0.set_refusal(text))
    }

    #[wasm_bindgen(js_name = setImageUrl)]
    pub fn set_image_url(&self, url: String) -> Framed {
        framed(self.0.set_image_url(url))
    }

    #[wasm_bindgen(js_name = setVideoUrl)]
    pub fn set_video_url(&self, url: String) -> Framed {
        framed(self.0.set_video_url(url))
    }

    #[wasm_bindgen(js_name = setAudio)]
    pub fn set_audio(&self, data: String, format: Option<String>) -> Framed {
        framed(self.0.set_audio(data, format.as_deref()))
    }

    #[wasm_bindgen(js_name = setFile)]
    pub fn set_file(
        &self,
        file_url: Option<String>,
        file_id: Option<String>,
        filename: Option<String>,
        file_data: Option<String>,
    ) -> Framed {
        framed(self.0.set_file(FileFields { file_url, file_id, filename, file_data }))
    }

    #[wasm_bindgen(js_name = setData)]
    pub fn set_data(&self, json: &str) -> Framed {
        framed(self.0.set_data(free(json)?))
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
