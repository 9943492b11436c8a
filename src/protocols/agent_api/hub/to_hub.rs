//! From the Agent API to the hub.
//!
//! The engine interprets a stream, and the snapshot keeps the answer; only the differences are emitted. So a repeated
//! text is emitted once, a longer snapshot adds only its new part, and a stream that violates rules is interpreted as
//! by a reader. Emitted text cannot change: a value that replaces another one is noted.

use super::emit;
use super::from_hub::{PENDING, RESULT};
use super::objects::State;
use super::words::{end_error, end_status};
use crate::core::EndReason;
use crate::engine::{Key, Kind, Node, Sink as _, SinkValue};
use crate::hub::{FoldSource, Hub, HubSink, RunEnd, Step};
use crate::json::{Document, Raw, Value};
use crate::protocols::agent_api::events::Event as WireEvent;
use crate::protocols::agent_api::model::{RefusalContent, TextContent};
use crate::sse;

/// Reads the Agent API: the source of a conversion. Heartbeats are always passed on, and are never messages.
pub type FromAgentApi = FoldSource;

/// R34: returns whether an event is a heartbeat, which is not in the snapshot.
fn is_heartbeat(data: &str, depth: u32) -> bool {
    data.contains("\"heartbeat\"")
        && Document::read(data, depth).is_ok_and(|document| {
            matches!(WireEvent::decode(&document), Ok(WireEvent::Message(message))
                if message.kind().is_some_and(|kind| kind == "heartbeat"))
        })
}

/// Emits steps immediately where possible, and all others after the event.
impl HubSink for State {
    fn repeats(&self) -> bool {
        true
    }

    fn before(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {
        if is_heartbeat(event.data, self.depth) {
            hub.emit(&Step::Heartbeat);
        }
    }

    fn after(&mut self, hub: &mut Hub<'_>) {
        self.say_changed(hub);
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.say_waiting(hub);
        let response = &self.snapshot.response;
        let mut end = RunEnd::new(end_status(&response.status));
        end.usage.clone_from(&response.usage);
        end.error = response.error.as_ref().map(end_error);
        let details = response.extra.iter().find(|member| member.key == "incomplete_details");
        let reason = details.and_then(|details| details.value.get("reason")?.as_str());
        let said =
            |name: &str| response.extra.iter().find(|member| member.key == name).map(|member| &member.value);
        end.result = said(RESULT).filter(|result| !result.is_null()).cloned();
        end.pending = said(PENDING).map(Value::to_texts).unwrap_or_default();
        end.reason = if ended == EndReason::Eof { Some(RunEnd::CUT_OFF) } else { reason }.map(Into::into);
        Some(end)
    }

    fn open(&mut self, kind: Kind, parent: Node, list: Key, _: &mut Hub<'_>) {
        self.opened(kind, parent, list);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>, hub: &mut Hub<'_>) {
        if let (SinkValue::Str(text), TextContent::text | RefusalContent::refusal) = (value, key) {
            self.replace(node, text, hub);
        }
        self.is_set(node, key, value, hub);
    }

    fn append(&mut self, node: Node, key: Key, text: &str, hub: &mut Hub<'_>) {
        if self.speaks(node, hub)
            && let Some(part) = self.objects.part(node)
            && part.other.is_none()
        {
            part.said += text.len();
            emit::piece(part, node, text, hub);
        }
        self.snapshot.append(node, key, text);
    }

    fn appended(&mut self, node: Node, key: Key, path: &[&str], text: &str) -> bool {
        if let Some(part) = self.objects.part(node) {
            part.said += text.len();
        }
        match path {
            [] => self.snapshot.append(node, key, text),
            path => self.snapshot.append_in(node, key, path, text),
        }
        path.is_empty() || !text.is_empty()
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>, hub: &mut Hub<'_>) {
        self.snapshot.set_extra(node, name, value);
        self.lose_extra(node, name, hub);
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        self.keep_said(node);
        self.touch(node);
        self.snapshot.set_in(node, key, path, value);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str, hub: &mut Hub<'_>) {
        self.arguments(node, path, text, hub);
        self.snapshot.append_in(node, key, path, text);
    }

    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {
        self.touch(node);
        self.snapshot.extend_in(node, key, path, items);
    }

    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) {
        self.touch(node);
        self.snapshot.add_in(node, key, path, summand, float);
    }

    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        self.touch(node);
        self.share_member(node, key, from, from_key);
    }

    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.snapshot.move_last(parent, list, node, at);
    }

    fn remove(&mut self, parent: Node, list: Key, node: Node, hub: &mut Hub<'_>) {
        self.drop_part(parent, node, hub);
        self.snapshot.remove(parent, list, node);
    }

    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node], hub: &mut Hub<'_>) {
        self.drop_others(parent, nodes, hub);
        self.snapshot.arrange(parent, list, nodes);
    }
}
