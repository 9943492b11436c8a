//! The tools that are offered: with legal names, and in the forms that the target has.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

use super::back::BackNames;
use super::names::{Unique, legal};
use super::{Back, ToolName, schema};
use crate::hub::conversation::client_tools::ClientTool;
use crate::hub::conversation::requirements::{Requirements, Strict, ToolKinds};
use crate::hub::conversation::{
    Content, Conversation, FormatName, Function, Part, Tool, ToolChoice, Turn, hosted,
};
use crate::hub::loss::{LossClass, Losses};
use crate::json::Value;

/// The argument that has the input of a custom tool which became a function.
pub(crate) const TEXT_ARGUMENT: &str = "input";

/// Replaces the tools by those that the target has. Returns how their names are mapped back.
pub(super) fn offer(
    conversation: &mut Conversation,
    to: &Requirements,
    losses: &mut Losses,
) -> Back {
    let mut offered = Offered {
        to,
        is_own: conversation.format == to.format,
        list: Vec::new(),
        back: Back::default(),
        given: BTreeSet::new(),
        added: BTreeMap::new(),
        sent: Unique::default(),
        losses,
    };
    for tool in take(&mut conversation.tools) {
        offered.add(tool, None);
    }
    if !to.tools.in_turns {
        added(&conversation.turns, &mut |tool| offered.add_later(tool, None));
    }
    let Offered { mut list, back, losses, .. } = offered;
    let is_function = |tool: &Tool| matches!(tool, Tool::Function(_));
    if to.lone_functions && list.iter().any(is_function) {
        list.retain(|tool| {
            if let Tool::Hosted { value, .. } = tool {
                let reason = "the target has either functions or tools of the provider";
                losses.add(LossClass::Contract, "tool", hosted::kind(value), reason);
            }
            is_function(tool)
        });
    }
    conversation.tools = list;
    let names = BackNames::new(&back);
    let sent = |name: &mut String| {
        if let Some(tool) = names.get(name, None) {
            name.clone_from(&tool.sent);
        }
    };
    match &mut conversation.settings.choice {
        Some(ToolChoice::Named(name)) => sent(name),
        Some(ToolChoice::Allowed { names, .. }) => names.iter_mut().for_each(sent),
        _ => {}
    }
    back
}

/// Calls `found` with the tools that turns add.
fn added<'t>(turns: &'t [Turn], found: &mut dyn FnMut(&'t Tool)) {
    let results = |part: &'t Part| part.as_call()?.result.as_ref();
    for part in turns.iter().flat_map(|turn| &turn.parts) {
        let of_result = results(part).into_iter().flat_map(|result| &result.parts);
        for part in core::iter::once(part).chain(of_result) {
            if let Content::Tools(tools) = &part.content {
                tools.iter().for_each(&mut *found);
            }
        }
    }
}

struct Offered<'a> {
    to: &'a Requirements,
    /// Whether the request is one of the target's protocol.
    is_own: bool,
    list: Vec<Tool>,
    back: Back,
    /// The names of the client's tools, with their namespaces.
    given: BTreeSet<String>,
    /// The tools that turns have added, by their names with their namespaces: each request repeats
    /// them.
    added: BTreeMap<String, Tool>,
    /// The names at the target.
    sent: Unique,
    losses: &'a mut Losses,
}

