//! One pass over a JSON text, after which every value in it is found without looking at its bytes again.

use alloc::vec::Vec;

use super::element::Element;
use super::error::{Error, ErrorKind};
use super::number;
use super::scan::{self, Stop};
use super::string::Str;
use super::write::between;
use crate::bytes;

/// Where a value stands, or where a container ends.
///
/// | of | `start` | `end` |
/// |---|---|---|
/// | a string or a key | its quote | behind its closing quote, with [`MARK`] if a backslash occurs |
/// | a number, `true`, `false`, `null` | its first byte | behind its last byte |
/// | an object or array | its bracket, with [`MARK`] | the token behind its closing one |
/// | a closing bracket | the bracket | nothing |
///
/// The tokens stand in the order of the text: keys before their values, containers before what they hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    start: u32,
    end: u32,
}

/// Marks a string that is not its bytes, and a container.
const MARK: u32 = 1 << 31;

impl Token {
    #[inline]
    pub fn start(self) -> usize {
        (self.start & !MARK) as usize
    }

    #[inline]
    pub fn is_container(self) -> bool {
        self.start & MARK != 0
    }

    /// The token behind the value, which is that of number `at`.
    #[inline]
    pub fn behind(self, at: u32) -> u32 {
        if self.is_container() { self.end } else { at + 1 }
    }
}

/// No container is open.
const NONE: u32 = u32::MAX;

/// A JSON text that has been read once: checked to be one value, and where each value in it stands.
///
/// What it holds is eight bytes per value and key, and as much again per container.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

/// Why a text is no document.
#[derive(Debug)]
pub(crate) struct Refused<'a> {
    pub error: Error,
    /// The member of the outermost object that was being read, empty if there was none.
    pub member: Str<'a>,
}

/// The memory of a document, kept for the next one. Most events fit in it; what many readers keep is bounded.
#[derive(Debug, Default)]
pub(crate) struct Tokens(Vec<Token>);

impl<'a> Document<'a> {
    /// Reads one JSON text of less than 2 GiB; containers may nest `max_depth` deep.
    pub fn read(text: &'a str, max_depth: u32) -> Result<Self, Error> {
        Self::read_into(&mut Tokens::default(), text, max_depth).map_err(|refused| refused.error)
    }

