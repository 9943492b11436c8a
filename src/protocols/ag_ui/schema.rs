//! The structure of the JSON inside events (B.1, B.2, B.4): the members that the official client
//! refuses, drops or translates.

use crate::core::declare::events::filter::rows;
use crate::core::declare::events::form::Check::{self, *};
use crate::core::declare::events::table::EventTable;
use crate::core::declare::events::table::{EventMemberRow, EventRow};

type Rows = &'static [EventMemberRow];

/// Declares the table of an object.
macro_rules! one {
    ($($rows:tt)*) => {
        &EventTable { tag: "", rows: &[EventRow::new("", rows!($($rows)*), None)] }
    };
}

/// Creates one of several objects, by its tag.
const fn of(name: &'static str, members: Rows) -> EventRow {
    EventRow::new(name, members, None)
}

/// Roles of messages that come as text.
pub(super) static TEXT_ROLES: Check = Word(&["developer", "system", "assistant", "user"]);
pub(super) static TOOL_ROLE: Check = Word(&["tool"]);
pub(super) static REASONING_ROLE: Check = Word(&["reasoning"]);
pub(super) static SUBTYPE: Check = Word(&["tool-call", "message"]);
pub(super) static TIMESTAMP: Check = Safe;

const ASSIGN: Rows = rows!(op(1 | FieldNumber::ENUM): required Text, path(2): required Pointer, value(4): required Any);

const TRANSFER: Rows = rows!(
    op(1 | FieldNumber::ENUM): required Text, from(3 | FieldNumber::PRESENCE): required Pointer, path(2): required Pointer,
);

pub(super) static PATCH: Check = OpenList(&EventTable {
    tag: "op",
    rows: &[
        of("add", ASSIGN),
        of("remove", rows!(op(1 | FieldNumber::ENUM): required Text, path(2): required Pointer)),
        of("replace", ASSIGN),
        of("move", TRANSFER),
        of("copy", TRANSFER),
        of("test", ASSIGN),
    ],
});

const SOURCE: EventTable = EventTable {
    tag: "type",
    rows: &[
        of("data", rows!(type: required Text, value(1): required Text, mimeType(2): required Text)),
        of("url", rows!(type: required Text, value(1): required Text, mimeType(2): optional Text)),
        of(
            "file",
            rows!(type: required Text, value(1): required Text, provider(2): optional Text, mimeType(3): optional Text),
        ),
    ],
};

const MEDIA: Rows = rows!(
    type: required Text, id(3): optional Text, source(1): required Object(&SOURCE), metadata(2): once_null NotNull,
);

const PARTS: EventTable = EventTable {
    tag: "type",
    rows: &[
        of(
            "text",
            rows!(type: required Text, id(2): optional Text, text(1): required Text, metadata(3): optional NotNull),
        ),
        of("image", MEDIA),
        of("audio", MEDIA),
        of("video", MEDIA),
        of("document", MEDIA),
    ],
};

pub(super) static CONTENT: Check = TextOr(&PARTS);

/// Declares the members of a message: those of all messages, and its own.
macro_rules! message {
    ($($own:tt)*) => {
        rows!(
            id(1): required Text, role(2): required Text, subagentRunId(10): optional Text,
            metadata(9): optional AnyObject, $($own)*
        )
    };
}

const INSTRUCTION: Rows = message!(
    content(3 | FieldNumber::PRESENCE): required Text, name(4): optional Text, encryptedValue(11): optional Text,
);

const TOOL_CALL: &EventTable = one!(
    id(1): required Text,
    type(2): required Word(&["function"]),
    function(3): required Object(one!(name(1): required Text, arguments(2): required Text)),
    encryptedValue(5): optional Text,
    metadata(4): optional AnyObject,
);

const MESSAGES_TABLE: EventTable = EventTable {
    tag: "role",
    rows: &[
        of("developer", INSTRUCTION),
        of("system", INSTRUCTION),
        of(
            "assistant",
            message!(
                content(3): optional Text, name(4): optional Text, encryptedValue(11): optional Text,
                toolCalls(5): optional List(TOOL_CALL),
            ),
        ),
        of(
            "user",
            message!(
                content(3 | or(8)): required TextOr(&PARTS), name(4): optional Text, encryptedValue(11): optional Text,
            ),
        ),
        of(
            "tool",
            message!(
                content(3 | or(8)): required TextOr(&PARTS), toolCallId(6 | FieldNumber::PRESENCE): required Text,
                error(7): optional Text, encryptedValue(11): optional Text,
            ),
        ),
        of(
            "activity",
            message!(content(13): required AnyObject, activityType(12 | FieldNumber::PRESENCE): required Text),
        ),
        of(
            "reasoning",
            message!(content(3 | FieldNumber::PRESENCE): required Text, encryptedValue(11): optional Text),
        ),
    ],
};

pub(super) static MESSAGES: Check = List(&MESSAGES_TABLE);

pub(super) static INPUT: Check = Object(one!(
    threadId(1): required Text,
    runId(2): required Text,
    protocolVersion(10): optional Text,
    parentRunId(3): optional Text,
    state(4): optional Any,
    messages(5): required List(&MESSAGES_TABLE),
    tools(6): optional List(one!(
        name(1): required Text, description(2): required Text, parameters(3): once_null NotNull,
        metadata(4): optional AnyObject,
    )),
    context(7): optional List(one!(description(1): required Text, value(2): required Text)),
    forwardedProps(8): once_null NotNull,
    resume(9): optional List(one!(
        interruptId(1): required Text, status(2): required Word(&["resolved", "cancelled"]),
        payload(3): once_null NotNull, metadata(4): optional AnyObject,
    )),
));

pub(super) static OUTCOME: Check = Object(&EventTable {
    tag: "type",
    rows: &[
        of(
            "success",
            rows!(type(5 | FieldNumber::PRESENCE): required Text, pendingToolCallIds(8): optional Texts),
        ),
        of(
            "interrupt",
            rows!(type(5): required Text, interrupts(6): required NonEmpty(one!(
                id(1): required Text, reason(2): required Text, message(3): optional Text, toolCallId(4): optional Text,
                responseSchema(5 | FieldNumber::VALUE): optional AnyObject, expiresAt(6): optional Text,
                metadata(7 | FieldNumber::VALUE): optional AnyObject, subagentRunId(8): optional Text,
            ))),
        ),
        of("cancelled", rows!(type(5): required Text)),
    ],
});

pub(super) static SUBAGENT_OUTCOME: Check = Object(&EventTable {
    tag: "type",
    rows: &[
        of("success", rows!(type(4 | FieldNumber::PRESENCE): required Text)),
        of("suspended", rows!(type(4): required Text, interruptIds(5): optional Texts)),
    ],
});

pub(super) static USAGE: Check = List(one!(
    provider(1): optional Text, model(2): optional Text, inputTokens(3): optional Count,
    outputTokens(4): optional Count, totalTokens(5): optional Count, reasoningTokens(6): optional Count,
    cachedInputTokens(7): optional Count, cacheWriteInputTokens(8): optional Count,
));
