//! Steps that do not belong to a part of a message.

use crate::json::{ObjectWriter, Value};

/// Declares the steps: their names, members, and the loss that is noted if a target cannot
/// represent the step. The macro also implements reading and writing them as JSON.
macro_rules! notes {
    ($(
        $(#[$about:meta])*
        $variant:ident = $name:literal, lost: $loss:literal {
            $( $(#[$doc:meta])* $field:ident = $key:literal: $type:ty, )*
        }
    )*) => {
        /// A step that does not belong to a part of a message. Members that the source does not
        /// have are `None`.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Note<'a> {
            $( $(#[$about])* $variant { $( $(#[$doc])* $field: $type, )* }, )*
        }

        impl<'a> Note<'a> {
            /// The names of all notes, as listed in `docs/reference/hub.md`.
            pub const NAMES: &'static [&'static str] = &[$( $name, )*];

            /// Returns the step's name in lines of JSON.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Note::$variant { .. } => $name, )*
                }
            }

            /// Returns the kind of the loss for a target that cannot represent the step.
            pub fn loss(&self) -> &'static str {
                match self {
                    Note::Replace { call: Some(_), .. } => "arguments-replaced",
                    $( Note::$variant { .. } => $loss, )*
                }
            }

            pub(crate) fn write(&self, object: &mut ObjectWriter<'_>) {
                match self {
                    $( Note::$variant { $( $field, )* } => { $( $field.write($key, object); )* } )*
                }
            }

            /// Returns the step with a name and the members of an object; `None` for an unknown
            /// name or if a required member is missing.
            pub(crate) fn read(name: &str, from: &'a Value) -> Option<Self> {
                Some(match name {
                    $( $name => Note::$variant { $( $field: NoteMember::read($key, from)?, )* }, )*
                    _ => return None,
                })
            }
        }
    };
}

