//! Bytes to characters.

use alloc::borrow::Cow;
use alloc::string::String;

/// The characters of some bytes; what is no UTF-8 becomes U+FFFD as the standard's decoder does it. The check alone is
/// several times faster than the replacement, and nearly every event passes it.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    #[cfg(feature = "simd")]
    let text = simdutf8::basic::from_utf8(bytes).ok();
    #[cfg(not(feature = "simd"))]
    let text = core::str::from_utf8(bytes).ok();
    text.map_or_else(|| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
