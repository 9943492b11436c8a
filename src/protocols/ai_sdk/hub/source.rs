//! From the AI SDK to the hub.
//!
//! The engine reads the stream, and its changes become steps. Each part of the message is a message
//! of the hub; a tool call with a question and an output is three.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::{
    EXPIRES_AT, PAYLOAD, PROVIDER, REASON, RESPONSE_SCHEMA, STATE, STOP, is_inserted, media, usage,
};
use crate::bytes::string_map::StringMap;
use crate::core::EndReason;
use crate::core::declare::model::member::DeclaredMember as _;
use crate::engine::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::approval::{TEXT, question_payload, split_text};
use crate::hub::conversation::Sealed;
use crate::hub::{
    EndStatus, FoldSource, Hub, InputFormat, KeptMembers, MessageKind, MessagePhase, Note,
    OpaquePlace, Payload, Role, RunEnd, Step, StepSink, StepSource, ToolKind, json_of,
    present_members,
};
use crate::json::{Element, IndexedValue, Member, Raw, Value};
use crate::protocols::ai_sdk::model::{
    AiSdkDynamicTool, AiSdkFile, AiSdkReasoning, AiSdkSourceDocument, AiSdkSourceUrl,
    AiSdkStepStart, AiSdkText,
};
use crate::protocols::ai_sdk::{MODEL, Part, PartState, Snapshot, Status};

/// Reads the AI SDK: the source of a conversion.
pub type FromAiSdk = FoldSource;

/// The members of metadata that are properties of the run at the hub.
const OF_THE_RUN: [&str; 6] =
    ["sessionId", "createdAt", "model", "parentRunId", "usage", "runResult"];

/// The state of the message, and of its emitted content.
#[derive(Debug, Default)]
pub struct AiSdkSource {
    run: EmittedRun,
    status: Status,
    finish_reason: String,
    parts: Vec<PartObject>,
    /// The number of the first parts that belong to an earlier message: they were retracted.
    earlier: usize,
    /// The part, other than a call, that the event has changed.
    touched: Option<usize>,
    steps: EmittedSteps,
    /// The last message of text.
    text: u32,
}

/// The steps of the message at the hub. The first one is the run itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum EmittedSteps {
    /// No step has begun.
    #[default]
    None,
    /// The step has no note of its own, or it has ended.
    Outside,
    /// The start of a step was noted, and its end was not.
    Inside,
}

/// The run at the hub.
#[derive(Debug, Default)]
struct EmittedRun {
    started: bool,
    id: String,
    metadata: IndexedValue,
    /// The members of the metadata that were not emitted.
    changed: StringMap<()>,
    error: LastError,
    /// The number of messages.
    messages: u32,
}

/// The last error of the message.
#[derive(Debug, Default)]
enum LastError {
    #[default]
    None,
    /// It is the error of the run, unless the run continues.
    New(String),
    /// The run has continued after it.
    Emitted(String),
}

impl LastError {
    fn text(&self) -> Option<&str> {
        match self {
            LastError::None => None,
            LastError::New(text) | LastError::Emitted(text) => Some(text),
        }
    }
}

#[derive(Debug)]
struct PartObject {
    kind: ObjectKind,
    /// How far its message has been emitted. The message of a call ends with its input.
    phase: MessagePhase,
    state: PartState,
    call: CallProgress,
    members: KeptMembers,
}

/// The emitted content of a call.
#[derive(Debug, Default)]
struct CallProgress {
    /// The input so far, and whether it is a text.
    input: String,
    is_text_input: bool,
    /// The question was asked, and it was answered: one can be without the other, in any order.
    has_question: bool,
    has_answer: bool,
}

impl PartObject {
    fn new(kind: ObjectKind) -> Self {
        let (phase, state, call, members) = Default::default();
        PartObject { kind, phase, state, call, members }
    }

    fn r#type(&self) -> &str {
        self.members.word(Part::r#type)
    }

