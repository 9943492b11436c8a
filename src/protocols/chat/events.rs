//! Events as they stand on the wire: chunks, borrowed and read leniently. (C18.)
//!
//! ```
//! use agentwire::chat::events::Event;
//!
//! let chunk = r#"{"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}"#;
//! let Event::Chunk { id, choices, .. } = Event::decode(chunk, 128)? else { panic!("a chunk") };
//! assert_eq!((id.as_deref(), choices.is_some()), (Some("c"), true));
//! assert_eq!(Event::decode("[DONE]", 128)?, Event::Done);
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::declare::lazy_objects;
use crate::core::events;

events! {
    /// One event of a stream.
    ///
    /// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD here.
    /// A
    /// [`Reader`](crate::Reader) joins the halves.
    Event by "", end "[DONE]";

    /// A chunk of a completion, or an error.
    Chunk {
        /// The completion's id. Some servers send an empty one in the first chunk.
        id: Nullable<Id>,
        /// `chat.completion.chunk`. Empty or absent with some servers.
        object: Nullable<Text>,
        /// The creation time, in seconds since 1970.
        created: Json,
        /// The model.
        model: Nullable<Text>,
        /// The deltas of the choices. Empty in chunks that have something else.
        choices: Nullable<List> of ChoiceDelta,
        /// The token usage.
        usage: Json,
        /// The error that ends the stream. (C4.)
        error: Json,
        /// Random padding that hides the length of the delta.
        obfuscation: Unread,
    }
}

lazy_objects! {
    /// A delta of a choice.
    ChoiceDelta as "ChatChoiceDelta" {
        /// The choice's index.
        index: Number,
        /// The delta of the message.
        delta: Nullable<Object> of Delta,
        /// The whole message, in a completion that is not a stream.
        message: Nullable<Object> of Delta,
        /// Why the choice ended. Absent or null before.
        finish_reason: Nullable<Text>,
        /// The log probabilities of the tokens of the delta.
        logprobs: Json,
    }
    /// A delta of a message. Servers add properties of their own.
    Delta as "ChatDelta" {
        /// The role, in the first delta.
        role: Nullable<Text>,
        /// The next piece of the text. A list of parts with Mistral's reasoning models.
        content: Json,
        /// The next piece of the refusal.
        refusal: Nullable<Text>,
        /// The next piece of the reasoning, in DeepSeek's spelling.
        reasoning_content: Nullable<Text>,
        /// The next piece of the reasoning, in OpenRouter's spelling.
        reasoning: Nullable<Text>,
        /// Details of the reasoning, such as signatures, in OpenRouter's spelling.
        reasoning_details: Json,
        /// The deltas of tool calls.
        tool_calls: Nullable<List> of ToolCallDelta,
        /// A delta of the only call, in the older spelling.
        function_call: Nullable<Object> of FunctionDelta,
        /// New annotations of the text.
        annotations: Json,
        /// The next piece of the audio.
        audio: Nullable<Object> of AudioDelta,
    }
    /// A delta of a tool call.
    ToolCallDelta as "ChatToolCallDelta" {
        /// The call's index in the message. It identifies the call. (C2.)
        index: Number,
        /// The call's id, in the first delta.
        id: Nullable<Id>,
        /// `function`.
        r#type as "type": Nullable<Text>,
        /// The delta of the function.
        function: Nullable<Object> of FunctionDelta,
        /// The delta of the custom tool, in place of a function.
        custom: Nullable<Object> of CustomDelta,
    }
    /// A delta of a function's name and arguments.
    FunctionDelta as "ChatFunctionDelta" {
        /// The name, in the first delta.
        name: Nullable<Text>,
        /// The next piece of the arguments, which are JSON text. Some servers send all of them, as
        /// an object.
        arguments: Json,
    }
    /// A delta of a custom tool's name and input.
    CustomDelta as "ChatCustomToolDelta" {
        /// The name, in the first delta.
        name: Nullable<Text>,
        /// The next piece of the input: plain text.
        input: Nullable<Text>,
    }
    /// A delta of an audio answer.
    AudioDelta as "ChatAudioDelta" {
        /// The audio's id.
        id: Nullable<Id>,
        /// The next piece of the audio in base64.
        data: Nullable<Text>,
        /// The next piece of the transcript.
        transcript: Nullable<Text>,
        /// The time at which the server deletes the audio, in seconds since 1970.
        expires_at: Json,
    }
}
