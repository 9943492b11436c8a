use alloc::string::String;
use alloc::vec::Vec;

use super::REQUESTS;
use crate::hub::conversation::checks::{assert_identity, named, parsed, sent, sorted, written};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Media, MediaForm, MediaSource, Opaque, Part, Role,
    RunBy, SettingKey, Tool, ToolChoice, ToolResult, Turn,
};
use crate::json::Value;

/// A conversation of another protocol with these turns.
fn foreign(turns: impl IntoIterator<Item = Turn>) -> Conversation {
    let mut conversation = Conversation::new("other");
    conversation.turns = turns.into_iter().collect();
    conversation
}

fn user(text: &str) -> Turn {
    Turn::new(Role::User, [Part::text(text)].into())
}

fn answer(parts: impl IntoIterator<Item = Part>) -> Turn {
    Turn::new(Role::Assistant, parts.into_iter().collect())
}

fn called(id: &str, result: &str) -> Part {
    let mut call = Call::function(id, "f", r#"{"city":"Oslo"}"#);
    call.result = Some(ToolResult::new(id, [Part::text(result)].into()));
    Part::new(Content::Call(call))
}

fn messages(request: &Value) -> String {
    request.get("messages").map(Value::to_json).unwrap_or_default()
}

#[test]
fn requests_are_written_as_they_were_read() {
    for messages in [
        r#"{"role":"system","content":"be brief"},{"role":"developer","content":"be nice"},{"role":"user","name":"ann","content":"hi"}"#,
        r#"{"role":"user","content":[{"type":"text","text":"see","cache_control":{"type":"ephemeral"}},{"type":"image_url","image_url":{"url":"https://a/b.png","detail":"high"}}]}"#,
        r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO","detail":"low","more":1}},{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}},{"type":"video_url","video_url":{"url":"https://a/b.mp4"}}]}"#,
        r#"{"role":"user","content":[{"type":"file","file":{"file_id":"file_1"}},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBE"}},{"type":"other","x":1}]}"#,
        r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b","prompt_cache_breakpoint":{"mode":"explicit"}}]}"#,
        r#"{"role":"user","content":"hi"},{"role":"assistant","content":null,"refusal":"I cannot."}"#,
        r#"{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"annotations":[{"type":"url_citation"}]}"#,
        r#"{"role":"user","content":"hi"},{"role":"assistant","content":"18","annotations":[{"type":"url_citation"}],"extra_content":{"google":{"thought_signature":"x"}}}"#,
        r#"{"role":"user","content":"hi"},{"role":"assistant","content":null,"audio":{"id":"audio_1"}}"#,
        r#"{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"}]}"#,
        r#"{"role":"user","content":"hi"},{"role":"assistant","content":null,"reasoning_content":"t","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"x"}}},{"id":"c2","type":"custom","custom":{"name":"p","input":"*** Begin"}}]},{"role":"tool","tool_call_id":"c1","content":"18"},{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"more":1},{"role":"user","content":"and?"}"#,
        r#"{"role":"user","content":"hi"},{"role":"assistant","content":"a","reasoning":"t","reasoning_details":[{"type":"reasoning.text","text":"t"},{"type":"reasoning.encrypted","data":"x"}],"tool_calls":[{"id":"c1","type":"builtin_function","function":{"name":"$web_search","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":""}"#,
    ] {
        let request = [r#"{"model":"m","messages":["#, messages, "]}"].concat();
        let mut conversation = (REQUESTS.read)(parsed(&request));
        // Results are found in their calls.
        let _ = crate::hub::conversation::normalise(
            &mut conversation,
            (REQUESTS.requirements)(Some("m")),
            None,
            &mut crate::hub::Losses::default(),
        );
        let again = written(&REQUESTS, &conversation);
        if !messages.contains("video_url") {
            assert_eq!(sorted(again).to_json(), sorted(parsed(&request)).to_json());
        }
        assert_identity(&REQUESTS, &request);
    }
}

#[test]
fn settings_and_tools_are_written_as_they_were_read() {
    for members in [
        r#""stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":9,"temperature":0.50,"top_p":1,"stop":["a"],"seed":7,"n":2,"frequency_penalty":0.1,"presence_penalty":0.2"#,
        r#""reasoning_effort":"high","verbosity":"low","user":"u","safety_identifier":"s","metadata":{"a":"b"},"store":true,"service_tier":"flex","prompt_cache_key":"k","logit_bias":{"1":2},"prediction":{"type":"content","content":"x"}"#,
        r#""response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"},"strict":true}}"#,
        r#""response_format":{"type":"json_object"},"thinking":{"type":"enabled","keep":"all"}"#,
        r#""response_format":{"type":"structural_tag","x":1},"tool_choice":{"type":"mcp"}"#,
        r#""tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":false,"more":1},"cache_control":{"type":"ephemeral"}},{"type":"custom","custom":{"name":"p","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"x"}}}},{"type":"web_search","x":1}],"parallel_tool_calls":false,"tool_choice":{"type":"custom","custom":{"name":"p"}}"#,
        r#""tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"f"}}]}}"#,
        r#""web_search_options":{"search_context_size":"low","user_location":{"type":"approximate","approximate":{"country":"NO"}}}"#,
        r#""reasoning":{"effort":"low","exclude":true},"provider":{"order":["a"]}"#,
    ] {
        let request = [r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"#, members, "}"].concat();
        // The effort has one place.
        let request = request
            .replace(r#""reasoning":{"effort":"low","exclude":true}"#, r#""reasoning":{"exclude":true}"#);
        assert_identity(&REQUESTS, &request);
    }
}

#[test]
fn older_spellings_are_read() {
    let request = parsed(
        r#"{"model":"m","functions":[{"name":"f","parameters":{"type":"object","properties":{}}}],"function_call":{"name":"f"},"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"18"}]}"#,
    );
    let (request, losses) = sent(&REQUESTS, (REQUESTS.read)(request), "gpt-5-mini");
    assert_eq!(
        request,
        parsed(
            r#"{"model":"gpt-5-mini","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"call","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call","content":"18"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}],"tool_choice":{"type":"function","function":{"name":"f"}}}"#
        )
    );
    assert!(losses.is_empty(), "{:?}", named(&losses));
}

#[test]
fn an_answer_is_appended_without_what_requests_refuse() {
    for (message, expected) in [
        (
            r#"{"role":"assistant","content":"18","refusal":null,"annotations":[{"type":"url_citation"}]}"#,
            r#"{"role":"assistant","content":"18"}"#,
        ),
        (r#"{"role":"","content":"18"}"#, r#"{"role":"assistant","content":"18"}"#),
        (
            r#"{"role":"assistant","content":null,"audio":{"id":"audio_1","data":"AAAA","transcript":"Hi.","expires_at":1}}"#,
            r#"{"role":"assistant","content":null,"audio":{"id":"audio_1"}}"#,
        ),
        (
            r#"{"role":"assistant","content":"","reasoning_content":"t","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":""},"index":0}]}"#,
            r#"{"role":"assistant","content":null,"reasoning_content":"t","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"No result."}"#,
        ),
        (
            r#"{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}"#,
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"call","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call","content":"No result."}"#,
        ),
    ] {
        let mut conversation = (REQUESTS.read)(parsed(r#"{"messages":[{"role":"user","content":"hi"}]}"#));
        let answer = [
            r#"{"status":"completed","id":"chatcmpl-1","object":"chat.completion","choices":[{"index":0,"message":"#,
            message,
            r#","finish_reason":"stop","logprobs":null}],"usage":{"total_tokens":1},"error":null}"#,
        ];
        (REQUESTS.append)(&mut conversation, parsed(&answer.concat()));
        let (request, _) = sent(&REQUESTS, conversation, "m");
        let expected = [r#"[{"role":"user","content":"hi"},"#, expected, "]"].concat();
        assert_eq!(messages(&request), expected, "{message}");
    }
}

#[test]
fn an_answer_without_a_message_adds_nothing() {
    let mut conversation = Conversation::new("chat");
    for answer in [r#"{"choices":[]}"#, r#"{"choices":[{"index":0}]}"#, "[]", "1", "null"] {
        (REQUESTS.append)(&mut conversation, parsed(answer));
    }
    assert!(conversation.turns.is_empty());
}

#[test]
fn members_of_any_shape_are_read() {
    for request in [
        "{}",
        r#"{"messages":"hi","tools":"x","tool_choice":1,"response_format":[]}"#,
        r#"{"messages":[1,null,[],{"role":1,"content":{"type":"text"}},{"role":"assistant","content":[1],"tool_calls":[1,{"function":1},{"custom":1}]}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"image_url"},{"type":"file","file":1},{"type":"input_audio","input_audio":[]}]}],"tools":[1,{"type":"function"},{"type":"custom"}]}"#,
    ] {
        let (request, _) = sent(&REQUESTS, (REQUESTS.read)(parsed(request)), "m");
        assert!(request.get("messages").is_some());
    }
}

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
            text.contains(&[r#""content":null"#, second, r#","tool_calls":[{"id":"c_2","#].concat()),
            "{text}"
        );
        assert_eq!(losses.count("reasoning"), u64::from(first.is_empty()), "{model}");
    }
}

#[test]
fn reasoning_in_several_parts_is_one_member() {
    let parts = [Part::reasoning("a"), Part::text("b"), Part::reasoning("c"), called("c", "18")];
    let (request, _) = sent(&REQUESTS, foreign([user("hi"), answer(parts)]), "deepseek-reasoner");
    assert!(messages(&request).contains(r#""reasoning_content":"a\n\nc""#));
    let details = |text: &str| {
        let list = Value::Array([Value::from([("text", text.into())])].into());
        Part::new(Content::Native).with_opaque(Some(Opaque::of_member("chat", "reasoning_details", list)))
    };
    let mut conversation = foreign([user("hi"), answer([details("a"), details("b"), Part::text("c")])]);
    conversation.format = "chat".into();
    let (request, _) = sent(&REQUESTS, conversation, "anthropic/claude-opus-4.6");
    assert!(messages(&request).contains(r#""reasoning_details":[{"text":"a"},{"text":"b"}]"#));
}

#[test]
fn calls_of_other_models_have_a_placeholder_for_gemini() {
    let turns = || [user("hi"), answer([called("c1", "18"), called("c2", "19")])];
    let (request, _) = sent(&REQUESTS, foreign(turns()), "gemini-3-flash-preview");
    let text = messages(&request);
    let signature = r#""extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}"#;
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
            conversation.tools.push(Tool::Function(Function { name: "f".into(), ..Function::default() }));
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
        ("deepseek-chat", &budget[..], r#"{"reasoning_effort":"low","thinking":{"type":"enabled"}}"#),
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
        let developer = |text: &str| Turn::new(Role::Developer, [Part::text(text)].into());
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
        let (request, _) = sent(&REQUESTS, foreign([user("hi"), answer([called(id, "18")])]), model);
        let Some(Value::Array(list)) = request.get("messages") else { panic!("messages") };
        let result = list.last().and_then(|message| message.text("tool_call_id"));
        assert_eq!(result.map(str::len), Some(accepted), "{model}");
        assert_eq!(messages(&request).matches(result.unwrap_or_default()).count(), 2, "{model}");
    }
}

#[test]
fn media_that_the_server_does_not_take_are_named() {
    let media = |kind, source| Media::new(kind, source);
    let typed =
        |kind, source, name: &str| Media { media_type: Some(name.into()), ..Media::new(kind, source) };
    let base64 = |text: &str| MediaSource::Base64(text.into());
    let url = || MediaSource::Url("https://a/b".into());
    for (model, media, expected) in [
        ("m", media(MediaForm::Image, url()), r#"[{"type":"image_url","image_url":{"url":"https://a/b"}}]"#),
        (
            "m",
            typed(MediaForm::File, base64("JVBE"), "application/pdf"),
            r#"[{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBE","filename":"file.pdf"}}]"#,
        ),
        (
            "m",
            typed(MediaForm::Audio, base64("AAAA"), "audio/mpeg"),
            r#"[{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}}]"#,
        ),
        ("m", typed(MediaForm::Audio, base64("AAAA"), "audio/ogg"), r#""[audio left out]""#),
        ("m", typed(MediaForm::File, base64("aMO4"), "text/plain"), r#""hø""#),
        ("m", typed(MediaForm::Image, base64("AAAA"), "image/svg+xml"), r#""[image left out]""#),
        ("m", media(MediaForm::File, url()), r#""[file left out]""#),
        (
            "m",
            media(MediaForm::File, MediaSource::File { provider: "anthropic".into(), id: "file_1".into() }),
            r#""[file left out]""#,
        ),
        ("deepseek-chat", media(MediaForm::Image, url()), r#""[image left out]""#),
    ] {
        let turn = Turn::new(Role::User, [Part::new(Content::Media(media.clone()))].into());
        let (request, losses) = sent(&REQUESTS, foreign([turn]), model);
        let expected = [r#"[{"role":"user","content":"#, expected, "}]"].concat();
        assert_eq!(messages(&request), expected, "{media:?}");
        assert_eq!(
            losses.is_empty(),
            !expected.contains("left out") && !expected.contains("hø"),
            "{media:?}"
        );
    }
}

#[test]
fn results_are_text_and_an_image_is_named() {
    let mut call = Call::function("c", "f", "{}");
    let image = Media::new(MediaForm::Image, MediaSource::Base64("iVBO".into()));
    let parts =
        [Part::text("shot"), Part::new(Content::Media(image)), Part::new(Content::Data(Value::from(1)))];
    call.result = Some(ToolResult { error: true, ..ToolResult::new("c", parts.into()) });
    let (request, losses) =
        sent(&REQUESTS, foreign([user("hi"), answer([Part::new(Content::Call(call))])]), "m");
    let result = r#"{"role":"tool","tool_call_id":"c","content":"shot\n[image left out]\n1"}]"#;
    assert!(messages(&request).ends_with(result), "{}", messages(&request));
    assert_eq!(named(&losses), ["cosmetic tool-error c", "contract image", "cosmetic data"]);
}

#[test]
fn custom_tools_become_functions_where_there_are_none() {
    let tool =
        Tool::Custom { name: "patch".into(), description: Some("d".into()), format: Some(Value::from("x")) };
    for (model, is_custom) in [("gpt-5", true), ("m", true), ("gpt-4o", false), ("deepseek-chat", false)] {
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
        foreign([Turn::new(Role::User, [part].into())])
    };
    for (model, expected) in [
        ("gpt-5.6-sol", r#"[{"type":"text","text":"long","prompt_cache_breakpoint":{"mode":"explicit"}}]"#),
        (
            "anthropic/claude-opus-4.6",
            r#"[{"type":"text","text":"long","cache_control":{"type":"ephemeral"}}]"#,
        ),
        ("gpt-5", r#""long""#),
        ("m", r#""long""#),
    ] {
        let (request, losses) = sent(&REQUESTS, cached(), model);
        assert_eq!(messages(&request), [r#"[{"role":"user","content":"#, expected, "}]"].concat(), "{model}");
        assert_eq!(losses.count("cache"), u64::from(expected == r#""long""#), "{model}");
    }
}

#[test]
fn structured_answers_are_those_of_the_server() {
    let schema = r#"{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}"#;
    for (model, expected) in [("m", schema), ("deepseek-chat", r#"{"type":"json_object"}"#)] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.output =
            crate::hub::conversation::openai::read_output(parsed(schema)).expect(schema);
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("response_format").map(Value::to_json).as_deref(), Some(expected));
        assert_eq!(losses.is_empty(), model == "m");
    }
}

#[test]
fn streams_of_other_protocols_report_their_usage() {
    for (format, stream, expected) in
        [("other", true, Some(r#"{"include_usage":true}"#)), ("other", false, None), ("chat", true, None)]
    {
        let mut conversation = foreign([user("hi")]);
        conversation.format = format.into();
        conversation.settings.set(SettingKey::Stream, stream);
        let (request, _) = sent(&REQUESTS, conversation, "m");
        assert_eq!(request.get("stream_options").map(Value::to_json).as_deref(), expected);
    }
}

#[test]
fn what_the_provider_ran_is_sent_as_a_call_of_a_function() {
    let mut call = Call::function("s", "web_search", "{}");
    call.by = RunBy::Provider;
    call.result = Some(ToolResult::new("s", [Part::new(Content::Data(Value::from("https://a")))].into()));
    let known = Part::new(Content::Call(call.clone()));
    call.result = None;
    let unknown = Part::new(Content::Call(call));
    let turn = answer([known, unknown, Part::text("Found.")]);
    let (request, losses) = sent(&REQUESTS, foreign([user("hi"), turn]), "m");
    let expected = r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"Found.","tool_calls":[{"id":"s","type":"function","function":{"name":"web_search","arguments":"{}"}}]},{"role":"tool","tool_call_id":"s","content":"\"https://a\""}]"#;
    assert_eq!(messages(&request), expected);
    assert_eq!(
        named(&losses),
        ["cosmetic hosted-call web_search", "cosmetic data", "quality hosted-call web_search"]
    );
}

#[test]
fn members_that_other_protocols_share_are_kept() {
    let with = |members: &str| {
        let mut conversation = foreign([user("hi")]);
        let Value::Object(members) = parsed(members) else { panic!("an object") };
        conversation.more = members;
        conversation
    };
    let members = r#"{"top_logprobs":3,"provider":{"order":["a"]},"truncation":"auto"}"#;
    let (request, losses) = sent(&REQUESTS, with(members), "m");
    let expected = r#""top_logprobs":3,"provider":{"order":["a"]}}"#;
    assert!(request.to_json().ends_with(expected), "{}", request.to_json());
    assert_eq!(request.get("logprobs"), Some(&Value::Bool(true)));
    assert_eq!(named(&losses), ["quality parameter truncation"]);
    let (request, losses) = sent(&REQUESTS, with(members), "gpt-5");
    assert_eq!(request.get("provider"), None);
    assert_eq!(losses.count("parameter"), 2);
}
