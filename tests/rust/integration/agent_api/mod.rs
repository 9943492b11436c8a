//! The Agent API: recorded and written streams, limits, agreement with the real server.

mod contents;
mod exceptions;
mod lifecycle;
mod limits;
mod numbers;
mod programs;
mod server;
mod tools;
