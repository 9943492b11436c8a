//! `agentwire compact`

use std::io::{Write, stdout};
use std::process::ExitCode;

use agentwire::ag_ui::Compactor;
use agentwire::protocols::ProtocolKind;
use agentwire::read::events::{Entry, EventReader};
use agentwire::sse;

use crate::input::{Input, Unreadable};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let (_, choices) = arguments.input.choices();
    let mut reader = EventReader::new(Some(ProtocolKind::AgUi), &choices.options);
    let mut compactor = Compactor::default();
    let mut take = |entries: Vec<Entry>| {
        for entry in entries {
            if let Entry::Event(event) = entry {
                compactor.push(&event.data);
            }
        }
    };
    arguments.input.chunks(|bytes| take(reader.push(bytes)))?;
    take(reader.finish());
    let mut out = String::new();
    for event in compactor.finish() {
        sse::event(&mut out, None, None, &event);
    }
    let unwritable = |error| Unreadable(format!("cannot write: {error}"));
    stdout().write_all(out.as_bytes()).map_err(unwritable)?;
    Ok(ExitCode::SUCCESS)
}
