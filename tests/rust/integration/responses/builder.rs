//! OpenAI Responses: built streams are valid for any calls, validated by the rules of the reader.

use agentwire::builder::WireEvent;
use agentwire::json::Value;
use agentwire::responses::builder::{PartKind, StreamBuilder};
use agentwire::responses::events::Event;
use agentwire::responses::{Responses, Status};
use agentwire::{EndReason, Reader, UsageError};
use proptest::prelude::*;

/// Runs one call, with numbers that may not refer to anything.
fn act(out: &mut StreamBuilder, call: (u8, u8, u8)) -> Result<Vec<WireEvent>, UsageError> {
    const TYPES: [&str; 12] = [
        "message",
        "reasoning",
        "function_call",
        "custom_tool_call",
        "mcp_call",
        "mcp_list_tools",
        "mcp_approval_request",
        "web_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "function_call_output",
        "something_new",
    ];
    const KINDS: [PartKind; 4] =
        [PartKind::Text, PartKind::Refusal, PartKind::Reasoning, PartKind::Summary];
    const PIECES: [&str; 5] = ["a", "", "é\n\u{2028}", "👨‍👩‍👧", "\"\\"];
    let (what, one, two) = call;
    let (item, at, kind) = (u32::from(one % 6), u32::from(two % 3), KINDS[usize::from(two % 4)]);
    let piece = PIECES[usize::from(one.wrapping_add(two) % 5)];
    let one_event = |event: WireEvent| vec![event];
    match what % 20 {
        0..=3 => {
            let id = format!("i{}", two % 5);
            let members = Value::from([
                ("call_id", format!("c{}", two % 7).into()),
                ("name", "tool".into()),
                ("extra", Value::from([("a/b", Value::Null)])),
            ]);
            let id = (two % 3 == 0).then_some(&*id);
            out.item(TYPES[usize::from(one) % TYPES.len()], id, members)
                .map(|(_, event)| vec![event])
        }
        4 | 5 => out.part(item, kind).map(|(_, event)| vec![event]),
        6..=8 => out.delta(item, kind, at, piece).map(one_event),
        9 | 10 => out.arguments(item, piece).map(one_event),
        11 => out.end_part(item, kind, at),
        12 => out.end_arguments(item).map(one_event),
        13 => {
            out.annotation(item, at, &Value::from([("type", "url_citation".into())])).map(one_event)
        }
        14 => {
            let words =
                ["in_progress", "searching", "interpreting", "generating", "completed", "failed"];
            out.progress(item, words[usize::from(two % 6)]).map(one_event)
        }
        15 => out.partial_image(item, at, "AA==").map(one_event),
        16 => out.end_item(
            item,
            ["completed", "incomplete", "nonsense"][usize::from(two % 3)],
            Value::Null,
        ),
        17 => match two % 3 {
            0 => out.replace(item, kind, at, piece).map(|()| Vec::new()),
            1 => out.retract(item).map(|()| Vec::new()),
            _ => out.retract_part(item, kind, at).map(|()| Vec::new()),
        },
        18 => match two % 4 {
            0 => out.audio("AA==").map(one_event),
            1 => out.end_audio().map(one_event),
            2 => out.queued().map(one_event),
            _ => out.in_progress().map(one_event),
        },
        _ => match two % 9 {
            0 => out.complete(),
            1 => out.fail("code", "message"),
            2 => out.incomplete(Some("max_output_tokens")),
            3 => out.cancel(),
            _ => out.created().map(one_event),
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_sequence_of_calls_writes_a_valid_stream(
        starts in any::<bool>(),
        calls in prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 0..60),
    ) {
        let mut out = StreamBuilder::new("r", "m", 1);
        let mut events = if starts { out.start().unwrap() } else { Vec::new() };
        let mut refused = 0;
        for call in calls {
            match act(&mut out, call) {
                Ok(more) => events.extend(more),
                Err(_) => refused += 1,
            }
        }
        events.extend(out.finish_with(None));
        prop_assert!(out.finish_with(Some(("a", "b"))).is_empty(), "it ends once; {} refused", refused);
        let mut reader = Reader::new(Responses::default());
        for (number, event) in events.iter().enumerate() {
            prop_assert_eq!(event.sequence_number(), Some(number as i64));
            // Each written event decodes as a declared event.
            let decoded = Event::decode(event.json(), 128).unwrap();
            let named = decoded.name().filter(|_| !matches!(decoded, Event::Other { .. }));
            prop_assert!(named.is_some(), "{}", event.json());
            let head = format!("event: {}\ndata: ", named.unwrap());
            prop_assert!(event.as_sse().starts_with(&head), "{}", event.as_sse());
            reader.push(event.as_sse().as_bytes());
        }
        let outcome = reader.finish();
        // Only these rules report a replaced text or a removed item.
        let said = ["done-differs", "output-lost"];
        let broken: Vec<_> =
            outcome.report.violations.iter().filter(|found| !said.contains(&found.rule.id)).collect();
        prop_assert!(broken.is_empty(), "{:#?}", broken);
        prop_assert_eq!(outcome.report.end_reason, EndReason::Terminal);
    }
}

#[test]
fn a_rejected_call_changes_nothing_and_names_the_correct_call() {
    let mut out = StreamBuilder::new("r", "m", 1);
    let code = |refused: Result<Vec<WireEvent>, UsageError>| refused.unwrap_err().code;
    assert_eq!(out.item("message", None, Value::Null).unwrap_err().code, "not-created");
    let mut events = vec![out.created().unwrap(), out.queued().unwrap()];
    assert_eq!(out.item("message", None, Value::Null).unwrap_err().code, "not-in-progress");
    events.push(out.in_progress().unwrap());
    assert_eq!(out.queued().unwrap_err().code, "queued-late");
    let (message, added) = out.item("message", Some("m"), Value::Null).unwrap();
    events.push(added);
    assert_eq!(out.item("reasoning", Some("m"), Value::Null).unwrap_err().code, "item-repeated");
    assert_eq!(out.item("function_call", None, Value::Null).unwrap_err().code, "item-id");
    assert_eq!(
        out.item("message", None, Value::from([("content", Value::Null)])).unwrap_err().code,
        "member-taken"
    );
    assert_eq!(out.part(message, PartKind::Summary).unwrap_err().code, "item-mismatch");
    assert_eq!(out.delta(message, PartKind::Text, 0, "x").unwrap_err().code, "part-missing");
    assert_eq!(out.delta(9, PartKind::Text, 0, "x").unwrap_err().code, "item-missing");
    assert_eq!(out.arguments(message, "x").unwrap_err().code, "arguments-ended");
    assert_eq!(out.progress(message, "searching").unwrap_err().code, "no-such-progress");
    assert_eq!(out.member("output", Value::Null).unwrap_err().code, "member-taken");
    assert_eq!(code(out.complete()), "unfinished");
    events.extend(out.end_item(message, "completed", Value::Null).unwrap());
    assert_eq!(code(out.end_item(message, "completed", Value::Null)), "item-changed");
    out.usage(Value::from([("total_tokens", 3.into())])).unwrap();
    events.extend(out.complete().unwrap());
    assert_eq!(code(out.complete()), "after-end");
    let mut reader = Reader::new(Responses::default());
    events.iter().for_each(|event| {
        reader.push(event.as_sse().as_bytes());
    });
    let outcome = reader.finish();
    assert_eq!(outcome.report.violations, []);
    assert_eq!(outcome.snapshot.status, Status::Completed);
    assert_eq!(outcome.snapshot.usage.as_ref().unwrap().to_json(), r#"{"total_tokens":3}"#);
}
