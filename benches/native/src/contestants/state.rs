//! The opponents' answer: the state that a careful user keeps, written in place.

use std::collections::HashMap;

use serde::Deserialize;

#[derive(Default)]
pub struct State {
    pub response: Response,
    pub messages: Vec<Message>,
    by_id: HashMap<String, usize>,
}

#[derive(Default)]
pub struct Response {
    pub id: String,
    pub status: Status,
    pub usage: Option<Usage>,
}

pub struct Message {
    pub id: String,
    pub kind: String,
    pub role: String,
    pub status: Status,
    pub contents: Vec<Content>,
}

#[derive(Default)]
pub struct Content {
    pub status: Status,
    pub text: Option<String>,
    pub data: Option<Data>,
}

#[derive(Default, Deserialize)]
pub struct Data {
    pub call_id: Option<String>,
    pub name: Option<String>,
    pub arguments: Option<String>,
    pub output: Option<String>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "kept for the user, who would show it")]
pub struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    total_tokens: u64,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Created,
    InProgress,
    Completed,
    Canceled,
    Failed,
    Rejected,
    Queued,
    Incomplete,
    #[serde(other)]
    Unknown,
}

impl State {
    /// Returns the message of that id, or adds one.
    pub fn message(&mut self, id: &str) -> &mut Message {
        let at = match self.by_id.get(id) {
            Some(&at) => at,
            None => {
                let at = self.messages.len();
                self.by_id.insert(id.to_owned(), at);
                self.messages.push(Message {
                    id: id.to_owned(),
                    kind: String::new(),
                    role: String::new(),
                    status: Status::default(),
                    contents: Vec::new(),
                });
                at
            }
        };
        &mut self.messages[at]
    }
}

impl Message {
    /// Returns the content at that index.
    pub fn content(&mut self, index: usize) -> &mut Content {
        if self.contents.len() <= index {
            self.contents.resize_with(index + 1, Content::default);
        }
        &mut self.contents[index]
    }
}

impl Content {
    /// Sets a text, or appends it if it is a piece.
    pub fn text(&mut self, delta: bool, text: &str) {
        match &mut self.text {
            Some(whole) if delta => whole.push_str(text),
            whole => *whole = Some(text.to_owned()),
        }
    }
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Created => "created",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
            Status::Canceled => "canceled",
            Status::Failed => "failed",
            Status::Rejected => "rejected",
            Status::Queued => "queued",
            Status::Incomplete => "incomplete",
            Status::Unknown => "unknown",
        }
    }
}
