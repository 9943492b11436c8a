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
mod served;
mod server_tool;
mod to_hub;
mod tools;

pub use from_hub::ToResponses;
pub use to_hub::FromResponses;

use alloc::string::String;

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

    fn can_write_pieces(target: &mut ToResponses) -> bool {
        target.builder.has_said_piece()
    }

    #[inline]
    fn write_pieces(target: &mut ToResponses, text: &str, ends: &[usize], out: &mut String) {
        target.builder.append_pieces(text, ends, out);
    }
}

/// The protocol's name, as it is everywhere.
const NAME: &str = "responses";
