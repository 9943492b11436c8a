//! The values of a document.

use alloc::borrow::Cow;

use super::document::Document;
use super::error::{Error, JsonErrorKind};
use super::number::integer;
use super::string::Str;
use super::value::Raw;
use crate::bytes;

/// A value in a document `'d` of a text `'a`. Copying it and skipping it take constant time,
/// whatever its size.
#[derive(Clone, Copy, Debug)]
pub struct Element<'d, 'a> {
    document: &'d Document<'a>,
    at: u32,
}

type Result<T> = core::result::Result<T, Error>;

impl<'a> Document<'a> {
    /// Returns the value of the whole text.
    pub fn root(&self) -> Element<'_, 'a> {
        Element::at(self, 0)
    }
}

impl<'d, 'a> Element<'d, 'a> {
    #[inline]
    pub(super) fn at(document: &'d Document<'a>, at: u32) -> Self {
        Element { document, at }
    }

    /// Returns the number of its token.
    #[inline]
    pub(crate) fn place(self) -> u32 {
        self.at
    }

    /// Returns another value of the same document.
    #[inline]
    pub(crate) fn other(self, place: u32) -> Self {
        Element { at: place, ..self }
    }

    /// Returns the first byte, which determines the type.
    #[inline]
    pub fn first(self) -> u8 {
        self.document.text().as_bytes().get(self.offset()).copied().unwrap_or(0)
    }

    /// Returns the byte offset in the text.
    #[inline]
    pub fn offset(self) -> usize {
        self.document.token(self.at).start()
    }

    /// Returns the bytes of the value.
    pub fn raw(self) -> Raw<'a> {
        Raw(self.document.raw(self.at))
    }

    /// Reports whether it is `null`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.first() == b'n'
    }

    /// Returns the value, or `None` for null.
    #[inline]
    pub fn or_null(self) -> Option<Self> {
        (!self.is_null()).then_some(self)
    }

    /// Returns the string; fails for any other value.
    #[inline]
    pub fn string(self) -> Result<Str<'a>> {
        if self.first() == b'"' {
            Ok(self.document.str(self.at))
        } else {
            Err(self.mismatch("string"))
        }
    }

    /// Reports whether it is an object without members.
    pub(crate) fn is_empty_object(self) -> bool {
        self.object().is_ok_and(|mut members| members.next_value().is_none())
    }

    /// Returns an id: a string of bounded length.
    #[inline]
    pub(crate) fn id(self) -> Result<Str<'a>> {
        let id = self.string()?;
        let allowed = id.raw().len() <= self.document.id_bytes;
        allowed.then_some(id).ok_or(Error { kind: JsonErrorKind::IdTooLong, at: self.offset() })
    }

    /// Returns the characters of a string, or the JSON of any other value.
    pub fn words(self) -> Cow<'a, str> {
        self.string().map_or_else(|_| Cow::Borrowed(self.raw().as_str()), Str::to_str)
    }

    /// Returns the integer; a string of digits counts too (old servers send such numbers), and so
    /// does `1.0`.
    pub fn integer(self) -> Result<i64> {
        let digits = match self.first() {
            b'"' => self.document.str(self.at).as_plain().unwrap_or_default(),
            b'-' | b'0'..=b'9' => {
                let digits = self.raw().as_str();
                digits.strip_suffix(".0").unwrap_or(digits)
            }
            _ => return Err(self.mismatch("number")),
        };
        integer(digits).ok_or_else(|| self.mismatch("integer"))
    }

    /// Returns the boolean; fails for any other value.
    pub fn bool(self) -> Result<bool> {
        match self.first() {
            b't' => Ok(true),
            b'f' => Ok(false),
            _ => Err(self.mismatch("boolean")),
        }
    }

    /// Returns the digits of the number, unchanged.
    pub fn number(self) -> Result<&'a str> {
        match self.first() {
            b'-' | b'0'..=b'9' => Ok(self.raw().as_str()),
            _ => Err(self.mismatch("number")),
        }
    }

    /// Returns the members of the object, in the order of the text.
    #[inline]
    pub fn object(self) -> Result<Members<'d, 'a>> {
        if self.first() == b'{' { Ok(Members(self.inside())) } else { Err(self.mismatch("object")) }
    }

    /// Returns the member of that name, the last one if it is repeated; `None` if the value is not
    /// an object.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        self.object().ok()?.filter(|(key, _)| *key == name).last().map(|(_, value)| value)
    }

    /// Returns the elements of the array.
    #[inline]
    pub fn array(self) -> Result<Elements<'d, 'a>> {
        if self.first() == b'[' { Ok(self.inside()) } else { Err(self.mismatch("array")) }
    }

    /// Returns the elements of an array, or an empty iterator for any other value.
    #[inline]
    pub(crate) fn items(self) -> Elements<'d, 'a> {
        self.inside_of(b'[')
    }

    /// Returns the members of an object, or an empty iterator for any other value.
    #[inline]
    pub(crate) fn members(self) -> Members<'d, 'a> {
        Members(self.inside_of(b'{'))
    }

    /// Returns the contents of a container that begins with `first`, else an empty iterator.
    /// Compiles to simpler code than a chain over a `Result`.
    fn inside_of(self, first: u8) -> Elements<'d, 'a> {
        if self.first() == first { self.inside() } else { Elements { next: self, end: 0 } }
    }

    /// Returns the error of a value whose type is not the one that the protocol has here.
    pub(crate) fn mismatch(self, expected: &'static str) -> Error {
        Error { kind: JsonErrorKind::WrongType { expected }, at: self.offset() }
    }

    /// Returns the tag of an object that was skipped: it has its bytes, but no members.
    pub(crate) fn skipped(self) -> Option<u32> {
        let token = self.document.token(self.at);
        let closing = self.document.token(token.end.wrapping_sub(1));
        closing.end.checked_sub(1).filter(|_| token.is_container())
    }

    /// Reports whether its document may be nested in another one by that many levels.
    pub(crate) fn may_be_nested(self, levels: u32) -> bool {
        self.document.spare_depth >= levels
    }

    /// Reports whether it contains all objects that were skipped.
    pub(crate) fn has_skipped(self) -> bool {
        self.document.skipped_in == Some(self.at)
    }

    #[inline]
    fn inside(self) -> Elements<'d, 'a> {
        let end = self.document.token(self.at).after(self.at).saturating_sub(1);
        Elements { next: Element { at: self.at + 1, ..self }, end }
    }
}

