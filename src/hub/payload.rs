//! Parts that are sent whole.

use crate::json::{Object, Value};

/// The content of a part that is sent whole. A member that the source does not have is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Payload<'a> {
    /// A picture.
    Image {
        /// A URL or data URL.
        url: Option<&'a str>,
    },
    /// Sound.
    Audio {
        /// Base64 or a URL.
        data: Option<&'a str>,
        /// For example `wav`.
        format: Option<&'a str>,
    },
    /// Moving pictures.
    Video {
        /// A URL or data URL.
        url: Option<&'a str>,
    },
    /// A file.
    File {
        /// The URL of the file.
        url: Option<&'a str>,
        /// The server's id of the file.
        id: Option<&'a str>,
        /// The file name.
        name: Option<&'a str>,
        /// Base64.
        data: Option<&'a str>,
    },
    /// A JSON object.
    Data(&'a Value),
}

impl<'a> Payload<'a> {
    /// Returns its name in lines of steps: `image`, `audio`, `video`, `file` or `data`. Losses have the same name.
    pub fn name(&self) -> &'static str {
        match self {
            Payload::Image { .. } => "image",
            Payload::Audio { .. } => "audio",
            Payload::Video { .. } => "video",
            Payload::File { .. } => "file",
            Payload::Data(_) => "data",
        }
    }

    /// Returns the payload of an object in a line: `{"type":"image","image_url":…}`.
    pub(super) fn read(content: &'a Value) -> Option<Self> {
        let text = |name: &str| content.text(name);
        Some(match text("type")? {
            "image" => Payload::Image { url: text("image_url") },
            "audio" => Payload::Audio { data: text("data"), format: text("format") },
            "video" => Payload::Video { url: text("video_url") },
            "file" => Payload::File {
                url: text("file_url"),
                id: text("file_id"),
                name: text("filename"),
                data: text("file_data"),
            },
            "data" => Payload::Data(content.get("data").filter(|data| matches!(data, Value::Object(_)))?),
            _ => return None,
        })
    }

    pub(crate) fn write(&self, object: &mut Object<'_>) {
        object.string("type", Some(self.name()));
        match *self {
            Payload::Image { url } => object.string("image_url", url),
            Payload::Audio { data, format } => {
                object.string("data", data);
                object.string("format", format);
            }
            Payload::Video { url } => object.string("video_url", url),
            Payload::File { url, id, name, data } => {
                object.string("file_url", url);
                object.string("file_id", id);
                object.string("filename", name);
                object.string("file_data", data);
            }
            Payload::Data(data) => object.value("data", Some(data)),
        }
    }
}
