//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a row for each,
//! `tests/data/corpus/chat` a stream that breaks it. Clauses are the C clauses of
//! `docs/reference/clauses.md`. Errors report input that `openai` 7.59.0 refuses.

crate::core::rules! {
    // Chunks

    MALFORMED_EVENT = Error "malformed-event", "C18":
        "`[DONE]`, or one JSON object with properties of their declared types" else "that part of the chunk dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "X1":
        "no unpaired surrogate" else "replaced by U+FFFD";

    CHOICES_MISSING = Error "choices-missing", "C18":
        "`choices` in every chunk, or `error`"
        else "other properties read; an object that has no `usage` either counted and ignored";

    MEMBER_TYPE = Error "member-type", "C1":
        "pieces of the text as strings" else "parts other than text and reasoning ignored";

    ID_CHANGED = Note "id-changed", "C18":
        "the same id in all chunks" else "later id used";

    // The completion

    NO_CHUNKS = Error "no-chunks", "C5":
        "at least one chunk" else "snapshot empty";

    NO_DONE = Note "no-done", "C5":
        "`[DONE]` at the end of the stream" else "completion ended with the stream, because every choice had ended";

    TRUNCATED = Error "truncated", "C3":
        "a finish reason for every choice before the end of the stream" else "completion marked as incomplete";

    AFTER_DONE = Warning "after-done", "C5":
        "no event after `[DONE]`" else "not read";

    AFTER_ERROR = Warning "after-error", "C4":
        "only `[DONE]` after an error" else "event ignored";

    // Choices

    CHOICE_INDEX = Error "choice-index", "C9":
        "an index from 0 to 127 in every choice"
        else "place in the list used; dropped if the index is out of this range";

    ROLE_MISSING = Error "role-missing", "C3":
        "the role of every message" else "role left empty";

    FINISH_MISSING = Error "finish-missing", "C3":
        "a finish reason for every choice before `[DONE]`" else "choice treated as incomplete";

    AFTER_FINISH = Note "after-finish", "C6":
        "no delta of a message after the finish reason of its choice" else "delta added";

    // Tool calls

    TOOL_INDEX = Error "tool-index", "C2":
        "an index from 0 to 127 in every delta of a tool call"
        else "call found by its id, otherwise the last call used; dropped if the index is out of this range";

    TOOL_CHANGED = Warning "tool-changed", "C1":
        "one id per index"
        else "another call if the arguments are complete and a name or an id follows; otherwise later id used, arguments joined";

    TOOL_ARGUMENTS = Warning "tool-arguments", "C1":
        "the arguments of a call as text" else "their JSON text used";

    TOOL_INCOMPLETE = Error "tool-incomplete", "C3":
        "type and name of every tool call" else "missing ones left empty";

    TOOL_ID = Warning "tool-id", "C1":
        "an id of its own for every tool call" else "id made of that of the completion";
}
