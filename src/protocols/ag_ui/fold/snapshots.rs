//! Complete messages: snapshots of the thread, and the request that a run answers. (B.7, U13.)

use alloc::{string::String, vec::Vec};

use super::calls::FoldedCalls;
use super::messages::FoldedMessages;
use super::{AgUiFold, ROOT};
use crate::bytes::string_map::StringMap;
use crate::engine::{Context, Field, FieldValue};
use crate::json::Element;

use crate::protocols::ag_ui::lifecycle::{EventHead, MessageHead};
use crate::protocols::ag_ui::{Message, Role, Snapshot, ToolCall};

impl AgUiFold {
    /// Merges a snapshot of the messages (U13): replaces the messages that the snapshot has,
    /// removes those that it does not have, except for activities and reasoning that clients keep,
    /// and adds the rest.
    pub(super) fn replace_messages(&mut self, head: &EventHead<'_>, cx: &mut Context<'_>) {
        self.life.work += self.messages.order.len() as u64;
        let (new, scope) = (head.messages, Scope::of(head.metadata));
        let has = |role: Role| new.iter().any(|message| message.role == role);
        let (has_activity, has_reasoning) = (has(Role::Activity), has(Role::Reasoning));
        let mut last = StringMap::default();
        new.iter().enumerate().for_each(|(at, message)| last.insert(&message.id, at));

        let before = core::mem::take(&mut self.messages.order);
        let mut order = Vec::with_capacity(before.len() + new.len());
        let mut taken: Vec<bool> = alloc::vec![false; new.len()];
        let mut changed = false;
        // The ids that get another message: those of removed messages, and those of the new ones.
        let mut renewed = last.clone();
        for at in before {
            let message = &self.messages.all[at];
            let stays = match message.role {
                Role::Activity => scope.keeps(
                    message.activity.as_ref().map_or("", |activity| &activity.1),
                    has_activity,
                ),
                Role::Reasoning => !has_reasoning,
                _ => false,
            };
            let replaced = last.get(&message.id).copied();
            match replaced {
                None if stays => order.push(at),
                None => {
                    renewed.insert(&message.id, at);
                    self.remove_message(at, cx);
                    changed = true;
                }
                Some(number) => {
                    self.remove_message(at, cx);
                    order.extend(self.make_message(&new[number], cx));
                    taken[number] = true;
                    changed = true;
                }
            }
        }
        for message in new {
            if last.get(&message.id).is_some_and(|last| taken[*last]) {
                continue;
            }
            order.extend(self.make_message(message, cx));
        }
        for at in order.iter().rev() {
            if renewed.get(&self.messages.all[*at].id).is_some() {
                self.messages.ids.set(&self.messages.all[*at].id, *at);
            }
            // Another call with the same id may have been removed with its message.
            let FoldedCalls { all, ids } = &mut self.messages.calls;
            self.messages.all[*at]
                .calls
                .iter()
                .rev()
                .for_each(|call| ids.set(&all[*call].id, *call));
        }
        if changed {
            let nodes: Vec<u32> = order.iter().map(|at| self.messages.all[*at].node).collect();
            cx.arrange(ROOT, Snapshot::messages, &nodes);
        }
        self.messages.order = order;
    }

