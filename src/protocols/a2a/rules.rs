//! The rules for a stream of this protocol.
//!
//! Each rule is a static with a stable id. `docs/reference/rules.md` has a row for each rule, and
//! `tests/data/corpus/a2a` has a stream that violates it. The clauses are those of
//! `docs/reference/clauses.md`. A rule has the severity error if the official client (`@a2a-js/sdk`
//! 1.3.0) throws on a violation or loses data, and a lower severity if the client accepts it and
//! only other clients or the stores reject it.

crate::core::rules! {
    // The envelope

    MALFORMED_EVENT = Error "malformed-event", "A9":
        "one JSON object whose properties have their declared types" else "unreadable parts dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "X1":
        "no unpaired surrogate" else "replaced by U+FFFD";

    DONE_MARKER = Error "done-marker", "A9":
        "end of the stream by closing the connection, without `[DONE]`" else "marker ignored";

    JSONRPC_VERSION = Error "jsonrpc-version", "A9":
        "`jsonrpc` set to `2.0`" else "event processed";

    NO_ENVELOPE = Error "no-envelope", "A9":
        "a JSON-RPC response around the event" else "read as an event of the REST binding";

    ID_MISMATCH = Error "id-mismatch", "A9":
        "the id of the request in every response" else "event dropped, because it belongs to another request";

    NO_RESULT = Error "no-result", "A9":
        "a result or an error" else "event without effect";

    UNKNOWN_PAYLOAD = Error "unknown-payload", "A10":
        "a task, a message, a status update or an artifact update" else "event counted and ignored";

    DIALECT = Error "dialect", "A10":
        "the requested protocol version in all events" else "event processed";

    AFTER_ERROR = Warning "after-error", "A9":
        "no event after an error" else "not read";

    // Objects

    PROTO_NAMES = Note "proto-names", "A11":
        "camelCase properties and named states" else "snake_case names and numeric states accepted";

    UNKNOWN_WORD = Error "unknown-word", "A11":
        "a state or role of the protocol" else "replaced by UNRECOGNIZED, in 0.3 omitted";

    MEMBER_TYPE = Warning "member-type", "A9":
        "properties of their declared types"
        else "number or boolean converted to text, any other value omitted";

    PART_CONTENT = Error "part-content", "A12":
        "exactly one of text, raw, url and data in a part" else "first of these used";

    LEGACY_REQUIRED = Error "legacy-required", "A13":
        "in 0.3 a status, a message with id, role and parts, an artifact with parts, and parts of a known kind"
        else "available properties read";

    LEGACY_FINAL = Note "legacy-final", "A13":
        "in 0.3 `final` true in the last event, and only there" else "state used instead";

    // The task

    BEFORE_TASK = Warning "before-task", "A8":
        "a task before its updates" else "update dropped";

    OTHER_TASK = Warning "other-task", "A1":
        "one task per stream" else "update of another task dropped, first task replaced by another task";

    STATUS_AFTER_TERMINAL = Warning "status-after-terminal", "A8":
        "no other state after a terminal state" else "update dropped";

    ARTIFACT_AFTER_TERMINAL = Warning "artifact-after-terminal", "A1":
        "no artifact after a terminal state" else "artifact applied";

    AFTER_INTERRUPTION = Note "after-interruption", "A1":
        "end of the stream when the task waits for the client" else "event processed";

    TASK_AGAIN = Note "task-again", "A4":
        "a task first, then only updates of it" else "task replaced, and artifacts with the same id";

    MESSAGE_NOT_ALONE = Warning "message-not-alone", "A1":
        "either one message or one task per stream" else "both kept, of several messages the last";

    ARTIFACT_EMPTIED = Warning "artifact-emptied", "A7":
        "the parts of an artifact, or none and `append`, in its last update and in a task"
        else "earlier parts kept";

    APPEND_UNKNOWN = Note "append-unknown", "A6":
        "an artifact before the parts appended to it" else "artifact started by the appended parts";

    APPEND_RENAMES = Note "append-renames", "A5":
        "no name or description in an update that appends"
        else "name and description replaced, although some stores keep the earlier ones";

    NO_TERMINAL = Warning "no-terminal", "A14":
        "a message, or a task in a terminal or waiting state, before the end of the stream"
        else "partial snapshot kept";
}
