//! Conversion: valid, complete and independent of chunk boundaries, for any input.

use agentwire::ProtocolKind::{
    self, A2a, AgKit, AgUi, AgentApi, AgentScope, AiSdk, Anthropic, Chat, Responses,
};
use agentwire::ag_kit::hub::ToAgKit;
use agentwire::ag_ui::hub::ToAgUi;
use agentwire::builder::{Counter, WireEvent};
use agentwire::convert::Answer;
use agentwire::hub::WriteOptions;
use agentwire::hub::{
    EndStatus, Hub, Losses, MediaKind, MessageEnd, MessageKind, Note, Payload, Role, RunEnd, Step,
    ToHub,
};
use agentwire::json::Value;
use agentwire::responses::events::Event as ResponsesEvent;
use agentwire::responses::hub::ToResponses;
use agentwire::{EndReason, Reader};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

use crate::client::Client;
use crate::facts::{Facts, convert, read};

const PROTOCOLS: [ProtocolKind; 3] = [AgKit, AgentApi, AgUi];
/// Rules that report a replaced or retracted part of Responses: the official clients accept both.
const SAID_AT_THE_END: [&str; 2] = ["done-differs", "output-lost"];

/// Whether a written stream has its end. The APIs of Chat Completions and of Anthropic end a failed
/// answer with an error.
pub fn is_ended(to: ProtocolKind, reason: EndReason) -> bool {
    let has_errors = matches!(to, Chat | Anthropic);
    reason == EndReason::Terminal || has_errors && reason == EndReason::ErrorFrame
}

/// A stream of each protocol, from the generators of their readers.
fn streams() -> impl Strategy<Value = [Stream; 3]> {
    (super::ag_kit::stream(), super::reading::stream(), super::ag_ui::stream())
        .prop_map(|(ag_kit, agent_api, ag_ui)| [ag_kit, agent_api, ag_ui].map(Stream))
}

/// Each of them to each protocol.
fn pairs(streams: &[Stream; 3]) -> impl Iterator<Item = (ProtocolKind, ProtocolKind, &Stream)> {
    let all = PROTOCOLS.into_iter().zip(streams);
    all.flat_map(|(from, stream)| ProtocolKind::WRITABLE.iter().map(move |&to| (from, to, stream)))
}

/// Bytes that are shown as text when a case fails.
struct Stream(Vec<u8>);

