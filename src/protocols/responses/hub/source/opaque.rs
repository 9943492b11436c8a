//! What the next request needs of the items: those of reasoning and of the server's tools as they
//! were received, and of the others what is left besides their content.

use alloc::string::String;
use alloc::vec::Vec;

use super::ResponsesSource;
use super::objects::{ObjectPlace, SourceObject};
use crate::bytes::string_map::StringMap;
use crate::core::Limits;
use crate::engine::ObjectId;
use crate::hub::conversation::Sealed;
use crate::hub::{EndStatus, Hub, MessageKind, MessagePhase, OpaquePlace};
use crate::json::{Member, Value};
use crate::protocols::responses::model::ResponsesReasoning;
use crate::protocols::responses::{Item, ItemType, MODEL, Part};
use crate::sse::SseEvent;

/// The items of an event, which is only parsed if one of them is needed.
#[derive(Default)]
pub(super) struct EventItems<'e> {
    event: Option<&'e SseEvent<'e>>,
    items: Option<StringMap<Value>>,
}

impl<'e> EventItems<'e> {
    pub fn new(event: Option<&'e SseEvent<'e>>) -> Self {
        EventItems { event, items: None }
    }

    /// Removes the item with an id.
    fn take(&mut self, id: &str) -> Option<Value> {
        let items = self.items.get_or_insert_with(|| {
            let mut items = StringMap::default();
            let mut add =
                |item: &Value| items.insert(item.text("id").unwrap_or_default(), item.clone());
            let event = self
                .event
                .and_then(|event| Value::parse(event.data, Limits::default().json_depth).ok());
            let event = event.unwrap_or_default();
            if let Some(item) = event.get("item") {
                add(item);
            }
            let response = event.get("response").unwrap_or(&event);
            for item in response.get("output").map(Value::items).unwrap_or_default() {
                add(item);
            }
            items
        });
        items.get_mut(id).map(core::mem::take).filter(|item| !item.is_null())
    }
}

impl SourceObject {
    /// Returns whether the server expects the whole item back.
    fn is_whole(&self) -> bool {
        use ItemType::{
            CustomToolCall, FunctionCall, ImageGenerationCall, McpApprovalRequest,
            McpApprovalResponse, Message,
        };
        !matches!(
            self.kind,
            Some(
                Message
                    | FunctionCall
                    | CustomToolCall
                    | ImageGenerationCall
                    | McpApprovalRequest
                    | McpApprovalResponse
            )
        ) && !matches!(self.message_kind(), Some(MessageKind::Result(_)))
    }

    /// Returns whether the client runs the tool of the call, or nobody: its content is not for
    /// other providers only.
    fn is_of_client(&self) -> bool {
        use ItemType::{ApplyPatchCall, ComputerCall, LocalShellCall, ShellCall};
        matches!(self.kind, Some(ApplyPatchCall | ComputerCall | LocalShellCall | ShellCall))
    }

    /// Returns the undeclared members of the item, and its id with them: the server does not need
    /// the id alone.
    fn left(&self) -> Vec<Member> {
        let id = self.members.filled(Item::id).filter(|_| !self.members.undeclared.is_empty());
        id.map(|id| Member::new("id", id))
            .into_iter()
            .chain(self.members.undeclared.iter().cloned())
            .collect()
    }

    /// Returns the item, made of its values.
    fn to_item(&self) -> Value {
        let mut item = Value::from([("type", self.name().into())]);
        for (key, value) in self.members.declared().filter(|(key, _)| *key != Item::r#type) {
            if let Some(name) = MODEL.key(key) {
                item.insert(name, value.clone());
            }
        }
        for member in &self.members.undeclared {
            item.insert(&member.key, member.value.clone());
        }
        item
    }
}

impl ResponsesSource {
    /// Emits the opaque members of an item that has ended, before its content ends. The server
    /// takes nothing back of an incomplete one.
    pub(super) fn emit_opaque(
        &self,
        node: ObjectId,
        status: EndStatus,
        items: &mut EventItems<'_>,
        hub: &mut Hub<'_>,
    ) {
        let item = &self.objects[node as usize];
        let Some(message) = item.phase.number() else { return };
        if status != EndStatus::Completed {
            return;
        }
        if !item.is_whole() {
            return match item.message_kind() {
                Some(MessageKind::Message) => self.emit_opaque_texts(item, message, hub),
                Some(MessageKind::Call(_)) if item.members.undeclared.len() != item.known_extra => {
                    self.emit_opaque_call(node, message, hub);
                }
                _ => {}
            };
        }
        let received = items
            .take(item.members.word(Item::id))
            .filter(|received| received.text("type") == Some(item.name()));
        let mut whole = received.unwrap_or_else(|| item.to_item());
        if let Value::Object(members) = &mut whole {
            members.retain(|member| !member.value.is_null());
        }
        let is_reasoning = item.kind == Some(ItemType::Reasoning);
        let place = match item.message_kind() {
            Some(MessageKind::Call(_)) => OpaquePlace::call(message, item.call()),
            _ => OpaquePlace::part(message, 0),
        };
        let place = if is_reasoning || item.is_of_client() { place } else { place.of_block() };
        hub.carried(item.members.word(ResponsesReasoning::encrypted_content), &whole, place);
    }

    /// Emits what is left of a message and of its parts.
    fn emit_opaque_texts(&self, item: &SourceObject, message: u32, hub: &mut Hub<'_>) {
        let mut left = item.left();
        for part in &item.parts {
            let part = &self.objects[*part as usize];
            let ObjectPlace::Part { number, .. } = part.place else { continue };
            let mut members = Vec::new();
            if let Some(list @ Value::Array(annotations)) = part.members.get(Part::annotations)
                && !annotations.is_empty()
            {
                members.push(Member::new("annotations", list.clone()));
            }
            if !left.is_empty() {
                members.push(Member::new("message", Value::Object(core::mem::take(&mut left))));
            }
            if part.is_emitted {
                hub.opaque(&Value::Object(members), OpaquePlace::part(message, number));
            }
        }
    }

    /// Emits what is left of a call of the client.
    pub(super) fn emit_opaque_call(&self, node: ObjectId, message: u32, hub: &mut Hub<'_>) {
        let item = &self.objects[node as usize];
        if !item.is_whole() {
            let place = OpaquePlace::call(message, item.call());
            hub.opaque(&Value::Object(item.left()), place);
        }
    }

    /// Emits the members of a reasoning that only carries those of another part, which has the
    /// place of the string. Returns whether it does.
    pub(super) fn emit_carried(&mut self, node: ObjectId, hub: &mut Hub<'_>) -> bool {
        let item = &self.objects[node as usize];
        let value = item.members.word(ResponsesReasoning::encrypted_content);
        let Some(sealed) = Sealed::open(value) else { return false };
        if sealed.call.is_none() && sealed.part.is_none() {
            return false;
        }
        let place = match sealed.part {
            Some(part) => OpaquePlace::part(self.messages, part),
            None => OpaquePlace::default(),
        };
        let value = String::from(value);
        self.objects[node as usize].phase = MessagePhase::Omitted;
        hub.carried(&value, &Value::Null, place);
        true
    }
}
