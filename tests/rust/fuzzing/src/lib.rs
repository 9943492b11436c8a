//! The fuzz targets of agentwire. Each is a function that panics when a property does not hold for
//! an input.
//!
//! Three runners share them: libFuzzer (`fuzz/`, started by `cargo fuzz run`), and the tests of
//! this package, which replay the corpus and all findings and generate further inputs with
//! proptest. A target is added in [`TARGETS`] and as a file of three lines in `fuzz/fuzz_targets`.

pub mod answers;
mod bounds;
mod building;
mod content;
mod converting;
mod corpus;
mod documents;
pub mod dump;
mod frames;
#[path = "../../memory/items.rs"]
mod items;
mod json_mutation;
mod memory;
mod messages;
pub mod mutated;
pub mod mutation;
mod partial;
mod program;
pub mod quiet;
mod random;
mod reading;
mod requests;
mod setting;
mod starts;
mod tape;
mod turns;
pub mod words;

pub use corpus::Corpus;

/// One target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also that of its folders of inputs and of its file in
    /// `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Panics if the property of the target does not hold for this input.
    pub check: fn(&[u8]),
    /// Inputs to start from, generated from the recorded streams and requests of
    /// `tests/data/corpus`.
    pub seeds: fn(&Corpus) -> Vec<Vec<u8>>,
}

/// All targets.
pub static TARGETS: &[Target] = &[
    Target { name: "frames", check: frames::check, seeds: frames::seeds },
    Target { name: "messages", check: messages::check, seeds: messages::seeds },
    Target { name: "reading", check: reading::check, seeds: reading::seeds },
    Target { name: "converting", check: converting::check, seeds: converting::seeds },
    Target { name: "requests", check: requests::check, seeds: requests::seeds },
    Target { name: "documents", check: documents::check, seeds: documents::seeds },
    Target { name: "partial", check: partial::check, seeds: partial::seeds },
    Target { name: "building", check: building::check, seeds: building::seeds },
    Target { name: "turns", check: turns::check, seeds: turns::seeds },
];

/// Returns the target of that name.
///
/// # Panics
/// If it does not exist.
pub fn target(name: &str) -> Target {
    *TARGETS.iter().find(|target| target.name == name).expect("a target of that name")
}
