//! Writes a valid Agent API stream to the standard output, as a server does: reasoning, a tool call
//! with its result, and a text that is cut off in the middle.
//!
//! `cargo run --example emit`, or `cargo run --example emit -- "some words to stream"` for one
//! complete text.

use agentwire::UsageError;
use agentwire::agent_api::RunStatus;
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::agent_api::request::{FunctionCall, FunctionCallOutput};
use agentwire::builder::Counter;
use agentwire::builder::WireEvent;
use agentwire::json::Value;
use std::io::{Result, Write};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut out = std::io::stdout().lock();
    let response =
        ResponseBuilder::new(BuilderOptions::new(Counter::default(), now).session_id("session_1"));
    let events = match std::env::args().nth(1) {
        Some(words) => {
            response.generate_streaming_response(words.split_inclusive(' '), "assistant")
        }
        None => agent(&response),
    };
    // Always end the stream, even after an error in this program, so that the client does not wait
    // forever.
    let events = events.unwrap_or_else(|misuse| {
        let _ = writeln!(std::io::stderr(), "{misuse}");
        response.finish_with(RunStatus::Failed, None)
    });
    for event in events {
        out.write_all(event.to_sse().as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

/// Creates the events of a run. A server would send each event as soon as it is created.
fn agent(response: &ResponseBuilder) -> core::result::Result<Vec<WireEvent>, UsageError> {
    let mut events = vec![response.created()?, response.in_progress()?];

    let thought = response.create_message_builder("assistant", "reasoning")?;
    events.push(thought.in_progress()?);
    let text = thought.create_content_builder("text")?;
    events.push(text.add_text_delta("I need to know ")?);
    events.push(text.add_text_delta("the weather.")?);
    events.extend(thought.finish_with(RunStatus::Completed, None));

    let call = response.create_message_builder("assistant", "function_call")?;
    events.push(call.in_progress()?);
    let data = call.create_content_builder("data")?;
    let begin = FunctionCall {
        call_id: Some("call_1".to_owned()),
        name: Some("get_weather".to_owned()),
        arguments: Some(String::new()),
    };
    events.push(data.add_data_delta(begin.to_value())?);
    for piece in ["{\"city\": ", "\"Beijing\"}"] {
        events.push(data.add_data_delta(Value::from([("arguments", piece.into())]))?);
    }
    events.push(data.complete()?);
    events.push(call.complete()?);

    let answer = response.create_message_builder("tool", "function_call_output")?;
    events.push(answer.in_progress()?);
    let output = FunctionCallOutput {
        call_id: "call_1".to_owned(),
        name: Some("get_weather".to_owned()),
        output: "{\"temperature\": 21}".to_owned(),
    };
    let data = answer.create_content_builder("data")?;
    events.push(data.set_data(output.to_value())?);
    events.push(data.complete()?);
    events.push(answer.complete()?);

    let message = response.create_message_builder("assistant", "message")?;
    events.push(message.in_progress()?);
    let text = message.create_content_builder("text")?;
    events.push(text.add_text_delta("It is 21 degrees in ")?);

    // Here the client disconnects. One call closes the text, the message and the response.
    events.extend(response.finish_with(RunStatus::Canceled, None));
    Ok(events)
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().cast_signed())
}
