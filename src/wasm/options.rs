//! Reading options as JavaScript hands them over: numbers, in an order that `options.ts` knows too.

use crate::agent_api::{AgentApi, DataMerge};
use crate::read::{Mode, Options};
use crate::sse::Ending;

/// Reads mode, ending, data merge, whether heartbeats are kept, and the limits in the order of their declaration. What
/// is missing or NaN has its default.
pub(super) fn read(settings: &[f64], seed: u64) -> (AgentApi, Options) {
    let (mut protocol, mut options) = (AgentApi::default(), Options::default());
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
    if next() == Some(1) {
        protocol.data_merge = DataMerge::Message;
    }
    protocol.keep_heartbeats = next() == Some(1);
    let limits = &mut options.limits;
    for (slot, number) in [
        &mut limits.line_bytes,
        &mut limits.event_bytes,
        &mut limits.messages,
        &mut limits.contents,
        &mut limits.data_nodes,
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
    (protocol, options)
}
