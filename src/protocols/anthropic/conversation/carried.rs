//! The state of other servers that clients have carried: in signatures, and in the data of
//! `redacted_thinking` blocks. The members of a text are in a block after it or before it.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::requirements::FORMAT;
use crate::hub::conversation::{Content, Part, Sealed};
use crate::json::Value;
use crate::protocols::anthropic::carrier::UNSIGNED;

/// Gives the members that a message carries to the parts that they belong to.
pub(super) fn restore(parts: &mut Vec<Part>) {
    if !parts.iter().any(|part| carried(part).is_some()) {
        return;
    }
    let mut calls = BTreeMap::new();
    // The members of the next text.
    let mut ahead = Vec::new();
    let mut restored: Vec<Part> = Vec::with_capacity(parts.len());
    for mut part in core::mem::take(parts) {
        let Some(string) = carried(&part).map(String::from) else {
            let is_text = part.as_text().is_some();
            let mine = if is_text { core::mem::take(&mut ahead) } else { Vec::new() };
            let blocks: Vec<Part> =
                mine.into_iter().filter_map(|sealed: Sealed| sealed.restore(&mut part)).collect();
            restored.push(part);
            restored.extend(blocks);
            continue;
        };
        let Some(sealed) = Sealed::open(&string) else { continue };
        if sealed.next {
            ahead.push(sealed);
            continue;
        }
        let is_thinking = matches!(part.content, Content::Reasoning { .. });
        if let Some(call) = &sealed.call {
            calls.insert((call.clone(), sealed.result), sealed);
            continue;
        }
        let last = restored.last_mut().filter(|part| part.as_text().is_some());
        if let (Some(text), true) = (last, sealed.part.is_some()) {
            let block = sealed.restore(text);
            restored.extend(block);
            continue;
        }
        part.opaque = None;
        if !is_thinking {
            part.content = Content::Reasoning { text: String::new(), summary: false };
        }
        let block = if string == UNSIGNED { None } else { sealed.restore(&mut part) };
        restored.push(part);
        restored.extend(block);
    }
    for part in &mut restored {
        let Some(call) = part.as_call_mut() else { continue };
        let id = call.id.clone();
        if let Some(result) = &mut call.result
            && let Some(sealed) = calls.remove(&(id.clone(), true))
        {
            result.opaque = Some(sealed.opaque);
        }
        if let Some(sealed) = calls.remove(&(id, false)) {
            drop(sealed.restore(part));
        }
    }
    *parts = restored;
}

/// Returns the string that a part carries.
fn carried(part: &Part) -> Option<&str> {
    let own = part.opaque.as_ref().filter(|own| own.format == FORMAT)?;
    let member = match &part.content {
        Content::Reasoning { .. } => own.get("signature"),
        Content::Native if own.get("type").and_then(Value::as_str) == Some("redacted_thinking") => {
            own.get("data")
        }
        _ => None,
    };
    member?.as_str().filter(|string| Sealed::open(string).is_some())
}
