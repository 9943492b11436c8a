//! A stream whose protocol is known at run time only.

use alloc::boxed::Box;

#[cfg(feature = "binary")]
use crate::core::binary::Decoded;
use crate::core::fold::{Fold, Protocol, Recognizer, Repeat, Sink};
use crate::core::observed::Observed;
#[cfg(feature = "wasm-reader")]
use crate::core::options::OptionValue;
use crate::core::replay::DeltaBatch;
use crate::core::report::Report;
use crate::core::violation::Rule;
use crate::json::Str;
use crate::protocols::{self, Built, ProtocolKind, registry};
use crate::read::detect::{Detecting, Found};
use crate::read::{ReadOptions, StreamDecoder};
use crate::sse;

macro_rules! any {
    (
        read { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
        recognised $recognised:tt
    ) => {
        /// What readers of each protocol are told.
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct AnyOptions {
            $(
                #[doc = concat!("For `", $name, "`.")]
                #[cfg($($on)*)]
                pub $folder: protocols::$folder::$Kind,
            )*
            /// For all of them.
            pub options: ReadOptions,
        }

        #[cfg(feature = "wasm-reader")]
        impl AnyOptions {
            /// Sets an option of a protocol, which this build may not have.
            pub(crate) fn set(&mut self, protocol: ProtocolKind, place: usize, value: OptionValue) {
                match protocol {
                    $(
                        #[cfg($($on)*)]
                        ProtocolKind::$Kind => self.$folder.set_option(place, value),
                    )*
                    #[allow(unreachable_patterns, reason = "a build may have all protocols")]
                    _ => {}
                }
            }
        }

        /// The state machine of one of the protocols: one stream in front of it, whichever it is.
        #[derive(Debug)]
        #[allow(clippy::large_enum_variant, reason = "there is one per stream, and that is in a box")]
        enum AnyFold {
            $(
                #[cfg($($on)*)]
                $Kind(<protocols::$folder::$Kind as Protocol>::Fold),
            )*
        }

        impl AnyFold {
            /// The stream of this protocol, at its start. One that this build does not read is refused.
            fn stream(found: Found, choices: AnyOptions, sink: &mut dyn Sink) -> Box<StreamDecoder<AnyFold>> {
                let options = choices.options;
                let fold = match found.read_as() {
                    $(
                        #[cfg($($on)*)]
                        Built::$Kind => AnyFold::$Kind(choices.$folder.fold(&options, sink)),
                    )*
                };
                Box::new(found.stream(fold, &options))
            }

            fn protocol(&self) -> ProtocolKind {
                match self {
                    $(
                        #[cfg($($on)*)]
                        AnyFold::$Kind(_) => ProtocolKind::$Kind,
                    )*
                }
            }
        }

        /// Does the same with the state machine of whichever protocol.
        macro_rules! fold {
            ($any:expr, $fold:ident => $work:expr) => {
                match $any {
                    $(
                        #[cfg($($on)*)]
                        AnyFold::$Kind($fold) => $work,
                    )*
                }
            };
        }
    };
}
registry!(any);

/// Reads a stream of any protocol into whatever sink it is given. The numbers that the sink gets are those of the
/// protocol's own tables, so whoever looks at them asks for [`protocol`](Self::protocol) first.
#[derive(Debug)]
pub struct AnyStream {
    stream: Detecting<AnyOptions, Box<StreamDecoder<AnyFold>>>,
    /// What has been found while the protocol is not known: nothing.
    nothing: Report,
}

impl AnyStream {
    /// Reads a stream of that protocol; of the one that its first event tells, if there is none.
    pub fn new(protocol: Option<ProtocolKind>, choices: AnyOptions, sink: &mut dyn Sink) -> Self {
        let stream = match Built::ONLY.or(protocol) {
            Some(protocol) => Detecting::Decided(AnyFold::stream(Found::One(protocol), choices, sink)),
            None => Detecting::waiting(&choices.options.clone(), choices),
        };
        AnyStream { stream, nothing: Report::default() }
    }

    /// The protocol, once it is known.
    pub fn protocol(&self) -> Option<ProtocolKind> {
        self.stream.decided().map(|stream| stream.fold().protocol())
    }

    /// Reads the next bytes. Never fails. After the end it does nothing.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn Sink) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let taken = self.push_some(rest, sink);
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// Reads the next bytes until the sink is full, as [`StreamDecoder::push_some`] does; returns how many.
    pub fn push_some(&mut self, chunk: &[u8], sink: &mut dyn Sink) -> usize {
        if let Some(stream) = self.stream.decided_mut() {
            return stream.push_some(chunk, sink);
        }
        if Built::ONLY.is_some() {
            return chunk.len();
        }
        let held = self.stream.push(chunk, make(sink));
        if let Some(held) = held {
            self.push(&held, sink);
        }
        chunk.len()
    }

    /// Ends the stream because its source is over. Only the first call of this or of [`abort`](Self::abort) has an effect.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        self.end(false, sink);
    }

    /// Ends the stream before its source is over.
    pub fn abort(&mut self, sink: &mut dyn Sink) {
        self.end(true, sink);
    }

    pub(crate) fn end(&mut self, aborted: bool, sink: &mut dyn Sink) {
        if Built::ONLY.is_none()
            && let Some(held) = self.stream.finish(make(sink))
        {
            self.push(&held, sink);
        }
        if let Some(stream) = self.stream.decided_mut() {
            stream.end(aborted, sink);
        }
    }

    /// Whether nothing that comes can change the answer any more: the terminal event has been read.
    pub fn has_ended(&self) -> bool {
        self.stream.decided().is_some_and(|stream| stream.has_ended())
    }

    /// What has been found so far.
    pub fn report(&self) -> &Report {
        self.stream.decided().map_or(&self.nothing, |stream| stream.report())
    }

    /// What `Last-Event-ID` should say when reconnecting now.
    pub fn last_event_id(&self) -> &str {
        self.stream.decided().map_or("", |stream| stream.last_event_id())
    }
}

/// What makes the stream once its protocol is known.
fn make(sink: &mut dyn Sink) -> impl FnOnce(Found, AnyOptions) -> Box<StreamDecoder<AnyFold>> {
    |found, choices| AnyFold::stream(found, choices, sink)
}

impl Fold for AnyFold {
    fn recognize(&mut self, others: Recognizer) {
        fold!(self, fold => fold.recognize(others));
    }

    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut dyn Sink) {
        fold!(self, fold => fold.event(event, sink));
    }

    #[cfg(feature = "binary")]
    fn frame(&mut self, frame: &sse::Frame<'_>) -> Option<Decoded> {
        fold!(self, fold => fold.frame(frame))
    }

    fn repeatable(&self) -> Option<&Repeat> {
        fold!(self, fold => fold.repeatable())
    }

    #[inline]
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut dyn Sink) {
        fold!(self, fold => fold.repeat(number, text, offset, sink));
    }

    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut dyn Sink) {
        fold!(self, fold => fold.repeat_run(run, sink));
    }

    fn finish(&mut self, aborted: bool, sink: &mut dyn Sink) {
        fold!(self, fold => fold.finish(aborted, sink));
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        fold!(self, fold => fold.framing(rule, offset, got));
    }

    fn has_ended(&self) -> bool {
        fold!(self, fold => fold.has_ended())
    }

    fn report(&self) -> &Report {
        fold!(self, fold => fold.report())
    }

    fn report_mut(&mut self) -> &mut Report {
        fold!(self, fold => fold.report_mut())
    }
}
