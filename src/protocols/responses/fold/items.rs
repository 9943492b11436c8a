//! The items of the output: finds the item of an event, adds items and ends them. (O4 to O6, O10.)

use alloc::{boxed::Box, vec::Vec};

use super::object_state::ObjectState;
use super::parts::FoldedPart;
use super::tools::{count_entries, entries_field};
use super::{ITEM_ID, ItemNames, OUTPUT_INDEX, ROOT, ResponsesFold, number};
use crate::core::{EventReading, Observed};
use crate::engine::{Context, Field, ObjectLimit, Subject};
use crate::json::{Element, Str, decimal};
use crate::protocols::responses::model::{
    ResponsesCodeInterpreterCall, ResponsesCustomToolCall, ResponsesFunctionCall,
};
use crate::protocols::responses::{Item as ItemObject, ItemType, Snapshot, rules};

/// The maximum number of places before the end of the output where an item is inserted or removed.
/// It limits the cost of an event. An item whose place is farther from the end is inserted at this
/// distance, and an item that it replaces stays until a response lists the output.
const FARTHEST: usize = 256;

/// One item.
#[derive(Clone, Debug)]
pub(super) struct FoldedItem {
    pub object: ObjectState,
    pub kind: ItemType,
    /// Its `output_index` in events.
    pub wire: i64,
    /// The sort key of the output: the item's number, or the key of the item before it if its place
    /// was too far from the end.
    pub rank: i64,
    pub id: Option<Box<str>>,
    pub call: Option<Box<str>>,
    pub owner: Subject,
    pub done: bool,
    /// It was removed from the output.
    pub gone: bool,
    /// The number of the last list that contained it.
    pub listed: u64,
    pub parts: [Vec<FoldedPart>; 2],
    /// The number of known commands or outputs of a shell. `None` if their list is missing.
    pub entries: Option<usize>,
}

impl ResponsesFold {
    /// Returns the item of an event. The event begins the item if it was not added. `None` if the
    /// event does not fit the item.
    pub(super) fn item(
        &mut self,
        event: &EventReading<'_, '_>,
        kind: &ItemType,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let id = event.get(ITEM_ID).and_then(|id| id.string().ok()).map(Str::to_str);
        let wire = number(event, OUTPUT_INDEX).filter(|wire| *wire >= 0);
        let at_wire = wire.and_then(|wire| self.wires.get(wire as u64).copied());
        let found = at_wire.or_else(|| self.ids.get(id.as_deref()?).copied());
        let Some(at) = found else {
            let name = id.as_deref().unwrap_or_default();
            cx.record_of(&rules::ITEM_MISSING, name, Observed::Name(kind.as_str()));
            let names =
                ItemNames { kind: kind.clone(), id: id.as_deref().map(Into::into), call: None };
            let at = self.open_item(names, wire, cx)?;
            if let Some(id) = id {
                let object = &mut self.items[at].object;
                cx.set_short(object.node, ItemObject::id, &id);
                object.note(ItemObject::id, None);
            }
            return Some(at);
        };
        let item = &self.items[at];
        // Events for commands of a shell call do not contain the id of the item.
        let is_named =
            *kind == ItemType::ShellCall || id.is_some() && item.id.as_deref() == id.as_deref();
        if !is_named || at_wire.is_none() {
            let got = Observed::Instead(
                id.as_deref().unwrap_or("no id"),
                item.id.as_deref().unwrap_or("none"),
            );
            cx.record_in(&rules::ITEM_MISMATCH, item.owner, None, got);
        }
        if item.kind != *kind {
            let got = Observed::Instead(kind.as_str(), item.kind.as_str());
            cx.record_in(&rules::ITEM_MISMATCH, item.owner, None, got);
            return None;
        }
        Some(at)
    }

    /// Adds an item. (O4, O5)
    pub(super) fn add_item(
        &mut self,
        wire: Option<i64>,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let names = ItemNames::of(json);
        let wire = wire.filter(|wire| *wire >= 0);
        self.check_names(&names, cx);
        let is_taken = wire.is_some_and(|wire| self.wires.get(wire as u64).is_some());
        if is_taken || self.is_named(&names, |_| true) {
            cx.record_of(&rules::ITEM_REPEATED, names.id(), Observed::Name(names.kind.as_str()));
        } else if wire.is_none() {
            cx.record(&rules::ITEM_MISSING, Observed::Words("no `output_index`"));
        } else if wire != Some(self.current().len() as i64) {
            cx.record(&rules::OUTPUT_GAP, Observed::Number(wire, self.current().len() as i64));
        }
        self.whole_item(names, wire, json, cx);
    }

