//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a paragraph about each, `tests/corpus/agent-api` a stream that
//! breaks it. Here each says how bad a breach is, its id, the clause of the protocol reference it comes from, what is
//! expected, and what the reader does when it is otherwise.

crate::core::rules! {
    // Framing

    FRAMING_FIELD = Note "framing-field", "R1":
        "events without `event` and `id` lines" else "the lines were read and the event counts";

    // Events

    MALFORMED_EVENT = Error "malformed-event", "R7":
        "one JSON object whose known members have their documented types" else "the event was dropped";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each member once" else "the last value counts";

    LONE_SURROGATE = Warning "lone-surrogate", "R3":
        "characters" else "the half became U+FFFD";

    UNKNOWN_OBJECT = Note "unknown-object", "R7":
        "`object` to be response, message or content" else "the event was counted and passed by";

    BARE_ERROR = Error "bare-error", "R30":
        "an error inside a response event" else "the response failed with code STREAM_ERROR";

    DONE_MARKER = Note "done-marker", "R4":
        "the connection to close" else "the marker was passed by";

    SEQUENCE_NUMBER = Warning "sequence-number", "R8":
        "numbers from 0, one more at each event" else "the order of arrival counts";

    // Responses

    RESPONSE_NOT_CREATED = Warning "response-not-created", "R10":
        "a response event with status created or queued first" else "the response counts as created";

    RESPONSE_NOT_STARTED = Warning "response-not-started", "R10":
        "a response event with status in_progress second" else "the response counts as started";

    RESPONSE_WENT_BACK = Warning "response-went-back", "R10":
        "no created or queued after in_progress" else "the status was taken over";

    RESPONSE_ID_CHANGED = Warning "response-id-changed", "R11":
        "one response id" else "the new id was taken over";

    SESSION_ID_CHANGED = Warning "session-id-changed", "R11":
        "one session id" else "the new id was taken over";

    STATUS_UNKNOWN = Warning "status-unknown", "R13":
        "one of the eight statuses that say something" else "the status was taken over and changes nothing";

    NO_TERMINAL = Error "no-terminal", "R13":
        "a terminal response event at the end"
        else "the response counts as incomplete, or as canceled when the reader stopped";

    AFTER_TERMINAL = Error "after-terminal", "R33":
        "nothing after the terminal response event" else "the event was ignored";

    COMPLETED_AT_MISSING = Note "completed-at-missing", "R14":
        "`completed_at` in a completed response" else "it stays null";

    OUTPUT_MISSING = Warning "output-missing", "R14":
        "`output` to be a list in a completed response" else "what was streamed stays";

    ERROR_MISSING = Warning "error-missing", "R14":
        "`error` in a failed response" else "the failure has no reason";

    OUTPUT_DUPLICATE = Warning "output-duplicate", "R15":
        "each message once in `output`" else "it stands once, at its first place";

    OUTPUT_OMITS_MESSAGE = Note "output-omits-message", "R15":
        "every completed message in `output`" else "the message stays, after the listed ones";

    OUTPUT_ADDS_MESSAGE = Note "output-adds-message", "R15":
        "only messages that were streamed in `output`" else "the message was added";

    // Messages

    CONTENT_BEFORE_MESSAGE = Warning "content-before-message", "R17":
        "a message event before its contents" else "a provisional message was opened";

    MESSAGE_NOT_OPENED = Warning "message-not-opened", "R17":
        "a message event with status in_progress first" else "the message was taken as it came";

    MESSAGE_WITHOUT_ID = Warning "message-without-id", "R18":
        "`id` in a message event" else "it counts as a new message";

    MESSAGE_CHANGED = Note "message-changed", "R18":
        "one type and one role per message" else "the new value was taken over";

    SEED_MESSAGE_TYPE = Note "seed-message-type", "spec 1.5":
        "`type` message and `role` assistant" else "read as the real spelling";

    MESSAGE_NOT_ENDED = Warning "message-not-ended", "R19":
        "a terminal status for every message" else "the message stays in progress";

    MESSAGE_ENDED_TWICE = Warning "message-ended-twice", "R19":
        "one terminal status per message" else "the later one replaced the earlier";

    MESSAGE_AFTER_END = Warning "message-after-end", "R19":
        "nothing after a message's terminal status" else "the message stays ended";

    CONTENT_AFTER_MESSAGE = Warning "content-after-message", "R19":
        "no contents after their message's terminal status" else "the content was taken all the same";

    PART_ORDER = Warning "part-order", "R21":
        "the parts of a message in the order of `index`" else "they were sorted";

    PART_INDEX_NULL = Warning "part-index-null", "R21":
        "`index` in the parts of a message" else "the place in the list counts";

    PART_STATUS = Note "part-status", "R22":
        "completed parts in an ended message" else "they count as completed";

    PART_NOT_ANNOUNCED = Note "part-not-announced", "R19":
        "a content event for every part of a message" else "the part was added";

    PART_MISSING = Error "part-missing", "R20":
        "every streamed part in the ended message" else "the message's own parts count";

    // Contents

    MSG_ID_NULL = Warning "msg-id-null", "R24":
        "`msg_id` in a content event" else "the one open message was meant";

    CONTENT_UNATTRIBUTED = Error "content-unattributed", "R24":
        "a `msg_id` where no message or more than one is open" else "the content was dropped";

    INDEX_NULL = Warning "index-null", "R24":
        "an `index` of 0 or more" else "the last open part of that type was meant, else a new one";

    INDEX_GAP = Warning "index-gap", "R25":
        "indices from 0 without gaps" else "the part was added with its own index";

    DELTA_NULL = Note "delta-null", "R27":
        "`delta` to be true or false" else "it counts as false";

    DELTA_COMPLETED = Warning "delta-completed", "R26":
        "`delta` false in a completed content" else "it replaced what it repeats, else it was appended";

    SNAPSHOT = Note "snapshot", "R27":
        "(legal) a whole value instead of a piece" else "it replaced what was there";

    TEXT_MISMATCH = Warning "text-mismatch", "R28":
        "the completed text to be the pieces that were streamed" else "the completed text counts";

    TEXT_NULL = Warning "text-null", "R29d":
        "a text" else "null counts as no text and erases nothing";

    MEDIA_REPEATED = Note "media-repeated", "R29b":
        "pieces that continue the value" else "the value was not doubled";

    CONTENT_TYPE_CHANGED = Error "content-type-changed", "R29c":
        "one type per content" else "a piece was ignored, a whole value replaced";

    CONTENT_AFTER_END = Warning "content-after-end", "R28":
        "nothing after a completed content"
        else "a piece of text was appended, one of data ignored, a whole value replaced";

    UNKNOWN_CONTENT_TYPE = Note "unknown-content-type", "spec 1.1":
        "one of the seven content types" else "the content was kept with its members";

    // Tools

    OUTPUT_WITHOUT_CALL = Warning "output-without-call", "R35":
        "a call before its output" else "the output stands alone";

    ARGUMENTS_NOT_JSON = Warning "arguments-not-json", "R36":
        "the arguments of an ended call to be JSON" else "they stay text";

    APPROVAL_WITHOUT_REQUEST = Warning "approval-without-request", "R37":
        "an approval request before its answer" else "the answer stands alone";
}
