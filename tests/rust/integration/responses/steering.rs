//! Input that steers a response: the next response follows in the same stream. (O23)

use agentwire::agent_api::{AgentApi, Style};
use agentwire::convert::{ConvertOptions, ConvertingReader};
use agentwire::read::{AnyOptions, AnyOutcome};
use agentwire::{EndReason, ProtocolKind};

use crate::reading::read;

fn event(name: &str, id: &str, rest: &str) -> String {
    let status = match name {
        "created" => "in_progress",
        name => name,
    };
    format!(
        r#"{{"type":"response.{name}","response":{{"id":"{id}","object":"response","status":"{status}"{rest}}}}}"#
    )
}

fn created(id: &str) -> String {
    event("created", id, r#","output":[]"#)
}

fn steered(id: &str, output: &str) -> String {
    event(
        "incomplete",
        id,
        &format!(r#","output":[{output}],"incomplete_details":{{"reason":"steered"}}"#),
    )
}

fn item(id: &str) -> String {
    format!(
        r#"{{"id":"{id}","type":"message","status":"completed","role":"assistant","content":[{{"type":"output_text","text":"{id}","annotations":[]}}]}}"#
    )
}

fn done(id: &str, index: usize) -> String {
    format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{}}}"#, item(id))
}

fn added(id: &str, index: usize) -> String {
    format!(
        r#"{{"type":"response.output_item.added","output_index":{index},"item":{{"id":"{id}","type":"message","status":"in_progress","role":"assistant","content":[]}}}}"#
    )
}

fn outcome(events: &[String]) -> AnyOutcome {
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    read(ProtocolKind::Responses, AnyOptions::default(), [stream.as_bytes()])
}

/// Returns the ids of the items, and the rules that were broken.
fn items(events: &[String]) -> (Vec<String>, Vec<&'static str>) {
    let outcome = outcome(events);
    let json: serde_json::Value = serde_json::from_str(&outcome.snapshot.to_json()).expect("JSON");
    let ids = json["output"].as_array().expect("a list").iter();
    let ids = ids.map(|item| item["id"].as_str().unwrap_or_default().to_owned()).collect();
    let rules = outcome.report.violations.iter().map(|violation| violation.rule.id);
    (ids, rules.filter(|id| *id != "sequence-number" && *id != "output-missing").collect())
}

