//! Compares the documented methods of a growing message with the real library, step by step:
//! the cases `accumulate_*` of `tests/data/corpus/agent-api`.

use agentwire::agent_api::request::{AgentRequest, InputContent};
use agentwire::agent_api::{Message, MessageType, Role, Style};
use agentwire::json::Value;
use agentwire_cases::{Kind, select};

/// Calls that upstream accepts and this crate rejects, by file and step; each with the reason. The
/// rest of such a file is not run, because the state of upstream differs afterwards. Every other
/// rejected call raises an error upstream, too.
const REFUSED: &[(&str, usize, &str)] =
    &[("accumulate_04_negative_index", 2, "an index counts from the front (R24)")];

/// Members of stored parts that upstream leaves null, because it does not stamp the copies that it
/// stores. The model has no null there (spec 1.3).
const UNSTAMPED: &[&str] = &["status", "delta", "index", "msg_id"];

#[test]
fn message_methods_match_the_official_library() {
    let mut refused = Vec::new();
    for case in select("agent-api", Kind::Accumulate) {
        let file = Value::parse(&case.text("steps.json"), 64).unwrap();
        let mut message = Message::new("msg_fixture", MessageType::Message, Some(Role::Assistant));
        for (number, step) in items(file.get("steps").unwrap()).iter().enumerate() {
            let place = format!("{case}, step {number}");
            match run(&mut message, step) {
                Ok(returned) => {
                    assert!(step.get("raised").is_none(), "{place}: upstream raises");
                    let recorded = step.get("returned").unwrap().to_json();
                    assert_eq!(returned.unwrap_or("null".to_owned()), recorded, "{place}");
                }
                Err(_) if step.get("raised").is_some() => {}
                Err(_) => {
                    refused.push((case.name.clone(), number));
                    break;
                }
            }
            let after = step.get("message_after").unwrap();
            let mut recorded = after.get("content").unwrap().clone();
            let now = Value::parse(&message.to_json(Style::Wire), 64).unwrap();
            let mut got = now.get("content").unwrap().clone();
            for list in [&mut got, &mut recorded] {
                unstamp(list);
            }
            assert_eq!(got, recorded, "{place}");
        }
    }
    let listed: Vec<_> = REFUSED.iter().map(|(name, at, _)| ((*name).to_owned(), *at)).collect();
    assert_eq!(refused, listed);
}

/// The stamped argument, as JSON.
fn run(message: &mut Message, step: &Value) -> Result<Option<String>, String> {
    let arg = step.get("arg").unwrap();
    let event = match step.get("op").and_then(Value::as_str).unwrap() {
        "add_delta_content" => {
            message.add_delta_content(content(arg)).map_err(|e| e.to_string())?
        }
        "add_content" => message.add_content(content(arg)),
        "content_completed" => {
            let index = arg.to_json().parse().map_err(|_| "negative".to_owned())?;
            message.content_completed(index)
        }
        other => panic!("{other}"),
    };
    Ok(event.map(|event| event.to_json(Style::Wire)))
}

fn content(arg: &Value) -> InputContent {
    let request = Value::from([(
        "input",
        Value::Array(vec![Value::from([("content", Value::Array(vec![arg.clone()]))])]),
    )]);
    let mut request = AgentRequest::from_value(request).unwrap();
    request.input.remove(0).content.unwrap().remove(0)
}

fn unstamp(list: &mut Value) {
    match list {
        Value::Array(parts) => {
            for (name, part) in UNSTAMPED.iter().flat_map(|n| parts.iter().map(move |p| (n, p))) {
                assert!(part.get(name).is_some());
            }
            for part in parts {
                UNSTAMPED.iter().for_each(|name| part.insert(name, Value::Null));
            }
        }
        // No parts and no list are the same in the model.
        other => *other = Value::Array(Vec::new()),
    }
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        _ => panic!("not a list: {}", value.to_json()),
    }
}

#[test]
fn content_types_without_deltas_are_not_merged() {
    let mut message = Message::new("m", MessageType::Message, None);
    for body in [
        r#"{"type":"audio","data":"A","format":"wav"}"#,
        r#"{"type":"video","video_url":"u"}"#,
        r#"{"type":"file","file_id":"f"}"#,
        r#"{"type":"refusal","refusal":"no"}"#,
    ] {
        let part = content(&Value::parse(body, 8).unwrap());
        let index = message.add_delta_content(part.clone()).unwrap().unwrap().index;
        let before = message.content.clone();
        let mut piece = part;
        (piece.index, piece.delta) = (index, Some(true));
        assert!(message.add_delta_content(piece.clone()).unwrap().is_some(), "{body}");
        assert_eq!(message.content, before, "{body}");
        // With an index and no delta flag nothing happens at all.
        for delta in [Some(false), None] {
            piece.delta = delta;
            assert_eq!(message.add_delta_content(piece.clone()).unwrap(), None);
        }
    }
    let mut other = InputContent::text("x");
    (other.index, other.delta) = (Some(0), Some(true));
    assert!(message.add_delta_content(other.clone()).is_ok(), "audio takes anything");
    message.add_content(InputContent::text("t"));
    other.payload = content(&Value::parse(r#"{"type":"data","data":{}}"#, 8).unwrap()).payload;
    other.index = Some(4);
    let misuse = message.add_delta_content(other.clone()).unwrap_err();
    assert_eq!(misuse.code, "wrong-content-type");
    for index in [5, -1, i64::MAX] {
        other.index = Some(index);
        assert_eq!(message.add_delta_content(other.clone()).unwrap_err().code, "no-such-part");
    }
}
