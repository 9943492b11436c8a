//! What a JSON text that is still being streamed says so far.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::scan;
use super::string::{Str, SurrogateHalf, decode_into};
use super::value::{Member, Value, keep_last};

/// The reading of a prefix of a JSON text.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// What is certain so far: strings up to where they were cut, numbers and literals only when they are whole, keys
    /// only with a value. `None` when nothing is.
    pub value: Option<Value>,
    /// The text was a whole JSON value.
    pub complete: bool,
}

/// Reads as much of `text` as there is, in one pass over it.
///
/// Half a value is wrong for decisions that matter (a path, a command, an amount): show it, do not act on it.
/// Text that is no prefix of any JSON value yields what stood before the fault, with `complete` false.
pub fn partial(text: &str, max_depth: u32) -> Partial {
    let mut cut = Cut { text, at: 0, whole: true };
    let value = cut.value(max_depth);
    cut.space();
    let complete = cut.whole && value.is_some() && cut.at == text.len();
    Partial { value, complete }
}

struct Cut<'a> {
    text: &'a str,
    at: usize,
    /// False from the first thing on that was missing or wrong; everything stops there.
    whole: bool,
}

impl Cut<'_> {
    fn space(&mut self) -> Option<u8> {
        self.at = scan::skip_space(self.text.as_bytes(), self.at);
        self.text.as_bytes().get(self.at).copied()
    }

    fn give_up<T>(&mut self) -> Option<T> {
        self.whole = false;
        None
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.space() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        match self.space() {
            Some(b'"') => self.string().map(Value::String),
            Some(b'{' | b'[') if depth == 0 => self.give_up(),
            Some(b'{') => Some(self.object(depth - 1)),
            Some(b'[') => Some(self.array(depth - 1)),
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.give_up(),
        }
    }

    fn object(&mut self, depth: u32) -> Value {
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        if self.eat(b'}') {
            return Value::Object(members);
        }
        loop {
            if self.space() != Some(b'"') {
                self.whole = false;
                break;
            }
            let key = self.string();
            let Some(key) = key.filter(|_| self.whole && self.eat(b':')) else {
                self.whole = false;
                break;
            };
            if let Some(value) = self.value(depth) {
                members.push(Member { key, value });
            }
            if !self.whole || self.eat(b'}') {
                break;
            }
            if !self.eat(b',') {
                self.whole = false;
                break;
            }
        }
        keep_last(&mut members);
        Value::Object(members)
    }

    fn array(&mut self, depth: u32) -> Value {
        self.at += 1;
        let mut items = Vec::new();
        if self.eat(b']') {
            return Value::Array(items);
        }
        loop {
            items.extend(self.value(depth));
            if !self.whole || self.eat(b']') {
                break;
            }
            if !self.eat(b',') {
                self.whole = false;
                break;
            }
        }
        Value::Array(items)
    }

    fn string(&mut self) -> Option<String> {
        let from = self.at + 1;
        let bytes = self.text.as_bytes();
        match scan::string(bytes, from, false) {
            Ok(found) => {
                self.at = found.end + 1;
                Some(Str::new(&self.text[from..found.end], found.escaped).to_str().into_owned())
            }
            Err(_) => {
                self.whole = false;
                let rest = &self.text[from..];
                let (mut text, mut half) = (String::new(), SurrogateHalf::NONE);
                decode_into(Str::new(&rest[..whole_escapes(rest)], true), &mut half, &mut text);
                Some(text)
            }
        }
    }

    fn literal(&mut self, word: &str, value: Value) -> Option<Value> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Some(value)
        } else {
            self.give_up()
        }
    }

    /// A number at the very end may still grow, so it is not certain.
    fn number(&mut self) -> Option<Value> {
        let mut reader = super::Reader::new(&self.text[self.at..], 0);
        match reader.number() {
            Ok(digits) if self.at + digits.len() < self.text.len() => {
                self.at += digits.len();
                Some(Value::Number(digits.to_owned()))
            }
            Ok(digits) => {
                let whole_text = self.at == 0 || self.text[..self.at].trim().is_empty();
                self.at = self.text.len();
                // `12` alone is a whole JSON text; inside a container its end is still to come.
                if whole_text { Some(Value::Number(digits.to_owned())) } else { self.give_up() }
            }
            Err(_) => self.give_up(),
        }
    }
}

/// Length of the part of an unfinished string that holds no unfinished escape and no control character.
fn whole_escapes(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    loop {
        at = scan::next_special(bytes, at);
        match bytes.get(at) {
            Some(b'\\') => {
                let length = if bytes.get(at + 1) == Some(&b'u') { 6 } else { 2 };
                let valid = bytes
                    .get(at..at + length)
                    .is_some_and(|escape| escape[1] != b'u' || escape[2..].iter().all(u8::is_ascii_hexdigit));
                if !valid {
                    return at;
                }
                at += length;
            }
            _ => return at.min(bytes.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        r#"{"path":"a\"\\\u4f60\ud83d\ude00b","n":-12.5e3,"list":[1,true,null,{"k":[]}],"z":{}}"#;

    #[test]
    fn every_prefix_reads_and_only_the_whole_text_is_complete() {
        for end in (0..=WHOLE.len()).filter(|&end| WHOLE.is_char_boundary(end)) {
            let read = partial(&WHOLE[..end], 64);
            assert_eq!(read.complete, end == WHOLE.len(), "{end}");
        }
        assert_eq!(
            partial(WHOLE, 64).value.map(|v| v.to_json()),
            Some(WHOLE.replace(r"\u4f60\ud83d\ude00", "你😀"))
        );
    }

    #[test]
    fn only_what_is_certain_is_shown() {
        let show = |text: &str| partial(text, 64).value.map(|v| v.to_json());
        assert_eq!(show(""), None);
        assert_eq!(show("-"), None);
        assert_eq!(show("tru"), None);
        assert_eq!(show("42").as_deref(), Some("42"));
        assert_eq!(show(r#"{"a":-"#).as_deref(), Some("{}"));
        assert_eq!(show(r#"{"a":12"#).as_deref(), Some("{}"));
        assert_eq!(show(r#"{"a":12,"#).as_deref(), Some(r#"{"a":12}"#));
        assert_eq!(show(r#"{"a":"x\u4f"#).as_deref(), Some(r#"{"a":"x"}"#));
        assert_eq!(show(r#"{"a":"x\ud83d"#).as_deref(), Some(r#"{"a":"x"}"#));
        assert_eq!(show(r#"{"a":"x","b"#).as_deref(), Some(r#"{"a":"x"}"#));
        assert_eq!(show(r#"[[1,[2"#).as_deref(), Some("[[1,[]]]"));
    }

    #[test]
    fn what_is_no_json_is_never_complete() {
        for text in [r#"{"a":1}x"#, "{a:1}", "[1,,2]", "nul1", r#"{"a" 1}"#] {
            assert!(!partial(text, 64).complete, "{text}");
        }
        assert!(!partial("[[[", 2).complete);
    }
}
