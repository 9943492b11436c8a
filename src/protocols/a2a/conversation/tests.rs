//! Requests of A2A, read and written.

use super::REQUESTS;
use crate::hub::conversation::testing::{assert_identity, parsed};
use crate::hub::conversation::{Content, SettingKey};

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
    assert!(matches!(content, Content::Answer { id, approved: Some(true), .. } if id == "q"), "{content:?}");
    assert_eq!(conversation.settings.number(SettingKey::Budget), Some(2048.0));
}
