//! What servers of Anthropic Messages require, by families of models. A family is known by the name
//! of its model.

use crate::hub::conversation::hosted::HostedOption;
use crate::hub::conversation::models::ModelName;
use crate::hub::conversation::requirements::{
    ChoiceKinds, Instructions, Letters, NameRule, OutputKinds, Requirements, Sampling, Strict,
    Thinking, ToolKinds, Way,
};
use crate::hub::conversation::settings::SettingPaths;
use crate::hub::conversation::{MediaForm, SettingKey as Key};

pub(super) const FORMAT: &str = "anthropic";

/// The provider whose file ids it has.
pub(super) const PROVIDER: &str = "anthropic";

/// Where requests have their settings. The parallel calls are in the choice of a tool, and the
/// summary has other words.
pub(super) const ALL_SETTINGS: SettingPaths = &[
    ("model", Key::Model),
    ("max_tokens", Key::MaxTokens),
    ("stream", Key::Stream),
    ("temperature", Key::Temperature),
    ("top_p", Key::TopP),
    ("top_k", Key::TopK),
    ("stop_sequences", Key::Stop),
    ("metadata.user_id", Key::User),
    ("metadata.user_id", Key::Safety),
    ("service_tier", Key::ServiceTier),
    ("output_config.effort", Key::Effort),
    ("thinking.type", Key::Thinking),
    ("thinking.budget_tokens", Key::Budget),
    ("", Key::Summary),
    ("", Key::Parallel),
];

const ENABLED: &str = "enabled";
const ADAPTIVE: &str = "adaptive";
const DISABLED: &str = "disabled";

/// The least number of tokens for thinking.
const MIN_BUDGET: i64 = 1_024;

/// A number of tokens that every current model accepts.
const USUAL_MAXIMUM: i64 = 32_000;

/// Members that requests have beside the settings.
fn is_own(key: &str) -> bool {
    matches!(
        key,
        "cache_control"
            | "container"
            | "context_management"
            | "inference_geo"
            | "mcp_servers"
            | "output_config"
            | "speed"
            | "thinking"
    )
}

const MEDIA: &[(MediaForm, Way)] = &[
    (MediaForm::Image, Way::Url),
    (MediaForm::Image, Way::Base64),
    (MediaForm::Image, Way::File),
    (MediaForm::File, Way::Base64),
    (MediaForm::File, Way::Url),
    (MediaForm::File, Way::File),
    (MediaForm::File, Way::Text),
];

/// A model that is not known: another vendor's at an endpoint of the same form, or a new one.
static ANTHROPIC: Requirements = BASE;

const BASE: Requirements = Requirements {
    format: FORMAT,
    provider: PROVIDER,
    settings: ALL_SETTINGS,
    keeps_member: is_own,
    call_ids: NameRule { max: 64, letters: Letters::Plain },
    tool_names: NameRule { max: 128, letters: Letters::Plain },
    instructions: Instructions::Front,
    alternates: true,
    begins_with: "compaction",
    refuses_blank: true,
    object_input: true,
    tools: ToolKinds {
        cache: true,
        hosted: &[
            ("search", "web_search_20250305"),
            ("code", "code_execution_20250825"),
            ("mcp", "mcp_toolset"),
        ],
        hosted_options: &[
            HostedOption::AllowedDomains,
            HostedOption::BlockedDomains,
            HostedOption::Location,
            HostedOption::MaxUses,
            HostedOption::AllowedTools,
            HostedOption::Authorization,
        ],
        ..Requirements::MODEL.tools
    },
    media: MEDIA,
    result_media: MEDIA,
    // github.com/vellum-ai/vellum-assistant/pull/18387
    error_media: false,
    media_detail: false,
    media_names: &[MediaForm::File],
    media_types: &[
        (MediaForm::Image, &["image/jpeg", "image/png", "image/gif", "image/webp"]),
        (MediaForm::File, &["application/pdf"]),
    ],
    result_errors: true,
    result_blocks: true,
    // github.com/anomalyco/opencode/issues/1295
    trims_end: true,
    cache: true,
    // https://platform.claude.com/docs/en/build-with-claude/prompt-caching
    max_cache: 4,
    output: OutputKinds::Schema,
    choices: ChoiceKinds::Simple,
    max_temperature: 1.0,
    blank_stops: false,
    default_output: Some(USUAL_MAXIMUM),
    thinking: Thinking {
        modes: &[ENABLED, ADAPTIVE, DISABLED],
        levels: &["low", "medium", "high", "xhigh", "max"],
        min_budget: Some(MIN_BUDGET),
        within_maximum: true,
        exclusive: true,
        needs_state: true,
        ..Requirements::MODEL.thinking
    },
    service_tiers: &["auto", "standard_only"],
    with_tools: &[Key::Parallel],
    ..Requirements::MODEL
};

/// A model with a maximum of output tokens.
const fn limited(family: Requirements, maximum: i64) -> Requirements {
    Requirements { max_output: Some(maximum), default_output: Some(maximum), ..family }
}

/// Claude 3: without thinking, and without structured answers.
const CLASSIC: Requirements = Requirements {
    without: &[Key::Effort, Key::Thinking, Key::Budget, Key::Summary],
    tools: ToolKinds { strict: Strict::Unknown, ..BASE.tools },
    output: OutputKinds::None,
    thinking: Requirements::MODEL.thinking,
    ..BASE
};

static CLAUDE_3: Requirements = limited(CLASSIC, 4_096);
static CLAUDE_3_5: Requirements = limited(CLASSIC, 8_192);

