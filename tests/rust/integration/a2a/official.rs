//! Compares the reader with the official client, and with the official store, on the same streams.

use agentwire::Severity;
use agentwire::json::Value;
use agentwire_cases::{Case, Kind, select};

use crate::reading::{options, protocol_of, read};

/// Cases in which the snapshot differs from the official store, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "shape03_to_v1_client",
    "the client passes over objects of 0.3 without a word; they are reported and read all the same",
)];

/// Cases that the client accepts without an error, although it loses data.
const LOST: &[(&str, &str)] = &[
    ("shape03_to_v1_client", "it yields events without a payload"),
    ("unknown_payload", "the same"),
    ("lowercase_state", "the state becomes UNRECOGNIZED"),
];

#[test]
fn snapshot_and_errors_match_the_official_store_and_client() {
    let mut compared = 0;
    for case in select("a2a", Kind::Read) {
        let Some(client) = case.find("client.json").map(|text| json(&text)) else { continue };
        let outcome = read(protocol_of(&case), options(&case), [&case.stream()[..]]);
        let held = json(&outcome.snapshot.to_json());
        let expected = client.get("folded").expect("what the store holds");
        let exception = EXCEPTIONS.iter().find(|(name, _)| *name == case.name);
        for kind in ["task", "message"] {
            let same = sorted(held.get(kind)) == sorted(expected.get(kind));
            match exception {
                None => {
                    assert!(same, "{case}: {}\ninstead of\n{}", held.to_json(), expected.to_json())
                }
                Some((_, why)) => {
                    assert!(!same || kind == "message", "{case} is no exception any more: {why}")
                }
            }
        }
        let errors =
            outcome.report.violations.iter().filter(|one| one.rule.severity == Severity::Error);
        let has_failed = errors.count() > 0 || !held.get("error").is_none_or(Value::is_null);
        let is_lost = LOST.iter().any(|(name, _)| *name == case.name);
        assert_eq!(has_failed, is_lost || throws(&client), "{case}: {}", outcome.report.to_json());
        assert!(!is_lost || !throws(&client), "{case} throws");
        assert_code_of_client(&case, &held, &client);
        compared += 1;
    }
    assert!(compared >= 31, "{compared} cases");
}

fn throws(client: &Value) -> bool {
    client.get("outcome").and_then(Value::as_str) == Some("error")
}

/// Asserts that a JSON-RPC error has the code and the message that the client throws.
fn assert_code_of_client(case: &Case, held: &Value, client: &Value) {
    let Some(error) = held.get("error").filter(|error| !error.is_null()) else { return };
    let thrown = client.get("error").and_then(|error| error.get("message")).and_then(Value::as_str);
    let (Some(code), Some(message)) =
        (error.get("code"), error.get("message").and_then(Value::as_str))
    else {
        panic!("{case}: an error without a code");
    };
    let expected = format!("{message} (Code: {})", code.to_json());
    assert!(thrown.is_some_and(|thrown| thrown.contains(&expected)), "{case}: {expected}");
}

fn json(text: &str) -> Value {
    Value::parse(text, 128).expect("JSON")
}

/// Returns the value as JSON, with the members of objects sorted by name; null counts as absent.
fn sorted(value: Option<&Value>) -> Option<String> {
    let value = value.filter(|value| !value.is_null())?;
    let sorted: serde_json::Value = serde_json::from_str(&value.to_json()).expect("JSON");
    Some(sorted.to_string())
}
