//! Requests and answers that come back as they were.

use super::*;

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
        let request =
            [r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"#, members, "}"].concat();
        // The effort has one place.
        let request = request.replace(
            r#""reasoning":{"effort":"low","exclude":true}"#,
            r#""reasoning":{"exclude":true}"#,
        );
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
        let mut conversation =
            (REQUESTS.read)(parsed(r#"{"messages":[{"role":"user","content":"hi"}]}"#));
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
