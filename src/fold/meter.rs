//! What the answer holds, counted where it is told: the one place that enforces the limits on it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::sink::{Key, Kind, Node, Sink, Value};
use crate::json::Raw;
use crate::limits::Limits;
use crate::names::Names;

/// Which limit the number of objects of a kind has, below one parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// None: there is one of it.
    Once,
    /// [`Limits::messages`]
    Messages,
    /// [`Limits::contents`]
    Contents,
    /// [`Limits::tool_calls`]
    ToolCalls,
}

/// Something that was not told, because a limit would have been passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The field of [`Limits`].
    pub limit: &'static str,
    /// Its value.
    pub allowed: u64,
    /// The object concerned.
    pub node: Node,
    /// What the fold said of that object when it opened it: see [`Metered::open`].
    pub owner: u32,
}

/// How many bytes of an answer an object counts as, besides what its members hold.
const OBJECT: u64 = 256;

/// What the answer holds so far, in numbers.
#[derive(Debug)]
pub(super) struct Meter {
    limits: Limits,
    objects: Vec<Holding>,
    /// Of all objects.
    bytes: u64,
    refusals: Vec<Refusal>,
}

/// What one object holds, without the objects inside it.
#[derive(Debug, Default)]
struct Holding {
    owner: u32,
    /// How many objects were opened in it.
    children: u32,
    /// Keys and elements in the data that pieces are merged into.
    data_nodes: usize,
    /// The members of any length: nearly always one.
    first: Option<Member>,
    others: Vec<Member>,
    undeclared: Option<Box<Names<u64>>>,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    key: Key,
    bytes: u64,
    /// A piece was refused and reported. No further one is taken until the value comes whole.
    full: bool,
}

/// Stands for all undeclared members together.
const UNDECLARED: Key = Key(u8::MAX);

impl Holding {
    fn member(&mut self, key: Key) -> &mut Member {
        let new = Member { key, bytes: 0, full: false };
        if self.first.is_none_or(|first| first.key == key) {
            return self.first.get_or_insert(new);
        }
        let known = self.others.iter().position(|known| known.key == key);
        let at = known.unwrap_or_else(|| {
            self.others.push(new);
            self.others.len() - 1
        });
        &mut self.others[at]
    }

    fn get(&self, key: Key) -> Option<Member> {
        self.first.iter().chain(&self.others).find(|member| member.key == key).copied()
    }
}

/// How many bytes one member may have, and how many the answer may have more.
#[derive(Clone, Copy)]
struct Room {
    member: u64,
    answer: u64,
}

impl Room {
    /// Whether a member that holds so many bytes may hold so many more.
    #[inline]
    fn has(self, held: u64, more: u64) -> bool {
        held.saturating_add(more) <= self.member && more <= self.answer
    }
}

impl Meter {
    /// Nothing is held but the root.
    pub fn new(limits: &Limits) -> Self {
        let root = Holding { owner: u32::MAX, ..Holding::default() };
        Meter { limits: limits.clone(), objects: alloc::vec![root], bytes: 0, refusals: Vec::new() }
    }

    /// The sink, with this in front of it.
    #[inline]
    pub fn over<'s>(&'s mut self, sink: &'s mut dyn Sink) -> Metered<'s> {
        Metered { meter: self, sink }
    }

    #[inline]
    pub fn has_refused(&self) -> bool {
        !self.refusals.is_empty()
    }

