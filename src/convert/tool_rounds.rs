//! The rounds of a model that calls tools: its answer is added to the request, and the results of
//! its calls with it.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::request::{ConvertError, RequestOptions, known, object};
use crate::core::id::IdSource;
use crate::core::limits::Limits;
use crate::hub::Losses;
use crate::hub::conversation::members::{put, take_list};
use crate::hub::conversation::{
    Back, Call, CallInput, Content, Conversation, Part, RequestCodec, RunBy, ToolResult, TurnRole,
};
use crate::json::Value;
use crate::protocols::ProtocolKind;

/// The requests of one loop: the first one as it was sent, and each next one with the answers and
/// results so far.
///
/// ```
/// use agentwire::ProtocolKind;
/// use agentwire::builder::RandomIds;
/// use agentwire::convert::{RequestOptions, ToolRounds};
/// use agentwire::hub::Losses;
/// use agentwire::hub::conversation::Back;
///
/// let request = r#"{"model":"m","messages":[{"role":"user","content":"What time is it?"}]}"#;
/// let mut rounds = ToolRounds::new(ProtocolKind::Chat, request, RequestOptions::default(), Back::default())?;
/// let answer = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[
///     {"id":"c","type":"function","function":{"name":"get_time","arguments":"{}"}}]}}]}"#;
/// let waiting = rounds.append(answer)?;
/// assert_eq!(waiting.calls[0].name, "get_time");
/// rounds.fill("c", "12:00", false);
/// let next = rounds.next_request(&mut RandomIds, &mut Losses::default())?;
/// assert!(next.ends_with(r#"{"role":"tool","tool_call_id":"c","content":"12:00"}]}"#));
/// # Ok::<(), agentwire::convert::ConvertError>(())
/// ```
#[derive(Debug)]
pub struct ToolRounds {
    protocol: ProtocolKind,
    codec: &'static RequestCodec,
    options: RequestOptions,
    back: Back,
    /// The request as it was sent.
    sent: Value,
    conversation: Conversation,
    /// The number of turns that the request has.
    first_new: usize,
    /// Whether the answer continues the last turn of the request, so that it is written as a whole.
    is_merged: bool,
    /// The ids of all calls, each with the number of the last copy that was made of it.
    ids: BTreeMap<String, u32>,
    /// The calls of the last answer that wait: their turn and part.
    waiting: BTreeMap<String, (usize, usize)>,
}

/// What an answer waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Waiting {
    /// The calls that wait for a result of the client's side, in the order of the answer.
    pub calls: Vec<WaitingCall>,
    /// Whether the model has not finished although no call waits: it is called again.
    pub again: bool,
}

/// A call that waits for its result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitingCall {
    /// The id: unique in the loop, and never empty.
    pub id: String,
    /// The name of the client's tool.
    pub name: String,
    /// The namespace of the client's tool.
    pub namespace: Option<String>,
    /// The arguments: JSON text, or the text of a custom tool.
    pub arguments: String,
    /// Whether the arguments are the text of a custom tool.
    pub is_text: bool,
}

impl ToolRounds {
    /// Creates the rounds that follow a request of this protocol. `back` has the names of the
    /// client's tools.
    ///
    /// # Errors
    ///
    /// [`ConvertError`] for a request that cannot be read, and for a protocol without requests in this build.
    pub fn new(
        protocol: ProtocolKind,
        request: &str,
        options: RequestOptions,
        back: Back,
    ) -> Result<Self, ConvertError> {
        let codec = known(protocol)?;
        let sent = object(request, &options.limits)?;
        let mut conversation = (codec.read)(sent.clone());
        let length = conversation.turns.len();
        // The request is sent as it is: what is changed here is no loss.
        let _ = conversation.prepare(protocol, &options, &mut Losses::default())?;
        let calls = conversation.turns.iter().flat_map(|turn| turn.calls());
        let ids = calls.map(|call| (call.id.clone(), 1)).collect();
        let first_new = conversation.turns.len();
        let is_continued =
            conversation.turns.last().is_some_and(|turn| turn.role == TurnRole::Assistant);
        // A text in place of the list of messages.
        let is_list = matches!(sent.get(codec.messages), Some(Value::Array(_)));
        let is_merged = is_continued || first_new != length || !is_list;
        Ok(ToolRounds {
            protocol,
            codec,
            options,
            back,
            sent,
            conversation,
            first_new,
            is_merged,
            ids,
            waiting: BTreeMap::new(),
        })
    }

