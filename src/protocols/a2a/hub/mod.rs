//! A2A and the hub.

mod source;
mod target;

use super::A2a;
use crate::core::Limits;
use crate::hub::conversation::RequestCodec;
use crate::hub::{WriteOptions, conversion};
use crate::json::Value;
pub use source::FromA2a;
pub use target::ToA2a;

conversion!(A2a: source::A2aSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&super::conversation::REQUESTS)
    }
} => hub => ToA2a(WriteOptions) {
    fn echo_choices(choices: &A2a, echo: &mut Value) {
        let A2a { request_id, version, is_rest } = choices;
        let depth = Limits::default().json_depth;
        let id = request_id.as_ref().and_then(|id| Value::parse(id.as_str(), depth).ok());
        let parameters = [
            ("version", version.map(|version| version.as_str().into())),
            ("binding", is_rest.then(|| "rest".into())),
            ("id", id),
        ];
        for (name, value) in parameters {
            if let Some(value) = value.filter(|_| echo.get(name).is_none()) {
                echo.insert(name, value);
            }
        }
    }
});

/// The reason of a question that asks for the client's authorization.
const AUTH_REQUIRED: &str = "auth-required";
