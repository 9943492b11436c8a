//! Where a stream comes from.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use agentwire::agent_api::{AgentApi, DataMerge, Snapshot};
use agentwire::read::{Mode, Options};
use agentwire::sse::Ending;
use agentwire::{Outcome, Reader};
use clap::ValueEnum;

/// The input could not be read, or what was made could not be written; the sentence says why.
#[derive(Debug)]
pub struct Unreadable(pub String);

/// A stream and how to read it.
#[derive(clap::Args)]
pub struct Input {
    /// The stream: a file, or `-` for standard input.
    #[arg(default_value = "-")]
    pub file: PathBuf,
    /// How the stream is judged.
    #[arg(long, value_enum, default_value_t = Judging::Lenient)]
    mode: Judging,
    /// Drop a last event without its blank line, as the standard says.
    #[arg(long)]
    strict_end: bool,
    /// Which of the two official rules merges data pieces.
    #[arg(long, value_enum, default_value_t = Merge::Builder)]
    data_merge: Merge,
    /// Keep heartbeat messages in the answer.
    #[arg(long)]
    keep_heartbeats: bool,
    /// Feed the stream in pieces of this many bytes: the result is the same.
    #[arg(long, value_name = "BYTES")]
    chunk: Option<std::num::NonZeroUsize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Judging {
    /// Stop at the first error.
    Strict,
    /// Recover and report.
    Lenient,
    /// Recover and say nothing.
    Raw,
}

#[derive(Clone, Copy, ValueEnum)]
enum Merge {
    Builder,
    Message,
}

impl Input {
    /// Reads the whole stream.
    pub fn read(&self) -> Result<Outcome<Snapshot>, Unreadable> {
        let mut protocol = AgentApi::default();
        protocol.keep_heartbeats = self.keep_heartbeats;
        protocol.data_merge = match self.data_merge {
            Merge::Builder => DataMerge::Builder,
            Merge::Message => DataMerge::Message,
        };
        let mut options = Options::default();
        options.mode = match self.mode {
            Judging::Strict => Mode::Strict,
            Judging::Lenient => Mode::Lenient,
            Judging::Raw => Mode::Raw,
        };
        options.ending = if self.strict_end { Ending::Strict } else { Ending::Lenient };
        // The seed is a secret against servers; the time and this process are enough of one here.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        options.seed = (now.as_nanos() as u64) ^ (u64::from(std::process::id()) << 32);
        let mut reader = Reader::with(protocol, options);
        self.chunks(|bytes| reader.push(bytes))?;
        Ok(reader.finish())
    }

    fn chunks(&self, mut on: impl FnMut(&[u8])) -> Result<(), Unreadable> {
        let unreadable =
            |error: io::Error| Unreadable(format!("cannot read {}: {error}", self.file.display()));
        let mut source: Box<dyn Read> = if self.file.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            Box::new(File::open(&self.file).map_err(unreadable)?)
        };
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
