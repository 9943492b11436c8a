//! Reading a JSON text that is still being streamed.

use alloc::string::String;
use alloc::vec::Vec;

use super::document::DEEPEST;
use super::scan;
use super::value::Value;
use crate::bytes::between;

/// The result of reading a prefix of a JSON text.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// The certain part: strings up to their cut, numbers and literals only when they are complete,
    /// keys only with a value. `None` if nothing is certain.
    pub value: Option<Value>,
    /// The text was a complete JSON value.
    pub complete: bool,
}

/// Reads a prefix of a JSON text, in one pass over it.
///
/// Half a value is wrong for decisions that matter (a path, a command, an amount): display it, but
/// do not act on it. Text that is not a prefix of any JSON value yields the part before the fault,
/// with `complete` false.
pub fn partial(text: &str, max_depth: u32) -> Partial {
    let (closed, complete) = close(text, max_depth);
    Partial { value: Value::parse(&closed, max_depth).ok(), complete }
}

/// Returns the certain part of `text` as a JSON text, empty if nothing is certain; and whether
/// `text` is complete.
pub fn close(text: &str, max_depth: u32) -> (String, bool) {
    let mut cut = PrefixReader {
        text,
        at: 0,
        certain: 0,
        open: Vec::new(),
        depth: max_depth.min(DEEPEST) as usize,
    };
    let whole = cut.value().is_some();
    let complete = whole && cut.space().is_none();
    let mut closed = String::from(between(text, 0, cut.certain));
    cut.open.iter().rev().for_each(|&closer| closed.push(closer));
    (closed, complete)
}

/// Reads a prefix of a JSON text. Every method returns `None` at the first missing or wrong byte,
/// where reading stops.
///
/// Invariant: `open` changes only where `certain` is set, so the two match wherever reading stops.
struct PrefixReader<'a> {
    text: &'a str,
    at: usize,
    /// The end of the certain part.
    certain: usize,
    /// The closing characters of the containers, and of the string, that are open there.
    open: Vec<char>,
    /// The maximum number of open containers.
    depth: usize,
}

impl PrefixReader<'_> {
    fn rest(&self) -> &str {
        between(self.text, self.at, self.text.len())
    }

    fn space(&mut self) -> Option<u8> {
        self.at = scan::skip_space(self.text.as_bytes(), self.at);
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.space() == Some(byte)).then(|| self.at += 1)
    }

    fn value(&mut self) -> Option<()> {
        match self.space()? {
            b'"' => self.string(true)?,
            b'{' => {
                return self.container('}', |cut| {
                    cut.string(false)?;
                    cut.expect(b':')?;
                    cut.value()
                });
            }
            b'[' => return self.container(']', Self::value),
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            _ => self.number()?,
        }
        self.certain = self.at;
        Some(())
    }

    fn container(&mut self, closer: char, item: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        if self.open.len() == self.depth {
            return None;
        }
        self.at += 1;
        self.certain = self.at;
        self.open.push(closer);
        if self.space() != Some(closer as u8) {
            item(self)?;
            while self.expect(b',').is_some() {
                item(self)?;
            }
        }
        self.expect(closer as u8)?;
        self.open.pop();
        self.certain = self.at;
        Some(())
    }

    /// Reads a string. The part before the cut is certain in a value, but not in a key.
    fn string(&mut self, is_value: bool) -> Option<()> {
        self.expect(b'"')?;
        let from = self.at;
        match scan::string(self.text.as_bytes(), from) {
            Ok(found) => {
                self.at = found.end + 1;
                Some(())
            }
            Err(_) if is_value => {
                self.certain = from + whole_escapes(between(self.text, from, self.text.len()));
                self.open.push('"');
                None
            }
            Err(_) => None,
        }
    }

    fn literal(&mut self, word: &str) -> Option<()> {
        self.rest().starts_with(word).then(|| self.at += word.len())
    }

    /// Reads a number. A number at the very end may still grow, so it is certain only if it is the
    /// whole text.
    fn number(&mut self) -> Option<()> {
        self.at = super::number::end(self.text.as_bytes(), self.at).ok()?;
        (self.at < self.text.len() || self.open.is_empty()).then_some(())
    }
}

/// Returns the length of the valid part of a string that has no end or a fault: without an
/// unfinished or wrong escape, the first half of a surrogate pair at its end, and control
/// characters.
fn whole_escapes(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    let mut whole = 0;
    loop {
        let from = at;
        at = scan::next_special(bytes, at);
        if at > from {
            whole = at;
        }
        let Some(length) = scan::escape(bytes, at) else { return whole };
        let half = bytes.get(at + 2..at + 4).filter(|_| length == 6);
        let is_first_half = half.is_some_and(|digits| {
            digits[0] & 0xdf == b'D' && matches!(digits[1] | 0x20, b'8' | b'9' | b'a' | b'b')
        });
        at += length;
        if !is_first_half {
            whole = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        r#"{"path":"a\"\\\u4f60\ud83d\ude00b","n":-12.5e3,"list":[1,true,null,{"k":[]}],"z":{}}"#;

    #[test]
    fn every_prefix_is_readable_and_only_the_whole_text_is_complete() {
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
    fn unfinished_tokens_are_omitted() {
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

    /// The mistakes that models make most often where JSON requires an escape.
    #[test]
    fn text_before_an_invalid_escape_is_kept() {
        let show = |text: &str| partial(text, 64).value.map(|v| v.to_json());
        for (text, shown) in [
            (r#"{"path":"C:\Users"#, r#"{"path":"C:"}"#),
            (r#"{"path":"C:\Users\\x","n":1}"#, r#"{"path":"C:"}"#),
            (r#"{"r":"\d+","n":1}"#, r#"{"r":""}"#),
            (r#"{"say":"it\'s"}"#, r#"{"say":"it"}"#),
            (r#"["a\n\u12G4"]"#, r#"["a\n"]"#),
            (r#"["a\u12"#, r#"["a"]"#),
            (r#"["a\u{1f600}"#, r#"["a"]"#),
            (r#"["\ud83d\d"]"#, r#"[""]"#),
            ("[\"a\nb\"]", r#"["a"]"#),
            ("[\"a\tb", r#"["a"]"#),
            ("[\"a\0", r#"["a"]"#),
            (r#"{"a":1,"\d":2}"#, r#"{"a":1}"#),
            (r#"{"a":1,"k\"#, r#"{"a":1}"#),
            ("\"\\x", r#""""#),
            // A lone half is a legal escape and becomes U+FFFD.
            (r#"["a\udc00b"#, "[\"a\u{fffd}b\"]"),
            (r#"["a\ud83db"]"#, "[\"a\u{fffd}b\"]"),
        ] {
            assert_eq!(show(text).as_deref(), Some(shown), "{text}");
            assert!(!partial(text, 64).complete || text.contains("ud83db"), "{text}");
        }
    }

    #[test]
    fn invalid_json_is_never_complete() {
        for text in [r#"{"a":1}x"#, "{a:1}", "[1,,2]", "nul1", r#"{"a" 1}"#] {
            assert!(!partial(text, 64).complete, "{text}");
        }
        assert!(!partial("[[[", 2).complete);
    }
}
