//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/rules.md` has a paragraph about each, `tests/corpus/agent_api` a stream that
//! breaks it. The clause names the paragraph of the protocol reference it comes from.

pub use crate::sse::rules::{FRAMING_UNTERMINATED, INVALID_UTF8};
pub use crate::violation::LIMIT_EXCEEDED;
use crate::violation::{Rule, Severity};

// Framing

/// Expected: events without `event` and `id` lines.
pub static FRAMING_FIELD: Rule = Rule::new(
    "framing-field",
    Severity::Note,
    "R1",
    "events without `event` and `id` lines",
    "the lines were read and the event counts",
);

// Events

/// Expected: one JSON object whose known members have their documented types.
pub static MALFORMED_EVENT: Rule = Rule::new(
    "malformed-event",
    Severity::Error,
    "R7",
    "one JSON object whose known members have their documented types",
    "the event was dropped",
);

/// Expected: each member once.
pub static DUPLICATE_KEY: Rule =
    Rule::new("duplicate-key", Severity::Warning, "RFC 8259, 4", "each member once", "the last value counts");

/// Expected: characters.
pub static LONE_SURROGATE: Rule =
    Rule::new("lone-surrogate", Severity::Warning, "R3", "characters", "the half became U+FFFD");

/// Expected: `object` to be response, message or content.
pub static UNKNOWN_OBJECT: Rule = Rule::new(
    "unknown-object",
    Severity::Note,
    "R7",
    "`object` to be response, message or content",
    "the event was counted and passed by",
);

/// Expected: an error inside a response event.
pub static BARE_ERROR: Rule = Rule::new(
    "bare-error",
    Severity::Error,
    "R30",
    "an error inside a response event",
    "the response failed with code STREAM_ERROR",
);

/// Expected: the connection to close.
pub static DONE_MARKER: Rule =
    Rule::new("done-marker", Severity::Note, "R4", "the connection to close", "the marker was passed by");

/// Expected: numbers from 0, one more at each event.
pub static SEQUENCE_NUMBER: Rule = Rule::new(
    "sequence-number",
    Severity::Warning,
    "R8",
    "numbers from 0, one more at each event",
    "the order of arrival counts",
);

// Responses

/// Expected: a response event with status created or queued first.
pub static RESPONSE_NOT_CREATED: Rule = Rule::new(
    "response-not-created",
    Severity::Warning,
    "R10",
    "a response event with status created or queued first",
    "the response counts as created",
);

/// Expected: a response event with status in_progress second.
pub static RESPONSE_NOT_STARTED: Rule = Rule::new(
    "response-not-started",
    Severity::Warning,
    "R10",
    "a response event with status in_progress second",
    "the response counts as started",
);

/// Expected: no created or queued behind in_progress.
pub static RESPONSE_WENT_BACK: Rule = Rule::new(
    "response-went-back",
    Severity::Warning,
    "R10",
    "no created or queued behind in_progress",
    "the status was taken over",
);

/// Expected: one response id.
pub static RESPONSE_ID_CHANGED: Rule = Rule::new(
    "response-id-changed",
    Severity::Warning,
    "R11",
    "one response id",
    "the new id was taken over",
);

/// Expected: one session id.
pub static SESSION_ID_CHANGED: Rule =
    Rule::new("session-id-changed", Severity::Warning, "R11", "one session id", "the new id was taken over");

/// Expected: one of the eight statuses that say something.
pub static STATUS_UNKNOWN: Rule = Rule::new(
    "status-unknown",
    Severity::Warning,
    "R13",
    "one of the eight statuses that say something",
    "the status was taken over and changes nothing",
);

/// Expected: a terminal response event at the end.
pub static NO_TERMINAL: Rule = Rule::new(
    "no-terminal",
    Severity::Error,
    "R13",
    "a terminal response event at the end",
    "the response counts as incomplete, or as canceled when the reader stopped",
);

/// Expected: nothing behind the terminal response event.
pub static AFTER_TERMINAL: Rule = Rule::new(
    "after-terminal",
    Severity::Error,
    "R33",
    "nothing behind the terminal response event",
    "the event was ignored",
);

/// Expected: `completed_at` in a completed response.
pub static COMPLETED_AT_MISSING: Rule = Rule::new(
    "completed-at-missing",
    Severity::Note,
    "R14",
    "`completed_at` in a completed response",
    "it stays null",
);

/// Expected: `output` to be a list in a completed response.
pub static OUTPUT_MISSING: Rule = Rule::new(
    "output-missing",
    Severity::Warning,
    "R14",
    "`output` to be a list in a completed response",
    "what was streamed stays",
);

/// Expected: `error` in a failed response.
pub static ERROR_MISSING: Rule = Rule::new(
    "error-missing",
    Severity::Warning,
    "R14",
    "`error` in a failed response",
    "the failure has no reason",
);

/// Expected: each message once in `output`.
pub static OUTPUT_DUPLICATE: Rule = Rule::new(
    "output-duplicate",
    Severity::Warning,
    "R15",
    "each message once in `output`",
    "it stands once, at its first place",
);

