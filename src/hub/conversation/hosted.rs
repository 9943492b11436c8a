//! The options of tools of a provider, which several protocols have in spellings of their own.

use crate::json::{Member, Value};

/// An option of a tool of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostedOption {
    /// The domains that are searched: a list.
    AllowedDomains,
    /// The domains that are not searched: a list.
    BlockedDomains,
    /// The place of the user: an object.
    Location,
    /// The highest number of calls.
    MaxUses,
    /// The tools of an MCP server that can be called: a list of names.
    AllowedTools,
    /// The token for an MCP server.
    Authorization,
}

/// Where tools have the options.
const PATHS: [(&str, HostedOption); 9] = [
    ("allowed_domains", HostedOption::AllowedDomains),
    ("filters.allowed_domains", HostedOption::AllowedDomains),
    ("blocked_domains", HostedOption::BlockedDomains),
    ("filters.blocked_domains", HostedOption::BlockedDomains),
    ("excludeDomains", HostedOption::BlockedDomains),
    ("user_location", HostedOption::Location),
    ("max_uses", HostedOption::MaxUses),
    ("allowed_tools", HostedOption::AllowedTools),
    ("authorization", HostedOption::Authorization),
];

/// The members that every target has in its own way, and those that only describe the tool.
const COMMON: [&str; 7] = [
    "type",
    "name",
    "server_label",
    "server_url",
    "server_description",
    "require_approval",
    "cache_control",
];

/// Returns the object with the options of a tool: that of its only member, if it has no type.
fn options(tool: &Value) -> &Value {
    match tool {
        Value::Object(members) => match members.as_slice() {
            [only] if only.key != "type" && matches!(only.value, Value::Object(_)) => &only.value,
            _ => tool,
        },
        _ => tool,
    }
}

/// Returns what a tool is called in losses: its type, its name, or the name of its only member.
pub(super) fn kind(tool: &Value) -> &str {
    let member = match tool {
        Value::Object(members) => members.first().map(|member| &*member.key),
        _ => None,
    };
    tool.text("type").or_else(|| tool.text("name")).or(member).unwrap_or_default()
}

/// Returns an option of a tool.
pub(crate) fn option(tool: &Value, wanted: HostedOption) -> Option<&Value> {
    let tool = options(tool);
    let paths = PATHS.iter().filter(|(_, option)| *option == wanted);
    paths.map(|(path, _)| *path).find_map(|path| match path.split_once('.') {
        Some((outer, inner)) => tool.get(outer)?.get(inner),
        None => tool.get(path),
    })
}

/// An option that a target does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Missing<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether the tool can do more without it.
    pub restricts: bool,
}

/// Calls `found` with each option of a tool that a target does not have. `asks` is whether the tool
/// asks the user before each call by default.
pub(super) fn missing<'a>(
    tool: &'a Value,
    supported: &[HostedOption],
    asks: bool,
    mut found: impl FnMut(Missing<'a>),
) {
    let tool = options(tool);
    let Value::Object(members) = tool else { return };
    let approval = tool.get("require_approval");
    if approval.is_some_and(|approval| approval.as_str() != Some("never"))
        || (asks && approval.is_none())
    {
        found(Missing { name: "require_approval", restricts: true });
    }
    let is_supported = |path: &str| {
        PATHS.iter().any(|(known, option)| *known == path && supported.contains(option))
    };
    let is_given = |member: &&Member| !is_blank(&member.value);
    for member in members.iter().filter(is_given).filter(|member| !COMMON.contains(&&*member.key)) {
        let is_filter = matches!(&member.value, Value::Object(inner) if inner.iter().filter(is_given)
            .all(|inner| is_supported(&[&member.key, ".", &inner.key].concat())));
        if !is_supported(&member.key) && !is_filter {
            found(Missing { name: &member.key, restricts: restricts(member) });
        }
    }
}

/// Whether a member is empty.
fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(inner) => inner.iter().all(|member| is_blank(&member.value)),
        _ => false,
    }
}

/// Whether a tool can do more without an option.
fn restricts(member: &Member) -> bool {
    match &*member.key {
        "allowed_domains" | "blocked_domains" | "excludeDomains" | "filters" | "allowed_tools"
        | "max_uses" | "configs" | "default_config" => true,
        _ => member.value == Value::Bool(false),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    fn names(tool: &str, supported: &[HostedOption], asks: bool) -> Vec<(String, bool)> {
        let tool = Value::parse(tool, 16).expect("JSON");
        let mut names = Vec::new();
        missing(&tool, supported, asks, |missing| {
            names.push((missing.name.into(), missing.restricts))
        });
        names
    }

    #[test]
    fn options_are_found_in_every_spelling() {
        for tool in [r#"{"allowed_domains":["a"]}"#, r#"{"filters":{"allowed_domains":["a"]}}"#] {
            let tool = Value::parse(tool, 16).expect("JSON");
            let domains = option(&tool, HostedOption::AllowedDomains);
            assert_eq!(domains, Some(&Value::Array([Value::from("a")].into())));
        }
    }

    #[test]
    fn what_a_target_does_not_have_is_listed() {
        let domains = [HostedOption::AllowedDomains];
        for (tool, supported, asks, expected) in [
            (r#"{"type":"web_search"}"#, &[][..], false, &[][..]),
            (r#"{"type":"web_search","filters":{"allowed_domains":["a"]}}"#, &domains, false, &[]),
            (
                r#"{"type":"web_search","filters":{"allowed_domains":["a"]}}"#,
                &[],
                false,
                &[("filters", true)],
            ),
            (
                r#"{"type":"web_search","filters":{"other":["a"]}}"#,
                &domains,
                false,
                &[("filters", true)],
            ),
            (r#"{"filters":{},"googleSearch":{"timeRangeFilter":null}}"#, &[], false, &[]),
            (
                r#"{"googleSearch":{"excludeDomains":["a"]}}"#,
                &[HostedOption::BlockedDomains],
                false,
                &[],
            ),
            (
                r#"{"googleSearch":{"excludeDomains":["a"]}}"#,
                &[],
                false,
                &[("excludeDomains", true)],
            ),
            (r#"{"external_web_access":false}"#, &[], false, &[("external_web_access", true)]),
            (r#"{"search_context_size":"low"}"#, &[], false, &[("search_context_size", false)]),
            (r#"{"server_url":"u","require_approval":"never"}"#, &[], true, &[]),
            (r#"{"server_url":"u"}"#, &[], true, &[("require_approval", true)]),
            (
                r#"{"server_url":"u","require_approval":"always"}"#,
                &[],
                false,
                &[("require_approval", true)],
            ),
        ] {
            let expected: Vec<_> =
                expected.iter().map(|(name, is)| ((*name).into(), *is)).collect();
            assert_eq!(names(tool, supported, asks), expected, "{tool}");
        }
    }
}
