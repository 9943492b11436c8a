//! Anthropic Messages.

mod reading;
mod request;
mod writing;
