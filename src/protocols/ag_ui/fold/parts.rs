//! The parts of a run that have a status of their own: steps, subagents and reasoning blocks. (B.6.)

use super::check::CheckedEvent;
use super::runs::{error, set_ids};
use super::{AgUiMeaning, ROOT};
use crate::engine::{Context, Counted, Key, Kind, Node, Owner, SinkValue};
use crate::json::{Element, Str};
use crate::protocols::ag_ui::Snapshot;
use crate::protocols::ag_ui::lifecycle::{Effect, EventHead, StreamKind};
use crate::protocols::ag_ui::model::{ReasoningSpan, Status, Step, Subagent};

impl AgUiMeaning {
    /// Opens an object that has an id and a status.
    fn open_part(
        (kind, list): (Kind, Key),
        (key, id): (Key, &str),
        status: Key,
        subagent: Option<(Key, &str)>,
        cx: &mut Context<'_>,
    ) -> Option<Node> {
        let node = cx.open(kind, ROOT, list, Counted::Messages, Owner::NONE)?;
        cx.set_short(node, key, id);
        cx.set(node, status, Status::Running.value());
        if let Some((key, id)) = subagent {
            cx.set_short(node, key, id);
        }
        Some(node)
    }

    pub(super) fn start_step(&mut self, it: &EventHead<'_>, cx: &mut Context<'_>) {
        let subagent = it.subagent.map(|id| (Step::subagent_run_id, id));
        let list = (Step::KIND, Snapshot::steps);
        let node = Self::open_part(list, (Step::step_name, it.id), Step::status, subagent, cx);
        self.life.open.steps.attach(it.subagent, it.id, node);
    }

    pub(super) fn finish_step(effect: Effect, cx: &mut Context<'_>) {
        if let Some(node) = effect.node {
            cx.set(node, Step::status, Status::Finished.value());
        }
    }

    pub(super) fn start_block(&mut self, it: &EventHead<'_>, cx: &mut Context<'_>) {
        let subagent = it.subagent.map(|id| (ReasoningSpan::subagent_run_id, id));
        let list = (ReasoningSpan::KIND, Snapshot::reasoning_spans);
        let id = (ReasoningSpan::message_id, it.id);
        let node = Self::open_part(list, id, ReasoningSpan::status, subagent, cx);
        self.life.open.names_mut(StreamKind::Block).attach(it.id, node);
    }

    pub(super) fn end_block(effect: Effect, cx: &mut Context<'_>) {
        if let Some(node) = effect.node {
            cx.set(node, ReasoningSpan::status, Status::Finished.value());
        }
    }

    /// Starts a subagent. `more` contains the ids of its parent subagent, of its call and of its message, and its
    /// description.
    pub(super) fn start_subagent(
        &mut self,
        it: &EventHead<'_>,
        name: &str,
        more: [Option<Str<'_>>; 4],
        cx: &mut Context<'_>,
    ) {
        let list = (Subagent::KIND, Snapshot::subagents);
        let node = Self::open_part(list, (Subagent::subagent_run_id, it.id), Subagent::status, None, cx);
        if let Some(node) = node {
            cx.set_text(node, Subagent::name, name);
            let keys = [
                Subagent::parent_subagent_run_id,
                Subagent::parent_tool_call_id,
                Subagent::parent_message_id,
                Subagent::description,
            ];
            keys.into_iter().zip(more).for_each(|more| set_ids(node, &[more], cx));
        }
        self.life.open.subagents.attach(it.id, node);
    }

    pub(super) fn finish_subagent(effect: Effect, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let outcome = event.value("outcome");
        let kind = outcome.and_then(|outcome| outcome.member("type")).map(Element::words);
        let is_suspended = kind.is_some_and(|kind| kind == "suspended");
        let status = if is_suspended { Status::Interrupted } else { Status::Finished };
        let Some(node) = effect.node else { return };
        cx.set(node, Subagent::status, status.value());
        if let Some(result) = event.value("result") {
            cx.set(node, Subagent::result, SinkValue::Free(result));
        }
        if let Some(outcome) = outcome {
            cx.set_json(node, Subagent::outcome, outcome.raw().as_str());
        }
    }

    pub(super) fn fail_subagent(effect: Effect, message: &str, code: Option<Str<'_>>, cx: &mut Context<'_>) {
        if let Some(node) = effect.node {
            cx.set(node, Subagent::status, Status::Failed.value());
            cx.set_json(node, Subagent::error, &error(message, code));
        }
    }
}