    /// Returns the name of the tool, if the part is a call.
    fn tool(&self) -> Option<&str> {
        if self.kind == AiSdkDynamicTool::KIND {
            return Some(self.members.word(Part::tool_name));
        }
        self.r#type().strip_prefix("tool-")
    }

    fn id(&self) -> &str {
        self.members.word(Part::tool_call_id)
    }

    fn is_text(&self) -> bool {
        self.kind == AiSdkText::KIND || self.kind == AiSdkReasoning::KIND
    }

    fn is_refusal(&self) -> bool {
        let own = self.members.get(Part::provider_metadata);
        let kind = |provider| own?.get(provider)?.text("kind");
        kind(PROVIDER).or(kind("agentscope")) == Some("refusal")
    }

    /// Whether a call waits for the client.
    fn waits(&self) -> bool {
        self.state == PartState::InputAvailable
            && self.members.get(Part::provider_executed) != Some(&Value::Bool(true))
    }
}

impl EmittedRun {
    fn start(&mut self, hub: &mut Hub<'_>) {
        if core::mem::replace(&mut self.started, true) {
            return;
        }
        let metadata = self.metadata.value();
        hub.emit(&Step::Start {
            id: Some(&*self.id).filter(|id| !id.is_empty()),
            session_id: metadata.text("sessionId"),
            parent_id: metadata.text("parentRunId"),
            model: metadata.text("model"),
            created_at: metadata.get("createdAt").and_then(Value::integer),
        });
    }

    /// Begins a message.
    fn open(&mut self, kind: MessageKind<'_>, role: Role<'_>, hub: &mut Hub<'_>) -> u32 {
        self.start(hub);
        self.emit_error(hub);
        self.messages += 1;
        hub.emit(&Step::open(self.messages, kind, role, None));
        self.messages
    }

    /// Emits an error after which the run continued.
    fn emit_error(&mut self, hub: &mut Hub<'_>) {
        if let LastError::New(text) = &mut self.error {
            hub.note(Note::Error { code: None, text });
            self.error = LastError::Emitted(core::mem::take(text));
        }
    }

    fn emit_metadata(&mut self, hub: &mut Hub<'_>) {
        let changed = core::mem::take(&mut self.changed);
        let all = self.metadata.value().members().iter();
        let new = all.filter(|member| changed.get(&member.key).is_some());
        hub.metadata(
            new.filter(|member| !OF_THE_RUN.contains(&&*member.key)).cloned().collect(),
            None,
        );
    }
}

impl AiSdkSource {
    fn end_step(&mut self, hub: &mut Hub<'_>) {
        if self.steps == EmittedSteps::Inside {
            self.steps = EmittedSteps::Outside;
            hub.note(Note::StepEnd { id: None, name: None, kind: None });
        }
    }

    /// Begins a text, unless it has begun.
    fn begin_text(&mut self, at: usize, hub: &mut Hub<'_>) {
        let part = &mut self.parts[at];
        if !part.phase.is_waiting() {
            return;
        }
        // A reasoning that only carries the members of another part.
        let state = state_of(part.members.get(Part::provider_metadata));
        if let Some(sealed) = Sealed::open(state).filter(|sealed| sealed.call.is_some()) {
            part.phase = MessagePhase::Omitted;
            self.run.start(hub);
            return hub.carried(&sealed.seal(), &Value::Null, OpaquePlace::default());
        }
        let is_text = part.kind == AiSdkText::KIND;
        let kind = if is_text { MessageKind::Message } else { MessageKind::Reasoning };
        let message = self.run.open(kind, Role::Assistant, hub);
        part.phase = MessagePhase::Open(message);
        if is_text {
            self.text = message;
        }
    }

