//! A2A: calls, tasks, and answers. All arguments and results are JSON.

mod call;
mod task;
