//! See `tests/listing.rs`.
