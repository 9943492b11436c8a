//! What came instead of what was expected: facts now, a sentence when somebody keeps it.

use alloc::string::String;

use crate::error::DecodeError;
use crate::json::push_integer;
use crate::report::shorten;

/// What a peer sent instead. Making one costs nothing; most are counted and never read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Got<'a> {
    /// These words.
    Words(&'a str),
    /// This text of the stream, shortened.
    Text(&'a str),
    /// This name of the stream, in backticks.
    Name(&'a str),
    /// This name of the stream, in backticks, for what the words say.
    Named(&'static str, &'a str),
    /// The first where the second is.
    Instead(&'a str, &'a str),
    /// A number, where another one or any was due.
    Number(Option<i64>, i64),
    /// So many of them.
    Count(u64),
    /// More than the limit of that name and size.
    Over(&'static str, u64),
    /// A text of the first length that differs from the one of the second.
    Lengths(u64, u64),
    /// No event, and its data.
    NoEvent(&'a DecodeError, &'a str),
}

impl Got<'_> {
    /// The sentence.
    pub(crate) fn sentence(self) -> String {
        let mut out = String::new();
        match self {
            Got::Words(words) => out.push_str(words),
            Got::Text(text) => out.push_str(&shorten(text)),
            Got::Name(name) => quoted(name, &mut out),
            Got::Named(what, name) => {
                out.push_str(what);
                out.push(' ');
                quoted(name, &mut out);
            }
            Got::Instead(got, expected) => {
                out.push_str(&shorten(got));
                out.push_str(" instead of ");
                out.push_str(&shorten(expected));
            }
            Got::Number(None, _) => out.push_str("no number"),
            Got::Number(Some(got), expected) => {
                push_integer(got, &mut out);
                out.push_str(" instead of ");
                push_integer(expected, &mut out);
            }
            Got::Count(count) => push_integer(count as i64, &mut out),
            Got::Over(name, limit) => {
                out.push_str("more than ");
                quoted(name, &mut out);
                out.push_str(" = ");
                push_integer(limit as i64, &mut out);
            }
            Got::Lengths(got, streamed) => {
                push_integer(got as i64, &mut out);
                out.push_str(" bytes that differ from the ");
                push_integer(streamed as i64, &mut out);
                out.push_str(" streamed");
            }
            Got::NoEvent(error, data) => {
                error.write(&mut out);
                out.push_str(": ");
                out.push_str(&shorten(data));
            }
        }
        out
    }
}

fn quoted(name: &str, out: &mut String) {
    out.push('`');
    out.push_str(&shorten(name));
    out.push('`');
}
