//! Calls the builder for recorded events.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};

use agentwire::UsageError;
use agentwire::agent_api::builder::{
    BuilderOptions, ContentBuilder, FileFields, MessageBuilder, PartOrder, ResponseBuilder,
};
use agentwire::agent_api::{ErrorInfo, Payload};
use agentwire::builder::IdSource;
use agentwire::builder::WireEvent;
use agentwire::json::Value;

/// The maker of a recording, which decides a few spellings.
#[derive(Clone, Copy, PartialEq)]
pub enum Made {
    /// The server: `output` is null until the end.
    Server,
    /// The server, and the parts of a message are in the order of completion, as upstream lists
    /// them.
    ServerUnsorted,
    /// The Python builder, numbered.
    Builder,
    /// The Python builder alone: not numbered.
    BuilderUnnumbered,
}

/// Ids as they were recorded.
pub struct Recorded(pub VecDeque<String>);

impl IdSource for Recorded {
    fn next_id(&mut self, _: &str) -> String {
        self.0.pop_front().unwrap_or_default()
    }
}

thread_local! {
    pub static NOW: Cell<i64> = const { Cell::new(0) };
}

/// Calls the builder once for each event.
pub struct Player {
    response: ResponseBuilder,
    messages: HashMap<String, MessageBuilder>,
    contents: HashMap<(String, String), ContentBuilder>,
}

impl Player {
    /// A builder that writes these events.
    pub fn new(events: &[Value], made: Made) -> Self {
        let mut ids = VecDeque::new();
        for event in events.iter().filter(|e| text(e, "object") == "message") {
            let id = text(event, "id").to_owned();
            if !ids.contains(&id) {
                ids.push_back(id);
            }
        }
        NOW.set(number(&events[0], "created_at"));
        let mut options = BuilderOptions::new(Recorded(ids), || NOW.get())
            .response_id(text(&events[0], "id"))
            .null_output(matches!(made, Made::Server | Made::ServerUnsorted))
            .completed_only(true)
            .numbering(made != Made::BuilderUnnumbered);
        if let Some(Value::String(session)) = events[0].get("session_id") {
            options = options.session_id(session.as_str());
        }
        if made == Made::ServerUnsorted {
            options = options.part_order(PartOrder::Completion);
        }
        Player {
            response: ResponseBuilder::new(options),
            messages: HashMap::new(),
            contents: HashMap::new(),
        }
    }

    pub fn play(&mut self, event: &Value) -> Result<WireEvent, UsageError> {
        let status = text(event, "status");
        match text(event, "object") {
            "response" => self.response(status, event),
            "message" => self.message(status, event),
            "content" => self.content(status, event),
            other => panic!("object {other}"),
        }
    }

    fn response(&self, status: &str, event: &Value) -> Result<WireEvent, UsageError> {
        match status {
            "created" => self.response.created(),
            "queued" => self.response.queued(),
            "in_progress" => self.response.in_progress(),
            "completed" => {
                NOW.set(number(event, "completed_at"));
                self.response.completed()
            }
            "failed" => self.response.failed(error(event)),
            "canceled" => self.response.canceled(),
            "rejected" => self.response.rejected(None),
            "incomplete" => self.response.incomplete(None),
            other => panic!("status {other}"),
        }
    }

    fn message(&mut self, status: &str, event: &Value) -> Result<WireEvent, UsageError> {
        let id = text(event, "id");
        if !self.messages.contains_key(id) {
            let made =
                self.response.create_message_builder(text(event, "role"), text(event, "type"))?;
            assert_eq!(made.id(), id);
            self.messages.insert(id.to_owned(), made);
        }
        let message = &self.messages[id];
        for (name, set) in [
            ("usage", MessageBuilder::set_usage as fn(&_, _) -> _),
            ("metadata", MessageBuilder::set_metadata),
        ] {
            if let Some(value) = event.get(name).filter(|v| !v.is_null()) {
                set(message, value.clone())?;
            }
        }
        match status {
            "in_progress" => message.in_progress(),
            "completed" => message.complete(),
            "failed" => message.failed(error(event)),
            "canceled" => message.canceled(),
            "rejected" => message.rejected(None),
            "incomplete" => message.incomplete(),
            other => panic!("status {other}"),
        }
    }

    fn content(&mut self, status: &str, event: &Value) -> Result<WireEvent, UsageError> {
        let id = text(event, "msg_id").to_owned();
        let index = event.get("index").unwrap().to_json();
        let message = &self.messages[&id];
        let delta = event.get("delta") == Some(&Value::Bool(true));
        let known = self.contents.get(&(id.clone(), index.clone()));
        if status == "completed" {
            return match known {
                Some(content) => content.complete(),
                None => message.add_content(payload(event)),
            };
        }
        if status != "in_progress" {
            return Err(misuse());
        }
        let content = match known {
            Some(content) => content.clone(),
            None => message.create_content_builder(text(event, "type"))?,
        };
        self.contents.insert((id, index), content.clone());
        match (payload(event), delta) {
            (Payload::Text { text }, true) => content.add_text_delta(&text.unwrap()),
            (Payload::Data { data }, true) => content.add_data_delta(data.unwrap()),
            (Payload::Refusal { refusal }, true) => content.add_refusal_delta(&refusal.unwrap()),
            (Payload::Text { text }, false) => content.set_text(text.unwrap()),
            (Payload::Data { data }, false) => content.set_data(data.unwrap()),
            (Payload::Image { image_url }, false) => content.set_image_url(image_url.unwrap()),
            (Payload::Video { video_url }, false) => content.set_video_url(video_url.unwrap()),
            (Payload::Refusal { refusal }, false) => content.set_refusal(refusal.unwrap()),
            (Payload::Audio { data, format }, false) => {
                content.set_audio(data.unwrap(), format.as_deref())
            }
            (Payload::File { file_url, file_id, filename, file_data }, false) => {
                content.set_file(FileFields { file_url, file_id, filename, file_data })
            }
            (payload, delta) => panic!("{payload:?}, delta {delta}"),
        }
    }
}

/// Returns an error for an event that the builder has no call for.
fn misuse() -> UsageError {
    let options = BuilderOptions::new(Recorded(VecDeque::new()), || 0);
    ResponseBuilder::new(options).completed().unwrap_err()
}

fn payload(event: &Value) -> Payload {
    let value = |name| event.get(name).filter(|v| !v.is_null()).cloned();
    let string = |name| value(name).map(|v| v.as_str().unwrap().to_owned());
    match text(event, "type") {
        "text" => Payload::Text { text: string("text") },
        "image" => Payload::Image { image_url: string("image_url") },
        "video" => Payload::Video { video_url: string("video_url") },
        "refusal" => Payload::Refusal { refusal: string("refusal") },
        "data" => Payload::Data { data: value("data") },
        "audio" => Payload::Audio { data: string("data"), format: string("format") },
        "file" => Payload::File {
            file_url: string("file_url"),
            file_id: string("file_id"),
            filename: string("filename"),
            file_data: string("file_data"),
        },
        other => panic!("type {other}"),
    }
}

fn error(event: &Value) -> ErrorInfo {
    let error = event.get("error").unwrap();
    ErrorInfo::new(text(error, "code"), text(error, "message"))
}

pub fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub fn number(value: &Value, name: &str) -> i64 {
    value.get(name).unwrap().to_json().parse().unwrap()
}
