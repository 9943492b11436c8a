//! Options of a builder.

use alloc::{boxed::Box, string::String};
use core::fmt;

use super::run::Lock;
use crate::core::{Clock, IdSource};
use crate::json::Value;
use crate::protocols::agent_api::Style;

/// The options of a [`ResponseBuilder`](super::ResponseBuilder).
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
    /// Creates options with ids from `ids` and times from `clock`; all other options have the behavior of the runtime.
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

    /// Sets the response's id, instead of a new one; an empty id is treated as absent. A request's `id` belongs here
    /// (R40).
    pub fn response_id(mut self, id: impl Into<String>) -> Self {
        self.response_id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }

    /// Sets the treatment of members without a value; the default is [`Style::Wire`].
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Sets whether events are numbered from 0 (R8), as by the runtime's server; true by default. Without numbering the
    /// number is null, as from the bare Python builder.
    pub fn numbering(mut self, numbering: bool) -> Self {
        self.numbering = numbering;
        self
    }

    /// Sets the order of the parts of a message; the default is [`PartOrder::Index`].
    pub fn part_order(mut self, order: PartOrder) -> Self {
        self.part_order = order;
        self
    }

    /// Sets whether an empty `output` is null unless the response is completed, as from the runtime's server, instead
    /// of the Python builder's `[]`; false by default. Both have the same meaning (R12).
    pub fn null_output(mut self, null_output: bool) -> Self {
        self.null_output = null_output;
        self
    }

    /// Sets whether the last event lists only the completed messages, as the runtime's server does (R15), instead of
    /// every message that was shown, with its status; false by default. After a run that did not end well, the official
    /// web UI shows only the listed messages, so that messages shown before would disappear from it.
    pub fn completed_only(mut self, completed_only: bool) -> Self {
        self.completed_only = completed_only;
        self
    }

    /// Sets the members of its request that the answer repeats, for other protocols: an object with members of the
    /// protocol that is written.
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
