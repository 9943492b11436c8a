//! OpenAI Responses and the hub.

mod from_hub;
mod to_hub;

pub use from_hub::ToResponses;
pub use to_hub::FromResponses;

use crate::hub::spoke::Spoke;
use crate::protocols::responses::Responses;

impl Spoke for Responses {
    type Says = to_hub::State;
    type Target = ToResponses;
    type WriteOptions = ();

    fn target((): ()) -> ToResponses {
        ToResponses::new()
    }
}

/// The protocol's name, as it is everywhere.
const NAME: &str = "responses";
