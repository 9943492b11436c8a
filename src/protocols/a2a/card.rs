//! Agent cards: who an agent is and where it is asked, for both dialects at once. (2.1, 2.2.)

use alloc::{string::String, vec::Vec};

use super::Dialect;
use super::request::dialect::object;
use crate::json::Value;

/// Where cards are, at the root of a server: that of 1.0 and later 0.3, and that of the first servers.
pub const CARD_PATHS: [&str; 2] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/// Who an agent is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentCard {
    /// Its name.
    pub name: String,
    /// The purpose.
    pub description: String,
    /// Its own version.
    pub version: String,
    /// Where it is asked by JSON-RPC, and, below it, by REST.
    pub url: String,
    /// What it can do: objects with `id`, `name`, `description` and `tags`. Without any, one that says what the agent is for.
    pub skills: Vec<Value>,
}

impl AgentCard {
    /// The card as JSON: that of 1.0, with the members besides that clients of 0.3 look for.
    pub fn to_json(&self) -> String {
        let text = |text: &str| Some(Value::from(text));
        let interface = |binding: &str, dialect: Dialect| {
            object([
                ("url", text(&self.url)),
                ("protocolBinding", text(binding)),
                ("protocolVersion", text(dialect.as_str())),
            ])
        };
        let interfaces = Value::Array(Vec::from([
            interface("JSONRPC", Dialect::V1),
            interface("HTTP+JSON", Dialect::V1),
            interface("JSONRPC", Dialect::V0_3),
            interface("HTTP+JSON", Dialect::V0_3),
        ]));
        let additional = ["JSONRPC", "HTTP+JSON"]
            .map(|transport| object([("url", text(&self.url)), ("transport", text(transport))]));
        let skills = match self.skills.is_empty() {
            false => self.skills.clone(),
            true => Vec::from([object([
                ("id", text("agent")),
                ("name", text(&self.name)),
                ("description", text(&self.description)),
                ("tags", Some(Value::Array(Vec::from(["agent".into()])))),
            ])]),
        };
        let modes = || {
            let names = ["text/plain", "application/json", "image/*", "audio/*", "video/*"];
            Some(Value::Array(names.map(Value::from).into()))
        };
        let capabilities = object([
            ("streaming", Some(true.into())),
            ("pushNotifications", Some(false.into())),
            ("extendedAgentCard", Some(false.into())),
        ]);
        let card = object([
            ("name", text(&self.name)),
            ("description", text(&self.description)),
            ("version", text(&self.version)),
            ("supportedInterfaces", Some(interfaces)),
            ("capabilities", Some(capabilities)),
            ("defaultInputModes", modes()),
            ("defaultOutputModes", modes()),
            ("skills", Some(Value::Array(skills))),
            // 0.3.
            ("protocolVersion", text("0.3.0")),
            ("url", text(&self.url)),
            ("preferredTransport", text("JSONRPC")),
            ("additionalInterfaces", Some(Value::Array(additional.into()))),
        ]);
        card.to_json()
    }
}
