//! From the hub to the Agent API.
//!
//! Its message types are free strings (Spec 1.1), and its web interface does not show messages of
//! unknown types. So a step without an equivalent becomes a completed message of type `agentwire.`
//! and the step's name, whose data are the step's members. Notes about a message become members of
//! its metadata.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::{MODEL, NOTE, PARENT, PENDING, RESULT, error_info, message_type, to_payload, with};
use crate::bytes::string_map::{Numbers, pair};
use crate::core::UsageError;
use crate::hub::approval::question;
use crate::hub::metadata::OPAQUE;
use crate::hub::steps::members;
use crate::hub::{
    CallIds, EndError, EndStatus, FromHub, LossChecker, MediaBuffer, MessageEnd, Note,
    PendingMetadata, ProtocolName as _, RunEnd, SealedPlace, Step, StepMeta, UnsupportedSteps,
    WriteOptions, message_id, present_members,
};
use crate::json::{Member, Value, decimal};
use crate::protocols::agent_api::builder::{
    BuilderOptions, ContentBuilder, MessageBuilder, ResponseBuilder, WireEvent,
};
use crate::protocols::agent_api::{AgentApi, MessageType, Payload, Role};

type WireOutput<'o> = crate::hub::EventOutput<'o, WireEvent>;

/// The steps that the Agent API cannot represent, with the reasons.
const UNSUPPORTED: UnsupportedSteps = &[
    ("after-end", NOT_REPRESENTED),
    ("arguments-replaced", NOT_REPRESENTED),
    ("call-input", "the Agent API takes arguments for JSON text (R36), and these are plain text"),
    ("part-dropped", NOT_REPRESENTED),
    ("preview", "the Agent API has finished parts only"),
    ("text-replaced", NOT_REPRESENTED),
    ("unknown-event", NOT_REPRESENTED),
];

const NOT_REPRESENTED: &str = "the Agent API cannot represent it";

/// Writes the Agent API: the target of a conversion. Heartbeats are not events here: a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToAgentApi {
    /// Taken at the beginning of the run, which may provide ids.
    options: Option<BuilderOptions>,
    losses: LossChecker,
    run: Option<ResponseBuilder>,
    /// The messages that have not ended.
    messages: Numbers<MessageBuilder>,
    /// The parts that have not ended.
    parts: Numbers<ContentBuilder>,
    call_ids: CallIds,
    pending: PendingMetadata,
    media: MediaBuffer,
    /// The number of messages that stand for steps.
    notes: i64,
    /// The part of the last piece.
    latest: u64,
}

impl ToAgentApi {
    /// Creates a target at the start of a stream. Ids that are missing in the options are taken
    /// from the source, if it has them.
    pub fn new(options: BuilderOptions) -> Self {
        Self::of(Some(options), None)
    }

    /// Creates a target for further messages of a response that has begun.
    #[cfg(feature = "wasm")]
    pub(crate) fn continuing(response: ResponseBuilder) -> Self {
        Self::of(None, Some(response))
    }

    fn of(options: Option<BuilderOptions>, run: Option<ResponseBuilder>) -> Self {
        ToAgentApi {
            options,
            losses: LossChecker::default(),
            run,
            messages: Numbers::default(),
            parts: Numbers::default(),
            call_ids: CallIds::default(),
            pending: PendingMetadata::default(),
            media: MediaBuffer::default(),
            notes: 0,
            latest: 0,
        }
    }

    fn start(
        &mut self,
        id: Option<&str>,
        session_id: Option<&str>,
        began: Vec<Member>,
        out: &mut WireOutput<'_>,
    ) {
        let Some(options) = self.options.take() else { return };
        let run = ResponseBuilder::new(options.with_ids_of(id, session_id));
        add_members(&run, began, out);
        emit(run.created(), "", out);
        emit(run.in_progress(), "", out);
        self.run = Some(run);
    }

