//! Conversion: any bytes to a legal stream.

use agentwire::ProtocolKind;
use agentwire::a2a::A2a;
use agentwire::ag_kit::AgKit;
use agentwire::ag_ui::AgUi;
use agentwire::agent_api::{AgentApi, Style, builder};
use agentwire::agentscope::AgentScope;
use agentwire::ai_sdk::AiSdk;
use agentwire::builder::Counter;
use agentwire::convert::{ConversionSide, ConvertOptions, Converter, Source};
use agentwire::protocol::Protocol;
use agentwire::read::{self, Mode};
use agentwire::responses::Responses;
use agentwire::{EndReason, Outcome, Reader, Report};
use agentwire_cases::cut;

use crate::corpus::Corpus;
use crate::memory;
use crate::setting::{self, Setting};

/// The maximum number of output bytes per input byte, and for an empty stream.
const GROWTH: usize = 64;
const BASE: usize = 4096;
/// The maximum number of bytes allocated per input byte: the output, twice while its text grows,
/// and twice that.
const HELD: usize = 4 * GROWTH;
/// The bits of the last byte of a prefix for AG-UI as the target,
const TO_AG_UI: u8 = 3 << 4;
/// for Responses,
const TO_RESPONSES: u8 = 7 << 4;
/// for A2A,
const TO_A2A: u8 = 11 << 4;
/// for the AI SDK,
const TO_AI_SDK: u8 = 15 << 4;
/// and for AgentScope.
const TO_AGENTSCOPE: u8 = 2 << 4;
/// The targets of conversions.
pub(crate) const PROTOCOLS: [ProtocolKind; 7] = [
    ProtocolKind::AgentApi,
    ProtocolKind::AgKit,
    ProtocolKind::AgUi,
    ProtocolKind::Responses,
    ProtocolKind::A2a,
    ProtocolKind::AiSdk,
    ProtocolKind::AgentScope,
];
const TARGETS: [u8; 7] = [0, 1, TO_AG_UI, TO_RESPONSES, TO_A2A, TO_AI_SDK, TO_AGENTSCOPE];

