//! The checks that several protocols have.

use agentwire::hub::conversation::{CallInput, Content};
use agentwire::json::Value;
use agentwire::{EndReason, Severity};

use super::check::{Check, Fault, Judged, Level, expect};
use super::errors;
use super::evidence::{Evidence, text_at};
use super::scenario::TOOL;
use crate::check::sentence;

const SSE: &str = "WHATWG HTML, server-sent events";
const HTTP: &str = "RFC 9110";

pub static CHECKS: &[Check] = &[
    Check {
        id: "text-status",
        level: Level::Must,
        needs: &["text"],
        expects: "a question is answered with a success",
        source: "",
        judge: |evidence| evidence.succeeded(),
    },
    Check {
        id: "text-content-type",
        level: Level::Must,
        needs: &["text"],
        expects: "a stream has the content type text/event-stream",
        source: SSE,
        judge: |evidence| {
            evidence.needs_success()?;
            let kind = evidence.response().media_type();
            expect(kind == "text/event-stream", || format!("the content type is `{kind}`"))
        },
    },
    Check {
        id: "text-uncompressed",
        level: Level::Must,
        needs: &["text"],
        expects: "a stream has no content coding if the client asks for none",
        source: "RFC 9110 12.5.3",
        judge: |evidence| {
            let coding = evidence.response().header("content-encoding");
            expect(matches!(coding, "" | "identity"), || format!("the coding is `{coding}`"))
        },
    },
    Check {
        id: "text-uncached",
        level: Level::Should,
        needs: &["text"],
        expects: "a stream has `Cache-Control: no-cache` or `no-store`",
        source: "RFC 9111 5.2.2",
        judge: |evidence| {
            evidence.needs_success()?;
            let cache = evidence.response().header("cache-control").to_ascii_lowercase();
            let is_uncached = cache.contains("no-cache") || cache.contains("no-store");
            expect(is_uncached, || format!("Cache-Control is `{cache}`"))
        },
    },
    Check {
        id: "text-closed",
        level: Level::Must,
        needs: &["text"],
        expects: "the server ends the response in time",
        source: HTTP,
        judge: |evidence| evidence.ended(),
    },
    Check {
        id: "text-legal",
        level: Level::Must,
        needs: &["text"],
        expects: "the stream has no violation of severity error",
        source: "",
        judge: legal,
    },
    Check {
        id: "text-clean",
        level: Level::Should,
        needs: &["text"],
        expects: "the stream has no violation of severity warning",
        source: "",
        judge: |evidence| {
            evidence.needs_success()?;
            without(evidence, Severity::Warning)
        },
    },
    Check {
        id: "text-terminal",
        level: Level::Must,
        needs: &["text"],
        expects: "the stream ends with the terminal event of a success",
        source: "",
        judge: terminal,
    },
    Check {
        id: "text-answered",
        level: Level::Must,
        needs: &["text"],
        expects: "the answer has a text",
        source: "",
        judge: has_text,
    },
    Check {
        id: "whole-status",
        level: Level::Must,
        needs: &["whole"],
        expects: "a question without a stream is answered with a success",
        source: "",
        judge: |evidence| {
            evidence.succeeded()?;
            evidence.ended()
        },
    },
    Check {
        id: "whole-content-type",
        level: Level::Must,
        needs: &["whole"],
        expects: "a whole answer has the content type application/json",
        source: HTTP,
        judge: |evidence| {
            evidence.needs_success()?;
            let kind = evidence.response().media_type();
            expect(is_json(&kind), || format!("the content type is `{kind}`"))
        },
    },
    Check {
        id: "whole-agrees",
        level: Level::Must,
        needs: &["text", "whole"],
        expects: "the whole answer has the parts that the stream has: texts, calls",
        source: "",
        judge: |evidence| {
            evidence.needs_success()?;
            evidence.json()?;
            let of_stream = Evidence { answer: evidence.answers.of("text")?, ..*evidence };
            of_stream.needs_success()?;
            let [whole, stream] = [evidence.contents()?, of_stream.contents()?].map(kinds);
            expect(whole == stream, || {
                format!(
                    "the stream has {}, the whole answer has {}",
                    listed(&stream),
                    listed(&whole)
                )
            })
        },
    },
    Check {
        id: "next-turn-answered",
        level: Level::Must,
        needs: &["next-turn"],
        expects: "a second question, with the first answer as its history, is answered",
        source: "",
        judge: answered,
    },
    Check {
        id: "call-legal",
        level: Level::Must,
        needs: &["call"],
        expects: "a question with a tool of the client is answered by a legal stream",
        source: "",
        judge: |evidence| {
            evidence.succeeded()?;
            evidence.ended()?;
            legal(evidence)?;
            terminal(evidence)
        },
    },
    Check {
        id: "call-arguments",
        level: Level::Must,
        needs: &["call"],
        expects: "a call has an id, and arguments that are a JSON object",
        source: "",
        judge: |evidence| {
            evidence.needs_success()?;
            let contents = evidence.contents()?;
            let calls = contents.iter().filter_map(|content| match content {
                Content::Call(call) if call.name == TOOL => Some(call),
                _ => None,
            });
            let mut count = 0;
            for call in calls {
                count += 1;
                expect(!call.id.is_empty(), || format!("the call of {} has no id", call.name))?;
                let (CallInput::Json(input) | CallInput::Text(input)) = &call.input else {
                    continue;
                };
                let is_object = matches!(Value::parse(input, 64), Ok(Value::Object(_)));
                expect(is_object, || format!("the arguments are `{input}`"))?;
            }
            match count {
                0 => Err(Fault::skipped("the server did not call the tool of the client")),
                _ => Ok(()),
            }
        },
    },
    Check {
        id: "call-result-answered",
        level: Level::Must,
        needs: &["call-result"],
        expects: "the result of the tool is answered",
        source: "",
        judge: answered,
    },
    Check {
        id: "invalid-refused",
        level: Level::Must,
        needs: &["invalid"],
        expects: "a body that the protocol does not allow is refused with a status of 400 to 499",
        source: "RFC 9110 15.5",
        judge: errors::refused,
    },
    Check {
        id: "broken-json-refused",
        level: Level::Must,
        needs: &["broken-json"],
        expects: "a body that is not JSON is refused with a status of 400 to 499",
        source: "RFC 9110 15.5.1",
        judge: errors::refused,
    },
    Check {
        id: "wrong-type-refused",
        level: Level::Should,
        needs: &["wrong-type"],
        expects: "a body sent as text/plain is refused, because pages of other sites can send it",
        source: "RFC 9110 15.5.16",
        judge: |evidence| {
            let status = evidence.response().status;
            expect((400..500).contains(&status), || format!("the status is {status}"))
        },
    },
    Check {
        id: "unknown-member-accepted",
        level: Level::Must,
        needs: &["unknown-member"],
        expects: "a request with an unknown member is answered",
        source: "",
        judge: answered,
    },
    Check {
        id: "unknown-model-handled",
        level: Level::Must,
        needs: &["unknown-model"],
        expects: "a request for an unknown model is refused with a status of 400 to 499, or answered",
        source: "",
        judge: |evidence| match evidence.response().status {
            200..300 => answered(evidence),
            _ => errors::refused(evidence),
        },
    },
    Check {
        id: "other-method-refused",
        level: Level::Should,
        needs: &["other-method"],
        expects: "another method is refused with 405 or 404",
        source: "RFC 9110 15.5.6",
        judge: |evidence| {
            let status = evidence.response().status;
            expect(matches!(status, 404 | 405 | 501), || format!("the status of PATCH is {status}"))
        },
    },
    Check {
        id: "after-cut-answered",
        level: Level::Must,
        needs: &["cut", "after-cut"],
        expects: "the server answers after a client has closed its connection within a stream",
        source: "",
        judge: answered,
    },
];

