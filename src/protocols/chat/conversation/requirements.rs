//! What servers of Chat Completions require, by families of models. A family is known by the name
//! of its model.

use crate::hub::conversation::models::ModelName;
use crate::hub::conversation::openai::{AUDIO_TYPES, IMAGE_TYPES, PROVIDER};
use crate::hub::conversation::requirements::{
    ChoiceKinds, Instructions, Letters, NameRule, OutputKinds, Placeholder, Reasoning,
    Requirements, Sampling, Thinking, ToolEffort, ToolKinds, Way,
};
use crate::hub::conversation::settings::SettingPaths;
use crate::hub::conversation::{MediaForm, SettingKey as Key};
use crate::json::Value;

pub(super) const FORMAT: &str = "chat";

/// The members of a message that are the reasoning of the model.
pub(super) const REASONING: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_details"];

/// Where requests have their settings, whatever their server.
pub(super) const ALL_SETTINGS: SettingPaths = &[
    ("model", Key::Model),
    ("stream", Key::Stream),
    ("max_completion_tokens", Key::MaxTokens),
    ("max_tokens", Key::MaxTokens),
    ("temperature", Key::Temperature),
    ("top_p", Key::TopP),
    ("top_k", Key::TopK),
    ("stop", Key::Stop),
    ("seed", Key::Seed),
    ("random_seed", Key::Seed),
    ("frequency_penalty", Key::Frequency),
    ("presence_penalty", Key::Presence),
    ("n", Key::Count),
    ("parallel_tool_calls", Key::Parallel),
    ("reasoning_effort", Key::Effort),
    ("reasoning.effort", Key::Effort),
    ("reasoning.max_tokens", Key::Budget),
    ("thinking.type", Key::Thinking),
    ("thinking.budget_tokens", Key::Budget),
    ("verbosity", Key::Verbosity),
    ("user", Key::User),
    ("safety_identifier", Key::Safety),
    ("metadata", Key::Metadata),
    ("service_tier", Key::ServiceTier),
    ("prompt_cache_key", Key::CacheKey),
    ("store", Key::Store),
];

/// The older name of the maximum, which OpenAI's newer models refuse and most other servers have.
const OLDER: SettingPaths = &[("max_tokens", Key::MaxTokens)];

const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/// Members that requests of OpenAI have beside the settings.
fn is_openai(key: &str) -> bool {
    matches!(
        key,
        "audio"
            | "logit_bias"
            | "logprobs"
            | "modalities"
            | "moderation"
            | "prediction"
            | "prompt_cache_options"
            | "prompt_cache_retention"
            | "top_logprobs"
    )
}

/// Members that requests of other servers have beside the settings.
fn is_compatible(key: &str) -> bool {
    let of_router = ["models", "plugins", "provider", "reasoning", "route", "transforms", "usage"];
    let of_server =
        ["chat_template_kwargs", "enable_thinking", "extra_body", "min_p", "repetition_penalty"];
    is_openai(key) || of_router.contains(&key) || of_server.contains(&key) || key == "thinking"
}

/// A server with a model that is not known: OpenAI's, or one like it.
static CHAT: Requirements = Requirements {
    format: FORMAT,
    provider: PROVIDER,
    settings: ALL_SETTINGS,
    // OpenAI refuses it, and the name of a deployment does not say whose the model is.
    without: &[Key::TopK],
    keeps_member: is_compatible,
    call_ids: NameRule { max: 40, letters: Letters::Any },
    author_names: Some(NameRule { max: 64, letters: Letters::Plain }),
    object_input: true,
    tools: ToolKinds { custom: true, ..Requirements::MODEL.tools },
    media: &[
        (MediaForm::Image, Way::Url),
        (MediaForm::Image, Way::Base64),
        (MediaForm::Audio, Way::Base64),
        (MediaForm::File, Way::Base64),
        (MediaForm::File, Way::File),
    ],
    media_names: &[MediaForm::File],
    media_types: &[
        (MediaForm::Image, IMAGE_TYPES),
        (MediaForm::Audio, AUDIO_TYPES),
        (MediaForm::File, &["application/pdf"]),
    ],
    thinking: Thinking { levels: EFFORTS, ..Requirements::MODEL.thinking },
    service_tiers: &["auto", "default", "flex", "scale", "priority", "fast"],
    max_stops: 4,
    with_tools: &[Key::Parallel],
    metadata_needs_store: true,
    ..Requirements::MODEL
};

/// GPT-4o and older: they do not reason, and have no custom tools.
static GPT_CLASSIC: Requirements = Requirements {
    without: &[Key::TopK, Key::Thinking, Key::Budget, Key::Effort, Key::Verbosity],
    keeps_member: is_openai,
    tools: Requirements::MODEL.tools,
    thinking: Requirements::MODEL.thinking,
    ..CHAT
};

static O_SERIES: Requirements = Requirements {
    without: &[Key::TopK, Key::Thinking, Key::Budget, Key::Verbosity, Key::Stop, Key::Parallel],
    keeps_member: is_openai,
    tools: Requirements::MODEL.tools,
    sampling: Sampling::Never,
    thinking: Thinking { levels: &["low", "medium", "high"], ..Requirements::MODEL.thinking },
    ..CHAT
};

