//! Compares every member of a request with the real library: the cases
//! `request_*` of `tests/data/corpus/agent-api` that have rows.

use agentwire::agent_api::Style;
use agentwire::agent_api::request::{
    AgentRequest, FunctionCall, FunctionCallOutput, McpApprovalRequest, McpApprovalResponse,
    McpCall, McpCallOutput, McpListTools, McpListToolsTool, RequestError, ToolCall, ToolCallOutput,
};
use agentwire::json::Value;
use agentwire_cases::one;

fn read(text: &str) -> Value {
    Value::parse(text, 64).unwrap()
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row.get(name).and_then(Value::as_str).unwrap()
}

fn rows(value: &Value) -> &[Value] {
    match value {
        Value::Array(rows) => rows,
        _ => panic!("not a list: {}", value.to_json()),
    }
}

/// Values that the library accepts and we refuse, with the reason. Each has to occur.
const EXCEPTIONS: &[(&str, &[&str], &str, &str)] = &[
    (
        "integers beyond 64 bits: refused, never rounded",
        &[
            "9223372036854775808",
            "-9223372036854775809",
            "100000000000000000000000000000",
            r#""9223372036854775808""#,
        ],
        "int_parsing_size",
        "max_tokens seed n input.0.sequence_number input.0.content.0.text.sequence_number \
         input.0.content.0.text.index",
    ),
    (
        "numbers that JSON cannot write: the library reads them and then writes null",
        &["1e400", "-1e400", r#""nan""#, r#""inf""#, r#""Infinity""#, r#""1e400""#],
        "finite_number",
        "top_p",
    ),
];

fn exception(place: &str, value: &str) -> Option<usize> {
    EXCEPTIONS.iter().position(|(_, values, _, places)| {
        values.contains(&value) && places.split_whitespace().any(|p| p == place)
    })
}

#[test]
fn every_member_is_parsed_as_by_the_official_library() {
    let table = read(&one("agent-api", "request_members").text("rows.json"));
    let Value::Object(places) = &table else { panic!("not an object") };
    let mut met = vec![0; EXCEPTIONS.len()];
    let mut count = 0;
    for place in places {
        let template = text(&place.value, "template");
        for row in rows(place.value.get("rows").unwrap()) {
            count += 1;
            let value = text(row, "value");
            let case = format!("{} = {value}", place.key);
            let got = AgentRequest::parse(&template.replace('@', value));
            if let Some(at) = exception(&place.key, value) {
                met[at] += 1;
                let codes = codes(&got.expect_err(&case));
                assert_eq!(codes, [format!("{} {}", place.key, EXCEPTIONS[at].2)], "{case}");
                continue;
            }
            match (row.get("accepted"), got) {
                (Some(expected), Ok(request)) => {
                    let whole = read(&request.to_json(Style::Wire));
                    let got = at(&whole, &place.key);
                    let got = match place.key.as_str() {
                        "tools.0" => without_kept(&got),
                        _ => got,
                    };
                    assert_eq!(got.as_str(), expected.as_str().unwrap(), "{case}");
                }
                (None, Err(error)) => {
                    let expected: Vec<_> = rows(row.get("refused").unwrap())
                        .iter()
                        .map(|p| p.as_str().unwrap())
                        .collect();
                    assert_eq!(codes(&error), expected, "{case}");
                }
                (Some(_), Err(error)) => panic!("{case}: refused, {error}"),
                (None, Ok(_)) => panic!("{case}: accepted"),
            }
        }
    }
    assert!(count > 1000, "{count}");
    assert!(met.iter().all(|&n| n > 0), "an exception never occurred: {met:?}");
}

fn codes(error: &RequestError) -> Vec<String> {
    let problems = error.problems().iter();
    problems.map(|p| format!("{} {}", p.path(), p.code())).collect()
}

/// Returns the member at `place`, as JSON text. The position of a content is followed by its type.
fn at(whole: &Value, place: &str) -> String {
    let mut steps: Vec<_> = place.split('.').collect();
    if steps.len() > 5 {
        steps.remove(4);
    }
    let mut value = whole;
    for step in steps {
        let next = match value {
            Value::Array(items) => items.get(step.parse::<usize>().unwrap()),
            other => other.get(step),
        };
        match next {
            Some(next) => value = next,
            None if value.is_null() => break,
            None => return "absent".to_owned(),
        }
    }
    value.to_json()
}

#[test]
fn requests_are_serialized_as_by_the_official_library() {
    let cases = read(&one("agent-api", "request_bodies").text("rows.json"));
    for case in rows(&cases) {
        let body = text(case, "body");
        let request = AgentRequest::parse(body).unwrap_or_else(|e| panic!("{body}: {e}"));
        let got = request.to_json(Style::Wire);
        assert_eq!(without_kept(&got), text(case, "dump"), "{body}");
        let again = AgentRequest::parse(&request.to_json(Style::Compact));
        assert_eq!(again.as_ref(), Ok(&request), "{body}");
        // The wire style spells out the defaults of `object` and `status`.
        let again = AgentRequest::parse(&got).unwrap();
        assert_eq!(again.to_json(Style::Wire), got, "{body}");
    }
}

/// The library drops undeclared members of tools and errors; we keep those of tools.
fn without_kept(json: &str) -> String {
    let kept = [
        r#","strict":true"#,
        r#","additionalProperties":false"#,
        r#","name":"x","description":"d","parameters":{}"#,
        r#","x":1"#,
        r#","a":1"#,
        r#","b":12345678901234567890123,"a":null"#,
        r#","x":{"y":1000000000000000000000000000000}"#,
    ];
    kept.into_iter().fold(json.to_owned(), |json, member| json.replace(member, ""))
}

#[test]
fn error_messages_match_the_official_library() {
    let cases = read(&one("agent-api", "request_refusals").text("rows.json"));
    for case in rows(&cases) {
        let body = text(case, "body");
        let error = AgentRequest::parse(body).expect_err(body);
        assert_eq!(error.to_string(), text(case, "text"), "{body}");
        assert_eq!(read(&error.detail()), read(text(case, "detail")), "{body}");
        assert_eq!(error.status(), 200);
    }
}

#[test]
fn payloads_match_the_official_library() {
    fn run<T>(
        read: fn(&Value) -> Result<T, RequestError>,
        write: fn(&T) -> Value,
        data: &Value,
    ) -> Result<String, String> {
        match read(data) {
            Ok(payload) => Ok(write(&payload).to_json()),
            Err(error) => Err(error.to_string()),
        }
    }
    macro_rules! run {
        ($model:expr, $data:expr, $($name:ident)+) => {
            match $model {
                $(stringify!($name) => run($name::from_value, $name::to_value, $data),)+
                other => panic!("no model {other}"),
            }
        };
    }
    let cases = read(&one("agent-api", "request_payloads").text("rows.json"));
    for case in rows(&cases) {
        let (model, data) = (text(case, "model"), text(case, "data"));
        let got = run!(model, &read(data),
            FunctionCall FunctionCallOutput McpCall McpCallOutput McpListTools McpListToolsTool
            McpApprovalRequest McpApprovalResponse ToolCall ToolCallOutput);
        match case.get("dump") {
            Some(dump) => assert_eq!(got.as_deref(), Ok(dump.as_str().unwrap()), "{model} {data}"),
            None => assert_eq!(got.unwrap_err(), text(case, "text"), "{model} {data}"),
        }
    }
}
