//! Any sequence of calls of a builder, with `finish_with` at the end, is a legal stream.

use super::finish::begin;
use super::{STATUSES, builder, foreign, read};
use agentwire::UsageError;
use agentwire::agent_api::builder::{ContentBuilder, FileFields, MessageBuilder, ResponseBuilder};
use agentwire::agent_api::{Content, ErrorInfo, MessageType, Payload, RunStatus};
use agentwire::builder::WireEvent;
use agentwire::json::Value;

use crate::rng::Rng;

#[test]
fn any_calls_followed_by_finish_with_are_a_valid_stream() {
    let (mut accepted, mut refused) = (0, 0);
    for program in 1..=3000_u64 {
        let mut rng = Rng::of(program);
        let response = builder();
        let (mut messages, mut contents) = (Vec::new(), Vec::new());
        let mut events = Vec::new();
        let mut log = format!("program {program}:");
        if rng.below(8) > 0 {
            events.extend(begin(&response).unwrap());
        }
        for _ in 0..rng.below(60) {
            let call = rng.below(34);
            match act(call, &response, &mut messages, &mut contents, &mut rng) {
                Ok(said) => {
                    accepted += 1;
                    log += &format!(" {call}");
                    events.extend(said);
                }
                Err(misuse) => {
                    refused += 1;
                    assert!(
                        !misuse.instead.is_empty() && !misuse.problem.is_empty(),
                        "{log} {misuse}"
                    );
                }
            }
        }
        let status = STATUSES[rng.below(STATUSES.len())];
        events.extend(response.finish_with(status.into(), None));
        read(&log, &events);
    }
    assert!(accepted > 10_000 && refused > 10_000, "{accepted} accepted, {refused} refused");
}

/// One call of the whole interface, legal or not.
fn act(
    call: usize,
    response: &ResponseBuilder,
    messages: &mut Vec<MessageBuilder>,
    contents: &mut Vec<ContentBuilder>,
    rng: &mut Rng,
) -> Result<Vec<WireEvent>, UsageError> {
    let one = |event: Result<WireEvent, UsageError>| event.map(|event| vec![event]);
    let none = |done: Result<(), UsageError>| done.map(|()| Vec::new());
    let some = |status: usize| RunStatus::from(STATUSES[status]);
    let error = || ErrorInfo::new("c", "m");
    let value = Value::from([("k", "v".into()), ("n", 1.into())]);
    if call < 10 {
        return match call {
            0 => one(response.created()),
            1 => one(response.queued()),
            2 => one(response.in_progress()),
            // End calls are rarer than at random, because few programs would continue after one.
            3 if rng.below(4) == 0 => one(match rng.below(5) {
                0 => response.completed(),
                1 => response.failed(error()),
                2 => response.canceled(),
                3 => response.rejected(Some(error())),
                _ => response.incomplete(Some("max_output_tokens")),
            }),
            4 => {
                let mut message = foreign(some(rng.below(STATUSES.len())), &["x"]);
                message.r#type = MessageType::Message;
                message.id = format!("msg_{}", rng.below(6)).into();
                response.add_message(message)
            }
            5 => match messages.is_empty() {
                true => Ok(Vec::new()),
                false => {
                    let mut message = messages[rng.below(messages.len())].get_message_data();
                    message.status = some(rng.below(STATUSES.len()));
                    if rng.below(2) == 0 {
                        let next = message.content.len() as u32;
                        let more = Payload::Refusal { refusal: None };
                        message.content.push(Content::new("", next, more));
                    }
                    response.update_message(message)
                }
            },
            6 => none(response.set_usage(value)),
            _ => {
                let kinds = ["message", "reasoning", "plugin_call", "error", "a_new_one"];
                let made =
                    response.create_message_builder("assistant", kinds[rng.below(kinds.len())])?;
                messages.push(made);
                Ok(Vec::new())
            }
        };
    }
    if call < 20 {
        if messages.is_empty() {
            return Ok(Vec::new());
        }
        let message = &messages[rng.below(messages.len())];
        return match call {
            10 | 11 => one(message.in_progress()),
            12 => one(match rng.below(5) {
                0 => message.complete(),
                1 => message.failed(error()),
                2 => message.canceled(),
                3 => message.rejected(None),
                _ => message.incomplete(),
            }),
            13 => one(message.add_content(Payload::Data { data: Some(value) })),
            14 => none(message.set_usage(value)),
            15 => none(message.set_metadata(value)),
            16 => match rng.below(3) {
                0 => Ok(message.finish_with(some(rng.below(STATUSES.len())), None)),
                _ => none(message.set_error("c", "m")),
            },
            _ => {
                let kinds = ["text", "data", "image", "audio", "video", "file", "refusal", "odd"];
                let kind = kinds[rng.below(kinds.len())];
                contents.push(match rng.below(3) {
                    0 => message.create_content_builder_at(kind, rng.below(4) as u32)?,
                    _ => message.create_content_builder(kind)?,
                });
                Ok(Vec::new())
            }
        };
    }
    if contents.is_empty() {
        return Ok(Vec::new());
    }
    let content = &contents[rng.below(contents.len())];
    one(match call {
        20 | 21 => content.add_text_delta("a"),
        22 => content.add_delta(""),
        23 => content.set_text("set"),
        24 => content.add_refusal_delta("no"),
        25 => content.set_refusal("no"),
        26 => content.add_data_delta(odd_value(rng)),
        27 => content.set_data(value),
        28 => content.update_data("k", "w".into()),
        29 => content.set_image_url("u"),
        30 => content.set_video_url("u"),
        31 => content.set_audio("QQ==", Some("wav")),
        32 => content.set_file(FileFields { file_id: Some("f".to_owned()), ..Default::default() }),
        _ => content.complete(),
    })
}

/// Data of every shape, under keys that meet again.
fn odd_value(rng: &mut Rng) -> Value {
    let values = [
        Value::Null,
        true.into(),
        7.into(),
        Value::Number("0.5".into()),
        "text".into(),
        Value::Array(vec![1.into(), Value::Null]),
        Value::from([("k", "v".into()), ("n", Value::Null)]),
        Value::Object(vec![]),
    ];
    let mut pick = || values[rng.below(values.len())].clone();
    Value::from([("k", pick()), ("n", pick())])
}
