//! The parts of a run that have a status of their own: steps and subagents. (B.6.)

use super::look::{Looked, Looks};
use super::runs::{error, set_ids};
use super::{AgUiMeaning, ROOT};
use crate::bytes::holds;
use crate::engine::{Context, Counted, Key, Kind, Node, Owner, SinkValue};
use crate::json::{Element, Str};
use crate::protocols::ag_ui::{Snapshot, Status, Step, Subagent};

impl AgUiMeaning {
    /// Starts a step (row 8).
    pub(super) fn start_step(&mut self, name: &str, it: &Looks<'_>, cx: &mut Context<'_>) {
        if !self.is_alive(it, cx)
            || !self.has_room(cx)
            || !self.allows(self.life.may_start_step(name, it.said()), cx)
        {
            return;
        }
        let node = self.open_part(Step::KIND, Snapshot::steps, (Step::step_name, name), Step::status, cx);
        if let (Some(node), Some(lane)) = (node, it.lane) {
            cx.set_short(node, Step::subagent_run_id, lane);
        }
        self.life.open.steps.open(it.lane, name, node);
    }

    /// Finishes a step (rows 9 and 10).
    pub(super) fn finish_step(&mut self, name: &str, it: &Looks<'_>, cx: &mut Context<'_>) {
        if self.is_alive(it, cx)
            && self.allows(self.life.may_finish_step(name, it.said()), cx)
            && let Some(node) = self.life.open.steps.close(it.lane, name)
        {
            cx.set(node, Step::status, Status::Finished.value());
        }
    }

    /// Opens an object of the run that has a status of its own.
    fn open_part(
        &mut self,
        kind: Kind,
        list: Key,
        (key, id): (Key, &str),
        status: Key,
        cx: &mut Context<'_>,
    ) -> Option<Node> {
        let node = cx.open(kind, ROOT, list, Counted::Messages, Owner::NONE)?;
        cx.set_short(node, key, id);
        cx.set(node, status, Status::Running.value());
        Some(node)
    }

    /// Starts a subagent (row 15). `more` contains the ids of its parent subagent, of its call and of its message, and
    /// its description.
    pub(super) fn start_subagent(
        &mut self,
        id: &str,
        name: &str,
        more: [Option<Str<'_>>; 4],
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        let parent = more[0].map(Str::to_str);
        if !self.is_alive(it, cx)
            || !self.has_room(cx)
            || !self.allows(self.life.may_start_subagent(id, parent.as_deref()), cx)
        {
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
        self.life.open.subagents.open(id, node);
    }

    fn end_subagent(
        &mut self,
        id: &str,
        status: Status,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) -> Option<Node> {
        if !self.is_alive(it, cx) || !self.allows(self.life.may_end_subagent(id, it.name), cx) {
            return None;
        }
        let node = self.life.open.subagents.close(id)?;
        cx.set(node, Subagent::status, status.value());
        Some(node)
    }

    pub(super) fn finish_subagent(
        &mut self,
        id: &str,
        result: Option<Element<'_, '_>>,
        looks: &Looked<'_, '_>,
        cx: &mut Context<'_>,
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
        cx: &mut Context<'_>,
    ) {
        if let Some(node) = self.end_subagent(id, Status::Failed, it, cx) {
            cx.set_json(node, Subagent::error, &error(message, code));
        }
    }
}
