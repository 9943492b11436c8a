use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{FORMAT, REQUESTS, requirements::REQUIREMENTS};
use crate::hub::Losses;
use crate::hub::conversation::testing::{
    CountedIds, Kinds, assert_identity, difference, json, opaque, random, sent, settings,
};
use crate::hub::conversation::{
    Content, Conversation, Part, RunBy, Tool, Turn, TurnRole, normalise,
};
use crate::json::Value;
use crate::protocols::ai_sdk::request::UiRequest;

/// What messages of the AI SDK can have.
const KINDS: Kinds =
    Kinds { cache: false, names: false, questions: false, orphans: false, ..Kinds::ALL };

fn read(request: &str) -> Conversation {
    let mut conversation = (REQUESTS.read)(json(request));
    conversation.more.clear();
    conversation.join_results();
    conversation
}

fn prepared(mut conversation: Conversation) -> Conversation {
    let mut losses = Losses::default();
    normalise(&mut conversation, &REQUIREMENTS, Some("0badc0de"), &mut losses);
    assert!(losses.iter().all(|loss| loss.kind == "file"), "{}", losses.to_json());
    conversation.format = FORMAT.into();
    conversation
}

fn written(conversation: &Conversation) -> String {
    let request = (REQUESTS.write)(conversation, &mut CountedIds::default());
    UiRequest::parse(&request).unwrap_or_else(|error| panic!("{error:?}: {request}"));
    request
}

#[test]
fn random_conversations_come_back() {
    for seed in 0..3_000 {
        let expected = prepared(random(seed, KINDS));
        let request = written(&expected);
        if let Some(difference) = difference(&expected, &read(&request)) {
            panic!("seed {seed}: {difference}\n{request}");
        }
    }
}

#[test]
fn tools_and_settings_come_back() {
    let mut conversation = Conversation::new(FORMAT);
    conversation.id = Some("c".into());
    conversation.turns.push(Turn {
        id: Some("u".into()),
        ..Turn::new(TurnRole::User, [Part::text("hi")].into())
    });
    settings(&mut conversation);
    let mut losses = Losses::default();
    normalise(&mut conversation, &REQUIREMENTS, None, &mut losses);
    let mut read = read(&written(&conversation));
    for conversation in [&mut conversation, &mut read] {
        conversation.settings.scalars.retain(|(key, _)| REQUIREMENTS.has_setting(*key));
        conversation.settings.scalars.sort_by_key(|(key, _)| key.name());
        for tool in &mut conversation.tools {
            if let Tool::Function(function) = tool
                && function.strict.is_some()
                && function.more.is_empty()
            {
                function.format = FORMAT.into();
            }
        }
    }
    assert_eq!(difference(&conversation, &read), None);
}

/// A request with parts of an answer.
fn with(parts: &str) -> String {
    format!(
        r#"{{"id":"c","trigger":"submit-message","messages":[
            {{"id":"u","role":"user","parts":[{{"type":"text","text":"hi"}}]}},
            {{"id":"a","role":"assistant","parts":[{parts}]}}]}}"#
    )
}

#[test]
fn a_request_is_written_as_it_was_read() {
    for parts in [
        r#"{"type":"step-start"},{"type":"text","text":"Hi","providerMetadata":{"openai":{"itemId":"msg_1"},"agentwire":{"signature":"SIG1"}}}"#,
        r#"{"type":"step-start"},{"type":"reasoning","text":"hm"},{"type":"reasoning","text":"","providerMetadata":{"anthropic":{"redactedData":"x"}}}"#,
        r#"{"type":"step-start"},{"type":"file","mediaType":"image/png","url":"https://a/b.png","filename":"b.png"},{"type":"file","mediaType":"image/*","url":"https://a/b"},{"type":"file","mediaType":"application/pdf","url":"data:application/pdf;base64,JVBE"}"#,
        r#"{"type":"step-start"},{"type":"data-weather","id":"w","data":{"a":[1]}},{"type":"source-url","sourceId":"s","url":"https://a"},{"type":"source-document","sourceId":"d","mediaType":"text/plain","title":"D"},{"type":"x-unknown","y":1}"#,
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"input-streaming","input":{"a":1}}"#,
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"input-available","input":{"a":1},"title":"F","callProviderMetadata":{"openai":{"itemId":"fc_1"}}}"#,
        r#"{"type":"step-start"},{"type":"dynamic-tool","toolName":"f","toolCallId":"c1","state":"output-available","input":"a","output":{"b":[1]},"resultProviderMetadata":{"x":{"y":1}},"preliminary":true}"#,
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{},"output":"18"},{"type":"tool-f","toolCallId":"c2","state":"output-available","input":{},"output":18},{"type":"tool-f","toolCallId":"c3","state":"output-available","input":{},"output":"{\"a\":1}"},{"type":"tool-f","toolCallId":"c4","state":"output-available","input":{},"output":{"content":"a","isError":1}}"#,
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"output-error","rawInput":"{\"a\"","errorText":"no JSON"}"#,
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"approval-requested","input":{},"approval":{"id":"q"}}"#,
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"approval-responded","input":{},"approval":{"id":"q","approved":true}}"#,
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"output-denied","input":{},"approval":{"id":"q","approved":false,"reason":"too late"}}"#,
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{},"approval":{"id":"q","approved":true},"output":"done"},{"type":"step-start"},{"type":"text","text":"Done."}"#,
        r#"{"type":"step-start"},{"type":"tool-search","toolCallId":"c1","state":"output-available","input":{"q":"x"},"output":{"found":1},"providerExecuted":true},{"type":"text","text":"Found."}"#,
    ] {
        assert_identity(&REQUESTS, &with(parts));
    }
    assert_identity(
        &REQUESTS,
        r#"{"id":"c","trigger":"regenerate-message","messageId":"a","custom":{"x":1},"temperature":0.5,"thinking":{"type":"enabled","budget_tokens":2000},"metadata":{"y":1},
            "tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}],
            "messages":[{"id":"u","role":"user","metadata":{"at":1},"parts":[{"type":"text","text":"hi"}]},{"id":"a","role":"assistant","parts":[]}]}"#,
    );
}

