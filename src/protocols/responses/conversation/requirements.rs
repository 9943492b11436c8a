//! What models require of a request.

use super::{FORMAT, SETTINGS};
use crate::hub::conversation::MediaForm::{Audio, File, Image};
use crate::hub::conversation::hosted::HostedOption;
use crate::hub::conversation::models::ModelName;
use crate::hub::conversation::openai::{AUDIO_TYPES, IMAGE_TYPES, PROVIDER};
use crate::hub::conversation::requirements::{
    Letters, NameRule, Sampling, Strict, Thinking, ToolKinds, Way,
};
use crate::hub::conversation::settings::SettingPaths;
use crate::hub::conversation::{Requirements, SettingKey};

/// A model whose family is not known: it has what any has.
const ANY: Requirements = Requirements {
    format: FORMAT,
    provider: PROVIDER,
    settings: SETTINGS,
    keeps_member: |name| MEMBERS.contains(&name),
    call_ids: NameRule { max: 64, letters: Letters::Any },
    author_names: None,
    tools: ToolKinds {
        custom: true,
        namespaces: true,
        in_turns: true,
        strict: Strict::Default,
        hosted: &[("search", "web_search"), ("code", "code_interpreter"), ("mcp", "mcp")],
        hosted_options: &[
            HostedOption::AllowedDomains,
            HostedOption::AllowedTools,
            HostedOption::Authorization,
            HostedOption::Location,
        ],
        ..Requirements::MODEL.tools
    },
    // github.com/coder/xum/pull/59
    leading_reasoning: true,
    media: &[
        (Image, Way::Url),
        (Image, Way::Base64),
        (Image, Way::File),
        (Audio, Way::Base64),
        (File, Way::Base64),
        (File, Way::Url),
        (File, Way::File),
    ],
    result_media: &[
        (Image, Way::Url),
        (Image, Way::Base64),
        (Image, Way::File),
        (File, Way::Base64),
        (File, Way::Url),
        (File, Way::File),
    ],
    media_names: &[File],
    media_types: &[(Image, IMAGE_TYPES), (Audio, AUDIO_TYPES)],
    thinking: of_levels(&["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
    service_tiers: &["auto", "default", "flex", "priority", "scale", "fast"],
    // github.com/earendil-works/pi/issues/6265
    min_output: 16,
    ..Requirements::MODEL
};

/// It may be an agent, which keeps what it has asked.
static UNKNOWN: Requirements = Requirements { questions: true, decisions: true, ..ANY };

/// GPT-4o and older: they do not reason.
static CLASSIC: Requirements = Requirements {
    settings: CLASSIC_SETTINGS,
    tools: NO_CUSTOM,
    thinking: Requirements::MODEL.thinking,
    ..ANY
};

static O_SERIES: Requirements = Requirements {
    tools: NO_CUSTOM,
    sampling: Sampling::Never,
    thinking: of_levels(&["low", "medium", "high"]),
    ..ANY
};

static GPT_5: Requirements = Requirements {
    sampling: Sampling::Never,
    thinking: of_levels(&["minimal", "low", "medium", "high"]),
    ..ANY
};

static GPT_5_1: Requirements = Requirements {
    sampling: Sampling::WithoutReasoning,
    thinking: of_levels(&["none", "low", "medium", "high"]),
    ..ANY
};

static GPT_5_2: Requirements = Requirements {
    sampling: Sampling::WithoutReasoning,
    thinking: of_levels(&["none", "low", "medium", "high", "xhigh"]),
    ..ANY
};

/// From GPT-5.6 on, there are cache breakpoints.
static GPT_5_6: Requirements = Requirements {
    cache: true,
    sampling: Sampling::Never,
    thinking: of_levels(&["none", "low", "medium", "high", "xhigh"]),
    ..ANY
};

const NO_CUSTOM: ToolKinds = ToolKinds { custom: false, ..ANY.tools };

const fn of_levels(levels: &'static [&'static str]) -> Thinking {
    Thinking { levels, ..Requirements::MODEL.thinking }
}

/// The settings of models that do not reason.
const CLASSIC_SETTINGS: SettingPaths = &[
    ("model", SettingKey::Model),
    ("stream", SettingKey::Stream),
    ("max_output_tokens", SettingKey::MaxTokens),
    ("temperature", SettingKey::Temperature),
    ("top_p", SettingKey::TopP),
    ("parallel_tool_calls", SettingKey::Parallel),
    ("user", SettingKey::User),
    ("safety_identifier", SettingKey::Safety),
    ("metadata", SettingKey::Metadata),
    ("service_tier", SettingKey::ServiceTier),
    ("prompt_cache_key", SettingKey::CacheKey),
    ("store", SettingKey::Store),
];

/// The members of a request that are not items, tools or settings. The ids of responses are not
/// among them: an agent has those of its clients.
const MEMBERS: &[&str] = &[
    "background",
    "context_management",
    "include",
    "max_tool_calls",
    "moderation",
    "prompt",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "text",
    "top_logprobs",
    "truncation",
];

/// Returns the requirements of a model.
pub(super) fn of(model: Option<&str>) -> &'static Requirements {
    let Some(model) = model.map(ModelName::new) else { return &UNKNOWN };
    if model.starts_with(&["o1", "o3", "o4"]) {
        return &O_SERIES;
    }
    if !model.starts_with(&["gpt-", "chatgpt-"]) {
        return &UNKNOWN;
    }
    match model.version_after("gpt-") {
        _ if model.contains("chat") => &CLASSIC,
        None => &UNKNOWN,
        Some((..=4, _)) => &CLASSIC,
        Some((5, 0)) => &GPT_5,
        Some((5, 1)) => &GPT_5_1,
        Some((5, 2..=5)) => &GPT_5_2,
        Some(_) => &GPT_5_6,
    }
}

/// Whether a model is known to reason, so that its encrypted reasoning can be asked for.
pub(super) fn reasons(model: Option<&str>) -> bool {
    let of = of(model);
    !of.thinking.levels.is_empty() && of.sampling != Sampling::Any
}
