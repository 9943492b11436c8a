//! What any answer can be asked.

pub use super::declare::model::answer::Answer;
