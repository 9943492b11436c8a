//! The contract of servers of OpenAI Responses.

use agentwire::ProtocolKind;
use agentwire::json::Value;

use super::{BEARER, plainly, with_stream};
use crate::probe::check::{Check, Contract, ErrorForm, Fault, Judged, Level, Scenario, expect};
use crate::probe::errors;
use crate::probe::evidence::{Evidence, at, text_at};
use crate::probe::scenario::{
    AFTER_CUT, BROKEN_JSON, CALL, CALL_RESULT, CUT, INVALID, NEXT_QUESTION, NEXT_TURN,
    OTHER_METHOD, QUESTION, TEXT, UNKNOWN_MEMBER, UNKNOWN_MODEL, WHOLE, WRONG_TYPE,
};
use crate::probe::shared::{answered, event_names, sequence_numbers};

pub static CONTRACT: Contract = Contract {
    protocol: ProtocolKind::Responses,
    source: "https://platform.openai.com/docs/api-reference/responses",
    path: &["responses"],
    key: BEARER,
    headers: &[],
    question: r#"{"model":"$model","input":[{"type":"message","role":"user","content":"$text"}],"store":false}"#,
    invalid: r#"{"model":"$model","input":42}"#,
    errors: ErrorForm::OpenAi,
    framed: with_stream,
    streams: |_| Ok(()),
    reading: plainly,
    always: &[],
    scenarios: &[
        &TEXT,
        &WHOLE,
        &NEXT_TURN,
        &CALL,
        &CALL_RESULT,
        &STORED,
        &PREVIOUS,
        &UNKNOWN_PREVIOUS,
        &UNKNOWN_MEMBER,
        &UNKNOWN_MODEL,
        &INVALID,
        &BROKEN_JSON,
        &WRONG_TYPE,
        &OTHER_METHOD,
        &CUT,
        &AFTER_CUT,
    ],
    checks: &[
        Check {
            id: "text-event-names",
            level: Level::Must,
            needs: &["text"],
            expects: "the event line of each event is its type",
            source: "",
            judge: event_names,
        },
        Check {
            id: "text-sequence-numbers",
            level: Level::Must,
            needs: &["text"],
            expects: "`sequence_number` counts the events from 0",
            source: "",
            judge: sequence_numbers,
        },
        Check {
            id: "text-usage",
            level: Level::Should,
            needs: &["text"],
            expects: "the completed response has its usage, whose total is the sum",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                usage(&last_response(evidence)?)
            },
        },
        Check {
            id: "text-store",
            level: Level::Should,
            needs: &["text"],
            expects: "a request with `store: false` has a response with `store: false`",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                let store = last_response(evidence)?.get("store").cloned().unwrap_or_default();
                expect(store == Value::from(false), || format!("`store` is {}", store.to_json()))
            },
        },
        Check {
            id: "whole-form",
            level: Level::Must,
            needs: &["whole"],
            expects: "the whole answer is a response object with all members that it always has",
            source: "https://www.openresponses.org/specification",
            judge: |evidence| {
                evidence.needs_success()?;
                response_object(&evidence.json()?)
            },
        },
        Check {
            id: "previous-answered",
            level: Level::Must,
            needs: &["stored", "previous"],
            expects: "a stored response can be continued by `previous_response_id`",
            source: "",
            judge: answered,
        },
        Check {
            id: "unknown-previous-refused",
            level: Level::Must,
            needs: &["unknown-previous"],
            expects: "an unknown `previous_response_id` is refused with a status of 400 to 499",
            source: "",
            judge: |evidence| {
                errors::refused(evidence)?;
                errors::form(evidence)
            },
        },
    ],
};

/// A question whose response the server may store.
static STORED: Scenario = Scenario {
    name: "stored",
    after: &[],
    request: |asking| {
        let mut first = asking.first(QUESTION);
        first.insert("store", true.into());
        asking.ask(first, false)
    },
};

/// A question after [`STORED`], without its history.
static PREVIOUS: Scenario = Scenario {
    name: "previous",
    after: &["stored"],
    request: |asking| {
        let stored = asking.answers.of("stored")?;
        let body = Value::parse(&String::from_utf8_lossy(&stored.response.body), 256);
        let response = body.unwrap_or_default();
        if response.get("store").and_then(Value::as_bool) != Some(true) {
            return Err(Fault::skipped("the server does not store the response"));
        }
        let mut next = asking.first(NEXT_QUESTION);
        next.insert("store", true.into());
        next.insert("previous_response_id", text_at(&response, "id").into());
        asking.ask(next, true)
    },
};

/// A question after a response that the server does not have.
static UNKNOWN_PREVIOUS: Scenario = Scenario {
    name: "unknown-previous",
    after: &[],
    request: |asking| {
        let mut first = asking.first(QUESTION);
        first.insert("previous_response_id", "resp_agentwire_probe_unknown".into());
        asking.ask(first, true)
    },
};

/// Returns the response of the last event.
fn last_response(evidence: &Evidence<'_>) -> Result<Value, Fault> {
    let objects = evidence.objects();
    let last = objects.iter().rev().find_map(|event| event.get("response"));
    last.cloned().ok_or_else(|| Fault::failed("no event has a response"))
}

fn usage(response: &Value) -> Judged {
    let tokens = ["usage.input_tokens", "usage.output_tokens", "usage.total_tokens"];
    let [Some(input), Some(output), Some(total)] = tokens.map(|path| number(response, path)) else {
        return Err(Fault::failed("the usage is missing"));
    };
    expect(input + output == total, || format!("{input} and {output} are not {total} tokens"))
}

fn number(value: &Value, path: &str) -> Option<i64> {
    match at(value, path)? {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// The members of a response object, and whether each may be null.
const MEMBERS: &[(&str, bool)] = &[
    ("id", false),
    ("object", false),
    ("created_at", false),
    ("completed_at", true),
    ("status", false),
    ("incomplete_details", true),
    ("model", false),
    ("previous_response_id", true),
    ("instructions", true),
    ("output", false),
    ("error", true),
    ("tools", false),
    ("tool_choice", false),
    ("truncation", false),
    ("parallel_tool_calls", false),
    ("text", false),
    ("top_p", false),
    ("presence_penalty", false),
    ("frequency_penalty", false),
    ("top_logprobs", false),
    ("temperature", false),
    ("reasoning", true),
    ("usage", true),
    ("max_output_tokens", true),
    ("max_tool_calls", true),
    ("store", false),
    ("background", false),
    ("service_tier", false),
    ("metadata", true),
    ("safety_identifier", true),
    ("prompt_cache_key", true),
];

fn response_object(response: &Value) -> Judged {
    let is_wrong = |(name, nullable): &&(&str, bool)| match response.get(name) {
        Some(Value::Null) => !nullable,
        Some(_) => false,
        None => true,
    };
    let wrong: Vec<&str> = MEMBERS.iter().filter(is_wrong).map(|(name, _)| *name).collect();
    expect(wrong.is_empty(), || format!("missing or null: {}", wrong.join(", ")))?;
    let object = text_at(response, "object");
    expect(object == "response", || format!("`object` is \"{object}\""))?;
    let status = text_at(response, "status");
    expect(status == "completed", || format!("`status` is \"{status}\""))
}
