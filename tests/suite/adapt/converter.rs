//! What a converter does at the edges of a stream.

use agentwire::ag_kit::Status;
use agentwire::convert::{Converter, Endpoint};
use agentwire::read::Mode;
use agentwire::read::detect::ProtocolKind::{AgKit, AgentApi};
use agentwire::{Ended, Reader, ag_kit};

use super::facts::{convert, options, read_agent_api};

const TEXT: &[u8] = b"data: {\"type\":\"text\",\"content\":\"Hi\"}\n\n";

#[test]
fn the_source_may_be_told_by_its_first_event() {
    let mut converter = Converter::new(None, AgentApi, options()).unwrap();
    let mut out = String::new();
    converter.push(&TEXT[..10], &mut out);
    assert_eq!((converter.source(), out.as_str()), (None, ""));
    converter.push(&TEXT[10..], &mut out);
    assert_eq!(converter.source(), Some(Endpoint::Protocol(AgKit)));
    assert!(out.contains("\"Hi\""));
    converter.finish(false, &mut out);
    assert_eq!(out, convert(AgKit, AgentApi, [TEXT], false).0);
    // There is nothing more to say.
    let length = out.len();
    converter.finish(false, &mut out);
    converter.push(TEXT, &mut out);
    assert_eq!(out.len(), length);
}

/// The end of a stream may be the end of a turn; the end of a connection is none.
#[test]
fn a_source_that_breaks_off_is_incomplete() {
    for from in [None, Some(AgKit)] {
        let mut converter = Converter::new(from, AgentApi, options()).unwrap();
        let mut out = String::new();
        converter.push(TEXT, &mut out);
        converter.cut_off(&mut out);
        let length = out.len();
        converter.cut_off(&mut out);
        converter.finish(false, &mut out);
        assert_eq!(out.len(), length);
        assert_eq!(read_agent_api(out.as_bytes()).snapshot.response.status.as_str(), "incomplete");
    }
    let (out, _) = convert(AgKit, AgentApi, [TEXT], false);
    assert_eq!(read_agent_api(out.as_bytes()).snapshot.response.status.as_str(), "completed");
    // What had ended before has ended.
    let mut converter = Converter::new(Some(AgKit), AgentApi, options()).unwrap();
    let mut out = String::new();
    converter.push(TEXT, &mut out);
    converter.push(b"data: [DONE]\n\n", &mut out);
    converter.cut_off(&mut out);
    assert_eq!(read_agent_api(out.as_bytes()).snapshot.response.status.as_str(), "completed");
}

#[test]
fn a_stream_of_nothing_ends() {
    let mut converter = Converter::new(None, AgentApi, options()).unwrap();
    let mut out = String::new();
    converter.finish(false, &mut out);
    let outcome = read_agent_api(out.as_bytes());
    assert_eq!((outcome.report.total(), outcome.report.ended), (0, Ended::Terminal));
    assert_eq!(outcome.snapshot.response.status.as_str(), "incomplete");
}

#[test]
fn a_reader_that_stops_cancels() {
    let (out, _) = convert(AgKit, AgentApi, [TEXT], true);
    assert_eq!(read_agent_api(out.as_bytes()).snapshot.response.status.as_str(), "canceled");
    let (out, losses) = convert(AgKit, AgKit, [TEXT], true);
    assert!(out.contains("The run was canceled.") && out.ends_with("data: [DONE]\n\n"));
    assert_eq!(losses.count("status"), 1);
}

#[test]
fn comments_and_heartbeats_are_comments_where_they_came() {
    let heartbeat =
        "data: {\"object\":\"message\",\"type\":\"heartbeat\",\"status\":\"completed\",\"id\":\"h\"}\n\n";
    let text = "data: {\"object\":\"content\",\"type\":\"text\",\"msg_id\":\"m\",\"index\":0,\"delta\":true,\"text\":\"x\"}\n\n";
    let stream = format!(": ping\n\n{text}{heartbeat}{text}: ping\n\n");
    let (out, _) = convert(AgentApi, AgKit, [stream.as_bytes()], false);
    let said: Vec<&str> = out.split_terminator("\n\n").collect();
    let text = "data: {\"type\":\"text\",\"content\":\"x\"}";
    assert_eq!(said[..5], [": heartbeat", text, ": heartbeat", text, ": heartbeat"]);
}

