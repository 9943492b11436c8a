//! Makes a conversation valid for a target, and notes what is changed.
//!
//! Each step has its own file. Their order matters: results are in their calls before names are
//! changed, and a turn is empty only after its parts were checked. Normalising a valid conversation
//! changes nothing.

mod answers;
mod back;
mod cache;
mod media;
mod names;
mod pair;
mod parts;
mod request;
mod schema;
mod settings;
mod thinking;
mod tools;
mod turns;

use alloc::string::String;
use alloc::vec::Vec;

pub(crate) use parts::lack_state;
pub(crate) use tools::TEXT_ARGUMENT;

use super::Conversation;
use super::requirements::Requirements;
use crate::core::Limits;
use crate::hub::loss::Losses;
use crate::json::{ObjectWriter, Value, write_list};

/// How the names of the answer's calls are mapped back to those of the client's tools.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Back {
    /// The tools whose names or inputs differ.
    pub tools: Vec<ToolName>,
}

/// A tool that the model knows in another form than the client.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolName {
    /// The name at the model.
    pub sent: String,
    /// The name of the client's tool.
    pub name: String,
    /// The namespace of the client's tool.
    pub namespace: Option<String>,
    /// Whether the input of the client's tool is a text, which the model writes as the argument
    /// `input`.
    pub is_text: bool,
    /// The type of the calls of the client's tool, if its protocol has one for it:
    /// `local_shell_call`.
    pub item: Option<String>,
}

impl Back {
    /// Whether all names and inputs are those of the client.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Returns the text of a custom tool that became a function: its only argument.
    pub fn text_of(arguments: &str) -> String {
        let parsed = Value::parse(arguments, Limits::default().json_depth).ok();
        let text = parsed.as_ref().and_then(|parsed| parsed.text(TEXT_ARGUMENT));
        text.map_or_else(|| arguments.into(), Into::into)
    }

    /// Returns `[{"sent","name","namespace","isText","item"}]`, without the members that are missing or
    /// false.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        write_list(&self.tools, &mut out, |tool, out| {
            let mut object = ObjectWriter::open(out, true);
            object.string("sent", Some(&tool.sent));
            object.string("name", Some(&tool.name));
            object.string("namespace", tool.namespace.as_deref());
            object.bool("isText", Some(tool.is_text).filter(|is_text| *is_text));
            object.string("item", tool.item.as_deref());
            object.close();
        });
        out
    }

    /// Reads the list of [`to_json`](Self::to_json). What is not such a tool is left out.
    pub fn from_json(list: &Value) -> Self {
        let tool = |tool: &Value| {
            let text = |name: &str| tool.text(name).map(String::from);
            let (sent, name, namespace) = (text("sent")?, text("name")?, text("namespace"));
            Some(ToolName {
                sent,
                name,
                namespace,
                is_text: tool.get("isText") == Some(&Value::Bool(true)),
                item: text("item"),
            })
        };
        match list {
            Value::Array(tools) => Back { tools: tools.iter().filter_map(tool).collect() },
            _ => Back::default(),
        }
    }

    /// Returns the tool with a name at the model, if it differs from the client's.
    pub fn tool(&self, sent: &str) -> Option<&ToolName> {
        self.tools.iter().find(|tool| tool.sent == sent)
    }
}

/// Makes a conversation valid for a target. `scope` is that of the target; opaque members of other
/// scopes are left out.
pub(crate) fn normalise(
    conversation: &mut Conversation,
    to: &Requirements,
    scope: Option<&str>,
    losses: &mut Losses,
) -> Back {
    let has_memory = request::has_memory(conversation, to);
    request::check(conversation, to, losses);
    turns::leave_empty_ids(conversation);
    request::check_id(conversation, to, losses);
    if to.new_turns_only.is_some() {
        turns::leave_history(conversation, to, losses);
    }
    if to.needs_results {
        answers::into_results(conversation);
    }
    pair::pair(conversation, to.needs_results && !has_memory, losses);
    let back = tools::offer(conversation, to, losses);
    settings::check(conversation, to, losses);
    parts::check(conversation, to, scope, &back, losses);
    cache::check(conversation, to, losses);
    turns::check(conversation, to, losses);
    thinking::check_state(conversation, to, losses);
    parts::placeholders(&mut conversation.turns, to);
    back
}