    /// Adds an item with all of its members.
    pub(super) fn whole_item(
        &mut self,
        names: ItemNames,
        wire: Option<i64>,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let at = self.open_item(names, wire, cx)?;
        self.assign_item(at, json, cx);
        Some(at)
    }

    pub(super) fn check_names(&self, names: &ItemNames, cx: &mut Context<'_>) {
        use ItemType::{CustomToolCall, FunctionCall};
        let may_lack_id = matches!(names.kind, FunctionCall | CustomToolCall);
        let is_nameless = names.id.is_none() && !may_lack_id
            || names.call.is_none() && names.is_call()
            || names.kind.as_str().is_empty();
        if is_nameless {
            cx.record_of(&rules::ITEM_ID, names.id(), Observed::Name(names.kind.as_str()));
        }
    }

    /// Returns the item of the output that has these names and this type.
    pub(super) fn find(&self, names: &ItemNames) -> Option<usize> {
        let by_call = names.call_key().and_then(|call| self.calls.get(&call));
        let found = by_call.or_else(|| self.ids.get(names.id.as_deref()?));
        found.copied().filter(|at| self.items[*at].kind == names.kind && !self.items[*at].gone)
    }

    /// Returns the call at that place of the output if neither it nor these names have an id.
    pub(super) fn nameless_call(&self, place: usize, names: &ItemNames) -> Option<usize> {
        let has_call = |call: Option<&str>| call.is_some_and(|call| !call.is_empty());
        let is_nameless = names.is_call() && names.id.is_none() && !has_call(names.call.as_deref());
        let at = *self.wires.get(place as u64).filter(|_| is_nameless)?;
        let item = &self.items[at];
        let is_same =
            item.kind == names.kind && item.id.is_none() && !has_call(item.call.as_deref());
        (is_same && !item.gone).then_some(at)
    }

    /// Returns whether one of these items has that id, with any type, or that call.
    pub(super) fn is_named(&self, names: &ItemNames, among: impl Fn(&FoldedItem) -> bool) -> bool {
        let by_id = names.id.as_deref().and_then(|id| self.ids.get(id));
        let by_call = names.call_key().and_then(|call| self.calls.get(&call));
        [by_id, by_call]
            .into_iter()
            .flatten()
            .any(|at| !self.items[*at].gone && among(&self.items[*at]))
    }

    /// Returns the shell call that an output belongs to.
    pub(super) fn call_of(&self, output: usize) -> Option<usize> {
        let names = ItemNames {
            kind: ItemType::ShellCall,
            id: None,
            call: self.items[output].call.as_deref().map(Into::into),
        };
        self.find(&names)
    }

