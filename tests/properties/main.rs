//! What must hold for every input, not only for the ones somebody thought of.

mod ag_kit;
mod json;
mod reading;
mod sse;
