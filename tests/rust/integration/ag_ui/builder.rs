//! The output and the refusals of the builder; any sequence of its calls is legal after
//! `finish_with`.

use agentwire::ag_ui::builder::{Outcome, StreamBuilder};
use agentwire::ag_ui::events::Event;
use agentwire::ag_ui::request::Interrupt;
use agentwire::ag_ui::{AgUi, Role, Snapshot, Status};
use agentwire::builder::WireEvent;
use agentwire::json::Value;
use agentwire::{Reader, UsageError};

use crate::rng::Rng;

/// Returns the snapshot of a reader; asserts that the reader has found no violation.
fn read(case: &str, events: &[WireEvent]) -> Snapshot {
    let bytes: String = events.iter().map(WireEvent::to_sse).collect();
    let mut reader = Reader::new(AgUi::default());
    reader.push(bytes.as_bytes());
    let outcome = reader.finish();
    assert_eq!(outcome.report.total(), 0, "{case}: {:?} in\n{bytes}", outcome.report.violations);
    assert_eq!(outcome.report.end_reason.as_str(), "terminal", "{case}: {bytes}");
    assert_eq!(outcome.report.events as usize, events.len(), "{case}");
    outcome.snapshot
}

fn names(events: &[WireEvent]) -> Vec<String> {
    let name =
        |event: &WireEvent| Event::decode(event.json(), 128).unwrap().name().unwrap().to_owned();
    events.iter().map(name).collect()
}

fn started() -> (StreamBuilder, Vec<WireEvent>) {
    let mut out = StreamBuilder::new("t", "r");
    let events = out.start().unwrap();
    (out, events)
}

fn json(text: &str) -> Value {
    Value::parse(text, 128).unwrap()
}

#[test]
fn a_text_continues_until_another_event_begins() {
    for chunks in [false, true] {
        let mut out = StreamBuilder::new("t", "r").chunks(chunks);
        let mut events = out.start().unwrap();
        for piece in ["Let", " me", ""] {
            events.extend(out.reasoning(piece).unwrap());
        }
        events.extend(out.text("I look").unwrap());
        events.extend(out.text(" it up.").unwrap());
        events.extend(out.tool_call_start("c1", "get_weather").unwrap());
        events.extend(out.tool_call_args("c1", "{\"city\":").unwrap());
        events.extend(out.tool_call_args("c1", "\"Oslo\"}").unwrap());
        events.extend(out.tool_call_end("c1").unwrap());
        events.extend(out.tool_result("c1", "rain".into()).unwrap());
        events.extend(out.text("Rain.").unwrap());
        events.extend(out.finish(Outcome::Success, None).unwrap());
        let snapshot = read("text", &events);
        let roles: Vec<Role> = snapshot.messages.iter().map(|message| message.role).collect();
        assert_eq!(
            roles,
            [Role::Reasoning, Role::Assistant, Role::Tool, Role::Assistant],
            "chunks {chunks}"
        );
        assert_eq!(snapshot.messages[0].text(), Some("Let me"));
        assert_eq!(snapshot.messages[1].text(), Some("I look it up."));
        let call = snapshot.tool_calls().next().unwrap();
        assert_eq!(call.function.arguments, "{\"city\":\"Oslo\"}");
        assert!(snapshot.pending_tool_call_ids.is_empty());
        let has_chunks = names(&events).iter().any(|name| name.ends_with("_CHUNK"));
        let has_starts = names(&events).iter().any(|name| name == "TEXT_MESSAGE_START");
        assert_eq!((has_chunks, has_starts), (chunks, !chunks));
    }
}

