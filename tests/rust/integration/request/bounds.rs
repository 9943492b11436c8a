//! Refusals of large requests: their length and the problems that they list.

use agentwire::a2a::request::OperationCall;
use agentwire::ag_kit::request::SendMessageInput;
use agentwire::ag_ui::request::RunAgentInput;
use agentwire::agent_api::request::AgentRequest;
use agentwire::ai_sdk::request::UiRequest;
use agentwire::request::Problem;
use agentwire::responses::request::CreateResponse;
use agentwire::runs::request::RunInput;

/// Bytes of each large part of a request.
const LARGE: usize = 400 << 10;

/// Returns the error as JSON, including the body of the response, and the problems.
type Refuse = fn(&str) -> (String, Vec<Problem>);

fn a2a(body: &str) -> (String, Vec<Problem>) {
    (OperationCall::of_json_rpc(body, "1.0").expect_err("a refusal").body, Vec::new())
}

/// The beginning and the end of a request of each protocol, around items of a list that should be
/// objects.
const LISTS: [(&str, Refuse, &str, &str); 7] = [
    ("agent-api", agent_api, r#"{"input":["#, r#"],"n":{}}"#),
    ("ag-kit", ag_kit, r#"{"conversationId":"c","messages":["#, "]}"),
    ("ag-ui", ag_ui, r#"{"threadId":"t","runId":"r","messages":["#, "]}"),
    ("responses", responses, r#"{"model":"m","input":["#, "]}"),
    (
        "a2a",
        a2a,
        r#"{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":["#,
        r#"]},"configuration":1}}"#,
    ),
    ("ai-sdk", ai_sdk, r#"{"id":"c","messages":["#, "]}"),
    ("runs", runs, r#"{"threadId":"t","runId":"r","messages":["#, "]}"),
];

fn agent_api(body: &str) -> (String, Vec<Problem>) {
    let error = AgentRequest::parse(body).expect_err("a refusal");
    (error.to_json(), error.problems().to_vec())
}

fn ag_kit(body: &str) -> (String, Vec<Problem>) {
    let error = SendMessageInput::parse(body).expect_err("a refusal");
    (error.to_json(), error.problems().to_vec())
}

fn ag_ui(body: &str) -> (String, Vec<Problem>) {
    let error = RunAgentInput::parse(body).expect_err("a refusal");
    (error.to_json(), error.problems().to_vec())
}

fn responses(body: &str) -> (String, Vec<Problem>) {
    let error = CreateResponse::parse(body).expect_err("a refusal");
    (error.to_json(), error.problems().to_vec())
}

fn ai_sdk(body: &str) -> (String, Vec<Problem>) {
    let error = UiRequest::parse(body).expect_err("a refusal");
    (error.to_json(), error.problems().to_vec())
}

fn runs(body: &str) -> (String, Vec<Problem>) {
    let refusal = RunInput::parse(body).expect_err("a refusal");
    (refusal.to_json(), refusal.problems)
}

#[test]
fn the_size_of_an_error_is_linear_in_the_request() {
    let text = "x".repeat(LARGE);
    let items = [
        // Many problems: of another type, with missing members, with an unknown enumeration value.
        vec!["1"; LARGE / 2].join(","),
        vec!["{}"; LARGE / 3].join(","),
        vec![r#"{"role":"nobody","type":"nothing"}"#; LARGE / 35].join(","),
        // Few problems with long values: a text, an enumeration value, a list, a key, a number.
        format!("{text:?}"),
        format!(r#"{{"role":{text:?},"type":{text:?}}}"#),
        format!("[[{}]]", vec!["null"; LARGE / 5].join(",")),
        format!(r#"{{{text:?}:1,"role":1}}"#),
        "1".repeat(LARGE),
        format!("{}{}", "[".repeat(100), "]".repeat(100)),
        // Many problems with long values.
        vec![format!("{:?}", "é".repeat(2000)); 200].join(","),
    ];
    for (name, refuse, head, tail) in LISTS {
        for item in &items {
            let body = [head, item, tail].concat();
            let (refusal, problems) = refuse(&body);
            let start: String = item.chars().take(30).collect();
            assert!(
                refusal.len() < (1 << 20),
                "{name}: {start}: {} bytes of {}",
                refusal.len(),
                body.len()
            );
            assert!(problems.len() <= 101, "{name}: {start}: {} problems", problems.len());
        }
    }
}

#[test]
fn problems_after_the_first_hundred_are_counted() {
    let messages = |count| format!(r#"{{"input":[{}]}}"#, vec!["1"; count].join(","));
    let listed = |count| agent_api(&messages(count)).1;
    assert!(listed(100).iter().all(|problem| problem.code() == "model_type"));
    let more = listed(5000);
    let (last, kept) = more.split_last().expect("problems");
    assert_eq!((kept.len(), last.path().as_str(), last.code()), (100, "", "problems_omitted"));
    assert_eq!(count_in(last), 4900);
    let error = AgentRequest::parse(&messages(5000)).expect_err("a refusal");
    assert!(error.to_string().starts_with("5000 validation errors for AgentRequest\n"));

    let body = format!(r#"{{"conversationId":"c","messages":[{}]}}"#, vec!["1"; 1000].join(","));
    let problems = ag_kit(&body).1;
    let last = problems.last().expect("problems");
    assert_eq!((last.path().as_str(), last.code()), ("body", "problems_omitted"));
}

/// Returns the number in the message of the last problem.
fn count_in(problem: &Problem) -> usize {
    let sentence = problem.expected();
    sentence.split(' ').next().and_then(|count| count.parse().ok()).expect("a number")
}

#[test]
fn a_value_of_a_union_is_rejected_after_a_hundred_problems() {
    // A value that matches no type of a union is rejected even if no further problem is stored.
    let stop = |value: &str| {
        format!(r#"{{"input":[],"tools":[{}],"stop":{value}}}"#, vec!["1"; 200].join(","))
    };
    let count = |body: String| {
        let error = AgentRequest::parse(&body).expect_err("a refusal");
        error.problems().last().map(count_in)
    };
    assert!(count(stop("{}")) > count(stop("null")));
}

#[test]
fn short_values_are_quoted_and_long_ones_truncated() {
    let refused = |text: &str| {
        let body = format!(r#"{{"input":{text:?}}}"#);
        AgentRequest::parse(&body).expect_err("a refusal").problems()[0]
            .got()
            .as_str()
            .map(str::len)
    };
    assert_eq!(refused(&"x".repeat(1000)), Some(1000));
    assert!(refused(&"x".repeat(5000)).is_some_and(|length| (1000..1100).contains(&length)));
}
