//! What the semantics of protocols needs whose lists change their order and whose free JSON is patched.

#[cfg(feature = "ag-ui")]
use alloc::{string::String, vec::Vec};

use super::context::Context;
#[cfg(feature = "ag-ui")]
use super::{metered::Metered, state::Owner};
#[cfg(feature = "ag-ui")]
use crate::core::json_patch::{Change, Failure, Patched, What};
use crate::core::observed::Observed;
use crate::core::report::Ended;
use crate::core::sink::{Key, Node, SinkValue};
use crate::core::violation::LIMIT_EXCEEDED;
#[cfg(feature = "ag-ui")]
use crate::core::violation::Rule;
#[cfg(feature = "ag-ui")]
use crate::json::Element;
use crate::json::Raw;

impl Context<'_, '_> {
    /// Whether anything more is to be read: a strict reader stops at the first error.
    pub fn is_reading(&self) -> bool {
        self.state.report.ended != Ended::Refused
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

    #[cfg(feature = "ag-ui")]
    /// Applies a patch to the document that a member is, all of it or nothing. False if that breaks `rule`, or a limit.
    pub(crate) fn patch(
        &mut self,
        (node, key): (Node, Key),
        document: &mut Patched,
        patch: Element<'_, '_>,
        rule: &'static Rule,
        owner: Owner,
    ) -> bool {
        let limits = &self.state.options.limits;
        let sink = &mut *self.sink;
        match document.apply(patch, limits, |tree| sink.holds(node, key, tree.size().bytes)) {
            Ok(changes) => {
                self.state.effects += 1;
                changes.iter().for_each(|change| tell(change, node, key, self.sink));
                true
            }
            // The meter has said so.
            Err(Failure::Over("content_bytes", _)) => false,
            Err(Failure::Over(limit, most)) => {
                self.state.breach(&LIMIT_EXCEEDED, owner, Observed::Over(limit, most));
                false
            }
            Err(Failure::Impossible(at, why)) => {
                let at = crate::json::decimal(at as i64);
                let why = ["operation ", &at, ": ", why].concat();
                self.state.breach(rule, owner, Observed::Said(&why));
                false
            }
        }
    }
}

#[cfg(feature = "ag-ui")]
/// Tells a change of a member whose size is counted already.
fn tell(change: &Change<'_>, node: Node, key: Key, sink: &mut Metered<'_>) {
    let path: Vec<&str> = change.path().iter().map(String::as_str).collect();
    match &change.what {
        What::Set(json) => sink.changed_in(node, key, &path, SinkValue::Json(Raw(json))),
        What::Insert(json) => sink.insert_in(node, key, &path, SinkValue::Json(Raw(json))),
        What::Remove => sink.remove_in(node, key, &path),
        What::Append(piece) => sink.grown_in(node, key, &path, piece),
        What::Move(to) => {
            let to: Vec<&str> = to.iter().map(String::as_str).collect();
            sink.move_in(node, key, &path, &to);
        }
    }
}
