//! The contract of servers of Chat Completions.

use agentwire::ProtocolKind;
use agentwire::json::Value;
use reqwest::Method;

use super::{BEARER, plainly};
use crate::probe::check::{Check, Contract, ErrorForm, Fault, Judged, Level, Scenario, expect};
use crate::probe::evidence::{Evidence, at, text_at};
use crate::probe::scenario::{
    AFTER_CUT, BROKEN_JSON, CALL, CALL_RESULT, CUT, INVALID, NEXT_TURN, OTHER_METHOD, QUESTION,
    TEXT, UNKNOWN_MEMBER, UNKNOWN_MODEL, WHOLE, WRONG_TYPE,
};
use crate::probe::shared::{done, models};

pub static CONTRACT: Contract = Contract {
    protocol: ProtocolKind::Chat,
    source: "https://platform.openai.com/docs/api-reference/chat",
    path: &["chat", "completions"],
    key: BEARER,
    headers: &[],
    question: r#"{"model":"$model","messages":[{"role":"user","content":"$text"}]}"#,
    invalid: r#"{"model":"$model","messages":42}"#,
    errors: ErrorForm::OpenAi,
    framed: |mut body, streamed| {
        body.insert("stream", streamed.into());
        if streamed {
            body.insert("stream_options", [("include_usage", true.into())].into());
        }
        body
    },
    streams: |_| Ok(()),
    reading: plainly,
    always: &[],
    scenarios: &[
        &TEXT,
        &WHOLE,
        &NEXT_TURN,
        &CALL,
        &CALL_RESULT,
        &NO_USAGE,
        &MODELS,
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
            id: "text-done",
            level: Level::Must,
            needs: &["text"],
            expects: "the last event of the stream is [DONE]",
            source: "",
            judge: done,
        },
        Check {
            id: "text-chunks",
            level: Level::Must,
            needs: &["text"],
            expects: "chunks have one id, `object`, `created` and `model`",
            source: "",
            judge: chunks,
        },
        Check {
            id: "text-role",
            level: Level::Must,
            needs: &["text"],
            expects: "the first delta has the role of the assistant",
            source: "LibreChat issue 1353",
            judge: |evidence| {
                evidence.needs_success()?;
                let chunks = evidence.objects();
                let first = chunks.iter().find_map(|chunk| at(chunk, "choices.0.delta"));
                let role = first.map(|delta| text_at(delta, "role")).unwrap_or_default();
                expect(role == "assistant", || format!("the role is `{role}`"))
            },
        },
        Check {
            id: "text-finish",
            level: Level::Must,
            needs: &["text"],
            expects: "exactly one chunk has a `finish_reason`, which is \"stop\"",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                let chunks = evidence.objects();
                let reasons = chunks.iter().map(|chunk| text_at(chunk, "choices.0.finish_reason"));
                let reasons: Vec<&str> = reasons.filter(|reason| !reason.is_empty()).collect();
                expect(reasons == ["stop"], || format!("the reasons are {reasons:?}"))
            },
        },
        Check {
            id: "text-usage",
            level: Level::Must,
            needs: &["text"],
            expects: "with `include_usage`, the last chunk has the usage and no choice",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                let chunks = evidence.objects();
                let last = chunks.last().ok_or_else(|| Fault::failed("no chunk"))?;
                let has_usage = matches!(at(last, "usage.total_tokens"), Some(Value::Number(_)));
                expect(has_usage, || format!("the last chunk has no usage: {}", last.to_json()))?;
                let is_alone =
                    matches!(last.get("choices"), Some(Value::Array(none)) if none.is_empty());
                expect(is_alone, || "the chunk with the usage has choices".into())
            },
        },
        Check {
            id: "no-usage-absent",
            level: Level::Must,
            needs: &["no-usage"],
            expects: "without `include_usage`, each chunk has a choice, and none has a usage",
            source: "Cline issues 8384 and 10148",
            judge: |evidence| {
                evidence.succeeded()?;
                evidence.ended()?;
                for (number, chunk) in evidence.objects().iter().enumerate() {
                    let has_usage = chunk.get("usage").is_some_and(|usage| !usage.is_null());
                    expect(!has_usage, || format!("chunk {number} has a usage"))?;
                    let has_choice = at(chunk, "choices.0").is_some();
                    expect(has_choice, || format!("chunk {number} has no choice"))?;
                }
                Ok(())
            },
        },
        Check {
            id: "call-indexes",
            level: Level::Must,
            needs: &["call"],
            expects: "calls have indexes from 0, and the first chunk of each has its id and name",
            source: "",
            judge: call_indexes,
        },
        Check {
            id: "whole-form",
            level: Level::Must,
            needs: &["whole"],
            expects: "the whole answer is a chat.completion with a message, a reason and the usage",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                whole(&evidence.json()?)
            },
        },
        Check {
            id: "models-listed",
            level: Level::Should,
            needs: &["models"],
            expects: "`GET /models` returns a list of models",
            source: "https://platform.openai.com/docs/api-reference/models",
            judge: models,
        },
    ],
};

