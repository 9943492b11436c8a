//! Where in a thread's log something stands.

use alloc::{borrow::ToOwned, string::String};

use super::problem::{Code, Refusal};
use crate::json::decimal;

/// The longest name of a generation, in bytes.
const LONGEST: usize = 64;

/// The place of an entry in the log of a thread, as this crate's services write it: `<generation>-<number>`.
///
/// The generation names the log itself: a thread whose log was lost and begun anew has another one, so that a number of the
/// old log is not taken for one of the new. A client does not look into a cursor; to it, it is any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The name of the log: letters, digits and `_`, 1 to 64 bytes.
    pub generation: String,
    /// The number of the entry: 1 for the first, 0 for the place before it.
    pub number: u64,
}

impl Cursor {
    /// Reads a cursor; [`Code::InvalidLastEventId`] for what is none.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let parts = text.rsplit_once('-').filter(|(generation, digits)| {
            is_generation(generation) && (1..=19).contains(&digits.len()) && digits.bytes().all(is_digit)
        });
        let parsed = parts.and_then(|(generation, digits)| Some((generation, digits.parse().ok()?)));
        match parsed {
            Some((generation, number)) => Ok(Cursor { generation: generation.to_owned(), number }),
            None => {
                Err(Refusal::new(Code::InvalidLastEventId, "the Last-Event-ID is no cursor of this service"))
            }
        }
    }

    /// As it stands in an `id:` line.
    pub fn text(generation: &str, number: u64) -> String {
        [generation, "-", &decimal(number as i64)].concat()
    }
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// Whether a log may be called that.
pub(super) fn is_generation(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_part)
}
