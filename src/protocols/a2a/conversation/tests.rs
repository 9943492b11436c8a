//! Requests of A2A, read and written.

use alloc::format;

use super::REQUESTS;
use crate::hub::conversation::testing::{
    assert_at, assert_identity, converted, opaque, parsed, sent,
};
use crate::hub::conversation::{
    Content, Conversation, Media, MediaForm, MediaSource, Part, SettingKey, ToolResult, Turn,
    TurnRole,
};
use crate::json::Value;

#[test]
fn a_request_is_written_as_it_was_read() {
    assert_identity(
        &REQUESTS,
        r#"{"message":{"messageId":"m","contextId":"c","taskId":"t","role":"ROLE_USER","parts":[{"text":"hi"},
        {"raw":"AAAA","filename":"a.png","mediaType":"image/png"},{"url":"https://x.example/a.pdf","mediaType":"application/pdf"},
        {"data":{"a":1},"mediaType":"application/json"}],"metadata":{"k":"v"}},"metadata":{"temperature":0.5,"trace":"x"},
        "configuration":{"historyLength":2}}"#,
    );
}

#[test]
fn data_that_answers_a_question_is_an_answer_and_metadata_has_settings() {
    let request = r#"{"message":{"role":"ROLE_USER","parts":[{"data":{"approval_request_id":"q","answer":"yes"}}]},
        "metadata":{"thinking":{"type":"enabled","budget_tokens":2048}}}"#;
    let conversation = (REQUESTS.read)(parsed(request));
    let content = &conversation.turns[0].parts[0].content;
    assert!(
        matches!(content, Content::Answer { id, approved: Some(true), .. } if id == "q"),
        "{content:?}"
    );
    assert_eq!(conversation.settings.number(SettingKey::Budget), Some(2048.0));
}

#[test]
fn data_keep_what_has_no_meaning() {
    for data in [
        r#"{"approval_request_id":"q","answer":{"approved":true},"x":1}"#,
        r#"{"call_id":"c","name":"f","output":"18","x":1}"#,
        r#"{"call_id":"c","output":"gone","is_error":true}"#,
        r#"{"call_id":"c","output":"see","content":[{"type":"text","text":"see"},{"type":"image","data":"iVBO","mimeType":"image/png"}]}"#,
        r#"{"call_id":"c","other":1}"#,
        r#"[1]"#,
    ] {
        assert_identity(
            &REQUESTS,
            &format!(
                r#"{{"message":{{"messageId":"m","role":"ROLE_USER","parts":[{{"data":{data},"mediaType":"application/json"}},
                {{"text":"hi","mediaType":"text/markdown","metadata":{{"a":1}}}}]}}}}"#
            ),
        );
    }
}

#[test]
fn an_agent_receives_what_it_can_and_the_rest_is_noted() {
    let mut conversation = Conversation::new("chat");
    conversation.id = Some("c".into());
    let file = MediaSource::File { provider: "openai".into(), id: "file_1".into() };
    let image = |source| Part::new(Content::Media(Media::new(MediaForm::Image, source)));
    let mut result = ToolResult::new(
        "c1",
        [Part::text("see"), image(MediaSource::Base64("iVBO".into()))].into(),
    );
    result.error = true;
    conversation.turns = [
        Turn::new(TurnRole::User, [Part::text("hi")].into()),
        Turn::new(TurnRole::Assistant, [Part::text("Hi")].into()),
        Turn::new(TurnRole::System, [Part::text("be brief")].into()),
        Turn::new(TurnRole::User, [image(file), Part::new(Content::Result(result))].into()),
    ]
    .into();
    let written = sent(conversation, &REQUESTS);
    let parts = r#"[{"text":"<system>be brief</system>"},{"text":"[image left out]"},{"data":{"call_id":"c1","output":"see",
        "content":[{"type":"text","text":"see"},{"type":"image","data":"iVBO"}],"is_error":true},"mediaType":"application/json"}]"#;
    assert_at(&written.request, "message.parts", Some(parts));
    let losses =
        ["cosmetic history ", "cosmetic history ", "contract image ", "quality instructions "];
    assert_eq!(written.losses, losses);
}

