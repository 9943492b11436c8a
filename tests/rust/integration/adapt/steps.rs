//! The hub's steps as lines of JSON: every step survives, and every other line is noted as a loss.

use agentwire::ProtocolKind;
use agentwire::agent_api::builder;
use agentwire::builder::Counter;
use agentwire::convert::{ConversionSide, ConvertOptions, Converter, Source};
use agentwire::hub::ToHub as _;
use agentwire::hub::steps::{FromSteps, ToSteps};

use crate::reading::protocol_of;
use agentwire_cases::cut;

const RUN: &[&str] = &[
    r#"{"type":"start","id":"r","sessionId":"s"}"#,
    r#"{"type":"open","message":0,"messageType":"reasoning","role":"assistant","id":"m0"}"#,
    r#"{"type":"reasoning","message":0,"part":0,"piece":"Hmm"}"#,
    r#"{"type":"end-part","message":0,"part":0,"whole":true}"#,
    r#"{"type":"close","message":0,"status":"completed","usage":{"tokens":1},"metadata":{"a":[1]}}"#,
    r#"{"type":"open","message":1,"messageType":"message","role":"assistant","id":"m1"}"#,
    r#"{"type":"text","message":1,"part":0,"piece":"你好 🙂"}"#,
    r#"{"type":"end-part","message":1,"part":0,"whole":true}"#,
    r#"{"type":"refusal","message":1,"part":1,"piece":"no"}"#,
    r#"{"type":"end-part","message":1,"part":1,"whole":true}"#,
    r#"{"type":"whole","message":1,"part":2,"content":{"type":"image","image_url":"u"}}"#,
    r#"{"type":"whole","message":1,"part":3,"content":{"type":"audio","data":"d","format":"wav"}}"#,
    r#"{"type":"whole","message":1,"part":4,"content":{"type":"video","video_url":"v"}}"#,
    r#"{"type":"whole","message":1,"part":5,"content":{"type":"file","file_url":"f","filename":"n"}}"#,
    r#"{"type":"whole","message":1,"part":6,"content":{"type":"data","data":{"n":12345678901234567890}}}"#,
    r#"{"type":"close","message":1,"status":"completed"}"#,
    r#"{"type":"open","message":2,"messageType":"mcp_call","role":"assistant","id":"m2"}"#,
    r#"{"type":"call","message":2,"part":0,"id":"c","name":"f","more":{"server_label":"l"}}"#,
    r#"{"type":"arguments","message":2,"part":0,"piece":"{}"}"#,
    r#"{"type":"end-part","message":2,"part":0,"whole":true}"#,
    r#"{"type":"close","message":2,"status":"completed"}"#,
    r#"{"type":"open","message":3,"messageType":"mcp_call_output","role":"tool","id":"m3"}"#,
    r#"{"type":"result","message":3,"part":0,"id":"c","name":"f","output":"1"}"#,
    r#"{"type":"close","message":3,"status":"failed","error":{"code":"E","message":"why"}}"#,
    r#"{"type":"open","message":4,"messageType":"mcp_approval_request","role":"assistant","id":"m4"}"#,
    r#"{"type":"interrupt","message":4,"part":0,"id":"i","reason":"approval","payload":{"q":1}}"#,
    r#"{"type":"close","message":4,"status":"completed"}"#,
    r#"{"type":"open","message":5,"messageType":"error","role":"assistant","id":"m5"}"#,
    r#"{"type":"close","message":5,"status":"failed","code":"X","text":"broke"}"#,
    r#"{"type":"heartbeat"}"#,
    r#"{"type":"end","status":"incomplete","reason":"interrupt","usage":{"total":3}}"#,
];

pub fn convert<'a>(
    from: ConversionSide,
    to: ConversionSide,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> (String, Vec<String>) {
    let options = ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 0));
    let mut converter = Converter::new(from, to, options).expect("both are there");
    let mut out = String::new();
    chunks.into_iter().for_each(|chunk| converter.push(chunk, &mut out));
    converter.finish(&mut out);
    let losses =
        converter.losses().expect("a source").iter().map(|loss| loss.kind.to_owned()).collect();
    (out, losses)
}

/// A recording loses nothing on the way to any target: a source in another language writes these
/// lines.
#[test]
fn conversion_through_json_lines_equals_direct_conversion() {
    for case in agentwire_cases::reads() {
        let (bytes, from) = (case.stream(), ConversionSide::Protocol(protocol_of(&case)));
        let (lines, _) = convert(from, ConversionSide::Steps, [bytes.as_slice()]);
        for to in crate::written() {
            let to = ConversionSide::Protocol(to);
            let (direct, _) = convert(from, to, [bytes.as_slice()]);
            let (by_way, _) = convert(ConversionSide::Steps, to, [lines.as_bytes()]);
            assert_eq!(by_way, direct, "{} via {lines}", case.name);
        }
    }
}

