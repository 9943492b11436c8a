//! Tests of requests.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::REQUESTS;
use crate::hub::conversation::testing::{assert_at, assert_identity, parsed, sent, sorted};
use crate::hub::conversation::{
    Call, Content, Conversation, Output, Part, RunBy, SettingKey, Tool, ToolChoice, ToolResult,
    Turn, TurnRole,
};
use crate::json::Value;

/// A conversation of another protocol.
fn foreign(turns: Vec<Turn>) -> Conversation {
    let mut conversation = Conversation { turns, ..Conversation::new("chat") };
    conversation.settings.set(SettingKey::Model, "gemini-3-pro");
    conversation
}

fn user(text: &str) -> Turn {
    Turn::new(TurnRole::User, vec![Part::text(text)])
}

fn input(steps: &str) -> String {
    format!(r#"{{"model":"m","input":[{steps}]}}"#)
}

const HI: &str = r#"{"type":"user_input","content":[{"type":"text","text":"hi"}]}"#;

#[test]
fn a_request_is_written_as_it_was_read() {
    for request in [
        r#"{"model":"m","system_instruction":"be brief","input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]}],"stream":true,"store":false}"#.into(),
        r#"{"model":"m","input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]}],"previous_interaction_id":"v1_a","background":true,"labels":{"a":"b"},"safety_settings":[{"type":"harassment","threshold":"off"}],"cached_content":"c","generation_config":{"temperature":1.5,"top_p":0.5,"max_output_tokens":99,"stop_sequences":["a","b"],"seed":7,"thinking_level":"low","thinking_summaries":"auto","tool_choice":"validated","speech_config":{"speakers":[]}},"response_modalities":["text"],"service_tier":"flex"}"#.into(),
        r#"{"agent":"deep-research","agent_config":{"type":"deep-research"},"input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]}]}"#.into(),
        r#"{"model":"m","previous_interaction_id":"v1_a","continuation_token":"t"}"#.into(),
        r#"{"model":"m","input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]}],"response_format":{"type":"text","mime_type":"application/json","schema":{"type":"object"}}}"#.into(),
        r#"{"model":"m","input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]}],"response_format":[{"type":"text"},{"type":"image"}]}"#.into(),
        r#"{"model":"m","input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]}],"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"}},{"type":"google_search","search_types":["web_search"]},{"type":"mcp_server","name":"s","url":"https://a","allowed_tools":[{"tools":["x"]}]},{"type":"mcp_server","name":"t","url":"https://b","allowed_tools":[{"mode":"any","tools":["x"]}]}],"generation_config":{"tool_choice":{"allowed_tools":{"mode":"any","tools":["f"]}}}}"#.into(),
        // State of the server.
        input(&format!(
            r#"{HI},{{"type":"thought","signature":"c2ln","summary":[{{"type":"text","text":"hm"}}]}},{{"type":"thought","signature":"c2lo"}},{{"type":"function_call","id":"c1","name":"f","arguments":{{"n":12345678901234567890.5}},"signature":"c2lp"}},{{"type":"function_call","id":"c2","name":"f","arguments":{{}}}},{{"type":"function_result","call_id":"c1","name":"f","result":"a"}},{{"type":"function_result","call_id":"c2","name":"f","result":"b","is_error":true}}"#
        )),
        input(&format!(
            r#"{HI},{{"type":"function_call","id":"c1","name":"f","arguments":{{}}}},{{"type":"function_result","call_id":"c1","name":"f","result":[{{"type":"text","text":"a"}},{{"type":"image","data":"AAAA","mime_type":"image/png"}}]}},{{"type":"model_output","content":[{{"type":"text","text":"x"}}]}},{{"type":"function_call","id":"c2","name":"f","arguments":{{}}}},{{"type":"function_result","call_id":"c2","name":"f","result":{{"temp":18}}}}"#
        )),
        input(&format!(
            r#"{HI},{{"type":"google_search_call","id":"s1","signature":"c2ln","arguments":{{"queries":["q"]}}}},{{"type":"google_search_result","call_id":"s1","signature":"c2lo","result":[{{"search_suggestions":"x"}}]}},{{"type":"code_execution_call","id":"s2","arguments":{{"code":"1"}}}},{{"type":"code_execution_result","call_id":"s2","result":"1"}},{{"type":"model_output","content":[{{"type":"text","text":"done","annotations":[{{"type":"url_citation","url":"https://a"}}]}}]}},{{"type":"user_input","content":[{{"type":"text","text":"and?"}}]}}"#
        )),
        // Media, unknown steps and members.
        input(
            r#"{"type":"user_input","content":[{"type":"image","data":"AAAA","mime_type":"image/png","resolution":"low"},{"type":"video","uri":"https://youtu.be/1"},{"type":"document","uri":"gs://b/a.pdf","mime_type":"application/pdf"},{"type":"audio","data":"AAAA","mime_type":"audio/wav"},{"type":"hologram","points":[1]}],"mood":"good"},{"type":"plan","goals":["a"]},{"type":"thought","signature":"s","summary":[{"type":"text","text":"a"},{"type":"image","data":"AAAA","mime_type":"image/png"}]},{"type":"model_output","content":[{"type":"text","text":"a"}],"error":{"code":3}}"#,
        ),
    ] {
        assert_identity(&REQUESTS, &request);
    }
}

#[test]
fn an_input_without_steps_is_one_of_the_user() {
    for given in [
        r#"{"model":"m","input":"hi"}"#,
        r#"{"model":"m","input":{"type":"text","text":"hi"}}"#,
        r#"{"model":"m","input":[{"type":"text","text":"hi"}]}"#,
        r#"{"model":"m","input":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#,
        r#"{"model":"m","input":[{"role":"user","content":"hi"}]}"#,
    ] {
        let read = sent((REQUESTS.read)(parsed(given)), &REQUESTS);
        assert_eq!(sorted(&read.request), sorted(&parsed(&input(HI))), "{given}");
    }
}

#[test]
fn an_interaction_is_the_next_turn() {
    let mut conversation = (REQUESTS.read)(parsed(&input(HI)));
    let interaction = r#"{"id":"v1_a","status":"requires_action","usage":{},"last_event_id":"e","steps":[{"type":"user_input","content":[{"type":"text","text":"hi"}]},{"type":"thought","signature":"c2ln","summary":[{"type":"text","text":"hm"}]},{"type":"google_search_call","id":"s","signature":"c2lo","arguments":{"queries":["q"]}},{"type":"google_search_result","call_id":"s","signature":"c2lp","is_error":false},{"type":"function_call","id":"c","signature":"","name":"f","arguments":{"a":1},"partial_arguments":"{\"a\":1}","step_usage":{"total_tokens":1}}]}"#;
    (REQUESTS.append)(&mut conversation, parsed(interaction));
    let calls: Vec<(&str, &str, RunBy)> =
        conversation.turns[1].calls().map(|call| (&*call.id, &*call.name, call.by)).collect();
    assert_eq!(calls, [("s", "google_search", RunBy::Provider), ("c", "f", RunBy::Client)]);
    let mut pending = conversation.pending();
    pending.next().expect("the call of the client").result =
        Some(ToolResult::new("c", vec![Part::text("done")]));
    assert!(pending.next().is_none());
    drop(pending);
    let sent = sent(conversation, &REQUESTS);
    let expected = input(&format!(
        r#"{HI},{{"type":"thought","signature":"c2ln","summary":[{{"type":"text","text":"hm"}}]}},{{"type":"google_search_call","id":"s","signature":"c2lo","arguments":{{"queries":["q"]}}}},{{"type":"google_search_result","call_id":"s","signature":"c2lp","is_error":false}},{{"type":"function_call","id":"c","name":"f","arguments":{{"a":1}}}},{{"type":"function_result","call_id":"c","name":"f","result":"done"}}"#
    ));
    assert_eq!(sorted(&sent.request), sorted(&parsed(&expected)));
    assert!(sent.losses.is_empty(), "{:?}", sent.losses);
}

#[test]
fn a_call_that_was_cut_off_is_not_sent_back() {
    let interaction = |status: &str| {
        format!(
            r#"{{"id":"v1_a","status":"{status}","steps":[{{"type":"model_output","content":[{{"type":"text","text":"a"}}]}},{{"type":"function_call","id":"c","name":"f","arguments":{{}},"partial_arguments":"{{\"a\":"}}]}}"#
        )
    };
    for (status, calls) in [("in_progress", 0), ("requires_action", 1)] {
        let mut conversation = (REQUESTS.read)(parsed(&input(HI)));
        (REQUESTS.append)(&mut conversation, parsed(&interaction(status)));
        assert_eq!(conversation.turns[1].calls().count(), calls, "{status}");
    }
}

#[test]
fn a_conversation_of_another_protocol_is_written_as_steps() {
    let call = Call {
        result: Some(ToolResult { error: true, ..ToolResult::new("c", vec![Part::text("no")]) }),
        ..Call::function("c", "f", "{}")
    };
    let answer = Turn::new(
        TurnRole::Assistant,
        vec![Part::reasoning("hm"), Part::text("a"), Part::new(Content::Call(call))],
    );
    let system = Turn::new(TurnRole::System, vec![Part::text("be brief")]);
    let mut conversation = foreign(vec![system, user("hi"), answer, user("and?")]);
    conversation.settings.choice = Some(ToolChoice::Named("f".into()));
    let schema = Some(parsed(r#"{"type":"object"}"#));
    conversation.settings.output = Some(Output { schema, ..Output::default() });
    conversation.settings.set(SettingKey::Effort, "high");
    conversation.tools.push(Tool::Hosted {
        purpose: Some("search"),
        format: "responses".into(),
        value: parsed(r#"{"type":"web_search"}"#),
    });
    let declared = r#"{"name":"f","parameters":{"type":"object"}}"#;
    let Value::Object(mut declared) = parsed(declared) else { panic!("an object") };
    let schema = declared.pop().map(|member| member.value);
    conversation.tools.push(Tool::Function(crate::hub::conversation::Function {
        name: "f".into(),
        schema,
        format: "chat".into(),
        ..Default::default()
    }));
    let sent = sent(conversation, &REQUESTS);
    for (path, expected) in [
        ("system_instruction", r#""be brief""#),
        ("input.0.content.0.text", r#""hi""#),
        ("input.1.type", r#""model_output""#),
        ("input.2.type", r#""function_call""#),
        ("input.3.result", r#""no""#),
        ("input.3.name", r#""f""#),
        ("input.3.is_error", "true"),
        ("input.4.content.0.text", r#""and?""#),
        ("response_format.mime_type", r#""application/json""#),
        ("generation_config.thinking_level", r#""high""#),
        ("generation_config.tool_choice.allowed_tools.mode", r#""any""#),
        ("tools.0.type", r#""google_search""#),
        ("tools.1.parameters.type", r#""object""#),
    ] {
        assert_at(&sent.request, path, Some(expected));
    }
}
