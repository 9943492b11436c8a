//! The input of the commands: a stream and the options for reading it.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use agentwire::AnyReader;
use agentwire::ProtocolKind;
use agentwire::Report;
use agentwire::a2a::Dialect;
use agentwire::agent_api::DataMerge;
use agentwire::json::Value;
use agentwire::read::AnyOptions;
use agentwire::read::{AnyOutcome, Mode};
use agentwire::sse::{Framing, TrailingEvent};
use clap::ValueEnum;

use crate::protocol::{self, SourceProtocol};
use crate::source::{self, InputProbe};

/// The error of an input that cannot be read or an output that cannot be written; the text is the
/// reason.
#[derive(Debug)]
pub struct Unreadable(pub String);

/// A stream that was read.
#[derive(Debug)]
pub struct ReadStream {
    /// The answer and the report.
    pub outcome: AnyOutcome,
    /// The reason why the input is not the stream that it was read as.
    pub complaint: Option<String>,
}

/// A stream and how to read it.
#[derive(clap::Args)]
pub struct StreamInput {
    /// The stream: a file, compressed by gzip or not, or `-` for standard input.
    #[arg(default_value = "-")]
    pub file: PathBuf,
    /// The protocol of the stream. `auto` detects it from the first events.
    #[arg(long, visible_alias = "from", value_parser = protocol::source(), default_value = "auto")]
    protocol: SourceProtocol,
    /// The reaction to violations.
    #[arg(long, value_enum, default_value_t = ReadMode::Lenient)]
    mode: ReadMode,
    /// The framing of the events.
    #[arg(long, value_enum, default_value_t = FrameFormat::Sse)]
    framing: FrameFormat,
    /// Drop a last event that has no blank line after it, as the SSE standard requires.
    #[arg(long)]
    strict_end: bool,
    /// Agent API: the rule that merges data deltas.
    #[arg(long, value_enum, default_value_t = MergeMode::Builder)]
    data_merge: MergeMode,
    /// Agent API: keep heartbeat messages in the snapshot.
    #[arg(long)]
    keep_heartbeats: bool,
    /// AG-Kit: accept a stream that ends without `[DONE]`.
    #[arg(long)]
    done_is_optional: bool,
    /// AG-Kit: a tool of the client; may be repeated. The server answers calls of other tools.
    #[arg(long = "client-tool", value_name = "NAME")]
    client_tools: Vec<String>,
    /// AG-UI: the messages of the request, a JSON array.
    #[arg(long, value_name = "JSON", value_parser = json)]
    messages: Option<Value>,
    /// AG-UI: the state of the request, any JSON.
    #[arg(long, value_name = "JSON", value_parser = json)]
    state: Option<Value>,
    /// A2A: the id of the request, any JSON. By default the id in the first event, or 1 in a stream
    /// that is written.
    #[arg(long, value_name = "JSON", value_parser = json)]
    request_id: Option<Value>,
    /// A2A: the version of the request. By default the version of the first event, or 1.0 in a
    /// stream that is written.
    #[arg(long, value_enum)]
    a2a_version: Option<A2aVersion>,
    /// A2A: the binding.
    #[arg(long, value_enum, default_value_t = EventBinding::JsonRpc)]
    binding: EventBinding,
    /// Read the stream in chunks of this many bytes. The result is the same.
    #[arg(long, value_name = "BYTES")]
    chunk: Option<std::num::NonZeroUsize>,
    /// Print no summary on a terminal.
    #[arg(long, short)]
    pub quiet: bool,
}

fn json(text: &str) -> Result<Value, String> {
    Value::parse(text, 128).map_err(|error| format!("no JSON at byte {}", error.at))
}

/// Seconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

