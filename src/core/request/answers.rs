//! Orders the results of a client's tools by the calls that wait for them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
use crate::core::error::UsageError;

/// Returns the answer to each pending call. `answers` are call ids with the results of the tools. A missing answer, an
/// extra answer, or an empty list of pending calls is an error. `call` is the name in error messages.
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
