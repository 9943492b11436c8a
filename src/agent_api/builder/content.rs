//! One content of a message.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::WireEvent;
use super::check;
use super::refuse;
use super::run::{Run, Shared};
use crate::agent_api::lifecycle::Piece;
use crate::agent_api::merge::{DataMerge, merge};
use crate::agent_api::{Content, Payload};
use crate::error::Misuse;
use crate::json::Value;
use core::fmt;

/// Builds one content. (Spec section 2, `ContentBuilder`.)
///
/// Two kinds of method say something: `set_*` and [`update_data`](Self::update_data) send the whole value so far (a
/// snapshot, which replaces, R27), `add_*` send a further piece (a delta, which is appended, R26).
/// [`complete`](Self::complete) sends the whole value.
///
/// Snapshots are refused behind the first delta. The Python builder takes them and puts all deltas behind the value at
/// the end, whatever the order of the calls: a reader that goes by the events shows another text than the completed
/// content then brings (spec section 2, fixture 51; `text-mismatch`, R28). In this order both say the same.
///
/// Cloning gives another handle on the same content.
#[derive(Clone)]
pub struct ContentBuilder {
    shared: Shared,
    at: (usize, usize),
    kind: String,
}

/// What a file content can say about its file. (Spec 1.2, `FileContent`.)
///
/// Written as a literal; a new member would be a change of the protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFields {
    /// Where the file is.
    pub file_url: Option<String>,
    /// The server's name for it.
    pub file_id: Option<String>,
    /// Its name for people.
    pub filename: Option<String>,
    /// Base64.
    pub file_data: Option<String>,
}

impl ContentBuilder {
    pub(super) fn new(shared: Shared, at: (usize, usize), kind: String) -> Self {
        ContentBuilder { shared, at, kind }
    }

    /// A further piece of a text; an empty one is sent, too.
    pub fn add_text_delta(&self, text: &str) -> Result<WireEvent, Misuse> {
        self.piece("add_text_delta()", "text", |value| match value {
            Payload::Text { text: so_far } => {
                so_far.get_or_insert_default().push_str(text);
                let text = Some(text.to_owned());
                Some(Payload::Text { text })
            }
            _ => None,
        })
    }

    /// The same as [`add_text_delta`](Self::add_text_delta).
    pub fn add_delta(&self, text: &str) -> Result<WireEvent, Misuse> {
        self.add_text_delta(text)
    }

    /// A further piece of a refusal.
    pub fn add_refusal_delta(&self, text: &str) -> Result<WireEvent, Misuse> {
        self.piece("add_refusal_delta()", "refusal", |value| match value {
            Payload::Refusal { refusal } => {
                refusal.get_or_insert_default().push_str(text);
                let refusal = Some(text.to_owned());
                Some(Payload::Refusal { refusal })
            }
            _ => None,
        })
    }

    /// A piece of data, an object, merged into the value by [`DataMerge::Builder`]: texts and lists grow, numbers add
    /// up, objects merge, anything else is replaced.
    pub fn add_data_delta(&self, delta: Value) -> Result<WireEvent, Misuse> {
        check::object(&delta, "add_data_delta()")?;
        self.piece("add_data_delta()", "data", |value| match value {
            Payload::Data { data } => {
                merge(data.get_or_insert_default(), &delta, DataMerge::Builder);
                Some(Payload::Data { data: Some(delta) })
            }
            _ => None,
        })
    }

    /// The text so far. (Only before the first delta.)
    pub fn set_text(&self, text: impl Into<String>) -> Result<WireEvent, Misuse> {
        let text = Some(text.into());
        self.set("set_text()", "text", Payload::Text { text })
    }

    /// The refusal so far. (Only before the first delta.)
    pub fn set_refusal(&self, refusal: impl Into<String>) -> Result<WireEvent, Misuse> {
        let refusal = Some(refusal.into());
        self.set("set_refusal()", "refusal", Payload::Refusal { refusal })
    }

    /// A URL or data URL of an image.
    pub fn set_image_url(&self, url: impl Into<String>) -> Result<WireEvent, Misuse> {
        let image_url = Some(url.into());
        self.set("set_image_url()", "image", Payload::Image { image_url })
    }

    /// A URL or data URL of a video.
    pub fn set_video_url(&self, url: impl Into<String>) -> Result<WireEvent, Misuse> {
        let video_url = Some(url.into());
        self.set("set_video_url()", "video", Payload::Video { video_url })
    }

