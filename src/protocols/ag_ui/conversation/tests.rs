use alloc::format;
use alloc::vec::Vec;

use super::{FORMAT, REQUESTS, requirements::REQUIREMENTS};
use crate::hub::Losses;
use crate::hub::conversation::testing::{
    CountedIds, Kinds, assert_identity, difference, json, opaque, random, sent,
};
use crate::hub::conversation::{Content, Conversation, Part, TurnRole, normalise};
use crate::json::Value;
use crate::protocols::ag_ui::request::RunAgentInput;

/// What AG-UI's messages can have.
const KINDS: Kinds = Kinds {
    cache: false,
    media_of_assistant: false,
    others: false,
    questions: false,
    steps: false,
    calls: false,
    ..Kinds::ALL
};

fn read(request: Value) -> Conversation {
    let mut conversation = (REQUESTS.read)(request);
    conversation.join_results();
    conversation
}

#[test]
fn random_conversations_come_back() {
    for seed in 0..3_000 {
        let mut expected = random(seed, KINDS);
        let mut losses = Losses::default();
        normalise(&mut expected, &REQUIREMENTS, Some("0badc0de"), &mut losses);
        assert!(losses.iter().all(|loss| loss.kind == "file"), "{}", losses.to_json());
        let request = (REQUESTS.write)(&expected, &mut CountedIds::default());
        RunAgentInput::parse(&request).unwrap_or_else(|error| panic!("{error:?}: {request}"));
        expected.format = FORMAT.into();
        // Only messages with a text or calls have the id and the name of the turn: reasoning has
        // its own.
        for turn in expected.turns.iter_mut().filter(|turn| turn.role == TurnRole::Assistant) {
            if !turn.parts.iter().any(|part| part.as_text().is_some() || part.as_call().is_some()) {
                (turn.id, turn.name) = (None, None);
            }
        }
        let mut read = read(json(&request));
        read.more.clear();
        if let Some(difference) = difference(&expected, &forget_ids(read)) {
            panic!("seed {seed}: {difference}\n{request}");
        }
    }
}

/// Removes the ids of messages that the request had to have.
fn forget_ids(mut conversation: Conversation) -> Conversation {
    let own = |part: &mut Part| {
        part.opaque.take_if(|own| own.format == FORMAT);
        if let Some(result) = part.as_call_mut().and_then(|call| call.result.as_mut()) {
            result.opaque.take_if(|own| own.format == FORMAT);
        }
        if let Content::Result(result) = &mut part.content {
            result.opaque.take_if(|own| own.format == FORMAT);
        }
    };
    for turn in &mut conversation.turns {
        turn.parts.iter_mut().for_each(own);
    }
    conversation
}

