//! AG-Kit and the hub. (F.3.)

mod from_hub;
mod request;
mod to_hub;

pub use from_hub::ToAgKit;
pub use to_hub::FromAgKit;

use crate::core::ReadOptions;
use crate::hub::spoke;
use crate::protocols::ag_kit::AgKit;

spoke!(AgKit: to_hub::State => hub => ToAgKit {
    fn source(protocol: &mut AgKit, _: &ReadOptions) -> to_hub::State {
        to_hub::State::new(protocol.done_is_optional)
    }
});
