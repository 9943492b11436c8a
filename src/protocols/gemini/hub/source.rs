//! From Gemini to the hub.
//!
//! The engine reads the stream, and its changes become steps. A candidate is an alternative. Of a
//! candidate, a run of thoughts, a run of texts and media, and each call and result are a message.
//! What the next request needs of a part besides its content are opaque members: the flag of a
//! thought, signatures, and the whole parts of the server's tools.

use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
use crate::core::EndReason;
use crate::core::declare::model::member::DeclaredMember as _;
use crate::core::json_patch::{Edit, Tree};
use crate::engine::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::payload::{audio_format, data_url};
use crate::hub::{
    EndStatus, FoldSource, Growing, GrowingMessage, Hub, InputFormat, MediaKind, MessageKind,
    MessagePhase, ModelRun, Note, OpaquePlace, Payload, RunEnd, Step, StepSink, StepSource,
    ToolKind, json_of, present_members, put_member,
};
use crate::json::{Digits, Member, Raw, Value, add};
use crate::protocols::gemini::{Candidate, Content, FunctionCall, MODEL, Part, Snapshot, Status};

/// Reads Gemini: the source of a conversion.
pub type FromGemini = FoldSource;

/// The state of the response, and of its emitted content.
#[derive(Debug, Default)]
pub struct GeminiSource {
    run: ModelRun,
    status: Status,
    prompt_feedback: Value,
    /// The places of the objects, without the root.
    places: Vec<ObjectPlace>,
    candidates: Vec<CandidateState>,
    calls: Vec<EmittedCall>,
    /// The number of calls, with those of the server's tools. The reader of requests counts them in
    /// the same way.
    numbered: usize,
    /// The calls that the event has begun.
    new_calls: Vec<usize>,
    /// The part that the event has begun, until all of it was received.
    new_part: Option<NewPart>,
}

/// A part that is being received. Pieces of its text are emitted at once.
///
/// A part has a call, a content or a text. Of a part with several of them, only the first one, in
/// this order, counts when the part ends.
#[derive(Debug)]
struct NewPart {
    candidate: usize,
    is_thought: bool,
    call: Option<usize>,
    /// Its media, or the call or the result of a tool of the server.
    content: Option<(Field, Value)>,
    text: PartText,
    /// The members besides its content.
    members: Vec<Member>,
}

/// The text of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartText {
    None,
    Empty,
    /// A piece of it was emitted.
    Emitted,
}

/// The place of an object.
#[derive(Clone, Copy, Debug)]
enum ObjectPlace {
    Candidate(usize),
    /// A part of a candidate, and whether it is a thought.
    Part(usize, bool),
    Call(usize),
}

#[derive(Debug, Default)]
struct CandidateState {
    alternative: u32,
    /// The message of texts and media, or of thoughts.
    growing: GrowingMessage<MessageKind<'static>, EmittedParts>,
    calls: Vec<usize>,
    /// The last message of texts, with its last part.
    last: Option<(u32, u32)>,
    /// The id of the last code that was executed.
    code: String,
    finish: String,
    /// The sources that were emitted.
    sources: StringMap<()>,
    metadata: Vec<Member>,
}

/// The parts of a message that is growing.
#[derive(Debug, Default)]
struct EmittedParts {
    count: u32,
    /// Whether the last part is a text that the next text continues.
    ends_with_text: bool,
    /// The opaque members of a thought.
    members: Vec<Member>,
}

/// A function call.
#[derive(Debug, Default)]
struct EmittedCall {
    candidate: usize,
    /// The number among the calls of the response, from 1.
    number: usize,
    id: String,
    name: String,
    /// The members of its part besides the call, and those of the call besides name and arguments.
    members: Vec<Member>,
    more: Vec<Member>,
    args: Option<Tree>,
    phase: MessagePhase,
}

const CODE_EXECUTION: &str = "code_execution";

impl GeminiSource {
    /// Returns the place of an object; `None` for the root.
    fn place(&self, node: ObjectId) -> Option<ObjectPlace> {
        self.places.get((node as usize).checked_sub(1)?).copied()
    }

    fn open(&mut self, candidate: usize, kind: MessageKind<'_>, hub: &mut Hub<'_>) -> u32 {
        self.run.open(kind, self.candidates[candidate].alternative, hub)
    }

