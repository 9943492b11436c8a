//! AG-Kit and the hub. (F.3.)

mod approval;
mod from_hub;
pub mod request;
mod to_hub;

pub use from_hub::ToAgKit;
pub use to_hub::FromAgKit;
