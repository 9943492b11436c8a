//! The facts about a stream in addition to its answer.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

#[cfg(feature = "wasm-reader")]
mod findings;

use crate::core::limits::Limits;
use crate::core::options::{Mode, ReadOptions};
use crate::core::violation::{
    LazyLocation, Location, Observed, Rule, Severity, Violation, shorten,
};
use crate::json::{ObjectWriter, write_list, write_string};

#[cfg(feature = "serde")]
use crate::core::request::{InvalidRequest, Problem};

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum EndReason {
    /// The stream has not ended.
    #[default]
    Open,
    /// The stream ended with the protocol's terminal event.
    Terminal,
    /// The stream ended with an error instead of a terminal event.
    ErrorFrame,
    /// The stream ended without a terminal event.
    Eof,
    /// The reader stopped the stream.
    Aborted,
    /// A strict reader found an error-level violation and stopped reading.
    Refused,
}

impl EndReason {
    /// Returns the stable name, kebab-case.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::Open => "open",
            EndReason::Terminal => "terminal",
            EndReason::ErrorFrame => "error-frame",
            EndReason::Eof => "eof",
            EndReason::Aborted => "aborted",
            EndReason::Refused => "refused",
        }
    }
}

/// The facts about a stream in addition to its snapshot.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Report {
    /// The reason why the stream ended.
    pub end_reason: EndReason,
    /// The number of events with data, including unreadable ones.
    pub events: u64,
    /// The number of comments, which servers send as heartbeats.
    pub comments: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// The first violations, in the order in which they were found. A limit bounds the list; the
    /// counts are complete.
    pub violations: Vec<Violation>,
    /// The number of violations of each rule, in the order of the first violation;
    /// [`Report::count`] returns one of the numbers.
    pub counts: Vec<(&'static str, u64)>,
    /// The names of events that the protocol does not declare, with the number of occurrences.
    pub unknown: Vec<(String, u64)>,
    /// The ids of the messages that never ended, in the order of their first occurrence. Contains
    /// ids of tool calls if a protocol's messages do not have ids.
    pub unfinished: Vec<String>,
    /// The last event id of the stream, for reconnecting.
    pub last_event_id: Option<String>,
    /// The reconnection time that the server requested, in milliseconds.
    pub retry: Option<u64>,
    /// The number of kept violations that are less severe than errors.
    milder: usize,
    /// For each kept violation, the number of violations before it.
    numbers: Vec<u64>,
    /// The index in `unknown` of the last unknown event, until it is taken.
    last_unknown: Option<usize>,
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("end_reason", &self.end_reason)
            .field("events", &self.events)
            .field("comments", &self.comments)
            .field("bytes", &self.bytes)
            .field("violations", &self.violations)
            .field("counts", &self.counts)
            .field("unknown", &self.unknown)
            .field("unfinished", &self.unfinished)
            .field("last_event_id", &self.last_event_id)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}

impl Report {
    /// Returns the highest severity among the violations.
    pub fn worst(&self) -> Option<Severity> {
        self.violations.iter().map(|v| v.rule.severity).max()
    }

    /// Returns the number of all violations.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Returns the number of violations of a rule.
    pub fn count(&self, rule: &str) -> u64 {
        self.counts.iter().find(|(id, _)| *id == rule).map_or(0, |(_, count)| *count)
    }

    /// Iterates over the kept violations that were found when the total was at least `from` and
    /// less than `to`: between two moments with these [totals](Report::total).
    pub fn violations_between(&self, from: u64, to: u64) -> impl Iterator<Item = &Violation> {
        let numbered = self.violations.iter().zip(&self.numbers);
        numbered
            .filter(move |(_, number)| (from..to).contains(*number))
            .map(|(violation, _)| violation)
    }

    /// Removes the violations.
    #[cfg(feature = "hub")]
    pub(crate) fn forget_violations(&mut self) {
        self.violations.clear();
        self.numbers.clear();
        self.counts.clear();
        self.milder = 0;
    }

    /// Creates a report of these violations, to which no more are added.
    #[cfg(feature = "serde")]
    pub(crate) fn of_violations(violations: Vec<Violation>) -> Self {
        let milder = violations.iter().filter(|v| v.rule.severity < Severity::Error).count();
        let numbers = (0..violations.len() as u64).collect();
        Report { violations, milder, numbers, ..Report::default() }
    }

    /// Sets the reason why the stream ended. A refusal is kept: the rest of the stream is ignored
    /// after it.
    pub fn end(&mut self, reason: EndReason) {
        if self.end_reason != EndReason::Refused {
            self.end_reason = reason;
        }
    }

    /// Adds a violation that a custom engine has found, depending on the mode: `raw` ignores it.
    /// After an error in `strict`, [`end_reason`](Self::end_reason) is `Refused` and the reader
    /// stops reading.
    pub fn note(
        &mut self,
        options: &ReadOptions,
        rule: &'static Rule,
        at: &Location,
        got: Observed<'_>,
    ) {
        let Location { event, offset, index, message_id } = at;
        let message_id = message_id.as_deref();
        self.record(
            options,
            rule,
            LazyLocation { event: *event, offset: *offset, message_id, index: *index },
            got,
        );
    }

    /// Adds a violation, depending on the mode: `raw` ignores it, and `strict` stops the reader at
    /// an error.
    #[cold]
    pub(crate) fn record(
        &mut self,
        options: &ReadOptions,
        rule: &'static Rule,
        at: LazyLocation<'_>,
        got: Observed<'_>,
    ) {
        if options.mode == Mode::Raw {
            return;
        }
        self.violation(&options.limits, rule, at, got);
        if options.mode == Mode::Strict && rule.severity == Severity::Error {
            self.end(EndReason::Refused);
        }
    }

