use super::*;
use crate::hub::conversation::Sealed;
use crate::protocols::chat::conversation::carrier::{ExecutedCall, detail};

/// Returns the detail that carries a call of `f` with its result, after so many bytes of reasoning
/// and of text.
fn executed(id: &str, before: [usize; 2]) -> Value {
    let function = Value::from([("name", Value::from("f")), ("arguments", "{}".into())]);
    let call =
        Value::from([("id", id.into()), ("type", "function".into()), ("function", function)]);
    detail(&ExecutedCall { call, output: "18".into(), is_error: false, before }.seal(), 0)
}

/// Returns the detail that carries a member of a text.
fn of_text(member: &str, value: &str) -> Value {
    let opaque = Opaque::of_member("responses", member, value);
    detail(&Sealed { part: Some(0), ..Sealed::new(opaque) }.seal(), 0)
}

/// Returns a detail of the server itself.
fn own(data: &str) -> Value {
    Value::from([("type", "reasoning.encrypted".into()), ("data", Value::from(data))])
}

/// Returns the turns of the assistant that a message is read as.
fn turns(content: &str, reasoning: &str, details: Vec<Value>) -> Vec<Turn> {
    let message = Value::from([
        ("role", "assistant".into()),
        ("content", content.into()),
        ("reasoning_content", reasoning.into()),
        ("reasoning_details", Value::Array(details)),
    ]);
    let mut conversation = Conversation::new("chat");
    (REQUESTS.append)(&mut conversation, message);
    conversation.turns
}

#[test]
fn the_details_of_the_server_belong_to_the_round_before_their_call() {
    let details = [own("1"), executed("a", [2, 0]), own("2"), executed("b", [4, 3]), own("3")];
    let turns = turns("OneEnd", "t1t2t3", details.into());
    assert_eq!(turns.len(), 3);
    let mut conversation = Conversation::new("chat");
    conversation.turns = turns;
    let (request, losses) = sent(&REQUESTS, conversation, "google/gemini-3-flash-preview");
    assert!(losses.is_empty(), "{}", losses.to_json());
    let round = |content: &str, thought: &str, data: &str, call: Option<&str>| {
        let mut message = Value::from([
            ("role", "assistant".into()),
            ("content", if content.is_empty() { Value::Null } else { content.into() }),
            ("reasoning_content", thought.into()),
            ("reasoning_details", Value::Array([own(data)].into())),
        ]);
        if let Some(id) = call {
            let function = Value::from([("name", Value::from("f")), ("arguments", "{}".into())]);
            let call =
                [("id", id.into()), ("type", "function".into()), ("function", function)].into();
            message.insert("tool_calls", Value::Array([call].into()));
        }
        message
    };
    let result = |id: &str| {
        Value::from([
            ("role", "tool".into()),
            ("tool_call_id", id.into()),
            ("content", "18".into()),
        ])
    };
    let expected = Value::Array(
        [
            round("", "t1", "1", Some("a")),
            result("a"),
            round("One", "t2", "2", Some("b")),
            result("b"),
            round("End", "t3", "3", None),
        ]
        .into(),
    );
    assert_eq!(messages(&request), expected.to_json());
}

#[test]
fn the_state_of_a_text_belongs_to_the_text_before_its_call() {
    let details = [of_text("phase", "commentary"), executed("a", [0, 3]), of_text("phase", "end")];
    let turns = turns("OneEnd", "", details.into());
    let phases: Vec<_> = turns
        .iter()
        .flat_map(|turn| &turn.parts)
        .filter_map(|part| Some((part.as_text()?, part.opaque.as_ref()?.get("phase")?.as_str()?)))
        .collect();
    assert_eq!(phases, [("One", "commentary"), ("End", "end")]);
}

#[test]
fn details_stay_in_their_message_without_calls_of_the_agent() {
    let details = [own("1"), of_text("phase", "end"), own("2")];
    let turns = turns("End", "t", details.into());
    let [turn] = &turns[..] else { panic!("{turns:?}") };
    let own_details = turn.parts[0].opaque.as_ref().unwrap().get("reasoning_details").unwrap();
    assert_eq!(*own_details, Value::Array([own("1"), own("2")].into()));
    assert_eq!(turn.parts[1].opaque.as_ref().unwrap().get("phase"), Some(&"end".into()));
}
