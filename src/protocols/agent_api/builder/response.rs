//! The response: the first and the last events of every stream, and messages from other sources.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::WireEvent;
use super::check::{self, refuse};
use super::events::{ObjectEnd, fill_text};
use super::message::{MessageBuilder, add_part};
use super::run::{BuilderOptions, BuiltMessage, BuiltRun, Handle, Lock, SharedRun};
use crate::core::UsageError;
use crate::json::{Member, Value};
#[cfg(feature = "hub")]
use crate::protocols::agent_api::events::ResponseEvent;
use crate::protocols::agent_api::events::{ContentEvent, MessageEvent};
use crate::protocols::agent_api::lifecycle::{self, ObjectPhase};
use crate::protocols::agent_api::{
    Content, ErrorInfo, Message, MessageType, Payload, Response, Role, RunStatus, rules,
};

/// Builds the stream of one response. (Spec section 2, `ResponseBuilder`.)
///
/// A clone is another handle on the same response.
#[derive(Clone, Debug)]
pub struct ResponseBuilder {
    settings: Handle<BuilderOptions>,
    current: Handle<Lock<SharedRun>>,
}

impl ResponseBuilder {
    /// Creates a response without events.
    pub fn new(mut options: BuilderOptions) -> Self {
        let response_id = options.response_id.take();
        let settings = Handle::new(options);
        let run = SharedRun::new(Handle::clone(&settings), response_id);
        ResponseBuilder { settings, current: Handle::new(Lock::new(run)) }
    }

    /// Returns the first event: status created (R10).
    pub fn created(&self) -> Result<WireEvent, UsageError> {
        self.run().lock().announce(RunStatus::Created, "created()")
    }

    /// Returns an event with status queued, instead of created or after it: the run has to wait
    /// (R10).
    pub fn queued(&self) -> Result<WireEvent, UsageError> {
        self.run().lock().announce(RunStatus::Queued, "queued()")
    }

    /// Returns an event with status in_progress, after which messages are allowed (R10). May be
    /// repeated.
    pub fn in_progress(&self) -> Result<WireEvent, UsageError> {
        let run = self.run();
        run.lock().announce(RunStatus::InProgress, "in_progress()")
    }

