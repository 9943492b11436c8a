//! What an answer takes from its request.

use agentwire::ProtocolKind::{AiSdk, Anthropic, Responses};
use agentwire::ai_sdk::request::UiRequest;
use agentwire::json::Value;
use agentwire::responses::request::CreateResponse;

use super::{convert_with, options};

const ANSWER: &str = concat!(
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n",
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":\"c2ln\"}}\n\n",
    "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n",
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
);

/// `useChat` keeps a message twice if its continuation has another id.
#[test]
fn an_answer_of_the_ai_sdk_continues_the_last_message_of_the_assistant() {
    let start = |messages: &str| {
        let body = format!(r#"{{"id":"chat","messages":{messages}}}"#);
        let request = UiRequest::parse(&body).expect("a request");
        let mut options = options();
        options.write = options.write.response_id("run_1").echo(request.echo());
        let (out, _) = convert_with(options, Anthropic, AiSdk, ANSWER);
        let line = out
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("data: "))
            .expect("an event")
            .to_owned();
        Value::parse(&line, 8)
            .expect("JSON")
            .get("messageId")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let user = r#"{"id":"u","role":"user","parts":[{"type":"text","text":"hi"}]}"#;
    let call = r#"{"id":"a","role":"assistant","parts":[{"type":"tool-f","toolCallId":"c","state":"output-available","input":{},"output":1}]}"#;
    assert_eq!(start(&format!("[{user}]")).as_deref(), Some("run_1"));
    assert_eq!(start(&format!("[{user},{call}]")).as_deref(), Some("a"));
    assert_eq!(start(&format!("[{user},{call},{user}]")).as_deref(), Some("run_1"));
}

#[test]
fn a_response_has_no_state_if_its_request_does_not_include_it() {
    let convert = |include: &str| {
        let body = format!(r#"{{"model":"m","input":"hi"{include}}}"#);
        let request = CreateResponse::parse(&body).expect("a request");
        let mut options = options();
        options.write = options.write.echo(request.echo());
        convert_with(options, Anthropic, Responses, ANSWER)
    };
    for include in ["", r#","include":["reasoning.encrypted_content"]"#] {
        let (out, losses) = convert(include);
        assert!(out.contains("\"encrypted_content\":\"aw1.anthropic.0a1b2c3d."), "{out}");
        assert!(!out.contains("\"include\""), "{out}");
        assert_eq!(losses.count("opaque"), 0);
    }
    let (out, losses) = convert(r#","include":["message.output_text.logprobs"]"#);
    assert!(!out.contains("aw1."), "{out}");
    assert_eq!(losses.count("opaque"), 1);
}
