//! From Gemini Interactions to the hub.
//!
//! The engine reads the stream, and its changes become steps of the hub. Each step of the
//! interaction is a message. Members of a step that only the next request needs are opaque; the
//! calls and results of the server's tools are opaque as a whole.

use alloc::string::String;
use alloc::vec::Vec;

use super::step::{ContentState, StepState};
use crate::core::EndReason;
use crate::core::declare::model::member::DeclaredMember as _;
use crate::core::id::seconds_of;
use crate::engine::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::{
    EndStatus, FoldSource, Hub, ModelRun, RunEnd, StepSink, StepSource, json_of, present_members,
    put_member,
};
use crate::json::{Digits, Member, Raw, Value, add};
use crate::protocols::interactions::model::{Content, InteractionsText};
use crate::protocols::interactions::{MODEL, Snapshot, Status, Step};

/// Reads Gemini Interactions: the source of a conversion.
pub type FromInteractions = FoldSource;

/// The state of the interaction, and of its emitted steps.
#[derive(Debug, Default)]
pub struct InteractionsSource {
    pub(super) run: ModelRun,
    status: String,
    faults: Value,
    /// The places of the objects, without the root.
    places: Vec<ObjectPlace>,
    steps: Vec<StepState>,
    /// The step that the event has started.
    new_step: Option<usize>,
    /// The content that the event has started: its step and its number there.
    new_content: Option<(usize, usize)>,
}

/// The place of an object.
#[derive(Clone, Copy, Debug)]
enum ObjectPlace {
    Step(usize),
    Content(usize, usize),
}

impl InteractionsSource {
    fn place(&self, node: ObjectId) -> Option<ObjectPlace> {
        self.places.get((node as usize).checked_sub(1)?).copied()
    }

    /// Returns the end of an interaction that has failed: with the error of the stream, or the first
    /// fault of the interaction.
    fn failed(&mut self, hub: &mut Hub<'_>) -> RunEnd {
        if self.run.error.is_null()
            && let Some(fault) = self.faults.items().first()
        {
            self.run.error = fault.clone();
        }
        self.run.failed(["code", "status"], "The interaction has failed.", hub)
    }

    /// Emits what the event has started, now that its members are known.
    fn emit_new(&mut self, hub: &mut Hub<'_>) {
        if let Some(at) = self.new_step.take() {
            self.steps[at].begin(&mut self.run, hub);
        }
        if let Some((at, content)) = self.new_content.take() {
            self.steps[at].begin_content(content, &mut self.run, hub);
        }
    }
}

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
        ("input_tokens", sum(["total_input_tokens", "total_tool_use_tokens"]).map(Value::Number)),
        ("output_tokens", sum(["total_output_tokens", "total_thought_tokens"]).map(Value::Number)),
        ("total_tokens", count("total_tokens").map(Value::Number)),
        ("input_tokens_details", detail("cached_tokens", count("total_cached_tokens"))),
        ("output_tokens_details", detail("reasoning_tokens", count("total_thought_tokens"))),
    ]);
    members.extend(usage.members_without(&[
        "total_input_tokens",
        "total_tool_use_tokens",
        "total_output_tokens",
        "total_thought_tokens",
        "total_tokens",
        "total_cached_tokens",
    ]));
    Some(Value::Object(members))
}

impl StepSource for InteractionsSource {
    /// Always true, because pieces are not kept.
    fn repeats(&self) -> bool {
        true
    }

    fn appended(&mut self, _: ObjectId, _: Field, _: &[&str], text: &str) -> bool {
        !text.is_empty()
    }

    fn after(&mut self, hub: &mut Hub<'_>) {
        self.emit_new(hub);
        if !self.run.id.is_empty() {
            self.run.start(hub);
        }
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.run.start(hub);
        self.emit_new(hub);
        let status = Status::from(&*self.status);
        let has_ended = ended == EndReason::Terminal;
        for step in &mut self.steps {
            step.cut_off(has_ended, &mut self.run, hub);
        }
        if !matches!(
            status,
            Status::InProgress | Status::Completed | Status::RequiresAction | Status::Failed
        ) {
            self.run.metadata.push(Member::new("status", &*self.status));
        }
        hub.metadata(core::mem::take(&mut self.run.metadata), None);
        if matches!(ended, EndReason::Aborted | EndReason::Eof) {
            return None;
        }
        let mut end = match status {
            Status::Failed => self.failed(hub),
            Status::Completed | Status::RequiresAction => RunEnd::new(EndStatus::Completed),
            Status::Cancelled => RunEnd::new(EndStatus::Canceled),
            // All of them are limits of the number of tokens.
            Status::Incomplete | Status::BudgetExceeded | Status::RequiresContinuation => {
                RunEnd::incomplete("max_output_tokens")
            }
            Status::InProgress | Status::Queued | Status::Other(_) => {
                RunEnd::incomplete(status.as_str())
            }
        };
        end.usage = usage(self.run.usage.value());
        Some(end)
    }
}

