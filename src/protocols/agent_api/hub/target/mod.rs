//! From the hub to the Agent API.

mod notes;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use self::notes::{answer, approval, beside};
use super::words::{self, error_info, message_type, run_status, with};
use super::{MODEL, PARENT, PENDING, RESULT};
use crate::bytes::string_map::{Numbers, pair};
use crate::core::UsageError;
use crate::hub::{
    CallIds, EndStatus, FromHub, LossChecker, MediaBuffer, MessageEnd, MessageKind, Named as _, Note, Out,
    PendingMetadata, Role as HubRole, RunEnd, Step, UnsupportedSteps, WriteOptions, given, message_id,
};
use crate::json::{Member, Value};
use crate::protocols::agent_api::builder::{
    BuilderOptions, ContentBuilder, MessageBuilder, ResponseBuilder, WireEvent,
};
use crate::protocols::agent_api::{AgentApi, Payload, Role};

/// The steps that the Agent API cannot represent, with the reasons.
const UNSUPPORTED: UnsupportedSteps = &[
    ("after-end", CANNOT_SAY),
    ("arguments-replaced", CANNOT_SAY),
    ("call-input", "the Agent API takes arguments for JSON text (R36), and these are plain text"),
    ("part-dropped", CANNOT_SAY),
    ("preview", "the Agent API has finished parts only"),
    ("text-replaced", CANNOT_SAY),
    ("unknown-event", CANNOT_SAY),
];

