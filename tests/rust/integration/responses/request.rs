//! OpenAI Responses: requests, read, refused and written.

use agentwire::responses::request::{Content, CreateResponse, Input};

fn refused(json: &str) -> (Vec<String>, String) {
    let error = CreateResponse::parse(json).expect_err(json);
    assert_eq!(error.status(), 400, "{json}");
    let problems =
        error.problems().iter().map(|problem| format!("{} {}", problem.path(), problem.code()));
    (problems.collect(), error.body())
}

#[test]
fn client_requests_round_trip() {
    for json in [
        r#"{"model":"fixture-model-1","input":"hi","stream":true}"#,
        concat!(
            r#"{"model":"m","input":[{"role":"developer","content":"be kind"},"#,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"what is this"},"#,
            r#"{"type":"input_image","image_url":"https://x/i.png","detail":"auto"},{"type":"input_file","file_id":"f"}]},"#,
            r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"x"},"#,
            r#"{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}","status":"completed"},"#,
            r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"21"}]},"#,
            r#"{"type":"custom_tool_call","call_id":"d","name":"g","input":"plain"},"#,
            r#"{"type":"mcp_approval_response","approval_request_id":"q","approve":false,"reason":"no"},"#,
            r#"{"type":"item_reference","id":"msg_1"},"#,
            r#"{"type":"tool_search_call","arguments":{"query":"x"},"execution":"client"},"#,
            r#"{"type":"something_new","with":{"deep":[1.50]}}],"#,
            r#""instructions":"Say hi.","tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true},"#,
            r#"{"type":"web_search","search_context_size":"low"},{"type":"mcp","server_label":"s","server_url":"https://x"}],"#,
            r#""tool_choice":{"type":"function","name":"f"},"parallel_tool_calls":false,"conversation":{"id":"conv_1"},"#,
            r#""temperature":0.5,"top_p":1.0,"max_output_tokens":16,"reasoning":{"effort":"low"},"#,
            r#""text":{"format":{"type":"text"}},"truncation":"auto","store":false,"include":["reasoning.encrypted_content"],"#,
            r#""metadata":{"a":"b"},"user":"u","service_tier":"auto","new_member":[null]}"#,
        ),
    ] {
        let asked = CreateResponse::parse(json).expect(json);
        assert_eq!(asked.to_json(), json);
        assert_eq!(asked.validate(), []);
    }
    let spelled = CreateResponse::parse(
        r#"{"input":[{"role":"user","content":"hi"}],"stream":null,"tools":null}"#,
    )
    .unwrap();
    let Some(Input::Items(items)) = &spelled.input else { panic!("items") };
    assert_eq!(
        (items[0].item_type(), &items[0].content),
        ("message", &Some(Content::Text("hi".into())))
    );
    assert_eq!(spelled.to_json(), r#"{"input":[{"role":"user","content":"hi"}]}"#);
}

#[test]
fn errors_have_the_form_that_openai_clients_parse() {
    for (json, problem, param) in [
        ("[]", " model_attributes_type", None),
        ("{", "body.1 json_invalid", Some("body[1]")),
        (r#"{"input":7}"#, "input.str string_type", Some("input")),
        (
            r#"{"input":[{"role":"wizard","content":"hi"}]}"#,
            "input.list[InputItem].0.role literal_error",
            Some("input[0].role"),
        ),
        (
            r#"{"input":[{"role":"user","content":[{"type":"input_text"}]}]}"#,
            "input.0.content.0.text missing",
            Some("input[0].content[0].text"),
        ),
        (
            r#"{"input":[{"type":"function_call","call_id":"c","name":"f"}]}"#,
            "input.0.arguments missing",
            Some("input[0].arguments"),
        ),
        (
            r#"{"input":"hi","tools":[{"type":"function"}]}"#,
            "tools.0.name missing",
            Some("tools[0].name"),
        ),
        (r#"{"input":"hi","tools":[{"name":"f"}]}"#, "tools.0.type missing", Some("tools[0].type")),
        (r#"{"input":"hi","temperature":3}"#, "temperature less_than_equal", Some("temperature")),
        (
            r#"{"input":"hi","max_output_tokens":0}"#,
            "max_output_tokens greater_than_equal",
            Some("max_output_tokens"),
        ),
        (r#"{"input":"hi","truncation":"some"}"#, "truncation literal_error", Some("truncation")),
        (
            r#"{"input":"hi","conversation":"c","previous_response_id":"r"}"#,
            "previous_response_id mutually_exclusive_parameters",
            Some("previous_response_id"),
        ),
    ] {
        let (problems, body) = refused(json);
        assert!(problems.iter().any(|found| found == problem), "{json}: {problems:?}");
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["error"]["type"], "invalid_request_error", "{body}");
        assert_eq!(body["error"]["param"].as_str(), param, "{body}");
        assert_eq!(body["error"]["code"].as_str(), problem.split(' ').nth(1), "{body}");
        assert!(!body["error"]["message"].as_str().unwrap().is_empty());
    }
    let limits = {
        let mut limits = agentwire::Limits::default();
        limits.event_bytes = 10;
        limits
    };
    assert_eq!(
        CreateResponse::parse_within(r#"{"input":"hello"}"#, &limits).unwrap_err().status(),
        413
    );
}