#[test]
fn a_conversation_without_an_id_loses_its_history() {
    let request = r#"{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"Hi"}]}}"#;
    assert_eq!(converted(&REQUESTS, request, &REQUESTS).losses, ["contract history m"]);
}

#[test]
fn members_of_other_requests_are_metadata() {
    let mut conversation = (REQUESTS.read)(parsed(
        r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]},"metadata":{"a":1}}"#,
    ));
    conversation.format = "ag-ui".into();
    let more =
        [("id", "run".into()), ("state", parsed("[1]")), ("trigger", "submit-message".into())];
    conversation
        .more
        .extend(more.map(|(key, value)| crate::json::Member { key: key.into(), value }));
    conversation.settings.set(SettingKey::Effort, "low");
    let written = sent(conversation, &REQUESTS);
    assert_at(
        &written.request,
        "metadata",
        Some(r#"{"a":1,"state":[1],"reasoning_effort":"low"}"#),
    );
    assert_at(&written.request, "message.taskId", Some(r#""run""#));
    assert_eq!(written.losses, [""; 0]);
}

#[test]
fn artifacts_of_a_task_are_the_next_turn() {
    let own = opaque("anthropic", r#"{"signature":"s"}"#).expect("members");
    let state = own.sealed_for(&Content::Reasoning { text: "Hm.".into(), summary: false });
    let state = Value::from(state).to_json();
    let task = format!(
        r#"{{"task":{{"id":"t","artifacts":[
            {{"artifactId":"r","metadata":{{"type":"reasoning","opaque":{state}}},"parts":[{{"text":"H"}},{{"text":"m."}}]}},
            {{"artifactId":"a","parts":[{{"text":"Co"}},{{"text":"ld."}},{{"url":"https://a/b.png","mediaType":"image/*"}}]}},
            {{"artifactId":"f","metadata":{{"type":"function_call"}},"parts":[{{"data":{{"call_id":"c","name":"f","arguments":"{{}}"}}}}]}}],
            "status":{{"state":"TASK_STATE_COMPLETED"}}}}}}"#
    );
    let mut conversation = Conversation::new("a2a");
    (REQUESTS.append)(&mut conversation, parsed(&task));
    let [Turn { role: TurnRole::Assistant, parts, .. }] = &conversation.turns[..] else {
        panic!("one turn")
    };
    let reasoning = Content::Reasoning { text: "Hm.".into(), summary: false };
    assert_eq!((&parts[0].content, parts[0].opaque.as_ref()), (&reasoning, Some(&own)));
    assert_eq!(parts[1].as_text(), Some("Cold."));
    assert!(matches!(
        &parts[2].content,
        Content::Media(Media { kind: MediaForm::Image, media_type: None, .. })
    ));
    assert_eq!(conversation.pending().count(), 1);
}

#[test]
fn the_next_message_is_sent_in_the_context_of_the_answer() {
    let read =
        || (REQUESTS.read)(parsed(r#"{"message":{"parts":[{"text":"hi"}],"taskId":"old"}}"#));
    for (answer, task) in [
        (r#"{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}"#, None),
        (
            r#"{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}"#,
            Some(r#""t""#),
        ),
        (
            r#"{"message":{"contextId":"c","role":"ROLE_AGENT","parts":[{"text":"x"}]}}"#,
            Some(r#""old""#),
        ),
    ] {
        let mut conversation = read();
        (REQUESTS.append)(&mut conversation, parsed(answer));
        conversation.turns.push(Turn::new(TurnRole::User, [Part::text("and?")].into()));
        let written = sent(conversation, &REQUESTS);
        assert_at(&written.request, "message.contextId", Some(r#""c""#));
        assert_at(&written.request, "message.taskId", task);
    }
}
