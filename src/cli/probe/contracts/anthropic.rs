//! The contract of servers of Anthropic Messages.

use agentwire::ProtocolKind;
use agentwire::json::Value;
use reqwest::Method;

use super::{plainly, with_stream};
use crate::probe::check::{Check, Contract, ErrorForm, Fault, Judged, Level, Scenario, expect};
use crate::probe::evidence::{Evidence, at, text_at};
use crate::probe::scenario::{
    AFTER_CUT, BROKEN_JSON, CALL, CALL_RESULT, CUT, INVALID, NEXT_TURN, OTHER_METHOD, QUESTION,
    TEXT, UNKNOWN_MEMBER, UNKNOWN_MODEL, WHOLE, WRONG_TYPE,
};
use crate::probe::shared::{answered, event_names, models};

/// The contract of gateways for Claude Code.
const GATEWAY: &str = "https://code.claude.com/docs/en/llm-gateway-protocol";

pub static CONTRACT: Contract = Contract {
    protocol: ProtocolKind::Anthropic,
    source: "https://platform.claude.com/docs/en/api/messages",
    path: &["v1", "messages"],
    key: ("x-api-key", ""),
    headers: &[("anthropic-version", "2023-06-01")],
    question: r#"{"model":"$model","max_tokens":1024,"messages":[{"role":"user","content":"$text"}]}"#,
    invalid: r#"{"model":"$model","max_tokens":1024,"messages":42}"#,
    errors: ErrorForm::Anthropic,
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
        &BETA,
        &COUNT_TOKENS,
        &MODELS,
        &HEAD,
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
            id: "text-blocks",
            level: Level::Must,
            needs: &["text"],
            expects: "blocks follow one after the other, with indexes from 0, and none is empty",
            source: "claude-code-router issue 1725",
            judge: blocks,
        },
        Check {
            id: "call-blocks",
            level: Level::Must,
            needs: &["call"],
            expects: "blocks of calls follow one after the other, with indexes from 0",
            source: "LiteLLM issue 13373",
            judge: blocks,
        },
        Check {
            id: "text-usage",
            level: Level::Must,
            needs: &["text"],
            expects: "`message_start` has the usage so far, and `message_delta` the output tokens",
            source: "",
            judge: usage,
        },
        Check {
            id: "text-stop-reason",
            level: Level::Must,
            needs: &["text"],
            expects: "`message_delta` has the stop reason `end_turn`",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                let reason = of_type(evidence, "message_delta")?;
                let reason = text_at(&reason, "delta.stop_reason");
                expect(reason == "end_turn", || format!("the reason is `{reason}`"))
            },
        },
        Check {
            id: "whole-form",
            level: Level::Must,
            needs: &["whole"],
            expects: "the whole answer is a message with content, a stop reason and the usage",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                whole(&evidence.json()?)
            },
        },
        Check {
            id: "beta-answered",
            level: Level::Must,
            needs: &["beta"],
            expects: "`?beta=true` and the key as a bearer token change nothing",
            source: GATEWAY,
            judge: answered,
        },
        Check {
            id: "count-tokens-answered",
            level: Level::Should,
            needs: &["count-tokens"],
            expects: "`POST /v1/messages/count_tokens` returns `input_tokens`",
            source: GATEWAY,
            judge: |evidence| {
                evidence.succeeded()?;
                let is_number =
                    matches!(evidence.json()?.get("input_tokens"), Some(Value::Number(_)));
                expect(is_number, || format!("no number: {}", evidence.answer.excerpt()))
            },
        },
        Check {
            id: "models-listed",
            level: Level::Should,
            needs: &["models"],
            expects: "`GET /v1/models` returns a list of models",
            source: GATEWAY,
            judge: models,
        },
        Check {
            id: "head-answered",
            level: Level::Should,
            needs: &["head"],
            expects: "`HEAD /` is answered: clients ask whether the server is there",
            source: GATEWAY,
            judge: |evidence| {
                let status = evidence.response().status;
                expect(status < 400, || format!("the status is {status}"))
            },
        },
    ],
};

