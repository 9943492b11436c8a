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

use crate::core::Limits;
use crate::hub::{WriteOptions, spoke};
use crate::json::Value;
use crate::protocols::a2a::A2a;

spoke!(A2a: to_hub::State => hub => ToA2a(WriteOptions) {
    fn asked(choices: &A2a, echo: &mut Value) {
        let A2a { request_id, version, is_rest } = choices;
        let depth = Limits::default().json_depth;
        let id = request_id.as_ref().and_then(|id| Value::parse(id.as_str(), depth).ok());
        let said = [
            ("version", version.map(|version| version.as_str().into())),
            ("binding", is_rest.then(|| "rest".into())),
            ("id", id),
        ];
        for (name, value) in said {
            if let Some(value) = value.filter(|_| echo.get(name).is_none()) {
                echo.insert(name, value);
            }
        }
    }
});
