//! The response: its progress, its snapshots and its end. (O1, O2, O12 to O17.)

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{Phase, ROOT, ResponsesMeaning};
use crate::core::{EndReason, Observed};
use crate::engine::{Context, SinkValue};
use crate::json::{Element, Object};
use crate::protocols::responses::{MODEL, Snapshot, Status, rules};

impl ResponsesMeaning {
    /// Applies the response in `response.created`, `.queued`, …, which replaces the previous state. (O2)
    pub(super) fn snapshot(
        &mut self,
        status: &Status,
        response: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let Some(response) = response.filter(|response| response.object().is_ok()) else {
            return cx.breach(&rules::MALFORMED_EVENT, Observed::Words("no `response`"));
        };
        let id = response.member("id").map(|id| id.words());
        if self.has_snapshot && self.id.as_deref() != id.as_deref() {
            let [id, known] = [id.as_deref(), self.id.as_deref()].map(|id| id.unwrap_or("none"));
            cx.breach(&rules::RESPONSE_CHANGED, Observed::Instead(id, known));
        }
        self.has_snapshot = true;
        self.id = id.map(|id| String::from(id).into());
        let is_end = !matches!(status, Status::InProgress | Status::Queued);
        let is_completed = *status == Status::Completed;
        self.root.assign(response, &self.keys, cx);
        if response.member("status").is_none_or(|status| status.string().is_err()) {
            self.set_status(status, cx);
        }
        match response.member("output").filter(|output| output.array().is_ok()) {
            Some(list) => self.assign_output(list, [is_end, is_completed], cx),
            _ if response.member("output").is_some_and(|output| !output.is_null()) => {
                cx.breach(&rules::MEMBER_TYPE, Observed::Words("an `output` that is no list"));
            }
            // The end was received before, with the output.
            None if self.phase == Phase::Ended => {}
            None => {
                cx.breach(&rules::OUTPUT_MISSING, Observed::Words("none"));
                if is_completed {
                    let (order, unfinished): (Vec<usize>, Vec<usize>) =
                        self.order.iter().partition(|at| self.items[**at].done);
                    for at in unfinished {
                        let item = &self.items[at];
                        let got = Observed::Name(item.kind.as_str());
                        cx.breach_in(&rules::UNFINISHED, item.owner, None, got);
                    }
                    self.arrange(order, cx);
                }
                if is_end {
                    self.number_items();
                }
            }
        }
        if is_end {
            self.phase = Phase::Ended;
            cx.end(EndReason::Terminal);
        }
    }

    fn set_status(&mut self, status: &Status, cx: &mut Context<'_>) {
        let word = MODEL.word(status.as_str()).map_or(SinkValue::Str(status.as_str()), SinkValue::Word);
        cx.set(ROOT, Snapshot::status, word);
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
            Some(error) => cx.set(ROOT, Snapshot::error, SinkValue::Free(error)),
            None => {
                let message = message.or_else(|| error.map(|error| error.words()));
                let mut json = String::new();
                let mut object = Object::open(&mut json, true);
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

    /// Handles the end of the stream.
    pub(super) fn stop(&mut self, aborted: bool, cx: &mut Context<'_>) {
        for at in 0..self.items.len() {
            let item = &self.items[at];
            let parts = item.parts.iter().flatten().map(|part| &part.held);
            let cells = parts.chain([&item.held]).filter_map(|held| held.cell());
            cells.for_each(|cell| drop(cx.end_text(cell)));
        }
        if !matches!(self.phase, Phase::Before | Phase::Open) || cx.report().end_reason != EndReason::Open {
            return;
        }
        for at in &self.order {
            if !self.items[*at].done {
                let id = cx.id(self.items[*at].owner).into();
                cx.unfinished(id);
            }
        }
        cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
        if !aborted {
            let rule = if self.phase == Phase::Before { &rules::NO_RESPONSE } else { &rules::TRUNCATED };
            cx.breach(rule, Observed::Words("the end of the stream"));
        }
    }
}
