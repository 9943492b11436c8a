//! The chats of the AI SDK: after a reload, `useChat({ resume: true })` requests the running answer
//! of its chat by `GET /api/chat/{id}/stream`.

use std::string::String;

use axum_core::response::Response;

use super::Stored;
use super::answers::{ANSWER, AnswerCall, decoded, is_missing};
use super::frames::AnswerOutcome;
use super::lists::{answers_in, list_of_chat};
use crate::protocols::ProtocolKind;
use crate::threads::{Refusal, Until, parsed};

/// The path of the AI SDK.
const PATH: &str = "/api/chat";

/// Returns the name of the chat of a request, under which its answer is listed while it is running;
/// `None` if the answer belongs to no chat.
pub(super) fn chat_in(call: &AnswerCall, body: &str) -> Option<String> {
    match call.protocol {
        Some(ProtocolKind::AiSdk) => call.chat(PATH, parsed(body).text("id")?),
        _ => None,
    }
}

/// Returns the id of the chat whose running answer is requested.
pub(super) fn chat_of_path(path: &str) -> Option<String> {
    let id = path.strip_prefix(PATH)?.strip_prefix('/')?.strip_suffix("/stream")?;
    // Clients of `ai` 5 do not encode it.
    Some(decoded(id)).filter(|id| !id.is_empty())
}

impl Stored {
    /// Returns the running answer of a chat from its beginning; `None` if there is none.
    pub(super) async fn running(
        &self,
        call: &AnswerCall,
        id: &str,
    ) -> Result<Option<Response>, Refusal> {
        let Some(chat) = call.chat(PATH, id) else { return Ok(None) };
        let list = list_of_chat(&call.user, &chat);
        let listed = self.threads.users.tasks(&list).await?;
        let Some(latest) = answers_in(listed, &chat).into_iter().next() else { return Ok(None) };
        let thread = self.threads.get(&latest.thread);
        let read = thread.entries(Some(&call.user), Some(ANSWER), Until::First).await;
        let is_over = match &read {
            Ok(read) => read.has_ended,
            Err(refusal) => is_missing(refusal),
        };
        if is_over {
            // A process may be killed after the end of an answer, or after it has deleted one.
            self.threads.users.set_task(&list, &latest.thread, None).await?;
            return Ok(None);
        }
        let read = read?;
        let first = read.entries.first().map(|entry| &*entry.data).unwrap_or_default();
        // A refusal of the protocol is only for its own request.
        match AnswerOutcome::of_entry(first) {
            Some(_) => Ok(None),
            None => self.frames(call, &latest.thread, None, None).await.map(Some),
        }
    }
}
