//! From Chat Completions to the hub.
//!
//! The engine reads the stream, and its changes become steps. A choice is an alternative. Of a
//! choice, reasoning, the text with the refusal, and each call are a message: a run of pieces of
//! one kind is one message, and a call begins when its name is known. The details of the reasoning,
//! and what a server adds to calls and in `extra_content` to the message, are opaque members.

use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
use crate::core::EndReason;
use crate::core::declare::model::member::DeclaredMember as _;
use crate::engine::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::conversation::Sealed;
use crate::hub::{
    EndStatus, FoldSource, GrowingMessage, Hub, InputFormat, MediaKind, MessageKind, MessagePhase,
    ModelRun, Note, OpaquePlace, RunEnd, Step, StepSink, StepSource, ToolKind, json_of, put_member,
};
use crate::json::{Member, Raw, Value};
use crate::protocols::chat::conversation::carrier::{
    DETAILS, EXTRA_CONTENT, ExecutedCall, sealed_in, sealed_in_detail,
};
use crate::protocols::chat::model::made_up_id;
use crate::protocols::chat::{
    Audio, Choice, Custom, Function, MODEL, Message, Snapshot, Status, ToolCall,
};

/// Reads Chat Completions: the source of a conversion.
pub type FromChat = FoldSource;

/// The state of the completion, and of its emitted content.
#[derive(Debug, Default)]
pub struct ChatSource {
    run: ModelRun,
    status: Status,
    /// The places of the objects, without the root.
    places: Vec<ObjectPlace>,
    choices: Vec<ChoiceState>,
    calls: Vec<EmittedCall>,
    /// The calls that the event has changed and that have not begun at the hub, and the choices
    /// that it has ended.
    changed: Vec<usize>,
    finished: Vec<usize>,
    /// The sealed strings that were emitted: calls repeat those of the reasoning.
    carried: StringMap<()>,
}

/// The place of an object: the number of its choice, or of its call.
#[derive(Clone, Copy, Debug)]
enum ObjectPlace {
    Choice(usize),
    Call(usize),
}

#[derive(Debug, Default)]
struct ChoiceState {
    alternative: u32,
    /// The message of the reasoning, or of the text with the refusal.
    growing: GrowingMessage<MessageKind<'static>>,
    /// The calls that have not ended, and the number of all calls.
    calls: Vec<usize>,
    count: usize,
    /// The reason why it ended.
    finish: String,
    metadata: Vec<Member>,
    /// The details of the reasoning that were not emitted.
    details: Vec<Value>,
    /// The members of the message that only the next request needs.
    extra_content: Option<Value>,
}

#[derive(Debug, Default)]
struct EmittedCall {
    choice: usize,
    /// Its number among the calls of the choice.
    number: usize,
    id: String,
    name: String,
    input: InputFormat,
    /// The arguments that were received before the call began.
    arguments: String,
    /// The members that only the next request needs, and the number of those that were emitted.
    opaque: Vec<Member>,
    has_new_opaque: bool,
    phase: MessagePhase,
}

/// The parts of a message.
const TEXT: u32 = 0;
const REFUSAL: u32 = 1;
const AUDIO: u32 = 2;

impl ChatSource {
    /// Returns the place of an object; `None` for the root.
    fn place(&self, node: ObjectId) -> Option<ObjectPlace> {
        self.places.get((node as usize).checked_sub(1)?).copied()
    }

    /// Returns the message of a choice that takes the next piece, after the end of one of another
    /// kind.
    fn message(&mut self, choice: usize, kind: MessageKind<'static>, hub: &mut Hub<'_>) -> u32 {
        self.choices[choice].growing.number_for(kind).unwrap_or_else(|| {
            self.end_message(choice, EndStatus::Completed, hub);
            let message = self.run.open(kind, self.choices[choice].alternative, hub);
            self.choices[choice].growing.begin(message, kind)
        })
    }

    fn end_message(&mut self, choice: usize, status: EndStatus, hub: &mut Hub<'_>) {
        let ChoiceState { growing, details, .. } = &mut self.choices[choice];
        if let Some(growing) = growing.end() {
            if growing.kind == MessageKind::Reasoning {
                emit_details(details, growing.message, hub);
            }
            hub.close_as(growing.message, status);
        }
    }

