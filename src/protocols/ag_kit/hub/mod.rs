//! AG-Kit and the hub. (F.3.)

mod from_hub;
mod request;
mod to_hub;

pub use from_hub::ToAgKit;
pub use to_hub::FromAgKit;

use crate::hub::spoke::Spoke;
use crate::protocols::ag_kit::AgKit;

impl Spoke for AgKit {
    type Says = to_hub::State;
    type Target = ToAgKit;
    type WriteOptions = ();

    fn target((): ()) -> ToAgKit {
        ToAgKit::new()
    }
}

/// The protocol's name, as it is everywhere.
const NAME: &str = "ag-kit";
