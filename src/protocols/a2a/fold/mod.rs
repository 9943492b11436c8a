//! The fold: what the events of a stream change in the answer.

mod object;
mod part;
mod task;

use alloc::string::String;
use alloc::vec::Vec;

use self::object::{Destination, NameSpelling, find_spelling, member};
use self::task::TaskFold;
use super::events::{EVENTS, StreamResponse};
use super::model::{Message, RpcError, Snapshot};
use super::{KINDS, rules};
use crate::bytes::string_map::Numbers;
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening, detect};
use crate::engine::{
    CommonRules, Context, Declared, EventTable, FieldValue, Fold, ObjectId, ObjectLimit, Subject,
    Translated, protocol,
};
use crate::json::{Element, JsonText, SurrogateHalf};
use crate::sse;
use part::Proto03;

/// The form of the objects of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "a further one would be a further protocol")]
pub enum Dialect {
    /// 1.0: ProtoJSON.
    #[default]
    V1,
    /// 0.3: objects with a `kind`.
    V0_3,
}

protocol! {
    /// The A2A protocol, with what the client has asked for (A9, A10).
    A2a "A2A": A2aFold => Snapshot {
        /// The id of the request, which all events must have: any JSON. If left out, it is that of
        /// the first event.
        request_id as "requestId": Option<JsonText>,
        /// The protocol version of the request, `1.0` or `0.3`. By default it is determined by the
        /// first event.
        version as "version": Option<Dialect> { "1.0" => Some(Dialect::V1), "0.3" => Some(Dialect::V0_3) },
        /// How events are sent: `json-rpc` (the default), in JSON-RPC responses, or `rest`, without
        /// them.
        is_rest as "binding": bool { "json-rpc" => false, "rest" => true },
    }
    begins |A2a { request_id, version: dialect, is_rest }, _| {
        let (id, proto03) = (request_id.map(|id| id.0), Proto03::requested(dialect));
        A2aFold { id, dialect, is_rest, proto03, ..A2aFold::default() }
    };
}

/// The fold of A2A's events.
#[derive(Clone, Debug, Default)]
pub struct A2aFold {
    /// The id of the request, as JSON.
    id: Option<String>,
    dialect: Option<Dialect>,
    is_rest: bool,
    /// Whether the names of 0.3 in the REST binding are accepted.
    proto03: Proto03,
    task: Option<TaskFold>,
    has_message: bool,
    /// An error was received: later events are not read.
    failed: bool,
    /// For each object with parts: the first half of a character, which waits for the next text,
    /// and the part that ended with it.
    halves: Numbers<(SurrogateHalf, ObjectId)>,
}

impl Declared for A2aFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    /// Recognizes JSON-RPC responses and, for the REST binding, the objects in them.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        let is_response = opening.has("result") || opening.has("error");
        opening.has("jsonrpc") && is_response
            || opening.is_one_of("kind", KINDS)
            || opening.word("type").is_none()
                && ["task", "statusUpdate", "artifactUpdate"]
                    .into_iter()
                    .any(|name| opening.has_object(name))
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        match member(reading.json, "error") {
            Some(error) => ErrorMessage::has_message(error),
            None => {
                let is_payload = |(_, object, ..): EventPayload<'_, '_>| object.object().is_ok();
                member(reading.json, "result").is_some()
                    || payload(reading.json).is_some_and(is_payload)
            }
        }
    }

    /// A task or a message that is not in a member, in 1.0.
    fn whole_answer(json: Element<'_, '_>) -> Option<Vec<Translated>> {
        let has = |name| find_spelling(json, name).is_some();
        let state = member(json, "status").and_then(|status| status.member("state"));
        let name = match state {
            Some(_) if has("id") => "task",
            None if has("messageId") && has("parts") => "message",
            _ => return None,
        };
        Some([Translated::new(["{\"", name, "\":", json.raw().as_str(), "}"].concat())].into())
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        Translated::new(failure.event("\"jsonrpc\":\"2.0\",\"id\":null,"))
    }
}

impl Fold for A2aFold {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        if self.failed {
            cx.record(&rules::AFTER_ERROR, Observed::Text(event.data));
            return false;
        }
        let is_done = detect::is_done(event.data);
        if is_done {
            cx.record(&rules::DONE_MARKER, Observed::Words("[DONE]"));
        }
        !is_done
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let json = event.json;
        self.proto03.is_bare = event.row.is_none() && event.name.is_none();
        match (event.row, event.name) {
            (Some(_), _) => return self.response([0, 1, 2].map(|at| event.get(at)), cx),
            (None, Some(name)) => {
                cx.record(&rules::JSONRPC_VERSION, Observed::Name(&name.to_str()))
            }
            (None, None) if payload(json).is_some() => {
                if !self.is_rest {
                    cx.record(&rules::NO_ENVELOPE, Observed::Text(json.raw().as_str()));
                }
                return self.apply_payload(json, cx);
            }
            (None, None) => cx.record(&rules::JSONRPC_VERSION, Observed::Words("no `jsonrpc`")),
        }
        self.response(["id", "result", "error"].map(|name| member(json, name)), cx);
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.end_texts(cx);
        if cx.report().end_reason != EndReason::Open {
            return;
        }
        if self.is_whole() {
            cx.end(EndReason::Terminal);
        } else if !aborted {
            cx.record(&rules::NO_TERMINAL, Observed::Words("the end of the stream"));
        }
    }

    fn is_whole(&self) -> bool {
        let state = self.task.as_ref().map(|task| task.state);
        state.map_or(self.has_message, |state| state.is_terminal() || state.is_interrupted())
    }

    fn has_ended(&self) -> bool {
        self.failed
    }
}