    /// Emits what the event has changed of a part that is not a call.
    fn advance(&mut self, at: usize, hub: &mut Hub<'_>) {
        match self.parts[at].kind {
            AiSdkText::KIND | AiSdkReasoning::KIND => {
                self.begin_text(at, hub);
                let part = &mut self.parts[at];
                if part.state == PartState::Done
                    && let Some(message) = part.phase.end()
                {
                    end_text(part, message, hub);
                }
            }
            AiSdkStepStart::KIND => {
                self.run.start(hub);
                self.end_step(hub);
                // The first step is the run itself.
                if self.steps == EmittedSteps::None && self.run.messages == 0 {
                    self.steps = EmittedSteps::Outside;
                } else {
                    self.steps = EmittedSteps::Inside;
                    hub.note(Note::StepStart { id: None, name: None, kind: None });
                }
            }
            AiSdkFile::KIND => {
                let message = self.run.open(MessageKind::Message, Role::Assistant, hub);
                let part = &mut self.parts[at];
                part.phase = MessagePhase::Ended(message);
                let (url, name) = (part.members.text(Part::url), part.members.text(Part::filename));
                let media_type = part.members.word(Part::media_type);
                let payload = match media_type.split_once('/') {
                    Some(("image", _)) => Payload::Image { url },
                    Some(("audio", format)) => Payload::Audio {
                        data: url,
                        format: Some(format).filter(|format| *format != "*"),
                    },
                    Some(("video", _)) => Payload::Video { url },
                    _ => Payload::File { url, id: None, name, data: None },
                };
                if media::located(payload).is_some_and(|(_, known)| known != media_type) {
                    hub.lose("media-type", media_type, "a file has the type that its URL shows");
                }
                let metadata = part.members.get(Part::provider_metadata);
                emit_state(metadata, "providerMetadata", OpaquePlace::part(message, 0), hub);
                hub.emit(&Step::whole(message, 0, payload));
                hub.close(message);
            }
            AiSdkSourceUrl::KIND | AiSdkSourceDocument::KIND => {
                self.run.start(hub);
                let part = &self.parts[at];
                let is_url = part.kind == AiSdkSourceUrl::KIND;
                let get = |key| part.members.get(key).cloned();
                let members = present_members([
                    ("type", Some(if is_url { "url_citation" } else { "file_citation" }.into())),
                    ("url", get(Part::url)),
                    ("file_id", get(Part::source_id).filter(|_| !is_url)),
                    ("title", get(Part::title)),
                    ("filename", get(Part::filename)),
                    ("media_type", get(Part::media_type)),
                ]);
                let annotation = &Value::Object(members);
                let place = part.members.word(Part::source_id);
                hub.lose("annotation", place, "it is of the message, not of a text");
                hub.note(Note::Annotation { message: self.text, part: Some(0), annotation });
            }
            _ => self.parts[at].emit_other(&mut self.run, hub),
        }
        let part = &mut self.parts[at];
        if !part.is_text() && part.members.text(Part::id).is_none() {
            // Nothing changes it any more, and a stream can have very many such parts.
            part.members = KeptMembers::default();
        }
    }
}

