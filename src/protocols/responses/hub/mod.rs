//! OpenAI Responses and the hub.

mod from_hub;
mod held;
mod message;
mod request;
mod run;
mod said;
mod say;
mod to_hub;
mod tools;

pub use from_hub::ToResponses;
pub use to_hub::FromResponses;

use crate::hub::WriteOptions;
use crate::hub::spoke::Spoke;
use crate::protocols::responses::Responses;

impl Spoke for Responses {
    type Says = to_hub::State;
    type Target = ToResponses;
    type WriteOptions = WriteOptions;

    fn target(options: WriteOptions) -> ToResponses {
        ToResponses::new(options)
    }
}

/// The protocol's name, as it is everywhere.
const NAME: &str = "responses";
