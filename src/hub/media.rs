//! Media whose bytes are here: data URLs, and media that come in pieces, for targets that have them whole.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::kind::MediaKind;
use super::payload::Payload;
use crate::bytes::string_map::Numbers;

/// The address that has its content in itself.
pub(crate) fn data_url(media_type: &str, base64: &str) -> String {
    ["data:", media_type, ";base64,", base64].concat()
}

/// The media type and the bytes, in base64, of a data URL.
pub(crate) fn of_data_url(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(";base64,")
}

/// The format of sound of that media type; none where the type leaves it open.
pub(crate) fn audio_format(media_type: &str) -> Option<&str> {
    media_type.rsplit('/').next().filter(|format| !matches!(*format, "" | "*"))
}

/// The media that are coming, by message and part.
#[derive(Debug, Default)]
pub(crate) struct MediaBuffer(Numbers<Media>);

/// One of them.
#[derive(Debug)]
pub(crate) struct Media {
    kind: MediaKind,
    format: Option<String>,
    /// Base64; of an image or video a data URL.
    text: String,
}

impl MediaBuffer {
    /// The next piece.
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

    /// What has come, when it is whole.
    pub fn take(&mut self, at: u64) -> Option<Media> {
        self.0.remove(at)
    }
}

impl Media {
    /// The part that it is.
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
