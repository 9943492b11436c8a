//! The Agent API: recorded and written streams, limits, agreement with the real server.

mod corpus;
mod exceptions;
mod limits;
mod programs;
mod tools;
