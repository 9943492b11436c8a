use alloc::string::String;
use alloc::vec::Vec;

use super::REQUESTS;
use crate::hub::Losses;
use crate::hub::conversation::checks::{assert_identity, named, parsed, sent, sorted, written};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Media, MediaForm, MediaSource, Opaque, Output, Part,
    Role, RunBy, SettingKey, Tool, ToolChoice, ToolResult, Turn, normalise,
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

fn system(text: &str) -> Turn {
    Turn::new(Role::System, [Part::text(text)].into())
}

fn answer(parts: impl IntoIterator<Item = Part>) -> Turn {
    Turn::new(Role::Assistant, parts.into_iter().collect())
}

fn called(id: &str, result: &str) -> Part {
    let mut call = Call::function(id, "f", r#"{"city":"Oslo"}"#);
    call.result = Some(ToolResult::new(id, [Part::text(result)].into()));
    Part::new(Content::Call(call))
}

fn thought(signature: &str) -> Part {
    Part::reasoning("t").with_opaque(Some(Opaque::of_member("anthropic", "signature", signature)))
}

fn function(name: &str) -> Tool {
    Tool::Function(Function { name: name.into(), ..Function::default() })
}

fn messages(request: &Value) -> String {
    request.get("messages").map(Value::to_json).unwrap_or_default()
}

const TEXT: &str = r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#;

#[test]
fn messages_are_written_as_they_were_read() {
    for messages in [
        r#"{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral","ttl":"1h"}}]}"#,
        r#"{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://a/b.png"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},{"type":"image","source":{"type":"file","file_id":"file_1"},"more":1}]}"#,
        r#"{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBE"},"title":"a.pdf","context":"c","citations":{"enabled":true}},{"type":"document","source":{"type":"url","url":"https://a/b.pdf"}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"the facts"}}]}"#,
        r#"{"role":"user","content":[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"}]},"title":"t"},{"type":"search_result","source":"https://a","title":"A","content":[{"type":"text","text":"a"}],"citations":{"enabled":true}},{"type":"container_upload","file_id":"file_1"}]}"#,
        r#"{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"a","citations":[{"type":"char_location"}]},{"type":"tool_use","id":"c1","name":"f","input":{"n":1.50}},{"type":"tool_use","id":"c2","name":"g","input":{},"caller":{"type":"code_execution_20250825","tool_id":"s"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"18"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}],"is_error":true,"cache_control":{"type":"ephemeral"}},{"type":"tool_result","tool_use_id":"c2","content":[{"type":"tool_reference","tool_name":"h"}]},{"type":"text","text":"and?"}]}"#,
        r#"{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"https://a","title":"A","encrypted_content":"Eo8="}],"cache_control":{"type":"ephemeral"}},{"type":"text","text":"Found.","citations":[{"type":"web_search_result_location","encrypted_index":"Eo9="}]}]},{"role":"user","content":[{"type":"text","text":"and?"}]}"#,
        r#"{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":[{"type":"mcp_tool_use","id":"m1","name":"find","server_name":"s","input":{}},{"type":"mcp_tool_use","id":"m2","name":"find","server_name":"s","input":{}},{"type":"mcp_tool_result","tool_use_id":"m1","is_error":false,"content":[{"type":"text","text":"a"}]},{"type":"mcp_tool_result","tool_use_id":"m2","is_error":false,"content":[{"type":"text","text":"b"}]}]}"#,
        r#"{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"system","content":[{"type":"text","text":"be brief"}]},{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"unknown_block","x":1}]}"#,
    ] {
        let request = [r#"{"model":"m","max_tokens":9,"messages":["#, messages, "]}"].concat();
        let mut conversation = (REQUESTS.read)(parsed(&request));
        let mut losses = Losses::default();
        let _ =
            normalise(&mut conversation, (REQUESTS.requirements)(Some("claude-opus-4-8")), None, &mut losses);
        let again = written(&REQUESTS, &conversation);
        assert_eq!(sorted(again).to_json(), sorted(parsed(&request)).to_json());
        assert!(losses.is_empty(), "{:?}", named(&losses));
        assert_identity(&REQUESTS, &request);
    }
}

#[test]
fn settings_and_tools_are_written_as_they_were_read() {
    for members in [
        r#""stream":true,"temperature":0.50,"top_p":1,"top_k":5,"stop_sequences":["a","b"],"metadata":{"user_id":"u"},"service_tier":"auto""#,
        r#""system":"be brief","thinking":{"type":"enabled","budget_tokens":2000}"#,
        r#""system":[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}],"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"high","format":{"type":"json_schema","schema":{"type":"object"}},"task_budget":{"total":1}}"#,
        r#""thinking":{"type":"adaptive","display":"omitted"},"container":"c","context_management":{"edits":[]},"inference_geo":"us""#,
        r#""tools":[{"name":"f","description":"d","input_schema":{"type":"object"},"strict":true,"cache_control":{"type":"ephemeral"},"defer_loading":true},{"type":"web_search_20250305","name":"web_search","max_uses":2},{"type":"bash_20250124","name":"bash"}],"tool_choice":{"type":"any","disable_parallel_tool_use":true}"#,
        r#""tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"f"}"#,
        r#""tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"}"#,
        r#""tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"other"}"#,
        r#""tools":[{"type":"mcp_toolset","mcp_server_name":"s","configs":{"a":{"enabled":false}},"cache_control":{"type":"ephemeral"}}],"mcp_servers":[{"type":"url","name":"s","url":"https://a/mcp","authorization_token":"t"},{"type":"url","name":"u","url":"https://b/mcp","tool_configuration":{"enabled":true,"allowed_tools":["a"]}}]"#,
    ] {
        assert_identity(
            &REQUESTS,
            &[r#"{"model":"m","max_tokens":9,"messages":["#, TEXT, "],", members, "}"].concat(),
        );
    }
}

#[test]
fn other_spellings_are_read() {
    for (given, expected) in [
        (
            r#"{"messages":[{"role":"user","content":"hi"}]}"#,
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#,
        ),
        (
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"mid_conv_system","content":[{"type":"text","text":"s"}]}]}]}"#,
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"system","content":[{"type":"text","text":"s"}]}]}"#,
        ),
        (
            r#"{"messages":[],"tools":[{"type":"custom","name":"f","input_schema":{}}],"output_format":{"type":"json_schema","schema":{}}}"#,
            r#"{"messages":[],"tools":[{"name":"f","input_schema":{}}],"output_config":{"format":{"type":"json_schema","schema":{}}}}"#,
        ),
        (
            r#"{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{},"caller":{"type":"direct"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"18"}]}]}"#,
            r#"{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"18"}]}]}]}"#,
        ),
    ] {
        assert_eq!(written(&REQUESTS, &(REQUESTS.read)(parsed(given))), parsed(expected), "{given}");
    }
}

