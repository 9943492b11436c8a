//! From answers: the snapshot of a reader has all messages of the thread.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::read::MessageReader;
use super::{FORMAT, MESSAGE};
use crate::hub::conversation::members::take;
use crate::hub::conversation::{Conversation, Part};
use crate::json::{Member, Value};

/// Reads the new messages of a snapshot, and its state; or a message.
pub(super) fn append(conversation: &mut Conversation, mut answer: Value) {
    let Some(Value::Array(messages)) = take(&mut answer, "messages") else {
        let has_result = |part: &Part| part.as_call().is_some_and(|call| call.result.is_some());
        let is_closed =
            conversation.turns.last().is_some_and(|last| last.parts.iter().any(has_result));
        return MessageReader { conversation, is_closed }.message(answer);
    };
    let known = ids(conversation);
    let is_known = |message: &Value| message.text("id").is_some_and(|id| known.contains(id));
    let new = messages.iter().rposition(is_known).map_or(0, |last| last + 1);
    let mut reader = MessageReader { conversation, is_closed: true };
    messages.into_iter().skip(new).for_each(|message| reader.message(message));
    let state = take(&mut answer, "state");
    let is_filled = |state: &Value| !matches!(state, Value::Object(members) if members.is_empty());
    if let Some(state) = state.filter(is_filled) {
        conversation.more.retain(|member| member.key != "state");
        conversation.more.push(Member { key: "state".into(), value: state });
    }
}

/// Returns the ids of the messages of a conversation.
fn ids(conversation: &Conversation) -> BTreeSet<String> {
    let of_part = |part: &Part| {
        let result = part.as_call().and_then(|call| call.result.as_ref());
        let of_result = result.and_then(|result| result.opaque.as_ref());
        let own = [part.opaque.as_ref(), of_result].into_iter().flatten();
        own.filter(|own| own.format == FORMAT)
            .filter_map(|own| own.get(MESSAGE)?.text("id").map(String::from))
            .collect::<Vec<_>>()
    };
    let turns = &conversation.turns;
    turns
        .iter()
        .flat_map(|turn| turn.id.clone().into_iter().chain(turn.parts.iter().flat_map(of_part)))
        .collect()
}
