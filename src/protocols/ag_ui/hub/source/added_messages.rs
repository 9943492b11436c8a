//! Messages that only a snapshot of the messages contains.
//!
//! A server whose model does not stream lists the answer. Targets without such lists receive the
//! messages that the run has added to the list as separate messages: those after the last message
//! of the user that were not streamed. They are emitted before the next message, or at the end of
//! the run, so that a text that continues in pieces is emitted in these pieces. A list before the
//! first events of a run contains earlier turns, unless no other events follow.

use alloc::vec::Vec;

use super::messages::text_of;
use super::{AgUiSource, EmittedItem};
use crate::bytes::string_map::StringMap;
use crate::hub::{Hub, MessageKind, Step, ToolKind};
use crate::json::Value;

/// The state of the messages in lists.
#[derive(Debug, Default)]
pub(super) struct AddedMessages {
    /// The ids of messages that are not emitted from a list: earlier messages, and those that a
    /// list has emitted already.
    known: StringMap<()>,
    /// The ids of such calls, and of the calls that have a result.
    calls: StringMap<()>,
    with_result: StringMap<()>,
    /// The texts that the run has emitted.
    texts: StringMap<()>,
    /// The messages of the last list that may have to be emitted.
    waiting: Vec<Value>,
    /// Whether the last list came before any other event of the run.
    came_first: bool,
    /// Whether the run has had events other than its start, its end, and snapshots of the state and
    /// of the messages.
    has_begun: bool,
}

impl AddedMessages {
    /// Begins a run with the messages of its request.
    pub fn begin(&mut self, messages: &Value) {
        self.texts = StringMap::default();
        self.forget();
        self.has_begun = false;
        let ids = messages.items().iter().filter_map(|message| message.text("id"));
        for id in ids {
            self.known.insert(id, ());
        }
    }

    /// Records that an event of that type has come.
    pub fn event(&mut self, name: &str) {
        self.has_begun |= !matches!(
            name,
            "RUN_STARTED" | "RUN_FINISHED" | "STATE_SNAPSHOT" | "MESSAGES_SNAPSHOT"
        );
    }

    /// Records the text or the result of an item at its end.
    pub fn record(&mut self, item: &EmittedItem) {
        if !item.answers.is_empty() {
            self.with_result.insert(&item.answers, ());
        } else if !item.is_call && !item.emitted_text.is_empty() {
            self.texts.insert(&item.emitted_text, ());
        }
    }

    /// Treats the waiting messages as messages of earlier turns.
    fn forget(&mut self) {
        for message in core::mem::take(&mut self.waiting) {
            self.known.insert(message.text("id").unwrap_or_default(), ());
        }
    }
}

impl AgUiSource {
    /// Records a list of the messages.
    pub(super) fn list(&mut self, messages: &Value) {
        let added = &mut self.added;
        if added.came_first && added.has_begun {
            added.forget();
        }
        added.came_first = !added.has_begun;
        let messages = messages.items();
        let turn = messages.iter().rposition(|message| message.text("role") == Some("user"));
        let new = messages.iter().skip(turn.map_or(0, |user| user + 1));
        let is_known =
            |message: &&Value| added.known.get(message.text("id").unwrap_or_default()).is_some();
        added.waiting = new.filter(|message| !is_known(message)).cloned().collect();
    }

    /// Emits the messages that were listed before an item begins, except for that item.
    pub(super) fn emit_added_before(&mut self, at: usize, hub: &mut Hub<'_>) {
        let Some(item) = self.items.get(at) else { return };
        let known = if item.is_call { &mut self.added.calls } else { &mut self.added.known };
        known.insert(&item.id, ());
        if self.added.came_first {
            self.added.forget();
        }
        self.added.has_begun = true;
        self.emit_added(hub);
    }

    /// Emits the remaining listed messages at the end of the run.
    pub(super) fn emit_last_added(&mut self, hub: &mut Hub<'_>) {
        if self.added.came_first && self.added.has_begun {
            self.added.forget();
        }
        self.emit_added(hub);
    }

