//! The message of a completion that is not a stream: it is written at the end.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::answer::{GrowingText, kind_of, member_of};
use super::calls::add;
use crate::hub::InputFormat;
use crate::json::{Member, ObjectWriter, Value, write_list};

/// The message so far.
#[derive(Debug, Default)]
pub(super) struct WholeMessage {
    content: Option<String>,
    reasoning: Option<String>,
    refusal: Option<String>,
    calls: Vec<WholeCall>,
    /// The other members.
    more: Value,
}

#[derive(Debug)]
struct WholeCall {
    id: String,
    name: String,
    input: InputFormat,
    text: String,
    more: Vec<Member>,
}

impl WholeMessage {
    /// Appends a piece of a text.
    pub fn append(&mut self, text: GrowingText, piece: &str) {
        let text = match text {
            GrowingText::Content => &mut self.content,
            GrowingText::Reasoning => &mut self.reasoning,
            GrowingText::Refusal => &mut self.refusal,
            GrowingText::Input(index, _) => return self.calls[index].text.push_str(piece),
        };
        text.get_or_insert_default().push_str(piece);
    }

    /// Begins the next call.
    pub fn call(&mut self, (id, name): (&str, &str), input: InputFormat, more: Vec<Member>) {
        let (id, name, text) = (id.to_owned(), name.to_owned(), String::new());
        self.calls.push(WholeCall { id, name, input, text, more });
    }

    /// Adds members to a call.
    pub fn call_members(&mut self, index: usize, more: Vec<Member>) {
        add(&mut self.calls[index].more, more);
    }

    /// Adds a member to the message. The items of lists are added to those before.
    pub fn add(&mut self, key: &str, value: Value) {
        if let (Value::Object(members), Value::Array(more)) = (&mut self.more, &value)
            && let Some(Member { value: Value::Array(items), .. }) =
                members.iter_mut().find(|member| member.key == key)
        {
            return items.extend_from_slice(more);
        }
        self.more.insert(key, value);
    }

    /// Writes the list of choices, of which this is the only one.
    pub fn write(&self, finish: &str, out: &mut String) {
        write_list([self], out, |message, out| {
            let mut choice = ObjectWriter::open(out, false);
            choice.integer("index", Some(0));
            message.write_message(choice.member("message"));
            choice.raw("logprobs", None);
            choice.string("finish_reason", Some(finish));
            choice.close();
        });
    }

    fn write_message(&self, out: &mut String) {
        let mut message = ObjectWriter::open(out, false);
        message.string("role", Some("assistant"));
        let is_silent = self.refusal.is_none() && self.calls.is_empty();
        message.string("content", self.content.as_deref().or(is_silent.then_some("")));
        message.string("refusal", self.refusal.as_deref());
        if self.reasoning.is_some() {
            message.string("reasoning_content", self.reasoning.as_deref());
        }
        if let Value::Object(members) = &self.more {
            members.iter().for_each(|member| message.value(&member.key, Some(&member.value)));
        }
        if !self.calls.is_empty() {
            write_list(&self.calls, message.member("tool_calls"), |call, out| {
                let mut written = ObjectWriter::open(out, true);
                let kind = kind_of(call.input);
                written.string("id", Some(&call.id));
                written.string("type", Some(kind));
                let mut tool = ObjectWriter::open(written.member(kind), true);
                tool.string("name", Some(&call.name));
                tool.string(member_of(call.input), Some(&call.text));
                tool.close();
                call.more.iter().for_each(|more| written.value(&more.key, Some(&more.value)));
                written.close();
            });
        }
        message.close();
    }
}
