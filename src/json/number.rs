//! Numbers that are kept as digits: integers from decimal digits and back, and addition.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::float::{self, FloatFormat};
use crate::bytes::digits;

/// Parses an integer that fits, in decimal digits with or without a sign.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let (negative, rest) = sign(text);
    let magnitude =
        digits(if negative { rest } else { text.strip_prefix('+').unwrap_or(text) }.as_bytes())?;
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

/// Adds two JSON numbers as Python does: integers of any size exactly, anything else as 64-bit
/// floats.
pub fn add(a: &str, b: &str) -> String {
    if is_integer(a) && is_integer(b) {
        let small = |(a, b): (i64, i64)| a.checked_add(b);
        return match integer(a).zip(integer(b)).and_then(small) {
            Some(sum) => decimal(sum),
            None => add_integers(a, b),
        };
    }
    let sum = float::parse(a).unwrap_or(0.0) + float::parse(b).unwrap_or(0.0);
    if !sum.is_finite() {
        // JSON has no infinity: the sum stays unchanged.
        return a.to_owned();
    }
    FloatFormat { plain_from: 1e-4, wide: false }.of(sum)
}

/// Returns the end of the JSON number that starts at `from`; fails with the position of the first
/// byte that is wrong in a number.
pub(crate) fn end(bytes: &[u8], from: usize) -> Result<usize, usize> {
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 { Err(from) } else { Ok(from + count) }
    };
    let whole = from + usize::from(bytes.get(from) == Some(&b'-'));
    let mut at = digits(whole)?;
    if bytes.get(whole) == Some(&b'0') && at > whole + 1 {
        return Err(whole + 1);
    }
    if bytes.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits(at + 1 + sign)?;
    }
    Ok(at)
}

/// Reports whether a text is a JSON number and nothing else.
pub(crate) fn is_number(text: &str) -> bool {
    end(text.as_bytes(), 0) == Ok(text.len())
}

/// Reads the number at `from`, as JSON writes it, without sign, fraction or leading zeros, and of
/// at most 17 digits; returns it with its end. Inlined on native targets, because every replayed
/// delta has such a number.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline)]
pub(crate) fn count(bytes: &[u8], from: usize) -> Option<(i64, usize)> {
    let mut value = 0;
    let mut at = from;
    while let Some(digit) =
        bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
    {
        value = value * 10 + i64::from(digit);
        at += 1;
        if at - from > 17 {
            return None;
        }
    }
    let canonical = at > from && (at == from + 1 || bytes[from] != b'0');
    canonical.then_some((value, at))
}

/// Returns the end of such a number at `from` if every reader can represent it exactly.
pub(crate) fn safe(bytes: &[u8], from: usize) -> Option<usize> {
    count(bytes, from).filter(|(value, _)| *value < 1 << 53).map(|(_, end)| end)
}

/// Reports whether a JSON number is written as an integer; `1.0` and `1e2` are floats.
pub fn is_integer(digits: &str) -> bool {
    !digits.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
}

/// Adds two integers of any size, digit by digit.
fn add_integers(a: &str, b: &str) -> String {
    let ((a_negative, a), (b_negative, b)) = (sign(a), sign(b));
    // JSON integers have no leading zeros, so the longer one is larger. It determines the sign.
    let is_a_larger = (a.len(), a) >= (b.len(), b);
    let (negative, larger, smaller) =
        if is_a_larger { (a_negative, a, b) } else { (b_negative, b, a) };
    let mut others = smaller.bytes().rev();
    let mut carry = 0;
    let mut out: Vec<u8> = Vec::with_capacity(larger.len() + 2);
    for digit in larger.bytes().rev() {
        let (digit, other) = (digit as i8, others.next().unwrap_or(b'0') as i8);
        let zero = b'0' as i8;
        let other = if a_negative == b_negative { other - zero } else { zero - other };
        let sum = digit - zero + other + carry;
        out.push(b'0' + sum.rem_euclid(10) as u8);
        carry = sum.div_euclid(10);
    }
    out.push(b'0' + carry as u8);
    while out.len() > 1 && out.last() == Some(&b'0') {
        out.pop();
    }
    if negative && out != b"0" {
        out.push(b'-');
    }
    out.iter().rev().map(|&digit| digit as char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn integer_sums_are_exact_at_any_size() {
        let nines = "9".repeat(60);
        assert_eq!(add(&nines, "1"), format!("1{}", "0".repeat(60)));
        assert_eq!(add(&format!("1{}", "0".repeat(60)), "-1"), nines);
        assert_eq!(add(&format!("-{nines}"), &nines), "0");
        assert_eq!(add(&format!("-{nines}"), "5"), format!("-{}4", "9".repeat(59)));
        assert_eq!(add("9007199254740993", "1"), "9007199254740994");
        assert_eq!(add("-3", "1"), "-2");
    }

    #[test]
    fn adding_a_float_returns_a_float() {
        assert_eq!(add("1", "2.5"), "3.5");
        assert_eq!(add("1.5", "1.5"), "3.0");
        assert_eq!(add("1e300", "1e300"), "2e300");
        assert_eq!(add("1e308", "1e308"), "1e308");
    }
}
