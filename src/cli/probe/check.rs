//! The parts of a probe: contracts of protocols, scenarios, and the checks that judge them.

use agentwire::ProtocolKind;
use agentwire::json::Value;
use agentwire::read::AnyOptions;

use super::evidence::{Answers, Evidence};
use super::sent::{Asking, Sent};

/// The obligations of a server of a protocol: its requests, and the checks of its answers.
pub struct Contract {
    pub protocol: ProtocolKind,
    /// The specification.
    pub source: &'static str,
    /// The segments of the path below the URL that the user gives.
    pub path: &'static [&'static str],
    /// The header with the key, and the text before the key.
    pub key: (&'static str, &'static str),
    /// Further headers of each request.
    pub headers: &'static [(&'static str, &'static str)],
    /// The first request of a conversation, as JSON. The strings `$text`, `$model` and `$id` stand
    /// for the question, the name of the model and a new id.
    pub question: &'static str,
    /// A body that is JSON and that the protocol does not allow.
    pub invalid: &'static str,
    /// The form of the body of an error.
    pub errors: ErrorForm,
    /// Returns the body that asks for a stream or for a whole answer. Each request has ids of its
    /// own.
    pub framed: fn(Value, streamed: bool) -> Value,
    /// Returns the reason why a server with these answers is not asked for streams.
    pub streams: fn(&Answers) -> Result<(), Fault>,
    /// Sets how the answer to this body is read.
    pub reading: fn(&Value, &mut AnyOptions),
    /// The scenarios that are always asked, before all others.
    pub always: &'static [&'static str],
    /// The requests that are sent, those first that others depend on.
    pub scenarios: &'static [&'static Scenario],
    /// The checks that only this protocol has.
    pub checks: &'static [Check],
}

/// The form of the body of an error.
#[derive(Clone, Copy, PartialEq)]
pub enum ErrorForm {
    /// The protocol has none.
    Open,
    /// `{"error":{"message","type","param","code"}}`
    OpenAi,
    /// `{"type":"error","error":{"type","message"}}`
    Anthropic,
    /// `{"detail":…}`
    Detail,
    /// An error of JSON-RPC. Its HTTP status is not one of an error.
    JsonRpc,
}

/// A request, and the name by which checks refer to its response.
pub struct Scenario {
    pub name: &'static str,
    /// The scenarios whose responses the request is made from.
    pub after: &'static [&'static str],
    pub request: fn(&Asking<'_>) -> Result<Sent, Fault>,
}

/// One rule for the responses of a server.
pub struct Check {
    /// The stable name, which begins with the name of the scenario.
    pub id: &'static str,
    pub level: Level,
    /// The scenarios whose responses are judged; the last one is the first that is looked at.
    pub needs: &'static [&'static str],
    /// The expectation, as a sentence.
    pub expects: &'static str,
    /// Where the rule comes from. Empty for the specification of the protocol.
    pub source: &'static str,
    pub judge: fn(&Evidence<'_>) -> Judged,
}

/// How severe the failure of a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Clients of the protocol fail.
    Must,
    /// Some clients fail, or something is missing that is usual.
    Should,
}

/// The result of a judgment.
pub type Judged = Result<(), Fault>;

/// The reason why a check has not passed.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The server has broken the rule: what was found, a line each.
    Failed(Vec<String>),
    /// The rule cannot be judged, for this reason.
    Skipped(String),
}

impl Fault {
    pub fn failed(found: impl Into<String>) -> Self {
        Fault::Failed(vec![found.into()])
    }

    pub fn skipped(reason: impl Into<String>) -> Self {
        Fault::Skipped(reason.into())
    }
}

/// Fails with what was found, unless it is as expected.
pub fn expect(is_expected: bool, found: impl FnOnce() -> String) -> Judged {
    if is_expected { Ok(()) } else { Err(Fault::failed(found())) }
}

impl Level {
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Must => "must",
            Level::Should => "should",
        }
    }
}

impl Contract {
    /// Returns a scenario by its name.
    pub fn scenario(&self, name: &str) -> Option<&'static Scenario> {
        self.scenarios.iter().copied().find(|scenario| scenario.name == name)
    }

    /// Returns the checks whose scenarios the protocol has: the shared ones, then its own.
    pub fn all_checks(&self) -> impl Iterator<Item = &'static Check> {
        let shared = super::shared::CHECKS.iter();
        let forms = (self.errors != ErrorForm::Open).then_some(super::shared::ERROR_FORMS);
        let all = shared.chain(forms.into_iter().flatten()).chain(self.checks);
        all.filter(|check| check.needs.iter().all(|name| self.scenario(name).is_some()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::contracts::CONTRACTS;

    #[test]
    fn contracts_are_consistent() {
        for contract in CONTRACTS {
            let (name, mut before) = (contract.protocol.as_str(), BTreeSet::new());
            for scenario in contract.scenarios {
                for after in scenario.after {
                    assert!(before.contains(after), "{name}: {} is before {after}", scenario.name);
                }
                assert!(before.insert(scenario.name), "{name}: {} twice", scenario.name);
            }
            for needed in
                contract.checks.iter().flat_map(|check| check.needs).chain(contract.always)
            {
                assert!(before.contains(needed), "{name} has no scenario {needed}");
            }
            let mut ids = BTreeSet::new();
            for check in contract.all_checks() {
                let scenario = check.needs.last().unwrap_or(&"");
                assert!(check.id.starts_with(scenario), "{name}: {} is of {scenario}", check.id);
                assert!(ids.insert(check.id), "{name}: {} twice", check.id);
            }
        }
    }
}
