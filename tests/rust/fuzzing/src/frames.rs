//! Framing: bytes to events, and back.

use agentwire::Limits;
use agentwire::sse::{Decoder, Framing, StreamItem, TrailingEvent, event};
use agentwire_cases::cut;

use crate::corpus::Corpus;
use crate::setting;

/// Both framings: server-sent events and lines of JSON.
///
/// - The items do not depend on chunk boundaries (a decoder that loses or doubles bytes at a
///   boundary).
/// - Where no limit applies, they are those of the standard, implemented here in the simplest way
///   (a shortcut that
///   takes a wrong path, a field that is mistaken for another one).
/// - LF, CR and CRLF are the same (a line end that counts twice).
/// - An event begins at its offset (an offset that counts from the chunk, or from the line).
/// - Each written event is one event and reads as the same, for any content (a line end that
///   injects a field).
pub fn check(input: &[u8]) {
    let (setting, stream) = setting::split(input);
    let limits = &setting.choices.options.limits;
    for (framing, ending) in [
        (Framing::Sse, TrailingEvent::Strict),
        (Framing::Sse, TrailingEvent::Lenient),
        (Framing::Ndjson, TrailingEvent::Strict),
        (Framing::Ndjson, TrailingEvent::Lenient),
    ] {
        let items =
            |chunks: &[&[u8]]| items(chunks, Decoder::framed(limits.clone(), framing), ending);
        let whole = items(&[stream]);
        assert_eq!(items(&cut::random(stream, setting.cut)), whole, "at a random cut");
        assert_eq!(items(&cut::single(stream)), whole, "byte by byte");
    }
    lines(stream);
    let expected = outputs_of(stream);
    assert_eq!(expected, standard(stream), "by the standard");
    if !stream.contains(&b'\r') {
        for end in [&b"\r"[..], b"\r\n"] {
            assert_eq!(
                outputs_of(&cut::with_line_ends(stream, end)),
                expected,
                "with other line ends"
            );
        }
    }
    offsets(stream);
    written(&String::from_utf8_lossy(stream));
}

/// The streams, and the responses that are not event streams.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    let streams = corpus.streams().enumerate();
    streams.map(|(at, stream)| [&setting::prefix(setting::AUTO, 0, at), stream].concat()).collect()
}

/// Returns every item as text, without the field that depends on chunk boundaries: whether the
/// bytes of the event were in one chunk.
fn items(chunks: &[&[u8]], mut decoder: Decoder, ending: TrailingEvent) -> Vec<String> {
    let mut seen = Vec::new();
    let mut on = |mut item: StreamItem<'_>| {
        if let StreamItem::Event(event) = &mut item {
            event.frame = None;
        }
        seen.push(format!("{item:?}"));
    };
    chunks.iter().for_each(|chunk| decoder.push(chunk, &mut on));
    decoder.finish(ending, &mut on);
    seen.push(decoder.last_event_id().to_owned());
    seen
}

/// An item of a stream, as far as the standard defines it.
#[derive(Debug, PartialEq)]
enum Output {
    Event { name: String, data: String, id: String },
    Comment(String),
    Retry(u64),
}

fn outputs_of(stream: &[u8]) -> Vec<Output> {
    let mut seen = Vec::new();
    let mut on = |item: StreamItem<'_>| match item {
        StreamItem::Event(event) => seen.push(Output::Event {
            name: event.name.to_owned(),
            data: event.data.to_owned(),
            id: event.last_event_id.to_owned(),
        }),
        StreamItem::Comment(comment) => seen.push(Output::Comment(comment.text.to_owned())),
        StreamItem::Retry(milliseconds) => seen.push(Output::Retry(milliseconds)),
        // The standard ignores such lines.
        StreamItem::Loose(_) => {}
        other => panic!("within the limits: {other:?}"),
    };
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(stream, &mut on);
    decoder.finish(TrailingEvent::Strict, &mut on);
    seen
}

