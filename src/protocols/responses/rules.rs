//! The rules that a stream of this protocol is checked against.
//!
//! Each rule is a static with a stable id. `docs/reference/rules.md` has a row for each rule, and
//! `tests/data/corpus/responses` a stream that violates it. Clauses are the O clauses of
//! `docs/reference/clauses.md`. Errors report input that `openai` 7.59.0 refuses. Notes report
//! input that only 6.49.0 refuses, or no version.

crate::core::rules! {
    // Events

    MALFORMED_EVENT = Error "malformed-event", "O3":
        "one JSON object with the properties of its type" else "event dropped";

    TOOL_ARGUMENTS = Warning "tool-arguments", "O3":
        "the arguments of a call as text" else "their JSON text used";

    MEMBER_TYPE = Error "member-type", "O19":
        "every property of its declared type" else "property kept as received";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each property at most once per object" else "last value used";

    LONE_SURROGATE = Warning "lone-surrogate", "O22":
        "no unpaired surrogate" else "replaced by U+FFFD";

    UNKNOWN_TYPE = Error "unknown-type", "O3":
        "an event type known to the official clients" else "event counted and ignored";

    CANCELLED_EVENT = Error "cancelled-event", "O20":
        "a cancelled response in `response.incomplete`" else "read as that event";

    SEQUENCE_NUMBER = Note "sequence-number", "X8":
        "consecutive numbers from 0" else "events processed in order of arrival";

    UNTYPED_ERROR = Note "untyped-error", "O14":
        "`type` in an error" else "treated as an `error` event, which ends the response";

    // The response

    NOT_CREATED = Error "not-created", "O1":
        "`response.created` as the first event" else "event processed";

    RESPONSE_CHANGED = Error "response-changed", "O12":
        "the same response id in all events" else "later id used";

    NO_RESPONSE = Error "no-response", "O17":
        "at least one event" else "snapshot empty";

    OUTPUT_MISSING = Note "output-missing", "O2":
        "`output` in every `response`" else "output of earlier events kept";

    OUTPUT_LOST = Warning "output-lost", "O2":
        "all items in the last `response`"
        else "unlisted items removed, as in the official clients, but an empty list removes none";

    UNFINISHED = Error "unfinished", "O12":
        "every item done, or listed in the completed response"
        else "item taken from the last `response` that lists any, otherwise kept as streamed";

    TRUNCATED = Error "truncated", "O15":
        "the end of the response before the end of the stream" else "partial response kept";

    AFTER_END = Warning "after-end", "O16":
        "no event after the end of the response" else "event processed";

    AFTER_DONE = Warning "after-done", "O16":
        "no event after `[DONE]`" else "not read";

    AFTER_ERROR = Warning "after-error", "O14":
        "no event after an error" else "event ignored";

    // Items

    ITEM_MISSING = Error "item-missing", "O8":
        "`response.output_item.added`, with its `output_index`, before other events of an item"
        else "item started by this event";

    ITEM_MISMATCH = Error "item-mismatch", "O6":
        "the id of the item, and an event that matches its type" else "item at that `output_index` used";

    ITEM_ID = Error "item-id", "O5":
        "an id for every item, and a `call_id` for every call" else "item accepted";

    ITEM_REPEATED = Error "item-repeated", "O5":
        "each id and each `output_index` once" else "later item read as a separate item";

    ITEM_CHANGED = Error "item-changed", "O10":
        "the id, type and `call_id` that the item started with" else "later values used";

    OUTPUT_GAP = Note "output-gap", "O4":
        "`output_index` 0, 1, 2, … in the order of the items"
        else "item placed by that order, at most 256 places before the last";

    // Parts

    PART_MISSING = Error "part-missing", "O8":
        "the part added before its other events, at the next index" else "part started by this event";

    PART_MISMATCH = Error "part-mismatch", "O8":
        "an event that matches the type of the part" else "event ignored";

    DONE_DIFFERS = Note "done-differs", "O9":
        "a final value equal to its deltas" else "final value used, unless it is empty";
}
