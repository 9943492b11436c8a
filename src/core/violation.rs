//! What a peer did wrong: a value, never an error.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::json::between;

/// A rule of a protocol.
///
/// Rules are statics, one table per protocol ([`agent_api::rules`); their ids are stable and
/// meant to be matched on, counted and linked to.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Stable kebab-case name.
    pub id: &'static str,
    /// How bad a breach is.
    pub severity: Severity,
    /// The clause of the protocol reference that it comes from.
    pub clause: &'static str,
    /// What a conforming peer does.
    pub expected: &'static str,
    /// What the reader did about the breach.
    pub recovery: &'static str,
}

impl Rule {
    /// A rule, for a protocol of one's own: a static.
    pub const fn new(
        id: &'static str,
        severity: Severity,
        clause: &'static str,
        expected: &'static str,
        recovery: &'static str,
    ) -> Rule {
        // The npm package's readers say the id, and its module `agentwire/rules` the rest.
        if cfg!(all(feature = "wasm-reader", not(feature = "wasm"), not(feature = "std"))) {
            return Rule { id, severity, clause: "", expected: "", recovery: "" };
        }
        Rule { id, severity, clause, expected, recovery }
    }
}

/// How bad a breach is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Severity {
    /// Legal or harmless, worth knowing.
    Note,
    /// Against the protocol; what was meant is certain, and the answer is right.
    Warning,
    /// Something was lost, cut off or contradictory.
    Error,
}

impl Severity {
    /// `"note"`, `"warning"` or `"error"`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One breach of one rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// Where.
    pub at: Location,
    /// What came instead, in a few words; free text, for people.
    pub got: String,
}

/// Where in a stream something happened.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Location {
    /// Number of the event, from 0; the number of events when it is about the end of the stream.
    pub event: u64,
    /// The byte offset of the event in the stream.
    pub offset: u64,
    /// The message concerned, or the tool call, where a protocol's messages have no ids. Of an id of more than 1,000
    /// characters, these.
    pub message_id: Option<String>,
    /// The index of the content concerned.
    pub index: Option<u32>,
}

/// Where something happens: an [`At`] that is only made if somebody keeps it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place<'a> {
    pub event: u64,
    pub offset: u64,
    pub message_id: Option<&'a str>,
    pub index: Option<u32>,
}

impl Place<'_> {
    /// The place as it is kept. Ids that a report would only be longer by are shortened.
    pub fn kept(self) -> Location {
        const MOST: usize = 1_000;
        let Place { event, offset, index, .. } = self;
        Location { event, offset, message_id: self.message_id.map(|id| shortened(id, MOST)), index }
    }
}

/// The first characters of a text, and a mark if those are not all of it.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    // No text has more characters than bytes.
    if text.len() <= most {
        return text.to_owned();
    }
    match text.char_indices().nth(most) {
        Some((end, _)) => [between(text, 0, end), "…"].concat(),
        None => text.to_owned(),
    }
}

/// A text short enough to be shown in a report.
pub(crate) fn shorten(text: &str) -> String {
    shortened(text, 120)
}

/// Something was larger than a bound of [`Limits`](crate::Limits) allows. The one rule that is the reader's own.
pub static LIMIT_EXCEEDED: Rule =
    Rule::new("limit-exceeded", Severity::Error, "Limits", "a stream within `Limits`", "excess dropped");
