//! One pass over a JSON text, after which every value in it is found without looking at its bytes again.

use alloc::vec::Vec;

use super::element::Element;
use super::error::Error;
use super::index::{MARK, NONE, TapeEntry};
use super::scan;
use super::string::Str;
use crate::bytes::{self, between};

/// The deepest nesting that is ever read: values are walked by recursion, which uses up the stack.
pub const DEEPEST: u32 = 512;

/// A JSON text that has been read once: checked to be one value, and where each value in it stands.
///
/// What it holds is eight bytes per value and key, and as much again per container.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) tape: Vec<TapeEntry>,
    /// How much deeper its containers could have been nested within the limit.
    pub(super) spare_depth: u32,
    /// How long the ids in it may be, in bytes.
    pub(crate) id_bytes: usize,
    /// The container that holds all objects which were skipped, if they are in the same one.
    pub(super) skipped_in: Option<u32>,
    /// Whether there are such objects.
    pub(super) has_skipped: bool,
}

/// An object in the text that is skipped: the caller has read the same bytes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skip {
    /// Where it stands: from its opening bracket to after its closing one.
    pub from: u32,
    pub to: u32,
    /// What [`Element::skipped`] says of it.
    pub tag: u32,
}

/// The value that a text is; `None` when there is nothing but white space in it.
pub(crate) fn read_any(text: &str, max_depth: u32) -> Result<Option<Document<'_>>, Error> {
    let blank = scan::skip_space(text.as_bytes(), 0) == text.len();
    if blank { Ok(None) } else { Document::read(text, max_depth).map(Some) }
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
pub(crate) struct Tape(Vec<TapeEntry>);

impl<'a> Document<'a> {
    /// Reads one JSON text of less than 2 GiB; containers may nest `max_depth` deep, and [`DEEPEST`] at most.
    pub fn read(text: &'a str, max_depth: u32) -> Result<Self, Error> {
        Self::read_into(&mut Tape::default(), text, max_depth).map_err(|refused| refused.error)
    }

    /// The same, with the memory of another document.
    pub(crate) fn read_into(tape: &mut Tape, text: &'a str, max_depth: u32) -> Result<Self, Refused<'a>> {
        Self::read_skipping(tape, text, max_depth, &[])
    }

    /// The same, except for the objects that need not be read, in the order of the text. Where no object begins at the
    /// place of one, nothing is skipped.
    pub(crate) fn read_skipping(
        tape: &mut Tape,
        text: &'a str,
        max_depth: u32,
        skips: &[Skip],
    ) -> Result<Self, Refused<'a>> {
        let tokens_kept = core::mem::take(&mut tape.0);
        let spare_depth = max_depth.min(DEEPEST);
        let mut document = Document {
            text,
            tape: tokens_kept,
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
                Err(Refused { error, member })
            }
        }
    }

    /// Lets the next document have the memory of this one.
    pub(crate) fn give_back(mut self, tape: &mut Tape) {
        const KEEP: usize = 64;
        self.tape.clear();
        self.tape.shrink_to(KEEP);
        tape.0 = self.tape;
    }

    /// The value that the text is.
    pub fn root(&self) -> Element<'_, 'a> {
        Element::at(self, 0)
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// Whether objects in it were skipped.
    pub(crate) fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    #[inline]
    pub(crate) fn token(&self, at: u32) -> TapeEntry {
        self.tape.get(at as usize).copied().unwrap_or(TapeEntry { start: 0, end: 0 })
    }

    /// The string of a token.
    #[inline]
    pub(crate) fn str(&self, at: u32) -> Str<'a> {
        let TapeEntry { start, end } = self.token(at);
        let end = ((end & !MARK) as usize).saturating_sub(1);
        Str::new(between(self.text, start as usize + 1, end), self.token(at).end & MARK != 0)
    }

    /// Whether the string of a token is `name`, written without escapes.
    #[inline]
    pub(crate) fn is(&self, at: u32, name: &str) -> bool {
        let TapeEntry { start, end } = self.token(at);
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
    use super::super::error::ErrorKind;
    use super::*;

    fn refused(text: &str) -> (ErrorKind, usize, &str) {
        let refused = Document::read_into(&mut Tape::default(), text, 3).expect_err(text);
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