    fn violation(
        &mut self,
        limits: &Limits,
        rule: &'static Rule,
        at: LazyLocation<'_>,
        got: Observed<'_>,
    ) {
        let number = self.total();
        match self.counts.iter_mut().find(|(id, _)| *id == rule.id) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((rule.id, 1)),
        }
        let is_error = rule.severity == Severity::Error;
        if self.violations.len() >= limits.violations {
            // An error replaces a less severe violation that is kept, if there is one.
            if !is_error || self.milder == 0 {
                return;
            }
            if let Some(milder) =
                self.violations.iter().rposition(|v| v.rule.severity < Severity::Error)
            {
                self.violations.remove(milder);
                self.numbers.remove(milder);
            }
            self.milder -= 1;
        }
        self.milder += usize::from(!is_error);
        self.violations.push(Violation { rule, at: at.to_location(), got: got.sentence() });
        self.numbers.push(number);
    }

    #[cold]
    pub(crate) fn unknown(&mut self, limits: &Limits, name: &str) {
        let name = shorten(name);
        let known = self.unknown.iter().any(|(known, _)| *known == name);
        let name =
            if known || self.unknown.len() < limits.unknown { name } else { "…".to_owned() };
        let at = self.unknown.iter().position(|(known, _)| *known == name);
        self.last_unknown = Some(at.unwrap_or(self.unknown.len()));
        match at.and_then(|at| self.unknown.get_mut(at)) {
            Some((_, count)) => *count += 1,
            None => self.unknown.push((name, 1)),
        }
    }

    /// Returns and clears the name of the last event of an unknown kind.
    #[cfg(feature = "hub")]
    pub(crate) fn take_unknown(&mut self) -> Option<&str> {
        let at = self.last_unknown.take()?;
        self.unknown.get(at).map(|(name, _)| name.as_str())
    }
}

// The report and its violations as JSON.

impl Report {
    /// Returns the report as JSON; members in the order of the declaration, violations as
    /// [`Violation::to_json`] writes them.
    pub fn to_json(&self) -> String {
        self.json(RuleTexts::With)
    }

    pub(crate) fn json(&self, texts: RuleTexts) -> String {
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out, false);
        object.string("ended", Some(self.end_reason.as_str()));
        object.integer("events", Some(self.events as i64));
        object.integer("comments", Some(self.comments as i64));
        object.integer("bytes", Some(self.bytes as i64));
        self.write_findings(&mut object, texts);
        object.close();
        out
    }

    fn write_findings(&self, object: &mut ObjectWriter<'_>, texts: RuleTexts) {
        write_list(&self.violations, object.member("violations"), |violation, out| {
            violation.write(out, texts)
        });
        counts(
            object.member("counts"),
            &mut self.counts.iter().map(|(name, count)| (*name, *count)),
        );
        counts(
            object.member("unknown"),
            &mut self.unknown.iter().map(|(name, count)| (name.as_str(), *count)),
        );
        write_list(&self.unfinished, object.member("unfinished"), |id, out| write_string(id, out));
        object.string("lastEventId", self.last_event_id.as_deref());
        object.integer("retry", self.retry.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)));
    }

    /// Returns the kept violations that at least `from` others precede, as a JSON array.
    pub fn violations_to_json(&self, from: usize) -> String {
        let mut out = String::new();
        let violations = self.violations_between(from as u64, u64::MAX);
        write_list(violations, &mut out, |violation, out| violation.write(out, RuleTexts::With));
        out
    }
}

/// Whether a violation is written with the texts of its rule. JavaScript has these in a separate
/// module (`agentwire/rules`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleTexts {
    With,
    #[cfg(feature = "wasm")]
    Without,
}

impl Violation {
    /// Returns the violation as JSON: `rule`, `severity`, `event`, `offset`, `messageId`, `index`,
    /// `expected`, `got`, `recovery`.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, RuleTexts::With);
        out
    }

    fn write(&self, out: &mut String, texts: RuleTexts) {
        let mut object = ObjectWriter::open(out, false);
        object.string("rule", Some(self.rule.id));
        object.string("severity", Some(self.rule.severity.as_str()));
        object.integer("event", Some(self.at.event as i64));
        object.integer("offset", Some(self.at.offset as i64));
        object.string("messageId", self.at.message_id.as_deref());
        object.integer("index", self.at.index.map(i64::from));
        if texts == RuleTexts::With {
            object.string("expected", Some(self.rule.expected));
        }
        object.string("got", Some(&self.got));
        if texts == RuleTexts::With {
            object.string("recovery", Some(self.rule.recovery));
        }
        object.close();
    }
}

/// Writes numbers by name, as an object.
fn counts(out: &mut String, counts: &mut dyn Iterator<Item = (&str, u64)>) {
    let mut object = ObjectWriter::open(out, false);
    for (name, count) in counts {
        object.integer(name, Some(count as i64));
    }
    object.close();
}

/// Serializes types as their JSON.
#[cfg(feature = "serde")]
macro_rules! serialize {
    ($($Type:ident: $json:expr;)*) => {$(
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let json: fn(&Self) -> String = $json;
                crate::json::serialize_json(&json(self), serializer)
            }
        }
    )*};
}

#[cfg(feature = "serde")]
serialize! {
    Report: Report::to_json;
    Violation: Violation::to_json;
    InvalidRequest: |error| Problem::list_to_json(error.problems());
}
