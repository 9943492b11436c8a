//! Inputs that are generated from seeds, in steps that proptest can remove one by one.

use agentwire_fuzzing::mutation::{Step, take};
use proptest::prelude::*;

/// Returns seeds after a few mutations.
pub fn of(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let steps = proptest::collection::vec(any::<Step>(), 1..8);
    (0..seeds.len(), steps).prop_map(move |(at, steps)| {
        // Short inputs are quick, and long ones find little that short ones do not.
        let mut bytes = seeds[at][..seeds[at].len().min(1200)].to_vec();
        for step in steps {
            take(step, &seeds, &mut bytes);
            bytes.truncate(4000);
        }
        bytes
    })
}
