//! From AgentScope to the hub.
//!
//! The engine reads the stream, and its changes become steps. Each block of the reply is a message
//! of the hub.

use alloc::string::String;
use alloc::vec::Vec;

use super::{DATA, EXCEEDED, HINT, METADATA, MODEL_NAME, STOPPED, usage};
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::EndReason;
use crate::core::declare::model::member::DeclaredMember as _;
use crate::core::id::seconds_of;
use crate::engine::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::payload::data_url;
use crate::hub::{
    EndStatus, FoldSource, Hub, MediaKind, MessageKind, MessagePhase, Note, Payload, Role, RunEnd,
    Step, StepSink, StepSource, ToolKind, json_of, present_members,
};
use crate::json::{Member, Value};
use crate::protocols::agentscope::model::MODEL;
use crate::protocols::agentscope::{
    CallState, CustomEvent, DataBlock, HintBlock, OutputData, OutputText, ResultState, Snapshot,
    Status, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock,
};

/// Reads AgentScope: the source of a conversion.
pub type FromAgentScope = FoldSource;

/// The state of the reply, and of its emitted content.
#[derive(Debug, Default)]
pub struct AgentScopeSource {
    started: bool,
    id: String,
    session: String,
    created_at: Option<i64>,
    /// The name of the agent.
    name: String,
    status: Status,
    finish_reason: String,
    error: Value,
    /// A call of the model was noted as a step that has not ended.
    in_step: bool,
    model: String,
    /// The last object that was opened.
    node: ObjectId,
    objects: Numbers<BlockObject>,
    /// The object whose last change is its content, until the event ends.
    whole: Option<ObjectId>,
    calls: StringMap<ObjectId>,
    messages: u32,
}

/// A block of the reply, a block of a result, or an event of the service.
#[derive(Debug)]
struct BlockObject {
    kind: ObjectKind,
    /// How far its message has been emitted.
    phase: MessagePhase,
    id: String,
    name: String,
    /// The text of a result, the input of a call that has not begun.
    text: String,
    /// The media of a result, the hint, the value of an event.
    value: Value,
    /// The sender of a hint, the metadata of a result.
    more: Value,
    /// The blocks of a result.
    output: Vec<ObjectId>,
    result_state: ResultState,
    call_state: CallState,
    has_question: bool,
    /// The media type of media whose pieces follow.
    media_type: String,
}

impl BlockObject {
    fn new(kind: ObjectKind) -> Self {
        BlockObject {
            kind,
            phase: MessagePhase::Waiting,
            id: String::new(),
            name: String::new(),
            text: String::new(),
            value: Value::Null,
            more: Value::Null,
            output: Vec::new(),
            result_state: ResultState::Running,
            call_state: CallState::Pending,
            has_question: false,
            media_type: String::new(),
        }
    }
}

impl AgentScopeSource {
    fn start(&mut self, hub: &mut Hub<'_>) {
        if !core::mem::replace(&mut self.started, true) {
            let [id, session_id] =
                [&self.id, &self.session].map(|text| Some(&**text).filter(|text| !text.is_empty()));
            let (parent_id, model, created_at) = (None, None, self.created_at);
            hub.emit(&Step::Start { id, session_id, parent_id, model, created_at });
        }
    }

    /// Begins a message.
    fn open(&mut self, kind: MessageKind<'_>, id: Option<&str>, hub: &mut Hub<'_>) -> u32 {
        self.start(hub);
        self.messages += 1;
        let is_answer = kind == MessageKind::Message;
        hub.emit(&Step::Open {
            message: self.messages,
            kind,
            role: Role::Assistant,
            id: id.filter(|id| !id.is_empty()),
            name: Some(&*self.name).filter(|name| is_answer && !name.is_empty()),
            parent: None,
            alternative: 0,
        });
        self.messages
    }

    fn end_step(&mut self, hub: &mut Hub<'_>) {
        if core::mem::take(&mut self.in_step) {
            let name = Some(&*self.model).filter(|name| *name != MODEL_NAME);
            hub.note(Note::StepEnd { id: None, name, kind: None });
        }
    }