impl PartObject {
    /// Emits data, and parts that only `ai` 7 has.
    fn emit_other(&self, run: &mut EmittedRun, hub: &mut Hub<'_>) {
        run.start(hub);
        let extra = |name: &str| self.members.undeclared(name);
        let none = Value::Null;
        match self.r#type() {
            "custom" => {
                let name = extra("kind").and_then(Value::as_str).unwrap_or_default();
                hub.note(Note::Custom {
                    name,
                    value: self.members.get(Part::provider_metadata).unwrap_or(&none),
                });
            }
            "steering-message" => {
                let message = run.open(MessageKind::Message, Role::User, hub);
                let parts = extra("parts").map(Value::items).unwrap_or_default();
                for piece in parts.iter().filter_map(|part| part.text("text")) {
                    hub.emit(&Step::Text { message, part: 0, piece });
                }
                hub.close_whole(hub.meta(), message);
            }
            name => match (
                name.strip_prefix("data-"),
                self.members.text(Part::id),
                self.members.get(Part::data),
            ) {
                (Some(PROVIDER), _, Some(data @ Value::Object(_))) => {
                    let message = run.open(MessageKind::Message, Role::Assistant, hub);
                    hub.emit(&Step::whole(message, 0, Payload::Data(data)));
                    hub.close(message);
                }
                // As a target writes it.
                (Some("progress"), Some(id), Some(progress))
                    if progress.text("toolCallId") == Some(id)
                        && progress.text("status").is_some() =>
                {
                    let status = progress.text("status").unwrap_or_default();
                    hub.note(Note::Progress { id, status, data: progress.get("data") });
                }
                (Some(activity_type), Some(id), Some(content @ Value::Object(_))) => {
                    hub.note(Note::Activity { id, activity_type, content, keep: false });
                }
                (Some(name), _, data) => {
                    hub.note(Note::Custom { name, value: data.unwrap_or(&none) })
                }
                (None, ..) => hub.lose("part", name, "the hub has nothing like it"),
            },
        }
    }

    /// Emits the new state of a call.
    fn advance_call(&mut self, run: &mut EmittedRun, hub: &mut Hub<'_>) {
        let tool = match self.members.get(Part::provider_executed) {
            Some(Value::Bool(true)) => ToolKind::Plugin,
            _ => ToolKind::Function,
        };
        if self.phase.number().is_none() {
            let message = run.open(MessageKind::Call(tool), Role::Assistant, hub);
            self.phase = MessagePhase::Open(message);
            let more = present_members([
                ("dynamic", (self.kind == AiSdkDynamicTool::KIND).then_some(true.into())),
                ("title", self.members.get(Part::title).cloned()),
                ("toolMetadata", self.members.get(Part::tool_metadata).cloned()),
            ]);
            self.call.is_text_input = self.members.text(Part::input_encoding) == Some("text");
            let input = if self.call.is_text_input { InputFormat::Text } else { InputFormat::Json };
            let (id, name) = (self.id(), self.tool().unwrap_or_default());
            hub.emit(&Step::Call { message, part: 0, id, name, input, more: &more });
        }
        match self.state {
            PartState::InputStreaming => return,
            PartState::OutputError => {
                let open = self.open_input();
                if let Some(message) = open {
                    self.complete_input(message, hub);
                }
                let cause = Some(if open.is_some() { "input" } else { "tool" });
                let text = self.members.word(Part::error_text);
                let place = OpaquePlace::result(None, self.id());
                let metadata = self.members.get(Part::result_provider_metadata);
                emit_state(metadata, "resultProviderMetadata", place, hub);
                hub.note(Note::ToolError { id: self.id(), cause, text });
            }
            _ => {}
        }
        self.end_input(hub);
        match self.state {
            PartState::ApprovalRequested
                if !core::mem::replace(&mut self.call.has_question, true) =>
            {
                let message = run.open(MessageKind::Interrupt, Role::Assistant, hub);
                let approval = self.members.get(Part::approval).unwrap_or(&Value::Null);
                let arguments = self
                    .members
                    .get(Part::input)
                    .map(Value::to_json)
                    .unwrap_or_else(|| self.call.input.clone());
                let name = self.tool().unwrap_or_default();
                let call = Value::from([("name", name.into()), ("arguments", arguments.into())]);
                let more = approval.get("descriptor").unwrap_or(&Value::Null);
                let added = more.text(TEXT);
                let own = Some(&call).filter(|_| is_inserted(self.id(), self.tool()));
                let (payload, text) = match own.and_then(question_payload) {
                    Some(payload) => split_text(payload, added),
                    None => {
                        (more.get(PAYLOAD).cloned().unwrap_or(call), added.map(ToOwned::to_owned))
                    }
                };
                let shown = approval.text("requestReason");
                // A text has the place of the reason.
                let is_text = shown.is_some() && shown == text.as_deref();
                hub.emit(&Step::Interrupt {
                    message,
                    part: 0,
                    id: approval.text("id").unwrap_or_default(),
                    reason: if is_text { more.text(REASON) } else { shown },
                    payload: &payload,
                    call: Some(self.id()),
                    text: text.as_deref(),
                    expires_at: more.text(EXPIRES_AT),
                    response_schema: more.get(RESPONSE_SCHEMA),
                });
                hub.close(message);
            }
            PartState::ApprovalResponded => self.answer(None, run, hub),
            PartState::OutputAvailable => {
                let message = run.open(MessageKind::Result(tool), Role::Tool, hub);
                let output =
                    &*self.members.get(Part::output).map(Value::to_text).unwrap_or_default();
                let preview = self.members.get(Part::preliminary) == Some(&Value::Bool(true));
                let (id, name, content, more) = (self.id(), None, None, &[][..]);
                let place = OpaquePlace::result(Some(message), id);
                let metadata =
                    self.members.get(Part::result_provider_metadata).filter(|_| !preview);
                emit_state(metadata, "resultProviderMetadata", place, hub);
                hub.emit(&Step::Result {
                    message,
                    part: 0,
                    id,
                    name,
                    output,
                    content,
                    preview,
                    more,
                });
                hub.close(message);
            }
            PartState::OutputDenied => {
                if self.call.has_question && !self.call.has_answer {
                    self.answer(Some(false), run, hub);
                }
                let reason =
                    self.members.get(Part::approval).and_then(|approval| approval.text("reason"));
                let (cause, text) = (Some("denied"), reason.unwrap_or("The call was denied."));
                hub.note(Note::ToolError { id: self.id(), cause, text });
            }
            _ => {}
        }
    }

    /// Emits the answer to the question about a call.
    fn answer(&mut self, approved: Option<bool>, run: &mut EmittedRun, hub: &mut Hub<'_>) {
        self.call.has_answer = true;
        let message = run.open(MessageKind::Answer, Role::User, hub);
        let approval = self.members.get(Part::approval).unwrap_or(&Value::Null);
        let id = approval.text("id").unwrap_or_default();
        let approved = approved.or_else(|| approval.get("approved")?.as_bool());
        let (reason, payload) = (approval.text("reason"), &Value::Null);
        hub.emit(&Step::Answer { message, part: 0, id, approved, reason, payload });
        hub.close(message);
    }

    /// Returns the message of a call whose input has not ended.
    fn open_input(&self) -> Option<u32> {
        if let MessagePhase::Open(message) = self.phase { Some(message) } else { None }
    }

    /// Emits the input of a call if no pieces of it were emitted or if it differs from them.
    fn complete_input(&self, message: u32, hub: &mut Hub<'_>) {
        let Some(input) = self.members.get(Part::input) else { return };
        // The input of a call that is invalid is its text.
        let is_same = match input {
            Value::String(text) if *text == self.call.input => true,
            input => {
                Value::parse(&self.call.input, u32::MAX).is_ok_and(|streamed| streamed == *input)
            }
        };
        let is_error = self.state == PartState::OutputError;
        let text = if is_error || self.call.is_text_input {
            input.to_text().into_owned()
        } else {
            input.to_json()
        };
        if self.call.input.is_empty() {
            hub.emit(&Step::Arguments { message, part: 0, piece: &text });
        } else if !is_same && !is_error {
            let call = self.members.text(Part::tool_call_id);
            hub.note(Note::Replace { message, part: 0, text: &text, call });
        }
    }

    /// Ends the input of a call, unless it has ended.
    fn end_input(&mut self, hub: &mut Hub<'_>) {
        if let Some(message) = self.phase.end() {
            let place = OpaquePlace::call(message, self.id());
            let metadata = self.members.get(Part::call_provider_metadata);
            emit_state(metadata, "callProviderMetadata", place, hub);
            self.complete_input(message, hub);
            hub.close_whole(hub.meta(), message);
        }
    }
}

