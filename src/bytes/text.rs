//! The small steps with texts that would be long code if each place had its own.

use alloc::string::String;

/// Appends a text. Everywhere but on hot paths: what `push_str` becomes when it is inlined is a good part of small code.
#[cfg_attr(target_family = "wasm", inline(never))]
pub(crate) fn put(out: &mut String, text: &str) {
    out.push_str(text);
}

/// A part of a text whose bounds are known to be right, without the code for what would be if they were not.
#[inline]
pub(crate) fn between(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// Whether a text holds a short one. `str::contains` brings code for patterns of any length.
#[cfg(feature = "ag-ui")]
pub(crate) fn holds<const LENGTH: usize>(text: &str, part: &[u8; LENGTH]) -> bool {
    text.as_bytes().windows(LENGTH).any(|window| window == part)
}
