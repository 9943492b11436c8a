//! Helpers for the tests of readers, writers and requirements.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Conversation, RequestCodec, SettingKey, normalise};
use crate::core::id::Counter;
use crate::hub::loss::Losses;
use crate::json::Value;

/// Parses JSON.
pub(crate) fn parsed(json: &str) -> Value {
    Value::parse(json, 64).unwrap_or_else(|error| panic!("{error:?}: {json}"))
}

/// Sorts the members of all objects.
pub(crate) fn sorted(value: Value) -> Value {
    match value {
        Value::Array(list) => Value::Array(list.into_iter().map(sorted).collect()),
        Value::Object(mut members) => {
            members.sort_by(|a, b| a.key.cmp(&b.key));
            members
                .iter_mut()
                .for_each(|member| member.value = sorted(core::mem::take(&mut member.value)));
            Value::Object(members)
        }
        other => other,
    }
}

/// Writes a conversation as it is.
pub(crate) fn written(codec: &RequestCodec, conversation: &Conversation) -> Value {
    parsed(&(codec.write)(conversation, &mut Counter::default()))
}

/// Makes a conversation valid for a model, and writes it. Normalising it again changes nothing, and
/// what is written has no member twice.
pub(crate) fn sent(
    codec: &RequestCodec,
    mut conversation: Conversation,
    model: &str,
) -> (Value, Losses) {
    conversation.settings.set(SettingKey::Model, model);
    let requirements = (codec.requirements)(Some(model));
    let mut losses = Losses::default();
    let _ = normalise(&mut conversation, requirements, None, &mut losses);
    let mut again = conversation.clone();
    let _ = normalise(&mut again, requirements, None, &mut Losses::default());
    assert_eq!(again, conversation, "normalised twice");
    let json = (codec.write)(&conversation, &mut Counter::default());
    let value = parsed(&json);
    assert_eq!(value.to_json().len(), json.len(), "a member is written twice: {json}");
    (value, losses)
}

/// Returns the kinds and locations of losses.
pub(crate) fn named(losses: &Losses) -> Vec<String> {
    losses
        .iter()
        .map(|loss| {
            [loss.class.as_str(), " ", loss.kind, " ", &loss.location]
                .concat()
                .trim_end()
                .to_string()
        })
        .collect()
}

/// Reads a request and writes it again: it must not change.
pub(crate) fn assert_identity(codec: &RequestCodec, request: &str) {
    let conversation = (codec.read)(parsed(request));
    let again = written(codec, &conversation);
    assert_eq!(sorted(again).to_json(), sorted(parsed(request)).to_json());
}
