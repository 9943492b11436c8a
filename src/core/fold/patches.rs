//! What the semantics of protocols needs whose free JSON is patched.

use alloc::string::String;
use alloc::vec::Vec;

use super::context::Context;
use super::metered::Metered;
use super::state::Owner;
use crate::core::json_patch::{Change, Failure, Patched, What};
use crate::core::observed::Observed;
use crate::core::sink::{Key, Node, SinkValue};
use crate::core::violation::{LIMIT_EXCEEDED, Rule};
use crate::json::{Element, Raw};

impl Context<'_, '_> {
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
        let mut budget = *sink.budget();
        let applied =
            document.apply(patch, limits, &mut budget, |tree| sink.holds(node, key, tree.size().bytes));
        *sink.budget() = budget;
        match applied {
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
