//! One message of a response, and its contents.

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};

use super::WireEvent;
use super::check::{self, refuse, wrong_type};
use super::events::ObjectEnd;
use super::run::{BuiltContent, BuiltMessage, BuiltRun, Guard, SharedRun, index_taken};
use crate::core::UsageError;
use crate::json::{Member, Value};
use crate::protocols::agent_api::lifecycle::{self, ContentEventKind, ObjectPhase};
use crate::protocols::agent_api::{
    Content, ContentType, DataMerge, ErrorInfo, Message, Payload, RunStatus, merge, rules,
};

/// Builds one message. (Spec section 2, `MessageBuilder`.)
///
/// A clone is another handle on the same message.
#[derive(Clone, Debug)]
pub struct MessageBuilder {
    shared: SharedRun,
    at: usize,
    id: String,
}

impl MessageBuilder {
    pub(super) fn new(shared: SharedRun, at: usize, id: String) -> Self {
        MessageBuilder { shared, at, id }
    }

    /// Returns the opening event: status in_progress, content null (R17). It has to precede all
    /// other events of the message, and may be repeated, for example after
    /// [`set_metadata`](Self::set_metadata).
    pub fn in_progress(&self) -> Result<WireEvent, UsageError> {
        const CALL: &str = "MessageBuilder::in_progress()";
        self.shared.fresh(CALL)?.open(self.at, CALL)
    }

    /// Creates a content without events. It gets its index with its first event: contents are
    /// numbered in the order of their appearance (R25), which may differ from the order of these
    /// calls.
    pub fn create_content_builder(
        &self,
        content_type: impl Into<ContentType>,
    ) -> Result<ContentBuilder, UsageError> {
        self.create(content_type.into(), None, "create_content_builder()")
    }

    /// Creates a content at this index, as in the upstream documentation. Its first event is
    /// refused while a lower index has not had one (R25).
    pub fn create_content_builder_at(
        &self,
        content_type: impl Into<ContentType>,
        index: u32,
    ) -> Result<ContentBuilder, UsageError> {
        let call = "create_content_builder_at()";
        self.create(content_type.into(), Some(index), call)
    }

    /// Adds a complete part: returns its completed event, at the next index (B:415). An empty text
    /// is `""`.
    pub fn add_content(&self, payload: Payload) -> Result<WireEvent, UsageError> {
        const CALL: &str = "add_content()";
        add_part(&mut *self.shared.fresh(CALL)?, self.at, payload, Vec::new(), CALL)
    }

