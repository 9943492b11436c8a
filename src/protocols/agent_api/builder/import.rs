//! Messages from other sources in the stream.

use alloc::vec::Vec;

use super::events::{End, say_text};
use super::message::add_part;
use super::refuse::refuse;
use super::response::{ResponseBuilder, unknown_role};
use super::run::{Entry, Run};
use super::{WireEvent, check};
use crate::core::UsageError;
use crate::protocols::agent_api::events::{ContentEvent, MessageEvent};
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::{Content, Message, Payload, Role, RunStatus, rules};

impl ResponseBuilder {
    /// Adds a message from another source to the stream, for example from another run (B:577). The events are those of
    /// a legal stream: the opening event, one completed content per part, and the end if its status is terminal. A
    /// message that does not end here stays open: [`update_message`](Self::update_message) continues it.
    ///
    /// Its parts have to be numbered from 0 in their order (R25); their `msg_id` and status follow from the message.
    /// With an `id` that the response already has, this is an update.
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
        run.messages.push(Entry::new(copy));
        let id = message.id.clone();
        match put(&mut run, at, message, CALL) {
            Ok(events) => {
                run.ids.insert(&id, at);
                Ok(events)
            }
            Err(misuse) => {
                // The message has not had an event, so that it can be removed.
                run.messages.pop();
                Err(misuse)
            }
        }
    }

    /// Continues an open message: new parts are announced as complete, all other members are replaced, and the message
    /// ends if its status is terminal (B:596). Type and role must not change (R18), complete parts keep their value
    /// (R28), and parts in construction have to be completed first.
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
                [CALL, " was given the message `", &message.id, "`, which is not in the response"].concat(),
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

/// Creates the events for the changes in `message`: its new parts, its end, or at least an opening event. Refuses
/// before the first change.
fn put(run: &mut Run, at: usize, message: Message, call: &str) -> Result<Vec<WireEvent>, UsageError> {
    run.may_open(at, call)?;
    check_update(&run.messages[at], &message, call)?;
    let entry = &mut run.messages[at];
    let (unopened, said) = (entry.phase == Phase::Absent, entry.started as usize);
    let known = &mut entry.message;
    known.code = message.code;
    known.message = message.message;
    known.usage = message.usage;
    known.metadata = message.metadata;
    known.extra = message.extra;
    let mut events = Vec::new();
    let ends = message.status.is_terminal();
    if unopened || (!ends && message.content.len() <= said) {
        events.push(run.open(at, call)?);
    }
    for part in message.content.into_iter().skip(said) {
        events.push(add_part(run, at, part.payload, part.extra, call)?);
    }
    if ends {
        let failed = message.status != RunStatus::Completed;
        let error = message.error.filter(|_| failed);
        events.push(run.close(at, End::new(message.status, error), call)?);
    }
    Ok(events)
}

fn check_update(entry: &Entry, message: &Message, call: &str) -> Result<(), UsageError> {
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
            let mut said = part.payload.clone();
            say_text(&mut said);
            said == done.payload
        })
    };
    match known.content.iter().all(repeats) {
        true => Ok(()),
        false => Err(refuse(&rules::CONTENT_AFTER_END, call)),
    }
}
