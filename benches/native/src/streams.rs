//! Streams of any size, for cost against size. Like the corpora, but generated on demand.

use std::fmt::Write as _;

/// Enough of the corpora's words that texts do not repeat soon.
const WORDS: [&str; 8] = ["the", " and", " model", "ing", " stream", ".", " tool", "tion"];

/// Bytes per chunk: the average of `net`.
pub const CHUNK: usize = 2560;

/// A response that is being written.
pub struct Stream {
    bytes: String,
    number: u64,
}

/// A message that is being written.
#[derive(Clone)]
pub struct Message {
    id: String,
    text: String,
}

impl Stream {
    pub fn new() -> Self {
        let mut stream = Stream { bytes: String::new(), number: 0 };
        stream.response("created", "null");
        stream.response("in_progress", "null");
        stream
    }

    /// Returns the bytes since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes).into_bytes()
    }

    pub fn open(&mut self, number: usize) -> Message {
        let id = format!("msg_{number:08x}-1111-4222-a333-444455556666");
        let message = Message { id, text: String::new() };
        self.announce(&message);
        message
    }

    /// Writes that a message is in progress, for the first time or again.
    pub fn announce(&mut self, message: &Message) {
        self.message(&message.id, "in_progress");
    }

    pub fn delta(&mut self, message: &mut Message) {
        let word = WORDS[self.number as usize * 5 % WORDS.len()];
        message.text.push_str(word);
        self.content(&message.id, "in_progress", true, word);
    }

    /// Writes the text once more, and the message's end.
    pub fn complete(&mut self, message: &Message) {
        self.content(&message.id, "completed", false, &message.text);
        self.close(message);
    }

    /// Writes only the message's end.
    pub fn close(&mut self, message: &Message) {
        self.message(&message.id, "completed");
    }

    pub fn end(&mut self) {
        self.response("completed", "[]");
    }

    fn response(&mut self, status: &str, output: &str) {
        let rest = r#""id":"response_0b9c1f4e","created_at":1760000000,"completed_at":null"#;
        let tail = r#""usage":null,"session_id":"session_0b9c1f4e""#;
        self.event("response", status, format_args!(r#"{rest},"output":{output},{tail}"#));
    }

    fn message(&mut self, id: &str, status: &str) {
        let rest = r#""type":"message","role":"assistant""#;
        let tail = r#""content":null,"code":null,"message":null,"usage":null"#;
        // Only every other one has it, so that consecutive ones differ: reading identical ones is
        // faster.
        let more = if self.number.is_multiple_of(2) { r#","metadata":null"# } else { "" };
        self.event("message", status, format_args!(r#""id":"{id}",{rest},{tail}{more}"#));
    }

    fn content(&mut self, id: &str, status: &str, delta: bool, text: &str) {
        let head = format_args!(r#""type":"text","index":0,"delta":{delta}"#);
        self.event("content", status, format_args!(r#"{head},"msg_id":"{id}","text":"{text}""#));
    }

    fn event(&mut self, object: &str, status: &str, rest: std::fmt::Arguments<'_>) {
        let number = self.number;
        self.number += 1;
        let head = format_args!(
            r#""sequence_number":{number},"object":"{object}","status":"{status}","error":null"#
        );
        // Writing to a string cannot fail.
        let _ = write!(self.bytes, "data: {{{head},{rest}}}\n\n");
    }
}

/// Returns one message of `deltas` deltas.
pub fn of_events(deltas: usize) -> Vec<u8> {
    let mut stream = Stream::new();
    let mut message = stream.open(0);
    (0..deltas).for_each(|_| stream.delta(&mut message));
    stream.complete(&message);
    stream.end();
    stream.take()
}

/// Returns one message whose text is in one event of about `bytes` bytes.
pub fn of_one_event(bytes: usize) -> Vec<u8> {
    let mut stream = Stream::new();
    let mut message = stream.open(0);
    while message.text.len() < bytes {
        message.text.push_str(WORDS[message.text.len() % WORDS.len()]);
    }
    stream.complete(&message);
    stream.end();
    stream.take()
}