    /// Returns message and number of the part that takes the next text or media, after the end of a
    /// message of another kind.
    fn part(
        &mut self,
        candidate: usize,
        is_thought: bool,
        is_text: bool,
        hub: &mut Hub<'_>,
    ) -> (u32, u32) {
        let kind = if is_thought { MessageKind::Reasoning } else { MessageKind::Message };
        let growing = self.candidates[candidate].growing.number_for(kind);
        let message = growing.unwrap_or_else(|| {
            self.end_message(candidate, EndStatus::Completed, hub);
            let message = self.open(candidate, kind, hub);
            self.candidates[candidate].growing.begin(message, kind)
        });
        let CandidateState { growing, last, .. } = &mut self.candidates[candidate];
        let part = growing.get_mut().map_or(0, |growing| growing.content.place(is_text));
        if is_text && !is_thought {
            *last = Some((message, part));
        }
        (message, part)
    }

    /// Ends the message that is growing, with the opaque members of its thoughts.
    fn end_message(&mut self, candidate: usize, status: EndStatus, hub: &mut Hub<'_>) {
        if let Some(growing) = self.candidates[candidate].growing.end() {
            let members = Value::Object(growing.content.members);
            hub.opaque(&members, OpaquePlace::part(growing.message, 0));
            hub.close_as(growing.message, status);
        }
    }

    /// Emits what could not be emitted before all of the part was received.
    fn end_part(&mut self, hub: &mut Hub<'_>) {
        let Some(part) = self.new_part.take() else { return };
        let NewPart { candidate, is_thought, call, content, text, mut members } = part;
        match (call, content) {
            (Some(call), _) => {
                let call = &mut self.calls[call];
                for member in members {
                    put_member(&mut call.members, &member.key, member.value);
                }
                call.emit_opaque(hub);
            }
            (None, Some((key, value))) if key == Part::inline_data || key == Part::file_data => {
                self.media(candidate, is_thought, &value, members, hub);
            }
            (None, Some((key, value))) => {
                members.insert(0, Member::new(MODEL.key(key).unwrap_or_default(), value.clone()));
                let block = Value::Object(members);
                match key {
                    Part::executable_code | Part::tool_call => {
                        self.server_call(candidate, key, &value, &block, hub)
                    }
                    _ => self.result(candidate, key, &value, &block, hub),
                }
            }
            (None, None) if text == PartText::Emitted => self.sign(candidate, members, hub),
            (None, None) if members.iter().all(|member| member.key == THOUGHT) => {}
            (None, None) => {
                if text == PartText::Empty {
                    members.insert(0, Member::new("text", ""));
                }
                self.block(candidate, !is_thought, &Value::Object(members), hub);
            }
        }
    }

    /// Adds opaque members to the last text or thought. The next one is separate: the server does
    /// not accept texts that were joined with another signature.
    fn sign(&mut self, candidate: usize, members: Vec<Member>, hub: &mut Hub<'_>) {
        let Some(growing) = self.candidates[candidate].growing.get_mut() else { return };
        let is_signed = members.iter().any(|member| member.key != THOUGHT);
        if growing.kind == MessageKind::Message {
            if is_signed {
                growing.end_text(&Value::Object(members), false, hub);
            }
            return;
        }
        for member in members {
            put_member(&mut growing.content.members, &member.key, member.value);
        }
        if is_signed {
            self.end_message(candidate, EndStatus::Completed, hub);
        }
    }

    /// Emits a part without content, such as the signature after a text: a block after that text,
    /// or one of its own.
    fn block(&mut self, candidate: usize, follows_text: bool, block: &Value, hub: &mut Hub<'_>) {
        if let Some(growing) = self.candidates[candidate].growing.get_mut()
            && follows_text
            && growing.content.ends_with_text
            && growing.kind == MessageKind::Message
        {
            return growing.end_text(block, true, hub);
        }
        self.end_message(candidate, EndStatus::Completed, hub);
        let message = self.open(candidate, MessageKind::Reasoning, hub);
        hub.opaque(block, OpaquePlace::part(message, 0).of_block());
        hub.close(message);
    }

    /// Begins a call.
    fn begin_call(&mut self, at: usize, hub: &mut Hub<'_>) {
        if !self.calls[at].phase.is_waiting() {
            return;
        }
        if self.new_part.as_ref().is_some_and(|part| part.call == Some(at)) {
            self.end_part(hub);
        }
        let candidate = self.calls[at].candidate;
        self.end_message(candidate, EndStatus::Completed, hub);
        let message = self.open(candidate, MessageKind::Call(ToolKind::Function), hub);
        let call = &mut self.calls[at];
        call.phase = MessagePhase::Open(message);
        if call.id.is_empty() {
            call.id = self.run.call_id(&call.name, call.number, hub);
        } else {
            // Only an id of the server is sent back.
            call.more.insert(0, Member::new("id", call.id.as_str()));
        }
        call.emit_opaque(hub);
        hub.emit(&Step::call(message, 0, &call.id, &call.name, &[]));
    }

