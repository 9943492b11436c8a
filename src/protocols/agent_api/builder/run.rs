//! The options of a builder, and the state of one stream, which all of its handles share.

use alloc::{boxed::Box, string::String, vec, vec::Vec};

use super::check::{refuse, stale};
use crate::bytes::string_map::StringMap;
use crate::core::{Clock, IdSource, PieceTemplate, UsageError};
use crate::json::{Value, decimal};
use crate::protocols::agent_api::lifecycle::{ObjectPhase, StatusTransition};
use crate::protocols::agent_api::{Content, Message, Payload, Response, RunStatus, Style};
pub(super) use shared::{Guard, Handle, Lock};

/// A handle on a run.
#[derive(Clone, Debug)]
pub(super) struct SharedRun(Handle<Lock<BuiltRun>>);

#[derive(Debug)]
pub(super) struct BuiltRun {
    /// The options, which stay the same when the response is reset.
    pub(super) settings: Handle<BuilderOptions>,
    /// Whether the response was reset, so that handles on this run are unusable.
    pub(super) stale: bool,
    pub(super) next_number: i64,
    /// The response without its messages.
    pub(super) response: Response,
    pub(super) phase: ObjectPhase,
    /// Boxed, so that a stream of many messages does not move them.
    #[allow(clippy::vec_box, reason = "an entry is large, and the list grows by its capacity")]
    pub(super) messages: Vec<Box<BuiltMessage>>,
    /// The messages that have ended, in the order of their ends.
    pub(super) ended: Vec<usize>,
    /// The messages by id.
    pub(super) ids: StringMap<usize>,
    /// The content of the last piece, and the template for the events of its next ones. Only one is
    /// kept, because a stream can have very many open contents.
    pub(super) template: Option<((usize, usize), PieceTemplate)>,
}

/// A message and its state.
#[derive(Debug)]
pub(super) struct BuiltMessage {
    /// Its contents are the completed parts, in their order once [`arrange`](Entry::arrange) was
    /// called.
    pub(super) message: Message,
    pub(super) phase: ObjectPhase,
    pub(super) parts: Vec<BuiltContent>,
    /// The number of contents that have had an event, which is the index of the next one (R25).
    pub(super) started: u32,
}

/// A content of a message. A stream can have very many, so that one which has ended keeps nothing
/// here.
#[derive(Debug)]
pub(super) struct BuiltContent {
    /// The value so far: the last snapshot, and all deltas after it. `None` for a content that has
    /// ended. The rest of the content is here and in the message: a whole one for each open content
    /// would take several times this memory.
    pub(super) payload: Option<Box<Payload>>,
    /// The number of the last event with the whole value.
    pub(super) number: Option<i64>,
    pub(super) index: u32,
    pub(super) phase: ObjectPhase,
    /// The index that the caller requested.
    pub(super) wanted: Option<u32>,
    /// Whether a delta was sent.
    pub(super) pieces: bool,
}

impl SharedRun {
    pub(super) fn new(settings: Handle<BuilderOptions>, response_id: Option<String>) -> Self {
        let id = response_id.unwrap_or_else(|| settings.next_id("response_"));
        let mut response = Response::new(id);
        response.created_at = Some((settings.clock)());
        response.session_id.clone_from(&settings.session_id);
        SharedRun(Handle::new(Lock::new(BuiltRun {
            settings,
            stale: false,
            next_number: 0,
            response,
            phase: ObjectPhase::Absent,
            messages: Vec::new(),
            ended: Vec::new(),
            ids: StringMap::default(),
            template: None,
        })))
    }

    pub(super) fn lock(&self) -> Guard<'_, BuiltRun> {
        self.0.lock()
    }

    /// Returns the run, unless the response was reset.
    pub(super) fn fresh(&self, call: &str) -> Result<Guard<'_, BuiltRun>, UsageError> {
        let run = self.lock();
        match run.stale {
            true => Err(stale(call)),
            false => Ok(run),
        }
    }
}

impl BuiltRun {
    pub(super) fn part(&mut self, at: (usize, usize)) -> &mut BuiltContent {
        &mut self.messages[at.0].parts[at.1]
    }

