//! Steps that are not a part of a message: what else protocols say about a run.

use super::field::Field;
use crate::json::{Object, Value};

/// Declares the steps: their names, members, and the loss that is noted where a target has no place for one. Reading and
/// writing them as JSON follows.
macro_rules! notes {
    ($(
        $(#[$about:meta])*
        $variant:ident = $name:literal, lost: $loss:literal {
            $( $(#[$doc:meta])* $field:ident = $key:literal: $type:ty, )*
        }
    )*) => {
        /// A step that is not a part of a message. Members that the source does not have are `None`.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Note<'a> {
            $( $(#[$about])* $variant { $( $(#[$doc])* $field: $type, )* }, )*
        }

        impl<'a> Note<'a> {
            /// The names of all of them, as they stand in `docs/reference/hub.md`.
            pub const NAMES: &'static [&'static str] = &[$( $name, )*];

            /// The step's name in lines of JSON.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Note::$variant { .. } => $name, )*
                }
            }

            /// The kind of the loss where a target has no place for it.
            pub fn loss(&self) -> &'static str {
                match self {
                    Note::Replace { call: Some(_), .. } => "arguments-replaced",
                    $( Note::$variant { .. } => $loss, )*
                }
            }

            pub(crate) fn write(&self, object: &mut Object<'_>) {
                match self {
                    $( Note::$variant { $( $field, )* } => { $( $field.write($key, object); )* } )*
                }
            }

            /// The step of that name with the members of an object; `None` when there is no such step, or one of its
            /// members is missing.
            pub(crate) fn read(name: &str, from: &'a Value) -> Option<Self> {
                Some(match name {
                    $( $name => Note::$variant { $( $field: Field::read($key, from)?, )* }, )*
                    _ => return None,
                })
            }
        }
    };
}