    /// Ends the last message of a choice, and emits the details of its reasoning that came after
    /// the reasoning.
    fn end_texts(&mut self, choice: usize, status: EndStatus, hub: &mut Hub<'_>) {
        self.end_message(choice, status, hub);
        if !self.choices[choice].details.is_empty() {
            self.message(choice, MessageKind::Reasoning, hub);
            self.end_message(choice, status, hub);
        }
    }

    /// Begins a call. Without an id it has one that is made of the completion's.
    fn begin_call(&mut self, at: usize, hub: &mut Hub<'_>) {
        let choice = self.calls[at].choice;
        self.end_texts(choice, EndStatus::Completed, hub);
        let (kind, alternative) =
            (MessageKind::Call(ToolKind::Function), self.choices[choice].alternative);
        let message = self.run.open(kind, alternative, hub);
        let call = &mut self.calls[at];
        call.phase = MessagePhase::Open(message);
        if call.id.is_empty() {
            hub.lose("call-id", &call.name, "the call has no id: it got one");
            call.id = made_up_id(&self.run.id, alternative.into(), call.number);
        }
        self.emit_opaque(at, hub);
        let EmittedCall { id, name, input, arguments, .. } = &self.calls[at];
        hub.emit(&Step::Call { message, part: 0, id, name, input: *input, more: &[] });
        if !arguments.is_empty() {
            hub.emit(&Step::Arguments { message, part: 0, piece: arguments });
        }
    }

    /// Ends what belongs to a choice that has ended.
    fn end_choice(&mut self, choice: usize, hub: &mut Hub<'_>) {
        let last = self.choices[choice].growing.number();
        let finish = core::mem::take(&mut self.choices[choice].finish);
        let (status, reason) = end_of(&finish);
        if let Some(value) = self.choices[choice].extra_content.take() {
            // It is a member of the whole message: a block after the text, or one of its own.
            let text = self.choices[choice].growing.number_for(MessageKind::Message);
            let message = text.unwrap_or_else(|| {
                self.end_texts(choice, status, hub);
                self.message(choice, MessageKind::Reasoning, hub)
            });
            let members = &Value::from([(EXTRA_CONTENT, value)]);
            hub.opaque(members, OpaquePlace::part(message, TEXT).of_block());
        }
        self.end_texts(choice, status, hub);
        for at in core::mem::take(&mut self.choices[choice].calls) {
            if self.calls[at].phase.is_waiting() {
                self.begin_call(at, hub);
            }
            self.emit_opaque(at, hub);
            if let Some(message) = self.calls[at].phase.end() {
                hub.close_as(message, status);
            }
        }
        let ChoiceState { metadata, alternative, .. } = &mut self.choices[choice];
        let (metadata, alternative) = (core::mem::take(metadata), *alternative);
        hub.metadata(metadata, last);
        if alternative > 0 {
            hub.note(Note::Alternative { alternative, status: status.as_str(), reason });
        }
        self.choices[choice].finish = finish;
    }

    /// Emits the members in a sealed string, which belong to the reasoning or to the text before
    /// it. What follows is another message.
    fn carry(&mut self, choice: usize, sealed: &str, hub: &mut Hub<'_>) {
        if self.carried.get(sealed).is_some() {
            return;
        }
        self.carried.insert(sealed, ());
        let opened = Sealed::open(sealed);
        if let Some(executed) = opened.as_ref().and_then(ExecutedCall::open) {
            return self.executed(choice, &executed, hub);
        }
        let is_of_text = opened.is_some_and(|sealed| sealed.part.is_some());
        let text = self.choices[choice].growing.number_for(MessageKind::Message);
        let message = text
            .filter(|_| is_of_text)
            .unwrap_or_else(|| self.message(choice, MessageKind::Reasoning, hub));
        hub.carried(sealed, &Value::Null, OpaquePlace::part(message, TEXT));
        self.end_message(choice, EndStatus::Completed, hub);
    }

    /// Emits a call that the agent has run, and its result.
    fn executed(&mut self, choice: usize, executed: &ExecutedCall, hub: &mut Hub<'_>) {
        self.end_message(choice, EndStatus::Completed, hub);
        let alternative = self.choices[choice].alternative;
        let [id, name, input] = &executed.parts();
        let message = self.run.open(MessageKind::Call(ToolKind::Function), alternative, hub);
        hub.emit(&Step::call(message, 0, id, name, &[]));
        let state = executed.call.get(EXTRA_CONTENT).and_then(sealed_in).unwrap_or_default();
        for line in state.lines() {
            hub.carried(line, &Value::Null, OpaquePlace::call(message, id));
        }
        hub.emit(&Step::Arguments { message, part: 0, piece: input });
        hub.close_whole(hub.meta(), message);
        let message = self.run.open(MessageKind::Result(ToolKind::Function), alternative, hub);
        if executed.is_error {
            let (cause, text) = (None, &*executed.output);
            hub.note(Note::ToolError { id, cause, text });
        } else {
            hub.emit(&Step::result(message, 0, id, &executed.output));
        }
        hub.close(message);
    }

