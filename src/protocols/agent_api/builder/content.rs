//! One content of a message.
use alloc::{borrow::ToOwned, string::String};
use core::fmt;

use super::run::Guard;
use super::run::{Run, Shared};
use super::{WireEvent, check, refuse};
use crate::core::UsageError;
use crate::json::Value;
use crate::protocols::agent_api::lifecycle::Piece;
use crate::protocols::agent_api::{Content, DataMerge, Payload, merge};

/// Builds one content. (Spec section 2, `ContentBuilder`.)
///
/// Two kinds of methods return events of the value: `set_*` and [`update_data`](Self::update_data) return the whole
/// value so far (a snapshot, which replaces, R27), `add_*` return a further piece (a delta, which is appended, R26).
/// [`complete`](Self::complete) returns the whole value.
///
/// Snapshots are refused after the first delta. The Python builder accepts them and appends all deltas to the value at
/// the end, in any order of the calls: a reader that follows the events then shows another text than the completed
/// content (spec section 2, fixture 51; `text-mismatch`, R28). With all snapshots before the deltas, both texts are
/// equal.
///
/// A clone is another handle on the same content.
#[derive(Clone)]
pub struct ContentBuilder {
    shared: Shared,
    at: (usize, usize),
    kind: String,
}

/// The member of data that a conversion sends in pieces.
#[cfg(feature = "hub")]
const ARGUMENTS: &str = "arguments";
const ADD_TEXT: &str = "add_text_delta()";
const ADD_REFUSAL: &str = "add_refusal_delta()";

/// The members of a file content. (Spec 1.2, `FileContent`.)
///
/// The struct can be written as a literal, because a new member would be a change of the protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFields {
    /// The URL of the file.
    pub file_url: Option<String>,
    /// The server's id of the file.
    pub file_id: Option<String>,
    /// The display name.
    pub filename: Option<String>,
    /// The bytes in Base64.
    pub file_data: Option<String>,
}

impl ContentBuilder {
    pub(super) fn new(shared: Shared, at: (usize, usize), kind: String) -> Self {
        ContentBuilder { shared, at, kind }
    }

    /// Adds a piece to a text; an empty piece has an event, too.
    pub fn add_text_delta(&self, text: &str) -> Result<WireEvent, UsageError> {
        self.text_piece(ADD_TEXT, "text", text)
    }

    /// Does the same as [`add_text_delta`](Self::add_text_delta).
    pub fn add_delta(&self, text: &str) -> Result<WireEvent, UsageError> {
        self.add_text_delta(text)
    }

    /// Adds a piece to a refusal.
    pub fn add_refusal_delta(&self, text: &str) -> Result<WireEvent, UsageError> {
        self.text_piece(ADD_REFUSAL, "refusal", text)
    }

    /// Adds a piece of data, an object, which is merged into the value by [`DataMerge::Builder`]: texts and lists grow,
    /// numbers add up, objects merge, any other value is replaced.
    pub fn add_data_delta(&self, delta: Value) -> Result<WireEvent, UsageError> {
        const CALL: &str = "add_data_delta()";
        check::object(&delta, CALL)?;
        let mut run = self.next_piece(CALL, "data")?;
        let part = run.part(self.at);
        part.pieces = true;
        if let Payload::Data { data } = &mut part.content.payload {
            merge(data.get_or_insert_default(), &delta, DataMerge::Builder);
        }
        Ok(run.piece(self.at, Payload::Data { data: Some(delta) }))
    }

    /// Sets the value so far, like the `set_*` method for its type. (Only before the first delta.)
    pub fn set_payload(&self, payload: Payload) -> Result<WireEvent, UsageError> {
        let call = match &payload {
            Payload::Text { .. } => "set_text()",
            Payload::Refusal { .. } => "set_refusal()",
            Payload::Image { .. } => "set_image_url()",
            Payload::Video { .. } => "set_video_url()",
            Payload::Audio { .. } => "set_audio()",
            Payload::File { .. } => "set_file()",
            Payload::Data { .. } => "set_data()",
            Payload::Other { .. } => "set_payload()",
        };
        if let Payload::Data { data: Some(data) } = &payload {
            check::object(data, call)?;
        }
        let mut run = self.before_deltas(call, payload.content_type().as_str())?;
        run.part(self.at).content.payload = payload;
        Ok(run.snapshot(self.at))
    }

    /// Sets the text so far. (Only before the first delta.)
    pub fn set_text(&self, text: impl Into<String>) -> Result<WireEvent, UsageError> {
        let text = Some(text.into());
        self.set_payload(Payload::Text { text })
    }

    /// Sets the refusal so far. (Only before the first delta.)
    pub fn set_refusal(&self, refusal: impl Into<String>) -> Result<WireEvent, UsageError> {
        let refusal = Some(refusal.into());
        self.set_payload(Payload::Refusal { refusal })
    }

    /// Sets the URL or data URL of an image.
    pub fn set_image_url(&self, url: impl Into<String>) -> Result<WireEvent, UsageError> {
        let image_url = Some(url.into());
        self.set_payload(Payload::Image { image_url })
    }

    /// Sets the URL or data URL of a video.
    pub fn set_video_url(&self, url: impl Into<String>) -> Result<WireEvent, UsageError> {
        let video_url = Some(url.into());
        self.set_payload(Payload::Video { video_url })
    }