/// The payload of an event: the index of its kind in `KINDS`, its object, its dialect and the
/// spelling of its name.
type EventPayload<'d, 'a> = (usize, Element<'d, 'a>, Dialect, NameSpelling);

/// Returns the payload of an event.
fn payload<'d, 'a>(json: Element<'d, 'a>) -> Option<EventPayload<'d, 'a>> {
    // `kind` is read first: an object of 0.3 is not in a member, but it can have members with the
    // names of 1.0.
    if let Some(kind) = member(json, "kind").and_then(|kind| kind.string().ok()) {
        let at = KINDS.iter().position(|name| kind == *name)?;
        return Some((at, json, Dialect::V0_3, NameSpelling::Camel));
    }
    StreamResponse::MEMBERS.iter().take(KINDS.len()).enumerate().find_map(|(at, name)| {
        let (value, how) = find_spelling(json, name)?;
        Some((at, value, Dialect::V1, how))
    })
}

impl A2aFold {
    /// Handles a JSON-RPC response. (A9.)
    fn response(
        &mut self,
        [id, result, error]: [Option<Element<'_, '_>>; 3],
        cx: &mut Context<'_>,
    ) {
        let id = id.map_or("null", |id| id.raw().as_str());
        let is_first = self.id.is_none();
        let expected = self.id.get_or_insert_with(|| id.into());
        if id != expected.as_str() || is_first && id == "null" {
            let expected = if is_first { "an id" } else { expected.as_str() };
            cx.record(&rules::ID_MISMATCH, Observed::Instead(id, expected));
            if !is_first && (error.is_none() || id != "null") {
                return;
            }
        }
        if !cx.is_reading() {
            return;
        }
        match (error, result) {
            (Some(error), _) => self.error(error, cx),
            (None, Some(result)) => self.apply_payload(result, cx),
            (None, None) => cx.record(&rules::NO_RESULT, Observed::Words("neither")),
        }
    }

    /// Handles the error of a failed request.
    fn error(&mut self, error: Element<'_, '_>, cx: &mut Context<'_>) {
        self.failed = true;
        cx.end(EndReason::ErrorFrame);
        let node = cx.open(RpcError::KIND, 0, Snapshot::error, ObjectLimit::Once, Subject::NONE);
        let Some(node) = node else { return };
        if let Some(Ok(code)) = member(error, "code").map(Element::integer) {
            cx.set(node, RpcError::code, FieldValue::Int(code));
        }
        let message = member(error, "message").map(Element::words).unwrap_or_default();
        cx.set_text(node, RpcError::message, &message);
        if let Some(data) = member(error, "data") {
            cx.set(node, RpcError::data, FieldValue::Free(data));
        }
    }

    /// Handles the payload of an event. (A10.)
    fn apply_payload(&mut self, json: Element<'_, '_>, cx: &mut Context<'_>) {
        if json.object().is_err() {
            return cx.record(&rules::MEMBER_TYPE, Observed::Named("another type for", "result"));
        }
        let Some((kind, object, dialect, how)) = payload(json) else {
            let first = json.object().into_iter().flatten().next();
            let name = first.map(|(name, _)| name.to_str()).unwrap_or_default();
            let name = member(json, "kind").map_or(name, Element::words);
            cx.unknown(&name);
            return cx.record(&rules::UNKNOWN_PAYLOAD, Observed::Name(&name));
        };
        if how == NameSpelling::Snake {
            cx.record(&rules::PROTO_NAMES, Observed::Words("a snake_case member"));
        }
        // In the REST binding, the payload of 0.3 is in a member as in 1.0.
        let is_proto03 = dialect == Dialect::V1 && self.proto03.is_expected();
        if *self.dialect.get_or_insert(dialect) != dialect && !is_proto03 {
            cx.record(
                &rules::DIALECT,
                Observed::Words(if dialect == Dialect::V1 { "1.0" } else { "0.3" }),
            );
        }
        if object.object().is_err() {
            return cx
                .record(&rules::MEMBER_TYPE, Observed::Named("another type for", KINDS[kind]));
        }
        if !cx.is_reading() {
            return;
        }
        if self.has_message || kind == 1 && self.task.is_some() {
            cx.record(&rules::MESSAGE_NOT_ALONE, Observed::Name(KINDS[kind]));
        }
        match kind {
            0 => self.task(object, dialect, cx),
            1 => self.message(object, dialect, cx),
            2 => self.status_update(object, dialect, cx),
            _ => self.artifact_update(object, dialect, cx),
        }
    }

    /// Handles a message instead of a task. (A1.)
    fn message(&mut self, json: Element<'_, '_>, dialect: Dialect, cx: &mut Context<'_>) {
        self.has_message = true;
        let node =
            cx.open(Message::KIND, 0, Snapshot::message, ObjectLimit::Messages, Subject::NONE);
        let Some(node) = node else { return };
        self.place(json, Destination::new(Message::SHAPE, node, dialect), cx);
    }
}