    /// Emits what the server has added to a call since the last time, with all that it has added
    /// before.
    fn emit_opaque(&mut self, at: usize, hub: &mut Hub<'_>) {
        let EmittedCall { phase, has_new_opaque, opaque, id, .. } = &mut self.calls[at];
        let Some(message) = phase.number().filter(|_| core::mem::take(has_new_opaque)) else {
            return;
        };
        let is_sealed =
            |member: &Member| member.key == EXTRA_CONTENT && sealed_in(&member.value).is_some();
        let (sealed, own): (Vec<_>, Vec<_>) = opaque.iter().cloned().partition(is_sealed);
        let place = OpaquePlace::call(message, id);
        hub.opaque(&Value::Object(own), place);
        for line in sealed.iter().filter_map(|member| sealed_in(&member.value)).flat_map(str::lines)
        {
            if self.carried.get(line).is_none() {
                self.carried.insert(line, ());
                hub.carried(line, &Value::Null, place);
            }
        }
    }

    /// Emits the annotations of the text, or keeps the details of the reasoning until it ends.
    fn add_to_list(&mut self, node: ObjectId, key: Field, list: Value, hub: &mut Hub<'_>) {
        let Some(ObjectPlace::Choice(choice)) = self.place(node) else { return };
        if key == Message::reasoning_details {
            if let Value::Array(details) = list {
                for detail in details {
                    if let Some(sealed) = sealed_in_detail(&detail) {
                        self.carry(choice, sealed, hub);
                        continue;
                    }
                    add_detail(&mut self.choices[choice].details, detail);
                }
                let ChoiceState { details, growing, .. } = &self.choices[choice];
                if !details.is_empty() && growing.number().is_none() {
                    self.message(choice, MessageKind::Reasoning, hub);
                }
            }
            return;
        }
        for annotation in list.items() {
            let message = self.message(choice, MessageKind::Message, hub);
            let annotation = &flat(annotation);
            hub.note(Note::Annotation { message, part: Some(TEXT), annotation });
        }
    }
}

/// Returns an annotation with the members that only Chat Completions has in an object of its type.
fn flat(annotation: &Value) -> Value {
    let kind = annotation.text("type").unwrap_or_default();
    let Some(Value::Object(inner)) = annotation.get(kind) else { return annotation.clone() };
    let mut members = annotation.members_without(&[kind]);
    members.extend_from_slice(inner);
    Value::Object(members)
}

/// Adds a detail of the reasoning to the others. A piece of the last text continues it.
fn add_detail(details: &mut Vec<Value>, mut detail: Value) {
    let (Some(Value::Object(last)), Value::Object(members)) = (details.last_mut(), &mut detail)
    else {
        return details.push(detail);
    };
    if !continues(last, members) {
        return details.push(detail);
    }
    for (at, Member { key, value }) in members.drain(..).enumerate() {
        match position(last, at, &key) {
            _ if value.is_null() => {}
            None => last.push(Member { key, value }),
            Some(known) => match &mut last[known].value {
                Value::String(text) if is_text(&key) => {
                    text.push_str(value.as_str().unwrap_or_default())
                }
                known => *known = value,
            },
        }
    }
}

/// Returns `true` if a detail of the reasoning is a piece of the text of the last one: what they
/// both have is equal.
fn continues(last: &[Member], detail: &[Member]) -> bool {
    let is_same = |(at, member): (usize, &Member)| match position(last, at, &member.key) {
        _ if is_text(&member.key) || member.value.is_null() => true,
        Some(known) => last[known].value.is_null() || last[known].value == member.value,
        None => !names_detail(&member.key),
    };
    let is_repeated = |(at, member): (usize, &Member)| {
        !names_detail(&member.key) || position(detail, at, &member.key).is_some()
    };
    last.iter().any(|member| is_text(&member.key))
        && detail.iter().enumerate().all(is_same)
        && last.iter().enumerate().all(is_repeated)
}

