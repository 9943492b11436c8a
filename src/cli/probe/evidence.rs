//! The evidence of a check: the response of its scenario, and what a reader makes of it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use agentwire::AnyReader;
use agentwire::Limits;
use agentwire::hub::conversation::{Content, Conversation, TurnRole};
use agentwire::json::Value;
use agentwire::read::{AnyOptions, AnyOutcome};
use agentwire::sse::{Decoder, SseEvent, StreamItem, TrailingEvent};

use super::check::{Check, Contract, Fault, Judged, expect};
use super::client::{BodyEnd, MOST_BYTES, Response};
use super::sent::Sent;

/// The nesting of JSON that is read.
const DEPTH: u32 = 256;

/// The responses so far, by their scenarios.
#[derive(Default)]
pub struct Answers(BTreeMap<&'static str, Result<Answer, Fault>>);

/// A response to a request.
pub struct Answer {
    pub sent: Sent,
    pub response: Response,
    outcome: OnceCell<AnyOutcome>,
}

/// The evidence of one check.
pub struct Evidence<'a> {
    pub contract: &'a Contract,
    pub answers: &'a Answers,
    /// The answer of the last scenario that the check needs.
    pub answer: &'a Answer,
}

/// An event of a stream.
pub struct Event {
    /// The event line.
    pub name: String,
    pub data: String,
    /// The data, if it is JSON.
    pub json: Option<Value>,
}

impl Answers {
    pub fn insert(&mut self, scenario: &'static str, answer: Result<Answer, Fault>) {
        self.0.insert(scenario, answer);
    }

    /// Returns the answer of a scenario.
    ///
    /// # Errors
    ///
    /// The reason why it has none.
    pub fn of(&self, scenario: &str) -> Result<&Answer, Fault> {
        match self.0.get(scenario) {
            Some(answer) => answer.as_ref().map_err(Clone::clone),
            None => Err(Fault::skipped(format!("`{scenario}` was not asked"))),
        }
    }
}

impl Answer {
    pub fn new(sent: Sent, response: Response) -> Self {
        Answer { sent, response, outcome: OnceCell::new() }
    }

    /// Returns what a reader of the protocol makes of the body.
    pub fn outcome(&self, contract: &Contract) -> &AnyOutcome {
        self.outcome.get_or_init(|| {
            let mut options = AnyOptions::default();
            (contract.reading)(&self.sent.framed, &mut options);
            let mut reader = AnyReader::with_options(contract.protocol, options);
            reader.push(&self.response.body);
            reader.finish()
        })
    }

    /// Returns the beginning of the body as a line of text.
    pub fn excerpt(&self) -> String {
        const MOST: usize = 200;
        let text = String::from_utf8_lossy(&self.response.body);
        let line: Vec<&str> = text.split_whitespace().collect();
        let line = line.join(" ");
        match line.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }
}

impl<'a> Evidence<'a> {
    /// Collects what a check judges.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be judged.
    pub fn new(check: &Check, contract: &'a Contract, answers: &'a Answers) -> Result<Self, Fault> {
        let mut last = Err(Fault::skipped("nothing is asked"));
        for scenario in check.needs {
            last = Ok(answers.of(scenario)?);
        }
        Ok(Evidence { contract, answers, answer: last? })
    }

    pub fn response(&self) -> &'a Response {
        &self.answer.response
    }

    /// Fails unless the request has succeeded.
    pub fn succeeded(&self) -> Judged {
        let status = self.response().status;
        expect((200..300).contains(&status), || {
            format!("the status is {status}: {}", self.answer.excerpt())
        })
    }

    /// Skips the check unless the request has succeeded and its response has ended: the failure is
    /// that of another check.
    pub fn needs_success(&self) -> Judged {
        self.succeeded().map_err(|_| Fault::skipped("the request has failed"))?;
        match self.response().is_endless() {
            true => Err(Fault::skipped("the response has not ended")),
            false => Ok(()),
        }
    }

    /// Fails unless the body has ended by itself.
    pub fn ended(&self) -> Judged {
        Err(Fault::failed(match &self.response().end {
            BodyEnd::Whole | BodyEnd::Cut => return Ok(()),
            BodyEnd::Late => "the response has not ended in time".to_owned(),
            BodyEnd::TooLong => format!("the response has more than {MOST_BYTES} bytes"),
            BodyEnd::Broken(reason) => format!("the connection broke off: {reason}"),
        }))
    }

    /// Returns the body as JSON.
    pub fn json(&self) -> Result<Value, Fault> {
        let text = String::from_utf8_lossy(&self.response().body);
        Value::parse(&text, DEPTH).map_err(|error| {
            Fault::failed(format!(
                "the body is not JSON at byte {}: {}",
                error.at,
                self.answer.excerpt()
            ))
        })
    }

    /// Returns what a reader of the protocol makes of the stream.
    pub fn outcome(&self) -> &'a AnyOutcome {
        self.answer.outcome(self.contract)
    }

    /// Returns the events of the stream.
    pub fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut decoder = Decoder::new(Limits::default());
        let mut on = |item: StreamItem<'_>| {
            if let StreamItem::Event(SseEvent { name, data, .. }) = item {
                let json = Value::parse(data, DEPTH).ok();
                events.push(Event { name: name.to_string(), data: data.to_string(), json });
            }
        };
        decoder.push(&self.response().body, &mut on);
        decoder.finish(TrailingEvent::Lenient, &mut on);
        events
    }

    /// Returns the events of the stream that are JSON.
    pub fn objects(&self) -> Vec<Value> {
        self.events().into_iter().filter_map(|event| event.json).collect()
    }

    /// Returns the contents of the answer, as the history of the next request has them.
    pub fn contents(&self) -> Result<Vec<Content>, Fault> {
        let mut conversation = Conversation::new(self.contract.protocol.as_str());
        let (protocol, snapshot) = (self.contract.protocol, self.outcome().snapshot.to_json());
        let appended = conversation.append(protocol, &snapshot, &Limits::default());
        appended.map_err(|error| Fault::skipped(error.to_string()))?;
        let turns = conversation.turns.into_iter();
        let answered = turns.filter(|turn| turn.role == TurnRole::Assistant);
        Ok(answered.flat_map(|turn| turn.parts).map(|part| part.content).collect())
    }

    /// Returns the text of the answer.
    pub fn text(&self) -> Result<String, Fault> {
        let texts = self.contents()?.into_iter().filter_map(|content| match content {
            Content::Text(text) | Content::Refusal(text) => Some(text),
            _ => None,
        });
        Ok(texts.collect())
    }
}

/// Returns the value at a path of members, `a.b.c`; an index is a member of a list.
pub fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, step| match (value, step.parse::<usize>()) {
        (Value::Array(items), Ok(index)) => items.get(index),
        _ => value.get(step),
    })
}

/// Returns the text at a path; empty without one.
pub fn text_at<'v>(value: &'v Value, path: &str) -> &'v str {
    at(value, path).and_then(Value::as_str).unwrap_or_default()
}