/// The elements of an array.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'d, 'a> {
    next: Element<'d, 'a>,
    /// The token of its closing bracket.
    end: u32,
}

impl<'d, 'a> Iterator for Elements<'d, 'a> {
    type Item = Element<'d, 'a>;

    #[inline]
    fn next(&mut self) -> Option<Element<'d, 'a>> {
        let item = self.next;
        if item.at >= self.end {
            return None;
        }
        self.next.at = item.document.token(item.at).after(item.at);
        Some(item)
    }
}

/// The members of an object: keys and values.
#[derive(Clone, Copy, Debug)]
pub struct Members<'d, 'a>(Elements<'d, 'a>);

impl<'d, 'a> Iterator for Members<'d, 'a> {
    type Item = (Str<'a>, Element<'d, 'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let value = self.next_value()?;
        Some((value.key(), value))
    }
}

impl<'d, 'a> Members<'d, 'a> {
    /// Returns the value of the next member, without its key.
    #[inline]
    pub(crate) fn next_value(&mut self) -> Option<Element<'d, 'a>> {
        self.0.next.at += 1;
        self.0.next()
    }
}

/// The key of the value of a member.
impl<'a> Element<'_, 'a> {
    #[inline]
    pub(crate) fn key(self) -> Str<'a> {
        self.document.str(self.at.saturating_sub(1))
    }

    /// Returns the bytes of the key, if it is written without escapes.
    #[inline(always)]
    pub(crate) fn plain_key(self) -> Option<&'a [u8]> {
        self.document.plain(self.at.saturating_sub(1))
    }

    /// Reports whether the key is `name`, written without escapes.
    #[inline]
    pub(crate) fn is_of(self, name: &str) -> bool {
        self.plain_key().is_some_and(|key| bytes::same(key, name.as_bytes()))
    }
}

/// Values are equal if their bytes are.
impl PartialEq for Element<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw() == other.raw()
    }
}