    /// The refusals since they were taken the last time.
    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        core::mem::take(&mut self.refusals)
    }

    /// Whether a member takes a piece of so many bytes.
    pub fn takes(&self, (node, key): (Node, Key), bytes: u64) -> bool {
        let member = self.objects.get(node as usize).and_then(|object| object.get(key));
        let (held, full) = member.map_or((0, false), |member| (member.bytes, member.full));
        !full && self.room().has(held, bytes)
    }

    #[inline]
    fn room(&self) -> Room {
        let Limits { content_bytes, answer_bytes, .. } = self.limits;
        Room { member: content_bytes, answer: answer_bytes.saturating_sub(self.bytes) }
    }

    #[cold]
    fn refuse(&mut self, node: Node, limit: &'static str, allowed: u64) {
        let owner = self.objects.get(node as usize).map_or(u32::MAX, |object| object.owner);
        self.refusals.push(Refusal { limit, allowed, node, owner });
    }

    /// A member would get too large, or the answer.
    #[cold]
    fn refuse_bytes(&mut self, node: Node, bytes: u64) {
        let Limits { content_bytes, answer_bytes, .. } = self.limits;
        match bytes > content_bytes {
            true => self.refuse(node, "content_bytes", content_bytes),
            false => self.refuse(node, "answer_bytes", answer_bytes),
        }
    }

    /// A piece of a member comes.
    #[inline]
    fn grow(&mut self, node: Node, key: Key, more: u64) -> bool {
        let room = self.room();
        let Some(object) = self.objects.get_mut(node as usize) else { return false };
        let member = object.member(key);
        let takes = !member.full && room.has(member.bytes, more);
        if takes {
            member.bytes += more;
            self.bytes += more;
        } else if !core::mem::replace(&mut member.full, true) {
            let bytes = member.bytes.saturating_add(more);
            self.refuse_bytes(node, bytes);
        }
        takes
    }

    /// A member comes whole.
    fn replace(&mut self, node: Node, key: Key, bytes: u64) -> bool {
        let room = self.room();
        let Some(object) = self.objects.get_mut(node as usize) else { return false };
        let member = object.member(key);
        let takes = room.has(member.bytes.min(bytes), bytes.saturating_sub(member.bytes));
        if takes {
            let held = core::mem::replace(&mut member.bytes, bytes);
            member.full = false;
            self.bytes = self.bytes - held + bytes;
        } else {
            self.refuse_bytes(node, bytes);
        }
        takes
    }

    /// An undeclared member comes, of so many bytes with its name.
    fn undeclared(&mut self, node: Node, name: &str, bytes: u64) -> bool {
        let most = self.limits.undeclared_members;
        let Some(object) = self.objects.get_mut(node as usize) else { return false };
        let all = object.member(UNDECLARED).bytes;
        let names = object.undeclared.get_or_insert_default();
        let held = names.get(name).copied();
        if held.is_none() && names.len() >= most {
            self.refuse(node, "undeclared_members", most as u64);
            return false;
        }
        let all = all - held.unwrap_or(0) + bytes;
        if !self.replace(node, UNDECLARED, all) {
            return false;
        }
        if let Some(object) = self.objects.get_mut(node as usize) {
            object.undeclared.get_or_insert_default().insert(name, bytes);
        }
        true
    }

    /// A member takes no further piece; false if it took none before.
    fn fill(&mut self, node: Node, key: Key) -> bool {
        let object = self.objects.get_mut(node as usize);
        object.is_some_and(|object| !core::mem::replace(&mut object.member(key).full, true))
    }
}

/// A [`Sink`] behind the limits: what passes one is not told, and becomes a [`Refusal`].
///
/// Methods that say `bool` return whether the sink was told. A fold has to look where it remembers what it told.
pub struct Metered<'s> {
    meter: &'s mut Meter,
    sink: &'s mut dyn Sink,
}

impl core::fmt::Debug for Metered<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Metered").field("meter", &self.meter).finish_non_exhaustive()
    }
}

#[must_use]
fn bytes(value: Value<'_>) -> u64 {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Word(_) => 0,
        Value::Str(text) => text.len() as u64,
        Value::Json(raw) => raw.as_str().len() as u64,
        Value::Free(value) => value.raw().as_str().len() as u64,
    }
}

