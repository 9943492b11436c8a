//! Runs, their steps and their subagents. (B.6, B.7.)

use alloc::boxed::Box;
use alloc::string::String;

use super::look::{Looked, Looks};
use super::open::Open;
use super::snapshots::member;
use super::{AgUiSemantics, Phase, ROOT};
use crate::core::declare::member::object_to_json;
use crate::core::fold::{Context, Counted, Key, Kind, Node, Owner, SinkValue};
use crate::core::report::Ended;
use crate::json::{Element, Object, Str, write_list, write_string};
use crate::protocols::ag_ui::model::{Run, RunError, Snapshot, Status, Step, Subagent};
use crate::protocols::ag_ui::rules;

/// Tokens of one provider and model.
#[derive(Debug, Default)]
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

impl AgUiSemantics {
    pub(super) fn start_run(
        &mut self,
        thread: &str,
        run: &str,
        [parent, version]: [Option<Str<'_>>; 2],
        looks: &Looked<'_, '_>,
        cx: &mut Context<'_, '_>,
    ) {
        if !self.is_alive(&looks.common(), cx) {
            return;
        }
        if self.phase != Phase::Before {
            self.open = Open::default();
            for list in [Snapshot::steps, Snapshot::subagents, Snapshot::reasoning_spans] {
                cx.arrange(ROOT, list, &[]);
            }
            for member in [Snapshot::outcome, Snapshot::result, Snapshot::error] {
                cx.set(ROOT, member, SinkValue::Null);
            }
            cx.set_json(ROOT, Snapshot::pending_tool_call_ids, "[]");
        }
        self.phase = Phase::Running;
        self.run_calls = Default::default();
        self.run_call_ids.clear();
        cx.report().ended = Ended::Open;
        cx.set_short(ROOT, Snapshot::thread_id, thread);
        cx.set_short(ROOT, Snapshot::run_id, run);
        self.run = cx.open(Run::KIND, ROOT, Snapshot::runs, Counted::Messages, Owner::NONE);
        if let Some(node) = self.run {
            cx.set_short(node, Run::thread_id, thread);
            cx.set_short(node, Run::run_id, run);
            set_ids(node, &[(Run::parent_run_id, parent), (Run::protocol_version, version)], cx);
        }
        self.conclude(Status::Running, cx);
        let input = looks.input().map(String::from);
        if let Some(input) = input
            && let Ok(document) = crate::json::Document::read(&input, u32::MAX)
            && let Some(messages) = member(document.root(), "messages")
        {
            self.add_unknown_messages(messages.raw().as_str(), cx);
        }
    }

    /// The status of the run.
    pub(super) fn conclude(&mut self, status: Status, cx: &mut Context<'_, '_>) {
        cx.set(ROOT, Snapshot::status, status.value());
        if let Some(run) = self.run {
            cx.set(run, Run::status, status.value());
        }
    }

    pub(super) fn finish_run(
        &mut self,
        result: Option<Element<'_, '_>>,
        looks: &Looked<'_, '_>,
        cx: &mut Context<'_, '_>,
    ) {
        if !self.is_alive(&looks.common(), cx) || !self.is_all_closed(cx) {
            return;
        }
        self.phase = Phase::Finished;
        cx.report().ended = Ended::Terminal;
        let mut named = None;
        let mut interrupts = None;
        let mut outcome = "success";
        let said = looks.outcome().map(String::from);
        if let Some(said) = said
            && let Ok(document) = crate::json::Document::read(&said, u32::MAX)
        {
            match member(document.root(), "type").map(|name| name.words()).as_deref() {
                Some("interrupt") => {
                    outcome = "interrupt";
                    interrupts =
                        member(document.root(), "interrupts").map(|list| String::from(list.raw().as_str()));
                }
                Some("cancelled") => outcome = "cancelled",
                _ => {
                    let ids = member(document.root(), "pendingToolCallIds");
                    let ids = ids.filter(|ids| ids.array().is_ok_and(|mut ids| ids.next().is_some()));
                    named = ids.map(|ids| String::from(ids.raw().as_str()));
                }
            }
        }
        cx.set_text(ROOT, Snapshot::outcome, outcome);
        cx.set_json(ROOT, Snapshot::pending_interrupts, interrupts.as_deref().unwrap_or("[]"));
        let status = match outcome {
            "interrupt" => Status::Interrupted,
            "cancelled" => Status::Cancelled,
            _ => {
                if let Some(result) = result {
                    cx.set(ROOT, Snapshot::result, SinkValue::Free(result));
                }
                let mut pending = named.unwrap_or_default();
                if pending.is_empty() {
                    write_list(self.pending_calls(), &mut pending, write_string);
                }
                cx.set_json(ROOT, Snapshot::pending_tool_call_ids, &pending);
                Status::Finished
            }
        };
        self.add_usage(looks, cx);
        self.conclude(status, cx);
    }

    pub(super) fn fail_run(
        &mut self,
        message: &str,
        code: Option<Str<'_>>,
        looks: &Looked<'_, '_>,
        cx: &mut Context<'_, '_>,
    ) {
        if !self.is_alive(&looks.common(), cx) {
            return;
        }
        self.phase = Phase::Failed;
        cx.report().ended = Ended::Terminal;
        cx.set_json(ROOT, Snapshot::error, &error(message, code));
        self.add_usage(looks, cx);
        self.conclude(Status::Failed, cx);
    }

    fn add_usage(&mut self, looks: &Looked<'_, '_>, cx: &mut Context<'_, '_>) {
        let said = looks.usage().map(String::from);
        let Some(said) = said else { return };
        let Ok(document) = crate::json::Document::read(&said, u32::MAX) else { return };
        for entry in document.root().array().into_iter().flatten() {
            let text = |name| member(entry, name).map(|text| text.words().into_owned().into_boxed_str());
            let (provider, model) = (text("provider"), text("model"));
            let is_same = |known: &&mut Usage| known.provider == provider && known.model == model;
            if self.usage.iter_mut().find(is_same).is_none() {
                let most = cx.options().limits.contents;
                if self.usage.len() >= most {
                    return cx.too_many("contents", most as u64);
                }
                self.usage.push(Usage {
                    provider: provider.clone(),
                    model: model.clone(),
                    ..Usage::default()
                });
            }
            let Some(known) = self.usage.iter_mut().find(is_same) else { continue };
            for (count, name) in known.counts.iter_mut().zip(COUNTS) {
                if let Some(more) = member(entry, name).and_then(|more| more.integer().ok()) {
                    *count = Some(count.unwrap_or(0).saturating_add(more));
                }
            }
        }
        let mut json = String::new();
        write_list(&self.usage, &mut json, |usage, out| {
            let mut object = Object::open(out, true);
            object.string("provider", usage.provider.as_deref());
            object.string("model", usage.model.as_deref());
            COUNTS.iter().zip(usage.counts).for_each(|(name, count)| object.integer(name, count));
            object.close();
        });
        cx.set_json(ROOT, Snapshot::usage, &json);
    }

    /// Row 8.
    pub(super) fn start_step(&mut self, name: &str, it: &Looks<'_>, cx: &mut Context<'_, '_>) {
        if !self.is_alive(it, cx) || !self.has_room(cx) {
            return;
        }
        if self.open.steps.names(it.lane).is_open(name) {
            let (before, lane, after) = it.lane.map_or(("", "", ""), |lane| (" in subagent '", lane, "'"));
            let said = ["Step \"", name, "\" is already active for 'STEP_STARTED'", before, lane, after];
            self.refuse(&rules::STEP_STARTED_TWICE, &said, cx);
            return;
        }
        let node = self.open_part(Step::KIND, Snapshot::steps, (Step::step_name, name), Step::status, cx);
        if let (Some(node), Some(lane)) = (node, it.lane) {
            cx.set_short(node, Step::subagent_run_id, lane);
        }
        self.open.steps.open(it.lane, name, node);
    }

    /// Rows 9 and 10.
    pub(super) fn finish_step(&mut self, name: &str, it: &Looks<'_>, cx: &mut Context<'_, '_>) {
        if !self.is_alive(it, cx) {
            return;
        }
        if self.open.steps.names(it.lane).is_open(name) {
            if let Some(node) = self.open.steps.names(it.lane).close(name) {
                cx.set(node, Step::status, Status::Finished.value());
            }
            return;
        }
        let lane = |lane: Option<&str>| match lane {
            Some(lane) => ["subagent '", lane, "'"].concat(),
            None => String::from("the parent agent"),
        };
        match self.open.steps.elsewhere(name) {
            Some(other) => self.refuse(
                &rules::STEP_NOT_STARTED,
                &[
                    "Cannot send 'STEP_FINISHED' for step \"",
                    name,
                    "\" attributed to ",
                    &lane(it.lane),
                    ": that step is open under ",
                    &lane(other.as_deref()),
                    ". A step must be finished by whoever started it.",
                ],
                cx,
            ),
            None => {
                let said = ["Cannot send 'STEP_FINISHED' for step \"", name, "\" that was not started"];
                self.refuse(&rules::STEP_NOT_STARTED, &said, cx)
            }
        };
    }

    /// Something of the run that has a status of its own.
    fn open_part(
        &mut self,
        kind: Kind,
        list: Key,
        (key, id): (Key, &str),
        status: Key,
        cx: &mut Context<'_, '_>,
    ) -> Option<Node> {
        let node = cx.open(kind, ROOT, list, Counted::Messages, Owner::NONE)?;
        cx.set_short(node, key, id);
        cx.set(node, status, Status::Running.value());
        Some(node)
    }

    /// Row 15. `more`: the subagent, the call and the message that it comes from, and what it is for.
    pub(super) fn start_subagent(
        &mut self,
        id: &str,
        name: &str,
        more: [Option<Str<'_>>; 4],
        it: &Looks<'_>,
        cx: &mut Context<'_, '_>,
    ) {
        if !self.is_alive(it, cx) || !self.has_room(cx) {
            return;
        }
        let parent = more[0].map(Str::to_str).filter(|parent| !self.open.subagents.is_known(parent));
        if self.open.subagents.is_known(id) {
            let why = match self.open.subagents.is_open(id) {
                true => "' is already active. Finish it with 'SUBAGENT_FINISHED' first.",
                false => {
                    "' has already finished in this run. Subagent IDs are per-invocation and cannot be reused."
                }
            };
            let said = ["Cannot send 'SUBAGENT_STARTED': subagent '", id, why];
            self.refuse(&rules::SUBAGENT_STARTED_TWICE, &said, cx);
            return;
        }
        if let Some(parent) = parent {
            let said = [
                "Cannot send 'SUBAGENT_STARTED': parentSubagentRunId '",
                &parent,
                "' has not been started in this run.",
            ];
            self.refuse(&rules::SUBAGENT_NOT_STARTED, &said, cx);
            return;
        }
        let node = self.open_part(
            Subagent::KIND,
            Snapshot::subagents,
            (Subagent::subagent_run_id, id),
            Subagent::status,
            cx,
        );
        if let Some(node) = node {
            cx.set_text(node, Subagent::name, name);
            let keys = [
                Subagent::parent_subagent_run_id,
                Subagent::parent_tool_call_id,
                Subagent::parent_message_id,
                Subagent::description,
            ];
            for (key, value) in keys.into_iter().zip(more) {
                set_ids(node, &[(key, value)], cx);
            }
        }
        self.open.subagents.open(id, node);
    }

    fn end_subagent(
        &mut self,
        id: &str,
        status: Status,
        it: &Looks<'_>,
        cx: &mut Context<'_, '_>,
    ) -> Option<Node> {
        if !self.is_alive(it, cx) {
            return None;
        }
        if !self.open.subagents.is_open(id) {
            let said = [
                "Cannot send '",
                it.name,
                "': no active subagent found with ID '",
                id,
                "'. A 'SUBAGENT_STARTED' event must be sent first.",
            ];
            self.refuse(&rules::SUBAGENT_NOT_STARTED, &said, cx);
            return None;
        }
        let node = self.open.subagents.close(id)?;
        cx.set(node, Subagent::status, status.value());
        Some(node)
    }

    pub(super) fn finish_subagent(
        &mut self,
        id: &str,
        result: Option<Element<'_, '_>>,
        looks: &Looked<'_, '_>,
        cx: &mut Context<'_, '_>,
    ) {
        let outcome = looks.outcome();
        let is_suspended = outcome.is_some_and(|outcome| outcome.contains("\"suspended\""));
        let status = if is_suspended { Status::Interrupted } else { Status::Finished };
        let Some(node) = self.end_subagent(id, status, &looks.common(), cx) else { return };
        if let Some(result) = result {
            cx.set(node, Subagent::result, SinkValue::Free(result));
        }
        if let Some(outcome) = outcome {
            cx.set_json(node, Subagent::outcome, outcome);
        }
    }

    pub(super) fn fail_subagent(
        &mut self,
        id: &str,
        message: &str,
        code: Option<Str<'_>>,
        it: &Looks<'_>,
        cx: &mut Context<'_, '_>,
    ) {
        if let Some(node) = self.end_subagent(id, Status::Failed, it, cx) {
            cx.set_json(node, Subagent::error, &error(message, code));
        }
    }
}

fn set_ids(node: Node, ids: &[(Key, Option<Str<'_>>)], cx: &mut Context<'_, '_>) {
    for (key, id) in ids {
        if let Some(id) = id {
            cx.set_text(node, *key, &id.to_str());
        }
    }
}

fn error(message: &str, code: Option<Str<'_>>) -> String {
    let code = code.map(|code| code.to_str().into_owned());
    object_to_json(&RunError { message: message.into(), code: code.into() })
}
