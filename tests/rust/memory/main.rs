//! Memory of readers and conversions is bounded by the length of the stream: peak bytes, counted by
//! the allocator.
//!
//! One test, because the allocator counts for the whole process. `MEMORY=1` prints the streams that
//! cost the most.

#[path = "../cost_curves/src/curves/mod.rs"]
mod curves;
mod items;
mod repeated;
#[expect(dead_code, reason = "some of it is for the tests beside it")]
#[path = "../hostile/streams.rs"]
mod streams;

use agentwire::ProtocolKind;
use agentwire::Reader;
use agentwire::a2a::A2a;
use agentwire::ag_kit::AgKit;
use agentwire::ag_ui::AgUi;
use agentwire::agent_api::{AgentApi, builder};
use agentwire::ai_sdk::AiSdk;
use agentwire::anthropic::Anthropic;
use agentwire::builder::Counter;
use agentwire::chat::Chat;
use agentwire::convert::{ConvertOptions, Converter};
use agentwire::gemini::Gemini;
use agentwire::interactions::Interactions;
use agentwire::internals::patch::PatchBuffer;
use agentwire::protocol::Protocol;
use agentwire::read::{AnyOptions, AnyStream};
use agentwire::responses::Responses;
use peak_alloc::PeakAlloc;

use crate::streams::Template;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The bytes that may be allocated, and that a conversion may write, per received byte, and the
/// base for any stream.
const GROWTH: usize = 64;
const BASE: usize = 512 << 10;

/// The number that the kinds of streams of `tests/rust/cost_curves` are written with.
const SIZE: usize = 1000;

/// Kinds whose bytes cost the most, and the size of a stream of some megabytes, in which the base
/// of the bound is little.
const LARGE: [(&str, usize); 2] =
    [("ai-sdk, data of many numbers", 1 << 16), ("anthropic, content of the start", 96_000)];

/// A stream, and how it is read.
struct Stream {
    name: String,
    protocol: ProtocolKind,
    options: AnyOptions,
    bytes: Vec<u8>,
}

/// Pushes a stream in chunks, and returns the number of allocated bytes above the bound, and the
/// maximum of allocated bytes per received byte.
fn exceeds(stream: &Stream, growth: usize, mut push: impl FnMut(&[u8])) -> (usize, f64) {
    let (mut came, mut excess, mut ratio) = (0, 0, 0.0_f64);
    let before = ALLOCATOR.current_usage();
    for piece in stream.bytes.chunks(4 << 10) {
        ALLOCATOR.reset_peak_usage();
        push(piece);
        came += piece.len();
        let held = ALLOCATOR.peak_usage().saturating_sub(before);
        excess = excess.max(held.saturating_sub(BASE + growth * came));
        ratio = ratio.max(held.saturating_sub(BASE / 8) as f64 / came as f64);
    }
    (excess, ratio)
}

fn read(stream: &Stream) -> (usize, f64) {
    fn all<P: Protocol>(protocol: P, stream: &Stream) -> (usize, f64) {
        let mut reader = Reader::with_options(protocol, stream.options.options.clone());
        exceeds(stream, GROWTH, |piece| {
            reader.push(piece);
        })
    }
    match stream.protocol {
        ProtocolKind::AgKit => all(AgKit::default(), stream),
        ProtocolKind::Responses => all(Responses::default(), stream),
        ProtocolKind::AgUi => all(AgUi::default(), stream),
        ProtocolKind::A2a => all(A2a::default(), stream),
        ProtocolKind::AiSdk => all(AiSdk::default(), stream),
        ProtocolKind::Chat => all(Chat::default(), stream),
        ProtocolKind::Anthropic => all(Anthropic::default(), stream),
        ProtocolKind::Gemini => all(Gemini::default(), stream),
        ProtocolKind::Interactions => all(Interactions::default(), stream),
        _ => all(AgentApi::default(), stream),
    }
}

