//! The members of a request that only its own protocol has, and what they stand for.

use core::mem::take;

use crate::hub::conversation::members::{self, rest};
use crate::hub::conversation::requirements::Requirements;
use crate::hub::conversation::{Conversation, Opaque, SettingKey, Settings};
use crate::hub::loss::{LossClass, Losses};
use crate::json::{Member, Value};

/// Members that stand for messages which only their own server has, each with the kind of the loss.
const MEMORY: [(&str, &str); 3] = [
    ("previous_interaction_id", "previous-response"),
    ("previous_response_id", "previous-response"),
    ("prompt", "history"),
];

const MEMORY_REASON: &str = "only its own server has the messages that it stands for";

/// Objects that group settings: the settings that are left in them are lost one by one.
const GROUPS: [&str; 8] = [
    "generationConfig",
    "generation_config",
    "output_config",
    "reasoning",
    "text",
    "thinking",
    "thinkingConfig",
    "toolConfig",
];

/// Members that are in another form in the settings, too.
const CARRIED: [&str; 1] = ["generationConfig.responseSchema"];

/// Members that several protocols of models have, each in its own form: only an agent means that of
/// its model.
const IN_OWN_FORM: [&str; 6] =
    ["context_management", "labels", "prompt", "reasoning", "text", "thinking"];

/// The protocols of models.
const MODELS: [&str; 5] = ["chat", "responses", "anthropic", "gemini", "interactions"];

/// Leaves out the members that the target does not have.
pub(super) fn check(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    if conversation.format == to.format {
        return;
    }
    let mut members = Value::Object(take(&mut conversation.more));
    adopt(&mut members, &mut conversation.settings, to);
    let is_of_model = MODELS.contains(&&*conversation.format);
    for member in rest(members) {
        let is_meant = !(is_of_model && IN_OWN_FORM.contains(&&*member.key));
        if is_meant && (to.keeps_member)(&member.key) {
            conversation.more.push(member);
        } else if !to.of_answer.contains(&&*member.key) {
            note(&member.key, &member.value, losses);
        }
    }
}

/// Takes the settings that an agent has added for its model, in the words of the model's protocol.
fn adopt(request: &mut Value, settings: &mut Settings, to: &Requirements) {
    use SettingKey::{Metadata, Model, Store, Stream, User};
    for (path, key) in to.settings {
        // Clients of agents have members of these names with other meanings.
        let is_ambiguous = matches!(key, Metadata | Model | Store | Stream | User);
        let value = path.split('.').try_fold(&*request, |value, name| value.get(name));
        if !is_ambiguous
            && to.has_setting(*key)
            && value.is_some_and(|value| key.fits(value))
            && let Some(value) = members::take(request, path)
            && settings.get(*key).is_none()
        {
            settings.set(*key, value);
        }
    }
}

/// Removes the members that repeat a removed setting in another form.
pub(super) fn remove_carried(more: &mut [Member]) {
    for (group, name) in CARRIED.iter().filter_map(|path| path.split_once('.')) {
        for member in more.iter_mut().filter(|member| member.key == group) {
            drop(members::take(&mut member.value, name));
        }
    }
}

/// Notes the loss of a member.
fn note(path: &str, value: &Value, losses: &mut Losses) {
    let name = path.rsplit('.').next().unwrap_or_default();
    match value {
        Value::Object(inner) if GROUPS.contains(&name) => {
            for Member { key, value } in inner {
                note(&[path, ".", key].concat(), value, losses);
            }
        }
        _ if CARRIED.contains(&path) => {}
        value => match MEMORY.iter().find(|(known, _)| *known == path) {
            Some((_, kind)) => {
                let place = value.as_str().or_else(|| value.text("id")).unwrap_or(path);
                losses.add(LossClass::Contract, kind, place, MEMORY_REASON);
            }
            None => {
                losses.add(LossClass::Quality, "parameter", path, "the target has no such member")
            }
        },
    }
}

/// Leaves out the id of the conversation if the target does not know conversations by their ids.
/// The server whose id it is knows it.
pub(super) fn check_id(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    if to.conversation_id || conversation.format == to.format {
        return;
    }
    let Some(id) = conversation.id.take() else { return };
    // A server of Responses has the messages of its conversations, which are not in the request.
    if conversation.format == "responses" {
        losses.add(LossClass::Contract, "history", &id, MEMORY_REASON);
    } else {
        let reason = "each request has the whole conversation";
        losses.add(LossClass::Cosmetic, "conversation", "", reason);
    }
}

/// Whether the target has a part of the conversation in its memory, so that results can be without
/// their calls.
pub(super) fn has_memory(conversation: &Conversation, to: &Requirements) -> bool {
    let is_reference =
        |own: &Opaque| own.get("type").and_then(Value::as_str) == Some("item_reference");
    let parts = || conversation.turns.iter().flat_map(|turn| &turn.parts);
    conversation.format == to.format
        && (conversation.id.is_some()
            || conversation
                .more
                .iter()
                .any(|member| MEMORY.iter().any(|(name, _)| *name == member.key))
            || parts().any(|part| part.opaque.as_ref().is_some_and(is_reference)))
}

/// Returns how the loss of a block is noted that stands for messages which only its own server has.
pub(super) fn memory_of_block(kind: &str) -> Option<(&'static str, &'static str)> {
    match kind {
        "item_reference" => Some(("item-reference", MEMORY_REASON)),
        "compaction" | "context_compaction" => Some(("history", MEMORY_REASON)),
        _ => None,
    }
}