#[test]
fn finish_ends_open_messages_steps_and_subagents() {
    let (mut out, mut events) = started();
    events.extend(out.step_started("plan").unwrap());
    events.extend(out.subagent_started("s1", "researcher").unwrap());
    out.lane(Some("s1"));
    events.extend(out.step_started("plan").unwrap());
    events.extend(out.reasoning("…").unwrap());
    out.lane(None);
    events.extend(out.text("Hm").unwrap());
    events.extend(
        out.event(&Event::ReasoningStart {
            message_id: "span".into(),
            subagent_run_id: None,
            timestamp: None,
            raw_event: None,
            metadata: None,
        })
        .unwrap(),
    );
    let last = out.finish(Outcome::Success, Some(1.into())).unwrap();
    assert_eq!(
        names(&last),
        [
            "REASONING_MESSAGE_END",
            "REASONING_END",
            "REASONING_END",
            "STEP_FINISHED",
            "STEP_FINISHED",
            "SUBAGENT_FINISHED",
            "RUN_FINISHED"
        ]
    );
    events.extend(last);
    assert!(out.is_ended() && out.finish_with(None).is_empty());
    let snapshot = read("open", &events);
    assert_eq!((snapshot.status, snapshot.result), (Status::Finished, Some(1.into())));
    assert!(snapshot.steps.iter().all(|step| step.status == Status::Finished));
}

#[test]
fn open_calls_end_with_an_error_and_no_end_event() {
    for chunks in [false, true] {
        let mut out = StreamBuilder::new("t", "r").chunks(chunks);
        let mut events = out.start().unwrap();
        events.extend(out.tool_call_start("c", "delete_all").unwrap());
        events.extend(out.tool_call_args("c", "{\"path\":\"/").unwrap());
        assert_eq!(out.finish(Outcome::Success, None).unwrap_err().code, "finished-early");
        events.extend(out.finish_with(None));
        assert!(!names(&events).contains(&"TOOL_CALL_END".to_owned()));
        let snapshot = read("open call", &events);
        assert_eq!(snapshot.status, Status::Failed);
        assert!(snapshot.pending_tool_call_ids.is_empty());
        assert!(out.finish_with(Some("again")).is_empty());
    }
}

#[test]
fn states_and_activities_are_written_as_deltas() {
    let state = |tasks: &str, n: u8| {
        format!(r#"{{"tasks":[{tasks}],"n":{n},"note":"{}"}}"#, "long ".repeat(30))
    };
    let mut out = StreamBuilder::new("t", "r").client_state(&json(&state("\"a\",\"b\"", 1)));
    let mut events = out.start().unwrap();
    let steps = [
        (state("\"a\",\"b\"", 2), "STATE_DELTA"),
        (state("\"a\",\"b\"", 2), ""),
        (state("\"x\",\"a\",\"b\"", 2), "STATE_DELTA"),
        ("[]".to_owned(), "STATE_SNAPSHOT"),
        ("null".to_owned(), "STATE_SNAPSHOT"),
    ];
    for (next, name) in steps {
        let made = out.state(&json(&next)).unwrap();
        assert_eq!(names(&made).join(" "), name, "{next}");
        events.extend(made);
    }
    let plan = |done: &str| {
        json(&format!(
            r#"{{"steps":[{{"name":"search","done":{done}}},{{"name":"write it all down, and read it again","done":false}}]}}"#
        ))
    };
    assert_eq!(
        names(&out.activity("plan", "PLAN", &plan("false")).unwrap()),
        ["ACTIVITY_SNAPSHOT"]
    );
    assert_eq!(names(&out.activity("plan", "PLAN", &plan("true")).unwrap()), ["ACTIVITY_DELTA"]);
    assert_eq!(names(&out.activity("plan", "PLAN", &plan("true")).unwrap()), [""; 0]);
    let failing =
        Event::decode(r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/no"}]}"#, 9)
            .unwrap();
    assert_eq!(out.event(&failing).unwrap_err().code, "patch-failed");
}

#[test]
fn interrupts_end_the_run() {
    let (mut out, mut events) = started();
    let mut interrupt = Interrupt::new("i1", "confirmation");
    interrupt.message = Some("Delete it?".into());
    events.extend(out.finish(Outcome::Interrupt(vec![interrupt]), None).unwrap());
    let snapshot = read("interrupt", &events);
    assert_eq!(snapshot.status, Status::Interrupted);
    assert_eq!(
        snapshot.pending_interrupts.to_json(),
        r#"[{"id":"i1","reason":"confirmation","message":"Delete it?"}]"#
    );
    let (mut out, _) = started();
    assert_eq!(
        out.finish(Outcome::Interrupt(Vec::new()), None).unwrap_err().code,
        "malformed-event"
    );
    assert_eq!(out.text("goes on").unwrap().len(), 2);
}

#[test]
fn events_that_the_official_client_drops_or_rejects_are_rejected() {
    let (mut out, _) = started();
    for event in [
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"no pointer","value":1}]}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"merge","path":"/a"}]}"#,
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"A","content":[]}"#,
        r#"{"type":"CUSTOM","name":"n","value":1,"rawEvent":null}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user"}]}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user","content":"","mood":"good"}]}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"wizard"}"#,
    ] {
        let event = Event::decode(event, 128).unwrap();
        let refused = out.event(&event).err().map(|misuse| misuse.code);
        // Null counts as absent where events are decoded.
        let is_null = matches!(event, Event::Custom { .. });
        assert_eq!(refused, (!is_null).then_some("malformed-event"), "{event:?}");
    }
    let chunk =
        Event::decode(r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}"#, 9).unwrap();
    assert_eq!(out.event(&chunk).unwrap_err().code, "chunk");
    let unknown = Event::decode(r#"{"type":"TELEPATHY"}"#, 9).unwrap();
    assert_eq!(out.event(&unknown).unwrap_err().code, "unknown-type");
}