/// Reads a stream as the WebAssembly module does, whose snapshot is stored in JavaScript.
fn patch(stream: &Stream) -> (usize, f64) {
    let mut patch = PatchBuffer::default();
    let mut reader = AnyStream::new(Some(stream.protocol), stream.options.clone(), &mut patch);
    exceeds(stream, GROWTH, |piece| {
        patch.clear();
        reader.push(piece, &mut patch);
    })
}

fn convert(stream: &Stream, to: ProtocolKind) -> (usize, f64) {
    let mut options = ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 0));
    options.read = stream.options.clone();
    let mut converter = Converter::new(stream.protocol, to, options).expect("a conversion");
    // The output belongs to the caller and is counted separately.
    let mut out = String::with_capacity(BASE + GROWTH * stream.bytes.len());
    let mut written = 0;
    // An interrupt of 25 to 35 bytes becomes two messages, which the builder of the Agent API
    // stores until the end of the response; and a question, which A2A sends with the end of the
    // run.
    let is_kept = stream.name.contains("interrupts")
        && [ProtocolKind::AgentApi, ProtocolKind::A2a].contains(&to);
    // A block or step of 27 bytes of an unknown type becomes a message that carries it for the next
    // request.
    let is_block = [
        "anthropic, a whole answer of unknown blocks",
        "interactions, a whole answer of unknown steps",
    ]
    .contains(&&*stream.name);
    let growth = if is_kept || is_block { 2 * GROWTH } else { GROWTH };
    let (excess, ratio) = exceeds(stream, growth, |piece| {
        out.clear();
        converter.push(piece, &mut out);
        written += out.len();
    });
    (excess.max(written.saturating_sub(BASE + growth * stream.bytes.len())), ratio)
}

/// The floods of `tests/data/hostile`, smaller.
fn floods() -> impl Iterator<Item = Stream> {
    Template::all("floods.json").into_iter().map(|flood| Stream {
        name: flood.text("name").to_owned(),
        protocol: flood.protocol(),
        options: flood.choices(),
        bytes: flood.bytes(flood.number("n").div_ceil(8)),
    })
}

/// The kinds of streams of `tests/rust/cost_curves`, and the large ones.
fn kinds() -> impl Iterator<Item = Stream> {
    let all = curves::ALL
        .iter()
        .flat_map(|(protocol, kinds)| kinds.iter().map(move |kind| (*protocol, kind)));
    all.flat_map(|(protocol, (kind, write))| {
        let name = format!("{protocol}, {kind}");
        let large = LARGE.iter().filter(|(large, _)| *large == name).map(|(_, size)| *size);
        let sizes: Vec<usize> = [SIZE].into_iter().chain(large).collect();
        sizes.into_iter().map(move |size| {
            let mut stream = curves::stream::Stream::default();
            write(&mut stream, size);
            let is_named = |kind: &ProtocolKind| kind.as_str() == protocol;
            let protocol =
                ProtocolKind::READABLE.iter().copied().find(is_named).expect("a protocol");
            Stream {
                name: name.clone(),
                protocol,
                options: AnyOptions::default(),
                bytes: stream.0.into_bytes(),
            }
        })
    })
}

#[test]
fn memory_is_at_most_64_bytes_per_byte_of_the_stream() {
    let (mut wrong, mut measured) = (Vec::new(), Vec::new());
    for stream in floods().chain(repeated::all()).chain(kinds()) {
        let mut measure = |how: String, (excess, ratio): (usize, f64)| {
            let said = format!("{ratio:>8.1} {}: {how}: {} bytes", stream.name, stream.bytes.len());
            if excess > 0 {
                wrong.push(format!("{said}, {excess} too many"));
            }
            measured.push((ratio, said));
        };
        measure("read".to_owned(), read(&stream));
        measure("patches".to_owned(), patch(&stream));
        for &to in ProtocolKind::WRITABLE.iter().filter(|to| **to != stream.protocol) {
            measure(format!("to {}", to.as_str()), convert(&stream, to));
        }
    }
    if std::env::var_os("MEMORY").is_some() {
        measured.sort_by(|one, other| other.0.total_cmp(&one.0));
        measured.iter().take(60).for_each(|(_, said)| eprintln!("{said}"));
    }
    assert!(measured.len() > 3_000, "{} measured", measured.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
