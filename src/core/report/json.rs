//! The report and its violations as JSON.

use alloc::string::String;

use super::Report;
#[cfg(feature = "serde")]
use crate::core::request::{Problem, RequestError};
use crate::core::violation::Violation;
use crate::json::{Object, write_list, write_string};

impl Report {
    /// Returns the report as JSON; members in the order of the declaration, violations as [`Violation::to_json`]
    /// writes them.
    pub fn to_json(&self) -> String {
        self.json(Texts::With)
    }

    pub(crate) fn json(&self, texts: Texts) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out, false);
        object.string("ended", Some(self.end_reason.as_str()));
        object.integer("events", Some(self.events as i64));
        object.integer("comments", Some(self.comments as i64));
        object.integer("bytes", Some(self.bytes as i64));
        self.write_findings(&mut object, texts);
        object.close();
        out
    }

    fn write_findings(&self, object: &mut Object<'_>, texts: Texts) {
        write_list(&self.violations, object.member("violations"), |violation, out| {
            violation.write(out, texts)
        });
        counts(object.member("counts"), &mut self.counts.iter().map(|(name, count)| (*name, *count)));
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
        write_list(violations, &mut out, |violation, out| violation.write(out, Texts::With));
        out
    }
}

/// Whether a violation is written with the texts of its rule. JavaScript has these in a separate module
/// (`agentwire/rules`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    With,
    #[cfg(feature = "wasm")]
    Without,
}

impl Violation {
    /// Returns the violation as JSON: `rule`, `severity`, `event`, `offset`, `messageId`, `index`, `expected`, `got`,
    /// `recovery`.
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

/// Writes numbers by name, as an object.
pub(super) fn counts(out: &mut String, counts: &mut dyn Iterator<Item = (&str, u64)>) {
    let mut object = Object::open(out, false);
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
    RequestError: |error| Problem::list_to_json(error.problems());
}
