//! The texts that the writer of answers puts in the place of strings of the server. Their prefix
//! marks a request that contains one: it does not pass through unchanged to the server.

/// The signature of a thinking that has none: clients send only signed thinking back.
pub(super) const UNSIGNED: &str = r#"aw1.none..{"members":{}}"#;

/// The MCP server of the tools that an agent has run itself.
pub(super) const AGENT: &str = "aw1.agent";

/// The index of a citation that the server of the protocol has not made.
pub(super) const UNINDEXED: &str = "aw1.citation";
