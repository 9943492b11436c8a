//! What must hold for every input, not only for the ones somebody thought of.

mod adapt;
mod ag_kit;
mod ag_ui;
#[path = "../suite/ag_kit/client.rs"]
mod client;
mod deltas;
#[path = "../suite/adapt/facts.rs"]
mod facts;
mod json;
mod outcome;
mod reading;
mod runs;
mod separators;
mod sources;
mod sse;