/// Returns the opaque members that a target has sealed in the metadata of the provider.
fn state_of(metadata: Option<&Value>) -> &str {
    metadata.and_then(|metadata| metadata.get(PROVIDER)?.text(STATE)).unwrap_or_default()
}

/// Emits the metadata of the provider of a part, which the next request has under that name.
fn emit_state(metadata: Option<&Value>, name: &str, place: OpaquePlace<'_>, hub: &mut Hub<'_>) {
    let others = metadata.map(|metadata| metadata.members_without(&[PROVIDER])).unwrap_or_default();
    let own = match others.is_empty() {
        true => Value::Null,
        false => Value::from([(name, Value::Object(others))]),
    };
    hub.carried(state_of(metadata), &own, place);
}

/// Ends a text, with the data of its provider.
fn end_text(part: &PartObject, message: u32, hub: &mut Hub<'_>) {
    let metadata = part.members.get(Part::provider_metadata);
    emit_state(metadata, "providerMetadata", OpaquePlace::part(message, 0), hub);
    let undeclared = part.members.undeclared.iter();
    for citations in undeclared.filter(|member| member.key == "citations") {
        for annotation in citations.value.items() {
            hub.note(Note::Annotation { message, part: Some(0), annotation });
        }
    }
    hub.close_whole(hub.meta(), message);
}

