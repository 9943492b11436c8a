//! The requests that several protocols have.

use agentwire::Limits;
use agentwire::builder::RandomIds;
use agentwire::convert::RequestOptions;
use agentwire::hub::Losses;
use agentwire::hub::conversation::{
    Conversation, Function, Part, Tool, ToolResult, Turn, TurnRole,
};
use agentwire::json::Value;
use reqwest::Method;

use super::check::{Fault, Scenario};
use super::sent::{Asking, Sent};

/// The question of most requests.
pub const QUESTION: &str = "Reply with one short sentence.";
/// The question of a second turn.
pub const NEXT_QUESTION: &str = "Reply with another short sentence.";
const CALL_QUESTION: &str =
    "What is the weather in Paris? Call the tool get_weather, and then answer in one sentence.";

/// The name of the tool that the probe declares.
pub const TOOL: &str = "get_weather";
const TOOL_SCHEMA: &str = r#"{"type":"object","properties":{"city":{"type":"string","description":"The name of the city"}},"required":["city"],"additionalProperties":false}"#;
const TOOL_RESULT: &str = "18 °C and sunny";

/// The name of a model that no server has.
pub const NO_MODEL: &str = "agentwire-probe-no-such-model";

/// A text as a stream.
pub static TEXT: Scenario = Scenario {
    name: "text",
    after: &[],
    request: |asking| {
        let first = asking.first(QUESTION);
        asking.ask(first, true)
    },
};

/// The same as a whole answer.
pub static WHOLE: Scenario = Scenario {
    name: "whole",
    after: &[],
    request: |asking| {
        let first = asking.first(QUESTION);
        asking.ask(first, false)
    },
};

/// The second turn of the conversation of [`TEXT`], with the answer as its history.
pub static NEXT_TURN: Scenario = Scenario {
    name: "next-turn",
    after: &["text"],
    request: |asking| {
        let mut conversation = asking.continued("text")?;
        let question = Turn::new(TurnRole::User, vec![Part::text(NEXT_QUESTION)]);
        conversation.turns.push(question);
        asking.written(conversation)
    },
};

/// A question for which the model calls a tool.
pub static CALL: Scenario = Scenario {
    name: "call",
    after: &[],
    request: |asking| {
        let first = asking.first(CALL_QUESTION);
        let mut conversation = asking.read(&first)?;
        let mut tool = Function::default();
        tool.name = TOOL.into();
        tool.description = Some("Returns the weather of a city.".into());
        tool.schema = Value::parse(TOOL_SCHEMA, 16).ok();
        conversation.tools.push(Tool::Function(tool));
        asking.written(conversation)
    },
};

/// The results of the calls of [`CALL`].
pub static CALL_RESULT: Scenario = Scenario {
    name: "call-result",
    after: &["call"],
    request: |asking| {
        let mut conversation = asking.continued("call")?;
        let mut has_calls = false;
        for call in conversation.pending().filter(|call| call.name == TOOL) {
            call.result = Some(ToolResult::new(&call.id, vec![Part::text(TOOL_RESULT)]));
            has_calls = true;
        }
        match has_calls {
            true => asking.written(conversation),
            false => Err(Fault::skipped("the server did not call the tool of the client")),
        }
    },
};

/// A body that the protocol does not allow.
pub static INVALID: Scenario = Scenario {
    name: "invalid",
    after: &[],
    request: |asking| {
        let body = asking.filled(asking.contract.invalid, QUESTION);
        Ok(asking.post(body.to_json(), "application/json"))
    },
};

/// A body that is not JSON.
pub static BROKEN_JSON: Scenario = Scenario {
    name: "broken-json",
    after: &[],
    request: |asking| Ok(asking.post(r#"{"broken":"#.into(), "application/json")),
};

/// A request that is not sent as JSON: pages of other sites can send it without being asked.
pub static WRONG_TYPE: Scenario = Scenario {
    name: "wrong-type",
    after: &[],
    request: |asking| {
        let body = (asking.contract.framed)(asking.first(QUESTION), true);
        Ok(asking.post(body.to_json(), "text/plain"))
    },
};

/// A request with a member that no version of the protocol has.
pub static UNKNOWN_MEMBER: Scenario = Scenario {
    name: "unknown-member",
    after: &[],
    request: |asking| {
        let mut first = asking.first(QUESTION);
        let member = Value::from([("nested", Value::from(1))]);
        first.insert("agentwire_probe", member);
        asking.ask(first, true)
    },
};

/// A request for a model that no server has.
pub static UNKNOWN_MODEL: Scenario = Scenario {
    name: "unknown-model",
    after: &[],
    request: |asking| {
        let mut first = asking.first(QUESTION);
        first.insert("model", NO_MODEL.into());
        asking.ask(first, true)
    },
};

/// The endpoint with another method.
pub static OTHER_METHOD: Scenario = Scenario {
    name: "other-method",
    after: &[],
    request: |asking| {
        let url = asking.target.below(asking.contract.path);
        Ok(asking.bare(Method::PATCH, url))
    },
};

/// A stream whose client disconnects.
pub static CUT: Scenario = Scenario {
    name: "cut",
    after: &[],
    request: |asking| {
        let mut sent = (TEXT.request)(asking)?;
        sent.request.is_cut = true;
        Ok(sent)
    },
};

/// A stream after [`CUT`].
pub static AFTER_CUT: Scenario =
    Scenario { name: "after-cut", after: &["cut"], request: TEXT.request };

impl Asking<'_> {
    fn read(&self, body: &Value) -> Result<Conversation, Fault> {
        let read = Conversation::read(self.contract.protocol, &body.to_json(), &Limits::default());
        read.map_err(|error| Fault::skipped(error.to_string()))
    }

    /// Returns the conversation of a request with its answer.
    fn continued(&self, scenario: &str) -> Result<Conversation, Fault> {
        let answer = self.answers.of(scenario)?;
        if !(200..300).contains(&answer.response.status) {
            let reason = format!("the request of `{scenario}` has no answer");
            return Err(Fault::skipped(reason));
        }
        let mut conversation = self.read(&answer.sent.body)?;
        let snapshot = answer.outcome(self.contract).snapshot.to_json();
        let appended = conversation.append(self.contract.protocol, &snapshot, &Limits::default());
        appended.map_err(|error| Fault::skipped(error.to_string()))?;
        Ok(conversation)
    }

    /// Returns the request of a conversation.
    fn written(&self, mut conversation: Conversation) -> Result<Sent, Fault> {
        let protocol = self.contract.protocol;
        let options = RequestOptions::default();
        let prepared = conversation.prepare(protocol, &options, &mut Losses::default());
        let written = prepared.and_then(|_| conversation.write(protocol, &mut RandomIds));
        let body = written.map_err(|error| Fault::skipped(error.to_string()))?;
        let body = Value::parse(&body, u32::MAX).unwrap_or_default();
        self.ask(body, true)
    }
}
