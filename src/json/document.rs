//! A JSON text that has been read: the tape with the position of every value.

use alloc::vec::Vec;

use super::error::{Error, JsonErrorKind};
use super::scan::ScanStop;
use super::string::Str;
use super::{number, scan};
use crate::bytes::between;

/// The limit of nesting for all documents: values are walked by recursion, which uses up the stack.
pub const DEEPEST: u32 = 512;

/// A JSON text that has been read once: it is one valid value, and the position of each value in it
/// is known.
///
/// It takes eight bytes per value and key, and eight more per container.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) tape: Vec<TapeEntry>,
    /// The number of levels between its deepest container and the limit.
    pub(super) spare_depth: u32,
    /// The maximum length of the ids in it, in bytes.
    pub(crate) id_bytes: usize,
    /// The container of all skipped objects, if they are in the same one.
    pub(super) skipped_in: Option<u32>,
    /// The document has skipped objects.
    pub(super) has_skipped: bool,
}

/// An object in the text that is skipped: the caller has read the same bytes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Its position: from its opening bracket to after its closing one.
    pub from: u32,
    pub to: u32,
    /// The result of [`Element::skipped`] for it.
    pub tag: u32,
}

impl<'a> Document<'a> {
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// Reports whether objects in it were skipped.
    pub(crate) fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    #[inline]
    pub(crate) fn token(&self, at: u32) -> TapeEntry {
        self.tape.get(at as usize).copied().unwrap_or(TapeEntry { start: 0, end: 0 })
    }

    /// Returns the string of a token.
    #[inline]
    pub(crate) fn str(&self, at: u32) -> Str<'a> {
        let TapeEntry { start, end } = self.token(at);
        let end = ((end & !MARK) as usize).saturating_sub(1);
        Str::new(between(self.text, start as usize + 1, end), self.token(at).end & MARK != 0)
    }

    /// Returns the bytes of a string without escapes.
    #[inline]
    pub(crate) fn plain(&self, at: u32) -> Option<&'a [u8]> {
        let TapeEntry { start, end } = self.token(at);
        // With escapes, the mark puts its end beyond the text.
        self.text.as_bytes().get(start as usize + 1..(end as usize).wrapping_sub(1))
    }

    /// Returns the bytes of a value.
    pub(crate) fn raw(&self, at: u32) -> &'a str {
        let token = self.token(at);
        let end = match token.is_container() {
            true => self.token(token.end.wrapping_sub(1)).start() + 1,
            false => (token.end & !MARK) as usize,
        };
        between(self.text, token.start(), end)
    }
}

/// The position of a value, or of the end of a container.
///
/// | of | `start` | `end` |
/// |---|---|---|
/// | a string or a key | its quote | after its closing quote, with [`MARK`] if a backslash occurs |
/// | a number, `true`, `false`, `null` | its first byte | after its last byte |
/// | an object or array | its bracket, with [`MARK`] | the token after its closing one |
/// | a closing bracket | the bracket | 0, or the tag of an object that was skipped and one |
///
/// The entries are in the order of the text: keys before their values, containers before their
/// contents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapeEntry {
    pub start: u32,
    pub end: u32,
}

/// Marks a string with escapes, and a container.
pub(super) const MARK: u32 = 1 << 31;

impl TapeEntry {
    #[inline]
    pub fn start(self) -> usize {
        (self.start & !MARK) as usize
    }

    #[inline]
    pub fn is_container(self) -> bool {
        self.start & MARK != 0
    }

    /// Returns the token after the value whose own token is number `at`.
    #[inline]
    pub fn after(self, at: u32) -> u32 {
        if self.is_container() { self.end } else { at + 1 }
    }
}

/// The number of the container if none is open.
pub(super) const NONE: u32 = u32::MAX;

/// The memory of a document, kept for the next one. Most events fit in it; its size is bounded for
/// the sake of many readers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape(pub(super) Vec<TapeEntry>);

// Reading a JSON text into a document, in one pass.

/// Reads a text that may be blank: `None` if it is only white space.
pub(crate) fn read_any(text: &str, max_depth: u32) -> Result<Option<Document<'_>>, Error> {
    let blank = scan::skip_space(text.as_bytes(), 0) == text.len();
    if blank { Ok(None) } else { Document::read(text, max_depth).map(Some) }
}

/// The minimum number of tokens in the memory of a document.
const KEEP: usize = 64;

/// The error of a text that is not a document.
#[derive(Clone, Debug)]
pub(crate) struct MemberError<'a> {
    pub error: Error,
    /// The member of the outermost object at which reading stopped, empty outside of a member.
    pub member: Str<'a>,
}

