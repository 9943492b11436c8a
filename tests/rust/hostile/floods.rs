//! Floods: the number of bytes that the crate writes for a stream of any size. The suite
//! `cost-curves` counts the instructions.

use agentwire::ProtocolKind;
use agentwire::agent_api::builder;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertOptions, Converter};
use agentwire::internals::patch::PatchBuffer;
use agentwire::read::AnyStream;

use crate::streams::Template;

/// Converts a stream, and returns the number of bytes that the conversion writes.
fn converted(flood: &Template, bytes: &[u8], to: ProtocolKind) -> usize {
    let mut options = ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 0));
    options.read = flood.choices();
    let mut converter = Converter::new(flood.protocol(), to, options).expect("a conversion");
    let (mut out, mut length) = (String::new(), 0);
    for chunk in bytes.chunks(64 << 10) {
        converter.push(chunk, &mut out);
        length += out.len();
        out.clear();
    }
    converter.finish(&mut out);
    length + out.len()
}

/// A change of a message does not write the whole message again.
#[test]
fn conversion_output_is_at_most_64_times_the_input() {
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
            assert!(
                written <= 64 * bytes.len() + (64 << 10),
                "{name}, {to:?}: {written} of {}",
                bytes.len()
            );
        }
    }
}

/// The data that crosses to JavaScript is bounded by the size of the input: 64 bytes for each byte.
#[test]
fn patches_are_at_most_64_times_the_input() {
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