    /// Audio as Base64 or a URL, and its format (`wav`).
    pub fn set_audio(&self, data: impl Into<String>, format: Option<&str>) -> Result<WireEvent, Misuse> {
        let payload = Payload::Audio { data: Some(data.into()), format: format.map(str::to_owned) };
        self.set("set_audio()", "audio", payload)
    }

    /// A file.
    pub fn set_file(&self, file: FileFields) -> Result<WireEvent, Misuse> {
        let payload = Payload::File {
            file_url: file.file_url,
            file_id: file.file_id,
            filename: file.filename,
            file_data: file.file_data,
        };
        self.set("set_file()", "file", payload)
    }

    /// The data so far, an object. (Only before the first delta.)
    pub fn set_data(&self, data: Value) -> Result<WireEvent, Misuse> {
        check::object(&data, "set_data()")?;
        let data = Some(data);
        self.set("set_data()", "data", Payload::Data { data })
    }

    /// Sets one key of the data and sends the data so far. (Only before the first delta.)
    pub fn update_data(&self, key: &str, value: Value) -> Result<WireEvent, Misuse> {
        check::inside_object(&value, "update_data()")?;
        self.snapshot("update_data()", "data", |payload| {
            if let Payload::Data { data } = payload {
                data.get_or_insert_default().insert(key, value);
            }
        })
    }

    /// The last event of the content: the whole value, set and streamed (R28). Once only: the Python builder would add
    /// the deltas a second time.
    pub fn complete(&self) -> Result<WireEvent, Misuse> {
        self.with("ContentBuilder::complete()", |run, at, call| {
            run.step(at, Piece::Completed, call)?;
            Ok(run.complete(at))
        })
    }

    /// The content as it stands; a plain value, not an event. Before the first event its index is the one it would get
    /// now.
    pub fn get_content_data(&self) -> Content {
        let run = self.shared.lock();
        let entry = &run.messages[self.at.0];
        let part = &entry.parts[self.at.1];
        let index = part.content.index;
        let done = || entry.message.content.iter().find(|c| c.index == index);
        let mut content = match part.is_ended() {
            true => done().unwrap_or(&part.content).clone(),
            false => part.content.clone(),
        };
        if part.is_unsaid() {
            content.index = part.wanted.unwrap_or(entry.started);
        }
        content
    }

    fn set(&self, call: &'static str, kind: &str, payload: Payload) -> Result<WireEvent, Misuse> {
        self.snapshot(call, kind, |value| *value = payload)
    }

    fn snapshot(
        &self,
        call: &'static str,
        kind: &str,
        change: impl FnOnce(&mut Payload),
    ) -> Result<WireEvent, Misuse> {
        self.check_type(call, kind)?;
        self.with(call, |run, at, call| {
            if run.part(at).pieces && !run.part(at).is_ended() {
                return Err(Misuse::new(
                    "set-after-delta",
                    format!("{call} would replace what readers have joined from the deltas"),
                    "set the value before the first delta, or only add deltas",
                ));
            }
            run.step(at, Piece::Snapshot, call)?;
            change(&mut run.part(at).content.payload);
            Ok(run.snapshot(at))
        })
    }

    /// `add` puts the piece behind the value and returns it as it is sent.
    fn piece(
        &self,
        call: &'static str,
        kind: &str,
        add: impl FnOnce(&mut Payload) -> Option<Payload>,
    ) -> Result<WireEvent, Misuse> {
        self.check_type(call, kind)?;
        self.with(call, |run, at, call| {
            run.step(at, Piece::Delta, call)?;
            let part = run.part(at);
            part.pieces = true;
            let piece = add(&mut part.content.payload);
            let wrong = || refuse::wrong_type(call, kind, &self.kind);
            Ok(run.piece(at, piece.ok_or_else(wrong)?))
        })
    }

    fn check_type(&self, call: &str, kind: &str) -> Result<(), Misuse> {
        match self.kind == kind {
            true => Ok(()),
            false => Err(refuse::wrong_type(call, kind, &self.kind)),
        }
    }

    fn with<T>(
        &self,
        call: &'static str,
        act: impl FnOnce(&mut Run, (usize, usize), &'static str) -> Result<T, Misuse>,
    ) -> Result<T, Misuse> {
        let mut run = self.shared.lock();
        match run.stale {
            true => Err(refuse::stale(call)),
            false => act(&mut run, self.at, call),
        }
    }
}

impl fmt::Debug for ContentBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContentBuilder").field("type", &self.kind).finish_non_exhaustive()
    }
}
