//! Inline media: data URLs, and a buffer of streamed media for targets that need them whole.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::kind::MediaKind;
use super::payload::Payload;
use crate::bytes::string_map::Numbers;

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
pub(crate) struct MediaBuffer(Numbers<Media>);

/// One of these media.
#[derive(Debug)]
pub(crate) struct Media {
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
        self.0.insert(at, Media { kind, format: media_type.map(ToOwned::to_owned), text });
    }

    /// Removes and returns the media of a part that is complete.
    pub fn take(&mut self, at: u64) -> Option<Media> {
        self.0.remove(at)
    }
}

impl Media {
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
