//! AG-Kit and the hub. (F.3.)

mod source;
mod target;

pub use source::FromAgKit;
pub use target::ToAgKit;

use crate::core::ReadOptions;
use crate::hub::conversation::RequestCodec;
use crate::hub::spoke;
use crate::protocols::ag_kit::AgKit;

spoke!(AgKit: source::State {
    fn source(protocol: &mut AgKit, _: &ReadOptions) -> source::State {
        source::State::new(protocol.done_is_optional)
    }

    fn requests() -> Option<&'static RequestCodec> {
        Some(&super::conversation::REQUESTS)
    }
} => hub => ToAgKit);
