//! The rules of framing, which hold for every protocol that is sent as server-sent events.

use super::violation::{Rule, Severity};

/// Expected: a blank line after every event.
pub static FRAMING_UNTERMINATED: Rule = Rule::new(
    "framing-unterminated",
    Severity::Warning,
    "R1",
    "a blank line after every event",
    "last event delivered",
);

/// Expected: server-sent events.
pub static NDJSON: Rule = Rule::new(
    "ndjson",
    Severity::Error,
    "R1",
    "server-sent events",
    "this is newline-delimited JSON, not SSE: nothing read; the option `framing` selects it",
);

/// Expected: events of the selected protocol.
pub static UNKNOWN_PROTOCOL: Rule = Rule::new(
    "unknown-protocol",
    Severity::Error,
    "R1",
    "events of the selected protocol",
    "events of other protocols omitted from the snapshot",
);

/// Expected: valid UTF-8.
pub static INVALID_UTF8: Rule =
    Rule::new("invalid-utf8", Severity::Error, "R3", "valid UTF-8", "invalid bytes replaced by U+FFFD");
