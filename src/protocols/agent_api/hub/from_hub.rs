//! From the hub to the Agent API.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::error::Misuse;
use crate::hub::step::{MessageEnd, RunEnd, Step};
use crate::hub::transducer::{FromHub, Out};
use crate::json::{Member, Value, decimal};
use crate::protocols::agent_api::builder::{
    BuilderOptions, ContentBuilder, MessageBuilder, ResponseBuilder, WireEvent,
};
use crate::protocols::agent_api::{ErrorInfo, MessageType, Payload, Role, RunStatus};

/// Writes the Agent API: the target of a conversion. Heartbeats are not events here, see
/// [`ToAgKit`](crate::protocols::ag_kit::hub::ToAgKit).
#[derive(Debug)]
pub struct ToAgentApi {
    /// Until the run begins, which may bring ids.
    options: Option<BuilderOptions>,
    run: Option<ResponseBuilder>,
    /// The messages that have not ended.
    messages: Numbers<MessageBuilder>,
    /// The parts that have not ended.
    parts: Numbers<ContentBuilder>,
    /// Ids for calls whose own no reader takes for one.
    ids: StringMap<String>,
}

impl ToAgentApi {
    /// A target at the start of a stream. Ids that the options do not have are taken from the source, if it has them.
    pub fn new(options: BuilderOptions) -> Self {
        ToAgentApi {
            options: Some(options),
            run: None,
            messages: Numbers::default(),
            parts: Numbers::default(),
            ids: StringMap::default(),
        }
    }

    fn start(&mut self, id: Option<&str>, session_id: Option<&str>, out: &mut Out<'_, WireEvent>) {
        let Some(options) = self.options.take() else { return };
        let run = ResponseBuilder::new(options.with_ids_of(id, session_id));
        emit(run.created(), "", out);
        emit(run.in_progress(), "", out);
        self.run = Some(run);
    }

    fn open(
        &mut self,
        message: u32,
        r#type: &MessageType,
        role: &Role,
        id: Option<&str>,
        out: &mut Out<'_, WireEvent>,
    ) {
        let Some(run) = &self.run else { return };
        let mut role = role.clone();
        if let Role::Other(name) = &role {
            out.lose("role", name, "the Agent API has four roles: it became the assistant");
            role = Role::Assistant;
        }
        let mut id = id;
        if let Some(long) = id.filter(|id| id.len() > LONGEST_ID) {
            out.lose(
                "message-id",
                long,
                "every event of a message repeats its id, and this one is too long: it got another",
            );
            id = None;
        }
        match run.create_named_message_builder(id, role, r#type.clone()) {
            Ok(builder) => {
                emit(builder.in_progress(), builder.id(), out);
                self.messages.insert(message.into(), builder);
            }
            Err(_) => out.lose("refused", id.unwrap_or(""), "no id could be made for it"),
        }
    }

    /// The part that a piece belongs to, which begins with it.
    fn part(&mut self, message: u32, part: u32, kind: &str) -> Option<&ContentBuilder> {
        let at = pair(message, part);
        if self.parts.get(at).is_none() {
            let builder = self.messages.get(message.into())?.create_content_builder(kind).ok()?;
            self.parts.insert(at, builder);
        }
        self.parts.get(at)
    }

    /// The id that a call has here. The protocol's readers take no empty one for one, and none that is longer than a
    /// message.
    fn call_id<'i>(&'i mut self, id: &'i str, out: &mut Out<'_, WireEvent>) -> &'i str {
        const LONGEST: usize = 1024;
        if !id.is_empty() && id.len() <= LONGEST {
            return id;
        }
        if self.ids.get(id).is_none() {
            out.lose("call-id", id, "the Agent API's readers could not pair it: the call got another one");
            let next = self.ids.len() + 1;
            self.ids.insert(id, ["unnamed_", &decimal(next as i64)].concat());
        }
        self.ids.get(id).map_or(id, String::as_str)
    }

    fn call(
        &mut self,
        message: u32,
        part: u32,
        id: &str,
        name: &str,
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        let id = &*self.call_id(id, out).to_owned();
        let Some(builder) = self.part(message, part, "data") else { return };
        let said = [("call_id", id.into()), ("name", name.into()), ("arguments", "".into())];
        let event = match builder.add_data_delta(with(said.clone(), more)) {
            Err(refused) if !more.is_empty() => {
                out.lose("call-members", id, why(&refused));
                builder.add_data_delta(with(said, &[]))
            }
            event => event,
        };
        emit(event, id, out);
    }

    fn result(
        &mut self,
        message: u32,
        (id, name, output): (&str, Option<&str>, &str),
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        let id = &*self.call_id(id, out).to_owned();
        let Some(message) = self.messages.get(message.into()) else { return };
        let name = name.map_or(Value::Null, Value::from);
        let said = [("call_id", id.into()), ("name", name), ("output", output.into())];
        let event = match message.add_content(Payload::Data { data: Some(with(said.clone(), more)) }) {
            Err(refused) if !more.is_empty() => {
                out.lose("call-members", id, why(&refused));
                message.add_content(Payload::Data { data: Some(with(said, &[])) })
            }
            event => event,
        };
        emit(event, id, out);
    }

    fn whole(&mut self, message: u32, payload: Payload, out: &mut Out<'_, WireEvent>) {
        let Some(message) = self.messages.get(message.into()) else { return };
        emit(message.add_content(payload), message.id(), out);
    }

    fn close(&mut self, message: u32, end: &MessageEnd, out: &mut Out<'_, WireEvent>) {
        let Some(builder) = self.messages.remove(message.into()) else { return };
        let usage = end.usage.clone().map(|usage| builder.set_usage(usage));
        let metadata = end.metadata.clone().map(|metadata| builder.set_metadata(metadata));
        for refused in [usage, metadata].into_iter().flatten().filter_map(Result::err) {
            out.lose("refused", builder.id(), why(&refused));
        }
        if end.code.is_some() || end.message.is_some() {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            let _ = builder.set_error(text(&end.code), text(&end.message));
        }
        let events = builder.finish_with(end.status.clone(), end.error.clone());
        events.into_iter().for_each(|event| out.emit(event));
    }

    fn end(&mut self, end: &RunEnd, out: &mut Out<'_, WireEvent>) {
        let Some(run) = &self.run else { return };
        if let Some(Err(refused)) = end.usage.clone().map(|usage| run.set_usage(usage)) {
            out.lose("refused", "", why(&refused));
        }
        let error = end.error.as_ref().map(|error| {
            let code = error.code.as_deref().unwrap_or(UNKNOWN_ERROR);
            ErrorInfo::new(code, error.message.as_str())
        });
        if let (RunStatus::Incomplete, Some(reason)) = (&end.status, &end.reason) {
            emit(run.incomplete(Some(reason)), "", out);
        }
        run.finish_with(end.status.clone(), error).into_iter().for_each(|event| out.emit(event));
    }
}

