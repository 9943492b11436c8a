//! Digests of texts: a sender that knows the seed can generate two texts with the same digest, so
//! the seed must stay secret.

use agentwire::agent_api::{AgentApi, Snapshot};
use agentwire::read::ReadOptions;
use agentwire::{Outcome, Reader};

/// The seed of every reader of version 0.1.0.
const KNOWN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Two different texts of the same length whose digests are equal under that seed.
///
/// The digest of a block is the sum of (w₀ + k₀)(w₁ + k₁) over its words of eight bytes, whose keys
/// follow from the seed. If w₀ = -k₀, the product is 0 for any w₁.
fn colliding(seed: u64) -> [String; 2] {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    next();
    let is_text = |bytes: &[u8]| {
        bytes.iter().all(|byte| matches!(byte, b' '..=b'~') && !b"\"\\".contains(byte))
    };
    let halves = (0..128).flat_map(|word| {
        let key = next();
        [(word, 0, key as u32), (word, 4, (key >> 32) as u32)]
    });
    let (word, half, bytes) = halves
        .map(|(word, half, key)| (word, half, key.wrapping_neg().to_le_bytes()))
        .find(|(.., bytes)| is_text(bytes))
        .expect("one of 256 keys whose negative is text");
    ["yes!", "no.."].map(|said| {
        let mut text = " ".repeat(word * 8).into_bytes();
        let mut eight = [0; 8];
        eight[half..half + 4].copy_from_slice(&bytes);
        eight[4 - half..8 - half].copy_from_slice(said.as_bytes());
        text.extend(eight);
        String::from_utf8(text).expect("ASCII")
    })
}

/// Streams one text, with the other text in the event at the end.
fn read(texts: &[String; 2], options: ReadOptions) -> Outcome<Snapshot> {
    let [streamed, said] = texts;
    let mut reader = Reader::with_options(AgentApi::default(), options);
    for event in [
        r#"{"object":"response","status":"created","id":"r"}"#.to_owned(),
        r#"{"object":"response","status":"in_progress","id":"r"}"#.to_owned(),
        r#"{"object":"message","status":"in_progress","id":"m","type":"message"}"#.to_owned(),
        format!(
            r#"{{"object":"content","status":"in_progress","type":"text","index":0,"delta":true,"msg_id":"m","text":"{streamed}"}}"#
        ),
        format!(
            r#"{{"object":"content","status":"completed","type":"text","index":0,"delta":false,"msg_id":"m","text":"{said}"}}"#
        ),
    ] {
        reader.push(format!("data: {event}\n\n").as_bytes());
    }
    reader.finish()
}

#[test]
fn readers_have_different_seeds() {
    let seeds: Vec<u64> = (0..100).map(|_| ReadOptions::default().seed).collect();
    for (at, seed) in seeds.iter().enumerate() {
        assert!(!seeds[..at].contains(seed), "the seed {seed:x} twice");
    }
}

#[test]
fn a_digest_collision_for_one_seed_is_detected_with_another() {
    let texts = colliding(KNOWN);
    assert_ne!(texts[0], texts[1]);
    let mut known = ReadOptions::default();
    known.seed = KNOWN;
    // A sender that knows the seed makes a reader keep the text that the server has replaced.
    let fooled = read(&texts, known);
    assert_eq!(fooled.report.count("text-mismatch"), 0);
    assert_eq!(fooled.snapshot.response.output[0].text(), texts[0]);
    // The seed of a reader with default options is random.
    for _ in 0..20 {
        let outcome = read(&texts, ReadOptions::default());
        assert_eq!(outcome.report.count("text-mismatch"), 1);
        assert_eq!(outcome.snapshot.response.output[0].text(), texts[1]);
    }
}
