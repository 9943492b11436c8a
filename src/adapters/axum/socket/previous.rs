//! The last response of each lane of a socket, so that the next request can continue it by its id
//! although the service stores none.

use std::collections::VecDeque;
use std::string::String;
use std::vec::Vec;

use super::lane::Lane;
use crate::core::Limits;
use crate::core::id::system_clock;
use crate::hub::conversation::members::{take, take_list, take_text};
use crate::json::Value;

/// The last response of a lane.
pub struct Kept {
    id: String,
    /// The input and the output.
    items: Vec<Value>,
}

impl Kept {
    /// Returns the response that an event completes, with the input of its request, unless the
    /// service stores it.
    pub fn of(data: &str, input: Vec<Value>) -> Option<Self> {
        let mut event = Value::parse(data, Limits::default().json_depth).ok()?;
        let mut response = take(&mut event, "response")?;
        let is_stored = response.get("store") == Some(&Value::Bool(true));
        if response.text("status") != Some("completed") || is_stored {
            return None;
        }
        let id = take_text(&mut response, "id")?;
        let mut items = input;
        items.append(&mut take_list(&mut response, "output"));
        Some(Kept { id, items })
    }
}

/// The responses that can be continued. The oldest is first.
#[derive(Default)]
pub struct Previous(VecDeque<(Lane, Kept)>);

/// The number of lanes whose last response is kept.
const MOST: usize = 16;

impl Previous {
    /// Puts the items of the response that a request continues in front of its input, if that is
    /// the last one of its lane.
    pub fn restore(&self, body: &mut Value, lane: &Lane) {
        let Some((_, kept)) = self.0.iter().find(|(other, _)| other == lane) else { return };
        if body.text("previous_response_id") == Some(&*kept.id) {
            take(body, "previous_response_id");
            let mut items = kept.items.clone();
            items.append(&mut take_input(body));
            body.insert("input", Value::Array(items));
        }
    }

    /// Sets the last response of a lane.
    pub fn set(&mut self, lane: Lane, kept: Option<Kept>) {
        self.0.retain(|(other, _)| *other != lane);
        if let Some(kept) = kept {
            self.0.push_back((lane, kept));
        }
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// Keeps the input of a request that asks for no output. Returns the events of its empty
    /// response.
    pub fn prepare(&mut self, mut body: Value, lane: Lane) -> [String; 2] {
        let id = ["resp_", &uuid::Uuid::new_v4().simple().to_string()].concat();
        let created = system_clock();
        let empty = || Value::Array(Vec::new());
        let events = ["in_progress", "completed"].map(|status| {
            let (name, number) = match status {
                "completed" => ("response.completed", 1),
                _ => ("response.created", 0),
            };
            let response = Value::from([
                ("id", id.as_str().into()),
                ("object", "response".into()),
                ("created_at", Value::from(created)),
                ("status", status.into()),
                ("model", body.get("model").cloned().unwrap_or_default()),
                ("error", Value::Null),
                ("incomplete_details", Value::Null),
                ("output", empty()),
                ("usage", Value::Null),
                ("metadata", Value::Object(Vec::new())),
                ("parallel_tool_calls", Value::Bool(true)),
                ("tool_choice", "auto".into()),
                ("tools", empty()),
                ("store", Value::Bool(false)),
            ]);
            let event = Value::from([
                ("type", name.into()),
                ("sequence_number", Value::from(number)),
                ("response", response),
            ]);
            lane.event(event.to_json())
        });
        let items = take_input(&mut body);
        self.set(lane, Some(Kept { id, items }));
        events
    }
}

/// Takes the input of a request as items.
fn take_input(body: &mut Value) -> Vec<Value> {
    take(body, "input").map(items_of).unwrap_or_default()
}

/// Returns an input as items: a text is a message of the user.
pub fn items_of(input: Value) -> Vec<Value> {
    match input {
        Value::Array(items) => items,
        text @ Value::String(_) => {
            let message = [("type", "message".into()), ("role", "user".into()), ("content", text)];
            [Value::from(message)].into()
        }
        _ => Vec::new(),
    }
}