/// The code of an error for which the source has none: the protocol wants one (F.1).
pub(crate) const UNKNOWN_ERROR: &str = "unknown_error";

impl FromHub for ToAgentApi {
    type Event = WireEvent;

    fn feed(&mut self, event: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        match *event {
            Step::Text { message, part, piece } | Step::Reasoning { message, part, piece } => {
                if let Some(part) = self.part(message, part, "text") {
                    emit(part.add_text_delta(piece), "", out);
                }
            }
            Step::Arguments { message, part, piece } => {
                if let Some(part) = self.parts.get(pair(message, part)) {
                    emit(part.add_data_delta([("arguments", piece.into())].into()), "", out);
                }
            }
            Step::Refusal { message, part, piece } => {
                if let Some(part) = self.part(message, part, "refusal") {
                    emit(part.add_refusal_delta(piece), "", out);
                }
            }
            Step::Start { id, session_id } => self.start(id, session_id, out),
            Step::Open { message, r#type, role, id } => self.open(message, r#type, role, id, out),
            Step::Call { message, part, id, name, more } => self.call(message, part, id, name, more, out),
            Step::Result { message, id, name, output, more, .. } => {
                self.result(message, (id, name, output), more, out);
            }
            Step::Interrupt { message, id, reason, payload, .. } => {
                let data = Some(approval(id, reason, payload));
                self.whole(message, Payload::Data { data }, out);
            }
            Step::Whole { message, payload, .. } => self.whole(message, payload.clone(), out),
            Step::EndPart { message, part, .. } => {
                if let Some(part) = self.parts.remove(pair(message, part)) {
                    emit(part.complete(), "", out);
                }
            }
            Step::Close { message, end } => self.close(message, end, out),
            Step::Heartbeat => {}
            Step::End(end) => self.end(end, out),
        }
    }
}

/// How many bytes the id of a message may have. Readers take longer ones; but in the Agent API each content has it again,
/// so a few kilobytes of a source could become any number.
const LONGEST_ID: usize = 1024;

/// Members with more of them.
fn with<const N: usize>(said: [(&str, Value); N], more: &[Member]) -> Value {
    let mut data = Value::from(said);
    if let Value::Object(members) = &mut data {
        members.extend_from_slice(more);
    }
    data
}

/// The data of an approval request: always a valid `McpApprovalRequest` (spec 1.2), or clients show no question. A payload
/// that is one stands in its own members. Any other payload is carried beside the members that it lacks: the question is
/// the call of a tool whose arguments are the payload.
fn approval(id: &str, reason: Option<&str>, payload: &Value) -> Value {
    let text = |name: &str| payload.get(name).and_then(Value::as_str);
    let (name, arguments, server) = (text("name"), text("arguments"), text("server_label"));
    let is_own = name.and(arguments).and(server).is_some()
        && ["id", "reason", "payload"].iter().all(|key| payload.get(key).is_none());
    if let Value::Object(members) = payload
        && is_own
        && reason.is_none()
    {
        return with([("id", id.into())], members);
    }
    let said = payload.get("arguments").unwrap_or(payload);
    let arguments = match said {
        Value::String(text) if name.is_some() => text.clone(),
        Value::Null => "{}".to_owned(),
        other => other.to_json(),
    };
    Value::from([
        ("id", id.into()),
        ("name", name.unwrap_or("interrupt").into()),
        ("arguments", arguments.into()),
        ("server_label", server.unwrap_or("agent").into()),
        ("reason", reason.map_or(Value::Null, Value::from)),
        ("payload", payload.clone()),
    ])
}

/// The order of the hub and this target's own are such that the builder refuses nothing but JSON that nests too deep.
fn emit(event: Result<WireEvent, Misuse>, place: &str, out: &mut Out<'_, WireEvent>) {
    match event {
        Ok(event) => out.emit(event),
        Err(refused) => out.lose("refused", place, why(&refused)),
    }
}

fn why(refused: &Misuse) -> &'static str {
    match refused.code {
        "too-deep" => "it nests deeper than the Agent API's readers go: left out",
        "unknown-content-type" => "the Agent API has no parts of that type: left out",
        _ => "the Agent API's readers could not have read it: left out",
    }
}
