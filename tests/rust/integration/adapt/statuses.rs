//! A run is successful only if its source states that: not if it was truncated, and not with a
//! status that its protocol does not declare.

use agentwire::ProtocolKind::{A2a, AgKit, AgUi, AgentApi, Responses};
use agentwire::convert::ConversionSide;

use super::facts::{Status, convert, read, read_agent_api};
use super::steps::convert as convert_between;

fn stream(events: &[&str]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

#[test]
fn an_unknown_status_is_not_completed() {
    let ag_ui = |end: &str| {
        stream(&[
            STARTED,
            &format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{end}}}"#),
        ])
    };
    let responses =
        r#"{"type":"response.completed","response":{"id":"r","status":"paused","output":[]}}"#;
    let agent_api = r#"{"object":"response","status":"paused","id":"r"}"#;
    let a2a = r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_PAUSED"}}}}"#;
    for (from, bytes) in [
        (AgUi, ag_ui(r#"{"type":"paused"}"#)),
        (AgUi, ag_ui(r#"{"type":""}"#)),
        (Responses, stream(&[responses])),
        (AgentApi, stream(&[agent_api])),
        (A2a, stream(&[a2a])),
    ] {
        for to in crate::written() {
            let (out, losses) = convert(from, to, [bytes.as_bytes()], false);
            let status = read(to, out.as_bytes()).0.status;
            assert_eq!(status, Status::Otherwise, "{bytes} as {}: {out}", to.as_str());
            assert!(from != AgUi || losses.count("status") > 0, "{}", losses.to_json());
        }
    }
}

/// Older streams have no outcome.
#[test]
fn a_run_without_an_outcome_is_completed() {
    for outcome in ["", r#","outcome":null"#, r#","outcome":{"type":"success"}"#] {
        let end = format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r"{outcome}}}"#);
        let (out, losses) = convert(AgUi, AgentApi, [stream(&[STARTED, &end]).as_bytes()], false);
        assert_eq!(read(AgentApi, out.as_bytes()).0.status, Status::Completed, "{outcome}");
        assert_eq!(losses.count("status"), 0);
    }
}

#[test]
fn a_subagent_with_an_unknown_outcome_is_not_completed() {
    for (outcome, status) in
        [("success", "completed"), ("suspended", "incomplete"), ("paused", "incomplete")]
    {
        let end = format!(
            r#"{{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{{"type":"{outcome}"}}}}"#
        );
        let start = r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n"}"#;
        let stream = stream(&[STARTED, start, &end]);
        let (lines, losses) = convert_between(
            ConversionSide::Protocol(AgUi),
            ConversionSide::Steps,
            [stream.as_bytes()],
        );
        let end = lines.lines().find(|line| line.contains(r#""lane-end""#)).expect("a final event");
        assert!(end.contains(&format!(r#""status":"{status}""#)), "{end}");
        assert_eq!(losses.contains(&"status".to_owned()), outcome == "paused");
    }
}

/// Each case is a status, the event that contains it, and the status of the resulting message.
#[test]
fn an_item_with_an_unknown_status_is_not_completed() {
    let message = |status: &str, event: &str| {
        let item = format!(
            r#"{{"type":"message","id":"m","role":"assistant","status":"{status}","content":[]}}"#
        );
        stream(&[
            r#"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#,
            &format!(r#"{{"type":"response.output_item.{event}","output_index":0,"item":{item}}}"#),
        ])
    };
    for (status, event, ends_as) in [
        ("completed", "done", "completed"),
        ("in_progress", "done", "completed"),
        ("incomplete", "done", "incomplete"),
        ("cancelled", "done", "canceled"),
        ("failed", "done", "failed"),
        ("paused", "done", "incomplete"),
        ("paused", "added", "incomplete"),
        ("searching", "added", "incomplete"),
    ] {
        let (out, losses) =
            convert(Responses, AgentApi, [message(status, event).as_bytes()], false);
        let answer = read_agent_api(out.as_bytes()).snapshot.response;
        assert_eq!(answer.output[0].status.as_str(), ends_as, "{status}: {out}");
        let is_noted = losses.iter().any(|loss| loss.kind == "status" && loss.location == "paused");
        assert_eq!(is_noted, (status, event) == ("paused", "done"), "{}", losses.to_json());
    }
}

/// The same as for other sources: a task that failed, or one that waits where a question is open.
#[test]
fn a_turn_without_done_becomes_a_truncated_task() {
    let text = r#"{"type":"text","content":"Hi"}"#;
    let question = r#"{"type":"interrupt","id":"i","reason":"approval","payload":{"tool":"f"}}"#;
    for (events, state) in
        [(&[text][..], "TASK_STATE_FAILED"), (&[text, question], "TASK_STATE_INPUT_REQUIRED")]
    {
        let (out, losses) = convert(AgKit, A2a, [stream(events).as_bytes()], false);
        let end = out.lines().rfind(|line| line.starts_with("data:")).expect("a final event");
        assert!(end.contains(state) && end.contains(r#""incomplete":"eof""#), "{end}");
        assert_eq!(losses.count("status"), 1, "{}", losses.to_json());
    }
    for to in [AgKit, AgUi, AgentApi, Responses] {
        let (out, _) = convert(AgKit, to, [stream(&[text]).as_bytes()], false);
        assert_eq!(read(to, out.as_bytes()).0.status, Status::Otherwise, "{out}");
    }
}
