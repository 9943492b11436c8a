//! Runs, their steps and their subagents. (B.6, B.7.)

use alloc::{boxed::Box, string::String};

use super::check::CheckedEvent;
use super::{AgUiFold, ROOT};
use crate::core::EndReason;
use crate::core::declare::model::member::object_to_json;
use crate::engine::{Context, Field, FieldValue, ObjectId, ObjectKind, ObjectLimit, Subject};
use crate::json::{Element, ObjectWriter, write_list, write_string};
use crate::protocols::ag_ui::lifecycle::{Effect, EventHead, Judge, StreamKind};
use crate::protocols::ag_ui::{ReasoningSpan, Run, RunError, Snapshot, Status, Step, Subagent};

/// The token counts of one provider and model.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    provider: Option<Box<str>>,
    model: Option<Box<str>>,
    counts: [Option<i64>; COUNTS.len()],
}

const COUNTS: [&str; 6] = [
    "inputTokens",
    "outputTokens",
    "totalTokens",
    "reasoningTokens",
    "cachedInputTokens",
    "cacheWriteInputTokens",
];

impl AgUiFold {
    pub(super) fn start_run(
        &mut self,
        event: &CheckedEvent<'_>,
        is_first: bool,
        cx: &mut Context<'_>,
    ) {
        let (head, run) = (&event.head(), &event.text("runId"));
        if !is_first {
            for list in [Snapshot::steps, Snapshot::subagents, Snapshot::reasoning_spans] {
                cx.arrange(ROOT, list, &[]);
            }
            for member in [Snapshot::outcome, Snapshot::result, Snapshot::error] {
                cx.set(ROOT, member, FieldValue::Null);
            }
            cx.set_json(ROOT, Snapshot::pending_tool_call_ids, "[]");
        }
        self.run_calls = Default::default();
        self.run_call_ids.clear();
        cx.end(EndReason::Open);
        cx.set_short(ROOT, Snapshot::thread_id, head.id);
        cx.set_short(ROOT, Snapshot::run_id, run);
        self.run = cx.open(Run::KIND, ROOT, Snapshot::runs, ObjectLimit::Messages, Subject::NONE);
        if let Some(node) = self.run {
            cx.set_short(node, Run::thread_id, head.id);
            cx.set_short(node, Run::run_id, run);
            let more =
                [(Run::parent_run_id, "parentRunId"), (Run::protocol_version, "protocolVersion")];
            set_texts(node, &more, event, cx);
        }
        self.conclude(Status::Running, cx);
        self.add_unknown_messages(head.messages, cx);
    }

    /// Sets the status of the run.
    pub(super) fn conclude(&mut self, status: Status, cx: &mut Context<'_>) {
        cx.set(ROOT, Snapshot::status, status.value());
        if let Some(run) = self.run {
            cx.set(run, Run::status, status.value());
        }
    }

    pub(super) fn finish_run(&mut self, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        cx.end(EndReason::Terminal);
        let outcome = event.value("outcome");
        let member = |name| outcome.and_then(|outcome| outcome.member(name));
        let kind = member("type").map(Element::words);
        let (outcome, status) = match kind.as_deref() {
            Some("interrupt") => ("interrupt", Status::Interrupted),
            Some("cancelled") => ("cancelled", Status::Cancelled),
            _ => ("success", Status::Finished),
        };
        let interrupts = member("interrupts").filter(|_| status == Status::Interrupted);
        let interrupts = interrupts.map_or("[]", |list| list.raw().as_str());
        cx.set_text(ROOT, Snapshot::outcome, outcome);
        cx.set_json(ROOT, Snapshot::pending_interrupts, interrupts);
        if status == Status::Finished {
            if let Some(result) = event.value("result") {
                cx.set(ROOT, Snapshot::result, FieldValue::Free(result));
            }
            let named = member("pendingToolCallIds").filter(|ids| ids.items().next().is_some());
            let mut pending = String::new();
            match named {
                Some(ids) => pending.push_str(ids.raw().as_str()),
                None => write_list(self.pending_calls(), &mut pending, write_string),
            }
            cx.set_json(ROOT, Snapshot::pending_tool_call_ids, &pending);
        }
        self.add_usage(event, cx);
        self.conclude(status, cx);
    }

    pub(super) fn fail_run(&mut self, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        cx.end(EndReason::Terminal);
        cx.set_json(ROOT, Snapshot::error, &error(event));
        self.add_usage(event, cx);
        self.conclude(Status::Failed, cx);
    }

