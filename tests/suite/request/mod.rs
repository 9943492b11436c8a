//! Requests: what is read, what is written, what is refused.

mod api;
mod asked;
mod bounds;
mod errors;
mod truth;
