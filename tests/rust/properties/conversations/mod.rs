//! Requests of any protocol, also broken ones, are converted to requests that the API of any model
//! accepts, and nothing of them is lost without a note.

mod answers;
pub mod carried;
pub mod check;
pub mod talk;
pub mod validate;

use agentwire::ProtocolKind;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertedRequest, RequestOptions, convert_request};
use agentwire::hub::Losses;
use proptest::prelude::*;

use carried::carried;
use check::{Check, Held, is_unchanged};
use talk::{Talk, request, talk};
pub use validate::{ANY, MODELS, Model};

/// Returns the protocols of agents: those that no model has.
pub fn agents() -> impl Iterator<Item = ProtocolKind> {
    let is_model = |kind: &ProtocolKind| ANY.iter().any(|model| model.protocol == *kind);
    ProtocolKind::READABLE.iter().copied().filter(move |kind| !is_model(kind))
}

/// Returns options with the name of a model.
pub fn options(model: Option<&str>) -> RequestOptions {
    let mut options = RequestOptions::default();
    options.model = model.map(Into::into);
    options
}

/// Converts a request. The ids that it creates are those of a counter.
fn convert(
    from: ProtocolKind,
    request: &str,
    to: ProtocolKind,
    options: &RequestOptions,
) -> (ConvertedRequest, Losses) {
    let mut losses = Losses::default();
    let converted =
        convert_request(from, request, to, options, &mut Counter::default(), &mut losses);
    (converted.unwrap_or_else(|error| panic!("{from:?} to {to:?}: {error}\n{request}")), losses)
}

/// Checks the conversions of a conversation, as each protocol has it, for all models of other
/// protocols.
fn for_models(talk: &Talk, check: impl Fn(Check<'_>, &Model) -> Held) -> Result<(), TestCaseError> {
    for &from in ProtocolKind::READABLE {
        let asked = request(from, talk).to_string();
        for model in MODELS.iter().filter(|model| model.protocol != from) {
            check(Check::for_model(from, &asked, model), model).map_err(TestCaseError::fail)?;
        }
    }
    Ok(())
}

/// Checks the conversions of a conversation, as each protocol has it, for all agents of other
/// protocols.
fn for_agents(talk: &Talk, check: impl Fn(Check<'_>) -> Held) -> Result<(), TestCaseError> {
    for &from in ProtocolKind::READABLE {
        let asked = request(from, talk).to_string();
        for to in agents().filter(|to| *to != from) {
            check(Check { from, asked: &asked, to, model: None }).map_err(TestCaseError::fail)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::cases(60))]

    #[test]
    fn any_request_becomes_one_that_the_model_accepts(talk in talk(8)) {
        for_models(&talk, |check, model| {
            check.is_accepted(model)?;
            check.is_parsed()
        })?;
    }

    #[test]
    fn any_request_becomes_one_that_an_agent_accepts(talk in talk(8)) {
        for_agents(&talk, |check| check.is_parsed())?;
    }

    #[test]
    fn no_text_is_gone_without_a_loss(talk in talk(8)) {
        for_models(&talk, |check, _| check.keeps_texts())?;
        for_agents(&talk, |check| check.keeps_texts())?;
    }

    #[test]
    fn preparing_twice_changes_nothing(talk in talk(6)) {
        for_models(&talk, |check, _| check.is_prepared_once())?;
        for_agents(&talk, |check| check.is_prepared_once())?;
    }

    #[test]
    fn a_converted_request_is_read_as_it_was_written(talk in talk(6)) {
        for_models(&talk, |check, _| check.is_read_again())?;
    }

    #[test]
    fn a_request_that_an_agent_passes_on_is_the_same(talk in talk(6)) {
        for_models(&talk, |check, _| check.is_same_through_agent())?;
    }

    #[test]
    fn a_request_of_the_same_protocol_is_not_changed(talk in talk(8)) {
        for &from in ProtocolKind::READABLE {
            is_unchanged(from, &request(from, &talk).to_string()).map_err(TestCaseError::fail)?;
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(300))]

    #[test]
    fn what_a_client_carries_for_a_model_is_for_no_other(carried in carried()) {
        for model in MODELS.iter().filter(|model| model.protocol != carried.client) {
            let check = Check::for_model(carried.client, &carried.request, model);
            if model.protocol != carried.model {
                check.is_accepted(model).map_err(TestCaseError::fail)?;
            }
            check.keeps_texts().map_err(TestCaseError::fail)?;
            check.is_prepared_once().map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn no_state_is_for_another_server_of_the_protocol(carried in carried()) {
        let request = carried.of_scope("0a1b2c3d");
        for model in MODELS.iter().filter(|model| model.protocol == carried.model && carried.client != carried.model) {
            let mut options = options(Some(model.name));
            options.scope = Some("4e5f6a7b".into());
            let (sent, _) = convert(carried.client, &request, model.protocol, &options);
            let verdict = model.validate(&sent.json, &|_| false);
            prop_assert!(verdict.is_ok(), "{:?}\n{}\n{}", verdict, request, sent.json);
        }
    }
}
