//! Events of the builder: order, numbers, styles, endings.

use super::{member, open, options, refused, started};
use agentwire::agent_api::builder::{PartOrder, ResponseBuilder};
use agentwire::agent_api::{ErrorInfo, Message, Payload, RunStatus, Style};
use agentwire::json::Value;

#[test]
fn indices_are_dense_in_order_of_appearance() {
    let response = started();
    let message = open(&response);
    // The first builder emits second.
    let late = message.create_content_builder("text").unwrap();
    let early = message.create_content_builder("text").unwrap();
    let never = message.create_content_builder("text").unwrap();
    assert_eq!(early.get_content_data().index, 0);
    assert_eq!(member(&early.add_delta("a").unwrap(), "index"), "0");
    assert_eq!(member(&late.add_delta("b").unwrap(), "index"), "1");
    assert_eq!(never.get_content_data().index, 2);

    let third = message.create_content_builder_at("text", 3).unwrap();
    assert_eq!(refused(third.add_delta("d")).code, "index-gap");
    let second = message.create_content_builder_at("text", 2).unwrap();
    assert_eq!(member(&second.set_text("c").unwrap(), "index"), "2");
    assert_eq!(member(&third.add_delta("d").unwrap(), "index"), "3");
    for taken in [0, 1, 2, 3] {
        let misuse = refused(message.create_content_builder_at("text", taken));
        assert_eq!(misuse.code, "index-taken");
    }
    let wanted = message.create_content_builder_at("text", 4).unwrap();
    assert_eq!(refused(message.create_content_builder_at("text", 4)).code, "index-taken");
    // The first content that emits gets the index.
    assert_eq!(member(&message.add_content(Payload::Text { text: None }).unwrap(), "index"), "4");
    assert_eq!(refused(wanted.add_delta("x")).code, "index-taken");
    let far = message.create_content_builder_at("text", u32::MAX).unwrap();
    assert_eq!(refused(far.complete()).code, "index-gap");

    let end = message.finish_with(RunStatus::Completed, None);
    let order: Vec<_> = end[..4].iter().map(|e| member(e, "index")).collect();
    assert_eq!(order, ["0", "1", "2", "3"]);
}

#[test]
fn parts_are_listed_by_index_or_by_completion() {
    for (order, expected) in [(PartOrder::Index, [0, 1, 2]), (PartOrder::Completion, [1, 2, 0])] {
        let response = ResponseBuilder::new(options().part_order(order));
        drop([response.created().unwrap(), response.in_progress().unwrap()]);
        let message = open(&response);
        let contents: Vec<_> =
            (0..3).map(|_| message.create_content_builder("text").unwrap()).collect();
        contents.iter().for_each(|c| drop(c.add_delta("x").unwrap()));
        [1, 2, 0].into_iter().for_each(|at: usize| drop(contents[at].complete().unwrap()));
        let indices: Vec<_> = message.get_message_data().content.iter().map(|c| c.index).collect();
        assert_eq!(indices, expected);
        let Value::Array(parts) =
            Value::parse(&member(&message.complete().unwrap(), "content"), 64).unwrap()
        else {
            panic!("no list")
        };
        let indices: Vec<_> = parts.iter().map(|p| p.get("index").unwrap().to_json()).collect();
        assert_eq!(indices, expected.map(|i| i.to_string()));
        assert_eq!(contents[0].get_content_data().index, 0);
        assert_eq!(contents[0].get_content_data().text(), Some("x"));
    }
}

#[test]
fn the_output_lists_all_or_only_completed_messages_in_order_of_completion() {
    lists(false, &["msg_4", "msg_5", "msg_2", "msg_3"], &["msg_4", "msg_5", "msg_2", "msg_3"]);
    lists(true, &["msg_4", "msg_2"], &["msg_4", "msg_2", "msg_3", "msg_5"]);
}