    /// Emits the arguments of a call. If they are not whole, the call stays open until its
    /// candidate ends.
    fn end_call(&mut self, at: usize, is_whole: bool, hub: &mut Hub<'_>) {
        self.begin_call(at, hub);
        let call = &mut self.calls[at];
        let Some(message) = call.phase.end() else { return };
        let piece = call.args.take().map_or_else(|| "{}".into(), |args| args.to_json());
        hub.emit(&Step::Arguments { message, part: 0, piece: &piece });
        if is_whole {
            hub.close_whole(hub.meta(), message);
        } else {
            hub.close_as(message, EndStatus::Incomplete);
        }
    }

    /// Emits a call of a tool of the server, which is whole.
    fn server_call(
        &mut self,
        candidate: usize,
        key: Field,
        call: &Value,
        block: &Value,
        hub: &mut Hub<'_>,
    ) {
        self.end_message(candidate, EndStatus::Completed, hub);
        let message = self.open(candidate, MessageKind::Call(ToolKind::Plugin), hub);
        let is_code = key == Part::executable_code;
        let (name, input, arguments) = if is_code {
            (CODE_EXECUTION, InputFormat::Text, call.text("code").unwrap_or_default().into())
        } else {
            let args = call.get("args").map_or_else(|| "{}".into(), Value::to_json);
            (call.text("toolType").unwrap_or_default(), InputFormat::Json, args)
        };
        self.numbered += 1;
        let id =
            call.text("id").map_or_else(|| self.run.call_id(name, self.numbered, hub), Into::into);
        hub.opaque(block, OpaquePlace::call(message, &id).of_block());
        hub.emit(&Step::Call { message, part: 0, id: &id, name, input, more: &[] });
        hub.emit(&Step::Arguments { message, part: 0, piece: &arguments });
        hub.close_whole(hub.meta(), message);
        if is_code {
            self.candidates[candidate].code = id;
        }
    }

    /// Emits the result of a tool.
    fn result(
        &mut self,
        candidate: usize,
        key: Field,
        result: &Value,
        block: &Value,
        hub: &mut Hub<'_>,
    ) {
        let is_code = key == Part::code_execution_result;
        let id = match result.text("id") {
            None if is_code => core::mem::take(&mut self.candidates[candidate].code),
            id => id.unwrap_or_default().into(),
        };
        let outcome = result.text("outcome").unwrap_or("OUTCOME_OK");
        if is_code && outcome != "OUTCOME_OK" {
            self.run.start(hub);
            hub.opaque(block, OpaquePlace::result(None, &id).of_block());
            let text = result.text("output").filter(|text| !text.is_empty()).unwrap_or(outcome);
            return hub.note(Note::ToolError { id: &id, cause: Some("tool"), text });
        }
        self.end_message(candidate, EndStatus::Completed, hub);
        let is_function = key == Part::function_response;
        let tool = if is_function { ToolKind::Function } else { ToolKind::Plugin };
        let message = self.open(candidate, MessageKind::Result(tool), hub);
        if !is_function {
            hub.opaque(block, OpaquePlace::result(Some(message), &id).of_block());
        }
        let output =
            result.get(if is_code { "output" } else { "response" }).unwrap_or(&Value::Null);
        hub.emit(&Step::result(message, 0, &id, &output.to_text()));
        hub.close_whole(hub.meta(), message);
    }

    /// Emits media or a file.
    fn media(
        &mut self,
        candidate: usize,
        is_thought: bool,
        media: &Value,
        members: Vec<Member>,
        hub: &mut Hub<'_>,
    ) {
        let media_type = media.text("mimeType").unwrap_or_default();
        let data = media.text("data");
        let url = data
            .map(|data| data_url(media_type, data))
            .or_else(|| media.text("fileUri").map(Into::into));
        let url = url.as_deref();
        let payload = match MediaKind::of_type(media_type) {
            MediaKind::Image => Payload::Image { url },
            MediaKind::Video => Payload::Video { url },
            MediaKind::Audio => {
                Payload::Audio { data: data.or(url), format: audio_format(media_type) }
            }
            MediaKind::File => {
                let (url, file) = if data.is_some() { (None, url) } else { (url, None) };
                Payload::File { url, id: None, name: media.text("displayName"), data: file }
            }
        };
        let (message, part) = self.part(candidate, is_thought, false, hub);
        hub.opaque(&Value::Object(members), OpaquePlace::part(message, part));
        hub.emit(&Step::whole(message, part, payload));
    }