    /// Completes the message and returns its last event (R19). Open contents have to be complete.
    pub fn complete(&self) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Completed, None), "MessageBuilder::complete()")
    }

    /// Ends the message with an error and returns its last event (R19). Open contents have to be
    /// complete.
    pub fn failed(&self, error: ErrorInfo) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Failed, Some(error)), "MessageBuilder::failed()")
    }

    /// Ends the message as stopped by the client and returns its last event (R19). Open contents
    /// have to be complete.
    pub fn canceled(&self) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Canceled, None), "MessageBuilder::canceled()")
    }

    /// Ends the message as refused by the system and returns its last event (R19). Open contents
    /// have to be complete.
    pub fn rejected(&self, error: Option<ErrorInfo>) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Rejected, error), "MessageBuilder::rejected()")
    }

    /// Ends the message as incomplete and returns its last event (R19). Open contents have to be
    /// complete.
    pub fn incomplete(&self) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Incomplete, None), "MessageBuilder::incomplete()")
    }

    /// Ends the message in any state: open contents with their current values, then the message, by
    /// the rules of
    /// [`ResponseBuilder::finish_with`](super::ResponseBuilder::finish_with). Returns no events if the message is not
    /// open.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&self, status: RunStatus, error: Option<ErrorInfo>) -> Vec<WireEvent> {
        let run = self.shared.fresh("MessageBuilder::finish_with()");
        run.map(|mut run| run.finish_message(self.at, status, error)).unwrap_or_default()
    }

    /// Sets the tokens used by this message, an object. The response takes over those of the last
    /// completed message (R16).
    pub fn set_usage(&self, usage: Value) -> Result<(), UsageError> {
        const CALL: &str = "MessageBuilder::set_usage()";
        let mut run = self.changing(CALL)?;
        check::object(&usage, CALL)?;
        run.messages[self.at].message.usage = Some(usage);
        Ok(())
    }

    /// Sets arbitrary data about this message, an object.
    pub fn set_metadata(&self, metadata: Value) -> Result<(), UsageError> {
        const CALL: &str = "set_metadata()";
        let mut run = self.changing(CALL)?;
        check::object(&metadata, CALL)?;
        run.messages[self.at].message.metadata = Some(metadata);
        Ok(())
    }

    /// Sets the members `code` and `message`, which describe the error in a message of type error
    /// (R23).
    pub fn set_error(
        &self,
        code: impl Into<String>,
        message: impl Into<String>,
    ) -> Result<(), UsageError> {
        let mut run = self.changing("set_error()")?;
        let data = &mut run.messages[self.at].message;
        data.code = Some(code.into());
        data.message = Some(message.into());
        Ok(())
    }

    /// Returns the message so far, with its completed parts; a plain value, not an event.
    pub fn get_message_data(&self) -> Message {
        let mut run = self.shared.lock();
        let order = run.settings.part_order;
        run.messages[self.at].arrange(order);
        run.messages[self.at].message.clone()
    }

    /// Returns the message's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    fn create(
        &self,
        kind: ContentType,
        wanted: Option<u32>,
        call: &'static str,
    ) -> Result<ContentBuilder, UsageError> {
        let mut run = self.shared.fresh(call)?;
        let entry = &mut run.messages[self.at];
        BuiltRun::not_ended(lifecycle::inside_message(entry.phase), call)?;
        let part = new_part(entry, &kind, wanted, call)?;
        Ok(ContentBuilder { shared: self.shared.clone(), at: (self.at, part), kind })
    }

    fn end(&self, end: ObjectEnd, call: &'static str) -> Result<WireEvent, UsageError> {
        self.shared.fresh(call)?.close(self.at, end, call)
    }

    /// Returns the run, if the message has not ended.
    fn changing(&self, call: &str) -> Result<Guard<'_, BuiltRun>, UsageError> {
        let run = self.shared.fresh(call)?;
        let phase = run.messages[self.at].phase;
        BuiltRun::not_ended(lifecycle::message(phase, lifecycle::StatusEffect::Start), call)?;
        Ok(run)
    }
}

/// Adds a content without events; returns its position in the message.
fn new_part(
    entry: &mut BuiltMessage,
    kind: &ContentType,
    wanted: Option<u32>,
    call: &str,
) -> Result<usize, UsageError> {
    if let ContentType::Other(_) = kind {
        return Err(refuse(&rules::UNKNOWN_CONTENT_TYPE, call));
    }
    if let Some(index) = wanted {
        let same = |part: &BuiltContent| part.wanted == Some(index);
        if index < entry.started || entry.parts.iter().any(same) {
            return Err(index_taken(index, call));
        }
    }
    let index = wanted.unwrap_or(entry.started);
    if entry.parts.is_empty() {
        // Most messages have one.
        entry.parts.reserve_exact(1);
    }
    entry.parts.push(BuiltContent {
        payload: Some(Box::new(Payload::empty(kind))),
        number: None,
        index,
        phase: ObjectPhase::Absent,
        wanted,
        pieces: false,
    });
    Ok(entry.parts.len() - 1)
}