impl Sink for StepSink<'_, '_, InteractionsSource> {
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, key: Field) {
        let StepSink { state, hub } = self;
        let place = match (key, state.place(parent)) {
            (Snapshot::steps, _) => {
                state.emit_new(hub);
                state.steps.push(StepState::new(kind));
                state.new_step = Some(state.steps.len() - 1);
                ObjectPlace::Step(state.steps.len() - 1)
            }
            (_, Some(ObjectPlace::Step(at))) => {
                state.emit_new(hub);
                let step = &mut state.steps[at];
                step.contents.push(ContentState::new(kind));
                let content = step.contents.len() - 1;
                state.new_content = Some((at, content));
                ObjectPlace::Content(at, content)
            }
            _ => return,
        };
        state.places.push(place);
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        match state.place(node) {
            None => match key {
                Snapshot::status => state.status = MODEL.text(value).into(),
                Snapshot::id => state.run.id.set(value),
                Snapshot::model => state.run.model.set(value),
                Snapshot::created if seconds_of(MODEL.text(value)).is_some() => {
                    state.run.created_at = seconds_of(MODEL.text(value));
                }
                Snapshot::usage => state.run.usage.replace(json_of(value, &MODEL)),
                Snapshot::error => state.run.error.set(value),
                Snapshot::errors => state.faults = json_of(value, &MODEL),
                // About the connection, and the type of the resource.
                Snapshot::last_event_id | Snapshot::object => {}
                _ => {
                    if let Some(name) = MODEL.key(key) {
                        put_member(&mut state.run.metadata, name, json_of(value, &MODEL));
                    }
                }
            },
            Some(ObjectPlace::Step(at)) => {
                let step = &mut state.steps[at];
                match key {
                    Step::r#type => step.name = MODEL.text(value).into(),
                    Step::partial_arguments | Step::content | Step::summary => {}
                    Step::step_usage => step.set_usage(json_of(value, &MODEL), hub),
                    _ => step.members.set(key, json_of(value, &MODEL)),
                }
            }
            Some(ObjectPlace::Content(at, content)) => match key {
                Content::annotations => {
                    let annotations = json_of(value, &MODEL);
                    state.emit_new(hub);
                    state.steps[at].annotate(content, &annotations, &mut state.run, hub);
                }
                Content::r#type => {
                    state.steps[at].contents[content].name = MODEL.text(value).into();
                }
                InteractionsText::text => {}
                _ => state.steps[at].contents[content].members.set(key, json_of(value, &MODEL)),
            },
        }
    }

    fn append(&mut self, node: ObjectId, _: Field, piece: &str) {
        let StepSink { state, hub } = self;
        if piece.is_empty() {
            return;
        }
        match state.place(node) {
            Some(ObjectPlace::Step(at)) => {
                state.emit_new(hub);
                state.steps[at].append_arguments(piece, &mut state.run, hub);
            }
            Some(ObjectPlace::Content(at, content)) => {
                state.emit_new(hub);
                state.steps[at].append(content, piece, &mut state.run, hub);
            }
            None => {}
        }
    }

    fn end(&mut self, node: ObjectId, key: Field) {
        let StepSink { state, hub } = self;
        if let (Some(ObjectPlace::Step(at)), Step::partial_arguments) = (state.place(node), key) {
            state.emit_new(hub);
            state.steps[at].end(&mut state.run, hub);
        }
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        let state = &mut self.state;
        let members = match state.place(node) {
            None => &mut state.run.metadata,
            Some(ObjectPlace::Step(at)) => &mut state.steps[at].members.undeclared,
            Some(ObjectPlace::Content(at, content)) => {
                &mut state.steps[at].contents[content].members.undeclared
            }
        };
        put_member(members, name, Value::from_raw(value));
    }

    fn change_in(&mut self, node: ObjectId, _: Field, _: &[&str], change: JsonChange<'_>) {
        let StepSink { state, hub } = self;
        if let (JsonChange::Extend(items), Some(ObjectPlace::Content(at, content))) =
            (change, state.place(node))
        {
            state.emit_new(hub);
            let annotations = Value::from_raw(items);
            state.steps[at].annotate(content, &annotations, &mut state.run, hub);
        }
    }
}
