//! A2A and the hub.

mod artifact;
mod calls;
mod content;
mod from_hub;
mod item;
mod message;
mod notes;
mod parts;
mod questions;
mod request;
mod run;
mod to_hub;

pub use from_hub::ToA2a;
pub use to_hub::FromA2a;

use crate::hub::WriteOptions;
use crate::hub::spoke::Spoke;
use crate::json::Value;
use crate::protocols::a2a::A2a;

impl Spoke for A2a {
    type Says = to_hub::State;
    type Target = ToA2a;
    type WriteOptions = WriteOptions;

    fn target(options: WriteOptions) -> ToA2a {
        ToA2a::new(options)
    }
}

/// The protocol's name, as it is everywhere.
const NAME: &str = "a2a";

/// The text of a member of an object.
fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}
