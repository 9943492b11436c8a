//! `agentwire emit`

use std::io::Write;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use agentwire::ProtocolKind;
use agentwire::UsageError;
use agentwire::ag_kit::builder::StreamBuilder;
use agentwire::agent_api::Style;
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::builder::{RandomIds, WireEvent};
use agentwire::emit::Writer;
use agentwire::json::Value;

use crate::input::{Unreadable, now};
use crate::protocol;

#[derive(clap::Args)]
pub struct Arguments {
    /// The protocol of the stream.
    #[arg(long, value_parser = protocol::target(), default_value = "agent-api")]
    protocol: ProtocolKind,
    /// The text of the answer.
    #[arg(long, default_value = "今天北京晴，25 度。Take sunglasses 🕶️!")]
    text: String,
    /// The number of deltas of the text.
    #[arg(long, default_value = "8")]
    chunks: NonZeroUsize,
    /// Only the text, no reasoning and no tool call before it.
    #[arg(long)]
    plain: bool,
    /// Agent API: omit properties without a value.
    #[arg(long)]
    compact: bool,
    /// Wait this long before each event, in milliseconds.
    #[arg(long, default_value_t = 0)]
    delay: u64,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let frames = |events: Vec<WireEvent>| events.iter().map(|event| event.as_sse().to_owned()).collect();
    let events = match arguments.protocol {
        ProtocolKind::AgKit => turn(arguments).map(frames),
        ProtocolKind::AgentApi => sample(arguments).map(frames),
        _ => written(arguments),
    };
    // The calls are in the order of the protocol, so all of them succeed.
    let events: Vec<String> = events.map_err(|misuse| Unreadable(misuse.to_string()))?;
    for event in events {
        std::thread::sleep(std::time::Duration::from_millis(arguments.delay));
        let mut out = std::io::stdout().lock();
        match out.write_all(event.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            written => written.map_err(|error| Unreadable(format!("cannot write: {error}")))?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The same answer in any other protocol, event by event.
fn written(arguments: &Arguments) -> Result<Vec<String>, UsageError> {
    let mut out = Writer::new(arguments.protocol, BuilderOptions::new(RandomIds, now))?;
    if !arguments.plain {
        out.reasoning("I should look the weather up.");
        let call = out.call("get_weather");
        ARGUMENTS.iter().for_each(|piece| out.arguments(&call, piece));
        out.result(&call, OUTPUT);
    }
    pieces(&arguments.text, arguments.chunks.get()).into_iter().for_each(|piece| out.text(piece));
    out.complete();
    Ok(out.take().split_inclusive("\n\n").map(ToOwned::to_owned).collect())
}

/// A turn of AG-Kit: a tool that the server calls, and the text.
fn turn(arguments: &Arguments) -> Result<Vec<WireEvent>, UsageError> {
    let mut out = StreamBuilder::new();
    let mut events = Vec::new();
    if !arguments.plain {
        events.push(out.tool_call_start("call_1", "get_weather")?);
        for piece in ARGUMENTS {
            events.push(out.tool_call_args("call_1", piece)?);
        }
        events.extend([out.tool_call_end("call_1")?, out.tool_result("call_1", OUTPUT)?]);
    }
    for piece in pieces(&arguments.text, arguments.chunks.get()) {
        events.push(out.text(piece)?);
    }
    events.push(out.done()?);
    Ok(events)
}

/// A run of the Agent API: reasoning, a tool call with its output, and the text.
fn sample(arguments: &Arguments) -> Result<Vec<WireEvent>, UsageError> {
    let style = if arguments.compact { Style::Compact } else { Style::Wire };
    let response =
        &ResponseBuilder::new(BuilderOptions::new(RandomIds, now).session_id("sample").style(style));
    let mut events = vec![response.created()?, response.in_progress()?];
    if !arguments.plain {
        message(response, "reasoning", &["I should look ", "the weather up."], &mut events)?;
        call(response, &mut events)?;
    }
    message(response, "message", &pieces(&arguments.text, arguments.chunks.get()), &mut events)?;
    events.push(response.completed()?);
    Ok(events)
}

fn message(
    response: &ResponseBuilder,
    kind: &str,
    pieces: &[&str],
    events: &mut Vec<WireEvent>,
) -> Result<(), UsageError> {
    let message = response.create_message_builder("assistant", kind)?;
    events.push(message.in_progress()?);
    let text = message.create_content_builder("text")?;
    for piece in pieces {
        events.push(text.add_text_delta(piece)?);
    }
    events.extend([text.complete()?, message.complete()?]);
    Ok(())
}

fn call(response: &ResponseBuilder, events: &mut Vec<WireEvent>) -> Result<(), UsageError> {
    let message = response.create_message_builder("assistant", "plugin_call")?;
    events.push(message.in_progress()?);
    let data = message.create_content_builder("data")?;
    let identity = [("call_id", "call_1".into()), ("name", "get_weather".into()), ("arguments", "".into())];
    events.push(data.add_data_delta(Value::from(identity))?);
    for piece in ARGUMENTS {
        events.push(data.add_data_delta(Value::from([("arguments", piece.into())]))?);
    }
    events.extend([data.complete()?, message.complete()?]);

    let message = response.create_message_builder("tool", "plugin_call_output")?;
    events.push(message.in_progress()?);
    let data = message.create_content_builder("data")?;
    let output = [("call_id", "call_1".into()), ("name", "get_weather".into()), ("output", OUTPUT.into())];
    events.push(data.set_data(Value::from(output))?);
    events.extend([data.complete()?, message.complete()?]);
    Ok(())
}

/// The arguments of the sample's tool call, in pieces, and its output.
const ARGUMENTS: [&str; 2] = ["{\"city\":", "\"北京\"}"];
const OUTPUT: &str = "晴，25°C";

/// Cuts a text into that many pieces, or as many as it has characters.
fn pieces(text: &str, count: usize) -> Vec<&str> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let count = count.clamp(1, starts.len().max(1));
    let mut pieces = Vec::with_capacity(count);
    let mut from = 0;
    for piece in 1..=count {
        let end = starts.get(piece * starts.len() / count).copied().unwrap_or(text.len());
        pieces.push(&text[from..end]);
        from = end;
    }
    pieces
}