/// Returns the position of a member, which is usually that of the same member of the last detail.
fn position(members: &[Member], usual: usize, key: &str) -> Option<usize> {
    match members.get(usual) {
        Some(member) if member.key == key => Some(usual),
        _ => members.iter().position(|member| member.key == key),
    }
}

/// Returns `true` if pieces of this member of a detail are one text.
fn is_text(key: &str) -> bool {
    matches!(key, "text" | "summary")
}

/// Returns `true` if details with different values of this member are different details.
fn names_detail(key: &str) -> bool {
    matches!(key, "type" | "index")
}

/// Emits the details of a reasoning that ends.
fn emit_details(details: &mut Vec<Value>, message: u32, hub: &mut Hub<'_>) {
    if !details.is_empty() {
        let details = Value::Array(core::mem::take(details));
        hub.opaque(&Value::from([(DETAILS, details)]), OpaquePlace::part(message, TEXT));
    }
}

/// Returns the status and the reason of an end with that finish reason.
fn end_of(finish: &str) -> (EndStatus, Option<&str>) {
    match finish {
        "length" | "content_filter" => (EndStatus::Incomplete, Some(finish)),
        "error" => (EndStatus::Failed, None),
        _ => (EndStatus::Completed, None),
    }
}

/// The names of the counts, here and at the hub.
const USAGE: [(&str, &str); 4] = [
    ("prompt_tokens", "input_tokens"),
    ("completion_tokens", "output_tokens"),
    ("prompt_tokens_details", "input_tokens_details"),
    ("completion_tokens_details", "output_tokens_details"),
];

/// Returns the token usage with the names of the hub.
fn usage(usage: &Value) -> Option<Value> {
    let at_hub =
        |name: &str| USAGE.iter().find(|(here, _)| *here == name).map(|(_, at_hub)| *at_hub);
    matches!(usage, Value::Object(_)).then(|| usage.renamed(at_hub))
}

impl StepSource for ChatSource {
    /// Always true, because pieces are not kept.
    fn repeats(&self) -> bool {
        true
    }

    fn appended(&mut self, _: ObjectId, _: Field, _: &[&str], text: &str) -> bool {
        !text.is_empty()
    }

    fn after(&mut self, hub: &mut Hub<'_>) {
        for at in core::mem::take(&mut self.changed) {
            let EmittedCall { id, name, arguments, phase, .. } = &self.calls[at];
            if phase.is_waiting() && !name.is_empty() && !(id.is_empty() && arguments.is_empty()) {
                self.begin_call(at, hub);
            }
        }
        for choice in core::mem::take(&mut self.finished) {
            self.end_choice(choice, hub);
        }
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.run.start(hub);
        hub.metadata(core::mem::take(&mut self.run.metadata), None);
        let finish = self.choices.first().map_or("", |choice| &choice.finish);
        let mut end = match self.status {
            _ if ended == EndReason::Aborted => return None,
            Status::Failed => match self.run.error.as_str() {
                Some(message) => RunEnd::failed(None, message),
                None => self.run.failed(["code", "type"], "The completion has failed.", hub),
            },
            Status::Completed => RunEnd::new(EndStatus::Completed),
            Status::Incomplete if !finish.is_empty() => RunEnd::incomplete(finish),
            Status::Incomplete | Status::InProgress => return None,
        };
        end.usage = usage(self.run.usage.value());
        Some(end)
    }
}

