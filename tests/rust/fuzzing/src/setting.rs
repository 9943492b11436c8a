//! How the streams of an input are read: the meaning of its first bytes.

use agentwire::Limits;
use agentwire::ProtocolKind;
use agentwire::agent_api::DataMerge;
use agentwire::read::AnyOptions;
use agentwire::read::Mode;
use agentwire::sse::{Framing, TrailingEvent};

/// How a stream is read.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The protocol of the reader; `None` for the protocol of the first event.
    pub protocol: Option<ProtocolKind>,
    /// The options of readers.
    pub choices: AnyOptions,
    /// Whether the limits are smaller than the default ones.
    pub small: bool,
    /// Seed of the random chunk boundaries.
    pub cut: u64,
    /// For targets with additional options.
    pub more: u8,
}

/// The number of bytes of an input that configure the reader. The rest is the stream.
pub const LENGTH: usize = 6;

/// The first byte of a seed whose protocol is detected from its first event.
pub const AUTO: u8 = 0;
/// The first byte of a seed of AG-UI.
pub const AG_UI: u8 = 192;

/// The first byte of a seed of each protocol. [`split`] reads that byte and those up to the next
/// number as that protocol, except that the bytes below the first number above 2 are shared by the
/// detection and the first two protocols, by their remainders.
const NUMBERS: [(u8, ProtocolKind); 11] = [
    (1, ProtocolKind::AgentApi),
    (2, ProtocolKind::AgKit),
    (AG_UI, ProtocolKind::AgUi),
    (208, ProtocolKind::Responses),
    (224, ProtocolKind::A2a),
    (232, ProtocolKind::Chat),
    (240, ProtocolKind::Anthropic),
    (248, ProtocolKind::Gemini),
    (252, ProtocolKind::AiSdk),
    (253, ProtocolKind::Interactions),
    (254, ProtocolKind::AgentScope),
];

/// The number of a protocol, by its name.
///
/// # Panics
/// If the name is unknown.
pub fn number_of(protocol: &str) -> u8 {
    let found = NUMBERS.iter().find(|(_, kind)| kind.as_str() == protocol);
    found.unwrap_or_else(|| panic!("no number for {protocol}")).0
}

/// Returns the protocol of the first byte of a seed; `None` for detection.
fn protocol_of(byte: u8) -> Option<ProtocolKind> {
    let number = if byte < AG_UI { byte % 3 } else { byte };
    let found = NUMBERS.iter().rev().find(|(from, _)| number >= *from);
    found.map(|(_, kind)| *kind)
}

/// The prefix of a seed.
pub fn prefix(protocol: u8, more: u8, place: usize) -> [u8; LENGTH] {
    let cut = (place as u16).to_le_bytes();
    // Every fourth seed has small limits, every fifth one is read strictly, and so on: the fuzzer
    // mixes them.
    let limits = if place % 4 == 3 { 3 + place as u8 % 5 + 64 * (place as u8 / 4 % 4) } else { 0 };
    let flags = if place % 5 == 4 { place as u8 } else { 0 };
    [protocol, flags, limits, cut[0], cut[1], more]
}

/// A seed of lines of JSON: the data of a recorded stream.
pub fn ndjson(protocol: u8, stream: &[u8], place: usize) -> Vec<u8> {
    let mut seed = prefix(protocol, place as u8, place).to_vec();
    seed[1] |= 1 << 7;
    for line in stream.split(|byte| matches!(byte, b'\n' | b'\r')) {
        if let Some(data) = line.strip_prefix(b"data:") {
            seed.extend_from_slice(data);
            seed.push(b'\n');
        }
    }
    seed
}

/// Returns an input's setting and stream. Missing bytes at its end count as zero.
pub fn split(input: &[u8]) -> (Setting, &[u8]) {
    let (head, stream) = input.split_at(input.len().min(LENGTH));
    let byte = |at: usize| head.get(at).copied().unwrap_or(0);
    let mut choices = AnyOptions::default();
    let flags = byte(1);
    let flag = |bit: u8| flags & 1 << bit != 0;
    choices.options.mode = match (flag(0), flag(1)) {
        (false, _) => Mode::Lenient,
        (true, false) => Mode::Strict,
        (true, true) => Mode::Raw,
    };
    choices.options.ending = if flag(2) { TrailingEvent::Strict } else { TrailingEvent::Lenient };
    choices.options.seed = 7;
    choices.options.framing = if flag(7) { Framing::Ndjson } else { Framing::Sse };
    choices.agent_api.data_merge = if flag(3) { DataMerge::Message } else { DataMerge::Builder };
    choices.agent_api.keep_heartbeats = flag(4);
    choices.ag_kit.done_is_optional = flag(5);
    choices.ag_kit.client_tools = flag(6).then(|| vec!["f".to_owned()]);
    let small = usize::from(byte(2) % 64);
    if small > 0 {
        lower(&mut choices.options.limits, small, byte(2) / 64);
    }
    let setting = Setting {
        protocol: protocol_of(byte(0)),
        choices,
        small: small > 0,
        cut: u64::from(byte(3)) | u64::from(byte(4)) << 8,
        more: byte(5),
    };
    (setting, stream)
}

/// Sets limits so low that short streams exceed them; the input also selects which ones, or the
/// first ones would always apply before the others.
fn lower(limits: &mut Limits, small: usize, which: u8) {
    match which {
        0 => {
            limits.messages = small;
            limits.contents = small.div_ceil(2);
            limits.content_bytes = 5 * small as u64;
            limits.data_nodes = small;
            limits.json_depth = 2 + small as u32;
            limits.violations = small;
            limits.unknown = small.div_ceil(3);
        }
        1 => {
            limits.id_bytes = small;
            limits.tool_calls = small.div_ceil(4);
            limits.number_digits = small;
            limits.undeclared_members = small.div_ceil(4);
        }
        2 => {
            limits.line_bytes = 24 * small;
            limits.event_bytes = 32 * small;
        }
        _ => limits.answer_bytes = 200 * small as u64,
    }
}
