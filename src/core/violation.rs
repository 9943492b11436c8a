//! Rules and their violations. A violation is a value, never an error.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::core::error::DecodeError;
use crate::json::{between, push_integer, put};

/// A rule of a protocol.
///
/// Rules are statics, one table per protocol ([`agent_api::rules`). Their ids are stable; programs
/// can match on them, count them and link to them.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Stable kebab-case name.
    pub id: &'static str,
    /// The severity of a violation.
    pub severity: Severity,
    /// The clause of the protocol reference that defines the rule.
    pub clause: &'static str,
    /// The behavior of a conforming peer.
    pub expected: &'static str,
    /// The reader's reaction to a violation.
    pub recovery: &'static str,
}

impl Rule {
    /// Creates a rule of a custom protocol, for a static.
    pub const fn new(
        id: &'static str,
        severity: Severity,
        clause: &'static str,
        expected: &'static str,
        recovery: &'static str,
    ) -> Rule {
        // The npm package's readers return the id, and its module `agentwire/rules` has the other
        // texts.
        if cfg!(all(feature = "wasm-reader", not(feature = "wasm"), not(feature = "std"))) {
            return Rule { id, severity, clause: "", expected: "", recovery: "" };
        }
        Rule { id, severity, clause, expected, recovery }
    }
}

/// The severity of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum Severity {
    /// Legal or harmless, for information.
    Note,
    /// Against the protocol; the intention is certain, and the answer is correct.
    Warning,
    /// Information was lost, cut off or contradictory.
    Error,
}

impl Severity {
    /// Returns `"note"`, `"warning"` or `"error"`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One violation of one rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// The location of the violation.
    pub at: Location,
    /// A short description of the actual value; free text, for people.
    pub got: String,
}

/// A location in a stream.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Location {
    /// The number of the event, from 0. At the end of the stream, the number of events.
    pub event: u64,
    /// The byte offset of the event in the stream.
    pub offset: u64,
    /// The message concerned, or the tool call if a protocol's messages do not have ids. An id is
    /// cut after 1,000 characters.
    pub message_id: Option<String>,
    /// The index of the content concerned.
    pub index: Option<u32>,
}

/// A location in a stream. The [`Location`] is created only if the violation is kept.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LazyLocation<'a> {
    pub event: u64,
    pub offset: u64,
    pub message_id: Option<&'a str>,
    pub index: Option<u32>,
}

impl LazyLocation<'_> {
    /// Returns the location for a report. Long ids are shortened.
    pub fn to_location(self) -> Location {
        const MOST: usize = 1_000;
        let LazyLocation { event, offset, index, .. } = self;
        Location { event, offset, message_id: self.message_id.map(|id| shortened(id, MOST)), index }
    }
}

/// Returns the first characters of a text, with a mark if the text is longer.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    // A text does not have more characters than bytes.
    if text.len() <= most {
        return text.to_owned();
    }
    match text.char_indices().nth(most) {
        Some((end, _)) => [between(text, 0, end), "…"].concat(),
        None => text.to_owned(),
    }
}

/// Shortens a text for a report.
pub(crate) fn shorten(text: &str) -> String {
    shortened(text, 120)
}

/// Shortens a value of a client for the text of a refusal, to at most a kilobyte.
pub(crate) fn excerpt(text: &str) -> String {
    shortened(text, 250)
}

/// Something was larger than a bound of [`Limits`](crate::Limits) allows. The one rule that is the
/// reader's own.
pub static LIMIT_EXCEEDED: Rule = Rule::new(
    "limit-exceeded",
    Severity::Error,
    "Limits",
    "a stream within `Limits`",
    "excess dropped",
);

// The rules of framing, which hold for every protocol that is sent as server-sent events.

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
    Severity::Warning,
    "R1",
    "JSON in server-sent events only",
    "JSON outside of server-sent events read as events",
);

/// Expected: a stream of events.
pub static WHOLE_ANSWER: Rule = Rule::new(
    "whole-answer",
    Severity::Warning,
    "R1",
    "events one by one, not a list of events or a whole answer",
    "its events read",
);

/// Expected: errors in the form of the protocol.
pub static FOREIGN_ERROR: Rule = Rule::new(
    "foreign-error",
    Severity::Warning,
    "R1",
    "errors in the form of the protocol",
    "its message is the error of the answer",
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
pub static INVALID_UTF8: Rule = Rule::new(
    "invalid-utf8",
    Severity::Error,
    "R3",
    "valid UTF-8",
    "invalid bytes replaced by U+FFFD",
);

// The value that a peer sent instead of the expected one. It is formatted only if the violation is
// kept.

/// The value that a peer sent instead. Creating one is cheap; most are counted and never read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Observed<'a> {
    /// A description.
    Words(&'a str),
    /// The error text of the protocol's own client, at most 1,000 characters.
    ClientMessage(&'a str),
    /// A text of the stream, shortened.
    Text(&'a str),
    /// A name from the stream, in backticks.
    Name(&'a str),
    /// A description, followed by a name from the stream in backticks.
    Named(&'static str, &'a str),
    /// The actual value and the expected value.
    Instead(&'a str, &'a str),
    /// The actual number, if there is one, and the expected number.
    Number(Option<i64>, i64),
    /// A number of items.
    Count(u64),
    /// More than the limit of that name and size.
    Over(&'static str, u64),
    /// A text of the first length that differs from the text of the second length.
    Lengths(u64, u64),
    /// Events of the protocol with that title, and its name.
    Protocol(&'static str, &'static str),
    /// The decoding error of bytes that are not an event, and the data.
    NoEvent(&'a DecodeError, &'a str),
}

impl Observed<'_> {
    /// Returns the text of a violation.
    pub(crate) fn sentence(self) -> String {
        let mut sentence = String::new();
        let out = &mut sentence;
        match self {
            Observed::Words(words) | Observed::Text(words) => return shorten(words),
            Observed::ClientMessage(words) => return shortened(words, 1_000),
            Observed::Name(name) => quoted(name, out),
            Observed::Named(what, name) => {
                put(out, what);
                put(out, " ");
                quoted(name, out);
            }
            Observed::Instead(got, expected) => {
                put(out, &shorten(got));
                put(out, " instead of ");
                put(out, &shorten(expected));
            }
            Observed::Number(None, _) => put(out, "no number"),
            Observed::Number(Some(got), expected) => {
                push_integer(got, out);
                put(out, " instead of ");
                push_integer(expected, out);
            }
            Observed::Count(count) => push_integer(count as i64, out),
            Observed::Over(name, limit) => {
                put(out, "more than ");
                quoted(name, out);
                put(out, " = ");
                push_integer(limit as i64, out);
            }
            Observed::Lengths(got, streamed) => {
                push_integer(got as i64, out);
                put(out, " bytes that differ from the ");
                push_integer(streamed as i64, out);
                put(out, " streamed");
            }
            Observed::Protocol(title, name) => {
                put(out, "what looks like ");
                put(out, title);
                put(out, ": use protocol ");
                quoted(name, out);
            }
            Observed::NoEvent(error, data) => {
                error.write(out);
                put(out, ": ");
                put(out, &shorten(data));
            }
        }
        sentence
    }
}

fn quoted(name: &str, out: &mut String) {
    put(out, "`");
    put(out, &shorten(name));
    put(out, "`");
}
