//! `agentwire compact`

use std::path::Path;
use std::process::ExitCode;

use agentwire::AnyReader;
use agentwire::ProtocolKind;
use agentwire::ag_ui::Compactor;
use agentwire::read::{EventReader, StreamEntry};
use agentwire::sse;

use crate::input::{StreamInput, Unreadable, counted};
use crate::output::write;
use crate::source::{self, InputProbe};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: StreamInput,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let Arguments { input } = arguments;
    let (protocol, choices) = input.choices();
    if protocol.is_some_and(|protocol| protocol != ProtocolKind::AgUi) {
        return Err(Unreadable("`compact` reads AG-UI only".to_owned()));
    }
    let mut looks = InputProbe::default();
    let mut checker = AnyReader::with_options(ProtocolKind::AgUi, choices.clone());
    let mut reader = EventReader::new(Some(ProtocolKind::AgUi), &choices.options);
    let mut compactor = Compactor::default();
    let mut lost = OmittedParts::default();
    let mut take = |entries: Vec<StreamEntry>| {
        for entry in entries {
            lost.note(&entry);
            if let StreamEntry::Event(event) = entry {
                compactor.push(&event.data);
            }
        }
    };
    input.chunks(|bytes| {
        looks.push(bytes);
        checker.push(bytes);
        take(reader.push(bytes));
    })?;
    take(reader.finish());
    let report = checker.finish().report;
    // An error of another form would be the only event.
    let is_foreign = report
        .violations
        .iter()
        .any(|found| found.rule.id == "foreign-error" && found.at.event == 0);
    let foreign = is_foreign.then(|| looks.refusal(&input.file));
    if let Some(complaint) = looks.complaint(&input.file, &report).or(foreign) {
        eprintln!("agentwire: {complaint}");
        return Ok(ExitCode::FAILURE);
    }
    let mut out = String::new();
    for event in compactor.finish() {
        sse::event(&mut out, None, None, &event);
    }
    write(&out)?;
    input.summarize(&input.file, ProtocolKind::AgUi, &report);
    Ok(lost.print(&input.file))
}

/// The parts of a stream that its compacted form does not have.
#[derive(Default)]
struct OmittedParts {
    /// Events that were over a limit or could not be decoded.
    events: u64,
    /// Comments, event names and event ids: they are not part of the answer.
    fields: u64,
}

impl OmittedParts {
    fn note(&mut self, entry: &StreamEntry) {
        match entry {
            StreamEntry::Oversize(_) => self.events += 1,
            StreamEntry::Event(event) if event.data.is_empty() => self.events += 1,
            StreamEntry::Event(event) => {
                self.fields += u64::from(!event.id.is_empty()) + u64::from(event.name != "message");
            }
            StreamEntry::Comment(_) => self.fields += 1,
            _ => {}
        }
    }

    /// Prints the number of losses; a lost event is a failure.
    fn print(&self, file: &Path) -> ExitCode {
        let name = source::name(file);
        if self.fields > 0 {
            let fields = counted(
                self.fields,
                "comment, event name or event id",
                "comments, event names and event ids",
            );
            eprintln!("agentwire: {name}: {fields} left out");
        }
        if self.events == 0 {
            return ExitCode::SUCCESS;
        }
        let events = counted(self.events, "event", "events");
        eprintln!("agentwire: {name}: {events} lost: over a limit, or not decodable");
        ExitCode::FAILURE
    }
}
