//! AG-Kit and the hub. (F.3.)

mod approval;
mod from_hub;
pub mod request;
mod to_hub;
mod turn_end;

pub use from_hub::ToAgKit;
pub use to_hub::FromAgKit;

/// The protocol's name, as it is everywhere.
const NAME: &str = "ag-kit";