notes! {
    /// The run waits or works. It has not ended.
    Status = "status", lost: "status" {
        /// `queued` or `in_progress`.
        status = "status": &'a str,
        /// Details of the status, as the source has them.
        detail = "detail": Option<&'a str>,
    }
    /// Tokens used so far. The value replaces the previous one.
    Usage = "usage", lost: "usage" {
        /// An object.
        usage = "usage": &'a Value,
        /// The message that used them; `None` for the run.
        message = "message": Option<u32>,
    }
    /// An error occurred, and the run continues.
    Error = "error", lost: "error-message" {
        /// An error code.
        code = "code": Option<&'a str>,
        /// A text for people.
        text = "message": &'a str,
    }
    /// After an end, another run begins in the same stream. A target that cannot have two runs
    /// receives no further steps.
    Reopened = "reopened", lost: "after-end" {
        /// The run's id.
        id = "id": Option<&'a str>,
        /// The conversation's id.
        session_id = "sessionId": Option<&'a str>,
        /// The id of the run that began this one.
        parent_id = "parentId": Option<&'a str>,
    }
    /// The whole conversation, which replaces all messages.
    Messages = "messages", lost: "messages" {
        /// A list of objects with `id`, `role` and `content`.
        messages = "messages": &'a Value,
    }
    /// A message or part is removed.
    Retract = "retract", lost: "part-dropped" {
        /// The message.
        message = "message": u32,
        /// The part; `None` for the whole message.
        part = "part": Option<u32>,
    }
    /// Free metadata of the run, of a message, or of a call. It is merged key by key.
    Metadata = "metadata", lost: "metadata" {
        /// An object. (`metadata` of a line is the metadata of the step.)
        value = "value": &'a Value,
        /// The message.
        message = "message": Option<u32>,
        /// The call.
        call = "call": Option<&'a str>,
    }
    /// The complete value of a text, reasoning, refusal or arguments, which replaces the pieces
    /// before it.
    Replace = "replace", lost: "text-replaced" {
        /// The message.
        message = "message": u32,
        /// The part.
        part = "part": u32,
        /// The text.
        text = "text": &'a str,
        /// The call, if the text is its arguments.
        call = "call": Option<&'a str>,
    }
    /// A citation or source.
    Annotation = "annotation", lost: "annotation" {
        /// The message.
        message = "message": u32,
        /// The part that it belongs to.
        part = "part": Option<u32>,
        /// An object, as the source wrote it.
        annotation = "annotation": &'a Value,
    }
    /// Members that only the model's server understands, as it sent them: a signature, encrypted
    /// reasoning, the block of a tool that it runs itself. The client carries them to the next
    /// request. They belong to a part of a message, to a call, or to its result. Those of a
    /// reasoning follow its last piece; those of a call can precede it.
    Opaque = "opaque", lost: "opaque" {
        /// The protocol of the server.
        format = "format": &'a str,
        /// The server and the family of the model ([`scope`](crate::hub::conversation::scope)).
        scope = "scope": Option<&'a str>,
        /// An object.
        members = "members": &'a Value,
        /// Whether they are a whole block: in place of a reasoning without a text, of the call or
        /// result of a tool that the server runs, or after a text. Otherwise they are what is left
        /// of a block besides its content.
        block = "block": bool,
        /// The message: that of the call or of the result, if they belong to one.
        message = "message": Option<u32>,
        /// The part. `None` is the only one, or that of the call or of the result.
        part = "part": Option<u32>,
        /// The call.
        call = "call": Option<&'a str>,
        /// Whether they belong to the result of the call.
        result = "result": bool,
    }
    /// The progress of a call. The call has begun before a target receives this.
    Progress = "progress", lost: "progress" {
        /// The call's id.
        id = "id": &'a str,
        /// The status, as the source has it.
        status = "status": &'a str,
        /// Any JSON.
        data = "data": Option<&'a Value>,
    }
    /// The next piece of a tool's output while it runs. The call has begun before a target receives
    /// this.
    Output = "output", lost: "output" {
        /// The call's id.
        id = "id": &'a str,
        /// The piece of text.
        piece = "piece": &'a str,
        /// The output channel: `stdout`, for example.
        channel = "channel": Option<&'a str>,
    }
    /// A call failed. The call has begun before a target receives this, and has no result.
    ToolError = "tool-error", lost: "tool-error" {
        /// The call's id.
        id = "id": &'a str,
        /// `input`, `tool` or `denied`.
        cause = "cause": Option<&'a str>,
        /// A text for people.
        text = "message": &'a str,
    }
    /// The complete state that agent and client share.
    State = "state", lost: "state" {
        /// Any JSON, including null.
        value = "value": &'a Value,
    }
    /// A change of the state, which is applied completely or not at all (U9).
    StatePatch = "state-patch", lost: "state" {
        /// A list of RFC 6902 operations.
        patch = "patch": &'a Value,
    }
    /// The complete content of an activity: a description of the agent's work for people.
    Activity = "activity", lost: "activity" {
        /// Its id.
        id = "id": &'a str,
        /// Its type.
        activity_type = "activityType": &'a str,
        /// An object.
        content = "content": &'a Value,
        /// An existing activity with that id is kept.
        keep = "keep": bool,
    }
    /// A change of an activity.
    ActivityPatch = "activity-patch", lost: "activity" {
        /// Its id.
        id = "id": &'a str,
        /// Its type.
        activity_type = "activityType": &'a str,
        /// A list of RFC 6902 operations.
        patch = "patch": &'a Value,
    }
    /// A named step of the run begins.
    StepStart = "step-start", lost: "step" {
        /// Its id.
        id = "id": Option<&'a str>,
        /// Its name.
        name = "name": Option<&'a str>,
        /// `step` or `reasoning`; `None` means `step`.
        kind = "kind": Option<&'a str>,
    }
    /// A named step of the run ends.
    StepEnd = "step-end", lost: "step" {
        /// Its id.
        id = "id": Option<&'a str>,
        /// Its name.
        name = "name": Option<&'a str>,
        /// `step` or `reasoning`; `None` means `step`.
        kind = "kind": Option<&'a str>,
    }
    /// A subagent begins. Its steps have its id as their lane.
    LaneStart = "lane-start", lost: "lane" {
        /// Its id.
        id = "id": &'a str,
        /// Its name.
        name = "name": &'a str,
        /// The purpose of the subagent.
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
        /// The error of a subagent that failed: `code` and `message`.
        error = "error": Option<&'a Value>,
        /// The result: any JSON.
        result = "result": Option<&'a Value>,
        /// A list of the ids of the questions that it waits for.
        pending = "pending": Option<&'a Value>,
    }
    /// One of several alternative answers ends. Number 0 is the main answer.
    Alternative = "alternative", lost: "alternative" {
        /// Its number.
        alternative = "alternative": u32,
        /// The status of a run.
        status = "status": &'a str,
        /// The short reason of an alternative that is incomplete.
        reason = "reason": Option<&'a str>,
    }
    /// A custom event of the application.
    Custom = "custom", lost: "custom" {
        /// Its name.
        name = "name": &'a str,
        /// Any JSON.
        value = "value": &'a Value,
    }
    /// An event of the source that has no step.
    Passthrough = "passthrough", lost: "unknown-event" {
        /// The name of the source's protocol.
        protocol = "protocol": &'a str,
        /// The name of the event in that protocol.
        name = "name": &'a str,
        /// The event's data, byte for byte.
        data = "data": &'a str,
    }
}

