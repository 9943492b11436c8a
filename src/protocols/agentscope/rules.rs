//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a row for each,
//! `tests/data/corpus/agentscope` a stream that breaks it. The clauses are in
//! `docs/reference/clauses.md`.

crate::core::rules! {
    // Framing

    FRAMING_FIELD = Note "framing-field", "M1":
        "events without `event` and `id` lines" else "extra lines parsed, event processed";

    // Events

    TOOL_ARGUMENTS = Warning "tool-arguments", "M5":
        "the arguments of a call as text" else "their JSON text used";

    MALFORMED_EVENT = Error "malformed-event", "M2":
        "one JSON object with the properties of its type" else "event dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "M5":
        "no unpaired surrogate" else "replaced by U+FFFD";

    UNKNOWN_TYPE = Note "unknown-type", "M2":
        "one of the event types" else "event counted and ignored";

    // The reply

    NOT_STARTED = Error "not-started", "M3":
        "`REPLY_START` before other events of a reply" else "event processed";

    REPLY_STARTED_TWICE = Warning "reply-started-twice", "M3":
        "a second `REPLY_START` of a reply only after it has waited" else "event ignored";

    OTHER_REPLY = Warning "other-reply", "M3":
        "events of one reply up to its end" else "event ignored";

    AFTER_END = Note "after-end", "M4":
        "no event after `REPLY_END`" else "event ignored";

    TRUNCATED = Error "truncated", "M4":
        "`REPLY_END`, or calls that wait, before the end of the stream" else "reply marked as truncated";

    // Blocks

    BLOCK_STARTED_TWICE = Error "block-started-twice", "M5":
        "one start per block" else "event ignored";

    BLOCK_NOT_STARTED = Error "block-not-started", "M5":
        "a start before other events of a block" else "event ignored";

    AFTER_BLOCK_END = Warning "after-block-end", "M5":
        "no event of a block after its end" else "event processed";

    BLOCK_NOT_ENDED = Warning "block-not-ended", "M5":
        "an end for every block" else "content kept, not marked as final";

    DATA_SOURCE = Error "data-source", "M6":
        "either `data` or `url`" else "event ignored";

    DATA_NOT_BASE64 = Error "data-not-base64", "M6":
        "base64 in `data`" else "event ignored";

    HINT = Error "hint", "M5":
        "a text or a list of blocks in a hint" else "event ignored";

    // Tool calls

    RESULT_WITHOUT_CALL = Warning "result-without-call", "M7":
        "a call before its result, in this stream or in the one that it continues" else "result kept";

    RESULT_STATE = Warning "result-state", "M7":
        "`success`, `error`, `interrupted` or `denied`" else "treated as `error`";

    CALL_LIST = Error "call-list", "M8":
        "a list of blocks with `id` and `name`" else "item ignored";

    UNKNOWN_CALL = Warning "unknown-call", "M8":
        "calls of the reply" else "call added";
}
