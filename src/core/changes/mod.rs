//! The changes to an answer in one push.

mod notes;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use notes::{AgentText, AgentTexts, TextDelta, TextKind};
pub(crate) use notes::{ChangeNotes, RecordingSink};

use crate::core::sink::{Field, ObjectId};

/// The changes to the answer from the bytes of one [`push`](crate::Reader::push).
///
/// Changes are computed on request. Reading only records numbers.
///
/// ```
/// use agentwire::Change;
/// use agentwire::{Reader, ag_kit::AgKit};
///
/// let mut reader = Reader::new(AgKit::default());
/// let _ = reader.push(b"data: {\"type\":\"text\",\"content\":\"Hel\"}\n\n");
/// let mut changes = reader.push(b"data: {\"type\":\"text\",\"content\":\"lo\"}\n\n").to_vec();
/// let Some(Change::Append { path, from, piece }) = changes.pop() else { panic!("a text got longer") };
/// assert_eq!((path.to_string().as_str(), from, piece.as_str()), ("parts.0.text", 3, "lo"));
/// ```
pub struct Changes<'a>(Option<(&'a mut dyn Located, &'a ChangeNotes)>);

/// One change in an answer. All places that are not listed are unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The value at the path has changed. For a list: its objects or their order have changed.
    Set {
        /// The path.
        path: Path,
    },
    /// An object was added to a list, at the position at the end of the path. Its contents are not
    /// listed.
    Add {
        /// The path.
        path: Path,
    },
    /// A text was appended to.
    Append {
        /// The path.
        path: Path,
        /// The previous length, in bytes.
        from: usize,
        /// The appended text.
        piece: String,
    },
}

/// A path in an answer: names of members, as in JSON, and positions in lists, starting from the
/// answer. Displayed with dots: `response.output.0.content.0.text`. Empty for the answer itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<PathStep>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathStep {
    /// The member of that name.
    Member(Cow<'static, str>),
    /// The element at that place, from 0.
    Place(usize),
}

/// An answer that can locate the objects of its engine. The answers of this crate can; an answer
/// that cannot does not report changes.
pub trait Located {
    /// Returns the path of an object from the root; `None` if it is not in the answer.
    fn locate(&mut self, _: ObjectId) -> Option<Path> {
        None
    }

    /// Returns the name of a member.
    fn member_name(&self, _: Field) -> Option<&'static str> {
        None
    }

    /// Returns the text value of a member.
    fn text(&mut self, _: ObjectId, _: Field) -> Option<&str> {
        None
    }

    /// Returns the members that can hold a text of the agent.
    fn text_keys(&self) -> &'static [Field] {
        &[]
    }

    /// Returns the text of the agent that a member of an object holds, for
    /// [`Changes::text_deltas`].
    fn agent_text(&mut self, _: ObjectId, _: Field) -> Option<AgentText<'_>> {
        None
    }

    /// Returns whether a member holds objects that texts of the agent are in.
    fn holds_texts(&self, _: Field) -> bool {
        false
    }

    /// Returns whether a member is a list.
    fn is_list(&self, _: Field) -> bool {
        true
    }

    /// Returns the objects that an object has in a member, or in any.
    fn children(&mut self, _: ObjectId, _: Option<Field>) -> Vec<ObjectId> {
        Vec::new()
    }
}

impl<'a> Changes<'a> {
    pub(crate) fn new(answer: &'a mut dyn Located, notes: &'a ChangeNotes) -> Self {
        Changes(Some((answer, notes)))
    }

    /// Creates an empty list of changes.
    pub(crate) const fn none() -> Self {
        Changes(None)
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|(_, notes)| notes.is_empty())
    }

    /// Returns the changes, in the order of the first change at each place.
    pub fn to_vec(self) -> Vec<Change> {
        self.0.map(|(answer, notes)| notes.describe(answer)).unwrap_or_default()
    }

    /// Returns the text that the agent has added to its answer, however the stream sent it: in
    /// deltas, as the first text of a new message, whole, or again as part of a longer text. Text
    /// that is sent a second time is not new.
    ///
    /// Texts of the user, of tools and of the system are left out. The deltas are in the order of
    /// the stream, and those of one text follow each other: printed as they arrive, they are the
    /// text.
    ///
    /// ```
    /// use agentwire::{Reader, ag_kit::AgKit, snapshot::TextKind};
    ///
    /// let mut reader = Reader::new(AgKit::default());
    /// let mut printed = String::new();
    /// for event in ["{\"type\":\"text\",\"content\":\"Hel\"}", "{\"type\":\"text\",\"content\":\"lo\"}"] {
    ///     for delta in reader.push(format!("data: {event}\n\n").as_bytes()).text_deltas() {
    ///         assert_eq!((delta.kind, delta.path.to_string().as_str()), (TextKind::Answer, "parts.0.text"));
    ///         printed += &delta.text;
    ///     }
    /// }
    /// assert_eq!(printed, "Hello");
    /// ```
    ///
    /// Where a stream takes back a text and sends another one in its place, [`TextDelta::replaces`]
    /// is true and
    /// [`TextDelta::from`] is the offset at which the texts differ.
    pub fn text_deltas(self) -> Vec<TextDelta> {
        self.0.map(|(answer, notes)| notes.text_deltas(answer)).unwrap_or_default()
    }
}

impl IntoIterator for Changes<'_> {
    type Item = Change;
    type IntoIter = alloc::vec::IntoIter<Change>;

    fn into_iter(self) -> Self::IntoIter {
        self.to_vec().into_iter()
    }
}

impl fmt::Debug for Changes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("is_empty", &self.is_empty()).finish_non_exhaustive()
    }
}

impl Change {
    /// Returns the path of the change.
    pub fn path(&self) -> &Path {
        match self {
            Change::Set { path } | Change::Add { path } | Change::Append { path, .. } => path,
        }
    }

    /// Returns the path of a value that was replaced.
    fn set(&self) -> Option<Vec<PathStep>> {
        match self {
            Change::Set { path } => Some(path.0.clone()),
            _ => None,
        }
    }
}

impl Path {
    fn with(mut self, step: PathStep) -> Self {
        self.0.push(step);
        self
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            match step {
                PathStep::Member(name) => f.write_str(name)?,
                PathStep::Place(place) => write!(f, "{place}")?,
            }
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Path {
    /// Serializes the path as a list of names and numbers.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for PathStep {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            PathStep::Member(name) => serializer.serialize_str(name),
            PathStep::Place(place) => serializer.serialize_u64(*place as u64),
        }
    }
}