    /// Begins the message of a text or of media with their first content.
    fn begin_block(&mut self, node: ObjectId, hub: &mut Hub<'_>) -> Option<u32> {
        let block = self.objects.get(node.into())?;
        if let MessagePhase::Open(message) = block.phase {
            return Some(message);
        }
        let kind = if block.kind == ThinkingBlock::KIND {
            MessageKind::Reasoning
        } else {
            MessageKind::Message
        };
        let id = block.id.clone();
        let message = self.open(kind, Some(&id), hub);
        self.objects.get_mut(node.into())?.phase = MessagePhase::Open(message);
        Some(message)
    }

    /// Begins the message of a call, with the input so far.
    fn begin_call(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        let Some(call) = self.objects.get(node.into()).filter(|call| call.phase.is_waiting())
        else {
            return;
        };
        let (id, name, input) = (call.id.clone(), call.name.clone(), call.text.clone());
        let message = self.open(MessageKind::Call(ToolKind::Function), None, hub);
        hub.emit(&Step::call(message, 0, &id, &name, &[]));
        if !input.is_empty() {
            hub.emit(&Step::Arguments { message, part: 0, piece: &input });
        }
        if let Some(call) = self.objects.get_mut(node.into()) {
            call.phase = MessagePhase::Open(message);
        }
    }

    /// Ends the message of a text, of media, or of a call's input.
    fn end_block(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        let Some(block) = self.objects.get_mut(node.into()) else { return };
        if let Some(message) = block.phase.end() {
            if block.kind == DataBlock::KIND && !block.text.is_empty() {
                let url = data_url(&block.media_type, &block.text);
                let name = Some(&*block.name).filter(|name| !name.is_empty());
                let payload = match MediaKind::of_type(&block.media_type) {
                    MediaKind::Image => Payload::Image { url: Some(&url) },
                    _ => Payload::File { url: None, id: None, name, data: Some(&url) },
                };
                hub.emit(&Step::whole(message, 0, payload));
            }
            hub.close_whole(hub.meta(), message);
        }
    }

    /// The user is asked about a call.
    fn ask(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        self.begin_call(node, hub);
        self.end_block(node, hub);
        let Some(call) = self.objects.get_mut(node.into()) else { return };
        call.has_question = true;
        let id = call.id.clone();
        let mut payload = Value::from([
            ("name", call.name.as_str().into()),
            ("arguments", call.text.as_str().into()),
        ]);
        if !call.more.is_null() {
            payload.insert("suggested_rules", call.more.clone());
        }
        let message = self.open(MessageKind::Interrupt, None, hub);
        let mut question = Step::interrupt(message, 0, &id, None, &payload);
        if let Step::Interrupt { call, .. } = &mut question {
            *call = Some(&id);
        }
        hub.emit(&question);
        hub.close(message);
    }

    /// The user has answered the question about a call.
    fn answered(&mut self, node: ObjectId, approved: bool, hub: &mut Hub<'_>) {
        let Some(call) = self.objects.get_mut(node.into()) else { return };
        if !core::mem::take(&mut call.has_question) {
            return;
        }
        let (id, payload) = (call.id.clone(), Value::Null);
        let message = self.open(MessageKind::Answer, None, hub);
        let approved = Some(approved);
        hub.emit(&Step::Answer {
            message,
            part: 0,
            id: &id,
            approved,
            reason: None,
            payload: &payload,
        });
        hub.close(message);
    }

