//! The kinds of losses, and their effects.

/// Kind of loss and its effect. The first ones are noted in any conversion.
pub const KINDS: &[(&str, &str)] = &[
    (
        "after-end",
        "Content after the end of its part or message starts a new message. Content after the end of the run is omitted. So is each run after the first of an AG-UI stream, except in AG-UI and in lines of the hub: the end of the first run is sent as soon as it arrives.",
    ),
    (
        "approval",
        "An interrupt that was answered within the run is not sent again, and its answer is omitted. In a request: a second answer is omitted.",
    ),
    (
        "approval-not-understood",
        "In a request: an answer that neither clearly approves nor clearly declines is sent as a decline.",
    ),
    ("approval-without-request", "An answer without its question is omitted."),
    (
        "arguments-replaced",
        "Full arguments that differ from the arguments already sent are omitted.",
    ),
    ("arguments-without-call", "Arguments without an open call are omitted."),
    ("audio", "Audio is omitted."),
    (
        "blank-text",
        "In a request: a text without a visible character is omitted, because the target refuses it.",
    ),
    ("cache", "In a request: a cache breakpoint is omitted."),
    (
        "call-cut-off",
        "A call with incomplete arguments is not ended, because a client would run it.",
    ),
    (
        "call-id",
        "A call has another id: the source id was empty, longer than 1,024 bytes, or changed during the call.",
    ),
    ("call-id-missing", "A call without an id has a generated id."),
    (
        "call-name-missing",
        "A call without a tool name has an empty name, in Chat Completions `unnamed`.",
    ),
    (
        "call-members",
        "Properties of a call or result other than id, name, arguments and output are omitted.",
    ),
    ("call-missing", "A result without a call: a call without arguments is inserted."),
    (
        "call-order",
        "Overlapping calls are written in the order of their ends, because A2A has only complete calls.",
    ),
    ("call-renamed", "A call that changes its name keeps the first name."),
    ("call-repeated", "A second call with the same id is merged with the first."),
    (
        "call-without-result",
        "In a request: a call has no result. The model is given an error as its result.",
    ),
    ("content-error", "The error of a content is omitted."),
    ("content-type", "A content of a type that the Agent API does not define is omitted."),
    ("data", "Data other than calls, results and interrupts is omitted."),
    ("error-code", "The code of an error is omitted."),
    ("error-message", "Code and text of a message of type error are omitted."),
    (
        "executed-call",
        "A call that the agent or a server has run is not shown to clients of Chat Completions, which would run it, nor is its result. Its state comes back with the message.",
    ),
    ("file", "A file is omitted."),
    ("file-id", "The id of a file that also has an address or bytes is omitted."),
    ("filename", "The name of an image, audio or video is omitted."),
    (
        "forbidden-key",
        "A property at which readers of the AI SDK stop, because it leads to a prototype, is omitted.",
    ),
    ("history", "Messages before the run are omitted: the client has them."),
    (
        "hosted-call",
        "In a request: the call of a tool of another provider is sent as a call of a function, or is omitted if it has no result.",
    ),
    ("image", "An image is omitted."),
    (
        "instructions",
        "In a request: instructions between messages are sent as a message of the user.",
    ),
    ("media-detail", "In a request: the resolution at which a model looks at an image is omitted."),
    ("media-type", "The media type of a file with an address is omitted."),
    (
        "interrupt-hidden",
        "Several interrupts at once: the official AG-Kit client shows the last one and sends one answer. Or a failed run of AG-UI or task of A2A: its interrupts are omitted.",
    ),
    ("late-type", "The type of a message was sent after its text; the written type is kept."),
    ("event-members", "Time and origin of AG-UI events are omitted; noted once."),
    ("message-empty", "In a request: a message of which nothing is left is omitted."),
    ("message-ended", "A change of a message that has ended is omitted."),
    (
        "message-id",
        "A message has a generated id: the source id was empty, longer than 1,024 bytes, or used by another message.",
    ),
    (
        "message-missing",
        "In a request: a message of the user is added where the target requires one.",
    ),
    ("message-repeated", "A message that was opened twice is written once."),
    ("message-status", "The status of a message that failed or is incomplete is omitted."),
    (
        "message-type",
        "A part that does not match the type of its message is written as a separate message.",
    ),
    ("metadata", "Metadata is omitted."),
    ("name", "In a request: the name of the author of a message is omitted."),
    (
        "part-dropped",
        "A part that was already sent is missing in the complete message; it remains in the target.",
    ),
    ("part-repeated", "A repeated part is omitted."),
    ("reasoning", "Reasoning is omitted."),
    ("refusal", "A refusal is written as text."),
    (
        "refused",
        "The value is omitted because readers of the target would reject it, for example because of its depth.",
    ),
    (
        "result-moved",
        "In a request: a result that followed other messages is sent directly after its call.",
    ),
    ("result-repeated", "A second result of a call is omitted."),
    (
        "result-further",
        "In a request: a further result of a call is added to the first one, unless it is the same.",
    ),
    ("role", "The role of a text is omitted."),
    ("run-input", "The request in an AG-UI run is omitted, except for its messages."),
    (
        "run-ids",
        "The ids of run and conversation are omitted. Or a run that starts before the end of another is merged with it.",
    ),
    (
        "status",
        "The status has no equivalent: it is written as an error that names it, or omitted. In A2A an incomplete run is a failed task, and a run that was cut off after an interrupt is a waiting task; `metadata.incomplete` has the reason. An outcome or status that the protocol does not define is omitted, and its run or item is incomplete.",
    ),
    ("text-replaced", "Full text that differs from the text already sent is omitted."),
    ("tool-family", "The kind of a tool (plugin, component, MCP) is omitted."),
    (
        "item-type",
        "Calls and outputs of unknown types of response items are written as those of a custom tool.",
    ),
    ("logprobs", "Log probabilities are omitted."),
    (
        "tool-grammar",
        "In a request: a tool whose input is a text is sent as a function with one text.",
    ),
    (
        "tool-form",
        "In a request: a tool that the client runs in a form of its protocol, such as a shell, is sent as a function.",
    ),
    ("tool-namespace", "In a request: the tools of a namespace have its name before theirs."),
    ("undeclared-member", "Properties that the protocol does not declare are omitted."),
    ("unknown-event", "An event that the protocol does not define is omitted."),
    ("activity", "An activity is omitted."),
    ("alternative", "Alternative answers (`n` > 1) are not distinguished."),
    ("annotation", "A citation or source is omitted."),
    (
        "call-input",
        "Plain-text arguments are written as arguments, which other clients parse as JSON.",
    ),
    ("custom", "A custom event is omitted."),
    (
        "interrupt-members",
        "Properties of an interrupt that the target does not have are omitted: its reason, its time limit, the schema of its answer, the call that it is about.",
    ),
    ("lane", "The subagent of a message is omitted. Or the subagent ends with its run."),
    ("message-members", "The name of the author of a message, or its parent message, is omitted."),
    (
        "messages",
        "The list of messages of the conversation is omitted. Messages that the run added are written.",
    ),
    (
        "opaque",
        "What the model's server expects back in the next request is omitted: a signature, encrypted reasoning, a block of a tool that the server runs.",
    ),
    ("output", "Output of a running tool is omitted."),
    ("preview", "A preview is omitted; the final value follows."),
    ("progress", "The progress of a call is omitted."),
    ("result-parts", "Only the text of a result is written."),
    ("run-result", "The result value of a run is omitted."),
    ("state", "State and state changes are omitted."),
    ("step", "The start or end of a step is omitted. Or the step ends with its run."),
    (
        "tool-error",
        "The error of a call is written as its result, also if the target marks errors separately.",
    ),
    (
        "unknown-step",
        "A custom protocol emitted a step that the hub does not define, or a step without a required property; it is omitted.",
    ),
    ("usage", "Token counts are omitted."),
    ("video", "A video is omitted."),
    ("conversation", "In a request: `session_id` is missing, and AG-Kit requires a conversation."),
    (
        "history",
        "In a request: messages that the AG-Kit server stores are omitted. With a store: the first messages of a conversation that has more than the agent receives.",
    ),
    (
        "item-reference",
        "In a Responses request: an item given by id only; the server that stores items has to resolve it.",
    ),
    ("parameter", "In a request: a property without an equivalent is omitted."),
    ("part", "In a request: a message part without an equivalent is omitted."),
    (
        "previous-response",
        "In a request of Responses or Interactions: earlier turns are not included; the server that stores them has to resolve `previous_response_id` or `previous_interaction_id`.",
    ),
    (
        "result-without-call",
        "In a request: the output of an MCP call without the call is omitted, because Responses has both in one item.",
    ),
    ("tool", "In a request: a tool other than a function is omitted."),
    (
        "tool-members",
        "In a request: properties of a tool other than name, description and parameters are omitted.",
    ),
    ("tool-parameters", "In a request: tool parameters other than a JSON object are omitted."),
];
