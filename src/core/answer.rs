//! The trait of all answers.

pub use super::declare::model::answer::Answer;
