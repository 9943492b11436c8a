//! The opponent: structs with derived `Serialize`, written straight into the output. It has no
//! checks.

use serde::Serialize;

use super::NOW;

#[derive(Serialize)]
struct Response<'a> {
    sequence_number: usize,
    object: &'static str,
    status: &'static str,
    error: Option<()>,
    id: &'static str,
    created_at: i64,
    completed_at: Option<i64>,
    output: Vec<Message<'a>>,
    usage: Option<()>,
    session_id: &'static str,
}

#[derive(Serialize)]
struct Message<'a> {
    sequence_number: usize,
    object: &'static str,
    status: &'static str,
    error: Option<()>,
    id: &'static str,
    r#type: &'static str,
    role: &'static str,
    content: Option<Vec<Content<'a>>>,
    code: Option<()>,
    message: Option<()>,
    usage: Option<()>,
    metadata: Option<()>,
}

#[derive(Serialize)]
struct Content<'a> {
    sequence_number: usize,
    object: &'static str,
    status: &'static str,
    error: Option<()>,
    r#type: &'static str,
    index: u32,
    delta: bool,
    msg_id: &'static str,
    text: &'a str,
}

/// Ids as the builder's counter generates them.
const RESPONSE_ID: &str = "response_1";
const MESSAGE_ID: &str = "msg_2";

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    content: &'a str,
}

pub fn write_ag_kit(tokens: &[&str], bytes: &mut Vec<u8>) {
    let mut out = Out { bytes, number: 0 };
    for content in tokens {
        out.send(|_| Text { r#type: "text", content });
    }
    out.bytes.extend_from_slice(b"data: [DONE]\n\n");
}

pub fn write(tokens: &[&str], bytes: &mut Vec<u8>) {
    let mut out = Out { bytes, number: 0 };
    out.response("created", None, Vec::new());
    out.response("in_progress", None, Vec::new());
    out.send(|number| message(number, "in_progress", None));
    let mut whole = String::new();
    for token in tokens {
        whole.push_str(token);
        out.send(|number| content(number, "in_progress", true, token));
    }
    // Repeated values keep the number of the event that first contained them.
    let (content_number, message_number) = (out.number, out.number + 1);
    let contents = || vec![content(content_number, "completed", false, &whole)];
    out.send(|number| content(number, "completed", false, &whole));
    out.send(|number| message(number, "completed", Some(contents())));
    out.response(
        "completed",
        Some(NOW),
        vec![message(message_number, "completed", Some(contents()))],
    );
}

struct Out<'o> {
    bytes: &'o mut Vec<u8>,
    number: usize,
}

impl Out<'_> {
    fn response(
        &mut self,
        status: &'static str,
        completed_at: Option<i64>,
        output: Vec<Message<'_>>,
    ) {
        self.send(|sequence_number| Response {
            sequence_number,
            object: "response",
            status,
            error: None,
            id: RESPONSE_ID,
            created_at: NOW,
            completed_at,
            output,
            usage: None,
            session_id: "session",
        });
    }

    fn send<E: Serialize>(&mut self, event: impl FnOnce(usize) -> E) {
        self.bytes.extend_from_slice(b"data: ");
        serde_json::to_writer(&mut *self.bytes, &event(self.number))
            .expect("memory takes everything");
        self.bytes.extend_from_slice(b"\n\n");
        self.number += 1;
    }
}

fn message<'a>(
    sequence_number: usize,
    status: &'static str,
    content: Option<Vec<Content<'a>>>,
) -> Message<'a> {
    Message {
        sequence_number,
        object: "message",
        status,
        error: None,
        id: MESSAGE_ID,
        r#type: "message",
        role: "assistant",
        content,
        code: None,
        message: None,
        usage: None,
        metadata: None,
    }
}

fn content<'a>(
    sequence_number: usize,
    status: &'static str,
    delta: bool,
    text: &'a str,
) -> Content<'a> {
    Content {
        sequence_number,
        object: "content",
        status,
        error: None,
        r#type: "text",
        index: 0,
        delta,
        msg_id: MESSAGE_ID,
        text,
    }
}
