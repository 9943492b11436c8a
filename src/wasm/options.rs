//! Options from JavaScript, by their places in the tables of the crate.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use crate::core::error::UsageError;
use crate::core::limits::Limits;
use crate::core::options::{OptionValue, ReadOptions};
use crate::json::{Document, Element, JsonText};
use crate::protocols::{OPTIONS_EACH, ProtocolKind};
use crate::read::any::AnyOptions;

/// The number that JavaScript receives while the protocol is not known.
pub(super) const UNDECIDED: u32 = ProtocolKind::READABLE.len() as u32;

/// The place of the first option of a protocol, after the options of all protocols and the limits.
const PROTOCOLS: usize = ReadOptions::ALL.len() + Limits::ALL.len();

/// Returns the number of a protocol: its place in the registry.
pub(super) fn number(protocol: Option<ProtocolKind>) -> u32 {
    let place = ProtocolKind::READABLE.iter().position(|known| Some(*known) == protocol);
    place.map_or(UNDECIDED, |at| at as u32)
}

/// Reads the options of all protocols, the limits, and for each protocol as many as one can have
/// ([`OPTIONS_EACH`]): a JSON list of places and values, `[[place, number or [string, …]], …]`,
/// with `true` after a value that may be any JSON; empty where all have their defaults.
pub(super) fn read(settings: &str, seed: u64) -> Result<AnyOptions, UsageError> {
    let mut choices = AnyOptions::default();
    choices.options.seed = seed;
    if settings.is_empty() {
        return Ok(choices);
    }
    // JSON that the package itself has written is always valid, but an option with JSON of the
    // caller may nest deeply.
    let document = Document::read(settings, Limits::DEEPEST).map_err(|_| {
        let instead = "give JSON with less nesting";
        UsageError::new("too-deep", "an option nests too deeply", instead)
    })?;
    for setting in document.root().items() {
        let Ok(mut setting) = setting.array() else { continue };
        if let (Some(Ok(place)), Some(value)) =
            (setting.next().map(Element::integer), setting.next())
        {
            set(&mut choices, place as usize, value, setting.next().is_some());
        }
    }
    Ok(choices)
}

fn set(choices: &mut AnyOptions, place: usize, value: Element<'_, '_>, is_json: bool) {
    let value = match value.array() {
        _ if ProtocolKind::TAKES_JSON && is_json => {
            OptionValue::Json(JsonText(value.raw().as_str().to_owned()))
        }
        Ok(names) => {
            let mut texts = Vec::new();
            for name in names {
                texts.extend(name.string().map(|name| name.to_str().into_owned()));
            }
            OptionValue::Names(texts)
        }
        Err(_) => OptionValue::Number(value.integer().unwrap_or_default() as u32),
    };
    match (place.checked_sub(PROTOCOLS), value) {
        (None, OptionValue::Number(number)) => choices.options.set(place, number),
        (Some(place), value) => {
            if let Some(protocol) = ProtocolKind::READABLE.get(place / OPTIONS_EACH) {
                choices.set(*protocol, place % OPTIONS_EACH, value);
            }
        }
        _ => {}
    }
}
