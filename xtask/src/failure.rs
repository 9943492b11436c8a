//! What a task says when it cannot go on: one sentence with what to do, and the output that led to it.

use std::{error::Error, fmt, io, path::Path};

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

    /// A file operation that the system refused; the system's own words say why.
    pub fn file(action: &str, path: &Path, error: &io::Error) -> Self {
        Self::new(format!("cannot {action} {}: {error}", path.display()))
    }

    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// Prints the output first, so that the sentence is the last thing on the screen.
    pub fn report(&self) {
        if !self.output.is_empty() {
            progress::say(self.output.trim_end());
        }
        progress::say(&format!("error: {}", self.sentence));
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl Error for Failure {}
