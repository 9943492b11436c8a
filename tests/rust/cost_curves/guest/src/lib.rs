//! Reads, patches, compacts and converts one stream. Each function returns the number of bytes that
//! it has written.
//!
//! The host writes the stream to the address that [`input`] returns, and counts the instructions of
//! the next call.

#![allow(unsafe_code, reason = "an exported name is declared with `unsafe`")]

use std::cell::RefCell;

use agentwire::ProtocolKind;
use agentwire::Reader;
use agentwire::a2a::A2a;
use agentwire::ag_kit::AgKit;
use agentwire::ag_ui::{AgUi, Compactor};
use agentwire::agent_api::AgentApi;
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::agentscope::AgentScope;
use agentwire::ai_sdk::AiSdk;
use agentwire::anthropic::Anthropic;
use agentwire::builder::Counter;
use agentwire::chat::Chat;
use agentwire::convert::{ConvertOptions, Converter};
use agentwire::gemini::Gemini;
use agentwire::interactions::Interactions;
use agentwire::internals::patch::PatchBuffer;
use agentwire::protocol::Protocol;
use agentwire::read::ReadOptions;
use agentwire::read::{AnyOptions, AnyStream};
use agentwire::read::{EventReader, StreamEntry};
use agentwire::responses::Responses;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// The protocols, in the order of their numbers.
const PROTOCOLS: &[ProtocolKind] = ProtocolKind::READABLE;

/// The bytes of a chunk.
const CHUNK: usize = 16 << 10;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Allocates memory for a stream of this number of bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Reads the stream into a snapshot.
#[unsafe(no_mangle)]
pub extern "C" fn read(protocol: usize) -> u64 {
    fn all<P: Protocol>(protocol: P) -> u64 {
        let mut reader = Reader::with_options(protocol, options().options);
        chunks(|chunk| {
            reader.push(chunk);
        });
        reader.finish().report.violations_to_json(0).len() as u64
    }
    match PROTOCOLS[protocol] {
        ProtocolKind::AgentScope => all(AgentScope::default()),
        ProtocolKind::AgKit => all(AgKit::default()),
        ProtocolKind::AgUi => all(AgUi::default()),
        ProtocolKind::Responses => all(Responses::default()),
        ProtocolKind::A2a => all(A2a::default()),
        ProtocolKind::AiSdk => all(AiSdk::default()),
        ProtocolKind::Chat => all(Chat::default()),
        ProtocolKind::Anthropic => all(Anthropic::default()),
        ProtocolKind::Gemini => all(Gemini::default()),
        ProtocolKind::Interactions => all(Interactions::default()),
        _ => all(AgentApi::default()),
    }
}

/// Reads the stream into patches, as the npm package does.
#[unsafe(no_mangle)]
pub extern "C" fn patches(protocol: usize) -> u64 {
    let mut patch = PatchBuffer::default();
    let mut stream = AnyStream::new(Some(PROTOCOLS[protocol]), options(), &mut patch);
    let mut written = 0;
    let mut count = |patch: &mut PatchBuffer| {
        written += (patch.ops().len() * 4 + patch.text().len() + patch.long().len()) as u64;
        patch.clear();
    };
    chunks(|chunk| {
        let mut rest = chunk;
        while !rest.is_empty() {
            rest = &rest[stream.push_some(rest, &mut patch)..];
            count(&mut patch);
        }
    });
    stream.finish(&mut patch);
    count(&mut patch);
    written
}

/// Compacts the events of an AG-UI stream.
#[unsafe(no_mangle)]
pub extern "C" fn compact() -> u64 {
    let mut reader = EventReader::new(Some(ProtocolKind::AgUi), &ReadOptions::default());
    let mut compactor = Compactor::default();
    chunks(|chunk| {
        for entry in reader.push(chunk) {
            if let StreamEntry::Event(event) = entry {
                compactor.push(&event.data);
            }
        }
    });
    compactor.finish().iter().map(|event| event.len() as u64).sum()
}

/// Converts the stream.
#[unsafe(no_mangle)]
pub extern "C" fn convert(from: usize, to: usize) -> u64 {
    let mut options_of = ConvertOptions::new(BuilderOptions::new(Counter::default(), || 0));
    options_of.read = options();
    let [from, to] = [from, to].map(|protocol| PROTOCOLS[protocol]);
    let mut converter = Converter::new(from, to, options_of).expect("a conversion");
    let (mut out, mut written) = (String::new(), 0);
    chunks(|chunk| {
        converter.push(chunk, &mut out);
        written += out.len() as u64;
        out.clear();
    });
    converter.finish(&mut out);
    written + out.len() as u64
}

/// The options of all readers: the seed is always the same.
fn options() -> AnyOptions {
    let mut options = AnyOptions::default();
    options.options.seed = 1;
    options
}

fn chunks(work: impl FnMut(&[u8])) {
    INPUT.with_borrow(|input| input.chunks(CHUNK).for_each(work));
}