    /// Emits sources as annotations of the last text, each once.
    fn annotate(&mut self, candidate: usize, sources: &[Value], hub: &mut Hub<'_>) {
        for annotation in sources {
            let json = annotation.to_json();
            if self.candidates[candidate].sources.get(&json).is_some() {
                continue;
            }
            self.candidates[candidate].sources.insert(&json, ());
            let last = self.candidates[candidate].last;
            let (message, part) = last.unwrap_or_else(|| self.part(candidate, false, true, hub));
            hub.note(Note::Annotation { message, part: Some(part), annotation });
        }
    }

    /// Ends a candidate with the stream.
    fn end_candidate(&mut self, at: usize, is_aborted: bool, hub: &mut Hub<'_>) {
        let status = match &*self.candidates[at].finish {
            "STOP" => EndStatus::Completed,
            _ if is_aborted => EndStatus::Canceled,
            _ => EndStatus::Incomplete,
        };
        for call in core::mem::take(&mut self.candidates[at].calls) {
            self.end_call(call, false, hub);
        }
        let CandidateState { metadata, last, alternative, .. } = &mut self.candidates[at];
        let (metadata, last, alternative) = (core::mem::take(metadata), *last, *alternative);
        hub.metadata(metadata, last.map(|(message, _)| message));
        self.end_message(at, status, hub);
        if alternative > 0 {
            let reason = Some(&*self.candidates[at].finish);
            let reason = reason.filter(|reason| !matches!(*reason, "STOP" | ""));
            hub.note(Note::Alternative { alternative, status: status.as_str(), reason });
        }
    }

    /// Sets a member of a candidate or of its content.
    fn set_candidate(&mut self, at: usize, key: Field, value: FieldValue<'_>, hub: &mut Hub<'_>) {
        match (key, value) {
            (Candidate::index, FieldValue::Int(index)) => {
                self.candidates[at].alternative = index.try_into().unwrap_or(u32::MAX);
            }
            (Candidate::finish_reason, _) => self.candidates[at].finish.set(value),
            (Candidate::logprobs_result, _) => {
                self.run.lose_logprobs(hub);
            }
            (Candidate::citation_metadata, _) => {
                for member in json_of(value, &MODEL).members() {
                    self.annotate(at, member.value.items(), hub);
                }
            }
            (Content::role, _) => {}
            _ => {
                let value = json_of(value, &MODEL);
                if key == Candidate::grounding_metadata {
                    let sources =
                        value.get("groundingChunks").map(Value::items).unwrap_or_default();
                    self.annotate(at, sources, hub);
                }
                if let Some(name) = MODEL.key(key) {
                    put_member(&mut self.candidates[at].metadata, name, value);
                }
            }
        }
    }
}

impl NewPart {
    fn new(candidate: usize, call: Option<usize>) -> Self {
        let (text, content, members) = (PartText::None, None, Vec::new());
        NewPart { candidate, is_thought: false, call, content, text, members }
    }
}

impl EmittedParts {
    /// Returns the number of the part that takes the next text or media.
    fn place(&mut self, is_text: bool) -> u32 {
        if !(is_text && self.ends_with_text) {
            self.count += 1;
            self.ends_with_text = is_text;
        }
        self.count - 1
    }
}

impl Growing<MessageKind<'static>, EmittedParts> {
    /// Ends the last part, a text, with its opaque members, or with a block after it.
    fn end_text(&mut self, members: &Value, is_block: bool, hub: &mut Hub<'_>) {
        let (message, part) = (self.message, self.content.count.saturating_sub(1));
        let place = OpaquePlace::part(message, part);
        hub.opaque(members, if is_block { place.of_block() } else { place });
        hub.emit(&Step::EndPart { message, part, whole: true });
        self.content.ends_with_text = false;
    }
}