/// Asserts the messages that the last event lists, and those that the builder has afterwards.
fn lists(completed_only: bool, expected: &[&str], held: &[&str]) {
    let response = ResponseBuilder::new(options().completed_only(completed_only));
    drop([response.created().unwrap(), response.in_progress().unwrap()]);
    let usage = |n: i64| Value::from([("total_tokens", n.into())]);
    let messages: Vec<_> = (0..4).map(|_| open(&response)).collect();
    messages[0].set_usage(usage(1)).unwrap();
    messages[3].set_usage(usage(4)).unwrap();
    drop(messages[2].complete().unwrap());
    drop(messages[3].failed(ErrorInfo::new("c", "m")).unwrap());
    drop(messages[0].complete().unwrap());
    drop(messages[1].canceled().unwrap());
    // This message was never shown.
    drop(response.create_message_builder("assistant", "message").unwrap());
    let ids = |output: &[Message]| output.iter().map(|m| m.id.clone()).collect::<Vec<_>>();
    let before = response.get_response_data();
    assert_eq!(ids(&before.output), ["msg_2", "msg_3", "msg_4", "msg_5", "msg_6"]);
    let last = response.completed().unwrap();
    let parsed = Value::parse(last.json(), 64).unwrap();
    let Some(Value::Array(output)) = parsed.get("output") else { panic!("no list") };
    let listed: Vec<_> = output.iter().map(|m| m.get("id").unwrap().as_str().unwrap()).collect();
    assert_eq!(listed, expected);
    let statuses: Vec<_> =
        output.iter().map(|m| m.get("status").unwrap().as_str().unwrap()).collect();
    let all = ["completed", "failed", "completed", "canceled"];
    let said = if completed_only { &["completed", "completed"][..] } else { &all };
    assert_eq!(statuses, said);
    // R16: the last completed message's.
    assert_eq!(member(&last, "usage"), r#"{"total_tokens":1}"#);
    assert_eq!(member(&last, "completed_at"), "1700000000");
    let held: Vec<_> = held.iter().copied().chain(["msg_6"]).collect();
    assert_eq!(ids(&response.get_response_data().output), held);
    assert!(messages.iter().all(|m| !m.get_message_data().id.is_empty()), "nothing was moved away");

    let response = started();
    let message = open(&response);
    message.set_usage(usage(1)).unwrap();
    drop(message.complete().unwrap());
    response.set_usage(usage(9)).unwrap();
    let last = response.failed(ErrorInfo::new("c", "m")).unwrap();
    assert_eq!(member(&last, "usage"), r#"{"total_tokens":9}"#);
    assert_eq!(member(&last, "error"), r#"{"code":"c","message":"m"}"#);
    assert_eq!(member(&last, "completed_at"), "null");
}

#[test]
fn end_events_contain_error_and_reason() {
    let last = started().incomplete(Some("max_output_tokens")).unwrap();
    assert!(
        last.json()
            .ends_with(r#""session_id":null,"incomplete_details":{"reason":"max_output_tokens"}}"#)
    );
    assert_eq!(member(&started().incomplete(None).unwrap(), "incomplete_details"), "absent");
    let why = || Some(ErrorInfo::new("POLICY", "no"));
    assert_eq!(
        member(&started().rejected(why()).unwrap(), "error"),
        r#"{"code":"POLICY","message":"no"}"#
    );
    assert_eq!(member(&started().rejected(None).unwrap(), "error"), "null");
    let response = started();
    let message = response.create_message_builder("assistant", "error").unwrap();
    message.set_error("TIMEOUT", "too slow").unwrap();
    message.set_metadata(Value::from([("k", Value::Null)])).unwrap();
    let first = message.in_progress().unwrap();
    assert!(
        first.json().ends_with(
            r#""code":"TIMEOUT","message":"too slow","usage":null,"metadata":{"k":null}}"#
        )
    );
    assert_eq!(
        member(&message.rejected(why()).unwrap(), "error"),
        r#"{"code":"POLICY","message":"no"}"#
    );
}

#[test]
fn empty_texts_are_written_as_strings() {
    let response = started();
    let message = open(&response);
    for kind in ["text", "refusal"] {
        let content = message.create_content_builder(kind).unwrap();
        assert_eq!(member(&content.complete().unwrap(), kind), r#""""#);
    }
    let content = message.create_content_builder("data").unwrap();
    assert_eq!(member(&content.complete().unwrap(), "data"), "null");
    let content = message.create_content_builder("data").unwrap();
    drop(content.update_data("a", 1.into()).unwrap());
    drop(content.update_data("b", 2.into()).unwrap());
    drop(content.update_data("a", Value::Null).unwrap());
    assert_eq!(member(&content.complete().unwrap(), "data"), r#"{"a":null,"b":2}"#);
}

#[test]
fn a_text_set_to_none_is_empty() {
    let message = open(&started());
    for (kind, payload) in
        [("text", Payload::Text { text: None }), ("refusal", Payload::Refusal { refusal: None })]
    {
        let content = message.create_content_builder(kind).unwrap();
        assert_eq!(member(&content.set_payload(payload).unwrap(), kind), r#""""#);
        assert_eq!(member(&content.complete().unwrap(), kind), r#""""#);
    }
}

#[test]
fn style_and_numbering_are_options() {
    let response = ResponseBuilder::new(options().style(Style::Compact).numbering(false));
    let first = response.created().unwrap();
    assert_eq!(
        first.json(),
        r#"{"object":"response","status":"created","id":"response_1","created_at":1700000000,"output":[]}"#
    );
    assert_eq!(first.sequence_number(), None);
    assert_eq!(first.to_string(), first.json());
    assert_eq!(first.to_sse(), format!("data: {}\n\n", first.json()));
    drop(response.in_progress().unwrap());
    let message = response.create_message_builder("assistant", "message").unwrap();
    assert_eq!(
        message.in_progress().unwrap().json(),
        r#"{"object":"message","status":"in_progress","id":"msg_2","type":"message","role":"assistant"}"#
    );
    let text = message.create_content_builder("text").unwrap();
    assert_eq!(
        text.add_delta("a\n\u{2028}\"").unwrap().into_json(),
        "{\"object\":\"content\",\"status\":\"in_progress\",\"type\":\"text\",\"index\":0,\"delta\":true,\
         \"msg_id\":\"msg_2\",\"text\":\"a\\n\\u2028\\\"\"}"
    );
    let response = ResponseBuilder::new(options().null_output(true));
    assert_eq!(member(&response.created().unwrap(), "output"), "null");
    drop(response.in_progress().unwrap());
    assert_eq!(member(&response.completed().unwrap(), "output"), "[]");
    let response = ResponseBuilder::new(options().response_id(""));
    assert_eq!(response.id(), "response_1");
}