static GPT_5: Requirements = Requirements {
    without: &[Key::TopK, Key::Thinking, Key::Budget, Key::Stop],
    keeps_member: is_openai,
    sampling: Sampling::Never,
    thinking: Thinking {
        levels: &["minimal", "low", "medium", "high"],
        ..Requirements::MODEL.thinking
    },
    ..CHAT
};

static GPT_5_1: Requirements = Requirements {
    sampling: Sampling::WithoutReasoning,
    thinking: Thinking {
        levels: &["none", "low", "medium", "high"],
        ..Requirements::MODEL.thinking
    },
    ..GPT_5
};

static GPT_5_2: Requirements = Requirements {
    thinking: Thinking {
        levels: &["none", "low", "medium", "high", "xhigh"],
        ..Requirements::MODEL.thinking
    },
    ..GPT_5_1
};

/// From GPT-5.4 on, this API refuses functions together with reasoning.
static GPT_5_4: Requirements = Requirements {
    thinking: Thinking { with_functions: ToolEffort::NoneIfGiven, ..GPT_5_2.thinking },
    ..GPT_5_2
};

/// From GPT-5.6 on, reasoning is on by default, and there are cache breakpoints.
static GPT_5_6: Requirements = Requirements {
    cache: true,
    sampling: Sampling::Never,
    thinking: Thinking { with_functions: ToolEffort::None, ..GPT_5_2.thinking },
    ..GPT_5_2
};

/// A server of an open model.
static COMPATIBLE: Requirements = Requirements {
    provider: "other",
    spellings: OLDER,
    without: &[
        Key::TopK,
        Key::Budget,
        Key::Verbosity,
        Key::Safety,
        Key::Metadata,
        Key::ServiceTier,
        Key::CacheKey,
        Key::Store,
    ],
    developer: false,
    instructions: Instructions::Front,
    tools: Requirements::MODEL.tools,
    // Without files by their ids, which are those of OpenAI.
    media: &[
        (MediaForm::Image, Way::Url),
        (MediaForm::Image, Way::Base64),
        (MediaForm::Audio, Way::Base64),
        (MediaForm::File, Way::Base64),
    ],
    media_types: &[(MediaForm::Audio, AUDIO_TYPES)],
    choices: ChoiceKinds::Simple,
    service_tiers: &[],
    max_stops: usize::MAX,
    metadata_needs_store: false,
    ..CHAT
};

/// Each message with calls must have its reasoning.
static DEEPSEEK: Requirements = Requirements {
    instructions: Instructions::Anywhere,
    reasoning: Reasoning::Member("reasoning_content"),
    media: &[],
    output: OutputKinds::Object,
    thinking: SWITCHED,
    ..COMPATIBLE
};

static KIMI: Requirements = Requirements {
    instructions: Instructions::Anywhere,
    reasoning: Reasoning::Member("reasoning_content"),
    thinking: SWITCHED,
    ..COMPATIBLE
};

static GLM: Requirements = Requirements { thinking: SWITCHED, ..COMPATIBLE };

/// Thinking that is switched on and off.
const SWITCHED: Thinking =
    Thinking { modes: &["enabled", "disabled"], levels: EFFORTS, ..Requirements::MODEL.thinking };

/// The ids of calls have nine letters.
static MISTRAL: Requirements = Requirements {
    spellings: &[("max_tokens", Key::MaxTokens), ("random_seed", Key::Seed)],
    without: &[
        Key::TopK,
        Key::Thinking,
        Key::Budget,
        Key::Effort,
        Key::Verbosity,
        Key::User,
        Key::Safety,
        Key::Metadata,
        Key::ServiceTier,
        Key::CacheKey,
        Key::Store,
    ],
    call_ids: MISTRAL_IDS,
    author_names: None,
    thinking: Requirements::MODEL.thinking,
    ..COMPATIBLE
};

const MISTRAL_IDS: NameRule = NameRule { max: 9, letters: Letters::Exact };

/// Google's endpoint for clients of OpenAI.
static GEMINI_2: Requirements = Requirements {
    instructions: Instructions::Anywhere,
    thinking: Thinking {
        levels: &["none", "low", "medium", "high"],
        ..Requirements::MODEL.thinking
    },
    ..COMPATIBLE
};

/// The calls of the current turn must have signatures.
static GEMINI_3: Requirements = Requirements {
    placeholder: Some((
        "extra_content",
        Placeholder::At("google.thought_signature", SKIP_VALIDATION),
    )),
    thinking: Thinking {
        levels: &["minimal", "low", "medium", "high"],
        ..Requirements::MODEL.thinking
    },
    ..GEMINI_2
};

/// The signature that Google documents for calls of other models.
const SKIP_VALIDATION: &str = "skip_thought_signature_validator";

