//! The place of an entry in a thread's log.

use alloc::{borrow::ToOwned, string::String};

use super::problem::{Code, RefusedRequest};
use crate::json::decimal;

/// The maximum length of a generation's name, in bytes.
const LONGEST: usize = 64;

/// The place of an entry in the log of a thread, as this crate's services write it:
/// `<generation>-<number>`.
///
/// The generation is the name of the log: a thread whose log was lost and started again has another
/// one, so that a number of the old log is not used for the new one. Clients treat a cursor as
/// opaque text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The name of the log: letters, digits and `_`, 1 to 64 bytes.
    pub generation: String,
    /// The number of the entry: 1 for the first, 0 for the place before it.
    pub number: u64,
}

impl Cursor {
    /// Parses a cursor. Returns [`Code::InvalidLastEventId`] for any other text.
    pub fn parse(text: &str) -> Result<Self, RefusedRequest> {
        let parts = text.rsplit_once('-').filter(|(generation, digits)| {
            is_generation(generation)
                && (1..=19).contains(&digits.len())
                && digits.bytes().all(is_digit)
        });
        let parsed =
            parts.and_then(|(generation, digits)| Some((generation, digits.parse().ok()?)));
        match parsed {
            Some((generation, number)) => Ok(Cursor { generation: generation.to_owned(), number }),
            None => Err(RefusedRequest::new(
                Code::InvalidLastEventId,
                "the Last-Event-ID is not a cursor of this service",
            )),
        }
    }

    /// Writes a cursor as in an `id:` line.
    pub fn text(generation: &str, number: u64) -> String {
        [generation, "-", &decimal(number as i64)].concat()
    }
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// Returns whether this is a valid name of a log.
pub(super) fn is_generation(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_part)
}