#[test]
fn steps_are_turns() {
    let call = |id: &str| {
        format!(
            r#"{{"type":"tool-f","toolCallId":"{id}","state":"output-available","input":{{}},"output":"18"}}"#
        )
    };
    let text = r#"{"type":"text","text":"Cold."}"#;
    let step = r#"{"type":"step-start"}"#;
    let hosted = r#"{"type":"tool-s","toolCallId":"s","state":"output-available","input":{},"output":"x","providerExecuted":true}"#;
    for (parts, expected) in [
        ([step, &call("a"), &call("b"), step, text].join(","), &[2, 1][..]),
        // Without steps, a text after a result is of another answer.
        ([&*call("a"), &call("b"), text].join(","), &[2, 1]),
        ([&*call("a"), text, &call("b"), text].join(","), &[1, 2, 1]),
        ([hosted, text].join(","), &[2]),
        ([step, &call("a"), text].join(","), &[2]),
        ([step, step].join(","), &[0]),
    ] {
        let turns = read(&with(&parts)).turns;
        let sizes: Vec<usize> = turns.iter().skip(1).map(|turn| turn.parts.len()).collect();
        assert_eq!(sizes, expected, "{parts}");
        assert_eq!(turns[1].id.as_deref(), Some("a"));
        assert!(turns.iter().skip(2).all(|turn| turn.id.is_none()));
    }
}

