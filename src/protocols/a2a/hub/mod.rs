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

use crate::hub::{WriteOptions, spoke};
use crate::protocols::a2a::A2a;

spoke!(A2a: to_hub::State => hub => ToA2a(WriteOptions));
