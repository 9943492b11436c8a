//! JSON Pointer (RFC 6901).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Returns the steps of a pointer; `None` if it is not a pointer: it does not start with `/`, or a `~` is not followed
/// by 0 or 1.
pub(crate) fn steps(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    pointer.strip_prefix('/')?.split('/').map(|step| unescaped(step).map(Cow::into_owned)).collect()
}

fn unescaped(step: &str) -> Option<Cow<'_, str>> {
    let mut pieces = step.split('~');
    let first = pieces.next().unwrap_or_default();
    if first.len() == step.len() {
        return Some(Cow::Borrowed(step));
    }
    let mut out = String::from(first);
    for piece in pieces {
        let (escape, rest) = piece.split_at_checked(1)?;
        out.push(match escape {
            "0" => '~',
            "1" => '/',
            _ => return None,
        });
        out.push_str(rest);
    }
    Some(Cow::Owned(out))
}

/// Returns the position of an element for a step: digits without leading zeros.
pub(super) fn index(step: &str) -> Option<usize> {
    let is_plain = step == "0" || !step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { step.parse().ok() } else { None }
}

/// Like `index`, for the position of an added element, as the official client reads it: leading zeros are allowed, and
/// an empty step is 0.
pub(super) fn index_to_add(step: &str) -> Option<usize> {
    if !step.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match step.trim_start_matches('0') {
        "" => Some(0),
        digits => digits.parse().ok(),
    }
}