    /// The result of a call is there.
    fn end_result(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        let Some(result) = self.objects.get_mut(node.into()) else { return };
        if !result.phase.is_waiting() {
            return;
        }
        result.phase = MessagePhase::Omitted;
        let (id, name) = (result.id.clone(), result.name.clone());
        let (state, output) = (result.result_state, core::mem::take(&mut result.output));
        let more = core::mem::take(&mut result.more);
        let mut text = String::new();
        let mut content = Vec::new();
        let mut has_media = false;
        for block in output {
            let Some(block) = self.objects.remove(block.into()) else { continue };
            if block.kind == OutputText::KIND {
                text += &block.text;
                content.push(Value::from([
                    ("type", "text".into()),
                    ("text", Value::String(block.text)),
                ]));
            } else {
                has_media = true;
                content.push(Value::from([
                    ("type", "data".into()),
                    ("id", Value::String(block.id)),
                    ("source", block.value),
                ]));
            }
        }
        if let Some(call) = self.calls.get(&id).copied() {
            self.begin_call(call, hub);
            self.end_block(call, hub);
        }
        let cause = match state {
            ResultState::Running | ResultState::Success => {
                let message = self.open(MessageKind::Result(ToolKind::Function), None, hub);
                let content = Value::Array(content);
                let members =
                    present_members([(METADATA, Some(more).filter(|more| !more.is_null()))]);
                hub.emit(&Step::Result {
                    message,
                    part: 0,
                    id: &id,
                    name: Some(&*name).filter(|name| !name.is_empty()),
                    output: &text,
                    content: Some(&content).filter(|_| has_media),
                    preview: false,
                    more: &members,
                });
                return hub.close(message);
            }
            ResultState::Error | ResultState::Interrupted => "tool",
            ResultState::Denied => "denied",
        };
        if has_media {
            hub.lose("result-parts", &id, "a result that failed is its text");
        }
        if text.is_empty() && state != ResultState::Error {
            text += STOPPED;
        }
        self.start(hub);
        hub.note(Note::ToolError { id: &id, cause: Some(cause), text: &text });
    }

    /// Emits what is whole with its event: a hint, an event of the service, a URL.
    fn emit_whole(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        let Some(block) = self.objects.get_mut(node.into()) else { return };
        let (kind, id, name) = (block.kind, block.id.clone(), block.name.clone());
        let value = block.value.clone();
        match kind {
            CustomEvent::KIND => {
                self.start(hub);
                self.objects.remove(node.into());
                if name == DATA {
                    let message = self.open(MessageKind::Message, None, hub);
                    hub.emit(&Step::whole(message, 0, Payload::Data(&value)));
                    return hub.close(message);
                }
                hub.note(Note::Custom { name: &name, value: &value });
            }
            HintBlock::KIND => {
                let source = Some(&block.more).filter(|source| !source.is_null()).cloned();
                let hint = present_members([
                    ("id", Some(id.into())),
                    ("source", source),
                    ("hint", Some(value)),
                ]);
                self.start(hub);
                self.objects.remove(node.into());
                hub.note(Note::Custom { name: HINT, value: &Value::Object(hint) });
            }
            DataBlock::KIND => {
                let url = value.text("url");
                let media_type = value.text("media_type").unwrap_or_default();
                let name = Some(&*name).filter(|name| !name.is_empty());
                let payload = match MediaKind::of_type(media_type) {
                    MediaKind::Image => Payload::Image { url },
                    MediaKind::Video => Payload::Video { url },
                    MediaKind::Audio => Payload::Audio {
                        data: url,
                        format: media_type.split_once('/').map(|(_, format)| format),
                    },
                    MediaKind::File => Payload::File { url, id: None, name, data: None },
                };
                if let Some(message) = self.begin_block(node, hub) {
                    hub.emit(&Step::whole(message, 0, payload));
                }
            }
            _ => {}
        }
    }
}

