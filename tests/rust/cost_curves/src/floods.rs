//! The floods of `tests/data/hostile`: streams that are written from templates.

use std::fs;

use serde::Deserialize;

/// A stream of any size.
#[derive(Deserialize)]
pub struct Flood {
    pub name: String,
    pub protocol: String,
    /// The size of the largest stream that is measured.
    pub n: usize,
    stream: Vec<Part>,
}

/// A part of a stream: once, or repeated.
#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Once(String),
    Repeated {
        each: String,
        /// The number of repetitions, if it does not grow with the stream.
        times: Option<usize>,
    },
}

/// Reads all floods.
pub fn all() -> Vec<Flood> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hostile/floods.json");
    serde_json::from_str(&fs::read_to_string(path).expect("the floods are readable"))
        .expect("a list of floods")
}

impl Flood {
    /// Writes the stream of size `n`. `$i` is the number of a repetition from 1, `$n` the number of
    /// repetitions, and `$back` for the number counted from the end.
    pub fn write(&self, n: usize) -> String {
        let mut out = String::new();
        for part in &self.stream {
            match part {
                Part::Once(text) => out += &text.replace("$n", &n.to_string()),
                Part::Repeated { each, times } => {
                    let times = times.unwrap_or(n);
                    let text = each.replace("$n", &times.to_string());
                    for i in 1..=times {
                        out += &text
                            .replace("$i", &i.to_string())
                            .replace("$back", &(times - i).to_string());
                    }
                }
            }
        }
        out
    }
}
