//! A2A: calls, what tasks take, and answers. Everything crosses as JSON.

mod call;
mod task;
