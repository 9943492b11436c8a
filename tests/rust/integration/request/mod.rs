//! Requests: reading, writing, refusals.

mod api;
mod asked;
mod bounds;
mod errors;
mod truth;
