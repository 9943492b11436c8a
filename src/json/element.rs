//! The values of a document.

use alloc::borrow::Cow;

use super::document::Document;
use super::error::{Error, ErrorKind};
use super::integer::integer;
use super::raw::Raw;
use super::string::Str;
use crate::bytes;

/// A value in a document `'d` of a text `'a`. Copying it is free, and so is passing it by, however much it holds.
#[derive(Clone, Copy, Debug)]
pub struct Element<'d, 'a> {
    document: &'d Document<'a>,
    at: u32,
}

type Result<T> = core::result::Result<T, Error>;

impl<'a> Document<'a> {
    /// The value that the text is.
    pub fn root(&self) -> Element<'_, 'a> {
        Element::at(self, 0)
    }
}

impl<'d, 'a> Element<'d, 'a> {
    #[inline]
    pub(super) fn at(document: &'d Document<'a>, at: u32) -> Self {
        Element { document, at }
    }

    /// The number of its token.
    #[inline]
    pub(crate) fn place(self) -> u32 {
        self.at
    }

    /// Another value of the same document.
    #[inline]
    pub(crate) fn other(self, place: u32) -> Self {
        Element { at: place, ..self }
    }

    /// The first byte, which tells what it is.
    #[inline]
    pub fn first(self) -> u8 {
        self.document.text().as_bytes().get(self.offset()).copied().unwrap_or(0)
    }

    /// Byte offset in the text.
    #[inline]
    pub fn offset(self) -> usize {
        self.document.token(self.at).start()
    }

    /// The bytes of the value.
    pub fn raw(self) -> Raw<'a> {
        Raw(self.document.raw(self.at))
    }

    /// True for `null`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.first() == b'n'
    }

    /// The value, or `None` for null.
    #[inline]
    pub fn or_null(self) -> Option<Self> {
        (!self.is_null()).then_some(self)
    }

    /// The string that it is.
    #[inline]
    pub fn string(self) -> Result<Str<'a>> {
        if self.first() == b'"' { Ok(self.document.str(self.at)) } else { Err(self.mismatch("string")) }
    }

    /// Whether it is an object without members.
    pub(crate) fn is_empty_object(self) -> bool {
        self.object().is_ok_and(|mut members| members.next_value().is_none())
    }

    /// The id that it is: a string of bounded length.
    #[inline]
    pub(crate) fn id(self) -> Result<Str<'a>> {
        let id = self.string()?;
        let allowed = id.raw().len() <= self.document.id_bytes;
        allowed.then_some(id).ok_or(Error { kind: ErrorKind::IdTooLong, at: self.offset() })
    }

    /// The characters of a string; the JSON of any other value.
    pub fn words(self) -> Cow<'a, str> {
        self.string().map_or_else(|_| Cow::Borrowed(self.raw().as_str()), Str::to_str)
    }

    /// The integer that it is; a string of digits counts too (old servers send such numbers), and so does `1.0`.
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

    /// The boolean that it is.
    pub fn bool(self) -> Result<bool> {
        match self.first() {
            b't' => Ok(true),
            b'f' => Ok(false),
            _ => Err(self.mismatch("boolean")),
        }
    }

    /// The digits of the number that it is, as they are.
    pub fn number(self) -> Result<&'a str> {
        match self.first() {
            b'-' | b'0'..=b'9' => Ok(self.raw().as_str()),
            _ => Err(self.mismatch("number")),
        }
    }

    /// The members of the object that it is, in the order of the text.
    #[inline]
    pub fn object(self) -> Result<Members<'d, 'a>> {
        if self.first() == b'{' { Ok(Members(self.inside())) } else { Err(self.mismatch("object")) }
    }

    /// The member of that name, the last one should it be repeated; none if it is no object.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        self.object().ok()?.filter(|(key, _)| *key == name).last().map(|(_, value)| value)
    }

    /// The elements of the array that it is.
    #[inline]
    pub fn array(self) -> Result<Items<'d, 'a>> {
        if self.first() == b'[' { Ok(self.inside()) } else { Err(self.mismatch("array")) }
    }

    /// The elements of an array; none of anything else.
    #[inline]
    pub(crate) fn items(self) -> Items<'d, 'a> {
        self.inside_of(b'[')
    }

    /// The members of an object; none of anything else.
    #[inline]
    pub(crate) fn members(self) -> Members<'d, 'a> {
        Members(self.inside_of(b'{'))
    }

    /// What is inside, if it begins with that byte. Simpler code than a chain over what may be an error.
    fn inside_of(self, first: u8) -> Items<'d, 'a> {
        if self.first() == first { self.inside() } else { Items { next: self, end: 0 } }
    }

    /// That it is not what the protocol has here.
    pub(crate) fn mismatch(self, expected: &'static str) -> Error {
        Error { kind: ErrorKind::WrongType { expected }, at: self.offset() }
    }

    /// The tag of an object that was skipped: it holds nothing, then, but has its bytes.
    pub(crate) fn skipped(self) -> Option<u32> {
        let token = self.document.token(self.at);
        let closing = self.document.token(token.end.wrapping_sub(1));
        closing.end.checked_sub(1).filter(|_| token.is_container())
    }

    /// Whether its document may stand so much deeper inside another one.
    pub(crate) fn may_be_nested(self, levels: u32) -> bool {
        self.document.spare_depth >= levels
    }

    /// Whether it is what holds the objects that were skipped, and all of them.
    pub(crate) fn has_skipped(self) -> bool {
        self.document.skipped_in == Some(self.at)
    }

    #[inline]
    fn inside(self) -> Items<'d, 'a> {
        let end = self.document.token(self.at).after(self.at).saturating_sub(1);
        Items { next: Element { at: self.at + 1, ..self }, end }
    }
}

/// The elements of an array.
#[derive(Clone, Copy, Debug)]
pub struct Items<'d, 'a> {
    next: Element<'d, 'a>,
    /// The token that closes it.
    end: u32,
}

impl<'d, 'a> Iterator for Items<'d, 'a> {
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
pub struct Members<'d, 'a>(Items<'d, 'a>);

impl<'d, 'a> Iterator for Members<'d, 'a> {
    type Item = (Str<'a>, Element<'d, 'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let value = self.next_value()?;
        Some((value.key(), value))
    }
}

impl<'d, 'a> Members<'d, 'a> {
    /// The value of the next member, without its key.
    #[inline]
    pub(crate) fn next_value(&mut self) -> Option<Element<'d, 'a>> {
        self.0.next.at += 1;
        self.0.next()
    }
}

/// Of the value of a member.
impl<'a> Element<'_, 'a> {
    #[inline]
    pub(crate) fn key(self) -> Str<'a> {
        self.document.str(self.at.saturating_sub(1))
    }

    /// The bytes of the key, if it is written without escapes.
    #[inline(always)]
    pub(crate) fn plain_key(self) -> Option<&'a [u8]> {
        self.document.plain(self.at.saturating_sub(1))
    }

    /// Whether the key is `name`, written without escapes.
    #[inline]
    pub(crate) fn is_of(self, name: &str) -> bool {
        self.plain_key().is_some_and(|key| bytes::same(key, name.as_bytes()))
    }
}

/// Values are equal that are written alike.
impl PartialEq for Element<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw() == other.raw()
    }
}
