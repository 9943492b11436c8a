//! The table: corpora cut in several ways.

use std::hint::black_box;
use std::path::Path;

use serde::Serialize;

use crate::arguments::Effort;
use crate::contestants::{Answer, readers};
use crate::corpus;
use crate::rounds::{Comparison, compare};

/// A column of the table.
#[derive(Serialize)]
pub struct Cell {
    corpus: &'static str,
    chunking: &'static str,
    #[serde(flatten)]
    comparison: Comparison,
}

const CELLS: [(&str, &str); 9] = [
    ("text", "net"),
    ("mixed", "net"),
    ("text", "event"),
    ("mixed", "event"),
    ("text", "c64k"),
    ("mixed", "c64k"),
    ("long", "net"),
    ("text", "c16"),
    ("mixed", "c16"),
];

pub fn all(folder: &Path, effort: Effort) -> Result<Vec<Cell>, String> {
    let cell = |(corpus, chunking)| {
        eprintln!("native: {corpus}/{chunking}");
        let chunks = corpus::chunks(folder, corpus, chunking)?;
        let chunks: Vec<&[u8]> = chunks.iter().map(Vec::as_slice).collect();
        let comparison = compare(&readers(&chunks), effort, Answer::digest)?;
        Ok(Cell { corpus, chunking, comparison })
    };
    CELLS.into_iter().map(cell).collect()
}

/// Runs passes without clocks, for callgrind: the difference between two runs is the cost of a
/// pass.
pub fn repeat(
    folder: &Path,
    (corpus, chunking): (&str, &str),
    contestant: &str,
    passes: usize,
) -> Result<(), String> {
    let chunks = corpus::chunks(folder, corpus, chunking)?;
    let chunks: Vec<&[u8]> = chunks.iter().map(Vec::as_slice).collect();
    let readers = readers(&chunks);
    let reader = readers.iter().find(|reader| reader.name == contestant);
    let reader = reader.ok_or_else(|| format!("there is no contestant `{contestant}`"))?;
    for _ in 0..passes {
        black_box((reader.pass)());
    }
    Ok(())
}