#[derive(Clone, Copy, ValueEnum)]
enum A2aVersion {
    #[value(name = "1.0")]
    V1,
    #[value(name = "0.3")]
    V0_3,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum EventBinding {
    /// Each event is a JSON-RPC response.
    JsonRpc,
    /// Each event is the object itself.
    Rest,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReadMode {
    /// Stop at the first violation of severity error.
    Strict,
    /// Recover and report.
    Lenient,
    /// Recover without a report.
    Raw,
}

#[derive(Clone, Copy, ValueEnum)]
enum FrameFormat {
    /// Server-sent events.
    Sse,
    /// Newline-delimited JSON: each line is an event.
    Ndjson,
    /// Frames with their length before them: AG-UI's binary form.
    LengthPrefixed,
}

#[derive(Clone, Copy, ValueEnum)]
enum MergeMode {
    Builder,
    Message,
}

impl StreamInput {
    /// Reads the whole stream.
    pub fn read(&self) -> Result<ReadStream, Unreadable> {
        self.read_file(&self.file)
    }

    /// Reads another stream in the same way.
    pub fn read_file(&self, file: &Path) -> Result<ReadStream, Unreadable> {
        let (protocol, choices) = self.choices();
        let mut looks = InputProbe::default();
        let mut reader = AnyReader::with_options(protocol, choices);
        self.chunks_of(file, |bytes| {
            looks.push(bytes);
            reader.push(bytes);
        })?;
        let outcome = reader.finish();
        let complaint = looks.complaint(file, &outcome.report);
        Ok(ReadStream { outcome, complaint })
    }

    /// Prints that a stream was read, on a terminal.
    pub fn summarize(&self, file: &Path, protocol: ProtocolKind, report: &Report) {
        if self.quiet || !io::stderr().is_terminal() {
            return;
        }
        let events = counted(report.events, "event", "events");
        let violations = match report.total() {
            0 => "no violations".to_owned(),
            total => counted(total, "violation", "violations"),
        };
        let (name, title, ended) =
            (source::name(file), protocol.title(), report.end_reason.as_str());
        eprintln!("{name}: {title}, {events}, {violations}, ended: {ended}");
    }

    /// Returns the protocol, `None` for `auto`, and the options for reading the source.
    pub fn choices(&self) -> (Option<ProtocolKind>, AnyOptions) {
        let mut choices = AnyOptions::default();
        choices.agent_api.keep_heartbeats = self.keep_heartbeats;
        choices.agent_api.data_merge = match self.data_merge {
            MergeMode::Builder => DataMerge::Builder,
            MergeMode::Message => DataMerge::Message,
        };
        choices.a2a.request_id = self.request_id.as_ref().map(Into::into);
        choices.a2a.version = self.a2a_version.map(|version| match version {
            A2aVersion::V1 => Dialect::V1,
            A2aVersion::V0_3 => Dialect::V0_3,
        });
        choices.a2a.is_rest = self.binding == EventBinding::Rest;
        choices.ag_kit.done_is_optional = self.done_is_optional;
        choices.ag_kit.client_tools =
            (!self.client_tools.is_empty()).then(|| self.client_tools.clone());
        choices.ag_ui.messages = self.messages.as_ref().map(Into::into);
        choices.ag_ui.state = self.state.as_ref().map(Into::into);
        let options = &mut choices.options;
        options.mode = match self.mode {
            ReadMode::Strict => Mode::Strict,
            ReadMode::Lenient => Mode::Lenient,
            ReadMode::Raw => Mode::Raw,
        };
        options.framing = match self.framing {
            FrameFormat::Sse => Framing::Sse,
            FrameFormat::Ndjson => Framing::Ndjson,
            FrameFormat::LengthPrefixed => Framing::LengthPrefixed,
        };
        options.ending =
            if self.strict_end { TrailingEvent::Strict } else { TrailingEvent::Lenient };
        (self.protocol.0, choices)
    }

    /// Passes the whole stream to `on`, in chunks.
    pub fn chunks(&self, on: impl FnMut(&[u8])) -> Result<(), Unreadable> {
        self.chunks_of(&self.file, on)
    }

    fn chunks_of(&self, file: &Path, mut on: impl FnMut(&[u8])) -> Result<(), Unreadable> {
        let unreadable =
            |error: io::Error| Unreadable(format!("cannot read {}: {error}", source::name(file)));
        let mut source = source::open(file, self.quiet).map_err(unreadable)?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            let length = match source.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(error)),
            };
            match self.chunk {
                Some(size) => buffer[..length].chunks(size.get()).for_each(&mut on),
                None => on(&buffer[..length]),
            }
        }
    }
}

/// Formats a number with its noun.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
