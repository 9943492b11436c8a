//! The parts of an answer that were passed on, and its end.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::tools::ClientTools;
use super::{RelayOutput, UsedNames};
use crate::hub::conversation::Back;
use crate::hub::conversation::members::gathered;
use crate::hub::{
    EndStatus, Hub, Losses, MessageEnd, MessageKind, Note, RunEnd, Step, StepMeta, ToolKind,
};
use crate::json::Value;

/// A call in a forwarded answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForwardedCall {
    /// Its id.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments, which are JSON text.
    pub arguments: String,
}

/// The properties of the server of an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnswerOrigin {
    /// The tools that the model knows in another form than the client.
    pub back: Back,
    /// The [scope](crate::hub::conversation::scope) of the opaque members in the answer.
    pub scope: Option<String>,
    /// The text and the arguments of calls are not a part of the end.
    pub is_dropped: bool,
}

/// The output that has been passed on.
#[derive(Debug, Default)]
pub(crate) struct PassedAnswer {
    tools: ClientTools,
    sent: SentAnswer,
}

#[derive(Debug, Default)]
struct SentAnswer {
    /// The scope of the opaque members that have none.
    scope: Option<String>,
    /// The text and the arguments of calls are not kept.
    is_dropped: bool,
    /// The messages by their number in the answer.
    messages: BTreeMap<u32, SentMessage>,
    /// The ids of the calls in the run by those in the answer: an earlier answer can have had the
    /// same ones.
    ids: BTreeMap<String, String>,
    /// The calls, by the numbers of message and part in the answer.
    calls: BTreeMap<(u32, u32), SentCall>,
    /// The places of the calls by their ids in the run.
    places: BTreeMap<String, (u32, u32)>,
    /// The calls that repeat the id of another one, which they complete.
    repeated: BTreeMap<(u32, u32), (u32, u32)>,
    /// The calls by id that the answer itself has a result for.
    answered_ids: BTreeSet<String>,
    /// The text of the main answer.
    text: String,
    last: LastStep,
    end: Option<RunEnd>,
    /// The model that has answered.
    model: Option<String>,
    /// The token usage before the end.
    usage: Option<Value>,
    /// The ids of the questions that wait for the user.
    questions: BTreeSet<String>,
    losses: Losses,
}

/// A message that has been passed on.
#[derive(Clone, Copy, Debug)]
struct SentMessage {
    /// Its number in the run.
    number: u32,
    is_open: bool,
    kind: Option<MessageKind<'static>>,
    /// Part of the main answer.
    is_main: bool,
}

#[derive(Debug)]
struct SentCall {
    call: ForwardedCall,
    /// Its id in the run.
    taken: String,
    kind: ToolKind,
    is_main: bool,
    has_arguments: bool,
    /// Its arguments are complete.
    has_ended: bool,
}

/// The kind of the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LastStep {
    /// Not a piece of a text.
    #[default]
    Other,
    /// A piece of another text than that of the answer: of reasoning, or of a refusal.
    Piece,
    /// A piece of the text of the answer.
    Text,
}

/// The end of an answer that has been passed on.
#[derive(Debug)]
pub(crate) struct PassedEnd {
    pub end: RunEnd,
    pub model: Option<String>,
    pub text: String,
    pub calls: Vec<PassedCall>,
    #[cfg(feature = "wasm")]
    pub questions: u32,
    pub losses: Losses,
}

/// A call that has been passed on.
#[derive(Debug)]
pub(crate) struct PassedCall {
    /// With its id in the run.
    pub call: ForwardedCall,
    pub kind: ToolKind,
    /// Part of the main answer.
    pub is_main: bool,
    /// The answer has its result.
    pub is_answered: bool,
}

impl PassedCall {
    /// Whether it waits for a result of the client's side.
    pub fn waits(&self) -> bool {
        self.is_main && self.kind == ToolKind::Function && !self.is_answered
    }
}

impl PassedAnswer {
    /// Creates an answer at its start.
    pub fn new(AnswerOrigin { back, scope, is_dropped }: AnswerOrigin) -> Self {
        PassedAnswer {
            tools: ClientTools::new(back),
            sent: SentAnswer { scope, is_dropped, ..SentAnswer::default() },
        }
    }

