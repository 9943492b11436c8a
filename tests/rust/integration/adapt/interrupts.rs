//! Interrupts and results, as the official clients of both protocols can show them.

use agentwire::ProtocolKind::{AgKit, AgentApi};
use agentwire::agent_api::Payload;
use agentwire::convert::Answer;
use agentwire::hub::{Hub, MessageKind, Role, Step, ToHub};
use agentwire::json::Value;

use super::facts::{convert, read, read_agent_api};
use crate::ag_kit::client::Client;

fn ag_kit(events: &[&str]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

fn interrupt(payload: &str) -> String {
    ag_kit(&[
        r#"{"type":"text","content":"Well?"}"#,
        &format!(r#"{{"type":"interrupt","id":"i","payload":{payload}}}"#),
        "[DONE]",
    ])
}

/// Returns the data of the approval requests that the terminal event lists as completed: the web UI
/// shows these.
fn cards(stream: &str) -> Vec<Value> {
    let terminal = stream.trim_end().rsplit("data: ").next().expect("an event");
    let terminal = Value::parse(terminal, 128).expect("JSON");
    let Some(Value::Array(output)) = terminal.get("output") else {
        panic!("no list in {}", terminal.to_json())
    };
    let asks = |message: &&Value| {
        message.get("type").and_then(Value::as_str) == Some("mcp_approval_request")
            && message.get("status").and_then(Value::as_str) == Some("completed")
    };
    let data = |message: &Value| match message.get("content") {
        Some(Value::Array(parts)) => parts[0].get("data").expect("data").clone(),
        _ => panic!("no parts"),
    };
    output.iter().filter(asks).map(data).collect()
}

/// `McpApprovalRequest` of the runtime: four members, all of them strings.
fn is_valid(data: &Value) -> bool {
    ["id", "name", "arguments", "server_label"]
        .iter()
        .all(|name| data.get(name).and_then(Value::as_str).is_some())
}

#[test]
fn an_interrupt_round_trips_as_a_valid_approval_request() {
    for (payload, name, arguments, server) in [
        ("null", "interrupt", "{}", "agent"),
        (r#""why?""#, "interrupt", r#""why?""#, "agent"),
        ("[1,2]", "interrupt", "[1,2]", "agent"),
        (r#"{"files":2}"#, "interrupt", r#"{"files":2}"#, "agent"),
        (r#"{"name":"rm"}"#, "rm", r#"{"name":"rm"}"#, "agent"),
        (r#"{"name":"rm","arguments":{"path":"/"}}"#, "rm", r#"{"path":"/"}"#, "agent"),
        (r#"{"name":"rm","arguments":"{}","server_label":5}"#, "rm", "{}", "agent"),
        (r#"{"name":"rm","arguments":"{}","server_label":"fs"}"#, "rm", "{}", "fs"),
        (r#"{"name":1,"arguments":null,"server_label":null}"#, "interrupt", "{}", "agent"),
        (r#"{"id":"x","name":"rm","arguments":"{}","server_label":"fs"}"#, "rm", "{}", "fs"),
    ] {
        let source = interrupt(payload);
        let (there, losses) = convert(AgKit, AgentApi, [source.as_bytes()], false);
        assert!(losses.is_empty(), "{payload}: {}", losses.to_json());
        let cards = cards(&there);
        assert!(cards.len() == 1 && is_valid(&cards[0]), "{payload}: {there}");
        let text = |name: &str| cards[0].get(name).and_then(Value::as_str).unwrap();
        assert_eq!(
            (text("id"), text("name"), text("arguments"), text("server_label")),
            ("i", name, arguments, server)
        );
        let (back, _) = convert(AgentApi, AgKit, [there.as_bytes()], false);
        assert_eq!(read(AgKit, source.as_bytes()).0, read(AgKit, back.as_bytes()).0, "{payload}");
        assert_eq!(Client::of(&back).shown_interrupt(), Some("i"));
    }
}

#[test]
fn an_approval_request_round_trips() {
    let own = r#"{"id":"i","arguments":"{}","name":"rm","server_label":"fs"}"#;
    let events = [
        r#"{"object":"response","status":"created","id":"r"}"#.to_owned(),
        r#"{"object":"message","status":"in_progress","id":"m","type":"mcp_approval_request"}"#
            .to_owned(),
        format!(
            r#"{{"object":"content","status":"completed","type":"data","index":0,"msg_id":"m","data":{own}}}"#
        ),
        r#"{"object":"message","status":"completed","id":"m","type":"mcp_approval_request"}"#
            .to_owned(),
        r#"{"object":"response","status":"completed","completed_at":1,"output":[]}"#.to_owned(),
    ];
    let source = ag_kit(&events.iter().map(String::as_str).collect::<Vec<_>>());
    let (same, _) = convert(AgentApi, AgentApi, [source.as_bytes()], false);
    assert_eq!(cards(&same)[0].to_json(), own);
    let (there, _) = convert(AgentApi, AgKit, [source.as_bytes()], false);
    // It is the only content of the turn, and has no reason: the client would show neither.
    assert_eq!(Client::of(&there).shown_interrupt(), Some("i"));
    let (back, _) = convert(AgKit, AgentApi, [there.as_bytes()], false);
    assert!(is_valid(&cards(&back)[0]));
    assert_eq!(
        read(AgentApi, source.as_bytes()).0.interrupts,
        read(AgentApi, back.as_bytes()).0.interrupts
    );
}

#[test]
fn hidden_interrupts_are_reported_as_losses() {
    let source = ag_kit(&[
        r#"{"type":"interrupt","id":"a","reason":"r","payload":1}"#,
        r#"{"type":"interrupt","id":"b","payload":2}"#,
        r#"{"type":"interrupt","id":"c","payload":3}"#,
        "[DONE]",
    ]);
    let (out, losses) = convert(AgKit, AgKit, [source.as_bytes()], false);
    let hidden: Vec<_> = losses.iter().map(|loss| (loss.kind, loss.location.as_str())).collect();
    assert_eq!(hidden, [("interrupt-hidden", "a"), ("interrupt-hidden", "b")]);
    assert_eq!(Client::of(&out).shown_interrupt(), Some("c"));
    assert_eq!(read(AgKit, source.as_bytes()).0, read(AgKit, out.as_bytes()).0);
}

/// A source that emits an interrupt for each event, and ends nothing.
struct Asking;

impl ToHub for Asking {
    type Event<'e> = &'e str;

    fn feed(&mut self, id: &str, hub: &mut Hub<'_>) {
        hub.emit(&Step::open(1, MessageKind::Interrupt, Role::Assistant, None));
        hub.emit(&Step::interrupt(1, 0, id, None, &Value::Null));
    }

    fn finish(&mut self, _: bool, _: &mut Hub<'_>) {}
}

#[test]
fn an_approval_request_is_complete_in_an_incomplete_run() {
    let mut answer = Asking.then(Answer::new());
    answer.feed("i", |()| {});
    answer.finish(false, |()| {});
    let response = &answer.target().snapshot().response;
    assert_eq!(response.status.as_str(), "incomplete");
    assert_eq!(response.output[0].status.as_str(), "completed");
    let Payload::Data { data: Some(data) } = &response.output[0].content[0].payload else {
        panic!("data")
    };
    assert!(is_valid(data), "{}", data.to_json());
}

const OVERLAPPING: [&str; 9] = [
    r#"{"type":"tool-call-start","toolCallId":"c1","toolCallName":"f"}"#,
    r#"{"type":"tool-call-start","toolCallId":"c2","toolCallName":"g"}"#,
    r#"{"type":"tool-call-args","toolCallId":"c1","delta":"{}"}"#,
    r#"{"type":"tool-call-end","toolCallId":"c1"}"#,
    r#"{"type":"tool-result","toolCallId":"c1","result":"one"}"#,
    r#"{"type":"text","content":"and"}"#,
    r#"{"type":"tool-call-args","toolCallId":"c2","delta":"{}"}"#,
    r#"{"type":"tool-call-end","toolCallId":"c2"}"#,
    r#"{"type":"tool-result","toolCallId":"c2","result":"two"}"#,
];

#[test]
fn results_follow_the_end_of_the_last_overlapping_call() {
    let names = |out: &str| -> Vec<String> {
        let events =
            out.split_terminator("\n\n").filter_map(|event| Value::parse(&event[6..], 64).ok());
        events.filter_map(|event| Some(event.get("type")?.as_str()?.replace("tool-", ""))).collect()
    };
    let source = ag_kit(&OVERLAPPING) + "data: [DONE]\n\n";
    for (from, source) in [
        (AgKit, source.clone()),
        (AgentApi, convert(AgKit, AgentApi, [source.as_bytes()], false).0),
    ] {
        let (out, losses) = convert(from, AgKit, [source.as_bytes()], false);
        Client::of(&out);
        assert_eq!(
            read(from, source.as_bytes()).0,
            read(AgKit, out.as_bytes()).0,
            "{}",
            losses.to_json()
        );
        assert_eq!(
            names(&out),
            [
                "call-start",
                "call-start",
                "call-args",
                "call-end",
                "text",
                "call-args",
                "call-end",
                "result",
                "result"
            ]
        );
    }
}

/// A stream that is truncated at any byte loses nothing of the part before.
#[test]
fn delayed_results_are_not_lost() {
    for end in 0..=OVERLAPPING.len() {
        let source = ag_kit(&OVERLAPPING[..end]);
        let (said, _) = read(AgKit, source.as_bytes());
        for aborted in [false, true] {
            let (out, _) = convert(AgKit, AgKit, [source.as_bytes()], aborted);
            Client::of(&out);
            let (heard, _) = read(AgKit, out.as_bytes());
            assert_eq!(
                (heard.text, heard.calls, heard.results),
                (said.text.clone(), said.calls.clone(), said.results.clone())
            );
        }
    }
    // A call that is truncated in the middle of the run delays the results after it, and loses
    // none.
    let (there, _) = convert(AgKit, AgentApi, [ag_kit(&OVERLAPPING[..6]).as_bytes()], false);
    assert_eq!(read_agent_api(there.as_bytes()).report.total(), 0);
    let (back, _) = convert(AgentApi, AgKit, [there.as_bytes()], false);
    assert_eq!(read(AgKit, back.as_bytes()).0.results["c1"], "one");
}
