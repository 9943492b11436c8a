//! Declarations of a protocol's events, answer, requests and rules.
//!
//! `events!` declares the events on the wire; `model!` declares the answer; `requests!` declares
//! the requests; `rules!` declares the rules for streams. All create Rust types, and tables for
//! shared code: the reader of events, the sink that stores, the reader of requests, the writer of
//! JSON. `xtask/contract` prints TypeScript and JSON Schema from the same tables.

pub mod events;
pub mod model;
pub(crate) mod requests;
pub(crate) mod rules;

pub(crate) use events::{events, lazy_objects};
pub(crate) use model::model;
pub(crate) use requests::requests;
pub(crate) use rules::rules;

/// Implements the traits of serde for a declared type: it is written as its JSON, and read from it.
macro_rules! serde_impls {
    ($Type:ident: |$value:ident, $serializer:ident| $write:block |$deserializer:ident| $read:block) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, $serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                $write
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $Type {
            fn deserialize<D: serde::Deserializer<'de>>(
                $deserializer: D,
            ) -> Result<Self, D::Error> {
                $read
            }
        }
    };
}
pub(crate) use serde_impls;
