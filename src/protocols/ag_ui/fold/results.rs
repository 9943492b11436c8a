//! Results of tool calls. (B.7, U11.)

use super::look::Looks;
use super::{AgUiMeaning, ROOT};
use crate::engine::Context;
use crate::protocols::ag_ui::lifecycle::Owned;
use crate::protocols::ag_ui::{Message, Role, Snapshot};

impl AgUiMeaning {
    /// Adds a result after the message of its call and the results that already follow that message (U11).
    pub(super) fn add_result(
        &mut self,
        id: &str,
        call: &str,
        content: &str,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        if !self.is_alive(it, cx) || !self.has_room(cx) || !self.has_time(cx) {
            return;
        }
        self.life.open.own(Owned::Message, id, it.lane);
        if let Some(answered) = self.run_calls.get_mut(call) {
            *answered = true;
        } else {
            self.run_calls.insert(call, true);
        }
        let owner = self.messages.calls.message_of(call);
        let order = &self.messages.order;
        let owner = owner.and_then(|owner| order.iter().rposition(|at| *at == owner));
        let place = owner.map_or(order.len(), |owner| {
            let is_tool = |at: &&usize| self.messages.all[**at].role == Role::Tool;
            owner + 1 + order[owner + 1..].iter().take_while(is_tool).count()
        });
        let known = self.messages.find(id);
        let is_first = known.is_none_or(|known| order[place..].contains(&known));
        self.steps += owner.map_or(0, |owner| (order.len() - owner) as u64);
        let Some(at) = self.messages.make(id, Role::Tool, cx) else { return };
        let node = self.messages.all[at].node;
        cx.set_short(node, Message::tool_call_id, call);
        cx.set_json(node, Message::content, content);
        self.messages.set_lane(at, it.lane, cx);
        self.messages.add_metadata(at, it.metadata, cx);
        if place < self.messages.order.len() {
            cx.move_last(ROOT, Snapshot::messages, node, place);
        }
        self.messages.order.insert(place, at);
        if is_first {
            self.messages.know(id, at);
        }
    }
}
