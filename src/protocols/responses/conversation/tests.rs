use super::REQUESTS;
use crate::hub::conversation::testing::{
    assert_at, assert_identity, at, converted, parsed, sent, sorted,
};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Media, MediaForm, MediaSource, Opaque,
    Output, Part, RunBy, Sealed, SettingKey, Tool, ToolChoice, ToolResult, Turn, TurnRole,
};
use crate::hub::conversion::Conversion;
use crate::json::{Member, Value};
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

/// A request with these items after a message of the user.
fn input(items: &str) -> String {
    format!(
        r#"{{"model":"m","input":[{{"type":"message","role":"user","content":"hi"}},{items}]}}"#
    )
}

/// A conversation of another protocol.
fn foreign(turns: Vec<Turn>) -> Conversation {
    Conversation { turns, ..Conversation::new("chat") }
}

fn user(text: &str) -> Turn {
    Turn::new(TurnRole::User, vec![Part::text(text)])
}

fn opaque(format: &'static str, members: &str) -> Opaque {
    let Value::Object(members) = parsed(members) else { panic!("{members}") };
    Opaque::new(format, members).expect("members")
}

const ITEMS: &[&str] = &[
    r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"encrypted_content":"gAAA"},{"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"One.","annotations":[]}]},{"type":"message","id":"msg_2","role":"assistant","status":"completed","phase":"final_answer","content":[{"type":"output_text","text":"Two.","annotations":[{"type":"url_citation","url":"https://a"}]},{"type":"refusal","refusal":"no"}]}"#,
    r#"{"type":"reasoning","id":"rs_1","summary":[]},{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{\"a\": 1}"},{"type":"custom_tool_call","id":"ctc_1","call_id":"c2","name":"p","input":"x","namespace":"n"},{"type":"function_call_output","call_id":"c1","output":"1"},{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"2"},{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"low"}]}"#,
    r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}},{"type":"code_interpreter_call","id":"ci_1","status":"completed","container_id":"c","code":"1","outputs":null},{"type":"image_generation_call","id":"ig_1","status":"completed","result":"AAAA"},{"type":"mcp_list_tools","id":"mcpl_1","server_label":"s","tools":[]},{"type":"mcp_call","id":"mcp_1","server_label":"s","name":"find","arguments":"{}","output":"found"},{"type":"file_search_call","id":"fs_1","status":"completed","queries":["q"],"results":[{"text":"t"}]},{"type":"message","role":"assistant","content":"done"}"#,
    r#"{"type":"local_shell_call","id":"lsh_1","call_id":"c1","status":"completed","action":{"type":"exec","command":["ls"],"env":{}}},{"type":"local_shell_call_output","call_id":"c1","output":"a"},{"type":"shell_call","id":"sh_1","call_id":"c2","status":"completed","action":{"commands":["ls"]}},{"type":"shell_call_output","call_id":"c2","output":[{"stdout":"a","stderr":"","outcome":{"type":"exit","exit_code":0}}],"max_output_length":9},{"type":"apply_patch_call","id":"apc_1","call_id":"c3","status":"completed","operation":{"type":"delete_file","path":"a"}},{"type":"apply_patch_call_output","call_id":"c3","status":"failed","output":"no"},{"type":"computer_call","id":"cu_1","call_id":"c4","status":"completed","action":{"type":"screenshot"},"pending_safety_checks":[]},{"type":"computer_call_output","call_id":"c4","output":{"type":"computer_screenshot","image_url":"https://a/b.png"}},{"type":"message","role":"user","content":"and?"}"#,
    r#"{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s","name":"f","arguments":"{}"},{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true,"reason":"r"},{"type":"tool_search_call","execution":"server","arguments":{"q":1}},{"type":"tool_search_output","execution":"server","tools":[]},{"type":"unheard_of","a":[1]},{"type":"compaction","id":"cmp_1","encrypted_content":"gAAA"},{"type":"item_reference","id":"msg_9"},{"type":"function_call_output","call_id":"of the reference","output":"1"}"#,
    r#"{"type":"message","role":"developer","content":"be brief"},{"type":"message","role":"system","content":"be kind"},{"type":"message","role":"user","content":[{"type":"input_text","text":"see"},{"type":"input_image","file_id":"file_1","detail":"high"},{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"},{"type":"input_file","file_url":"https://a/b.pdf"},{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}},{"type":"input_video","video":"v"},{"type":"input_text","text":"cached","prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}}]}"#,
];

