//! The legal order of events: the verifier of the official client, with its messages. (B.6.)
//!
//! [`Lifecycle::step`] decides whether an event is legal, and changes the state. The fold and the
//! writer call it with different [`Judge`]s: the fold reports violations and recovers, and the
//! writer leaves out an event that has one.
//!
//! ```text
//!           ┌────────┐ RUN_STARTED ┌─────────┐ RUN_FINISHED ┌──────────┐
//!      run  │ Before │────────────▶│ Running │─────────────▶│ Finished │──▶ RUN_STARTED: Running
//!           └────────┘             └─────────┘              └──────────┘
//!               │ RUN_ERROR             │ RUN_ERROR              │ RUN_ERROR
//!               ▼                       ▼                        ▼
//!           ┌────────┐
//!           │ Failed │──▶ RUN_STARTED: Running
//!           └────────┘
//! ```
//!
//! All other events are legal in Running only. Messages, calls, reasoning blocks, steps and
//! subagents are opened and closed by id; all of them have to end before `RUN_FINISHED`, and
//! `RUN_ERROR` cuts them off. An event that names a subagent has to name the one that owns the
//! subject of the event.

mod checks;
mod open;

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::events::{EVENTS, EventKind};
use super::model::Role;
use crate::core::EventReading;
use crate::core::sink::ObjectId;
use crate::json::{Element, Str};
pub(super) use checks::{LifecycleViolation, filled};
use open::{Open, OpenAction};
pub(super) use open::{Owned, StreamKind, Subagent, subagent_name};

/// The phase of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// No event was received.
    #[default]
    Before,
    /// A run is in progress.
    Running,
    /// Events were received before a run started: texts and calls without a start get one (K13).
    Fragments,
    Finished,
    Failed,
}

/// The members of an event that decide whether it is legal.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventHead<'e> {
    pub kind: EventKind,
    /// The id of the event's subject, or the name of a step.
    pub id: &'e str,
    /// The id of the message of a call, or of the subagent that started a subagent.
    pub parent: Option<&'e str>,
    /// The subagent that sent the event.
    pub subagent: Option<&'e str>,
    /// Whether an activity keeps an existing content, or whether an encrypted value is that of a
    /// call.
    pub flag: bool,
    /// The messages of a snapshot or a request.
    pub messages: &'e [MessageHead<'e>],
    pub metadata: Option<Element<'e, 'e>>,
}

impl<'e> EventHead<'e> {
    /// Creates the head of an event that has only an id and a subagent.
    #[cfg(feature = "hub")]
    pub fn new(kind: EventKind, id: &'e str, subagent: Option<&'e str>) -> Self {
        EventHead { kind, id, parent: None, subagent, flag: false, messages: &[], metadata: None }
    }
}

/// The decoded members of an event's head.
#[derive(Clone, Debug)]
pub(super) struct HeadMembers<'a> {
    pub kind: EventKind,
    pub id: Option<Cow<'a, str>>,
    pub parent: Option<Cow<'a, str>>,
    pub subagent: Option<Cow<'a, str>>,
    pub flag: bool,
}

impl<'a> HeadMembers<'a> {
    pub fn of(kind: EventKind, event: &EventReading<'_, 'a>) -> Self {
        use EventKind::*;
        let (id, parent) = match kind {
            RunStarted | RunFinished => ("threadId", ""),
            RunError => ("message", ""),
            StepStarted | StepFinished => ("stepName", ""),
            ToolCallStart => ("toolCallId", "parentMessageId"),
            ToolCallArgs | ToolCallEnd | ToolCallChunk => ("toolCallId", ""),
            SubagentStarted => ("subagentRunId", "parentSubagentRunId"),
            SubagentFinished | SubagentError => ("subagentRunId", ""),
            ReasoningEncryptedValue => ("entityId", ""),
            _ => ("messageId", ""),
        };
        let text = |name| event.text(name).map(Str::to_str);
        let flag = match kind {
            ActivitySnapshot => {
                event.named("replace").is_some_and(|replace| replace.bool() == Ok(false))
            }
            _ => event.text("subtype").is_some_and(|subtype| subtype == "tool-call"),
        };
        HeadMembers {
            kind,
            id: text(id),
            parent: text(parent),
            subagent: text("subagentRunId"),
            flag,
        }
    }

    pub fn head<'e>(
        &'e self,
        metadata: Option<Element<'e, 'e>>,
        messages: &'e [MessageHead<'e>],
    ) -> EventHead<'e> {
        EventHead {
            kind: self.kind,
            id: self.id.as_deref().unwrap_or_default(),
            parent: self.parent.as_deref(),
            subagent: self.subagent.as_deref(),
            flag: self.flag,
            messages,
            metadata,
        }
    }
}

