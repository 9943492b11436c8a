//! Floods: what a stream of any size costs grows no faster than the stream.

use std::time::{Duration, Instant};

use agentwire::Reader;
use agentwire::a2a::A2a;
use agentwire::ag_kit::AgKit;
use agentwire::ag_ui::AgUi;
use agentwire::agent_api::AgentApi;
use agentwire::agent_api::builder;
use agentwire::convert::{ConvertOptions, Converter};
use agentwire::core::fold::Protocol;
use agentwire::core::id::Counter;
use agentwire::core::patch::PatchBuffer;
use agentwire::read::any::AnyStream;
use agentwire::read::detect::ProtocolKind;
use agentwire::responses::Responses;

use crate::streams::Template;

/// Eight times the stream may cost so many times as much. A cost that grows with the square is 64 times as much.
const MOST: f64 = 24.0;

/// Costs below this are the machine's noise.
const NOISE: Duration = Duration::from_millis(4);

/// How long this thread has worked: where the system says so without the time that others had the processor.
fn worked(since: Instant) -> Duration {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = said.split_whitespace().next().and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn shortest(work: impl Fn()) -> Duration {
    let once = || {
        let since = Instant::now();
        let before = worked(since);
        work();
        worked(since) - before
    };
    (0..2).map(|_| once()).min().unwrap_or_default()
}

/// Compares what `work` costs for a stream, of that part of the size that the templates name, and for eight times the
/// stream. `FLOODS=1` prints it.
fn grows_no_faster(what: &str, part: u64, work: fn(&Template, &[u8])) {
    let mut wrong = Vec::new();
    for flood in Template::all("floods.json") {
        let n = flood.number("n").div_ceil(part);
        let cost = |times: u64| {
            let bytes = flood.bytes(times * n);
            shortest(|| work(&flood, &bytes))
        };
        let (small, large) = (cost(1), cost(8));
        if std::env::var_os("FLOODS").is_some() {
            eprintln!("{what}: {}: {small:?}, {large:?}", flood.text("name"));
        }
        let ratio = large.as_secs_f64() / small.max(NOISE).as_secs_f64();
        if ratio > MOST {
            wrong.push(format!("{what}: {}: {small:?}, then {large:?}", flood.text("name")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn read(flood: &Template, bytes: &[u8]) {
    fn all<P: Protocol>(protocol: P, flood: &Template, bytes: &[u8]) {
        let mut reader = Reader::with(protocol, flood.choices().options);
        bytes.chunks(64 << 10).for_each(|chunk| {
            reader.push(chunk);
        });
        assert!(reader.finish().report.events > 0);
    }
    match flood.protocol() {
        ProtocolKind::AgKit => all(AgKit::default(), flood, bytes),
        ProtocolKind::Responses => all(Responses::default(), flood, bytes),
        ProtocolKind::AgUi => all(AgUi::default(), flood, bytes),
        ProtocolKind::A2a => all(A2a::default(), flood, bytes),
        _ => all(AgentApi::default(), flood, bytes),
    }
}

#[test]
fn reading_costs_what_the_stream_is_long() {
    grows_no_faster("read", 2, read);
}

#[test]
fn converting_costs_what_the_stream_is_long() {
    grows_no_faster("convert", 8, |flood, bytes| {
        for to in [ProtocolKind::AgentApi, ProtocolKind::AgKit] {
            assert!(converted(flood, bytes, to) > 0);
        }
    });
}

/// Converts a stream, and returns how many bytes that writes.
fn converted(flood: &Template, bytes: &[u8], to: ProtocolKind) -> usize {
    let mut options = ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 0));
    options.read = flood.choices();
    let mut converter = Converter::new(Some(flood.protocol()), to, options).expect("a conversion");
    let (mut out, mut length) = (String::new(), 0);
    for chunk in bytes.chunks(64 << 10) {
        converter.push(chunk, &mut out);
        length += out.len();
        out.clear();
    }
    converter.finish(false, &mut out);
    length + out.len()
}

/// A change of a message does not repeat all of it again and again.
#[test]
fn conversions_write_no_more_than_sixty_four_times_the_stream() {
    const ALL: [ProtocolKind; 5] = [
        ProtocolKind::AgentApi,
        ProtocolKind::AgKit,
        ProtocolKind::AgUi,
        ProtocolKind::Responses,
        ProtocolKind::A2a,
    ];
    for flood in Template::all("floods.json") {
        let bytes = flood.bytes(flood.number("n").div_ceil(8));
        for to in ALL {
            let written = converted(&flood, &bytes, to);
            let name = flood.text("name");
            assert!(written <= 64 * bytes.len() + (64 << 10), "{name}, {to:?}: {written} of {}", bytes.len());
        }
    }
}

/// What crosses to JavaScript is bounded by what has come: 64 bytes for each.
#[test]
fn patches_are_no_longer_than_sixty_four_times_the_stream() {
    for flood in Template::all("floods.json") {
        let bytes = flood.bytes(4 * flood.number("n"));
        let mut patch = PatchBuffer::default();
        let mut stream = AnyStream::new(Some(flood.protocol()), flood.choices(), &mut patch);
        let (mut came, mut crossed) = (0, 0);
        for chunk in bytes.chunks(64 << 10) {
            let mut rest = chunk;
            while !rest.is_empty() {
                patch.clear();
                let taken = stream.push_some(rest, &mut patch);
                came += taken;
                rest = &rest[taken..];
                crossed += patch.ops().len() * 4 + patch.text().len() + patch.long().len();
                assert!(crossed <= 64 * came + 4096, "{}: {crossed} of {came}", flood.text("name"));
            }
        }
    }
}
