//! Events that repeat one another: recognised by their bytes, and taken together.

mod delta_batch;
mod event_template;

pub(crate) use delta_batch::DeltaBatchBuffer;
pub use delta_batch::{Delta, DeltaBatch};
pub(crate) use event_template::EventTemplate;
