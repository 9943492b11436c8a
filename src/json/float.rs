//! Floating point numbers from digits and back.
//!
//! Both take long code with longer tables. The npm package's module uses the JavaScript host
//! instead, which reads and writes the same numbers: the nearest to the digits, and the fewest
//! digits that are read as the number.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::number::{decimal, integer};
use crate::bytes::between;
use crate::host::numbers::{nearest, shortest};

/// Parses decimal digits, with or without a sign, a point and an exponent; infinite if the number
/// is too large.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let numeric = |byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    if text.is_empty() || !text.bytes().all(numeric) {
        return None;
    }
    Some(nearest(text)).filter(|number| !number.is_nan())
}

/// Returns the name of a number that is not finite.
pub(crate) fn name(number: f64) -> &'static str {
    match number {
        f64::INFINITY => "inf",
        f64::NEG_INFINITY => "-inf",
        _ => "NaN",
    }
}

/// The format of a float, which has an exponent from 1e16 up and below `plain_from`.
#[derive(Clone, Copy)]
pub(crate) struct FloatFormat {
    /// The smallest number without an exponent.
    pub plain_from: f64,
    /// An exponent always has a sign and at least two digits.
    pub wide: bool,
}

impl FloatFormat {
    /// Formats a finite number, with a fraction or an exponent, so that it cannot be read as an
    /// integer.
    pub fn of(self, number: f64) -> String {
        let magnitude = number.abs();
        let text = shortest(magnitude);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = whole.to_owned() + fraction;
        let digits = all.trim_start_matches('0');
        // The position of the point relative to these digits.
        let point =
            integer(exponent).unwrap_or(0) + whole.len() as i64 - (all.len() - digits.len()) as i64;
        let digits = digits.trim_end_matches('0');

        let sign = if number.is_sign_negative() { "-" } else { "" };
        if magnitude == 0.0 {
            return [sign, "0.0"].concat();
        }
        if (self.plain_from..1e16).contains(&magnitude) {
            let split = digits.len().min(point.max(0) as usize);
            let zeros = between("0000000000000000", 0, point.unsigned_abs() as usize - split);
            let (whole, rest) = (between(digits, 0, split), between(digits, split, digits.len()));
            return match rest {
                _ if point <= 0 => [sign, "0.", zeros, rest].concat(),
                "" => [sign, whole, zeros, ".0"].concat(),
                rest => [sign, whole, ".", rest].concat(),
            };
        }
        let (first, rest) = (between(digits, 0, 1), between(digits, 1, digits.len()));
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent = point - 1;
        let mark = match exponent {
            ..0 => "e-",
            _ if self.wide => "e+",
            _ => "e",
        };
        let zero = if self.wide && exponent.abs() < 10 { "0" } else { "" };
        [sign, first, dot, rest, mark, zero, &decimal(exponent.abs())].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_formatted_as_by_rust() {
        let debug = FloatFormat { plain_from: 1e-4, wide: false };
        let mut state = 1u64;
        for _ in 0..100_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // Any float at all, and one of the common sizes.
            let any = f64::from_bits(state);
            let common = (state >> 40) as f64
                * [1e-9, 1e-5, 0.001, 0.25, 1.0, 1e9, 1e12][(state >> 20) as usize % 7];
            for number in [any, common, -common].into_iter().filter(|number| number.is_finite()) {
                assert_eq!(debug.of(number), alloc::format!("{number:?}"));
            }
        }
        for number in [0.0, -0.0, 5e-324, f64::MAX, 1e16, 9_999_999_999_999_998.0, 1e-4, 0.1, 100.0]
        {
            assert_eq!(debug.of(number), alloc::format!("{number:?}"));
        }
    }

    #[test]
    fn wide_exponents_are_optional() {
        let wide = FloatFormat { plain_from: 1e-4, wide: true };
        let spelled = [1e16, 1.5e-7, 1e100, 5e-324, 1e-4].map(|number| wide.of(number));
        assert_eq!(spelled, ["1e+16", "1.5e-07", "1e+100", "5e-324", "0.0001"]);
        assert_eq!(FloatFormat { plain_from: 1e-5, wide: false }.of(1e-5), "0.00001");
    }

    #[test]
    fn parses_only_decimal_floats() {
        for text in ["1", "+1.", "-.5", "1e3", "1E-3", "0e0", "1e999"] {
            assert_eq!(parse(text), text.parse().ok(), "{text}");
        }
        for text in ["", ".", "-", "e5", "1e", "1e+", "--1", "1.2.3", "inf", "nan", "0x10", " 1"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
