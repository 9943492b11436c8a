//! Numbers in framing and in JSON.

/// A number in decimal digits and nothing else.
pub(crate) fn digits(text: &[u8]) -> Option<u64> {
    let digit = |number: u64, byte: &u8| {
        let digit = byte.wrapping_sub(b'0');
        number.checked_mul(10)?.checked_add(u64::from(digit)).filter(|_| digit < 10)
    };
    if text.is_empty() { None } else { text.iter().try_fold(0, digit) }
}
