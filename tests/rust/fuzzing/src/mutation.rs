//! Mutation steps that generate inputs from seeds: bytes change, words are inserted, events are
//! repeated.

use crate::words::WORDS;

/// One step: the operation, its position, and its parameter. Positions are fractions of the length,
/// so a step is valid for any length.
pub type Step = (u8, u16, u16);

/// Applies a step.
pub fn take((what, place, with): Step, seeds: &[Vec<u8>], bytes: &mut Vec<u8>) {
    let at = fraction(place, bytes.len());
    let end = fraction(place.saturating_add(with / 4), bytes.len());
    match what % 12 {
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = with as u8;
            }
        }
        // The first bytes are often choices.
        2 => {
            if let Some(byte) = bytes.get_mut(usize::from(place % 6)) {
                *byte = with as u8;
            }
        }
        3 => drop(bytes.drain(at..end)),
        4 => bytes.truncate(at),
        5 => bytes.insert(at, with as u8),
        6..=8 => insert(bytes, at, WORDS[usize::from(with) % WORDS.len()].as_bytes()),
        9 => {
            let again = bytes[at..end].repeat(1 + usize::from(with % 5));
            insert(bytes, end, &again);
        }
        10 => {
            let event = events(bytes).get(usize::from(with) % 40).cloned().unwrap_or_default();
            let at = start_of_line(bytes, at);
            insert(bytes, at, &event);
        }
        _ => {
            let other = events(&seeds[usize::from(with) % seeds.len()]);
            let event =
                other.get(usize::from(place) % other.len().max(1)).cloned().unwrap_or_default();
            let at = start_of_line(bytes, at);
            insert(bytes, at, &event);
        }
    }
}

fn fraction(of: u16, length: usize) -> usize {
    length * usize::from(of) / usize::from(u16::MAX)
}

fn insert(bytes: &mut Vec<u8>, at: usize, more: &[u8]) {
    bytes.splice(at..at, more.iter().copied());
}

/// The blocks of a stream, each with its blank line.
fn events(bytes: &[u8]) -> Vec<Vec<u8>> {
    let text = bytes.iter().map(|&byte| byte as char).collect::<String>();
    text.split_inclusive("\n\n")
        .map(|event| event.chars().map(|letter| letter as u8).collect())
        .collect()
}

/// Returns the position after the last blank line before `at`.
fn start_of_line(bytes: &[u8], at: usize) -> usize {
    (2..=at).rev().find(|&at| &bytes[at - 2..at] == b"\n\n").unwrap_or(at)
}
