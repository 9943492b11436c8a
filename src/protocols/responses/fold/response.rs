//! The response: its progress, its snapshots and its end. (O1, O2, O12 to O17.)

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::items::FoldedItem;
use super::{ItemNames, Phase, ROOT, ResponsesFold, word};
use crate::core::{EndReason, EventReading, Observed};
use crate::engine::{Context, FieldValue};
use crate::json::{Element, ObjectWriter};
use crate::protocols::responses::{Snapshot, Status, rules};

impl ResponsesFold {
    /// Applies the response in `response.created`, `.queued`, …, which replaces the previous state.
    /// (O2)
    pub(super) fn snapshot(
        &mut self,
        status: &Status,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let response = event.named("response").filter(|response| response.object().is_ok());
        let Some(response) = response else {
            return cx.record(&rules::MALFORMED_EVENT, Observed::Words("no `response`"));
        };
        let id = response.member("id").map(|id| id.words());
        if self.has_snapshot && self.id.as_deref() != id.as_deref() {
            let [id, known] = [id.as_deref(), self.id.as_deref()].map(|id| id.unwrap_or("none"));
            cx.record(&rules::RESPONSE_CHANGED, Observed::Instead(id, known));
        }
        self.has_snapshot = true;
        self.id = id.map(|id| String::from(id).into());
        let is_end = !matches!(status, Status::InProgress | Status::Queued);
        let is_completed = *status == Status::Completed;
        self.root.assign(response, &self.keys, cx);
        if response.member("status").is_none_or(|status| status.string().is_err()) {
            self.set_status(status, cx);
        }
        // An empty list at the end takes nothing away.
        let is_lost = |list: &Element<'_, '_>| {
            is_end
                && self.order.len() > self.earlier
                && list.array().is_ok_and(|mut items| items.next().is_none())
        };
        match response.member("output").filter(|output| output.array().is_ok()) {
            Some(list) if is_lost(&list) => {
                let owner = self.items[self.order[self.earlier]].owner;
                cx.record_in(&rules::OUTPUT_LOST, owner, None, Observed::Words("an empty list"));
                self.end_output(is_completed, cx);
            }
            Some(list) => self.assign_output(list, [is_end, is_completed], cx),
            _ if response.member("output").is_some_and(|output| !output.is_null()) => {
                cx.record(&rules::MEMBER_TYPE, Observed::Words("an `output` that is not a list"));
            }
            // The end was received before, with the output.
            None if self.phase == Phase::Ended => {}
            None => {
                cx.record(&rules::OUTPUT_MISSING, Observed::Words("none"));
                if is_end {
                    self.end_output(is_completed, cx);
                }
            }
        }
        if *status == Status::Incomplete && is_steered(response) {
            self.phase = Phase::Steered;
        } else if is_end {
            self.phase = Phase::Ended;
            cx.end(EndReason::Terminal);
        }
    }

    /// Begins the response after a steered one: its items follow the earlier ones. (O23)
    pub(super) fn succeed(&mut self) {
        self.phase = Phase::Open;
        self.has_snapshot = false;
        self.successors += 1;
        self.earlier = 0;
        self.number_items();
        self.earlier = self.order.len();
        self.wires = Default::default();
    }

    /// Returns the items of the current response, in order.
    pub(super) fn current(
        &self,
    ) -> impl DoubleEndedIterator<Item = &FoldedItem> + ExactSizeIterator {
        self.order[self.earlier..].iter().map(|at| &self.items[*at])
    }

    /// Ends a response that does not list its output: the output stays as it was streamed.
    fn end_output(&mut self, is_completed: bool, cx: &mut Context<'_>) {
        for item in self.current().filter(|item| is_completed && !item.done) {
            cx.record_in(&rules::UNFINISHED, item.owner, None, Observed::Name(item.kind.as_str()));
        }
        self.number_items();
    }

    fn set_status(&mut self, status: &Status, cx: &mut Context<'_>) {
        cx.set(ROOT, Snapshot::status, word(status.as_str()));
        self.root.note(Snapshot::status, None);
    }