    /// Adds the answer of the model, as the reader of the protocol has it: its snapshot as JSON.
    /// Returns what it waits for.
    ///
    /// # Errors
    ///
    /// [`ConvertError`] for an answer that is not a JSON object.
    pub fn append(&mut self, answer: &str) -> Result<Waiting, ConvertError> {
        let answer = object(answer, &self.options.limits)?;
        let continues = (self.codec.continues)(&answer);
        let before = self.conversation.turns.len();
        (self.codec.append)(&mut self.conversation, answer);
        let mut calls = Vec::new();
        self.waiting.clear();
        for (at, turn) in self.conversation.turns.iter_mut().enumerate().skip(before) {
            // A call without a name can neither be run nor be sent back.
            turn.parts.retain(|part| part.as_call().is_none_or(|call| !call.name.is_empty()));
            for (part, call) in turn.parts.iter_mut().enumerate() {
                let Some(call) = call.as_call_mut() else { continue };
                identify(call, &mut self.ids);
                if call.result.is_none() && call.by != RunBy::Provider {
                    self.waiting.insert(call.id.clone(), (at, part));
                    calls.push(waiting(call, &self.back));
                }
            }
        }
        Ok(Waiting { again: calls.is_empty() && continues, calls })
    }

    /// Sets the result of a call: text, often JSON text.
    pub fn fill(&mut self, id: &str, result: &str, error: bool) {
        let Some((turn, part)) = self.waiting.remove(id) else { return };
        let turn = self.conversation.turns.get_mut(turn);
        let part = turn.and_then(|turn| turn.parts.get_mut(part));
        if let Some(call) = part.and_then(Part::as_call_mut) {
            let mut result = ToolResult::new(id, [Part::text(result)].into());
            result.error = error;
            call.result = Some(result);
        }
    }

    /// Returns the next request: the first one, with the answers and the results. A call without a
    /// result has an error as its result.
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append).
    pub fn next_request(
        &mut self,
        ids: &mut dyn IdSource,
        losses: &mut Losses,
    ) -> Result<String, ConvertError> {
        let length = self.conversation.turns.len();
        let _ = self.conversation.prepare(self.protocol, &self.options, losses)?;
        // Turns of one request that became one with turns of the answer: there is no list to which
        // they are added.
        self.is_merged |= self.conversation.turns.len() != length;
        if self.is_merged {
            return self.conversation.write(self.protocol, ids);
        }
        let new = self.conversation.turns.split_off(self.first_new);
        let before = core::mem::replace(&mut self.conversation.turns, new);
        let written = self.conversation.write(self.protocol, ids);
        let new = core::mem::replace(&mut self.conversation.turns, before);
        self.conversation.turns.extend(new);
        let mut written = object(&written?, &Limits::default())?;
        let mut messages = take_list(&mut self.sent, self.codec.messages);
        let length = messages.len();
        messages.append(&mut take_list(&mut written, self.codec.messages));
        put(&mut self.sent, self.codec.messages, Value::Array(messages));
        let json = self.sent.to_json();
        if let Value::Object(members) = &mut self.sent
            && let Some(member) =
                members.iter_mut().find(|member| member.key == self.codec.messages)
            && let Value::Array(messages) = &mut member.value
        {
            messages.truncate(length);
        }
        Ok(json)
    }
}

/// Gives a call an id that no other call has.
fn identify(call: &mut Call, ids: &mut BTreeMap<String, u32>) {
    let base = if call.id.is_empty() { String::from("call") } else { call.id.clone() };
    let mut id = base.clone();
    while ids.contains_key(&id) {
        let copies = ids.entry(base.clone()).or_insert(1);
        *copies += 1;
        id = [&base, "_", &copies.to_string()].concat();
    }
    ids.insert(id.clone(), 1);
    if let Some(result) = &mut call.result {
        result.call.clone_from(&id);
    }
    call.id = id;
}

/// Returns a call as the client's tools have it.
fn waiting(call: &Call, back: &Back) -> WaitingCall {
    let tool = back.tool(&call.name);
    let (arguments, is_text) = match &call.input {
        CallInput::Text(text) => (text.clone(), true),
        CallInput::Json(json) => match tool.filter(|tool| tool.is_text) {
            Some(_) => (Back::text_of(json), true),
            None => (json.clone(), false),
        },
    };
    WaitingCall {
        id: call.id.clone(),
        name: tool.map_or(&call.name, |tool| &tool.name).clone(),
        namespace: tool.map_or(&call.namespace, |tool| &tool.namespace).clone(),
        arguments,
        is_text,
    }
}

impl Conversation {
    /// Whether a result has no call: the request has only the newest messages of a conversation
    /// that the server does not have.
    pub fn lacks_history(&self) -> bool {
        let mut parts = self.turns.iter().flat_map(|turn| &turn.parts);
        parts.any(|part| matches!(part.content, Content::Result(_)))
    }
}
