//! The settings of the protocols, with values that their own servers accept.

use agentwire::ProtocolKind::{
    self, AgUi, AgentApi, Anthropic, Chat, Gemini, Interactions, Responses,
};
use serde_json::Value;

use super::set;

type Table = &'static [(&'static str, &'static [&'static str])];

const CHAT: Table = &[
    ("max_tokens", &["1", "300", "50000"]),
    ("max_completion_tokens", &["300", "null"]),
    ("temperature", &["0", "0.7", "1.6", "2", "null"]),
    ("top_p", &["0.1", "1"]),
    ("stop", &["\"END\"", "[\"a\",\"b\",\"c\",\"d\"]", "[]", "\" \"", "null"]),
    ("seed", &["7", "-1", "9007199254740993"]),
    ("frequency_penalty", &["-2", "0.5"]),
    ("presence_penalty", &["0", "2"]),
    ("n", &["1", "3"]),
    ("parallel_tool_calls", &["true", "false"]),
    (
        "reasoning_effort",
        &["\"none\"", "\"minimal\"", "\"low\"", "\"medium\"", "\"high\"", "\"xhigh\""],
    ),
    ("verbosity", &["\"low\"", "\"medium\"", "\"high\""]),
    ("user", &["\"u1\""]),
    ("safety_identifier", &["\"s1\""]),
    ("metadata", &["{\"a\":\"b\"}", "{}", "null"]),
    ("service_tier", &["\"auto\"", "\"default\"", "\"flex\"", "\"priority\""]),
    ("prompt_cache_key", &["\"k\""]),
    ("prompt_cache_retention", &["\"24h\""]),
    ("store", &["true", "false"]),
    ("stream", &["true", "false"]),
    ("logprobs", &["true"]),
    ("modalities", &["[\"text\"]"]),
];

const RESPONSES: Table = &[
    ("max_output_tokens", &["16", "300", "50000"]),
    ("temperature", &["0", "0.7", "2"]),
    ("top_p", &["0.1", "1"]),
    (
        "reasoning.effort",
        &["\"none\"", "\"minimal\"", "\"low\"", "\"medium\"", "\"high\"", "\"xhigh\"", "null"],
    ),
    ("reasoning.summary", &["\"auto\"", "\"detailed\""]),
    ("text.verbosity", &["\"low\"", "\"high\""]),
    ("parallel_tool_calls", &["true", "false"]),
    ("user", &["\"u1\""]),
    ("safety_identifier", &["\"s1\""]),
    ("metadata", &["{\"a\":\"b\"}", "null"]),
    ("service_tier", &["\"auto\"", "\"default\"", "\"flex\""]),
    ("prompt_cache_key", &["\"k\""]),
    ("store", &["true", "false"]),
    ("stream", &["true"]),
    ("max_tool_calls", &["3"]),
    ("top_logprobs", &["2"]),
    ("instructions", &["\"Be brief.\"", "\"\""]),
];

const ANTHROPIC: Table = &[
    ("max_tokens", &["1", "300", "50000"]),
    ("temperature", &["0", "0.7", "1"]),
    ("top_p", &["0.1", "0.99"]),
    ("top_k", &["1", "40"]),
    ("stop_sequences", &["[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]", "[]"]),
    (
        "thinking",
        &[
            "{\"type\":\"enabled\",\"budget_tokens\":1024}",
            "{\"type\":\"enabled\",\"budget_tokens\":30000}",
            "{\"type\":\"adaptive\"}",
            "{\"type\":\"adaptive\",\"display\":\"omitted\"}",
            "{\"type\":\"disabled\"}",
        ],
    ),
    ("output_config.effort", &["\"low\"", "\"xhigh\"", "\"max\""]),
    ("metadata", &["{\"user_id\":\"u1\"}", "{}"]),
    ("service_tier", &["\"auto\"", "\"standard_only\""]),
    ("stream", &["true"]),
    ("cache_control", &["{\"type\":\"ephemeral\"}"]),
    ("container", &["\"k1\""]),
];

const GEMINI: Table = &[
    ("generationConfig.maxOutputTokens", &["1", "300", "50000"]),
    ("generationConfig.temperature", &["0", "0.7", "2"]),
    ("generationConfig.topP", &["0.1", "1"]),
    ("generationConfig.topK", &["1", "40"]),
    ("generationConfig.stopSequences", &["[\"a\",\"b\",\"c\",\"d\",\"e\"]", "[]"]),
    ("generationConfig.seed", &["7", "-1"]),
    ("generationConfig.candidateCount", &["1", "2"]),
    ("generationConfig.presencePenalty", &["0.5"]),
    ("generationConfig.frequencyPenalty", &["-0.5"]),
    (
        "generationConfig.thinkingConfig",
        &[
            "{\"thinkingBudget\":0}",
            "{\"thinkingBudget\":-1}",
            "{\"thinkingBudget\":24576,\"includeThoughts\":true}",
            "{\"thinkingLevel\":\"low\"}",
            "{\"thinkingLevel\":\"HIGH\",\"includeThoughts\":true}",
            "{}",
        ],
    ),
    ("generationConfig.responseModalities", &["[\"TEXT\"]"]),
    ("generationConfig.mediaResolution", &["\"MEDIA_RESOLUTION_LOW\""]),
    ("serviceTier", &["\"flex\"", "\"standard\""]),
];