/// The checks of protocols whose errors have a form.
pub static ERROR_FORMS: &[Check] = &[
    Check {
        id: "invalid-form",
        level: Level::Must,
        needs: &["invalid"],
        expects: "the error for an invalid request has the form of the protocol",
        source: "",
        judge: errors::form,
    },
    Check {
        id: "broken-json-form",
        level: Level::Must,
        needs: &["broken-json"],
        expects: "the error for a body that is not JSON has the form of the protocol",
        source: "",
        judge: errors::form,
    },
    Check {
        id: "unknown-model-form",
        level: Level::Must,
        needs: &["unknown-model"],
        expects: "the error for an unknown model has the form of the protocol",
        source: "",
        judge: |evidence| match evidence.response().status {
            200..300 => Err(Fault::skipped("the server answers requests for any model")),
            _ => errors::form(evidence),
        },
    },
];

/// Judges a stream that answers a question.
pub fn answered(evidence: &Evidence<'_>) -> Judged {
    evidence.succeeded()?;
    evidence.ended()?;
    legal(evidence)?;
    terminal(evidence)?;
    has_text(evidence)
}

fn has_text(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    expect(!evidence.text()?.trim().is_empty(), || "the answer has no text".into())
}

/// Judges whether a stream is legal.
pub fn legal(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    without(evidence, Severity::Error)
}

