//! Clients of Anthropic Messages: what they need in answers, and what becomes of their requests.

use serde_json::{Value, json};

use crate::fake::{Answer, Fake};
use crate::program::Gateway;

/// A thought, a text, and after it the state that belongs to it.
const GEMINI: &str = concat!(
    r#"data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hm.","thought":true}]},"index":0}],"responseId":"r","modelVersion":"gemini-3-flash-2026"}"#,
    "\n\n",
    r#"data: {"candidates":[{"content":{"role":"model","parts":[{"text":"It is "}]},"index":0}],"responseId":"r","modelVersion":"gemini-3-flash-2026"}"#,
    "\n\n",
    r#"data: {"candidates":[{"content":{"role":"model","parts":[{"text":"written."}]},"index":0}],"responseId":"r","modelVersion":"gemini-3-flash-2026"}"#,
    "\n\n",
    r#"data: {"candidates":[{"content":{"role":"model","parts":[{"text":"","thoughtSignature":"c2ln"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15},"responseId":"r","modelVersion":"gemini-3-flash-2026"}"#,
    "\n\n",
);

async fn post(gateway: &Gateway, user_agent: &str, body: &Value) -> String {
    let request = reqwest::Client::new().post(format!("{}/v1/messages", gateway.url));
    let request =
        request.header("content-type", "application/json").header("user-agent", user_agent);
    let response = request.body(body.to_string()).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.text().await.unwrap()
}

fn events(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// Returns the blocks of a stream, each with its text and its signature, as a client keeps them.
fn blocks(events: &[Value]) -> Vec<Value> {
    let mut blocks = Vec::new();
    for event in events {
        match event["type"].as_str().unwrap() {
            "content_block_start" => {
                assert_eq!(event["index"], blocks.len());
                blocks.push(event["content_block"].clone());
            }
            "content_block_delta" => {
                assert_eq!(event["index"], blocks.len() - 1);
                for name in ["text", "thinking", "signature"] {
                    let Some(piece) = event["delta"][name].as_str() else { continue };
                    let member = &mut blocks.last_mut().unwrap()[name];
                    *member = json!(format!("{}{piece}", member.as_str().unwrap()));
                }
            }
            _ => {}
        }
    }
    blocks
}

fn ask(messages: &[Value], is_stream: bool) -> Value {
    json!({"model": "small", "max_tokens": 9, "stream": is_stream, "messages": messages})
}

const USER_AGENTS: [(&str, bool); 3] = [
    ("claude-cli/2.1.332 (external, sdk-cli)", true),
    ("claude-cli/2.1.332 (external, cli)", false),
    ("Anthropic/JS 1.14.0", false),
];

/// Claude Code sends thinking back only if the answer has the name of the model in its request, and
/// `claude -p` prints the last block.
#[tokio::test]
async fn clients_receive_answers_that_they_can_continue() {
    for (user_agent, ends_with_text) in USER_AGENTS {
        let fake = Fake::start(|_| Answer::Stream(GEMINI.into())).await;
        let arguments = ["--upstream-protocol", "gemini", "--model", "gemini-3-flash"];
        let gateway = Gateway::start(&fake.url, &arguments).await;
        let question = json!({"role": "user", "content": "hi"});
        let stream =
            events(&post(&gateway, user_agent, &ask(std::slice::from_ref(&question), true)).await);
        assert_eq!(stream[0]["message"]["model"], "small", "{user_agent}");
        let usage = &stream[stream.len() - 2]["usage"];
        assert_eq!((&usage["input_tokens"], &usage["output_tokens"]), (&json!(10), &json!(5)));

        let streamed = blocks(&stream);
        let kinds: Vec<_> = streamed.iter().map(|block| block["type"].as_str().unwrap()).collect();
        let expected = match ends_with_text {
            true => ["thinking", "redacted_thinking", "text"],
            false => ["thinking", "text", "redacted_thinking"],
        };
        assert_eq!(kinds, expected, "{user_agent}");
        let text = streamed.iter().find(|block| block["type"] == "text").unwrap();
        assert_eq!(text["text"], "It is written.");

        // An answer that is not a stream has the same order.
        let whole = post(&gateway, user_agent, &ask(std::slice::from_ref(&question), false)).await;
        let whole: Value = serde_json::from_str(&whole).unwrap();
        let whole = whole["content"].as_array().unwrap().clone();
        let types: Vec<_> = whole.iter().map(|block| block["type"].as_str().unwrap()).collect();
        assert_eq!(types, expected, "{user_agent}");

        for content in [streamed, whole] {
            let answer = json!({"role": "assistant", "content": content});
            let more = json!({"role": "user", "content": "more"});
            post(&gateway, user_agent, &ask(&[question.clone(), answer, more], true)).await;
            let sent = fake.asked().pop().unwrap().body["contents"][1]["parts"].clone();
            let expected = json!([
                {"text": "Hm.", "thought": true},
                {"text": "It is written."},
                {"text": "", "thoughtSignature": "c2ln"},
            ]);
            assert_eq!(sent, expected, "{user_agent}");
        }
    }
}

/// A request with the state of another server is written again, instead of passed through: each
/// `cache_control` stays on its block.
#[tokio::test]
async fn the_cache_control_of_each_block_is_kept() {
    let stream = crate::corpus("anthropic", "text");
    let fake = Fake::start(move |_| Answer::Stream(stream.clone())).await;
    let arguments = ["--upstream-protocol", "anthropic", "--model", "claude-sonnet-4-5"];
    let gateway = Gateway::start(&fake.url, &arguments).await;
    let hour = json!({"type": "ephemeral", "ttl": "1h"});
    let short = json!({"type": "ephemeral"});
    let schema = json!({"type": "object", "properties": {}});
    let mut body = json!({
        "model": "claude-sonnet-4-5",
        "max_tokens": 9,
        "stream": true,
        "system": [
            {"type": "text", "text": "a"},
            {"type": "text", "text": "b", "cache_control": hour},
        ],
        "messages": [
            {"role": "user", "content": [
                {"type": "image", "source": {"type": "url", "url": "https://a/b.png"}, "cache_control": short},
                {"type": "text", "text": "hi"},
            ]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "c1", "name": "f", "input": {}, "cache_control": short},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "done", "cache_control": short},
                {"type": "text", "text": "go on", "cache_control": short},
            ]},
        ],
        "tools": [
            {"name": "f", "description": "d", "input_schema": schema},
            {"name": "g", "description": "d", "input_schema": schema, "cache_control": hour},
        ],
    });
    let original = body.clone();
    // The state of another server, which this one does not receive.
    let carrier = json!({"type": "redacted_thinking", "data": r#"aw1.gemini..{"members":{"thoughtSignature":"s"},"part":0}"#});
    body["messages"][1]["content"].as_array_mut().unwrap().insert(1, carrier);
    post(&gateway, "test", &body).await;
    let sent = fake.asked().pop().unwrap();
    assert!(!sent.text.contains("aw1."), "{}", sent.text);
    let cached = |body: &Value| {
        let mut cached = Vec::new();
        collect(body, "", &mut cached);
        cached
    };
    let expected = cached(&original);
    assert_eq!(expected.len(), 6);
    assert_eq!(cached(&sent.body), expected, "{}", sent.text);
}

/// Collects the paths of the members `cache_control`, with their values.
fn collect(value: &Value, path: &str, into: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            for (at, item) in list.iter().enumerate() {
                collect(item, &format!("{path}.{at}"), into);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                match &**name {
                    "cache_control" => into.push(format!("{path} {member}")),
                    _ => collect(member, &format!("{path}.{name}"), into),
                }
            }
        }
        _ => {}
    }
}
