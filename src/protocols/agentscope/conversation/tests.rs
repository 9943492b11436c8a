use super::*;
use crate::hub::conversation::testing::{assert_at, assert_identity, parsed, sent};
use crate::hub::conversation::{Call, Content, Conversation, Part, ToolResult, Turn, TurnRole};
use crate::json::Value;

#[test]
fn a_request_is_written_as_it_was_read() {
    for input in [
        r#"{"name":"user","role":"user","content":[{"type":"text","text":"hi"},
            {"type":"data","source":{"type":"base64","data":"aGk=","media_type":"image/png"},"name":"a.png"}]}"#,
        r#"[{"name":"Ada","role":"user","id":"m","content":[{"type":"text","text":"a"}]},
            {"name":"user","role":"user","content":[{"type":"data","source":{"type":"url","url":"https://a/b","media_type":"text/plain"}}]}]"#,
        r#"{"type":"USER_CONFIRM_RESULT","reply_id":"r","confirm_results":[{"confirmed":true,
            "tool_call":{"type":"tool_call","id":"c","name":"n","input":"{}"},"rules":[{"tool_name":"n"}]}]}"#,
        r#"{"type":"EXTERNAL_EXECUTION_RESULT","reply_id":"r","execution_results":[{"type":"tool_result","id":"c","name":"n",
            "output":[{"type":"text","text":"18"}],"state":"success","metadata":{"a":1}}]}"#,
        "null",
    ] {
        let request = [r#"{"agent_id":"a","session_id":"s","input":"#, input, "}"].concat();
        assert_identity(&REQUESTS, &request);
    }
}

fn waiting(state: &str) -> Value {
    let json = r#"{"id":"r","role":"assistant","content":[{"type":"text","id":"t","text":"a"},
        {"type":"tool_call","id":"c","name":"n","input":"{\"a\":1}","state":"STATE"}]}"#;
    parsed(&json.replace("STATE", state))
}

#[test]
fn the_answer_to_a_question_has_its_call() {
    let mut conversation =
        (REQUESTS.read)(parsed(r#"{"agent_id":"a","session_id":"s","input":null}"#));
    (REQUESTS.append)(&mut conversation, waiting("asking"));
    let (reason, payload) = (None, Value::Null);
    let answer = Content::Answer { id: "c".into(), approved: Some(true), reason, payload };
    conversation
        .turns
        .push(Turn::new(TurnRole::User, [Part::new(answer), Part::text("please")].into()));
    let written = sent(conversation, &REQUESTS);
    assert_at(&written.request, "input.type", Some(r#""USER_CONFIRM_RESULT""#));
    assert_at(&written.request, "input.reply_id", Some(r#""r""#));
    let result = r#"{"confirmed":true,"tool_call":{"type":"tool_call","id":"c","name":"n","input":"{\"a\":1}"}}"#;
    assert_at(&written.request, "input.confirm_results.0", Some(result));
    assert!(written.losses.contains(&"contract part ".into()), "{:?}", written.losses);
}

#[test]
fn the_result_of_a_call_has_its_name() {
    let mut conversation = Conversation::new("chat");
    conversation.id = Some("s".into());
    let mut call = Call::function("c", "n", "{}");
    call.result = Some(ToolResult::new("c", [Part::text("18")].into()));
    conversation.turns.push(Turn::new(TurnRole::User, [Part::text("hi")].into()));
    let calls = [Part::text("I call"), Part::new(Content::Call(call))];
    conversation.turns.push(Turn::new(TurnRole::Assistant, calls.into()));
    let written = sent(conversation, &REQUESTS);
    assert_at(&written.request, "input.type", Some(r#""EXTERNAL_EXECUTION_RESULT""#));
    let result = r#"{"type":"tool_result","id":"c","name":"n","output":[{"type":"text","text":"18"}],"state":"success"}"#;
    assert_at(&written.request, "input.execution_results.0", Some(result));
}

#[test]
fn only_new_messages_are_sent() {
    let mut conversation = (REQUESTS.read)(parsed(
        r#"{"agent_id":"a","session_id":"s","input":{"role":"user","name":"user","content":[{"type":"text","text":"hi"}]}}"#,
    ));
    (REQUESTS.append)(&mut conversation, waiting("finished"));
    conversation.turns.push(Turn::new(TurnRole::User, [Part::text("and?")].into()));
    let written = sent(conversation, &REQUESTS);
    let message = r#"{"name":"user","role":"user","content":[{"type":"text","text":"and?"}]}"#;
    assert_at(&written.request, "input", Some(message));
}
