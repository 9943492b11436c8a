//! Integers from decimal digits and back.

use alloc::string::String;

use crate::bytes::digits;

/// Parses an integer that fits, in decimal digits with or without a sign.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let (negative, rest) = sign(text);
    let magnitude = digits(if negative { rest } else { text.strip_prefix('+').unwrap_or(text) }.as_bytes())?;
    match i64::try_from(magnitude) {
        Ok(number) if negative => Some(-number),
        Ok(number) => Some(number),
        Err(_) => (negative && magnitude == i64::MIN.unsigned_abs()).then_some(i64::MIN),
    }
}

/// Reports whether there is a minus, and returns the digits after it.
pub(super) fn sign(digits: &str) -> (bool, &str) {
    match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits),
    }
}

/// Appends an integer in decimal digits.
pub fn push_integer(number: i64, out: &mut String) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push('-');
    }
    // Digits are ASCII; the mask lets the compiler omit the check for longer characters.
    digits[at..].iter().for_each(|digit| out.push((digit & 0x7f) as char));
}

/// Formats an integer in decimal digits.
pub(crate) fn decimal(number: i64) -> String {
    let mut out = String::new();
    push_integer(number, &mut out);
    out
}
