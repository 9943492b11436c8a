//! The contract of servers of A2A.

use agentwire::ProtocolKind;
use agentwire::a2a::Dialect;
use agentwire::json::Value;
use reqwest::Method;

use super::BEARER;
use crate::probe::check::{Check, Contract, ErrorForm, Fault, Judged, Level, Scenario, expect};
use crate::probe::errors;
use crate::probe::evidence::{Answers, Evidence, at, text_at};
use crate::probe::scenario::{
    AFTER_CUT, BROKEN_JSON, CUT, INVALID, NEXT_TURN, OTHER_METHOD, QUESTION, TEXT, UNKNOWN_MEMBER,
    WHOLE, WRONG_TYPE,
};
use crate::probe::sent::{Asking, Sent, new_id};

const STATES: &str = "https://a2a-protocol.org/latest/specification/#413-taskstate";
const ERRORS: &str = "https://a2a-protocol.org/latest/specification/#954-error-handling";

pub static CONTRACT: Contract = Contract {
    protocol: ProtocolKind::A2a,
    source: "https://a2a-protocol.org/latest/specification/",
    path: &[],
    key: BEARER,
    headers: &[("a2a-version", "1.0")],
    question: r#"{"message":{"messageId":"$id","role":"ROLE_USER","parts":[{"text":"$text"}]}}"#,
    invalid: r#"{"jsonrpc":"2.0","id":"$id","method":"SendMessage","params":{"message":42}}"#,
    errors: ErrorForm::JsonRpc,
    framed: |body, streamed| {
        let method = if streamed { "SendStreamingMessage" } else { "SendMessage" };
        call(method, body)
    },
    streams: may_stream,
    reading: |body, options| {
        options.a2a.request_id = body.get("id").map(Into::into);
        options.a2a.version = Some(Dialect::V1);
    },
    always: &["card"],
    scenarios: &[
        &CARD,
        &TEXT,
        &WHOLE,
        &NEXT_TURN,
        &GET_TASK,
        &CANCEL_ENDED,
        &UNKNOWN_TASK,
        &UNKNOWN_METHOD,
        &UNKNOWN_VERSION,
        &UNKNOWN_MEMBER,
        &INVALID,
        &BROKEN_JSON,
        &WRONG_TYPE,
        &OTHER_METHOD,
        &CUT,
        &AFTER_CUT,
    ],
    checks: &[
        Check {
            id: "card-served",
            level: Level::Must,
            needs: &["card"],
            expects: "the agent card is at /.well-known/agent-card.json, with all required members",
            source: "https://a2a-protocol.org/latest/specification/#441-agentcard",
            judge: card,
        },
        Check {
            id: "text-ids",
            level: Level::Must,
            needs: &["text"],
            expects: "each event has the id of the request",
            source: "https://www.jsonrpc.org/specification#response_object",
            judge: |evidence| {
                evidence.needs_success()?;
                let sent = evidence.answer.sent.framed.get("id").cloned().unwrap_or_default();
                for (number, event) in evidence.objects().iter().enumerate() {
                    let found = event.get("id").cloned().unwrap_or_default();
                    expect(found == sent, || {
                        format!("event {number} has the id {}", found.to_json())
                    })?;
                }
                Ok(())
            },
        },
        Check {
            id: "whole-form",
            level: Level::Must,
            needs: &["whole"],
            expects: "the result of SendMessage is a task that has ended, or a message",
            source: STATES,
            judge: |evidence| {
                evidence.needs_success()?;
                let answer = evidence.json()?;
                let sent = evidence.answer.sent.framed.get("id").cloned().unwrap_or_default();
                expect(answer.get("id") == Some(&sent), || {
                    format!("the id of the request is missing: {}", evidence.answer.excerpt())
                })?;
                if at(&answer, "result.message").is_some() {
                    return Ok(());
                }
                let state = text_at(&answer, "result.task.status.state");
                expect(state == "TASK_STATE_COMPLETED", || {
                    format!("the state is `{state}`: {}", evidence.answer.excerpt())
                })
            },
        },
        Check {
            id: "next-turn-context",
            level: Level::Must,
            needs: &["text", "next-turn"],
            expects: "a second message is answered in the context that it names",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                let sent = text_at(&evidence.answer.sent.body, "message.contextId").to_owned();
                if sent.is_empty() {
                    return Err(Fault::skipped("the first answer has no context"));
                }
                let received = member(evidence, "contextId").unwrap_or_default();
                expect(received == sent, || format!("the context is `{received}`, not `{sent}`"))
            },
        },
        Check {
            id: "get-task-answered",
            level: Level::Must,
            needs: &["text", "get-task"],
            expects: "GetTask returns the task of the first answer",
            source: "",
            judge: |evidence| {
                evidence.succeeded()?;
                let answer = evidence.json()?;
                let sent = text_at(&evidence.answer.sent.body, "id");
                let received = text_at(&answer, "result.id");
                expect(received == sent, || {
                    format!("the task is not `{sent}`: {}", evidence.answer.excerpt())
                })
            },
        },
        Check {
            id: "cancel-ended-refused",
            level: Level::Must,
            needs: &["text", "cancel-ended"],
            expects: "CancelTask of a task that has ended is refused with -32002",
            source: ERRORS,
            judge: |evidence| code(evidence, -32002),
        },
        Check {
            id: "unknown-task-refused",
            level: Level::Must,
            needs: &["unknown-task"],
            expects: "GetTask of an unknown task is refused with -32001",
            source: ERRORS,
            judge: |evidence| code(evidence, -32001),
        },
        Check {
            id: "unknown-method-refused",
            level: Level::Must,
            needs: &["unknown-method"],
            expects: "an unknown method is refused with -32601",
            source: "https://www.jsonrpc.org/specification#error_object",
            judge: |evidence| code(evidence, -32601),
        },
        Check {
            id: "unknown-version-refused",
            level: Level::Should,
            needs: &["unknown-version"],
            expects: "an unknown A2A-Version is refused with -32009",
            source: "https://a2a-protocol.org/latest/specification/#36-versioning",
            judge: |evidence| code(evidence, -32009),
        },
        Check {
            id: "broken-json-code",
            level: Level::Must,
            needs: &["broken-json"],
            expects: "the error for a body that is not JSON is -32700",
            source: "https://www.jsonrpc.org/specification#error_object",
            judge: |evidence| code(evidence, -32700),
        },
    ],
};

