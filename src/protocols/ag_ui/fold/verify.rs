//! What may follow what: the official client's verifier, with its words. (B.6.)

use alloc::string::String;
use alloc::vec::Vec;

use super::look::Looks;
use super::open::{Owned, Thing, lane_name};
use super::{AgUiSemantics, Phase};
use crate::core::fold::Context;
use crate::core::observed::Observed;
use crate::core::violation::Rule;
use crate::protocols::ag_ui::rules;

impl AgUiSemantics {
    /// Says what the official client would. Always false: what is refused is not applied.
    pub(super) fn refuse(&self, rule: &'static Rule, said: &[&str], cx: &mut Context<'_, '_>) -> bool {
        cx.breach(rule, Observed::Said(&said.concat()));
        false
    }

    /// Whether an event may come at all (rows 1 to 4). `RUN_STARTED` begins a run and may come more often.
    pub(super) fn is_alive(&mut self, it: &Looks<'_>, cx: &mut Context<'_, '_>) -> bool {
        let starts = it.name == "RUN_STARTED";
        match self.phase {
            Phase::Failed if !starts => self.refuse(
                &rules::AFTER_ERROR,
                &[
                    "Cannot send event type '",
                    it.name,
                    "': The run has already errored with 'RUN_ERROR'. No further events can be sent.",
                ],
                cx,
            ),
            Phase::Finished if !starts && it.name != "RUN_ERROR" => self.refuse(
                &rules::AFTER_FINISHED,
                &[
                    "Cannot send event type '",
                    it.name,
                    "': The run has already finished with 'RUN_FINISHED'. Start a new run with 'RUN_STARTED'.",
                ],
                cx,
            ),
            Phase::Before if !starts && it.name != "RUN_ERROR" => {
                self.phase = Phase::Fragments;
                self.refuse(&rules::FIRST_EVENT, &["First event must be 'RUN_STARTED'"], cx);
                cx.is_reading()
            }
            Phase::Running | Phase::Fragments if starts => {
                self.refuse(&rules::RUN_STARTED_TWICE, &["Cannot send 'RUN_STARTED' while a run is still active. The previous run must be finished with 'RUN_FINISHED' before starting a new run."], cx);
                cx.is_reading()
            }
            _ => true,
        }
    }

    /// Whether there is room to remember one thing more of the run.
    pub(super) fn has_room(&self, cx: &mut Context<'_, '_>) -> bool {
        // A message takes up to four places: open, owned, as a parent and as a call.
        let most = cx.options().limits.messages.saturating_mul(4);
        let has = self.open.len() < most;
        if !has {
            cx.too_many("messages", cx.options().limits.messages as u64);
        }
        has
    }

    /// Whether the lane of an event is that of what it is about (row 13). An event without a lane never disagrees.
    pub(super) fn is_in_lane(
        &self,
        owned: Owned,
        id: &str,
        it: &Looks<'_>,
        cx: &mut Context<'_, '_>,
    ) -> bool {
        let (Some(lane), Some(owner)) = (it.lane, self.open.owner(owned, id)) else { return true };
        if owner.as_deref() == Some(lane) {
            return true;
        }
        let owner = lane_name(owner.as_deref());
        let noun = owned.noun();
        self.refuse(
            &rules::OWNER_MISMATCH,
            &[
                "Cannot send '",
                it.name,
                "': subagentRunId '",
                lane,
                "' does not match the ",
                noun,
                " '",
                id,
                "' opener's subagent '",
                owner,
                "'.",
            ],
            cx,
        )
    }

    /// Something starts (rows 5, 7, 11).
    pub(super) fn may_start(
        &mut self,
        thing: Thing,
        id: &str,
        it: &Looks<'_>,
        cx: &mut Context<'_, '_>,
    ) -> bool {
        if !self.is_alive(it, cx) {
            return false;
        }
        let words = thing.words();
        if self.open.names(thing).is_open(id) {
            return self.refuse(
                &rules::STARTED_TWICE,
                &[
                    "Cannot send '",
                    words.start,
                    "' event: A ",
                    words.noun,
                    " with ID '",
                    id,
                    "' is already in progress. Complete it with '",
                    words.end,
                    "' first.",
                ],
                cx,
            );
        }
        self.has_room(cx)
    }

    /// Something goes on or ends (rows 6, 7, 11). In a stream without a run, the caller starts what has not started.
    pub(super) fn may_go_on(
        &mut self,
        thing: Thing,
        id: &str,
        it: &Looks<'_>,
        cx: &mut Context<'_, '_>,
    ) -> bool {
        self.is_alive(it, cx)
            && self.is_open(thing, id, it, cx)
            && self.is_in_lane(thing.words().owned, id, it, cx)
    }

    fn is_open(&mut self, thing: Thing, id: &str, it: &Looks<'_>, cx: &mut Context<'_, '_>) -> bool {
        if self.open.names(thing).is_open(id) {
            return true;
        }
        let words = thing.words();
        let (first, between, last) = match it.name == words.end && thing != Thing::Reasoning {
            true => ("A '", "", "' event must be sent first."),
            false => ("Start a ", " with '", "' first."),
        };
        let noun = if between.is_empty() { "" } else { words.noun };
        self.refuse(
            &rules::NOT_STARTED,
            &[
                "Cannot send '",
                it.name,
                "' event: No active ",
                words.noun,
                " found with ID '",
                id,
                "'. ",
                first,
                noun,
                between,
                words.start,
                last,
            ],
            cx,
        );
        self.phase == Phase::Fragments && cx.is_reading()
    }

    /// Whether nothing is open that has to end before the run (row 12). Only the first of it is said.
    pub(super) fn is_all_closed(&mut self, cx: &mut Context<'_, '_>) -> bool {
        let names = |names: Vec<&str>| names.into_iter().map(String::from).collect::<Vec<String>>();
        let open = [
            ("steps", self.open.steps.all_open()),
            ("text messages", names(self.open.names(Thing::Text).all_open())),
            ("reasoning messages", names(self.open.names(Thing::Reasoning).all_open())),
            ("reasoning spans", names(self.open.names(Thing::Span).all_open())),
            ("tool calls", names(self.open.names(Thing::Call).all_open())),
            ("subagents", names(self.open.subagents.all_open())),
        ];
        match open.iter().find(|(_, open)| !open.is_empty()) {
            None => true,
            Some((what, open)) => {
                let said =
                    ["Cannot send 'RUN_FINISHED' while ", what, " are still active: ", &open.join(", ")];
                self.refuse(&rules::FINISHED_EARLY, &said, cx);
                cx.is_reading()
            }
        }
    }
}