/// A stream without `include_usage`.
static NO_USAGE: Scenario = Scenario {
    name: "no-usage",
    after: &[],
    request: |asking| {
        let mut body = asking.first(QUESTION);
        body.insert("stream", true.into());
        Ok(asking.post(body.to_json(), "application/json"))
    },
};

/// The list of models.
static MODELS: Scenario = Scenario {
    name: "models",
    after: &[],
    request: |asking| Ok(asking.bare(Method::GET, asking.target.below(&["models"]))),
};

fn chunks(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    let chunks = evidence.objects();
    let first = chunks.first().ok_or_else(|| Fault::failed("no chunk"))?;
    let id = text_at(first, "id");
    expect(!id.is_empty(), || "the first chunk has no id".into())?;
    for (number, chunk) in chunks.iter().enumerate() {
        let (found, object) = (text_at(chunk, "id"), text_at(chunk, "object"));
        expect(found == id, || format!("chunk {number} has the id `{found}`, not `{id}`"))?;
        let is_chunk = object == "chat.completion.chunk";
        expect(is_chunk, || format!("chunk {number} has the object `{object}`"))?;
        let has_time = matches!(chunk.get("created"), Some(Value::Number(_)));
        expect(has_time, || format!("chunk {number} has no `created`"))?;
        let has_model = matches!(chunk.get("model"), Some(Value::String(_)));
        expect(has_model, || format!("chunk {number} has no `model`"))?;
    }
    Ok(())
}

fn call_indexes(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    let mut next = 0;
    for chunk in evidence.objects() {
        let Some(Value::Array(calls)) = at(&chunk, "choices.0.delta.tool_calls") else { continue };
        for call in calls {
            let Some(Value::Number(index)) = call.get("index") else {
                return Err(Fault::failed(format!("a call has no index: {}", call.to_json())));
            };
            let index: usize = index.parse().unwrap_or(usize::MAX);
            expect(index <= next, || format!("the index {index} follows {next} calls"))?;
            if index == next {
                next += 1;
                let is_named = [text_at(call, "id"), text_at(call, "function.name")];
                expect(!is_named.contains(&""), || {
                    format!("the call {index} begins without id or name: {}", call.to_json())
                })?;
            }
        }
    }
    if next == 0 {
        Err(Fault::skipped("the server did not call the tool of the client"))
    } else {
        Ok(())
    }
}

fn whole(answer: &Value) -> Judged {
    let object = text_at(answer, "object");
    expect(object == "chat.completion", || format!("`object` is `{object}`"))?;
    for path in ["id", "model", "choices.0.finish_reason"] {
        expect(!text_at(answer, path).is_empty(), || format!("`{path}` is missing"))?;
    }
    for path in [
        "created",
        "choices.0.index",
        "usage.prompt_tokens",
        "usage.completion_tokens",
        "usage.total_tokens",
    ] {
        let is_number = matches!(at(answer, path), Some(Value::Number(_)));
        expect(is_number, || format!("`{path}` is no number"))?;
    }
    let role = text_at(answer, "choices.0.message.role");
    expect(role == "assistant", || format!("the role is `{role}`"))?;
    let has_content = at(answer, "choices.0.message.content").is_some();
    expect(has_content, || "the message has no `content`".into())
}
