//! Dumps everything that the crate does with the corpus, mutated streams and random builder
//! programs, one hash per item, so that two commits can be compared. See `bin/dump.rs`.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher};

use agentwire::ag_ui::builder::{Outcome, StreamBuilder as AgUiBuilder};
use agentwire::ag_ui::events::Event as AgUiEvent;
use agentwire::builder::{Counter, WireEvent};
use agentwire::convert::Endpoint;
use agentwire::internals::patch::PatchBuffer;
use agentwire::read::{AnyStream, EventReader, Mode};
use agentwire::responses::builder::{PartKind, StreamBuilder as ResponsesBuilder};
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
        let from = setting.protocol.map(Endpoint::Protocol);
        for to in PROTOCOLS {
            self.item(&format!("{name} to {}", to.as_str()), || {
                let (written, losses) =
                    convert(setting, from, Endpoint::Protocol(to), chunks, false);
                format!("{written}\n{losses}")
            });
        }
        if from.is_some() {
            self.item(&format!("{name} to steps"), || {
                convert(setting, from, Endpoint::Steps, chunks, false).0
            });
        }
    }

    /// Dumps random calls of the builders.
    pub fn programs(&mut self, corpus: &Corpus, count: usize) {
        let streams = corpus.protocols.iter().find(|(protocol, _)| protocol == "ag-ui");
        let streams = streams.map_or(&[][..], |(_, streams)| streams);
        let events: Vec<&str> = streams
            .iter()
            .filter_map(|stream| std::str::from_utf8(stream).ok())
            .flat_map(|stream| stream.lines().filter_map(|line| line.strip_prefix("data: ")))
            .collect();
        for at in 0..count {
            let tape = noise(at);
            self.item(&format!("program {at} agent-api"), || agent_api(Tape(&tape)));
            self.item(&format!("program {at} ag-ui"), || ag_ui(Tape(&tape), &events));
            self.item(&format!("program {at} responses"), || responses(Tape(&tape)));
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

/// Methods, and events of recorded streams in any order.
fn ag_ui(mut tape: Tape<'_>, recorded: &[&str]) -> String {
    let mut log = Log::default();
    let mut builder = AgUiBuilder::new("thread", "run").ids(Counter::default()).chunks(tape.flag());
    if tape.below(8) > 0 {
        log.all(builder.start());
    }
    while !tape.is_done() {
        let (id, text) = (tape.one_of(IDS), tape.text());
        let lane = tape.one_of(&["", "", "", "c1", "c2"]);
        let lane = (!lane.is_empty()).then_some(lane);
        log.all(match tape.below(40) {
            0..=3 => builder.lane(lane).text(&text),
            4..=5 => builder.lane(lane).reasoning(&text),
            6 => Ok(builder.lane(lane).end_message()),
            7..=8 => builder.lane(lane).tool_call_start(id, &text),
            9..=10 => builder.lane(lane).tool_call_args(id, &text),
            11 => builder.tool_call_end(id),
            12 => builder.tool_result(id, tape.value(2)),
            13 => builder.state(&tape.value(3)),
            14 => builder.activity(id, &text, &tape.value(3)),
            15 => builder.lane(lane).step_started(&text),
            16 => builder.lane(lane).step_finished(&text),
            17 => builder.subagent_started(id, &text),
            18 => builder.custom(&text, tape.value(2)),
            19 if tape.below(4) == 0 => {
                builder.finish(Outcome::Success, tape.flag().then(|| tape.value(2)))
            }
            20 if tape.below(4) == 0 => builder.error(&text, None),
            21 => builder.start(),
            _ => {
                let event = recorded[(tape.below(256) * 256 + tape.below(256)) % recorded.len()];
                match AgUiEvent::decode(event, 128) {
                    Ok(event) => builder.event(&event),
                    Err(_) => continue,
                }
            }
        });
    }
    log.events(&builder.finish_with(tape.flag().then_some("the end")));
    log.0
}

fn responses(mut tape: Tape<'_>) -> String {
    const KINDS: [PartKind; 4] =
        [PartKind::Text, PartKind::Refusal, PartKind::Reasoning, PartKind::Summary];
    const TYPES: &[&str] = &[
        "message",
        "message",
        "reasoning",
        "function_call",
        "custom_tool_call",
        "web_search_call",
        "new",
    ];
    let mut log = Log::default();
    let mut builder = ResponsesBuilder::new("resp", "model", 1_700_000_000).ids(Counter::default());
    if tape.below(8) > 0 {
        log.all(builder.start());
    }
    while !tape.is_done() {
        let (text, item, at) = (tape.text(), tape.below(4) as u32, tape.below(3) as u32);
        let kind = KINDS[tape.below(4)];
        log.all(match tape.below(40) {
            0..=5 => {
                let members = if tape.flag() { call(&mut tape) } else { tape.object(2) };
                builder.item(tape.one_of(TYPES), None, members).map(|(_, event)| vec![event])
            }
            6..=10 => builder.part(item, kind).map(|(_, event)| vec![event]),
            11..=18 => builder.delta(item, kind, at, &text).map(|event| vec![event]),
            19 => builder.annotation(item, at, &tape.value(2)).map(|event| vec![event]),
            20 => builder.replace(item, kind, at, &text).map(|()| Vec::new()),
            21..=23 => builder.end_part(item, kind, at),
            24 => builder.retract_part(item, kind, at).map(|()| Vec::new()),
            25..=28 => builder.arguments(item, &text).map(|event| vec![event]),
            29 => builder.end_arguments(item).map(|event| vec![event]),
            30..=32 => {
                let status = tape.one_of(&["completed", "incomplete", "odd"]);
                builder.end_item(item, status, tape.object(2))
            }
            33 => builder.retract(item).map(|()| Vec::new()),
            34 => builder.progress(item, "searching").map(|event| vec![event]),
            35 => builder.audio(&text).map(|event| vec![event]),
            36 => builder.usage(tape.value(2)).map(|()| Vec::new()),
            37 if tape.below(4) == 0 => builder.complete(),
            38 if tape.below(4) == 0 => builder.fail("server_error", &text),
            39 if tape.below(4) == 0 => builder.incomplete(Some(&text)),
            _ => continue,
        });
    }
    log.events(&builder.finish_with(tape.flag().then_some(("code", "the end"))));
    log.0
}

fn call(tape: &mut Tape<'_>) -> agentwire::json::Value {
    [("call_id", tape.one_of(IDS).into()), ("name", tape.text().into())].into()
}

const IDS: &[&str] = &["c1", "c2", "c1", "c3", "", "\u{2028}\"\\", "c2"];
