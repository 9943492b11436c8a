//! The parts of a run that have a status of their own: steps and subagents. (B.6.)

use alloc::string::String;

use super::look::{Looked, Looks};
use super::runs::{error, set_ids};
use super::{AgUiSemantics, ROOT};
use crate::bytes::holds;
use crate::core::fold::{Context, Counted, Key, Kind, Node, Owner, SinkValue};
use crate::json::{Element, Str};
use crate::protocols::ag_ui::model::{Snapshot, Status, Step, Subagent};
use crate::protocols::ag_ui::rules;

impl AgUiSemantics {
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
        let is_suspended = outcome.is_some_and(|outcome| holds(outcome, b"\"suspended\""));
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
