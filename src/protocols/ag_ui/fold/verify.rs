//! The events that the lifecycle refuses, and how reading continues after them. (B.6.)

use super::AgUiMeaning;
use super::look::Looks;
use crate::core::{Observed, Rule};
use crate::engine::Context;
use crate::protocols::ag_ui::lifecycle::{Allowed, Owned, Phase, Thing, filled};

impl AgUiMeaning {
    /// Reports a violation with the message of the official client. Always returns false, because a refused event is
    /// not applied.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse(
        &self,
        rule: &'static Rule,
        words: &str,
        values: &[&str],
        cx: &mut Context<'_>,
    ) -> bool {
        cx.breach(rule, Observed::Said(&filled(words, values)));
        false
    }

    /// Returns whether an event is allowed, and reports a violation if it is not.
    pub(super) fn allows(&self, allowed: Allowed, cx: &mut Context<'_>) -> bool {
        match allowed {
            Ok(()) => true,
            Err(refused) => self.refuse(refused.rule, "{}", &[&refused.said], cx),
        }
    }

    /// Returns whether an event may come at all. If a run begins too early or not at all, the events are read
    /// nevertheless.
    pub(super) fn is_alive(&mut self, it: &Looks<'_>, cx: &mut Context<'_>) -> bool {
        let phase = self.life.phase;
        if self.allows(self.life.may_come(it.name), cx) {
            return true;
        }
        if phase == Phase::Before {
            self.life.phase = Phase::Fragments;
        }
        matches!(phase, Phase::Before | Phase::Running | Phase::Fragments) && cx.is_reading()
    }

    /// Returns whether messages may be traversed again. `steps` counts the cost of such work, and the received bytes
    /// set its limit, which real streams never reach.
    pub(super) fn has_time(&self, cx: &mut Context<'_>) -> bool {
        const GIVEN: u64 = 1 << 16;
        const BY_BYTE: u64 = 2;
        let has = self.steps <= GIVEN + BY_BYTE * cx.at().1;
        if !has {
            cx.too_many("messages", cx.options().limits.messages as u64);
        }
        has
    }

    /// Returns whether there is room to store one more entry of the run.
    pub(super) fn has_room(&self, cx: &mut Context<'_>) -> bool {
        // A message takes up to four places: open, owned, as a parent and as a call.
        let most = cx.options().limits.messages.saturating_mul(4);
        let has = self.life.open.len() < most;
        if !has {
            cx.too_many("messages", cx.options().limits.messages as u64);
        }
        has
    }

    /// Returns whether the lane of an event is the lane of its subject.
    pub(super) fn is_in_lane(&self, owned: Owned, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) -> bool {
        self.allows(self.life.is_in_lane(owned, id, it.said()), cx)
    }

    /// Returns whether a text, span or call may start.
    pub(super) fn may_start(&mut self, thing: Thing, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) -> bool {
        self.is_alive(it, cx) && self.allows(self.life.may_start(thing, id), cx) && self.has_room(cx)
    }

    /// Returns whether a text, span or call may continue or end. In a stream without a run, the caller starts it if
    /// it has not started.
    pub(super) fn may_go_on(&mut self, thing: Thing, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) -> bool {
        self.is_alive(it, cx)
            && (self.allows(self.life.is_open(thing, id, it.name), cx)
                || self.life.phase == Phase::Fragments && cx.is_reading())
            && self.is_in_lane(thing.words().owned, id, it, cx)
    }

    /// Returns whether everything that has to end before the run has ended.
    pub(super) fn is_all_closed(&mut self, cx: &mut Context<'_>) -> bool {
        self.allows(self.life.may_finish(), cx) || cx.is_reading()
    }
}
