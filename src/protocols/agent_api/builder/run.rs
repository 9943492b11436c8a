//! The state of one stream, which all of its handles share.

use alloc::{string::String, vec, vec::Vec};

use super::check::{refuse, stale};
use super::options::BuilderOptions;
use crate::bytes::string_map::StringMap;
use crate::core::{PieceTemplate, UsageError};
use crate::json::decimal;
use crate::protocols::agent_api::lifecycle::{Phase, Transition};
use crate::protocols::agent_api::{Content, Message, Payload, Response, RunStatus};
pub(super) use held::{Guard, Handle, Lock};

/// A handle on a run.
#[derive(Clone)]
pub(super) struct Shared(Handle<Lock<Run>>);

pub(super) struct Run {
    /// The options, which stay the same when the response is reset.
    pub(super) settings: Handle<BuilderOptions>,
    /// Whether the response was reset, so that handles on this run are unusable.
    pub(super) stale: bool,
    pub(super) next_number: i64,
    /// The response; its output is empty except while the last event is written.
    pub(super) response: Response,
    pub(super) phase: Phase,
    pub(super) messages: Vec<Entry>,
    /// The messages that have ended, in the order of their ends.
    pub(super) ended: Vec<usize>,
    /// The messages by id.
    pub(super) ids: StringMap<usize>,
}

/// A message and its state.
pub(super) struct Entry {
    /// Its contents are the completed parts.
    pub(super) message: Message,
    pub(super) phase: Phase,
    pub(super) parts: Vec<Part>,
    /// The number of contents that have had an event, which is the index of the next one (R25).
    pub(super) started: u32,
}

/// A content in construction.
pub(super) struct Part {
    /// The value so far: the last snapshot, and all deltas after it.
    pub(super) content: Content,
    pub(super) phase: Phase,
    /// The index that the caller requested.
    pub(super) wanted: Option<u32>,
    /// Whether a delta was sent.
    pub(super) pieces: bool,
    /// The template for the events of its pieces, created with the first one.
    pub(super) template: Option<PieceTemplate>,
}

impl Shared {
    pub(super) fn new(settings: Handle<BuilderOptions>, response_id: Option<String>) -> Self {
        let id = response_id.unwrap_or_else(|| settings.next_id("response_"));
        let mut response = Response::new(id);
        response.created_at = Some((settings.clock)());
        response.session_id.clone_from(&settings.session_id);
        Shared(Handle::new(Lock::new(Run {
            settings,
            stale: false,
            next_number: 0,
            response,
            phase: Phase::Absent,
            messages: Vec::new(),
            ended: Vec::new(),
            ids: StringMap::default(),
        })))
    }

    pub(super) fn lock(&self) -> Guard<'_, Run> {
        self.0.lock()
    }

    /// Returns the run, unless the response was reset.
    pub(super) fn fresh(&self, call: &str) -> Result<Guard<'_, Run>, UsageError> {
        let run = self.lock();
        match run.stale {
            true => Err(stale(call)),
            false => Ok(run),
        }
    }
}

impl Run {
    pub(super) fn part(&mut self, at: (usize, usize)) -> &mut Part {
        &mut self.messages[at.0].parts[at.1]
    }

    /// Refuses a step after the end of its object.
    pub(super) fn not_ended(step: Transition, call: &str) -> Result<(), UsageError> {
        match step {
            Transition::Illegal(rule, Phase::Ended) => Err(refuse(rule, call)),
            Transition::Illegal(..) | Transition::Advance(_) | Transition::Repeat => Ok(()),
        }
    }

    /// Returns the messages that the last event lists: those that a client has been shown, all of which have ended by
    /// then, or only the completed ones (R15).
    pub(super) fn listed(&self) -> Vec<usize> {
        let only = self.settings.completed_only;
        let is_listed = |at: &usize| !only || self.messages[*at].message.status == RunStatus::Completed;
        self.ended.iter().copied().filter(is_listed).collect()
    }

    /// Returns the response so far: the listed messages of an ended response first, otherwise all in the order of their
    /// creation.
    pub(super) fn to_response(&self) -> Response {
        let mut response = self.response.clone();
        let ended = self.phase == Phase::Ended;
        let mut order = if ended { self.listed() } else { Vec::new() };
        let mut listed = vec![false; self.messages.len()];
        order.iter().for_each(|&at| listed[at] = true);
        order.extend((0..listed.len()).filter(|&at| !listed[at]));
        response.output = order.into_iter().map(|at| self.messages[at].message.clone()).collect();
        response
    }
}

impl Entry {
    pub(super) fn new(message: Message) -> Self {
        Entry { message, phase: Phase::Absent, parts: Vec::new(), started: 0 }
    }

    /// Returns whether its opening event was created, but not its end.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Waiting | Phase::InProgress)
    }
}

impl Part {
    /// Adds a piece to a text.
    pub(super) fn add_text(&mut self, piece: &str) {
        self.pieces = true;
        if let Payload::Text { text } | Payload::Refusal { refusal: text } = &mut self.content.payload {
            text.get_or_insert_default().push_str(piece);
        }
    }

    pub(super) fn is_unsaid(&self) -> bool {
        self.phase == Phase::Absent
    }

    pub(super) fn is_ended(&self) -> bool {
        self.phase == Phase::Ended
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Waiting | Phase::InProgress)
    }
}

/// Returns the refusal of an index that another content has.
pub(super) fn taken(index: u32, call: &str) -> UsageError {
    UsageError::new(
        "index-taken",
        [call, " is for index ", &decimal(index.into()), ", which another content of the message has"]
            .concat(),
        "let `create_content_builder()` choose",
    )
}

/// A value that several handles share: across threads with `std`, on one thread without it.
#[cfg(feature = "std")]
mod held {
    pub use std::sync::{Arc as Handle, MutexGuard as Guard};

    use std::sync::{Mutex, PoisonError};

    pub struct Lock<T>(Mutex<T>);

    impl<T> Lock<T> {
        pub fn new(value: T) -> Self {
            Lock(Mutex::new(value))
        }

        /// Locks the value. A panic of an id source or clock does not leave an incomplete change, so the lock stays
        /// usable.
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
mod held {
    pub use alloc::rc::Rc as Handle;
    pub use core::cell::RefMut as Guard;

    use core::cell::RefCell;

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