const INTERACTIONS: Table = &[
    ("generation_config.max_output_tokens", &["1", "300", "50000"]),
    ("generation_config.temperature", &["0", "0.7", "2"]),
    ("generation_config.top_p", &["0.1", "1"]),
    ("generation_config.stop_sequences", &["[\"a\",\"b\",\"c\",\"d\",\"e\"]", "[]"]),
    ("generation_config.seed", &["7", "-1"]),
    (
        "generation_config.thinking_level",
        &["\"minimal\"", "\"low\"", "\"medium\"", "\"high\"", "\"xhigh\""],
    ),
    ("generation_config.thinking_summaries", &["\"auto\"", "\"none\""]),
    ("generation_config.speech_config", &["[{\"voice\":\"kore\"}]"]),
    ("response_modalities", &["[\"text\"]"]),
    ("service_tier", &["\"flex\"", "\"standard\"", "\"priority\""]),
    ("store", &["true", "false"]),
    ("stream", &["true", "false"]),
    ("background", &["true"]),
    ("labels", &["{\"a\":\"b\"}"]),
    ("cached_content", &["\"cachedContents/c\""]),
];

const AG_UI: Table = &[
    ("state", &["{\"a\":1}", "null"]),
    ("context", &["[{\"description\":\"d\",\"value\":\"v\"}]"]),
    (
        "forwardedProps",
        &[
            "{\"temperature\":0.5}",
            "{\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2000}}",
            "{\"later\":1}",
        ],
    ),
    ("parentRunId", &["\"r0\""]),
    (
        "resume",
        &[
            "[{\"interruptId\":\"q1\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]",
            "[{\"interruptId\":\"q2\",\"status\":\"cancelled\"}]",
        ],
    ),
];

const AI_SDK: Table = &[
    ("trigger", &["\"submit-message\"", "\"regenerate-message\""]),
    ("messageId", &["\"m1\""]),
    ("temperature", &["0.5"]),
    ("system", &["\"Be brief.\""]),
    ("later", &["{\"a\":1}"]),
];

/// The settings of the Agent API, and those of models that its clients add.
const AGENT_API: Table = &[
    ("temperature", &["0.5", "1.6"]),
    ("top_p", &["0.1"]),
    ("max_tokens", &["1", "300"]),
    ("stop", &["\"END\"", "[\"a\",\"b\"]"]),
    ("seed", &["7"]),
    ("frequency_penalty", &["0.5"]),
    ("presence_penalty", &["0.5"]),
    ("n", &["1", "2"]),
    ("stream", &["true", "false"]),
    ("reasoning_effort", &["\"none\"", "\"high\""]),
    ("thinking", &["{\"type\":\"enabled\",\"budget_tokens\":2000}", "{\"type\":\"disabled\"}"]),
    ("response_format", &["{\"type\":\"json_object\"}"]),
    (
        "tool_choice",
        &["\"required\"", "\"none\"", "{\"type\":\"function\",\"function\":{\"name\":\"f\"}}"],
    ),
    ("parallel_tool_calls", &["false"]),
    ("user_id", &["\"u1\""]),
    ("metadata", &["{\"a\":\"b\"}"]),
];

fn table(protocol: ProtocolKind) -> Table {
    match protocol {
        Chat => CHAT,
        Responses => RESPONSES,
        Anthropic => ANTHROPIC,
        Gemini => GEMINI,
        Interactions => INTERACTIONS,
        AgUi => AG_UI,
        AgentApi => AGENT_API,
        ProtocolKind::AiSdk => AI_SDK,
        _ => &[],
    }
}

/// Sets members of a request.
pub fn add(protocol: ProtocolKind, numbers: &[(usize, usize)], request: &mut Value) {
    let table = table(protocol);
    for (setting, value) in numbers {
        let Some((path, values)) = table.get(setting % table.len().max(1)) else { continue };
        let value = values[value % values.len()];
        set(
            request,
            path,
            serde_json::from_str(value).unwrap_or_else(|error| panic!("{value}: {error}")),
        );
    }
}