const REQUEST: &str = r#"{
    "threadId":"t","runId":"r","protocolVersion":"1.0","parentRunId":"p","state":{"step":[1]},
    "messages":[
        {"id":"s","role":"system","content":"be kind"},
        {"id":"d","role":"developer","content":"be brief","name":"dev"},
        {"id":"u","role":"user","content":"hi","metadata":{"a":1}},
        {"id":"q","role":"reasoning","content":"hm","encryptedValue":"ENC1"},
        {"id":"a","role":"assistant","content":"I look","name":"bot","subagentRunId":"sub","toolCalls":[
            {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"n\":1}"},"encryptedValue":"ENC2","metadata":{"b":2}},
            {"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]},
        {"id":"x","role":"tool","toolCallId":"c1","content":[{"type":"text","text":"blue"},{"type":"image","source":{"type":"data","value":"iVBO","mimeType":"image/png"}}]},
        {"id":"y","role":"tool","toolCallId":"c2","content":"no such file","error":"no such file"},
        {"id":"b","role":"assistant","content":"Blue."},
        {"id":"v","role":"user","content":[
            {"type":"text","text":"and these?","id":"part1"},
            {"type":"image","source":{"type":"url","value":"https://a/b.png","mimeType":"image/png"}},
            {"type":"audio","source":{"type":"data","value":"AAAA","mimeType":"audio/wav"}},
            {"type":"video","source":{"type":"url","value":"https://a/b"}},
            {"type":"document","source":{"type":"data","value":"JVBE","mimeType":"application/pdf"},"metadata":{"filename":"a.pdf"}},
            {"type":"document","source":{"type":"file","value":"file_1","provider":"openai"}}]}],
    "tools":[{"name":"f","description":"d","parameters":{"type":"object"},"metadata":{"c":3}}],
    "context":[{"description":"place","value":"Oslo"},{"description":"time","value":"noon"}],
    "forwardedProps":{"x":1,"temperature":0.5,"max_tokens":99,"thinking":{"type":"enabled","budget_tokens":2000},
        "tool_choice":"required","response_format":{"type":"json_object"},"metadata":{"d":4},"stop":{"of":"another meaning"}},
    "resume":[
        {"interruptId":"i","status":"resolved","payload":{"approved":true}},
        {"interruptId":"j","status":"cancelled"}]}"#;

#[test]
fn a_request_is_written_as_it_was_read() {
    assert_identity(&REQUESTS, REQUEST);
    assert_identity(
        &REQUESTS,
        r#"{"threadId":"t","runId":"r","protocolVersion":"1.0","state":{},"messages":[],"tools":[],"context":[],"forwardedProps":{}}"#,
    );
}

#[test]
fn calls_at_once_are_one_turn_however_a_client_sends_them() {
    let call = |id: &str| {
        format!(
            r#"{{"id":"m{id}","role":"assistant","toolCalls":[{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}}"#
        )
    };
    let result =
        |id: &str| format!(r#"{{"id":"r{id}","role":"tool","toolCallId":"{id}","content":"18"}}"#);
    let text = r#"{"id":"t","role":"assistant","content":"I look."}"#;
    let user = r#"{"id":"u","role":"user","content":"hi"}"#;
    let messages =
        [user, text, &call("a"), &call("b"), &result("a"), &result("b"), &call("c"), &result("c")];
    let request = format!(r#"{{"threadId":"t","runId":"r","messages":[{}]}}"#, messages.join(","));
    let turns = read(json(&request)).turns;
    let parts: Vec<usize> = turns.iter().map(|turn| turn.parts.len()).collect();
    assert_eq!(parts, [1, 3, 1]);
    assert_eq!(turns[1].id.as_deref(), Some("t"));
    assert!(turns[1].calls().all(|call| call.result.is_some()));
}

#[test]
fn sealed_members_are_restored_and_other_values_are_kept_for_ag_ui() {
    let signature = opaque("anthropic", r#"{"signature":"s"}"#).expect("members");
    let sealed = signature.sealed_for(&Content::Reasoning { text: "hm".into(), summary: false });
    let sealed = Value::from(sealed).to_json();
    let request = format!(
        r#"{{"threadId":"t","runId":"r","messages":[
            {{"id":"u","role":"user","content":"hi"}},
            {{"id":"q","role":"reasoning","content":"hm","encryptedValue":{sealed}}},
            {{"id":"a","role":"assistant","content":"Hi","encryptedValue":"ENC"}}]}}"#
    );
    let conversation = read(json(&request));
    let answer = &conversation.turns[1];
    assert_eq!(answer.parts[0].opaque.as_ref(), Some(&signature));
    let own = answer.parts[1].opaque.as_ref().expect("members");
    assert_eq!(
        (&*own.format, own.get("message")),
        (FORMAT, Some(&json(r#"{"encryptedValue":"ENC"}"#)))
    );
    let changed = read(json(&request.replace(r#""content":"hm""#, r#""content":"ha""#)));
    assert_eq!(changed.turns[1].parts[0].opaque.as_ref().expect("members").format, "stale");
}

#[test]
fn errors_of_tools_are_told_once() {
    for (content, error, texts) in [
        (r#""""#, r#""no such file""#, &["no such file"][..]),
        (r#""no such file""#, r#""no such file""#, &["no such file"]),
        (r#""{\"code\":2}""#, r#""no such file""#, &[r#"{"code":2}"#, "no such file"]),
    ] {
        let request = format!(
            r#"{{"threadId":"t","runId":"r","messages":[{{"id":"x","role":"tool","toolCallId":"c","content":{content},"error":{error}}}]}}"#
        );
        let turns = read(json(&request)).turns;
        let Content::Result(result) = &turns[0].parts[0].content else { panic!("a result") };
        let read: Vec<_> = result.parts.iter().filter_map(Part::as_text).collect();
        assert_eq!((result.error, &read[..]), (true, texts), "{request}");
    }
}

#[test]
fn an_answer_approves_only_if_it_says_so() {
    for (entry, approved) in [
        (r#"{"interruptId":"i","status":"cancelled","payload":{"approved":true}}"#, Some(false)),
        (r#"{"interruptId":"i","status":"resolved","payload":{"approved":true}}"#, Some(true)),
        (r#"{"interruptId":"i","status":"resolved","payload":{"approved":false}}"#, Some(false)),
        (r#"{"interruptId":"i","status":"resolved","payload":"maybe"}"#, None),
    ] {
        let request = format!(r#"{{"threadId":"t","runId":"r","messages":[],"resume":[{entry}]}}"#);
        let conversation = read(json(&request));
        let Content::Answer { approved: read, .. } = &conversation.turns[0].parts[0].content else {
            panic!("an answer")
        };
        assert_eq!(*read, approved, "{entry}");
        // What does not approve is never written as an approval.
        let written = sent(conversation, &REQUESTS).request.to_json();
        assert_eq!(written.contains(r#""approved":true"#), approved == Some(true), "{written}");
    }
}

#[test]
fn a_snapshot_adds_what_is_new() {
    let mut conversation = read(json(
        r#"{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"hi"},{"id":"a","role":"assistant","content":"Hi"},{"id":"v","role":"user","content":"and?"}]}"#,
    ));
    let snapshot = r#"{"state":{"n":1},"messages":[
        {"id":"u","role":"user","content":"hi"},{"id":"a","role":"assistant","content":"Hi"},{"id":"v","role":"user","content":"and?"},
        {"id":"q","role":"reasoning","content":"hm"},
        {"id":"b","role":"assistant","content":null,"toolCalls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}]}"#;
    (REQUESTS.append)(&mut conversation, json(snapshot));
    assert_eq!(conversation.turns.len(), 4);
    assert_eq!(conversation.pending().map(|call| call.id.clone()).collect::<Vec<_>>(), ["c1"]);
    let before = conversation.clone();
    (REQUESTS.append)(&mut conversation, json(snapshot));
    assert_eq!(conversation, before);
}
