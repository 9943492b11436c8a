//! Agent cards: the description of an agent and its URLs, in one object for both dialects. (2.1,
//! 2.2.)

use alloc::{string::String, vec::Vec};

use super::Dialect;
use super::request::dialect::object;
use crate::json::Value;

/// The paths of the card at the root of a server: that of 1.0 and later versions of 0.3, and that
/// of the first servers.
pub const CARD_PATHS: [&str; 2] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/// The description of an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentCard {
    /// The name.
    pub name: String,
    /// The purpose.
    pub description: String,
    /// The version of the agent itself, not of the protocol.
    pub version: String,
    /// The URL of the JSON-RPC endpoint. The paths of the REST binding are below it.
    pub url: String,
    /// The skills: objects with `id`, `name`, `description` and `tags`. If it is empty, the card
    /// has one skill with the name and the description of the agent.
    pub skills: Vec<Value>,
    /// Whether each request needs a key, in the header `Authorization: Bearer …`. The card then
    /// declares this security scheme.
    pub needs_key: bool,
}

/// The name of the security scheme.
const BEARER: &str = "bearer";

impl AgentCard {
    /// Returns the card as JSON: the card of 1.0, with additional members for clients of 0.3.
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
        // The members of 1.0 and of 0.3 stand side by side in one scheme.
        let scheme = || {
            object([
                ("httpAuthSecurityScheme", Some(object([("scheme", text("Bearer"))]))),
                ("type", text("http")),
                ("scheme", text(BEARER)),
            ])
        };
        let secured = |member: Value| self.needs_key.then_some(member);
        let named = |value: Value| object([(BEARER, Some(value))]);
        let no_scopes = || Value::Array(Vec::new());
        let scopes = named(object([("list", Some(no_scopes()))]));
        let required = |value: Value| secured(Value::Array(Vec::from([value])));
        let card = object([
            ("name", text(&self.name)),
            ("description", text(&self.description)),
            ("version", text(&self.version)),
            ("supportedInterfaces", Some(interfaces)),
            ("capabilities", Some(capabilities)),
            ("defaultInputModes", modes()),
            ("defaultOutputModes", modes()),
            ("skills", Some(Value::Array(skills))),
            ("securitySchemes", secured(named(scheme()))),
            ("securityRequirements", required(object([("schemes", Some(scopes))]))),
            // The members for clients of 0.3.
            ("protocolVersion", text("0.3.0")),
            ("url", text(&self.url)),
            ("preferredTransport", text("JSONRPC")),
            ("additionalInterfaces", Some(Value::Array(additional.into()))),
            ("security", required(named(no_scopes()))),
        ]);
        card.to_json()
    }
}
