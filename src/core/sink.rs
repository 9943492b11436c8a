//! The sink of an engine: the receiver of the changes to an answer.

use crate::json::{Element, Raw};

/// The number of an object of the growing answer. The root is 0; every [`Sink::open`] uses the next
/// number.
pub type ObjectId = u32;

/// A member of such an object: a position in the protocol's table of member names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field(pub u8);

/// A kind of object: a position in the protocol's table of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectKind(pub u8);

/// A value of a member.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FieldValue<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A word of the protocol: a position in its table of words.
    Word(u8),
    /// Any other string.
    Str(&'a str),
    /// Free JSON.
    Json(Raw<'a>),
    /// Free JSON as it occurs in an event.
    Free(Element<'a, 'a>),
}

/// A change of a place inside free JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum JsonChange<'a> {
    /// Sets the value.
    Set(FieldValue<'a>),
    /// Appends to a text.
    Append(&'a str),
    /// Appends the elements of an array to an array.
    Extend(Raw<'a>),
    /// Adds a number (JSON digits) to a number, as [`json::add`](crate::json::add) does. The flag
    /// is true if one of the two is not an integer; a sink whose numbers have one type cannot
    /// determine this.
    Add(Raw<'a>, bool),
    /// Inserts a value into an array, before the element at the last step of the path. Only
    /// protocols whose free JSON is patched use this and the next two.
    Insert(FieldValue<'a>),
    /// Removes a member or an element.
    Remove,
    /// Moves the value to a path: in an array before the element at the last step, counted without
    /// the value, in an object to that member.
    Move(&'a [&'a str]),
}

/// The receiver of an engine's decisions.
///
/// An engine is one state machine. It keeps identities, states, lengths and fingerprints;
/// everything else goes to the sink immediately. One sink stores everything: the native answer. One
/// encodes it: the patch for JavaScript. One ignores it: a checker. The trait has few methods, and
/// they do not depend on a protocol: the protocol's tables define kinds, keys and words. The
/// methods do nothing by default: a sink that keeps or forwards the whole answer implements all of
/// them.
#[expect(
    unused_variables,
    reason = "the names document the parameters of methods that do nothing by default"
)]
pub trait Sink {
    /// Receives the JSON of an event before the changes that it makes. Only conversions use this. A
    /// replayed event is not received again.
    fn begin(&mut self, event: Element<'_, '_>) {}
    /// Adds an object with the next number at the end of the list `list` of `parent`, or sets it as
    /// that member if the template does not have a list there.
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {}
    /// Sets a member.
    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {}
    /// Removes a member that is absent until it is set.
    fn unset(&mut self, node: ObjectId, key: Field) {
        self.set(node, key, FieldValue::Null);
    }
    /// Appends to a text; null counts as an empty text.
    fn append(&mut self, node: ObjectId, key: Field, text: &str) {}
    /// Ends a text: its sender has completed it. Only conversions use this, and only some protocols
    /// report it.
    fn end(&mut self, node: ObjectId, key: Field) {}
    /// Sets a member that the protocol does not declare.
    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {}
    /// Removes a member that the protocol does not declare. Only protocols that send whole objects
    /// again report this.
    fn unset_extra(&mut self, node: ObjectId, name: &str) {}
    /// Changes a place inside free JSON. The path consists of member names and element positions;
    /// an empty path is the whole value. The parents of the place exist.
    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {}
    /// Sets a member to the current value of a member of another object: an id that many objects
    /// refer to.
    fn share(&mut self, node: ObjectId, key: Field, from: ObjectId, from_key: Field) {}
    /// Moves the last object of a list to a position in it.
    fn move_last(&mut self, parent: ObjectId, list: Field, node: ObjectId, at: usize) {}
    /// Removes an object from its list.
    fn remove(&mut self, parent: ObjectId, list: Field, node: ObjectId) {}
    /// Replaces a list by these objects in this order; the others are removed.
    fn arrange(&mut self, parent: ObjectId, list: Field, nodes: &[ObjectId]) {}
    /// Whether the sink should be emptied before the next call. This is only a hint: the sink
    /// accepts further calls.
    fn is_full(&self) -> bool {
        false
    }
}

/// Ignores all changes: an engine with this sink only checks the stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Sink for Discard {}
