//! Requests as values: the members that are kept and written, and the problems to fix before
//! sending.

use agentwire::agent_api::request::{
    AgentRequest, FunctionParameters, FunctionTool, InputContent, InputMessage, Stop, Tool,
    ToolEntry, ToolParameters,
};
use agentwire::agent_api::{
    Content, ErrorInfo, Message, MessageType, Payload, Role, RunStatus, Style,
};
use agentwire::builder::Counter;
use agentwire::json::Value;
use agentwire_cases::{Kind, select};

fn read(text: &str) -> Value {
    Value::parse(text, 64).unwrap()
}

/// Requests that the adapters of the runtime build from foreign requests are read and written
/// without a difference.
#[test]
fn requests_that_reached_a_runner_round_trip() {
    let mut count = 0;
    for case in
        select("agent-api", Kind::Request).iter().filter(|case| case.path("request.json").exists())
    {
        let Some(request) = case.find("agent_input.json").map(|text| read(&text)) else {
            assert_eq!(case.name, "request_responses_bad_role");
            continue;
        };
        count += 1;
        let parsed =
            AgentRequest::from_value(request.clone()).unwrap_or_else(|e| panic!("{case}: {e}"));
        assert_eq!(parsed.to_json(Style::Wire), request.to_json(), "{case}");
        let compact = parsed.to_json(Style::Compact);
        assert!(compact.len() < request.to_json().len());
        let again = AgentRequest::parse(&compact).unwrap().to_json(Style::Wire);
        assert_eq!(again, request.to_json(), "{case}");
    }
    assert_eq!(count, 6);
}

