//! The errors of a run, which its server receives and its client does not.

use std::boxed::Box;
use std::error::Error;
use std::fmt;
use std::string::String;
use std::sync::{Arc, Mutex, PoisonError};

use crate::core::id::IdSource;
use crate::hub::EndError;

/// Any error of an agent.
pub type AnyError = Box<dyn Error + Send + Sync>;

/// Receives an error of a run and returns the error that the client receives; `None` for the id
/// alone.
pub(super) type OnRunError = Box<dyn FnMut(Failure<'_>) -> Option<EndError> + Send>;

/// An error of a run, and the id that its client receives instead.
#[derive(Debug)]
#[non_exhaustive]
pub struct Failure<'a> {
    /// The error that the agent or the tool returned, or [`NoOutput`].
    pub error: &'a (dyn Error + 'static),
    /// For the log: the client receives it, too.
    pub id: &'a str,
    /// The name of the tool that returned the error to `run_tools`. The run continues, and the
    /// model receives what the client receives. `None` for the error that ends the run.
    pub tool: Option<&'a str>,
}

impl<'a> Failure<'a> {
    /// Creates the failure of something other than a tool.
    #[cfg(feature = "axum")]
    pub(crate) fn new(error: &'a (dyn Error + 'static), id: &'a str) -> Self {
        Failure { error, id, tool: None }
    }
}

/// The error that is reported for an agent that ends without output. Its answer is empty, and
/// completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoOutput;

impl fmt::Display for NoOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the agent ended without output")
    }
}

impl Error for NoOutput {}

/// Passes the errors of one run to the function that receives them, each with an id of its own.
#[derive(Clone)]
pub(super) struct FailureReporter(Arc<Mutex<ReporterState>>);

struct ReporterState {
    ids: Box<dyn IdSource>,
    on_error: Option<OnRunError>,
}

impl FailureReporter {
    pub fn new(ids: Box<dyn IdSource>, on_error: Option<OnRunError>) -> Self {
        FailureReporter(Arc::new(Mutex::new(ReporterState { ids, on_error })))
    }

    /// Reports an error. Returns its id, and the error for the client.
    pub fn report(
        &self,
        error: &(dyn Error + 'static),
        tool: Option<&str>,
    ) -> (String, Option<EndError>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let id = state.ids.next_id("error_");
        let on_error = state.on_error.as_mut();
        let shown = on_error.and_then(|on_error| on_error(Failure { error, id: &id, tool }));
        (id, shown)
    }
}

impl fmt::Debug for FailureReporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FailureReporter")
    }
}
