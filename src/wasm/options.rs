//! Reading options as JavaScript hands them over: numbers, at places that the tables of the crate give them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::limits::Limits;
use crate::core::options::{OptionValue, ReadOptions};
use crate::json::{Document, Element};
use crate::protocols::{OPTIONS_EACH, ProtocolKind};
use crate::read::any::AnyOptions;

/// What JavaScript is told when no event has told the protocol yet.
pub(super) const UNDECIDED: u32 = ProtocolKind::READABLE.len() as u32;

/// Where the options of the protocols begin: before them are those of all protocols, and the limits.
const PROTOCOLS: usize = ReadOptions::ALL.len() + Limits::ALL.len();

/// The number of a protocol: its place in the registry.
pub(super) fn number(protocol: Option<ProtocolKind>) -> u32 {
    let place = ProtocolKind::READABLE.iter().position(|known| Some(*known) == protocol);
    place.map_or(UNDECIDED, |at| at as u32)
}

/// Reads the options of all protocols, the limits, and for each protocol as many as one can have ([`OPTIONS_EACH`]): what is
/// missing or NaN has its default. `lists` are the options that are lists of strings: JSON, `[place, [string, …]]` each.
pub(super) fn read(settings: &[f64], lists: &str, seed: u64) -> AnyOptions {
    let mut choices = AnyOptions::default();
    choices.options.seed = seed;
    for (place, number) in settings.iter().enumerate().filter(|(_, number)| !number.is_nan()) {
        match place.checked_sub(PROTOCOLS) {
            None => choices.options.set(place, *number as u32),
            Some(place) => set(&mut choices, place, OptionValue::Number(*number as u32)),
        }
    }
    // What the package itself has written cannot be wrong.
    if let Ok(document) = Document::read(lists, 3) {
        for list in document.root().array().into_iter().flatten() {
            let mut entry = list.array().into_iter().flatten();
            let place = entry.next().and_then(|place| place.integer().ok()).unwrap_or_default() as usize;
            let names = entry.next().into_iter().flat_map(|names| names.array()).flatten();
            let names: Vec<String> =
                names.flat_map(Element::string).map(|name| name.to_str().into_owned()).collect();
            set(&mut choices, place.saturating_sub(PROTOCOLS), OptionValue::Names(names));
        }
    }
    choices
}

fn set(choices: &mut AnyOptions, place: usize, value: OptionValue) {
    if let Some(protocol) = ProtocolKind::READABLE.get(place / OPTIONS_EACH) {
        choices.set(*protocol, place % OPTIONS_EACH, value);
    }
}
