//! Binary frames: AG-UI's events as messages, to events and back; and fewer of them.

use agentwire::ProtocolKind;
use agentwire::ag_ui::{Compactor, binary};
use agentwire::read::{EventReader, StreamEntry};
use agentwire::sse::Framing;
use agentwire_cases::cut;

use crate::answers::read;
use crate::bounds;
use crate::corpus::Corpus;
use crate::setting::{self, Setting};

/// The maximum number of bytes allocated per input byte, and the base for any input.
const GROWTH: usize = 64;
const BASE: usize = 4096;

/// - The snapshot and the report do not depend on chunk boundaries (a frame that is assembled
///   wrongly).
/// - The snapshot stays within the limits, and has at most 64 times the size of the input (a
///   message of two bytes that
///   becomes an object).
/// - The events are those that the snapshot reader counts (an event that is decoded twice, or not
///   at all).
/// - An event that is written without a loss reads as the same, and is written again as the same
///   (a field with a wrong
///   number, a default that is not distinguished from an absent member).
/// - The compacted events yield the same snapshot (a delta that is moved past an event that
///   depends on it).
pub fn check(input: &[u8]) {
    let (mut setting, stream) = setting::split(input);
    setting.protocol = Some(ProtocolKind::AgUi);
    setting.choices.options.framing = Framing::LengthPrefixed;
    let whole = read(&setting, &[stream]);
    let said = [whole.snapshot.to_json(), whole.report.to_json()];
    for chunks in [cut::random(stream, setting.cut), cut::single(stream)] {
        let other = read(&setting, &chunks);
        assert_eq!([other.snapshot.to_json(), other.report.to_json()], said, "cut");
    }
    bounds::hold(&setting.choices.options.limits, &whole);
    let held = bounds::held(&whole);
    assert!(held <= BASE + GROWTH * stream.len(), "{} bytes became {held}", stream.len());

    let events = events(&setting, stream);
    if setting.choices.options.mode == agentwire::read::Mode::Lenient {
        assert_eq!(events.len() as u64, whole.report.events, "events");
    }
    let mut compactor = Compactor::default();
    let mut all = Vec::new();
    for (data, is_right) in &events {
        compactor.push(data);
        all.extend_from_slice(format!("data: {data}\n\n").as_bytes());
        if *is_right {
            again(&setting, data);
        }
    }
    let fewer: String =
        compactor.finish().iter().map(|event| format!("data: {event}\n\n")).collect();
    let mut usual = Setting { choices: Default::default(), ..setting };
    usual.choices.options.seed = 7;
    let answer = |stream: &[u8]| read(&usual, &[stream]).snapshot.to_json();
    assert_eq!(answer(fewer.as_bytes()), answer(&all), "compacted");
}

/// Returns the data of each event, and whether it is right.
fn events(setting: &Setting, stream: &[u8]) -> Vec<(String, bool)> {
    let mut reader = EventReader::new(setting.protocol, &setting.choices.options);
    let mut entries = reader.push(stream);
    entries.extend(reader.finish());
    let event = |entry| match entry {
        StreamEntry::Event(event) => Some((event.data, event.fault.is_none())),
        _ => None,
    };
    entries.into_iter().filter_map(event).collect()
}

fn again(setting: &Setting, data: &str) {
    let Ok(written) = binary::encode(data, 512) else { return };
    let length = written.frame.len() - 4;
    assert_eq!(written.frame[..4], (length as u32).to_be_bytes(), "the length");
    let options = &setting.choices.options;
    if !written.lost.is_empty() || length > options.limits.event_bytes {
        return;
    }
    let read = events(setting, &written.frame);
    let [(read, is_right)] = &read[..] else { panic!("one event: {read:?}") };
    // Beyond a limit it is not an event.
    if read.is_empty() && !is_right {
        return;
    }
    let twice = binary::encode(read, 512).expect("an encodable event");
    assert_eq!(twice.frame, written.frame, "{data} as {read}");
}

/// The binary streams, and the others in binary form.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let mut seed = |at: usize, stream: &[u8]| {
        seeds.push([&setting::prefix(setting::AG_UI, at as u8, at), stream].concat());
    };
    corpus.binary.iter().enumerate().for_each(|(at, stream)| seed(at, stream));
    for (_, streams) in corpus.protocols.iter().filter(|(name, _)| name == "ag-ui") {
        for (at, stream) in streams.iter().enumerate() {
            let mut reader = EventReader::new(Some(ProtocolKind::AgUi), &Default::default());
            let mut entries = reader.push(stream);
            entries.extend(reader.finish());
            let frame = |entry: &StreamEntry| match entry {
                StreamEntry::Event(event) => {
                    binary::encode(&event.data, 128).ok().map(|encoded| encoded.frame)
                }
                _ => None,
            };
            let frames: Vec<u8> = entries.iter().filter_map(frame).flatten().collect();
            seed(at, &frames);
        }
    }
    seeds
}
