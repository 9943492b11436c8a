//! What the lifecycle refuses, and how reading goes on after it. (B.6.)

use super::AgUiMeaning;
use super::look::Looks;
use crate::core::{Observed, Rule};
use crate::engine::Context;
use crate::protocols::ag_ui::lifecycle::{Allowed, Owned, Phase, Thing, filled};

impl AgUiMeaning {
    /// Says what the official client would. Always false: what is refused is not applied.
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

    /// Whether an event is allowed; says so if it is not.
    pub(super) fn allows(&self, allowed: Allowed, cx: &mut Context<'_>) -> bool {
        match allowed {
            Ok(()) => true,
            Err(refused) => self.refuse(refused.rule, "{}", &[&refused.said], cx),
        }
    }

    /// Whether an event may come at all. Where a run begins too early or not at all, the events are read all the same.
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

    /// Whether there is time to go through messages again. What an event costs beside itself is counted in `steps`, and paid by
    /// the bytes that have come; real streams come nowhere near it.
    pub(super) fn has_time(&self, cx: &mut Context<'_>) -> bool {
        const GIVEN: u64 = 1 << 16;
        const BY_BYTE: u64 = 2;
        let has = self.steps <= GIVEN + BY_BYTE * cx.at().1;
        if !has {
            cx.too_many("messages", cx.options().limits.messages as u64);
        }
        has
    }

    /// Whether there is room to remember one thing more of the run.
    pub(super) fn has_room(&self, cx: &mut Context<'_>) -> bool {
        // A message takes up to four places: open, owned, as a parent and as a call.
        let most = cx.options().limits.messages.saturating_mul(4);
        let has = self.life.open.len() < most;
        if !has {
            cx.too_many("messages", cx.options().limits.messages as u64);
        }
        has
    }

    /// Whether the lane of an event is that of what it is about.
    pub(super) fn is_in_lane(&self, owned: Owned, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) -> bool {
        self.allows(self.life.is_in_lane(owned, id, it.said()), cx)
    }

    /// Something starts.
    pub(super) fn may_start(&mut self, thing: Thing, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) -> bool {
        self.is_alive(it, cx) && self.allows(self.life.may_start(thing, id), cx) && self.has_room(cx)
    }

    /// Something goes on or ends. In a stream without a run, the caller starts what has not started.
    pub(super) fn may_go_on(&mut self, thing: Thing, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) -> bool {
        self.is_alive(it, cx)
            && (self.allows(self.life.is_open(thing, id, it.name), cx)
                || self.life.phase == Phase::Fragments && cx.is_reading())
            && self.is_in_lane(thing.words().owned, id, it, cx)
    }

    /// Whether nothing is open that has to end before the run.
    pub(super) fn is_all_closed(&mut self, cx: &mut Context<'_>) -> bool {
        self.allows(self.life.may_finish(), cx) || cx.is_reading()
    }
}