    /// Passes on the steps that `source` emits; `event` is the number of its event, which had so
    /// many bytes. If they were one piece of a text, returns a state of the output in which it
    /// writes further pieces of that text.
    pub fn pass(
        &mut self,
        output: &impl RelayOutput,
        event: u64,
        bytes: u64,
        source: &mut dyn FnMut(&mut Hub<'_>),
    ) -> Option<u64> {
        let PassedAnswer { tools, sent } = self;
        let mut losses = core::mem::take(&mut sent.losses);
        let piece = output.relay(bytes, &mut |hub, taken| {
            let mut emit = |step: &Step<'_>, context: StepMeta<'_>, _: &mut Losses| {
                tools.restore(step, &mut |step| sent.step(step, context, hub, taken));
            };
            source(&mut Hub::new(&mut emit, &mut losses).at(event));
        });
        sent.losses = losses;
        piece.filter(|_| sent.last != LastStep::Other)
    }

    /// Keeps further pieces of the last text, which were written without a step.
    pub fn keep(&mut self, piece: &str) {
        if self.sent.last == LastStep::Text && !self.sent.is_dropped {
            self.sent.text.push_str(piece);
        }
    }

    /// Closes what the answer has left open, and returns how it ended.
    pub fn take(&mut self, output: &impl RelayOutput) -> PassedEnd {
        let mut sent = core::mem::take(&mut self.sent);
        let mut end = sent.end.take().unwrap_or_else(|| RunEnd::incomplete(RunEnd::CUT_OFF));
        end.usage = end.usage.or(sent.usage.take());
        let left = sent.close(end.status);
        output.relay(0, &mut |hub, _| {
            left.iter()
                .for_each(|(message, end)| hub.emit(&Step::Close { message: *message, end }));
        });
        output.limit_repeats(false);
        for id in &mut end.pending {
            if let Some(taken) = sent.ids.get(id) {
                id.clone_from(taken);
            }
        }
        let answered = sent.answered_ids;
        let calls =
            sent.calls.into_values().map(|SentCall { call, taken, kind, is_main, .. }| {
                let is_answered = answered.contains(&call.id);
                PassedCall { call: ForwardedCall { id: taken, ..call }, kind, is_main, is_answered }
            });
        PassedEnd {
            end,
            model: sent.model,
            text: sent.text,
            calls: calls.collect(),
            #[cfg(feature = "wasm")]
            questions: sent.questions.len() as u32,
            losses: sent.losses,
        }
    }
}

impl SentAnswer {
    /// Returns the messages that the answer has left open, each with its end. A call that has not
    /// ended is incomplete, because a client would run a complete one; clients show a question only
    /// if it is completed.
    fn close(&mut self, status: EndStatus) -> Vec<(u32, MessageEnd)> {
        let open_calls = self.calls.iter().filter(|(_, call)| !call.has_ended);
        let with_calls: BTreeSet<u32> = gathered(open_calls.map(|((message, _), _)| *message));
        let mut left = Vec::new();
        for (number, message) in self.messages.iter().filter(|(_, message)| message.is_open) {
            let has_call = with_calls.contains(number);
            if has_call && matches!(status, EndStatus::Completed | EndStatus::Incomplete) {
                self.losses.note(
                    "call-cut-off",
                    "",
                    "its arguments never ended: it is not whole, or clients would run it",
                );
            }
            let end = match (message.kind, status) {
                (Some(MessageKind::Interrupt), EndStatus::Incomplete) => EndStatus::Completed,
                (_, EndStatus::Completed) if has_call => EndStatus::Incomplete,
                (_, status) => status,
            };
            left.push((message.number, MessageEnd::new(end)));
        }
        left
    }

