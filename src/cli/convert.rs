//! `agentwire convert`

use std::process::ExitCode;

use agentwire::ProtocolKind;
use agentwire::agent_api::Style;
use agentwire::agent_api::builder;
use agentwire::builder::RandomIds;
use agentwire::convert::{ConversionSide, ConvertOptions, Converter};
use agentwire::hub::Losses;

use crate::input::{StreamInput, Unreadable, now};
use crate::output::write;
use crate::protocol;
use crate::source::InputProbe;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: StreamInput,
    /// The protocol to write.
    #[arg(long, value_parser = protocol::target())]
    to: ProtocolKind,
    /// Print the losses, and the violations of the source, as one JSON object on standard error
    /// instead of one line for each loss.
    #[arg(long)]
    report: bool,
    /// Agent API: omit properties without a value.
    #[arg(long)]
    compact: bool,
    /// Agent API: the session id, in place of that of the source.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let style = if arguments.compact { Style::Compact } else { Style::Wire };
    let mut target = builder::BuilderOptions::new(RandomIds, now).style(style);
    if let Some(session) = &arguments.session {
        target = target.session_id(session);
    }
    let (protocol, choices) = arguments.input.choices();
    let mut options = ConvertOptions::new(target);
    let mut looks = InputProbe::default();
    options.read = choices;
    let mut converter = Converter::new(protocol, arguments.to, options)
        .map_err(|misuse| Unreadable(misuse.to_string()))?;
    let mut out = String::new();
    let mut written = Ok(());
    let mut is_long = false;
    arguments.input.chunks(|bytes| {
        looks.push(bytes);
        // The output of a long event is written before that of the events after it.
        let end = bytes.iter().position(|byte| *byte == b'\n').map(|line| line + 2);
        let (rest, more) =
            bytes.split_at(end.filter(|end| is_long && *end < bytes.len()).unwrap_or(0));
        is_long = end.is_none();
        for bytes in [rest, more] {
            converter.push(bytes, &mut out);
            written = std::mem::replace(&mut written, Ok(())).and_then(|()| send(&mut out));
        }
    })?;
    converter.finish(&mut out);
    let source = match converter.source() {
        Some(ConversionSide::Protocol(source)) => source,
        _ => ProtocolKind::FALLBACK,
    };
    let file = &arguments.input.file;
    let complaint = converter.report().and_then(|report| looks.complaint(file, report));
    if let Some(complaint) = complaint {
        // The output of an input that is not a stream is not written: it would look like an answer.
        eprintln!("agentwire: {complaint}");
        return Ok(ExitCode::FAILURE);
    }
    written.and_then(|()| send(&mut out))?;
    if let Some(report) = converter.report().filter(|_| !arguments.report) {
        arguments.input.summarize(file, source, report);
    }
    let none = Losses::default();
    let losses = converter.losses().unwrap_or(&none);
    if arguments.report {
        let mut report = losses.to_json();
        report.pop();
        let source =
            converter.report().map_or_else(|| "null".to_owned(), |report| report.to_json());
        eprintln!("{report},\"source\":{source}}}");
    } else {
        let listed = losses.iter().count() as u64;
        for loss in losses.iter() {
            let place = if loss.location.is_empty() {
                String::new()
            } else {
                format!(" ({})", loss.location)
            };
            eprintln!("lost: {}{place}: {}", loss.kind, loss.reason);
        }
        let all: u64 = losses.counts().iter().map(|(_, count)| count).sum();
        if all > listed {
            eprintln!("lost: {} more", all - listed);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes `out` to the standard output and empties it.
fn send(out: &mut String) -> Result<(), Unreadable> {
    write(out)?;
    out.clear();
    Ok(())
}
