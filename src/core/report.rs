//! What a reader found out about a stream, besides the answer.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

#[cfg(feature = "wasm-reader")]
mod findings;
mod json;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "typescript")]
mod typescript;

#[cfg(feature = "wasm")]
pub(crate) use json::Texts;

use crate::core::limits::Limits;
use crate::core::observed::Observed;
use crate::core::options::{Mode, ReadOptions};
use crate::core::violation::{Location, Place, Rule, Severity, Violation, shorten};

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum EndReason {
    /// It has not ended.
    #[default]
    Open,
    /// With the protocol's terminal event.
    Terminal,
    /// With a bare error instead of one.
    ErrorFrame,
    /// It just stopped.
    Eof,
    /// The reader stopped it.
    Aborted,
    /// A strict reader met an error-level violation and read no further.
    Refused,
}

impl EndReason {
    /// Stable name, kebab-case.
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
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The reason why the stream ended.
    pub end_reason: EndReason,
    /// The number of events with data, including unreadable ones.
    pub events: u64,
    /// Comments, which servers send as heartbeats.
    pub comments: u64,
    /// Bytes.
    pub bytes: u64,
    /// The first violations, in the order they were found; how many is a limit, the counts are complete.
    pub violations: Vec<Violation>,
    /// How often each rule was broken, in the order of the first breaches; [`Report::count`] finds one.
    pub counts: Vec<(&'static str, u64)>,
    /// Events of kinds the protocol does not have, by name, with how often they came.
    pub unknown: Vec<(String, u64)>,
    /// Ids of the messages that never ended, in the order they appeared; of the tool calls, where a protocol's messages
    /// have no ids.
    pub unfinished: Vec<String>,
    /// The last event id of the stream, for reconnecting.
    pub last_event_id: Option<String>,
    /// The reconnection time that the server requested, in milliseconds.
    pub retry: Option<u64>,
    /// How many of the violations that are kept are milder than errors.
    milder: usize,
    /// For each violation that is kept, how many there were before it.
    numbers: Vec<u64>,
    /// The last event of an unknown kind was that of `unknown`.
    last_unknown: Option<usize>,
}

impl Report {
    /// The gravest severity among the violations.
    pub fn worst(&self) -> Option<Severity> {
        self.violations.iter().map(|v| v.rule.severity).max()
    }

    /// How many violations there were in all.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// How often a rule was broken.
    pub fn count(&self, rule: &str) -> u64 {
        self.counts.iter().find(|(id, _)| *id == rule).map_or(0, |(_, count)| *count)
    }

    /// Of the violations that are kept, those that were found when there had been at least `from` and less than `to`:
    /// between two moments at which those were the [totals](Report::total).
    pub fn violations_between(&self, from: u64, to: u64) -> impl Iterator<Item = &Violation> {
        let numbered = self.violations.iter().zip(&self.numbers);
        numbered.filter(move |(_, number)| (from..to).contains(*number)).map(|(violation, _)| violation)
    }

    /// A report of these violations, in which nothing is found any more.
    #[cfg(feature = "serde")]
    pub(crate) fn of_violations(violations: Vec<Violation>) -> Self {
        let milder = violations.iter().filter(|v| v.rule.severity < Severity::Error).count();
        let numbers = (0..violations.len() as u64).collect();
        Report { violations, milder, numbers, ..Report::default() }
    }

    /// Notes how the stream has ended. A refusal stays: after it nothing of the stream counts.
    pub fn end(&mut self, reason: EndReason) {
        if self.end_reason != EndReason::Refused {
            self.end_reason = reason;
        }
    }

    /// Notes a breach that a fold of one's own has found, as the mode of reading wants it: not at all, or as a violation.
    /// A strict reader that meets an error has [`end_reason`](Self::end_reason) as `Refused` after that, and reads no further.
    pub fn note(&mut self, options: &ReadOptions, rule: &'static Rule, at: &Location, got: Observed<'_>) {
        let Location { event, offset, index, message_id } = at;
        let message_id = message_id.as_deref();
        self.breach(options, rule, Place { event: *event, offset: *offset, message_id, index: *index }, got);
    }

    /// Notes a breach as the mode of reading wants it: not at all, or as a violation, and a strict reader stops.
    #[cold]
    pub(crate) fn breach(
        &mut self,
        options: &ReadOptions,
        rule: &'static Rule,
        at: Place<'_>,
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

    fn violation(&mut self, limits: &Limits, rule: &'static Rule, at: Place<'_>, got: Observed<'_>) {
        let number = self.total();
        match self.counts.iter_mut().find(|(id, _)| *id == rule.id) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((rule.id, 1)),
        }
        let is_error = rule.severity == Severity::Error;
        if self.violations.len() >= limits.violations {
            // An error is always worth its place: it takes that of a milder one.
            if !is_error || self.milder == 0 {
                return;
            }
            if let Some(milder) = self.violations.iter().rposition(|v| v.rule.severity < Severity::Error) {
                self.violations.remove(milder);
                self.numbers.remove(milder);
            }
            self.milder -= 1;
        }
        self.milder += usize::from(!is_error);
        self.violations.push(Violation { rule, at: at.kept(), got: got.sentence() });
        self.numbers.push(number);
    }

    #[cold]
    pub(crate) fn unknown(&mut self, limits: &Limits, name: &str) {
        let name = shorten(name);
        let known = self.unknown.iter().any(|(known, _)| *known == name);
        let name = if known || self.unknown.len() < limits.unknown { name } else { "…".to_owned() };
        let at = self.unknown.iter().position(|(known, _)| *known == name);
        self.last_unknown = Some(at.unwrap_or(self.unknown.len()));
        match at.and_then(|at| self.unknown.get_mut(at)) {
            Some((_, count)) => *count += 1,
            None => self.unknown.push((name, 1)),
        }
    }

    /// The name of the event of an unknown kind that came since this was asked last.
    #[cfg(feature = "hub")]
    pub(crate) fn take_unknown(&mut self) -> Option<&str> {
        let at = self.last_unknown.take()?;
        self.unknown.get(at).map(|(name, _)| name.as_str())
    }
}