notes! {
    /// The run waits or works. Not an end.
    Status = "status", lost: "status" {
        /// `queued` or `in_progress`.
        status = "status": &'a str,
        /// What it does, in a word of the source.
        detail = "detail": Option<&'a str>,
    }
    /// Tokens used so far. It replaces what was said before.
    Usage = "usage", lost: "usage" {
        /// An object.
        usage = "usage": &'a Value,
        /// The message that used them; the run, if there is none.
        message = "message": Option<u32>,
    }
    /// Something failed, and the run goes on.
    Error = "error", lost: "error-message" {
        /// A name for programs.
        code = "code": Option<&'a str>,
        /// A sentence for people.
        text = "message": &'a str,
    }
    /// After an end, another run begins in the same stream. A target that cannot have two gets nothing more.
    Reopened = "reopened", lost: "after-end" {
        /// The run's.
        id = "id": Option<&'a str>,
        /// The conversation's.
        session_id = "sessionId": Option<&'a str>,
        /// The run that began this one.
        parent_id = "parentId": Option<&'a str>,
    }
    /// The conversation as it stands, in place of what is known of it.
    Messages = "messages", lost: "messages" {
        /// A list of objects with `id`, `role` and `content`.
        messages = "messages": &'a Value,
    }
    /// A message or part that was said is taken back.
    Retract = "retract", lost: "part-dropped" {
        /// The message.
        message = "message": u32,
        /// The part; all of the message, if there is none.
        part = "part": Option<u32>,
    }
    /// Free metadata, merged key by key: of the run, of a message, or of a call.
    Metadata = "metadata", lost: "metadata" {
        /// An object. (`metadata` of a line is that of the step.)
        value = "value": &'a Value,
        /// The message.
        message = "message": Option<u32>,
        /// The call.
        call = "call": Option<&'a str>,
    }
    /// All of a text, reasoning, refusal or arguments, in place of what was said of it.
    Replace = "replace", lost: "text-replaced" {
        /// The message.
        message = "message": u32,
        /// The part.
        part = "part": u32,
        /// Characters.
        text = "text": &'a str,
        /// The call whose arguments they are.
        call = "call": Option<&'a str>,
    }
    /// A citation or source.
    Annotation = "annotation", lost: "annotation" {
        /// The message.
        message = "message": u32,
        /// The part that it is about.
        part = "part": Option<u32>,
        /// An object, as the source wrote it.
        annotation = "annotation": &'a Value,
    }
    /// A value that only the model's server can read, and that has to be sent back with the next request.
    Opaque = "opaque", lost: "opaque" {
        /// `signature` or `encrypted`.
        kind = "kind": &'a str,
        /// The value.
        value = "value": &'a str,
        /// The message that it belongs to.
        message = "message": Option<u32>,
        /// The call that it belongs to.
        call = "call": Option<&'a str>,
    }
    /// How far a call is. When a target gets it, the call has begun.
    Progress = "progress", lost: "progress" {
        /// The call's id.
        id = "id": &'a str,
        /// A word of the source.
        status = "status": &'a str,
        /// Any JSON.
        data = "data": Option<&'a Value>,
    }
    /// The next piece of what a tool says while it runs. When a target gets it, the call has begun.
    Output = "output", lost: "output" {
        /// The call's id.
        id = "id": &'a str,
        /// Characters.
        piece = "piece": &'a str,
        /// Where it was written: `stdout`, for example.
        channel = "channel": Option<&'a str>,
    }
    /// A call failed. When a target gets it, the call has begun, and it has no result.
    ToolError = "tool-error", lost: "tool-error" {
        /// The call's id.
        id = "id": &'a str,
        /// `input`, `tool` or `denied`.
        cause = "cause": Option<&'a str>,
        /// A sentence for people.
        text = "message": &'a str,
    }
    /// The state that agent and client share, whole.
    State = "state", lost: "state" {
        /// Any JSON, null too.
        value = "value": &'a Value,
    }
    /// A change of it: applied whole or not at all (U9).
    StatePatch = "state-patch", lost: "state" {
        /// A list of RFC 6902 operations.
        patch = "patch": &'a Value,
    }
    /// What the agent is doing, for people, whole.
    Activity = "activity", lost: "activity" {
        /// Its id.
        id = "id": &'a str,
        /// Its type.
        activity_type = "activityType": &'a str,
        /// An object.
        content = "content": &'a Value,
        /// It is left as it is if there is one of that id.
        keep = "keep": bool,
    }
    /// A change of it.
    ActivityPatch = "activity-patch", lost: "activity" {
        /// Its id.
        id = "id": &'a str,
        /// Its type.
        activity_type = "activityType": &'a str,
        /// A list of RFC 6902 operations.
        patch = "patch": &'a Value,
    }
    /// A named stretch of the run begins.
    StepStart = "step-start", lost: "step" {
        /// Its id.
        id = "id": Option<&'a str>,
        /// Its name.
        name = "name": Option<&'a str>,
        /// `step`, or `reasoning`; none means `step`.
        kind = "kind": Option<&'a str>,
    }
    /// It ends.
    StepEnd = "step-end", lost: "step" {
        /// Its id.
        id = "id": Option<&'a str>,
        /// Its name.
        name = "name": Option<&'a str>,
        /// `step`, or `reasoning`; none means `step`.
        kind = "kind": Option<&'a str>,
    }
    /// A subagent begins. Its steps have its id as their lane.
    LaneStart = "lane-start", lost: "lane" {
        /// Its id.
        id = "id": &'a str,
        /// Its name.
        name = "name": &'a str,
        /// What it is for.
        text = "text": Option<&'a str>,
        /// The lane that began it.
        parent = "parent": Option<&'a str>,
        /// The call that began it.
        parent_call = "parentCall": Option<&'a str>,
        /// The id of the message that began it.
        parent_message = "parentMessage": Option<&'a str>,
    }
    /// A subagent ends.
    LaneEnd = "lane-end", lost: "lane" {
        /// Its id.
        id = "id": &'a str,
        /// `completed`, `failed`, or `incomplete` when it waits for an answer.
        status = "status": &'a str,
        /// Why it failed: `code` and `message`.
        error = "error": Option<&'a Value>,
        /// Any JSON.
        result = "result": Option<&'a Value>,
        /// The ids of the questions that it waits for: a list.
        pending = "pending": Option<&'a Value>,
    }
    /// One of several alternative answers ends. Number 0 is the answer.
    Alternative = "alternative", lost: "alternative" {
        /// Its number.
        alternative = "alternative": u32,
        /// How: a status of a run.
        status = "status": &'a str,
        /// Why it is not whole, in a word.
        reason = "reason": Option<&'a str>,
    }
    /// Something that only this application understands.
    Custom = "custom", lost: "custom" {
        /// Its name.
        name = "name": &'a str,
        /// Any JSON.
        value = "value": &'a Value,
    }
    /// An event as the source sent it, for which there is no step.
    Passthrough = "passthrough", lost: "unknown-event" {
        /// The protocol that it is of, by the name that it has everywhere.
        protocol = "protocol": &'a str,
        /// What the event is called there.
        name = "name": &'a str,
        /// Its data, byte for byte.
        data = "data": &'a str,
    }
}

impl Note<'_> {
    /// Where it stands: the id, name or type that a loss says.
    pub fn place(&self) -> &str {
        match *self {
            Note::Progress { id, .. } | Note::Output { id, .. } | Note::ToolError { id, .. } => id,
            Note::Activity { id, .. } | Note::ActivityPatch { id, .. } => id,
            Note::LaneStart { id, .. } | Note::LaneEnd { id, .. } => id,
            Note::StepStart { id, name, .. } | Note::StepEnd { id, name, .. } => name.or(id).unwrap_or(""),
            Note::Custom { name, .. } | Note::Passthrough { name, .. } => name,
            Note::Metadata { call, .. } | Note::Opaque { call, .. } | Note::Replace { call, .. } => {
                call.unwrap_or("")
            }
            _ => "",
        }
    }

    /// The call that has to have begun before it.
    pub(crate) fn call(&self) -> Option<&str> {
        match *self {
            Note::Progress { id, .. } | Note::Output { id, .. } | Note::ToolError { id, .. } => Some(id),
            _ => None,
        }
    }
}