impl std::ops::Deref for Stream {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// Returns whether none of the losses changes the snapshot.
fn keeps_snapshot(losses: &Losses) -> bool {
    const SIGNIFICANT: &[&str] = &[
        "text-replaced",
        "arguments-replaced",
        "part-dropped",
        "late-type",
        "after-end",
        "call-repeated",
        "call-renamed",
        "call-id",
        "call-cut-off",
        "call-id-missing",
        "call-name-missing",
        "call-missing",
        "result-repeated",
        "approval-without-request",
        "approval",
        "interrupt-hidden",
        "refused",
    ];
    SIGNIFICANT.iter().all(|loss| losses.count(loss) == 0)
}

/// Returns whether an AG-UI id is used for objects of different kinds, such as a text and a call:
/// which of them the client shows depends on their order.
fn shares_ids(stream: &[u8]) -> bool {
    let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(stream).lines() {
        let Some(Ok(serde_json::Value::Object(event))) =
            line.strip_prefix("data:").map(serde_json::from_str)
        else {
            continue;
        };
        let kind = |name: &str| match name {
            "parentMessageId" => "TEXT".into(),
            _ => event
                .get("type")
                .and_then(|name| name.as_str()?.split('_').next())
                .unwrap_or_default()
                .to_owned(),
        };
        for name in ["messageId", "toolCallId", "parentMessageId"] {
            if let Some(id) = event.get(name).and_then(|id| id.as_str()) {
                kinds.entry(id.to_owned()).or_default().insert(kind(name));
            }
        }
        for message in event.get("messages").and_then(|list| list.as_array()).into_iter().flatten()
        {
            let [id, role] = ["id", "role"].map(|name| message[name].as_str().unwrap_or_default());
            let is_own = matches!(role, "tool" | "reasoning" | "activity");
            let kind = if is_own { role.to_uppercase() } else { "TEXT".into() };
            kinds.entry(id.to_owned()).or_default().insert(kind);
        }
    }
    kinds.values().any(|kinds| kinds.len() > 1)
}

/// Returns the final state of a run in a client of AG-UI: its messages, in any order, and the
/// state.
fn final_state(stream: &[u8]) -> (Vec<String>, serde_json::Value) {
    let mut reader = Reader::new(agentwire::ag_ui::AgUi::default());
    reader.push(stream);
    let answer = reader.finish().snapshot.to_json();
    let mut answer: serde_json::Value = serde_json::from_str(&answer).expect("an answer is JSON");
    let messages = answer["messages"].as_array().expect("a list of messages");
    let mut messages: Vec<String> = messages.iter().map(ToString::to_string).collect();
    messages.sort();
    (messages, answer["state"].take())
}

/// Returns the facts that do not depend on the order of parts.
fn without_order(mut facts: Facts) -> Facts {
    let mut characters: Vec<char> = facts.text.chars().collect();
    characters.sort_unstable();
    facts.text = characters.into_iter().collect();
    facts.calls.sort();
    facts
}

proptest! {
    #![proptest_config(crate::cases(500))]

    #[test]
    fn converted_streams_are_valid_and_end(streams in streams(), aborted in any::<bool>()) {
        for (from, to, bytes) in pairs(&streams) {
            let (out, _) = convert(from, to, [&bytes[..]], aborted);
            let (facts, report) = read(to, out.as_bytes());
            // Unknown events are copied from a protocol to itself.
            let known = ["arguments-not-json", "unknown-type", "unknown-object"];
            let allowed = if from == to { &known[..] } else { &known[..1] };
            // Patches that copy the state into itself are passed on, and the limit of growth is one
            // of the received bytes: what the source says in more bytes than the target counts for
            // less there.
            let grows = |rule: &str| rule == "limit-exceeded" && out.contains(r#""op":"copy""#);
            let also = |rule: &str| to == Responses && SAID_AT_THE_END.contains(&rule) || grows(rule);
            let broken: Vec<_> =
                report.counts.iter().filter(|(rule, _)| !allowed.contains(rule) && !also(rule)).collect();
            prop_assert!(broken.is_empty(), "{from:?} to {to:?}: {:#?}\n{out}", report.violations);
            prop_assert!(is_ended(to, report.end_reason), "{from:?} to {to:?}\n{out}");
            if to == AgKit {
                let client = Client::of(&out);
                let last = facts.interrupts.last().map(|(id, _)| id.as_str());
                prop_assert_eq!(client.shown_interrupt(), last, "{}", out);
            }
        }
    }

    #[test]
    fn conversion_does_not_depend_on_chunk_boundaries(streams in streams(), size in 1usize..60) {
        for (from, to, bytes) in pairs(&streams) {
            let whole = convert(from, to, [&bytes[..]], false);
            for size in [1, size] {
                let cut = convert(from, to, bytes.chunks(size), false);
                prop_assert_eq!(&cut.0, &whole.0);
                prop_assert_eq!(cut.1.to_json(), whole.1.to_json());
            }
        }
    }

    #[test]
    fn conversion_keeps_text_calls_and_results(streams in streams()) {
        for (from, to, bytes) in pairs(&streams) {
            let (out, losses) = convert(from, to, [&bytes[..]], false);
            let (said, report) = read(from, bytes);
            // The content of a contradictory source depends on the order: a message that is a call
            // first and then an output, or a call whose message has ended when its data is
            // replaced.
            let contradicts = ["message-changed", "content-after-message", "content-after-end"];
            // The messages of a snapshot event belong to that step, and are not text. From AG-UI to
            // itself the event is copied, and merges there with the messages that are open at that
            // moment: random snapshots contradict them, recorded ones are compared with the
            // official client (tests/js/node/convert/official.test.mjs).
            let has_snapshot = bytes.windows(17).any(|text| text == b"MESSAGES_SNAPSHOT");
            // Questions and inputs of these have another form: `tests/rust/integration/adapt`
            // compares the recorded streams.
            if matches!(to, A2a | AiSdk | AgentScope | Anthropic | Chat) {
                continue;
            }
            if keeps_snapshot(&losses) && !has_snapshot && !(from == AgUi && shares_ids(bytes)) && contradicts.iter().all(|rule| report.count(rule) == 0) {
                let heard = read(to, out.as_bytes()).0;
                prop_assert_eq!(without_order(said), without_order(heard), "{:?} to {:?}\n{}", from, to, out);
            }
        }
    }

    #[test]
    fn ag_ui_converted_to_itself_has_the_same_snapshot(bytes in super::ag_ui::stream().prop_map(Stream)) {
        let (out, losses) = convert(AgUi, AgUi, [&bytes[..]], false);
        // A text is written with its first delta, so the order of messages may differ.
        // Calls of one turn are written in one message, because a model takes them back only
        // together.
        let parents = |text: &str| text.matches("parentMessageId").count();
        let is_grouped = parents(&out) > parents(&String::from_utf8_lossy(&bytes));
        let is_kept = losses.counts().iter().all(|(what, _)| *what == "event-members");
        if is_kept && !is_grouped && !shares_ids(&bytes) {
            prop_assert_eq!(final_state(&bytes), final_state(out.as_bytes()), "{}", out);
        }
    }

    #[test]
    fn ag_kit_round_trips_through_agent_api(bytes in super::ag_kit::stream().prop_map(Stream)) {
        let (there, first) = convert(AgKit, AgentApi, [&bytes[..]], false);
        let (back, second) = convert(AgentApi, AgKit, [there.as_bytes()], false);
        if keeps_snapshot(&first) && keeps_snapshot(&second) {
            prop_assert_eq!(without_order(read(AgKit, &bytes).0), without_order(read(AgKit, back.as_bytes()).0), "{}", there);
        }
    }
}

/// A source that emits any step.
struct Careless;

impl ToHub for Careless {
    type Event<'e> = (u8, u32, u32, &'e str);

    fn feed(&mut self, (kind, message, part, text): Self::Event<'_>, hub: &mut Hub<'_>) {
        let (id, piece, whole) = (text, text, text.len() % 2 == 0);
        let mut end = MessageEnd::new(EndStatus::from(text));
        end.metadata = Some(Value::from([("m", text.into())]));
        let data = Value::from([("call_id", text.into())]);
        let what = MessageKind::from(TYPES[part as usize]);
        let over = RunEnd::new(EndStatus::from(text));
        let usage = Value::from([("total", text.into())]);
        hub.emit(&match kind {
            0 | 1 => Step::Text { message, part, piece },
            2 => Step::Reasoning { message, part, piece, summary: whole },
            3 => Step::Refusal { message, part, piece },
            4 => Step::call(message, part, id, "f", &[]),
            5 => Step::Arguments { message, part, piece },
            6 => Step::result(message, part, id, "o"),
            7 => Step::interrupt(message, part, id, None, &Value::Null),
            8 => Step::Whole {
                message,
                part,
                payload: Payload::Data(&data),
                preview: whole && part == 3,
            },
            9 => Step::EndPart { message, part, whole },
            10 => Step::Close { message, end: &end },
            11 => Step::open(message, what, Role::User, Some(id)),
            12 => Step::Heartbeat,
            13 => Step::start(Some(id), None),
            16 => {
                use MediaKind::{Audio, File, Image, Video};
                let kind = [Audio, File, Image, Video][text.len() % 4];
                Step::Media { message, part, kind, piece, media_type: None }
            }
            17 => Step::Answer {
                message,
                part,
                id,
                approved: Some(whole),
                reason: None,
                payload: &Value::Null,
            },
            18 => Step::Note(Note::Progress { id, status: text, data: None }),
            19 => Step::Note(Note::ToolError { id, cause: None, text }),
            20 => Step::Note(Note::State { value: &Value::Null }),
            21 => Step::Note(Note::Error { code: Some(text), text }),
            22 => Step::Note(Note::Usage { usage: &usage, message: Some(message) }),
            23 => Step::Note(Note::Reopened { id: Some(id), session_id: None, parent_id: None }),
            24 => Step::Note(Note::Opaque {
                format: "anthropic",
                scope: None,
                members: &usage,
                block: part > 0,
                message: Some(message),
                part: Some(part),
                call: (part > 1).then_some(id),
                result: part > 2,
            }),
            _ => Step::End(&over),
        });
    }

    fn finish(&mut self, _: bool, _: &mut Hub<'_>) {}
}

const TYPES: [&str; 4] =
    ["function_call", "mcp_approval_response", "heartbeat", "plugin_call_output"];

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn any_sequence_of_hub_steps_is_written_as_a_valid_stream(
        steps in proptest::collection::vec((0u8..26, 0u32..4, 0u32..4, proptest::sample::select(&["", "c", "d", "completed", "failed", "x"][..])), 0..25),
        aborted in any::<bool>(),
    ) {
        let (mut text, mut ag_ui) = (String::new(), String::new());
        let mut to_ag_ui = Careless.then(ToAgUi::new(WriteOptions::new(Counter::default())));
        let mut to_responses = Careless.then(ToResponses::new(WriteOptions::new(Counter::default())));
        let mut responses = Vec::new();
        let mut to = Careless.then(ToAgKit::new());
        let mut answer = Careless.then(Answer::new());
        for &step in &steps {
            to.feed(step, |event| text += &event.to_sse());
            to_ag_ui.feed(step, |event| ag_ui += &event.to_sse());
            to_responses.feed(step, |event| responses.push(event));
            answer.feed(step, |()| {});
        }
        to.finish(aborted, |event| text += &event.to_sse());
        to_ag_ui.finish(aborted, |event| ag_ui += &event.to_sse());
        to_responses.finish(aborted, |event| responses.push(event));
        answer.finish(aborted, |()| {});
        let outcome = answer.into_parts().1.finish();
        for report in [read(AgKit, text.as_bytes()).1, read(AgUi, ag_ui.as_bytes()).1, outcome.report] {
            let broken: Vec<_> = report.counts.iter().filter(|(rule, _)| *rule != "arguments-not-json").collect();
            prop_assert!(broken.is_empty(), "{:#?}\n{}\n{}", report.violations, text, ag_ui);
            prop_assert_eq!(report.end_reason, EndReason::Terminal);
        }
        Client::of(&text);
        for (number, event) in responses.iter().enumerate() {
            prop_assert_eq!(event.sequence_number(), Some(number as i64));
            let decoded = ResponsesEvent::decode(event.json(), 128).unwrap();
            let name = decoded.name().filter(|_| !matches!(decoded, ResponsesEvent::Other { .. }));
            prop_assert!(name.is_some(), "it is not declared: {}", event.json());
            let head = format!("event: {}\ndata: ", name.unwrap());
            prop_assert!(event.as_sse().starts_with(&head), "{}", event.as_sse());
        }
        let responses: String = responses.iter().map(WireEvent::as_sse).collect();
        let report = read(Responses, responses.as_bytes()).1;
        let broken: Vec<_> = report.counts.iter().filter(|(rule, _)| !SAID_AT_THE_END.contains(rule)).collect();
        prop_assert!(broken.is_empty(), "{:#?}\n{}", report.violations, responses);
        prop_assert_eq!(report.end_reason, EndReason::Terminal);
    }
}
