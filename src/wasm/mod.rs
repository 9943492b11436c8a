//! The JavaScript bindings: rename, convert, delegate. No logic lives here.

mod builder;
mod error;
mod exchange;
mod options;
mod reader;
mod request;
mod text;