    fn open(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let (Step::Open { message, kind, role, id, .. }, Some(run)) = (*step, &self.run) else {
            return;
        };
        let known = Role::known(role.as_str());
        if known.is_none() {
            out.lose(
                "role",
                role.as_str(),
                "the Agent API has four roles: it became the assistant",
            );
        }
        let role = known.unwrap_or(Role::Assistant);
        let id = message_id(id, out);
        match run.create_named_message_builder(id, role, message_type(kind)) {
            Ok(builder) => {
                emit(builder.in_progress(), builder.id(), out);
                self.messages.insert(message.into(), builder);
            }
            Err(_) => out.lose("refused", id.unwrap_or(""), "no id could be made for it"),
        }
        self.pending.open(step, out.meta());
    }

    /// Returns the part of a piece, and creates it for the first piece.
    fn part(&mut self, message: u32, part: u32, kind: &str) -> Option<&ContentBuilder> {
        let at = pair(message, part);
        if self.parts.get(at).is_none() {
            let builder = self.messages.get(message.into())?.create_content_builder(kind).ok()?;
            self.parts.insert(at, builder);
        }
        self.parts.get(at)
    }

    fn whole(&mut self, message: u32, payload: Payload, out: &mut WireOutput<'_>) {
        let Some(message) = self.messages.get(message.into()) else { return };
        emit(message.add_content(payload), message.id(), out);
    }

    /// Returns the part of the last piece, unless it has ended.
    pub(super) fn latest(&self) -> Option<&ContentBuilder> {
        self.parts.get(self.latest)
    }

    fn close(&mut self, message: u32, end: &MessageEnd, out: &mut WireOutput<'_>) {
        let Some(builder) = self.messages.remove(message.into()) else { return };
        finish(&builder, end, self.pending.end(message, end), out);
    }

    fn end(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        let Some(run) = &self.run else { return };
        if let Some(usage) = &end.usage {
            ok_or_loss(run.set_usage(usage.clone()), "", out);
        }
        let results =
            present_members([(RESULT, end.result.clone()), (PENDING, end.pending_list())]);
        add_members(run, results, out);
        if end.error.is_some() && matches!(end.status, EndStatus::Completed | EndStatus::Canceled) {
            out.lose("error-message", "", "responses that are completed or canceled have no error");
        }
        let error = end.error.as_ref().map(|error| error_info(error, UNKNOWN_ERROR));
        if let (EndStatus::Incomplete, Some(reason)) = (end.status, &end.reason) {
            emit(run.incomplete(Some(reason)), "", out);
        }
        run.finish_with(end.status.as_str().into(), error)
            .into_iter()
            .for_each(|event| out.emit(event));
    }
}

fn finish(
    builder: &MessageBuilder,
    end: &MessageEnd,
    metadata: Option<Value>,
    out: &mut WireOutput<'_>,
) {
    if let Some(usage) = &end.usage {
        ok_or_loss(builder.set_usage(usage.clone()), builder.id(), out);
    }
    if let Some(metadata) = metadata {
        ok_or_loss(builder.set_metadata(metadata), builder.id(), out);
    }
    if end.code.is_some() || end.message.is_some() {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let _ = builder.set_error(text(&end.code), text(&end.message));
    }
    let error = end.error.as_ref().map(|error| error_info(error, ""));
    builder
        .finish_with(end.status.as_str().into(), error)
        .into_iter()
        .for_each(|event| out.emit(event));
}

fn add_members(run: &ResponseBuilder, members: Vec<Member>, out: &mut WireOutput<'_>) {
    for member in members {
        ok_or_loss(run.set_member(member), "", out);
    }
}

/// The code of errors without a code in the source: the protocol requires one (F.1).
pub(crate) const UNKNOWN_ERROR: &str = "unknown_error";

impl FromHub for ToAgentApi {
    type Event = WireEvent;