#[test]
fn tools_are_a_list_or_a_record() {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"}}}"#;
    for tools in [
        format!(
            r#"[{{"type":"function","function":{{"name":"f","description":"d","parameters":{schema}}}}}]"#
        ),
        format!(r#"[{{"type":"function","name":"f","description":"d","parameters":{schema}}}]"#),
        format!(r#"[{{"name":"f","description":"d","inputSchema":{schema}}}]"#),
        format!(r#"{{"f":{{"description":"d","inputSchema":{schema}}}}}"#),
        format!(r#"{{"f":{{"description":"d","parameters":{{"jsonSchema":{schema}}}}}}}"#),
    ] {
        let request = format!(r#"{{"id":"c","messages":[],"tools":{tools}}}"#);
        let [Tool::Function(function)] = &read(&request).tools[..] else { panic!("{tools}") };
        assert_eq!((&*function.name, function.description.as_deref()), ("f", Some("d")), "{tools}");
        assert_eq!(function.schema, Some(json(schema)), "{tools}");
    }
}

#[test]
fn states_of_calls() {
    let tool = |more: &str| {
        with(&format!(r#"{{"type":"tool-f","toolCallId":"c1","input":{{"a":1}},{more}}}"#))
    };
    let call = |request: &str| {
        let conversation = read(request);
        let part = conversation.turns[1].parts[0].clone();
        part.as_call().cloned()
    };
    assert_eq!(call(&tool(r#""state":"input-streaming""#)), None);
    let pending = call(&tool(r#""state":"input-available""#)).expect("a call");
    assert_eq!((&*pending.name, pending.by, pending.result), ("f", RunBy::Client, None));
    for (more, text, error) in [
        (r#""state":"output-available","output":"18""#, "18", false),
        (r#""state":"output-available","output":{"t":18}"#, r#"{"t":18}"#, false),
        (
            r#""state":"output-available","output":{"content":[{"type":"text","text":"18"}]}"#,
            "18",
            false,
        ),
        (
            r#""state":"output-available","output":{"content":[{"type":"text","text":"18"}],"isError":true}"#,
            "18",
            true,
        ),
        (r#""state":"output-error","errorText":"gone""#, "gone", true),
    ] {
        let result = call(&tool(more)).and_then(|call| call.result).expect("a result");
        assert_eq!((result.parts[0].as_text(), result.error), (Some(text), error), "{more}");
    }
    let image = r#""state":"output-available","output":{"content":[{"type":"image","data":"iVBO","mimeType":"image/png"}]}"#;
    let result = call(&tool(image)).and_then(|call| call.result).expect("a result");
    assert!(matches!(result.parts[..], [Part { content: Content::Media(_), .. }]));
    let hosted = call(&tool(r#""state":"output-available","output":"x","providerExecuted":true"#))
        .expect("a call");
    assert_eq!(hosted.by, RunBy::Provider);
}

#[test]
fn the_answer_about_a_call_is_a_turn_of_the_user() {
    let request = with(
        r#"{"type":"tool-f","toolCallId":"c1","state":"approval-responded","input":{},"approval":{"id":"q","approved":false,"reason":"too late"}}"#,
    );
    let mut conversation = read(&request);
    let [_, answer, user] = &conversation.turns[..] else { panic!("{:?}", conversation.turns) };
    assert!(
        matches!(&answer.parts[1].content, Content::Question { id, call: Some(call), .. } if id == "q" && call == "c1")
    );
    let Content::Answer { id, approved, reason, .. } = &user.parts[0].content else {
        panic!("an answer")
    };
    assert_eq!((&**id, *approved, reason.as_deref()), ("q", Some(false), Some("too late")));
    assert_eq!(conversation.pending().count(), 1);
}

#[test]
fn sealed_members_are_restored() {
    let own = opaque("anthropic", r#"{"signature":"s"}"#).expect("members");
    let state = own.sealed_for(&Content::Reasoning { text: "hm".into(), summary: false });
    let metadata = format!(r#"{{"agentwire":{{"state":{}}}}}"#, Value::from(state).to_json());
    let reasoning = |text: &str| {
        with(&format!(
            r#"{{"type":"reasoning","text":"{text}","state":"done","providerMetadata":{metadata}}}"#
        ))
    };
    assert_eq!(read(&reasoning("hm")).turns[1].parts[0].opaque.as_ref(), Some(&own));
    let changed = read(&reasoning("ha")).turns[1].parts[0].opaque.clone();
    assert_eq!(changed.expect("members").format, "stale");
    // Members of a call, and of its result, in a part that only carries them.
    let carrier = |result: bool| {
        let sealed =
            crate::hub::conversation::Sealed::open(&own.sealed_for(&Content::Text(String::new())));
        let mut sealed = sealed.expect("a sealed string");
        (sealed.call, sealed.result) = (Some("c1".into()), result);
        format!(
            r#"{{"type":"reasoning","text":"","providerMetadata":{{"agentwire":{{"state":{}}}}}}}"#,
            Value::from(sealed.seal()).to_json()
        )
    };
    let call = r#"{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{},"output":"18"}"#;
    let conversation = read(&with(&[call, &carrier(false), &carrier(true)].join(",")));
    let [_, answer] = &conversation.turns[..] else { panic!("{:?}", conversation.turns) };
    assert_eq!(answer.parts[0].opaque.as_ref(), Some(&own));
    let result = answer.parts[0].as_call().and_then(|call| call.result.as_ref()).expect("a result");
    assert_eq!((answer.parts.len(), result.opaque.as_ref()), (1, Some(&own)));
}

#[test]
fn a_snapshot_is_the_next_message_and_one_that_goes_on_replaces_it() {
    let mut conversation = read(&with(
        r#"{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{},"output":"18"}"#,
    ));
    let snapshot = r#"{"id":"a","role":"assistant","status":"completed","finishReason":"stop","parts":[{"type":"step-start"},{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{},"output":"18"},{"type":"step-start"},{"type":"text","text":"Cold.","state":"done"}]}"#;
    (REQUESTS.append)(&mut conversation, json(snapshot));
    let sizes = |conversation: &Conversation| {
        conversation.turns.iter().map(|turn| turn.parts.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(&conversation), [1, 1, 1]);
    (REQUESTS.append)(&mut conversation, json(&snapshot.replace(r#""id":"a""#, r#""id":"b""#)));
    assert_eq!(sizes(&conversation), [1, 1, 1, 1, 1]);
    let Value::Array(messages) =
        sent(conversation, &REQUESTS).request.get("messages").cloned().expect("messages")
    else {
        panic!("a list")
    };
    let ids: Vec<_> = messages.iter().filter_map(|message| message.text("id")).collect();
    assert_eq!(ids, ["u", "a", "b"]);
}
