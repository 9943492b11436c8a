//! The error of a task: one sentence with the remedy, and the output that led to it.

use std::{io, path::Path};

use crate::progress;

pub type Outcome<T> = Result<T, Failure>;

#[derive(Debug)]
pub struct Failure {
    sentence: String,
    output: String,
}

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), output: String::new() }
    }

    pub fn with_output(mut self, output: impl Into<String>) -> Self {
        self.output = output.into();
        self
    }

    /// Returns a function that turns an IO error into a failure:
    /// `fs::read(path).map_err(Failure::file("read", path))`.
    pub fn file(action: &str, path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::new(format!("cannot {action} {}: {error}", path.display()))
    }

    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// Prints the output first, so that the sentence is the last line on the screen.
    pub fn report(&self) {
        if !self.output.is_empty() {
            progress::line(self.output.trim_end());
        }
        progress::line(&format!("error: {}", self.sentence));
    }
}
