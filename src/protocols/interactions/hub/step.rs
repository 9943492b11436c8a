//! A step of an interaction, and the message that it is at the hub.

use alloc::string::String;
use alloc::vec::Vec;

use crate::engine::{Field, ObjectKind};
use crate::hub::payload::{audio_format, data_url};
use crate::hub::{
    EndStatus, Hub, KeptMembers, MediaKind, MessageKind, MessagePhase, ModelRun, Note, OpaquePlace,
    Payload, Step as HubStep, ToolKind,
};
use crate::json::{Member, Value};
use crate::protocols::interactions::MODEL;
use crate::protocols::interactions::model::{
    Content, ContentType, InteractionsDocument, InteractionsFunctionCall,
    InteractionsFunctionResult,
};

/// A step, and how far it was emitted.
#[derive(Debug)]
pub(super) struct StepState {
    kind: ObjectKind,
    /// The type of a step that is not declared.
    pub name: String,
    pub members: KeptMembers,
    pub contents: Vec<ContentState>,
    phase: MessagePhase,
    /// A piece of the arguments of a call was emitted.
    has_pieces: bool,
}

/// A content of a step.
#[derive(Debug)]
pub(super) struct ContentState {
    kind: ObjectKind,
    /// The type of a content that is not declared.
    pub name: String,
    pub members: KeptMembers,
    /// The annotations of a text.
    annotations: Vec<Value>,
    is_open: bool,
}

/// What a step is at the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Output,
    Thought,
    /// The call of a tool, and whether the server runs it.
    Call(ToolKind),
    Result(ToolKind),
    /// The input of the client.
    Input,
    /// A step that only the server understands.
    Native,
}

/// Returns the type of a declared step or content.
fn declared_name(kind: ObjectKind) -> Option<&'static str> {
    let mut variants = MODEL.unions.iter().flat_map(|union| union.variants);
    variants.find(|(_, shape)| shape.kind == kind.0).map(|(name, _)| *name)
}

impl ContentState {
    pub fn new(kind: ObjectKind) -> Self {
        let (name, members, annotations) = (String::new(), KeptMembers::default(), Vec::new());
        ContentState { kind, name, members, annotations, is_open: false }
    }

    fn is_text(&self) -> bool {
        self.kind == ContentType::Text.kind()
    }

    fn type_name(&self) -> &str {
        declared_name(self.kind).unwrap_or(&self.name)
    }

    /// Returns its members besides those of its payload at the hub.
    fn opaque(&self) -> Value {
        let mut members = Vec::new();
        if !self.annotations.is_empty() {
            members.push(Member::new("annotations", Value::Array(self.annotations.clone())));
        }
        let is_payload =
            |key: Field| matches!(key, Content::mime_type | Content::data | Content::uri);
        for (key, value) in self.members.declared().filter(|(key, _)| !is_payload(*key)) {
            if let Some(name) = MODEL.key(key) {
                members.push(Member::new(name, value.clone()));
            }
        }
        members.extend(self.members.undeclared.iter().cloned());
        Value::Object(members)
    }

    /// Returns the whole content, if the hub has none like it.
    fn native(&self) -> Option<Value> {
        if declared_name(self.kind).is_some() {
            return None;
        }
        let mut members = Vec::from([Member::new("type", self.type_name())]);
        for (key, value) in self.members.declared() {
            if let Some(name) = MODEL.key(key) {
                members.push(Member::new(name, value.clone()));
            }
        }
        members.extend(self.members.undeclared.iter().cloned());
        Some(Value::Object(members))
    }
}

impl StepState {
    pub fn new(kind: ObjectKind) -> Self {
        StepState {
            kind,
            name: String::new(),
            members: KeptMembers::default(),
            contents: Vec::new(),
            phase: MessagePhase::Waiting,
            has_pieces: false,
        }
    }

    fn type_name(&self) -> &str {
        declared_name(self.kind).unwrap_or(&self.name)
    }

