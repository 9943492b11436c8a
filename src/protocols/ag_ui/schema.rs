//! The structure of the JSON inside events (B.1, B.2, B.4): the members that the official client refuses, drops or
//! translates.

use crate::core::declare::events::filter::Filter::{self, *};
use crate::core::declare::events::filter::{Row, rows};

type Rows = &'static [Row];

/// Roles of messages that come as text.
pub(super) static TEXT_ROLES: Filter = Word(&["developer", "system", "assistant", "user"]);
pub(super) static TOOL_ROLE: Filter = Word(&["tool"]);
pub(super) static REASONING_ROLE: Filter = Word(&["reasoning"]);
pub(super) static SUBTYPE: Filter = Word(&["tool-call", "message"]);
pub(super) static TIMESTAMP: Filter = Integer(i64::MIN);

pub(super) static PATCH: Filter = List(
    &OneOf(
        "op",
        &[
            ("add", rows!(op(1 | Number::ENUM): Always Text, path(2): Always Pointer, value(4): Always Any)),
            ("remove", rows!(op(1 | Number::ENUM): Always Text, path(2): Always Pointer)),
            (
                "replace",
                rows!(op(1 | Number::ENUM): Always Text, path(2): Always Pointer, value(4): Always Any),
            ),
            (
                "move",
                rows!(op(1 | Number::ENUM): Always Text, from(3 | Number::PRESENCE): Always Pointer, path(2): Always Pointer),
            ),
            (
                "copy",
                rows!(op(1 | Number::ENUM): Always Text, from(3 | Number::PRESENCE): Always Pointer, path(2): Always Pointer),
            ),
            ("test", rows!(op(1 | Number::ENUM): Always Text, path(2): Always Pointer, value(4): Always Any)),
        ],
        true,
    ),
    0,
);

const SOURCE: Filter = OneOf(
    "type",
    &[
        ("data", rows!(type: Always Text, value(1): Always Text, mimeType(2): Always Text)),
        ("url", rows!(type: Always Text, value(1): Always Text, mimeType(2): Optional Text)),
        (
            "file",
            rows!(type: Always Text, value(1): Always Text, provider(2): Optional Text, mimeType(3): Optional Text),
        ),
    ],
    false,
);

const MEDIA: Rows = rows!(type: Always Text, id(3): Optional Text, source(1): Always SOURCE, metadata(2): OptionalOrNull NotNull);

const PARTS: Filter = List(
    &OneOf(
        "type",
        &[
            (
                "text",
                rows!(type: Always Text, id(2): Optional Text, text(1): Always Text, metadata(3): Optional NotNull),
            ),
            ("image", MEDIA),
            ("audio", MEDIA),
            ("video", MEDIA),
            ("document", MEDIA),
        ],
        false,
    ),
    0,
);

pub(super) static CONTENT: Filter = TextOr(&PARTS);

/// Declares the members of a message: those of all messages, and its own.
macro_rules! message {
    ($($own:tt)*) => {
        rows!(id(1): Always Text, role(2): Always Text, subagentRunId(10): Optional Text, metadata(9): Optional Object, $($own)*)
    };
}

const INSTRUCTION: Rows = message!(content(3 | Number::PRESENCE): Always Text, name(4): Optional Text, encryptedValue(11): Optional Text);

const TOOL_CALL: Filter = Members(rows!(
    id(1): Always Text,
    type(2): Always Word(&["function"]),
    function(3): Always Members(rows!(name(1): Always Text, arguments(2): Always Text)),
    encryptedValue(5): Optional Text,
    metadata(4): Optional Object,
));

const MESSAGE: Filter = OneOf(
    "role",
    &[
        ("developer", INSTRUCTION),
        ("system", INSTRUCTION),
        (
            "assistant",
            message!(
                content(3): Optional Text, name(4): Optional Text, encryptedValue(11): Optional Text,
                toolCalls(5): Optional List(&TOOL_CALL, 0),
            ),
        ),
        (
            "user",
            message!(content(3 | or(8)): Always TextOr(&PARTS), name(4): Optional Text, encryptedValue(11): Optional Text),
        ),
        (
            "tool",
            message!(
                content(3 | or(8)): Always TextOr(&PARTS), toolCallId(6 | Number::PRESENCE): Always Text,
                error(7): Optional Text, encryptedValue(11): Optional Text,
            ),
        ),
        ("activity", message!(content(13): Always Object, activityType(12 | Number::PRESENCE): Always Text)),
        (
            "reasoning",
            message!(content(3 | Number::PRESENCE): Always Text, encryptedValue(11): Optional Text),
        ),
    ],
    false,
);

pub(super) static MESSAGES: Filter = List(&MESSAGE, 0);

pub(super) static INPUT: Filter = Members(rows!(
    threadId(1): Always Text,
    runId(2): Always Text,
    protocolVersion(10): Optional Text,
    parentRunId(3): Optional Text,
    state(4): Optional Any,
    messages(5): Always List(&MESSAGE, 0),
    tools(6): Optional List(&Members(rows!(
        name(1): Always Text, description(2): Always Text, parameters(3): OptionalOrNull NotNull, metadata(4): Optional Object,
    )), 0),
    context(7): Optional List(&Members(rows!(description(1): Always Text, value(2): Always Text)), 0),
    forwardedProps(8): OptionalOrNull NotNull,
    resume(9): Optional List(&Members(rows!(
        interruptId(1): Always Text, status(2): Always Word(&["resolved", "cancelled"]), payload(3): OptionalOrNull NotNull,
        metadata(4): Optional Object,
    )), 0),
));