    /// Refuses a step after the end of its object.
    pub(super) fn not_ended(step: StatusTransition, call: &str) -> Result<(), UsageError> {
        match step {
            StatusTransition::Illegal(rule, ObjectPhase::Ended) => Err(refuse(rule, call)),
            StatusTransition::Illegal(..)
            | StatusTransition::Advance(_)
            | StatusTransition::Repeat => Ok(()),
        }
    }

    /// Returns the messages that the last event lists: those that a client has been shown, all of
    /// which have ended by then, or only the completed ones (R15).
    pub(super) fn listed(&self) -> Vec<usize> {
        let only = self.settings.completed_only;
        let is_listed =
            |at: &usize| !only || self.messages[*at].message.status == RunStatus::Completed;
        self.ended.iter().copied().filter(is_listed).collect()
    }

    /// Returns the response so far: the listed messages of an ended response first, otherwise all
    /// in the order of their creation.
    pub(super) fn response_so_far(&mut self) -> Response {
        let order = self.settings.part_order;
        self.messages.iter_mut().for_each(|entry| entry.arrange(order));
        let mut response = self.response.clone();
        let ended = self.phase == ObjectPhase::Ended;
        let mut order = if ended { self.listed() } else { Vec::new() };
        let mut listed = vec![false; self.messages.len()];
        order.iter().for_each(|&at| listed[at] = true);
        order.extend((0..listed.len()).filter(|&at| !listed[at]));
        response.output = order.into_iter().map(|at| self.messages[at].message.clone()).collect();
        response
    }
}

impl BuiltMessage {
    pub(super) fn new(message: Message) -> Box<Self> {
        Box::new(BuiltMessage {
            message,
            phase: ObjectPhase::Absent,
            parts: Vec::new(),
            started: 0,
        })
    }

    /// Returns a content with this value.
    pub(super) fn content(&self, part: usize, payload: Payload) -> Content {
        let part = &self.parts[part];
        let mut content = Content::new(&*self.message.id, part.index, payload);
        content.sequence_number = part.number;
        content
    }

    /// Arranges the completed parts, which are added in the order of their ends: a place for each
    /// at its end would take quadratic time.
    pub(super) fn arrange(&mut self, order: PartOrder) {
        let parts = &mut self.message.content;
        if order == PartOrder::Index && !parts.is_sorted_by_key(|part| part.index) {
            parts.sort_by_key(|part| part.index);
        }
    }

    /// Returns whether its opening event was created, but not its end.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.phase, ObjectPhase::Waiting | ObjectPhase::InProgress)
    }
}

impl BuiltContent {
    /// Adds a piece to a text.
    pub(super) fn add_text(&mut self, piece: &str) {
        self.pieces = true;
        if let Some(Payload::Text { text } | Payload::Refusal { refusal: text }) =
            self.payload.as_deref_mut()
        {
            text.get_or_insert_default().push_str(piece);
        }
    }

    pub(super) fn is_ended(&self) -> bool {
        self.phase == ObjectPhase::Ended
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.phase, ObjectPhase::Waiting | ObjectPhase::InProgress)
    }
}

/// Returns the refusal of an index that another content has.
pub(super) fn index_taken(index: u32, call: &str) -> UsageError {
    UsageError::new(
        "index-taken",
        [
            call,
            " is for index ",
            &decimal(index.into()),
            ", which another content of the message has",
        ]
        .concat(),
        "let `create_content_builder()` choose",
    )
}

/// A value that several handles share: across threads with `std`, on one thread without it.
#[cfg(feature = "std")]
mod shared {
    pub use std::sync::{Arc as Handle, MutexGuard as Guard};

    use std::sync::{Mutex, PoisonError};

    #[derive(Debug)]
    pub struct Lock<T>(Mutex<T>);

    impl<T> Lock<T> {
        pub fn new(value: T) -> Self {
            Lock(Mutex::new(value))
        }

