//! Servers whose pieces are not the next characters of a text: each repeats all of it and adds some.

use alloc::{borrow::ToOwned, string::String};

/// What the pieces of a text have been so far.
///
/// A piece that begins with all that was said, and adds something, may be the next characters or all of the text. It is kept back
/// until a piece, or the whole text, tells the one from the other.
#[derive(Debug, Default)]
pub(super) enum Pieces {
    /// None that says anything.
    #[default]
    None,
    /// One, which was said.
    One(String),
    /// Each began with the one before it: the first was said.
    Growing {
        /// The bytes that were said.
        said: usize,
        /// What was kept back, if the pieces are the next characters.
        joined: String,
        /// The last piece: the whole text, if they are not.
        last: String,
    },
    /// They are the next characters.
    Next,
}

impl Pieces {
    /// The next piece: returns what can be said.
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

    /// No more pieces come; `whole` is all of the text, where the server has said it. Returns what was kept back, and whether it
    /// completes that text.
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
