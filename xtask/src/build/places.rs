//! The places of panics: file, line and column, which the compiler leaves for a message. Here a panic is a trap, which has none, and
//! wasm-opt takes out what passed the places on, but no piece of the data.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Bytes of one: the address and the length of the file's name, the line, the column.
const PLACE: usize = 16;

/// Puts zeros where a place is that nothing refers to, and a name of a file that no other place has; returns how many, or nothing if
/// this is not a module as wasm-opt writes it. `constants` are all that its code has. The length stays: addresses do.
pub fn forget(module: &mut [u8], constants: &BTreeSet<u32>) -> Option<usize> {
    let segments = segments(module)?;
    let places = places(module, &segments);
    let words: BTreeSet<(u32, usize)> = words(module, &segments).collect();
    let is_used = |from: u32, length: u32, but: &dyn Fn(usize) -> bool| {
        let to = from + length;
        constants.range(from..to).next().is_some() || words.range((from, 0)..(to, 0)).any(|(_, at)| !but(*at))
    };
    let dead = places.iter().filter(|place| !is_used(place.address, PLACE as u32, &|_| false));
    let dead: BTreeMap<usize, &Place> = dead.map(|place| (place.at, place)).collect();
    let mut zeros = BTreeSet::new();
    for place in dead.values() {
        zeros.extend(place.at..place.at + PLACE);
        // A place that stays keeps its name, and so does what else points at it.
        if !is_used(place.name, place.text.len() as u32, &|at| dead.contains_key(&at)) {
            zeros.extend(place.text.clone());
        }
    }
    zeros.iter().for_each(|at| module[*at] = 0);
    Some(zeros.len())
}

/// All constants that the text of a module has, and the offsets of its accesses.
pub fn constants(text: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for (before, halves) in [("i32.const ", 1), ("i64.const ", 2), ("offset=", 1)] {
        for (at, _) in text.match_indices(before) {
            let rest = &text[at + before.len()..];
            let end = rest.find(|sign: char| sign != '-' && !sign.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].parse::<i64>().unwrap_or_default();
            found.extend((0..halves).map(|half| (number >> (32 * half)) as u32));
        }
    }
    found
}

/// Bytes of the memory from an address on, and where they stand in the file.
struct Segment {
    address: u32,
    bytes: Range<usize>,
}

impl Segment {
    /// The addresses of its words, and where they stand in the file.
    fn aligned(&self) -> impl Iterator<Item = (u32, usize)> {
        let (address, start) = (self.address, self.bytes.start);
        let first = address.next_multiple_of(4) - address;
        let ends = self.bytes.end.saturating_sub(3);
        (start + first as usize..ends).step_by(4).map(move |at| (address + (at - start) as u32, at))
    }
}

struct Place {
    address: u32,
    at: usize,
    /// Address of the file's name.
    name: u32,
    text: Range<usize>,
}

/// What looks like a place, and has the name of a Rust file.
fn places(module: &[u8], segments: &[Segment]) -> Vec<Place> {
    let mut found = Vec::new();
    for segment in segments {
        for (address, at) in segment.aligned().filter(|(_, at)| at + PLACE <= segment.bytes.end) {
            let [Some(name), Some(length), Some(line), Some(column)] =
                [0, 4, 8, 12].map(|by| word(module, at + by))
            else {
                continue;
            };
            let is_place =
                (4..200).contains(&length) && (1..100_000).contains(&line) && (1..1_000).contains(&column);
            let text = segments.iter().filter(|_| is_place).find_map(|segment| {
                let start = segment.bytes.start + name.checked_sub(segment.address)? as usize;
                let text = start..start + length as usize;
                (text.end <= segment.bytes.end).then_some(text)
            });
            if let Some(text) = text.filter(|text| module[text.clone()].ends_with(b".rs")) {
                found.push(Place { address, at, name, text });
            }
        }
    }
    found
}

/// Every word of the data, and where it stands. An address in it is aligned.
fn words(module: &[u8], segments: &[Segment]) -> impl Iterator<Item = (u32, usize)> {
    let places = segments.iter().flat_map(Segment::aligned);
    places.filter_map(|(_, at)| Some((word(module, at)?, at)))
}

fn word(module: &[u8], at: usize) -> Option<u32> {
    module.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

/// The segments of the data section, which all begin at a constant.
fn segments(module: &[u8]) -> Option<Vec<Segment>> {
    const I32_CONST: u8 = 0x41;
    let section = data(module)?;
    let (count, mut at) = leb(module, section.start)?;
    let mut found = Vec::new();
    for _ in 0..count {
        if module.get(at..at + 2)? != [0, I32_CONST] {
            return None;
        }
        let (address, end) = leb(module, at + 2)?;
        let (length, start) = leb(module, end + 1)?;
        at = start + length as usize;
        found.push(Segment { address, bytes: start..at });
    }
    (at == section.end && at <= module.len()).then_some(found)
}

fn data(module: &[u8]) -> Option<Range<usize>> {
    const HEADER: usize = 8;
    const DATA: u8 = 11;
    let mut at = HEADER;
    loop {
        let id = *module.get(at)?;
        let (length, start) = leb(module, at + 1)?;
        at = start + length as usize;
        if id == DATA {
            return Some(start..at);
        }
    }
}

/// A number in LEB128, and where it ends. A positive number is the same with a sign and without.
fn leb(module: &[u8], at: usize) -> Option<(u32, usize)> {
    let mut number = 0u64;
    for (place, byte) in module.get(at..)?.iter().take(5).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((u32::try_from(number).ok()?, at + place + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One page of memory from 1024 on: a place of `a.rs`, one of `b.rs`, another one of `a.rs`, and both names.
    fn module(names: [u32; 3]) -> Vec<u8> {
        let mut data: Vec<u8> = Vec::new();
        for name in names {
            data.extend([name, 4, 7, 9].iter().flat_map(|word| word.to_le_bytes()));
        }
        data.extend(b"a.rsb.rs");
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        module.extend([11, data.len() as u8 + 7, 1, 0, 0x41, 0x80, 0x08, 0x0b, data.len() as u8]);
        module.extend(data);
        module
    }

    const A: u32 = 1024 + 48;
    const B: u32 = A + 4;

    #[test]
    fn what_nothing_refers_to_is_forgotten() {
        let mut all = module([A, B, A]);
        let length = all.len();
        assert_eq!(forget(&mut all, &BTreeSet::new()), Some(56));
        assert!(all[length - 56..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn what_the_code_or_the_data_refer_to_stays() {
        let mut first = module([A, B, A]);
        // The line of the first place is read: it stays, with the name that the third has too.
        assert_eq!(forget(&mut first, &constants("(i32.load offset=8 (i32.const 1032))")), Some(36));
        assert!(first.ends_with(b"a.rs\0\0\0\0"));
        // The name of the second place is the address of the first one.
        let mut second = module([A, 1024, A]);
        let before = second.clone();
        assert_eq!(forget(&mut second, &BTreeSet::new()), Some(16));
        assert_eq!(second[..before.len() - 24], before[..before.len() - 24]);
    }

    #[test]
    fn only_a_module_is_looked_at() {
        assert_eq!(forget(&mut b"\0asm\x01\0\0\0".to_vec(), &BTreeSet::new()), None);
        assert_eq!(constants("i64.const -4294967295 i32.const 5)"), BTreeSet::from([1, 5, u32::MAX]));
    }
}
