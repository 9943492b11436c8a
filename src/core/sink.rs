//! What a fold tells, and to whom.

use crate::json::{Element, Raw};

/// Number of an object of the growing answer. The root is 0; every [`Sink::open`] takes the next number.
pub type Node = u32;

/// A member of such an object: position in the protocol's table of member names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(pub u8);

/// A kind of object: position in the protocol's table of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub u8);

/// A value of a member.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SinkValue<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Int(i64),
    /// One of the protocol's own words: position in its table of words.
    Word(u8),
    /// Any other string.
    Str(&'a str),
    /// Free JSON.
    Json(Raw<'a>),
    /// Free JSON as it stands in an event.
    Free(Element<'a, 'a>),
}

/// Where a fold puts what it decides.
///
/// A fold is one state machine; it keeps identities, states, lengths and fingerprints, and everything else goes to the
/// sink at once: a sink that stores all of it is the native answer, one that encodes it is the patch that crosses to
/// JavaScript, one that ignores it is a checker. The calls are few on purpose, and they say nothing of a protocol: the
/// meaning of kinds, keys and words is in the protocol's tables.
pub trait Sink {
    /// A new object, the next number, at the end of the list `list` of `parent` (or as that member itself where the
    /// template has no list there).
    fn open(&mut self, kind: Kind, parent: Node, list: Key);
    /// A member has this value now.
    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>);
    /// A member that is not there before it is set is not there any more.
    fn unset(&mut self, node: Node, key: Key) {
        self.set(node, key, SinkValue::Null);
    }
    /// A text got longer; null counts as no text.
    fn append(&mut self, node: Node, key: Key, text: &str);
    /// A text is whole: its sender has said its end. Only conversions want to know, and only some protocols tell.
    fn end(&mut self, _: Node, _: Key) {}
    /// A member that the protocol does not declare has this value now.
    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>);
    /// A member that the protocol does not declare is not there any more. Only protocols whose objects are said anew tell this.
    fn unset_extra(&mut self, _: Node, _: &str) {}
    /// A place inside free JSON (the names of the members and the numbers of the elements that lead there; none is the whole
    /// of it) has this value now; what is on the way exists.
    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>);
    /// A text inside free JSON got longer.
    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str);
    /// An array inside free JSON got these elements more (an array again).
    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>);
    /// A number inside free JSON grows by this one (JSON digits), as [`json::add`](crate::json::add) adds. `float` says
    /// that one of the two is no integer, which a sink whose numbers have one type cannot know.
    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool);
    /// A value inside free JSON comes into an array, before the element that the last step of the path says. Only
    /// protocols whose free JSON is patched tell this and the next two.
    fn insert_in(&mut self, _: Node, _: Key, _: &[&str], _: SinkValue<'_>) {}
    /// A member or an element inside free JSON is gone.
    fn remove_in(&mut self, _: Node, _: Key, _: &[&str]) {}
    /// A value inside free JSON is gone from one place and stands at another: in an array before the element that the last
    /// step says, counted without it, in an object as that member.
    fn move_in(&mut self, _: Node, _: Key, _: &[&str], _: &[&str]) {}
    /// A member has the value that a member of another object has now: an id, which many objects refer to.
    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key);
    /// The last object of a list belongs at this place of it.
    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize);
    /// An object is gone from its list.
    fn remove(&mut self, parent: Node, list: Key, node: Node);
    /// A list consists of these objects, in this order; those not named are gone.
    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]);
    /// Whether the sink should be emptied before more is told. Only a hint: it takes what comes all the same.
    fn is_full(&self) -> bool {
        false
    }
}

/// Ignores everything: folding into it only judges.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Sink for Discard {
    fn open(&mut self, _: Kind, _: Node, _: Key) {}
    fn set(&mut self, _: Node, _: Key, _: SinkValue<'_>) {}
    fn append(&mut self, _: Node, _: Key, _: &str) {}
    fn set_extra(&mut self, _: Node, _: &str, _: Raw<'_>) {}
    fn set_in(&mut self, _: Node, _: Key, _: &[&str], _: SinkValue<'_>) {}
    fn append_in(&mut self, _: Node, _: Key, _: &[&str], _: &str) {}
    fn extend_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>) {}
    fn add_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>, _: bool) {}
    fn share(&mut self, _: Node, _: Key, _: Node, _: Key) {}
    fn move_last(&mut self, _: Node, _: Key, _: Node, _: usize) {}
    fn remove(&mut self, _: Node, _: Key, _: Node) {}
    fn arrange(&mut self, _: Node, _: Key, _: &[Node]) {}
}
