//! Dumps everything that the crate does with the corpus, mutated streams and random builder
//! programs, one hash per item, so that two commits can be compared. See `bin/dump.rs`.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher};

use agentwire::builder::WireEvent;
use agentwire::convert::ConversionSide;
use agentwire::internals::patch::PatchBuffer;
use agentwire::read::{AnyStream, EventReader, Mode};
use agentwire::{AnyReader, UsageError};
use agentwire_cases::cut;

use crate::converting::{PROTOCOLS, convert};
use crate::corpus::Corpus;
use crate::mutated::Inputs;
use crate::program::Program;
use crate::setting::{self, Setting};
use crate::tape::{Tape, noise};

/// Receives the name of each item and its content.
pub struct Dump<'a> {
    /// Prints the contents of items whose names contain this text; without it, hashes of all items.
    pub show: Option<String>,
    /// The output.
    pub out: &'a mut dyn std::io::Write,
}

impl Dump<'_> {
    fn item(&mut self, name: &str, content: impl FnOnce() -> String) {
        let is_shown = self.show.as_ref().is_some_and(|part| name.contains(part.as_str()));
        if self.show.is_some() && !is_shown {
            return;
        }
        let content = content();
        let written = if is_shown {
            writeln!(self.out, "== {name}\n{content}")
        } else {
            let mut hasher = DefaultHasher::new();
            hasher.write(content.as_bytes());
            writeln!(self.out, "{name} {:016x}", hasher.finish())
        };
        written.expect("the output is open");
    }

    /// Dumps every stream of the corpus.
    pub fn corpus(&mut self, corpus: &Corpus) {
        for (protocol, streams) in &corpus.protocols {
            for (at, stream) in streams.iter().enumerate() {
                let (setting, _) = setting::split(&[setting::number_of(protocol)]);
                let cuts =
                    [vec![stream.as_slice()], cut::random(stream, at as u64), cut::single(stream)];
                for (mode, word) in
                    [(Mode::Lenient, "lenient"), (Mode::Strict, "strict"), (Mode::Raw, "raw")]
                {
                    let mut setting = setting.clone();
                    setting.choices.options.mode = mode;
                    for (cut, chunks) in ["whole", "random", "single"].into_iter().zip(&cuts) {
                        self.read(
                            &format!("corpus {protocol} {at} {word} {cut}"),
                            &setting,
                            chunks,
                        );
                    }
                }
                for (cut, chunks) in ["whole", "random", "single"].into_iter().zip(&cuts) {
                    self.convert(&format!("corpus {protocol} {at} {cut}"), &setting, chunks);
                }
            }
        }
    }

    /// Dumps mutated streams.
    pub fn mutated(&mut self, corpus: &Corpus, count: usize) {
        let mut inputs = Inputs::new(corpus, 5);
        for at in 0..count {
            let input = inputs.input();
            let (setting, stream) = setting::split(&input.bytes);
            let chunks = cut::random(stream, setting.cut);
            self.read(&format!("mutated {at}"), &setting, &chunks);
            if at % 4 == 0 {
                self.convert(&format!("mutated {at}"), &setting, &chunks);
            }
        }
    }

    fn read(&mut self, name: &str, setting: &Setting, chunks: &[&[u8]]) {
        self.item(&format!("{name} patches"), || patches(setting, chunks));
        self.item(&format!("{name} answer"), || answer(setting, chunks));
        self.item(&format!("{name} events"), || {
            let mut reader = EventReader::new(setting.protocol, &setting.choices.options);
            let mut text = String::new();
            for entry in chunks.iter().flat_map(|chunk| reader.push(chunk)).collect::<Vec<_>>() {
                _ = writeln!(text, "{entry:?}");
            }
            _ = write!(text, "{:?}", reader.finish());
            text
        });
    }

    fn convert(&mut self, name: &str, setting: &Setting, chunks: &[&[u8]]) {
        let from = setting.protocol.map(ConversionSide::Protocol);
        for to in PROTOCOLS {
            self.item(&format!("{name} to {}", to.as_str()), || {
                let (written, losses) =
                    convert(setting, from, ConversionSide::Protocol(to), chunks, false);
                format!("{written}\n{losses}")
            });
        }
        if from.is_some() {
            self.item(&format!("{name} to steps"), || {
                convert(setting, from, ConversionSide::Steps, chunks, false).0
            });
        }
    }

    /// Dumps random calls of the Agent API's builders.
    pub fn programs(&mut self, count: usize) {
        for at in 0..count {
            let tape = noise(at);
            self.item(&format!("program {at} agent-api"), || agent_api(Tape(&tape)));
        }
    }
}

/// Returns the patch of every push, with the state of the stream after it.
fn patches(setting: &Setting, chunks: &[&[u8]]) -> String {
    let mut patch = PatchBuffer::default();
    let mut stream = AnyStream::new(setting.protocol, setting.choices.clone(), &mut patch);
    let mut text = String::new();
    let mut take = |stream: &AnyStream, patch: &mut PatchBuffer| {
        let known = (stream.has_ended(), stream.protocol(), stream.last_event_id());
        _ = writeln!(text, "{:?} {:?} {:?} {known:?}", patch.ops(), patch.text(), patch.long());
        patch.clear();
    };
    take(&stream, &mut patch);
    for chunk in chunks {
        stream.push(chunk, &mut patch);
        take(&stream, &mut patch);
    }
    stream.finish(&mut patch);
    take(&stream, &mut patch);
    text + &stream.report().to_json()
}

/// Returns the snapshot and the changes of every push, and the report.
fn answer(setting: &Setting, chunks: &[&[u8]]) -> String {
    let mut reader = AnyReader::with_options(setting.protocol, setting.choices.clone());
    let mut text = String::new();
    for chunk in chunks {
        _ = writeln!(text, "{:?}", reader.push(chunk).to_vec());
    }
    let outcome = reader.finish();
    _ = writeln!(text, "{}", outcome.snapshot.to_json());
    _ = writeln!(text, "{:?}", outcome.snapshot.calls_to_json());
    text + &outcome.report.to_json()
}

/// The text of everything that a program writes, and of its refusals.
#[derive(Default)]
struct Log(String);

impl Log {
    fn all(&mut self, result: Result<Vec<WireEvent>, UsageError>) {
        match result {
            Ok(events) => self.events(&events),
            Err(error) => _ = writeln!(self.0, "refused: {error}"),
        }
    }

    fn events(&mut self, events: &[WireEvent]) {
        events.iter().for_each(|event| self.0 += &event.to_sse());
    }
}

fn agent_api(tape: Tape<'_>) -> String {
    let mut log = Log::default();
    let mut program = Program::new(tape);
    program.begin();
    log.events(&program.events);
    while !program.tape.is_done() {
        log.all(program.call());
    }
    let (status, error) = (program.status(), program.error());
    log.events(&program.response.finish_with(status, error));
    log.0
}
