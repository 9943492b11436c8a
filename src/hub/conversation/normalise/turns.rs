//! The order of turns.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

use super::names::legal;
use crate::hub::conversation::members::gathered;
use crate::hub::conversation::requirements::{Instructions, Requirements};
use crate::hub::conversation::{
    CallInput, Content, Conversation, Part, RunBy, Tool, ToolResult, Turn, TurnRole,
};
use crate::hub::loss::{LossClass, Losses};
use crate::json::{Member, Value};

/// Leaves out the turns that a server which keeps the conversation already has.
pub(super) fn leave_history(
    conversation: &mut Conversation,
    to: &Requirements,
    losses: &mut Losses,
) {
    let Some(reason) = to.new_turns_only else { return };
    let is_known = conversation.id.is_some();
    if !is_known && to.takes_history {
        return;
    }
    let (class, reason) = match is_known {
        true => (LossClass::Cosmetic, reason),
        false => (
            LossClass::Contract,
            "the request has no id of a conversation: the server has no messages of it",
        ),
    };
    if to.resumes {
        leave_server_results(conversation, |call| losses.add(class, "history", call, reason));
        name_calls(conversation);
    }
    let new = conversation.first_new();
    let resumed = if to.resumes { resumed_calls(conversation, new) } else { None };
    let results = if to.resumes { Vec::new() } else { new_results(conversation, new) };
    let is_sent = |turn: &Turn| resumed.as_ref() == Some(turn);
    for turn in conversation.turns.drain(..new).filter(|turn| !is_sent(turn)) {
        losses.add(class, "history", turn.id.as_deref().unwrap_or_default(), reason);
    }
    if !results.is_empty() {
        conversation.turns.insert(0, Turn::new(TurnRole::User, results));
    }
    if to.resumes {
        leave_other_input(conversation, resumed, losses);
    }
}

/// Leaves out the results of calls that a server has run: they are no input of the client.
fn leave_server_results(conversation: &mut Conversation, mut lost: impl FnMut(&str)) {
    let ids = |by_server: bool| {
        let calls = conversation.turns.iter().flat_map(Turn::calls);
        let ids = calls.filter(move |call| (call.by == RunBy::Provider) == by_server);
        gathered(ids.map(|call| call.id.clone()))
    };
    let (of_server, of_client): (BTreeSet<String>, BTreeSet<String>) = (ids(true), ids(false));
    for turn in &mut conversation.turns {
        turn.parts.retain(|part| match &part.content {
            Content::Result(ToolResult { call, .. })
                if of_server.contains(call) && !of_client.contains(call) =>
            {
                lost(call);
                false
            }
            _ => true,
        });
    }
    conversation.turns.retain(|turn| !turn.parts.is_empty() || turn.role != TurnRole::User);
}

/// Gives answers to questions about calls the ids of these calls: the target has no other ids.
fn name_calls(conversation: &mut Conversation) {
    let parts = conversation.turns.iter().flat_map(|turn| &turn.parts);
    let calls = parts.filter_map(|part| match &part.content {
        Content::Question { id, call: Some(call), .. } => Some((id.clone(), call.clone())),
        _ => None,
    });
    let calls: BTreeMap<String, String> = gathered(calls);
    for part in conversation.turns.iter_mut().flat_map(|turn| &mut turn.parts) {
        if let Content::Answer { id, .. } = &mut part.content
            && let Some(call) = calls.get(id)
        {
            id.clone_from(call);
        }
    }
}

/// Returns the turn of the last answer with nothing but the calls that new answers or results are
/// about.
fn resumed_calls(conversation: &Conversation, new: usize) -> Option<Turn> {
    let turns = &conversation.turns;
    let answer = new.checked_sub(1).and_then(|last| turns.get(last))?;
    let new_parts = || turns.iter().skip(new).flat_map(|turn| &turn.parts);
    let is_answered = |call: &str| {
        new_parts().any(|part| match &part.content {
            Content::Answer { id, .. } => id == call,
            Content::Result(result) => result.call == call,
            _ => false,
        })
    };
    let is_asked = |call: &str| {
        new_parts().any(|part| matches!(&part.content, Content::Answer { id, .. } if id == call))
    };
    let results = new_results(conversation, new);
    let has_result = |call: &str| {
        results.iter().any(|part| matches!(&part.content, Content::Result(new) if new.call == call))
    };
    let about = |part: &&Part| match &part.content {
        Content::Call(call) => is_answered(&call.id) || has_result(&call.id),
        Content::Question { call: Some(call), .. } => is_answered(call),
        _ => false,
    };
    let mut parts: Vec<Part> = answer.parts.iter().filter(about).cloned().collect();
    // A result belongs to the first of the calls with its id.
    let mut named = BTreeSet::new();
    parts.retain(|part| part.as_call().is_none_or(|call| named.insert(call.id.clone())));
    // Only the answer to a question repeats the input of its call.
    for part in
        parts.iter_mut().filter(|part| part.as_call().is_some_and(|call| !is_asked(&call.id)))
    {
        part.opaque = None;
        if let Some(call) = part.as_call_mut() {
            call.input = CallInput::Json("{}".into());
        }
    }
    (!parts.is_empty()).then(|| Turn { parts, ..answer.clone() })
}

