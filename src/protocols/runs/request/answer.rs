//! The declaration of the endpoints' answers. (C.1.)

use alloc::{string::String, vec::Vec};

use crate::core::{request, requests};
use crate::json::Value;

requests! {
    objects {
        /// The response to `POST /runs`, status 202. Use its ids to request the events. (E2.)
        RunCreated as "RunCreated" {
            /// The service's id of the job.
            task_id as "taskId": String,
            /// The id of the conversation.
            thread_id as "threadId": String,
            /// The id of the run.
            run_id as "runId": String,
            /// Whether the conversation is new.
            created: bool,
        }
        /// The response to `POST /runs/{thread_id}/cancel`, status 202: the request was received
        /// but is not complete. (E15.)
        CancelAccepted as "RunCancelAccepted" {
            /// The id of the conversation.
            thread_id as "threadId": String,
            /// The id of the run.
            run_id as "runId": String,
            /// Always true.
            accepted: bool,
        }
        /// The response to `GET /history`: the messages of one day, in order.
        HistorySnapshot as "RunHistory" {
            /// The scope: `history_day`.
            scope: String,
            /// The id of the conversation. Null if the user has no conversation.
            thread_id as "threadId": Option<String> [RequiredNullable],
            /// The day, `YYYY-MM-DD`. Null if the history has no messages.
            day: Option<String> [RequiredNullable],
            /// Whether an earlier day has messages. Request them with `before=<day>`.
            has_more as "hasMore": bool,
            /// The messages.
            messages: Vec<HistoryMessage>,
        }
        /// A message of the history.
        HistoryMessage as "RunHistoryMessage" {
            /// The id.
            id: String,
            /// The position in the conversation.
            seq: i64,
            /// The role of the sender.
            role: String [OneOf(&["user", "assistant", "tool"])],
            /// The text. For a tool, the result as JSON text.
            content: String,
            /// Suggestions for the user's next message, in a message of the assistant.
            suggested_actions as "suggestedActions": Vec<String> [NullIsAbsent, OmitWhenEmpty],
            /// The attachments of a message of the user.
            attachments: Vec<AttachmentRef> [NullIsAbsent, OmitWhenEmpty],
            /// The UI schema with which a tool's result is shown.
            ui_schema: Option<Value>,
            /// The time, in ISO 8601.
            timestamp: String,
        }
        /// An uploaded file in a message.
        AttachmentRef as "RunAttachmentRef" {
            /// The media type.
            mime_type as "mimeType": String,
            /// A URL that is valid for a limited time.
            url: String,
        }
        /// The response to `POST /attachments`.
        Uploaded as "RunUploaded" {
            /// The uploaded file.
            attachment: Attachment,
        }
        /// An uploaded file.
        Attachment as "RunAttachment" {
            /// The storage bucket.
            bucket: String,
            /// The path in the bucket.
            path: String,
            /// The media type, detected from the content.
            mime_type as "mimeType": String,
            /// A URL that is valid for a limited time, for a message of the next run.
            url: String,
        }
        /// The response to `GET /attachments/signed-url`.
        SignedUrl as "RunSignedUrl" {
            /// The storage bucket.
            bucket: String,
            /// The path in the bucket.
            path: String,
            /// A URL that is valid for a limited time.
            url: String,
        }
        /// The response to `POST /transcribe`.
        Transcript as "RunTranscript" {
            /// The transcript.
            transcript: String,
        }
    }
}

macro_rules! answers {
    ($($Answer:ident)*) => {$(
        impl $Answer {
            /// Parses the answer as a client does. Returns all problems at once.
            pub fn parse(json: &str) -> Result<Self, Vec<request::Problem>> {
                super::read(json)
            }

            /// Writes the answer as JSON.
            pub fn to_json(&self) -> String {
                request::to_json(self, true)
            }
        }
    )*};
}
answers! { RunCreated CancelAccepted HistorySnapshot Uploaded SignedUrl Transcript }
