//! What is found out about a stream, for other formats: as its JSON has it.

use serde::{Serialize, Serializer};

use super::Report;
use crate::core::request::{Problem, RequestError};
use crate::core::violation::Violation;
use crate::json::serialize_json;

impl Serialize for Report {
    /// The members of [`Report::to_json`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json(&self.to_json(), serializer)
    }
}

impl Serialize for Violation {
    /// The members of [`Violation::to_json`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json(&self.to_json(), serializer)
    }
}

impl Serialize for RequestError {
    /// The problems, as [`Problem::list_to_json`] writes them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json(&Problem::list_to_json(self.problems()), serializer)
    }
}
