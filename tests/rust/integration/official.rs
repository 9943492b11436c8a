//! Compares the reader with the official client of a protocol on the same streams: its state and
//! its errors. The result of the client is in `client.json` of the case.

use agentwire::json::Value;
use agentwire::read::AnyOutcome;
use agentwire::{EndReason, Severity};
use agentwire_cases::{Case, Kind, cut};

use crate::reading::{options, protocol_of, read};

/// The differences between the reader and an official client, each with its reason.
pub struct Differences {
    pub protocol: &'static str,
    /// Cases in which the snapshot differs.
    pub other_snapshot: &'static [(&'static str, &'static str)],
    /// Cases in which the reader reports an error and the client does not.
    pub stricter: &'static [(&'static str, &'static str)],
    /// Cases in which the client fails and the reader does not report an error.
    pub laxer: &'static [(&'static str, &'static str)],
    /// Properties that the client adds to those of the stream, at any depth.
    pub added_there: &'static [&'static str],
    /// Properties that the snapshot adds to those of the stream.
    pub added_here: &'static [&'static str],
    /// The number of cases that are compared at least.
    pub least: usize,
}

impl Differences {
    /// Compares all cases of the protocol that have a `client.json`.
    pub fn check(&self) {
        let mut compared = 0;
        for case in agentwire_cases::select(self.protocol, Kind::Read) {
            let Some(client) = case.find("client.json") else { continue };
            let client = Value::parse(&client, 128).expect("JSON");
            let stream = case.stream();
            let outcome = read(protocol_of(&case), options(&case), [&stream[..]]);
            let is_listed = |list: &[(&str, &str)]| list.iter().any(|(name, _)| *name == case.name);
            match client.get("final") {
                Some(expected) => {
                    let (held, expected) = (self.held(&outcome), self.canonical(expected));
                    let is_same = held == expected;
                    assert_eq!(
                        is_same,
                        !is_listed(self.other_snapshot),
                        "{case}: {held}\n{expected}"
                    );
                    let violations = &outcome.report.violations;
                    assert_eq!(
                        is_refused(&outcome),
                        is_listed(self.stricter),
                        "{case}: {violations:#?}"
                    );
                }
                None => {
                    assert_eq!(
                        is_refused(&outcome),
                        !is_listed(self.laxer),
                        "{case}: {:#?}",
                        outcome.report
                    )
                }
            }
            self.compare_cuts(&case, &stream, &outcome);
            compared += 1;
        }
        assert!(compared >= self.least, "{compared} cases");
    }

    fn compare_cuts(&self, case: &Case, stream: &[u8], outcome: &AnyOutcome) {
        let cut = read(protocol_of(case), options(case), cut::single(stream));
        assert_eq!(self.held(&cut), self.held(outcome), "{case}, byte by byte");
    }

    fn held(&self, outcome: &AnyOutcome) -> String {
        let mut held = Value::parse(&outcome.snapshot.to_json(), 128).expect("JSON");
        if let Value::Object(members) = &mut held {
            members.retain(|member| !self.added_here.contains(&&*member.key));
        }
        self.canonical(&held)
    }

    /// Returns the value with its members sorted, without those that the client adds.
    fn canonical(&self, value: &Value) -> String {
        fn without(value: &mut serde_json::Value, added: &[&str]) {
            match value {
                serde_json::Value::Object(members) => {
                    members.retain(|name, _| !added.contains(&name.as_str()));
                    members.values_mut().for_each(|value| without(value, added));
                }
                serde_json::Value::Array(items) => {
                    items.iter_mut().for_each(|item| without(item, added))
                }
                _ => {}
            }
        }
        let mut sorted: serde_json::Value = serde_json::from_str(&value.to_json()).expect("JSON");
        without(&mut sorted, self.added_there);
        sorted.to_string()
    }
}

/// Returns whether the reader has found an error, or the stream has reported one.
fn is_refused(outcome: &AnyOutcome) -> bool {
    let report = &outcome.report;
    report.end_reason == EndReason::ErrorFrame
        || report.violations.iter().any(|violation| violation.rule.severity == Severity::Error)
}