/// A message of a snapshot or a request.
#[derive(Clone, Debug)]
pub(super) struct MessageHead<'e> {
    pub id: String,
    pub role: Role,
    pub json: Element<'e, 'e>,
}

impl<'e> MessageHead<'e> {
    /// Returns the messages that an event contains. `member` returns a member of the event.
    pub fn of_event(
        kind: EventKind,
        member: impl Fn(&str) -> Option<Element<'e, 'e>>,
    ) -> Vec<Self> {
        Self::all(match kind {
            EventKind::RunStarted => member("input").and_then(|input| input.member("messages")),
            EventKind::MessagesSnapshot => member("messages"),
            _ => None,
        })
    }

    /// Returns the messages of a list.
    pub fn all(list: Option<Element<'e, 'e>>) -> Vec<Self> {
        let head = |json: Element<'e, 'e>| {
            let id = json.member("id")?.string().ok()?.to_str().into_owned();
            let role = role_of(&json.member("role")?.string().ok()?.to_str())?;
            Some(MessageHead { id, role, json })
        };
        list.into_iter().flat_map(Element::items).filter_map(head).collect()
    }

    /// Returns the ids of the calls of the message.
    pub fn call_ids(&self) -> impl Iterator<Item = Cow<'e, str>> {
        let calls = self.json.member("toolCalls").into_iter().flat_map(Element::items);
        calls.filter_map(|call| Some(call.member("id")?.string().ok()?.to_str()))
    }
}

/// Returns the role of that name.
pub(super) fn role_of(name: &str) -> Option<Role> {
    Role::ALL.iter().copied().find(|role| role.as_str() == name)
}

impl EventKind {
    /// Returns the type on the wire.
    pub(super) fn name(self) -> &'static str {
        EVENTS.rows.get(self as usize).map_or("", |row| row.name)
    }

    /// Returns whether the event is a piece of a text, a reasoning or arguments.
    pub(super) fn is_piece(self) -> bool {
        use EventKind::*;
        matches!(
            self,
            TextMessageContent
                | TextMessageChunk
                | ReasoningMessageContent
                | ReasoningMessageChunk
                | ThinkingTextMessageContent
                | ToolCallArgs
                | ToolCallChunk
        )
    }
}

/// Receives the violations of an event, and bounds the state.
pub(super) trait Judge {
    /// Receives a violation. Returns whether the protocol's recovery is to be applied, if there is
    /// one.
    fn violation(&mut self, violation: LifecycleViolation) -> bool;

    /// Returns whether one more entry may be added to so many.
    fn has_room(&mut self, _entries: usize) -> bool {
        true
    }

    /// Returns whether messages may be traversed again after so much repeated work.
    fn has_time(&mut self, _work: u64) -> bool {
        true
    }
}

/// The effect of a legal event, for readers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effect {
    /// The object that the reader has attached to the part that the event ends.
    pub node: Option<ObjectId>,
    /// The start that the event lacked and that was inserted.
    pub inserted: Option<EventKind>,
}

/// The state of a stream that decides which events are legal next.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifecycle {
    pub phase: Phase,
    pub open: Open,
    /// The cost of repeated work: messages traversed again, and bytes written again.
    pub work: u64,
}

impl Lifecycle {
    /// Applies an event, or returns `None` if it is refused. If the judge never recovers, a refused
    /// event changes nothing. Chunks are passed as the events that they become, and events from
    /// before 1.0 as those of 1.0.
    pub fn step(&mut self, head: &EventHead<'_>, judge: &mut dyn Judge) -> Option<Effect> {
        use EventKind::*;
        let EventHead { kind, id, subagent, .. } = *head;
        if let Err(violation) = self.check_phase(kind) {
            let phase = self.phase;
            if !judge.violation(violation) || matches!(phase, Phase::Finished | Phase::Failed) {
                return None;
            }
            if phase == Phase::Before {
                self.phase = Phase::Fragments;
            }
        }
        if let Some((stream, action)) = StreamKind::of(kind) {
            return self.step_stream(stream, action, head, judge);
        }
        match kind {
            RunStarted => {
                if self.phase != Phase::Before {
                    self.open = Open::default();
                }
                self.phase = Phase::Running;
                self.own_messages(head.messages, false);
            }
            RunFinished => {
                if let Err(violation) = self.check_finished()
                    && !judge.violation(violation)
                {
                    return None;
                }
                self.phase = Phase::Finished;
            }
            RunError => self.phase = Phase::Failed,
            StepStarted => {
                self.has_room(judge)?;
                require(self.check_step_start(head), judge)?;
                self.open.steps.open(subagent, id);
            }
            StepFinished => {
                require(self.check_step_finish(head), judge)?;
                return Some(Effect {
                    node: self.open.steps.close(subagent, id),
                    ..Effect::default()
                });
            }
            ToolCallResult => {
                self.has_room(judge)?;
                judge.has_time(self.work).then_some(())?;
                self.open.set_owner(Owned::Message, id, subagent);
            }
            MessagesSnapshot => {
                judge.has_time(self.work).then_some(())?;
                self.own_messages(head.messages, true);
            }
            ActivitySnapshot => {
                self.has_room(judge)?;
                match head.flag {
                    true => self.open.set_new_owner(Owned::Activity, id, subagent),
                    false => self.open.set_owner(Owned::Activity, id, subagent),
                }
            }
            ActivityDelta => require(self.check_owner(Owned::Activity, head), judge)?,
            ReasoningEncryptedValue => {
                let owned = match head.flag {
                    true => Owned::Call,
                    false if self.open.owner(Owned::Message, id).is_some() => Owned::Message,
                    false => Owned::Reasoning,
                };
                let noun = if head.flag { "tool call" } else { "message" };
                require(self.check_owner_of(noun, owned, head), judge)?;
            }
            SubagentStarted => {
                self.has_room(judge)?;
                require(self.check_subagent_start(head), judge)?;
                self.open.subagents.open(id);
            }
            SubagentFinished | SubagentError => {
                require(self.check_subagent_end(head), judge)?;
                return Some(Effect { node: self.open.subagents.close(id), ..Effect::default() });
            }
            _ => {}
        }
        Some(Effect::default())
    }

