//! Supports servers whose pieces are not the next characters of a text: each piece repeats the text so far and extends
//! it.

use alloc::{borrow::ToOwned, string::String};

/// The state of the pieces of a text.
///
/// A piece that begins with the previous piece and is longer can be the next characters or the whole text. It is held
/// back until another piece, or the whole text, determines which of the two it is.
#[derive(Debug, Default)]
pub(super) enum Pieces {
    /// Only empty pieces.
    #[default]
    None,
    /// One piece, which was emitted.
    One(String),
    /// Each piece began with the previous one. The first was emitted.
    Growing {
        /// The number of bytes that were emitted.
        said: usize,
        /// The text that was held back, if the pieces are the next characters.
        joined: String,
        /// The last piece: the whole text, if they are not.
        last: String,
    },
    /// The pieces are the next characters.
    Next,
}

impl Pieces {
    /// Adds a piece. Returns the text that can be emitted now.
    pub fn next<'p>(&mut self, piece: &'p str, joined: &'p mut String) -> Option<&'p str> {
        let is_more = |before: &str| piece.len() > before.len() && piece.starts_with(before);
        match self {
            Pieces::None if !piece.is_empty() => *self = Pieces::One(piece.to_owned()),
            Pieces::One(first) if is_more(first) => {
                *self =
                    Pieces::Growing { said: first.len(), joined: piece.to_owned(), last: piece.to_owned() };
                return None;
            }
            Pieces::Growing { joined, last, .. } if is_more(last) => {
                joined.push_str(piece);
                *last = piece.to_owned();
                return None;
            }
            Pieces::Growing { joined: kept, .. } => {
                kept.push_str(piece);
                *joined = core::mem::take(kept);
                *self = Pieces::Next;
                return Some(joined);
            }
            Pieces::One(_) => *self = Pieces::Next,
            Pieces::None | Pieces::Next => {}
        }
        Some(piece)
    }

    /// Ends the pieces. `whole` is the whole text, if the server has sent it. Returns the text that was held back, and
    /// whether it completes the whole text.
    pub fn end(&mut self, whole: Option<&str>) -> Option<(String, bool)> {
        match core::mem::replace(self, Pieces::Next) {
            Pieces::Growing { said, last, .. } if whole == Some(&*last) => {
                Some((last.get(said..).unwrap_or_default().to_owned(), true))
            }
            Pieces::Growing { joined, .. } => Some((joined, false)),
            _ => None,
        }
    }
}
