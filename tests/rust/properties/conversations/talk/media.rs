//! Media, in the ways that the protocols have.

use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::set_some;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Image,
    Audio,
    Video,
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Url,
    Base64,
    /// The id of a file at the provider of the protocol.
    File,
    Text,
    /// Neither a URL nor base64.
    Broken,
}

#[derive(Clone, Debug)]
pub struct Media {
    pub form: Form,
    pub way: Way,
    /// The media type, if the client sends one.
    pub media_type: Option<&'static str>,
    pub name: Option<&'static str>,
    pub detail: Option<&'static str>,
}

/// The media types of each form, the usual one first.
const TYPES: [&[&str]; 4] = [
    &["image/png", "image/jpeg", "image/tiff", "image/svg+xml", "image"],
    &["audio/wav", "audio/mpeg", "audio/ogg", "audio/x-wav"],
    &["video/mp4", "video/webm"],
    &["application/pdf", "text/plain", "application/json", "application/zip", "image/png", ""],
];

/// The URI of a file at Google.
const GOOGLE_FILE: &str = "https://generativelanguage.googleapis.com/v1beta/files/f1";

pub fn media() -> impl Strategy<Value = Media> {
    let form =
        select(&[Form::Image, Form::Image, Form::Audio, Form::Video, Form::File, Form::File][..]);
    let way = prop_oneof![3 => Just(Way::Url), 4 => Just(Way::Base64), 1 => Just(Way::File), 1 => Just(Way::Text), 1 => Just(Way::Broken)];
    let name = weighted(0.5, select(&["a.png", "Bericht 2.pdf", ""][..]));
    let detail = weighted(0.2, select(&["low", "auto", "huge"][..]));
    (form, way, weighted(0.8, 0usize..6), name, detail).prop_map(
        |(form, way, media_type, name, detail)| {
            let types = TYPES[form as usize];
            let media_type = media_type.map(|number| types[number % types.len()]);
            Media { form, way, media_type, name, detail }
        },
    )
}

