//! Conversations of a model that a client of another protocol holds: with the state of the model in
//! its envelopes, which the client may have lost, damaged or put elsewhere.

use agentwire::ProtocolKind;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use super::talk::{Talk, request, talk};
use super::{ANY, agents, convert, options};

/// A conversation with a model, at a client.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The protocol of the model that has answered.
    pub model: ProtocolKind,
    pub client: ProtocolKind,
    /// The request of the client.
    pub request: String,
}

impl Carried {
    /// Returns the request with envelopes of this scope.
    pub fn of_scope(&self, scope: &str) -> String {
        let mut request: Value =
            serde_json::from_str(&self.request).unwrap_or_else(|error| panic!("{error}"));
        let mut envelopes = Vec::new();
        strings(&mut request, &|text| text.starts_with("aw1."), &mut envelopes);
        for envelope in envelopes {
            *envelope = envelope.replacen("..", &format!(".{scope}."), 1);
        }
        request.to_string()
    }
}

/// What a client does to the conversation that it holds. The numbers are places.
#[derive(Clone, Debug)]
enum Change {
    Remove(usize),
    Repeat(usize),
    Swap(usize),
    /// Cuts an envelope.
    Damage(usize, usize),
    /// Changes a text that an envelope may belong to.
    Edit(usize),
}

/// Conversations of models at clients that carry their state.
pub fn carried() -> impl Strategy<Value = Carried> {
    let models: Vec<ProtocolKind> = ANY.iter().map(|model| model.protocol).collect();
    let clients: Vec<ProtocolKind> =
        std::iter::once(ProtocolKind::Responses).chain(agents()).collect();
    let place = any::<usize>;
    let change = prop_oneof![
        place().prop_map(Change::Remove),
        place().prop_map(Change::Repeat),
        place().prop_map(Change::Swap),
        (place(), place()).prop_map(|(envelope, length)| Change::Damage(envelope, length)),
        place().prop_map(Change::Edit),
    ];
    let changes = prop_oneof![vec(change, 0..3), Just(Vec::new())];
    (talk(6), proptest::sample::select(models), proptest::sample::select(clients), changes)
        .prop_map(|(talk, model, client, changes)| held(&talk, model, client, &changes))
}

fn held(talk: &Talk, model: ProtocolKind, client: ProtocolKind, changes: &[Change]) -> Carried {
    let asked = request(model, &talk.plain()).to_string();
    let (sent, _) = convert(model, &asked, client, &options(None));
    let mut held: Value =
        serde_json::from_str(&sent.json).unwrap_or_else(|error| panic!("{error}: {}", sent.json));
    changes.iter().for_each(|change| apply(change, &mut held));
    Carried { model, client, request: held.to_string() }
}

fn apply(change: &Change, request: &mut Value) {
    let Some(list) =
        ["input", "messages"].iter().find(|name| request.get(name).is_some_and(Value::is_array))
    else {
        return;
    };
    if let Change::Damage(envelope, length) = change {
        let mut envelopes = Vec::new();
        strings(request, &|text| text.starts_with("aw1."), &mut envelopes);
        let count = envelopes.len().max(1);
        if let Some(text) = envelopes.into_iter().nth(envelope % count) {
            text.truncate(length % text.len());
        }
        return;
    }
    if let Change::Edit(place) = change {
        let mut texts = Vec::new();
        strings(request, &|text| text.starts_with('w') && text.ends_with('w'), &mut texts);
        let count = texts.len().max(1);
        if let Some(text) = texts.into_iter().nth(place % count) {
            text.push('!');
        }
        return;
    }
    let Some(list) = request[*list].as_array_mut().filter(|list| !list.is_empty()) else { return };
    let length = list.len();
    match change {
        Change::Remove(at) => drop(list.remove(at % length)),
        Change::Repeat(at) => list.push(list[at % length].clone()),
        Change::Swap(at) => list.swap(at % length, (at + 1) % length),
        Change::Damage(..) | Change::Edit(_) => {}
    }
}

/// Collects strings of a value.
fn strings<'v>(
    value: &'v mut Value,
    is_meant: &dyn Fn(&str) -> bool,
    found: &mut Vec<&'v mut String>,
) {
    match value {
        Value::String(text) if is_meant(text) => found.push(text),
        Value::Array(items) => items.iter_mut().for_each(|item| strings(item, is_meant, found)),
        Value::Object(members) => {
            members.values_mut().for_each(|value| strings(value, is_meant, found))
        }
        _ => {}
    }
}
