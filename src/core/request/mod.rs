//! Requests that cannot be served: what is wrong with them, and how Python servers say it. Knows no protocol's request.

mod detail;
mod problem;
pub(crate) mod read;

pub(crate) use detail::{detail, not_json, refusal};
pub use problem::Problem;
pub(crate) use problem::{Fault, PathStep};