const CANNOT_SAY: &str = "the Agent API cannot say it";

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
    /// Creates a target at the start of a stream. Ids that are missing in the options are taken from the source, if it
    /// has them.
    pub fn new(options: BuilderOptions) -> Self {
        ToAgentApi {
            options: Some(options),
            losses: LossChecker::default(),
            run: None,
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
        out: &mut Out<'_, WireEvent>,
    ) {
        let Some(options) = self.options.take() else { return };
        let run = ResponseBuilder::new(options.with_ids_of(id, session_id));
        add_members(&run, began, out);
        emit(run.created(), "", out);
        emit(run.in_progress(), "", out);
        self.run = Some(run);
    }

    fn open(
        &mut self,
        message: u32,
        kind: MessageKind<'_>,
        role: HubRole<'_>,
        id: Option<&str>,
        out: &mut Out<'_, WireEvent>,
    ) {
        let Some(run) = &self.run else { return };
        let known = words::role(role);
        if known.is_none() {
            out.lose("role", role.as_str(), "the Agent API has four roles: it became the assistant");
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

    fn whole(&mut self, message: u32, payload: Payload, out: &mut Out<'_, WireEvent>) {
        let Some(message) = self.messages.get(message.into()) else { return };
        emit(message.add_content(payload), message.id(), out);
    }

    /// Returns the part of the last piece, unless it has ended.
    pub(super) fn latest(&self) -> Option<&ContentBuilder> {
        self.parts.get(self.latest)
    }

    fn close(&mut self, message: u32, end: &MessageEnd, out: &mut Out<'_, WireEvent>) {
        let Some(builder) = self.messages.remove(message.into()) else { return };
        let usage = end.usage.clone().map(|usage| builder.set_usage(usage));
        let metadata = self.pending.end(message, end).map(|metadata| builder.set_metadata(metadata));
        for refused in [usage, metadata].into_iter().flatten().filter_map(Result::err) {
            out.lose("refused", builder.id(), why(&refused));
        }
        if end.code.is_some() || end.message.is_some() {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            let _ = builder.set_error(text(&end.code), text(&end.message));
        }
        let error = end.error.as_ref().map(|error| error_info(error, ""));
        let events = builder.finish_with(run_status(end.status), error);
        events.into_iter().for_each(|event| out.emit(event));
    }

    fn end(&mut self, end: &RunEnd, out: &mut Out<'_, WireEvent>) {
        let Some(run) = &self.run else { return };
        if let Some(Err(refused)) = end.usage.clone().map(|usage| run.set_usage(usage)) {
            out.lose("refused", "", why(&refused));
        }
        let results = given([(RESULT, end.result.clone()), (PENDING, end.pending_list())]);
        add_members(run, results, out);
        if end.error.is_some() && matches!(end.status, EndStatus::Completed | EndStatus::Canceled) {
            out.lose("error-message", "", "responses that are completed or canceled have no error");
        }
        let error = end.error.as_ref().map(|error| error_info(error, UNKNOWN_ERROR));
        if let (EndStatus::Incomplete, Some(reason)) = (end.status, &end.reason) {
            emit(run.incomplete(Some(reason)), "", out);
        }
        run.finish_with(run_status(end.status), error).into_iter().for_each(|event| out.emit(event));
    }
}

fn add_members(run: &ResponseBuilder, members: Vec<Member>, out: &mut Out<'_, WireEvent>) {
    for member in members {
        if let Err(refused) = run.add_member(member) {
            out.lose("refused", "", why(&refused));
        }
    }
}

/// The code of errors without a code in the source: the protocol requires one (F.1).
pub(crate) const UNKNOWN_ERROR: &str = "unknown_error";

impl FromHub for ToAgentApi {
    type Event = WireEvent;

    fn feed(&mut self, event: &Step<'_>, out: &mut Out<'_, WireEvent>) {
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
                let began = given([(MODEL, model.map(Value::from)), (PARENT, parent_id.map(Value::from))]);
                self.start(id, session_id, began, out);
            }
            Step::Open { message, kind, role, id, .. } => {
                self.open(message, kind, role, id, out);
                self.pending.open(event, out.context());
            }
            Step::Call { message, part, id, name, more, .. } => {
                self.call(message, part, id, name, more, out);
            }
            Step::Result { preview: true, .. } | Step::Whole { preview: true, .. } | Step::Heartbeat => {}
            Step::Result { message, id, name, output, content, more, .. } => {
                let parts = content.map(|parts| Member::new("content", parts.clone()));
                let more: Vec<Member> = more.iter().cloned().chain(parts).collect();
                self.result(message, (id, name, output), &more, out);
            }
            Step::Interrupt { message, id, reason, payload, .. } => {
                let data = Some(approval(id, reason, payload, &beside(event)));
                self.whole(message, Payload::Data { data }, out);
            }
            Step::Answer { message, id, approved, reason, payload, .. } => {
                let data = Some(answer(id, approved, reason, payload));
                self.whole(message, Payload::Data { data }, out);
            }
            Step::Whole { message, payload, .. } => self.whole(message, words::payload(payload), out),
            Step::Media { message, part, kind, piece, media_type } => {
                self.media.add(pair(message, part), kind, piece, media_type);
            }
            Step::Note(ref note) => self.note(note, event, out),
            Step::EndPart { message, part, .. } => {
                if let Some(media) = self.media.take(pair(message, part)) {
                    return self.whole(message, words::payload(media.payload()), out);
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

/// Emits an event. The hub and this target keep an order in which the builder refuses only JSON that nests too deep.
fn emit(event: Result<WireEvent, UsageError>, place: &str, out: &mut Out<'_, WireEvent>) {
    match event {
        Ok(event) => out.emit(event),
        Err(refused) => out.lose("refused", place, why(&refused)),
    }
}

fn why(refused: &UsageError) -> &'static str {
    match refused.code {
        "too-deep" => "it nests deeper than the Agent API's readers go: left out",
        "unknown-content-type" => "the Agent API has no parts of that type: left out",
        _ => "the Agent API's readers could not have read it: left out",
    }
}

impl ToAgentApi {
    fn call(
        &mut self,
        message: u32,
        part: u32,
        id: &str,
        name: &str,
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        let id = self.call_ids.of(id, out).to_owned();
        let id = id.as_str();
        let Some(builder) = self.part(message, part, "data") else { return };
        let members = [("call_id", id.into()), ("name", name.into()), ("arguments", "".into())];
        send_data(id, members, more, out, |data| builder.add_data_delta(data));
    }

    fn result(
        &mut self,
        message: u32,
        (id, name, output): (&str, Option<&str>, &str),
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        let id = self.call_ids.of(id, out).to_owned();
        let id = id.as_str();
        let Some(message) = self.messages.get(message.into()) else { return };
        let name = name.map_or(Value::Null, Value::from);
        let members = [("call_id", id.into()), ("name", name), ("output", output.into())];
        send_data(id, members, more, out, |data| message.add_content(Payload::Data { data: Some(data) }));
    }
}

/// Sends the data of a call or result with further members, or without them if they are refused.
fn send_data<const N: usize>(
    id: &str,
    members: [(&str, Value); N],
    more: &[Member],
    out: &mut Out<'_, WireEvent>,
    send: impl Fn(Value) -> Result<WireEvent, UsageError>,
) {
    let event = match send(with(members.clone(), more)) {
        Err(refused) if !more.is_empty() => {
            out.lose("call-members", id, why(&refused));
            send(with(members, &[]))
        }
        event => event,
    };
    emit(event, id, out);
}

impl BuilderOptions {
    /// Returns the options that all protocols have.
    pub(crate) fn shared(self) -> WriteOptions {
        let BuilderOptions { ids, response_id: run_id, session_id, echo, clock, .. } = self;
        WriteOptions { ids, run_id, session_id, clock, echo }
    }

    /// Sets the ids that are missing.
    pub(crate) fn with_ids_of(mut self, response_id: Option<&str>, session_id: Option<&str>) -> Self {
        let id = |id: Option<&str>| id.filter(|id| !id.is_empty()).map(String::from);
        self.response_id = self.response_id.or(id(response_id));
        self.session_id = self.session_id.or(id(session_id));
        self
    }
}