    fn emit_added(&mut self, hub: &mut Hub<'_>) {
        for message in core::mem::take(&mut self.added.waiting) {
            let id = message.text("id").unwrap_or_default();
            let kind = match message.text("role") {
                Some("assistant") => MessageKind::Message,
                Some("reasoning") => MessageKind::Reasoning,
                Some("tool") => MessageKind::Result(ToolKind::Function),
                _ => continue,
            };
            let is_new = self.added.known.get(id).is_none() && !self.is_emitted(id, false);
            self.added.known.insert(id, ());
            let text = message
                .get("content")
                .filter(|content| !content.is_null())
                .map(text_of)
                .unwrap_or_default();
            if let (true, Some(call)) = (is_new, message.text("toolCallId")) {
                self.emit_added_result(&message, call, &text, hub);
            } else if is_new && !text.is_empty() && self.added.texts.get(&text).is_none() {
                let number = self.open_added(&message, kind, Some(id), None, hub);
                let step = match kind {
                    MessageKind::Reasoning => Step::reasoning(number, 0, &text),
                    _ => Step::Text { message: number, part: 0, piece: &text },
                };
                close_added(&message, number, &[step], hub);
            }
            for call in message.get("toolCalls").map(Value::items).unwrap_or_default() {
                self.emit_added_call(&message, call, hub);
            }
        }
    }

    fn emit_added_call(&mut self, message: &Value, call: &Value, hub: &mut Hub<'_>) {
        let id = call.text("id").unwrap_or_default();
        if self.added.calls.get(id).is_some() || self.is_emitted(id, true) {
            return;
        }
        self.added.calls.insert(id, ());
        let function = |name: &str| {
            call.get("function").and_then(|function| function.text(name)).unwrap_or_default()
        };
        let kind = MessageKind::Call(ToolKind::Function);
        let number = self.open_added(message, kind, None, message.text("id"), hub);
        let arguments = Step::Arguments { message: number, part: 0, piece: function("arguments") };
        let steps = [Step::call(number, 0, id, function("name"), &[]), arguments];
        let count = if function("arguments").is_empty() { 1 } else { 2 };
        close_added(message, number, &steps[..count], hub);
    }

    fn emit_added_result(&mut self, message: &Value, call: &str, text: &str, hub: &mut Hub<'_>) {
        if self.added.with_result.get(call).is_some() {
            return;
        }
        self.added.with_result.insert(call, ());
        let kind = MessageKind::Result(ToolKind::Function);
        let number = self.open_added(message, kind, message.text("id"), None, hub);
        close_added(message, number, &[Step::result(number, 0, call, text)], hub);
    }

    /// Returns whether a message or a call of that id has been emitted by its own events.
    fn is_emitted(&mut self, id: &str, is_call: bool) -> bool {
        let item = self.by_id[usize::from(is_call)].get(id).and_then(|at| self.items.get_mut(*at));
        let Some(item) = item else { return false };
        // Later pieces of the item continue from here.
        item.listed = None;
        item.number > 0
    }

    fn open_added(
        &mut self,
        message: &Value,
        kind: MessageKind<'_>,
        id: Option<&str>,
        parent: Option<&str>,
        hub: &mut Hub<'_>,
    ) -> u32 {
        self.messages += 1;
        let name = message.text("name").filter(|_| kind == MessageKind::Message);
        let (message_number, role) = (self.messages, kind.default_role());
        let open =
            Step::Open { message: message_number, kind, role, id, name, parent, alternative: 0 };
        hub.emit_in(hub.meta().in_lane(message.text("subagentRunId")).listed(), &open);
        self.messages
    }
}

/// Emits the steps of a complete message, and closes it.
fn close_added(message: &Value, number: u32, steps: &[Step<'_>], hub: &mut Hub<'_>) {
    let context = hub.meta().in_lane(message.text("subagentRunId")).listed();
    for step in steps {
        hub.emit_in(context, step);
    }
    hub.close_whole(context, number);
}
