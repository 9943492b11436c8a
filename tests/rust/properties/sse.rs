//! Framing.

use agentwire::Limits;
use agentwire::sse::{Decoder, StreamItem, TrailingEvent, comment, event};
use proptest::prelude::*;

fn items(chunks: &[&[u8]], ending: TrailingEvent, limits: &Limits) -> Vec<String> {
    let mut seen = Vec::new();
    let mut decoder = Decoder::new(limits.clone());
    for chunk in chunks {
        decoder.push(chunk, &mut |item: StreamItem<'_>| seen.push(shown(item)));
    }
    decoder.finish(ending, &mut |item: StreamItem<'_>| seen.push(shown(item)));
    seen
}

/// An item as text, without the only field that depends on chunk boundaries: whether the bytes of
/// the event were in one chunk.
fn shown(mut item: StreamItem<'_>) -> String {
    if let StreamItem::Event(event) = &mut item {
        event.frame = None;
    }
    format!("{item:?}")
}

/// Bytes that are mostly event streams: fields, line ends and broken UTF-8 close together.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"data:".to_vec()),
        Just(b"data: ".to_vec()),
        Just(b"event: x".to_vec()),
        Just(b"id: 7".to_vec()),
        Just(b"retry: 10".to_vec()),
        Just(b":".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\n\n".to_vec()),
        Just("\u{feff}".as_bytes().to_vec()),
        Just("你😀".as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..6),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn items_do_not_depend_on_chunk_boundaries(bytes in stream(), cuts in proptest::collection::vec(0usize..200, 0..8), small in any::<bool>()) {
        let mut limits = Limits::default();
        if small {
            limits.line_bytes = 12;
            limits.event_bytes = 16;
        }
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut from = 0;
        for cut in cuts {
            chunks.push(&bytes[from..cut]);
            from = cut;
        }
        chunks.push(&bytes[from..]);
        for ending in [TrailingEvent::Strict, TrailingEvent::Lenient] {
            prop_assert_eq!(items(&chunks, ending, &limits), items(&[&bytes], ending, &limits));
        }
    }

    #[test]
    fn encoded_events_are_decoded(data in ".*", lines in proptest::collection::vec("[^\r\n]*", 0..4), name in "[a-z]{1,8}", id in "[^\r\n\0]*") {
        for data in [data.replace("\r\n", "\n").replace('\r', "\n"), lines.join("\n")] {
            let mut out = String::new();
            comment(&mut out, &data);
            event(&mut out, Some(&id), Some(&name), &data);
            let mut seen = Vec::new();
            Decoder::new(Limits::default()).push(out.as_bytes(), &mut |item: StreamItem<'_>| if let StreamItem::Event(e) = item {
                seen.push((e.name.to_owned(), e.data.to_owned(), e.last_event_id.to_owned()));
            });
            prop_assert_eq!(seen, vec![(name.clone(), data, id.clone())]);
        }
    }
}