impl StepSource for AgentScopeSource {
    fn after(&mut self, hub: &mut Hub<'_>) {
        if let Some(node) = self.whole.take() {
            self.emit_whole(node, hub);
        }
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.after(hub);
        self.end_step(hub);
        if ended == EndReason::Aborted {
            return None;
        }
        let waiting = |state: CallState, all: &Self| {
            let of_state =
                |node: &u64| all.objects.get(*node).filter(|call| call.call_state == state);
            let nodes = all.objects.sorted();
            nodes.iter().filter_map(of_state).map(|call| call.id.clone()).collect::<Vec<_>>()
        };
        if self.status == Status::Failed {
            hub.lose_error(&self.error, &["type"]);
        }
        Some(match self.status {
            Status::Completed => RunEnd::new(EndStatus::Completed),
            Status::Interrupted => RunEnd::new(EndStatus::Canceled),
            Status::Incomplete => RunEnd::incomplete(match &*self.finish_reason {
                "" => EXCEEDED,
                reason => reason,
            }),
            Status::Failed => RunEnd::failed(
                self.error.text("type").filter(|name| *name != "unknown"),
                self.error.text("message").unwrap_or("The reply failed."),
            ),
            Status::Waiting => {
                let asks = !waiting(CallState::Asking, self).is_empty();
                let end = if asks {
                    RunEnd::incomplete("interrupt")
                } else {
                    RunEnd::new(EndStatus::Completed)
                };
                RunEnd { pending: waiting(CallState::Submitted, self), ..end }
            }
            Status::Streaming | Status::Truncated => return None,
        })
    }

    fn repeats(&self) -> bool {
        true
    }
}

impl Sink for StepSink<'_, '_, AgentScopeSource> {
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, _: Field) {
        let StepSink { state, .. } = self;
        state.node += 1;
        let node = state.node;
        if let Some(result) = state.objects.get_mut(parent.into()) {
            result.output.push(node);
        }
        state.objects.insert(node.into(), BlockObject::new(kind));
        if matches!(kind, CustomEvent::KIND | HintBlock::KIND) {
            state.whole = Some(node);
        }
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        let text = || if let FieldValue::Str(text) = value { text } else { "" };
        if node == 0 {
            return state.set_root(key, value, hub);
        }
        let Some(block) = state.objects.get_mut(node.into()) else { return };
        match (block.kind, key) {
            (ToolCallBlock::KIND, ToolCallBlock::name) => {
                block.name.set(value);
                let id = block.id.clone();
                state.calls.insert(&id, node);
                // One that an answer of the client names begins with its result.
                if state.started || !state.session.is_empty() {
                    state.begin_call(node, hub);
                }
            }
            (ToolCallBlock::KIND, ToolCallBlock::suggested_rules) => block.more.set(value),
            (ToolCallBlock::KIND, ToolCallBlock::state) => {
                block.call_state = CallState::of(value).unwrap_or_default();
                match block.call_state {
                    CallState::Asking => state.ask(node, hub),
                    CallState::Allowed => state.answered(node, true, hub),
                    CallState::Finished => state.answered(node, false, hub),
                    CallState::Pending | CallState::Submitted => {}
                }
            }
            (ToolResultBlock::KIND, ToolResultBlock::state) => {
                block.result_state = ResultState::of(value).unwrap_or_default();
            }
            (ToolResultBlock::KIND, ToolResultBlock::metadata) => block.more.set(value),
            (HintBlock::KIND, HintBlock::source) => block.more.set(value),
            (HintBlock::KIND, HintBlock::hint) | (CustomEvent::KIND, CustomEvent::value) => {
                block.value = json_of(value, &MODEL);
            }
            (DataBlock::KIND | OutputData::KIND, DataBlock::source) => {
                block.value = json_of(value, &MODEL);
                block.media_type = block.value.text("media_type").unwrap_or_default().into();
                if block.kind == DataBlock::KIND && block.value.get("url").is_some() {
                    state.whole = Some(node);
                }
            }
            // The end of a text that is not its deltas.
            (TextBlock::KIND, TextBlock::text) => {
                if let Some(message) = state.begin_block(node, hub) {
                    hub.note(Note::Replace { message, part: 0, text: text(), call: None });
                }
            }
            (_, TextBlock::id) => block.id.set(value),
            (_, DataBlock::name) => block.name.set(value),
            _ => {}
        }
    }

    fn append(&mut self, node: ObjectId, key: Field, piece: &str) {
        let StepSink { state, hub } = self;
        let Some(block) = state.objects.get_mut(node.into()) else { return };
        match (block.kind, key) {
            (OutputText::KIND, _) => block.text += piece,
            (ToolCallBlock::KIND, ToolCallBlock::input) => {
                // A question repeats it.
                block.text += piece;
                if let MessagePhase::Open(message) = block.phase {
                    hub.emit(&Step::Arguments { message, part: 0, piece });
                }
            }
            (TextBlock::KIND, _) => {
                if let Some(message) = state.begin_block(node, hub) {
                    hub.emit(&Step::Text { message, part: 0, piece });
                }
            }
            (ThinkingBlock::KIND, _) => {
                if let Some(message) = state.begin_block(node, hub) {
                    hub.emit(&Step::reasoning(message, 0, piece));
                }
            }
            _ => {}
        }
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        let StepSink { state, hub } = self;
        let (DataBlock::source, &["data"], JsonChange::Append(piece)) = (key, path, change) else {
            return;
        };
        let Some(block) = state.objects.get_mut(node.into()) else { return };
        if block.kind == OutputData::KIND {
            if let Value::Object(members) = &mut block.value
                && let Some(Member { value: Value::String(data), .. }) =
                    members.iter_mut().find(|member| member.key == "data")
            {
                data.push_str(piece);
            }
            return;
        }
        let media_type = block.media_type.clone();
        let kind = MediaKind::of_type(&media_type);
        // Images have no pieces, and pieces no name.
        let is_whole =
            kind == MediaKind::Image || kind == MediaKind::File && !block.name.is_empty();
        if is_whole {
            block.text.push_str(piece);
        }
        if let Some(message) = state.begin_block(node, hub)
            && !is_whole
        {
            let media_type = Some(&*media_type).filter(|media_type| !media_type.is_empty());
            hub.emit(&Step::Media { message, part: 0, kind, piece, media_type });
        }
    }

    fn end(&mut self, node: ObjectId, key: Field) {
        let StepSink { state, hub } = self;
        match key {
            ToolResultBlock::output => state.end_result(node, hub),
            HintBlock::hint => {}
            _ => {
                state.after(hub);
                state.end_block(node, hub);
            }
        }
    }

    fn remove(&mut self, parent: ObjectId, _: Field, node: ObjectId) {
        let StepSink { state, .. } = self;
        if let Some(result) = state.objects.get_mut(parent.into()) {
            result.output.retain(|block| *block != node);
        }
        state.objects.remove(node.into());
    }
}

