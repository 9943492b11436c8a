//! The shared state, and the events of reasoning of older versions. (B.4, B.7.)

use super::look::{Looked, Looks};
use super::{AgUiMeaning, ROOT};
use crate::core::Observed;
use crate::core::json_patch::Tree;
use crate::engine::{Context, Owner, SinkValue};
use crate::json::{Element, Raw, Str};
use crate::protocols::ag_ui::lifecycle::Thing;
use crate::protocols::ag_ui::{Snapshot, rules};

impl AgUiMeaning {
    /// Applies the old events of reasoning, which do not have ids (B.4).
    pub(super) fn think(&mut self, name: &str, delta: Option<Str<'_>>, it: &Looks<'_>, cx: &mut Context<'_>) {
        if self.is_first(name) {
            cx.breach(&rules::LEGACY_THINKING, Observed::Name(name));
        }
        let is_message = name.starts_with("THINKING_TEXT_");
        let starts = name.ends_with("_START");
        let id = match self.thinking[usize::from(is_message)].take() {
            Some(id) if !starts => id,
            _ => {
                self.thinking_ids += 1;
                ["thinking-", &crate::json::decimal(self.thinking_ids.into())].concat()
            }
        };
        if !name.ends_with("_END") {
            self.thinking[usize::from(is_message)] = Some(id.clone());
        }
        let rest = name.strip_prefix("THINKING").unwrap_or(name);
        let name = ["REASONING", rest.strip_prefix("_TEXT").unwrap_or(rest)].concat();
        let it = &Looks { name: &name, ..it.clone() };
        match (is_message, starts, delta) {
            (false, true, _) => self.start_span(&id, it, cx),
            (false, false, _) => self.end_span(&id, it, cx),
            (true, true, _) => self.start_text(Thing::Reasoning, &id, None, None, it, cx),
            (true, false, Some(delta)) => self.add_text(Thing::Reasoning, &id, delta, it, cx),
            (true, false, None) => self.end_text(Thing::Reasoning, &id, it, cx),
        }
    }

    /// Replaces the state with any JSON value.
    pub(super) fn replace_state(
        &mut self,
        snapshot: Option<Element<'_, '_>>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        if !self.is_alive(it, cx) {
            return;
        }
        let (value, tree) = match snapshot {
            Some(snapshot) => (SinkValue::Free(snapshot), Tree::of(snapshot)),
            None => (SinkValue::Json(Raw("null")), Tree::from_raw(Raw("null"))),
        };
        if cx.set(ROOT, Snapshot::state, value) {
            self.state.replace(tree);
        }
    }

    pub(super) fn patch_state(
        &mut self,
        delta: Option<Element<'_, '_>>,
        looks: &Looked<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        if self.is_alive(&looks.common(), cx) {
            let state = &mut self.state;
            looks.with("delta", delta, |patch| {
                cx.patch((ROOT, Snapshot::state), state, patch, &rules::PATCH_FAILED, Owner::NONE);
            });
        }
    }
}