impl EmittedCall {
    /// Emits the opaque members of a call that has a message.
    fn emit_opaque(&self, hub: &mut Hub<'_>) {
        let mut members = self.members.clone();
        if !self.more.is_empty() {
            put_member(&mut members, "functionCall", Value::Object(self.more.clone()));
        }
        if let Some(message) = self.phase.number() {
            hub.opaque(&Value::Object(members), OpaquePlace::call(message, &self.id));
        }
    }
}

/// The member of a part that marks it as a thought.
const THOUGHT: &str = "thought";

/// Returns the token usage with the names of the hub. There, the tokens of thoughts are part of the
/// output, those of the results of tools part of the input.
fn usage(usage: &Value) -> Option<Value> {
    let Value::Object(_) = usage else { return None };
    let count = |name: &str| match usage.get(name) {
        Some(Value::Number(count)) => Some(count.clone()),
        _ => None,
    };
    let sum = |names: [&'static str; 2]| {
        names.into_iter().filter_map(count).reduce(|sum, count| add(&sum, &count).into())
    };
    let detail = |name, count: Option<Digits>| {
        count.map(|count| Value::from([(name, Value::Number(count))]))
    };
    let mut members = present_members([
        ("input_tokens", sum(["promptTokenCount", "toolUsePromptTokenCount"]).map(Value::Number)),
        ("output_tokens", sum(["candidatesTokenCount", "thoughtsTokenCount"]).map(Value::Number)),
        ("total_tokens", count("totalTokenCount").map(Value::Number)),
        ("input_tokens_details", detail("cached_tokens", count("cachedContentTokenCount"))),
        ("output_tokens_details", detail("reasoning_tokens", count("thoughtsTokenCount"))),
    ]);
    members.extend(usage.members_without(&[
        "promptTokenCount",
        "toolUsePromptTokenCount",
        "candidatesTokenCount",
        "thoughtsTokenCount",
        "totalTokenCount",
        "cachedContentTokenCount",
    ]));
    Some(Value::Object(members))
}

impl StepSource for GeminiSource {
    /// Always true, because pieces are not kept.
    fn repeats(&self) -> bool {
        true
    }

    fn appended(&mut self, _: ObjectId, _: Field, _: &[&str], text: &str) -> bool {
        !text.is_empty()
    }

    fn after(&mut self, hub: &mut Hub<'_>) {
        self.end_part(hub);
        for at in core::mem::take(&mut self.new_calls) {
            self.begin_call(at, hub);
        }
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.run.start(hub);
        self.end_part(hub);
        for at in 0..self.candidates.len() {
            self.end_candidate(at, ended == EndReason::Aborted, hub);
        }
        let blocked = self.prompt_feedback.text("blockReason").map(String::from);
        put_member(
            &mut self.run.metadata,
            "promptFeedback",
            core::mem::take(&mut self.prompt_feedback),
        );
        hub.metadata(core::mem::take(&mut self.run.metadata), None);
        let finish = self.candidates.first().map(|candidate| candidate.finish.clone()).or(blocked);
        let mut end = match self.status {
            _ if matches!(ended, EndReason::Aborted) => return None,
            Status::Failed => self.run.failed(["status", "code"], "The response has failed.", hub),
            Status::Completed => RunEnd::new(EndStatus::Completed),
            Status::Incomplete => RunEnd::incomplete(finish.filter(|reason| !reason.is_empty())?),
            Status::InProgress => return None,
        };
        end.usage = usage(self.run.usage.value());
        Some(end)
    }
}

