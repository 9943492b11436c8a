//! Conversations of other protocols.

use super::*;

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
    let call = |id: &str| {
        [r#"{"type":"tool_use","id":""#, id, r#"","name":"f","input":{"city":"Oslo"}}"#].concat()
    };
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
        &[r#"{"role":"user","content":["#, &result("c1", "18"), ",", &result("c2", "19"), "]},"]
            .concat(),
        &[r#"{"role":"assistant","content":["#, &call("c1_2"), "]},"].concat(),
        &[
            r#"{"role":"user","content":["#,
            &result("c1_2", "20"),
            r#",{"type":"text","text":"and?"},"#,
        ]
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
fn several_instructions_are_one_text_or_blocks_with_breakpoints() {
    let mut cached = system("b");
    let turns = || [system("a"), system("b"), user("hi")];
    let (request, _) = sent(&REQUESTS, foreign(turns()), "m");
    assert_eq!(request.text("system"), Some("a\n\nb"));
    cached
        .parts
        .iter_mut()
        .for_each(|part| part.cache = Some(Value::from([("type", "ephemeral".into())])));
    let (request, _) = sent(&REQUESTS, foreign([system("a"), cached, user("hi")]), "m");
    let expected = r#"[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]"#;
    assert_eq!(request.get("system").map(Value::to_json).as_deref(), Some(expected));
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
        // The tool would search what was not allowed, or call tools that the user was to be asked
        // about.
        (
            hosted(
                Some("search"),
                "responses",
                r#"{"type":"web_search","external_web_access":false}"#,
            ),
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
        (hosted(None, "responses", r#"{"type":"file_search"}"#), "null", None, 1),
        // A tool that the client runs is a function.
        (
            hosted(None, "responses", r#"{"type":"apply_patch"}"#),
            r#"[{"name":"apply_patch","description":"Creates, updates or deletes a file.","input_schema":{"type":"object","properties":{"type":{"type":"string","enum":["create_file","update_file","delete_file"]},"path":{"type":"string"},"diff":{"type":"string","description":"The change in the V4A format; not for delete_file."}},"required":["type","path"]}}]"#,
            None,
            1,
        ),
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
        (
            Some(ToolChoice::Required),
            Some(false),
            Some(r#"{"type":"any","disable_parallel_tool_use":true}"#),
        ),
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
fn media_are_written_with_type_and_title() {
    let media = |kind, source, media_type: Option<&str>, name: Option<&str>| Media {
        media_type: media_type.map(Into::into),
        name: name.map(Into::into),
        ..Media::new(kind, source)
    };
    let base64 = |text: &str| MediaSource::Base64(text.into());
    let file = |provider: &'static str| MediaSource::File {
        provider: provider.into(),
        id: "file_1".into(),
    };
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
        (
            media(MediaForm::Image, file("openai"), None, None),
            r#"{"type":"text","text":"[image left out]"}"#,
        ),
        (
            media(MediaForm::Audio, base64("AAAA"), None, None),
            r#"{"type":"text","text":"[audio left out]"}"#,
        ),
        (
            media(MediaForm::Image, base64("AAAA"), Some("image/svg+xml"), None),
            r#"{"type":"text","text":"[image left out]"}"#,
        ),
    ] {
        let turn = Turn::new(TurnRole::User, [Part::new(Content::Media(media))].into());
        let (request, losses) = sent(&REQUESTS, foreign([turn]), "m");
        assert_eq!(
            messages(&request),
            [r#"[{"role":"user","content":["#, expected, "]}]"].concat()
        );
        let is_lost = losses.of_class(crate::hub::LossClass::Contract).next().is_some();
        assert_eq!(is_lost, expected.contains("left out"));
    }
}

#[test]
fn results_have_media_and_errors() {
    // Only errors without media are taken: github.com/vellum-ai/vellum-assistant/pull/18387.
    let mut call = Call::function("c.1", "f", "not JSON");
    let image = Media {
        media_type: Some("image/png".into()),
        ..Media::new(MediaForm::Image, MediaSource::Base64("iVBO".into()))
    };
    let parts = [Part::text("shot"), Part::new(Content::Media(image)), Part::text("")];
    let mut shot = Call::function("e", "f", "{}");
    shot.result = Some(ToolResult::new("e", parts.to_vec()));
    call.result = Some(ToolResult { error: true, ..ToolResult::new("c.1", parts.into()) });
    let mut empty = Call::function("d", "f", "");
    empty.result = Some(ToolResult { error: true, ..ToolResult::new("d", Vec::new()) });
    let turn = answer([call, empty, shot].map(|call| Part::new(Content::Call(call))));
    let (request, losses) = sent(&REQUESTS, foreign([user("hi"), turn]), "m");
    let text = messages(&request);
    for expected in [
        r#"{"type":"tool_use","id":"c_1","name":"f","input":{"input":"not JSON"}}"#,
        r#"{"type":"tool_use","id":"d","name":"f","input":{}}"#,
        r#"{"type":"tool_result","tool_use_id":"c_1","content":[{"type":"text","text":"shot"},{"type":"text","text":"[image left out]"}],"is_error":true}"#,
        r#"{"type":"tool_result","tool_use_id":"d","content":[{"type":"text","text":"The tool failed."}],"is_error":true}"#,
        r#"{"type":"tool_result","tool_use_id":"e","content":[{"type":"text","text":"shot"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]}"#,
    ] {
        assert!(text.contains(expected), "{text}");
    }
    assert_eq!(
        named(&losses),
        ["cosmetic parameter max_tokens", "cosmetic call-input c_1", "contract image"]
    );
}

#[test]
fn what_the_provider_ran_is_given_to_others_without_what_is_encrypted() {
    let request = r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","url":"https://a","title":"A","encrypted_content":"Eo8=","page_age":null}]},{"type":"server_tool_use","id":"t","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"t","content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}]}]}"#;
    let conversation = (REQUESTS.read)(parsed(request));
    let calls: Vec<&Call> = conversation.turns.iter().flat_map(Turn::calls).collect();
    assert!(calls.iter().all(|call| call.by == RunBy::Provider));
    assert_eq!(
        calls.first().map(|call| &call.input),
        Some(&CallInput::Json(r#"{"query":"q"}"#.into()))
    );
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
    assert!(
        text.contains(r#"{"type":"tool_use","id":"s""#) && text.contains("tool_result"),
        "{text}"
    );
    assert_eq!(
        named(&losses),
        ["cosmetic parameter max_tokens", "cosmetic hosted-call web_search"]
    );
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
