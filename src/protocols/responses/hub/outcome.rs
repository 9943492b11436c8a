//! The arguments and results of tools of the server.

use alloc::string::String;

use super::said::{FORMAT, ItemRole, Object};
use super::to_hub::State;
use crate::engine::{Key, Node};
use crate::hub::{Hub, MessageKind, Note, Step, ToolKind, given};
use crate::json::Value;
use crate::protocols::responses::Item;
use crate::protocols::responses::model::{
    ResponsesApplyPatchCall, ResponsesCodeInterpreterCall, ResponsesFileSearchCall, ResponsesFunctionCall,
    ResponsesImageGenerationCall, ResponsesMcpCall, ResponsesMcpListTools, ResponsesShellCall,
};

impl State {
    /// Emits the further members of the item of a tool of the server, and the failure of a call without an error.
    pub(super) fn say_members(&mut self, node: Node, hub: &mut Hub<'_>) {
        let item = &self.objects[node as usize];
        if item.is_of_server() {
            let container = item.get(ResponsesCodeInterpreterCall::container_id);
            let mut more = given([("container_id", container.filter(|id| !id.is_null()).cloned())]);
            more.extend(item.extra.iter().cloned());
            if !more.is_empty() {
                let value = &Value::Object(more);
                hub.note(Note::Metadata { value, message: Some(item.message), call: None });
            }
        }
        let no_error = item.get(ResponsesMcpCall::error).is_none_or(Value::is_null);
        if matches!(item.role(), ItemRole::Call(_)) && item.word(Item::status) == "failed" && no_error {
            hub.note(Note::Progress { id: item.call(), status: "failed", data: None });
        }
    }

    /// Emits the result of a call whose own item has it, such as that of a tool of the server.
    pub(super) fn say_outcome(&mut self, node: Node, tool: ToolKind, hub: &mut Hub<'_>) {
        let item = &self.objects[node as usize];
        let error = item.get(ResponsesMcpCall::error).filter(|error| !error.is_null());
        if let Some(error) = error {
            let text = ["message", "content"].iter().find_map(|name| error.text(name));
            let text = error.as_str().or(text);
            let text = text.map_or_else(|| error.to_json(), Into::into);
            hub.note(Note::ToolError { id: item.call(), cause: Some("tool"), text: &text });
            return;
        }
        let keys = [
            ResponsesMcpCall::output,
            ResponsesFileSearchCall::results,
            ResponsesCodeInterpreterCall::outputs,
        ];
        if !keys.iter().any(|key| item.get(*key).is_some_and(|value| !value.is_null())) {
            return;
        }
        self.messages += 1;
        let message = self.messages;
        let kind = MessageKind::Result(tool);
        hub.emit(&Step::open(message, kind, kind.default_role(), None));
        self.say_result(node, message, &keys, hub);
        hub.close(message);
    }

    /// Emits the result of a tool: the first of these members that is present. If `keys` is empty, the members of
    /// output items are used.
    pub(super) fn say_result(&self, node: Node, message: u32, keys: &[Key], hub: &mut Hub<'_>) {
        let item = &self.objects[node as usize];
        let default =
            [ResponsesMcpCall::output, ResponsesImageGenerationCall::result, ResponsesMcpListTools::tools];
        let keys = if keys.is_empty() { &default[..] } else { keys };
        let value = keys.iter().find_map(|key| item.get(*key).filter(|value| !value.is_null()));
        let output = value.map(Value::to_text).unwrap_or_default();
        hub.emit(&Step::result(message, 0, item.call(), &output));
    }
}

/// Returns the arguments of a tool of the server as JSON.
pub(super) fn arguments(item: &Object) -> Option<String> {
    let value = |key| item.get(key).filter(|value: &&Value| !value.is_null());
    if let Some(queries) = value(ResponsesFileSearchCall::queries) {
        return Some(Value::from([("queries", queries.clone())]).to_json());
    }
    let whole =
        [ResponsesShellCall::action, ResponsesApplyPatchCall::operation, ResponsesFunctionCall::arguments];
    let known = whole.iter().find_map(|key| value(*key));
    let is_known = item.kind.is_some() || item.extra.is_empty();
    known.map(Value::to_json).or_else(|| (!is_known).then(|| Value::Object(item.extra.clone()).to_json()))
}

/// Returns an image as a data URL.
pub(super) fn data_url(item: &Object, image: &str) -> String {
    let format = item.extra.iter().find(|member| member.key == FORMAT);
    let format = format.and_then(|member| member.value.as_str()).unwrap_or("png");
    let format = if format == "svg" { "svg+xml" } else { format };
    ["data:image/", format, ";base64,", image].concat()
}
