//! The order of turns.

use alloc::vec::Vec;
use core::mem::take;

use crate::hub::conversation::requirements::{Instructions, Requirements};
use crate::hub::conversation::{Content, Conversation, Part, Role, RunBy, Turn};
use crate::hub::loss::{LossClass, Losses};

/// Leaves out the turns that a server which keeps the conversation already has.
pub(super) fn leave_history(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    let Some(reason) = to.new_turns_only else { return };
    let new = conversation.first_new();
    for turn in conversation.turns.drain(..new) {
        let place = turn.id.as_deref().unwrap_or_default();
        losses.add(LossClass::Cosmetic, "history", place, reason);
    }
}

/// Checks the turns after their parts.
pub(super) fn check(turns: &mut Vec<Turn>, to: &Requirements, losses: &mut Losses) {
    move_instructions(turns, to, losses);
    if !to.needs_content {
        return;
    }
    turns.retain(|turn| {
        let is_kept = !turn.parts.is_empty();
        if !is_kept {
            let reason = "nothing of the message is left";
            losses.add(LossClass::Cosmetic, "message-empty", "", reason);
        }
        is_kept
    });
    if to.alternates {
        merge(turns);
    }
    let first = turns.iter().position(|turn| !turn.is_instruction()).unwrap_or(turns.len());
    let is_missing = turns.get(first).is_none_or(|turn| to.alternates && turn.role == Role::Assistant);
    if is_missing {
        let reason = "the conversation does not start with a message of the user: one is added";
        losses.add(LossClass::Contract, "message-missing", "", reason);
        turns.insert(first, Turn::new(Role::User, [Part::text("(no message)")].into()));
    }
}

fn move_instructions(turns: &mut [Turn], to: &Requirements, losses: &mut Losses) {
    if to.instructions != Instructions::Front {
        return;
    }
    for turn in turns.iter_mut().skip_while(|turn| turn.is_instruction()).filter(|turn| turn.is_instruction())
    {
        let reason = "instructions between messages are sent as a message of the user";
        losses.add(LossClass::Quality, "instructions", "", reason);
        turn.role = Role::User;
        for part in &mut turn.parts {
            if let Content::Text(text) = &mut part.content {
                *text = ["<system>", text, "</system>"].concat();
            }
        }
    }
}

/// Merges neighbours of one role. The calls of an answer end it: their results are between it and the next answer.
fn merge(turns: &mut Vec<Turn>) {
    let ends = |turn: &Turn| turn.calls().any(|call| call.by != RunBy::Provider);
    let mut merged: Vec<Turn> = Vec::with_capacity(turns.len());
    for turn in take(turns) {
        let same = merged.last_mut().filter(|last| {
            let is_same = last.role == turn.role || last.is_instruction() && turn.is_instruction();
            is_same && !(turn.role == Role::Assistant && ends(last))
        });
        match same {
            Some(last) => last.parts.extend(turn.parts),
            None => merged.push(turn),
        }
    }
    *turns = merged;
}
