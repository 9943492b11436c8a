//! Numbers in framing and in JSON.

/// Parses a number in decimal digits and nothing else.
pub(crate) fn digits(text: &[u8]) -> Option<u64> {
    let digit = |number: u64, byte: &u8| {
        let digit = byte.wrapping_sub(b'0');
        // Checked before: `checked_mul` is a product of 128 bits in wasm, by a call.
        let tens = (number <= u64::MAX / 10).then(|| number * 10)?;
        tens.checked_add(u64::from(digit)).filter(|_| digit < 10)
    };
    if text.is_empty() { None } else { text.iter().try_fold(0, digit) }
}
