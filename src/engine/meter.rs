//! Counts the contents of the answer and enforces the limits on them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
use crate::core::limits::{Budget, Limits};
use crate::core::sink::{Field, ObjectId};

/// The limit on the number of objects of a kind below one parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectLimit {
    /// No limit: there is one object.
    Once,
    /// [`Limits::messages`]
    Messages,
    /// [`Limits::contents`]
    Contents,
    /// [`Limits::tool_calls`]
    ToolCalls,
}

/// A change that was refused because of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedChange {
    /// The field of [`Limits`].
    pub limit: &'static str,
    /// Its value.
    pub allowed: u64,
    /// The object concerned.
    pub node: ObjectId,
    /// The number that was given when the object was [opened](super::Context::open).
    pub owner: u32,
}

/// The bytes that an object adds to the size of the answer, besides its properties.
const SIZE_OF_OBJECT: u64 = 256;

/// The bytes that are allocated for an object, here and in the answer.
const ALLOCATED_FOR_OBJECT: u64 = 768;

/// The counts of an answer.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    limits: Limits,
    objects: Vec<ObjectCounts>,
    /// The bytes of all objects.
    bytes: u64,
    /// The bytes that may still be allocated and written.
    pub budget: Budget,
    refusals: Vec<RefusedChange>,
}

/// The counts of one object, without the objects inside it.
#[derive(Clone, Debug, Default)]
struct ObjectCounts {
    owner: u32,
    /// The number of objects that were opened in it.
    children: u32,
    /// The number of keys and elements in merged data.
    data_nodes: usize,
    /// The properties of variable length: usually one.
    first: Option<FieldBytes>,
    others: Vec<FieldBytes>,
    undeclared: Option<Box<StringMap<u64>>>,
}

#[derive(Clone, Copy, Debug)]
struct FieldBytes {
    key: Field,
    bytes: u64,
    /// A piece was refused and reported. Further pieces are refused until the value is replaced.
    full: bool,
}

/// The key of all undeclared properties together.
const UNDECLARED: Field = Field(u8::MAX);

impl ObjectCounts {
    fn member(&mut self, key: Field) -> &mut FieldBytes {
        let new = FieldBytes { key, bytes: 0, full: false };
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

    fn get(&self, key: Field) -> Option<FieldBytes> {
        self.first.iter().chain(&self.others).find(|member| member.key == key).copied()
    }
}

/// The maximal bytes of one property, and the bytes that the answer may still grow.
#[derive(Clone, Copy)]
struct RemainingBytes {
    member: u64,
    answer: u64,
}

impl RemainingBytes {
    /// Returns whether a property of `used` bytes may grow by `more` bytes.
    #[inline]
    fn has(self, used: u64, more: u64) -> bool {
        used.saturating_add(more) <= self.member && more <= self.answer
    }
}

impl Meter {
    /// Creates the counts of an answer that is only its root.
    pub fn new(limits: &Limits) -> Self {
        let root = ObjectCounts { owner: u32::MAX, ..ObjectCounts::default() };
        // As many as a short answer has.
        let mut objects = Vec::with_capacity(8);
        objects.push(root);
        let budget = Budget::new(limits);
        Meter { limits: limits.clone(), objects, bytes: 0, budget, refusals: Vec::new() }
    }

    #[inline]
    pub fn has_refusals(&self) -> bool {
        !self.refusals.is_empty()
    }

    /// Returns the first refusal since the last call of [`take_refusals`](Self::take_refusals).
    #[cfg(feature = "ag-ui")]
    pub fn first_refusal(&self) -> Option<&RefusedChange> {
        self.refusals.first()
    }

    /// Returns the refusals since the last call.
    pub fn take_refusals(&mut self) -> Vec<RefusedChange> {
        core::mem::take(&mut self.refusals)
    }

    /// Returns whether a property takes a piece of so many bytes.
    pub fn accepts(&self, (node, key): (ObjectId, Field), bytes: u64) -> bool {
        let member = self.objects.get(node as usize).and_then(|object| object.get(key));
        let (used, full) = member.map_or((0, false), |member| (member.bytes, member.full));
        !full && self.room().has(used, bytes) && self.budget.has(bytes)
    }

    /// Counts one more object below a parent. Returns false if there are too many.
    pub fn count(&mut self, parent: ObjectId, counted: ObjectLimit) -> bool {
        let Limits { messages, contents, tool_calls, answer_bytes, .. } = self.limits;
        let (limit, most) = match counted {
            ObjectLimit::Once => return true,
            ObjectLimit::Messages => ("messages", messages),
            ObjectLimit::Contents => ("contents", contents),
            ObjectLimit::ToolCalls => ("tool_calls", tool_calls),
        };
        let Some(object) = self.objects.get_mut(parent as usize) else { return false };
        if object.children as usize >= most {
            self.refuse(parent, limit, most as u64);
            return false;
        }
        if self.bytes.saturating_add(SIZE_OF_OBJECT) > answer_bytes {
            self.refuse(parent, "answer_bytes", answer_bytes);
            return false;
        }
        if !self.budget.pay(ALLOCATED_FOR_OBJECT) {
            self.refuse_growth(parent);
            return false;
        }
        object.children += 1;
        self.bytes += SIZE_OF_OBJECT;
        true
    }

    /// Adds an object that was counted, and returns its number.
    pub fn open(&mut self, owner: u32) -> ObjectId {
        self.objects.push(ObjectCounts { owner, ..ObjectCounts::default() });
        (self.objects.len() - 1) as ObjectId
    }

