//! The input of a request, as an agent sees it.

use agentwire::agent_api::request::{AgentRequest, RequestAnswer};
use agentwire::json::Value;

fn request(input: &str) -> AgentRequest {
    AgentRequest::parse(&format!(r#"{{"input":[{input}]}}"#)).unwrap()
}

const USER: &str = r#"{"role":"user","content":[{"type":"text","text":"one "},{"type":"image"},{"type":"text","text":"two"}]}"#;
const CALL: &str = r#"{"type":"function_call","role":"assistant","content":[{"type":"data","data":{"call_id":"1","name":"f"}}]}"#;
const OUTPUT: &str = r#"{"type":"function_call_output","role":"tool","content":[{"type":"data","data":{"call_id":"1","name":"f","output":{"a":1}}}]}"#;
const APPROVAL: &str = r#"{"type":"mcp_approval_response","content":[{"type":"data","data":{"approval_request_id":"q","approve":true,"payload":7}}]}"#;
const DECLINED: &str = r#"{"type":"mcp_approval_response","content":[{"type":"data","data":{"approve":"no"}},{"type":"text"}]}"#;
const ANSWER: &str = r#"{"role":"assistant","content":[{"type":"text","text":"It is."}]}"#;

#[test]
fn user_text_returns_the_last_text_of_the_user() {
    assert_eq!(request(USER).user_text(), "one two");
    assert_eq!(request(&[USER, CALL, OUTPUT].join(",")).user_text(), "one two");
    assert_eq!(
        request(r#"{"content":[{"type":"text","text":"nobody's"}]}"#).user_text(),
        "nobody's"
    );
    assert_eq!(request(ANSWER).user_text(), "");
    assert_eq!(request("").user_text(), "");
}

#[test]
fn a_contradictory_approval_declines() {
    let approved = |data: &str| {
        let input = format!(
            r#"{{"type":"mcp_approval_response","content":[{{"type":"data","data":{data}}}]}}"#
        );
        let request = request(&input);
        let RequestAnswer::Approval { approved, .. } = request.answers()[0] else {
            panic!("{data}")
        };
        approved
    };
    let all = Value::parse(include_str!("../../../data/approvals.json"), 9).unwrap();
    let Value::Object(groups) = all else { panic!("an object") };
    for group in groups {
        let Value::Array(answers) = group.value else { panic!("a list") };
        for answer in answers {
            assert_eq!(approved(&answer.to_json()), group.key == "approve", "{}", answer.to_json());
        }
    }
    assert!(!approved(r#"{"approve":false,"approve":true}"#));
    assert!(approved(r#"{"approve":true,"approve":true}"#));
}

/// Returns a short form of the answers in a request.
fn answers(input: &[&str]) -> Vec<String> {
    let said = |answer: &RequestAnswer<'_>| match answer {
        RequestAnswer::Call { id, name, output, .. } => format!("{id} {name:?} {output}"),
        RequestAnswer::Approval { id, approved, payload, .. } => {
            format!("{id} {approved} {:?}", payload.map(|payload| payload.to_json()))
        }
        _ => unreachable!("no other kind of answer exists"),
    };
    request(&input.join(",")).answers().iter().map(said).collect()
}

#[test]
fn answers_returns_the_answers_after_the_last_message_of_the_agent() {
    assert_eq!(answers(&[USER]), [""; 0]);
    assert_eq!(answers(&[OUTPUT]), [r#"1 Some("f") {"a":1}"#]);
    assert_eq!(answers(&[USER, CALL, OUTPUT, USER]).len(), 1);
    assert_eq!(answers(&[USER, CALL, OUTPUT, ANSWER]), [""; 0]);
    assert_eq!(answers(&[OUTPUT, CALL, OUTPUT]).len(), 1);
    assert_eq!(answers(&[APPROVAL, DECLINED]), [r#"q true Some("7")"#, " false None"]);
}
