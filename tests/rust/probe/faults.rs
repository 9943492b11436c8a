//! For each check, a fault that it finds.

use super::server::{Fault, On};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Returns the fault for a check: of the protocol, or the one that all protocols have in common.
pub fn of(protocol: &str, check: &str) -> Option<(On, Fault)> {
    own(protocol, check).or_else(|| shared(protocol, check))
}

fn shared(protocol: &str, check: &str) -> Option<(On, Fault)> {
    // How a request for a whole answer differs from one for a stream.
    let whole = if protocol == "a2a" { "\"SendMessage\"" } else { "\"stream\":false" };
    Some(match check {
        "text-status" => (On::All, Fault::Status(500)),
        "text-content-type" => (On::All, Fault::Header("content-type", JSON)),
        "text-uncompressed" => (On::All, Fault::Header("content-encoding", "br")),
        "text-uncached" => (On::All, Fault::Header("cache-control", "")),
        "text-closed" => (On::All, Fault::Open),
        "text-legal" => (On::All, Fault::Body(|body| format!("data: {{\"type\":\n\n{body}"))),
        "text-clean" => (On::All, Fault::Body(|body| body.trim_end().to_owned())),
        "text-terminal" => (On::All, Fault::Body(half)),
        "text-answered" => {
            (On::All, Fault::Body(|body| body.replace("Hello ", "").replace("there.", "")))
        }
        "whole-status" => (On::Body(whole), Fault::Status(503)),
        "whole-content-type" => (On::Body(whole), Fault::Header("content-type", "text/plain")),
        "whole-agrees" => (On::Body(whole), Fault::Answer(200, JSON, "{}")),
        "next-turn-answered" => (On::Body("another"), Fault::Status(400)),
        "call-legal" => (On::Body("get_weather"), Fault::Body(half)),
        "call-arguments" => {
            (On::Body("get_weather"), Fault::Body(|body| body.replace("Paris\\\"}", "Paris\\\"")))
        }
        "call-result-answered" => (On::Body("18 °C"), Fault::Cut),
        "invalid-refused" | "broken-json-refused" => (On::All, Fault::Answer(200, JSON, "{}")),
        "invalid-form" | "broken-json-form" => (On::All, Fault::Answer(400, JSON, "{\"no\":1}")),
        "wrong-type-refused" => (On::All, Fault::Status(200)),
        "unknown-member-accepted" => (On::Body("agentwire_probe"), Fault::Status(400)),
        "unknown-model-handled" => (On::Body("no-such-model"), Fault::Status(500)),
        "unknown-model-form" => (On::All, Fault::Answer(404, "text/plain", "no such model")),
        "other-method-refused" => (On::All, Fault::Status(200)),
        "after-cut-answered" => (On::Later, Fault::Status(503)),
        _ => return None,
    })
}