impl Metered<'_> {
    /// A new object, the next number; `None` if there are too many of what it counts as. `owner` is any number that tells
    /// the fold, when something of this object is refused, what it is.
    pub fn open(
        &mut self,
        kind: Kind,
        parent: Node,
        list: Key,
        counted: Counted,
        owner: u32,
    ) -> Option<Node> {
        if !self.count(parent, counted) {
            return None;
        }
        let node = self.meter.objects.len() as Node;
        self.meter.objects.push(Holding { owner, ..Holding::default() });
        self.sink.open(kind, parent, list);
        Some(node)
    }

    /// Counts one more below a parent, as [`open`](Self::open) does.
    pub fn count(&mut self, parent: Node, counted: Counted) -> bool {
        let limits = &self.meter.limits;
        let (limit, most) = match counted {
            Counted::Once => return true,
            Counted::Messages => ("messages", limits.messages),
            Counted::Contents => ("contents", limits.contents),
            Counted::ToolCalls => ("tool_calls", limits.tool_calls),
        };
        let answer_bytes = limits.answer_bytes;
        let Some(object) = self.meter.objects.get_mut(parent as usize) else { return false };
        if object.children as usize >= most {
            self.meter.refuse(parent, limit, most as u64);
            return false;
        }
        if self.meter.bytes.saturating_add(OBJECT) > answer_bytes {
            self.meter.refuse(parent, "answer_bytes", answer_bytes);
            return false;
        }
        object.children += 1;
        self.meter.bytes += OBJECT;
        true
    }

    /// [`Sink::set`]
    pub fn set(&mut self, node: Node, key: Key, value: Value<'_>) -> bool {
        let is_short = matches!(value, Value::Null | Value::Bool(_) | Value::Int(_) | Value::Word(_));
        let told = is_short || self.meter.replace(node, key, bytes(value));
        if told {
            self.sink.set(node, key, value);
        }
        told
    }

    /// Sets a member to a text whose length is bounded already: an id, a name that was checked like one, a sentence of
    /// this crate.
    pub fn set_short(&mut self, node: Node, key: Key, text: &str) {
        self.meter.bytes = self.meter.bytes.saturating_add(text.len() as u64);
        self.sink.set(node, key, Value::Str(text));
    }

    /// [`Sink::share`]
    pub fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {
        self.sink.share(node, key, from, from_key);
    }

    /// [`Sink::append`]
    #[inline]
    pub fn append(&mut self, node: Node, key: Key, text: &str) -> bool {
        let told = self.meter.grow(node, key, text.len() as u64);
        if told {
            self.sink.append(node, key, text);
        }
        told
    }

    /// [`Sink::set_extra`]
    pub fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) -> bool {
        let told = self.meter.undeclared(node, name, (name.len() + value.as_str().len()) as u64);
        if told {
            self.sink.set_extra(node, name, value);
        }
        told
    }

    /// Whether a piece of a member was refused, and none is taken any more.
    pub fn is_full(&self, node: Node, key: Key) -> bool {
        let object = self.meter.objects.get(node as usize);
        object.is_none_or(|object| object.get(key).is_some_and(|member| member.full))
    }

    /// So many keys and elements more are to come into the data that a member is.
    pub fn data_nodes(&mut self, node: Node, key: Key, more: usize) -> bool {
        let most = self.meter.limits.data_nodes;
        let Some(object) = self.meter.objects.get_mut(node as usize) else { return false };
        let takes = object.data_nodes.saturating_add(more) <= most;
        if takes {
            object.data_nodes += more;
        } else if self.meter.fill(node, key) {
            self.meter.refuse(node, "data_nodes", most as u64);
        }
        takes
    }

    /// The data of an object comes anew: its keys and elements are counted from 0.
    pub fn forget_data_nodes(&mut self, node: Node) {
        if let Some(object) = self.meter.objects.get_mut(node as usize) {
            object.data_nodes = 0;
        }
    }

    /// Whether a number of so many digits may be added to one inside the data that a member is.
    pub fn adds_digits(&mut self, node: Node, key: Key, digits: usize) -> bool {
        let most = self.meter.limits.number_digits;
        let takes = digits <= most;
        if !takes && self.meter.fill(node, key) {
            self.meter.refuse(node, "number_digits", most as u64);
        }
        takes
    }

    /// [`Sink::set_in`]
    pub fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: Value<'_>) -> bool {
        let name = path.last().map_or(0, |name| name.len());
        let told = self.meter.grow(node, key, name as u64 + bytes(value));
        if told {
            self.sink.set_in(node, key, path, value);
        }
        told
    }

    /// [`Sink::append_in`]
    pub fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) -> bool {
        let told = self.meter.grow(node, key, text.len() as u64);
        if told {
            self.sink.append_in(node, key, path, text);
        }
        told
    }

    /// [`Sink::extend_in`]
    pub fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) -> bool {
        let told = self.meter.grow(node, key, items.as_str().len() as u64);
        if told {
            self.sink.extend_in(node, key, path, items);
        }
        told
    }

    /// [`Sink::add_in`]
    pub fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) -> bool {
        let told = self.meter.grow(node, key, summand.as_str().len() as u64);
        if told {
            self.sink.add_in(node, key, path, summand, float);
        }
        told
    }

    /// [`Sink::move_last`]
    pub fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {
        self.sink.move_last(parent, list, node, at);
    }

    /// [`Sink::remove`]
    pub fn remove(&mut self, parent: Node, list: Key, node: Node) {
        self.release(node);
        self.sink.remove(parent, list, node);
    }

    /// [`Sink::arrange`]
    pub fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node]) {
        self.sink.arrange(parent, list, nodes);
    }

    /// An object is gone: nothing of it is held any more.
    pub fn release(&mut self, node: Node) {
        if let Some(object) = self.meter.objects.get_mut(node as usize) {
            let held = core::mem::take(object);
            object.owner = held.owner;
            let bytes: u64 = held.first.iter().chain(&held.others).map(|member| member.bytes).sum();
            self.meter.bytes -= bytes;
        }
    }
}