/// Judges whether the last event of a stream is `[DONE]`.
pub fn done(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    let last = evidence.events().pop().map(|event| event.data).unwrap_or_default();
    expect(last.trim() == "[DONE]", || format!("the last event is `{last}`"))
}

/// Judges whether the event line of each event is its type.
pub fn event_names(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    for (number, event) in evidence.events().iter().enumerate() {
        let Some(json) = &event.json else { continue };
        let kind = text_at(json, "type");
        expect(event.name == kind, || {
            format!("event {number} of type `{kind}` has the event line `{}`", event.name)
        })?;
    }
    Ok(())
}

/// Judges whether `sequence_number` counts the events from 0.
pub fn sequence_numbers(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    for (number, event) in evidence.objects().iter().enumerate() {
        let found = event.get("sequence_number").cloned().unwrap_or_default();
        expect(found == Value::from(number as i64), || {
            format!("event {number} has the number {}", found.to_json())
        })?;
    }
    Ok(())
}

/// Judges a list of models.
pub fn models(evidence: &Evidence<'_>) -> Judged {
    evidence.succeeded()?;
    let list = evidence.json()?;
    let has_id = !text_at(&list, "data.0.id").is_empty();
    expect(has_id, || format!("no `data[0].id`: {}", evidence.answer.excerpt()))
}

/// Judges whether a stream has its terminal event.
pub fn terminal(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    let report = &evidence.outcome().report;
    expect(report.end_reason == EndReason::Terminal, || {
        format!(
            "the stream ended: {}, after {} events and {} bytes",
            report.end_reason.as_str(),
            report.events,
            report.bytes
        )
    })
}

/// Fails with the violations of a severity.
fn without(evidence: &Evidence<'_>, severity: Severity) -> Judged {
    const MOST: usize = 5;
    let report = &evidence.outcome().report;
    let found = report.violations.iter().filter(|violation| violation.rule.severity == severity);
    let mut lines: Vec<String> = found.clone().take(MOST).map(sentence).collect();
    let further = found.count().saturating_sub(MOST);
    if further > 0 {
        lines.push(format!("and {further} more"));
    }
    if lines.is_empty() { Ok(()) } else { Err(Fault::Failed(lines)) }
}

/// Reports whether a media type is one of JSON.
pub fn is_json(media_type: &str) -> bool {
    media_type == "application/json" || media_type.ends_with("+json")
}

/// Returns the kinds of contents whose presence does not depend on the mood of a model.
fn kinds(contents: Vec<Content>) -> Vec<&'static str> {
    let mut kinds: Vec<_> = contents
        .iter()
        .filter_map(|content| match content {
            Content::Text(_) => Some("text"),
            Content::Call(_) => Some("calls"),
            _ => None,
        })
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn listed(kinds: &[&str]) -> String {
    if kinds.is_empty() { "nothing".into() } else { kinds.join(" and ") }
}
