//! The state of the runs of a source of AG-UI, and checks of an event before it is read.

use crate::core::Opening;
use crate::hub::Hub;
use crate::json::Document;

/// The state of the runs, and the losses that were noted.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub started: bool,
    /// Whether the last run has ended.
    pub ended: bool,
    timestamp: bool,
    raw_event: bool,
}

impl Said {
    /// Notes the members of an event that steps do not have, each once.
    pub fn lose_members(&mut self, data: &str, hub: &mut Hub<'_>) {
        for (noted, key, name) in [
            (&mut self.timestamp, "\"timestamp\"", "timestamp"),
            (&mut self.raw_event, "\"rawEvent\"", "rawEvent"),
        ] {
            if !*noted && data.contains(key) && read(data, |opening| opening.has(name)) == Some(true) {
                *noted = true;
                hub.lose(
                    "event-members",
                    name,
                    "steps have the number of their event, not when and from what it came",
                );
            }
        }
    }
}

/// Returns whether an event is of that type.
pub(super) fn is_event(data: &str, name: &str) -> bool {
    data.contains(name)
        && read(data, |opening| opening.word("type").is_some_and(|word| word == name)) == Some(true)
}

fn read<T>(data: &str, look: impl FnOnce(Opening<'_, '_>) -> T) -> Option<T> {
    let document = Document::read(data, u32::MAX).ok()?;
    Opening::of(data, Some(&document)).map(look)
}