impl<'a> Document<'a> {
    /// Reads one JSON text of less than 2 GiB; containers may nest `max_depth` deep, and
    /// [`DEEPEST`] at most.
    pub fn read(text: &'a str, max_depth: u32) -> Result<Self, Error> {
        Self::read_into(&mut Tape::default(), text, max_depth).map_err(|error| error.error)
    }

    /// Reads a text with the memory of another document.
    pub(crate) fn read_into(
        tape: &mut Tape,
        text: &'a str,
        max_depth: u32,
    ) -> Result<Self, MemberError<'a>> {
        Self::read_skipping(tape, text, max_depth, &[])
    }

    /// Reads a text, except for the objects in `skips`, which are in the order of the text. An
    /// entry of `skips` has no effect if no object begins at its position.
    pub(crate) fn read_skipping(
        tape: &mut Tape,
        text: &'a str,
        max_depth: u32,
        skips: &[Skip],
    ) -> Result<Self, MemberError<'a>> {
        let mut tokens = core::mem::take(&mut tape.0);
        // One allocation instead of five.
        tokens.reserve(KEEP);
        let spare_depth = max_depth.min(DEEPEST);
        let mut document = Document {
            text,
            tape: tokens,
            spare_depth,
            id_bytes: usize::MAX,
            skipped_in: None,
            has_skipped: false,
        };
        let mut open = NONE;
        match document.index(&mut open, skips) {
            Ok(()) => Ok(document),
            Err(error) => {
                let member = document.member_at_work(open);
                document.give_back(tape);
                Err(MemberError { error, member })
            }
        }
    }

    /// Returns the memory of this document for the next one.
    pub(crate) fn give_back(mut self, tape: &mut Tape) {
        self.tape.clear();
        self.tape.shrink_to(KEEP);
        tape.0 = self.tape;
    }
}

// The one pass over the bytes of a JSON text.