    /// Sets an audio as Base64 or a URL, and its format (`wav`).
    pub fn set_audio(&self, data: impl Into<String>, format: Option<&str>) -> Result<WireEvent, UsageError> {
        self.set_payload(Payload::Audio { data: Some(data.into()), format: format.map(str::to_owned) })
    }

    /// Sets the members of a file.
    pub fn set_file(&self, file: FileFields) -> Result<WireEvent, UsageError> {
        let FileFields { file_url, file_id, filename, file_data } = file;
        self.set_payload(Payload::File { file_url, file_id, filename, file_data })
    }

    /// Sets the data so far, an object. (Only before the first delta.)
    pub fn set_data(&self, data: Value) -> Result<WireEvent, UsageError> {
        self.set_payload(Payload::Data { data: Some(data) })
    }

    /// Sets one key of the data; the event contains the data so far. (Only before the first delta.)
    pub fn update_data(&self, key: &str, value: Value) -> Result<WireEvent, UsageError> {
        check::inside_object(&value, "update_data()")?;
        let mut run = self.before_deltas("update_data()", "data")?;
        if let Payload::Data { data } = &mut run.part(self.at).content.payload {
            data.get_or_insert_default().insert(key, value);
        }
        Ok(run.snapshot(self.at))
    }

    /// Returns the last event of the content: the whole value of snapshots and deltas (R28). A second call is refused,
    /// because the Python builder would add the deltas a second time.
    pub fn complete(&self) -> Result<WireEvent, UsageError> {
        const CALL: &str = "ContentBuilder::complete()";
        let mut run = self.shared.fresh(CALL)?;
        run.step(self.at, Piece::Completed, CALL)?;
        Ok(run.complete(self.at))
    }

    /// Returns the content so far; a plain value, not an event. Before the first event its index is the one that it
    /// would get now.
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

    /// Returns the run, if the value may still be set; the caller sets it and creates the event.
    fn before_deltas(&self, call: &'static str, kind: &str) -> Result<Guard<'_, Run>, UsageError> {
        self.check_type(call, kind)?;
        let mut run = self.shared.fresh(call)?;
        if run.part(self.at).pieces && !run.part(self.at).is_ended() {
            return Err(UsageError::new(
                "set-after-delta",
                [call, " would replace what readers have joined from the deltas"].concat(),
                "set the value before the first delta, or only add deltas",
            ));
        }
        run.step(self.at, Piece::Snapshot, call)?;
        Ok(run)
    }

    fn text_piece(&self, call: &'static str, kind: &str, piece: &str) -> Result<WireEvent, UsageError> {
        Ok(self.next_piece(call, kind)?.text_piece(self.at, piece))
    }

    /// Returns the run, if a piece may come next.
    fn next_piece(&self, call: &'static str, kind: &str) -> Result<Guard<'_, Run>, UsageError> {
        self.check_type(call, kind)?;
        let mut run = self.shared.fresh(call)?;
        run.step(self.at, Piece::Delta, call)?;
        Ok(run)
    }

    /// Returns a template for a caller that writes the pieces of a text itself, this one and the next ones, until it
    /// calls another method of the response. (The lines of [`PieceTemplate`](crate::core::wire::PieceTemplate).)
    #[cfg(feature = "wasm")]
    pub(crate) fn piece_template(&self, kind: &str) -> Result<String, UsageError> {
        let call = if kind == "text" { ADD_TEXT } else { ADD_REFUSAL };
        let mut run = self.next_piece(call, kind)?;
        run.part(self.at).pieces = true;
        let number = run.next_number;
        Ok(run.piece_template(self.at).lines(number))
    }

    /// Adds the pieces that such a caller has written: their text and their number. Refused in the same states as a
    /// piece.
    #[cfg(feature = "wasm")]
    pub(crate) fn add_written(&self, pieces: &str, count: u32) -> Result<(), UsageError> {
        let mut run = self.shared.fresh(ADD_TEXT)?;
        run.step(self.at, Piece::Delta, ADD_TEXT)?;
        run.next_number += i64::from(count);
        run.part(self.at).add_text(pieces);
        Ok(())
    }

    /// Returns whether the content has had a piece and has not ended, so that the next ones may be
    /// [written](Self::write_pieces).
    #[cfg(feature = "hub")]
    pub(crate) fn can_write_pieces(&self) -> bool {
        self.shared.lock().keep_template(self.at, ARGUMENTS)
    }

    /// Appends the events of further pieces of the text, or of the arguments in the data; `ends` contains the end of
    /// each piece in `text`. The caller must not have called another method of the response since
    /// [`can_write_pieces`](Self::can_write_pieces).
    #[cfg(feature = "hub")]
    pub(crate) fn write_pieces(&self, text: &str, ends: &[usize], out: &mut String) {
        self.shared.lock().append_pieces(self.at, ARGUMENTS, (text, ends), out);
    }

    fn check_type(&self, call: &str, kind: &str) -> Result<(), UsageError> {
        match self.kind == kind {
            true => Ok(()),
            false => Err(refuse::wrong_type(call, kind, &self.kind)),
        }
    }
}

impl fmt::Debug for ContentBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContentBuilder").field("type", &self.kind).finish_non_exhaustive()
    }
}