impl Offered<'_> {
    /// Adds a tool that a turn has added, unless an earlier turn has added the same.
    fn add_later(&mut self, tool: &Tool, namespace: Option<&str>) {
        let name = match tool {
            Tool::Namespace { name, tools, .. } => {
                let outer = full_name(name, namespace);
                return tools.iter().for_each(|tool| self.add_later(tool, Some(&outer)));
            }
            Tool::Function(Function { name, .. }) | Tool::Custom { name, .. } => {
                full_name(name, namespace)
            }
            Tool::Hosted { value, .. } => hosted::kind(value).into(),
        };
        if self.added.get(&name) != Some(tool) {
            self.added.insert(name, tool.clone());
            self.add(tool.clone(), namespace);
        }
    }

    fn add(&mut self, tool: Tool, namespace: Option<&str>) {
        let kinds: ToolKinds = self.to.tools;
        if let Tool::Function(Function { name, .. }) | Tool::Custom { name, .. } = &tool
            && name.is_empty()
        {
            return self.losses.add(LossClass::Contract, "tool", "", "the tool has no name");
        }
        if self.is_repeated(&tool, namespace) {
            return;
        }
        match tool {
            Tool::Function(function) if kinds.functions => {
                self.function(function, namespace, ClientForm::Function);
            }
            Tool::Custom { name, description, format } if kinds.custom => {
                let name = self.rename(name, namespace, ClientForm::Function);
                self.list.push(Tool::Custom { name, description, format });
            }
            Tool::Custom { name, description, format } if kinds.functions => {
                let reason = "a custom tool becomes a function with one text";
                self.losses.add(LossClass::Quality, "tool-grammar", &name, reason);
                let function = function_of_text(name, description, format);
                self.function(function, namespace, ClientForm::Text);
            }
            Tool::Namespace { name, description, tools } if kinds.namespaces => {
                self.list.push(Tool::Namespace { name, description, tools });
            }
            Tool::Namespace { name, tools, .. } if kinds.functions => {
                let reason = "the tools of a namespace have its name before theirs";
                self.losses.add(LossClass::Cosmetic, "tool-namespace", &name, reason);
                let outer = full_name(&name, namespace);
                tools.into_iter().for_each(|tool| self.add(tool, Some(&outer)));
            }
            Tool::Hosted { purpose, format, value } => self.hosted(purpose, format, value),
            Tool::Function(Function { name, .. })
            | Tool::Custom { name, .. }
            | Tool::Namespace { name, .. } => {
                self.losses.add(LossClass::Contract, "tool", &name, "the target has no tools");
            }
        }
    }

    /// Offers a function.
    fn function(&mut self, mut function: Function, namespace: Option<&str>, form: ClientForm) {
        let name = take(&mut function.name);
        function.name = self.rename(name, namespace, form);
        let is_own = function.format == self.to.format;
        if let Some(reason) = schema::check(&mut function.schema, is_own, self.to) {
            self.losses.add(LossClass::Contract, "tool-parameters", &function.name, reason);
        }
        if self.to.tools.strict == Strict::Default && !is_own {
            function.strict.get_or_insert(false);
        }
        if function.strict.is_some() && self.to.tools.strict == Strict::Unknown {
            if function.strict == Some(true) {
                let reason = "the target has no strict functions";
                self.losses.add(LossClass::Quality, "tool-members", &function.name, reason);
            }
            function.strict = None;
        }
        if function.cache.is_some() && !self.to.tools.cache && !is_own {
            function.cache = None;
            let reason = "the target has no cache breakpoints";
            self.losses.add(LossClass::Quality, "cache", &function.name, reason);
        }
        if !is_own && function.format == "gemini" {
            // Gemini's own form of the schema.
            function.more.retain(|member| member.key != "parameters");
        }
        if !is_own && !self.to.tools.foreign {
            for member in take(&mut function.more) {
                let reason = "the target has no such member of a tool";
                self.losses.add(LossClass::Cosmetic, "tool-members", &member.key, reason);
            }
        }
        self.list.push(Tool::Function(function));
    }

    fn hosted(&mut self, purpose: Option<&'static str>, format: FormatName, value: Value) {
        let is_converted = self.to.tools.hosted.iter().any(|(_, name)| *name == format);
        if format == self.to.format || self.to.tools.foreign || is_converted {
            return self.list.push(Tool::Hosted { purpose, format, value });
        }
        if let Some(tool) = ClientTool::of(&value, &format)
            && self.to.tools.functions
        {
            let reason = "a tool of the client becomes a function";
            self.losses.add(LossClass::Cosmetic, "tool-form", tool.item, reason);
            return self.function(tool.function(&value), None, ClientForm::Item(tool.item));
        }
        let kind = hosted::kind(&value);
        let known = self.to.tools.hosted.iter().find(|(known, _)| Some(*known) == purpose);
        let Some((_, name)) = known else {
            return self.losses.add(
                LossClass::Contract,
                "tool",
                kind,
                "the target has no such tool",
            );
        };
        let mut restricted = false;
        let asks = purpose == Some("mcp") && format == "responses";
        hosted::missing(&value, self.to.tools.hosted_options, asks, |missing| {
            restricted |= missing.restricts;
            let reason = "the tool of the target has no such option";
            self.losses.add(LossClass::Contract, "tool-members", missing.name, reason);
        });
        if restricted {
            let reason = "the tool of the target can do more than was allowed";
            return self.losses.add(LossClass::Contract, "tool", kind, reason);
        }
        // Servers have one tool of a purpose, and one of each MCP server.
        let key = [name, "\n", value.text("server_label").unwrap_or_default()].concat();
        if !self.given.insert(key) {
            return self.losses.add(
                LossClass::Contract,
                "tool",
                kind,
                "another tool has the same purpose",
            );
        }
        self.list.push(Tool::Hosted { purpose, format: FormatName::Borrowed(name), value });
    }

    /// Whether another tool has the name already, so that this one is left out. The target's own
    /// clients know what they do.
    fn is_repeated(&mut self, tool: &Tool, namespace: Option<&str>) -> bool {
        let (Tool::Function(Function { name, .. }) | Tool::Custom { name, .. }) = tool else {
            return false;
        };
        let is_new =
            self.is_own || !self.to.needs_results || self.given.insert(full_name(name, namespace));
        if !is_new {
            self.losses.add(LossClass::Contract, "tool", name, "another tool has the same name");
        }
        !is_new
    }

    /// Returns the name at the target, and notes how it is mapped back.
    fn rename(&mut self, name: String, namespace: Option<&str>, form: ClientForm) -> String {
        let full = full_name(&name, namespace);
        let is_kept = self.is_own || !self.to.needs_results;
        let sent = if is_kept {
            legal(&full, self.to.tool_names)
        } else {
            self.sent.legal(&full, self.to.tool_names)
        };
        if sent != name || form != ClientForm::Function {
            self.back.tools.push(ToolName {
                sent: sent.clone(),
                name,
                namespace: namespace.map(Into::into),
                is_text: form == ClientForm::Text,
                item: match form {
                    ClientForm::Item(item) => Some(item.into()),
                    _ => None,
                },
            });
        }
        sent
    }
}