    fn meaning(&self) -> Meaning {
        match self.type_name() {
            "model_output" => Meaning::Output,
            "thought" => Meaning::Thought,
            "user_input" => Meaning::Input,
            "function_call" => Meaning::Call(ToolKind::Function),
            "function_result" => Meaning::Result(ToolKind::Function),
            "mcp_server_tool_call" => Meaning::Call(ToolKind::Mcp),
            "mcp_server_tool_result" => Meaning::Result(ToolKind::Mcp),
            name if name.ends_with("_call") => Meaning::Call(ToolKind::Plugin),
            name if name.ends_with("_result") => Meaning::Result(ToolKind::Plugin),
            _ => Meaning::Native,
        }
    }

    /// Returns a member by its name, declared or not.
    fn member(&self, name: &str) -> Option<&Value> {
        let declared = MODEL.find_key(name).and_then(|key| self.members.get(key));
        declared.or_else(|| self.members.undeclared(name)).filter(|value| !value.is_null())
    }

    fn word(&self, name: &str) -> &str {
        self.member(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the name of the tool: its own, or that of the step.
    fn tool(&self) -> &str {
        let kind = self.type_name();
        match self.word("name") {
            "" if kind != "function_call" => kind.strip_suffix("_call").unwrap_or(kind),
            name => name,
        }
    }

    /// Returns the whole step, as the next request has it.
    fn block(&self) -> Value {
        let mut members = Vec::from([Member::new("type", self.type_name())]);
        members.extend(self.others(&[]));
        Value::Object(members)
    }

    /// Returns the members that are not empty, without some.
    fn others(&self, except: &[Field]) -> Vec<Member> {
        let is_empty = |value: &Value| value.is_null() || value.as_str() == Some("");
        let declared = self.members.declared().filter(|(key, _)| !except.contains(key));
        let declared = declared.filter_map(|(key, value)| {
            Some(Member::new(MODEL.key(key)?, value.clone())).filter(|_| !is_empty(value))
        });
        declared.chain(self.members.undeclared.iter().cloned()).collect()
    }

    /// Begins the message of a step, as far as its start shows what it is. The result of a tool
    /// begins when it is whole.
    pub fn begin(&mut self, run: &mut ModelRun, hub: &mut Hub<'_>) -> Option<u32> {
        if !self.phase.is_waiting() {
            return self.phase.number();
        }
        run.start(hub);
        let kind = match self.meaning() {
            Meaning::Output => MessageKind::Message,
            Meaning::Thought => MessageKind::Reasoning,
            Meaning::Call(tool) => MessageKind::Call(tool),
            Meaning::Result(_) | Meaning::Native => return None,
            Meaning::Input => {
                hub.lose("input", "", "the input of the client is not part of the answer");
                self.phase = MessagePhase::Omitted;
                return None;
            }
        };
        let message = run.open(kind, 0, hub);
        self.phase = MessagePhase::Open(message);
        if let MessageKind::Call(_) = kind {
            hub.emit(&HubStep::call(message, 0, self.word("id"), self.tool(), &[]));
        }
        Some(message)
    }

    /// Emits the members of a call of the client that only the next request needs.
    fn sign_call(&self, message: u32, hub: &mut Hub<'_>) {
        let content = [
            InteractionsFunctionCall::id,
            InteractionsFunctionCall::name,
            InteractionsFunctionCall::arguments,
        ];
        let members = Value::Object(self.others(&content));
        hub.opaque(&members, OpaquePlace::call(message, self.word("id")));
    }

    /// Begins a content. Media are whole at once.
    pub fn begin_content(&mut self, at: usize, run: &mut ModelRun, hub: &mut Hub<'_>) {
        self.end_contents(at, hub);
        let Some(message) = self.begin(run, hub) else { return };
        let part = self.part(at);
        let content = &mut self.contents[at];
        if content.is_text() {
            content.is_open = true;
            return;
        }
        let place = OpaquePlace::part(message, part);
        if let Some(block) = content.native() {
            return hub.opaque(&block, place.of_block());
        }
        let text = |key| content.members.filled(key);
        let (media_type, data, uri) =
            (text(Content::mime_type).unwrap_or_default(), text(Content::data), text(Content::uri));
        let inline = data.map(|data| data_url(media_type, data));
        let url = inline.as_deref().or(uri);
        let payload = match content.type_name() {
            "image" => Payload::Image { url },
            "video" => Payload::Video { url },
            "audio" => Payload::Audio { data: data.or(uri), format: audio_format(media_type) },
            _ if MediaKind::of_type(media_type) == MediaKind::Image => Payload::Image { url },
            _ => Payload::File {
                url: uri.filter(|_| data.is_none()),
                id: None,
                name: content.members.text(InteractionsDocument::name),
                data: url.filter(|_| data.is_some()),
            },
        };
        hub.opaque(&content.opaque(), place);
        hub.emit(&HubStep::whole(message, part, payload));
    }

    /// Returns the part of a content. The texts of a thought are one.
    fn part(&self, at: usize) -> u32 {
        match self.meaning() {
            Meaning::Thought if self.contents[at].is_text() => 0,
            Meaning::Thought => at as u32 + 1,
            _ => at as u32,
        }
    }

    /// Emits a piece of a text.
    pub fn append(&mut self, at: usize, piece: &str, run: &mut ModelRun, hub: &mut Hub<'_>) {
        let Some(message) = self.begin(run, hub) else { return };
        let part = self.part(at);
        if self.meaning() == Meaning::Thought {
            self.has_pieces = true;
            return hub.emit(&HubStep::Reasoning { message, part, piece, summary: true });
        }
        hub.emit(&HubStep::Text { message, part, piece });
    }

    /// Emits annotations of a text.
    pub fn annotate(
        &mut self,
        at: usize,
        annotations: &Value,
        run: &mut ModelRun,
        hub: &mut Hub<'_>,
    ) {
        let Some(message) = self.begin(run, hub) else { return };
        let part = Some(self.part(at));
        for annotation in annotations.items() {
            self.contents[at].annotations.push(annotation.clone());
            hub.note(Note::Annotation { message, part, annotation });
        }
    }

    /// Emits a piece of the arguments of a call.
    pub fn append_arguments(&mut self, piece: &str, run: &mut ModelRun, hub: &mut Hub<'_>) {
        let Some(message) = self.begin(run, hub) else { return };
        self.has_pieces = true;
        hub.emit(&HubStep::Arguments { message, part: 0, piece });
    }

    /// Notes the token usage of the step, which the hub has only of the run.
    pub fn set_usage(&self, usage: Value, hub: &mut Hub<'_>) {
        let Some(message) = self.phase.number() else { return };
        hub.metadata(Vec::from([Member::new("step_usage", usage)]), Some(message));
    }

    /// Ends the texts before a content.
    fn end_contents(&mut self, before: usize, hub: &mut Hub<'_>) {
        let Some(message) = self.phase.number().filter(|_| self.meaning() == Meaning::Output)
        else {
            return;
        };
        for at in 0..before.min(self.contents.len()) {
            let part = self.part(at);
            let content = &mut self.contents[at];
            if core::mem::take(&mut content.is_open) {
                hub.opaque(&content.opaque(), OpaquePlace::part(message, part));
                hub.emit(&HubStep::EndPart { message, part, whole: true });
            }
        }
    }

    /// Ends a step that is whole.
    pub fn end(&mut self, run: &mut ModelRun, hub: &mut Hub<'_>) {
        let meaning = self.meaning();
        match meaning {
            Meaning::Result(tool) => return self.emit_result(tool, run, hub),
            Meaning::Native => {
                if self.phase.is_waiting() {
                    let message = run.open(MessageKind::Reasoning, 0, hub);
                    hub.opaque(&self.block(), OpaquePlace::part(message, 0).of_block());
                    hub.close(message);
                    self.phase = MessagePhase::Ended(message);
                }
                return;
            }
            _ => {}
        }
        self.begin(run, hub);
        self.end_contents(self.contents.len(), hub);
        let Some(message) = self.phase.end() else { return };
        match meaning {
            Meaning::Thought => self.sign_thought(message, hub),
            Meaning::Call(tool) => {
                if !self.has_pieces {
                    let arguments =
                        self.member("arguments").map_or_else(|| "{}".into(), Value::to_json);
                    hub.emit(&HubStep::Arguments { message, part: 0, piece: &arguments });
                }
                let place = OpaquePlace::call(message, self.word("id"));
                match tool {
                    ToolKind::Function => self.sign_call(message, hub),
                    _ => hub.opaque(&self.block(), place.of_block()),
                }
                hub.emit(&HubStep::EndPart { message, part: 0, whole: true });
            }
            _ => self.end_output(message, hub),
        }
        hub.close(message);
    }

    /// Emits what only the server has of an output: its error.
    fn end_output(&self, message: u32, hub: &mut Hub<'_>) {
        hub.metadata(self.others(&[]), Some(message));
    }

    /// Emits the signature of a thought. Without a summary, the thought is nothing else.
    fn sign_thought(&self, message: u32, hub: &mut Hub<'_>) {
        let place = OpaquePlace::part(message, 0);
        if self.has_pieces {
            hub.opaque(&Value::Object(self.others(&[])), place);
            hub.emit(&HubStep::EndPart { message, part: 0, whole: true });
        } else {
            hub.opaque(&self.block(), place.of_block());
        }
    }

    /// Emits the result of a tool.
    fn emit_result(&mut self, tool: ToolKind, run: &mut ModelRun, hub: &mut Hub<'_>) {
        if !self.phase.is_waiting() {
            return;
        }
        run.start(hub);
        let id = String::from(self.word("call_id"));
        let result = self.member("result");
        let texts: Option<Vec<&str>> = match result {
            Some(Value::Array(list)) => list
                .iter()
                .map(|item| item.text("text").filter(|_| item.text("type") == Some("text")))
                .collect(),
            _ => None,
        };
        let output = match (texts, result) {
            (Some(texts), _) => texts.join("\n"),
            (None, Some(result)) => result.to_text().into_owned(),
            (None, None) => String::new(),
        };
        let block = match tool {
            ToolKind::Function => Value::Object(self.others(&[
                InteractionsFunctionResult::call_id,
                InteractionsFunctionResult::name,
                InteractionsFunctionResult::result,
                InteractionsFunctionResult::is_error,
            ])),
            _ => self.block(),
        };
        let is_block = tool != ToolKind::Function;
        let place = |message| OpaquePlace { block: is_block, ..OpaquePlace::result(message, &id) };
        if self.member("is_error") == Some(&Value::Bool(true)) {
            hub.opaque(&block, place(None));
            self.phase = MessagePhase::Omitted;
            return hub.note(Note::ToolError { id: &id, cause: Some("tool"), text: &output });
        }
        let message = run.open(MessageKind::Result(tool), 0, hub);
        hub.opaque(&block, place(Some(message)));
        hub.emit(&HubStep::result(message, 0, &id, &output));
        hub.close_whole(hub.meta(), message);
        self.phase = MessagePhase::Ended(message);
    }

    /// Ends a step that the stream has left open.
    pub fn cut_off(&mut self, has_ended: bool, run: &mut ModelRun, hub: &mut Hub<'_>) {
        match self.phase {
            // The arguments of a call are not JSON.
            MessagePhase::Open(_) if has_ended => self.end(run, hub),
            MessagePhase::Open(message) => hub.close_as(message, EndStatus::Incomplete),
            MessagePhase::Waiting if self.meaning() == Meaning::Native => self.end(run, hub),
            _ => {}
        }
    }
}
