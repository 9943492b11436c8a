//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a row for each,
//! `tests/data/corpus/ai-sdk` a stream that breaks it. Clauses are the V clauses of
//! `docs/reference/clauses.md`. Errors report input at which the reader of `ai` 6.0.326 stops.

crate::core::rules! {
    // Chunks

    FRAMING_FIELD = Note "framing-field", "V16":
        "chunks without `event` and `id` lines" else "extra lines parsed, chunk processed";

    MALFORMED_EVENT = Error "malformed-event", "V2":
        "`[DONE]`, or one JSON object with the properties of its type" else "chunk dropped";

    TOOL_ARGUMENTS = Warning "tool-arguments", "V2":
        "the arguments of a call as text" else "their JSON text used";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "X1":
        "no unpaired surrogate" else "replaced by U+FFFD";

    NULL_MEMBER = Error "null-member", "V2":
        "optional properties absent instead of null" else "null treated as absent";

    MEMBER_TYPE = Error "member-type", "V2":
        "metadata of providers and tools as objects, ids of data as texts" else "property or chunk dropped";

    MEMBER_MISSING = Error "member-missing", "V2":
        "`input`, `output`, `data` and `messageMetadata` in the chunks that have them" else "chunk dropped";

    FORBIDDEN_KEY = Error "forbidden-key", "V2":
        "no property `__proto__`" else "property kept";

    UNKNOWN_CHUNK = Error "unknown-chunk", "V2":
        "a chunk type known to the official client" else "chunk counted and ignored";

    FINISH_REASON = Error "finish-reason", "V2":
        "`stop`, `length`, `content-filter`, `tool-calls`, `error` or `other`" else "reason kept";

    NEWER_CHUNK = Note "newer-chunk", "V13":
        "chunks that `ai` 6 reads" else "chunk processed as in `ai` 7";

    // The message

    NO_FINISH = Note "no-finish", "V7":
        "`finish`, `abort` or an error before `[DONE]`" else "message ended with `[DONE]`, because nothing was open";

    NO_DONE = Note "no-done", "V16":
        "`[DONE]` at the end of the stream" else "message ended with its last chunk";

    TRUNCATED = Error "truncated", "V7":
        "`finish`, `abort` or an error before the end of the stream" else "message marked as truncated";

    AFTER_DONE = Warning "after-done", "V16":
        "no chunk after `[DONE]`" else "not read";

    AFTER_FINISH = Note "after-finish", "V7":
        "only metadata after `finish` or `abort`" else "chunk processed";

    MESSAGE_CHANGED = Warning "message-changed", "V1":
        "one message per stream" else "earlier parts removed";

    // Texts

    TEXT_NOT_STARTED = Error "text-not-started", "V3":
        "a start before the deltas and the end of a text" else "delta added as a new part, end ignored";

    TEXT_STARTED_TWICE = Warning "text-started-twice", "V3":
        "the end of a text before another one with its id" else "new part begun";

    TEXT_ACROSS_STEP = Error "text-across-step", "V4":
        "the end of every text before `finish-step`" else "text stays open";

    TEXT_NOT_ENDED = Warning "text-not-ended", "V3":
        "the end of every text before the end of the message" else "part stays `streaming`";

    // Tool calls

    CALL_MISSING = Error "call-missing", "V5":
        "a call before its deltas, outputs and approvals" else "chunk dropped";

    CALL_CHANGED = Warning "call-changed", "V12":
        "the same `dynamic` in all chunks of a call" else "new part begun";

    CALL_STARTED_TWICE = Warning "call-started-twice", "V5":
        "one `tool-input-start` per call" else "call begun again";

    INPUT_AFTER_END = Warning "input-after-end", "V5":
        "no deltas after the input of a call" else "chunk dropped";

    INPUT_IS_TEXT = Warning "input-is-text", "V10":
        "the input as a JSON value" else "JSON text kept as a string";
}