/// One call of a random program.
fn play(out: &mut StreamBuilder, random: &mut Rng) -> Result<Vec<WireEvent>, UsageError> {
    let id = |random: &mut Rng, kind: &str| format!("{kind}{}", random.below(3));
    let lane = |random: &mut Rng| match random.below(3) {
        0 => ",\"subagentRunId\":\"s0\"".to_owned(),
        _ => String::new(),
    };
    let event = |text: String| Event::decode(&text, 128).unwrap().into_owned();
    let member = |random: &mut Rng, name: &str, kind: &str, rest: &str| {
        let lane = lane(random);
        event(format!(
            "{{\"type\":\"{name}\",\"{kind}\":\"{}\"{rest}{lane}}}",
            id(random, &kind[..1])
        ))
    };
    let value = |random: &mut Rng| {
        let number = random.below(4);
        json(&format!(
            r#"{{"n":{number},"list":[{}],"deep":{{"a":"{}"}}}}"#,
            "1,".repeat(number) + "2",
            "x".repeat(number * 9)
        ))
    };
    match random.below(30) {
        0..5 => out.text(["a", "", "é\n"][random.below(3)]),
        5 | 6 => out.reasoning("r"),
        7 => out.tool_call_start(&id(random, "c"), "tool"),
        8 | 9 => out.tool_call_args(&id(random, "c"), "{}"),
        10 | 11 => out.tool_call_end(&id(random, "c")),
        12 => out.tool_result(&id(random, "c"), "out".into()),
        13 => out.state(&value(random)),
        14 => out.activity(&id(random, "a"), "KIND", &value(random)),
        15 => out.step_started(&id(random, "p")),
        16 => out.step_finished(&id(random, "p")),
        17 => out.subagent_started(&id(random, "s"), "sub"),
        18 => out.subagent_finished(&id(random, "s"), None),
        19 => {
            let lane = id(random, "s");
            out.lane((random.below(2) == 0).then_some(&lane));
            Ok(Vec::new())
        }
        20 => out.event(&member(random, "TEXT_MESSAGE_START", "messageId", "")),
        21 => out.event(&member(random, "TEXT_MESSAGE_CONTENT", "messageId", ",\"delta\":\"d\"")),
        22 => out.event(&member(random, "TEXT_MESSAGE_END", "messageId", "")),
        23 => out.event(&member(random, "REASONING_START", "messageId", "")),
        24 => out.event(&member(random, "REASONING_END", "messageId", "")),
        25 => out.event(&member(
            random,
            "TOOL_CALL_START",
            "toolCallId",
            ",\"toolCallName\":\"tool\"",
        )),
        26 => out.event(&member(random, "TOOL_CALL_END", "toolCallId", "")),
        27 => out.custom("n", value(random)),
        28 => Ok(out.end_message()),
        _ => match random.below(4) {
            0 => out.finish(Outcome::Success, None),
            1 => out.error("failed", Some("code")),
            _ => out.start(),
        },
    }
}

