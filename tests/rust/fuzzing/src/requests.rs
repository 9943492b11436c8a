//! Requests: any text to a request or to a refusal.

use agentwire::Limits;
use agentwire::ag_kit::request::SendMessageInput;
use agentwire::agent_api::Style;
use agentwire::agent_api::request::AgentRequest;
use agentwire::builder::Counter;
use agentwire::convert::convert_typed;
use agentwire::hub::Losses;
use agentwire::json::Value;
use agentwire::sse::{Decoder, StreamItem};

use crate::corpus::Corpus;

/// - A request that is accepted and written is accepted again and is the same (a member that is
///   written in a way that
///   is not read, a default that differs).
/// - A refusal has its reason, in JSON and in one event (a text from the request that is not
///   escaped).
/// - A converted request is valid in the other protocol.
/// - Nothing panics, validation included.
pub fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    agent_api(&text);
    ag_kit(&text);
}

/// The JSON of the corpus, and the bodies that it contains as strings.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = AG_KIT.iter().map(|body| body.as_bytes().to_vec()).collect();
    for text in &corpus.json {
        if let Ok(value) = Value::parse(text, 128) {
            bodies(&value, &mut seeds);
        }
    }
    seeds.sort();
    seeds.dedup();
    seeds
}

/// The corpus contains few of these: every role, both spellings, tools, and answers to interrupts.
const AG_KIT: &[&str] = &[
    r#"{"conversationId":"c","messages":[{"role":"system","content":"s"},{"role":"user","content":"你好"}]}"#,
    r#"{"conversation_id":"c","messages":[{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"ok"}]}]}"#,
    r#"{"conversationId":"c","messages":[{"role":"assistant","id":"m","content":null,"toolCalls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}]}"#,
    r#"{"conversationId":"c","messages":[],"tools":[{"name":"f","description":"d","parameters":{"type":"object"}},{"name":"g","description":"","parameters":"{}"}]}"#,
    r#"{"conversationId":"c","resume":{"interruptId":"i","payload":"{\"approved\":false}"}}"#,
    r#"{"conversationId":"c","messages":null,"tools":null,"resume":{"interrupt_id":"i","payload":{"a":[1,null]}}}"#,
];

/// Every object inside a value that has a member of one of the two requests.
fn bodies(value: &Value, seeds: &mut Vec<Vec<u8>>) {
    let names = ["input", "messages", "conversationId", "conversation_id", "tools"];
    match value {
        Value::Object(members) => {
            if names.iter().any(|name| value.get(name).is_some()) {
                seeds.push(value.to_json().into_bytes());
            }
            members.iter().for_each(|member| bodies(&member.value, seeds));
        }
        Value::Array(items) => items.iter().for_each(|item| bodies(item, seeds)),
        Value::String(text) if text.starts_with('{') => seeds.push(text.clone().into_bytes()),
        _ => {}
    }
}

fn agent_api(text: &str) {
    let request = match AgentRequest::parse(text) {
        Ok(request) => request,
        Err(error) => {
            assert!(!error.problems().is_empty(), "{error:?}");
            let frame = error.to_sse();
            let mut events = Vec::new();
            Decoder::new(Limits::default()).push(frame.as_bytes(), &mut |item: StreamItem<'_>| {
                if let StreamItem::Event(event) = item {
                    events.push(event.data.to_owned());
                }
            });
            assert_eq!(events.len(), 1, "{frame}");
            for said in [&events[0], &error.to_json()] {
                assert!(is_json(said), "{said}");
            }
            return;
        }
    };
    let problems = request.validate();
    let compact = request.to_json(Style::Compact);
    assert_eq!(AgentRequest::parse(&compact).as_ref(), Ok(&request), "{compact}");
    // Written with every member, an omitted member has its default.
    let whole = request.to_json(Style::Wire);
    let again = AgentRequest::parse(&whole).unwrap_or_else(|error| panic!("{error:?}\n{whole}"));
    assert_eq!(again.to_json(Style::Wire), whole);
    assert_eq!(again.validate().len(), problems.len(), "{whole}");

    let mut losses = Losses::default();
    let converted: SendMessageInput = convert_typed(&request, &mut Counter::default(), &mut losses)
        .unwrap_or_else(|error| panic!("{error}: {compact}"));
    let converted = converted.normalized_json();
    assert!(SendMessageInput::parse(&converted).is_ok(), "{converted}");
    assert!(is_json(&losses.to_json()));
}

fn ag_kit(text: &str) {
    let request = match SendMessageInput::parse(text) {
        Ok(request) => request,
        Err(error) => {
            assert!(
                !error.problems().is_empty() && (400..500).contains(&error.status()),
                "{error:?}"
            );
            for said in [error.detail(), error.to_json()] {
                assert!(is_json(&said), "{said}");
            }
            return;
        }
    };
    // Written in the form of the documentation, it needs no further change.
    let normal = request.normalized_json();
    let again =
        SendMessageInput::parse(&normal).unwrap_or_else(|error| panic!("{error:?}\n{normal}"));
    assert_eq!(again.normalized_json(), normal);
    // The answer to an interrupt is not compared: any answer is written as JSON text.
    if request.validate().is_empty() {
        assert_eq!(again.messages, request.messages);
    }
    if let Ok(written) = request.to_json() {
        assert_eq!(written, normal);
        assert!(again.validate().is_empty(), "{normal}");
    }
    let names = request.protocol().client_tools;
    assert_eq!(names.map(|names| names.len()), Some(request.tools.len()));

    let mut losses = Losses::default();
    let converted: AgentRequest = convert_typed(&request, &mut Counter::default(), &mut losses)
        .unwrap_or_else(|error| panic!("{error}: {normal}"));
    let converted = converted.to_json(Style::Compact);
    assert!(AgentRequest::parse(&converted).is_ok(), "{converted}");
    assert!(is_json(&losses.to_json()));
}

fn is_json(text: &str) -> bool {
    // The reference has no numbers beyond 64-bit floats, and a refusal repeats values of the
    // request.
    serde_json::from_str::<serde_json::Value>(text)
        .map_or_else(|error| error.to_string().contains("out of range"), |_| true)
}
