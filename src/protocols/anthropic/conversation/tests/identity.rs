//! Requests and answers that come back as they were.

use super::*;

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
        let _ = normalise(
            &mut conversation,
            (REQUESTS.requirements)(Some("claude-opus-4-8")),
            None,
            &mut losses,
        );
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
        assert_eq!(
            written(&REQUESTS, &(REQUESTS.read)(parsed(given))),
            parsed(expected),
            "{given}"
        );
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
        let expected =
            [r#"{"type":"tool_use","id":"c","name":"f","input":"#, expected, "}"].concat();
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
fn an_answer_that_paused_is_continued() {
    for (reason, expected) in [("pause_turn", true), ("end_turn", false), ("tool_use", false)] {
        assert_eq!((REQUESTS.continues)(&Value::from([("stop_reason", reason.into())])), expected);
    }
}
