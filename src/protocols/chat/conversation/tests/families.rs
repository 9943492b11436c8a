//! What the families of models require.

use super::*;

#[test]
fn the_maximum_has_the_name_that_the_server_knows() {
    for (model, member) in [
        ("m", "max_completion_tokens"),
        ("gpt-5-mini", "max_completion_tokens"),
        ("gpt-4o", "max_completion_tokens"),
        ("o3", "max_completion_tokens"),
        ("deepseek-chat", "max_tokens"),
        ("kimi-k2", "max_tokens"),
        ("mistral-large-latest", "max_tokens"),
        ("Qwen/Qwen3-32B", "max_tokens"),
        ("gemini-3-flash-preview", "max_tokens"),
        ("anthropic/claude-opus-4.6", "max_tokens"),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::MaxTokens, 99);
        let (request, _) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get(member), Some(&Value::from(99)), "{model}");
    }
}

#[test]
fn reasoning_is_sent_to_the_models_that_require_it() {
    let turns = || {
        let call = called("c", "18");
        [user("hi"), answer([Part::reasoning("t"), call.clone()]), answer([call])]
    };
    for (model, members) in [
        ("deepseek-reasoner", [r#","reasoning_content":"t""#, r#","reasoning_content":"""#]),
        ("kimi-k2-thinking", [r#","reasoning_content":"t""#, r#","reasoning_content":"""#]),
        ("deepseek/deepseek-v3.2", [r#","reasoning_content":"t""#, r#","reasoning_content":"""#]),
        ("gpt-5-mini", ["", ""]),
    ] {
        let (request, losses) = sent(&REQUESTS, foreign(turns()), model);
        let [first, second] = members;
        let text = messages(&request);
        assert!(
            text.contains(&[r#""content":null"#, first, r#","tool_calls":[{"id":"c","#].concat()),
            "{text}"
        );
        assert!(
            text.contains(
                &[r#""content":null"#, second, r#","tool_calls":[{"id":"c_2","#].concat()
            ),
            "{text}"
        );
        assert_eq!(losses.count("reasoning"), u64::from(first.is_empty()), "{model}");
    }
}

#[test]
fn calls_of_other_models_have_a_placeholder_for_gemini() {
    let turns = || [user("hi"), answer([called("c1", "18"), called("c2", "19")])];
    let (request, _) = sent(&REQUESTS, foreign(turns()), "gemini-3-flash-preview");
    let text = messages(&request);
    let signature =
        r#""extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}"#;
    assert_eq!(text.matches(signature).count(), 1, "{text}");
    let (request, _) = sent(&REQUESTS, foreign(turns()), "google/gemini-3-pro");
    let text = messages(&request);
    let details = r#""reasoning_details":[{"type":"reasoning.encrypted","data":"skip_thought_signature_validator","id":"c1","format":"google-gemini-v1","index":0}]"#;
    assert_eq!(text.matches(details).count(), 1, "{text}");
    for model in ["gemini-2.5-flash", "google/gemini-2.5-pro", "gpt-5", "m"] {
        let (request, _) = sent(&REQUESTS, foreign(turns()), model);
        assert!(!messages(&request).contains("skip_thought"), "{model}");
    }
}

#[test]
fn the_state_of_gemini_is_not_replaced() {
    let request = r#"{"model":"gemini-3-pro","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"x"}}}]},{"role":"tool","tool_call_id":"c","content":"18"}]}"#;
    let (again, losses) = sent(&REQUESTS, (REQUESTS.read)(parsed(request)), "gemini-3-pro");
    assert_eq!(sorted(again), sorted(parsed(request)));
    assert!(losses.is_empty(), "{:?}", named(&losses));
    let request = r#"{"model":"google/gemini-3-pro","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.encrypted","data":"x"}],"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"18"}]}"#;
    let (again, _) = sent(&REQUESTS, (REQUESTS.read)(parsed(request)), "google/gemini-3-pro");
    assert_eq!(sorted(again), sorted(parsed(request)));
}

#[test]
fn efforts_are_those_of_the_model() {
    for (model, effort, functions, expected, losses) in [
        ("m", "xhigh", false, Some("xhigh"), 0),
        ("gpt-5", "none", false, Some("minimal"), 1),
        ("gpt-5", "xhigh", false, Some("high"), 0),
        ("gpt-5.1", "minimal", false, Some("low"), 0),
        ("gpt-5.1", "none", false, Some("none"), 0),
        ("gpt-5.2", "max", false, Some("xhigh"), 0),
        ("o3", "minimal", false, Some("low"), 0),
        ("gpt-4o", "high", false, None, 1),
        ("gpt-4o", "none", false, None, 0),
        ("gpt-5.4", "high", true, Some("none"), 1),
        ("gpt-5.4", "high", false, Some("high"), 0),
        ("gpt-5.6-luna", "high", true, Some("none"), 1),
        ("mistral-large", "high", false, None, 1),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::Effort, effort);
        if functions {
            conversation
                .tools
                .push(Tool::Function(Function { name: "f".into(), ..Function::default() }));
        }
        let (request, lost) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.text("reasoning_effort"), expected, "{model} {effort}");
        assert_eq!(lost.iter().count(), losses, "{model} {effort} {:?}", named(&lost));
    }
    // Functions turn reasoning off that is on by default.
    let mut conversation = foreign([user("hi")]);
    conversation.tools.push(Tool::Function(Function { name: "f".into(), ..Function::default() }));
    let (request, losses) = sent(&REQUESTS, conversation, "gpt-5.6-sol");
    assert_eq!(request.text("reasoning_effort"), Some("none"));
    assert_eq!(named(&losses), ["quality parameter reasoning_effort"]);
}

#[test]
fn thinking_of_other_protocols_is_expressed() {
    let set = |settings: &[(SettingKey, Value)]| {
        let mut conversation = foreign([user("hi")]);
        settings.iter().for_each(|(key, value)| conversation.settings.set(*key, value.clone()));
        conversation
    };
    let budget = [(SettingKey::Thinking, "enabled".into()), (SettingKey::Budget, 2_000.into())];
    let off = [(SettingKey::Thinking, Value::from("disabled"))];
    for (model, settings, expected) in [
        ("gpt-5-mini", &budget[..], r#"{"reasoning_effort":"low"}"#),
        ("anthropic/claude-sonnet-4.5", &budget[..], r#"{"reasoning":{"max_tokens":2000}}"#),
        (
            "deepseek-chat",
            &budget[..],
            r#"{"reasoning_effort":"low","thinking":{"type":"enabled"}}"#,
        ),
        ("gpt-5.1", &off[..], r#"{"reasoning_effort":"none"}"#),
        ("gpt-5-mini", &off[..], r#"{"reasoning_effort":"minimal"}"#),
        ("deepseek-chat", &off[..], r#"{"thinking":{"type":"disabled"}}"#),
        ("glm-4.6", &off[..], r#"{"thinking":{"type":"disabled"}}"#),
        ("gpt-4o", &off[..], "null"),
    ] {
        let (request, _) = sent(&REQUESTS, set(settings), model);
        let mut found = Value::Null;
        for key in ["reasoning_effort", "reasoning", "thinking"] {
            if let Some(value) = request.get(key) {
                found.insert(key, value.clone());
            }
        }
        assert_eq!(found.to_json(), expected, "{model}");
    }
}

#[test]
fn sampling_is_left_out_where_the_model_refuses_it() {
    for (model, effort, expected) in [
        ("m", None, true),
        ("gpt-4o", None, true),
        ("gpt-5", None, false),
        ("o3", None, false),
        ("gpt-5.2", None, true),
        ("gpt-5.2", Some("low"), false),
        ("gpt-5.6-sol", None, false),
        ("deepseek-chat", None, true),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::Temperature, 0);
        if let Some(effort) = effort {
            conversation.settings.set(SettingKey::Effort, effort);
        }
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("temperature").is_some(), expected, "{model}");
        assert_eq!(losses.count("parameter"), u64::from(!expected), "{model}");
    }
}

#[test]
fn the_roles_of_instructions_are_those_of_the_server() {
    let turns = || {
        let developer = |text: &str| Turn::new(TurnRole::Developer, [Part::text(text)].into());
        [developer("a"), user("hi"), answer([Part::text("b")]), developer("c"), user("d")]
    };
    for (model, roles) in [
        ("gpt-5", ["developer", "user", "assistant", "developer", "user"]),
        ("deepseek-chat", ["system", "user", "assistant", "system", "user"]),
        ("llama3.2:3b", ["system", "user", "assistant", "user", "user"]),
    ] {
        let (request, _) = sent(&REQUESTS, foreign(turns()), model);
        let Some(Value::Array(list)) = request.get("messages") else { panic!("messages") };
        let found: Vec<&str> = list.iter().filter_map(|message| message.text("role")).collect();
        assert_eq!(found, roles, "{model}");
    }
}

#[test]
fn ids_of_calls_are_those_that_the_server_accepts() {
    let long = "c".repeat(50);
    for (model, id, accepted) in [
        ("gpt-5", &*long, 40),
        ("gpt-5", "c.1", 3),
        ("mistral-large-latest", "call_1", 9),
        ("mistralai/mistral-large", "call_1", 9),
    ] {
        let (request, _) =
            sent(&REQUESTS, foreign([user("hi"), answer([called(id, "18")])]), model);
        let Some(Value::Array(list)) = request.get("messages") else { panic!("messages") };
        let result = list.last().and_then(|message| message.text("tool_call_id"));
        assert_eq!(result.map(str::len), Some(accepted), "{model}");
        assert_eq!(messages(&request).matches(result.unwrap_or_default()).count(), 2, "{model}");
    }
}

#[test]
fn custom_tools_become_functions_where_there_are_none() {
    let tool = Tool::Custom {
        name: "patch".into(),
        description: Some("d".into()),
        format: Some(Value::from("x")),
    };
    for (model, is_custom) in
        [("gpt-5", true), ("m", true), ("gpt-4o", false), ("deepseek-chat", false)]
    {
        let mut call = Call::function("c", "patch", "");
        call.input = CallInput::Text("*** Begin".into());
        call.result = Some(ToolResult::new("c", [Part::text("ok")].into()));
        let mut conversation = foreign([user("hi"), answer([Part::new(Content::Call(call))])]);
        conversation.tools.push(tool.clone());
        conversation.settings.choice = Some(ToolChoice::Named("patch".into()));
        let (request, losses) = sent(&REQUESTS, conversation, model);
        let text = request.to_json();
        let expected = if is_custom {
            [
                r#""type":"custom","custom":{"name":"patch","input":"*** Begin"}"#,
                r#""tool_choice":{"type":"custom""#,
            ]
        } else {
            [
                r#""name":"patch","arguments":"{\"input\":\"*** Begin\"}""#,
                r#""tool_choice":{"type":"function""#,
            ]
        };
        assert!(expected.iter().all(|expected| text.contains(expected)), "{model} {text}");
        assert_eq!(losses.count("tool-grammar"), u64::from(!is_custom), "{model}");
    }
}

#[test]
fn breakpoints_are_in_the_spelling_of_the_server() {
    let cached = || {
        let mut part = Part::text("long");
        part.cache = Some(Value::from([("type", "ephemeral".into())]));
        foreign([Turn::new(TurnRole::User, [part].into())])
    };
    for (model, expected) in [
        (
            "gpt-5.6-sol",
            r#"[{"type":"text","text":"long","prompt_cache_breakpoint":{"mode":"explicit"}}]"#,
        ),
        (
            "anthropic/claude-opus-4.6",
            r#"[{"type":"text","text":"long","cache_control":{"type":"ephemeral"}}]"#,
        ),
        ("gpt-5", r#""long""#),
        ("m", r#""long""#),
    ] {
        let (request, losses) = sent(&REQUESTS, cached(), model);
        assert_eq!(
            messages(&request),
            [r#"[{"role":"user","content":"#, expected, "}]"].concat(),
            "{model}"
        );
        assert_eq!(losses.count("cache"), u64::from(expected == r#""long""#), "{model}");
    }
}

#[test]
fn structured_answers_are_those_of_the_server() {
    let schema =
        r#"{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}"#;
    for (model, expected) in [("m", schema), ("deepseek-chat", r#"{"type":"json_object"}"#)] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.output =
            crate::hub::conversation::openai::read_output(parsed(schema)).expect(schema);
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("response_format").map(Value::to_json).as_deref(), Some(expected));
        assert_eq!(losses.is_empty(), model == "m");
    }
}