    /// Completes the response and returns the last event (R13, R14). Open messages have to be ended
    /// before.
    pub fn completed(&self) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Completed, None), "completed()")
    }

    /// Ends the response with an error and returns the last event (R13, R14). Open messages have to
    /// be ended before.
    pub fn failed(&self, error: ErrorInfo) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Failed, Some(error)), "failed()")
    }

    /// Ends the response as stopped by the client and returns the last event (R13). Open messages
    /// have to be ended before.
    pub fn canceled(&self) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Canceled, None), "canceled()")
    }

    /// Ends the response as refused by the system and returns the last event (R13). Open messages
    /// have to be ended before.
    pub fn rejected(&self, error: Option<ErrorInfo>) -> Result<WireEvent, UsageError> {
        self.end(ObjectEnd::new(RunStatus::Rejected, error), "rejected()")
    }

    /// Ends the response as incomplete and returns the last event (R13). Open messages have to be
    /// ended before.
    ///
    /// The protocol does not declare a member for a reason; the reason becomes the undeclared
    /// member `incomplete_details: {"reason": …}`, as in OpenAI's responses.
    pub fn incomplete(&self, reason: Option<&str>) -> Result<WireEvent, UsageError> {
        self.end(incomplete_end(reason), "incomplete()")
    }

    /// Ends the stream in any state as incomplete, like [`finish_with`](Self::finish_with), with a
    /// reason.
    #[cfg(feature = "wasm")]
    pub(crate) fn finish_incomplete(&self, reason: &str) -> Vec<WireEvent> {
        self.run().lock().finish(incomplete_end(Some(reason)))
    }

    /// Sets a member that the protocol does not declare in all response events from now on. `null`
    /// removes it.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::agent_api) fn set_member(
        &self,
        member: Member,
    ) -> Result<(), UsageError> {
        let members = [member];
        check::extra(&members, ResponseEvent::MEMBERS, "set_member()")?;
        let shared = self.run();
        let extra = &mut shared.lock().response.extra;
        for member in members {
            extra.retain(|known| known.key != member.key);
            extra.extend(Some(member).filter(|member| !member.value.is_null()));
        }
        Ok(())
    }

    /// Ends the stream in any state, legally and in the right order: the events that have to come
    /// first, open contents with their current values, open messages with the same status, then the
    /// response. For aborts, errors and drops; it cannot fail, and after the end it returns no
    /// events.
    ///
    /// A status that is not terminal counts as incomplete. A failure without an error gets the
    /// runtime's `AGENT_UNKNOWN_ERROR`; with completed and canceled, `error` is left out. Messages
    /// without an opening event are left out.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&self, status: RunStatus, error: Option<ErrorInfo>) -> Vec<WireEvent> {
        self.run().lock().finish(ObjectEnd::terminal(status, error))
    }

    /// Starts a new response: a new id, a new `created_at`, no messages, numbers from 0; the
    /// session stays. (B:499.)
    ///
    /// The next events form a new stream, for a new connection. In the middle of a stream the call
    /// is refused: the client would receive two responses in one stream (R11).
    pub fn reset(&self) -> Result<(), UsageError> {
        let mut current = self.current.lock();
        let mut run = current.lock();
        if matches!(run.phase, ObjectPhase::Waiting | ObjectPhase::InProgress) {
            return Err(UsageError::new(
                "reset-in-stream",
                "reset() would put a second response into the stream",
                "end this one first, with `finish_with()` if nothing else",
            ));
        }
        let fresh = SharedRun::new(Handle::clone(&self.settings), None);
        run.stale = true;
        drop(run);
        *current = fresh;
        Ok(())
    }

    /// Creates a message without events: [`MessageBuilder::in_progress`] is its opening event
    /// (B:554).
    pub fn create_message_builder(
        &self,
        role: impl Into<Role>,
        message_type: impl Into<MessageType>,
    ) -> Result<MessageBuilder, UsageError> {
        self.create_named_message_builder(None, role.into(), message_type.into())
    }

    /// Creates a message with this id if it is free, otherwise with a new id.
    pub(crate) fn create_named_message_builder(
        &self,
        id: Option<&str>,
        role: Role,
        message_type: MessageType,
    ) -> Result<MessageBuilder, UsageError> {
        const CALL: &str = "create_message_builder()";
        if let Role::Other(name) = &role {
            return Err(unknown_role(CALL, name));
        }
        let shared = self.run();
        let mut run = shared.lock();
        BuiltRun::not_ended(lifecycle::inside_response(run.phase), CALL)?;
        // A source of ids that repeats itself is called a few times, because messages from other
        // sources may have taken the next id.
        let new_ids = (0..8).map(|_| self.settings.next_id("msg_"));
        let mut ids = id.map(ToOwned::to_owned).into_iter().chain(new_ids);
        let id = ids.find(|id| !id.is_empty() && run.ids.get(id).is_none()).ok_or_else(|| {
            let problem = [CALL, " was given only ids that are empty or taken"].concat();
            UsageError::new("id-taken", problem, "use an id source that does not repeat itself")
        })?;
        let message = Message::new(id.as_str(), message_type, Some(role));
        let at = run.messages.len();
        run.ids.insert(&id, at);
        run.messages.push(BuiltMessage::new(message));
        drop(run);
        Ok(MessageBuilder::new(shared, at, id))
    }

    /// Sets the tokens used, an object; without it the response has the usage of its last completed
    /// message (R16).
    pub fn set_usage(&self, usage: Value) -> Result<(), UsageError> {
        const CALL: &str = "set_usage()";
        check::object(&usage, CALL)?;
        let shared = self.run();
        let mut run = shared.lock();
        BuiltRun::not_ended(lifecycle::inside_response(run.phase), CALL)?;
        run.response.usage = Some(usage);
        Ok(())
    }

    /// Returns the whole stream of one text, as an example or for an existing text: it
    /// [resets](Self::reset) the response, then creates created, in_progress, the message's opening event, one delta per token, and the three
    /// ends, N + 6 events (B:608). The message is of type `message`.
    pub fn generate_streaming_response<T: AsRef<str>>(
        &self,
        text_tokens: impl IntoIterator<Item = T>,
        role: impl Into<Role>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.reset()?;
        let mut events = vec![self.created()?, self.in_progress()?];
        let message = self.create_message_builder(role, MessageType::Message)?;
        events.push(message.in_progress()?);
        let content = message.create_content_builder("text")?;
        for token in text_tokens {
            events.push(content.add_delta(token.as_ref())?);
        }
        events.push(content.complete()?);
        events.push(message.complete()?);
        events.push(self.completed()?);
        Ok(events)
    }

    /// Returns the response so far, with every message that was created; a plain value, not an
    /// event.
    pub fn get_response_data(&self) -> Response {
        self.run().lock().response_so_far()
    }

    /// Returns the response's id.
    pub fn id(&self) -> String {
        self.run().lock().response.id.clone()
    }

    /// Returns whether the last event was created.
    pub fn is_ended(&self) -> bool {
        self.run().lock().phase == ObjectPhase::Ended
    }

    pub(super) fn run(&self) -> SharedRun {
        self.current.lock().clone()
    }

    fn end(&self, end: ObjectEnd, call: &str) -> Result<WireEvent, UsageError> {
        self.run().lock().end(end, call)
    }
}