impl StepSource for AiSdkSource {
    fn appended(&mut self, node: ObjectId, key: Field, _: &[&str], text: &str) -> bool {
        if key == Part::raw_input
            && let Some(part) = (node as usize).checked_sub(1).and_then(|at| self.parts.get_mut(at))
        {
            part.call.input.push_str(text);
        }
        !text.is_empty()
    }

    fn repeats(&self) -> bool {
        true
    }

    fn after(&mut self, hub: &mut Hub<'_>) {
        if let Some(at) = self.touched.take() {
            self.advance(at, hub);
        } else if !self.run.id.is_empty() && !self.run.started {
            self.run.start(hub);
            self.run.emit_metadata(hub);
        }
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.run.start(hub);
        if self.status != Status::Failed {
            self.run.emit_error(hub);
        }
        for part in &mut self.parts {
            if let Some(message) = part.phase.end() {
                // It was cut off.
                hub.close_as(message, EndStatus::Incomplete);
            }
        }
        self.end_step(hub);
        self.run.emit_metadata(hub);
        let asks = self.parts.iter().any(|part| part.state == PartState::ApprovalRequested);
        let mut end = match self.status {
            _ if ended == EndReason::Aborted => return None,
            Status::Streaming | Status::Truncated => return None,
            Status::Aborted => RunEnd::new(EndStatus::Canceled),
            Status::Failed => {
                RunEnd::failed(None, self.run.error.text().unwrap_or("The message has failed."))
            }
            Status::Completed => match &*self.finish_reason {
                reason @ ("length" | "other") => RunEnd::incomplete(reason),
                "content-filter" if !self.parts.iter().any(PartObject::is_refusal) => {
                    RunEnd::incomplete("content_filter")
                }
                // A question does not wait any more: `ai` 6 has no chunk for an approval.
                STOP if asks => {
                    RunEnd { reason: Some(STOP.into()), ..RunEnd::new(EndStatus::Completed) }
                }
                _ if asks => RunEnd::incomplete("interrupt"),
                _ => RunEnd::new(EndStatus::Completed),
            },
        };
        let waiting = self.parts.iter().filter(|part| part.tool().is_some() && part.waits());
        end.pending = waiting
            .filter_map(|part| part.members.text(Part::tool_call_id))
            .map(String::from)
            .collect();
        end.usage = self.run.metadata.value().get("usage").map(usage::to_hub);
        end.result = self.run.metadata.value().get("runResult").cloned();
        Some(end)
    }
}

impl Sink for StepSink<'_, '_, AiSdkSource> {
    fn begin(&mut self, event: Element<'_, '_>) {
        let StepSink { state, hub } = self;
        let text = |name| {
            event.member(name).and_then(|value| value.string().ok()).map(|text| text.to_str())
        };
        let name = text("type").unwrap_or_default();
        match &*name {
            "finish-step" => state.end_step(hub),
            "abort" => {
                if let Some(reason) = text("reason") {
                    hub.lose("status", &reason, "the hub has no reason of a run that was canceled");
                }
            }
            name => {
                let is_transient = |value: Element<'_, '_>| value.bool() == Ok(true);
                if let Some(name) = name.strip_prefix("data-")
                    && event.member("transient").is_some_and(is_transient)
                {
                    state.run.start(hub);
                    let value = &event.member("data").map(Value::of).unwrap_or_default();
                    hub.note(Note::Custom { name, value });
                }
            }
        }
    }

