//! Patches of free JSON.

use alloc::string::String;
use alloc::vec::Vec;

use super::context::Context;
use super::state::Owner;
use crate::core::json_patch::{Change, Failure, Tree, What};
use crate::core::observed::Observed;
use crate::core::sink::{Key, Node, Sink, SinkValue};
use crate::core::violation::{LIMIT_EXCEEDED, Rule};
use crate::json::{Element, Raw};

impl Context<'_> {
    /// Applies a patch to the document in a property, as a whole or not at all. Returns false if that violates `rule`, or if a
    /// limit refuses it.
    pub(crate) fn patch(
        &mut self,
        (node, key): (Node, Key),
        document: &mut Tree,
        patch: Element<'_, '_>,
        rule: &'static Rule,
        owner: Owner,
    ) -> bool {
        let (limits, meter) = (&self.state.options.limits, &mut *self.meter);
        let mut budget = meter.budget;
        let applied =
            document.apply(patch, limits, &mut budget, |tree| meter.replace(node, key, tree.size().bytes, 0));
        meter.budget = budget;
        match applied {
            Ok(changes) => {
                self.state.effects += 1;
                changes.iter().for_each(|change| write(change, node, key, self.sink));
                true
            }
            // The meter has noted it.
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

/// Writes a change of a property whose size is counted already.
fn write(change: &Change<'_>, node: Node, key: Key, sink: &mut dyn Sink) {
    let path: Vec<&str> = change.path().iter().map(String::as_str).collect();
    match &change.what {
        What::Set(json) if path.is_empty() => sink.set(node, key, SinkValue::Json(Raw(json))),
        What::Set(json) => sink.set_in(node, key, &path, SinkValue::Json(Raw(json))),
        What::Insert(json) => sink.insert_in(node, key, &path, SinkValue::Json(Raw(json))),
        What::Remove => sink.remove_in(node, key, &path),
        What::Append(piece) if path.is_empty() => sink.append(node, key, piece),
        What::Append(piece) => sink.append_in(node, key, &path, piece),
        What::Move(to) => {
            let to: Vec<&str> = to.iter().map(String::as_str).collect();
            sink.move_in(node, key, &path, &to);
        }
    }
}
