//! OpenAI Responses, A2A, AgentScope and Gemini Interactions: snapshot and report do not depend on chunk boundaries or the event
//! template, also with omitted, doubled or swapped events; as sources of conversions: a valid
//! stream becomes a valid stream of every protocol, independent of chunk boundaries.

use agentwire::ProtocolKind::{self, A2a, AgentScope, Interactions, Responses};
use agentwire::protocol::Protocol;
use agentwire::read::Mode;
use agentwire::{Limits, a2a, agentscope, interactions, responses};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::adapt::is_ended;
use crate::facts::{convert, read};
use crate::outcome::{Shown, one_by_one, outcome};

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
        let lists = items.iter().enumerate().map(|(place, (events, _))| {
            events.iter().map(|event| placed(event, place)).collect()
        });
        events.extend(interleaved(lists.collect(), &turns, in_order));
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

/// Takes the events of each list in turn: those of the first list only, if `in_order`, up to its
/// end.
fn interleaved(lists: Vec<Vec<String>>, turns: &[Index], in_order: bool) -> Vec<String> {
    let mut waiting: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let (mut events, mut begun) = (Vec::new(), 0);
    for turn in turns.iter().cycle() {
        if waiting.is_empty() {
            break;
        }
        // Lists begin in their order.
        let open = if in_order { 1 } else { (begun + 1).min(waiting.len()) };
        let at = turn.index(open);
        begun = begun.max(at + 1);
        match waiting[at].next() {
            Some(event) => events.push(event),
            None => {
                drop(waiting.remove(at));
                begun -= 1;
            }
        }
    }
    events
}

