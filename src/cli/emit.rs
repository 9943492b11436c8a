//! `agentwire emit`

use std::num::NonZeroUsize;
use std::process::ExitCode;

use agentwire::ProtocolKind;
use agentwire::UsageError;
use agentwire::agent_api::Style;
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::RandomIds;
use agentwire::emit::Writer;

use crate::input::{Unreadable, now};
use crate::output::write;
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
    // Only the name of the protocol can be wrong.
    let stream = sample(arguments).map_err(|misuse| Unreadable(misuse.to_string()))?;
    for event in stream.split_inclusive("\n\n") {
        std::thread::sleep(std::time::Duration::from_millis(arguments.delay));
        if !write(event)? {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the stream of an answer: reasoning, a tool call with its result, and the text.
fn sample(arguments: &Arguments) -> Result<String, UsageError> {
    let style = if arguments.compact { Style::Compact } else { Style::Wire };
    let options = BuilderOptions::new(RandomIds, now).session_id("sample").style(style);
    let mut out = Writer::new(arguments.protocol, options)?;
    if !arguments.plain {
        ["I should look ", "the weather up."].iter().for_each(|piece| out.reasoning(piece));
        let call = out.call("get_weather");
        ARGUMENTS.iter().for_each(|piece| out.arguments(&call, piece));
        out.result(&call, OUTPUT);
    }
    pieces(&arguments.text, arguments.chunks.get()).into_iter().for_each(|piece| out.text(piece));
    out.complete();
    Ok(out.take())
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