/// Adds a complete part from another source; returns its completed event.
pub(super) fn add_part(
    run: &mut BuiltRun,
    at: usize,
    payload: Payload,
    extra: Vec<Member>,
    call: &str,
) -> Result<WireEvent, UsageError> {
    if let Payload::Data { data: Some(data) } = &payload {
        check::object(data, call)?;
    }
    let part = new_part(&mut run.messages[at], &payload.content_type(), None, call)?;
    if let Err(misuse) = run.step((at, part), ContentEventKind::Completed, call) {
        run.messages[at].parts.pop();
        return Err(misuse);
    }
    run.part((at, part)).payload = Some(Box::new(payload));
    Ok(run.complete((at, part), extra))
}

/// Builds one content. (Spec section 2, `ContentBuilder`.)
///
/// Two kinds of methods return events of the value: `set_*` and [`update_data`](Self::update_data)
/// return the whole value so far (a snapshot, which replaces, R27), `add_*` return a further piece
/// (a delta, which is appended, R26).
/// [`complete`](Self::complete) returns the whole value.
///
/// Snapshots are refused after the first delta. The Python builder accepts them and appends all
/// deltas to the value at the end, in any order of the calls: a reader that follows the events then
/// shows another text than the completed content (spec section 2, fixture 51; `text-mismatch`,
/// R28). With all snapshots before the deltas, both texts are equal.
///
/// A clone is another handle on the same content.
#[derive(Clone, Debug)]
pub struct ContentBuilder {
    shared: SharedRun,
    at: (usize, usize),
    kind: ContentType,
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

    /// Adds a piece of data, an object, which is merged into the value by [`DataMerge::Builder`]:
    /// texts and lists grow, numbers add up, objects merge, any other value is replaced.
    pub fn add_data_delta(&self, delta: Value) -> Result<WireEvent, UsageError> {
        const CALL: &str = "add_data_delta()";
        check::object(&delta, CALL)?;
        let mut run = self.next_piece(CALL, "data")?;
        let part = run.part(self.at);
        part.pieces = true;
        if let Some(Payload::Data { data }) = part.payload.as_deref_mut() {
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
        if let Some(known) = run.part(self.at).payload.as_deref_mut() {
            *known = payload;
        }
        Ok(run.snapshot(self.at))
    }

    /// Sets the text so far. (Only before the first delta.)
    pub fn set_text(&self, text: impl Into<String>) -> Result<WireEvent, UsageError> {
        self.set_payload(Payload::Text { text: Some(text.into()) })
    }

    /// Sets the refusal so far. (Only before the first delta.)
    pub fn set_refusal(&self, refusal: impl Into<String>) -> Result<WireEvent, UsageError> {
        self.set_payload(Payload::Refusal { refusal: Some(refusal.into()) })
    }

    /// Sets the URL or data URL of an image.
    pub fn set_image_url(&self, url: impl Into<String>) -> Result<WireEvent, UsageError> {
        self.set_payload(Payload::Image { image_url: Some(url.into()) })
    }

    /// Sets the URL or data URL of a video.
    pub fn set_video_url(&self, url: impl Into<String>) -> Result<WireEvent, UsageError> {
        self.set_payload(Payload::Video { video_url: Some(url.into()) })
    }

    /// Sets an audio as Base64 or a URL, and its format (`wav`).
    pub fn set_audio(
        &self,
        data: impl Into<String>,
        format: Option<&str>,
    ) -> Result<WireEvent, UsageError> {
        self.set_payload(Payload::Audio {
            data: Some(data.into()),
            format: format.map(str::to_owned),
        })
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
        if let Some(Payload::Data { data }) = run.part(self.at).payload.as_deref_mut() {
            data.get_or_insert_default().insert(key, value);
        }
        Ok(run.snapshot(self.at))
    }

    /// Returns the last event of the content: the whole value of snapshots and deltas (R28). A
    /// second call is refused, because the Python builder would add the deltas a second time.
    pub fn complete(&self) -> Result<WireEvent, UsageError> {
        const CALL: &str = "ContentBuilder::complete()";
        let mut run = self.shared.fresh(CALL)?;
        run.step(self.at, ContentEventKind::Completed, CALL)?;
        Ok(run.complete(self.at, Vec::new()))
    }

    /// Returns the content so far; a plain value, not an event. Before the first event its index is
    /// the one that it would get now.
    pub fn get_content_data(&self) -> Content {
        let run = self.shared.lock();
        let entry = &run.messages[self.at.0];
        let part = &entry.parts[self.at.1];
        let done =
            || entry.message.content.iter().find(|content| content.index == part.index).cloned();
        let open = part.payload.as_deref().map(|payload| entry.content(self.at.1, payload.clone()));
        let empty = || entry.content(self.at.1, Payload::Text { text: None });
        let mut content = open.or_else(done).unwrap_or_else(empty);
        if part.phase == ObjectPhase::Absent {
            content.index = part.wanted.unwrap_or(entry.started);
        }
        content
    }

    /// Returns the run, if the value may still be set; the caller sets it and creates the event.
    fn before_deltas(
        &self,
        call: &'static str,
        kind: &str,
    ) -> Result<Guard<'_, BuiltRun>, UsageError> {
        self.check_type(call, kind)?;
        let mut run = self.shared.fresh(call)?;
        if run.part(self.at).pieces && !run.part(self.at).is_ended() {
            return Err(UsageError::new(
                "set-after-delta",
                [call, " would replace what readers have joined from the deltas"].concat(),
                "set the value before the first delta, or only add deltas",
            ));
        }
        run.step(self.at, ContentEventKind::Snapshot, call)?;
        Ok(run)
    }