#[test]
fn items_of_the_next_response_follow_those_of_the_steered_one() {
    let first = [created("r1"), added("a", 0), added("b", 1), done("a", 0), done("b", 1)];
    let next = [created("r2"), added("c", 0), done("c", 0), added("d", 1), done("d", 1)];
    for (stopped, end) in [
        (steered("r1", &[item("a"), item("b")].join(",")), "listed"),
        (steered("r1", ""), "an empty list"),
    ] {
        for last in [
            r#","output":[]"#.to_owned(),
            format!(r#","output":[{},{}]"#, item("c"), item("d")),
            String::new(),
        ] {
            let end_of_next = event("completed", "r2", &last);
            let mut events = first.to_vec();
            events.push(stopped.clone());
            events.extend(next.iter().cloned());
            events.push(end_of_next);
            let (ids, rules) = items(&events);
            assert_eq!(ids, ["a", "b", "c", "d"], "{end}, {last}");
            let lost = rules.iter().filter(|rule| **rule != "output-lost").count();
            assert_eq!(lost, 0, "{end}, {last}: {rules:?}");
        }
    }
}

#[test]
fn an_item_that_the_next_response_lists_in_another_order_stays_behind_the_earlier_ones() {
    let (ids, _) = items(&[
        created("r1"),
        added("a", 0),
        done("a", 0),
        steered("r1", &item("a")),
        created("r2"),
        added("c", 0),
        done("c", 0),
        added("b", 1),
        done("b", 1),
        event("completed", "r2", &format!(r#","output":[{},{}]"#, item("b"), item("c"))),
    ]);
    assert_eq!(ids, ["a", "b", "c"]);
}

#[test]
fn a_steered_response_ends_the_stream_if_no_other_one_follows() {
    let events = [created("r1"), added("a", 0), done("a", 0), steered("r1", &item("a"))];
    let outcome = outcome(&events);
    assert_eq!(outcome.report.end_reason, EndReason::Terminal);
    let json = outcome.snapshot.to_json();
    assert!(json.contains(r#""status":"incomplete""#), "{json}");
    // Anything but the next response comes after the end.
    let late = [&events[..], &[added("b", 1)]].concat();
    assert_eq!(items(&late).1, ["after-end"]);
}

#[test]
fn only_the_response_after_a_steered_one_is_another() {
    let other = [
        created("r1"),
        event(
            "incomplete",
            "r1",
            r#","output":[],"incomplete_details":{"reason":"max_output_tokens"}"#,
        ),
        created("r2"),
    ];
    assert_eq!(items(&other).1, ["after-end", "response-changed"]);
}

#[test]
fn the_number_of_later_responses_is_limited() {
    let mut events = Vec::new();
    for number in 0..300 {
        let (response, id) = (format!("r{number}"), format!("m{number}"));
        events.extend([
            created(&response),
            added(&id, 0),
            done(&id, 0),
            steered(&response, &item(&id)),
        ]);
    }
    let (ids, rules) = items(&events);
    assert!(rules.contains(&"after-end"), "{rules:?}");
    // Those after them take the place of the last one.
    assert_eq!(ids[..256], (0..256).map(|number| format!("m{number}")).collect::<Vec<_>>());
}

#[test]
fn events_about_the_input_are_no_errors() {
    let failed = r#"{"type":"response.steer.failed","sequence_number":0,"steer":{"previous_response_id":"r1","input":"x"},"error":{"type":"invalid_request_error","code":"response_not_found","message":"No such response."},"stream_id":"lane"}"#;
    let pending = r#"{"type":"response.steer.pending","steer":{"id":"s","previous_response_id":"r1"},"reason":"waiting_for_required_input","required_input":[]}"#;
    let events = [
        failed.to_owned(),
        created("r1"),
        failed.to_owned(),
        event("completed", "r1", r#","output":[]"#),
        pending.to_owned(),
    ];
    assert_eq!(items(&events), (Vec::new(), Vec::new()));
    assert_eq!(outcome(&events).report.end_reason, EndReason::Terminal);
}

/// Returns the token usage of the run.
fn usage(events: &[String]) -> serde_json::Value {
    let mut reader =
        ConvertingReader::<AgentApi>::new(ProtocolKind::Responses, ConvertOptions::default())
            .expect("a source");
    events.iter().for_each(|event| reader.push(format!("data: {event}\n\n").as_bytes()));
    let json = reader.finish().snapshot.response.to_json(Style::Wire);
    serde_json::from_str::<serde_json::Value>(&json).expect("JSON")["usage"].clone()
}

#[test]
fn the_usage_of_a_run_is_the_sum_of_its_responses() {
    let with_usage = |event: String, tokens: i64| {
        let usage = format!(
            r#","usage":{{"input_tokens":{tokens},"input_tokens_details":{{"cached_tokens":1}},"output_tokens":2,"output_tokens_details":{{"reasoning_tokens":0}},"total_tokens":{}}}}}}}"#,
            tokens + 2
        );
        event.strip_suffix("}}").expect("a response").to_owned() + &usage
    };
    let stopped = |id: &str, tokens| with_usage(steered(id, ""), tokens);
    let mut events = vec![created("r1"), stopped("r1", 10)];
    let sum = |tokens: i64, responses: i64| {
        serde_json::json!({
            "input_tokens": tokens,
            "input_tokens_details": {"cached_tokens": responses},
            "output_tokens": 2 * responses,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": tokens + 2 * responses,
        })
    };
    assert_eq!(usage(&events), sum(10, 1));
    events.extend([created("r2"), stopped("r2", 20), created("r3")]);
    let failed = event("failed", "r3", r#","output":[],"usage":null"#);
    assert_eq!(usage(&[&events[..], &[failed]].concat()), sum(30, 2));
    events.push(with_usage(event("completed", "r3", r#","output":[]"#), 40));
    assert_eq!(usage(&events), sum(70, 3));
}