    /// Applies an error: the response has failed, and later events are ignored. (O14)
    pub(super) fn error(
        &mut self,
        error: Option<Element<'_, '_>>,
        [code, message, param]: [Option<Cow<'_, str>>; 3],
        cx: &mut Context<'_>,
    ) {
        match error.filter(|error| error.object().is_ok()) {
            Some(error) => cx.set(ROOT, Snapshot::error, FieldValue::Free(error)),
            None => {
                let message = message.or_else(|| error.map(|error| error.words()));
                let mut json = String::new();
                let mut object = ObjectWriter::open(&mut json, true);
                object.string("code", code.as_deref());
                object.string("message", message.as_deref());
                object.string("param", param.as_deref());
                object.close();
                cx.set_json(ROOT, Snapshot::error, &json)
            }
        };
        self.root.note(Snapshot::error, None);
        self.set_status(&Status::Failed, cx);
        self.phase = Phase::Failed;
        cx.end(EndReason::ErrorFrame);
    }
}

/// The maximum number of responses after the first. The end of each may arrange all items.
pub(super) const MOST_SUCCESSORS: u32 = 256;

/// Whether a response was stopped by input that steers it.
fn is_steered(response: Element<'_, '_>) -> bool {
    let details = response.member("incomplete_details");
    let reason = details.and_then(|details| details.member("reason"));
    reason.is_some_and(|reason| reason.words() == "steered")
}

/// The items that a response lists, and their order. (O2, O4, O12)
impl ResponsesFold {
    /// Applies the list of the output. Items that it does not contain stay while the response is in
    /// progress. (O2, O12)
    pub(super) fn assign_output(
        &mut self,
        list: Element<'_, '_>,
        [is_end, is_completed]: [bool; 2],
        cx: &mut Context<'_>,
    ) {
        self.lists += 1;
        let mut order = Vec::new();
        for (place, json) in list.array().into_iter().flatten().enumerate() {
            let names = ItemNames::of(json);
            self.check_names(&names, cx);
            if self.is_named(&names, |item| item.listed == self.lists) {
                cx.record_of(&rules::ITEM_REPEATED, names.id(), Observed::Words("listed twice"));
            }
            let found = self.find(&names).or_else(|| self.nameless_call(place, &names));
            let at = match found.filter(|at| self.items[*at].listed != self.lists) {
                Some(at) => {
                    let item = &self.items[at];
                    // Types that are identified by their call have the same one.
                    let has_same_call =
                        names.is_call() || item.call.as_deref() == names.call.as_deref();
                    if !(has_same_call || is_completed && item.done) {
                        let got = Observed::Words("another `call_id`");
                        cx.record_in(&rules::ITEM_CHANGED, item.owner, None, got);
                    }
                    self.update_item(at, names, json, cx)
                }
                None => {
                    let other = self.wires.get(place as u64).filter(|_| !is_completed);
                    if let Some(other) =
                        other.map(|at| &self.items[*at]).filter(|other| !other.gone)
                    {
                        cx.record_in(
                            &rules::ITEM_CHANGED,
                            other.owner,
                            None,
                            Observed::Name(names.id()),
                        );
                    }
                    self.whole_item(names, None, json, cx)
                }
            };
            let Some(at) = at else { continue };
            self.items[at].listed = self.lists;
            order.push(at);
        }
        // While the response is in progress, items that are not listed stay, and new items follow
        // them.
        if !is_end {
            return;
        }
        let mut lost = None;
        for item in self.current().filter(|item| item.listed != self.lists) {
            if is_completed && !item.done {
                cx.record_in(
                    &rules::UNFINISHED,
                    item.owner,
                    None,
                    Observed::Name(item.kind.as_str()),
                );
            } else {
                lost = Some(item.owner);
            }
        }
        if let Some(owner) = lost {
            cx.record_in(&rules::OUTPUT_LOST, owner, None, Observed::Words("less"));
        }
        self.arrange(order, cx);
        self.number_items();
    }

    /// Sets the output of the current response to these items.
    pub(super) fn arrange(&mut self, mut order: Vec<usize>, cx: &mut Context<'_>) {
        if order == self.order[self.earlier..] {
            return;
        }
        order.splice(..0, self.order[..self.earlier].iter().copied());
        let nodes: Vec<_> = order.iter().map(|at| self.items[*at].object.node).collect();
        cx.arrange(ROOT, Snapshot::output, &nodes);
        let before = core::mem::replace(&mut self.order, order);
        before.iter().for_each(|at| self.items[*at].gone = true);
        self.order.iter().for_each(|at| self.items[*at].gone = false);
        for at in before {
            if self.items[at].gone {
                cx.release(self.items[at].object.node);
            }
        }
    }

    /// Numbers the items by their places.
    pub(super) fn number_items(&mut self) {
        self.wires = Default::default();
        for (place, at) in self.order[self.earlier..].iter().enumerate() {
            let item = &mut self.items[*at];
            (item.wire, item.rank) = (place as i64, (self.earlier + place) as i64);
            self.wires.insert(place as u64, *at);
        }
    }
}