    /// Frees the bytes of an object that was removed.
    pub fn release(&mut self, node: ObjectId) {
        if let Some(object) = self.objects.get_mut(node as usize) {
            let released = core::mem::take(object);
            object.owner = released.owner;
            let bytes: u64 =
                released.first.iter().chain(&released.others).map(|member| member.bytes).sum();
            self.bytes -= bytes;
        }
    }

    /// Counts bytes that have another bound.
    pub fn add(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Returns whether a piece of a property was refused, so that no further piece is taken.
    pub fn is_full(&self, node: ObjectId, key: Field) -> bool {
        let object = self.objects.get(node as usize);
        object.is_none_or(|object| object.get(key).is_some_and(|member| member.full))
    }

    /// Counts keys and elements that are added to the data of a property. Returns false if there
    /// are too many.
    pub fn add_data_nodes(&mut self, node: ObjectId, key: Field, more: usize) -> bool {
        let most = self.limits.data_nodes;
        let Some(object) = self.objects.get_mut(node as usize) else { return false };
        let accepts = object.data_nodes.saturating_add(more) <= most;
        if accepts {
            object.data_nodes += more;
        } else if self.fill(node, key) {
            self.refuse(node, "data_nodes", most as u64);
        }
        accepts
    }

    /// Counts the keys and elements of an object's data from 0.
    pub fn forget_data_nodes(&mut self, node: ObjectId) {
        if let Some(object) = self.objects.get_mut(node as usize) {
            object.data_nodes = 0;
        }
    }

    /// Returns whether a number of so many digits may be added to one inside the data of a
    /// property.
    pub fn adds_digits(&mut self, node: ObjectId, key: Field, digits: usize) -> bool {
        let most = self.limits.number_digits;
        let accepts = digits <= most;
        if !accepts && self.fill(node, key) {
            self.refuse(node, "number_digits", most as u64);
        }
        accepts
    }

    #[inline]
    fn room(&self) -> RemainingBytes {
        let Limits { content_bytes, answer_bytes, .. } = self.limits;
        RemainingBytes { member: content_bytes, answer: answer_bytes.saturating_sub(self.bytes) }
    }

    #[cold]
    fn refuse(&mut self, node: ObjectId, limit: &'static str, allowed: u64) {
        let owner = self.objects.get(node as usize).map_or(u32::MAX, |object| object.owner);
        self.refusals.push(RefusedChange { limit, allowed, node, owner });
    }

    /// Refuses bytes: the property or the answer would be too large, or more would be written than
    /// the input allows.
    #[cold]
    fn refuse_bytes(&mut self, node: ObjectId, bytes: u64, cost: u64) {
        let Limits { content_bytes, answer_bytes, .. } = self.limits;
        match bytes > content_bytes {
            true => self.refuse(node, "content_bytes", content_bytes),
            false if !self.budget.has(cost) => self.refuse_growth(node),
            false => self.refuse(node, "answer_bytes", answer_bytes),
        }
    }

    #[cold]
    fn refuse_growth(&mut self, node: ObjectId) {
        self.refuse(node, "growth", self.limits.growth);
    }

    /// Counts a piece of a property, and its cost. Returns false if a limit refuses it.
    #[inline]
    pub fn grow(&mut self, node: ObjectId, key: Field, more: u64, cost: u64) -> bool {
        let room = self.room();
        let Some(object) = self.objects.get_mut(node as usize) else { return false };
        let member = object.member(key);
        let accepts = !member.full && room.has(member.bytes, more) && self.budget.pay(cost);
        if accepts {
            member.bytes += more;
            self.bytes += more;
        } else if !core::mem::replace(&mut member.full, true) {
            let bytes = member.bytes.saturating_add(more);
            self.refuse_bytes(node, bytes, cost);
        }
        accepts
    }

    /// Counts a new value of a property, and its cost. Returns false if a limit refuses it.
    pub fn replace(&mut self, node: ObjectId, key: Field, bytes: u64, cost: u64) -> bool {
        let room = self.room();
        let Some(object) = self.objects.get_mut(node as usize) else { return false };
        let member = object.member(key);
        let more = bytes.saturating_sub(member.bytes);
        let accepts = room.has(member.bytes.min(bytes), more) && self.budget.pay(cost);
        if accepts {
            let before = core::mem::replace(&mut member.bytes, bytes);
            member.full = false;
            self.bytes = self.bytes - before + bytes;
        } else {
            self.refuse_bytes(node, bytes, cost);
        }
        accepts
    }

    /// Counts an undeclared property: bytes with its name, and cost. Returns false if a limit
    /// refuses it.
    pub fn undeclared(&mut self, node: ObjectId, name: &str, bytes: u64, cost: u64) -> bool {
        let most = self.limits.undeclared_members;
        let Some(object) = self.objects.get_mut(node as usize) else { return false };
        let all = object.member(UNDECLARED).bytes;
        let names = object.undeclared.get_or_insert_default();
        let before = names.get(name).copied();
        if before.is_none() && names.len() >= most {
            self.refuse(node, "undeclared_members", most as u64);
            return false;
        }
        let all = all - before.unwrap_or(0) + bytes;
        if !self.replace(node, UNDECLARED, all, cost) {
            return false;
        }
        if let Some(object) = self.objects.get_mut(node as usize) {
            object.undeclared.get_or_insert_default().insert(name, bytes);
        }
        true
    }

    /// Refuses further pieces of a property. Returns false if they were refused before.
    fn fill(&mut self, node: ObjectId, key: Field) -> bool {
        let object = self.objects.get_mut(node as usize);
        object.is_some_and(|object| !core::mem::replace(&mut object.member(key).full, true))
    }
}
