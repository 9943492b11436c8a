//! Requests of any protocol, also broken ones, are converted to requests that the API of any model accepts.

mod carried;
pub mod check;
pub mod talk;
pub mod validate;

use agentwire::ProtocolKind;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertedRequest, RequestOptions, convert_request};
use agentwire::hub::Losses;
use proptest::prelude::*;

use check::Check;
use talk::{request, talk};
pub use validate::MODELS;

/// All protocols.
pub const ALL: [ProtocolKind; 9] = [
    ProtocolKind::Chat,
    ProtocolKind::Responses,
    ProtocolKind::Anthropic,
    ProtocolKind::Gemini,
    ProtocolKind::AgentApi,
    ProtocolKind::AgUi,
    ProtocolKind::AiSdk,
    ProtocolKind::A2a,
    ProtocolKind::AgKit,
];

/// The protocols of agents.
pub const AGENTS: &[ProtocolKind] = ALL.split_at(4).1;

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
    let converted = convert_request(from, request, to, options, &mut Counter::default(), &mut losses);
    (converted.unwrap_or_else(|error| panic!("{from:?} to {to:?}: {error}\n{request}")), losses)
}

proptest! {
    #![proptest_config(crate::same_cases(100))]

    #[test]
    fn any_request_becomes_one_that_the_model_accepts(talk in talk(8)) {
        for from in ALL {
            let asked = request(from, &talk).to_string();
            for model in MODELS.iter().filter(|model| model.protocol != from) {
                Check::for_model(from, &asked, model).is_accepted(model).map_err(TestCaseError::fail)?;
            }
        }
    }
}
