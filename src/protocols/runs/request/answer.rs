//! What the endpoints answer, declared. (C.1.)

use alloc::{string::String, vec::Vec};

use crate::core::{request, requests};
use crate::json::Value;

requests! {
    objects {
        /// The answer of `POST /runs`, status 202. The events are asked for with these ids (E2).
        RunCreated as "RunCreated" {
            /// The service's own name for the work.
            task_id as "taskId": String,
            /// The conversation.
            thread_id as "threadId": String,
            /// The run.
            run_id as "runId": String,
            /// Whether the conversation is a new one.
            created: bool,
        }
        /// The answer of `POST /runs/{thread_id}/cancel`, status 202: received, not yet done (E15).
        CancelAccepted as "RunCancelAccepted" {
            /// The conversation.
            thread_id as "threadId": String,
            /// The run.
            run_id as "runId": String,
            /// Always true.
            accepted: bool,
        }
        /// The answer of `GET /history`: the messages of one day, in order.
        HistorySnapshot as "RunHistory" {
            /// `history_day`.
            scope: String,
            /// The conversation; null where the user has none.
            thread_id as "threadId": Option<String> [Said],
            /// The day, `YYYY-MM-DD`; null where there are no messages.
            day: Option<String> [Said],
            /// Whether an earlier day has messages: ask with `before=<day>`.
            has_more as "hasMore": bool,
            /// The messages.
            messages: Vec<HistoryMessage>,
        }
        /// A message of the history.
        HistoryMessage as "RunHistoryMessage" {
            /// Its id.
            id: String,
            /// Its place in the conversation.
            seq: i64,
            /// Who says it.
            role: String [OneOf(&["user", "assistant", "tool"])],
            /// The text; of a tool, the result as JSON text.
            content: String,
            /// What the user might say next (of an assistant's message).
            suggested_actions as "suggestedActions": Vec<String> [NullIsAbsent, Brief],
            /// What the user sent along.
            attachments: Vec<AttachmentRef> [NullIsAbsent, Brief],
            /// How a tool's result is shown.
            ui_schema: Option<Value>,
            /// When, ISO 8601.
            timestamp: String,
        }
        /// Something that was uploaded, in a message.
        AttachmentRef as "RunAttachmentRef" {
            /// Its type.
            mime_type as "mimeType": String,
            /// Where it is, for some time.
            url: String,
        }
        /// The answer of `POST /attachments`.
        Uploaded as "RunUploaded" {
            /// What was uploaded.
            attachment: Attachment,
        }
        /// Something that was uploaded.
        Attachment as "RunAttachment" {
            /// Where the service keeps it.
            bucket: String,
            /// Its name there.
            path: String,
            /// Its type, by its content.
            mime_type as "mimeType": String,
            /// Where it is, for some time: what the next run's message names.
            url: String,
        }
        /// The answer of `GET /attachments/signed-url`.
        SignedUrl as "RunSignedUrl" {
            /// Where the service keeps it.
            bucket: String,
            /// Its name there.
            path: String,
            /// Where it is, for some time.
            url: String,
        }
        /// The answer of `POST /transcribe`.
        Transcript as "RunTranscript" {
            /// What was said.
            transcript: String,
        }
    }
    typescript {
        RunCreated CancelAccepted HistorySnapshot HistoryMessage AttachmentRef Uploaded Attachment
        SignedUrl Transcript
    }
}

macro_rules! answers {
    ($($Answer:ident)*) => {$(
        impl $Answer {
            /// Reads the answer as a client does; what is wrong with it, all at once.
            pub fn parse(json: &str) -> Result<Self, Vec<request::Problem>> {
                super::read(json)
            }

            /// The answer as JSON.
            pub fn to_json(&self) -> String {
                request::to_json(self, true)
            }
        }
    )*};
}
answers! { RunCreated CancelAccepted HistorySnapshot Uploaded SignedUrl Transcript }
