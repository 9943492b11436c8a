//! Options of a builder that conversions take from the options of all protocols or from the source.

use alloc::string::String;

use crate::hub::WriteOptions;
use crate::protocols::agent_api::builder::BuilderOptions;

impl BuilderOptions {
    /// Returns the options that all protocols have.
    pub(crate) fn shared(self) -> WriteOptions {
        let BuilderOptions { ids, response_id: run_id, session_id, echo, clock, .. } = self;
        WriteOptions { ids, run_id, session_id, clock, echo }
    }

    /// Sets the ids that are missing.
    pub(crate) fn with_ids_of(mut self, response_id: Option<&str>, session_id: Option<&str>) -> Self {
        let id = |id: Option<&str>| id.filter(|id| !id.is_empty()).map(String::from);
        self.response_id = self.response_id.or(id(response_id));
        self.session_id = self.session_id.or(id(session_id));
        self
    }
}