impl Note<'_> {
    /// Returns the location for a loss: the id, name or type of the step.
    pub fn place(&self) -> &str {
        match *self {
            Note::Progress { id, .. } | Note::Output { id, .. } | Note::ToolError { id, .. } => id,
            Note::Activity { id, .. } | Note::ActivityPatch { id, .. } => id,
            Note::LaneStart { id, .. } | Note::LaneEnd { id, .. } => id,
            Note::StepStart { id, name, .. } | Note::StepEnd { id, name, .. } => {
                name.or(id).unwrap_or("")
            }
            Note::Custom { name, .. } | Note::Passthrough { name, .. } => name,
            Note::Metadata { call, .. }
            | Note::Opaque { call, .. }
            | Note::Replace { call, .. } => call.unwrap_or(""),
            _ => "",
        }
    }

    /// Returns the call that must have begun before the step.
    pub(crate) fn call(&self) -> Option<&str> {
        match *self {
            Note::Progress { id, .. } | Note::Output { id, .. } | Note::ToolError { id, .. } => {
                Some(id)
            }
            _ => None,
        }
    }
}

// Members of steps as members of JSON objects. In wasm, reading and writing are not inlined: there
// are many members, and all are rare.

/// A member of a step.
pub(super) trait NoteMember<'a>: Sized {
    fn write(&self, key: &str, object: &mut ObjectWriter<'_>);
    fn read(key: &str, from: &'a Value) -> Option<Self>;
}

impl<'a> NoteMember<'a> for &'a str {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut ObjectWriter<'_>) {
        object.string(key, Some(self));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        from.get(key)?.as_str()
    }
}

impl<'a> NoteMember<'a> for &'a Value {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut ObjectWriter<'_>) {
        object.value(key, Some(self));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        from.get(key)
    }
}

impl<'a> NoteMember<'a> for u32 {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut ObjectWriter<'_>) {
        object.integer(key, Some((*self).into()));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        from.get(key)?.integer()
    }
}

impl<'a> NoteMember<'a> for bool {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut ObjectWriter<'_>) {
        object.bool(key, Some(*self).filter(|is| *is));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        Some(from.get(key) == Some(&Value::Bool(true)))
    }
}

/// An optional member may be missing, but a member that is present must have the right type.
impl<'a, F: NoteMember<'a>> NoteMember<'a> for Option<F> {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut ObjectWriter<'_>) {
        if let Some(value) = self {
            value.write(key, object);
        }
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        match from.get(key) {
            None | Some(Value::Null) => Some(None),
            Some(_) => F::read(key, from).map(Some),
        }
    }
}
