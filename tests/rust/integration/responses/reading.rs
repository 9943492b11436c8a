//! Compares the reader with the official client on the same streams: its state and its errors.

use agentwire::read::{AnyOptions, AnyOutcome};
use agentwire::responses::Responses;
use agentwire::{ProtocolKind, Reader};

use crate::official::Differences;
use crate::reading::read;

#[test]
fn snapshot_and_errors_match_the_official_client() {
    let differences = Differences {
        protocol: "responses",
        other_snapshot: &[
            (
                "completed_with_empty_output",
                "an empty list at the end takes nothing away that was streamed (O2)",
            ),
            ("member_type", "a name is a text here: what is none is not there"),
        ],
        stricter: &[
            (
                "cut",
                "the client resolves as if nothing was missing, the one for Python does not (O15)",
            ),
            ("invalid_utf8_in_a_text", "the client decodes it to U+FFFD without a word"),
            ("logprobs", "as `cut`"),
            ("lone_surrogate", "as `cut`"),
            ("member_type", "the client hands on whatever stands there"),
            ("text_done_differs_from_deltas", "as `cut`"),
        ],
        laxer: &[("json_lines", "the client reads server-sent events only")],
        added_there: &["output_text", "output_parsed", "parsed", "parsed_arguments"],
        added_here: &[],
        least: 70,
    };
    differences.check();
}

#[test]
fn no_index_follows_the_last_index() {
    let created = r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#;
    let item = |id: &str, index: &str| {
        format!(
            r#"{{"type":"response.output_item.added",{index}"item":{{"id":"{id}","type":"message","status":"in_progress","role":"assistant","content":[]}}}}"#
        )
    };
    let part = |index: i64| {
        format!(
            r#"{{"type":"response.content_part.added","item_id":"a","output_index":{index},"content_index":{index},"part":{{"type":"output_text","text":"","annotations":[]}}}}"#
        )
    };
    let events = [
        created.to_owned(),
        item("a", &format!(r#""output_index":{},"#, i64::MAX)),
        part(i64::MAX),
        part(i64::MIN),
        item("b", ""),
        item("c", ""),
    ];
    let mut reader = Reader::new(Responses::default());
    for event in events {
        reader.push(format!("data: {event}\n\n").as_bytes());
    }
    let outcome = reader.finish();
    let ids: Vec<_> =
        outcome.snapshot.output.iter().flat_map(|item| item.id.iter().flatten()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
}

fn read_all(options: AnyOptions, events: &[&str]) -> AnyOutcome {
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    read(ProtocolKind::Responses, options, [stream.as_bytes()])
}

#[test]
fn a_list_of_a_wrong_type_is_replaced_by_the_first_element() {
    let token = r#"{"token":"a","logprob":-0.25,"bytes":[97],"top_logprobs":[]}"#;
    let delta = format!(
        r#"{{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"a","logprobs":[{token}]}}"#
    );
    let annotation = r#"{"type":"response.output_text.annotation.added","item_id":"m","output_index":0,"content_index":0,"annotation_index":0,"annotation":{"type":"x"}}"#;
    for other in ["5", r#""text""#, "null", r#"{"0":1}"#] {
        let part = format!(
            r#"{{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{{"type":"output_text","text":"","annotations":{other},"logprobs":{other}}}}}"#
        );
        let events = [
            r#"{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
            r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","status":"in_progress","role":"assistant","content":[]}}"#,
            &part,
            &delta,
            &delta,
            annotation,
        ];
        let json = read_all(AnyOptions::default(), &events).snapshot.to_json();
        assert!(json.contains(&format!(r#""logprobs":[{token},{token}]"#)), "{other}: {json}");
        assert!(json.contains(r#""annotations":[{"type":"x"}]"#), "{other}: {json}");
    }
}

#[test]
fn commands_of_a_dropped_list_are_dropped() {
    let added = |commands: &str| {
        format!(
            r#"{{"type":"response.output_item.added","output_index":0,"item":{{"type":"shell_call","id":"i","call_id":"c","status":"in_progress","action":{{"commands":{commands}}}}}}}"#
        )
    };
    let command = r#"{"type":"response.shell_call_command.added","output_index":0,"item_id":"i","command_index":0,"command":"x"}"#;
    let created = r#"{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#;
    let commands = |content_bytes: u64, events: &[&str]| {
        let mut options = AnyOptions::default();
        options.options.limits.content_bytes = content_bytes;
        let outcome = read_all(options, events);
        let json: serde_json::Value =
            serde_json::from_str(&outcome.snapshot.to_json()).expect("JSON");
        let action = json["output"][0].get("action").map(ToString::to_string);
        let is_refused =
            outcome.report.violations.iter().any(|violation| violation.rule.id == "limit-exceeded");
        (action, is_refused)
    };
    let empty = added("[]");
    assert_eq!(commands(5, &[created, &empty, command]), (None, true));
    let one = Some(r#"{"commands":["x"]}"#.to_owned());
    assert_eq!(commands(1000, &[created, &empty, command]), (one.clone(), false));
    // A rejected command changes nothing: the next command gets the position after the existing
    // ones.
    let next = command.replace(r#""command_index":0"#, r#""command_index":1"#);
    let longer = added(r#"["a command of many words","b","c"]"#);
    let two = Some(r#"{"commands":["x","x"]}"#.to_owned());
    let events = [created, &empty, command, &longer.replace(".added", ".done"), &next];
    assert_eq!(commands(40, &events), (two, true));
}