#[test]
fn every_step_round_trips_through_json_lines() {
    let mut then = FromSteps.then(ToSteps);
    let mut seen = Vec::new();
    RUN.iter().for_each(|line| then.feed(line, |line| seen.push(line)));
    then.finish(false, |line| seen.push(line));
    assert_eq!(seen, RUN);
    assert!(then.losses().is_empty());
}

#[test]
fn json_lines_do_not_depend_on_chunk_boundaries() {
    let stream = RUN.join("\r\n").into_bytes();
    let (whole, losses) =
        convert(ConversionSide::Steps, ConversionSide::Steps, [stream.as_slice()]);
    assert_eq!(whole.lines().collect::<Vec<_>>(), RUN);
    assert_eq!(losses, Vec::<String>::new());
    assert_eq!(convert(ConversionSide::Steps, ConversionSide::Steps, stream.chunks(1)).0, whole);
    for seed in 0..3 {
        assert_eq!(
            convert(ConversionSide::Steps, ConversionSide::Steps, cut::random(&stream, seed)).0,
            whole
        );
    }
}

#[test]
fn a_run_round_trips_through_agent_api() {
    let stream = RUN.join("\n").into_bytes();
    let agent_api = ConversionSide::Protocol(ProtocolKind::AgentApi);
    let (written, losses) = convert(ConversionSide::Steps, agent_api, [stream.as_slice()]);
    assert_eq!(losses, Vec::<String>::new());
    let (back, _) = convert(agent_api, ConversionSide::Steps, [written.as_bytes()]);
    for wanted in [
        "你好 🙂",
        "12345678901234567890",
        r#""type":"arguments","message""#,
        r#""reason":"interrupt""#,
        "server_label",
    ] {
        assert!(back.contains(wanted), "{wanted} is missing:\n{back}");
    }
}

