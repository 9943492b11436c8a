//! Abridges values for error messages.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{Member, Value};

/// The maximum number of bytes of a value in a problem: of its texts, numbers and keys. Each value counts as at least
/// one byte.
const MOST: usize = 1024;

/// The mark of an omission.
const MARK: &str = "…";

/// Returns a short value unchanged, and the beginning of a longer one. The cost does not depend on the length of the
/// value.
pub(super) fn value(value: &Value) -> Value {
    part(value, &mut { MOST })
}

/// Abridges the object with these members.
pub(super) fn object(members: &[Member]) -> Value {
    members_of(members, &mut { MOST })
}

/// Returns a short text unchanged, and both ends of a longer one.
pub(super) fn text(text: &str) -> String {
    ends(text, MOST)
}

fn part(value: &Value, room: &mut usize) -> Value {
    *room = room.saturating_sub(1);
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Number(digits) if digits.len() <= *room => {
            *room -= digits.len();
            value.clone()
        }
        Value::Number(text) | Value::String(text) => {
            let kept = ends(text, *room);
            *room = room.saturating_sub(text.len());
            Value::String(kept)
        }
        Value::Array(items) => {
            let mut kept = Vec::new();
            for item in items {
                if *room == 0 {
                    kept.push(MARK.into());
                    break;
                }
                kept.push(part(item, room));
            }
            Value::Array(kept)
        }
        Value::Object(members) => members_of(members, room),
    }
}

fn members_of(members: &[Member], room: &mut usize) -> Value {
    let mut kept = Vec::new();
    for Member { key, value } in members {
        if *room == 0 {
            kept.push(Member { key: MARK.into(), value: MARK.into() });
            break;
        }
        let name = ends(key, *room);
        *room = room.saturating_sub(key.len());
        kept.push(Member { key: name, value: part(value, room) });
    }
    Value::Object(kept)
}

fn ends(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.into();
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let head = (0..=room / 2).rev().find(is_boundary).unwrap_or(0);
    let tail = (text.len() - room / 2..text.len()).find(is_boundary).unwrap_or(text.len());
    [&text[..head], MARK, &text[tail..]].concat()
}
