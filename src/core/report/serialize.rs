//! Serializes reports and problems as in their JSON.

use serde::{Serialize, Serializer};

use super::Report;
use crate::core::request::{Problem, RequestError};
use crate::core::violation::Violation;
use crate::json::serialize_json;

impl Serialize for Report {
    /// Writes the members of [`Report::to_json`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json(&self.to_json(), serializer)
    }
}

impl Serialize for Violation {
    /// Writes the members of [`Violation::to_json`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json(&self.to_json(), serializer)
    }
}

impl Serialize for RequestError {
    /// Writes the problems as [`Problem::list_to_json`] does.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json(&Problem::list_to_json(self.problems()), serializer)
    }
}