/// What the client has that the model knows as a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClientForm {
    /// A function, or the same tool as the target.
    Function,
    /// A tool whose input is a text.
    Text,
    /// A tool whose calls are items of this type.
    Item(&'static str),
}

/// Returns the name of a tool after that of its namespace.
pub(super) fn full_name(name: &str, namespace: Option<&str>) -> String {
    namespace.map_or_else(|| name.into(), |namespace| [namespace, "__", name].concat())
}

fn function_of_text(name: String, description: Option<String>, format: Option<Value>) -> Function {
    let mut described = description.unwrap_or_default();
    if let Some(format) = &format
        && let Some(definition) = format.text("definition")
    {
        described += "\n\nThe input follows this grammar";
        if let Some(syntax) = format.text("syntax") {
            described += " (";
            described += syntax;
            described += ")";
        }
        described += ":\n";
        described += definition;
    }
    let input = Value::from([("type", "string")].map(|(key, value)| (key, Value::from(value))));
    let schema = Value::from([
        ("type", "object".into()),
        ("properties", Value::from([(TEXT_ARGUMENT, input)])),
        ("required", Value::Array([Value::from(TEXT_ARGUMENT)].into())),
    ]);
    Function { name, description: Some(described), schema: Some(schema), ..Function::default() }
}
