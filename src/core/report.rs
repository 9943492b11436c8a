//! What a reader found out about a stream, besides the answer.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::core::limits::Limits;
use crate::core::observed::Observed;
use crate::core::options::{Mode, ReadOptions};
use crate::core::violation::{Place, Rule, Severity, Violation, shorten};
use crate::json::{Object, write_list, write_string};
#[cfg(feature = "wasm-reader")]
use crate::json::{push_integer, put};

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ended {
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

impl Ended {
    /// Stable name, kebab-case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Ended::Open => "open",
            Ended::Terminal => "terminal",
            Ended::ErrorFrame => "error-frame",
            Ended::Eof => "eof",
            Ended::Aborted => "aborted",
            Ended::Refused => "refused",
        }
    }
}

/// Everything about a stream that is not the answer itself.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// How it ended.
    pub ended: Ended,
    /// Events with data, the unreadable ones included.
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
    /// The reconnection time the server asked for, in milliseconds.
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
            self.ended = Ended::Refused;
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

#[cfg(feature = "typescript")]
const _: () = {
    use wasm_bindgen::prelude::wasm_bindgen;
    #[wasm_bindgen(typescript_custom_section)]
    const TYPESCRIPT: &'static str = r#"
/**
 * One breach of one rule of the protocol. A value, never thrown. What the rule says, and what the reader did about the breach,
 * is in a module of its own: `explain(violation)` of `agentwire/rules`.
 */
export interface Violation {
  /** Stable kebab-case id of the rule; each has a paragraph in `docs/rules.md`. */
  readonly rule: string;
  /** `note`: legal or harmless. `warning`: against the protocol, the answer is right. `error`: something was lost or cut off. */
  readonly severity: "note" | "warning" | "error";
  /** Number of the event, from 0. */
  readonly event: number;
  /** Byte offset of the event in the stream. */
  readonly offset: number;
  readonly messageId: string | null;
  readonly index: number | null;
  /** What came instead; free text, for people. */
  readonly got: string;
}

/** Everything about a stream that is not the answer itself. */
export interface Report {
  /** How the stream ended. */
  readonly ended: "open" | "terminal" | "error-frame" | "eof" | "aborted" | "refused";
  /** Events with data, the unreadable ones included. */
  readonly events: number;
  /** Comments: what servers send as heartbeats. */
  readonly comments: number;
  readonly bytes: number;
  /** The first violations; `counts` is complete. */
  readonly violations: readonly Violation[];
  /** How often each rule was broken. */
  readonly counts: { readonly [rule: string]: number };
  /** Events of kinds that the protocol does not have, by name. */
  readonly unknown: { readonly [name: string]: number };
  /** Ids of the messages that never ended. */
  readonly unfinished: readonly string[];
  /** The last event id, for reconnecting. */
  readonly lastEventId: string | null;
  /** The reconnection time the server asked for, in milliseconds. */
  readonly retry: number | null;
  /** What the answer does not show, where the stream was read `as` another protocol. */
  readonly losses?: readonly {
    readonly what: string;
    readonly where: string;
    readonly why: string;
    readonly event: number;
  }[];
}
"#;
};

impl Report {
    /// The report as JSON; members in the order of the declaration, violations as [`Violation::to_json`] writes them.
    pub fn to_json(&self) -> String {
        self.json(Texts::With)
    }

    pub(crate) fn json(&self, texts: Texts) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out, false);
        object.string("ended", Some(self.ended.as_str()));
        object.integer("events", Some(self.events as i64));
        object.integer("comments", Some(self.comments as i64));
        object.integer("bytes", Some(self.bytes as i64));
        self.write_findings(&mut object, texts);
        object.close();
        out
    }
}

impl Report {
    /// Of the violations that are kept, those that were found when there had been at least `from` and less than `to`:
    /// between two moments at which those were the [totals](Report::total).
    pub fn violations_between(&self, from: u64, to: u64) -> impl Iterator<Item = &Violation> {
        let numbered = self.violations.iter().zip(&self.numbers);
        numbered.filter(move |(_, number)| (from..to).contains(*number)).map(|(violation, _)| violation)
    }
}

impl Report {
    /// Whether a clean stream has anything of [`findings`](Self::findings_to_json).
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn has_findings(&self) -> bool {
        let lists = [self.counts.is_empty(), self.unknown.is_empty(), self.unfinished.is_empty()];
        lists.contains(&false) || self.last_event_id.is_some() || self.retry.is_some()
    }