    /// Adds an item at the place of its number.
    pub(super) fn open_item(
        &mut self,
        names: ItemNames,
        wire: Option<i64>,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let wire = wire.unwrap_or_else(|| {
            self.current().next_back().map_or(0, |item| item.wire.saturating_add(1))
        });
        let key = wire.saturating_add(self.earlier as i64);
        let owner = cx.next_owner();
        let node =
            cx.open(names.kind.kind(), ROOT, Snapshot::output, ObjectLimit::Messages, owner)?;
        cx.own(names.id.as_deref().or(names.call.as_deref()).unwrap_or_default());
        if let ItemType::Other(name) = &names.kind {
            cx.set_text(node, ItemObject::r#type, name);
        }
        let wanted = self.order.partition_point(|at| self.items[*at].rank <= key);
        let place = wanted.max(self.order.len().saturating_sub(FARTHEST));
        let rank = if place == wanted { key } else { self.items[self.order[place - 1]].rank };
        if place < self.order.len() {
            cx.move_last(ROOT, Snapshot::output, node, place);
        }
        let text = text_of(&names.kind).map(|key| (key, cx.kept_text(node, key, owner)));
        let at = self.items.len();
        self.order.insert(place, at);
        self.wires.insert(wire as u64, at);
        self.items.push(FoldedItem {
            object: ObjectState::new(node, names.kind.kind().0, text),
            kind: names.kind.clone(),
            wire,
            rank,
            id: None,
            call: None,
            owner,
            done: false,
            gone: false,
            listed: 0,
            parts: Default::default(),
            entries: None,
        });
        self.rename(at, names, cx);
        self.name_call(at, cx);
        Some(at)
    }

    /// Gives a call without any id one that is made of the response's, so that calls can be told
    /// apart.
    fn name_call(&mut self, at: usize, cx: &mut Context<'_>) {
        let item = &mut self.items[at];
        let is_call = matches!(item.kind, ItemType::FunctionCall | ItemType::CustomToolCall);
        if is_call && item.id.is_none() && item.call.as_deref().is_none_or(str::is_empty) {
            let response = self.id.as_deref().filter(|id| !id.is_empty()).unwrap_or("call");
            let id = [response, "-", &decimal(at as i64)].concat();
            item.object.make(ItemObject::call_id, &id, cx);
        }
    }

    /// Sets the names of an item.
    fn rename(&mut self, at: usize, names: ItemNames, cx: &mut Context<'_>) {
        if let Some(call) = names.call_key() {
            self.calls.insert(&call, at);
        }
        let item = &mut self.items[at];
        if let Some(id) = &names.id {
            if item.id.is_none() {
                cx.rename(item.owner, id);
            }
            self.ids.insert(id, at);
        }
        item.id = names.id.map(Into::into);
        item.call = names.call.map(Into::into);
    }

    /// Sets all members of an item.
    pub(super) fn assign_item(&mut self, at: usize, json: Element<'_, '_>, cx: &mut Context<'_>) {
        let item = &mut self.items[at];
        item.object.assign(json, &self.keys, cx);
        if let Some(key) = entries_field(&item.kind) {
            item.entries = item.object.counted(key, json, item.entries, &self.keys, |value| {
                count_entries(&item.kind, value)
            });
        }
        self.assign_parts(at, json, cx);
    }

    /// Ends an item. (O10)
    pub(super) fn done_item(
        &mut self,
        wire: Option<i64>,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let names = ItemNames::of(json);
        let found = wire.and_then(|wire| self.wires.get(u64::try_from(wire).ok()?)).copied();
        let found = found.or_else(|| {
            cx.record_of(&rules::ITEM_MISSING, names.id(), Observed::Name(names.kind.as_str()));
            self.find(&names)
        });
        let at = match found {
            Some(at) => self.update_item(at, names, json, cx),
            None => self.whole_item(names, wire.filter(|wire| *wire >= 0), json, cx),
        };
        if let Some(at) = at {
            self.items[at].done = true;
            cx.note_text_end(self.items[at].object.node, ItemObject::id);
        }
    }

    /// Updates an item. An item of another type is a new object.
    pub(super) fn update_item(
        &mut self,
        at: usize,
        names: ItemNames,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let item = &self.items[at];
        let is_same_id = item.id.as_deref() == names.id.as_deref()
            || item.id.is_none()
                && matches!(names.kind, ItemType::FunctionCall | ItemType::CustomToolCall);
        let is_same_kind = item.kind == names.kind;
        if !is_same_kind
            || !is_same_id
            || names.is_call() && item.call.as_deref() != names.call.as_deref()
        {
            let got = names.id.as_deref().unwrap_or(names.kind.as_str());
            cx.record_in(&rules::ITEM_CHANGED, item.owner, None, Observed::Name(got));
        } else if let Some(id) =
            names.id.as_deref().filter(|id| item.id.is_none() && self.ids.get(id).is_some())
        {
            cx.record_in(&rules::ITEM_REPEATED, item.owner, None, Observed::Name(id));
        }
        if is_same_kind {
            self.rename(at, names, cx);
            self.assign_item(at, json, cx);
            return Some(at);
        }
        let wire = item.wire;
        let from = self.order.len().saturating_sub(FARTHEST);
        if let Some(place) = self.order[from..].iter().position(|other| *other == at) {
            self.order.remove(from + place);
            cx.remove(ROOT, Snapshot::output, self.items[at].object.node);
            self.items[at].gone = true;
        }
        self.whole_item(names, Some(wire), json, cx)
    }
}

/// Returns the member of an item that is streamed in pieces.
fn text_of(kind: &ItemType) -> Option<Field> {
    Some(match kind {
        ItemType::FunctionCall | ItemType::McpCall | ItemType::McpApprovalRequest => {
            ResponsesFunctionCall::arguments
        }
        ItemType::CustomToolCall => ResponsesCustomToolCall::input,
        ItemType::CodeInterpreterCall => ResponsesCodeInterpreterCall::code,
        _ => return None,
    })
}
