//! What must hold for every input, not only for the ones somebody thought of.

mod json;
mod reading;
mod sse;
