//! JSON for a reader that knows only floating point numbers.

use alloc::string::String;

use super::reader::{Raw, Reader};

/// Appends `raw` to `out`. Returns true when it holds an integer that a 64-bit float cannot, and then writes every such
/// integer as a string of U+0001 and its digits; a string that itself begins with U+0001 gets one more in front, so the
/// two can be told apart.
pub fn write_exact(raw: Raw<'_>, out: &mut String) -> bool {
    let text = raw.as_str();
    // No run of 16 digits, no integer above 2^53; nearly every value ends here.
    if !has_long_digits(text.as_bytes()) {
        out.push_str(text);
        return false;
    }
    let from = out.len();
    let mut exact = Exact { out, found: false };
    // A `Raw` was checked when it was made, so reading it again cannot fail.
    let _ = exact.value(&mut raw.reader());
    if !exact.found {
        exact.out.truncate(from);
        exact.out.push_str(text);
    }
    exact.found
}

fn has_long_digits(bytes: &[u8]) -> bool {
    // Any run of 16 contains a position that is a multiple of 16, so only those are looked at first.
    let mut at = 15;
    while at < bytes.len() {
        if bytes[at].is_ascii_digit() {
            let back = bytes[..at].iter().rev().take_while(|b| b.is_ascii_digit()).count();
            let ahead = bytes[at..].iter().take(16).take_while(|b| b.is_ascii_digit()).count();
            if back + ahead >= 16 {
                return true;
            }
        }
        at += 16;
    }
    false
}

struct Exact<'o> {
    out: &'o mut String,
    found: bool,
}

impl Exact<'_> {
    fn value(&mut self, reader: &mut Reader<'_>) -> Result<(), super::Error> {
        match reader.peek() {
            Some(b'{') => {
                self.out.push('{');
                let mut first = true;
                reader.object(|key, value| {
                    self.comma(&mut first);
                    self.out.push('"');
                    self.out.push_str(key.raw());
                    self.out.push_str("\":");
                    self.value(value)
                })?;
                self.out.push('}');
            }
            Some(b'[') => {
                self.out.push('[');
                let mut first = true;
                reader.array(|item| {
                    self.comma(&mut first);
                    self.value(item)
                })?;
                self.out.push(']');
            }
            Some(b'"') => {
                let text = reader.string()?;
                let marked = text.to_str().starts_with('\u{1}');
                self.out.push_str(if marked { "\"\\u0001" } else { "\"" });
                self.out.push_str(text.raw());
                self.out.push('"');
            }
            Some(b'-' | b'0'..=b'9') => {
                let digits = reader.number()?;
                if fits_a_float(digits) {
                    self.out.push_str(digits);
                } else {
                    self.found = true;
                    self.out.push_str("\"\\u0001");
                    self.out.push_str(digits);
                    self.out.push('"');
                }
            }
            _ => self.out.push_str(reader.value()?.as_str()),
        }
        Ok(())
    }

    fn comma(&mut self, first: &mut bool) {
        if !core::mem::take(first) {
            self.out.push(',');
        }
    }
}

/// Whether a number is no integer, or one of magnitude up to 2^53.
fn fits_a_float(digits: &str) -> bool {
    if digits.contains(['.', 'e', 'E']) {
        return true;
    }
    digits.parse::<i64>().is_ok_and(|n| n.unsigned_abs() <= 1 << 53)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Option<String> {
        let mut out = String::new();
        let raw = Reader::new(text, 64).value().unwrap();
        write_exact(raw, &mut out).then_some(out)
    }

    #[test]
    fn marks_only_what_a_float_cannot_hold() {
        assert_eq!(exact("9007199254740992"), None);
        assert_eq!(exact("9007199254740993").as_deref(), Some(r#""\u00019007199254740993""#));
        assert_eq!(exact("-12345678901234567890123").as_deref(), Some(r#""\u0001-12345678901234567890123""#));
        assert_eq!(exact("0.12345678901234567890"), None);
        assert_eq!(exact(r#"{"s":"1234567890123456789"}"#), None);
        assert_eq!(
            exact(r#"{"a":[1,{"b":9007199254740993}],"c":"\u0001x","d":true}"#).as_deref(),
            Some(r#"{"a":[1,{"b":"\u00019007199254740993"}],"c":"\u0001\u0001x","d":true}"#)
        );
        for pad in 0..40 {
            assert!(exact(&format!("[\"{}\",1234567890123456789]", "x".repeat(pad))).is_some(), "{pad}");
        }
    }
}