        /// Locks the value. A panic of an id source or clock does not leave an incomplete change,
        /// so the lock stays usable.
        pub fn lock(&self) -> Guard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        #[cfg(feature = "hub")]
        pub fn into_inner(self) -> T {
            self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

#[cfg(not(feature = "std"))]
mod shared {
    pub use alloc::rc::Rc as Handle;
    pub use core::cell::RefMut as Guard;

    use core::cell::RefCell;

    #[derive(Debug)]
    pub struct Lock<T>(RefCell<T>);

    impl<T> Lock<T> {
        pub fn new(value: T) -> Self {
            Lock(RefCell::new(value))
        }

        pub fn lock(&self) -> Guard<'_, T> {
            self.0.borrow_mut()
        }

        #[cfg(feature = "hub")]
        pub fn into_inner(self) -> T {
            self.0.into_inner()
        }
    }
}

/// The options of a [`ResponseBuilder`](super::ResponseBuilder).
#[derive(Debug)]
pub struct BuilderOptions {
    pub(in crate::protocols::agent_api) ids: Lock<Box<dyn IdSource>>,
    pub(in crate::protocols::agent_api) clock: Clock,
    pub(in crate::protocols::agent_api) session_id: Option<String>,
    pub(in crate::protocols::agent_api) response_id: Option<String>,
    pub(super) style: Style,
    pub(super) numbering: bool,
    pub(super) part_order: PartOrder,
    pub(super) null_output: bool,
    pub(super) completed_only: bool,
    pub(crate) echo: Value,
}

/// The order in which a message lists its parts. (R21.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartOrder {
    /// By `index`.
    #[default]
    Index,
    /// In the order of their completion, like the Python builder. Readers report `part-order`.
    Completion,
}

/// Uses random ids and the clock of the system.
#[cfg(all(feature = "uuid", not(all(target_family = "wasm", target_os = "unknown"))))]
impl Default for BuilderOptions {
    fn default() -> Self {
        Self::new(crate::core::id::RandomIds, crate::core::id::system_clock)
    }
}

impl BuilderOptions {
    /// Creates options with ids from `ids` and times from `clock`; all other options have the
    /// behavior of the runtime.
    ///
    /// `ids` is called while the builder is locked: it must not call the builder.
    pub fn new(ids: impl IdSource + 'static, clock: Clock) -> Self {
        BuilderOptions {
            ids: Lock::new(Box::new(ids)),
            clock,
            session_id: None,
            response_id: None,
            style: Style::Wire,
            numbering: true,
            part_order: PartOrder::Index,
            null_output: false,
            completed_only: false,
            echo: Value::Null,
        }
    }

    pub(super) fn next_id(&self, prefix: &str) -> String {
        self.ids.lock().next_id(prefix)
    }

    /// Sets the id of the conversation; it is the same in every response event (R11).
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.session_id = Some(id.into());
        self
    }

    /// Sets the response's id, instead of a new one; an empty id is treated as absent. A request's
    /// `id` belongs here (R40).
    pub fn response_id(mut self, id: impl Into<String>) -> Self {
        self.response_id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }

    /// Sets the treatment of members without a value; the default is [`Style::Wire`].
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Sets whether events are numbered from 0 (R8), as by the runtime's server; true by default.
    /// Without numbering the number is null, as from the bare Python builder.
    pub fn numbering(mut self, numbering: bool) -> Self {
        self.numbering = numbering;
        self
    }

    /// Sets the order of the parts of a message; the default is [`PartOrder::Index`].
    pub fn part_order(mut self, order: PartOrder) -> Self {
        self.part_order = order;
        self
    }

    /// Sets whether an empty `output` is null unless the response is completed, as from the
    /// runtime's server, instead of the Python builder's `[]`; false by default. Both have the same
    /// meaning (R12).
    pub fn null_output(mut self, null_output: bool) -> Self {
        self.null_output = null_output;
        self
    }

    /// Sets whether the last event lists only the completed messages, as the runtime's server does
    /// (R15), instead of every message that was shown, with its status; false by default. After a
    /// run that did not end well, the official web UI shows only the listed messages, so that
    /// messages shown before would disappear from it.
    pub fn completed_only(mut self, completed_only: bool) -> Self {
        self.completed_only = completed_only;
        self
    }

    /// Sets the members of its request that the answer repeats, for other protocols: an object with
    /// members of the protocol that is written.
    pub fn echo(mut self, echo: Value) -> Self {
        self.echo = echo;
        self
    }
}
