//! OpenAI Responses and the hub.

mod from_hub;
mod held;
mod message;
mod outcome;
mod pieces;
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

use crate::hub::{WriteOptions, spoke};
use crate::protocols::responses::Responses;

spoke!(Responses: to_hub::State => hub => ToResponses(WriteOptions) {
    fn can_write_pieces(target: &mut ToResponses) -> bool {
        target.builder.has_said_piece()
    }

    #[inline]
    fn write_pieces(target: &mut ToResponses, text: &str, ends: &[usize], out: &mut String) {
        target.builder.append_pieces(text, ends, out);
    }
});