/// The algorithm of the HTML standard ("interpreting an event stream"), step by step: the stream is
/// decoded, then split into lines, then each line is processed. Comments are returned, although the
/// standard ignores them.
fn standard(stream: &[u8]) -> Vec<Output> {
    let text = String::from_utf8_lossy(stream);
    let text =
        text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<&str> = text.split('\n').collect();
    // The text after the last line end is not a line.
    lines.pop();
    let mut seen = Vec::new();
    let (mut data, mut name, mut id) = (String::new(), String::new(), String::new());
    for line in lines {
        if line.is_empty() {
            if let Some(data) = data.strip_suffix('\n') {
                let name = if name.is_empty() { "message" } else { &name };
                seen.push(Output::Event {
                    name: name.to_owned(),
                    data: data.to_owned(),
                    id: id.clone(),
                });
            }
            (data, name) = Default::default();
            continue;
        }
        if let Some(comment) = line.strip_prefix(':') {
            seen.push(Output::Comment(comment.to_owned()));
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => data = data + value + "\n",
            "event" => name = value.to_owned(),
            "id" if !value.contains('\0') => id = value.to_owned(),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                seen.extend(value.parse().ok().map(Output::Retry));
            }
            _ => {}
        }
    }
    seen
}

/// Asserts that lines of JSON are the texts between LFs, without CRs at their end; the last line
/// may lack its LF.
fn lines(stream: &[u8]) {
    let mut seen = Vec::new();
    let mut on = |item: StreamItem<'_>| match item {
        StreamItem::Event(event) => seen.push((event.offset as usize, event.data.to_owned())),
        other => panic!("a line within the limits: {other:?}"),
    };
    let mut decoder = Decoder::framed(Limits::default(), Framing::Ndjson);
    decoder.push(stream, &mut on);
    decoder.finish(TrailingEvent::Lenient, &mut on);
    let stripped = stream.strip_prefix("\u{feff}".as_bytes()).unwrap_or(stream);
    let mut from = stream.len() - stripped.len();
    let mut expected = Vec::new();
    for line in stripped.split(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches('\r');
        if !text.as_bytes().trim_ascii().is_empty() {
            expected.push((from, text.to_owned()));
        }
        from += line.len() + 1;
    }
    assert_eq!(seen, expected, "lines");
}

/// Asserts that reading from the offset of one of the first events yields that event first.
fn offsets(stream: &[u8]) {
    let events = |stream: &[u8]| {
        let mut seen = Vec::new();
        Decoder::new(Limits::default()).push(stream, &mut |item: StreamItem<'_>| {
            if let StreamItem::Event(event) = item {
                seen.push((event.offset, event.name.to_owned(), event.data.to_owned()));
            }
        });
        seen
    };
    for (offset, name, data) in events(stream).into_iter().take(3) {
        let rest = &stream[offset as usize..];
        // A byte order mark at the start of a stream is not part of the line.
        if !rest.starts_with("\u{feff}".as_bytes()) {
            assert_eq!(events(rest).first(), Some(&(0, name, data)), "from the event's offset");
        }
    }
}

/// One event whose data, name and id are parts of a text.
fn written(text: &str) {
    let third = |from: usize| {
        let place =
            |part: usize| (0..=text.len() * part / 3).rev().find(|&at| text.is_char_boundary(at));
        &text[place(from).unwrap_or(0)..place(from + 1).unwrap_or(0)]
    };
    let (id, name, data) = (third(0), third(1), third(2));
    let mut out = String::new();
    event(&mut out, Some(id), Some(name), data);
    let first_line = |text: &str| text.split(['\r', '\n']).next().unwrap_or_default().to_owned();
    let (name, id) = (first_line(name), first_line(if id.contains('\0') { "" } else { id }));
    let expected = Output::Event {
        name: if name.is_empty() { "message".to_owned() } else { name },
        data: data.replace("\r\n", "\n").replace('\r', "\n"),
        id,
    };
    assert_eq!(outputs_of(out.as_bytes()), [expected], "the frame reads back as it was written");
}
