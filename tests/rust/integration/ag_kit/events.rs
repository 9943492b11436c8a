//! The events of the recorded streams, one by one: each has its type, and is written as it was
//! read.
//!
//! Of this protocol only: a typed event is another type in each protocol.

use agentwire::Limits;
use agentwire::ag_kit::events::Event;
use agentwire::json::Value;
use agentwire::sse::{Decoder, StreamItem, TrailingEvent};
use agentwire_cases::{Case, Kind, select};

/// All but the streams that are another protocol's.
fn cases() -> impl Iterator<Item = Case> {
    select("ag-kit", Kind::Read).into_iter().filter(|case| case.detected() == "ag-kit")
}

/// The events of a stream as `events.json` names them, as far as `[DONE]`, and the data of each.
fn events(stream: &[u8]) -> (Vec<String>, Vec<String>) {
    let (mut names, mut data) = (Vec::new(), Vec::new());
    let mut ended = false;
    let mut on = |item: StreamItem<'_>| {
        let StreamItem::Event(event) = item else { return };
        data.push(event.data.to_owned());
        if ended {
            return;
        }
        let decoded = Event::decode(event.data, 128);
        ended = decoded == Ok(Event::Done);
        names.push(match &decoded {
            Ok(Event::Done) => "[DONE]".to_owned(),
            Ok(Event::UntypedError { .. }) => "(untyped error)".to_owned(),
            Ok(event) => event.name().unwrap_or_default().to_owned(),
            Err(_) => "(malformed)".to_owned(),
        });
    };
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(stream, &mut on);
    decoder.finish(TrailingEvent::Lenient, &mut on);
    (names, data)
}

#[test]
fn events_have_their_types() {
    for case in cases() {
        let recorded = match Value::parse(&case.text("events.json"), 8) {
            Ok(Value::Array(names)) => names,
            other => panic!("{case}/events.json: {other:?}"),
        };
        let recorded: Vec<&str> =
            recorded.iter().map(|name| name.as_str().expect("a name")).collect();
        assert_eq!(events(&case.stream()).0, recorded, "{case}");
    }
}

#[test]
fn events_are_encoded_as_the_server_wrote_them() {
    let mut same = 0;
    for case in cases() {
        for data in events(&case.stream()).1 {
            let Ok(event) = Event::decode(&data, 128) else { continue };
            let written = event.to_data();
            let again = Event::decode(&written, 128).expect("our own event");
            assert_eq!(again, event.clone().into_owned(), "{case}: {data}");
            same += usize::from(written == data);
        }
    }
    // The others have spaces, escapes of surrogates, null members or a repeated one.
    assert!(same > 150, "{same}");
}
