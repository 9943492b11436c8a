//! Media that come in pieces, for targets that have them whole.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::payload::Payload;
use crate::bytes::string_map::Numbers;

/// The media that are coming, by message and part.
#[derive(Debug, Default)]
pub(crate) struct Gathering(Numbers<Media>);

/// One of them.
#[derive(Debug)]
pub(crate) struct Media {
    kind: &'static str,
    format: Option<String>,
    /// Base64; of a video a data URL.
    text: String,
}

impl Gathering {
    /// The next piece.
    pub fn add(&mut self, at: u64, kind: &str, piece: &str, media_type: Option<&str>) {
        if let Some(media) = self.0.get_mut(at) {
            return media.text.push_str(piece);
        }
        let (kind, text) = match kind {
            "video" => ("video", ["data:", media_type.unwrap_or("video/mp4"), ";base64,", piece].concat()),
            "file" => ("file", piece.to_owned()),
            _ => ("audio", piece.to_owned()),
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
            "video" => Payload::Video { url: text },
            "file" => Payload::File { url: None, id: None, name: None, data: text },
            _ => Payload::Audio { data: text, format: self.format.as_deref() },
        }
    }
}
