//! Small operations on texts, which would be long code if they were inlined at each use.

use alloc::string::String;

/// Appends a text. Used outside of hot paths: an inlined `push_str` would be a large part of small functions.
#[cfg_attr(target_family = "wasm", inline(never))]
pub(crate) fn put(out: &mut String, text: &str) {
    out.push_str(text);
}

/// Returns a part of a text whose bounds are known to be correct, without the code for a panic.
#[inline]
pub(crate) fn between(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// Reports whether a text contains a short one. `str::contains` brings code for patterns of any length.
#[cfg(feature = "ag-ui")]
pub(crate) fn holds<const LENGTH: usize>(text: &str, part: &[u8; LENGTH]) -> bool {
    text.as_bytes().windows(LENGTH).any(|window| window == part)
}
