//! `agentwire emit`

use std::io::Write;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use agentwire::Misuse;
use agentwire::agent_api::Style;
use agentwire::agent_api::builder::{Options, ResponseBuilder, WireEvent};
use agentwire::id::RandomIds;
use agentwire::json::Value;

use crate::input::Unreadable;

#[derive(clap::Args)]
pub struct Arguments {
    /// What the agent says.
    #[arg(long, default_value = "今天北京晴，25 度。Take sunglasses 🕶️!")]
    text: String,
    /// In how many pieces it says it.
    #[arg(long, default_value_t = 8)]
    chunks: usize,
    /// Only the text, no reasoning and no tool call before it.
    #[arg(long)]
    plain: bool,
    /// Leave out members without a value.
    #[arg(long)]
    compact: bool,
    /// Wait this long before each event, in milliseconds.
    #[arg(long, default_value_t = 0)]
    delay: u64,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let style = if arguments.compact { Style::Compact } else { Style::Wire };
    let response = ResponseBuilder::new(Options::new(RandomIds, now).session_id("sample").style(style));
    // The calls are in the order that the protocol wants, so none of them is refused.
    let events = sample(&response, arguments).map_err(|misuse| Unreadable(misuse.to_string()))?;
    for event in events {
        std::thread::sleep(std::time::Duration::from_millis(arguments.delay));
        let mut out = std::io::stdout().lock();
        match out.write_all(event.to_sse().as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            written => written.map_err(|error| Unreadable(format!("cannot write: {error}")))?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn sample(response: &ResponseBuilder, arguments: &Arguments) -> Result<Vec<WireEvent>, Misuse> {
    let mut events = vec![response.created()?, response.in_progress()?];
    if !arguments.plain {
        say(response, "reasoning", &["I should look ", "the weather up."], &mut events)?;
        call(response, &mut events)?;
    }
    say(response, "message", &pieces(&arguments.text, arguments.chunks), &mut events)?;
    events.push(response.completed()?);
    Ok(events)
}

fn say(
    response: &ResponseBuilder,
    kind: &str,
    pieces: &[&str],
    events: &mut Vec<WireEvent>,
) -> Result<(), Misuse> {
    let message = response.create_message_builder("assistant", kind)?;
    events.push(message.in_progress()?);
    let text = message.create_content_builder("text")?;
    for piece in pieces {
        events.push(text.add_text_delta(piece)?);
    }
    events.extend([text.complete()?, message.complete()?]);
    Ok(())
}

fn call(response: &ResponseBuilder, events: &mut Vec<WireEvent>) -> Result<(), Misuse> {
    let message = response.create_message_builder("assistant", "plugin_call")?;
    events.push(message.in_progress()?);
    let data = message.create_content_builder("data")?;
    let identity = [("call_id", "call_1".into()), ("name", "get_weather".into()), ("arguments", "".into())];
    events.push(data.add_data_delta(Value::from(identity))?);
    for piece in ["{\"city\":", "\"北京\"}"] {
        events.push(data.add_data_delta(Value::from([("arguments", piece.into())]))?);
    }
    events.extend([data.complete()?, message.complete()?]);

    let message = response.create_message_builder("tool", "plugin_call_output")?;
    events.push(message.in_progress()?);
    let data = message.create_content_builder("data")?;
    let output =
        [("call_id", "call_1".into()), ("name", "get_weather".into()), ("output", "晴，25°C".into())];
    events.push(data.set_data(Value::from(output))?);
    events.extend([data.complete()?, message.complete()?]);
    Ok(())
}

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

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