    /// The same, with the memory of another document.
    pub(crate) fn read_into(tokens: &mut Tokens, text: &'a str, max_depth: u32) -> Result<Self, Refused<'a>> {
        let mut document = Document { text, tokens: core::mem::take(&mut tokens.0) };
        let mut open = NONE;
        match document.index(&mut open, max_depth) {
            Ok(()) => Ok(document),
            Err(error) => {
                let member = document.member_at_work(open);
                document.give_back(tokens);
                Err(Refused { error, member })
            }
        }
    }

    /// Lets the next document have the memory of this one.
    pub(crate) fn give_back(mut self, tokens: &mut Tokens) {
        const KEEP: usize = 64;
        self.tokens.clear();
        self.tokens.shrink_to(KEEP);
        tokens.0 = self.tokens;
    }

    /// The value that the text is.
    pub fn root(&self) -> Element<'_, 'a> {
        Element::at(self, 0)
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    #[inline]
    pub(crate) fn token(&self, at: u32) -> Token {
        self.tokens.get(at as usize).copied().unwrap_or(Token { start: 0, end: 0 })
    }

    /// `open` is the innermost container that is open, whose token says which one is around it until it closes.
    fn index(&mut self, open: &mut u32, max_depth: u32) -> Result<(), Error> {
        if self.text.len() >= MARK as usize {
            return Err(Error { kind: ErrorKind::TooLong, at: MARK as usize });
        }
        let bytes = self.text.as_bytes();
        let mut depth_left = max_depth;
        let mut in_object = false;
        let mut at = 0;
        loop {
            at = scan::skip_space(bytes, at);
            match bytes.get(at) {
                Some(b'"') => at = self.string(at)?,
                Some(&bracket @ (b'{' | b'[')) => {
                    if depth_left == 0 {
                        return Err(Error { kind: ErrorKind::TooDeep, at });
                    }
                    depth_left -= 1;
                    let container = self.tokens.len() as u32;
                    self.tokens.push(Token { start: at as u32 | MARK, end: *open });
                    *open = container;
                    in_object = bracket == b'{';
                    at = scan::skip_space(bytes, at + 1);
                    // In ASCII the closing bracket is the second behind the opening one.
                    if bytes.get(at) != Some(&(bracket + 2)) {
                        if in_object {
                            at = self.key(at)?;
                        }
                        continue;
                    }
                }
                Some(b'-' | b'0'..=b'9') => {
                    let end = number::end(bytes, at).map_err(|at| self.unexpected(at))?;
                    self.push(at, end as u32);
                    at = end;
                }
                Some(b't') => at = self.literal("true", at)?,
                Some(b'f') => at = self.literal("false", at)?,
                Some(b'n') => at = self.literal("null", at)?,
                _ => return Err(self.unexpected(at)),
            }
            // A value has ended, or the container that has just begun is empty.
            loop {
                if *open == NONE {
                    at = scan::skip_space(bytes, at);
                    let ends = at == bytes.len();
                    return ends.then_some(()).ok_or(Error { kind: ErrorKind::TrailingBytes, at });
                }
                if !matches!(bytes.get(at), Some(b',' | b'}' | b']')) {
                    at = scan::skip_space(bytes, at);
                }
                match bytes.get(at) {
                    Some(b',') => {
                        at += 1;
                        if in_object {
                            at = self.key(scan::skip_space(bytes, at))?;
                        }
                        break;
                    }
                    Some(&bracket @ (b'}' | b']')) if in_object == (bracket == b'}') => {
                        self.push(at, 0);
                        at += 1;
                        depth_left += 1;
                        let behind = self.tokens.len() as u32;
                        if let Some(container) = self.tokens.get_mut(*open as usize) {
                            *open = core::mem::replace(&mut container.end, behind);
                        }
                        in_object = bytes.get(self.token(*open).start()) == Some(&b'{');
                    }
                    _ => return Err(self.unexpected(at)),
                }
            }
        }
    }

    #[inline(always)]
    fn push(&mut self, start: usize, end: u32) {
        self.tokens.push(Token { start: start as u32, end });
    }

    /// The string whose quote stands at `at`; returns the position behind it.
    #[inline(always)]
    fn string(&mut self, at: usize) -> Result<usize, Error> {
        let found = scan::string(self.text.as_bytes(), at + 1).map_err(|stop| match stop {
            Stop::End => Error { kind: ErrorKind::UnexpectedEnd, at: self.text.len() },
            Stop::Control(at) => Error { kind: ErrorKind::ControlCharacter, at },
            Stop::BadEscape(at) => Error { kind: ErrorKind::BadEscape, at },
        })?;
        let end = found.end + 1;
        self.push(at, end as u32 | if found.escaped { MARK } else { 0 });
        Ok(end)
    }

    /// The key at `at` and its colon; returns the position behind them.
    #[inline(always)]
    fn key(&mut self, at: usize) -> Result<usize, Error> {
        let bytes = self.text.as_bytes();
        if bytes.get(at) != Some(&b'"') {
            return Err(self.unexpected(at));
        }
        let mut at = self.string(at)?;
        if bytes.get(at) != Some(&b':') {
            at = scan::skip_space(bytes, at);
            if bytes.get(at) != Some(&b':') {
                return Err(self.unexpected(at));
            }
        }
        Ok(at + 1)
    }

    fn literal(&mut self, word: &str, at: usize) -> Result<usize, Error> {
        let end = at + word.len();
        if self.text.as_bytes().get(at..end) != Some(word.as_bytes()) {
            return Err(self.unexpected(at));
        }
        self.push(at, end as u32);
        Ok(end)
    }

    fn unexpected(&self, at: usize) -> Error {
        match self.text.as_bytes().get(at) {
            Some(&byte) => Error { kind: ErrorKind::UnexpectedByte(byte), at },
            None => Error { kind: ErrorKind::UnexpectedEnd, at },
        }
    }

    /// The key in the outermost object that reading stopped behind; `open` was the innermost container then.
    fn member_at_work(&self, mut open: u32) -> Str<'a> {
        let mut key = None;
        // The member's value is the outermost container that is open in the object.
        while open != NONE && open != 0 {
            key = open.checked_sub(1);
            open = self.token(open).end;
        }
        if open == 0 && key.is_none() {
            let mut next = 1;
            while self.tokens.len() > next as usize {
                key = Some(next);
                next = self.token(next + 1).behind(next + 1);
            }
        }
        let is_object = self.text.as_bytes().get(self.token(0).start()) == Some(&b'{');
        key.filter(|_| is_object).map_or(Str::plain(""), |key| self.str(key))
    }

    /// The string of a token.
    #[inline]
    pub(crate) fn str(&self, at: u32) -> Str<'a> {
        let Token { start, end } = self.token(at);
        let end = ((end & !MARK) as usize).saturating_sub(1);
        Str::new(between(self.text, start as usize + 1, end), self.token(at).end & MARK != 0)
    }