impl Sink for StepSink<'_, '_, GeminiSource> {
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, _: Field) {
        let StepSink { state, hub } = self;
        if kind != FunctionCall::KIND {
            state.after(hub);
        }
        let place = match (kind, state.place(parent)) {
            (Candidate::KIND, _) => {
                state.candidates.push(CandidateState::default());
                ObjectPlace::Candidate(state.candidates.len() - 1)
            }
            (Part::KIND, Some(ObjectPlace::Candidate(candidate))) => {
                state.new_part = Some(NewPart::new(candidate, None));
                ObjectPlace::Part(candidate, false)
            }
            (FunctionCall::KIND, Some(ObjectPlace::Part(candidate, _))) => {
                let at = state.calls.len();
                state.new_calls.push(at);
                state.candidates[candidate].calls.push(at);
                state.numbered += 1;
                state.calls.push(EmittedCall {
                    candidate,
                    number: state.numbered,
                    ..EmittedCall::default()
                });
                // The signature of the part follows.
                if let Some(part) = &mut state.new_part {
                    part.call = Some(at);
                }
                ObjectPlace::Call(at)
            }
            (_, Some(parent)) => parent,
            (_, None) => return,
        };
        state.places.push(place);
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        let Some(place) = state.place(node) else {
            return match key {
                Snapshot::status => state.status = Status::of(value).unwrap_or_default(),
                Snapshot::response_id => state.run.id.set(value),
                Snapshot::model_version => state.run.model.set(value),
                Snapshot::prompt_feedback => state.prompt_feedback.set(value),
                Snapshot::usage_metadata => state.run.usage.replace(json_of(value, &MODEL)),
                Snapshot::error => state.run.error.set(value),
                _ => {
                    if let Some(name) = MODEL.key(key) {
                        put_member(&mut state.run.metadata, name, json_of(value, &MODEL));
                    }
                }
            };
        };
        match place {
            ObjectPlace::Candidate(at) => state.set_candidate(at, key, value, hub),
            ObjectPlace::Part(candidate, _) => {
                let value = json_of(value, &MODEL);
                // A later piece of a call has its signature.
                let call = match state.place(node + 1) {
                    Some(ObjectPlace::Call(call)) => Some(call),
                    _ => None,
                };
                let part = state.new_part.get_or_insert_with(|| NewPart::new(candidate, call));
                match key {
                    Part::thought => {
                        part.is_thought = value == Value::Bool(true);
                        if part.is_thought {
                            part.members.push(Member::new(THOUGHT, value));
                        }
                        state.places[node as usize - 1] =
                            ObjectPlace::Part(candidate, part.is_thought);
                    }
                    Part::thought_signature => {
                        part.members.push(Member::new("thoughtSignature", value))
                    }
                    Part::text if part.text == PartText::None => part.text = PartText::Empty,
                    Part::text => {}
                    _ => part.content = Some((key, value)),
                }
            }
            ObjectPlace::Call(at) => {
                let call = &mut state.calls[at];
                match key {
                    FunctionCall::id => call.id.set(value),
                    FunctionCall::name => call.name.set(value),
                    FunctionCall::args => {
                        call.args = Some(Tree::from_raw(Raw(&json_of(value, &MODEL).to_json())));
                    }
                    _ => {}
                }
            }
        }
    }

    fn append(&mut self, node: ObjectId, _: Field, piece: &str) {
        let StepSink { state, hub } = self;
        if let Some(ObjectPlace::Part(at, is_thought)) = state.place(node)
            && !piece.is_empty()
        {
            if let Some(part) = &mut state.new_part {
                part.text = PartText::Emitted;
            }
            let (message, part) = state.part(at, is_thought, true, hub);
            hub.emit(&match is_thought {
                true => Step::reasoning(message, part, piece),
                false => Step::Text { message, part, piece },
            });
        }
    }

    fn end(&mut self, node: ObjectId, _: Field) {
        let StepSink { state, hub } = self;
        if let Some(ObjectPlace::Call(at)) = state.place(node) {
            state.end_call(at, true, hub);
        }
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        let state = &mut self.state;
        let members = match state.place(node) {
            None => &mut state.run.metadata,
            Some(ObjectPlace::Candidate(at)) => &mut state.candidates[at].metadata,
            Some(ObjectPlace::Call(at)) => &mut state.calls[at].more,
            Some(ObjectPlace::Part(..)) => match &mut state.new_part {
                Some(part) => &mut part.members,
                None => return,
            },
        };
        put_member(members, name, Value::from_raw(value));
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        let StepSink { state, hub } = self;
        match (state.place(node), change) {
            (Some(ObjectPlace::Call(at)), change) => {
                let Some(args) = &mut state.calls[at].args else { return };
                let tree =
                    |value| Tree::from_raw(Raw(&json_of(value, &MODEL).to_json())).into_root();
                match change {
                    JsonChange::Set(value) => drop(args.edit(path, Edit::Set(tree(value)))),
                    JsonChange::Insert(value) => drop(args.edit(path, Edit::Insert(tree(value)))),
                    JsonChange::Append(piece) => args.append(path, piece),
                    _ => {}
                }
            }
            (Some(ObjectPlace::Candidate(at)), JsonChange::Extend(items))
                if key == Candidate::citation_metadata =>
            {
                state.annotate(at, Value::from_raw(items).items(), hub);
            }
            (Some(ObjectPlace::Candidate(at)), JsonChange::Set(value))
                if key == Candidate::citation_metadata =>
            {
                state.annotate(at, json_of(value, &MODEL).items(), hub);
            }
            _ => {}
        }
    }
}