/// The agent card.
static CARD: Scenario = Scenario {
    name: "card",
    after: &[],
    request: |asking| {
        let url = asking.target.at_origin("/.well-known/agent-card.json");
        Ok(asking.bare(Method::GET, url))
    },
};

/// Skips requests for streams if the card states that the agent has none.
fn may_stream(answers: &Answers) -> Result<(), Fault> {
    let card = answers.of("card").ok().map(|card| String::from_utf8_lossy(&card.response.body));
    let card = card.and_then(|card| Value::parse(&card, 64).ok()).unwrap_or_default();
    match at(&card, "capabilities.streaming").and_then(Value::as_bool) {
        Some(false) => Err(Fault::skipped("the card states that the agent does not stream")),
        _ => Ok(()),
    }
}

/// The task of the first answer.
static GET_TASK: Scenario =
    Scenario { name: "get-task", after: &["text"], request: |asking| of_task(asking, "GetTask") };

/// The cancellation of a task that has ended.
static CANCEL_ENDED: Scenario = Scenario {
    name: "cancel-ended",
    after: &["get-task"],
    request: |asking| of_task(asking, "CancelTask"),
};

/// A task that the server does not have.
static UNKNOWN_TASK: Scenario = Scenario {
    name: "unknown-task",
    after: &[],
    request: |asking| Ok(operation(asking, "GetTask", [("id", new_id().into())].into())),
};

/// A method that no version of the protocol has.
static UNKNOWN_METHOD: Scenario = Scenario {
    name: "unknown-method",
    after: &[],
    request: |asking| Ok(operation(asking, "AgentwireProbe", Value::Object(Vec::new()))),
};

/// A version that there is not.
static UNKNOWN_VERSION: Scenario = Scenario {
    name: "unknown-version",
    after: &[],
    request: |asking| {
        let first = asking.first(QUESTION);
        let mut sent = operation(asking, "SendMessage", first);
        sent.request.headers.retain(|(name, _)| *name != "a2a-version");
        sent.request.headers.push(("a2a-version", "99.0"));
        Ok(sent)
    },
};

/// Returns a call of JSON-RPC.
fn call(method: &str, params: Value) -> Value {
    Value::from([
        ("jsonrpc", "2.0".into()),
        ("id", new_id().into()),
        ("method", method.into()),
        ("params", params),
    ])
}

fn operation(asking: &Asking<'_>, method: &str, params: Value) -> Sent {
    let framed = call(method, params.clone());
    let sent = asking.post(framed.to_json(), "application/json");
    Sent { body: params, framed, ..sent }
}

/// Returns the call of a method for the task of the first answer.
fn of_task(asking: &Asking<'_>, method: &str) -> Result<Sent, Fault> {
    let text = asking.answers.of("text")?;
    let snapshot = text.outcome(asking.contract).snapshot.to_json();
    let snapshot = Value::parse(&snapshot, u32::MAX).unwrap_or_default();
    match text_at(&snapshot, "task.id") {
        "" => Err(Fault::skipped("the first answer is not a task")),
        id => Ok(operation(asking, method, [("id", id.into())].into())),
    }
}

/// Returns a member of the task or message of a stream.
fn member(evidence: &Evidence<'_>, name: &str) -> Option<String> {
    let snapshot = evidence.outcome().snapshot.to_json();
    let snapshot = Value::parse(&snapshot, u32::MAX).ok()?;
    let places =
        ["task", "message"].map(|place| text_at(&snapshot, &format!("{place}.{name}")).to_owned());
    places.into_iter().find(|found| !found.is_empty())
}

/// Judges the code of an error.
fn code(evidence: &Evidence<'_>, expected: i64) -> Judged {
    errors::form(evidence)?;
    let answer = evidence.json()?;
    let found = at(&answer, "error.code").cloned().unwrap_or_default();
    expect(found == Value::from(expected), || format!("the code is {}", found.to_json()))
}

fn card(evidence: &Evidence<'_>) -> Judged {
    evidence.succeeded()?;
    let card = evidence.json()?;
    for path in
        ["name", "version", "supportedInterfaces.0.url", "supportedInterfaces.0.protocolBinding"]
    {
        expect(!text_at(&card, path).is_empty(), || format!("`{path}` is missing"))?;
    }
    for path in ["description", "capabilities", "defaultInputModes", "defaultOutputModes", "skills"]
    {
        expect(at(&card, path).is_some(), || format!("`{path}` is missing"))?;
    }
    Ok(())
}
