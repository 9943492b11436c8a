//! Numbers and booleans in other notations, as the servers' validator accepts them: `"12"`, `1.0`, `"yes"`.

use alloc::string::String;

use super::Fault;
use crate::json::integer as fitting;
use crate::json::{Value, float};

/// Reads a boolean, 0 or 1, or one of the words for them in any case.
pub(super) fn boolean(value: &Value) -> Result<bool, Fault> {
    Err(match value {
        Value::Bool(value) => return Ok(*value),
        Value::Number(digits) => match integral(digits) {
            Ok(0) => return Ok(false),
            Ok(1) => return Ok(true),
            Ok(_) => Fault::BoolParsing,
            Err(_) => Fault::BoolType,
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "on" | "t" | "true" | "y" | "yes" => return Ok(true),
            "0" | "off" | "f" | "false" | "n" | "no" => return Ok(false),
            _ => Fault::BoolParsing,
        },
        _ => Fault::BoolType,
    })
}

/// Reads an integer of 64 bits from a number without a fraction, digits in a string, or a boolean.
///
/// The runtime accepts integers of any size; here, an integer that does not fit is refused as `int_parsing_size`,
/// never rounded.
pub(super) fn integer(value: &Value) -> Result<i64, Fault> {
    match value {
        Value::Bool(value) => Ok((*value).into()),
        Value::Number(digits) => integral(digits),
        Value::String(text) => integer_text(text),
        _ => Err(Fault::IntType),
    }
}

/// Reads a finite number, digits in a string, or a boolean.
///
/// The runtime also accepts `"nan"`, `"inf"` and numbers too large for floating point, and then writes null; they are
/// refused here as `finite_number`.
pub(super) fn number(value: &Value) -> Result<f64, Fault> {
    match value {
        Value::Bool(value) => Ok(f64::from(u8::from(*value))),
        // An integer does not have a negative zero.
        Value::Number(digits) if digits == "-0" => Ok(0.0),
        Value::Number(digits) => finite(digits),
        Value::String(text) => without_underscores(text.trim(), false)
            .ok_or(Fault::FloatParsing)
            .and_then(|digits| finite(&digits)),
        _ => Err(Fault::FloatType),
    }
}

fn finite(digits: &str) -> Result<f64, Fault> {
    let word = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if ["inf", "infinity", "nan"].iter().any(|infinite| word.eq_ignore_ascii_case(infinite)) {
        return Err(Fault::FiniteNumber);
    }
    match float::parse(digits) {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => Err(Fault::FiniteNumber),
        None => Err(Fault::FloatParsing),
    }
}

/// Returns the integer value of a JSON number.
fn integral(digits: &str) -> Result<i64, Fault> {
    if !digits.contains(['.', 'e', 'E']) {
        return fitting(digits).ok_or(Fault::IntParsingSize);
    }
    let number = float::parse(digits).unwrap_or(f64::NAN);
    // 2^63 is the first float beyond 64 bits; its negative is the last one within the range.
    const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;
    if !number.is_finite() {
        Err(Fault::FiniteNumber)
    } else if !(-TOO_LARGE..TOO_LARGE).contains(&number) {
        // Floats of that size do not have a fraction.
        Err(Fault::IntParsingSize)
    } else if (number as i64) as f64 != number {
        Err(Fault::IntFromFloat)
    } else {
        Ok(number as i64)
    }
}

/// Reads an integer. White space around it, a sign, digits with single underscores between them, and `.000` are
/// allowed.
fn integer_text(text: &str) -> Result<i64, Fault> {
    let text = text.trim();
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => whole,
        Some(_) => return Err(Fault::IntParsing),
        None => text,
    };
    let digits = without_underscores(whole, true).ok_or(Fault::IntParsing)?;
    let bare = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
    if bare.is_empty() || !bare.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Fault::IntParsing);
    }
    fitting(&digits).ok_or(Fault::IntParsingSize)
}

/// Removes underscores; `None` if one is not allowed: in `strict` it must be between two digits, otherwise it must not
/// be at an end or repeated.
fn without_underscores(text: &str, strict: bool) -> Option<String> {
    let bytes = text.as_bytes();
    let allowed = |at: usize| {
        let neighbour = |at: Option<usize>| {
            let byte = at.and_then(|at| bytes.get(at)).copied();
            byte.is_some_and(|b| b.is_ascii_digit() || (!strict && b != b'_'))
        };
        neighbour(at.checked_sub(1)) && neighbour(Some(at + 1))
    };
    let underscores = bytes.iter().enumerate().filter(|&(_, &b)| b == b'_');
    for (at, _) in underscores {
        if !allowed(at) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}
