//! The rules for a stream of this protocol.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a row for each,
//! `tests/data/corpus/ag-ui` a stream that violates it. Clauses are those of the protocol
//! reference: U rules, or its sections. An event that the official client refuses is an error here,
//! and `got` has the message of the client.

crate::core::rules! {
    // Events

    MALFORMED_EVENT = Error "malformed-event", "U7":
        "one JSON object with the properties of its type, as the protocol describes them"
        else "event dropped";

    TOOL_ARGUMENTS = Warning "tool-arguments", "U7":
        "the arguments of a call as text" else "their JSON text used";

    DONE_MARKER = Error "done-marker", "K13":
        "JSON (AG-UI does not define `[DONE]`)" else "marker ignored";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "B.7":
        "no unpaired surrogate" else "replaced by U+FFFD";

    NULL_MEMBER = Error "null-member", "B.2":
        "optional properties absent instead of null" else "null treated as absent";

    LEGACY_NULL = Warning "legacy-null", "U8":
        "optional properties absent instead of null, as required since 1.0" else "null treated as absent";

    LEGACY_THINKING = Warning "legacy-thinking", "U8":
        "`REASONING_*` instead of `THINKING_*`, as required since 1.0"
        else "read as the `REASONING_*` event of that name, with a generated id";

    LEGACY_BINARY = Warning "legacy-binary", "U8":
        "image, audio, video and document parts instead of `binary`, as required since 1.0"
        else "converted to the part of its media type";

    UNKNOWN_TYPE = Warning "unknown-type", "U6":
        "one of the 31 event types" else "event counted and ignored";

    UNKNOWN_PROPERTY = Warning "unknown-property", "U6":
        "only properties and variants that the protocol describes" else "omitted from the snapshot";

    DIALECT_ENDPOINTS = Warning "dialect-endpoints", "E14":
        "AG-UI events, without `threadId` and `runId` in each"
        else "events read as those of the Agent API Endpoints app, which uses other property names";

    // Runs

    FIRST_EVENT = Error "first-event", "B.6, 1":
        "`RUN_STARTED` or `RUN_ERROR` as the first event"
        else "events read as part of a run, missing starts inserted";

    RUN_STARTED_TWICE = Error "run-started-twice", "B.6, 2":
        "`RUN_FINISHED` before the next `RUN_STARTED`" else "new run started";

    AFTER_FINISHED = Error "after-finished", "B.6, 3":
        "only `RUN_ERROR` or `RUN_STARTED` after `RUN_FINISHED`" else "event ignored";

    AFTER_ERROR = Error "after-error", "B.6, 4":
        "only `RUN_STARTED` after `RUN_ERROR`" else "event ignored";

    FINISHED_EARLY = Error "finished-early", "B.6, 12":
        "the end of all steps, messages, spans, calls and subagents before `RUN_FINISHED`"
        else "run finished";

    NO_TERMINAL = Note "no-terminal", "U25":
        "`RUN_FINISHED` or `RUN_ERROR` before the end of the stream" else "run marked as incomplete";

    // Messages, calls and spans

    STARTED_TWICE = Error "started-twice", "B.6, 5":
        "the end of a message, call or span before it starts again" else "event ignored";

    NOT_STARTED = Error "not-started", "B.6, 6":
        "the start of a message, call or span before its deltas and its end"
        else "start inserted before the first piece of a text, in a stream without a run before any event; otherwise event ignored";

    OWNER_MISMATCH = Error "owner-mismatch", "B.6, 13":
        "the same `subagentRunId` in all events of a message, call, span or activity" else "event ignored";

    ID_COLLISION = Warning "id-collision", "B.7":
        "each id used for one kind of message"
        else "text ignored, or a separate message created for the call";

    CALL_RENAMED = Warning "call-renamed", "U12":
        "the same name when a call starts again" else "new name applied, arguments kept";

    ACTIVITY_UNKNOWN = Note "activity-unknown", "B.7":
        "a snapshot of an activity before its patches" else "patch ignored";

    PATCH_FAILED = Warning "patch-failed", "U9":
        "a patch that applies to the current value" else "no operation of the patch applied";

    // Chunks

    CHUNK_INCOMPLETE = Error "chunk-incomplete", "B.5":
        "the id, and for a call the name, in the first chunk" else "event ignored";

    CHUNK_DISAGREES = Error "chunk-disagrees", "B.5":
        "chunks consistent with the first chunk" else "event ignored";

    CHUNK_AMBIGUOUS = Error "chunk-ambiguous", "B.5":
        "an id or a `subagentRunId` in a chunk while chunks of several agents are open" else "event ignored";

    // Steps and subagents

    STEP_STARTED_TWICE = Error "step-started-twice", "B.6, 8":
        "the end of a step before it starts again" else "event ignored";

    STEP_NOT_STARTED = Error "step-not-started", "B.6, 9 and 10":
        "the start of a step, by the same agent, before its end" else "event ignored";

    SUBAGENT_STARTED_TWICE = Error "subagent-started-twice", "B.6, 15":
        "each subagent id used once per run" else "event ignored";

    SUBAGENT_NOT_STARTED = Error "subagent-not-started", "B.6, 15":
        "the start of a subagent before its end and before the subagents that it starts" else "event ignored";
}
