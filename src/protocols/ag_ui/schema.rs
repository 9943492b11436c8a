//! What the JSON inside of events has to look like (B.1, B.2, B.4): what the official client refuses, drops or translates.

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
            ("add", rows!(op: Always Text, path: Always Pointer, value: Always Any)),
            ("remove", rows!(op: Always Text, path: Always Pointer)),
            ("replace", rows!(op: Always Text, path: Always Pointer, value: Always Any)),
            ("move", rows!(op: Always Text, from: Always Pointer, path: Always Pointer)),
            ("copy", rows!(op: Always Text, from: Always Pointer, path: Always Pointer)),
            ("test", rows!(op: Always Text, path: Always Pointer, value: Always Any)),
        ],
        true,
    ),
    0,
);

const SOURCE: Filter = OneOf(
    "type",
    &[
        ("data", rows!(type: Always Text, value: Always Text, mimeType: Always Text)),
        ("url", rows!(type: Always Text, value: Always Text, mimeType: Optional Text)),
        (
            "file",
            rows!(type: Always Text, value: Always Text, provider: Optional Text, mimeType: Optional Text),
        ),
    ],
    false,
);

const MEDIA: Rows =
    rows!(type: Always Text, id: Optional Text, source: Always SOURCE, metadata: OptionalOrNull NotNull);

const PARTS: Filter = List(
    &OneOf(
        "type",
        &[
            (
                "text",
                rows!(type: Always Text, id: Optional Text, text: Always Text, metadata: Optional NotNull),
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

/// Declares the members of a message: those that all have, and its own.
macro_rules! message {
    ($($own:tt)*) => {
        rows!(id: Always Text, role: Always Text, subagentRunId: Optional Text, metadata: Optional Object, $($own)*)
    };
}

const INSTRUCTION: Rows = message!(content: Always Text, name: Optional Text, encryptedValue: Optional Text);

const TOOL_CALL: Filter = Members(rows!(
    id: Always Text,
    type: Always Word(&["function"]),
    function: Always Members(rows!(name: Always Text, arguments: Always Text)),
    encryptedValue: Optional Text,
    metadata: Optional Object,
));

const MESSAGE: Filter = OneOf(
    "role",
    &[
        ("developer", INSTRUCTION),
        ("system", INSTRUCTION),
        (
            "assistant",
            message!(
                content: Optional Text, name: Optional Text, encryptedValue: Optional Text,
                toolCalls: Optional List(&TOOL_CALL, 0),
            ),
        ),
        (
            "user",
            message!(content: Always TextOr(&PARTS), name: Optional Text, encryptedValue: Optional Text),
        ),
        (
            "tool",
            message!(
                content: Always TextOr(&PARTS), toolCallId: Always Text, error: Optional Text,
                encryptedValue: Optional Text,
            ),
        ),
        ("activity", message!(content: Always Object, activityType: Always Text)),
        ("reasoning", message!(content: Always Text, encryptedValue: Optional Text)),
    ],
    false,
);

pub(super) static MESSAGES: Filter = List(&MESSAGE, 0);

pub(super) static INPUT: Filter = Members(rows!(
    threadId: Always Text,
    runId: Always Text,
    protocolVersion: Optional Text,
    parentRunId: Optional Text,
    state: Optional Any,
    messages: Always List(&MESSAGE, 0),
    tools: Optional List(&Members(rows!(
        name: Always Text, description: Always Text, parameters: OptionalOrNull NotNull, metadata: Optional Object,
    )), 0),
    context: Optional List(&Members(rows!(description: Always Text, value: Always Text)), 0),
    forwardedProps: OptionalOrNull NotNull,
    resume: Optional List(&Members(rows!(
        interruptId: Always Text, status: Always Word(&["resolved", "cancelled"]), payload: OptionalOrNull NotNull,
        metadata: Optional Object,
    )), 0),
));

pub(super) static OUTCOME: Filter = OneOf(
    "type",
    &[
        ("success", rows!(type: Always Text, pendingToolCallIds: Optional List(&Text, 0))),
        (
            "interrupt",
            rows!(type: Always Text, interrupts: Always List(&Members(rows!(
                id: Always Text, reason: Always Text, message: Optional Text, toolCallId: Optional Text,
                responseSchema: Optional Object, expiresAt: Optional Text, metadata: Optional Object,
                subagentRunId: Optional Text,
            )), 1)),
        ),
        ("cancelled", rows!(type: Always Text)),
    ],
    false,
);

pub(super) static SUBAGENT_OUTCOME: Filter = OneOf(
    "type",
    &[
        ("success", rows!(type: Always Text)),
        ("suspended", rows!(type: Always Text, interruptIds: Optional List(&Text, 0))),
    ],
    false,
);

pub(super) static USAGE: Filter = List(
    &Members(rows!(
        provider: Optional Text, model: Optional Text, inputTokens: Optional Integer(0), outputTokens: Optional Integer(0),
        totalTokens: Optional Integer(0), reasoningTokens: Optional Integer(0), cachedInputTokens: Optional Integer(0),
        cacheWriteInputTokens: Optional Integer(0),
    )),
    0,
);