    /// The members that are no figures, as a JSON array: violations, counts, unknown, unfinished, last event id, retry. See
    /// [`Report::violations_to_rows`].
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn findings_to_json(&self) -> String {
        let mut out = String::from("[");
        self.write_rows(0, u64::MAX, &mut out);
        put(&mut out, ",");
        counts(&mut out, self.counts.iter().map(|(name, count)| (*name, *count)));
        put(&mut out, ",");
        counts(&mut out, self.unknown.iter().map(|(name, count)| (name.as_str(), *count)));
        put(&mut out, ",");
        write_list(&self.unfinished, &mut out, |id, out| write_string(id, out));
        put(&mut out, ",");
        string_or_null(self.last_event_id.as_deref(), &mut out);
        put(&mut out, ",");
        integer_or_null(self.retry.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)), &mut out);
        put(&mut out, "]");
        out
    }

    /// [`Report::violations_between`] as a JSON array of arrays: rule, severity (0 to 2), event, offset, message id, index, what
    /// was observed, and how many violations there were before it. The names of members would be most of it.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn violations_to_rows(&self, from: u64, to: u64) -> String {
        let mut out = String::new();
        self.write_rows(from, to, &mut out);
        out
    }

    #[cfg(feature = "wasm-reader")]
    fn write_rows(&self, from: u64, to: u64, out: &mut String) {
        let numbered = self.violations.iter().zip(&self.numbers);
        let wanted = numbered.filter(|(_, number)| (from..to).contains(*number));
        write_list(wanted, out, |(Violation { rule, at, got }, number), out| {
            put(out, "[\"");
            put(out, rule.id);
            put(out, "\",");
            push_integer(rule.severity as i64, out);
            put(out, ",");
            push_integer(at.event as i64, out);
            put(out, ",");
            push_integer(at.offset as i64, out);
            put(out, ",");
            string_or_null(at.message_id.as_deref(), out);
            put(out, ",");
            integer_or_null(at.index.map(i64::from), out);
            put(out, ",");
            write_string(got, out);
            put(out, ",");
            push_integer(*number as i64, out);
            put(out, "]");
        });
    }

    fn write_findings(&self, object: &mut Object<'_>, texts: Texts) {
        write_list(&self.violations, object.member("violations"), |violation, out| {
            violation.write(out, texts)
        });
        counts(object.member("counts"), self.counts.iter().map(|(name, count)| (*name, *count)));
        counts(object.member("unknown"), self.unknown.iter().map(|(name, count)| (name.as_str(), *count)));
        write_list(&self.unfinished, object.member("unfinished"), |id, out| write_string(id, out));
        object.string("lastEventId", self.last_event_id.as_deref());
        object.integer("retry", self.retry.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)));
    }

    /// The violations that are kept and before which there were at least `from`, as a JSON array.
    pub fn violations_to_json(&self, from: usize) -> String {
        let mut out = String::new();
        let violations = self.violations_between(from as u64, u64::MAX);
        write_list(violations, &mut out, |violation, out| violation.write(out, Texts::With));
        out
    }
}

/// Whether a violation is written with what its rule says. JavaScript has that in a module of its own (`agentwire/rules`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    With,
    #[cfg(feature = "wasm")]
    Without,
}

impl Violation {
    /// The violation as JSON: `rule`, `severity`, `event`, `offset`, `messageId`, `index`, `expected`, `got`, `recovery`.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Texts::With);
        out
    }

    fn write(&self, out: &mut String, texts: Texts) {
        let mut object = Object::open(out, false);
        object.string("rule", Some(self.rule.id));
        object.string("severity", Some(self.rule.severity.as_str()));
        object.integer("event", Some(self.at.event as i64));
        object.integer("offset", Some(self.at.offset as i64));
        object.string("messageId", self.at.message_id.as_deref());
        object.integer("index", self.at.index.map(i64::from));
        if texts == Texts::With {
            object.string("expected", Some(self.rule.expected));
        }
        object.string("got", Some(&self.got));
        if texts == Texts::With {
            object.string("recovery", Some(self.rule.recovery));
        }
        object.close();
    }
}

#[cfg(feature = "wasm-reader")]
fn string_or_null(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => write_string(text, out),
        None => put(out, "null"),
    }
}

#[cfg(feature = "wasm-reader")]
fn integer_or_null(number: Option<i64>, out: &mut String) {
    match number {
        Some(number) => push_integer(number, out),
        None => put(out, "null"),
    }
}

fn counts<'a>(out: &mut String, counts: impl Iterator<Item = (&'a str, u64)>) {
    let mut object = Object::open(out, false);
    for (name, count) in counts {
        object.integer(name, Some(count as i64));
    }
    object.close();
}
