//! Makes a conversation valid for a target, and notes what is changed.
//!
//! Each step has its own file. Their order matters: results are in their calls before names are changed, and a turn is
//! empty only after its parts were checked. Normalising a valid conversation changes nothing.

mod names;
mod pair;
mod parts;
mod request;
mod settings;
mod tools;
mod turns;

use alloc::string::String;
use alloc::vec::Vec;

use super::Conversation;
use super::requirements::Requirements;
use crate::hub::loss::Losses;

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
    /// Whether the input of the client's tool is a text, which the model writes as the argument `input`.
    pub is_text: bool,
}

impl Back {
    /// Whether all names and inputs are those of the client.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Returns the tool with a name at the model, if it differs from the client's.
    pub fn tool(&self, sent: &str) -> Option<&ToolName> {
        self.tools.iter().find(|tool| tool.sent == sent)
    }
}

/// Makes a conversation valid for a target. `scope` is that of the target; opaque members of other scopes are left out.
pub(crate) fn normalise(
    conversation: &mut Conversation,
    to: &Requirements,
    scope: Option<&str>,
    losses: &mut Losses,
) -> Back {
    let has_memory = request::has_memory(conversation, to);
    request::check(conversation, to, losses);
    request::check_id(conversation, to, losses);
    if to.new_turns_only.is_some() {
        turns::leave_history(conversation, to, losses);
    }
    pair::pair(conversation, to.needs_results && !has_memory, losses);
    let back = tools::offer(conversation, to, losses);
    settings::check(conversation, to, losses);
    parts::check(conversation, to, scope, &back, losses);
    turns::check(&mut conversation.turns, to, losses);
    settings::check_thinking(conversation, to, losses);
    parts::placeholders(&mut conversation.turns, to);
    back
}
