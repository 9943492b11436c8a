//! The check of UTF-8.

/// Returns the bytes as text if they are UTF-8.
#[inline]
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    #[cfg(feature = "simd")]
    return simdutf8::basic::from_utf8(bytes).ok();
    #[cfg(not(feature = "simd"))]
    return core::str::from_utf8(bytes).ok();
}
