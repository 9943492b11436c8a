//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a paragraph about each, `tests/corpus/ag-ui` a stream that
//! breaks it. Clauses are those of the protocol reference: U rules, or its sections. What the official client refuses is an
//! error here, and what it says is in `got`.

crate::core::rules! {
    // Events

    MALFORMED_EVENT = Error "malformed-event", "U7":
        "one JSON object with the members of its type, each as the protocol describes it"
        else "the event was dropped";

    DONE_MARKER = Error "done-marker", "K13":
        "JSON: AG-UI has no `[DONE]`" else "it was passed by";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each member once" else "the last value counts";

    LONE_SURROGATE = Warning "lone-surrogate", "B.7":
        "characters" else "the half became U+FFFD";

    NULL_MEMBER = Error "null-member", "B.2":
        "optional members to be left out" else "null counts as absent";

    LEGACY_NULL = Warning "legacy-null", "U8":
        "optional members to be left out, as since 1.0" else "null counts as absent";

    LEGACY_THINKING = Warning "legacy-thinking", "U8":
        "`REASONING_*` in the place of `THINKING_*`, as since 1.0"
        else "it was read as the event of that name, with an id of the reader's";

    LEGACY_BINARY = Warning "legacy-binary", "U8":
        "image, audio, video and document parts in the place of `binary`, as since 1.0"
        else "it became the part of its media type";

    UNKNOWN_TYPE = Warning "unknown-type", "U6":
        "one of the 31 event types" else "the event was counted and passed by";

    UNKNOWN_PROPERTY = Warning "unknown-property", "U6":
        "members and variants that the protocol describes" else "it is not in the answer";

    DIALECT_ENDPOINTS = Warning "dialect-endpoints", "E14":
        "AG-UI events, without `threadId` and `runId` on each"
        else "the events are read as those of the Agent API Endpoints app, which names members otherwise";

    // Runs

    FIRST_EVENT = Error "first-event", "B.6, 1":
        "`RUN_STARTED` or `RUN_ERROR` as the first event"
        else "the events are read as if a run had begun, and what has no start gets one";

    RUN_STARTED_TWICE = Error "run-started-twice", "B.6, 2":
        "`RUN_FINISHED` before the next `RUN_STARTED`" else "a new run began";

    AFTER_FINISHED = Error "after-finished", "B.6, 3":
        "nothing but `RUN_ERROR` or `RUN_STARTED` after `RUN_FINISHED`" else "the event was ignored";

    AFTER_ERROR = Error "after-error", "B.6, 4":
        "nothing but `RUN_STARTED` after `RUN_ERROR`" else "the event was ignored";

    FINISHED_EARLY = Error "finished-early", "B.6, 12":
        "the end of all steps, messages, spans, calls and subagents before `RUN_FINISHED`"
        else "the run is finished all the same";

    NO_TERMINAL = Note "no-terminal", "U25":
        "`RUN_FINISHED` or `RUN_ERROR` before the stream ends" else "the run counts as incomplete";

    // Messages, calls and spans

    STARTED_TWICE = Error "started-twice", "B.6, 5":
        "the end of a message, call or span before it starts again" else "the event was ignored";

    NOT_STARTED = Error "not-started", "B.6, 6":
        "the start of a message, call or span before its pieces and its end"
        else "the event was ignored, or in a stream without a run it got a start";

    OWNER_MISMATCH = Error "owner-mismatch", "B.6, 13":
        "all events of a message, call, span or activity in the lane of its start"
        else "the event was ignored";

    ID_COLLISION = Warning "id-collision", "B.7":
        "ids that are used for one kind of message"
        else "the text was ignored, or the call got a message of its own";

    CALL_RENAMED = Warning "call-renamed", "U12":
        "the same name when a call starts again" else "the call has the new name and the arguments it had";

    ACTIVITY_UNKNOWN = Note "activity-unknown", "B.7":
        "a snapshot of an activity before its patches" else "the patch was ignored";

    PATCH_FAILED = Warning "patch-failed", "U9":
        "a patch that applies to what is there" else "nothing of the patch was applied";

    // Chunks

    CHUNK_INCOMPLETE = Error "chunk-incomplete", "B.5":
        "the id, and the name of a call, in the first chunk" else "the event was ignored";

    CHUNK_DISAGREES = Error "chunk-disagrees", "B.5":
        "chunks that go on as the first one says" else "the event was ignored";

    CHUNK_AMBIGUOUS = Error "chunk-ambiguous", "B.5":
        "an id or a lane in a chunk where several lanes are open" else "the event was ignored";

    // Steps and subagents

    STEP_STARTED_TWICE = Error "step-started-twice", "B.6, 8":
        "the end of a step before it starts again" else "the event was ignored";

    STEP_NOT_STARTED = Error "step-not-started", "B.6, 9 and 10":
        "the start of a step, in the same lane, before its end" else "the event was ignored";

    SUBAGENT_STARTED_TWICE = Error "subagent-started-twice", "B.6, 15":
        "ids of subagents that are used once in a run" else "the event was ignored";

    SUBAGENT_NOT_STARTED = Error "subagent-not-started", "B.6, 15":
        "the start of a subagent before its end and before the subagents that it starts"
        else "the event was ignored";
}
