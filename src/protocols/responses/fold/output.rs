//! The whole output: the items that a response lists, and their order. (O2, O4, O12)

use alloc::vec::Vec;

use super::dispatch::Names;
use super::{ROOT, ResponsesMeaning};
use crate::core::Observed;
use crate::engine::Context;
use crate::json::Element;
use crate::protocols::responses::{Snapshot, rules};

impl ResponsesMeaning {
    /// Applies the list of the output. Items that it does not contain stay while the response is in progress. (O2, O12)
    pub(super) fn assign_output(
        &mut self,
        list: Element<'_, '_>,
        [is_end, is_completed]: [bool; 2],
        cx: &mut Context<'_>,
    ) {
        self.lists += 1;
        let mut order = Vec::new();
        for (place, json) in list.array().into_iter().flatten().enumerate() {
            let names = Names::of(json);
            self.check_names(&names, cx);
            if self.is_named(&names, |item| item.listed == self.lists) {
                cx.breach_of(&rules::ITEM_REPEATED, names.id(), Observed::Words("listed twice"));
            }
            let at = match self.find(&names).filter(|at| self.items[*at].listed != self.lists) {
                Some(at) => {
                    // This applies to every type, because lists identify items by their calls, too.
                    if !(self.has_call_of(at, &names) || is_completed && self.items[at].done) {
                        let owner = self.items[at].owner;
                        cx.breach_in(&rules::ITEM_CHANGED, owner, None, Observed::Words("another `call_id`"));
                    }
                    self.update_item(at, names, json, cx)
                }
                None => {
                    let other = self.wires.get(place as u64).filter(|_| !is_completed);
                    if let Some(other) = other.map(|at| &self.items[*at]).filter(|other| !other.gone) {
                        cx.breach_in(&rules::ITEM_CHANGED, other.owner, None, Observed::Name(names.id()));
                    }
                    let at = self.open_item(names, None, cx);
                    at.inspect(|at| self.assign_item(*at, json, cx))
                }
            };
            let Some(at) = at else { continue };
            self.items[at].listed = self.lists;
            order.push(at);
        }
        // While the response is in progress, items that are not listed stay, and new items follow them.
        if !is_end {
            return;
        }
        let mut lost = None;
        for &at in self.order.iter().filter(|at| self.items[**at].listed != self.lists) {
            let item = &self.items[at];
            if is_completed && !item.done {
                cx.breach_in(&rules::UNFINISHED, item.owner, None, Observed::Name(item.kind.as_str()));
            } else {
                lost = Some(item.owner);
            }
        }
        if let Some(owner) = lost {
            cx.breach_in(&rules::OUTPUT_LOST, owner, None, Observed::Words("less"));
        }
        self.arrange(order, cx);
        self.number_items();
    }

    /// Sets the output to these items.
    pub(super) fn arrange(&mut self, order: Vec<usize>, cx: &mut Context<'_>) {
        if order == self.order {
            return;
        }
        let nodes: Vec<_> = order.iter().map(|at| self.items[*at].held.node).collect();
        cx.arrange(ROOT, Snapshot::output, &nodes);
        let before = core::mem::replace(&mut self.order, order);
        before.iter().for_each(|at| self.items[*at].gone = true);
        self.order.iter().for_each(|at| self.items[*at].gone = false);
        for at in before {
            if self.items[at].gone {
                cx.release(self.items[at].held.node);
            }
        }
    }

    /// Numbers the items by their places.
    pub(super) fn number_items(&mut self) {
        self.wires = Default::default();
        for (place, at) in self.order.iter().enumerate() {
            let item = &mut self.items[*at];
            (item.wire, item.rank) = (place as i64, place as i64);
            self.wires.insert(place as u64, *at);
        }
    }
}
