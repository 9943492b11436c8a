//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a row for each,
//! `tests/data/corpus/gemini` a stream that breaks it. Clauses are the G clauses of
//! `docs/reference/clauses.md`.

crate::core::rules! {
    // Chunks

    MALFORMED_EVENT = Error "malformed-event", "G1":
        "one JSON object with properties of their declared types" else "that part of the chunk dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "X1":
        "no unpaired surrogate" else "replaced by U+FFFD";

    UNKNOWN_EVENT = Note "unknown-event", "G1":
        "a property of a response in every chunk" else "chunk counted and ignored";

    ID_CHANGED = Note "id-changed", "G1":
        "the same id in all chunks" else "later id used";

    // The response

    NO_CHUNKS = Error "no-chunks", "G3":
        "server-sent events (`alt=sse`), at least one chunk" else "snapshot empty";

    TRUNCATED = Error "truncated", "G3":
        "a finish reason for every candidate before the end of the stream, or a blocked prompt"
        else "response marked as incomplete";

    AFTER_ERROR = Warning "after-error", "G5":
        "no event after an error" else "event ignored";

    // Candidates

    CANDIDATE_INDEX = Error "candidate-index", "G2":
        "indexes from 0 to 127, each at most once per chunk"
        else "place in the list used; dropped if the index is out of this range";

    AFTER_FINISH = Note "after-finish", "G3":
        "no part after the finish reason of its candidate" else "part added";

    EMPTY_PART = Warning "empty-part", "G1":
        "a property in every part" else "part dropped";

    // Function calls

    CALL_NAME = Error "call-name", "G7":
        "the name of every function call, in its first piece" else "name left empty; arguments without a call dropped";

    CALL_NOT_ENDED = Warning "call-not-ended", "G7":
        "a piece without `willContinue` at the end of every function call" else "call ended";

    PARTIAL_ARGS = Error "partial-args", "G7":
        "a JSONPath of names and indexes that fits the arguments before it, and a value of its type"
        else "value dropped";
}
