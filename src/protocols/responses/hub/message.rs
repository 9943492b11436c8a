//! Messages of the hub: their state while they are open, and the end of their items.

use alloc::borrow::ToOwned;

use super::from_hub::ToResponses;
use super::held::Message;
use crate::core::WireEvent;
use crate::hub::{EndStatus, MessageEnd, MessageKind, Out, Step, ToolKind, message_id};
use crate::json::Value;

impl ToResponses {
    pub(super) fn open(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        let Step::Open { message, kind, id, .. } = *step else { return };
        let open = Message {
            id: message_id(id, out).map(ToOwned::to_owned),
            is_reasoning: kind == MessageKind::Reasoning,
            is_tool: kind.is_tool(),
            is_result: kind == MessageKind::Result(ToolKind::Plugin),
            lists_tools: kind == MessageKind::Other("mcp_list_tools"),
            more: Value::Null,
            tool: match kind {
                MessageKind::Call(tool) => tool,
                _ => ToolKind::Function,
            },
            item: None,
            items: 0,
            encrypted: None,
        };
        self.messages.insert(message.into(), open);
    }

    pub(super) fn close(&mut self, message: u32, end: &MessageEnd, out: &mut Out<'_, WireEvent>) {
        let place = out.place(message).to_owned();
        if end.metadata.is_some() {
            out.lose("metadata", &place, "items of Responses have no metadata");
        }
        if end.usage.is_some() {
            out.lose("usage", &place, "Responses counts the tokens of the response, not of items");
        }
        let Some(open) = self.messages.get(message.into()) else { return };
        let says_nothing = open.items == 0 && open.item.is_none() && !open.is_tool;
        let item = if says_nothing { self.text_item(message, out) } else { open.item };
        let Some(open) = self.messages.remove(message.into()) else { return };
        if !matches!(open.more, Value::Null) {
            out.lose("metadata", &place, "items of Responses have no metadata");
        }
        let status = match end.status {
            EndStatus::Completed => "completed",
            EndStatus::Incomplete => "incomplete",
            EndStatus::Failed if open.is_tool => "failed",
            _ => {
                if item.is_some() {
                    let why = "items of Responses are completed or incomplete: it became incomplete";
                    out.lose("message-status", &place, why);
                }
                "incomplete"
            }
        };
        let encrypted = open.encrypted.map(|value| Value::from([("encrypted_content", value.into())]));
        match item {
            Some(item) => self.end_item(item, status, encrypted.unwrap_or_default(), out),
            None if encrypted.is_some() => out.lose("opaque", &place, "only reasoning has such a value"),
            None => {}
        }
    }
}