    fn feed(&mut self, event: &Step<'_>, out: &mut WireOutput<'_>) {
        if let Step::Note(Note::Passthrough { protocol: AgentApi::NAME, data, .. }) = *event {
            return out.emit(WireEvent::raw(data));
        }
        self.losses.check(UNSUPPORTED, event, out);
        match *event {
            Step::Text { message, part, piece } | Step::Reasoning { message, part, piece, .. } => {
                if matches!(event, Step::Reasoning { summary: true, .. }) {
                    self.pending.set(message, "summary", Value::Bool(true));
                }
                self.latest = pair(message, part);
                if let Some(part) = self.part(message, part, "text") {
                    emit(part.add_text_delta(piece), "", out);
                }
            }
            Step::Arguments { message, part, piece } => {
                self.latest = pair(message, part);
                if let Some(part) = self.parts.get(pair(message, part)) {
                    emit(part.add_data_delta([("arguments", piece.into())].into()), "", out);
                }
            }
            Step::Refusal { message, part, piece } => {
                self.latest = pair(message, part);
                if let Some(part) = self.part(message, part, "refusal") {
                    emit(part.add_refusal_delta(piece), "", out);
                }
            }
            Step::Start { id, session_id, parent_id, model, .. } => {
                let began = present_members([
                    (MODEL, model.map(Value::from)),
                    (PARENT, parent_id.map(Value::from)),
                ]);
                self.start(id, session_id, began, out);
            }
            Step::Open { .. } => self.open(event, out),
            Step::Call { .. } => self.call(event, out),
            Step::Result { preview: true, .. }
            | Step::Whole { preview: true, .. }
            | Step::Heartbeat => {}
            Step::Result { .. } => self.result(event, out),
            Step::Interrupt { message, id, reason, payload, .. } => {
                let data = Some(approval(id, reason, payload, &beside(event)));
                self.whole(message, Payload::Data { data }, out);
            }
            Step::Answer { message, id, approved, reason, payload, .. } => {
                let data = Some(answer(id, approved, reason, payload));
                self.whole(message, Payload::Data { data }, out);
            }
            Step::Whole { message, payload, .. } => self.whole(message, to_payload(payload), out),
            Step::Media { message, part, kind, piece, media_type } => {
                self.media.add(pair(message, part), kind, piece, media_type);
            }
            Step::Note(ref note) => self.note(note, event, out),
            Step::EndPart { message, part, .. } => {
                if let Some(media) = self.media.take(pair(message, part)) {
                    return self.whole(message, to_payload(media.payload()), out);
                }
                if let Some(part) = self.parts.remove(pair(message, part)) {
                    emit(part.complete(), "", out);
                }
            }
            Step::Close { message, end } => self.close(message, end, out),
            Step::End(end) => self.end(end, out),
        }
    }
}

/// Returns the value of a builder, or notes the loss. The hub and this target keep an order in
/// which the builder refuses only JSON that nests too deep.
fn ok_or_loss<T>(
    result: Result<T, UsageError>,
    place: &str,
    out: &mut WireOutput<'_>,
) -> Option<T> {
    result.map_err(|error| out.lose("refused", place, reason(&error))).ok()
}

fn emit(event: Result<WireEvent, UsageError>, place: &str, out: &mut WireOutput<'_>) {
    ok_or_loss(event, place, out).into_iter().for_each(|event| out.emit(event));
}

fn reason(error: &UsageError) -> &'static str {
    match error.code {
        "too-deep" => "it nests deeper than the Agent API's readers go: left out",
        "unknown-content-type" => "the Agent API has no parts of that type: left out",
        _ => "the Agent API's readers could not have read it: left out",
    }
}

impl ToAgentApi {
    fn call(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Call { message, part, id, name, more, .. } = *step else { return };
        let id = self.call_ids.of(id, out).to_owned();
        let id = id.as_str();
        let Some(builder) = self.part(message, part, "data") else { return };
        let members = [("call_id", id.into()), ("name", name.into()), ("arguments", "".into())];
        send_data(id, members, more, out, |data| builder.add_data_delta(data));
    }

    fn result(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Result { message, id, name, output, content, more, .. } = *step else { return };
        let id = self.call_ids.of(id, out);
        let Some(message) = self.messages.get(message.into()) else { return };
        let parts = content.map(|parts| Member::new("content", parts.clone()));
        let more: Vec<Member> = more.iter().cloned().chain(parts).collect();
        let name = name.map_or(Value::Null, Value::from);
        let members = [("call_id", id.into()), ("name", name), ("output", output.into())];
        send_data(id, members, &more, out, |data| {
            message.add_content(Payload::Data { data: Some(data) })
        });
    }
}

