//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a row for each,
//! `tests/data/corpus/anthropic` a stream that breaks it. Clauses are the C clauses of
//! `docs/reference/clauses.md`. Errors report input that `@anthropic-ai/sdk` 1.14.0 refuses.

crate::core::rules! {
    // Events

    MALFORMED_EVENT = Error "malformed-event", "C19":
        "one JSON object with the properties of its type" else "event dropped";

    TOOL_ARGUMENTS = Warning "tool-arguments", "C19":
        "the arguments of a call as text" else "their JSON text used";

    MEMBER_TYPE = Error "member-type", "C19":
        "every property of its declared type" else "property dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "X1":
        "no unpaired surrogate" else "replaced by U+FFFD";

    EVENT_NAME = Error "event-name", "C19":
        "an `event` line with the type of each event" else "type in the data used";

    UNKNOWN_EVENT = Note "unknown-event", "C12":
        "an event type known to the official client" else "event counted and ignored";

    UNKNOWN_DELTA = Note "unknown-delta", "C12":
        "a delta type known to the official client" else "event counted and ignored";

    // The message

    NO_MESSAGE = Error "no-message", "C16":
        "at least one event" else "snapshot empty";

    NOT_STARTED = Error "not-started", "C10":
        "`message_start` as the first event" else "event processed";

    STARTED_TWICE = Error "started-twice", "C10":
        "one `message_start`" else "event ignored";

    TRUNCATED = Error "truncated", "C16":
        "`message_stop` before the end of the stream" else "message marked as incomplete";

    AFTER_STOP = Warning "after-stop", "C10":
        "no event after `message_stop`" else "not read";

    AFTER_ERROR = Warning "after-error", "C13":
        "no event after an error" else "not read";

    // Blocks

    TOOL_ID = Warning "tool-id", "C11":
        "an id of its own for every call of a tool" else "id made of that of the message";

    BLOCK_MISSING = Error "block-missing", "C17":
        "`content_block_start` before other events of a block" else "text block started by its delta; other events dropped";

    BLOCK_INDEX = Warning "block-index", "C15":
        "indexes 0, 1, 2, … in the order of the starts of blocks" else "blocks kept in the order of their starts";

    DELTA_MISMATCH = Warning "delta-mismatch", "C17":
        "a delta that matches the type of its block" else "delta dropped";

    AFTER_BLOCK_STOP = Warning "after-block-stop", "C11":
        "no delta after the stop of its block" else "delta added to a text, otherwise dropped";

    BLOCK_NOT_STOPPED = Warning "block-not-stopped", "C11":
        "`content_block_stop` for every block" else "block ended with the message";

    INPUT_NOT_JSON = Error "input-not-json", "C11":
        "JSON as the input of a tool" else "text kept in `partial_json`";
}
