//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a row for each,
//! `tests/data/corpus/ag-kit` a stream that breaks it. Clauses are those of the protocol reference:
//! K rules, or its sections.

crate::core::rules! {
    // Framing

    FRAMING_FIELD = Note "framing-field", "A.5":
        "events without `event` and `id` lines" else "extra lines parsed, event processed";

    // Events

    DIALECT_AG_UI = Error "dialect-ag-ui", "K13":
        "AG-Kit events, which have lower-case types" else "nothing read: this is an AG-UI stream";

    MALFORMED_EVENT = Error "malformed-event", "A.4":
        "`[DONE]`, or one JSON object with the properties of its type" else "event dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "K1":
        "no unpaired surrogate" else "replaced by U+FFFD";

    NULL_MEMBER = Note "null-member", "K5":
        "optional properties absent instead of null" else "null treated as absent";

    UNKNOWN_TYPE = Note "unknown-type", "K10":
        "one of the seven event types" else "event counted and ignored";

    UNTYPED_ERROR = Note "untyped-error", "K8":
        "`type` in an error event" else "treated as an `error` event, which ends the turn";

    // The turn

    NO_DONE = Warning "no-done", "K7":
        "`[DONE]` at the end of the stream" else "turn ended with the stream, because no call was open";

    TRUNCATED = Error "truncated", "K7":
        "the end of every call, and `[DONE]`, before the end of the stream" else "turn marked as truncated";

    AFTER_DONE = Warning "after-done", "K6":
        "no event after `[DONE]`" else "not read";

    AFTER_ERROR = Warning "after-error", "K9":
        "only `[DONE]` after an error" else "event ignored";

    AFTER_INTERRUPT = Note "after-interrupt", "K5":
        "only further interrupts, an error or `[DONE]` after an interrupt" else "event processed";

    // Tool calls

    CALL_NOT_STARTED = Error "call-not-started", "K11":
        "`tool-call-start` before other events of a call" else "event ignored";

    CALL_STARTED_TWICE = Error "call-started-twice", "K2":
        "one `tool-call-start` per call" else "event ignored";

    ARGS_AFTER_END = Error "args-after-end", "K3":
        "no arguments after `tool-call-end`" else "event ignored";

    CALL_ENDED_TWICE = Warning "call-ended-twice", "K3":
        "one `tool-call-end` per call, before its result" else "event ignored";

    RESULT_BEFORE_END = Warning "result-before-end", "K4":
        "`tool-call-end` before the result" else "arguments treated as final";

    RESULT_TWICE = Warning "result-twice", "K4":
        "one result per call" else "earlier result replaced";

    CALL_NOT_ENDED = Warning "call-not-ended", "K3":
        "`tool-call-end` for every call" else "arguments kept, not marked as final";

    RESULT_MISSING = Warning "result-missing", "K17":
        "a result for every call of a server tool" else "call left without a result, not pending";
}
