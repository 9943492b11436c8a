use alloc::string::String;

use super::{FORMAT, REQUESTS, requirements::REQUIREMENTS};
use crate::agent_api::Style;
use crate::agent_api::request::AgentRequest;
use crate::hub::Losses;
use crate::hub::conversation::testing::{CountedIds, Kinds, difference, json, random, settings};
use crate::hub::conversation::{Conversation, Part, SettingKey, Tool, Turn, TurnRole, normalise};
use crate::json::Value;

/// Writes a conversation as an agent receives it.
fn written(conversation: &Conversation) -> String {
    let mut prepared = conversation.clone();
    let mut losses = Losses::default();
    normalise(&mut prepared, &REQUIREMENTS, Some("0badc0de"), &mut losses);
    // An answer that does not decide is kept beside the denial.
    let undecided = losses.count("approval-not-understood") as usize;
    assert_eq!(losses.iter().count(), undecided, "{}", losses.to_json());
    (REQUESTS.write)(&prepared, &mut CountedIds::default())
}

fn read(request: Value) -> Conversation {
    let mut conversation = (REQUESTS.read)(request);
    conversation.join_results();
    conversation
}

/// The conversation as it is expected back: an agent's request, whose functions are its own unless
/// it matters.
fn expected(conversation: &Conversation) -> Conversation {
    let mut expected = conversation.clone();
    normalise(&mut expected, &REQUIREMENTS, Some("0badc0de"), &mut Losses::default());
    expected.format = FORMAT.into();
    // An answer to these protocols is no stream unless the request says so.
    if expected.settings.get(SettingKey::Stream).is_none() {
        expected.settings.set(SettingKey::Stream, false);
    }
    own_functions(&mut expected.tools);
    expected
}

fn own_functions(tools: &mut [Tool]) {
    for tool in tools {
        match tool {
            Tool::Function(function) if function.strict.is_some() && function.more.is_empty() => {
                function.format = FORMAT.into();
            }
            Tool::Namespace { tools, .. } => own_functions(tools),
            _ => {}
        }
    }
}

#[test]
fn random_conversations_come_back_from_an_agent() {
    for seed in 0..3_000 {
        let conversation = random(seed, Kinds::ALL);
        let request = written(&conversation);
        let expected = expected(&conversation);
        if let Some(difference) = difference(&expected, &read(json(&request))) {
            panic!("seed {seed}: {difference}\n{request}");
        }
        // An agent in Rust has the request as a typed value.
        let typed =
            AgentRequest::parse(&request).unwrap_or_else(|error| panic!("{error:?}: {request}"));
        let problems = typed.validate();
        assert!(
            problems.iter().all(|problem| problem.path() == "user_id"),
            "{problems:?}: {request}"
        );
        let typed = read(json(&typed.to_json(Style::Compact)));
        if let Some(difference) = difference(&expected, &typed) {
            panic!("typed, seed {seed}: {difference}\n{request}");
        }
    }
}

#[test]
fn tools_and_settings_come_back_from_an_agent() {
    let mut conversation = Conversation::new("responses");
    conversation.turns.push(Turn::new(TurnRole::User, [Part::text("hi")].into()));
    settings(&mut conversation);
    let expected = expected(&conversation);
    let request = written(&conversation);
    for request in [request.clone(), AgentRequest::parse(&request).unwrap().to_json(Style::Compact)]
    {
        let mut read = read(json(&request));
        read.settings.scalars.sort_by_key(|(key, _)| key.name());
        let mut expected = expected.clone();
        expected.settings.scalars.sort_by_key(|(key, _)| key.name());
        assert_eq!(difference(&expected, &read), None, "{request}");
    }
}
