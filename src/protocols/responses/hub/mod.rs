//! OpenAI Responses and the hub.

mod from_hub;
mod held;
mod message;
mod outcome;
mod request;
mod response;
mod run;
mod said;
mod say;
mod to_hub;
mod tools;

pub use from_hub::ToResponses;
pub use to_hub::FromResponses;

use crate::hub::WriteOptions;
use crate::hub::spoke::spoke;
use crate::protocols::responses::Responses;

spoke!(Responses: to_hub::State => hub => ToResponses(WriteOptions));

/// The protocol's name, as it is everywhere.
const NAME: &str = "responses";