    fn open(&mut self, kind: ObjectKind, _: ObjectId, _: Field) {
        self.state.touched = Some(self.state.parts.len());
        self.state.parts.push(PartObject::new(kind));
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        let Some(at) = (node as usize).checked_sub(1) else {
            return match key {
                Snapshot::status => state.status = Status::of(value).unwrap_or_default(),
                Snapshot::id => state.run.id.set(value),
                Snapshot::finish_reason => state.finish_reason.set(value),
                Snapshot::error => {
                    state.run.emit_error(hub);
                    state.run.error = LastError::New(MODEL.text(value).into());
                }
                Snapshot::metadata => {
                    state.run.metadata.replace(json_of(value, &MODEL));
                    state.run.changed = StringMap::default();
                    let members = state.run.metadata.value().members();
                    for member in members {
                        state.run.changed.insert(&member.key, ());
                    }
                }
                _ => {}
            };
        };
        let part = &mut state.parts[at];
        match key {
            Part::state => part.state = PartState::of(value).unwrap_or_default(),
            _ if value == FieldValue::Null => part.members.unset(key),
            _ => part.members.set(key, json_of(value, &MODEL)),
        }
        match key {
            Part::state if part.tool().is_some() => {
                state.touched = None;
                part.advance_call(&mut state.run, hub);
            }
            Part::state | Part::data => state.touched = Some(at),
            _ => {}
        }
    }

    fn append(&mut self, node: ObjectId, key: Field, piece: &str) {
        let StepSink { state, hub } = self;
        let Some(at) = (node as usize).checked_sub(1).filter(|_| !piece.is_empty()) else { return };
        state.appended(node, key, &[], piece);
        if state.parts[at].is_text() {
            state.begin_text(at, hub);
        }
        // The text of a part that only carries the members of another one is in message 0.
        let message = state.parts[at].phase.number().unwrap_or_default();
        let part = 0;
        hub.emit(&match state.parts[at].kind {
            AiSdkReasoning::KIND => Step::reasoning(message, part, piece),
            AiSdkText::KIND if state.parts[at].is_refusal() => {
                Step::Refusal { message, part, piece }
            }
            AiSdkText::KIND => Step::Text { message, part, piece },
            _ => Step::Arguments { message, part, piece },
        });
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        if let Some(at) = (node as usize).checked_sub(1) {
            let undeclared = &mut self.state.parts[at].members.undeclared;
            undeclared.push(Member::new(name, Value::from_raw(value)));
        }
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        let (JsonChange::Set(value), [first, ..]) = (change, path) else { return };
        let value = json_of(value, &MODEL);
        let Some(at) = (node as usize).checked_sub(1) else {
            let run = &mut self.state.run;
            run.changed.insert(first, ());
            return run.metadata.set_at(path, value);
        };
        // The parts of a message have objects of a few members.
        if let Some(known) = self.state.parts[at].members.get_mut(key) {
            known.insert(first, value);
        }
    }

    fn remove(&mut self, _: ObjectId, _: Field, node: ObjectId) {
        let StepSink { state, hub } = self;
        if let Some(part) = (node as usize).checked_sub(1).and_then(|at| state.parts.get_mut(at)) {
            retract(part, hub);
        }
    }

    fn arrange(&mut self, _: ObjectId, _: Field, _: &[ObjectId]) {
        let StepSink { state, hub } = self;
        let earlier = core::mem::replace(&mut state.earlier, state.parts.len());
        for part in &mut state.parts[earlier..] {
            retract(part, hub);
        }
    }
}

/// Emits that a part was removed.
fn retract(part: &mut PartObject, hub: &mut Hub<'_>) {
    if let Some(message) = part.phase.number() {
        hub.note(Note::Retract { message, part: None });
    }
    *part = PartObject { phase: MessagePhase::Omitted, ..PartObject::new(part.kind) };
}
