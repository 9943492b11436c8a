//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a paragraph about each, `tests/corpus/ag-kit` a stream that
//! breaks it. Clauses are those of the protocol reference: K rules, or its sections.

crate::core::rules! {
    // Framing

    FRAMING_FIELD = Note "framing-field", "A.5":
        "events without `event` and `id` lines" else "the lines were read and the event counts";

    // Events

    DIALECT_AG_UI = Error "dialect-ag-ui", "K13":
        "native AG-Kit events, whose types are lower-case"
        else "this is an AG-UI stream, which this reader does not read: nothing of it is in the answer";

    MALFORMED_EVENT = Error "malformed-event", "A.4":
        "`[DONE]`, or one JSON object with the members of its type" else "the event was dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each member once" else "the last value counts";

    LONE_SURROGATE = Warning "lone-surrogate", "K1":
        "characters" else "the half became U+FFFD";

    NULL_MEMBER = Note "null-member", "K5":
        "optional members to be left out" else "null counts as absent";

    UNKNOWN_TYPE = Note "unknown-type", "K10":
        "one of the seven event types" else "the event was counted and passed by";

    UNTYPED_ERROR = Note "untyped-error", "K8":
        "`type` in an error event" else "it ended the turn as an error event does";

    // The turn

    NO_DONE = Warning "no-done", "K7":
        "`[DONE]` at the end" else "the turn ended with the stream, because no call was open";

    TRUNCATED = Error "truncated", "K7":
        "the end of every call, and `[DONE]`, before the stream stops" else "the turn counts as truncated";

    AFTER_DONE = Warning "after-done", "K6":
        "nothing after `[DONE]`" else "it was not read";

    AFTER_ERROR = Warning "after-error", "K9":
        "nothing but `[DONE]` after an error" else "the event was ignored";

    AFTER_INTERRUPT = Note "after-interrupt", "K5":
        "only further interrupts, an error or `[DONE]` after an interrupt"
        else "the event was read all the same";

    // Tool calls

    CALL_NOT_STARTED = Error "call-not-started", "K11":
        "`tool-call-start` before anything else about a call" else "the event was ignored";

    CALL_STARTED_TWICE = Error "call-started-twice", "K2":
        "one `tool-call-start` per call" else "the event was ignored";

    ARGS_AFTER_END = Error "args-after-end", "K3":
        "no arguments after `tool-call-end`" else "the event was ignored";

    CALL_ENDED_TWICE = Warning "call-ended-twice", "K3":
        "one `tool-call-end` per call, and before its result" else "the event was ignored";

    RESULT_BEFORE_END = Warning "result-before-end", "K4":
        "`tool-call-end` before the result" else "the arguments count as final";

    RESULT_TWICE = Warning "result-twice", "K4":
        "one result per call" else "the later one replaced the earlier";

    CALL_NOT_ENDED = Warning "call-not-ended", "K3":
        "`tool-call-end` for every call" else "the arguments stay as they are and are not final";

    RESULT_MISSING = Warning "result-missing", "K17":
        "a result for every call of a tool that is not the client's"
        else "the call stays unanswered and is not pending";
}