impl Media {
    pub fn base64(&self) -> &'static str {
        if self.form == Form::Image { "iVBORw0KGgo=" } else { "JVBERi0xLjQK" }
    }

    pub fn text(&self) -> &'static str {
        "a document"
    }

    pub fn web(&self) -> &'static str {
        match self.form {
            Form::Image => "https://a.example/b.png",
            Form::Audio => "https://a.example/b.wav",
            Form::Video => "https://a.example/b.mp4",
            Form::File => "https://a.example/b",
        }
    }

    pub fn type_or_usual(&self) -> &'static str {
        self.media_type.unwrap_or(TYPES[self.form as usize][0])
    }

    /// Returns a URL: of the web, or with the data.
    pub fn url(&self) -> String {
        match self.way {
            Way::Url => self.web().into(),
            Way::Base64 => {
                format!("data:{};base64,{}", self.media_type.unwrap_or_default(), self.base64())
            }
            Way::File => "file_1".into(),
            Way::Text => "data:text/plain,a%20document".into(),
            Way::Broken => "not a url".into(),
        }
    }

    /// Returns a part of the content of OpenAI's APIs. Their names differ by a prefix.
    pub fn of_openai(&self, is_chat: bool) -> Value {
        match self.form {
            Form::Image if is_chat => {
                let mut image = json!({"url": self.url()});
                set_some(&mut image, "detail", self.detail);
                json!({"type": "image_url", "image_url": image})
            }
            Form::Image => {
                let mut part = json!({"type": "input_image"});
                let key = if self.way == Way::File { "file_id" } else { "image_url" };
                part[key] = self.url().into();
                set_some(&mut part, "detail", self.detail);
                part
            }
            Form::Audio => {
                let format = self.type_or_usual().rsplit(['/', '-']).next().unwrap_or_default();
                json!({"type": "input_audio", "input_audio": {"data": self.base64(), "format": format}})
            }
            Form::Video | Form::File => {
                let mut file = json!({});
                match self.way {
                    Way::Url if !is_chat => file["file_url"] = self.web().into(),
                    Way::File => file["file_id"] = "file_1".into(),
                    _ => file["file_data"] = self.url().into(),
                }
                set_some(&mut file, "filename", self.name);
                if is_chat {
                    return json!({"type": "file", "file": file});
                }
                file["type"] = "input_file".into();
                file
            }
        }
    }

    /// Returns a block of Anthropic.
    pub fn of_anthropic(&self) -> Value {
        let source = match self.way {
            Way::Url => json!({"type": "url", "url": self.web()}),
            Way::Base64 => {
                json!({"type": "base64", "media_type": self.type_or_usual(), "data": self.base64()})
            }
            Way::File => json!({"type": "file", "file_id": "file_1"}),
            Way::Text => json!({"type": "text", "media_type": "text/plain", "data": self.text()}),
            Way::Broken => json!({"type": "base64", "data": ""}),
        };
        if self.form == Form::Image {
            return json!({"type": "image", "source": source});
        }
        let mut block = json!({"type": "document", "source": source});
        set_some(&mut block, "title", self.name);
        block
    }

    /// Returns a part of Gemini.
    pub fn of_gemini(&self) -> Value {
        match self.way {
            Way::Base64 | Way::Text => {
                json!({"inlineData": {"mimeType": self.type_or_usual(), "data": self.base64()}})
            }
            Way::Broken => json!({"inlineData": {"data": ""}}),
            Way::Url | Way::File => {
                let uri = if self.way == Way::Url { self.web() } else { GOOGLE_FILE };
                let mut file = json!({"fileUri": uri});
                set_some(&mut file, "mimeType", self.media_type);
                json!({"fileData": file})
            }
        }
    }

    /// Returns a content of Interactions.
    pub fn of_interactions(&self) -> Value {
        let kind = match self.form {
            Form::Image => "image",
            Form::Audio => "audio",
            Form::Video => "video",
            Form::File => "document",
        };
        match self.way {
            Way::Base64 | Way::Text => {
                json!({"type": kind, "data": self.base64(), "mime_type": self.type_or_usual()})
            }
            Way::Broken => json!({"type": kind, "data": ""}),
            Way::Url | Way::File => {
                let uri = if self.way == Way::Url { self.web() } else { GOOGLE_FILE };
                let mut content = json!({"type": kind, "uri": uri});
                set_some(&mut content, "mime_type", self.media_type);
                content
            }
        }
    }

    /// Returns a part of AG-UI.
    pub fn of_ag_ui(&self) -> Value {
        let kind = match self.form {
            Form::Image => "image",
            Form::Audio => "audio",
            Form::Video => "video",
            Form::File => "document",
        };
        let mut source = match self.way {
            Way::Url => json!({"type": "url", "value": self.web()}),
            Way::File => json!({"type": "file", "value": "file_1"}),
            Way::Broken => json!({"type": "url", "value": ""}),
            Way::Base64 | Way::Text => {
                json!({"type": "data", "value": self.base64(), "mimeType": self.type_or_usual()})
            }
        };
        set_some(&mut source, "mimeType", self.media_type);
        json!({"type": kind, "source": source})
    }

    /// Returns a part of the AI SDK.
    pub fn of_ai_sdk(&self) -> Value {
        let mut part =
            json!({"type": "file", "url": self.url(), "mediaType": self.type_or_usual()});
        set_some(&mut part, "filename", self.name);
        part
    }

    /// Returns a content of the Agent API.
    pub fn of_agent_api(&self) -> Value {
        match self.form {
            Form::Image => json!({"type": "image", "image_url": self.url()}),
            Form::Video => json!({"type": "video", "video_url": self.url()}),
            Form::Audio => json!({"type": "audio", "data": self.base64(), "format": "wav"}),
            Form::File => {
                let (key, value) = match self.way {
                    Way::Url => ("file_url", self.web()),
                    Way::File => ("file_id", "file_1"),
                    Way::Broken => ("file_data", ""),
                    Way::Base64 | Way::Text => ("file_data", self.base64()),
                };
                let mut part = json!({"type": "file"});
                part[key] = value.into();
                set_some(&mut part, "filename", self.name);
                part
            }
        }
    }

    /// Returns a block of AgentScope.
    pub fn of_agentscope(&self) -> Value {
        let mut source = match self.way {
            Way::Url | Way::File => json!({"type": "url", "url": self.web()}),
            Way::Base64 | Way::Text => json!({"type": "base64", "data": self.base64()}),
            Way::Broken => json!({"type": "base64", "data": ""}),
        };
        set_some(&mut source, "media_type", self.media_type);
        let mut block = json!({"type": "data", "source": source});
        set_some(&mut block, "name", self.name);
        block
    }

    /// Returns a part of A2A.
    pub fn of_a2a(&self) -> Value {
        let mut part = match self.way {
            Way::Url | Way::File => json!({"url": self.web()}),
            Way::Base64 | Way::Text => json!({"raw": self.base64()}),
            Way::Broken => json!({"raw": ""}),
        };
        set_some(&mut part, "mediaType", self.media_type);
        set_some(&mut part, "filename", self.name);
        part
    }
}