#[test]
fn a_request_is_written_as_it_was_read() {
    for items in ITEMS {
        assert_identity(&REQUESTS, &input(items));
    }
    for request in [
        r#"{"model":"gpt-5.2","stream":true,"max_output_tokens":9,"temperature":1.5,"top_p":0.5,"parallel_tool_calls":false,"reasoning":{"effort":"none","summary":"auto","generate_summary":"x"},"text":{"verbosity":"low","format":{"type":"json_schema","name":"n","schema":{"type":"object"},"strict":true}},"user":"u","safety_identifier":"s","metadata":{"a":"b"},"service_tier":"flex","prompt_cache_key":"k","store":false,"include":["reasoning.encrypted_content"],"truncation":"auto","instructions":"be brief","input":[{"type":"message","role":"user","content":"hi"}]}"#,
        r#"{"model":"m","previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"c1","output":"1"}]}"#,
        r#"{"model":"m","conversation":"conv_1","prompt":{"id":"pmpt_1"},"input":[{"type":"custom_tool_call_output","call_id":"c1","output":"1"}]}"#,
        r#"{"model":"m","input":[{"type":"message","role":"user","content":"hi"}],"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"defer_loading":true},{"type":"custom","name":"p","description":"d","format":{"type":"grammar","syntax":"lark","definition":"x"}},{"type":"namespace","name":"files","description":"d","tools":[{"type":"function","name":"read","parameters":{"type":"object"},"strict":false}]},{"type":"web_search","filters":{"allowed_domains":["a"]}},{"type":"local_shell"}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"f"},{"type":"custom","name":"p"}]}}"#,
        r#"{"model":"m","input":[{"type":"message","role":"user","content":"hi"}],"text":{"format":{"type":"other"}},"tools":[{"type":"mcp","server_label":"s","server_url":"https://a"}],"tool_choice":{"type":"mcp","server_label":"s"}}"#,
    ] {
        assert_identity(&REQUESTS, request);
    }
}

