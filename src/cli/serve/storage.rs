//! The store of the gateway: `--store`, the variable, or the table `[store]` of the file.

use std::env;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agentwire::adapters::axum::{AgentService, WhileRunning};
use agentwire::stores::{LogStore, open};

use crate::input::Unreadable;

/// The environment variable with the address, which can have a password.
const VARIABLE: &str = "AGENTWIRE_STORE";

/// The members of the table `[store]`.
#[derive(Clone, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StoreConfig {
    /// The address: `sqlite:PATH`, `postgres://…`, `redis://…` or `memory`. The variable
    /// `AGENTWIRE_STORE` can have it, too. Default: nothing is stored.
    pub address: Option<String>,
    /// What happens with a message to a conversation in which an answer is being written. Default:
    /// `refuse`.
    pub while_running: MessageWhileRunning,
    /// The maximum duration of a stored answer. Default: 600.
    pub run_seconds: Option<NonZeroU32>,
    /// How long an answer can be read after its end. Default: 86400, a day.
    pub answer_seconds: Option<NonZeroU32>,
    /// How long an A2A task, and a conversation without a client key, is kept after its last
    /// change. Default: 604800, 7 days.
    pub task_seconds: Option<NonZeroU32>,
    /// The maximum number of A2A tasks of a client. A new task replaces those that changed first.
    /// Default: 1000.
    pub tasks_per_client: Option<NonZeroUsize>,
}

/// What happens with a message while an answer is being written.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageWhileRunning {
    /// It is refused with status 409.
    #[default]
    Refuse,
    /// It waits for the end of the answer.
    Enqueue,
    /// It stops the answer before.
    Interrupt,
}

impl StoreConfig {
    /// Returns the options in force. `requested` is the option of the command line. The path of a
    /// SQLite file in the configuration file is relative to its `folder`.
    pub fn with(mut self, requested: Option<&str>, folder: Option<&Path>) -> Self {
        if let (Some(address), Some(folder)) = (&self.address, folder)
            && let Some(path) = address.strip_prefix("sqlite:")
        {
            self.address = Some(format!("sqlite:{}", folder.join(path).display()));
        }
        let variable = || env::var(VARIABLE).ok().filter(|address| !address.is_empty());
        self.address = requested.map(String::from).or_else(variable).or(self.address);
        self
    }

    /// Opens the store, if there is one.
    pub fn open(&self) -> Result<Option<Arc<dyn LogStore>>, Unreadable> {
        let opened = self.address.as_deref().map(open).transpose();
        opened.map_err(|error| Unreadable(format!("the store: {error}")))
    }

    /// Gives a service its store.
    pub fn give(&self, service: AgentService, store: Arc<dyn LogStore>) -> AgentService {
        let seconds = |set: Option<NonZeroU32>, usual: Duration| {
            set.map_or(usual, |seconds| Duration::from_secs(seconds.get().into()))
        };
        service
            .store(store)
            .while_running(match self.while_running {
                MessageWhileRunning::Refuse => WhileRunning::Refuse,
                MessageWhileRunning::Enqueue => WhileRunning::Enqueue,
                MessageWhileRunning::Interrupt => WhileRunning::Interrupt,
            })
            .store_limits(|limits| {
                // The gateway limits the requests and connections of its clients itself.
                limits.user_runs = usize::MAX;
                limits.user_connections = usize::MAX;
                limits.run_time = seconds(self.run_seconds, limits.run_time);
                limits.answer_time = seconds(self.answer_seconds, limits.answer_time);
                limits.task_time = seconds(self.task_seconds, limits.task_time);
                if let Some(most) = self.tasks_per_client {
                    limits.user_tasks = most.get();
                }
            })
    }

    /// Returns the kind of the store, without a password.
    pub fn shown(&self) -> String {
        let Some(address) = &self.address else { return "none, nothing is stored".into() };
        match address.split_once("://") {
            Some((scheme, rest)) => {
                let host = rest.rsplit('@').next().unwrap_or_default();
                format!("{scheme}://{}", host.split('?').next().unwrap_or_default())
            }
            None => address.clone(),
        }
    }
}
