//! A second `finish`, and events after the first one, change and repeat nothing.

use agentwire::ProtocolKind;
use agentwire::ag_kit::AgKit;
use agentwire::agent_api::AgentApi;
use agentwire::internals::engine::EventReceiver;
use agentwire::internals::patch::PatchBuffer;
use agentwire::protocol::Protocol;
use agentwire::read::{AnyOptions, AnyStream};
use agentwire::read::{ReadOptions, StreamDecoder};

const AGENT_API: &[u8] = b"data: {\"object\":\"response\",\"status\":\"created\",\"id\":\"r\"}\n\n\
    data: {\"object\":\"message\",\"status\":\"in_progress\",\"id\":\"m\",\"type\":\"message\"}\n\n\
    data: {\"object\":\"content\",\"type\":\"text\",\"index\":0,\"delta\":true,\"msg_id\":\"m\",\"text\":\"a\\ud83d\"}\n\n\
    data: {\"object\":";
const AG_KIT: &[u8] = b"data: {\"type\":\"text\",\"content\":\"a\\ud83d\"}\n\n\
    data: {\"type\":\"tool-call-start\",\"toolCallId\":\"c\",\"toolCallName\":\"f\"}\n\n\
    data: {\"type\":\"tool-call-args\",\"toolCallId\":\"c\",\"delta\":\"\\ud83d\"}\n\ndata: {\"type\"";

fn finished_twice<P: Protocol>(protocol: P, bytes: &[u8], aborted: bool) {
    let (options, mut patch) = (ReadOptions::default(), PatchBuffer::default());
    let fold = protocol.engine(&options, &mut patch);
    let mut stream = StreamDecoder::new(fold, &options);
    stream.push(bytes, &mut patch);
    if aborted {
        stream.abort(&mut patch)
    } else {
        stream.finish(&mut patch)
    }
    let report = stream.report().to_json();
    assert!(stream.has_ended() || stream.report().end_reason.as_str() != "open");
    patch.clear();
    for again in [aborted, !aborted] {
        if again {
            stream.abort(&mut patch)
        } else {
            stream.finish(&mut patch)
        }
        stream.push(bytes, &mut patch);
        if again { stream.abort(&mut patch) } else { stream.finish(&mut patch) }
    }
    assert_eq!((patch.ops(), patch.text(), patch.long()), (&[][..], "", ""));
    assert_eq!(stream.report().to_json(), report);
}

#[test]
fn finishing_a_reader_twice_changes_nothing() {
    for aborted in [false, true] {
        for bytes in [AGENT_API, AG_KIT, b"", b"data: x\n\n"] {
            finished_twice(AgentApi::default(), bytes, aborted);
            finished_twice(AgKit::default(), bytes, aborted);
        }
    }
}

#[test]
fn finishing_a_stream_of_any_protocol_twice_changes_nothing() {
    for protocol in [None, Some(ProtocolKind::AgentApi), Some(ProtocolKind::AgKit)] {
        for bytes in [AGENT_API, AG_KIT, b""] {
            let mut patch = PatchBuffer::default();
            let mut stream = AnyStream::new(protocol, AnyOptions::default(), &mut patch);
            stream.push(bytes, &mut patch);
            stream.finish(&mut patch);
            let report = stream.report().to_json();
            patch.clear();
            stream.abort(&mut patch);
            stream.push(bytes, &mut patch);
            stream.finish(&mut patch);
            assert!(patch.ops().is_empty());
            assert_eq!(stream.report().to_json(), report);
        }
    }
}

/// The same for an engine that a program drives itself.
#[test]
fn finishing_an_engine_twice_changes_nothing() {
    fn check<P: Protocol>(protocol: P) {
        let (options, mut patch) = (ReadOptions::default(), PatchBuffer::default());
        let mut fold = protocol.engine(&options, &mut patch);
        fold.finish(false, &mut patch);
        let report = fold.report().to_json();
        patch.clear();
        fold.finish(false, &mut patch);
        fold.finish(true, &mut patch);
        assert!(patch.ops().is_empty());
        assert_eq!(fold.report().to_json(), report);
    }
    check(AgentApi::default());
    check(AgKit::default());
}

#[test]
fn finishing_a_conversion_twice_writes_nothing() {
    use agentwire::agent_api::builder;
    use agentwire::builder::Counter;
    use agentwire::convert::{ConversionSide, ConvertOptions, Converter, Source};

    let steps: &[u8] = b"{\"type\":\"text\",\"message\":1,\"part\":0,\"piece\":\"a\"}\n{\"type\"";
    let sides = [
        ConversionSide::Steps,
        ConversionSide::Protocol(ProtocolKind::AgentApi),
        ConversionSide::Protocol(ProtocolKind::AgKit),
    ];
    for from in sides.iter().copied().map(Some).chain([None]) {
        for to in sides {
            for bytes in [AGENT_API, AG_KIT, steps, b""] {
                for aborted in [false, true] {
                    let write = builder::BuilderOptions::new(Counter::default(), || 0);
                    let mut converter = Converter::new(
                        from.map_or(Source::Auto, Source::from),
                        to,
                        ConvertOptions::new(write),
                    )
                    .expect("a conversion");
                    let mut out = String::new();
                    converter.push(bytes, &mut out);
                    if aborted {
                        converter.abort(&mut out)
                    } else {
                        converter.finish(&mut out)
                    }
                    let told = |converter: &Converter| {
                        let losses = converter.losses().map(|losses| losses.to_json());
                        (losses, converter.report().map(|report| report.to_json()))
                    };
                    let (said, before) = (out.len(), told(&converter));
                    for again in [aborted, !aborted] {
                        if again {
                            converter.abort(&mut out)
                        } else {
                            converter.finish(&mut out)
                        }
                        converter.push(bytes, &mut out);
                        if again { converter.abort(&mut out) } else { converter.finish(&mut out) }
                    }
                    assert_eq!(&out[said..], "", "{from:?} to {to:?}");
                    assert_eq!(told(&converter), before, "{from:?} to {to:?}");
                }
            }
        }
    }
}
