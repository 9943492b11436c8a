//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a paragraph about each, `tests/corpus/a2a` a stream that breaks it.
//! Clauses are those of `docs/reference/clauses.md`. What the official client (`@a2a-js/sdk` 1.3.0) throws on or loses is an error; what
//! it takes and only other clients or the stores refuse is less.

crate::core::rules! {
    // The envelope

    MALFORMED_EVENT = Error "malformed-event", "A9":
        "one JSON object whose members are of their types" else "what could not be read was dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each member once" else "the last value counts";

    LONE_SURROGATE = Warning "lone-surrogate", "X1":
        "characters" else "the half became U+FFFD";

    DONE_MARKER = Error "done-marker", "A9":
        "no `[DONE]`: the stream ends when the connection closes" else "it was passed by";

    JSONRPC_VERSION = Error "jsonrpc-version", "A9":
        "`jsonrpc` to be `2.0`" else "the event was read all the same";

    NO_ENVELOPE = Error "no-envelope", "A9":
        "a JSON-RPC response around what happened" else "it was read as an event of the REST binding";

    ID_MISMATCH = Error "id-mismatch", "A9":
        "the id of the request in every response"
        else "the event was dropped, because it answers another request";

    NO_RESULT = Error "no-result", "A9":
        "a result or an error" else "the event says nothing";

    UNKNOWN_PAYLOAD = Error "unknown-payload", "A10":
        "a task, a message, a status update or an artifact update" else "the event was counted and passed by";

    DIALECT = Error "dialect", "A10":
        "one dialect in all events, the one that was asked for" else "the event was read all the same";

    AFTER_ERROR = Warning "after-error", "A9":
        "nothing after an error" else "it was not read";

    // Objects

    PROTO_NAMES = Note "proto-names", "A11":
        "members in camelCase and states by their names" else "snake_case and numbers count all the same";

    UNKNOWN_WORD = Error "unknown-word", "A11":
        "one of the protocol's states or roles" else "it became UNRECOGNIZED, or in 0.3 nothing";

    MEMBER_TYPE = Warning "member-type", "A9":
        "members of their declared types"
        else "a number or boolean counts as its text, anything else was left out";

    PART_CONTENT = Error "part-content", "A12":
        "one of text, raw, url and data in a part" else "the first of these counts";

    LEGACY_REQUIRED = Error "legacy-required", "A13":
        "in 0.3 a status, a message with id, role and parts, an artifact with parts, and parts of a known kind"
        else "what is there was read";

    LEGACY_FINAL = Note "legacy-final", "A13":
        "`final` in 0.3 to be true where the stream ends, and only there" else "the state counts";

    // The task

    BEFORE_TASK = Warning "before-task", "A8":
        "a task before its updates" else "the update was dropped";

    OTHER_TASK = Warning "other-task", "A1":
        "one task in a stream"
        else "an update of another task was dropped, another task took the place of the first";

    STATUS_AFTER_TERMINAL = Warning "status-after-terminal", "A8":
        "no other state after a terminal one" else "the update was dropped";

    ARTIFACT_AFTER_TERMINAL = Warning "artifact-after-terminal", "A1":
        "nothing after a terminal state" else "the artifact counts all the same";

    AFTER_INTERRUPTION = Note "after-interruption", "A1":
        "the stream to close when the task waits for the client" else "the event was read all the same";

    TASK_AGAIN = Note "task-again", "A4":
        "a task first, and then only updates of it"
        else "it replaced the one before, and its artifacts those of the same id";

    MESSAGE_NOT_ALONE = Warning "message-not-alone", "A1":
        "one message or a task in a stream, not both" else "both are in the answer, of messages the last one";

    APPEND_UNKNOWN = Note "append-unknown", "A6":
        "an artifact before what is appended to it" else "the piece began the artifact";

    APPEND_RENAMES = Note "append-renames", "A5":
        "no name or description in what is appended" else "it replaced the one before, as not all stores do";

    NO_TERMINAL = Warning "no-terminal", "A14":
        "a message, or a task in a terminal or waiting state, before the stream ends"
        else "the answer is what came";
}
