//! Whole answers: of APIs that were not asked for a stream.

use crate::curves::Curve;
use crate::curves::stream::Stream;

pub const AGENT_API: &[Curve] = &[
    ("a whole answer of many messages", |s, n| {
        let content = r#"{"object":"content","type":"text","index":0,"text":"a$i"}"#;
        whole(s, AGENT_RESPONSE, n, &agent_message("m$i", content));
    }),
    ("a whole answer of many contents", |s, n| {
        let content = r#"{"object":"content","type":"text","index":$i,"text":"a$i"}"#;
        whole(s, &within(AGENT_RESPONSE, &agent_message("m", "|")), n, content);
    }),
    ("a whole answer of many calls", |s, n| {
        let call = r#"{"object":"message","status":"completed","id":"m$i","type":"function_call","role":"assistant","content":[{"object":"content","type":"data","index":0,"data":{"call_id":"c$i","name":"f","arguments":"{}"}}]}"#;
        whole(s, AGENT_RESPONSE, n, call);
    }),
    ("a whole answer with much metadata", |s, n| {
        let around =
            r#"{"object":"response","status":"completed","id":"r","metadata":{|},"output":[]}"#;
        whole(s, around, n, r#""k$i":$i"#);
    }),
    ("whole answers", |s, n| {
        let content = r#"{"object":"content","type":"text","index":0,"text":"a$i"}"#;
        s.lines(n, &within(AGENT_RESPONSE, &agent_message("m$i", content)));
    }),
];

pub const RESPONSES: &[Curve] = &[
    ("a whole answer of many messages", |s, n| {
        whole(
            s,
            RESPONSE,
            n,
            &message("m$i", r#"{"type":"output_text","text":"a$i","annotations":[]}"#),
        );
    }),
    ("a whole answer of many parts", |s, n| {
        let part = r#"{"type":"output_text","text":"a$i","annotations":[]}"#;
        whole(s, &within(RESPONSE, &message("m", "|")), n, part);
    }),
    ("a whole answer of many annotations", |s, n| {
        let part = message("m", r#"{"type":"output_text","text":"a","annotations":[|]}"#);
        let annotation =
            r#"{"type":"url_citation","url":"u$i","title":"t","start_index":0,"end_index":1}"#;
        whole(s, &within(RESPONSE, &part), n, annotation);
    }),
    ("a whole answer of many calls", |s, n| {
        let call = r#"{"type":"function_call","id":"fc$i","call_id":"c$i","name":"f","arguments":"{}","status":"completed"}"#;
        whole(s, RESPONSE, n, call);
    }),
    ("a whole answer of calls with objects as arguments", |s, n| {
        let call = r#"{"type":"function_call","id":"fc$i","call_id":"c$i","name":"f","arguments":{"a":$i},"status":"completed"}"#;
        whole(s, RESPONSE, n, call);
    }),
    ("a whole answer of calls without ids", |s, n| {
        whole(s, RESPONSE, n, r#"{"type":"function_call","name":"f","arguments":"{}"}"#);
    }),
    ("a whole answer of much reasoning", |s, n| {
        let item = r#"{"type":"reasoning","id":"r$i","summary":[{"type":"summary_text","text":"a$i"}],"encrypted_content":"e$i"}"#;
        whole(s, RESPONSE, n, item);
    }),
    ("a whole answer of hosted calls", |s, n| {
        let item = r#"{"type":"web_search_call","id":"w$i","status":"completed","action":{"type":"search","query":"q$i"}}"#;
        whole(s, RESPONSE, n, item);
    }),
    ("a whole answer of one id", |s, n| {
        whole(
            s,
            RESPONSE,
            n,
            &message("m", r#"{"type":"output_text","text":"a$i","annotations":[]}"#),
        );
    }),
    ("a whole answer with many members", |s, n| {
        whole(
            s,
            r#"{"id":"r","object":"response","status":"completed","output":[],|}"#,
            n,
            r#""k$i":$i"#,
        );
    }),
    ("whole answers", |s, n| {
        s.lines(
            n,
            &within(
                RESPONSE,
                &message("m$i", r#"{"type":"output_text","text":"a","annotations":[]}"#),
            ),
        );
    }),
];

pub const A2A: &[Curve] = &[
    ("a whole answer of many artifacts", |s, n| {
        whole(s, TASK, n, r#"{"artifactId":"a$i","parts":[{"text":"x$i"}]}"#);
    }),
    ("a whole answer of many parts", |s, n| {
        whole(s, &within(TASK, r#"{"artifactId":"a","parts":[|]}"#), n, r#"{"text":"x$i"}"#);
    }),
    ("a whole answer of much data", |s, n| {
        whole(
            s,
            &within(TASK, r#"{"artifactId":"a","parts":[|]}"#),
            n,
            r#"{"data":{"name":"n$i","values":[$i,$i]}}"#,
        );
    }),
    ("a whole answer with a history", |s, n| {
        let around =
            r#"{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"history":[|]}"#;
        let message = r#"{"messageId":"m$i","role":"ROLE_AGENT","parts":[{"text":"x$i"}]}"#;
        whole(s, around, n, message);
    }),
    ("a whole message of many parts", |s, n| {
        whole(s, r#"{"messageId":"m","role":"ROLE_AGENT","parts":[|]}"#, n, r#"{"text":"x$i"}"#);
    }),
    ("whole tasks", |s, n| {
        s.lines(n, &within(TASK, r#"{"artifactId":"a$i","parts":[{"text":"x$i"}]}"#))
    }),
    ("whole messages", |s, n| {
        s.lines(n, r#"{"messageId":"m$i","role":"ROLE_AGENT","parts":[{"text":"x$i"}]}"#);
    }),
];

pub const CHAT: &[Curve] = &[
    ("a whole answer of many choices", |s, n| {
        whole(s, COMPLETION, n, &choice("$i", r#""content":"a$i""#));
    }),
    ("a whole answer of many calls", |s, n| {
        let call = r#"{"id":"c$i","type":"function","function":{"name":"f","arguments":"{}"}}"#;
        whole(s, &within(COMPLETION, &choice("0", r#""content":null,"tool_calls":[|]"#)), n, call);
    }),
    ("a whole answer of calls with objects as arguments", |s, n| {
        let call = r#"{"function":{"name":"f","arguments":{"a":$i}}}"#;
        whole(s, &within(COMPLETION, &choice("0", r#""content":null,"tool_calls":[|]"#)), n, call);
    }),
    ("a whole answer of many parts", |s, n| {
        whole(
            s,
            &within(COMPLETION, &choice("0", r#""content":[|]"#)),
            n,
            r#"{"type":"text","text":"a$i"}"#,
        );
    }),
    ("a whole answer of many annotations", |s, n| {
        let annotation = r#"{"type":"url_citation","url_citation":{"url":"u$i","title":"t"}}"#;
        whole(
            s,
            &within(COMPLETION, &choice("0", r#""content":"a","annotations":[|]"#)),
            n,
            annotation,
        );
    }),
    ("a whole answer with details of reasoning", |s, n| {
        let detail = r#"{"type":"reasoning.text","text":"x","index":$i}"#;
        whole(
            s,
            &within(COMPLETION, &choice("0", r#""content":"a","reasoning_details":[|]"#)),
            n,
            detail,
        );
    }),
    ("a whole answer with undeclared members", |s, n| {
        whole(s, &within(COMPLETION, &choice("0", r#""content":"a",|"#)), n, r#""k$i":$i"#);
    }),
    ("whole answers", |s, n| s.lines(n, &within(COMPLETION, &choice("0", r#""content":"a$i""#)))),
];

pub const ANTHROPIC: &[Curve] = &[
    ("a whole answer of many texts", |s, n| {
        whole(s, MESSAGE, n, r#"{"type":"text","text":"a$i"}"#)
    }),
    ("a whole answer of many thoughts", |s, n| {
        whole(s, MESSAGE, n, r#"{"type":"thinking","thinking":"a$i","signature":"s$i"}"#);
    }),
    ("a whole answer of many calls", |s, n| {
        whole(s, MESSAGE, n, r#"{"type":"tool_use","id":"c$i","name":"f","input":{"a":$i}}"#);
    }),
    ("a whole answer of calls of one id", |s, n| {
        whole(s, MESSAGE, n, r#"{"type":"tool_use","id":"c","name":"f","input":{"a":$i}}"#);
    }),
    ("a whole answer of many citations", |s, n| {
        let citation = r#"{"type":"char_location","cited_text":"a$i","document_index":0,"start_char_index":0,"end_char_index":1}"#;
        whole(s, &within(MESSAGE, r#"{"type":"text","text":"a","citations":[|]}"#), n, citation);
    }),
    ("a whole answer of hosted calls and results", |s, n| {
        let blocks = r#"{"type":"server_tool_use","id":"s$i","name":"web_search","input":{"query":"q$i"}},{"type":"web_search_tool_result","tool_use_id":"s$i","content":[{"type":"web_search_result","url":"u$i","title":"t"}]}"#;
        whole(s, MESSAGE, n, blocks);
    }),
    ("a whole answer of unknown blocks", |s, n| {
        whole(s, MESSAGE, n, r#"{"type":"x$i","a":{"b":$i}}"#)
    }),
    ("a whole answer with many members", |s, n| {
        let around = r#"{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":"end_turn",|}"#;
        whole(s, around, n, r#""k$i":$i"#);
    }),
    ("a whole answer with much usage", |s, n| {
        let around = r#"{"id":"m","type":"message","role":"assistant","content":[],"usage":{|}}"#;
        whole(s, around, n, r#""k$i":$i"#);
    }),
    ("whole answers", |s, n| s.lines(n, &within(MESSAGE, r#"{"type":"text","text":"a$i"}"#))),
];

pub const GEMINI: &[Curve] = &[
    ("a whole answer of many candidates", |s, n| {
        whole(s, CANDIDATES, n, &candidate("$i", r#"{"text":"a$i"}"#));
    }),
    ("a whole answer of many texts", |s, n| parts(s, n, r#"{"text":"a$i"}"#)),
    ("a whole answer of texts and thoughts", |s, n| {
        parts(s, n, r#"{"text":"a$i"},{"text":"b$i","thought":true}"#);
    }),
    ("a whole answer of many calls", |s, n| {
        parts(s, n, r#"{"functionCall":{"id":"c$i","name":"f","args":{"a":$i}}}"#);
    }),
    ("a whole answer of calls without ids", |s, n| {
        parts(s, n, r#"{"functionCall":{"name":"f","args":{"a":$i}}}"#);
    }),
    ("a whole answer of much code", |s, n| {
        parts(
            s,
            n,
            r#"{"executableCode":{"language":"PYTHON","code":"a$i"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"b$i"}}"#,
        );
    }),
    ("a whole answer of many images", |s, n| {
        parts(s, n, r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#);
    }),
    ("a whole answer of much grounding", |s, n| {
        let grounded = r#"{"content":{"parts":[{"text":"a"}]},"groundingMetadata":{"groundingChunks":[|]},"finishReason":"STOP","index":0}"#;
        whole(s, &within(CANDIDATES, grounded), n, r#"{"web":{"uri":"u$i","title":"t$i"}}"#);
    }),
    ("whole answers", |s, n| s.lines(n, &within(CANDIDATES, &candidate("0", r#"{"text":"a$i"}"#)))),
];

pub const INTERACTIONS: &[Curve] = &[
    ("a whole answer of many outputs", |s, n| {
        whole(s, STEPS, n, r#"{"type":"model_output","content":[{"type":"text","text":"a$i"}]}"#);
    }),
    ("a whole answer of many texts", |s, n| {
        let output = r#"{"type":"model_output","content":[|]}"#;
        whole(s, &within(STEPS, output), n, r#"{"type":"text","text":"a$i"}"#);
    }),
    ("a whole answer of many thoughts", |s, n| {
        let thought =
            r#"{"type":"thought","signature":"s$i","summary":[{"type":"text","text":"a"}]}"#;
        whole(s, STEPS, n, thought);
    }),
    ("a whole answer of many calls", |s, n| {
        let call = r#"{"type":"function_call","id":"c$i","name":"f","arguments":{"a":$i}}"#;
        whole(s, STEPS, n, call);
    }),
    ("a whole answer of searches and results", |s, n| {
        let steps = r#"{"type":"google_search_call","id":"c$i","arguments":{"queries":["q"]}},{"type":"google_search_result","call_id":"c$i","result":[{"url":"u$i"}]}"#;
        whole(s, STEPS, n, steps);
    }),
    ("a whole answer of unknown steps", |s, n| whole(s, STEPS, n, r#"{"type":"x$i","a":$i}"#)),
    ("a whole answer with many members", |s, n| {
        whole(s, r#"{"id":"i","status":"completed","steps":[],|}"#, n, r#""k$i":$i"#);
    }),
    ("whole answers", |s, n| {
        let output = r#"{"type":"model_output","content":[{"type":"text","text":"a$i"}]}"#;
        s.lines(n, &within(STEPS, output));
    }),
];

const STEPS: &str = r#"{"id":"i","status":"completed","object":"interaction","steps":[|]}"#;
const AGENT_RESPONSE: &str = r#"{"object":"response","status":"completed","id":"r","output":[|]}"#;
const RESPONSE: &str = r#"{"id":"r","object":"response","created_at":1,"status":"completed","model":"m","output":[|]}"#;
const TASK: &str =
    r#"{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[|]}"#;
const COMPLETION: &str = r#"{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[|],"usage":{"total_tokens":3}}"#;
const MESSAGE: &str = r#"{"id":"m","type":"message","role":"assistant","model":"m","content":[|],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}"#;
const CANDIDATES: &str =
    r#"{"candidates":[|],"usageMetadata":{"totalTokenCount":3},"responseId":"r"}"#;

fn agent_message(id: &str, content: &str) -> String {
    format!(
        r#"{{"object":"message","status":"completed","id":"{id}","type":"message","role":"assistant","content":[{content}]}}"#
    )
}

fn message(id: &str, part: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","status":"completed","role":"assistant","content":[{part}]}}"#
    )
}

fn choice(index: &str, members: &str) -> String {
    format!(
        r#"{{"index":{index},"message":{{"role":"assistant",{members}}},"finish_reason":"stop"}}"#
    )
}

fn candidate(index: &str, part: &str) -> String {
    format!(
        r#"{{"content":{{"role":"model","parts":[{part}]}},"finishReason":"STOP","index":{index}}}"#
    )
}

/// Writes an answer whose one candidate has many parts.
fn parts(s: &mut Stream, n: usize, part: &str) {
    whole(s, &within(CANDIDATES, &candidate("0", "|")), n, part);
}

/// The answer with something at its `|`.
fn within(answer: &str, inner: &str) -> String {
    answer.replace('|', inner)
}

/// Writes one answer, with the items at its `|`.
fn whole(s: &mut Stream, answer: &str, n: usize, item: &str) {
    let (before, after) = answer.split_once('|').expect("a place of the items");
    s.body([before, after], n, item);
}