#[test]
fn an_answer_is_appended_without_what_requests_refuse() {
    for (content, expected) in [
        (r#"{"type":"text","text":"18","citations":null}"#, r#"{"type":"text","text":"18"}"#),
        (
            r#"{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"18"}"#,
            r#"{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"18"}"#,
        ),
        // Thinking that was cut off.
        (
            r#"{"type":"thinking","thinking":"t","signature":""},{"type":"text","text":"18"}"#,
            r#"{"type":"text","text":"18"}"#,
        ),
        (
            r#"{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"},"partial_json":"{\"query\":\"q\"}"},{"type":"web_search_tool_result","tool_use_id":"s","content":[]}"#,
            r#"{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]}"#,
        ),
    ] {
        let mut conversation = (REQUESTS.read)(parsed(&[r#"{"messages":["#, TEXT, "]}"].concat()));
        let snapshot = [
            r#"{"status":"completed","type":"message","id":"msg_1","role":"assistant","model":"x","content":["#,
            content,
            r#"],"stop_reason":"end_turn","stop_sequence":null,"usage":{"output_tokens":1},"error":null,"container":{"id":"con_1","expires_at":"x"}}"#,
        ];
        (REQUESTS.append)(&mut conversation, parsed(&snapshot.concat()));
        let (request, _) = sent(&REQUESTS, conversation, "m");
        let expected = ["[", TEXT, r#",{"role":"assistant","content":["#, expected, "]}]"].concat();
        assert_eq!(messages(&request), expected);
        assert_eq!(request.text("container"), Some("con_1"));
    }
}

#[test]
fn calls_of_answers_have_the_input_that_was_received() {
    for (members, expected) in [
        (r#""input":{"a":1},"partial_json":"{\"a\":1}""#, r#"{"a":1}"#),
        (r#""input":{},"partial_json":"""#, "{}"),
        // The stream was cut off in the input.
        (r#""input":{},"partial_json":"{\"a\":""#, r#"{"input":"{\"a\":"}"#),
        (r#""input":{}"#, "{}"),
    ] {
        let mut conversation = Conversation::new("anthropic");
        let block = [r#"{"type":"tool_use","id":"c","name":"f","#, members, "}"].concat();
        (REQUESTS.append)(
            &mut conversation,
            parsed(&[r#"{"role":"assistant","content":["#, &block, "]}"].concat()),
        );
        let (request, _) = sent(&REQUESTS, conversation, "m");
        let expected = [r#"{"type":"tool_use","id":"c","name":"f","input":"#, expected, "}"].concat();
        assert!(messages(&request).contains(&expected), "{} {expected}", messages(&request));
    }
}

#[test]
fn members_of_any_shape_are_read() {
    for request in [
        "{}",
        r#"{"messages":"hi","tools":"x","tool_choice":1,"system":1,"mcp_servers":[1],"output_config":[]}"#,
        r#"{"messages":[1,null,[],{"role":1,"content":{"type":"text"}},{"role":"assistant","content":[1,null,"a",{"type":"tool_use"},{"type":"tool_result","content":1}]}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"image"},{"type":"document","source":1},{"type":"server_tool_use","input":[]},{"type":"x_tool_result"}]}]}"#,
    ] {
        let (request, _) = sent(&REQUESTS, (REQUESTS.read)(parsed(request)), "m");
        assert!(request.get("messages").is_some());
    }
}

#[test]
fn roles_alternate_and_results_follow_their_calls() {
    let turns = [
        system("a"),
        answer([Part::text("hello")]),
        user("hi"),
        user("there"),
        answer([called("c1", "18"), Part::text("  "), called("c2", "19")]),
        answer([called("c1", "20")]),
        user("and?"),
        answer([Part::text("")]),
        system("b"),
    ];
    let (request, losses) = sent(&REQUESTS, foreign(turns), "m");
    let call =
        |id: &str| [r#"{"type":"tool_use","id":""#, id, r#"","name":"f","input":{"city":"Oslo"}}"#].concat();
    let result = |id: &str, text: &str| {
        [
            r#"{"type":"tool_result","tool_use_id":""#,
            id,
            r#"","content":[{"type":"text","text":""#,
            text,
            r#""}]}"#,
        ]
        .concat()
    };
    let expected = [
        r#"[{"role":"user","content":[{"type":"text","text":"(no message)"}]},"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"hello"}]},"#,
        r#"{"role":"user","content":[{"type":"text","text":"hi"},{"type":"text","text":"there"}]},"#,
        &[r#"{"role":"assistant","content":["#, &call("c1"), ",", &call("c2"), "]},"].concat(),
        &[r#"{"role":"user","content":["#, &result("c1", "18"), ",", &result("c2", "19"), "]},"].concat(),
        &[r#"{"role":"assistant","content":["#, &call("c1_2"), "]},"].concat(),
        &[r#"{"role":"user","content":["#, &result("c1_2", "20"), r#",{"type":"text","text":"and?"},"#]
            .concat(),
        r#"{"type":"text","text":"<system>b</system>"}]}]"#,
    ];
    assert_eq!(messages(&request), expected.concat());
    assert_eq!(request.text("system"), Some("a"));
    let names = [
        "cosmetic blank-text",
        "cosmetic blank-text",
        "cosmetic message-empty",
        "quality instructions",
        "contract message-missing",
        "cosmetic parameter max_tokens",
    ];
    let mut found = named(&losses);
    found.sort();
    let mut names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
    names.sort();
    assert_eq!(found, names);
}

#[test]
fn instructions_follow_the_user_where_the_model_takes_them() {
    let turns = || {
        let asked = [user("hi"), system("a"), answer([called("c", "18")]), system("b")];
        foreign(asked.into_iter().chain([answer([Part::text("18")]), system("c"), user("and?")]))
    };
    let roles = |model| {
        let (request, losses) = sent(&REQUESTS, turns(), model);
        let Some(Value::Array(list)) = request.get("messages") else { panic!("messages") };
        let roles: Vec<String> =
            list.iter().filter_map(|message| message.text("role")).map(String::from).collect();
        (roles.join(" "), losses.count("instructions"))
    };
    let moved = "user assistant user assistant user";
    assert_eq!(roles("claude-sonnet-4-5"), (moved.into(), 3));
    let kept = "user system assistant user system assistant user";
    for model in ["claude-opus-4-8", "claude-sonnet-5", "claude-opus-5-5"] {
        assert_eq!(roles(model), (kept.into(), 1), "{model}");
    }
    for model in ["us.anthropic.claude-opus-5", "claude-opus-5@20260724", "anthropic/claude-opus-5"] {
        assert_eq!(roles(model), (moved.into(), 3), "{model}");
    }
}

#[test]
fn several_instructions_are_one_text_or_blocks_with_breakpoints() {
    let mut cached = system("b");
    let turns = || [system("a"), system("b"), user("hi")];
    let (request, _) = sent(&REQUESTS, foreign(turns()), "m");
    assert_eq!(request.text("system"), Some("a\n\nb"));
    cached.parts.iter_mut().for_each(|part| part.cache = Some(Value::from([("type", "ephemeral".into())])));
    let (request, _) = sent(&REQUESTS, foreign([system("a"), cached, user("hi")]), "m");
    let expected =
        r#"[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]"#;
    assert_eq!(request.get("system").map(Value::to_json).as_deref(), Some(expected));
}

#[test]
fn the_maximum_is_that_of_the_model() {
    for (model, given, expected, loss) in [
        ("claude-3-haiku-20240307", None, 4_096, Some("cosmetic parameter max_tokens")),
        ("claude-3-5-sonnet-latest", None, 8_192, Some("cosmetic parameter max_tokens")),
        ("claude-3-7-sonnet-20250219", None, 64_000, Some("cosmetic parameter max_tokens")),
        ("claude-opus-4-20250514", None, 32_000, Some("cosmetic parameter max_tokens")),
        ("claude-sonnet-4-5", None, 64_000, Some("cosmetic parameter max_tokens")),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", None, 64_000, Some("cosmetic parameter max_tokens")),
        ("claude-opus-4-6", None, 128_000, Some("cosmetic parameter max_tokens")),
        ("claude-opus-5", None, 128_000, Some("cosmetic parameter max_tokens")),
        ("claude-haiku-5-5", None, 128_000, Some("cosmetic parameter max_tokens")),
        ("glm-4.6", None, 32_000, Some("cosmetic parameter max_tokens")),
        ("claude-sonnet-4-5", Some(99), 99, None),
        ("claude-sonnet-4-5", Some(100_000), 64_000, Some("quality parameter max_tokens")),
    ] {
        let mut conversation = foreign([user("hi")]);
        if let Some(given) = given {
            conversation.settings.set(SettingKey::MaxTokens, given);
        }
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("max_tokens"), Some(&Value::from(expected)), "{model}");
        assert_eq!(named(&losses).first().map(|name| &**name), loss, "{model}");
    }
}

/// Returns how a model is told to think.
fn thinking(settings: &[(SettingKey, Value)], model: &str) -> String {
    let mut conversation = foreign([user("hi")]);
    conversation.settings.set(SettingKey::MaxTokens, 20_000);
    settings.iter().for_each(|(key, value)| conversation.settings.set(*key, value.clone()));
    let (request, _) = sent(&REQUESTS, conversation, model);
    let mut found = Value::Object(Vec::new());
    for key in ["max_tokens", "thinking", "output_config"] {
        if let Some(value) = request.get(key).filter(|value| **value != Value::from(20_000)) {
            found.insert(key, value.clone());
        }
    }
    sorted(found).to_json()
}

fn in_order(json: &str) -> String {
    sorted(parsed(json)).to_json()
}

#[test]
fn an_effort_is_expressed_as_the_model_takes_it() {
    for (model, effort, expected) in [
        ("claude-3-5-haiku-latest", "high", r#"{"max_tokens":8192}"#),
        ("claude-sonnet-4-5", "high", r#"{"thinking":{"type":"enabled","budget_tokens":16384}}"#),
        ("claude-sonnet-4-5", "none", r#"{"thinking":{"type":"disabled"}}"#),
        (
            "claude-opus-4-5",
            "xhigh",
            r#"{"thinking":{"type":"enabled","budget_tokens":16384},"output_config":{"effort":"high"}}"#,
        ),
        ("claude-opus-4-6", "high", r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}}"#),
        ("claude-opus-4-6", "xhigh", r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}}"#),
        ("claude-opus-5", "xhigh", r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"xhigh"}}"#),
        ("claude-opus-5", "minimal", r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}"#),
        ("claude-opus-5", "none", r#"{"thinking":{"type":"disabled"}}"#),
        ("claude-sonnet-5-5", "none", r#"{"thinking":{"type":"between_tools"}}"#),
        ("claude-opus-5-5", "none", r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}"#),
        ("m", "medium", r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}}"#),
    ] {
        let found = thinking(&[(SettingKey::Effort, effort.into())], model);
        assert_eq!(found, in_order(expected), "{model} {effort}");
    }
}

#[test]
fn a_number_of_tokens_is_expressed_as_the_model_takes_it() {
    for (model, budget, most, expected) in [
        ("claude-sonnet-4-5", 2_000, 20_000, r#"{"thinking":{"type":"enabled","budget_tokens":2000}}"#),
        ("claude-sonnet-4-5", 10, 20_000, r#"{"thinking":{"type":"enabled","budget_tokens":1024}}"#),
        (
            "claude-sonnet-4-5",
            3_000,
            300,
            r#"{"max_tokens":3300,"thinking":{"type":"enabled","budget_tokens":3000}}"#,
        ),
        (
            "claude-opus-4-1",
            40_000,
            32_000,
            r#"{"max_tokens":32000,"thinking":{"type":"enabled","budget_tokens":16000}}"#,
        ),
        ("claude-opus-4-6", 2_000, 20_000, r#"{"thinking":{"type":"enabled","budget_tokens":2000}}"#),
        (
            "claude-sonnet-5",
            2_000,
            20_000,
            r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}"#,
        ),
        ("claude-sonnet-5", 0, 20_000, r#"{"thinking":{"type":"disabled"}}"#),
        ("claude-sonnet-5", -1, 20_000, r#"{"thinking":{"type":"adaptive"}}"#),
        ("m", 2_000, 20_000, r#"{"thinking":{"type":"enabled","budget_tokens":2000}}"#),
    ] {
        let settings = [(SettingKey::Budget, budget.into()), (SettingKey::MaxTokens, most.into())];
        assert_eq!(thinking(&settings, model), in_order(expected), "{model} {budget}");
    }
}

#[test]
fn the_switch_of_thinking_has_the_values_of_the_model() {
    let on = |mode: &str| [(SettingKey::Thinking, Value::from(mode)), (SettingKey::Summary, "auto".into())];
    for (model, mode, expected) in [
        (
            "claude-sonnet-4-5",
            "adaptive",
            r#"{"thinking":{"type":"enabled","budget_tokens":16384,"display":"summarized"}}"#,
        ),
        ("claude-opus-4-8", "enabled", r#"{"thinking":{"type":"adaptive","display":"summarized"}}"#),
        ("claude-opus-4-8", "disabled", r#"{"thinking":{"type":"disabled"}}"#),
        ("claude-3-5-haiku-latest", "enabled", r#"{"max_tokens":8192}"#),
    ] {
        assert_eq!(thinking(&on(mode), model), in_order(expected), "{model} {mode}");
    }
    // A summary alone does not turn it on.
    assert_eq!(thinking(&[(SettingKey::Summary, "auto".into())], "claude-opus-4-8"), "{}");
}

#[test]
fn thinking_excludes_what_the_model_refuses_with_it() {
    for (model, effort, temperature, choice) in [
        ("claude-sonnet-4-5", None, true, "any"),
        ("claude-sonnet-4-5", Some("high"), false, "auto"),
        ("claude-opus-4-6", Some("high"), false, "auto"),
        ("claude-opus-4-8", Some("high"), false, "any"),
        ("claude-opus-5-5", None, false, "auto"),
        ("claude-opus-5-5", Some("high"), false, "auto"),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::MaxTokens, 20_000);
        conversation.settings.set(SettingKey::Temperature, 0);
        conversation.settings.choice = Some(ToolChoice::Required);
        conversation.tools.push(function("f"));
        if let Some(effort) = effort {
            conversation.settings.set(SettingKey::Effort, effort);
        }
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("temperature").is_some(), temperature, "{model}");
        assert_eq!(request.get("tool_choice").and_then(|given| given.text("type")), Some(choice), "{model}");
        let expected = u64::from(!temperature) + u64::from(choice == "auto");
        assert_eq!(losses.count("parameter"), expected, "{model} {:?}", named(&losses));
    }
}

#[test]
fn sampling_is_controlled_by_one_number() {
    for (model, expected) in [
        ("m", r#"{"temperature":1,"top_p":0.5}"#),
        ("claude-sonnet-4-5", r#"{"temperature":1}"#),
        ("claude-opus-5", "{}"),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::Temperature, parsed("1.6"));
        conversation.settings.set(SettingKey::TopP, parsed("0.5"));
        let (request, _) = sent(&REQUESTS, conversation, model);
        let mut found = Value::Object(Vec::new());
        for key in ["temperature", "top_p"] {
            request.get(key).into_iter().for_each(|value| found.insert(key, value.clone()));
        }
        assert_eq!(found.to_json(), expected, "{model}");
    }
}

#[test]
fn a_tool_loop_without_its_thinking_turns_it_off() {
    let with = |turns: Vec<Turn>| {
        let mut conversation = foreign(turns);
        conversation.settings.set(SettingKey::Thinking, "enabled");
        conversation.settings.set(SettingKey::Budget, 2_000);
        conversation.settings.set(SettingKey::MaxTokens, 20_000);
        conversation
    };
    let cited = || {
        let citations = Opaque::of_member("anthropic", "citations", Value::Array([Value::from(1)].into()));
        Part::text("a").with_opaque(Some(citations))
    };
    let call = || called("c", "18");
    for (turns, is_on) in [
        (Vec::from([user("hi"), answer([call()])]), false),
        (Vec::from([user("hi"), answer([thought("s"), call()])]), true),
        (Vec::from([user("hi"), answer([thought("s"), call()]), answer([call()])]), false),
        (Vec::from([user("hi"), answer([cited(), call()])]), false),
        // The text is in the message with the result.
        (Vec::from([user("hi"), answer([call()]), user("and?")]), false),
        (Vec::from([user("hi"), answer([call()]), answer([Part::text("18")]), user("and?")]), true),
    ] {
        let about = alloc::format!("{turns:?}");
        let (request, losses) = sent(&REQUESTS, with(turns), "claude-sonnet-4-5");
        let mode = request.get("thinking").and_then(|thinking| thinking.text("type"));
        assert_eq!(mode, Some(if is_on { "enabled" } else { "disabled" }), "{about}");
        assert_eq!(losses.count("parameter"), u64::from(!is_on), "{about}");
    }
    // Models that decide themselves accept it.
    let (request, _) = sent(&REQUESTS, with(Vec::from([user("hi"), answer([call()])])), "claude-opus-5");
    assert_eq!(request.get("thinking").map(Value::to_json).as_deref(), Some(r#"{"type":"adaptive"}"#));
}

#[test]
fn reasoning_of_others_is_left_out() {
    let foreign_state =
        Part::reasoning("t").with_opaque(Some(Opaque::of_member("gemini", "thoughtSignature", "x")));
    let turn = answer([foreign_state, Part::reasoning("u"), Part::text("a")]);
    let (request, losses) = sent(&REQUESTS, foreign([user("hi"), turn, user("and?")]), "m");
    assert!(!request.to_json().contains("thinking"), "{}", request.to_json());
    assert_eq!(
        named(&losses),
        ["cosmetic parameter max_tokens", "quality opaque thoughtSignature", "quality reasoning"]
    );
}

#[test]
fn an_answer_is_not_continued_by_models_that_refuse_it() {
    for (model, expected) in [
        ("claude-sonnet-4-5", r#"[{"type":"text","text":"a"}]}]"#),
        ("claude-opus-4-6", r#"[{"type":"text","text":"(continue)"}]}]"#),
    ] {
        let (request, _) = sent(&REQUESTS, foreign([user("hi"), answer([Part::text("a")])]), model);
        assert!(messages(&request).ends_with(expected), "{model}");
    }
}

#[test]
fn tools_of_other_protocols_are_expressed() {
    let hosted = |purpose, format: &'static str, json: &str| Tool::Hosted {
        purpose,
        format: format.into(),
        value: parsed(json),
    };
    for (tool, tools, servers, losses) in [
        (
            hosted(
                Some("search"),
                "responses",
                r#"{"type":"web_search","filters":{"allowed_domains":["a"]}}"#,
            ),
            r#"[{"type":"web_search_20250305","name":"web_search","allowed_domains":["a"]}]"#,
            None,
            0,
        ),
        (
            hosted(Some("search"), "gemini", r#"{"googleSearch":{}}"#),
            r#"[{"type":"web_search_20250305","name":"web_search"}]"#,
            None,
            0,
        ),
        (
            hosted(Some("code"), "responses", r#"{"type":"code_interpreter"}"#),
            r#"[{"type":"code_execution_20250825","name":"code_execution"}]"#,
            None,
            0,
        ),
        (
            hosted(
                Some("mcp"),
                "responses",
                r#"{"type":"mcp","server_label":"s","server_url":"https://a/mcp","require_approval":"never","authorization":"t","allowed_tools":["a"]}"#,
            ),
            r#"[{"type":"mcp_toolset","mcp_server_name":"s","default_config":{"enabled":false},"configs":{"a":{"enabled":true}}}]"#,
            Some(r#"[{"type":"url","name":"s","url":"https://a/mcp","authorization_token":"t"}]"#),
            0,
        ),
        // The tool would search what was not allowed, or call tools that the user was to be asked about.
        (
            hosted(Some("search"), "responses", r#"{"type":"web_search","external_web_access":false}"#),
            "null",
            None,
            2,
        ),
        (
            hosted(
                Some("mcp"),
                "responses",
                r#"{"type":"mcp","server_label":"s","server_url":"https://a/mcp"}"#,
            ),
            "null",
            None,
            2,
        ),
        (hosted(None, "responses", r#"{"type":"local_shell"}"#), "null", None, 1),
    ] {
        let about = alloc::format!("{tool:?}");
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::MaxTokens, 99);
        conversation.tools.push(tool);
        let (request, lost) = sent(&REQUESTS, conversation, "m");
        let found = |key| request.get(key).map(Value::to_json);
        assert_eq!(found("tools").as_deref().unwrap_or("null"), tools, "{about}");
        assert_eq!(found("mcp_servers").as_deref(), servers, "{about}");
        assert_eq!(lost.iter().count(), losses, "{about} {:?}", named(&lost));
    }
}

#[test]
fn functions_have_a_schema_and_no_members_of_others() {
    let mut conversation = foreign([user("hi")]);
    conversation.settings.set(SettingKey::MaxTokens, 99);
    let strict = |strict| Function {
        name: "f".into(),
        strict: Some(strict),
        format: "responses".into(),
        ..Function::default()
    };
    conversation.tools.push(Tool::Function(strict(false)));
    conversation.tools.push(Tool::Function(Function { name: "g".into(), ..strict(true) }));
    conversation.tools.push(Tool::Custom { name: "p".into(), description: None, format: None });
    let (request, losses) = sent(&REQUESTS, conversation, "m");
    let expected = r#"[{"name":"f","input_schema":{"type":"object","properties":{}}},{"name":"g","input_schema":{"type":"object","properties":{}},"strict":true},{"name":"p","description":"","input_schema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}]"#;
    assert_eq!(request.get("tools").map(Value::to_json).as_deref(), Some(expected));
    assert_eq!(named(&losses), ["quality tool-grammar p"]);
}

#[test]
fn the_choice_of_a_tool_has_parallel_calls() {
    for (choice, parallel, expected) in [
        (None, None, None),
        (None, Some(true), None),
        (None, Some(false), Some(r#"{"type":"auto","disable_parallel_tool_use":true}"#)),
        (Some(ToolChoice::Required), Some(false), Some(r#"{"type":"any","disable_parallel_tool_use":true}"#)),
        (Some(ToolChoice::None), Some(false), Some(r#"{"type":"none"}"#)),
        (Some(ToolChoice::Named("f".into())), None, Some(r#"{"type":"tool","name":"f"}"#)),
        (
            Some(ToolChoice::Allowed { required: true, names: ["f".into()].into() }),
            None,
            Some(r#"{"type":"any"}"#),
        ),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.tools.extend([function("f"), function("g")]);
        let is_allowed = matches!(choice, Some(ToolChoice::Allowed { .. }));
        conversation.settings.choice = choice;
        if let Some(parallel) = parallel {
            conversation.settings.set(SettingKey::Parallel, parallel);
        }
        let (request, _) = sent(&REQUESTS, conversation, "m");
        assert_eq!(request.get("tool_choice").map(Value::to_json).as_deref(), expected);
        let Some(Value::Array(tools)) = request.get("tools") else { panic!("tools") };
        assert_eq!(tools.len(), if is_allowed { 1 } else { 2 });
    }
}

#[test]
fn structured_answers_have_a_schema() {
    let output = |schema| Some(Output { name: Some("n".into()), schema, ..Output::default() });
    for (model, schema, expected) in [
        ("m", Some(parsed(r#"{"type":"object"}"#)), true),
        ("m", None, false),
        ("claude-sonnet-4-5", Some(Value::Object(Vec::new())), true),
        ("claude-sonnet-4-20250514", Some(Value::Object(Vec::new())), false),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::MaxTokens, 99);
        conversation.settings.output = output(schema);
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("output_config").is_some(), expected, "{model}");
        assert_eq!(losses.count("parameter"), u64::from(!expected), "{model}");
    }
}

#[test]
fn texts_that_end_an_answer_are_a_list_without_blank_ones() {
    let mut conversation = foreign([user("hi")]);
    conversation.settings.set(SettingKey::MaxTokens, 99);
    conversation.settings.set(SettingKey::Stop, "a");
    let (request, losses) = sent(&REQUESTS, conversation.clone(), "m");
    assert_eq!(request.get("stop_sequences"), Some(&parsed(r#"["a"]"#)));
    assert!(losses.is_empty());
    conversation.settings.set(SettingKey::Stop, parsed(r#"["\n","b"]"#));
    let (request, losses) = sent(&REQUESTS, conversation, "m");
    assert_eq!(request.get("stop_sequences"), Some(&parsed(r#"["b"]"#)));
    assert_eq!(named(&losses), ["contract parameter stop"]);
}

#[test]
fn media_are_written_with_type_and_title() {
    let media = |kind, source, media_type: Option<&str>, name: Option<&str>| Media {
        media_type: media_type.map(Into::into),
        name: name.map(Into::into),
        ..Media::new(kind, source)
    };
    let base64 = |text: &str| MediaSource::Base64(text.into());
    let file = |provider: &'static str| MediaSource::File { provider: provider.into(), id: "file_1".into() };
    for (media, expected) in [
        (
            media(MediaForm::Image, base64("iVBO"), Some("image/png"), None),
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}"#,
        ),
        (
            media(MediaForm::File, base64("JVBE"), Some("application/pdf"), Some("a.pdf")),
            r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBE"},"title":"a.pdf"}"#,
        ),
        (
            media(MediaForm::File, base64("aMO4"), Some("text/csv"), Some("a.csv")),
            r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"hø"},"title":"a.csv"}"#,
        ),
        (
            media(MediaForm::Image, file("anthropic"), None, None),
            r#"{"type":"image","source":{"type":"file","file_id":"file_1"}}"#,
        ),
        (media(MediaForm::Image, file("openai"), None, None), r#"{"type":"text","text":"[image left out]"}"#),
        (media(MediaForm::Audio, base64("AAAA"), None, None), r#"{"type":"text","text":"[audio left out]"}"#),
        (
            media(MediaForm::Image, base64("AAAA"), Some("image/svg+xml"), None),
            r#"{"type":"text","text":"[image left out]"}"#,
        ),
    ] {
        let turn = Turn::new(Role::User, [Part::new(Content::Media(media))].into());
        let (request, losses) = sent(&REQUESTS, foreign([turn]), "m");
        assert_eq!(messages(&request), [r#"[{"role":"user","content":["#, expected, "]}]"].concat());
        let is_lost = losses.of_class(crate::hub::LossClass::Contract).next().is_some();
        assert_eq!(is_lost, expected.contains("left out"));
    }
}

#[test]
fn results_have_media_and_errors() {
    let mut call = Call::function("c.1", "f", "not JSON");
    let image = Media {
        media_type: Some("image/png".into()),
        ..Media::new(MediaForm::Image, MediaSource::Base64("iVBO".into()))
    };
    let parts = [Part::text("shot"), Part::new(Content::Media(image)), Part::text("")];
    call.result = Some(ToolResult { error: true, ..ToolResult::new("c.1", parts.into()) });
    let mut empty = Call::function("d", "f", "");
    empty.result = Some(ToolResult { error: true, ..ToolResult::new("d", Vec::new()) });
    let turn = answer([Part::new(Content::Call(call)), Part::new(Content::Call(empty))]);
    let (request, losses) = sent(&REQUESTS, foreign([user("hi"), turn]), "m");
    let text = messages(&request);
    for expected in [
        r#"{"type":"tool_use","id":"c_1","name":"f","input":{"input":"not JSON"}}"#,
        r#"{"type":"tool_use","id":"d","name":"f","input":{}}"#,
        r#"{"type":"tool_result","tool_use_id":"c_1","content":[{"type":"text","text":"shot"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}],"is_error":true}"#,
        r#"{"type":"tool_result","tool_use_id":"d","content":"The tool failed.","is_error":true}"#,
    ] {
        assert!(text.contains(expected), "{text}");
    }
    assert_eq!(named(&losses), ["cosmetic parameter max_tokens", "cosmetic call-input c_1"]);
}

#[test]
fn what_the_provider_ran_is_given_to_others_without_what_is_encrypted() {
    let request = r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","url":"https://a","title":"A","encrypted_content":"Eo8=","page_age":null}]},{"type":"server_tool_use","id":"t","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"t","content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}]}]}"#;
    let conversation = (REQUESTS.read)(parsed(request));
    let calls: Vec<&Call> = conversation.turns.iter().flat_map(Turn::calls).collect();
    assert!(calls.iter().all(|call| call.by == RunBy::Provider));
    assert_eq!(calls.first().map(|call| &call.input), Some(&CallInput::Json(r#"{"query":"q"}"#.into())));
    let told = |at: usize| {
        let result = calls.get(at).and_then(|call| call.result.as_ref()).expect("a result");
        let parts: Vec<Content> = result.parts.iter().map(|part| part.content.clone()).collect();
        (parts, result.error)
    };
    let found = Content::Data(parsed(r#"[{"url":"https://a","title":"A"}]"#));
    assert_eq!(told(0), (Vec::from([found]), false));
    let failed = Content::Data(parsed(r#"{"error_code":"max_uses_exceeded"}"#));
    assert_eq!(told(1), (Vec::from([failed]), true));
}

#[test]
fn a_call_of_the_provider_without_the_block_of_its_result_is_one_of_a_function() {
    let whole = parsed(r#"{"type":"server_tool_use","id":"s","name":"web_search","input":{}}"#);
    let Value::Object(members) = whole else { panic!("an object") };
    let mut call = Call::function("s", "web_search", "{}");
    call.by = RunBy::Provider;
    call.result = Some(ToolResult::new("s", [Part::text("A")].into()));
    let part = Part::new(Content::Call(call)).with_opaque(Opaque::new("anthropic", members));
    let (request, losses) = sent(&REQUESTS, foreign([user("hi"), answer([part])]), "m");
    let text = messages(&request);
    assert!(text.contains(r#"{"type":"tool_use","id":"s""#) && text.contains("tool_result"), "{text}");
    assert_eq!(named(&losses), ["cosmetic parameter max_tokens", "cosmetic hosted-call web_search"]);
}

#[test]
fn members_of_an_agent_reach_the_model() {
    let mut conversation = foreign([user("hi")]);
    conversation.settings.set(SettingKey::MaxTokens, 99);
    let more = r#"{"container":"c","mcp_servers":[{"type":"url","name":"s","url":"https://a"}],"safetySettings":[]}"#;
    let Value::Object(members) = parsed(more) else { panic!("an object") };
    conversation.more = members;
    let (request, losses) = sent(&REQUESTS, conversation, "m");
    assert_eq!(request.text("container"), Some("c"));
    assert!(request.get("mcp_servers").is_some());
    assert_eq!(named(&losses), ["quality parameter safetySettings"]);
}

#[test]
fn an_answer_that_paused_is_continued() {
    for (reason, expected) in [("pause_turn", true), ("end_turn", false), ("tool_use", false)] {
        assert_eq!((REQUESTS.continues)(&Value::from([("stop_reason", reason.into())])), expected);
    }
}
