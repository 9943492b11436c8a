//! From a protocol to another one and back: every difference is a loss.

mod meaning;

use std::collections::BTreeMap;

use agentwire::ProtocolKind;
use agentwire::convert::{ConversionSide, Converter};
use agentwire::hub::Losses;
use agentwire_cases::reads;

use self::meaning::Meaning;
use super::facts::{convert, options};
use crate::reading::protocol_of;

/// Parts of a meaning, each with losses.
type Excuses = &'static [(&'static str, &'static [&'static str])];

/// The parts of a meaning, each with the losses of which one explains a difference of the part.
const EXCUSES: Excuses = &[
    (
        "text",
        &[
            "text-replaced",
            "part-dropped",
            "refusal",
            "role",
            "after-end",
            "alternative",
            "messages",
        ],
    ),
    ("reasoning", &["reasoning", "part-dropped", "text-replaced", "after-end", "messages"]),
    (
        "calls",
        &[
            "call-id",
            "call-order",
            "call-missing",
            "call-repeated",
            "arguments-replaced",
            "call-cut-off",
            "call-input",
            "forbidden-key",
            "messages",
        ],
    ),
    (
        "results",
        &["tool-error", "result-parts", "call-id", "result-repeated", "call-missing", "messages"],
    ),
    ("tool errors", &["tool-error", "progress"]),
    ("questions", &["interrupt-hidden", "interrupt-members", "approval", "message-id"]),
    ("answers", &["approval", "approval-without-request"]),
    (
        "media",
        &[
            "image",
            "audio",
            "video",
            "file",
            "file-id",
            "filename",
            "media-type",
            "preview",
            "part-dropped",
            "activity",
        ],
    ),
    ("data", &["data", "item-type", "activity"]),
    ("status", &["status", "call-cut-off", "interrupt-hidden"]),
    ("reason", &["status", "call-cut-off"]),
    ("error", &["error-code", "error-message", "status", "call-cut-off"]),
    ("result", &["run-result"]),
    ("usage", &["usage"]),
    ("model", &["run-ids"]),
    ("metadata", &["metadata", "message-members", "lane", "late-type"]),
    ("state", &["state"]),
    ("activities", &["activity"]),
    ("annotations", &["annotation", "metadata"]),
    ("opaque", &["opaque", "metadata"]),
    ("custom", &["custom"]),
    ("stretches", &["step"]),
    ("lanes", &["lane"]),
];

/// More losses for trips from or to the AI SDK.
const OF_AI_SDK: Excuses = &[
    // A2A does not retract a complete text.
    ("text", &["message-ended"]),
    // The error of an input became a result, after which clients complete the input.
    ("calls", &["tool-error"]),
    // A2A has annotations of a message as data.
    ("data", &["annotation", "forbidden-key"]),
    // A question whose answer is lost is open.
    ("status", &["approval"]),
];

/// More losses for trips from or to Chat Completions.
const OF_CHAT: Excuses = &[
    // A question is its text.
    ("text", &["interrupt-members"]),
    ("questions", &["interrupt-members"]),
    ("status", &["interrupt-members"]),
    // A call without a name has one.
    ("calls", &["executed-call", "call-name-missing"]),
    ("results", &["executed-call"]),
    ("tool errors", &["executed-call"]),
];

/// More losses for trips from or to Anthropic Messages.
const OF_ANTHROPIC: Excuses = &[
    // A question is its text.
    ("text", &["interrupt-members"]),
    ("questions", &["interrupt-members"]),
    // Citations are members of their text, which has ended where an item with them follows.
    ("opaque", &["annotation"]),
    // A refusal is a reason to stop.
    ("status", &["interrupt-members", "refusal"]),
    ("reason", &["interrupt-members", "refusal"]),
];

/// More losses for trips from or to AgentScope.
const OF_AGENTSCOPE: Excuses = &[
    // The model of a run is that of its calls.
    ("stretches", &["run-ids"]),
    // The id of a question is that of its call.
    ("answers", &["message-id"]),
];

/// A2A has an error after which the run continues as a message, with its text and its data.
const SOFT_ERROR: (&str, ProtocolKind, [&str; 2]) =
    ("error_then_more", ProtocolKind::A2a, ["text", "data"]);

fn steps(from: ProtocolKind, bytes: &[u8]) -> String {
    let mut converter = Converter::new(from, ConversionSide::Steps, options())
        .expect("protocols that are converted");
    let mut out = String::new();
    converter.push(bytes, &mut out);
    converter.finish(&mut out);
    out
}

/// Further losses of some protocols.
const OF: [(ProtocolKind, Excuses); 4] = [
    (ProtocolKind::AgentScope, OF_AGENTSCOPE),
    (ProtocolKind::AiSdk, OF_AI_SDK),
    (ProtocolKind::Chat, OF_CHAT),
    (ProtocolKind::Anthropic, OF_ANTHROPIC),
];

fn is_excused(part: &str, trip: [ProtocolKind; 2], there: &Losses, back: &Losses) -> bool {
    let of = |table: Excuses| table.iter().find(|(known, _)| *known == part);
    let (_, excuses) = of(EXCUSES).expect("a part of the table");
    let of_trip = OF.iter().filter(|(protocol, _)| trip.contains(protocol));
    let more = of_trip.filter_map(|(_, table)| of(table)).flat_map(|(_, more)| *more);
    excuses.iter().chain(more).any(|loss| there.count(loss) + back.count(loss) > 0)
}

#[test]
fn every_difference_after_a_round_trip_is_a_loss() {
    let mut silent: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut trips = 0;
    for case in reads().into_iter().filter(|case| protocol_of(case).is_writable()) {
        let (from, stream) = (protocol_of(&case), case.stream());
        let said_steps = steps(from, &stream);
        for by in crate::written().filter(|by| *by != from) {
            trips += 1;
            let (there, lost) = convert(from, by, [stream.as_slice()], false);
            let (back, lost_back) = convert(by, from, [there.as_bytes()], false);
            let is_ai_sdk = from == ProtocolKind::AiSdk || by == ProtocolKind::AiSdk;
            let are_values = is_ai_sdk || [from, by].contains(&ProtocolKind::Anthropic);
            let said = Meaning::of(&said_steps, are_values);
            let heard = Meaning::of(&steps(from, back.as_bytes()), are_values);
            let (name, target, parts) = SOFT_ERROR;
            let is_soft_error = |part| case.name == name && by == target && parts.contains(&part);
            for (part, said, heard) in said.differences(&heard) {
                if !is_excused(part, [from, by], &lost, &lost_back) && !is_soft_error(part) {
                    let trip = format!("{} by {}: {part}", from.as_str(), by.as_str());
                    silent
                        .entry(trip)
                        .or_default()
                        .push(format!("{}: {said} / {heard}", case.name));
                }
            }
        }
    }
    let list: Vec<String> = silent
        .iter()
        .flat_map(|(trip, cases)| {
            std::iter::once(format!("{trip} ({})", cases.len()))
                .chain(cases.iter().take(4).cloned())
        })
        .map(|line| line.chars().take(400).collect())
        .collect();
    assert!(silent.is_empty(), "of {trips}:\n{}", list.join("\n"));
}