/// - For any source, a strict reader finds no violation in the output and reaches its terminal
///   event
///   (an order that the target does not support, an id that is already used, JSON that is nested too deep).
/// - The bytes and losses do not depend on chunk boundaries (a step that depends on other bytes
///   of the chunk).
/// - The output has at most 64 times the size of the input, and at most 256 times are allocated
///   meanwhile.
/// - The output has the same meaning after a conversion to its own protocol (a repair that is not
///   complete).
/// - A conversion through the JSON lines of the hub has the same output (a step that its line
///   does not represent).
pub fn check(input: &[u8]) {
    let (setting, stream) = setting::split(input);
    let from = match (setting.more / 4 % 4, setting.protocol) {
        (3, _) => Some(ConversionSide::Steps),
        (_, protocol) => protocol.map(ConversionSide::Protocol),
    };
    let to = match (setting.more & 0xf0, setting.more % 2) {
        (TO_RESPONSES, _) => ProtocolKind::Responses,
        (TO_A2A, _) => ProtocolKind::A2a,
        (TO_AI_SDK, _) => ProtocolKind::AiSdk,
        (TO_AGENTSCOPE, _) => ProtocolKind::AgentScope,
        (other, _) if other & TO_AG_UI == TO_AG_UI => ProtocolKind::AgUi,
        (_, 0) => ProtocolKind::AgentApi,
        _ => ProtocolKind::AgKit,
    };
    let aborted = setting.more / 2 % 2 == 1;
    let convert =
        |chunks: &[&[u8]]| convert(&setting, from, ConversionSide::Protocol(to), chunks, aborted);
    let ((written, losses), held) = memory::held(|| convert(&[stream]));
    assert!(
        held <= memory::BASE + HELD * stream.len(),
        "{held} bytes are held of {}",
        stream.len()
    );
    for (how, chunks) in [
        ("at a random cut", cut::random(stream, setting.cut)),
        ("byte by byte", cut::single(stream)),
    ] {
        assert_eq!(convert(&chunks), (written.clone(), losses.clone()), "{how}");
    }
    assert!(
        written.len() <= BASE + GROWTH * stream.len(),
        "{} bytes became {}",
        stream.len(),
        written.len()
    );
    let report = assert_legal(from, to, &written);

    let (usual, _) = setting::split(&[]);
    let again = |from: ConversionSide, to: ConversionSide, text: &str| {
        self::convert(&usual, Some(from), to, &[text.as_bytes()], false)
    };
    let side = ConversionSide::Protocol(to);
    // Lines of the hub may have a part without a value, which is written, and which a reader does
    // not report.
    // The hub keeps items that the last response of a stream does not list.
    let is_lost = report.counts.iter().any(|(rule, _)| *rule == "output-lost");
    // A strict reader that has stopped has no snapshot to compare.
    let is_comparable = !is_lost && report.end_reason == EndReason::Terminal;
    if from != Some(ConversionSide::Steps) && is_comparable {
        let (repaired, losses) = again(side, side, &written);
        // AG-UI's clients merge two messages of one id, and events of the message after its first
        // end are a named loss.
        let is_late = losses.contains("its message or call had ended");
        assert!(!is_late || to == ProtocolKind::AgUi, "{losses} for\n{written}");
        // The AI SDK replaces the error of an input that is not JSON by the output of its call. In
        // the hub the error is the output.
        let is_repeated = losses.contains("\"result-repeated\"");
        assert!(!is_repeated || to == ProtocolKind::AiSdk, "{losses} for\n{written}");
        // A file of the hub has no media type.
        let has_type = to == ProtocolKind::AiSdk && losses.contains("\"media-type\"");
        // Open: what is sealed beside its part has another id and place when it is converted once
        // more.
        let is_carried = written.contains("aw1.");
        // Calls of one turn are written in one message of AG-UI.
        let parents = |text: &str| text.matches("parentMessageId").count();
        let is_grouped = parents(&repaired) > parents(&written);
        // Open: a reply of AgentScope that ended after a call that was cut off waits for its result when
        // it is converted once more.
        let waits = |text: &str| text.contains("REQUIRE_EXTERNAL_EXECUTION");
        let is_waiting = waits(&repaired) && !waits(&written);
        if !is_waiting && !is_late && !is_repeated && !has_type && !is_carried && !is_grouped {
            assert_eq!(answer(to, &repaired), answer(to, &written), "{repaired}\nfor\n{written}");
        }
    }
    if let Some(from) = from
        && !aborted
    {
        let (steps, losses) =
            self::convert(&setting, Some(from), ConversionSide::Steps, &[stream], aborted);
        // Contradictory steps of a list are moved to other positions; a target with lists does not
        // receive those steps.
        let moves =
            ["repeated", "after-end", "message-type"].iter().any(|loss| losses.contains(loss));
        if moves && steps.contains(r#""listed":true"#) {
            return;
        }
        assert_eq!(again(ConversionSide::Steps, side, &steps).0, written, "via the steps {steps}");
    }
}

/// Every stream, to each protocol.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (protocol, streams) in &corpus.protocols {
        let protocol = setting::number_of(protocol);
        for (at, stream) in streams.iter().enumerate() {
            for to in TARGETS {
                let protocol = if at % 5 == 0 { setting::AUTO } else { protocol };
                let more = to + if at % 7 == 0 { 2 } else { 0 };
                seeds.push([&setting::prefix(protocol, more, at), stream.as_slice()].concat());
            }
            // And as JSON lines of the hub, from which other inputs are generated.
            let (setting, _) = setting::split(&[protocol]);
            let (steps, _) = convert(
                &setting,
                setting.protocol.map(ConversionSide::Protocol),
                ConversionSide::Steps,
                &[stream],
                false,
            );
            let to = TARGETS[at % TARGETS.len()];
            seeds.push([&setting::prefix(protocol, 12 + to, at), steps.as_bytes()].concat());
        }
    }
    seeds
}

/// Converts a stream that arrives in these chunks; returns the output and the losses.
pub(crate) fn convert(
    setting: &Setting,
    from: Option<ConversionSide>,
    to: ConversionSide,
    chunks: &[&[u8]],
    aborted: bool,
) -> (String, String) {
    let mut options =
        ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 1_700_000_000));
    options.read = setting.choices.clone();
    let mut converter = Converter::new(from.map_or(Source::Auto, Source::from), to, options)
        .expect("sides that are converted");
    let mut out = String::new();
    chunks.iter().for_each(|chunk| converter.push(chunk, &mut out));
    if aborted {
        converter.abort(&mut out)
    } else {
        converter.finish(&mut out)
    }
    let losses = converter.losses().expect("a source is known at the end").to_json();
    (out, losses)
}

