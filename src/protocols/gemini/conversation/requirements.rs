//! What models require of a request.

use super::{CONFIG, FORMAT, SETTINGS};
use crate::hub::conversation::MediaForm::{Audio, File, Image, Video};
use crate::hub::conversation::Requirements;
use crate::hub::conversation::google::{FILE_STARTS, PROVIDER};
use crate::hub::conversation::requirements::{
    ChoiceKinds, Instructions, Letters, NameRule, Placeholder, Strict, Thinking, ToolKinds, Way,
};

/// A model whose generation is not known: it has what the newest has, and both ways to limit the
/// reasoning.
const NEWEST: Requirements = Requirements {
    format: FORMAT,
    provider: PROVIDER,
    file_starts: FILE_STARTS,
    settings: SETTINGS,
    keeps_member: |name| MEMBERS.contains(&name) || CONFIG.contains(&name),
    // They are sent only if the server has made them.
    call_ids: NameRule { max: 1_024, letters: Letters::Any },
    tool_names: NameRule { max: 64, letters: Letters::Word },
    instructions: Instructions::Front,
    alternates: true,
    refuses_blank: true,
    object_input: true,
    tools: ToolKinds {
        strict: Strict::Unknown,
        combined_schemas: true,
        hosted: &[("search", "googleSearch"), ("code", "codeExecution")],
        ..Requirements::MODEL.tools
    },
    // https://ai.google.dev/gemini-api/docs/thought-signatures
    placeholder: Some(("thoughtSignature", Placeholder::Text("skip_thought_signature_validator"))),
    media: &[
        (Image, Way::Base64),
        (Image, Way::Url),
        (Image, Way::File),
        (Audio, Way::Base64),
        (Audio, Way::Url),
        (Audio, Way::File),
        (Video, Way::Base64),
        (Video, Way::Url),
        (Video, Way::File),
        (File, Way::Base64),
        (File, Way::Url),
        (File, Way::File),
    ],
    result_media: &[
        (Image, Way::Base64),
        (Image, Way::File),
        (File, Way::Base64),
        (File, Way::File),
    ],
    media_detail: false,
    media_names: &[],
    result_errors: true,
    choices: ChoiceKinds::OfFunctions,
    thinking: Thinking { levels: LEVELS, min_budget: Some(0), ..Requirements::MODEL.thinking },
    service_tiers: &["flex", "standard", "priority"],
    max_stops: 5,
    max_seed: 0x7fff_ffff,
    ..Requirements::MODEL
};

static UNKNOWN: Requirements = NEWEST;

/// Gemini 3: a level of reasoning in place of a number of tokens.
static GEMINI_3: Requirements = Requirements {
    thinking: Thinking { levels: LEVELS, ..Requirements::MODEL.thinking },
    ..NEWEST
};

/// Gemini 2: a number of tokens, signatures that are not checked, and functions that exclude tools
/// of the server and structured answers.
static GEMINI_2: Requirements = Requirements {
    placeholder: None,
    lone_functions: true,
    // Next to the result: results have only text.
    result_media: NEWEST.media,
    thinking: Thinking {
        min_budget: Some(0),
        max_budget: Some(24_576),
        ..Requirements::MODEL.thinking
    },
    ..NEWEST
};

/// The levels that all models with levels have.
const LEVELS: &[&str] = &["low", "medium", "high"];

/// The members of a request that are not messages, tools or settings.
const MEMBERS: &[&str] = &[
    "cachedContent",
    "generationConfig",
    "labels",
    "modelArmorConfig",
    "safetySettings",
    "toolConfig",
];

/// Returns the requirements of a model.
pub(super) fn of(model: Option<&str>) -> &'static Requirements {
    match generation(model) {
        Some('1' | '2') => &GEMINI_2,
        Some('3') => &GEMINI_3,
        _ => &UNKNOWN,
    }
}

/// Whether results of a model have only text, so that their media are next to them.
pub(super) fn has_text_results(model: Option<&str>) -> bool {
    matches!(generation(model), Some('1' | '2'))
}

/// Returns the first digit of the version in the name of a model: `3` of
/// `models/gemini-3.1-pro-preview`.
fn generation(model: Option<&str>) -> Option<char> {
    let (_, version) = model?.split_once("gemini-")?;
    let number = version.split(|letter: char| !letter.is_ascii_digit()).next()?;
    number.chars().next().filter(|_| number.len() == 1)
}