#[test]
fn the_end_is_the_last_that_is_written_whatever_the_source_says_after_it() {
    for (from, end) in [
        (AgKit, "data: [DONE]\n\n"),
        (AgentApi, "data: {\"object\":\"response\",\"status\":\"completed\"}\n\n"),
    ] {
        for to in [AgKit, AgentApi] {
            let (out, _) = convert(from, to, [[end, ": ping\n\n"].concat().as_bytes()], false);
            assert_eq!(out, convert(from, to, [end.as_bytes()], false).0);
        }
    }
}

#[test]
fn what_is_not_read_is_a_failed_run() {
    let ag_ui = b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
    let mut converter = Converter::new(Some(AgKit), AgentApi, options()).unwrap();
    let mut out = String::new();
    converter.push(ag_ui, &mut out);
    converter.finish(false, &mut out);
    assert!(out.contains("AG-UI") && out.contains("UPSTREAM_REFUSED"), "{out}");

    let mut strict = options();
    strict.read.options.mode = Mode::Strict;
    let mut converter = Converter::new(Some(AgKit), AgKit, strict).unwrap();
    out.clear();
    converter.push(TEXT, &mut out);
    converter.push(b"data: nonsense\n\n", &mut out);
    converter.push(TEXT, &mut out);
    converter.finish(false, &mut out);
    let mut reader = Reader::new(ag_kit::AgKit::default());
    reader.push(out.as_bytes());
    let outcome = reader.finish();
    assert_eq!((outcome.snapshot.text().as_str(), outcome.snapshot.status), ("Hi", Status::Failed));
    assert_eq!(converter.report().unwrap().ended, Ended::Refused);
}

#[test]
fn a_run_keeps_its_ids_unless_others_are_given() {
    let stream =
        b"data: {\"object\":\"response\",\"status\":\"created\",\"id\":\"r\",\"session_id\":\"s\"}\n\n";
    let (out, _) = convert(AgentApi, AgentApi, [&stream[..]], false);
    let response = read_agent_api(out.as_bytes()).snapshot.response;
    assert_eq!((response.id.as_str(), response.session_id.as_deref()), ("r", Some("s")));
    let mut own = options();
    own.write = own.write.response_id("own").session_id("mine");
    let mut converter = Converter::new(Some(AgentApi), AgentApi, own).unwrap();
    let mut out = String::new();
    converter.push(stream, &mut out);
    converter.finish(false, &mut out);
    let response = read_agent_api(out.as_bytes()).snapshot.response;
    assert_eq!((response.id.as_str(), response.session_id.as_deref()), ("own", Some("mine")));
}

#[test]
fn what_nests_too_deep_costs_only_itself() {
    let deep = "[".repeat(124) + &"]".repeat(124);
    let message = |id: &str, kind: &str, data: &str| {
        format!(
            "data: {{\"object\":\"message\",\"status\":\"in_progress\",\"id\":\"{id}\",\"type\":\"{kind}\"}}\n\n\
             data: {{\"object\":\"content\",\"status\":\"completed\",\"msg_id\":\"{id}\",\"type\":\"data\",\"index\":0,\"data\":{data}}}\n\n"
        )
    };
    let call = format!(r#"{{"call_id":"c","name":"f","arguments":"{{}}","more":{deep}}}"#);
    let output = format!(r#"{{"call_id":"c","name":"f","output":"o","more":{deep}}}"#);
    let stream = message("m", "function_call", &call)
        + &message("n", "function_call_output", &output)
        + &message("o", "message", &format!(r#"{{"deep":{deep}}}"#));
    let (out, losses) = convert(AgentApi, AgentApi, [stream.as_bytes()], false);
    let outcome = read_agent_api(out.as_bytes());
    assert_eq!(outcome.report.total(), 0, "{:?}", outcome.report.violations);
    assert_eq!(outcome.snapshot.tool_calls[0].state.as_str(), "answered");
    assert_eq!(losses.counts(), [("call-members", 2), ("refused", 1)]);
}