pub(crate) fn assert_legal(
    from: Option<ConversionSide>,
    to: ProtocolKind,
    written: &str,
) -> Report {
    let report = match to {
        ProtocolKind::AgKit => read_strictly(AgKit::default(), written).report,
        ProtocolKind::AgUi => read_strictly(AgUi::default(), written).report,
        ProtocolKind::A2a => read_strictly(A2a::default(), written).report,
        ProtocolKind::Responses => read_strictly(Responses::default(), written).report,
        ProtocolKind::AiSdk => read_strictly(AiSdk::default(), written).report,
        ProtocolKind::AgentScope => read_strictly(AgentScope::default(), written).report,
        _ => read_strictly(AgentApi::default(), written).report,
    };
    // Arguments that are not JSON are copied, and so are unknown events in their own protocol, and
    // the new name of a call that starts again. Responses reports replaced and retracted content
    // only at the end.
    let passed = [
        "arguments-not-json",
        "unknown-type",
        "unknown-object",
        "unknown-payload",
        "unknown-protocol",
        "call-renamed",
        "done-differs",
        "output-lost",
    ];
    // The state that the client has sent may be patched before a state snapshot; the reader here
    // does not have that state.
    let is_told = |rule: &&str| *rule != "patch-failed" || from != Some(ConversionSide::Steps);
    let is_broken = |rule: &&str| !passed.contains(rule) && is_told(rule);
    let broken: Vec<_> = report.counts.iter().filter(|(rule, _)| is_broken(rule)).collect();
    assert!(broken.is_empty(), "{broken:?} in\n{written}");
    // A strict reader stops at an event that is copied: a payload that A2A does not have, or an
    // event of another protocol.
    let is_stop = |rule: &str| matches!(rule, "unknown-payload" | "unknown-protocol");
    let stops = report.counts.iter().any(|(rule, _)| is_stop(rule));
    assert!(
        report.end_reason == EndReason::Terminal || stops,
        "{:?} of\n{written}",
        report.end_reason
    );
    report
}

/// Returns the snapshot of a stream, without the order of the parts of a message: parts that are
/// built in parallel may end in another order, and a call waits for its name while others continue.
fn answer(protocol: ProtocolKind, written: &str) -> String {
    match protocol {
        ProtocolKind::AgKit => read_strictly(AgKit::default(), written).snapshot.to_json(),
        ProtocolKind::AgUi => read_strictly(AgUi::default(), written).snapshot.to_json(),
        ProtocolKind::A2a => {
            let snapshot = read_strictly(A2a::default(), written).snapshot.to_json();
            // An object without an id in the hub, such as the message of a state, gets a new one
            // each time that it is written.
            let mut made = snapshot.split("\"msg_");
            let first = made.next().unwrap_or_default().to_owned();
            made.fold(first, |all, rest| {
                all + "\"msg_" + rest.trim_start_matches(|digit: char| digit.is_ascii_digit())
            })
        }
        ProtocolKind::Responses => read_strictly(Responses::default(), written).snapshot.to_json(),
        ProtocolKind::AiSdk => read_strictly(AiSdk::default(), written).snapshot.to_json(),
        ProtocolKind::AgentScope => {
            let mut reply = read_strictly(AgentScope::default(), written).snapshot;
            // The tokens are those of all calls of the model, however many there were.
            reply.model = None.into();
            reply.to_json()
        }
        _ => {
            let mut response = read_strictly(AgentApi::default(), written).snapshot.response;
            response.sequence_number = None;
            for message in &mut response.output {
                message.sequence_number = None;
                for content in &mut message.content {
                    (content.sequence_number, content.index) = (None, 0);
                }
                message.content.sort_by_cached_key(|content| content.to_json(Style::Wire));
            }
            response.to_json(Style::Wire)
        }
    }
}

fn read_strictly<P: Protocol>(protocol: P, written: &str) -> Outcome<P::Snapshot> {
    let mut options = read::ReadOptions::default();
    options.mode = Mode::Strict;
    let mut reader = Reader::with_options(protocol, options);
    reader.push(written.as_bytes());
    reader.finish()
}