/// Thinking is enabled with a number of tokens. Claude 3.7 and Claude 4.
const MANUAL: Requirements = Requirements {
    without: &[Key::Effort],
    thinking: Thinking { modes: &[ENABLED, DISABLED], levels: &[], ..BASE.thinking },
    ..Requirements { output: OutputKinds::None, tools: CLASSIC.tools, ..BASE }
};

static CLAUDE_3_7: Requirements = limited(MANUAL, 64_000);
static SONNET_4: Requirements = limited(Requirements { sampling: Sampling::One, ..MANUAL }, 64_000);
static OPUS_4: Requirements = limited(Requirements { sampling: Sampling::One, ..MANUAL }, 32_000);

/// With structured answers: from Claude 4.1 on.
const STRUCTURED: Requirements = Requirements {
    output: OutputKinds::Schema,
    tools: BASE.tools,
    sampling: Sampling::One,
    ..MANUAL
};

static OPUS_4_1: Requirements = limited(STRUCTURED, 32_000);
static CLAUDE_4_5: Requirements = limited(STRUCTURED, 64_000);

static OPUS_4_5: Requirements = limited(
    Requirements {
        without: &[],
        thinking: Thinking { levels: &["low", "medium", "high"], ..STRUCTURED.thinking },
        ..STRUCTURED
    },
    64_000,
);

/// Thinking is adaptive, or enabled with a number of tokens. Answers are not continued.
const ADAPTING: Requirements = Requirements {
    without: &[],
    ends_with_user: true,
    thinking: Thinking {
        modes: &[ENABLED, ADAPTIVE, DISABLED],
        levels: &["low", "medium", "high", "max"],
        ..STRUCTURED.thinking
    },
    ..STRUCTURED
};

static CLAUDE_4_6: Requirements = limited(ADAPTING, 128_000);

/// Thinking takes no number of tokens, and sampling is not controlled.
const ONLY_ADAPTING: Requirements = Requirements {
    sampling: Sampling::Never,
    thinking: Thinking {
        modes: &[ADAPTIVE, DISABLED],
        levels: &["low", "medium", "high", "xhigh", "max"],
        min_budget: None,
        needs_state: false,
        ..ADAPTING.thinking
    },
    ..ADAPTING
};

static OPUS_4_7: Requirements = limited(ONLY_ADAPTING, 128_000);

/// Tools can be forced while the model thinks.
const FORCED: Requirements = Requirements {
    thinking: Thinking { exclusive: false, ..ONLY_ADAPTING.thinking },
    ..ONLY_ADAPTING
};

/// Thinking cannot be turned off.
const THINKING: Requirements =
    Requirements { thinking: Thinking { modes: &[ADAPTIVE], ..FORCED.thinking }, ..FORCED };

/// Nor can tools be forced.
const UNFORCED: Requirements = Requirements { choices: ChoiceKinds::Unforced, ..THINKING };

/// Thinking can be limited to that between calls.
const UNFORCED_BETWEEN: Requirements = Requirements {
    thinking: Thinking { modes: &[ADAPTIVE, "between_tools"], ..UNFORCED.thinking },
    ..UNFORCED
};

/// A family on other platforms, and at Anthropic itself: there instructions can follow a turn of
/// the user.
const fn on_platforms(family: Requirements) -> [Requirements; 2] {
    let family = limited(family, 128_000);
    [family, Requirements { instructions: Instructions::AfterUser, ..family }]
}

static CLAUDE_5: [Requirements; 2] = on_platforms(FORCED);
static FABLE_5: [Requirements; 2] = on_platforms(THINKING);
static CLAUDE_5_5: [Requirements; 2] = on_platforms(UNFORCED);
static SONNET_5_5: [Requirements; 2] = on_platforms(UNFORCED_BETWEEN);

/// Returns the requirements of the family of a model.
pub(super) fn requirements(model: Option<&str>) -> &'static Requirements {
    let Some(model) = model.map(ModelName::new) else { return &ANTHROPIC };
    let line = ["opus", "sonnet", "haiku", "fable", "mythos"]
        .into_iter()
        .find(|line| model.contains(line));
    // The version is before the line in older names.
    let after_line = line.and_then(|line| model.version_after(&[line, "-"].concat()));
    let [other, own] =
        match (line.unwrap_or_default(), after_line.or_else(|| model.version_after("claude-"))) {
            ("mythos", None) => &FABLE_5,
            (_, None) => return &ANTHROPIC,
            (_, Some((..=2, _) | (3, ..=4))) => return &CLAUDE_3,
            (_, Some((3, 5 | 6))) => return &CLAUDE_3_5,
            (_, Some((3, _))) => return &CLAUDE_3_7,
            ("opus", Some((4, 0))) => return &OPUS_4,
            ("opus", Some((4, 1..=4))) => return &OPUS_4_1,
            ("opus", Some((4, 5))) => return &OPUS_4_5,
            (_, Some((4, ..=4))) => return &SONNET_4,
            (_, Some((4, 5))) => return &CLAUDE_4_5,
            (_, Some((4, 6))) => return &CLAUDE_4_6,
            ("opus", Some((4, 7))) => return &OPUS_4_7,
            ("fable" | "mythos", Some((5, 0))) => &FABLE_5,
            ("fable" | "mythos", _) => &CLAUDE_5_5,
            ("opus", Some((5, 5..) | (6.., _))) => &CLAUDE_5_5,
            ("sonnet", Some((5, 5..) | (6.., _))) => &SONNET_5_5,
            _ => &CLAUDE_5,
        };
    let is_own = model.vendor.is_none() && model.starts_with(&["claude-"]) && !model.contains("@");
    if is_own { own } else { other }
}