/// Expected: every completed message in `output`.
pub static OUTPUT_OMITS_MESSAGE: Rule = Rule::new(
    "output-omits-message",
    Severity::Note,
    "R15",
    "every completed message in `output`",
    "the message stays, behind the listed ones",
);

/// Expected: only messages that were streamed in `output`.
pub static OUTPUT_ADDS_MESSAGE: Rule = Rule::new(
    "output-adds-message",
    Severity::Note,
    "R15",
    "only messages that were streamed in `output`",
    "the message was added",
);

// Messages

/// Expected: a message event before its contents.
pub static CONTENT_BEFORE_MESSAGE: Rule = Rule::new(
    "content-before-message",
    Severity::Warning,
    "R17",
    "a message event before its contents",
    "a provisional message was opened",
);

/// Expected: a message event with status in_progress first.
pub static MESSAGE_NOT_OPENED: Rule = Rule::new(
    "message-not-opened",
    Severity::Warning,
    "R17",
    "a message event with status in_progress first",
    "the message was taken as it came",
);

/// Expected: `id` in a message event.
pub static MESSAGE_WITHOUT_ID: Rule = Rule::new(
    "message-without-id",
    Severity::Warning,
    "R18",
    "`id` in a message event",
    "it counts as a new message",
);

/// Expected: one type and one role per message.
pub static MESSAGE_CHANGED: Rule = Rule::new(
    "message-changed",
    Severity::Note,
    "R18",
    "one type and one role per message",
    "the new value was taken over",
);

/// Expected: `type` message and `role` assistant.
pub static SEED_MESSAGE_TYPE: Rule = Rule::new(
    "seed-message-type",
    Severity::Note,
    "spec 1.5",
    "`type` message and `role` assistant",
    "read as the real spelling",
);

/// Expected: a terminal status for every message.
pub static MESSAGE_NOT_ENDED: Rule = Rule::new(
    "message-not-ended",
    Severity::Warning,
    "R19",
    "a terminal status for every message",
    "the message stays in progress",
);

/// Expected: one terminal status per message.
pub static MESSAGE_ENDED_TWICE: Rule = Rule::new(
    "message-ended-twice",
    Severity::Warning,
    "R19",
    "one terminal status per message",
    "the later one replaced the earlier",
);

/// Expected: nothing behind a message's terminal status.
pub static MESSAGE_AFTER_END: Rule = Rule::new(
    "message-after-end",
    Severity::Warning,
    "R19",
    "nothing behind a message's terminal status",
    "the message stays ended",
);

/// Expected: no contents behind their message's terminal status.
pub static CONTENT_AFTER_MESSAGE: Rule = Rule::new(
    "content-after-message",
    Severity::Warning,
    "R19",
    "no contents behind their message's terminal status",
    "the content was taken all the same",
);

/// Expected: the parts of a message in the order of `index`.
pub static PART_ORDER: Rule = Rule::new(
    "part-order",
    Severity::Warning,
    "R21",
    "the parts of a message in the order of `index`",
    "they were sorted",
);

/// Expected: `index` in the parts of a message.
pub static PART_INDEX_NULL: Rule = Rule::new(
    "part-index-null",
    Severity::Warning,
    "R21",
    "`index` in the parts of a message",
    "the place in the list counts",
);

/// Expected: completed parts in an ended message.
pub static PART_STATUS: Rule = Rule::new(
    "part-status",
    Severity::Note,
    "R22",
    "completed parts in an ended message",
    "they count as completed",
);

/// Expected: a content event for every part of a message.
pub static PART_NOT_ANNOUNCED: Rule = Rule::new(
    "part-not-announced",
    Severity::Note,
    "R19",
    "a content event for every part of a message",
    "the part was added",
);

/// Expected: every streamed part in the ended message.
pub static PART_MISSING: Rule = Rule::new(
    "part-missing",
    Severity::Error,
    "R20",
    "every streamed part in the ended message",
    "the message's own parts count",
);

// Contents

/// Expected: `msg_id` in a content event.
pub static MSG_ID_NULL: Rule = Rule::new(
    "msg-id-null",
    Severity::Warning,
    "R24",
    "`msg_id` in a content event",
    "the one open message was meant",
);

/// Expected: a `msg_id` where no message or more than one is open.
pub static CONTENT_UNATTRIBUTED: Rule = Rule::new(
    "content-unattributed",
    Severity::Error,
    "R24",
    "a `msg_id` where no message or more than one is open",
    "the content was dropped",
);

/// Expected: an `index` of 0 or more.
pub static INDEX_NULL: Rule = Rule::new(
    "index-null",
    Severity::Warning,
    "R24",
    "an `index` of 0 or more",
    "the last open part of that type was meant, else a new one",
);

/// Expected: indices from 0 without gaps.
pub static INDEX_GAP: Rule = Rule::new(
    "index-gap",
    Severity::Warning,
    "R25",
    "indices from 0 without gaps",
    "the part was added with its own index",
);

/// Expected: `delta` to be true or false.
pub static DELTA_NULL: Rule =
    Rule::new("delta-null", Severity::Note, "R27", "`delta` to be true or false", "it counts as false");

