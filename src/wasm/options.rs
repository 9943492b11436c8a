//! Reading options as JavaScript hands them over: numbers, in an order that `options.ts` knows too.

#[cfg(feature = "ag-kit")]
use alloc::{string::String, vec::Vec};

#[cfg(feature = "ag-kit")]
use crate::json::{Document, Element};
use crate::protocols::ProtocolKind;
#[cfg(feature = "agent-api")]
use crate::protocols::agent_api::DataMerge;
use crate::read::Mode;
use crate::read::any::AnyOptions;
use crate::sse::{Ending, Framing};

/// What JavaScript is told when no event has told the protocol yet.
pub(super) const UNDECIDED: u32 = ProtocolKind::READABLE.len() as u32;

/// The number of a protocol: its place in the registry.
pub(super) fn number(protocol: Option<ProtocolKind>) -> u32 {
    let place = ProtocolKind::READABLE.iter().position(|known| Some(*known) == protocol);
    place.map_or(UNDECIDED, |at| at as u32)
}

/// Reads mode, ending, data merge, whether heartbeats are kept, whether `[DONE]` is optional, framing, and the limits; and the
/// client's tools, a JSON array that is empty when nothing is known of them. What is missing or NaN has its default.
pub(super) fn read(settings: &[f64], client_tools: &str, seed: u64) -> AnyOptions {
    let mut choices = AnyOptions::default();
    let options = &mut choices.options;
    options.seed = seed;
    let mut settings = settings.iter();
    let mut next = || settings.next().filter(|number| !number.is_nan()).map(|number| *number as u32);
    match next() {
        Some(0) => options.mode = Mode::Strict,
        Some(2) => options.mode = Mode::Raw,
        _ => {}
    }
    if next() == Some(0) {
        options.ending = Ending::Strict;
    }
    let (data_merge, keep_heartbeats) = (next() == Some(1), next() == Some(1));
    let done_is_optional = next() == Some(1);
    if next() == Some(1) {
        options.framing = Framing::Ndjson;
    }
    let limits = &mut options.limits;
    for (slot, number) in [
        &mut limits.line_bytes,
        &mut limits.event_bytes,
        &mut limits.id_bytes,
        &mut limits.messages,
        &mut limits.contents,
        &mut limits.tool_calls,
        &mut limits.data_nodes,
        &mut limits.number_digits,
        &mut limits.undeclared_members,
        &mut limits.violations,
        &mut limits.unknown,
    ]
    .into_iter()
    .zip(core::iter::from_fn(|| Some(next())))
    {
        *slot = number.map_or(*slot, |number| number as usize);
    }
    limits.json_depth = next().unwrap_or(limits.json_depth);
    limits.content_bytes = next().map_or(limits.content_bytes, u64::from);
    limits.answer_bytes = next().map_or(limits.answer_bytes, u64::from);
    agent_api(&mut choices, data_merge, keep_heartbeats);
    ag_kit(&mut choices, done_is_optional, client_tools);
    choices
}

#[cfg(feature = "agent-api")]
fn agent_api(choices: &mut AnyOptions, data_merge: bool, keep_heartbeats: bool) {
    if data_merge {
        choices.agent_api.data_merge = DataMerge::Message;
    }
    choices.agent_api.keep_heartbeats = keep_heartbeats;
}

#[cfg(not(feature = "agent-api"))]
fn agent_api(_: &mut AnyOptions, _: bool, _: bool) {}

#[cfg(feature = "ag-kit")]
fn ag_kit(choices: &mut AnyOptions, done_is_optional: bool, client_tools: &str) {
    let mut tools: Vec<String> = Vec::new();
    // What the package itself has written cannot be wrong.
    if let Ok(document) = Document::read(client_tools, 1) {
        let names = document.root().array().into_iter().flatten().flat_map(Element::string);
        tools.extend(names.map(|name| name.to_str().into_owned()));
    }
    choices.ag_kit.done_is_optional = done_is_optional;
    choices.ag_kit.client_tools = (!client_tools.is_empty()).then_some(tools);
}

#[cfg(not(feature = "ag-kit"))]
fn ag_kit(_: &mut AnyOptions, _: bool, _: &str) {}
