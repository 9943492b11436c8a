//! Compares the reader with the official client on the same streams: its state, and the event where
//! it stops.

use agentwire::Severity;
use agentwire::json::Value;
use agentwire::read::{AnyOutcome, Mode};
use agentwire_cases::{Case, cut};

use crate::reading::{options, protocol_of, read};

/// Cases in which the snapshot differs from the official client, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("f06_sse_crlf", "it knows LF only; the standard of server-sent events has CRLF"),
    ("f08_sse_done_marker", "what it says of `[DONE]` are the words of its engine's JSON parser"),
    (
        "e06b_cut_inside_data_json",
        "what it says of half an event are the words of its engine's JSON parser",
    ),
    ("e08_run_error_code_null", "the app writes `code: null`, which counts as absent there (E13)"),
];

/// The result of a stream, in the same form for the reader and the client.
#[derive(Debug, PartialEq)]
struct Held {
    messages: String,
    state: String,
    pending_interrupts: String,
    failed: bool,
}

#[test]
fn snapshot_and_first_error_match_the_official_client() {
    let mut compared = 0;
    for case in agentwire_cases::select("ag-ui", agentwire_cases::Kind::Read) {
        let Some(client) =
            case.find("client.json").map(|text| Value::parse(&text, 128).expect("JSON"))
        else {
            continue;
        };
        let mut choices = options(&case);
        // It stops at the first error.
        choices.options.mode = Mode::Strict;
        let stream = case.stream();
        let outcome = read(protocol_of(&case), choices.clone(), [&stream[..]]);
        let exception = EXCEPTIONS.iter().find(|(name, _)| *name == case.name);
        let said = held_by_client(&client);
        match exception {
            None => assert_eq!(held(&outcome), said, "{case}"),
            Some((_, why)) => {
                assert!(
                    held(&outcome) != said || words(&outcome) != failure(&client),
                    "{case}: {why}"
                )
            }
        }
        if exception.is_none() {
            compare_words(&case, &outcome, &client);
        }
        let cut = read(protocol_of(&case), choices, cut::single(&stream));
        assert_eq!(held(&cut), held(&outcome), "{case}, byte by byte");
        compared += 1;
    }
    assert!(compared >= 75, "{compared} cases");
}

fn held(outcome: &AnyOutcome) -> Held {
    let snapshot = Value::parse(&outcome.snapshot.to_json(), 128).expect("JSON");
    let part = |name: &str| canonical(snapshot.get(name).expect("a member"));
    Held {
        messages: part("messages"),
        state: part("state"),
        pending_interrupts: part("pendingInterrupts"),
        failed: words(outcome).is_some(),
    }
}

/// Returns the result of the client. With all frames in one read it drops work that it has begun;
/// where it fails in that way, this is its result for frames that arrive one by one.
fn held_by_client(client: &Value) -> Held {
    let one_by_one = client.get("whenFramesArriveOneByOne").filter(|value| !value.is_null());
    let part = |name: &str, otherwise: &str| {
        let value = one_by_one.and_then(|client| client.get(name)).or_else(|| client.get(name));
        value.map_or_else(|| otherwise.to_owned(), canonical)
    };
    Held {
        messages: part("messages", "[]"),
        state: part("state", "{}"),
        pending_interrupts: part("pendingInterrupts", "[]"),
        failed: failure(client).is_some(),
    }
}

/// Returns the value with its members sorted, and with generated ids numbered.
fn canonical(value: &Value) -> String {
    let sorted: serde_json::Value = serde_json::from_str(&value.to_json()).expect("JSON");
    let mut text = sorted.to_string();
    for number in 1..20 {
        text = text.replace(&format!("<uuid:{number}>"), &format!("thinking-{number}"));
    }
    // The client may generate more ids than it shows, so its numbers differ: only the equality of
    // ids counts.
    let mut names: Vec<String> = Vec::new();
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("thinking-") {
        let end = at + "thinking-".len();
        let digits = rest[end..].chars().take_while(char::is_ascii_digit).count();
        let name = &rest[at..end + digits];
        let place = names.iter().position(|known| known == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        out += &format!("{}<{place}>", &rest[..at]);
        rest = &rest[end + digits..];
    }
    out + rest
}

/// Returns the message of the first error.
fn words(outcome: &AnyOutcome) -> Option<String> {
    let errors = outcome
        .report
        .violations
        .iter()
        .filter(|violation| violation.rule.severity == Severity::Error);
    errors.map(|violation| violation.got.clone()).next()
}

fn failure(client: &Value) -> Option<String> {
    client.get("failure")?.get("message")?.as_str().map(str::to_owned)
}

fn compare_words(case: &Case, outcome: &AnyOutcome, client: &Value) {
    let (Some(ours), Some(theirs)) = (words(outcome), failure(client)) else { return };
    // The client's validator returns a list of issues: their paths are compared.
    let Ok(Value::Array(issues)) = Value::parse(&theirs, 128) else {
        return assert_eq!(ours.replace("thinking-", "<uuid:"), theirs.replace('>', ""), "{case}");
    };
    let path = |issue: &Value| match issue.get("path") {
        Some(Value::Array(steps)) => {
            let steps = steps
                .iter()
                .map(|step| step.as_str().map_or_else(|| step.to_json(), str::to_owned));
            steps.collect::<Vec<String>>().join(".")
        }
        _ => String::new(),
    };
    let named = issues.iter().any(|issue| ours.contains(&format!("`{}`", path(issue))));
    assert!(named, "{case}: {ours} instead of {theirs}");
}