/// Expected: `delta` false in a completed content.
pub static DELTA_COMPLETED: Rule = Rule::new(
    "delta-completed",
    Severity::Warning,
    "R26",
    "`delta` false in a completed content",
    "it replaced what it repeats, else it was appended",
);

/// Expected: (legal) a whole value instead of a piece.
pub static SNAPSHOT: Rule = Rule::new(
    "snapshot",
    Severity::Note,
    "R27",
    "(legal) a whole value instead of a piece",
    "it replaced what was there",
);

/// Expected: the completed text to be the pieces that were streamed.
pub static TEXT_MISMATCH: Rule = Rule::new(
    "text-mismatch",
    Severity::Warning,
    "R28",
    "the completed text to be the pieces that were streamed",
    "the completed text counts",
);

/// Expected: a text.
pub static TEXT_NULL: Rule =
    Rule::new("text-null", Severity::Warning, "R29d", "a text", "null counts as no text and erases nothing");

/// Expected: pieces that continue the value.
pub static MEDIA_REPEATED: Rule = Rule::new(
    "media-repeated",
    Severity::Note,
    "R29b",
    "pieces that continue the value",
    "the value was not doubled",
);

/// Expected: one type per content.
pub static CONTENT_TYPE_CHANGED: Rule = Rule::new(
    "content-type-changed",
    Severity::Error,
    "R29c",
    "one type per content",
    "a piece was ignored, a whole value replaced",
);

/// Expected: nothing behind a completed content.
pub static CONTENT_AFTER_END: Rule = Rule::new(
    "content-after-end",
    Severity::Warning,
    "R28",
    "nothing behind a completed content",
    "a piece of text was appended, one of data ignored, a whole value replaced",
);

/// Expected: one of the seven content types.
pub static UNKNOWN_CONTENT_TYPE: Rule = Rule::new(
    "unknown-content-type",
    Severity::Note,
    "spec 1.1",
    "one of the seven content types",
    "the content was kept with its members",
);

// Tools

/// Expected: a call before its output.
pub static OUTPUT_WITHOUT_CALL: Rule = Rule::new(
    "output-without-call",
    Severity::Warning,
    "R35",
    "a call before its output",
    "the output stands alone",
);

/// Expected: the arguments of an ended call to be JSON.
pub static ARGUMENTS_NOT_JSON: Rule = Rule::new(
    "arguments-not-json",
    Severity::Warning,
    "R36",
    "the arguments of an ended call to be JSON",
    "they stay text",
);

/// Expected: an approval request before its answer.
pub static APPROVAL_WITHOUT_REQUEST: Rule = Rule::new(
    "approval-without-request",
    Severity::Warning,
    "R37",
    "an approval request before its answer",
    "the answer stands alone",
);

/// Every rule, in the order of this file.
pub static ALL: &[&Rule] = &[
    &FRAMING_UNTERMINATED,
    &FRAMING_FIELD,
    &INVALID_UTF8,
    &LIMIT_EXCEEDED,
    &MALFORMED_EVENT,
    &DUPLICATE_KEY,
    &LONE_SURROGATE,
    &UNKNOWN_OBJECT,
    &BARE_ERROR,
    &DONE_MARKER,
    &SEQUENCE_NUMBER,
    &RESPONSE_NOT_CREATED,
    &RESPONSE_NOT_STARTED,
    &RESPONSE_WENT_BACK,
    &RESPONSE_ID_CHANGED,
    &SESSION_ID_CHANGED,
    &STATUS_UNKNOWN,
    &NO_TERMINAL,
    &AFTER_TERMINAL,
    &COMPLETED_AT_MISSING,
    &OUTPUT_MISSING,
    &ERROR_MISSING,
    &OUTPUT_DUPLICATE,
    &OUTPUT_OMITS_MESSAGE,
    &OUTPUT_ADDS_MESSAGE,
    &CONTENT_BEFORE_MESSAGE,
    &MESSAGE_NOT_OPENED,
    &MESSAGE_WITHOUT_ID,
    &MESSAGE_CHANGED,
    &SEED_MESSAGE_TYPE,
    &MESSAGE_NOT_ENDED,
    &MESSAGE_ENDED_TWICE,
    &MESSAGE_AFTER_END,
    &CONTENT_AFTER_MESSAGE,
    &PART_ORDER,
    &PART_INDEX_NULL,
    &PART_STATUS,
    &PART_NOT_ANNOUNCED,
    &PART_MISSING,
    &MSG_ID_NULL,
    &CONTENT_UNATTRIBUTED,
    &INDEX_NULL,
    &INDEX_GAP,
    &DELTA_NULL,
    &DELTA_COMPLETED,
    &SNAPSHOT,
    &TEXT_MISMATCH,
    &TEXT_NULL,
    &MEDIA_REPEATED,
    &CONTENT_TYPE_CHANGED,
    &CONTENT_AFTER_END,
    &UNKNOWN_CONTENT_TYPE,
    &OUTPUT_WITHOUT_CALL,
    &ARGUMENTS_NOT_JSON,
    &APPROVAL_WITHOUT_REQUEST,
];
