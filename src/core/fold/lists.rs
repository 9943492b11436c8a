//! What the semantics of protocols needs whose lists change their order.

use super::context::Context;
use crate::core::observed::Observed;
use crate::core::report::EndReason;
use crate::core::sink::{Key, Node, SinkValue};
use crate::core::violation::LIMIT_EXCEEDED;
use crate::json::Raw;

impl Context<'_, '_> {
    /// Whether anything more is to be read: a strict reader stops at the first error.
    pub fn is_reading(&self) -> bool {
        self.state.report.end_reason != EndReason::Refused
    }

    /// A member inside free JSON has this value now.
    pub fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: Raw<'_>) -> bool {
        self.state.effects += 1;
        self.sink.set_in(node, key, path, SinkValue::Json(value))
    }

    /// A member is not there any more.
    pub fn unset(&mut self, node: Node, key: Key) {
        self.state.effects += 1;
        self.sink.unset(node, key);
    }

    /// The last object of a list belongs at this place of it.
    pub fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.state.effects += 1;
        self.sink.move_last(parent, list, node, at);
    }

    /// An object is gone from its list.
    pub fn remove(&mut self, parent: Node, list: Key, node: Node) {
        self.state.effects += 1;
        self.sink.remove(parent, list, node);
    }

    /// A list consists of these objects, in this order.
    pub fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.state.effects += 1;
        self.sink.arrange(parent, list, nodes);
    }

    /// An object is gone: nothing of it is held any more.
    pub fn release(&mut self, node: Node) {
        self.sink.release(node);
    }

    /// Notes that the stream would make the reader hold too much.
    pub fn too_many(&mut self, limit: &'static str, most: u64) {
        self.breach(&LIMIT_EXCEEDED, Observed::Over(limit, most));
    }
}