#[test]
fn random_programs_write_valid_streams() {
    let (mut refused, mut made) = (0, 0);
    for seed in 0..3_000 {
        let mut random = Rng::of(seed);
        let mut out = StreamBuilder::new("t", "r").chunks(seed % 3 == 0);
        let mut events = if seed % 5 > 0 { out.start().unwrap() } else { Vec::new() };
        for _ in 0..random.below(40) {
            match play(&mut out, &mut random) {
                Ok(said) => events.extend(said),
                Err(_) => refused += 1,
            }
        }
        events.extend(out.finish_with(None));
        made += events.len();
        read(&format!("program {seed}"), &events);
    }
    assert!(refused > 10_000 && made > 40_000, "{refused} refused, {made} made");
}

/// The official client searches all messages for a call.
#[test]
fn a_call_that_a_snapshot_moves_to_another_message_is_known() {
    let (mut out, mut events) = started();
    for (message, call) in [("n1", "c2"), ("n2", "c1")] {
        let text = format!(
            r#"{{"type":"TOOL_CALL_START","toolCallId":"{call}","toolCallName":"f","parentMessageId":"{message}"}}"#
        );
        events.extend(out.event(&Event::decode(&text, 9).unwrap()).unwrap());
        events.extend(out.tool_call_end(call).unwrap());
    }
    let call = r#"{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}"#;
    let snapshot = format!(
        r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{{"id":"n1","role":"assistant","toolCalls":[{call}]}}]}}"#
    );
    events.extend(out.event(&Event::decode(&snapshot, 9).unwrap()).unwrap());
    events.extend(out.tool_call_start("c1", "f").unwrap());
    events.extend(out.tool_call_end("c1").unwrap());
    events.extend(out.finish_with(None));
    let snapshot = read("moved call", &events);
    assert_eq!(snapshot.messages.len(), 1, "the call keeps its position");
    assert_eq!(snapshot.tool_calls().next().unwrap().function.arguments, "{}");
}

const ENDS: [(bool, &str); 2] = [
    (true, r#"{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}"#),
    (false, r#"{"type":"REASONING_MESSAGE_END","messageId":"reasoning_1"}"#),
];

#[test]
fn a_text_ended_by_an_event_of_another_subagent_is_not_ended_again() {
    for (text, end) in ENDS {
        let (mut out, mut events) = started();
        events.extend(out.subagent_started("s", "helper").unwrap());
        let lane = out.lane(Some("s"));
        events.extend(if text { lane.text("a") } else { lane.reasoning("a") }.unwrap());
        let end = Event::decode(end, 128).unwrap();
        events.extend(out.lane(None).event(&end).unwrap());
        let lane = out.lane(Some("s"));
        events.extend(if text { lane.text("b") } else { lane.reasoning("b") }.unwrap());
        events.extend(out.finish_with(None));
        read(&format!("{text}"), &events);
    }
}

#[test]
fn an_end_event_of_a_chunked_text_is_rejected() {
    for (text, end) in ENDS {
        let (out, mut events) = started();
        let mut out = out.chunks(true);
        events.extend(out.subagent_started("s", "helper").unwrap());
        let lane = out.lane(Some("s"));
        events.extend(if text { lane.text("a") } else { lane.reasoning("a") }.unwrap());
        let end = Event::decode(end, 128).unwrap();
        let refused = out.lane(None).event(&end).unwrap_err();
        assert!(refused.to_string().contains("have no end event"));
        let lane = out.lane(Some("s"));
        events.extend(if text { lane.text("b") } else { lane.reasoning("b") }.unwrap());
        events.extend(out.finish_with(None));
        read(&format!("{text}"), &events);
    }
}