/// OpenRouter, whose models have their vendor in the name.
static OPENROUTER: Requirements = Requirements {
    spellings: &[("max_tokens", Key::MaxTokens), ("reasoning.effort", Key::Effort)],
    without: &[
        Key::Thinking,
        Key::Count,
        Key::Safety,
        Key::Metadata,
        Key::ServiceTier,
        Key::CacheKey,
        Key::Store,
    ],
    developer: true,
    instructions: Instructions::Anywhere,
    thinking: Thinking {
        levels: EFFORTS,
        min_budget: Some(1),
        within_maximum: true,
        ..Requirements::MODEL.thinking
    },
    ..COMPATIBLE
};

static OPENROUTER_CLAUDE: Requirements = Requirements {
    cache: true,
    tools: ToolKinds { cache: true, ..Requirements::MODEL.tools },
    thinking: Thinking { min_budget: Some(1_024), ..OPENROUTER.thinking },
    ..OPENROUTER
};

static OPENROUTER_GEMINI: Requirements = Requirements { cache: true, ..OPENROUTER };

static OPENROUTER_GEMINI_3: Requirements = Requirements {
    placeholder: Some((
        "reasoning_details",
        Placeholder::OfMessage("reasoning.encrypted", skip_validation),
    )),
    ..OPENROUTER_GEMINI
};

static OPENROUTER_REASONING_CONTENT: Requirements =
    Requirements { reasoning: Reasoning::Member("reasoning_content"), ..OPENROUTER };

static OPENROUTER_MISTRAL: Requirements = Requirements { call_ids: MISTRAL_IDS, ..OPENROUTER };

fn skip_validation(call: &str) -> Value {
    Value::from([
        ("type", "reasoning.encrypted".into()),
        ("data", SKIP_VALIDATION.into()),
        ("id", call.into()),
        ("format", "google-gemini-v1".into()),
        ("index", 0.into()),
    ])
}

/// The starts of the names of open models, whose servers know only the older name of the maximum.
const OPEN_MODELS: &[&str] = &[
    "abab",
    "command",
    "doubao",
    "ernie",
    "exaone",
    "falcon",
    "gemma",
    "gpt-oss",
    "granite",
    "hermes",
    "hunyuan",
    "internlm",
    "jamba",
    "llama",
    "meta-llama",
    "minimax",
    "nemotron",
    "olmo",
    "phi",
    "qwen",
    "qwq",
    "smollm",
    "solar",
    "starcoder",
    "step-",
    "yi-",
];

const MISTRAL_MODELS: &[&str] = &[
    "codestral",
    "devstral",
    "magistral",
    "ministral",
    "mistral",
    "mixtral",
    "open-mi",
    "pixtral",
    "voxtral",
];

/// Returns the requirements of the family of a model.
pub(super) fn requirements(model: Option<&str>) -> &'static Requirements {
    let Some(model) = model.map(ModelName::new) else { return &CHAT };
    match model.vendor {
        Some("google") if model.starts_with(&["gemini"]) && is_gemini_3(model) => {
            &OPENROUTER_GEMINI_3
        }
        Some("google") => &OPENROUTER_GEMINI,
        Some("anthropic") => &OPENROUTER_CLAUDE,
        Some("mistralai") => &OPENROUTER_MISTRAL,
        Some("deepseek" | "moonshotai") => &OPENROUTER_REASONING_CONTENT,
        Some("openai" | "x-ai" | "z-ai" | "qwen" | "minimax" | "meta-llama" | "openrouter") => {
            &OPENROUTER
        }
        _ => of_name(model),
    }
}

fn of_name(model: ModelName<'_>) -> &'static Requirements {
    if model.starts_with(&["deepseek"]) {
        &DEEPSEEK
    } else if model.starts_with(&["kimi", "moonshot"]) {
        &KIMI
    } else if model.starts_with(&["glm"]) {
        &GLM
    } else if model.starts_with(MISTRAL_MODELS) {
        &MISTRAL
    } else if model.starts_with(&["gemini"]) {
        if is_gemini_3(model) { &GEMINI_3 } else { &GEMINI_2 }
    } else if model.starts_with(OPEN_MODELS) {
        &COMPATIBLE
    } else if model.starts_with(&["o1", "o3", "o4"]) {
        &O_SERIES
    } else if model.starts_with(&["gpt-", "chatgpt-"]) {
        of_gpt(model)
    } else {
        &CHAT
    }
}

/// Models without a version are the newest ones.
fn is_gemini_3(model: ModelName<'_>) -> bool {
    model.version_after("gemini-").is_none_or(|version| version >= (3, 0))
}

fn of_gpt(model: ModelName<'_>) -> &'static Requirements {
    if model.contains("chat") {
        return &GPT_CLASSIC;
    }
    match model.version_after("gpt-") {
        None => &CHAT,
        Some((..=4, _)) => &GPT_CLASSIC,
        Some((5, 0)) => &GPT_5,
        Some((5, 1)) => &GPT_5_1,
        Some((5, 2 | 3)) => &GPT_5_2,
        Some((5, 4 | 5)) => &GPT_5_4,
        Some(_) => &GPT_5_6,
    }
}
