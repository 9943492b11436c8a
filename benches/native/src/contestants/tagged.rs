//! The opponent of the table: the protocol's events as an owned enum that serde dispatches by its
//! tag, appended into the state.
//!
//! The events have the members that the protocol declares, as typed SDKs have them. (With only
//! those that the state needs this takes about a tenth less time; the borrowed struct shows the
//! effect of omitting members.)

use serde::Deserialize;

use super::Chunks;
use super::blocks;
use super::state::{Content, Data, State, Status, Usage};

#[derive(Deserialize)]
#[serde(tag = "object", rename_all = "snake_case")]
enum Event {
    Response(Response),
    Message(Message),
    Content(Piece),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read from the wire, not kept")]
struct Response {
    sequence_number: Option<u64>,
    status: Status,
    error: Option<Failure>,
    id: String,
    created_at: Option<i64>,
    completed_at: Option<i64>,
    output: Option<Vec<Message>>,
    usage: Option<Usage>,
    session_id: Option<String>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read from the wire, not kept")]
struct Message {
    sequence_number: Option<u64>,
    status: Status,
    error: Option<Failure>,
    id: String,
    r#type: String,
    role: String,
    content: Option<Vec<Piece>>,
    code: Option<String>,
    message: Option<String>,
    usage: Option<Usage>,
    metadata: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read from the wire, not kept")]
struct Piece {
    sequence_number: Option<u64>,
    status: Status,
    error: Option<Failure>,
    r#type: String,
    #[serde(default)]
    index: usize,
    delta: bool,
    msg_id: String,
    text: Option<String>,
    data: Option<Data>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read from the wire, not kept")]
struct Failure {
    code: String,
    message: String,
}

pub fn read(chunks: Chunks<'_>) -> State {
    let mut state = State::default();
    blocks::feed(chunks, |data| {
        reduce(&mut state, serde_json::from_str(&data).expect("the corpora are JSON"));
    });
    state
}

fn reduce(state: &mut State, event: Event) {
    match event {
        Event::Response(response) => {
            state.response.id = response.id;
            state.response.status = response.status;
            state.response.usage = response.usage;
        }
        Event::Message(event) => {
            let message = state.message(&event.id);
            message.status = event.status;
            message.kind = event.r#type;
            message.role = event.role;
        }
        Event::Content(event) => {
            let content = state.message(&event.msg_id).content(event.index);
            content.status = event.status;
            if let Some(text) = event.text {
                whole_or_piece(&mut content.text, event.delta, text);
            }
            if let Some(data) = event.data {
                merge(content, event.delta, data);
            }
        }
        Event::Other => {}
    }
}

fn merge(content: &mut Content, delta: bool, added: Data) {
    match &mut content.data {
        Some(data) if delta => {
            data.call_id = added.call_id.or(data.call_id.take());
            data.name = added.name.or(data.name.take());
            for (slot, piece) in
                [(&mut data.arguments, added.arguments), (&mut data.output, added.output)]
            {
                if let Some(piece) = piece {
                    whole_or_piece(slot, true, piece);
                }
            }
        }
        data => *data = Some(added),
    }
}

fn whole_or_piece(slot: &mut Option<String>, delta: bool, text: String) {
    match slot {
        Some(whole) if delta => whole.push_str(&text),
        slot => *slot = Some(text),
    }
}