#[test]
fn short_forms_are_read() {
    let short = r#"{"model":"m","input":"hi","text":{"format":{"type":"text"}},"conversation":{"id":"conv_1"},"instructions":null}"#;
    let sent = converted(&REQUESTS, short, &REQUESTS);
    let long = r#"{"model":"m","conversation":"conv_1","input":[{"type":"message","role":"user","content":"hi"}]}"#;
    assert_eq!(sorted(&sent.request), sorted(&parsed(long)));
    let list = input(
        r#"{"role":"assistant","content":[{"type":"output_text","text":"A","annotations":[],"logprobs":[1]}]}"#,
    );
    let sent = converted(&REQUESTS, &list, &REQUESTS);
    assert_at(
        &sent.request,
        "input.1",
        Some(r#"{"type":"message","role":"assistant","content":"A"}"#),
    );
}

/// OpenAI's servers refuse unknown members. In the arguments of a default tool the text remains.
#[test]
fn the_text_of_a_question_is_not_sent_back() {
    let items = |text: &str| {
        let named = r#"{"type":"mcp_approval_request","id":"a","server_label":"s","name":"f","arguments":"{}""#;
        let made_up = r#"{"type":"mcp_approval_request","id":"b","server_label":"agent","name":"interrupt","arguments":"{\"text\":\"Really?\"}""#;
        input(&format!("{named}{text}}},{made_up}{text}}}"))
    };
    let sent = converted(&REQUESTS, &items(r#","text":"Really?""#), &REQUESTS);
    assert_eq!(sorted(&sent.request), sorted(&parsed(&items(""))));
    assert!(sent.losses.is_empty(), "{:?}", sent.losses);
}

#[test]
fn a_response_is_the_next_turn() {
    let response = r#"{"id":"resp_1","object":"response","status":"incomplete","output":[{"type":"reasoning","id":"rs_1","status":"completed","summary":[],"content":[{"type":"reasoning_text","text":"hm"}],"encrypted_content":"gAAA"},{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"A","annotations":[],"logprobs":[]}]},{"type":"image_generation_call","id":"ig_1","status":"completed","result":"AAAA","background":"auto","partial_image_b64":"A"},{"type":"function_call","id":"fc_1","status":"completed","call_id":"c1","name":"f","arguments":"{}"},{"type":"compaction","id":"cmp_1","encrypted_content":"gAAA","created_by":"x"},{"type":"function_call","id":"fc_2","status":"in_progress","call_id":"c2","name":"f","arguments":"{\"a"}],"usage":{}}"#;
    let mut conversation = (REQUESTS.read)(parsed(&input(
        r#"{"type":"message","role":"assistant","content":"earlier"}"#,
    )));
    (REQUESTS.append)(&mut conversation, parsed(response));
    assert_eq!(conversation.turns.len(), 3, "an answer is a turn of its own");
    let pending: Vec<String> = conversation.pending().map(|call| call.id.clone()).collect();
    assert_eq!(pending, ["c1"]);
    for call in conversation.pending() {
        call.result = Some(ToolResult::new("c1", vec![Part::text("done")]));
    }
    let sent = sent(conversation, &REQUESTS);
    let items = r#"[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"A","annotations":[]}]},{"type":"image_generation_call","id":"ig_1","status":"completed","result":"AAAA"},{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}"},{"type":"compaction","id":"cmp_1","encrypted_content":"gAAA"},{"type":"function_call_output","call_id":"c1","output":"done"}]"#;
    let Some(Value::Array(list)) = sent.request.get("input") else { panic!("{:?}", sent.request) };
    assert_eq!(sorted(&Value::Array(list[2..].to_vec())), sorted(&parsed(items)));
    assert!(sent.losses.is_empty(), "{:?}", sent.losses);
}

#[test]
fn results_in_an_answer_are_not_waited_for() {
    let response = r#"{"id":"r","status":"completed","output":[{"type":"shell_call","id":"sh_1","call_id":"c1","status":"completed","action":{"commands":["ls"]}},{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"a","stderr":"","outcome":{"type":"exit","exit_code":0}}]},{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"A","annotations":[]}]}]}"#;
    let mut conversation = (REQUESTS.read)(parsed(r#"{"input":"hi"}"#));
    (REQUESTS.append)(&mut conversation, parsed(response));
    assert_eq!(conversation.pending().count(), 0);
    let request = sent(conversation, &REQUESTS).request;
    for (at, kind) in ["message", "shell_call", "shell_call_output", "message"].iter().enumerate() {
        assert_at(&request, &format!("input.{at}.type"), Some(&format!("\"{kind}\"")));
    }
}

#[test]
fn answers_and_results_of_several_rounds_stay_in_order() {
    let call = |id: &str| {
        format!(
            r#"{{"id":"r","status":"completed","output":[{{"type":"function_call","call_id":"{id}","name":"f","arguments":""}}]}}"#
        )
    };
    let mut conversation = (REQUESTS.read)(parsed(r#"{"input":"hi"}"#));
    for id in ["c1", "c2"] {
        (REQUESTS.append)(&mut conversation, parsed(&call(id)));
        let output =
            format!(r#"{{"type":"function_call_output","call_id":"{id}","output":"of {id}"}}"#);
        (REQUESTS.append)(&mut conversation, parsed(&output));
    }
    let request = sent(conversation, &REQUESTS).request;
    let order = ["c1", "c1", "c2", "c2"].map(|id| format!("\"{id}\""));
    for (at, id) in order.iter().enumerate() {
        assert_at(&request, &format!("input.{}.call_id", at + 1), Some(id));
    }
    assert_at(&request, "input.1.arguments", Some("\"{}\""));
}

#[test]
fn ids_of_the_client_are_not_those_of_the_server() {
    // A message with an id of the client, a call with one, and reasoning that no server can read.
    let items = r#"{"type":"message","id":"u1","role":"user","content":"a"},{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"hm"}]},{"type":"message","id":"msg_1","role":"assistant","content":"b"},{"type":"function_call","id":"x","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","id":"y","call_id":"c","output":"1"}"#;
    let sent = converted(&REQUESTS, &input(items), &REQUESTS);
    let json = sent.request.to_json();
    assert!(!json.contains("\"id\""), "{json}");
    assert_eq!(sent.losses, ["quality reasoning "]);
    let mut conversation = foreign(vec![Turn { id: Some("msg_1".into()), ..user("hi") }]);
    conversation.id = Some("conv_1".into());
    let sent = self::sent(conversation, &REQUESTS);
    assert_eq!(
        sent.request.to_json(),
        r#"{"input":[{"type":"message","role":"user","content":"hi"}]}"#
    );
    assert_eq!(sent.losses, ["cosmetic conversation "]);
}

#[test]
fn without_a_store_reasoning_is_sent_encrypted_and_without_ids() {
    let encrypted = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"1"}"#;
    let request = input(encrypted).replace(r#""model":"m""#, r#""store":false"#);
    let sent = converted(&REQUESTS, &request, &REQUESTS);
    assert_at(
        &sent.request,
        "input.1",
        Some(r#"{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}"#),
    );
    assert_at(&sent.request, "input.2.id", None);
    let stored = request.replace(r#","encrypted_content":"gAAA""#, "");
    let sent = converted(&REQUESTS, &stored, &REQUESTS);
    assert_at(&sent.request, "input.1.type", Some("\"function_call\""));
    assert_eq!(sent.losses, ["quality reasoning "]);
    let mut asked = foreign(vec![user("hi")]);
    asked.settings.set(SettingKey::Store, false);
    for (model, expected) in
        [("gpt-5.3", Some(r#"["reasoning.encrypted_content"]"#)), ("gpt-4.1", None), ("m", None)]
    {
        asked.settings.set(SettingKey::Model, model);
        assert_at(&self::sent(asked.clone(), &REQUESTS).request, "include", expected);
    }
}

/// A reasoning item of a client with sealed members.
fn carrier(sealed: &Sealed, summary: &str) -> String {
    format!(
        r#"{{"type":"reasoning","id":"rs_a","summary":[{summary}],"encrypted_content":{}}}"#,
        Value::from(sealed.seal()).to_json()
    )
}

#[test]
fn members_of_other_models_are_opened() {
    let signature = || opaque("anthropic", r#"{"signature":"s"}"#);
    let reasoning = Content::Reasoning { text: "a\n\nb".into(), summary: true };
    let texts = r#"{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}"#;
    let joined = Content::Reasoning { text: "ab".into(), summary: true };
    let of_call = Sealed {
        call: Some("c1".into()),
        ..Sealed::new(opaque("gemini", r#"{"thoughtSignature":"g"}"#))
    };
    let of_result = Sealed {
        call: Some("c1".into()),
        result: true,
        ..Sealed::new(opaque("anthropic", r#"{"x":1}"#))
    };
    let of_text =
        Sealed { part: Some(1), ..Sealed::new(opaque("gemini", r#"{"thoughtSignature":"t"}"#)) };
    let after_text =
        Sealed { part: Some(0), block: true, ..Sealed::new(opaque("gemini", r#"{"text":""}"#)) };
    let redacted = Sealed {
        block: true,
        ..Sealed::new(opaque("anthropic", r#"{"type":"redacted_thinking","data":"d"}"#))
    };
    let items = [
        carrier(&Sealed::open(&signature().sealed_for(&reasoning)).expect("sealed"), texts),
        carrier(&Sealed::open(&signature().sealed_for(&joined)).expect("sealed"), texts),
        carrier(&redacted, ""),
        r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"A"},{"type":"output_text","text":"B"}]}"#.into(),
        carrier(&of_text, ""),
        carrier(&after_text, ""),
        carrier(&of_call, ""),
        carrier(&of_result, ""),
        r#"{"type":"function_call","id":"fc_a","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"1"}"#.into(),
    ];
    let read = (REQUESTS.read)(parsed(&input(&items.join(","))));
    let parts: Vec<(&Content, Option<String>)> = read.turns[1]
        .parts
        .iter()
        .map(|part| {
            (
                &part.content,
                part.opaque.as_ref().map(|own| format!("{} {}", own.format, own.members[0].key)),
            )
        })
        .collect();
    let text = |text: &str| Content::Text(text.into());
    let call = Content::Call(Call::function("c1", "f", "{}"));
    let some = |text: &str| Some(String::from(text));
    assert_eq!(
        parts,
        [
            (&reasoning, some("anthropic signature")),
            (&joined, some("anthropic signature")),
            (&Content::Native, some("anthropic type")),
            (&text("A"), None),
            (&Content::Native, some("gemini text")),
            (&text("B"), some("gemini thoughtSignature")),
            (&call, some("gemini thoughtSignature")),
        ]
    );
    let Content::Result(result) = &read.turns[2].parts[0].content else {
        panic!("{:?}", read.turns[2])
    };
    assert_eq!(result.opaque.as_ref().map(|own| &*own.format), Some("anthropic"));
    // To OpenAI, none of it.
    let sent = sent(read, &REQUESTS);
    let json = sent.request.to_json();
    assert!(
        !json.contains("aw1.") && !json.contains("reasoning") && !json.contains("fc_a"),
        "{json}"
    );
    assert!(sent.losses.iter().any(|loss| loss == "quality opaque signature"), "{:?}", sent.losses);
}

#[test]
fn members_of_reasoning_that_was_changed_are_lost() {
    let thought = Content::Reasoning { text: "a".into(), summary: true };
    let sealed =
        Sealed::open(&opaque("gemini", r#"{"thoughtSignature":"g"}"#).sealed_for(&thought))
            .expect("sealed");
    let items = carrier(&sealed, r#"{"type":"summary_text","text":"changed"}"#);
    let read = (REQUESTS.read)(parsed(&input(&items)));
    assert_eq!(read.turns[1].parts[0].opaque.as_ref().map(|own| &*own.format), Some("stale"));
    let damaged = input(r#"{"type":"reasoning","summary":[],"encrypted_content":"aw1.gemini..!"}"#);
    assert!(!converted(&REQUESTS, &damaged, &REQUESTS).request.to_json().contains("aw1."));
}

#[test]
fn the_own_members_that_clients_of_others_carry_are_sent() {
    let mut reasoning = Part::new(Content::Reasoning { text: "hm".into(), summary: true });
    reasoning.opaque = Some(opaque("responses", r#"{"id":"rs_1","encrypted_content":"gAAA"}"#));
    let said = Part::text("A")
        .with_opaque(Some(opaque("responses", r#"{"id":"msg_1","phase":"final_answer"}"#)));
    let mut turns =
        vec![user("hi"), Turn::new(TurnRole::Assistant, vec![reasoning, said]), user("and?")];
    // A client of another protocol has the calls of its shell as calls of a function.
    let mut shell = Part::new(Content::Call(Call::function("c1", "local_shell", "{}")));
    shell.opaque =
        Some(opaque("responses", r#"{"type":"local_shell_call","call_id":"c1","action":{}}"#));
    if let Some(call) = shell.as_call_mut() {
        call.result = Some(ToolResult::new("c1", vec![Part::text("out")]));
    }
    turns.push(Turn::new(TurnRole::Assistant, vec![shell]));
    let request = sent(foreign(turns), &REQUESTS).request;
    assert_at(
        &request,
        "input.4",
        Some(r#"{"type":"local_shell_call","call_id":"c1","action":{}}"#),
    );
    assert_at(
        &request,
        "input.5",
        Some(r#"{"type":"local_shell_call_output","call_id":"c1","output":"out"}"#),
    );
    let item = r#"{"type":"reasoning","id":"rs_1","encrypted_content":"gAAA","summary":[{"type":"summary_text","text":"hm"}]}"#;
    assert_at(&request, "input.1", Some(item));
    assert_at(&request, "input.2.phase", Some("\"final_answer\""));
    assert_at(&request, "input.2.id", Some("\"msg_1\""));
}

#[test]
fn tools_and_choices_of_others() {
    let mut conversation = foreign(vec![user("hi")]);
    let schema = Some(parsed(r#"{"type":"object"}"#));
    let hosted = |purpose, format: &'static str, value: &str| Tool::Hosted {
        purpose: Some(purpose),
        format: format.into(),
        value: parsed(value),
    };
    conversation.tools = vec![
        Tool::Function(Function {
            name: "f".into(),
            schema: schema.clone(),
            format: "chat".into(),
            ..Function::default()
        }),
        Tool::Function(Function {
            name: "g".into(),
            schema,
            strict: Some(true),
            format: "chat".into(),
            ..Function::default()
        }),
        Tool::Custom { name: "p".into(), description: None, format: None },
        hosted(
            "search",
            "anthropic",
            r#"{"type":"web_search_20250305","name":"web_search","allowed_domains":["a"]}"#,
        ),
        hosted("code", "gemini", r#"{"codeExecution":{}}"#),
        hosted(
            "mcp",
            "anthropic",
            r#"{"type":"url","name":"s","server_url":"https://a","authorization":"t"}"#,
        ),
    ];
    conversation.settings.choice = Some(ToolChoice::Named("p".into()));
    let sent = sent(conversation.clone(), &REQUESTS);
    for (at, expected) in [
        r#"{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"strict":false}"#,
        r#"{"type":"function","name":"g","parameters":{"type":"object","properties":{}},"strict":true}"#,
        r#"{"type":"custom","name":"p"}"#,
        r#"{"type":"web_search","filters":{"allowed_domains":["a"]}}"#,
        r#"{"type":"code_interpreter","container":{"type":"auto"}}"#,
        r#"{"type":"mcp","server_label":"s","server_url":"https://a","require_approval":"never","authorization":"t"}"#,
    ]
    .iter()
    .enumerate()
    {
        assert_at(&sent.request, &format!("tools.{at}"), Some(expected));
    }
    assert_at(&sent.request, "tool_choice", Some(r#"{"type":"custom","name":"p"}"#));
    for (choice, expected) in [
        (ToolChoice::Auto, r#""auto""#),
        (ToolChoice::None, r#""none""#),
        (ToolChoice::Required, r#""required""#),
        (ToolChoice::Named("f".into()), r#"{"type":"function","name":"f"}"#),
        (
            ToolChoice::Allowed { required: true, names: vec!["f".into()] },
            r#"{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f"}]}"#,
        ),
    ] {
        conversation.settings.choice = Some(choice.clone());
        let request = self::sent(conversation.clone(), &REQUESTS).request;
        assert_at(&request, "tool_choice", Some(expected));
        assert_eq!((REQUESTS.read)(request).settings.choice, Some(choice));
    }
}

#[test]
fn settings_of_others() {
    use SettingKey::{Budget, Effort, Temperature, Thinking};
    for (model, key, value, path, expected) in [
        ("gpt-5.3", Effort, Value::from("minimal"), "reasoning.effort", Some("\"low\"")),
        ("gpt-5.3", Effort, "max".into(), "reasoning.effort", Some("\"xhigh\"")),
        ("gpt-5-mini", Effort, "none".into(), "reasoning.effort", Some("\"minimal\"")),
        ("gpt-5.3", Budget, 2_000.into(), "reasoning.effort", Some("\"low\"")),
        ("gpt-5.3", Thinking, "disabled".into(), "reasoning.effort", Some("\"none\"")),
        ("gpt-4.1", Effort, "low".into(), "reasoning", None),
        ("o3", Temperature, parsed("0.5"), "temperature", None),
        ("gpt-4.1", Temperature, 1.into(), "temperature", Some("1")),
        ("m", Budget, 2_000.into(), "reasoning.effort", Some("\"low\"")),
        ("m", SettingKey::TopK, 4.into(), "top_k", None),
    ] {
        let mut conversation = foreign(vec![user("hi")]);
        conversation.settings.set(SettingKey::Model, model);
        conversation.settings.set(key, value);
        let sent = sent(conversation, &REQUESTS);
        let found = at(&sent.request, path).map(Value::to_json);
        assert_eq!(found.as_deref(), expected, "{model} {path}");
        assert!(expected.is_some() || !sent.losses.is_empty(), "{model} {path}");
    }
    let mut conversation = foreign(vec![user("hi")]);
    // Only an agent means the member of its model.
    conversation.format = "agent-api".into();
    conversation.settings.output = Some(Output::default());
    conversation.more = vec![Member { key: "text".into(), value: parsed(r#"{"a":1}"#) }];
    assert_at(
        &sent(conversation, &REQUESTS).request,
        "text",
        Some(r#"{"a":1,"format":{"type":"json_object"}}"#),
    );
}

#[test]
fn messages_and_results_of_others() {
    let media = |kind, source, media_type: &str| {
        Part::new(Content::Media(Media {
            media_type: Some(media_type.into()),
            ..Media::new(kind, source)
        }))
    };
    let base64 = || MediaSource::Base64("AAAA".into());
    let with = |input: CallInput, parts: Vec<Part>, error| {
        let result = Some(ToolResult { error, ..ToolResult::new("c", parts) });
        Part::new(Content::Call(Call { input, result, ..Call::function("c", "f", "") }))
    };
    let turns = vec![
        Turn::new(TurnRole::System, vec![Part::text("a"), Part::text("b")]),
        Turn::new(TurnRole::System, vec![Part::text("c")]),
        Turn::new(
            TurnRole::User,
            vec![
                Part::text("see"),
                media(MediaForm::File, base64(), "application/pdf"),
                media(MediaForm::File, base64(), "image/png"),
                media(MediaForm::Audio, base64(), "audio/mpeg"),
                media(MediaForm::Video, base64(), "video/mp4"),
                media(
                    MediaForm::File,
                    MediaSource::File { provider: "anthropic".into(), id: "file_1".into() },
                    "application/pdf",
                ),
            ],
        ),
        Turn::new(
            TurnRole::Assistant,
            vec![
                Part::reasoning("hm"),
                Part::text("A"),
                media(MediaForm::Image, base64(), "image/png"),
                with(
                    CallInput::Json(r#"{"q":"#.into()),
                    vec![Part::text("1"), media(MediaForm::Image, base64(), "image/png")],
                    false,
                ),
                with(CallInput::Text("x".into()), vec![Part::text("no")], true),
            ],
        ),
        Turn::new(
            TurnRole::Assistant,
            vec![with(CallInput::Json(String::new()), Vec::new(), false)],
        ),
    ];
    let mut conversation = foreign(turns);
    conversation.tools = vec![Tool::Custom { name: "f".into(), description: None, format: None }];
    // Without the tool, its calls are those of a function.
    let mut other = conversation.clone();
    other.tools.clear();
    assert_at(&sent(other, &REQUESTS).request, "input.4.arguments", Some(r#""{\"input\":\"x\"}""#));
    let sent = sent(conversation, &REQUESTS);
    for (path, expected) in [
        ("instructions", r#""a\n\nb""#),
        ("input.0", r#"{"type":"message","role":"system","content":"c"}"#),
        (
            "input.1.content.1",
            r#"{"type":"input_file","file_data":"data:application/pdf;base64,AAAA","filename":"file.pdf"}"#,
        ),
        (
            "input.1.content.2",
            r#"{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"auto"}"#,
        ),
        (
            "input.1.content.3",
            r#"{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}}"#,
        ),
        ("input.1.content.4.text", r#""[video left out]""#),
        ("input.1.content.5.text", r#""[file left out]""#),
        ("input.2.id", r#""msg_1""#),
        ("input.2.status", r#""completed""#),
        ("input.2.content.0", r#"{"type":"output_text","text":"A","annotations":[]}"#),
        ("input.2.content.1.text", r#""[image left out]""#),
        (
            "input.3",
            r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{\"input\":\"{\\\"q\\\":\"}"}"#,
        ),
        ("input.4", r#"{"type":"custom_tool_call","call_id":"c_2","name":"f","input":"x"}"#),
        (
            "input.5.output.1",
            r#"{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"auto"}"#,
        ),
        ("input.6", r#"{"type":"custom_tool_call_output","call_id":"c_2","output":"no"}"#),
        ("input.7.arguments", r#""{}""#),
        ("input.8.output", r#""""#),
    ] {
        assert_at(&sent.request, path, Some(expected));
    }
    for loss in [
        "quality reasoning ",
        "contract video ",
        "contract file ",
        "contract image ",
        "cosmetic tool-error c_2",
    ] {
        assert!(sent.losses.iter().any(|known| known == loss), "{loss}: {:?}", sent.losses);
    }
}

#[test]
fn cache_breakpoints() {
    let cached =
        |text: &str| Part { cache: Some(parsed(r#"{"type":"ephemeral"}"#)), ..Part::text(text) };
    let turns = vec![
        Turn::new(TurnRole::System, vec![cached("long")]),
        Turn::new(TurnRole::User, vec![cached("hi")]),
    ];
    let asked = |model: &str| {
        let mut conversation = foreign(turns.clone());
        conversation.settings.set(SettingKey::Model, model);
        sent(conversation, &REQUESTS)
    };
    let newest = asked("gpt-5.6");
    let text = |text: &str| {
        format!(
            r#"[{{"type":"input_text","text":"{text}","prompt_cache_breakpoint":{{"mode":"explicit"}}}}]"#
        )
    };
    assert_at(&newest.request, "input.0.content", Some(&text("long")));
    assert_at(&newest.request, "input.1.content", Some(&text("hi")));
    assert!(newest.losses.is_empty(), "{:?}", newest.losses);
    let older = asked("gpt-5.3");
    assert_at(&older.request, "instructions", Some("\"long\""));
    assert_eq!(older.losses, ["quality cache ", "quality cache "]);
}

#[test]
fn others_are_told_of_the_tools_of_the_server() {
    let read = (REQUESTS.read)(parsed(&input(ITEMS[2])));
    let told: Vec<(&str, &CallInput, RunBy, bool)> = read.turns[1]
        .calls()
        .map(|call| (&*call.name, &call.input, call.by, call.result.is_some()))
        .collect();
    let json = |json: &str| CallInput::Json(json.into());
    assert_eq!(
        told,
        [
            ("web_search", &json(r#"{"type":"search","query":"q"}"#), RunBy::Provider, false),
            ("code_interpreter", &json(r#"{"code":"1"}"#), RunBy::Provider, false),
            ("image_generation", &json("{}"), RunBy::Provider, true),
            ("find", &json("{}"), RunBy::Provider, true),
            ("file_search", &json(r#"{"queries":["q"]}"#), RunBy::Provider, true),
        ]
    );
    let mut read = (REQUESTS.read)(parsed(&input(ITEMS[3])));
    let calls = read.turns.iter().flat_map(Turn::calls).map(|call| (&*call.id, &*call.name));
    let calls: Vec<(&str, &str)> = calls.collect();
    assert_eq!(
        calls,
        [("c1", "local_shell"), ("c2", "shell"), ("c3", "apply_patch"), ("c4", "computer")]
    );
    // They wait for the client.
    read.turns.retain(|turn| turn.role == TurnRole::Assistant);
    assert_eq!(read.pending().count(), 4);
    for call in read.pending() {
        let image = Media::new(MediaForm::Image, MediaSource::Url("https://a".into()));
        let parts = vec![Part::text("out"), Part::new(Content::Media(image))];
        call.result = Some(ToolResult::new(&*call.id, parts));
    }
    let request = sent(read, &REQUESTS).request;
    for (path, expected) in [
        ("input.1", r#"{"type":"local_shell_call_output","call_id":"c1","output":"out"}"#),
        (
            "input.3",
            r#"{"type":"shell_call_output","call_id":"c2","output":[{"stdout":"out","stderr":"","outcome":{"type":"exit","exit_code":0}}]}"#,
        ),
        (
            "input.5",
            r#"{"type":"apply_patch_call_output","call_id":"c3","status":"completed","output":"out"}"#,
        ),
        (
            "input.7",
            r#"{"type":"computer_call_output","call_id":"c4","output":{"type":"computer_screenshot","image_url":"https://a"}}"#,
        ),
    ] {
        assert_at(&request, path, Some(expected));
    }
}

#[test]
fn the_memory_of_the_server_is_a_loss_of_contract_for_others() {
    let mut request = parsed(&input(
        r#"{"type":"item_reference","id":"msg_1"},{"type":"compaction","id":"cmp_1","encrypted_content":"g"},{"type":"message","role":"user","content":"and?"}"#,
    ));
    for (key, value) in [("previous_response_id", "resp_1"), ("conversation", "conv_1")] {
        request.insert(key, value.into());
    }
    request.insert("prompt", parsed(r#"{"id":"pmpt_1"}"#));
    let gemini = <crate::protocols::gemini::Gemini as Conversion>::requests().expect("requests");
    let sent = sent((REQUESTS.read)(request), gemini);
    for loss in [
        "contract previous-response resp_1",
        "contract history pmpt_1",
        "contract history conv_1",
        "contract item-reference msg_1",
        "contract history cmp_1",
    ] {
        assert!(sent.losses.iter().any(|known| known == loss), "{loss}: {:?}", sent.losses);
    }
}