    fn step(
        &mut self,
        step: &Step<'_>,
        context: StepMeta<'_>,
        hub: &mut Hub<'_>,
        taken: &mut UsedNames,
    ) {
        if let Step::Start { model: Some(model), .. } = *step {
            self.model = Some(model.into());
        }
        match *step {
            // The run has begun, and goes on.
            Step::Start { .. } | Step::Note(Note::Reopened { .. }) => return self.end = None,
            Step::End(end) => return self.end = Some(end.clone()),
            Step::Call { id, .. } if id.is_empty() || !self.ids.contains_key(id) => {
                self.ids.insert(id.into(), taken.call(id));
            }
            _ => {}
        }
        let renumbered = step.renumbered(&mut |number| {
            let next = || SentMessage {
                number: taken.next_message(),
                is_open: true,
                kind: None,
                is_main: true,
            };
            self.messages.entry(number).or_insert_with(next).number
        });
        self.last = self.keep(step);
        let mut renamed = renumbered.renamed(&self.ids);
        if let Step::Note(Note::Opaque { scope: scope @ None, .. }) = &mut renamed {
            *scope = self.scope.as_deref();
        }
        hub.emit_in(context, &renamed);
    }

    fn call_at(&mut self, place: (u32, u32)) -> Option<&mut SentCall> {
        let first = self.repeated.get(&place).unwrap_or(&place);
        self.calls.get_mut(first)
    }

    /// Keeps what the result of forwarding contains.
    fn keep(&mut self, step: &Step<'_>) -> LastStep {
        match *step {
            Step::Open { message, kind, alternative, .. } => {
                if let Some(sent) = self.messages.get_mut(&message) {
                    (sent.kind, sent.is_main) = (Some(kind.without_name()), alternative == 0);
                }
            }
            Step::Close { message, .. } => {
                if let Some(sent) = self.messages.get_mut(&message) {
                    sent.is_open = false;
                }
            }
            Step::Text { message, piece, .. } => {
                let is_answer = |sent: &SentMessage| {
                    sent.is_main && matches!(sent.kind, None | Some(MessageKind::Message))
                };
                if !self.messages.get(&message).is_some_and(is_answer) {
                    return LastStep::Piece;
                }
                if !self.is_dropped {
                    self.text.push_str(piece);
                }
                return LastStep::Text;
            }
            Step::Reasoning { .. } | Step::Refusal { .. } => return LastStep::Piece,
            Step::Call { message, part, id, name, .. } => {
                let sent = self.messages.get(&message);
                let kind = match sent.and_then(|sent| sent.kind) {
                    Some(MessageKind::Call(kind)) => kind,
                    _ => ToolKind::Function,
                };
                let taken = self.ids.get(id).cloned().unwrap_or_default();
                let first = *self.places.entry(taken.clone()).or_insert((message, part));
                if let Some(sent) = self.calls.get(&first) {
                    // Some servers open a call in one part and complete it in another.
                    if !sent.has_arguments && !sent.has_ended {
                        self.repeated.insert((message, part), first);
                    }
                    return LastStep::Other;
                }
                let call =
                    ForwardedCall { id: id.into(), name: name.into(), arguments: String::new() };
                let is_main = sent.is_none_or(|sent| sent.is_main);
                let (has_arguments, has_ended) = (false, false);
                let sent = SentCall { call, taken, kind, is_main, has_arguments, has_ended };
                self.calls.insert((message, part), sent);
            }
            Step::EndPart { message, part, .. } => {
                if let Some(sent) = self.call_at((message, part)) {
                    sent.has_ended = true;
                }
            }
            Step::Arguments { message, part, piece } => {
                let is_kept = !self.is_dropped;
                if let Some(sent) = self.call_at((message, part)) {
                    sent.has_arguments |= !piece.is_empty();
                    if is_kept {
                        sent.call.arguments.push_str(piece);
                    }
                }
            }
            Step::Note(Note::Replace { message, part, text, call: Some(_) }) => {
                let is_kept = !self.is_dropped;
                if let Some(sent) = self.call_at((message, part)) {
                    sent.has_arguments = !text.is_empty();
                    if is_kept {
                        sent.call.arguments = text.into();
                    }
                }
            }
            Step::Result { id, preview: false, .. } | Step::Note(Note::ToolError { id, .. }) => {
                self.answered_ids.insert(id.into());
            }
            Step::Interrupt { message, id, .. } => {
                if let Some(sent) = self.messages.get_mut(&message) {
                    sent.kind.get_or_insert(MessageKind::Interrupt);
                }
                self.questions.insert(id.into());
            }
            Step::Answer { id, .. } => {
                self.questions.remove(id);
            }
            Step::Note(Note::Usage { usage, message: None }) => self.usage = Some(usage.clone()),
            _ => {}
        }
        LastStep::Other
    }
}