/// Leaves out what a request with answers or results cannot have: answers come before results, and
/// results before messages.
fn leave_other_input(conversation: &mut Conversation, resumed: Option<Turn>, losses: &mut Losses) {
    let parts = || conversation.turns.iter().flat_map(|turn| &turn.parts);
    let is_answer = |part: &Part| matches!(part.content, Content::Answer { .. });
    let is_result = |part: &Part| matches!(part.content, Content::Result(_));
    let has_answers = parts().any(is_answer);
    let of_calls = resumed.iter().flat_map(Turn::calls).any(|call| call.result.is_some());
    let has_results = of_calls || parts().any(is_result);
    if has_answers || has_results {
        for turn in &mut conversation.turns {
            turn.parts.retain(|part| {
                let stays = if has_answers { is_answer(part) } else { is_result(part) };
                if !stays {
                    let reason = "a request has answers, results or messages: this is left out";
                    losses.add(LossClass::Contract, "part", "", reason);
                }
                stays
            });
        }
        conversation.turns.retain(|turn| !turn.parts.is_empty());
    }
    if let Some(turn) = resumed {
        conversation.turns.insert(0, turn);
    }
}

/// Returns the results of the calls at the end of the last answer, before the turn `new`: the
/// server has the calls, and not yet the results of the client.
fn new_results(conversation: &Conversation, new: usize) -> Vec<Part> {
    let Conversation { turns, tools, .. } = conversation;
    let answer = new.checked_sub(1).and_then(|last| turns.get(last));
    // Other results can follow.
    let is_last = turns
        .iter()
        .skip(new)
        .flat_map(|turn| &turn.parts)
        .all(|part| matches!(part.content, Content::Result(_)));
    let is_declared = |name: &str| {
        tools.iter().any(|tool| matches!(tool, Tool::Function(tool) if tool.name == name))
    };
    let mut results = Vec::new();
    for part in answer.iter().flat_map(|turn| turn.parts.iter().rev()) {
        let Some(call) = part.as_call().filter(|call| call.by != RunBy::Provider) else { break };
        if let Some(result) = &call.result
            && (is_last || is_declared(&call.name))
        {
            results.push(Part::new(Content::Result(result.clone())));
        }
    }
    results.reverse();
    results
}

/// An empty id or name is none.
pub(super) fn leave_empty_ids(conversation: &mut Conversation) {
    let leave = |name: &mut Option<String>| drop(name.take_if(|name| name.is_empty()));
    leave(&mut conversation.id);
    for turn in &mut conversation.turns {
        leave(&mut turn.id);
        leave(&mut turn.name);
    }
}

/// Checks the turns after their parts.
pub(super) fn check(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    let is_own = conversation.format == to.format;
    let has_member = |member: &Member| member.key == to.continued_by;
    let is_continued =
        is_own && conversation.turns.is_empty() && conversation.more.iter().any(has_member);
    let turns = &mut conversation.turns;
    for turn in turns.iter_mut() {
        author(turn, to, losses);
    }
    if to.leading_reasoning {
        turns.iter_mut().for_each(|turn| leave_last_reasoning(turn, losses));
    }
    if to.needs_content {
        turns.retain(|turn| {
            let is_kept = !turn.parts.is_empty();
            if !is_kept {
                let reason = "nothing of the message is left";
                losses.add(LossClass::Cosmetic, "message-empty", "", reason);
            }
            is_kept
        });
    }
    move_instructions(turns, to, losses);
    if !to.needs_content {
        // A turn of the user of which nothing is left is gone, as one that had nothing but results.
        turns.retain(|turn| !turn.parts.is_empty() || turn.role != TurnRole::User);
        return;
    }
    if to.alternates {
        merge(turns);
    }
    let first = turns.iter().position(|turn| !turn.is_instruction()).unwrap_or(turns.len());
    let is_beginning = |turn: &Turn| {
        let own = turn.parts.first().and_then(|part| part.opaque.as_ref());
        is_own
            && own
                .is_some_and(|own| own.get("type").and_then(Value::as_str) == Some(to.begins_with))
    };
    let is_missing = turns.get(first).is_none_or(|turn| {
        to.alternates && turn.role == TurnRole::Assistant && !is_beginning(turn)
    });
    if is_missing && !is_continued {
        let reason = "the conversation does not start with a message of the user: one is added";
        losses.add(LossClass::Contract, "message-missing", "", reason);
        turns.insert(first, Turn::new(TurnRole::User, [Part::text("(no message)")].into()));
    }
    if to.trims_end
        && let Some(Turn { role: TurnRole::Assistant, parts, .. }) = turns.last_mut()
        && let Some(Content::Text(text) | Content::Refusal(text)) =
            parts.iter_mut().map(|part| &mut part.content).rfind(is_said)
    {
        text.truncate(text.trim_end().len());
    }
    if to.ends_with_user && !is_own && turns.last().is_some_and(is_finished) {
        let reason = "the target does not continue an answer: a message of the user is added";
        losses.add(LossClass::Quality, "message-missing", "", reason);
        turns.push(Turn::new(TurnRole::User, [Part::text("(continue)")].into()));
    }
}

