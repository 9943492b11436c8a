//! Threads on a store of logs: runs with an agent that continues without a connection, followers
//! that resume, messages, and recovery after the end of a process. The runs endpoints and the
//! answers of servers are two kinds of thread.
//!
//! [`Threads`] has the threads of a store in this process. [`Thread`] is one of them, with the
//! methods that requests call. [`ThreadLog`] is its state in the store, which any process can open.
//! A [`ThreadKind`] says what the entries of its runs are.

mod counts;
mod driver;
mod followers;
mod following;
mod index;
mod json;
mod kind;
mod messages;
mod processes;
mod records;
mod refusal;
mod run_log;
mod texts;
mod thread;
#[cfg(feature = "runs-server")]
mod thread_list;
mod thread_log;
mod thread_memory;
mod time;
mod users;
mod waiting;
mod work;

pub(crate) use counts::{CountGuard, CountsByName};
pub(crate) use followers::{FollowerBody, PATIENCE};
pub(crate) use following::{FollowedRun, Until};
pub(crate) use json::{object, parsed};
pub(crate) use kind::{
    RunFailure, RunForm, RunScript, Started, StopRequest, ThreadKind, ThreadWork,
};
pub(crate) use messages::{HistoryPage, LatestMessages};
pub(crate) use records::{StoredMessage, StoredRun};
pub(crate) use refusal::{Refusal, reject};
pub(crate) use run_log::NewEvent;
pub(crate) use thread::{NewThreadRun, Thread};
#[cfg(feature = "runs-server")]
pub(crate) use thread_list::{ListedThreads, TITLE, ThreadChange};
pub(crate) use thread_log::{ThreadLog, ThreadState};
pub(crate) use time::{iso8601_of, millis, now};
pub(crate) use users::{Users, hash_of, is_answer_id};
pub use waiting::WhileRunning;
pub(crate) use waiting::is_active;
pub(crate) use work::{ThreadLimits, Threads, ThreadsOptions};
