//! Questions and their answers: approvals of tool calls.

use super::{QUESTION, ToResponses, WireOutput};
use crate::hub::approval::{TEXT, is_without_tool, question_with_text};
use crate::hub::{Step, present_members};
use crate::json::Value;

impl ToResponses {
    /// Writes a question: a tool call that has to be approved. The answer refers to the id of the
    /// item. Official clients show the arguments, and keep the member `text`.
    pub(super) fn ask(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Interrupt { message, id, reason, payload, text, .. } = *step else { return };
        if reason.is_some() {
            out.lose("interrupt-members", id, QUESTION);
        }
        self.questions.push(id, ());
        let ([name, arguments, server_label], is_added) = question_with_text(payload, text);
        // Beside the arguments, it shows that it is not a member of the payload.
        let beside = text.filter(|_| is_added || !is_without_tool(payload));
        let members = present_members([
            ("name", Some(name.into())),
            ("arguments", Some(arguments.into())),
            ("server_label", Some(server_label.into())),
            (TEXT, beside.map(Value::from)),
        ]);
        self.count_item(message);
        let own = self.named(id, out);
        self.whole_item("mcp_approval_request", own, Value::Object(members), out);
    }

    /// Writes the answer to a question. One that is neither yes nor no declines.
    pub(super) fn answer(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Answer { message, id, approved, reason, .. } = *step else { return };
        self.questions.take(id);
        let answer = [
            ("approval_request_id", id.into()),
            ("approve", (approved == Some(true)).into()),
            ("reason", reason.map_or(Value::Null, Value::from)),
        ];
        let own = self.next_id(message);
        self.whole_item("mcp_approval_response", own.as_deref(), answer.into(), out);
    }
}
