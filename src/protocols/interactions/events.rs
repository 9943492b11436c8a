//! Events as they stand on the wire: borrowed, open, and read leniently.
//!
//! ```
//! use agentwire::interactions::events::Event;
//!
//! let event = Event::decode(r#"{"event_type":"step.stop","index":2}"#, 128)?;
//! assert!(matches!(event, Event::StepStop { index: Some(2), .. }));
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::declare::lazy_objects;
use crate::core::events;

events! {
    /// One event of a stream.
    Event by "event_type", end "[DONE]";

    /// The start of the interaction. (I1.)
    InteractionCreated = "interaction.created" {
        /// The interaction, usually without steps.
        interaction: Object of InteractionHead,
        /// The id of the event, from which the stream can be resumed. (I9.)
        event_id: Nullable<Id>,
        /// Data of the stream, such as the token usage so far.
        metadata: Json,
    }
    /// A new status of the interaction. (I2.)
    InteractionStatusUpdate = "interaction.status_update" {
        /// The interaction's id.
        interaction_id: Nullable<Id>,
        /// The status.
        status: Nullable<Text>,
        /// The token usage so far.
        usage: Json,
        /// The token with which another request continues the interaction. (I10.)
        continuation_token: Nullable<Text>,
        /// The id of the event, from which the stream can be resumed. (I9.)
        event_id: Nullable<Id>,
        /// Data of the stream.
        metadata: Json,
    }
    /// The start of a step. (I3.)
    StepStart = "step.start" {
        /// The step's index.
        index: Number,
        /// The step, without what its deltas have.
        step: Object of StepHead,
        /// The id of the event, from which the stream can be resumed. (I9.)
        event_id: Nullable<Id>,
        /// Data of the stream.
        metadata: Json,
    }
    /// A delta of a step. (I4.)
    StepDelta = "step.delta" {
        /// The step's index.
        index: Number,
        /// The delta.
        delta: Object of StepChange,
        /// The id of the event, from which the stream can be resumed. (I9.)
        event_id: Nullable<Id>,
        /// Data of the stream: `total_usage`, the token usage so far.
        metadata: Json,
    }
    /// The end of a step. (I5.)
    StepStop = "step.stop" {
        /// The step's index.
        index: Number,
        /// The token usage so far.
        usage: Json,
        /// The token usage of the step.
        step_usage: Json,
        /// The id of the event, from which the stream can be resumed. (I9.)
        event_id: Nullable<Id>,
        /// Data of the stream.
        metadata: Json,
    }
    /// The end of the interaction. (I6.)
    InteractionCompleted = "interaction.completed" {
        /// The interaction, usually without steps.
        interaction: Object of InteractionHead,
        /// The id of the event, from which the stream can be resumed. (I9.)
        event_id: Nullable<Id>,
        /// Data of the stream.
        metadata: Json,
    }
    /// An error, which ends the stream. (I7.)
    Error = "error" {
        /// The error: `code` and `message`.
        error: Json,
        /// The id of the event, from which the stream can be resumed. (I9.)
        event_id: Nullable<Id>,
        /// Data of the stream.
        metadata: Json,
    }
}

lazy_objects! {
    /// An interaction in an event. It has any further properties of the resource.
    InteractionHead as "InteractionsHead" {
        /// The interaction's id. Empty if it is not stored.
        id: Nullable<Id>,
        /// The status.
        status: Nullable<Text>,
        /// The model.
        model: Nullable<Text>,
        /// The agent.
        agent: Nullable<Text>,
        /// The token usage.
        usage: Json,
        /// The whole steps, if the event has them.
        steps: Json,
    }
    /// A step at its start. Its other properties depend on its type.
    StepHead as "InteractionsStepStart" {
        /// The type: `model_output`, `thought`, `function_call`, `google_search_call`, …
        r#type as "type": Nullable<Text>,
    }
    /// A delta of a step. Its other properties depend on its type.
    StepChange as "InteractionsStepDelta" {
        /// The type: `text`, `arguments_delta`, `thought_summary`, `thought_signature`,
        /// `text_annotation_delta`, a kind of media, or the type of the step.
        r#type as "type": Nullable<Text>,
        /// The next piece of a text.
        text: Nullable<Text>,
        /// The next piece of the summary of a thought: a text or an image.
        content: Json,
        /// The next piece of the arguments of a call: JSON text. Whole arguments are an object.
        arguments: Json,
        /// The signature, which the next request has to contain. (I8.)
        signature: Nullable<Text>,
        /// New annotations of a text.
        annotations: Json,
    }
}