/// Steps that the source did not have (a message for text after its message's end, a call for a
/// result) have a line like all others.
#[test]
fn inserted_messages_are_read_again() {
    let lines = [
        r#"{"type":"text","message":0,"part":0,"piece":"a"}"#,
        r#"{"type":"close","message":0,"status":"completed"}"#,
        r#"{"type":"text","message":0,"part":1,"piece":"b"}"#,
        r#"{"type":"result","message":1,"part":0,"id":"c","output":"1"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ];
    let (written, losses) =
        convert(ConversionSide::Steps, ConversionSide::Steps, [lines.join("\n").as_bytes()]);
    assert_eq!(losses, ["after-end", "call-missing"]);
    let (again, losses) =
        convert(ConversionSide::Steps, ConversionSide::Steps, [written.as_bytes()]);
    assert_eq!((again, losses), (written, Vec::new()));
}

#[test]
fn message_numbers_used_by_inserted_messages_are_not_reused() {
    let far = u32::MAX - 1;
    let lines = [
        r#"{"type":"text","message":0,"part":0,"piece":"a"}"#.to_owned(),
        format!(r#"{{"type":"text","message":{far},"part":0,"piece":"far"}}"#),
        r#"{"type":"close","message":0,"status":"completed"}"#.to_owned(),
        r#"{"type":"text","message":0,"part":1,"piece":"b"}"#.to_owned(),
        format!(r#"{{"type":"text","message":{far},"part":0,"piece":" away"}}"#),
        format!(r#"{{"type":"text","message":{},"part":0,"piece":"c"}}"#, far - 1),
    ];
    let (written, _) = convert(
        ConversionSide::Steps,
        ConversionSide::Protocol(ProtocolKind::AgentApi),
        [lines.join("\n").as_bytes()],
    );
    let outcome = super::facts::read_agent_api(written.as_bytes());
    assert_eq!(outcome.report.total(), 0, "{written}");
    let texts: Vec<_> =
        outcome.snapshot.response.output.iter().map(|message| message.text()).collect();
    assert_eq!(texts.concat().len(), "afar awaybc".len(), "{texts:?}");
    assert!(texts.contains(&"far away".to_owned()), "{texts:?}");
}

#[test]
fn invalid_steps_are_reported_as_losses() {
    let lines = [
        "no json",
        "[]",
        r#"{"type":"dance"}"#,
        r#"{"type":"text","message":0,"part":0}"#,
        r#"{"type":"text","message":-1,"part":0,"piece":"x"}"#,
        r#"{"type":"whole","message":0,"part":0,"content":{"type":"hologram"}}"#,
        r#"{"type":"end"}"#,
    ];
    let (out, losses) =
        convert(ConversionSide::Steps, ConversionSide::Steps, [lines.join("\n").as_bytes()]);
    assert_eq!(losses, ["unknown-step"; 7]);
    assert!(out.lines().last().is_some_and(|line| line.contains(r#""type":"end""#)), "{out}");
}

/// Content that the Agent API retracts or repeats is a step, and a loss of its event only where the
/// target has no room for it.
#[test]
fn replaced_and_retracted_content_becomes_steps() {
    let events = [
        r#"{"object":"response","id":"r","status":"created"}"#,
        r#"{"object":"message","id":"m","type":"message","role":"assistant","status":"in_progress"}"#,
        r#"{"object":"content","msg_id":"m","index":0,"type":"text","delta":true,"text":"one"}"#,
        r#"{"object":"content","msg_id":"m","index":0,"type":"text","delta":false,"text":"two","status":"completed"}"#,
        r#"{"object":"content","msg_id":"m","index":1,"type":"text","delta":true,"text":"gone"}"#,
        r#"{"object":"content","msg_id":"m","index":1,"type":"text","delta":false,"text":"gone","status":"completed"}"#,
        r#"{"object":"message","id":"m","type":"message","role":"assistant","status":"completed","content":[{"type":"text","text":"two","index":0}]}"#,
        r#"{"object":"response","id":"r","status":"completed","output":[]}"#,
    ];
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let agent_api = ConversionSide::Protocol(ProtocolKind::AgentApi);
    let (steps, losses) = convert(agent_api, ConversionSide::Steps, [stream.as_bytes()]);
    let has = |step: &str| steps.lines().any(|line| line.starts_with(step));
    assert!(has(r#"{"type":"replace","message":2,"part":3,"text":"two"}"#), "{steps}");
    assert!(has(r#"{"type":"retract","message":2,"part":4}"#), "{steps}");
    assert_eq!(losses, Vec::<String>::new());

    let options = ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 0));
    let mut converter =
        Converter::new(Source::Auto, ProtocolKind::AgKit, options).expect("both are there");
    converter.push(stream.as_bytes(), &mut String::new());
    let losses = converter.losses().expect("a source").iter();
    let losses: Vec<_> = losses.map(|loss| (loss.kind, &*loss.location, loss.event)).collect();
    assert_eq!(losses, [("run-ids", "", 0), ("text-replaced", "m", 3), ("part-dropped", "m", 6)]);
}

/// A repeated empty delta is not a step, as when it is parsed.
#[test]
fn an_empty_repeated_delta_is_not_a_step() {
    const CHAT: &str = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"PIECE"},"finish_reason":null}]}"#;
    const ANTHROPIC: &str =
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"PIECE"}}"#;
    const GEMINI: &str = r#"{"candidates":[{"content":{"parts":[{"text":"PIECE"}],"role":"model"},"index":0}],"responseId":"r","modelVersion":"m"}"#;
    const AI_SDK: &str = r#"{"type":"text-delta","id":"t","delta":"PIECE"}"#;
    const INTERACTIONS: &str =
        r#"{"index":0,"delta":{"text":"PIECE","type":"text"},"event_type":"step.delta"}"#;
    let interactions_start = [
        r#"{"interaction":{"id":"i","status":"in_progress"},"event_type":"interaction.created"}"#,
        r#"{"index":0,"step":{"type":"model_output"},"event_type":"step.start"}"#,
    ];
    let anthropic_start = [
        r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[]}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
    ];
    let ai_sdk_start = [r#"{"type":"start","messageId":"m"}"#, r#"{"type":"text-start","id":"t"}"#];
    for (from, start, piece) in [
        (ProtocolKind::Chat, &[][..], CHAT),
        (ProtocolKind::Anthropic, &anthropic_start, ANTHROPIC),
        (ProtocolKind::Gemini, &[], GEMINI),
        (ProtocolKind::Interactions, &interactions_start, INTERACTIONS),
        (ProtocolKind::AiSdk, &ai_sdk_start, AI_SDK),
    ] {
        let pieces = ["a", "b", "", "c", "", "d"].map(|text| piece.replace("PIECE", text));
        let events: String = start
            .iter()
            .map(|event| event.to_string())
            .chain(pieces)
            .map(|event| format!("data: {event}\n\n"))
            .collect();
        for size in [events.len(), 1] {
            for to in [ConversionSide::Steps, ProtocolKind::AgUi.into()] {
                let (out, _) = convert(from.into(), to, events.as_bytes().chunks(size));
                let name =
                    if to == ConversionSide::Steps { "\"piece\":\"" } else { "\"delta\":\"" };
                let texts: Vec<&str> = out
                    .split(name)
                    .skip(1)
                    .map(|rest| rest.split('"').next().unwrap_or_default())
                    .collect();
                assert_eq!(texts, ["a", "b", "c", "d"], "{}: {out}", from.as_str());
            }
        }
    }
}