/// Sends the data of a call or result with further members, or without them if they are refused.
fn send_data<const N: usize>(
    id: &str,
    members: [(&str, Value); N],
    more: &[Member],
    out: &mut WireOutput<'_>,
    send: impl Fn(Value) -> Result<WireEvent, UsageError>,
) {
    let event = match send(with(members.clone(), more)) {
        Err(error) if !more.is_empty() => {
            out.lose("call-members", id, reason(&error));
            send(with(members, &[]))
        }
        event => event,
    };
    emit(event, id, out);
}

#[cfg(feature = "wasm")]
impl ResponseBuilder {
    /// Sets what the last event has of the end of a run: its result, and the calls that wait for
    /// the client.
    pub(crate) fn set_outcome(
        &self,
        result: Option<Value>,
        pending: Option<Value>,
    ) -> Result<(), UsageError> {
        let members = [(RESULT, result), (PENDING, pending)];
        members.into_iter().try_for_each(|(key, value)| {
            self.set_member(Member { key: key.into(), value: value.unwrap_or_default() })
        })
    }
}

impl BuilderOptions {
    /// Returns the options that all protocols have.
    pub(crate) fn shared(self) -> WriteOptions {
        let BuilderOptions { ids, response_id: run_id, session_id, echo, clock, .. } = self;
        WriteOptions { ids: ids.into_inner(), run_id, session_id, clock, echo }
    }

    /// Sets the ids that are missing.
    pub(crate) fn with_ids_of(
        mut self,
        response_id: Option<&str>,
        session_id: Option<&str>,
    ) -> Self {
        let id = |id: Option<&str>| id.filter(|id| !id.is_empty()).map(String::from);
        self.response_id = self.response_id.or(id(response_id));
        self.session_id = self.session_id.or(id(session_id));
        self
    }
}

impl ToAgentApi {
    fn note(&mut self, note: &Note<'_>, step: &Step<'_>, out: &mut WireOutput<'_>) {
        match *note {
            Note::Status { status: "in_progress", detail: None } => {}
            Note::Passthrough { .. }
            | Note::Retract { .. }
            | Note::Replace { .. }
            | Note::Reopened { .. } => {}
            Note::Usage { usage, message } => self.used(usage, message, out),
            Note::Error { code, text } => {
                let mut end = MessageEnd::new(EndStatus::Completed);
                (end.code, end.message) = (code.map(Into::into), Some(text.into()));
                self.send_message((MessageType::Error, None), None, &end, out);
            }
            Note::ToolError { id, cause, text } => {
                out.lose("tool-error", id, "it became the result, in a message that failed");
                let id = self.call_ids.of(id, out);
                let data = Value::from([
                    ("call_id", id.into()),
                    ("name", Value::Null),
                    ("output", text.into()),
                ]);
                let mut end = MessageEnd::new(EndStatus::Failed);
                end.error = Some(EndError {
                    code: cause.or(Some("tool")).map(Into::into),
                    message: text.into(),
                });
                self.send_message((MessageType::FunctionCallOutput, None), Some(data), &end, out);
            }
            Note::Metadata { value: Value::Object(members), message: Some(message), .. }
                if self.messages.get(message.into()).is_some() =>
            {
                self.pending.merge(message, members);
            }
            Note::Annotation { message, annotation, .. }
                if self.messages.get(message.into()).is_some() =>
            {
                self.pending.add(message, "annotations", annotation.clone());
            }
            Note::Opaque { message: Some(message), .. }
                if self.messages.get(message.into()).is_some() =>
            {
                self.pending.seal(message, out.sealed(note, SealedPlace::Message));
            }
            Note::Opaque { call, .. } => {
                let id = call.map(|call| self.call_ids.of(call, out).to_owned());
                let place = id.as_deref().map_or(SealedPlace::After, SealedPlace::Call);
                let sealed = out.sealed(note, place);
                let mut end = MessageEnd::new(EndStatus::Completed);
                end.metadata = Some([(OPAQUE, sealed.into())].into());
                self.send_message((MessageType::Reasoning, None), None, &end, out);
            }
            _ => self.own(note.name(), step, out.meta(), out),
        }
    }