    /// Whether the string of a token is `name`, written without escapes.
    #[inline]
    pub(crate) fn is(&self, at: u32, name: &str) -> bool {
        let Token { start, end } = self.token(at);
        let start = start as usize + 1;
        end as usize == start + name.len() + 1
            && self
                .text
                .as_bytes()
                .get(start..start + name.len())
                .is_some_and(|key| bytes::same(key, name.as_bytes()))
    }

    /// The bytes of a value.
    pub(crate) fn raw(&self, at: u32) -> &'a str {
        let token = self.token(at);
        let end = match token.is_container() {
            true => self.token(token.end.wrapping_sub(1)).start() + 1,
            false => (token.end & !MARK) as usize,
        };
        between(self.text, token.start(), end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (ErrorKind, usize, &str) {
        let refused = Document::read_into(&mut Tokens::default(), text, 3).expect_err(text);
        (refused.error.kind, refused.error.at, refused.member.raw())
    }

    #[test]
    fn says_what_is_wrong_and_in_which_member() {
        use ErrorKind::*;
        for (text, expected) in [
            ("", (UnexpectedEnd, 0, "")),
            ("[1,", (UnexpectedEnd, 3, "")),
            (r#"{"a":1,"b""#, (UnexpectedEnd, 10, "b")),
            (r#"{"a":[1],"b":tru}"#, (UnexpectedByte(b't'), 13, "b")),
            (r#"{"a":1,"b":{"c":[01]}}"#, (UnexpectedByte(b'1'), 18, "b")),
            (r#"{"a":{"b":{}},"c":1,}"#, (UnexpectedByte(b'}'), 20, "c")),
            (r#"{"a":{"b":{"c":{}}}}"#, (TooDeep, 15, "a")),
            ("{\"a\":\"\n\"}", (ControlCharacter, 6, "a")),
            (r#"{"a":"\x"}"#, (BadEscape, 6, "a")),
            (r#"{"a":1}}"#, (TrailingBytes, 7, "")),
            (r#"{1:2}"#, (UnexpectedByte(b'1'), 1, "")),
            ("[1}", (UnexpectedByte(b'}'), 2, "")),
        ] {
            assert_eq!(refused(text), expected, "{text}");
        }
    }

    #[test]
    fn values_are_passed_by() {
        let text = r#" { "a" : [ 1 , { } , [ ] ] , "\u0062" : "x\ny" , "c" : null } "#;
        let document = Document::read(text, 3).expect("JSON");
        let members: Vec<_> = document.root().object().expect("an object").collect();
        let said: Vec<_> = members.iter().map(|(key, value)| (key.raw(), value.raw().as_str())).collect();
        assert_eq!(said, [("a", "[ 1 , { } , [ ] ]"), (r"\u0062", r#""x\ny""#), ("c", "null")]);
        let items: Vec<_> = members[0].1.array().expect("an array").map(|item| item.raw().as_str()).collect();
        assert_eq!(items, ["1", "{ }", "[ ]"]);
        assert!(members[1].0 == "b" && members[1].1.string().expect("a string").to_str() == "x\ny");
    }
}