    fn add_usage(&mut self, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let Some(usage) = event.value("usage") else { return };
        if !cx.has_time(self.life.work) {
            return;
        }
        for entry in usage.items() {
            let text =
                |name| entry.member(name).map(|text| text.words().into_owned().into_boxed_str());
            let (provider, model) = (text("provider"), text("model"));
            let mut name = String::new();
            for part in [&provider, &model] {
                match part {
                    Some(part) => write_string(part, &mut name),
                    None => name.push_str("null"),
                }
            }
            let place = self.usage_places.get_or_insert_default(&name);
            if place.is_none() {
                let most = cx.options().limits.contents;
                if self.usage.len() >= most {
                    return cx.too_many("contents", most as u64);
                }
                *place = Some(self.usage.len());
                self.usage.push(Usage { provider, model, ..Usage::default() });
            }
            let Some(known) = place.and_then(|place| self.usage.get_mut(place)) else { continue };
            for (count, name) in known.counts.iter_mut().zip(COUNTS) {
                if let Some(more) = entry.member(name).and_then(|more| more.integer().ok()) {
                    *count = Some(count.unwrap_or(0).saturating_add(more));
                }
            }
        }
        let mut json = String::new();
        write_list(&self.usage, &mut json, |usage, out| {
            let mut object = ObjectWriter::open(out, true);
            object.string("provider", usage.provider.as_deref());
            object.string("model", usage.model.as_deref());
            COUNTS.iter().zip(usage.counts).for_each(|(name, count)| object.integer(name, count));
            object.close();
        });
        cx.set_json(ROOT, Snapshot::usage, &json);
        // The bytes of the event already pay for the new part.
        self.life.work += json.len().saturating_sub(usage.raw().as_str().len()) as u64;
    }
}

/// The parts of a run that have a status of their own: steps, subagents and reasoning blocks.
impl AgUiFold {
    /// Opens a part with its id, its status and its subagent. Members of one name have one key,
    /// whatever the object.
    fn open_part(
        (kind, list): (ObjectKind, Field),
        id: Field,
        head: &EventHead<'_>,
        cx: &mut Context<'_>,
    ) -> Option<ObjectId> {
        let node = cx.open(kind, ROOT, list, ObjectLimit::Messages, Subject::NONE)?;
        cx.set_short(node, id, head.id);
        cx.set(node, Step::status, Status::Running.value());
        if let Some(subagent) = head.subagent.filter(|_| id != Step::subagent_run_id) {
            cx.set_short(node, Step::subagent_run_id, subagent);
        }
        Some(node)
    }

    pub(super) fn start_step(&mut self, head: &EventHead<'_>, cx: &mut Context<'_>) {
        let node = Self::open_part((Step::KIND, Snapshot::steps), Step::step_name, head, cx);
        self.life.open.steps.attach(head.subagent, head.id, node);
    }

    pub(super) fn start_block(&mut self, head: &EventHead<'_>, cx: &mut Context<'_>) {
        let list = (ReasoningSpan::KIND, Snapshot::reasoning_spans);
        let node = Self::open_part(list, ReasoningSpan::message_id, head, cx);
        self.life.open.names_mut(StreamKind::Block).attach(head.id, node);
    }

    pub(super) fn start_subagent(&mut self, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let head = &event.head();
        let list = (Subagent::KIND, Snapshot::subagents);
        let node = Self::open_part(list, Subagent::subagent_run_id, head, cx);
        if let Some(node) = node {
            cx.set_text(node, Subagent::name, &event.text("name"));
            let more = [
                (Subagent::parent_subagent_run_id, "parentSubagentRunId"),
                (Subagent::parent_tool_call_id, "parentToolCallId"),
                (Subagent::parent_message_id, "parentMessageId"),
                (Subagent::description, "description"),
            ];
            set_texts(node, &more, event, cx);
        }
        self.life.open.subagents.attach(head.id, node);
    }

    pub(super) fn finish_subagent(effect: Effect, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let outcome = event.value("outcome");
        let kind = outcome.and_then(|outcome| outcome.member("type")).map(Element::words);
        let is_suspended = kind.is_some_and(|kind| kind == "suspended");
        let status = if is_suspended { Status::Interrupted } else { Status::Finished };
        let Some(node) = set_part_status(effect, status, cx) else { return };
        if let Some(result) = event.value("result") {
            cx.set(node, Subagent::result, FieldValue::Free(result));
        }
        if let Some(outcome) = outcome {
            cx.set_json(node, Subagent::outcome, outcome.raw().as_str());
        }
    }

    pub(super) fn fail_subagent(effect: Effect, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        if let Some(node) = set_part_status(effect, Status::Failed, cx) {
            cx.set_json(node, Subagent::error, &error(event));
        }
    }
}

/// Sets the status of the part that an event ends, and returns its object.
pub(super) fn set_part_status(
    effect: Effect,
    status: Status,
    cx: &mut Context<'_>,
) -> Option<ObjectId> {
    cx.set(effect.node?, Step::status, status.value());
    effect.node
}

/// Sets members of an object to texts of an event.
fn set_texts(
    node: ObjectId,
    members: &[(Field, &str)],
    event: &CheckedEvent<'_>,
    cx: &mut Context<'_>,
) {
    for (key, name) in members {
        if let Some(text) = event.event.text(name) {
            cx.set_text(node, *key, &text.to_str());
        }
    }
}

/// Returns the error of an event as JSON.
fn error(event: &CheckedEvent<'_>) -> String {
    let code = event.event.text("code").map(|code| code.to_str().into_owned());
    object_to_json(&RunError { message: event.text("message").into_owned(), code: code.into() })
}
