//! One message of a response.
use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::fmt;

use super::content::ContentBuilder;
use super::events::End;
use super::refuse::refuse;
use super::run::Guard;
use super::run::{Entry, Part, Run, Shared, taken};
use super::{WireEvent, check, finish};
use crate::core::UsageError;
use crate::json::{Member, Value};
use crate::protocols::agent_api::lifecycle::{self, Phase, Piece};
use crate::protocols::agent_api::{Content, ContentType, ErrorInfo, Message, Payload, RunStatus, rules};

/// Builds one message. (Spec section 2, `MessageBuilder`.)
///
/// A clone is another handle on the same message.
#[derive(Clone)]
pub struct MessageBuilder {
    shared: Shared,
    at: usize,
    id: String,
}

impl MessageBuilder {
    pub(super) fn new(shared: Shared, at: usize, id: String) -> Self {
        MessageBuilder { shared, at, id }
    }

    /// Returns the opening event: status in_progress, content null (R17). It has to precede all other events of the
    /// message, and may be repeated, for example after [`set_metadata`](Self::set_metadata).
    pub fn in_progress(&self) -> Result<WireEvent, UsageError> {
        const CALL: &str = "MessageBuilder::in_progress()";
        self.shared.fresh(CALL)?.open(self.at, CALL)
    }

    /// Creates a content without events. It gets its index with its first event: contents are numbered in the order of
    /// their appearance (R25), which may differ from the order of these calls.
    pub fn create_content_builder(
        &self,
        content_type: impl Into<ContentType>,
    ) -> Result<ContentBuilder, UsageError> {
        self.create(content_type.into(), None, "create_content_builder()")
    }

    /// Creates a content at this index, as in the upstream documentation. Its first event is refused while a lower
    /// index has not had one (R25).
    pub fn create_content_builder_at(
        &self,
        content_type: impl Into<ContentType>,
        index: u32,
    ) -> Result<ContentBuilder, UsageError> {
        let call = "create_content_builder_at()";
        self.create(content_type.into(), Some(index), call)
    }

    /// Adds a complete part: returns its completed event, at the next index (B:415). An empty text is `""`.
    pub fn add_content(&self, payload: Payload) -> Result<WireEvent, UsageError> {
        const CALL: &str = "add_content()";
        add_part(&mut *self.shared.fresh(CALL)?, self.at, payload, Vec::new(), CALL)
    }

    /// Completes the message and returns its last event (R19). Open contents have to be complete.
    pub fn complete(&self) -> Result<WireEvent, UsageError> {
        let end = End::new(RunStatus::Completed, None);
        self.end(end, "MessageBuilder::complete()")
    }

    /// Ends the message with an error and returns its last event (R19). Open contents have to be complete.
    pub fn failed(&self, error: ErrorInfo) -> Result<WireEvent, UsageError> {
        let end = End::new(RunStatus::Failed, Some(error));
        self.end(end, "MessageBuilder::failed()")
    }

    /// Ends the message as stopped by the client and returns its last event (R19). Open contents have to be complete.
    pub fn canceled(&self) -> Result<WireEvent, UsageError> {
        let end = End::new(RunStatus::Canceled, None);
        self.end(end, "MessageBuilder::canceled()")
    }

    /// Ends the message as refused by the system and returns its last event (R19). Open contents have to be complete.
    pub fn rejected(&self, error: Option<ErrorInfo>) -> Result<WireEvent, UsageError> {
        let end = End::new(RunStatus::Rejected, error);
        self.end(end, "MessageBuilder::rejected()")
    }

    /// Ends the message as incomplete and returns its last event (R19). Open contents have to be complete.
    pub fn incomplete(&self) -> Result<WireEvent, UsageError> {
        let end = End::new(RunStatus::Incomplete, None);
        self.end(end, "MessageBuilder::incomplete()")
    }

    /// Ends the message in any state: open contents with their current values, then the message, by the rules of
    /// [`ResponseBuilder::finish_with`](super::ResponseBuilder::finish_with). Returns no events if the message is not
    /// open.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&self, status: RunStatus, error: Option<ErrorInfo>) -> Vec<WireEvent> {
        let run = self.shared.fresh("MessageBuilder::finish_with()");
        run.map(|mut run| finish::message(&mut run, self.at, status, error)).unwrap_or_default()
    }

    /// Sets the tokens used by this message, an object. The response takes over those of the last completed message
    /// (R16).
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

    /// Sets the members `code` and `message`, which describe the error in a message of type error (R23).
    pub fn set_error(&self, code: impl Into<String>, message: impl Into<String>) -> Result<(), UsageError> {
        let mut run = self.changing("set_error()")?;
        let data = &mut run.messages[self.at].message;
        data.code = Some(code.into());
        data.message = Some(message.into());
        Ok(())
    }

    /// Returns the message so far, with its completed parts; a plain value, not an event.
    pub fn get_message_data(&self) -> Message {
        self.shared.lock().messages[self.at].message.clone()
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
        Run::not_ended(lifecycle::inside_message(entry.phase), call)?;
        let part = new_part(entry, &kind, wanted, call)?;
        let name = kind.as_str().to_owned();
        Ok(ContentBuilder::new(self.shared.clone(), (self.at, part), name))
    }

    fn end(&self, end: End, call: &'static str) -> Result<WireEvent, UsageError> {
        self.shared.fresh(call)?.close(self.at, end, call)
    }

    /// Returns the run, if the message has not ended.
    fn changing(&self, call: &str) -> Result<Guard<'_, Run>, UsageError> {
        let run = self.shared.fresh(call)?;
        let phase = run.messages[self.at].phase;
        Run::not_ended(lifecycle::message(phase, lifecycle::Change::Start), call)?;
        Ok(run)
    }
}

/// Adds a content without events; returns its position in the message.
fn new_part(
    entry: &mut Entry,
    kind: &ContentType,
    wanted: Option<u32>,
    call: &str,
) -> Result<usize, UsageError> {
    if let ContentType::Other(_) = kind {
        return Err(refuse(&rules::UNKNOWN_CONTENT_TYPE, call));
    }
    if let Some(index) = wanted {
        let same = |part: &Part| part.wanted == Some(index);
        if index < entry.started || entry.parts.iter().any(same) {
            return Err(taken(index, call));
        }
    }
    let index = wanted.unwrap_or(entry.started);
    let msg_id = entry.message.id.as_str();
    entry.parts.push(Part {
        content: Content::new(msg_id, index, Payload::empty(kind)),
        phase: Phase::Absent,
        wanted,
        pieces: false,
        template: None,
    });
    Ok(entry.parts.len() - 1)
}

/// Adds a complete part from another source; returns its completed event.
pub(super) fn add_part(
    run: &mut Run,
    at: usize,
    payload: Payload,
    extra: Vec<Member>,
    call: &str,
) -> Result<WireEvent, UsageError> {
    if let Payload::Data { data: Some(data) } = &payload {
        check::object(data, call)?;
    }
    let part = new_part(&mut run.messages[at], &payload.content_type(), None, call)?;
    if let Err(misuse) = run.step((at, part), Piece::Completed, call) {
        run.messages[at].parts.pop();
        return Err(misuse);
    }
    let content = &mut run.part((at, part)).content;
    content.payload = payload;
    content.extra = extra;
    Ok(run.complete((at, part)))
}

impl fmt::Debug for MessageBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageBuilder").field("id", &self.id).finish_non_exhaustive()
    }
}