pub(super) static OUTCOME: Filter = OneOf(
    "type",
    &[
        (
            "success",
            rows!(type(5 | Number::PRESENCE): Always Text, pendingToolCallIds(8): Optional List(&Text, 0)),
        ),
        (
            "interrupt",
            rows!(type(5): Always Text, interrupts(6): Always List(&Members(rows!(
                id(1): Always Text, reason(2): Always Text, message(3): Optional Text, toolCallId(4): Optional Text,
                responseSchema(5 | Number::VALUE): Optional Object, expiresAt(6): Optional Text,
                metadata(7 | Number::VALUE): Optional Object, subagentRunId(8): Optional Text,
            )), 1)),
        ),
        ("cancelled", rows!(type(5): Always Text)),
    ],
    false,
);

pub(super) static SUBAGENT_OUTCOME: Filter = OneOf(
    "type",
    &[
        ("success", rows!(type(4 | Number::PRESENCE): Always Text)),
        ("suspended", rows!(type(4): Always Text, interruptIds(5): Optional List(&Text, 0))),
    ],
    false,
);

pub(super) static USAGE: Filter = List(
    &Members(rows!(
        provider(1): Optional Text, model(2): Optional Text, inputTokens(3): Optional Integer(0),
        outputTokens(4): Optional Integer(0), totalTokens(5): Optional Integer(0), reasoningTokens(6): Optional Integer(0),
        cachedInputTokens(7): Optional Integer(0), cacheWriteInputTokens(8): Optional Integer(0),
    )),
    0,
);

/// Filters for members of events whose declaration is not sufficient: the member, the event (empty for all events),
/// and the filter.
static FILTERS: &[(&str, &str, &Filter)] = &[
    ("timestamp", "", &TIMESTAMP),
    ("rawEvent", "", &NotNull),
    ("metadata", "", &Object),
    ("messages", "MESSAGES_SNAPSHOT", &MESSAGES),
    ("delta", "STATE_DELTA", &PATCH),
    ("patch", "ACTIVITY_DELTA", &PATCH),
    ("content", "TOOL_CALL_RESULT", &CONTENT),
    ("content", "ACTIVITY_SNAPSHOT", &Object),
    ("replace", "ACTIVITY_SNAPSHOT", &Bool),
    ("role", "TEXT_MESSAGE_START", &TEXT_ROLES),
    ("role", "TEXT_MESSAGE_CHUNK", &TEXT_ROLES),
    ("role", "TOOL_CALL_RESULT", &TOOL_ROLE),
    ("role", "REASONING_MESSAGE_START", &REASONING_ROLE),
    ("subtype", "REASONING_ENCRYPTED_VALUE", &SUBTYPE),
    ("input", "RUN_STARTED", &INPUT),
    ("outcome", "RUN_FINISHED", &OUTCOME),
    ("outcome", "SUBAGENT_FINISHED", &SUBAGENT_OUTCOME),
    ("usage", "RUN_FINISHED", &USAGE),
    ("usage", "RUN_ERROR", &USAGE),
];

pub(super) fn filter_of(event: &str, member: &str) -> Option<(&'static str, &'static Filter)> {
    let is_it = |(name, of, _): &&(&str, &str, _)| *name == member && (of.is_empty() || *of == event);
    FILTERS.iter().find(is_it).map(|(name, _, filter)| (*name, *filter))
}

/// Returns the member that an event requires although its declaration does not.
pub(super) fn needed_by(event: &str) -> &'static str {
    const NEEDED: &[(&str, &str)] = &[
        ("STATE_SNAPSHOT", "snapshot"),
        ("STATE_DELTA", "delta"),
        ("TOOL_CALL_ARGS", "delta"),
        ("MESSAGES_SNAPSHOT", "messages"),
        ("ACTIVITY_SNAPSHOT", "content"),
        ("ACTIVITY_DELTA", "patch"),
        ("TOOL_CALL_RESULT", "toolCallId"),
        ("RAW", "event"),
        ("CUSTOM", "value"),
    ];
    NEEDED.iter().find(|(name, _)| *name == event).map_or("", |(_, member)| *member)
}

/// The meaning of a null member.
#[derive(Clone, Copy)]
pub(super) enum Null {
    /// The value null.
    Value,
    /// Absent, as in older versions.
    Legacy,
    /// Absent, and a violation.
    Wrong,
}

pub(super) fn null_of(event: &str, member: &str) -> Null {
    const MEANT: &[(&str, &str, Null)] = &[
        ("STATE_SNAPSHOT", "snapshot", Null::Value),
        ("RAW", "event", Null::Value),
        ("CUSTOM", "value", Null::Value),
        ("", "rawEvent", Null::Legacy),
        ("THINKING_START", "title", Null::Legacy),
        ("RUN_FINISHED", "result", Null::Legacy),
        ("SUBAGENT_FINISHED", "result", Null::Legacy),
        ("RUN_FINISHED", "outcome", Null::Legacy),
        ("TOOL_CALL_START", "parentMessageId", Null::Legacy),
        ("TOOL_CALL_CHUNK", "parentMessageId", Null::Legacy),
    ];
    let is_it = |(of, name, _): &&(&str, &str, _)| *name == member && (of.is_empty() || *of == event);
    MEANT.iter().find(is_it).map_or(Null::Wrong, |(_, _, null)| *null)
}
