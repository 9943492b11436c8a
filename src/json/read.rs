//! Reading a JSON text into a document, in one pass.

use super::document::{DEEPEST, Document, Skip};
use super::document::{NONE, Tape};
use super::error::Error;
use super::scan;
use super::string::Str;

/// Reads a text that may be blank: `None` if it is only white space.
pub(crate) fn read_any(text: &str, max_depth: u32) -> Result<Option<Document<'_>>, Error> {
    let blank = scan::skip_space(text.as_bytes(), 0) == text.len();
    if blank { Ok(None) } else { Document::read(text, max_depth).map(Some) }
}

/// The minimum number of tokens in the memory of a document.
const KEEP: usize = 64;

/// The error of a text that is not a document.
#[derive(Debug)]
pub(crate) struct Refused<'a> {
    pub error: Error,
    /// The member of the outermost object at which reading stopped, empty outside of a member.
    pub member: Str<'a>,
}

impl<'a> Document<'a> {
    /// Reads one JSON text of less than 2 GiB; containers may nest `max_depth` deep, and [`DEEPEST`] at most.
    pub fn read(text: &'a str, max_depth: u32) -> Result<Self, Error> {
        Self::read_into(&mut Tape::default(), text, max_depth).map_err(|refused| refused.error)
    }

    /// Reads a text with the memory of another document.
    pub(crate) fn read_into(tape: &mut Tape, text: &'a str, max_depth: u32) -> Result<Self, Refused<'a>> {
        Self::read_skipping(tape, text, max_depth, &[])
    }

    /// Reads a text, except for the objects in `skips`, which are in the order of the text. An entry of `skips` has no
    /// effect if no object begins at its position.
    pub(crate) fn read_skipping(
        tape: &mut Tape,
        text: &'a str,
        max_depth: u32,
        skips: &[Skip],
    ) -> Result<Self, Refused<'a>> {
        let mut tokens_kept = core::mem::take(&mut tape.0);
        // One allocation instead of five.
        tokens_kept.reserve(KEEP);
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

    /// Returns the memory of this document for the next one.
    pub(crate) fn give_back(mut self, tape: &mut Tape) {
        self.tape.clear();
        self.tape.shrink_to(KEEP);
        tape.0 = self.tape;
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
