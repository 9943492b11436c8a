//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a row for each,
//! `tests/data/corpus/interactions` a stream that breaks it. Clauses are the I clauses of
//! `docs/reference/clauses.md`. Errors report input from which `@google/genai` 3.3.0 and its
//! documented loop over events lose something.

crate::core::rules! {
    // Events

    MALFORMED_EVENT = Error "malformed-event", "I11":
        "one JSON object with the properties of its type" else "event dropped";

    TOOL_ARGUMENTS = Warning "tool-arguments", "I4":
        "the arguments of a call as text" else "their JSON text used";

    MEMBER_TYPE = Error "member-type", "I11":
        "every property of its declared type" else "property dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "X1":
        "no unpaired surrogate" else "replaced by U+FFFD";

    UNKNOWN_EVENT = Note "unknown-event", "I12":
        "an event type known to the official client" else "event counted and ignored";

    UNKNOWN_DELTA = Note "unknown-delta", "I12":
        "a delta type known to the official client" else "event counted and ignored";

    // The interaction

    NO_INTERACTION = Error "no-interaction", "I6":
        "at least one event" else "snapshot empty";

    NOT_CREATED = Warning "not-created", "I1":
        "`interaction.created` as the first event" else "event processed";

    CREATED_TWICE = Warning "created-twice", "I1":
        "one `interaction.created`" else "its properties used";

    ID_CHANGED = Warning "id-changed", "I2":
        "the same id in all events" else "last id used";

    TRUNCATED = Error "truncated", "I6":
        "`interaction.completed` before the end of the stream" else "status unchanged";

    AFTER_END = Warning "after-end", "I6":
        "no event after `interaction.completed`" else "not read";

    AFTER_ERROR = Warning "after-error", "I7":
        "no event after an error" else "not read";

    AFTER_DONE = Warning "after-done", "I6":
        "no event after `[DONE]`" else "not read";

    // Steps

    STEP_MISSING = Error "step-missing", "I3":
        "`step.start` before other events of a step" else "step started by its delta; other events dropped";

    STEP_INDEX = Warning "step-index", "I3":
        "indexes 0, 1, 2, … in the order of the starts of steps" else "steps kept in the order of their starts";

    STEP_REPEATED = Warning "step-repeated", "I3":
        "one `step.start` for each index" else "another step started";

    CALL_ID = Warning "call-id", "I3":
        "an id of its own for every call" else "id made of that of the interaction";

    DELTA_MISMATCH = Warning "delta-mismatch", "I4":
        "a delta that matches the type of its step" else "delta dropped";

    AFTER_STEP_STOP = Warning "after-step-stop", "I5":
        "no event of a step after its stop" else "event dropped";

    STEP_NOT_STOPPED = Warning "step-not-stopped", "I5":
        "`step.stop` for every step" else "step ended with the interaction";

    ARGUMENTS_NOT_JSON = Error "arguments-not-json", "I4":
        "JSON as the arguments of a call" else "text kept in `partial_arguments`";
}