impl AgentScopeSource {
    /// Sets a member of the reply.
    fn set_root(&mut self, key: Field, value: FieldValue<'_>, hub: &mut Hub<'_>) {
        match key {
            Snapshot::id => self.id.set(value),
            Snapshot::session_id => self.session.set(value),
            Snapshot::name => self.name.set(value),
            Snapshot::created_at => self.created_at = seconds_of(MODEL.text(value)),
            Snapshot::finished_reason => self.finish_reason.set(value),
            Snapshot::error => self.error = json_of(value, &MODEL),
            Snapshot::status => {
                self.status = Status::of(value).unwrap_or_default();
                self.start(hub);
            }
            Snapshot::model => {
                self.start(hub);
                self.end_step(hub);
                self.model.set(value);
                self.in_step = true;
                let name = Some(&*self.model).filter(|name| *name != MODEL_NAME);
                hub.note(Note::StepStart { id: None, name, kind: None });
            }
            Snapshot::usage => {
                self.start(hub);
                let usage = usage::to_hub(&json_of(value, &MODEL));
                hub.note(Note::Usage { usage: &usage, message: None });
                self.end_step(hub);
            }
            Snapshot::metadata => {
                self.start(hub);
                let metadata = json_of(value, &MODEL);
                hub.metadata(metadata.members().to_vec(), None);
            }
            _ => {}
        }
    }
}
