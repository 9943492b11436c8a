//! What the tools of a client came to, put into the order of the calls that wait for it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
use crate::core::error::UsageError;

/// The answer to each pending call. `answers` are call ids with what the tools came to; one is missing, one too many, or nothing
/// to answer is refused. `call` is what refusals name.
pub(crate) fn in_order<I: AsRef<str>, A: Into<String>>(
    pending: &[String],
    answers: impl IntoIterator<Item = (I, A)>,
    call: &str,
) -> Result<Vec<(String, String)>, UsageError> {
    let mut given: StringMap<Option<String>> = StringMap::default();
    pending.iter().for_each(|id| given.insert(id, None));
    for (id, answer) in answers {
        match given.get_mut(id.as_ref()) {
            Some(slot @ None) => *slot = Some(answer.into()),
            slot => {
                return Err(UsageError::new(
                    if slot.is_some() { "answered-twice" } else { "not-pending" },
                    [call, " was given an answer to `", id.as_ref(), "` too many"].concat(),
                    "answer each of `pending_tool_call_ids` once",
                ));
            }
        }
    }
    let mut answered = Vec::with_capacity(pending.len());
    for id in pending {
        let Some(content) = given.get_mut(id).and_then(Option::take) else {
            return Err(UsageError::new(
                "answer-missing",
                [call, " was given no answer to `", id, "`"].concat(),
                "answer every call in one request; a tool that failed can say so in its answer",
            ));
        };
        answered.push((id.clone(), content));
    }
    if answered.is_empty() {
        return Err(UsageError::new(
            "nothing-pending",
            [call, " was given a turn that left nothing to answer"].concat(),
            "read the stream to its end, and look at its `status`",
        ));
    }
    Ok(answered)
}
