//! Free JSON without its long strings.
//!
//! JavaScript's JSON reader takes about ten times as long for a long string as a decoder of UTF-8 does. So such strings
//! are taken out of a value that crosses, and cross as what they are: appended, where they were, to the empty ones.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{Raw, Str, SurrogateHalf, decode_into};

/// From this many bytes on a string pays for the ops it needs. Shorter values are compared with what is there, and must
/// stay whole for that.
const LONG: usize = 1 << 12;

/// How many strings are taken out of one value, so that its keys are compared with few.
const MOST: usize = 8;

/// A value whose long strings are empty, and those strings in their order.
pub(super) struct Hollow<'a> {
    pub json: Cow<'a, str>,
    pub strings: Vec<LongString<'a>>,
}

/// A string that was taken out.
pub(super) struct LongString<'a> {
    /// The member of the value that holds it; none if the value is the string.
    pub key: Option<Cow<'a, str>>,
    pub text: Cow<'a, str>,
}

impl<'a> Hollow<'a> {
    /// Takes out the long strings that are the value, or are members of it.
    pub fn of(raw: Raw<'a>) -> Self {
        let mut hollow = Hollow { json: Cow::Borrowed(raw.as_str()), strings: Vec::new() };
        if raw.as_str().len() < LONG || hollow.take(raw).is_none() {
            hollow = Hollow { json: Cow::Borrowed(raw.as_str()), strings: Vec::new() };
        }
        hollow
    }

    /// None if the value has to stay whole.
    fn take(&mut self, raw: Raw<'a>) -> Option<()> {
        let text = raw.as_str();
        let mut reader = raw.reader();
        if reader.peek() == Some(b'"') {
            let string = characters(reader.string().ok()?)?;
            self.strings.push(LongString { key: None, text: string });
            self.json = Cow::Borrowed("\"\"");
            return Some(());
        }
        if reader.peek() != Some(b'{') {
            return Some(());
        }
        let mut json = String::new();
        let (mut kept, mut repeated) = (0, false);
        let whole = reader.object(|key, reader| {
            repeated |= !self.strings.is_empty() && self.holds(&key.to_str());
            if reader.peek() != Some(b'"') {
                return reader.value().map(drop);
            }
            let from = reader.offset();
            let string = reader.string()?;
            if string.raw().len() >= LONG
                && self.strings.len() < MOST
                && let Some(characters) = characters(string)
            {
                json.push_str(text.get(kept..=from).unwrap_or_default());
                kept = reader.offset() - 1;
                self.strings.push(LongString { key: Some(key.to_str()), text: characters });
            }
            Ok(())
        });
        // Of members that have the same name the last one counts.
        if whole.is_err() || repeated {
            return None;
        }
        if !self.strings.is_empty() {
            json.push_str(text.get(kept..).unwrap_or_default());
            self.json = Cow::Owned(json);
        }
        Some(())
    }

    fn holds(&self, key: &str) -> bool {
        self.strings.iter().any(|string| string.key.as_deref() == Some(key))
    }
}

/// The characters of a string; none if half a surrogate pair stands alone in it, which only JavaScript can keep.
fn characters(string: Str<'_>) -> Option<Cow<'_, str>> {
    if let Some(plain) = string.as_plain() {
        return Some(Cow::Borrowed(plain));
    }
    let mut text = String::with_capacity(string.raw().len());
    let mut half = SurrogateHalf::NONE;
    let lone = decode_into(string, &mut half, &mut text);
    (lone == 0 && !half.is_waiting()).then_some(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    fn hollow(json: &str) -> (String, Vec<(Option<String>, String)>) {
        let hollow = Hollow::of(Raw(json));
        let strings = hollow.strings.iter();
        let strings =
            strings.map(|string| (string.key.as_deref().map(str::to_string), string.text.to_string()));
        (hollow.json.to_string(), strings.collect())
    }

    #[test]
    fn long_strings_are_taken_out() {
        let (a, b) = ("a".repeat(LONG), "é\\\"".repeat(LONG));
        let found = hollow(&format!(r#"{{"n": 1, "\u0061": "{a}" ,"s":"{{","b":"{b}"}}"#));
        assert_eq!(found.0, r#"{"n": 1, "\u0061": "" ,"s":"{","b":""}"#);
        assert_eq!(found.1, [(Some("a".into()), a.clone()), (Some("b".into()), "é\"".repeat(LONG))]);
        assert_eq!(hollow(&format!("\"{a}\"")), ("\"\"".into(), [(None, a)].into()));
    }

    #[test]
    fn what_must_stay_stays() {
        let long = "a".repeat(LONG);
        let short = &long[1..];
        for json in [
            format!(r#"{{"a":"{short}","b":["{short}"]}}"#),
            format!(r#"{{"a":{{"b":"{long}"}}}}"#),
            format!(r#"["{long}"]"#),
            format!(r#"{{"a":"{long}","\u0061":1}}"#),
            format!(r#"{{"a":"{long}\ud83d"}}"#),
            format!(r#""\ude00{long}""#),
        ] {
            assert_eq!(hollow(&json), (json.clone(), [].into()), "{}", &json[..20]);
        }
    }

    #[test]
    fn only_so_many() {
        let long = "a".repeat(LONG);
        let members: Vec<String> = (0..MOST + 2).map(|key| format!("\"{key}\":\"{long}\"")).collect();
        let (json, strings) = hollow(&format!("{{{}}}", members.join(",")));
        assert_eq!(strings.len(), MOST);
        assert!(json.ends_with(&format!("\"7\":\"\",\"8\":\"{long}\",\"9\":\"{long}\"}}")));
    }
}