    /// Applies an event of a text, a reasoning block or message, or a call. A missing start is
    /// inserted in a stream without a run, and before a piece of a text that is new.
    fn step_stream(
        &mut self,
        stream: StreamKind,
        action: OpenAction,
        head: &EventHead<'_>,
        judge: &mut dyn Judge,
    ) -> Option<Effect> {
        if action == OpenAction::Start {
            require(self.check_start(stream, head.id), judge)?;
            self.has_room(judge)?;
            match stream {
                StreamKind::Call => require(self.check_parent(head), judge)?,
                _ => require(self.check_owner(stream.owned(), head), judge)?,
            }
            self.start(stream, head);
            return Some(Effect::default());
        }
        let open = self.check_open(stream, head);
        let is_open = open.is_ok();
        let is_new = || self.open.owner(stream.owned(), head.id).is_none();
        let begins = self.phase == Phase::Fragments
            || stream != StreamKind::Call && action != OpenAction::End && is_new();
        if let Err(violation) = open
            && !(judge.violation(violation) && begins)
        {
            return None;
        }
        require(self.check_owner(stream.owned(), head), judge)?;
        if action == OpenAction::End {
            return Some(Effect {
                node: self.open.names_mut(stream).close(head.id),
                inserted: None,
            });
        }
        let inserts = !is_open && self.has_room(judge).is_some();
        if inserts {
            self.start(stream, head);
        }
        Some(Effect { node: None, inserted: inserts.then(|| stream.start()) })
    }

    /// Opens a text, a reasoning block or message, or a call. A call belongs to the subagent of its
    /// message if it names none.
    fn start(&mut self, stream: StreamKind, head: &EventHead<'_>) {
        let parent = head.parent.filter(|_| stream == StreamKind::Call);
        let inherited =
            parent.and_then(|parent| self.open.owner(Owned::Message, parent)).cloned().flatten();
        self.open.names_mut(stream).open(head.id);
        self.open.set_new_owner(stream.owned(), head.id, head.subagent.or(inherited.as_deref()));
    }

    fn has_room(&self, judge: &mut dyn Judge) -> Option<()> {
        judge.has_room(self.open.len()).then_some(())
    }

    /// Records the owners of messages and of their calls. A snapshot overwrites owners; a request
    /// does not.
    pub fn own_messages(&mut self, messages: &[MessageHead<'_>], overwrite: bool) {
        for message in messages {
            let owned = match message.role {
                Role::Reasoning => Owned::Reasoning,
                Role::Activity => Owned::Activity,
                _ => Owned::Message,
            };
            let subagent = message
                .json
                .member("subagentRunId")
                .and_then(|id| id.string().ok())
                .map(Str::to_str);
            let mut own = |owned, id: &str| match overwrite {
                true => self.open.set_owner(owned, id, subagent.as_deref()),
                false => self.open.set_new_owner(owned, id, subagent.as_deref()),
            };
            own(owned, &message.id);
            message.call_ids().for_each(|id| own(Owned::Call, &id));
        }
    }
}

/// Passes a violation to the judge; a refused event is not applied.
fn require(allowed: Result<(), LifecycleViolation>, judge: &mut dyn Judge) -> Option<()> {
    allowed.map_err(|violation| judge.violation(violation)).ok()
}