impl<'a> Document<'a> {
    /// Fills the tape. `open` is the innermost open container; until it closes, its token refers to
    /// the container around it.
    pub(super) fn index(&mut self, open: &mut u32, mut skips: &[Skip]) -> Result<(), Error> {
        if self.text.len() >= MARK as usize {
            return Err(Error { kind: JsonErrorKind::TooLong, at: MARK as usize });
        }
        let bytes = self.text.as_bytes();
        let mut depth_left = self.spare_depth;
        let mut in_object = false;
        let mut at = 0;
        loop {
            at = scan::skip_space(bytes, at);
            match bytes.get(at) {
                Some(b'"') => at = self.string(at)?,
                Some(&bracket @ (b'{' | b'[')) => {
                    if depth_left == 0 {
                        return Err(Error { kind: JsonErrorKind::TooDeep, at });
                    }
                    if let Some(end) = self.skip(at, *open, &mut skips) {
                        at = end;
                    } else {
                        depth_left -= 1;
                        self.spare_depth = self.spare_depth.min(depth_left);
                        let container = self.tape.len() as u32;
                        self.tape.push(TapeEntry { start: at as u32 | MARK, end: *open });
                        *open = container;
                        in_object = bracket == b'{';
                        at = scan::skip_space(bytes, at + 1);
                        // In ASCII the closing bracket is the second character after the opening
                        // one.
                        if bytes.get(at) != Some(&(bracket + 2)) {
                            if in_object {
                                at = self.key(at)?;
                            }
                            continue;
                        }
                    }
                }
                Some(b'-' | b'0'..=b'9') => {
                    let end = number::end(bytes, at).map_err(|at| self.unexpected(at))?;
                    self.push(at, end as u32);
                    at = end;
                }
                Some(b't') => at = self.literal(b"true", at)?,
                Some(b'f') => at = self.literal(b"false", at)?,
                Some(b'n') => at = self.literal(b"null", at)?,
                _ => return Err(self.unexpected(at)),
            }
            // A value has ended, or the container that has just begun is empty.
            loop {
                if *open == NONE {
                    at = scan::skip_space(bytes, at);
                    let ends = at == bytes.len();
                    return ends
                        .then_some(())
                        .ok_or(Error { kind: JsonErrorKind::TrailingBytes, at });
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
                        let after = self.tape.len() as u32;
                        if let Some(container) = self.tape.get_mut(*open as usize) {
                            *open = core::mem::replace(&mut container.end, after);
                        }
                        in_object = bytes.get(self.token(*open).start()) == Some(&b'{');
                    }
                    _ => return Err(self.unexpected(at)),
                }
            }
        }
    }

    /// Returns the position after the container at `at` in the container `open`, if it is to be
    /// skipped.
    #[inline(always)]
    fn skip(&mut self, at: usize, open: u32, skips: &mut &[Skip]) -> Option<usize> {
        let next = skips.first()?;
        if (next.from as usize) > at { None } else { self.skipped(at, open, skips) }
    }

    #[inline(never)]
    fn skipped(&mut self, at: usize, open: u32, skips: &mut &[Skip]) -> Option<usize> {
        while let Some((next, rest)) = skips.split_first()
            && next.from as usize <= at
        {
            *skips = rest;
            // An object without its position in the text is not skipped.
            if next.from as usize != at {
                continue;
            }
            let after = self.tape.len() as u32 + 2;
            self.tape.push(TapeEntry { start: next.from | MARK, end: after });
            self.push(next.to as usize - 1, next.tag + 1);
            let same = !self.has_skipped || self.skipped_in == Some(open);
            self.skipped_in = same.then_some(open);
            self.has_skipped = true;
            return Some(next.to as usize);
        }
        None
    }

    #[inline(always)]
    fn push(&mut self, start: usize, end: u32) {
        self.tape.push(TapeEntry { start: start as u32, end });
    }

    /// Reads the string whose quote is at `at`; returns the position after it.
    #[inline(always)]
    fn string(&mut self, at: usize) -> Result<usize, Error> {
        let found = scan::string(self.text.as_bytes(), at + 1).map_err(|stop| match stop {
            ScanStop::End => Error { kind: JsonErrorKind::UnexpectedEnd, at: self.text.len() },
            ScanStop::Control(at) => Error { kind: JsonErrorKind::ControlCharacter, at },
            ScanStop::BadEscape(at) => Error { kind: JsonErrorKind::BadEscape, at },
        })?;
        let end = found.end + 1;
        self.push(at, end as u32 | if found.escaped { MARK } else { 0 });
        Ok(end)
    }

    /// Reads the key at `at` and its colon; returns the position after them.
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

    /// Reads a literal. The compiler compares a word of constant length as a number, and most
    /// members of many events are null.
    #[inline(always)]
    fn literal<const N: usize>(&mut self, word: &[u8; N], at: usize) -> Result<usize, Error> {
        let end = at + N;
        if self.text.as_bytes().get(at..).and_then(|rest| rest.first_chunk()) != Some(word) {
            return Err(self.unexpected(at));
        }
        self.push(at, end as u32);
        Ok(end)
    }

    fn unexpected(&self, at: usize) -> Error {
        match self.text.as_bytes().get(at) {
            Some(&byte) => Error { kind: JsonErrorKind::UnexpectedByte(byte), at },
            None => Error { kind: JsonErrorKind::UnexpectedEnd, at },
        }
    }

    /// Returns the key in the outermost object at which reading stopped; `open` was the innermost
    /// container then.
    pub(super) fn member_at_work(&self, mut open: u32) -> Str<'a> {
        let mut key = None;
        // The member's value is the outermost open container in the object.
        while open != NONE && open != 0 {
            key = open.checked_sub(1);
            open = self.token(open).end;
        }
        if open == 0 && key.is_none() {
            let mut next = 1;
            while self.tape.len() > next as usize {
                key = Some(next);
                next = self.token(next + 1).after(next + 1);
            }
        }
        let is_object = self.text.as_bytes().get(self.token(0).start()) == Some(&b'{');
        key.filter(|_| is_object).map_or(Str::plain(""), |key| self.str(key))
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::JsonErrorKind;
    use super::*;

    fn error(text: &str) -> (JsonErrorKind, usize, &str) {
        let error = Document::read_into(&mut Tape::default(), text, 3).expect_err(text);
        (error.error.kind, error.error.at, error.member.raw())
    }

    #[test]
    fn errors_have_kind_offset_and_top_level_member() {
        use JsonErrorKind::*;
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
            assert_eq!(error(text), expected, "{text}");
        }
    }

    #[test]
    fn values_are_read_with_their_raw_text() {
        let text = r#" { "a" : [ 1 , { } , [ ] ] , "\u0062" : "x\ny" , "c" : null } "#;
        let document = Document::read(text, 3).expect("JSON");
        let members: Vec<_> = document.root().object().expect("an object").collect();
        let read: Vec<_> =
            members.iter().map(|(key, value)| (key.raw(), value.raw().as_str())).collect();
        assert_eq!(read, [("a", "[ 1 , { } , [ ] ]"), (r"\u0062", r#""x\ny""#), ("c", "null")]);
        let items: Vec<_> =
            members[0].1.array().expect("an array").map(|item| item.raw().as_str()).collect();
        assert_eq!(items, ["1", "{ }", "[ ]"]);
        assert!(members[1].0 == "b" && members[1].1.string().expect("a string").to_str() == "x\ny");
    }
}
