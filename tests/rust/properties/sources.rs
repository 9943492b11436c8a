//! OpenAI Responses and A2A: snapshot and report do not depend on chunk boundaries or the event
//! template, also with omitted, doubled or swapped events; as sources of conversions: a valid
//! stream becomes a valid stream of every protocol, independent of chunk boundaries.

use agentwire::ProtocolKind::{self, A2a, AgKit, AgUi, AgentApi, Responses};
use agentwire::protocol::Protocol;
use agentwire::read::Mode;
use agentwire::{EndReason, Limits, a2a, responses};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::facts::{convert, read};
use crate::outcome::{Shown, one_by_one, outcome};

const TARGETS: [ProtocolKind; 5] = [AgKit, AgentApi, AgUi, Responses, A2a];

fn piece() -> impl Strategy<Value = String> {
    proptest::sample::select(&["", "a", "你好", "😀", r"\n", r#"\""#, "{}", "two words "][..])
        .prop_map(str::to_owned)
}

fn pieces() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(piece(), 0..4)
}

/// Writes an item as JSON, from its members and its status.
type Writer = fn(&str, &str) -> String;
/// The type of a part, the member that is streamed, the list that contains the part, and its name
/// in events.
type PartNames = (&'static str, &'static str, &'static str, &'static str);

/// The events of an item as JSON without their numbers; `#` stands for the position of the item.
fn item() -> impl Strategy<Value = (Vec<String>, String)> {
    const KINDS: [&str; 10] = [
        "message",
        "refusal",
        "reasoning",
        "summary",
        "function_call",
        "custom_tool_call",
        "mcp_call",
        "web_search_call",
        "mcp_approval_request",
        "function_call_output",
    ];
    (proptest::sample::select(&KINDS[..]), pieces(), any::<bool>()).prop_map(|(kind, pieces, says_done)| {
        let said = pieces.concat();
        let at = r##""item_id":"i#","output_index":#"##;
        let (item, part): (Writer, Option<PartNames>) = match kind {
            "message" => (
                |text, status| format!(r##"{{"id":"i#","type":"message","status":"{status}","role":"assistant","content":[{text}]}}"##),
                Some(("output_text", "text", "content", "output_text")),
            ),
            "refusal" => (
                |text, status| format!(r##"{{"id":"i#","type":"message","status":"{status}","role":"assistant","content":[{text}]}}"##),
                Some(("refusal", "refusal", "content", "refusal")),
            ),
            "reasoning" => (
                |text, status| format!(r##"{{"id":"i#","type":"reasoning","status":"{status}","summary":[],"content":[{text}]}}"##),
                Some(("reasoning_text", "text", "content", "reasoning_text")),
            ),
            "summary" => (
                |text, status| format!(r##"{{"id":"i#","type":"reasoning","status":"{status}","summary":[{text}]}}"##),
                Some(("summary_text", "text", "summary", "reasoning_summary_text")),
            ),
            "function_call" => (
                |text, status| format!(r##"{{"id":"i#","type":"function_call","status":"{status}","call_id":"c#","name":"f","arguments":"{text}"}}"##),
                Some(("", "arguments", "", "function_call_arguments")),
            ),
            "custom_tool_call" => (
                |text, status| format!(r##"{{"id":"i#","type":"custom_tool_call","status":"{status}","call_id":"c#","name":"f","input":"{text}"}}"##),
                Some(("", "input", "", "custom_tool_call_input")),
            ),
            "mcp_call" => (
                |text, status| format!(r##"{{"id":"i#","type":"mcp_call","status":"{status}","server_label":"s","name":"f","arguments":"{text}"}}"##),
                Some(("", "arguments", "", "mcp_call_arguments")),
            ),
            "web_search_call" => (|_, status| format!(r##"{{"id":"i#","type":"web_search_call","status":"{status}","action":{{"type":"search","query":"q"}}}}"##), None),
            "mcp_approval_request" => (|_, _| r##"{"id":"i#","type":"mcp_approval_request","server_label":"s","name":"f","arguments":"{}"}"##.to_owned(), None),
            _ => (|_, status| format!(r##"{{"id":"i#","type":"function_call_output","status":"{status}","call_id":"o#","output":"x"}}"##), None),
        };
        let added = |item: &str| format!(r##""type":"response.output_item.added","output_index":#,"item":{item}"##);
        let mut events = vec![added(&item("", "in_progress"))];
        let mut whole = String::new();
        match part {
            Some(("", member, _, event)) => {
                let delta = |piece: &String| format!(r#""type":"response.{event}.delta",{at},"delta":"{piece}""#);
                events.extend(pieces.iter().map(delta));
                if says_done {
                    events.push(format!(r#""type":"response.{event}.done",{at},"{member}":"{said}""#));
                }
                whole = said;
            }
            Some((kind, member, list, event)) => {
                let part = |text: &str| match kind {
                    "output_text" => format!(r#"{{"type":"output_text","text":"{text}","annotations":[]}}"#),
                    kind => format!(r#"{{"type":"{kind}","{member}":"{text}"}}"#),
                };
                let (begin, index) = if list == "summary" { ("reasoning_summary_part", "summary_index") } else { ("content_part", "content_index") };
                events.push(format!(r#""type":"response.{begin}.added",{at},"{index}":0,"part":{}"#, part("")));
                let delta = |piece: &String| format!(r#""type":"response.{event}.delta",{at},"{index}":0,"delta":"{piece}""#);
                events.extend(pieces.iter().map(delta));
                if says_done {
                    events.push(format!(r#""type":"response.{event}.done",{at},"{index}":0,"{member}":"{said}""#));
                    events.push(format!(r#""type":"response.{begin}.done",{at},"{index}":0,"part":{}"#, part(&said)));
                }
                whole = part(&said);
            }
            None => {}
        }
        let done = item(&whole, "completed");
        events.push(format!(r##""type":"response.output_item.done","output_index":#,"item":{done}"##));
        (events, done)
    })
}

/// A legal stream of OpenAI Responses: items one after the other or interleaved, and every end.
fn responses() -> impl Strategy<Value = String> {
    const ENDS: [(&str, &str); 5] = [
        ("completed", "completed"),
        ("completed", "completed"),
        ("failed", "failed"),
        ("incomplete", "incomplete"),
        ("incomplete", "cancelled"),
    ];
    let items = proptest::collection::vec(item(), 0..5);
    let turns = proptest::collection::vec(any::<Index>(), 60);
    (items, turns, any::<bool>(), proptest::sample::select(&ENDS[..])).prop_map(|(items, turns, in_order, (event, status))| {
        let placed = |text: &str, place: usize| text.replace('#', &place.to_string());
        let response = |status: &str, output: &str| {
            let error = if status == "failed" { r#","error":{"code":"server_error","message":"no"}"# } else { "" };
            let why = if status == "incomplete" { r#","incomplete_details":{"reason":"max_output_tokens"}"# } else { "" };
            format!(r#""response":{{"id":"r","object":"response","created_at":1,"model":"m","status":"{status}","output":[{output}]{error}{why}}}"#)
        };
        let mut events = vec![format!(r#""type":"response.created",{}"#, response("in_progress", ""))];
        let mut waiting: Vec<_> = items.iter().enumerate().map(|(place, (events, _))| (place, events.iter())).collect();
        let mut begun = 0;
        for turn in turns.iter().cycle() {
            if waiting.is_empty() {
                break;
            }
            // Items are added in the order of their positions.
            let open = if in_order { 1 } else { (begun + 1).min(waiting.len()) };
            let at = turn.index(open);
            let (place, left) = &mut waiting[at];
            begun = begun.max(at + 1);
            match left.next() {
                Some(event) => events.push(placed(event, *place)),
                None => {
                    drop(waiting.remove(at));
                    begun -= 1;
                }
            }
        }
        let output: Vec<String> = items.iter().enumerate().map(|(place, (_, whole))| placed(whole, place)).collect();
        events.push(format!(r#""type":"response.{event}",{}"#, response(status, &output.join(","))));
        let numbered = events.iter().enumerate();
        numbered.map(|(number, event)| format!("data: {{{event},\"sequence_number\":{number}}}\n\n")).collect()
    })
}

/// An update of a task, as the `result` of a response.
fn update() -> impl Strategy<Value = String> {
    let ids = r#""taskId":"t","contextId":"c""#;
    let part = || {
        (piece(), 0..4u8).prop_map(|(piece, kind)| match kind {
            0 => r#"{"data":{"k":[1,null]}}"#.to_owned(),
            1 => r#"{"url":"https://example.com/a.png","mediaType":"image/png"}"#.to_owned(),
            _ => format!(r#"{{"text":"{piece}"}}"#),
        })
    };
    let parts = || proptest::collection::vec(part(), 0..3).prop_map(|parts| parts.join(","));
    let artifact = (parts(), 0..3u8, any::<bool>(), any::<bool>()).prop_map(move |(parts, id, appends, is_last)| {
        format!(r#"{{"artifactUpdate":{{{ids},"artifact":{{"artifactId":"a{id}","parts":[{parts}]}},"append":{appends},"lastChunk":{is_last}}}}}"#)
    });
    let status = (parts(), 0..3u8, any::<bool>()).prop_map(move |(parts, id, speaks)| {
        let message =
            format!(r#","message":{{"messageId":"m{id}","role":"ROLE_AGENT","parts":[{parts}]}}"#);
        let message = if speaks { &*message } else { "" };
        format!(
            r#"{{"statusUpdate":{{{ids},"status":{{"state":"TASK_STATE_WORKING"{message}}}}}}}"#
        )
    });
    prop_oneof![3 => artifact, 1 => status]
}

/// A legal stream of A2A: a task, its updates, and every end.
fn a2a() -> impl Strategy<Value = String> {
    const ENDS: [&str; 7] = [
        "COMPLETED",
        "COMPLETED",
        "FAILED",
        "CANCELED",
        "REJECTED",
        "INPUT_REQUIRED",
        "AUTH_REQUIRED",
    ];
    (proptest::collection::vec(update(), 0..10), proptest::sample::select(&ENDS[..])).prop_map(|(updates, end)| {
        let first = r#"{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}"#.to_owned();
        let last = format!(r#"{{"statusUpdate":{{"taskId":"t","contextId":"c","status":{{"state":"TASK_STATE_{end}"}}}}}}"#);
        let results = [first].into_iter().chain(updates).chain([last]);
        results.map(|result| format!("data: {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}\n\n")).collect()
    })
}

/// Rules that the generators violate: texts and parts that are sent again differ, or are empty in a
/// last update, and an update appends to an artifact that no update began.
const RESENT: [&str; 3] = ["done-differs", "append-unknown", "artifact-emptied"];

/// Rules of a target for legal content: arguments are any text, and texts and items are replaced
/// and retracted.
const HARMLESS: [&str; 3] = ["arguments-not-json", "done-differs", "output-lost"];

/// An event is omitted, repeated, or replaced by another one.
fn damaged(stream: &str, damage: &[(u8, Index, Index)]) -> String {
    let mut events: Vec<&str> = stream.split_inclusive("\n\n").collect();
    for (kind, at, other) in damage.iter().filter(|_| !stream.is_empty()) {
        let (at, other) = (at.index(events.len()), other.index(events.len()));
        match kind {
            0 if events.len() > 1 => drop(events.remove(at)),
            1 => events.insert(at, events[other]),
            _ => events.swap(at, other),
        }
    }
    events.concat()
}

fn check_reading<P: Protocol + Default>(shown: Shown<P>, stream: &str, size: usize, tight: bool) {
    let mut limits = Limits::default();
    if tight {
        (limits.messages, limits.contents, limits.content_bytes) = (4, 2, 30);
        (limits.data_nodes, limits.json_depth, limits.violations) = (30, 8, 4);
    }
    let bytes = stream.as_bytes();
    for mode in [Mode::Strict, Mode::Lenient, Mode::Raw] {
        let protocol = || (P::default(), shown);
        let whole = outcome(protocol(), [bytes], mode, &limits);
        for size in [1, size] {
            assert_eq!(outcome(protocol(), bytes.chunks(size), mode, &limits), whole, "{stream}");
        }
        assert_eq!(one_by_one(protocol(), bytes, mode, &limits), whole, "{stream}");
    }
}

proptest! {
    #![proptest_config(crate::cases(300))]

    #[test]
    fn outcome_does_not_depend_on_chunk_boundaries_or_replay(
        responses in responses(),
        a2a in a2a(),
        damage in proptest::collection::vec((0..3u8, any::<Index>(), any::<Index>()), 0..4),
        size in 1usize..60,
        tight: bool,
    ) {
        let shown = responses::Snapshot::to_json;
        check_reading::<responses::Responses>(shown, &damaged(&responses, &damage), size, tight);
        check_reading::<a2a::A2a>(a2a::Snapshot::to_json, &damaged(&a2a, &damage), size, tight);
    }

    #[test]
    fn converted_streams_are_valid_at_any_chunk_boundary(
        responses in responses(), a2a in a2a(), size in 1usize..60
    ) {
        for (from, stream) in [(Responses, &responses), (A2a, &a2a)] {
            let (_, report) = read(from, stream.as_bytes());
            let is_legal = report.counts.iter().all(|(rule, _)| RESENT.contains(rule));
            prop_assert!(is_legal, "{from:?}: {:#?}\n{stream}", report.violations);
            for to in TARGETS.into_iter().filter(|to| *to != from) {
                let (out, losses) = convert(from, to, [stream.as_bytes()], false);
                let (_, report) = read(to, out.as_bytes());
                let broken: Vec<_> = report.counts.iter().filter(|(rule, _)| !HARMLESS.contains(rule)).collect();
                prop_assert!(broken.is_empty(), "{from:?} to {to:?}: {:#?}\n{stream}\n{out}", report.violations);
                prop_assert_eq!(report.end_reason, EndReason::Terminal, "{:?} to {:?}\n{}\n{}", from, to, stream, out);
                for size in [1, size] {
                    let cut = convert(from, to, stream.as_bytes().chunks(size), false);
                    prop_assert_eq!(&cut.0, &out, "{:?} to {:?}", from, to);
                    prop_assert_eq!(cut.1.to_json(), losses.to_json());
                }
            }
        }
    }
}
