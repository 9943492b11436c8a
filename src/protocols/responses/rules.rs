//! The rules that a stream of this protocol is judged by.
//!
//! Each is a static with a stable id; `docs/reference/rules.md` has a paragraph about each, `tests/corpus/responses` a stream that
//! breaks it. Clauses are the O clauses of `docs/reference/clauses.md`. Errors are what `openai` 7.55.0 refuses, notes what only 6.49.0
//! does, or nobody.

crate::core::rules! {
    // Events

    MALFORMED_EVENT = Error "malformed-event", "O3":
        "one JSON object with the members of its type" else "the event was dropped";

    MEMBER_TYPE = Error "member-type", "O19":
        "every member to be of its type" else "the member is as it was";

    DUPLICATE_KEY = Warning "duplicate-key", "RFC 8259, 4":
        "each member once" else "the last value counts";

    LONE_SURROGATE = Warning "lone-surrogate", "O22":
        "characters" else "the half became U+FFFD";

    UNKNOWN_TYPE = Error "unknown-type", "O3":
        "an event type that the clients know" else "the event was counted and passed by";

    CANCELLED_EVENT = Error "cancelled-event", "O20":
        "a cancelled response in `response.incomplete`" else "it was read as that";

    SEQUENCE_NUMBER = Note "sequence-number", "X8":
        "numbers from 0 on, one more for each event" else "the event was read in the order of its arrival";

    UNTYPED_ERROR = Note "untyped-error", "O14":
        "`type` in an error" else "it ended the response as an `error` event does";

    // The response

    NOT_CREATED = Error "not-created", "O1":
        "`response.created` first" else "the event was read all the same";

    RESPONSE_CHANGED = Error "response-changed", "O12":
        "one id for the response" else "the later id counts";

    NO_RESPONSE = Error "no-response", "O17":
        "at least one event" else "the answer is empty";

    OUTPUT_MISSING = Note "output-missing", "O2":
        "the output in every `response`" else "it is what the events before have said";

    OUTPUT_LOST = Warning "output-lost", "O2":
        "all items in the last `response`" else "what it does not list is gone, as in the clients";

    UNFINISHED = Error "unfinished", "O12":
        "every item done or listed when the response is completed"
        else "the item counts as the last `response` says";

    TRUNCATED = Error "truncated", "O15":
        "an end of the response before the stream ends" else "the response stays as far as it has come";

    AFTER_END = Warning "after-end", "O16":
        "nothing after the end of the response" else "the event was read all the same";

    AFTER_DONE = Warning "after-done", "O16":
        "nothing after `[DONE]`" else "it was not read";

    AFTER_ERROR = Warning "after-error", "O14":
        "nothing after an error" else "the event was ignored";

    // Items

    ITEM_MISSING = Error "item-missing", "O8":
        "`response.output_item.added` before anything else about an item, and its `output_index`"
        else "the item begins with the event";

    ITEM_MISMATCH = Error "item-mismatch", "O6":
        "the id of the item, and an event that fits its type" else "the item of that `output_index` is meant";

    ITEM_ID = Error "item-id", "O5":
        "an id for every item, and a `call_id` for every call" else "the item was read all the same";

    ITEM_REPEATED = Error "item-repeated", "O5":
        "every id and every `output_index` once" else "the later item was read as one of its own";

    ITEM_CHANGED = Error "item-changed", "O10":
        "the id, type and `call_id` that the item has had" else "the later ones count";

    OUTPUT_GAP = Note "output-gap", "O4":
        "`output_index` 0, 1, 2, … in the order of the items" else "the item has its place by that order, 256 places before the last at most";

    // Parts

    PART_MISSING = Error "part-missing", "O8":
        "the part added before anything else about it, at the next place"
        else "the part begins with the event";

    PART_MISMATCH = Error "part-mismatch", "O8":
        "an event that fits the part's type" else "the event was ignored";

    DONE_DIFFERS = Note "done-differs", "O9":
        "the value that the pieces have said" else "the later value counts";
}
