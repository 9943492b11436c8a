//! AG-UI and the hub. (F.1 to F.3.)

mod events;
mod to_hub;
mod usage;

pub use to_hub::FromAgUi;

/// The protocol's name, as it is everywhere.
const NAME: &str = "ag-ui";