    fn text_piece(
        &self,
        call: &'static str,
        kind: &str,
        piece: &str,
    ) -> Result<WireEvent, UsageError> {
        Ok(self.next_piece(call, kind)?.text_piece(self.at, piece))
    }

    /// Returns the run, if a piece may come next.
    fn next_piece(
        &self,
        call: &'static str,
        kind: &str,
    ) -> Result<Guard<'_, BuiltRun>, UsageError> {
        self.check_type(call, kind)?;
        let mut run = self.shared.fresh(call)?;
        run.step(self.at, ContentEventKind::Delta, call)?;
        Ok(run)
    }

    /// Returns a template for a caller that writes the pieces of a text itself, this one and the
    /// next ones, until it calls another method of the response. (The lines of
    /// [`PieceTemplate`](crate::core::wire::PieceTemplate).)
    #[cfg(feature = "wasm")]
    pub(crate) fn piece_template(&self, kind: &str) -> Result<String, UsageError> {
        let call = if kind == "text" { ADD_TEXT } else { ADD_REFUSAL };
        let mut run = self.next_piece(call, kind)?;
        run.part(self.at).pieces = true;
        let number = run.next_number;
        Ok(run.piece_template(self.at).lines(number))
    }

    /// Adds the pieces that such a caller has written: their text and their number. Refused in the
    /// same states as a piece.
    #[cfg(feature = "wasm")]
    pub(crate) fn add_written(&self, pieces: &str, count: u32) -> Result<(), UsageError> {
        let mut run = self.shared.fresh(ADD_TEXT)?;
        run.step(self.at, ContentEventKind::Delta, ADD_TEXT)?;
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

    /// Appends the events of further pieces of the text, or of the arguments in the data; `ends`
    /// contains the end of each piece in `text`. The caller must not have called another method of
    /// the response since
    /// [`can_write_pieces`](Self::can_write_pieces).
    #[cfg(feature = "hub")]
    pub(crate) fn write_pieces(&self, text: &str, ends: &[usize], out: &mut String) {
        self.shared.lock().append_pieces(self.at, ARGUMENTS, (text, ends), out);
    }

    fn check_type(&self, call: &str, kind: &str) -> Result<(), UsageError> {
        match self.kind.as_str() {
            known if known == kind => Ok(()),
            known => Err(wrong_type(call, kind, known)),
        }
    }
}