/// Returns the end of an incomplete response.
fn incomplete_end(reason: Option<&str>) -> ObjectEnd {
    let mut end = ObjectEnd::new(RunStatus::Incomplete, None);
    end.extra.extend(reason.map(|reason| Member {
        key: "incomplete_details".to_owned(),
        value: Value::from([("reason", reason.into())]),
    }));
    end
}

/// Returns the refusal of a role that the protocol does not define. (Spec 1.1: roles are
/// validated.)
pub(super) fn unknown_role(call: &str, name: &str) -> UsageError {
    UsageError::new(
        "unknown-role",
        [call, " was given the role `", name, "`"].concat(),
        "use assistant, user, system or tool",
    )
}

impl ResponseBuilder {
    /// Adds a message from another source to the stream, for example from another run (B:577). The
    /// events are those of a legal stream: the opening event, one completed content per part, and
    /// the end if its status is terminal. A message that does not end here stays open:
    /// [`update_message`](Self::update_message) continues it.
    ///
    /// Its parts have to be numbered from 0 in their order (R25); their `msg_id` and status follow
    /// from the message. With an `id` that the response already has, this is an update.
    pub fn add_message(&self, message: Message) -> Result<Vec<WireEvent>, UsageError> {
        const CALL: &str = "add_message()";
        let shared = self.run();
        let mut run = shared.lock();
        check(&message, CALL)?;
        if let Some(&at) = run.ids.get(&message.id) {
            return put(&mut run, at, message, CALL);
        }
        let copy = Message::new(message.id.as_str(), message.r#type.clone(), message.role.clone());
        let at = run.messages.len();
        run.messages.push(BuiltMessage::new(copy));
        let id = message.id.clone();
        let events = put(&mut run, at, message, CALL);
        match events {
            Ok(_) => run.ids.insert(&id, at),
            // The message has not had an event, so that it can be removed.
            Err(_) => drop(run.messages.pop()),
        }
        events
    }

    /// Continues an open message: new parts are announced as complete, all other members are
    /// replaced, and the message ends if its status is terminal (B:596). Type and role must not
    /// change (R18), complete parts keep their value (R28), and parts in construction have to be
    /// completed first.
    ///
    /// The Python builder ignores an unknown message; here it is refused.
    pub fn update_message(&self, message: Message) -> Result<Vec<WireEvent>, UsageError> {
        const CALL: &str = "update_message()";
        let shared = self.run();
        let mut run = shared.lock();
        check(&message, CALL)?;
        match run.ids.get(&message.id) {
            Some(&at) => put(&mut run, at, message, CALL),
            None => Err(UsageError::new(
                "message-unknown",
                [CALL, " was given the message `", &message.id, "`, which is not in the response"]
                    .concat(),
                "call `add_message()`",
            )),
        }
    }
}

/// Makes all checks that do not depend on the stream.
fn check(message: &Message, call: &str) -> Result<(), UsageError> {
    if message.id.is_empty() {
        return Err(refuse(&rules::MESSAGE_WITHOUT_ID, call));
    }
    if let Some(Role::Other(name)) = &message.role {
        return Err(unknown_role(call, name));
    }
    if let RunStatus::Unknown | RunStatus::Other(_) = message.status {
        return Err(refuse(&rules::STATUS_UNKNOWN, call));
    }
    for value in [&message.usage, &message.metadata].into_iter().flatten() {
        check::object(value, call)?;
    }
    check::extra(&message.extra, MessageEvent::MEMBERS, call)?;
    for (part, index) in message.content.iter().zip(0..) {
        if part.index != index {
            return Err(refuse(&rules::INDEX_GAP, call));
        }
        if let Payload::Other { .. } = part.payload {
            return Err(refuse(&rules::UNKNOWN_CONTENT_TYPE, call));
        }
        if let Payload::Data { data: Some(data) } = &part.payload {
            check::object(data, call)?;
        }
        check::extra(&part.extra, ContentEvent::MEMBERS, call)?;
    }
    Ok(())
}

/// Creates the events for the changes in `message`: its new parts, its end, or at least an opening
/// event. Refuses before the first change.
fn put(
    run: &mut BuiltRun,
    at: usize,
    message: Message,
    call: &str,
) -> Result<Vec<WireEvent>, UsageError> {
    run.may_open(at, call)?;
    check_update(&run.messages[at], &message, call)?;
    let entry = &mut run.messages[at];
    let (unopened, started) = (entry.phase == ObjectPhase::Absent, entry.started as usize);
    let known = &mut entry.message;
    known.code = message.code;
    known.message = message.message;
    known.usage = message.usage;
    known.metadata = message.metadata;
    known.extra = message.extra;
    let mut events = Vec::new();
    let ends = message.status.is_terminal();
    if unopened || (!ends && message.content.len() <= started) {
        events.push(run.open(at, call)?);
    }
    for part in message.content.into_iter().skip(started) {
        events.push(add_part(run, at, part.payload, part.extra, call)?);
    }
    if ends {
        let failed = message.status != RunStatus::Completed;
        let error = message.error.filter(|_| failed);
        events.push(run.close(at, ObjectEnd::new(message.status, error), call)?);
    }
    Ok(events)
}

fn check_update(entry: &BuiltMessage, message: &Message, call: &str) -> Result<(), UsageError> {
    let known = &entry.message;
    if known.r#type != message.r#type || known.role != message.role {
        return Err(refuse(&rules::MESSAGE_CHANGED, call));
    }
    if entry.parts.iter().any(|part| part.is_open()) {
        return Err(refuse(&rules::PART_MISSING, call));
    }
    // A message without parts leaves them unchanged, as on the wire (R20).
    if message.content.is_empty() {
        return Ok(());
    }
    let repeats = |done: &Content| {
        message.content.get(done.index as usize).is_some_and(|part| {
            let mut payload = part.payload.clone();
            fill_text(&mut payload);
            payload == done.payload
        })
    };
    match known.content.iter().all(repeats) {
        true => Ok(()),
        false => Err(refuse(&rules::CONTENT_AFTER_END, call)),
    }
}
