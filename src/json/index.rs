//! The one pass over the bytes of a JSON text.

use super::document::{Document, Skip};
use super::document::{MARK, NONE, TapeEntry};
use super::error::{Error, ErrorKind};
use super::number;
use super::scan::{self, Stop};
use super::string::Str;

impl<'a> Document<'a> {
    /// Fills the tape. `open` is the innermost open container; until it closes, its token refers to the container
    /// around it.
    pub(super) fn index(&mut self, open: &mut u32, mut skips: &[Skip]) -> Result<(), Error> {
        if self.text.len() >= MARK as usize {
            return Err(Error { kind: ErrorKind::TooLong, at: MARK as usize });
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
                        return Err(Error { kind: ErrorKind::TooDeep, at });
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
                        // In ASCII the closing bracket is the second character after the opening one.
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

    /// Returns the position after the container at `at` in the container `open`, if it is to be skipped.
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
            Stop::End => Error { kind: ErrorKind::UnexpectedEnd, at: self.text.len() },
            Stop::Control(at) => Error { kind: ErrorKind::ControlCharacter, at },
            Stop::BadEscape(at) => Error { kind: ErrorKind::BadEscape, at },
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

    /// Reads a literal. The compiler compares a word of constant length as a number, and most members of many events
    /// are null.
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
            Some(&byte) => Error { kind: ErrorKind::UnexpectedByte(byte), at },
            None => Error { kind: ErrorKind::UnexpectedEnd, at },
        }
    }

    /// Returns the key in the outermost object at which reading stopped; `open` was the innermost container then.
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