fn own(protocol: &str, check: &str) -> Option<(On, Fault)> {
    Some(match (protocol, check) {
        ("responses", "text-event-names") => {
            (On::All, Fault::Body(|body| body.replace("event: response.completed\n", "")))
        }
        ("responses", "text-sequence-numbers") => (
            On::All,
            Fault::Body(|body| body.replace("\"sequence_number\":1,", "\"sequence_number\":9,")),
        ),
        ("responses", "text-usage") => {
            (On::All, Fault::Body(|body| body.replace("\"total_tokens\":8", "\"total_tokens\":9")))
        }
        ("responses", "text-store") => {
            (On::All, Fault::Body(|body| body.replace("\"store\":false", "\"store\":true")))
        }
        ("responses", "whole-form") => {
            (On::All, Fault::Body(|body| body.replace("\"truncation\"", "\"trunk\"")))
        }
        // The service stores nothing.
        ("responses", "previous-answered") => (
            On::BodyWithout("\"store\":true", "previous_response_id"),
            Fault::Body(|body| body.replace("\"store\":false", "\"store\":true")),
        ),
        ("responses", "unknown-previous-refused") => (On::All, Fault::Answer(200, EVENTS, "")),
        ("chat", "text-done") => {
            (On::All, Fault::Body(|body| body.replace("data: [DONE]\n\n", "")))
        }
        ("chat", "text-chunks") => {
            (On::All, Fault::Body(|body| body.replace("chat.completion.chunk", "chunk")))
        }
        ("chat", "text-role") => {
            (On::All, Fault::Body(|body| body.replace("\"role\":\"assistant\",", "")))
        }
        ("chat", "text-finish") => {
            (On::All, Fault::Body(|body| body.replace("\"stop\"", "\"length\"")))
        }
        ("chat", "text-usage") => {
            (On::All, Fault::Body(|body| body.replace("\"total_tokens\":8", "\"total\":8")))
        }
        ("chat", "no-usage-absent") => {
            let usage = "data: {\"choices\":[],\"usage\":{\"total_tokens\":8}}\n\n";
            (On::All, Fault::Answer(200, EVENTS, usage))
        }
        ("chat", "call-indexes") => (
            On::All,
            Fault::Body(|body| {
                body.replace("\"tool_calls\":[{\"index\":0", "\"tool_calls\":[{\"index\":7")
            }),
        ),
        ("chat", "whole-form") => {
            (On::All, Fault::Body(|body| body.replace("\"created\":", "\"made\":")))
        }
        ("chat" | "anthropic", "models-listed") => (On::All, Fault::Answer(404, JSON, "{}")),
        ("anthropic", "text-event-names") => {
            (On::All, Fault::Body(|body| body.replace("event: message_stop\n", "")))
        }
        ("anthropic", "text-blocks" | "call-blocks") => {
            (On::All, Fault::Body(|body| body.replace("\"index\":0", "\"index\":3")))
        }
        ("anthropic", "text-usage") => {
            (On::All, Fault::Body(|body| body.replace("\"output_tokens\"", "\"out\"")))
        }
        ("anthropic", "text-stop-reason") => {
            (On::All, Fault::Body(|body| body.replace("end_turn", "max_tokens")))
        }
        ("anthropic", "whole-form") => {
            (On::All, Fault::Body(|body| body.replace("\"stop_sequence\"", "\"sequence\"")))
        }
        ("anthropic", "beta-answered") => (On::Query("beta=true"), Fault::Status(404)),
        ("anthropic", "count-tokens-answered") => (On::All, Fault::Answer(404, JSON, "{}")),
        ("anthropic", "head-answered") => (On::All, Fault::Status(404)),
        ("ag-ui", "text-run-ids") => {
            (On::All, Fault::Body(|body| body.replace("\"threadId\":\"", "\"threadId\":\"other")))
        }
        ("ag-ui", "next-turn-run-ids") => (
            On::Body("another"),
            Fault::Body(|body| body.replace("\"runId\":\"", "\"runId\":\"other")),
        ),
        ("ag-ui" | "ai-sdk", "invalid-refused") => (On::All, Fault::Answer(500, JSON, "{}")),
        ("ai-sdk", "text-header") => (On::All, Fault::Header("x-vercel-ai-ui-message-stream", "")),
        ("ai-sdk" | "ag-kit", "text-done") => {
            (On::All, Fault::Body(|body| body.replace("data: [DONE]\n\n", "")))
        }
        ("agent-api", "text-session") => (
            On::All,
            Fault::Body(|body| body.replace("\"session_id\":\"", "\"session_id\":\"other")),
        ),
        ("agent-api", "text-sequence-numbers") => (
            On::All,
            Fault::Body(|body| body.replace("\"sequence_number\":1,", "\"sequence_number\":9,")),
        ),
        ("a2a", "card-served") => {
            (On::Path("agent-card.json"), Fault::Body(|body| body.replace("\"skills\"", "\"s\"")))
        }
        ("a2a", "text-ids") => {
            (On::All, Fault::Body(|body| body.replace("\"id\":\"probe_", "\"id\":\"other_")))
        }
        ("a2a", "whole-form") => (
            On::All,
            Fault::Body(|body| body.replace("TASK_STATE_COMPLETED", "TASK_STATE_WORKING")),
        ),
        ("a2a", "next-turn-context") => (
            On::Body("another"),
            Fault::Body(|body| body.replace("\"contextId\":\"", "\"contextId\":\"other")),
        ),
        ("a2a", "get-task-answered") => {
            (On::Body("GetTask"), Fault::Body(|body| body.replace("\"id\":\"", "\"id\":\"other")))
        }
        ("a2a", "cancel-ended-refused") => (On::Body("CancelTask"), Fault::Answer(200, JSON, "{}")),
        (
            "a2a",
            "unknown-task-refused"
            | "unknown-method-refused"
            | "unknown-version-refused"
            | "broken-json-code",
        ) => (On::All, Fault::Body(|body| body.replace("\"code\":-32", "\"code\":-31"))),
        ("a2a", "invalid-form" | "broken-json-form") => {
            (On::All, Fault::Answer(200, JSON, r#"{"error":{"code":-32700,"message":"no"}}"#))
        }
        _ => return None,
    })
}

/// Returns the first half of a stream, up to the end of an event.
fn half(body: String) -> String {
    let middle = body.len() / 2;
    let end = body[..middle].rfind("\n\n").map_or(0, |at| at + 2);
    body[..end].to_owned()
}
