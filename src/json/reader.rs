//! A pull reader over one JSON text.

use super::error::{Error, ErrorKind};
use super::number::integer;
use super::scan::{self, Stop};
use super::string::Str;
use super::write::between;

/// A JSON value exactly as it stood in the input, checked to be one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(pub(crate) &'a str);

impl<'a> Raw<'a> {
    /// The bytes of the value.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// True for `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// Reads the value again; it was checked once, so only the depth can be refused, and that was too.
    pub fn reader(self) -> Reader<'a> {
        Reader { checked: true, ..Reader::new(self.0, u32::MAX) }
    }
}

/// Reads a JSON text from front to back, without building anything.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth_left: u32,
    /// The text is that of a [`Raw`], which was read once without an error.
    checked: bool,
}

type Result<T> = core::result::Result<T, Error>;

impl<'a> Reader<'a> {
    /// Starts at the first byte of `text`; containers may nest `max_depth` deep.
    pub fn new(text: &'a str, max_depth: u32) -> Self {
        Reader { text, at: 0, depth_left: max_depth, checked: false }
    }

    /// Byte offset of what is read next.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The text between here and where a clone has read to.
    pub fn until(&self, ahead: &Self) -> &'a str {
        between(self.text, self.at, ahead.at)
    }

    /// The first byte of the next value, white space skipped.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        self.at = scan::skip_space(self.text.as_bytes(), self.at);
        self.text.as_bytes().get(self.at).copied()
    }

    /// Succeeds when nothing but white space is left.
    pub fn end(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error(ErrorKind::TrailingBytes)),
        }
    }

    /// Reads an object, handing each key to `member`, which must read the value behind it.
    pub fn object(&mut self, mut member: impl FnMut(Str<'a>, &mut Self) -> Result<()>) -> Result<()> {
        self.open(b'{', "object")?;
        let mut first = true;
        while let Some(key) = self.key(&mut first)? {
            member(key, self)?;
        }
        Ok(())
    }

    /// Reads an array, calling `item` before each element, which it must read.
    pub fn array(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.open(b'[', "array")?;
        let mut first = true;
        while self.goes_on(b']', &mut first)? {
            item(self)?;
        }
        Ok(())
    }

    /// Reads a string.
    pub fn string(&mut self) -> Result<Str<'a>> {
        match self.peek() {
            Some(b'"') => {}
            _ => return Err(self.mismatch("string")),
        }
        let from = self.at + 1;
        match scan::string(self.text.as_bytes(), from, self.checked) {
            Ok(found) => {
                self.at = found.end + 1;
                Ok(Str::new(between(self.text, from, found.end), found.escaped))
            }
            Err(Stop::End) => {
                self.at = self.text.len();
                Err(self.error(ErrorKind::UnexpectedEnd))
            }
            Err(Stop::Control(at)) => Err(Error { kind: ErrorKind::ControlCharacter, at }),
            Err(Stop::BadEscape(at)) => Err(Error { kind: ErrorKind::BadEscape, at }),
        }
    }

    /// Reads a string, or `None` for null.
    pub fn string_or_null(&mut self) -> Result<Option<Str<'a>>> {
        if self.null()? { Ok(None) } else { self.string().map(Some) }
    }

    /// Reads an integer, or `None` for null; a string of digits counts too (old servers send such numbers).
    pub fn integer_or_null(&mut self) -> Result<Option<i64>> {
        let start = self.at;
        match self.peek() {
            Some(b'n') => self.null().map(|_| None),
            Some(b'"') => {
                let text = self.string()?;
                text.as_plain()
                    .and_then(integer)
                    .map(Some)
                    .ok_or(Error { kind: ErrorKind::WrongType { expected: "integer" }, at: start })
            }
            _ => {
                let number = self.number()?;
                let whole = number.strip_suffix(".0").unwrap_or(number);
                integer(whole)
                    .map(Some)
                    .ok_or(Error { kind: ErrorKind::WrongType { expected: "integer" }, at: start })
            }
        }
    }

    /// Reads a boolean, or `None` for null.
    pub fn bool_or_null(&mut self) -> Result<Option<bool>> {
        match self.peek() {
            Some(b't') => self.literal("true").map(|()| Some(true)),
            Some(b'f') => self.literal("false").map(|()| Some(false)),
            Some(b'n') => self.literal("null").map(|()| None),
            _ => Err(self.mismatch("boolean")),
        }
    }

    /// Reads any value and returns its bytes.
    pub fn value(&mut self) -> Result<Raw<'a>> {
        self.peek();
        let from = self.at;
        self.skip()?;
        Ok(Raw(between(self.text, from, self.at)))
    }

    /// Reads any value and returns its bytes, or `None` for null.
    pub fn value_or_null(&mut self) -> Result<Option<Raw<'a>>> {
        self.value().map(|raw| (!raw.is_null()).then_some(raw))
    }

    /// Reads a number and returns its digits as they are.
    pub fn number(&mut self) -> Result<&'a str> {
        self.peek();
        let bytes = self.text.as_bytes();
        let from = self.at;
        let digits = |mut at: usize| {
            let start = at;
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            (at, at > start)
        };
        let mut at = from + usize::from(bytes.get(from) == Some(&b'-'));
        let whole = at;
        let (end, any) = digits(at);
        if !any || (bytes[whole] == b'0' && end > whole + 1) {
            return Err(self.mismatch("number"));
        }
        at = end;
        if bytes.get(at) == Some(&b'.') {
            let (end, any) = digits(at + 1);
            if !any {
                return Err(self.error_at(end));
            }
            at = end;
        }
        if let Some(b'e' | b'E') = bytes.get(at) {
            let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            let (end, any) = digits(at + 1 + sign);
            if !any {
                return Err(self.error_at(end));
            }
            at = end;
        }
        self.at = at;
        Ok(between(self.text, from, at))
    }

    /// Reads `null` if it is next.
    pub fn null(&mut self) -> Result<bool> {
        if self.peek() == Some(b'n') { self.literal("null").map(|()| true) } else { Ok(false) }
    }

    fn skip(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            Some(b'{') => self.object(|_, value| value.skip()),
            Some(b'[') => self.array(Self::skip),
            Some(b't' | b'f') => self.bool_or_null().map(drop),
            Some(b'n') => self.literal("null"),
            Some(b'-' | b'0'..=b'9') => self.number().map(drop),
            Some(other) => Err(self.error(ErrorKind::UnexpectedByte(other))),
            None => Err(self.error(ErrorKind::UnexpectedEnd)),
        }
    }

    fn open(&mut self, bracket: u8, expected: &'static str) -> Result<()> {
        if self.peek() != Some(bracket) {
            return Err(self.mismatch(expected));
        }
        if self.depth_left == 0 {
            return Err(self.error(ErrorKind::TooDeep));
        }
        self.depth_left -= 1;
        self.at += 1;
        Ok(())
    }

    /// The key of the next member, or `None` at the end of the object.
    fn key(&mut self, first: &mut bool) -> Result<Option<Str<'a>>> {
        if !self.goes_on(b'}', first)? {
            return Ok(None);
        }
        let key = self.string()?;
        self.expect(b':').map(|()| Some(key))
    }

    /// Before a member or element: false when the container ends instead.
    #[inline]
    fn goes_on(&mut self, bracket: u8, first: &mut bool) -> Result<bool> {
        if self.peek() == Some(bracket) {
            self.at += 1;
            self.depth_left += 1;
            return Ok(false);
        }
        if !core::mem::take(first) {
            self.expect(b',')?;
        }
        Ok(true)
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Result<()> {
        match self.peek() {
            Some(b) if b == byte => {
                self.at += 1;
                Ok(())
            }
            Some(other) => Err(self.error(ErrorKind::UnexpectedByte(other))),
            None => Err(self.error(ErrorKind::UnexpectedEnd)),
        }
    }

    fn literal(&mut self, word: &'static str) -> Result<()> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.error_at(self.at))
        }
    }

    /// The next value is not what was asked for: say so, unless it is not a value at all.
    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.peek() {
            None => self.error(ErrorKind::UnexpectedEnd),
            Some(b'"' | b'{' | b'[' | b't' | b'f' | b'n' | b'-' | b'0'..=b'9') => {
                self.error(ErrorKind::WrongType { expected })
            }
            Some(other) => self.error(ErrorKind::UnexpectedByte(other)),
        }
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error { kind, at: self.at }
    }

    fn error_at(&self, at: usize) -> Error {
        match self.text.as_bytes().get(at) {
            Some(&byte) => Error { kind: ErrorKind::UnexpectedByte(byte), at },
            None => Error { kind: ErrorKind::UnexpectedEnd, at },
        }
    }
}
