//! What a builder is told before it starts.

use alloc::{boxed::Box, string::String};

use crate::core::{Clock, IdSource};
use crate::json::Value;
use crate::protocols::agent_api::Style;
use core::fmt;

/// How a [`ResponseBuilder`](super::ResponseBuilder) works.
pub struct BuilderOptions {
    pub(in crate::protocols::agent_api) ids: Box<dyn IdSource>,
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
    /// As they were completed, like the Python builder. Readers will report `part-order`.
    Completion,
}

/// Random ids and the clock of the system.
#[cfg(all(feature = "uuid", not(all(target_family = "wasm", target_os = "unknown"))))]
impl Default for BuilderOptions {
    fn default() -> Self {
        Self::new(crate::core::id::RandomIds, crate::core::id::system_clock)
    }
}

impl BuilderOptions {
    /// Ids from `ids`, times from `clock`, everything else as the runtime does it.
    ///
    /// `ids` is called while the builder is locked: it must not call the builder.
    pub fn new(ids: impl IdSource + 'static, clock: Clock) -> Self {
        BuilderOptions {
            ids: Box::new(ids),
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

    /// The conversation; the same in every response event (R11).
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.session_id = Some(id.into());
        self
    }

    /// The response's id, in place of a new one; an empty one counts as none. A request's `id` belongs here (R40).
    pub fn response_id(mut self, id: impl Into<String>) -> Self {
        self.response_id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }

    /// What becomes of members without a value; [`Style::Wire`] unless set.
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Whether events are numbered from 0 (R8), as the runtime's server does; on unless switched off. Off writes null,
    /// as the bare Python builder does.
    pub fn numbering(mut self, numbering: bool) -> Self {
        self.numbering = numbering;
        self
    }

    /// The order of the parts of a message; [`PartOrder::Index`] unless set.
    pub fn part_order(mut self, order: PartOrder) -> Self {
        self.part_order = order;
        self
    }

    /// Whether an empty `output` is null unless the response is completed, as the runtime's server writes it, in place of
    /// the Python builder's `[]`; off unless switched on. Both mean the same (R12).
    pub fn null_output(mut self, null_output: bool) -> Self {
        self.null_output = null_output;
        self
    }

    /// Whether the last event lists the completed messages only, as the runtime's server does (R15), in place of every
    /// message that was shown, with its status; off unless switched on. The official web UI shows only what is listed when
    /// a run did not end well, so what was shown before would disappear from it.
    pub fn completed_only(mut self, completed_only: bool) -> Self {
        self.completed_only = completed_only;
        self
    }

    /// What of its request the answer repeats, for other protocols: an object, whose members are those of the protocol that is
    /// written.
    pub fn echo(mut self, echo: Value) -> Self {
        self.echo = echo;
        self
    }
}

impl fmt::Debug for BuilderOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuilderOptions")
            .field("session_id", &self.session_id)
            .field("response_id", &self.response_id)
            .field("style", &self.style)
            .field("numbering", &self.numbering)
            .field("part_order", &self.part_order)
            .field("null_output", &self.null_output)
            .field("completed_only", &self.completed_only)
            .field("echo", &self.echo)
            .finish_non_exhaustive()
    }
}
