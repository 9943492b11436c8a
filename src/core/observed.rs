//! The value that a peer sent instead of the expected one. It is formatted only if the violation is kept.

use alloc::string::String;

use crate::core::error::DecodeError;
use crate::core::violation::{shorten, shortened};
use crate::json::{push_integer, put};

/// The value that a peer sent instead. Creating one is cheap; most are counted and never read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Observed<'a> {
    /// A description.
    Words(&'a str),
    /// The error text of the protocol's own client, at most 1,000 characters.
    Said(&'a str),
    /// A text of the stream, shortened.
    Text(&'a str),
    /// A name from the stream, in backticks.
    Name(&'a str),
    /// A description, followed by a name from the stream in backticks.
    Named(&'static str, &'a str),
    /// The actual value and the expected value.
    Instead(&'a str, &'a str),
    /// The actual number, if there is one, and the expected number.
    Number(Option<i64>, i64),
    /// A number of items.
    Count(u64),
    /// More than the limit of that name and size.
    Over(&'static str, u64),
    /// A text of the first length that differs from the text of the second length.
    Lengths(u64, u64),
    /// Events of the protocol with that title, and the name to read them by, if they can be read.
    Protocol(&'static str, Option<&'static str>),
    /// The decoding error of bytes that are not an event, and the data.
    NoEvent(&'a DecodeError, &'a str),
}

impl Observed<'_> {
    /// Returns the text of a violation.
    pub(crate) fn sentence(self) -> String {
        let mut sentence = String::new();
        let out = &mut sentence;
        match self {
            Observed::Words(words) | Observed::Text(words) => return shorten(words),
            Observed::Said(words) => return shortened(words, 1_000),
            Observed::Name(name) => quoted(name, out),
            Observed::Named(what, name) => {
                put(out, what);
                put(out, " ");
                quoted(name, out);
            }
            Observed::Instead(got, expected) => {
                put(out, &shorten(got));
                put(out, " instead of ");
                put(out, &shorten(expected));
            }
            Observed::Number(None, _) => put(out, "no number"),
            Observed::Number(Some(got), expected) => {
                push_integer(got, out);
                put(out, " instead of ");
                push_integer(expected, out);
            }
            Observed::Count(count) => push_integer(count as i64, out),
            Observed::Over(name, limit) => {
                put(out, "more than ");
                quoted(name, out);
                put(out, " = ");
                push_integer(limit as i64, out);
            }
            Observed::Lengths(got, streamed) => {
                push_integer(got as i64, out);
                put(out, " bytes that differ from the ");
                push_integer(streamed as i64, out);
                put(out, " streamed");
            }
            Observed::Protocol(title, name) => {
                put(out, "what looks like ");
                put(out, title);
                match name {
                    Some(name) => {
                        put(out, ": use protocol ");
                        quoted(name, out);
                    }
                    None => put(out, ", which is not read"),
                }
            }
            Observed::NoEvent(error, data) => {
                error.write(out);
                put(out, ": ");
                put(out, &shorten(data));
            }
        }
        sentence
    }
}

fn quoted(name: &str, out: &mut String) {
    put(out, "`");
    put(out, &shorten(name));
    put(out, "`");
}
