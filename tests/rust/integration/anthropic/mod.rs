//! Anthropic Messages.

mod reading;
mod request;