/// The events of a block, of a call or of a call with its result in AgentScope; `#` stands for its
/// number.
fn block() -> impl Strategy<Value = Vec<String>> {
    let ends = proptest::sample::select(&["success", "error", "interrupted", "denied"][..]);
    (0..8u8, pieces(), pieces(), ends, any::<bool>()).prop_map(|(kind, pieces, more, end, says)| {
        let text = |kind: &str, names: &str, pieces: &[String]| -> Vec<String> {
            let delta =
                |piece: &String| format!(r#""type":"{kind}_DELTA",{names},"delta":"{piece}""#);
            pieces.iter().map(delta).collect()
        };
        let (block, call) = (r##""block_id":"b#""##, r##""tool_call_id":"c#""##);
        let named = format!(r#"{call},"tool_call_name":"f""#);
        let of = |kind: &str, names: &str, pieces: Vec<String>, end: &str| {
            let begin = format!(r#""type":"{kind}_START",{names}"#);
            let end = format!(
                r#""type":"{kind}_END",{}{end}"#,
                names.split(",\"tool_call_name").next().unwrap_or_default()
            );
            [vec![begin], pieces, vec![end]].concat()
        };
        let result = || {
            let kind = "TOOL_RESULT";
            of(kind, &named, text("TOOL_RESULT_TEXT", call, &more), &format!(r#","state":"{end}""#))
        };
        let called = of("TOOL_CALL", &named, text("TOOL_CALL", call, &pieces), "");
        match kind {
            0 | 1 => {
                let whole =
                    if says { format!(r#","text":"{}""#, pieces.concat()) } else { String::new() };
                of("TEXT_BLOCK", block, text("TEXT_BLOCK", block, &pieces), &whole)
            }
            2 => of("THINKING_BLOCK", block, text("THINKING_BLOCK", block, &pieces), ""),
            3 => {
                let head = format!(r#"{block},"media_type":"image/png""#);
                let data =
                    |_: &String| format!(r#""type":"DATA_BLOCK_DELTA",{head},"data":"iVBORw0K""#);
                let begin = format!(r#""type":"DATA_BLOCK_START",{head}"#);
                let end = format!(r#""type":"DATA_BLOCK_END",{block}"#);
                [vec![begin], pieces.iter().map(data).collect(), vec![end]].concat()
            }
            4 => vec![format!(r#""type":"HINT_BLOCK",{block},"hint":"{}""#, pieces.concat())],
            5 => called,
            _ => [called, result()].concat(),
        }
    })
}

/// A legal stream of AgentScope: blocks one after the other or interleaved, and every end.
fn agentscope() -> impl Strategy<Value = String> {
    const ENDS: [&str; 5] = ["completed", "completed", "interrupted", "exceed_max_iters", "error"];
    let blocks = proptest::collection::vec(block(), 0..5);
    let turns = proptest::collection::vec(any::<Index>(), 60);
    let end = proptest::sample::select(&ENDS[..]);
    (blocks, turns, any::<bool>(), end, 0..4u8).prop_map(|(blocks, turns, in_order, end, waits)| {
        let mut called = Vec::new();
        let blocks = blocks.into_iter().enumerate().map(|(place, events)| {
            let place = place.to_string();
            let events: Vec<String> =
                events.iter().map(|event| event.replace('#', &place)).collect();
            let is_open = events.last().is_some_and(|event| event.contains("TOOL_CALL_END"));
            if is_open {
                let input: Vec<&str> =
                    events.iter().filter_map(|event| event.split(r#""delta":""#).nth(1)).collect();
                let input = input.iter().map(|piece| &piece[..piece.len() - 1]).collect::<String>();
                called.push(format!(
                    r#"{{"type":"tool_call","id":"c{place}","name":"f","input":"{input}"}}"#
                ));
            }
            events
        });
        let mut events = vec![
            r#""type":"REPLY_START","session_id":"s","name":"a""#.to_owned(),
            r#""type":"MODEL_CALL_START","model_name":"m""#.to_owned(),
        ];
        let lists: Vec<Vec<String>> = blocks.collect();
        events.extend(interleaved(lists, &turns, in_order));
        events.push(r#""type":"MODEL_CALL_END","input_tokens":1,"output_tokens":2"#.to_owned());
        let calls = called.join(",");
        match (waits, calls.is_empty()) {
            (0, false) => {
                events.push(format!(r#""type":"REQUIRE_USER_CONFIRM","tool_calls":[{calls}]"#))
            }
            (1, false) => events
                .push(format!(r#""type":"REQUIRE_EXTERNAL_EXECUTION","tool_calls":[{calls}]"#)),
            _ => {
                let error =
                    if end == "error" { r#","error":{"type":"e","message":"no"}"# } else { "" };
                events.push(format!(
                    r#""type":"REPLY_END","session_id":"s","finished_reason":"{end}"{error}"#
                ));
            }
        }
        events.iter().map(|event| format!("data: {{{event},\"reply_id\":\"r\"}}\n\n")).collect()
    })
}

/// The events of a step of Interactions as JSON; `#` stands for its index.
fn step() -> impl Strategy<Value = Vec<String>> {
    (0..8u8, pieces(), any::<bool>()).prop_map(|(kind, pieces, signed)| {
        let delta = |delta: &str| format!(r##""event_type":"step.delta","index":#,"delta":{delta}"##);
        let deltas = |write: &dyn Fn(&str) -> String| -> Vec<String> {
            pieces.iter().map(|piece| delta(&write(piece))).collect()
        };
        let signature = signed.then(|| delta(r#"{"type":"thought_signature","signature":"c2ln"}"#));
        let (step, deltas) = match kind {
            0 | 1 => {
                let text = |piece: &str| format!(r#"{{"type":"text","text":"{piece}"}}"#);
                (r#"{"type":"model_output"}"#, deltas(&text))
            }
            2 | 3 => {
                let text = |piece: &str| {
                    format!(r#"{{"type":"thought_summary","content":{{"type":"text","text":"{piece}"}}}}"#)
                };
                (r#"{"type":"thought"}"#, deltas(&text).into_iter().chain(signature).collect())
            }
            4 | 5 => {
                // JSON in any pieces.
                let mut all = vec![r#"{\"a\":\""#.to_owned()];
                all.extend(pieces.iter().filter(|piece| !piece.contains('\\')).cloned());
                all.push(r#"\"}"#.to_owned());
                let arguments = |piece: &String| {
                    delta(&format!(r#"{{"type":"arguments_delta","arguments":"{piece}"}}"#))
                };
                let call = r##"{"type":"function_call","id":"c#","name":"f","arguments":{}}"##;
                (call, all.iter().map(arguments).collect())
            }
            6 => (
                r##"{"type":"google_search_call","id":"s#"}"##,
                vec![delta(r#"{"type":"google_search_call","arguments":{"queries":["q"]},"signature":"c2ln"}"#)],
            ),
            _ => (
                r##"{"type":"model_output"}"##,
                vec![delta(r#"{"type":"image","data":"iVBORw0K","mime_type":"image/png"}"#)],
            ),
        };
        let begin = format!(r##""event_type":"step.start","index":#,"step":{step}"##);
        let end = r##""event_type":"step.stop","index":#"##.to_owned();
        [vec![begin], deltas, vec![end]].concat()
    })
}

/// A legal stream of Gemini Interactions: steps one after the other or interleaved, and every end.
fn interactions() -> impl Strategy<Value = String> {
    const ENDS: [&str; 6] =
        ["completed", "completed", "failed", "cancelled", "incomplete", "budget_exceeded"];
    let steps = proptest::collection::vec(step(), 0..5);
    let turns = proptest::collection::vec(any::<Index>(), 60);
    (steps, turns, any::<bool>(), proptest::sample::select(&ENDS[..])).prop_map(|(steps, turns, in_order, end)| {
        let calls = steps.iter().any(|events| events[0].contains("function_call"));
        let end = if calls && end == "completed" { "requires_action" } else { end };
        let numbered = steps.iter().enumerate().map(|(place, events)| {
            events.iter().map(|event| event.replace('#', &place.to_string())).collect()
        });
        let head = r#""id":"i","model":"m","object":"interaction""#;
        let mut events = vec![format!(r#""event_type":"interaction.created","interaction":{{{head},"status":"in_progress"}}"#)];
        events.extend(interleaved(numbered.collect(), &turns, in_order));
        events.push(format!(
            r#""event_type":"interaction.completed","interaction":{{{head},"status":"{end}","usage":{{"total_tokens":3}}}}"#
        ));
        let lines: String = events.iter().map(|event| format!("data: {{{event}}}\n\n")).collect();
        lines + "data: [DONE]\n\n"
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
        agentscope in agentscope(),
        interactions in interactions(),
        damage in proptest::collection::vec((0..3u8, any::<Index>(), any::<Index>()), 0..4),
        size in 1usize..60,
        tight: bool,
    ) {
        let shown = responses::Snapshot::to_json;
        check_reading::<responses::Responses>(shown, &damaged(&responses, &damage), size, tight);
        check_reading::<a2a::A2a>(a2a::Snapshot::to_json, &damaged(&a2a, &damage), size, tight);
        let shown = agentscope::Snapshot::to_json;
        check_reading::<agentscope::AgentScope>(shown, &damaged(&agentscope, &damage), size, tight);
        let shown = interactions::Snapshot::to_json;
        check_reading::<interactions::Interactions>(shown, &damaged(&interactions, &damage), size, tight);
    }

    #[test]
    fn converted_streams_are_valid_at_any_chunk_boundary(
        responses in responses(),
        a2a in a2a(),
        agentscope in agentscope(),
        interactions in interactions(),
        size in 1usize..60,
    ) {
        let streams = [
            (Responses, &responses),
            (A2a, &a2a),
            (AgentScope, &agentscope),
            (Interactions, &interactions),
        ];
        for (from, stream) in streams {
            let (_, report) = read(from, stream.as_bytes());
            let is_legal = report.counts.iter().all(|(rule, _)| RESENT.contains(rule));
            prop_assert!(is_legal, "{from:?}: {:#?}\n{stream}", report.violations);
            for &to in ProtocolKind::WRITABLE.iter().filter(|to| **to != from) {
                let (out, losses) = convert(from, to, [stream.as_bytes()], false);
                let (_, report) = read(to, out.as_bytes());
                let broken: Vec<_> = report.counts.iter().filter(|(rule, _)| !HARMLESS.contains(rule)).collect();
                prop_assert!(broken.is_empty(), "{from:?} to {to:?}: {:#?}\n{stream}\n{out}", report.violations);
                prop_assert!(is_ended(to, report.end_reason), "{from:?} to {to:?}\n{stream}\n{out}");
                for size in [1, size] {
                    let cut = convert(from, to, stream.as_bytes().chunks(size), false);
                    prop_assert_eq!(&cut.0, &out, "{:?} to {:?}", from, to);
                    prop_assert_eq!(cut.1.to_json(), losses.to_json());
                }
            }
        }
    }
}
