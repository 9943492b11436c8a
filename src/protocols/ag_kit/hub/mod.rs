//! AG-Kit and the hub. (F.3.)

mod from_hub;
mod request;
mod to_hub;

pub use from_hub::ToAgKit;
pub use to_hub::FromAgKit;

use crate::hub::spoke;
use crate::protocols::ag_kit::AgKit;

spoke!(AgKit: to_hub::State => hub => ToAgKit);
