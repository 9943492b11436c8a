//! The result of reading a stream, in two ways.

use agentwire::internals::engine::EventReceiver;
use agentwire::protocol::Protocol;
use agentwire::read::{Mode, ReadOptions};
use agentwire::report as rules;
use agentwire::report::LIMIT_EXCEEDED;
use agentwire::report::Observed;
use agentwire::sse::{Decoder, StreamItem, TrailingEvent};
use agentwire::{Limits, Reader};

/// The snapshot as text.
pub type Shown<P> = fn(&<P as Protocol>::Snapshot) -> String;

pub fn options(mode: Mode, limits: &Limits) -> ReadOptions {
    let mut options = ReadOptions::default();
    options.mode = mode;
    options.limits = limits.clone();
    options
}

/// The snapshot and the report, as one text.
pub fn outcome<'a, P: Protocol>(
    (protocol, shown): (P, Shown<P>),
    chunks: impl IntoIterator<Item = &'a [u8]>,
    mode: Mode,
    limits: &Limits,
) -> String {
    let mut reader = Reader::with_options(protocol, options(mode, limits));
    chunks.into_iter().for_each(|chunk| {
        reader.push(chunk);
    });
    let outcome = reader.finish();
    format!("{}\n{}", shown(&outcome.snapshot), outcome.report.to_json())
}

/// Returns the same with each event passed to the engine separately, so that the event template is
/// never used.
pub fn one_by_one<P: Protocol>(
    (protocol, shown): (P, Shown<P>),
    bytes: &[u8],
    mode: Mode,
    limits: &Limits,
) -> String {
    let options = options(mode, limits);
    let mut snapshot = P::Snapshot::default();
    let mut fold = protocol.engine(&options, &mut snapshot);
    let mut decoder = Decoder::new(options.limits.clone());
    let mut on = |item: StreamItem<'_>| match item {
        StreamItem::Event(event) => {
            if event.replaced {
                fold.framing(
                    &rules::INVALID_UTF8,
                    event.offset,
                    Observed::Words("bytes that are not UTF-8"),
                );
            }
            fold.event(&event, &mut snapshot);
        }
        StreamItem::Comment(_) => fold.report_mut().comments += 1,
        StreamItem::Oversize(limit) => {
            fold.framing(&LIMIT_EXCEEDED, limit.offset, Observed::Over(limit.limit, limit.allowed));
        }
        _ => {}
    };
    decoder.push(bytes, &mut on);
    decoder.finish(TrailingEvent::Strict, &mut on);
    let id = decoder.last_event_id();
    fold.report_mut().last_event_id = (!id.is_empty()).then(|| id.to_owned());
    fold.report_mut().bytes = bytes.len() as u64;
    fold.finish(false, &mut snapshot);
    format!("{}\n{}", shown(&snapshot), fold.report().to_json())
}