    /// Adds the messages that do not exist yet.
    pub(super) fn add_unknown_messages(
        &mut self,
        messages: &[MessageHead<'_>],
        cx: &mut Context<'_>,
    ) {
        for message in messages {
            if self.messages.ids.find(&message.id).is_none()
                && let Some(at) = self.make_message(message, cx)
            {
                self.messages.order.push(at);
                self.messages.ids.set(&message.id, at);
            }
        }
    }

    /// Creates a message from its JSON, but does not add it to the order.
    fn make_message(&mut self, message: &MessageHead<'_>, cx: &mut Context<'_>) -> Option<usize> {
        let MessageHead { id, role, json: message } = message;
        let role = *role;
        let at = self.messages.make(id, role, cx)?;
        let node = self.messages.all[at].node;
        let mut kind = None;
        for (name, value) in message.members() {
            let text = value.words();
            match name.as_plain().unwrap_or_default() {
                "content" if role == Role::Activity => kind = Some(value),
                "toolCalls" => self.make_calls(at, value, cx),
                "subagentRunId" => self.messages.set_subagent(at, Some(&text), cx),
                "metadata" => self.messages.all[at].metadata.add(Some(value), cx),
                "id" | "role" => {}
                "content" => {
                    cx.set(node, Message::content, FieldValue::Free(value));
                }
                name => {
                    if let Some(key) = key_of(name) {
                        cx.set_text(node, key, &text);
                    }
                }
            }
        }
        if let Some(content) = kind {
            let kind = (*message)
                .member("activityType")
                .map_or_else(Default::default, |kind| kind.words());
            self.set_activity(at, &kind, content, cx);
        }
        Some(at)
    }

    fn make_calls(&mut self, at: usize, calls: Element<'_, '_>, cx: &mut Context<'_>) {
        if calls.array().is_ok_and(|mut calls| calls.next().is_none()) {
            cx.set_json(self.messages.all[at].node, Message::tool_calls, "[]");
        }
        for call in calls.items() {
            let text = |of: Option<Element<'_, '_>>, name| {
                of.and_then(|of| of.member(name)).map(|text| text.words().into_owned())
            };
            let function = call.member("function");
            let id = text(Some(call), "id").unwrap_or_default();
            let (name, arguments) = (text(function, "name"), text(function, "arguments"));
            let opened = self.open_call(
                at,
                &id,
                &name.unwrap_or_default(),
                &arguments.unwrap_or_default(),
                cx,
            );
            let Some(opened) = opened else { continue };
            if let Some(value) = text(Some(call), "encryptedValue") {
                cx.set_text(
                    self.messages.calls.all[opened].node,
                    ToolCall::encrypted_value,
                    &value,
                );
            }
            self.messages.calls.all[opened].metadata.add(call.member("metadata"), cx);
        }
    }

    /// Removes a message, its id and the ids of its calls.
    pub(super) fn remove_message(&mut self, at: usize, cx: &mut Context<'_>) {
        let FoldedMessages { all, ids, calls, .. } = &mut self.messages;
        let message = &mut all[at];
        cx.release(message.node);
        message.activity = None;
        message.text = None;
        for call in core::mem::take(&mut message.calls) {
            calls.ids.remove(&calls.all[call].id, call);
        }
        ids.remove(&message.id, at);
    }
}

/// The activities that a snapshot replaces.
enum Scope {
    /// All activities, if the snapshot has any.
    Default,
    /// All activities.
    All,
    /// The activities of these kinds.
    Kinds(Vec<String>),
}

impl Scope {
    fn of(metadata: Option<Element<'_, '_>>) -> Self {
        let Some(client) = metadata.and_then(|metadata| metadata.member("@ag-ui/client")) else {
            return Scope::Default;
        };
        if client.object().is_err() {
            return Scope::Kinds(Vec::new());
        }
        let Some(kinds) = client.member("authoritativeActivityTypes") else {
            return Scope::Default;
        };
        if kinds.is_null() {
            return Scope::All;
        }
        let texts = kinds.items().map(|kind| Some(kind.string().ok()?.to_str().into_owned()));
        Scope::Kinds(texts.collect::<Option<_>>().unwrap_or_default())
    }

    /// Returns whether an activity that is not in the snapshot is kept.
    fn keeps(&self, kind: &str, has_activity: bool) -> bool {
        match self {
            Scope::Default => !has_activity,
            Scope::All => false,
            Scope::Kinds(kinds) => !kinds.iter().any(|known| known == kind),
        }
    }
}

/// Returns the key of a message member that is set unchanged.
fn key_of(name: &str) -> Option<Field> {
    Some(match name {
        "name" => Message::name,
        "toolCallId" => Message::tool_call_id,
        "error" => Message::error,
        "activityType" => Message::activity_type,
        "encryptedValue" => Message::encrypted_value,
        _ => return None,
    })
}
