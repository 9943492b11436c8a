//! The members of other models that a client carries in reasoning items.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

use crate::hub::conversation::members::gathered;
use crate::hub::conversation::{Content, Conversation, Part, Sealed, TurnRole};

/// Members that do not belong to the reasoning item in which they are.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// Those of calls, and those of their results, by the ids of the calls.
    calls: BTreeMap<(String, bool), Sealed>,
    /// Those of parts, by turn and part.
    parts: BTreeMap<(usize, usize), Vec<Sealed>>,
    /// Where the last message begins: its turn and part.
    pub message: Option<(usize, usize)>,
}

impl Carried {
    /// Takes members that belong to something else than the reasoning. Returns those of the
    /// reasoning.
    pub fn take(&mut self, sealed: Sealed) -> Option<Sealed> {
        if let Some(call) = &sealed.call {
            self.calls.insert((call.clone(), sealed.result), sealed);
            return None;
        }
        let (Some(part), Some((turn, first))) = (sealed.part, self.message) else {
            return Some(sealed);
        };
        let place = (turn, first.saturating_add(part as usize));
        self.parts.entry(place).or_default().push(sealed);
        None
    }

    /// Adds the members to the turns that were read.
    pub fn restore(mut self, conversation: &mut Conversation, first_turn: usize) {
        if self.calls.is_empty() && self.parts.is_empty() {
            return;
        }
        let own = |((id, is_result), sealed): (&(String, bool), &Sealed)| {
            (*is_result && sealed.block).then(|| id.clone())
        };
        let results: BTreeSet<String> = gathered(self.calls.iter().filter_map(own));
        for (at, turn) in conversation.turns.iter_mut().enumerate().skip(first_turn) {
            let parts = take(&mut turn.parts);
            turn.parts.reserve(parts.len());
            for (place, mut part) in parts.into_iter().enumerate() {
                self.restore_call(&mut part);
                let sealed = self.parts.remove(&(at, place)).into_iter().flatten();
                let mut blocks: Vec<Part> =
                    sealed.filter_map(|sealed| sealed.restore(&mut part)).collect();
                turn.parts.push(part);
                turn.parts.append(&mut blocks);
            }
        }
        join_results(conversation, first_turn, &results);
    }

    fn restore_call(&mut self, part: &mut Part) {
        let mut members = |id: &str, is_result| self.calls.remove(&(String::from(id), is_result));
        match &mut part.content {
            Content::Call(call) => {
                // A call that has its result in its own item.
                if let Some(result) = &mut call.result
                    && let Some(sealed) = members(&call.id, true)
                {
                    result.opaque = Some(sealed.opaque);
                }
                if let Some(sealed) = members(&call.id, false) {
                    drop(sealed.restore(part));
                }
            }
            Content::Result(result) => {
                if let Some(sealed) = members(&result.call, true) {
                    result.opaque = Some(sealed.opaque);
                }
            }
            _ => {}
        }
    }
}

/// Adds the results of the provider's own tools to the turn of their calls, which continues after
/// them.
fn join_results(conversation: &mut Conversation, first_turn: usize, own: &BTreeSet<String>) {
    if own.is_empty() {
        return;
    }
    let is_own = |part: &Part| matches!(&part.content, Content::Result(result) if own.contains(&result.call));
    let mut continues = false;
    for turn in conversation.turns.split_off(first_turn) {
        let joins = match turn.role {
            TurnRole::User => !turn.parts.is_empty() && turn.parts.iter().all(is_own),
            role => continues && role == TurnRole::Assistant,
        };
        match conversation.turns.last_mut().filter(|last| joins && last.role == TurnRole::Assistant)
        {
            Some(last) => last.parts.extend(turn.parts),
            None => conversation.turns.push(turn),
        }
        continues = joins;
    }
}