    /// Writes a message that stands for a step. Its id contains its number in the response: the
    /// step has no other identity, and a repeated conversion must have the same result.
    fn own(
        &mut self,
        name: &str,
        step: &Step<'_>,
        context: StepMeta<'_>,
        out: &mut WireOutput<'_>,
    ) {
        const LONGEST: usize = 128;
        let data = members(step, context);
        let r#type = MessageType::from([NOTE, name].concat().as_str());
        let run = self.run.as_ref().map(ResponseBuilder::id).filter(|run| run.len() <= LONGEST);
        self.notes += 1;
        let id = run.map(|run| [&run, "_step_", &decimal(self.notes)].concat());
        self.send_message((r#type, id), Some(data), &MessageEnd::new(EndStatus::Completed), out);
    }

    /// Writes a message that begins and ends at once.
    fn send_message(
        &mut self,
        (r#type, id): (MessageType, Option<String>),
        data: Option<Value>,
        end: &MessageEnd,
        out: &mut WireOutput<'_>,
    ) {
        let Some(run) = &self.run else { return };
        let role =
            if r#type == MessageType::FunctionCallOutput { Role::Tool } else { Role::Assistant };
        let Ok(message) = run.create_named_message_builder(id.as_deref(), role, r#type) else {
            return;
        };
        emit(message.in_progress(), message.id(), out);
        if let Some(data) = data {
            emit(message.add_content(Payload::Data { data: Some(data) }), message.id(), out);
        }
        finish(&message, end, end.metadata.clone(), out);
    }

    fn used(&mut self, usage: &Value, message: Option<u32>, out: &mut WireOutput<'_>) {
        let set = match (message.map(|message| self.messages.get(message.into())), &self.run) {
            (Some(Some(message)), _) => message.set_usage(usage.clone()),
            (Some(None), _) => return out.lose("usage", "", "its message had ended"),
            (None, Some(run)) => run.set_usage(usage.clone()),
            (None, None) => return,
        };
        ok_or_loss(set, "", out);
    }
}

/// Returns the data of an approval request: always a valid `McpApprovalRequest` (spec 1.2), because
/// clients do not show any other question. A payload of this form is used as it is. Any other
/// payload becomes the member `payload`, next to the required members: the question is then the
/// call of a tool with the payload as its arguments.
fn approval(id: &str, reason: Option<&str>, payload: &Value, beside: &[Member]) -> Value {
    let text = |name: &str| payload.text(name);
    let (name, arguments, server) = (text("name"), text("arguments"), text("server_label"));
    let is_own = name.and(arguments).and(server).is_some()
        && ["id", "reason", "payload"].iter().all(|key| payload.get(key).is_none());
    if let Value::Object(members) = payload
        && is_own
        && reason.is_none()
        && beside.is_empty()
    {
        return with([("id", id.into())], members);
    }
    let [name, arguments, server] = question(payload);
    let data_members = [
        ("id", id.into()),
        ("name", name.into()),
        ("arguments", arguments.into()),
        ("server_label", server.into()),
        ("reason", reason.map_or(Value::Null, Value::from)),
        ("payload", payload.clone()),
    ];
    with(data_members, beside)
}

/// Returns the members of a question that the protocol does not declare.
fn beside(step: &Step<'_>) -> Vec<Member> {
    let Step::Interrupt { call, text, expires_at, response_schema, .. } = *step else {
        return Vec::new();
    };
    present_members([
        ("call", call.map(Value::from)),
        ("text", text.map(Value::from)),
        ("expiresAt", expires_at.map(Value::from)),
        ("responseSchema", response_schema.cloned()),
    ])
}

/// Returns the data of an approval response: as received from the Agent API, or a valid
/// `McpApprovalResponse` (R37).
fn answer(id: &str, approved: Option<bool>, reason: Option<&str>, payload: &Value) -> Value {
    if payload.get("approval_request_id").is_some() {
        let mut data = payload.clone();
        if approved != Some(true) && data.get("approve") == Some(&Value::Bool(true)) {
            data.insert("approve", false.into());
        }
        return data;
    }
    // An answer that is neither yes nor no declines.
    let mut data = Value::from([
        ("approval_request_id", id.into()),
        ("approve", Value::Bool(approved == Some(true))),
    ]);
    if let Some(reason) = reason {
        data.insert("reason", reason.into());
    }
    if !payload.is_null() {
        data.insert("payload", payload.clone());
    }
    data
}
