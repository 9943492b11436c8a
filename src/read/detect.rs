//! Which protocol a stream speaks, told by its first event.
//!
//! ```
//! use agentwire::read::detect::{ProtocolKind, detect};
//!
//! assert_eq!(detect(r#"{"object":"response","status":"created"}"#), Some(ProtocolKind::AgentApi));
//! assert_eq!(detect(r#"{"type":"text","content":"Hi"}"#), Some(ProtocolKind::AgKit));
//! assert_eq!(detect(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#), Some(ProtocolKind::AgUi));
//! assert_eq!(detect("{}"), None); // says nothing: the next event may
//! ```

use alloc::vec::Vec;

use crate::core::limits::Limits;
use crate::json::{Document, Str};
use crate::sse::{Decoder, Ending, Framing, Item};

/// A protocol that can be told by its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProtocolKind {
    /// The Agent API of AgentScope Runtime: [`agent_api`](crate::agent_api).
    AgentApi,
    /// AG-Kit's own events: `ag_kit`.
    AgKit,
    /// AG-UI, whose event types are upper-case. Recognised, not read yet.
    AgUi,
}

impl ProtocolKind {
    /// `"agent-api"`, `"ag-kit"` or `"ag-ui"`.
    pub const fn as_str(self) -> &'static str {
        match self {
            ProtocolKind::AgentApi => "agent-api",
            ProtocolKind::AgKit => "ag-kit",
            ProtocolKind::AgUi => "ag-ui",
        }
    }

    /// Whether this version can read it.
    pub const fn is_readable(self) -> bool {
        match self {
            ProtocolKind::AgentApi | ProtocolKind::AgKit => true,
            ProtocolKind::AgUi => false,
        }
    }
}

/// The protocol that the data of an event belongs to; `None` when it could be any or is none of these.
///
/// A bare error (`{"error":…}`) is the Agent API's, with `details` it is AG-Kit's; `[DONE]` in the place of a first
/// event is AG-Kit's.
pub fn detect(data: &str) -> Option<ProtocolKind> {
    if is_done(data) {
        return Some(ProtocolKind::AgKit);
    }
    let (mut object, mut kind) = (None, None);
    let (mut error, mut details) = (false, false);
    let document = Document::read(data, Limits::default().json_depth).ok()?;
    for (key, value) in document.root().object().ok()? {
        match key.as_plain() {
            Some("object") => object = value.string().ok(),
            Some("type") => kind = value.string().ok(),
            Some("error") => error = !value.is_null(),
            Some("details") => details = true,
            _ => {}
        }
    }
    let is_one_of = |name: Str<'_>, known: &[&str]| known.iter().any(|known| name == *known);
    match (object, kind) {
        (Some(name), _) if is_one_of(name, &AGENT_API) => Some(ProtocolKind::AgentApi),
        (Some(_), _) => None,
        (None, Some(name)) if is_ag_ui(&name.to_str()) => Some(ProtocolKind::AgUi),
        (None, Some(name)) if is_one_of(name, &AG_KIT) => Some(ProtocolKind::AgKit),
        (None, Some(_)) => None,
        (None, None) if error && details => Some(ProtocolKind::AgKit),
        (None, None) if error => Some(ProtocolKind::AgentApi),
        (None, None) => None,
    }
}

/// The objects of the Agent API.
const AGENT_API: [&str; 3] = ["response", "message", "content"];

/// The event types of AG-Kit, in the order of its documentation.
pub(crate) const AG_KIT: [&str; 7] =
    ["text", "tool-call-start", "tool-call-args", "tool-call-end", "tool-result", "interrupt", "error"];

/// The end marker that several protocols have, white space around it or not.
pub(crate) fn is_done(data: &str) -> bool {
    data.trim_ascii() == "[DONE]"
}

/// Whether an event type is spelled as AG-UI spells its own: `RUN_STARTED`.
pub(crate) fn is_ag_ui(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Finds the first event that tells the protocol, in a stream whose bytes arrive cut anywhere, and keeps the bytes until
/// then.
#[derive(Debug)]
pub struct Detector {
    decoder: Decoder,
    found: Option<ProtocolKind>,
    held: Vec<u8>,
}

/// What is read when nothing tells.
pub const FALLBACK: ProtocolKind = ProtocolKind::AgentApi;

/// Whoever has said nothing in so many bytes is taken at once for what is read when nothing tells.
const PATIENCE: usize = 1 << 20;

impl Detector {
    /// A detector at the start of a stream of server-sent events.
    pub fn new(limits: Limits) -> Self {
        Self::framed(limits, Framing::Sse)
    }

    /// A detector at the start of a stream that is cut into events in this way.
    pub fn framed(limits: Limits, framing: Framing) -> Self {
        Detector { decoder: Decoder::framed(limits, framing), found: None, held: Vec::new() }
    }

    /// Takes the next bytes; returns the protocol once an event has told it. After a megabyte of anything else it is
    /// [`FALLBACK`].
    pub fn push(&mut self, chunk: &[u8]) -> Option<ProtocolKind> {
        self.held.extend_from_slice(chunk);
        let found = &mut self.found;
        self.decoder.push(chunk, &mut |item: Item<'_>| look(found, &item));
        if self.held.len() >= PATIENCE {
            self.found.get_or_insert(FALLBACK);
        }
        self.found
    }

    /// The stream is over: an event without its blank line counts, too.
    pub fn finish(&mut self) -> Option<ProtocolKind> {
        let found = &mut self.found;
        self.decoder.finish(Ending::Lenient, &mut |item: Item<'_>| look(found, &item));
        self.found
    }

    /// Hands over the bytes so far: a reader of the protocol is to be given them first.
    pub fn take_held(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.held)
    }
}

fn look(found: &mut Option<ProtocolKind>, item: &Item<'_>) {
    match item {
        Item::Event(event) if found.is_none() => *found = detect(event.data),
        // What is no event tells the reader that will say so.
        Item::JsonLine(line) if found.is_none() => *found = detect(line.text),
        _ => {}
    }
}
