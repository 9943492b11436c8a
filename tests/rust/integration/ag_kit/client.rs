//! A model of the official client (`useChat` of `@cloudbase/agent-ui-web` 0.0.24), as far as it can
//! throw or show nothing.

use agentwire::json::Value;
use agentwire::sse::{Decoder, StreamItem, TrailingEvent};

/// The messages of the client: the ids of the calls of an assistant message, `None` for a tool
/// message.
#[derive(Default)]
pub struct Client {
    messages: Vec<Option<Vec<String>>>,
    interrupt: Option<String>,
}

impl Client {
    /// Returns the client after a stream; panics with the error that the client would throw.
    pub fn of(stream: &str) -> Self {
        let (mut client, mut done) = (Client::default(), false);
        let mut on = |item: StreamItem<'_>| {
            let StreamItem::Event(event) = item else { return };
            done |= event.data == "[DONE]";
            if !done && let Ok(event) = Value::parse(event.data, 128) {
                client.take(&event);
            }
        };
        let mut decoder = Decoder::new(agentwire::Limits::default());
        decoder.push(stream.as_bytes(), &mut on);
        decoder.finish(TrailingEvent::Strict, &mut on);
        client
    }

    /// The id of the interrupt that it shows.
    pub fn shown_interrupt(&self) -> Option<&str> {
        let beside = self.messages.iter().any(Option::is_some);
        self.interrupt.as_deref().filter(|_| beside)
    }

    fn take(&mut self, event: &Value) {
        let member = |name: &str| event.get(name).and_then(Value::as_str).map(str::to_owned);
        let id = member("toolCallId").unwrap_or_default();
        match member("type").as_deref() {
            Some("text") => drop(self.assistant()),
            Some("tool-call-start") => self.assistant().push(id),
            Some("tool-call-args") => {
                let Some(Some(calls)) = self.messages.last() else {
                    panic!("Last message is not an assistant message.");
                };
                assert!(
                    calls.contains(&id),
                    "Cannot read properties of undefined (reading 'function')"
                );
            }
            Some("tool-result") => self.messages.push(None),
            // It ignores an interrupt without a reason.
            Some("interrupt") if member("reason").is_some() => self.interrupt = member("id"),
            _ => {}
        }
    }

    fn assistant(&mut self) -> &mut Vec<String> {
        if !matches!(self.messages.last(), Some(Some(_))) {
            self.messages.push(Some(Vec::new()));
        }
        match self.messages.last_mut() {
            Some(Some(calls)) => calls,
            _ => unreachable!("it was put there"),
        }
    }
}