impl Sink for StepSink<'_, '_, ChatSource> {
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {
        let StepSink { state, hub } = self;
        let place = match (kind, state.place(parent)) {
            (Choice::KIND, _) => {
                state.run.start(hub);
                state.choices.push(ChoiceState::default());
                ObjectPlace::Choice(state.choices.len() - 1)
            }
            (ToolCall::KIND, Some(ObjectPlace::Choice(choice))) => state.add_call(choice),
            (Function::KIND, Some(ObjectPlace::Choice(choice)))
                if list == Message::function_call =>
            {
                state.add_call(choice)
            }
            (Custom::KIND, Some(ObjectPlace::Call(at))) => {
                state.calls[at].input = InputFormat::Text;
                ObjectPlace::Call(at)
            }
            (_, Some(place)) => place,
            (_, None) => return,
        };
        state.places.push(place);
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        let text = || MODEL.text(value);
        match state.place(node) {
            None => match key {
                Snapshot::status => state.status = Status::of(value).unwrap_or_default(),
                Snapshot::id => state.run.id.set(value),
                Snapshot::model => state.run.model.set(value),
                Snapshot::created => state.run.created_at = json_of(value, &MODEL).integer(),
                Snapshot::usage => state.run.usage.replace(json_of(value, &MODEL)),
                Snapshot::error => state.run.error.set(value),
                _ => {}
            },
            Some(ObjectPlace::Choice(at)) => {
                let choice = &mut state.choices[at];
                match (key, value) {
                    (Choice::index, FieldValue::Int(index)) => {
                        choice.alternative = index.try_into().unwrap_or(u32::MAX);
                    }
                    (Choice::finish_reason, _) => {
                        choice.finish = text().into();
                        state.finished.push(at);
                    }
                    (Choice::logprobs, _) => state.run.lose_logprobs(hub),
                    (Message::annotations | Message::reasoning_details, _) => {
                        state.add_to_list(node, key, json_of(value, &MODEL), hub);
                    }
                    _ => {}
                }
            }
            Some(ObjectPlace::Call(at)) => {
                let call = &mut state.calls[at];
                let has_begun = !call.phase.is_waiting();
                match key {
                    // The id that the call has already.
                    ToolCall::id if has_begun && text() == call.id => {}
                    ToolCall::id if has_begun => {
                        hub.lose(
                            "call-id",
                            &call.id,
                            "the call was already emitted: it keeps its first id",
                        );
                    }
                    Function::name if has_begun => {
                        let reason = "the call was already emitted: it keeps its first name";
                        hub.lose("call-renamed", &call.id, reason);
                    }
                    ToolCall::id => call.id = text().into(),
                    Function::name => call.name = text().into(),
                    _ => {}
                }
                state.changed.push(at);
            }
        }
    }

    fn append(&mut self, node: ObjectId, key: Field, piece: &str) {
        let StepSink { state, hub } = self;
        if piece.is_empty() {
            return;
        }
        match state.place(node) {
            Some(ObjectPlace::Choice(choice)) => {
                let kind = match key {
                    Message::reasoning_content => MessageKind::Reasoning,
                    _ => MessageKind::Message,
                };
                let message = state.message(choice, kind, hub);
                hub.emit(&match key {
                    Message::reasoning_content => Step::reasoning(message, TEXT, piece),
                    Message::refusal => Step::Refusal { message, part: REFUSAL, piece },
                    Audio::data => {
                        let (kind, media_type) = (MediaKind::Audio, None);
                        Step::Media { message, part: AUDIO, kind, piece, media_type }
                    }
                    _ => Step::Text { message, part: TEXT, piece },
                });
            }
            Some(ObjectPlace::Call(at)) => {
                let call = &mut state.calls[at];
                if let Some(message) = call.phase.number() {
                    hub.emit(&Step::Arguments { message, part: 0, piece });
                } else {
                    call.arguments.push_str(piece);
                    state.changed.push(at);
                }
            }
            None => {}
        }
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        let state = &mut self.state;
        let members = match state.place(node) {
            None => &mut state.run.metadata,
            Some(ObjectPlace::Choice(at)) if name == EXTRA_CONTENT => {
                let value = Value::from_raw(value);
                state.choices[at].extra_content = Some(value).filter(|value| !value.is_null());
                return;
            }
            Some(ObjectPlace::Choice(at)) => &mut state.choices[at].metadata,
            Some(ObjectPlace::Call(at)) => {
                let call = &mut state.calls[at];
                call.has_new_opaque = true;
                &mut call.opaque
            }
        };
        if !value.is_null() {
            put_member(members, name, Value::from_raw(value));
        }
    }

    fn change_in(&mut self, node: ObjectId, key: Field, _: &[&str], change: JsonChange<'_>) {
        let StepSink { state, hub } = self;
        if let JsonChange::Extend(items) = change {
            state.add_to_list(node, key, Value::from_raw(items), hub);
        }
    }
}

impl ChatSource {
    fn add_call(&mut self, choice: usize) -> ObjectPlace {
        let (at, number) = (self.calls.len(), self.choices[choice].count);
        self.calls.push(EmittedCall { choice, number, ..EmittedCall::default() });
        self.choices[choice].calls.push(at);
        self.choices[choice].count += 1;
        ObjectPlace::Call(at)
    }
}
