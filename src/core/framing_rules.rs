//! The rules of framing, which hold for every protocol that is sent as server-sent events.

use super::violation::{Rule, Severity};

/// Expected: a blank line after every event.
pub static FRAMING_UNTERMINATED: Rule = Rule::new(
    "framing-unterminated",
    Severity::Warning,
    "R1",
    "a blank line after every event",
    "the last event was delivered all the same",
);

/// Expected: server-sent events.
pub static NDJSON: Rule = Rule::new(
    "ndjson",
    Severity::Error,
    "R1",
    "server-sent events",
    "this is newline-delimited JSON, not SSE: nothing of it was read; with the option `framing` it can be",
);

/// Expected: events of the protocol that is read.
pub static UNKNOWN_PROTOCOL: Rule = Rule::new(
    "unknown-protocol",
    Severity::Error,
    "R1",
    "events of the protocol that is read",
    "no event of another protocol is in the answer",
);

/// Expected: UTF-8.
pub static INVALID_UTF8: Rule =
    Rule::new("invalid-utf8", Severity::Error, "R3", "UTF-8", "the bytes became U+FFFD");
