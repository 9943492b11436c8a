//! Parts that are sent whole.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::kind::MediaKind;
use crate::bytes::string_map::Numbers;
use crate::json::{ObjectWriter, Value};

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
    /// Returns its name in lines of steps: `image`, `audio`, `video`, `file` or `data`. Losses have
    /// the same name.
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
            "data" => {
                Payload::Data(content.get("data").filter(|data| matches!(data, Value::Object(_)))?)
            }
            _ => return None,
        })
    }

    pub(crate) fn write(&self, object: &mut ObjectWriter<'_>) {
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

// Inline media: data URLs, and a buffer of streamed media for targets that need them whole.

/// Returns the data URL of base64 content.
pub(crate) fn data_url(media_type: &str, base64: &str) -> String {
    ["data:", media_type, ";base64,", base64].concat()
}

/// Returns the media type and the base64 content of a data URL.
pub(crate) fn of_data_url(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(";base64,")
}

/// Returns the audio format of a media type; `None` if the subtype is empty or `*`.
pub(crate) fn audio_format(media_type: &str) -> Option<&str> {
    media_type.rsplit('/').next().filter(|format| !matches!(*format, "" | "*"))
}

/// The media that are being received, by message and part.
#[derive(Debug, Default)]
pub(crate) struct MediaBuffer(Numbers<BufferedMedia>);

/// One of these media.
#[derive(Debug)]
pub(crate) struct BufferedMedia {
    kind: MediaKind,
    format: Option<String>,
    /// Base64; a data URL for an image or video.
    text: String,
}

impl MediaBuffer {
    /// Appends the next piece.
    pub fn add(&mut self, at: u64, kind: MediaKind, piece: &str, media_type: Option<&str>) {
        if let Some(media) = self.0.get_mut(at) {
            return media.text.push_str(piece);
        }
        let text = match kind {
            MediaKind::Image => data_url(media_type.unwrap_or("image/png"), piece),
            MediaKind::Video => data_url(media_type.unwrap_or("video/mp4"), piece),
            MediaKind::Audio | MediaKind::File => piece.to_owned(),
        };
        self.0.insert(at, BufferedMedia { kind, format: media_type.map(ToOwned::to_owned), text });
    }

    /// Removes and returns the media of a part that is complete.
    pub fn take(&mut self, at: u64) -> Option<BufferedMedia> {
        self.0.remove(at)
    }
}

impl BufferedMedia {
    /// Returns the payload of the part.
    pub fn payload(&self) -> Payload<'_> {
        let text = Some(self.text.as_str());
        match self.kind {
            MediaKind::Image => Payload::Image { url: text },
            MediaKind::Video => Payload::Video { url: text },
            MediaKind::File => Payload::File { url: None, id: None, name: None, data: text },
            MediaKind::Audio => Payload::Audio { data: text, format: self.format.as_deref() },
        }
    }
}
