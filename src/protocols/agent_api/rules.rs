//! The rules for streams of this protocol.
//!
//! Each rule is a static with a stable id. `docs/reference/rules.md` has a row for each rule, and
//! `tests/data/corpus/agent-api` a stream that violates it. Here each rule has the severity of a
//! violation, its id, the clause of the protocol reference, the expected form, and the action of
//! the reader on a violation.

crate::core::rules! {
    // Framing

    FRAMING_FIELD = Note "framing-field", "R1":
        "events without `event` and `id` lines" else "extra lines parsed, event processed";

    // Events

    MALFORMED_EVENT = Error "malformed-event", "R7":
        "one JSON object whose known properties have the documented types" else "event dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "R3":
        "no unpaired surrogate" else "replaced by U+FFFD";

    UNKNOWN_OBJECT = Note "unknown-object", "R7":
        "`object` set to response, message or content" else "event counted and ignored";

    BARE_ERROR = Error "bare-error", "R30":
        "an error inside a response event" else "response failed with code STREAM_ERROR";

    DONE_MARKER = Note "done-marker", "R4":
        "end of the stream by closing the connection, without `[DONE]`" else "marker ignored";

    SEQUENCE_NUMBER = Warning "sequence-number", "R8":
        "consecutive numbers from 0" else "events processed in order of arrival";

    // Responses

    RESPONSE_NOT_CREATED = Warning "response-not-created", "R10":
        "a response event with status created or queued as the first event"
        else "response treated as created";

    RESPONSE_NOT_STARTED = Warning "response-not-started", "R10":
        "a response event with status in_progress as the second event" else "response treated as started";

    RESPONSE_WENT_BACK = Warning "response-went-back", "R10":
        "no status created or queued after in_progress" else "new status applied";

    RESPONSE_ID_CHANGED = Warning "response-id-changed", "R11":
        "the same response id in all response events" else "new id applied";

    SESSION_ID_CHANGED = Warning "session-id-changed", "R11":
        "the same session id in all response events" else "new id applied";

    STATUS_UNKNOWN = Warning "status-unknown", "R13":
        "one of the eight statuses with a defined meaning"
        else "status applied, without effect on the lifecycle";

    NO_TERMINAL = Error "no-terminal", "R13":
        "a terminal response event at the end of the stream"
        else "response set to incomplete, or to canceled if the reader stopped";

    AFTER_TERMINAL = Error "after-terminal", "R33":
        "no event after the terminal response event" else "event ignored";

    COMPLETED_AT_MISSING = Note "completed-at-missing", "R14":
        "`completed_at` in a completed response" else "left null";

    OUTPUT_MISSING = Warning "output-missing", "R14":
        "`output` as a list in a completed response" else "streamed messages kept";

    ERROR_MISSING = Warning "error-missing", "R14":
        "`error` in a failed response" else "failure reported without a reason";

    OUTPUT_DUPLICATE = Warning "output-duplicate", "R15":
        "each message once in `output`" else "message kept once, at its first position";

    OUTPUT_OMITS_MESSAGE = Note "output-omits-message", "R15":
        "every completed message in `output`" else "omitted message kept, after the listed ones";

    OUTPUT_ADDS_MESSAGE = Note "output-adds-message", "R15":
        "only streamed messages in `output`" else "message added";

    // Messages

    CONTENT_BEFORE_MESSAGE = Warning "content-before-message", "R17":
        "a message event before its contents" else "provisional message opened";

    MESSAGE_NOT_OPENED = Warning "message-not-opened", "R17":
        "a message event with status in_progress first" else "message accepted as received";

    MESSAGE_WITHOUT_ID = Warning "message-without-id", "R18":
        "`id` in a message event" else "treated as a new message";

    MESSAGE_CHANGED = Note "message-changed", "R18":
        "the same type and role in all events of a message" else "new value applied";

    SEED_MESSAGE_TYPE = Note "seed-message-type", "spec 1.5":
        "`type` message and `role` assistant" else "corrected to that spelling";

    MESSAGE_NOT_ENDED = Warning "message-not-ended", "R19":
        "a terminal status for every message" else "message left in progress";

    MESSAGE_ENDED_TWICE = Warning "message-ended-twice", "R19":
        "one terminal status per message" else "earlier status and content replaced";

    MESSAGE_AFTER_END = Warning "message-after-end", "R19":
        "no event after the terminal status of a message" else "message kept as ended";

    CONTENT_AFTER_MESSAGE = Warning "content-after-message", "R19":
        "no content after the terminal status of its message" else "content accepted";

    PART_ORDER = Warning "part-order", "R21":
        "parts of a message in the order of `index`" else "parts sorted";

    PART_INDEX_NULL = Warning "part-index-null", "R21":
        "`index` in each part of a message" else "list position used";

    PART_STATUS = Note "part-status", "R22":
        "status completed for the parts of an ended message" else "parts treated as completed";

    PART_NOT_ANNOUNCED = Note "part-not-announced", "R19":
        "a content event for every part of a message" else "part added";

    PART_MISSING = Error "part-missing", "R20":
        "every streamed part in the ended message" else "parts of the ended message used";

    // Contents

    MSG_ID_NULL = Warning "msg-id-null", "R24":
        "`msg_id` in a content event" else "content added to the only open message";

    CONTENT_UNATTRIBUTED = Error "content-unattributed", "R24":
        "`msg_id` while no message or several messages are open" else "content dropped";

    INDEX_NULL = Warning "index-null", "R24":
        "an `index` of 0 or more" else "last open part of that type used, otherwise a new part";

    INDEX_GAP = Warning "index-gap", "R25":
        "consecutive indices from 0" else "part added with its own index";

    DELTA_NULL = Note "delta-null", "R27":
        "`delta` set to true or false" else "treated as false";

    DELTA_COMPLETED = Warning "delta-completed", "R26":
        "`delta` false in a completed content" else "repeated value replaced, new value appended";

    SNAPSHOT = Note "snapshot", "R27":
        "a delta (a full value is legal)" else "value replaced";

    TEXT_MISMATCH = Warning "text-mismatch", "R28":
        "a completed text equal to its deltas" else "completed text used";

    TEXT_NULL = Warning "text-null", "R29d":
        "a text other than null" else "treated as no text, existing text kept";

    MEDIA_REPEATED = Note "media-repeated", "R29b":
        "deltas that continue the value" else "repeated value not appended";

    CONTENT_TYPE_CHANGED = Error "content-type-changed", "R29c":
        "one type per content" else "delta ignored, or part replaced by a full value";

    CONTENT_AFTER_END = Warning "content-after-end", "R28":
        "no event after a completed content"
        else "text delta appended, data delta ignored, full value applied";

    UNKNOWN_CONTENT_TYPE = Note "unknown-content-type", "spec 1.1":
        "one of the seven content types" else "content kept with its properties";

    // Tools

    OUTPUT_WITHOUT_CALL = Warning "output-without-call", "R35":
        "a call before its output" else "output kept without a call";

    ARGUMENTS_NOT_JSON = Warning "arguments-not-json", "R36":
        "JSON as the arguments of an ended call" else "arguments kept as text";

    APPROVAL_WITHOUT_REQUEST = Warning "approval-without-request", "R37":
        "an approval request before its response" else "response kept without a request";
}