/// The question as Claude Code sends it.
static BETA: Scenario = Scenario {
    name: "beta",
    after: &[],
    request: |asking| {
        let mut sent = (TEXT.request)(asking)?;
        sent.request.url.query_pairs_mut().append_pair("beta", "true");
        sent.request.is_bearer = true;
        Ok(sent)
    },
};

/// The number of tokens of the question.
static COUNT_TOKENS: Scenario = Scenario {
    name: "count-tokens",
    after: &[],
    request: |asking| {
        let body = asking.first(QUESTION);
        let mut sent = asking.ask(body, false)?;
        sent.request.url = asking.target.below(&["v1", "messages", "count_tokens"]);
        let mut body = sent.body.clone();
        if let Value::Object(members) = &mut body {
            members.retain(|member| member.key != "max_tokens");
        }
        sent.request.body = Some(body.to_json());
        Ok(sent)
    },
};

/// The list of models.
static MODELS: Scenario = Scenario {
    name: "models",
    after: &[],
    request: |asking| Ok(asking.bare(Method::GET, asking.target.below(&["v1", "models"]))),
};

/// Whether the server is there.
static HEAD: Scenario = Scenario {
    name: "head",
    after: &[],
    request: |asking| Ok(asking.bare(Method::HEAD, asking.target.below(&[]))),
};

/// Returns the first event of a type.
fn of_type(evidence: &Evidence<'_>, kind: &str) -> Result<Value, Fault> {
    let mut objects = evidence.objects().into_iter();
    let found = objects.find(|event| text_at(event, "type") == kind);
    found.ok_or_else(|| Fault::failed(format!("no event is a `{kind}`")))
}

fn blocks(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    let (mut next, mut open, mut has_content) = (0, None, false);
    for event in evidence.objects() {
        let kind = text_at(&event, "type").to_owned();
        if !kind.starts_with("content_block_") {
            continue;
        }
        let index = match event.get("index") {
            Some(Value::Number(digits)) => digits.parse::<usize>().ok(),
            _ => None,
        };
        if kind == "content_block_start" {
            expect(open.is_none() && index == Some(next), || {
                format!("the block {index:?} begins while {open:?} is open, after {next} blocks")
            })?;
            (open, next) = (index, next + 1);
            has_content = text_at(&event, "content_block.type") != "text"
                || !text_at(&event, "content_block.text").is_empty();
        } else {
            expect(open.is_some() && index == open, || {
                format!("`{kind}` is for the block {index:?} while {open:?} is open")
            })?;
            has_content |= !text_at(&event, "delta.text").is_empty();
        }
        if kind == "content_block_stop" {
            expect(has_content, || format!("the block {index:?} is empty"))?;
            open = None;
        }
    }
    expect(open.is_none(), || format!("the block {open:?} has not ended"))
}

fn usage(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    for (kind, path) in [
        ("message_start", "message.usage.input_tokens"),
        ("message_start", "message.usage.output_tokens"),
        ("message_delta", "usage.output_tokens"),
    ] {
        let event = of_type(evidence, kind)?;
        let is_number = matches!(at(&event, path), Some(Value::Number(_)));
        expect(is_number, || format!("`{path}` of `{kind}` is no number"))?;
    }
    Ok(())
}

fn whole(answer: &Value) -> Judged {
    for (path, expected) in
        [("type", "message"), ("role", "assistant"), ("stop_reason", "end_turn")]
    {
        let found = text_at(answer, path);
        expect(found == expected, || format!("`{path}` is `{found}`"))?;
    }
    for path in ["id", "model", "content.0.type"] {
        expect(!text_at(answer, path).is_empty(), || format!("`{path}` is missing"))?;
    }
    for path in ["usage.input_tokens", "usage.output_tokens"] {
        let is_number = matches!(at(answer, path), Some(Value::Number(_)));
        expect(is_number, || format!("`{path}` is no number"))?;
    }
    let has_sequence = answer.get("stop_sequence").is_some();
    expect(has_sequence, || "`stop_sequence` is missing".into())
}