/// Leaves out reasoning at the end of an answer, which was cut off.
fn leave_last_reasoning(turn: &mut Turn, losses: &mut Losses) {
    while turn.parts.pop_if(|part| matches!(part.content, Content::Reasoning { .. })).is_some() {
        let reason = "the target takes it only before what the model has said";
        losses.add(LossClass::Quality, "reasoning", "", reason);
    }
}

/// Whether a content is more than reasoning, or a block that may not be written.
fn is_said(content: &&mut Content) -> bool {
    !matches!(content, Content::Reasoning { .. } | Content::Native)
}

/// Whether a turn is an answer that is neither followed by results nor interrupted by the provider.
fn is_finished(turn: &Turn) -> bool {
    turn.role == TurnRole::Assistant && turn.calls().next().is_none()
}

/// Checks the role and the name of the author.
fn author(turn: &mut Turn, to: &Requirements, losses: &mut Losses) {
    if turn.role == TurnRole::Developer && !to.developer {
        turn.role = TurnRole::System;
    }
    turn.name = match (turn.name.take(), to.author_names) {
        (Some(name), Some(rule)) => Some(legal(&name, rule)),
        (Some(name), None) => {
            losses.add(LossClass::Cosmetic, "name", &name, "messages of the target have no names");
            None
        }
        (None, _) => None,
    };
}

/// Turns instructions where the target does not take them into text of the user.
fn move_instructions(turns: &mut [Turn], to: &Requirements, losses: &mut Losses) {
    let role = |at: usize| turns.get(at).map(|turn| turn.role);
    let is_allowed = |at: usize, before: Option<TurnRole>, had_results: bool| match to.instructions
    {
        Instructions::Anywhere => true,
        Instructions::Front | Instructions::Nowhere => false,
        // The user's turn ends with them, and the results of tools are in a turn of the user.
        Instructions::AfterUser => {
            (before == Some(TurnRole::User) || had_results)
                && matches!(role(at + 1), None | Some(TurnRole::Assistant))
        }
    };
    let front = match to.instructions {
        Instructions::Nowhere => 0,
        _ => turns.iter().take_while(|turn| turn.is_instruction()).count(),
    };
    let mut moved = Vec::new();
    let (mut before, mut had_results) = (None, false);
    for (at, turn) in turns.iter().enumerate().skip(front) {
        if turn.is_instruction() && !is_allowed(at, before, had_results) {
            moved.push(at);
            (before, had_results) = (Some(TurnRole::User), false);
        } else {
            before = Some(turn.role);
            had_results =
                turn.calls().any(|call| call.by != RunBy::Provider && call.result.is_some());
        }
    }
    for at in moved {
        let reason = match to.instructions {
            Instructions::Nowhere => {
                "the target has no instructions: they are sent as a message of the user"
            }
            _ => "instructions between messages are sent as a message of the user",
        };
        losses.add(LossClass::Quality, "instructions", "", reason);
        let Some(turn) = turns.get_mut(at) else { continue };
        turn.role = TurnRole::User;
        for part in &mut turn.parts {
            if let Content::Text(text) = &mut part.content {
                *text = ["<system>", text, "</system>"].concat();
            }
        }
    }
}

/// Merges neighbours of one role. The calls of an answer end it: their results are between it and
/// the next answer.
fn merge(turns: &mut Vec<Turn>) {
    let ends = |turn: &Turn| turn.calls().any(|call| call.by != RunBy::Provider);
    let mut merged: Vec<Turn> = Vec::with_capacity(turns.len());
    for turn in take(turns) {
        let same = merged.last_mut().filter(|last| {
            let is_same = last.role == turn.role || last.is_instruction() && turn.is_instruction();
            is_same && !(turn.role == TurnRole::Assistant && ends(last))
        });
        match same {
            Some(last) => last.parts.extend(turn.parts),
            None => merged.push(turn),
        }
    }
    *turns = merged;
}