#[test]
fn requests_are_built_and_serialized() {
    let mut request = AgentRequest::new(vec![InputMessage::user("天气?")]);
    request.session_id = Some("s".to_owned());
    request.user_id = Some("u".to_owned());
    request.temperature = Some(1.0);
    request.seed = Some(i64::MAX);
    request.stop = Some(Stop::Many(vec!["\n".to_owned()]));
    let schema = read(r#"{"type":"object","properties":{"city":{"type":"string"}}}"#);
    let tools = [
        FunctionTool::new("weather", "The weather", schema),
        FunctionTool::new("now", "The time", FunctionParameters::new(read("{}"), vec![])),
    ];
    request.tools = Some(tools.map(|tool| ToolEntry::Tool(Tool::function(tool))).into());
    assert_eq!(request.validate(), []);
    assert_eq!(
        request.to_json(Style::Compact),
        concat!(
            r#"{"input":[{"type":"message","role":"user","content":[{"type":"text","text":"天气?"}]}],"stream":true,"#,
            r#""temperature":1.0,"stop":["\n"],"n":1,"seed":9223372036854775807,"tools":["#,
            r#"{"type":"function","function":{"name":"weather","description":"The weather","#,
            r#""parameters":{"type":"object","properties":{"city":{"type":"string"}}}}},"#,
            r#"{"type":"function","function":{"name":"now","description":"The time","#,
            r#""parameters":{"type":"object","properties":{},"required":[]}}}],"#,
            r#""session_id":"s","user_id":"u"}"#
        )
    );
    assert_eq!(AgentRequest::parse(&request.to_json(Style::Compact)), Ok(request));
}

#[test]
fn complete_schemas_are_typed_and_others_are_kept_as_json() {
    let with = read(
        r#"{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}"#,
    );
    let ToolParameters::Schema(schema) = ToolParameters::from(with) else { panic!("not typed") };
    assert_eq!(schema.required, Some(vec!["a".to_owned()]));
    assert_eq!(schema.extra[0].key, "additionalProperties");
    for without in [r#"{"type":"object","properties":{}}"#, "{}", r#"{"$ref":"x"}"#] {
        assert_eq!(ToolParameters::from(read(without)), ToolParameters::Object(read(without)));
    }
}

#[test]
fn undeclared_members_and_their_digits_are_kept() {
    let body = concat!(
        r#"{"input":[{"type":"message","role":"user","content":[{"type":"file","file_url":"u","#,
        r#""file_name":"n","file_size":18446744073709551617}],"ui":{"z":1,"a":1.50}}],"stream":true,"n":1,"#,
        r#""response_id":"response_old","biz_params":{"id":9007199254740993,"e":1E+2,"list":[null,-0]}}"#
    );
    let request = AgentRequest::parse(body).unwrap();
    assert_eq!(request.to_json(Style::Compact), body);
    assert_eq!(request.response_id(), Some("response_old"));
    let mut newer = request.clone();
    newer.id = Some("response_new".to_owned());
    assert_eq!(newer.response_id(), Some("response_new"));
    assert_eq!(AgentRequest::new(vec![]).response_id(), None);
    assert_eq!(AgentRequest::parse(r#"{"input":[],"response_id":5}"#).unwrap().response_id(), None);
    // A repeated key counts once, with its last value.
    let twice = AgentRequest::parse(r#"{"input":[],"seed":1,"x":1,"seed":2,"x":2}"#).unwrap();
    assert_eq!((twice.seed, twice.extra.len()), (Some(2), 1));
}

#[test]
fn n_is_omitted_null_or_between_1_and_5() {
    let n = |body: &str| AgentRequest::parse(body).map(|request| request.n);
    assert_eq!(n(r#"{"input":[]}"#), Ok(Some(1)));
    assert_eq!(n(r#"{"input":[],"n":null}"#), Ok(None));
    for (value, fits) in
        [(0, false), (1, true), (5, true), (6, false), (i64::MIN, false), (i64::MAX, false)]
    {
        assert_eq!(n(&format!(r#"{{"input":[],"n":{value}}}"#)).is_ok(), fits, "{value}");
        let mut request = AgentRequest::new(vec![]);
        request.n = Some(value);
        let found = request.validate().iter().any(|p| p.path() == "n");
        assert_eq!(found, !fits, "{value}");
    }
    let mut request = AgentRequest::new(vec![]);
    request.n = None;
    assert!(request.to_json(Style::Compact).contains(r#""n":null"#));
}

#[test]
fn ensure_session_generates_a_missing_id() {
    let mut ids = Counter::default();
    for missing in
        [r#"{"input":[]}"#, r#"{"input":[],"session_id":null}"#, r#"{"input":[],"session_id":""}"#]
    {
        let mut request = AgentRequest::parse(missing).unwrap();
        request.ensure_session(&mut ids);
        assert!(request.session_id.as_deref().is_some_and(|id| !id.is_empty()), "{missing}");
    }
    let mut named = AgentRequest::parse(r#"{"input":[],"session_id":"s"}"#).unwrap();
    named.ensure_session(&mut ids);
    assert_eq!(named.session_id.as_deref(), Some("s"));
}

#[test]
fn validate_lists_problems_with_path_and_code() {
    let codes = |request: &AgentRequest| {
        let problems = request.validate();
        problems.iter().map(|p| format!("{} {}", p.path(), p.code())).collect::<Vec<_>>()
    };
    let mut request = AgentRequest::new(vec![InputMessage::user("x")]);
    assert_eq!(codes(&request), ["session_id session_id_missing", "user_id user_id_missing"]);
    request.session_id = Some(String::new());
    assert_eq!(codes(&request).len(), 2);
    request.session_id = Some("s".to_owned());
    request.user_id = Some("u".to_owned());
    assert_eq!(codes(&request), [""; 0]);

    request.input[0].role = Some("critic".into());
    request.input[0].usage = Some(Value::Null);
    request.input[0].metadata = Some("x".into());
    let parts = request.input[0].content.as_mut().unwrap();
    parts.push(InputContent::new(Payload::Other { r#type: "hologram".to_owned() }));
    parts.push(InputContent::new(Payload::Data { data: Some(Value::Array(vec![])) }));
    parts.push(InputContent::new(Payload::Data { data: None }));
    request.top_p = Some(f64::NAN);
    request.temperature = Some(f64::INFINITY);
    let flat = read(r#"{"type":"function","name":"f","description":"d","parameters":{}}"#);
    let mut with_tools = AgentRequest::parse(&format!(
        r#"{{"input":[],"tools":[{},{{"function":{{"name":"f"}}}},{{}}]}}"#,
        flat.to_json()
    ))
    .unwrap();
    request.tools = with_tools.tools.take();
    assert_eq!(
        codes(&request),
        [
            "input.0.role literal_error",
            "input.0.content.1 union_tag_invalid",
            "input.0.content.2.data.data dict_type",
            "input.0.usage dict_type",
            "input.0.metadata dict_type",
            "top_p finite_number",
            "temperature finite_number",
            "tools.0 tool_not_understood",
            "tools.1 tool_not_understood",
            "tools.2 tool_not_understood",
        ]
    );
    // The problems are those that a server would find, where it validates at all.
    let server = AgentRequest::parse(&request.to_json(Style::Compact)).unwrap_err();
    let server: Vec<_> =
        server.problems().iter().map(|p| format!("{} {}", p.path(), p.code())).collect();
    assert_eq!(
        server,
        [
            "input.0.role literal_error",
            "input.0.content.1 union_tag_invalid",
            "input.0.content.2.data.data dict_type",
            "input.0.metadata dict_type",
        ]
    );
}

/// The runtime documents that it must be `object`; its model (1.1.6) accepts any text, so the
/// request is still parsed.
#[test]
fn function_parameters_must_have_the_type_object() {
    for (parameters, got) in [
        (r#"{"type":"object","properties":{},"required":[]}"#, None),
        (r#"{"type":"object"}"#, None),
        ("{}", None),
        (r#"{"$ref":"x"}"#, None),
        (r#"{"type":"array","properties":{},"required":[]}"#, Some(r#""array""#)),
        (r#"{"type":"array","items":{}}"#, Some(r#""array""#)),
        (r#"{"type":"Object"}"#, Some(r#""Object""#)),
        (r#"{"type":null}"#, Some("null")),
        (r#"{"type":["object"]}"#, Some(r#"["object"]"#)),
    ] {
        let body = format!(
            r#"{{"input":[],"session_id":"s","user_id":"u","tools":[{{"function":{{"name":"f","description":"d","parameters":{parameters}}}}}]}}"#
        );
        let problems = AgentRequest::parse(&body).unwrap().validate();
        let told: Vec<_> = problems
            .iter()
            .map(|p| (p.path(), p.code(), p.expected().into_owned(), p.got().to_json()))
            .collect();
        let expected = got.map(|got| {
            let path = "tools.0.function.parameters.type".to_owned();
            (path, "literal_error", "Input should be 'object'".to_owned(), got.to_owned())
        });
        assert_eq!(told, Vec::from_iter(expected), "{parameters}");
    }
}

#[test]
fn messages_of_a_response_become_input() {
    let mut message = Message::new("msg_1", MessageType::PluginCall, Some(Role::Assistant));
    message.status = RunStatus::Failed;
    message.error = Some(ErrorInfo::new("c", "m"));
    let data = read(r#"{"call_id":"c","name":"f","arguments":"{}"}"#);
    message.content.push(Content::new("msg_1", 0, Payload::Data { data: Some(data) }));
    let input = InputMessage::from(message.clone());
    assert_eq!(input.to_json(Style::Wire), message.to_json(Style::Wire));
    let mut request = AgentRequest::new(vec![input, InputMessage::user("and now?")]);
    request.session_id = Some("s".to_owned());
    request.user_id = Some("u".to_owned());
    assert_eq!(request.validate(), []);
    assert_eq!(
        request.input[1].content.as_ref().unwrap()[0].to_json(Style::Compact),
        r#"{"type":"text","text":"and now?"}"#
    );
}
