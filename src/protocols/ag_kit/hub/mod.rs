//! AG-Kit and the hub. (F.3.)

mod source;
mod target;

pub use source::FromAgKit;
pub use target::ToAgKit;

use crate::core::ReadOptions;
use crate::hub::conversation::RequestCodec;
use crate::hub::conversion;
use crate::protocols::ag_kit::AgKit;

conversion!(AgKit: source::AgKitSource {
    fn source(protocol: &mut AgKit, _: &ReadOptions) -> source::AgKitSource {
        source::AgKitSource::new(protocol.done_is_optional)
    }

    fn requests() -> Option<&'static RequestCodec> {
        Some(&super::conversation::REQUESTS)
    }
} => hub => ToAgKit);
